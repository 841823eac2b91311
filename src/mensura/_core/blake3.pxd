"""A digest by BLAKE3 that other modules of the core feed."""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint64_t

cdef enum:
    CHUNK = 1 << 10  # bytes of a leaf of the tree
    BATCH = 1 << 15  # bytes that are hashed at a time: 32 chunks
    PIECE = 1 << 18  # bytes of a subtree: stretches of a file begin and end at multiples
    LEVELS = 8  # of such a subtree
    VALUE = 32  # bytes of a chaining value


@cython.final
cdef class Blake3:
    cdef readonly int64_t start, length
    cdef int lanes
    cdef uint8_t *pending  # bytes of the batch that is not full
    cdef int64_t waiting  # so many
    cdef uint8_t *levels  # up to 64 chaining values for each level: subtrees of 1, 2, 4 … chunks whose neighbours are not there yet
    cdef int64_t count[LEVELS]
    cdef uint8_t *pieces  # chaining values of whole subtrees of PIECE bytes
    cdef int64_t piece_count, piece_room
    cdef bytes value

    cdef int check_open(self) except -1
    cdef int take(self, const uint8_t *data, int64_t size) noexcept nogil
    cdef uint64_t number(self) noexcept nogil
    cdef int leaves(self, const uint8_t *data, int64_t count) noexcept nogil
    cdef int lift(self, int level, int64_t pairs) noexcept nogil
    cdef int flush(self) noexcept nogil
    cdef int finish(self, uint8_t *out) noexcept nogil
