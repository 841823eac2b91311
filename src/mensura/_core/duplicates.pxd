"""Documents that a topic lists twice."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from mensura._core.ranking cimport Lines
from mensura._core.text cimport COLLISIONS, DUPLICATE, FARTHEST, OUT_OF_MEMORY, first_slot, same_bytes

cdef enum:
    FEW_ENOUGH = 1 << 12  # documents of a list whose duplicates are looked for with one bit each


cdef struct Seen:  # memory for the search, which is used again for the next topic
    uint64_t *slots
    int64_t room
    uint64_t epoch  # slots of other epochs are empty; 0: they hold bits


cdef inline bint same_document(const Lines *lines, int64_t one, int64_t other) noexcept nogil:
    return lines.size[one] == lines.size[other] and same_bytes(lines.base + lines.at[one], lines.base + lines.at[other], lines.size[one])


cdef inline int64_t find_repeated(const Lines *lines, const uint64_t *hash, int64_t n, Seen *seen, int *fault) noexcept nogil:
    """The first row that repeats a document. ``fault`` says if there is one, or that it cannot be told.

    Each hash sets one of 128 bits for every document. The few documents whose bit is set already are compared with all before them:
    no branch of this can be guessed wrong often. Very long lists would make that many comparisons.
    """
    cdef int64_t i, k
    cdef int64_t left = 64 * (n + FARTHEST)  # comparisons; random ids take n / 512 for each
    cdef int64_t room = 64
    cdef uint64_t key, mask, bit
    cdef uint64_t *bits
    if n > FEW_ENOUGH:
        return find_among_many(lines, hash, n, seen, fault)
    while room < 2 * n:
        room *= 2
    if room > seen.room:
        free(seen.slots)
        seen.room = 0
        seen.slots = <uint64_t *>malloc(<size_t>room * sizeof(uint64_t))
        if seen.slots == NULL:
            fault[0] = OUT_OF_MEMORY
            return 0
        seen.room = room
    seen.epoch = 0
    bits = seen.slots
    memset(bits, 0, <size_t>room * sizeof(uint64_t))
    mask = <uint64_t>room - 1
    for i in range(n):
        key = hash[i]
        bit = <uint64_t>1 << (key >> 58)
        if bits[(key >> 1) & mask] & bit:
            left -= i
            if left < 0:
                return find_among_many(lines, hash, n, seen, fault)  # the ids were chosen to collide
            for k in range(i):
                if hash[k] == key and same_document(lines, k, i):
                    fault[0] = DUPLICATE
                    return i
        bits[(key >> 1) & mask] |= bit
    return 0


cdef inline int64_t find_among_many(const Lines *lines, const uint64_t *hash, int64_t n, Seen *seen, int *fault) noexcept nogil:
    """The same for any number of documents, with a table of their numbers by hash."""
    cdef int64_t i, other
    cdef uint64_t key, slot, mask, mark
    cdef int64_t left = FARTHEST + 16 * n  # steps; a half empty table takes one or two for each id
    cdef int64_t room = 2048
    while room < 2 * n:
        room *= 2
    if room > seen.room:
        free(seen.slots)
        seen.slots = <uint64_t *>calloc(<size_t>room, sizeof(uint64_t))
        if seen.slots == NULL:
            seen.room = 0
            fault[0] = OUT_OF_MEMORY
            return 0
        seen.room = room
        seen.epoch = 0
    if seen.epoch == 0:
        memset(seen.slots, 0, <size_t>seen.room * sizeof(uint64_t))
    seen.epoch += 1
    if seen.epoch == <uint64_t>1 << 32:
        memset(seen.slots, 0, <size_t>seen.room * sizeof(uint64_t))
        seen.epoch = 1
    mask = <uint64_t>room - 1
    mark = seen.epoch << 32
    for i in range(n):
        key = hash[i]
        slot = first_slot(key) & mask
        while (seen.slots[slot] ^ mark) >> 32 == 0:
            other = <int64_t>(seen.slots[slot] & <uint64_t>0xFFFFFFFF)
            if hash[other] == key and same_document(lines, other, i):
                fault[0] = DUPLICATE
                return i
            slot = (slot + 1) & mask
            left -= 1
            if left < 0:
                fault[0] = COLLISIONS
                return i
        seen.slots[slot] = mark | <uint64_t>i
    return 0
