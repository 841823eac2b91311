"""The order of trec_eval: score falling, then document id falling, byte by byte; or, on demand, equal scores as they were listed."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp, memcpy, memset
from mensura._core.text cimport count_leading_zeros, count_trailing_zeros, load_word, positive_bytes, zero_bytes

cdef enum:
    FEW = 32  # lines that are merged; more are dealt out by the leading bits of their scores
    DIGIT = 8  # bits that are dealt out at a time
    DIGITS = 3


cdef struct Lines:  # of one topic: scores, and where the documents' ids stand
    const uint8_t *base
    const int64_t *at
    const int32_t *size
    const double *score
    const int64_t *place  # ranks that the file gives, or NULL: the place of the line
    bint listed  # equal scores are ordered by place
    uint64_t *key  # room for each line, twice
    uint64_t *other


cdef inline bint before(const Lines *lines, int32_t a, int32_t b) noexcept nogil:
    cdef int by_bytes
    if lines.score[a] != lines.score[b]:
        return lines.score[a] > lines.score[b]
    if lines.listed:
        if lines.place != NULL and lines.place[a] != lines.place[b]:
            return lines.place[a] < lines.place[b]
        return a < b
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
        if rows <= FEW:
            sort(lines, 0, rows, order, spare)
        else:
            deal(lines, rows, order, spare)
        return
    i = 0
    while i < rows:
        j = i + 1
        while j < rows and lines.score[j] == lines.score[i]:
            j += 1
        if j - i > 1:
            sort(lines, i, j, order, spare)
        i = j


cdef inline void deal(const Lines *lines, int64_t rows, int32_t *order, int32_t *spare) noexcept nogil:
    """Radix sort by the leading 24 bits in which scores differ; only lines that are equal there are compared.

    Comparisons of scores in no order are guessed wrong half of the time: a merge sort of 1000 lines takes ten times as long.
    """
    cdef int32_t counts[DIGITS][1 << DIGIT]
    cdef uint64_t key, low = <uint64_t>0xFFFFFFFFFFFFFFFF, high = 0
    cdef uint64_t *one = lines.key
    cdef uint64_t *other = lines.other
    cdef double score
    cdef int64_t i, j, digit
    cdef int32_t total, count
    cdef int shift = 0
    for i in range(rows):
        score = lines.score[i] + 0.0  # -0.0 is 0.0
        memcpy(&key, &score, 8)
        key = key if key >> 63 else ~(key | (<uint64_t>1 << 63))  # falling
        low = min(low, key)
        high = max(high, key)
        one[i] = key
    high -= low
    if high >> (DIGIT * DIGITS):
        shift = 64 - DIGIT * DIGITS - count_leading_zeros(high)
    memset(counts, 0, sizeof(counts))
    for i in range(rows):
        key = (one[i] - low) >> shift
        counts[0][key & 0xFF] += 1
        counts[1][(key >> 8) & 0xFF] += 1
        counts[2][key >> 16] += 1
        one[i] = key << 32 | <uint64_t>i
    for digit in range(DIGITS):
        total = 0
        for i in range(1 << DIGIT):
            count = counts[digit][i]
            counts[digit][i] = total
            total += count
        for i in range(rows):
            key = (one[i] >> (32 + DIGIT * digit)) & 0xFF
            other[counts[digit][key]] = one[i]
            counts[digit][key] += 1
        one, other = other, one
    for i in range(rows):
        order[i] = <int32_t>one[i]
    i = 0
    while i < rows:
        j = i + 1
        while j < rows and one[j] >> 32 == one[i] >> 32:
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


cdef inline bint near(const Lines *lines, int32_t a, int32_t b) noexcept nogil:
    return <float>lines.score[a] == <float>lines.score[b]


cdef inline bint near_tie(const Lines *lines, const int32_t *order, const int8_t *grade, int64_t count) noexcept nogil:
    """Are some of the first scores the same as float32 only, and do the grades of their documents count differently?

    Such documents have neighbours of different grade, one of them relevant: eight pairs are compared at once.
    """
    cdef int64_t i = 1, j, first, last
    cdef uint64_t words, before, different
    while i < count:
        if i + 8 <= count:
            words, before = load_word(<const uint8_t *>grade + i), load_word(<const uint8_t *>grade + i - 1)
            different = ~zero_bytes(words ^ before) & (positive_bytes(words) | positive_bytes(before))
        else:
            different = 0x80 if grade[i] != grade[i - 1] and max(grade[i], grade[i - 1]) > 0 else 0
        while different:
            j = i + (count_trailing_zeros(different) >> 3)
            different &= different - 1
            if not near(lines, order[j - 1], order[j]):
                continue
            first, last = j - 1, j
            while first > 0 and near(lines, order[first - 1], order[j]):
                first -= 1
            while last + 1 < count and near(lines, order[j], order[last + 1]):
                last += 1
            if lines.score[order[first]] != lines.score[order[last]]:
                return True
            i = last + 1
            break
        else:
            i += 8 if i + 8 <= count else 1
    return False
