cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from mensura._core.names cimport Names


cdef struct Slot:
    uint64_t hash  # 0: empty
    uint64_t place  # where the document's id starts in the text (36 bits), its length (20 bits) and its grade (8 bits)


@cython.final
cdef class Judgments:
    cdef readonly Names topics
    cdef readonly int64_t duplicate
    cdef const uint8_t[::1] text
    cdef int64_t *base
    cdef uint64_t *mask
    cdef Slot *slots
    cdef void judge(
        self, int64_t topic, const uint8_t *text, const int64_t *at, const int32_t *size, const uint64_t *hash,
        const int32_t *order, int64_t count, int8_t *out,
    ) noexcept nogil
