cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t
from mensura._core.names cimport Names

cdef enum:
    MOST_FAULTS = 100  # that are told apart; the others are counted


@cython.final
cdef class Columns:
    cdef readonly Names topics
    cdef readonly bytes tag
    cdef readonly int64_t count
    cdef readonly int fault
    cdef readonly int64_t fault_at
    cdef readonly bytes other_tag
    cdef readonly bint wide
    cdef readonly list faults
    cdef readonly int64_t fault_count
    cdef int32_t *topic
    cdef int64_t *start
    cdef int32_t *length
    cdef double *value
    cdef int64_t room, expected
    cdef int reserve(self) noexcept nogil
    cdef const uint8_t *pass_over(self, const uint8_t *begin, const uint8_t *p, const uint8_t *end) noexcept nogil
    cdef object give(self, void **memory, size_t item, str form)
