/* What Cython cannot say portably: bit counts, the order of bytes, a 64x64 -> 128 bit product, little-endian loads, and reading at a position of a file. */
#ifndef MENSURA_PORTABLE_H
#define MENSURA_PORTABLE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#if defined(_MSC_VER)
#include <intrin.h>
#include <io.h>
#include <windows.h>

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
static __inline int64_t read_at(int fd, void *to, int64_t size, int64_t offset) {
    OVERLAPPED at = {0};
    DWORD got = 0;
    at.Offset = (DWORD)offset;
    at.OffsetHigh = (DWORD)(offset >> 32);
    if (!ReadFile((HANDLE)_get_osfhandle(fd), to, (DWORD)(size < (1 << 30) ? size : (1 << 30)), &got, &at))
        return GetLastError() == ERROR_HANDLE_EOF ? 0 : -1;
    return got;
}
static __inline uint64_t swap_bytes(uint64_t x) { return _byteswap_uint64(x); }
static __inline void prefetch(const void *p) { _mm_prefetch((const char *)p, _MM_HINT_T0); }

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
static inline int64_t read_at(int fd, void *to, int64_t size, int64_t offset) {
    ssize_t got;
    do {
        got = pread(fd, to, (size_t)size, (off_t)offset);
    } while (got < 0 && errno == EINTR);
    return got;
}
static inline uint64_t swap_bytes(uint64_t x) { return __builtin_bswap64(x); }
static inline void prefetch(const void *p) { __builtin_prefetch(p); }
#endif

/* Asks for large pages where much memory will be written for the first time: 512 small ones take several times as long to get. */
#define LARGE_PAGE (1 << 21)
static inline void ask_large_pages(void *memory, size_t size) {
#if defined(__linux__)
    uintptr_t first = ((uintptr_t)memory + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);
    uintptr_t last = ((uintptr_t)memory + size) & ~(uintptr_t)(LARGE_PAGE - 1);
    if (memory != NULL && first < last)
        (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
    (void)memory, (void)size;
#endif
}

/* Memory of the size of a large page, and aligned to it where that is of use. */
static inline void *slab_memory(void) {
#if defined(__linux__)
    void *slab = aligned_alloc(LARGE_PAGE, LARGE_PAGE);
    ask_large_pages(slab, LARGE_PAGE);
    return slab;
#else
    return malloc(LARGE_PAGE);
#endif
}

/* Eight bytes, the first one lowest, from any address. */
static inline uint64_t load_word(const uint8_t *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Four bytes in the same order, to any address and from it. */
static inline void store_half(uint8_t *p, uint32_t half) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    half = __builtin_bswap32(half);
#endif
    memcpy(p, &half, sizeof half);
}
static inline uint32_t load_half(const uint8_t *p) {
    uint32_t half;
    memcpy(&half, p, sizeof half);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    half = __builtin_bswap32(half);
#endif
    return half;
}

/* Fewer than eight bytes, the first one lowest, zeros above them. No other byte is read. */
static inline uint64_t load_tail(const uint8_t *p, int64_t size) {
    uint64_t word = 0;
    if (size >= 4) {
        uint32_t low, high;
        memcpy(&low, p, 4);
        memcpy(&high, p + size - 4, 4);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        low = __builtin_bswap32(low);
        high = __builtin_bswap32(high);
#endif
        return (uint64_t)low | (uint64_t)high << (8 * (size - 4));
    }
    if (size > 0) {
        word = p[0];
        word |= (uint64_t)p[size >> 1] << (8 * (size >> 1));
        word |= (uint64_t)p[size - 1] << (8 * (size - 1));
    }
    return word;
}

#endif
