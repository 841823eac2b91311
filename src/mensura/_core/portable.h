/* What Cython cannot say portably: bit counts, a 64x64 -> 128 bit product, little-endian loads, and reading from a file descriptor. */
#ifndef MENSURA_PORTABLE_H
#define MENSURA_PORTABLE_H

#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER)
#include <intrin.h>
#include <io.h>

static __inline int count_trailing_zeros(uint64_t x) {
    unsigned long i;
    _BitScanForward64(&i, x);
    return (int)i;
}
static __inline int count_leading_zeros(uint64_t x) {
    unsigned long i;
    _BitScanReverse64(&i, x);
    return 63 - (int)i;
}
static __inline uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t *high) { return _umul128(a, b, high); }
static __inline int64_t read_bytes(int fd, void *to, int64_t size) { return _read(fd, to, (unsigned int)size); }
static __inline void prefetch(const void *p) { _mm_prefetch((const char *)p, _MM_HINT_T0); }
static __inline int64_t seek_to(int fd, int64_t offset) { return _lseeki64(fd, offset, 0); }

#else
#include <errno.h>
#include <unistd.h>

static inline int count_trailing_zeros(uint64_t x) { return __builtin_ctzll(x); }
static inline int count_leading_zeros(uint64_t x) { return __builtin_clzll(x); }
static inline uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t *high) {
    unsigned __int128 product = (unsigned __int128)a * b;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
}
static inline int64_t read_bytes(int fd, void *to, int64_t size) {
    ssize_t got;
    do {
        got = read(fd, to, (size_t)size);
    } while (got < 0 && errno == EINTR);
    return got;
}
static inline void prefetch(const void *p) { __builtin_prefetch(p); }
static inline int64_t seek_to(int fd, int64_t offset) { return lseek(fd, offset, SEEK_SET); }
#endif

/* Eight bytes, the first one lowest, from any address. */
static inline uint64_t load_word(const uint8_t *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

#endif
