cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp


cdef struct Key:
    uint64_t start
    uint64_t word
    uint64_t last


cdef enum:
    TOO_FAR = -2  # so many names have nearly the same hash that one of them would be out of reach


cdef Key KEY  # of the hash of ids, drawn when the process starts


@cython.final
cdef class Names:
    cdef uint8_t *text
    cdef int64_t text_size, text_room
    cdef int64_t *start
    cdef int64_t start_room
    cdef uint64_t *hash
    cdef int64_t hash_room
    cdef int32_t *slots
    cdef int64_t slot_mask
    cdef readonly int64_t count

    cdef bytes at(self, int64_t number)
    cdef int64_t find(self, const uint8_t *p, int64_t size, uint64_t key) noexcept nogil
    cdef int64_t add(self, const uint8_t *p, int64_t size, uint64_t key) noexcept nogil
    cdef int rehash(self, int64_t slots) noexcept nogil


cdef inline bint is_name(Names names, int64_t number, const uint8_t *p, int64_t size) noexcept nogil:
    """Whether there is such a number, and these bytes are its name."""
    return (
        0 <= number < names.count and names.start[number + 1] - names.start[number] == size
        and memcmp(names.text + names.start[number], p, <size_t>size) == 0
    )
