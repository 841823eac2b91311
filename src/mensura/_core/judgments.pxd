cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from mensura._core.names cimport Names


@cython.final
cdef class Judgments:
    cdef readonly Names topics
    cdef readonly int64_t duplicate
    cdef const uint8_t[::1] text
    cdef const int64_t[::1] start
    cdef const int32_t[::1] length
    cdef int64_t *base
    cdef uint64_t *mask
    cdef uint64_t *hash
    cdef int8_t *grade
    cdef uint32_t *row
    cdef bint same(self, int64_t row, const uint8_t *doc, int64_t size) noexcept nogil
    cdef void judge(
        self, int64_t topic, const uint8_t *text, const int64_t *at, const int32_t *size, const uint64_t *hash,
        const int32_t *order, int64_t count, int8_t *out,
    ) noexcept nogil
