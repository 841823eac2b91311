/* Where columns and lines end in 64 bytes, as one bit per byte: a line of a run is split by looking at it once. */
#ifndef MENSURA_MASKS_H
#define MENSURA_MASKS_H

#include <float.h>
#include <stdint.h>

#include "portable.h"

/* Is the quotient of two doubles rounded once? Some processors of 32 bits round twice. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
#define ROUNDS_ONCE 1
#else
#define ROUNDS_ONCE 0
#endif

#if (defined(__SSE2__) || defined(_M_X64)) && !defined(MENSURA_PLAIN)
#include <emmintrin.h>

/* Bits of ``low``: bytes up to a blank. Bits of ``stop``: those of them that are not a blank. */
static inline void find_blanks(const uint8_t *p, uint64_t *low, uint64_t *stop) {
    const __m128i blank = _mm_set1_epi8(32);
    uint64_t below = 0, gap = 0;
    int i;
    for (i = 0; i < 4; i++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(p + 16 * i));
        const __m128i small = _mm_cmpeq_epi8(_mm_min_epu8(bytes, blank), bytes);
        below |= (uint64_t)(uint32_t)_mm_movemask_epi8(small) << (16 * i);
        gap |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, blank)) << (16 * i);
    }
    *low = below;
    *stop = below ^ gap;
}

/* The same, but tabs are taken for blanks. */
static inline void find_gaps(const uint8_t *p, uint64_t *low, uint64_t *stop) {
    const __m128i blank = _mm_set1_epi8(32), tab = _mm_set1_epi8(9);
    uint64_t below = 0, gap = 0;
    int i;
    for (i = 0; i < 4; i++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(p + 16 * i));
        const __m128i small = _mm_cmpeq_epi8(_mm_min_epu8(bytes, blank), bytes);
        const __m128i gaps = _mm_or_si128(_mm_cmpeq_epi8(bytes, blank), _mm_cmpeq_epi8(bytes, tab));
        below |= (uint64_t)(uint32_t)_mm_movemask_epi8(small) << (16 * i);
        gap |= (uint64_t)(uint32_t)_mm_movemask_epi8(gaps) << (16 * i);
    }
    *low = below;
    *stop = below & ~gap;
}

#else

/* Eight bits, one for each byte whose highest bit is set; all other bits are 0. */
static inline uint64_t gather_bits(uint64_t word) { return ((word >> 7) * UINT64_C(0x0102040810204080)) >> 56; }

static inline void find_blanks(const uint8_t *p, uint64_t *low, uint64_t *stop) {
    const uint64_t ones = UINT64_C(0x0101010101010101), seven = 0x7F * ones, high = 0x80 * ones;
    uint64_t below = 0, gap = 0;
    int i;
    for (i = 0; i < 8; i++) {
        const uint64_t word = load_word(p + 8 * i), blank = word ^ (32 * ones);
        below |= gather_bits(~(((word & seven) + 0x5F * ones) | word) & high) << (8 * i);
        gap |= gather_bits(~(((blank & seven) + seven) | blank) & high) << (8 * i);
    }
    *low = below;
    *stop = below ^ gap;
}

static inline void find_gaps(const uint8_t *p, uint64_t *low, uint64_t *stop) {
    const uint64_t ones = UINT64_C(0x0101010101010101), seven = 0x7F * ones, high = 0x80 * ones;
    uint64_t below = 0, gap = 0;
    int i;
    for (i = 0; i < 8; i++) {
        const uint64_t word = load_word(p + 8 * i), blank = word ^ (32 * ones), tab = word ^ (9 * ones);
        const uint64_t neither = (((blank & seven) + seven) | blank) & (((tab & seven) + seven) | tab);
        below |= gather_bits(~(((word & seven) + 0x5F * ones) | word) & high) << (8 * i);
        gap |= gather_bits(~neither & high) << (8 * i);
    }
    *low = below;
    *stop = below & ~gap;
}
#endif

#endif
