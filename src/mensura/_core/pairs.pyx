"""Counting pairs with a + b <= q, for many q at once, without writing the pairs down."""

from libc.stdint cimport int32_t, int64_t
from mensura._core.text cimport prefetch

import numpy as np

cdef enum:
    BLOCK = 32  # (and in the loop below) queries whose memory is fetched at once



def make_grid(const int64_t[::1] values):
    """Cells of equal width 2^shift over sorted values, about as many as there are values: (grid, shift).

    grid[c] is the number of values below least + c*2^shift, so the values of cell c are those from grid[c] to grid[c + 1].
    """
    cdef int64_t n = values.shape[0]
    cdef int64_t i = 0, c
    cdef int64_t low = values[0]
    cdef int shift = 0
    while ((values[n - 1] - low) >> shift) >= 2 * n:
        shift += 1
    cdef int64_t cells = ((values[n - 1] - low) >> shift) + 1
    made = np.empty(cells + 1, dtype=np.int32)
    cdef int32_t[::1] grid = made
    with nogil:
        for c in range(cells + 1):
            while i < n and ((values[i] - low) >> shift) < c:
                i += 1
            grid[c] = <int32_t>i
    return made, shift


cdef inline int64_t upper_bound(const int64_t *values, int64_t first, int64_t last, int64_t x) noexcept nogil:
    """The first index in [first, last) whose value is above x, or last."""
    cdef int64_t middle
    while first < last:
        middle = first + ((last - first) >> 1)
        if values[middle] <= x:
            first = middle + 1
        else:
            last = middle
    return first


def count_pairs(
    const int64_t[::1] values, const int64_t[::1] cumulative, const int32_t[::1] grid, int shift,
    const int64_t[::1] offsets, const int64_t[::1] weights, const int64_t[::1] queries, int64_t[::1] counts,
):
    """Adds to counts[j] the weight of all pairs (i, k) with values[i] + offsets[k] <= queries[j].

    `values` are sorted, `grid` and `shift` are theirs; cumulative[i] is the weight of the first i values, or there is none where each
    weighs 1; a pair weighs the product of its two weights. The grid leaves only a few values to search, however many there are.
    Memory is what this waits for, so it is asked for ahead, a block of queries at a time. Holds no lock while it runs.
    """
    cdef int64_t n = values.shape[0]
    cdef int64_t asked = queries.shape[0]
    cdef int64_t k, j, x, at, size
    cdef int64_t low = values[0]
    cdef int64_t high = values[n - 1]
    cdef bint plain = cumulative.shape[0] == 0
    cdef int64_t cell[BLOCK]
    cdef int64_t found
    if asked == 0 or offsets.shape[0] == 0:
        return
    with nogil:
        for k in range(offsets.shape[0]):
            for j in range(0, asked, 32):
                size = min(<int64_t>BLOCK, asked - j)
                for at in range(size):  # where to look, for a block of queries
                    x = queries[j + at] - offsets[k]
                    cell[at] = (max(low, min(x, high)) - low) >> shift
                    prefetch(&grid[cell[at]])
                for at in range(size):  # the values there
                    prefetch(&values[min(<int64_t>grid[cell[at]], n - 1)])
                for at in range(size):
                    x = queries[j + at] - offsets[k]
                    if x < low:
                        continue
                    found = n
                    if x < high:
                        found = upper_bound(&values[0], grid[cell[at]], grid[cell[at] + 1], x)
                    counts[j + at] += weights[k] * (found if plain else cumulative[found])
