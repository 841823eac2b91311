/* The shortest decimal text that reads back as the same double, and of those the nearest: what Python's repr gives.

A double x = m * 2^-s, times 10^k with k such that 10^16 <= x * 10^k < 10^18, is a fraction whose numerator fits into 128 bits, and so do
the ends of the interval of all numbers that are read as x: (4m - 2) * 10^k and (4m + 2) * 10^k over 2^(s + 2). All steps are exact.
The interval is wide enough to contain a whole number; the shortest text is the multiple of the largest power of ten in it. */
#ifndef MENSURA_SHORTEST_H
#define MENSURA_SHORTEST_H

#include <stdint.h>
#include <string.h>

enum { LONGEST = 32 }; /* no text is longer */

static const uint64_t TENS[20] = {1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u,
    10000000000u, 100000000000u, 1000000000000u, 10000000000000u, 100000000000000u, 1000000000000000u, 10000000000000000u,
    100000000000000000u, 1000000000000000000u, 10000000000000000000u};

/* Writes digits * 10^-decimals, at least one digit on either side of the point. */
static inline int put_decimal(uint64_t digits, int decimals, char *to) {
    char reversed[LONGEST];
    int written = 0, length = 0;
    for (; decimals < 0; decimals++) digits *= 10;
    if (decimals == 0) {
        reversed[written++] = '0';
        reversed[written++] = '.';
    }
    while (digits || written <= decimals + 1) {
        if (decimals > 0 && written == decimals) reversed[written++] = '.';
        reversed[written++] = (char)('0' + digits % 10);
        digits /= 10;
        if (decimals == 0 && !digits) break;
    }
    while (written) to[length++] = reversed[--written];
    return length;
}

/* Writes x and returns the length of the text; 0 if x is not among the numbers from 0.0001 to 10^15 (either sign) that this is for,
or lies exactly between two texts. */
static inline int put_shortest(double x, char *to) {
#ifdef __SIZEOF_INT128__
    typedef unsigned __int128 wide;
    uint64_t bits, m, least, most, whole, below, step = 1;
    wide unit, value, low, high, mask, twice, half;
    int shift, k, taken = 0, length = 0;
    memcpy(&bits, &x, sizeof bits);
    if (!(bits << 1)) {
        if (bits) return 0;
        memcpy(to, "0.0", 3);
        return 3;
    }
    if (bits >> 63) {
        to[length++] = '-';
        x = -x;
    }
    if (!(x >= 1e-4 && x < 1e15)) return 0;
    m = (bits & ((1ull << 52) - 1)) | 1ull << 52;
    shift = 1075 - (int)(bits >> 52 & 2047) + 2;
    k = 16; /* x * 10^16 has 17 digits or 18 where x is from 1 to 100 */
    if (x < 1) {
        for (double scaled = x; scaled < 1; scaled *= 10) k++;
    } else {
        for (double scaled = x; scaled >= 10; scaled /= 10) k--;
    }
    unit = k < 20 ? (wide)TENS[k] : (wide)TENS[k - 19] * TENS[19];
    value = unit * (4 * m);
    low = value - unit * (m == 1ull << 52 ? 1 : 2); /* below a power of two, doubles are twice as dense */
    high = value + unit * 2;
    mask = ((wide)1 << shift) - 1;
    least = (uint64_t)((low + mask) >> shift);
    most = (uint64_t)(high >> shift);
    if (m & 1) { /* the ends are read as x only if m is even */
        least += !(low & mask);
        most -= !(high & mask);
    }
    while (most / (step * 10) * (step * 10) >= least) {
        step *= 10;
        taken++;
    }
    whole = (uint64_t)(value >> shift);
    below = whole / step * step;
    twice = (((wide)(whole - below) << shift) + (value & mask)) * 2;
    half = (wide)step << shift;
    if (below < least) below += step;
    else if (below + step <= most) {
        if (twice == half) return 0;
        if (twice > half) below += step;
    }
    return length + put_decimal(below / step, k - taken, to + length);
#else
    (void)x, (void)to;
    return 0;
#endif
}

#endif
