"""The order of trec_eval: score falling, then document id falling, byte by byte."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcmp, memcpy


cdef struct Lines:  # of one topic: scores, and where the documents' ids stand
    const uint8_t *base
    const int64_t *at
    const int32_t *size
    const double *score


cdef inline bint before(const Lines *lines, int32_t a, int32_t b) noexcept nogil:
    cdef int by_bytes
    if lines.score[a] != lines.score[b]:
        return lines.score[a] > lines.score[b]
    by_bytes = memcmp(lines.base + lines.at[a], lines.base + lines.at[b], <size_t>min(lines.size[a], lines.size[b]))
    return by_bytes > 0 or (by_bytes == 0 and lines.size[a] > lines.size[b])


cdef inline void rank(
    const Lines *lines, int64_t rows, bint strict, bint falling, int32_t *order, int32_t *spare
) noexcept nogil:
    """The lines from first to last. Where scores fall strictly that is their order in the file; where they fall, only ties are sorted."""
    cdef int64_t i, j
    for i in range(rows):
        order[i] = <int32_t>i
    if strict:
        return
    if not falling:
        sort(lines, 0, rows, order, spare)
        return
    i = 0
    while i < rows:
        j = i + 1
        while j < rows and lines.score[j] == lines.score[i]:
            j += 1
        if j - i > 1:
            sort(lines, i, j, order, spare)
        i = j


cdef inline void sort(const Lines *lines, int64_t low, int64_t high, int32_t *order, int32_t *spare) noexcept nogil:
    """Merge sort of order[low:high]: insertion below 8, then merges of doubling width."""
    cdef int64_t i, j, k, left, middle, right, width = 8
    cdef int32_t row
    for left in range(low, high, 8):
        for i in range(left + 1, min(left + 8, high)):
            row = order[i]
            j = i
            while j > left and before(lines, row, order[j - 1]):
                order[j] = order[j - 1]
                j -= 1
            order[j] = row
    while width < high - low:
        left = low
        while left + width < high:
            middle = left + width
            right = min(middle + width, high)
            if before(lines, order[middle], order[middle - 1]):
                memcpy(spare + left, order + left, <size_t>width * sizeof(int32_t))
                i = left
                j = middle
                k = left
                while i < middle and j < right:
                    if before(lines, order[j], spare[i]):
                        order[k] = order[j]
                        j += 1
                    else:
                        order[k] = spare[i]
                        i += 1
                    k += 1
                memcpy(order + k, spare + i, <size_t>(middle - i) * sizeof(int32_t))
            left += 2 * width
        width *= 2
