"""Places of relevant documents in the grades of judged runs."""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from mensura._core.text cimport count_trailing_zeros, load_tail, load_word, positive_bytes


def count_hits(const int8_t[::1] grades, int8_t rel):
    """The number of grades that are at least ``rel``."""
    cdef int64_t i, count = 0
    with nogil:
        for i in range(grades.shape[0]):
            count += grades[i] >= rel
    return count


def find_hits(const int8_t[::1] grades, int64_t length, int8_t rel, int64_t[::1] row, int64_t[::1] rank, int64_t[::1] nth):
    """Writes the row, the rank and the number within its row of each grade that is at least ``rel``; rows have ``length`` ranks.

    Most documents are not relevant, and eight of them are passed over at once.
    """
    cdef int64_t rows = grades.shape[0] // length if length > 0 else 0
    cdef int64_t count = row.shape[0]
    cdef int64_t r, i, at, number, found = 0
    cdef uint64_t word, maybe
    cdef const int8_t *list
    if rank.shape[0] != count or nth.shape[0] != count:
        raise ValueError("the arrays differ in length")
    with nogil:
        for r in range(rows):
            list = &grades[r * length]
            number = 0
            for i in range(0, length, 8):
                word = load_word(<const uint8_t *>list + i) if i + 8 <= length else load_tail(<const uint8_t *>list + i, length - i)
                maybe = positive_bytes(word) if rel > 0 else ~<uint64_t>0 & <uint64_t>0x8080808080808080
                while maybe:
                    at = i + (count_trailing_zeros(maybe) >> 3)
                    maybe &= maybe - 1
                    if at < length and list[at] >= rel and found < count:
                        number += 1
                        row[found] = r
                        rank[found] = at + 1
                        nth[found] = number
                        found += 1
    if found != count:
        raise ValueError("there are not so many")
