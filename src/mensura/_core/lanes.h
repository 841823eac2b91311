/* BLAKE3's compression of twice LANES messages side by side: included once for each width of vectors, by compress.h.

   A word of the state is a vector with one lane for each message. The words of the messages lie the other way round in memory, so
   that squares of them are transposed first. Two groups of LANES messages are worked on in turn: one alone waits for its own results
   (AVX-512 on Zen 5: 16.7 instead of 11.5 GB/s). */
#define WORDS PASTE(words, LANES)
#define LOOSE PASTE(loose, LANES)
typedef uint32_t WORDS __attribute__((vector_size(4 * LANES)));
typedef uint32_t LOOSE __attribute__((vector_size(4 * LANES), aligned(1), may_alias));

#if LANES == 4
#define LOW_WORDS(a, b) SHUFFLE(WORDS, a, b, 0, 4, 1, 5)
#define HIGH_WORDS(a, b) SHUFFLE(WORDS, a, b, 2, 6, 3, 7)
#define LOW_PAIRS(a, b) SHUFFLE(WORDS, a, b, 0, 1, 4, 5)
#define HIGH_PAIRS(a, b) SHUFFLE(WORDS, a, b, 2, 3, 6, 7)
#elif LANES == 8
#define LOW_WORDS(a, b) SHUFFLE(WORDS, a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_WORDS(a, b) SHUFFLE(WORDS, a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_PAIRS(a, b) SHUFFLE(WORDS, a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_PAIRS(a, b) SHUFFLE(WORDS, a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define EVEN_QUARTERS(a, b) SHUFFLE(WORDS, a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define ODD_QUARTERS(a, b) SHUFFLE(WORDS, a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#else
#define LOW_WORDS(a, b) SHUFFLE(WORDS, a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH_WORDS(a, b) SHUFFLE(WORDS, a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define LOW_PAIRS(a, b) SHUFFLE(WORDS, a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define HIGH_PAIRS(a, b) SHUFFLE(WORDS, a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#define EVEN_QUARTERS(a, b) SHUFFLE(WORDS, a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define ODD_QUARTERS(a, b) SHUFFLE(WORDS, a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
#endif

#if LANES == 8 /* a rotation by whole bytes is one instruction; other widths have one for every rotation, or none */
typedef uint8_t PASTE(bytes, LANES) __attribute__((vector_size(4 * LANES)));
#define BYTES PASTE(bytes, LANES)
#define BY_16(x)                                                                                                               \
    ((WORDS)SHUFFLE(BYTES, (BYTES)(x), (BYTES)(x), 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 18, 19, 16, 17, 22,   \
                    23, 20, 21, 26, 27, 24, 25, 30, 31, 28, 29))
#define BY_8(x)                                                                                                                \
    ((WORDS)SHUFFLE(BYTES, (BYTES)(x), (BYTES)(x), 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 17, 18, 19, 16, 21,   \
                    22, 23, 20, 25, 26, 27, 24, 29, 30, 31, 28))
#else
#define BY_16(x) ROTATE(x, 16)
#define BY_8(x) ROTATE(x, 8)
#endif
#define BY_12(x) ROTATE(x, 12)
#define BY_7(x) ROTATE(x, 7)

/* Half of the function G of the specification, for four columns or diagonals: (a, b, c, d) each, and a word of the message. */
#define HALF(s, a0, b0, c0, d0, a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3, m0, m1, m2, m3, ONE, OTHER)                    \
    s[a0] += m0, s[a1] += m1, s[a2] += m2, s[a3] += m3;                                                                        \
    s[a0] += s[b0], s[a1] += s[b1], s[a2] += s[b2], s[a3] += s[b3];                                                            \
    s[d0] ^= s[a0], s[d1] ^= s[a1], s[d2] ^= s[a2], s[d3] ^= s[a3];                                                            \
    s[d0] = ONE(s[d0]), s[d1] = ONE(s[d1]), s[d2] = ONE(s[d2]), s[d3] = ONE(s[d3]);                                            \
    s[c0] += s[d0], s[c1] += s[d1], s[c2] += s[d2], s[c3] += s[d3];                                                            \
    s[b0] ^= s[c0], s[b1] ^= s[c1], s[b2] ^= s[c2], s[b3] ^= s[c3];                                                            \
    s[b0] = OTHER(s[b0]), s[b1] = OTHER(s[b1]), s[b2] = OTHER(s[b2]), s[b3] = OTHER(s[b3]);
#define COLUMNS(s, m, o, ONE, OTHER)                                                                                           \
    HALF(s, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, m[(o)[0]], m[(o)[2]], m[(o)[4]], m[(o)[6]], ONE, OTHER)
#define DIAGONALS(s, m, o, ONE, OTHER)                                                                                         \
    HALF(s, 0, 5, 10, 15, 1, 6, 11, 12, 2, 7, 8, 13, 3, 4, 9, 14, m[(o)[8]], m[(o)[10]], m[(o)[12]], m[(o)[14]], ONE, OTHER)
#define IN_TURN(SIDE, o, ONE, OTHER) SIDE(s[0], m[0], o, ONE, OTHER) SIDE(s[1], m[1], o, ONE, OTHER)
#define ROUND(r)                                                                                                               \
    IN_TURN(COLUMNS, ORDER[r], BY_16, BY_12)                                                                                   \
    IN_TURN(COLUMNS, ORDER[r] + 1, BY_8, BY_7)                                                                                 \
    IN_TURN(DIAGONALS, ORDER[r], BY_16, BY_12)                                                                                 \
    IN_TURN(DIAGONALS, ORDER[r] + 1, BY_8, BY_7)

