/* BLAKE3's compression function (O'Connor, Aumasson, Neves, Wilcox-O'Hearn 2020, section 2.2), for one message and for many side by side.

   Many are compressed with vectors where GCC or Clang compiles for a processor that has them; what it has is asked at run time. */
#ifndef MENSURA_COMPRESS_H
#define MENSURA_COMPRESS_H

#include <stdint.h>
#include <string.h>

enum { CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8 };

static const uint32_t START[8] = {
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
};

/* Words of the message in the order of each round: the permutation of the specification, again and again. */
static const uint8_t ORDER[7][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
    {3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1}, {10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
    {12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4}, {9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
    {11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13},
};

#define ROTATE(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

static inline uint32_t word_at(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void mix_words(uint32_t *s, int a, int b, int c, int d, uint32_t one, uint32_t other) {
    s[a] += s[b] + one;
    s[d] = ROTATE(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = ROTATE(s[b] ^ s[c], 12);
    s[a] += s[b] + other;
    s[d] = ROTATE(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = ROTATE(s[b] ^ s[c], 7);
}

/* The chaining value after one block, whose bytes after ``size`` are 0. */
static void compress_block(uint32_t *h, const uint8_t *block, int size, uint64_t counter, uint32_t flags) {
    uint32_t m[16], s[16];
    int i, r;
    for (i = 0; i < 16; i++) m[i] = word_at(block + 4 * i);
    for (i = 0; i < 8; i++) s[i] = h[i];
    for (i = 0; i < 4; i++) s[8 + i] = START[i];
    s[12] = (uint32_t)counter;
    s[13] = (uint32_t)(counter >> 32);
    s[14] = (uint32_t)size;
    s[15] = flags;
    for (r = 0; r < 7; r++) {
        const uint8_t *o = ORDER[r];
        for (i = 0; i < 4; i++) mix_words(s, i, 4 + i, 8 + i, 12 + i, m[o[2 * i]], m[o[2 * i + 1]]);
        for (i = 0; i < 4; i++) mix_words(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[o[8 + 2 * i]], m[o[9 + 2 * i]]);
    }
    for (i = 0; i < 8; i++) h[i] = s[i] ^ s[8 + i];
}

/* The chaining value of one message: a chunk of up to 1024 bytes, or two chaining values. */
static void compress_one(const uint8_t *in, int size, uint64_t counter, uint32_t flags, uint32_t first, uint32_t last, uint8_t *out) {
    uint32_t h[8];
    uint8_t block[64];
    int i, at = 0;
    memcpy(h, START, sizeof h);
    do {
        const int used = size - at < 64 ? size - at : 64;
        memset(block, 0, sizeof block);
        if (used > 0) memcpy(block, in + at, (size_t)used);
        compress_block(h, block, used, counter, flags | (at == 0 ? first : 0) | (at + 64 >= size ? last : 0));
        at += 64;
    } while (at < size);
    for (i = 0; i < 8; i++) {
        out[4 * i] = (uint8_t)h[i];
        out[4 * i + 1] = (uint8_t)(h[i] >> 8);
        out[4 * i + 2] = (uint8_t)(h[i] >> 16);
        out[4 * i + 3] = (uint8_t)(h[i] >> 24);
    }
}

#if defined(__GNUC__) && !defined(_MSC_VER) && !defined(MENSURA_PLAIN) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
    (defined(__SSE2__) || defined(__aarch64__))
#define HAS_VECTORS 1
#define INLINED static inline __attribute__((always_inline))
#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(type, a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif

#define LANES 4
#define TARGET
#include "lanes.h"

#if defined(__x86_64__)
#define LANES 8
#define TARGET __attribute__((target("avx2")))
#include "lanes.h"

#define LANES 16
#define TARGET __attribute__((target("avx512f")))
#include "lanes.h"
#endif
#endif

/* The most messages that this processor can compress side by side: 1, 4, 8 or 16. */
static int widest_lanes(void) {
#if defined(HAS_VECTORS) && defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return 16;
    if (__builtin_cpu_supports("avx2")) return 8;
#endif
#if defined(HAS_VECTORS)
    return 4;
#else
    return 1;
#endif
}

/* Chaining values of ``count`` chunks of 1024 bytes, from the given number on. Vectors read and write up to 32: there must be so many,
   or memory for them. */
static void compress_chunks(int lanes, const uint8_t *in, uint64_t number, int count, uint8_t *out) {
    int i = 0;
#if defined(HAS_VECTORS)
    for (; lanes > 1 && i < count; i += 2 * lanes) {
#if defined(__x86_64__)
        if (lanes == 16)
            chunks16(in + 1024 * i, number + (uint64_t)i, out + 32 * i);
        else if (lanes == 8)
            chunks8(in + 1024 * i, number + (uint64_t)i, out + 32 * i);
        else
#endif
            chunks4(in + 1024 * i, number + (uint64_t)i, out + 32 * i);
    }
#else
    (void)lanes;
#endif
    for (; i < count; i++) compress_one(in + 1024 * i, 1024, number + (uint64_t)i, 0, CHUNK_START, CHUNK_END, out + 32 * i);
}

/* Chaining values of the parents of ``count`` pairs of chaining values, in the same way. */
static void compress_parents(int lanes, const uint8_t *in, int count, uint8_t *out) {
    int i = 0;
#if defined(HAS_VECTORS)
    for (; lanes > 1 && i < count; i += 2 * lanes) {
#if defined(__x86_64__)
        if (lanes == 16)
            parents16(in + 64 * i, out + 32 * i);
        else if (lanes == 8)
            parents8(in + 64 * i, out + 32 * i);
        else
#endif
            parents4(in + 64 * i, out + 32 * i);
    }
#else
    (void)lanes;
#endif
    for (; i < count; i++) compress_one(in + 64 * i, 64, 0, PARENT, 0, 0, out + 32 * i);
}

#endif
