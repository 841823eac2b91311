"""Decimal text to the nearest double, without locale and without the GIL (Eisel and Lemire's product with a table of powers of five).

Lemire, "Number parsing at a gigabyte per second" (2021); that no further check is needed is shown in Mushtak and Lemire, "Fast number
parsing without fallback" (2023).
"""

from libc.stdint cimport uint8_t, uint64_t, int64_t
from libc.string cimport memcpy
from mensura._core.text cimport count_leading_zeros, count_trailing_zeros, load_word, multiply_wide, zero_bytes

cdef extern from "masks.h" nogil:
    bint ROUNDS_ONCE

cdef enum:
    LOWEST_POWER = -100
    HIGHEST_POWER = 100

cdef enum NumberKind:
    IS_NUMBER = 0
    IS_TEXT = 1
    IS_HARD = 2  # a number that only arbitrary precision can round

cdef struct Powers:
    uint64_t high[201]
    uint64_t low[201]
    double ten[23]  # powers of ten that doubles hold exactly

cdef struct Fraction:  # a number as its text gives it: units / 10**decimals, divided once
    int64_t units
    int64_t decimals  # -1: not known


cdef inline int fill_powers(Powers *powers) except -1:
    """128 leading bits of 5**q, rounded as Lemire's table is: down, but up for q from -27 to -1.

    Exact ties can only occur for small negative q; there the product must not fall below the tie.
    """
    for q in range(LOWEST_POWER, HIGHEST_POWER + 1):
        if q >= 0:
            exact = 5**q
            size = exact.bit_length()
            bits = exact << (128 - size) if size <= 128 else exact >> (size - 128)
        elif q >= -27:
            divisor = 5**-q
            bits = (1 << (divisor.bit_length() + 127)) // divisor + 1
        else:
            divisor = 5**-q
            bits = (1 << (2 * divisor.bit_length() + 128)) // divisor + 1
            bits >>= bits.bit_length() - 128
        powers.high[q - LOWEST_POWER] = bits >> 64
        powers.low[q - LOWEST_POWER] = bits & 0xFFFFFFFFFFFFFFFF
    for q in range(23):
        powers.ten[q] = float(10**q)
    return 0


cdef inline bint is_quotient(uint64_t w, int64_t q) noexcept nogil:
    """Is w * 10**q the quotient of two exact doubles? It is rounded once then."""
    return ROUNDS_ONCE and -22 <= q <= 0 and w >> 53 == 0


cdef inline int scale(const Powers *powers, uint64_t w, int64_t q, double *value) noexcept nogil:
    """The double nearest to w * 10**q, or IS_HARD outside the table and where the result is subnormal or infinite."""
    cdef uint64_t high, low, high2, low2, mantissa, bits
    cdef int zeros, upper
    cdef int64_t power
    if w == 0:
        value[0] = 0.0
        return IS_NUMBER
    if is_quotient(w, q):
        value[0] = <double><int64_t>w / powers.ten[-q]
        return IS_NUMBER
    if q < LOWEST_POWER or q > HIGHEST_POWER:
        return IS_HARD
    zeros = count_leading_zeros(w)
    w <<= zeros
    low = multiply_wide(w, powers.high[q - LOWEST_POWER], &high)
    if (high & 0x1FF) == 0x1FF:
        low2 = multiply_wide(w, powers.low[q - LOWEST_POWER], &high2)
        low += high2
        if high2 > low:
            high += 1
    upper = <int>(high >> 63)
    mantissa = high >> (upper + 9)
    power = ((217706 * q) >> 16) + 63 + upper - zeros + 1023
    if power <= 0 or power >= 2046:
        return IS_HARD
    if low <= 1 and -4 <= q <= 23 and (mantissa & 3) == 1 and (mantissa << (upper + 9)) == high:
        mantissa &= ~<uint64_t>1  # exactly half way: to even
    mantissa += mantissa & 1
    mantissa >>= 1
    if mantissa >= (<uint64_t>1 << 53):
        mantissa = <uint64_t>1 << 52
        power += 1
    bits = (mantissa & ~(<uint64_t>1 << 52)) | (<uint64_t>power << 52)
    memcpy(value, &bits, 8)
    return IS_NUMBER


