"""Exact sums of doubles, as digits of whole multiples of 2⁻¹⁰⁷⁴, and sums over the differences of pairs of systems.

A double is a whole number of at most 53 binary digits, shifted; its digits are added to those of the sum, 32 at a time. A digit of the
sum is an int64, so that 2³⁰ doubles are added without a carry.
"""

from libc.math cimport fabs, fma
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

cdef uint64_t LOW = 4294967295  # 32 ones
DIGITS = 67
"""Digits of a sum, 32 binary ones each: the highest of the largest double is in the 66th."""


cdef inline void add(double value, int64_t *digits) noexcept nogil:
    cdef uint64_t bits, mantissa, low, high
    cdef int64_t shift
    memcpy(&bits, &value, sizeof(double))
    shift = <int64_t> ((bits >> 52) & 0x7ff)
    mantissa = bits & ((<uint64_t> 1 << 52) - 1)
    if shift:
        mantissa |= <uint64_t> 1 << 52
        shift -= 1
    low = (mantissa & LOW) << (shift & 31)
    high = (mantissa >> 32) << (shift & 31)
    digits += shift >> 5
    if bits >> 63:
        digits[0] -= <int64_t> (low & LOW)
        digits[1] -= <int64_t> ((low >> 32) + (high & LOW))
        digits[2] -= <int64_t> (high >> 32)
    else:
        digits[0] += <int64_t> (low & LOW)
        digits[1] += <int64_t> ((low >> 32) + (high & LOW))
        digits[2] += <int64_t> (high >> 32)


def add_values(const double[::1] values, int64_t[::1] digits):
    """Add finite values to the digits of their sum."""
    cdef int64_t at
    with nogil:
        for at in range(values.shape[0]):
            add(values[at], &digits[0])


def add_squares(const double[::1] values, int64_t[::1] digits):
    """Add the squares of values to the digits of their sum: the rounded square and its rounding error."""
    cdef int64_t at
    cdef double square
    with nogil:
        for at in range(values.shape[0]):
            square = values[at] * values[at]
            add(square, &digits[0])
            add(fma(values[at], values[at], -square), &digits[0])


def add_pairs(
    const double[:, ::1] values,
    const double[:, ::1] units,
    const int64_t[::1] first,
    const int64_t[::1] second,
    int64_t start,
    int64_t stop,
    int64_t[:, ::1] digits,
    int64_t[::1] wins,
    int64_t[::1] losses,
    double[::1] largest,
):
    """Add the differences of the pairs ``start`` to ``stop`` over some topics.

    ``values`` and their units in the last place are [system, topic]; two values that differ by at most the sum of their units are
    equal, as in ``ScoreTable.signs``. ``digits`` are those of the sums of squared differences.
    """
    cdef int64_t pair, topic
    cdef double difference, square, most
    cdef const double *x
    cdef const double *y
    cdef const double *u
    cdef const double *v
    with nogil:
        for pair in range(start, stop):
            x, y, u, v = &values[first[pair], 0], &values[second[pair], 0], &units[first[pair], 0], &units[second[pair], 0]
            most = largest[pair]
            for topic in range(values.shape[1]):
                difference = x[topic] - y[topic]
                if difference == 0:
                    continue
                square = difference * difference
                add(square, &digits[pair, 0])
                add(fma(difference, difference, -square), &digits[pair, 0])
                if fabs(difference) > u[topic] + v[topic]:
                    wins[pair] += difference > 0
                    losses[pair] += difference < 0
                most = fabs(difference) if fabs(difference) > most else most
            largest[pair] = most
