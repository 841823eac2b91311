cimport cython
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from mensura._core.columns cimport Columns

cdef int64_t write_digits(int64_t number, uint8_t *to) noexcept nogil


@cython.final
cdef class Documents:
    cdef int64_t count, room
    cdef const uint8_t **text
    cdef int32_t *size
    cdef uint64_t *hash
    cdef double *value
    cdef uint8_t *digits
    cdef int64_t digits_room, digits_used
    cdef bint text_only  # a whole number is not an identifier
    cdef bint whole  # a float is not a number
    cdef bint distinct  # no two of them can be the same
    cdef list keep
    cdef int reserve(self, int64_t count) except -1
    cdef int fill(self, object documents) except -1
    cdef int fill_checked(self, list rows) except -1
    cdef bint put(self, object document, object value) noexcept
    cdef bint put_text(self, object document) noexcept


@cython.final
cdef class Gathered:
    cdef readonly Columns columns
    cdef PyObject *text
    cdef int64_t used, room
    cdef uint8_t *more_text(self, int64_t size) except NULL
    cdef int resize(self, int64_t room) except -1
    cdef int64_t topic(self, const uint8_t *name, int64_t size, uint64_t hash) except -1
    cdef int leave_out(self) except -1
    cdef int append(self, int64_t topic, const uint8_t *document, int64_t size, double value) except -1