cdef inline bint quick_number(const Powers *powers, const uint8_t *p, int64_t size, double *value, Fraction *fraction) noexcept nogil:
    """Reads a number of at most eight digits and point, such as 12.9860 or -7; False for all others. A word can be loaded at ``p``.

    The eight bytes are converted together: pairs of digits, then fours, then all.
    """
    cdef bint negative = p[0] == 45
    cdef uint64_t word, point
    cdef int decimals = 0, at
    if negative:
        p += 1
        size -= 1
    if not ROUNDS_ONCE or size < 1 or size > 8:
        return False
    word = load_word(p) << (64 - 8 * size)
    point = zero_bytes(word ^ <uint64_t>0x2E2E2E2E2E2E2E2E)
    if point:
        at = count_trailing_zeros(point) - 7
        word = (word >> at >> 8 << 8 << at) | (word & ((<uint64_t>1 << at) - 1)) << 8
        decimals = 7 - (at >> 3)
        size -= 1
        if size < 1:
            return False
    word ^= <uint64_t>0x3030303030303030 << (64 - 8 * size)
    if ((word + <uint64_t>0x7676767676767676) | word) & <uint64_t>0x8080808080808080:
        return False  # not a digit, or a second point
    word = (word * 2561) >> 8
    word = ((word & <uint64_t>0x00FF00FF00FF00FF) * 6553601) >> 16
    word = ((word & <uint64_t>0x0000FFFF0000FFFF) * <uint64_t>42949672960001) >> 32
    value[0] = <double><int64_t>word / powers.ten[decimals]
    fraction.units = <int64_t>word
    fraction.decimals = decimals
    if negative:
        negate(value, fraction)
    return True


cdef inline void negate(double *value, Fraction *fraction) noexcept nogil:
    value[0] = -value[0]
    fraction.units = -fraction.units
    if fraction.units == 0:
        fraction.decimals = -1  # whole numbers have no -0


cdef inline int parse_number(const Powers *powers, const uint8_t *p, const uint8_t **end, double *value, Fraction *fraction) noexcept nogil:
    """Reads ``[+-]digits[.digits][e[+-]digits]`` up to a byte below 0x21. ``end`` is where reading stopped."""
    cdef bint negative = p[0] == 45
    cdef bint exponent_negative
    cdef uint64_t w = 0
    cdef int64_t q = 0, exponent = 0
    cdef int64_t digits
    cdef const uint8_t *start
    cdef const uint8_t *point = NULL
    cdef double above
    cdef int kind
    if p[0] == 45 or p[0] == 43:
        p += 1
    start = p
    while <uint8_t>(p[0] - 48) < 10:
        w = w * 10 + <uint8_t>(p[0] - 48)
        p += 1
    digits = p - start
    if p[0] == 46:
        p += 1
        point = p
        while <uint8_t>(p[0] - 48) < 10:
            w = w * 10 + <uint8_t>(p[0] - 48)
            p += 1
        q = point - p
        digits -= q
    end[0] = p
    if digits == 0:
        return IS_TEXT
    if p[0] == 101 or p[0] == 69:
        p += 1
        exponent_negative = p[0] == 45
        if p[0] == 45 or p[0] == 43:
            p += 1
        if <uint8_t>(p[0] - 48) >= 10:
            return IS_TEXT
        while <uint8_t>(p[0] - 48) < 10:
            if exponent < <int64_t>1000000000000000:  # no line has so many digits that they could make up for this
                exponent = exponent * 10 + <uint8_t>(p[0] - 48)
            p += 1
        q += -exponent if exponent_negative else exponent
        end[0] = p
    if p[0] > 32:
        return IS_TEXT
    fraction.units = 0
    fraction.decimals = -1
    if digits > 19:
        kind = long_number(powers, start, q, value)
    else:
        kind = scale(powers, w, q, value)
        if is_quotient(w, q):
            fraction.units = <int64_t>w
            fraction.decimals = -q
    if kind == IS_NUMBER and negative:
        negate(value, fraction)
    return kind


cdef inline int long_number(const Powers *powers, const uint8_t *p, int64_t q, double *value) noexcept nogil:
    """More than 19 digits: the first 19 that count, and one more in the last place, must round to the same double."""
    cdef uint64_t w = 0
    cdef int64_t kept = 0, dropped = 0
    cdef double above
    while p[0] == 46 or <uint8_t>(p[0] - 48) < 10:
        if p[0] != 46:
            if kept == 0 and p[0] == 48:
                pass
            elif kept < 19:
                w = w * 10 + <uint8_t>(p[0] - 48)
                kept += 1
            else:
                dropped += 1
        p += 1
    if scale(powers, w, q + dropped, value) != IS_NUMBER:
        return IS_HARD
    if dropped == 0:
        return IS_NUMBER
    if scale(powers, w + 1, q + dropped, &above) != IS_NUMBER or above != value[0]:
        return IS_HARD
    return IS_NUMBER
