cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from mensura._core.names cimport Names


cdef inline uint64_t digest(uint64_t before, uint64_t hash) noexcept nogil:
    """A digest of documents in their order, one more at a time."""
    return before * <uint64_t>0x9E3779B97F4A7C15 + hash


cdef struct Shelf:  # the table of one topic
    int64_t slots  # where its slots begin
    int64_t places  # where its documents begin
    int64_t count  # of documents
    int64_t filter  # where its filter begins
    uint64_t filter_mask
    uint32_t mask
    int32_t bits  # of a slot, so many tell the document, and the rest are of its hash


@cython.final
cdef class Judgments:
    cdef readonly Names topics
    cdef readonly int64_t duplicate
    cdef readonly bint collides
    cdef readonly bint continuous
    cdef const uint8_t[::1] text
    cdef Shelf *shelves
    cdef uint32_t *slots  # part of the hash, and 1 + the number of the document; 0: empty
    cdef uint64_t *places  # where the document's id starts in the text (36 bits), its length (20 bits) and its grade (8 bits)
    cdef uint64_t *filters  # a bit for each of the judged documents' hashes, one in sixteen at most: most lookups end here
    cdef bint enter(self, Shelf *shelf, int64_t start, int64_t length, int8_t grade) noexcept nogil
    cdef uint64_t judge(
        self, int64_t topic, const uint8_t *text, const int64_t *at, const int32_t *size, const uint64_t *hash,
        const int32_t *order, int64_t count, int8_t *out,
    ) noexcept nogil
