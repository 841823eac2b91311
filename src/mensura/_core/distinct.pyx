"""Counting the distinct sums a + b of many sorted lists, one narrow range of values after the other.

A *stream* is a slice `values[first:last]` of sorted integers and an `offset`: it stands for the sums value + offset. The sums of all
streams that fall into a range narrow enough for the cache are written out as distances from its start and put into a hash set: distances
of 32 bits where the sums lie densely, of 64 where a range of 2^32 would hold few of them.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

cdef extern from *:
    """
    #define ROOM ((int64_t)1 << 15)
    #define NARROW ((int64_t)0xFFFFFFFE)
    #define WIDE ((int64_t)1 << 62)
    """
    const int64_t ROOM
    const int64_t NARROW
    const int64_t WIDE

ctypedef fused Key:
    uint32_t
    uint64_t



cdef inline int64_t lower_bound(const int64_t *values, int64_t first, int64_t last, int64_t x) noexcept nogil:
    """The first index in [first, last) whose value is not below x, or last."""
    cdef int64_t middle
    while first < last:
        middle = first + ((last - first) >> 1)
        if values[middle] < x:
            first = middle + 1
        else:
            last = middle
    return first


cdef int64_t gather(
    const int64_t *values, const int64_t *at, int64_t *until, const int64_t *last, const int64_t *offset, int64_t streams,
    int64_t start, int64_t stop, Key *out, int64_t room,
) noexcept nogil:
    """Writes the sums in [start, stop) as distances from start, leaves in `until` where each stream stopped; -1 when there is no room."""
    cdef int64_t s, i, end, bound, shift, n = 0
    for s in range(streams):
        i = at[s]
        end = last[s]
        if end - i > room - n:
            end = i + room - n
        bound = stop - offset[s]
        shift = offset[s] - start
        while i < end and values[i] < bound:
            out[n] = <Key>(values[i] + shift)
            n += 1
            i += 1
        if i == end and i < last[s] and values[i] < bound:
            return -1
        until[s] = i
    return n


cdef int64_t insert_all(Key *keys, int64_t n, Key *slots, int bits) noexcept nogil:
    """Puts the keys into an empty hash set of 2^bits slots and returns how many were new; the keys are overwritten.

    Which of "new", "seen" and "occupied by another" happens cannot be predicted, so there is no branch on it: keys whose slot holds another
    key are collected and try the next slot in the next round. A slot never changes once it is taken, so equal keys meet in the same one.
    An empty slot holds the largest number, which is not a key.
    """
    cdef Key empty = ~<Key>0
    cdef Key key, found, vacant
    cdef int64_t mask = (<int64_t>1 << bits) - 1
    cdef int64_t i, slot, again, probe = 0, fresh = 0
    while n:
        again = 0
        for i in range(n):
            key = keys[i]
            if Key is uint32_t:
                slot = ((key * <uint32_t>2654435769) >> (32 - bits)) + probe
            else:
                slot = <int64_t>((key * <uint64_t>11400714819323198485) >> (64 - bits)) + probe
            slot &= mask
            found = slots[slot]
            vacant = -<Key>(found == empty)
            slots[slot] = (key & vacant) | (found & ~vacant)
            fresh += vacant & 1
            keys[again] = key
            again += (found != key) & ~vacant
        n = again
        probe += 1
    return fresh


cdef int64_t count_up_to(const Key *slots, int64_t size, Key key) noexcept nogil:
    """Number of keys of the set that are at most `key`; an empty slot is larger than every key."""
    cdef int64_t i
    cdef Key n = 0
    for i in range(size):
        n += slots[i] <= key
    return <int64_t>n


cdef class Sweep:
    """The outcome of one sweep over [start, stop): starts of its narrow ranges, numbers of distinct sums of each, and ranks of queries."""

    cdef int64_t *segments
    cdef int64_t used, room

    def __cinit__(self):
        self.segments = NULL

    def __dealloc__(self):
        free(self.segments)

    cdef int add(self, int64_t start, int64_t count) noexcept nogil:
        cdef int64_t *larger
        if self.used == self.room:
            larger = <int64_t *>realloc(self.segments, <size_t>(2 * self.room + 64) * 2 * sizeof(int64_t))
            if larger == NULL:
                return -1
            self.segments = larger
            self.room = 2 * self.room + 64
        self.segments[2 * self.used] = start
        self.segments[2 * self.used + 1] = count
        self.used += 1
        return 0


cdef int64_t run(
    Sweep found, const int64_t *values, int64_t *at, int64_t *until, const int64_t *last, const int64_t *offset, int64_t streams,
    int64_t start, int64_t stop, const int64_t *queries, int64_t *ranks, int64_t asked, Key *keys, int64_t room,
    Key *slots, int bits, int64_t pairs,
) noexcept nogil:
    """The number of distinct sums in [start, stop), or -1 when there is no memory."""
    cdef int64_t size = (<int64_t>1) << bits
    cdef int64_t n, fresh, end, total = 0, q = 0
    cdef int64_t width = stop - start
    cdef int64_t most = NARROW if Key is uint32_t else WIDE
    cdef int64_t goal = room - room // 8
    if pairs > goal:
        width = <int64_t>(<double>width * goal / pairs) + 1
    while start < stop:
        width = min(width, most)
        end = start + width if stop - start > width else stop
        n = gather(values, at, until, last, offset, streams, start, end, keys, room)
        if n < 0:
            width = (width >> 1) + (width & 1)
            continue
        memset(slots, 0xFF, <size_t>size * sizeof(Key))
        fresh = insert_all(keys, n, slots, bits)
        while q < asked and queries[q] < end:
            ranks[q] = total + count_up_to(slots, size, <Key>(queries[q] - start))
            q += 1
        if found.add(start, fresh) < 0:
            return -1
        total += fresh
        memcpy(at, until, <size_t>streams * sizeof(int64_t))
        start = end
        # The next range is as wide as would have filled the room just now, at most twice as wide.
        if n < goal and width < most:
            width = width * 2 if 2 * n <= goal else <int64_t>(<double>width * goal / n) + 1
    return total


def sweep(
    const int64_t[::1] values, const int64_t[::1] first, const int64_t[::1] last, const int64_t[::1] offset,
    int64_t start, int64_t stop, const int64_t[::1] queries, int64_t[::1] ranks, int64_t pairs,
):
    """Counts the distinct sums of the streams in [start, stop).

    `queries` are sorted and lie in the range; `ranks` receives for each the number of distinct sums in [start, query]. `pairs` is a guess
    of how many sums fall into the range. Returns the segments as rows (start, distinct sums) and their total. Holds no lock while it runs.
    """
    cdef Sweep found = Sweep()
    cdef int64_t streams = first.shape[0]
    cdef int64_t asked = queries.shape[0]
    cdef int64_t s, total = -1, room = ROOM
    cdef int bits = 16
    while room < 2 * streams:
        room *= 2
        bits += 1
    cdef bint sparse = <double>(stop - start) / (pairs + 1) * room > NARROW
    cdef size_t size = sizeof(uint64_t) if sparse else sizeof(uint32_t)
    cdef void *keys = malloc(<size_t>room * size)
    cdef void *slots = malloc((<size_t>1 << bits) * size)
    cdef const int64_t *asked_at = &queries[0] if asked else NULL
    cdef int64_t *answers = &ranks[0] if asked else NULL
    cdef int64_t *at = <int64_t *>malloc(<size_t>(streams + 1) * sizeof(int64_t))
    cdef int64_t *until = <int64_t *>malloc(<size_t>(streams + 1) * sizeof(int64_t))
    cdef int64_t[:, ::1] rows
    try:
        if keys == NULL or slots == NULL or at == NULL or until == NULL:
            raise MemoryError
        if streams and values.shape[0]:
            with nogil:
                for s in range(streams):
                    at[s] = lower_bound(&values[0], first[s], last[s], start - offset[s])
                if sparse:
                    total = run(
                        found, &values[0], at, until, &last[0], &offset[0], streams, start, stop, asked_at, answers, asked,
                        <uint64_t *>keys, room, <uint64_t *>slots, bits, pairs,
                    )
                else:
                    total = run(
                        found, &values[0], at, until, &last[0], &offset[0], streams, start, stop, asked_at, answers, asked,
                        <uint32_t *>keys, room, <uint32_t *>slots, bits, pairs,
                    )
        if total < 0:
            raise MemoryError
        segments = np.empty((found.used, 2), dtype=np.int64)
        if found.used:
            rows = segments
            memcpy(&rows[0, 0], found.segments, <size_t>found.used * 2 * sizeof(int64_t))
        return segments, total
    finally:
        free(keys)
        free(slots)
        free(at)
        free(until)


def merge(const int64_t[::1] left, const int64_t[::1] right, int64_t shift, int64_t[::1] out):
    """Merges two sorted lists of distinct integers, `shift` added to the right one, into `out` without repeats; returns the length."""
    cdef int64_t i = 0, j = 0, n = 0
    cdef int64_t m = left.shape[0]
    cdef int64_t k = right.shape[0]
    cdef int64_t a, b
    with nogil:
        while i < m and j < k:
            a = left[i]
            b = right[j] + shift
            out[n] = a if a < b else b
            n += 1
            i += a <= b
            j += b <= a
        while i < m:
            out[n] = left[i]
            n += 1
            i += 1
        while j < k:
            out[n] = right[j] + shift
            n += 1
            j += 1
    return n