/* The 16 words of a block of each message, word by word; messages are ``stride`` bytes apart. */
TARGET INLINED void PASTE(transpose, LANES)(const uint8_t *in, int64_t stride, WORDS *out) {
    WORDS a[LANES], b[LANES];
    int i, part;
    for (part = 0; part < 16; part += LANES) {
        for (i = 0; i < LANES; i++) a[i] = *(const LOOSE *)(in + i * stride + 4 * part);
        for (i = 0; i < LANES; i += 4) { /* squares of four words */
            const WORDS low = LOW_WORDS(a[i], a[i + 1]), high = HIGH_WORDS(a[i], a[i + 1]);
            const WORDS lower = LOW_WORDS(a[i + 2], a[i + 3]), higher = HIGH_WORDS(a[i + 2], a[i + 3]);
            b[i] = LOW_PAIRS(low, lower);
            b[i + 1] = HIGH_PAIRS(low, lower);
            b[i + 2] = LOW_PAIRS(high, higher);
            b[i + 3] = HIGH_PAIRS(high, higher);
        }
#if LANES == 4
        for (i = 0; i < 4; i++) out[part + i] = b[i];
#elif LANES == 8
        for (i = 0; i < 4; i++) {
            out[part + i] = EVEN_QUARTERS(b[i], b[i + 4]);
            out[part + i + 4] = ODD_QUARTERS(b[i], b[i + 4]);
        }
#else
        for (i = 0; i < 4; i++) {
            const WORDS even = EVEN_QUARTERS(b[i], b[i + 4]), odd = ODD_QUARTERS(b[i], b[i + 4]);
            const WORDS evener = EVEN_QUARTERS(b[i + 8], b[i + 12]), odder = ODD_QUARTERS(b[i + 8], b[i + 12]);
            out[i] = EVEN_QUARTERS(even, evener);
            out[i + 4] = EVEN_QUARTERS(odd, odder);
            out[i + 8] = ODD_QUARTERS(even, evener);
            out[i + 12] = ODD_QUARTERS(odd, odder);
        }
#endif
    }
}

/* Chaining values of twice LANES chunks, or of so many parents. What depends on ``parents`` is settled when this is compiled. */
TARGET INLINED void PASTE(compress, LANES)(const uint8_t *in, uint64_t number, const int parents, uint8_t *out) {
    const int64_t stride = parents ? 64 : 1024;
    const int blocks = parents ? 1 : 16;
    WORDS h[2][8], s[2][16], m[2][16], low[2], high[2];
    int g, i, k, block;
    for (g = 0; g < 2; g++) {
        for (i = 0; i < LANES; i++) {
            const uint64_t counter = parents ? 0 : number + (uint64_t)(LANES * g + i);
            low[g][i] = (uint32_t)counter;
            high[g][i] = (uint32_t)(counter >> 32);
        }
        for (i = 0; i < 8; i++) h[g][i] = (WORDS){0} + START[i];
    }
    for (block = 0; block < blocks; block++) {
        const uint32_t flags = parents ? PARENT : (block == 0 ? CHUNK_START : 0) | (block == blocks - 1 ? CHUNK_END : 0);
        for (g = 0; g < 2; g++) {
            PASTE(transpose, LANES)(in + LANES * g * stride + 64 * block, stride, m[g]);
            for (i = 0; i < 8; i++) s[g][i] = h[g][i];
            for (i = 0; i < 4; i++) s[g][8 + i] = (WORDS){0} + START[i];
            s[g][12] = low[g];
            s[g][13] = high[g];
            s[g][14] = (WORDS){0} + 64u;
            s[g][15] = (WORDS){0} + flags;
        }
        ROUND(0) ROUND(1) ROUND(2) ROUND(3) ROUND(4) ROUND(5) ROUND(6)
        for (g = 0; g < 2; g++)
            for (i = 0; i < 8; i++) h[g][i] = s[g][i] ^ s[g][8 + i];
    }
    for (g = 0; g < 2; g++)
        for (k = 0; k < LANES; k++)
            for (i = 0; i < 8; i++) {
                const uint32_t word = h[g][i][k];
                memcpy(out + 32 * (LANES * g + k) + 4 * i, &word, 4);
            }
}

TARGET static void PASTE(chunks, LANES)(const uint8_t *in, uint64_t number, uint8_t *out) { PASTE(compress, LANES)(in, number, 0, out); }
TARGET static void PASTE(parents, LANES)(const uint8_t *in, uint8_t *out) { PASTE(compress, LANES)(in, 0, 1, out); }

#undef LANES
#undef TARGET
#undef WORDS
#undef LOOSE
#undef BYTES
#undef LOW_WORDS
#undef HIGH_WORDS
#undef LOW_PAIRS
#undef HIGH_PAIRS
#undef EVEN_QUARTERS
#undef ODD_QUARTERS
#undef BY_16
#undef BY_12
#undef BY_8
#undef BY_7
#undef HALF
#undef COLUMNS
#undef DIAGONALS
#undef IN_TURN
#undef ROUND
