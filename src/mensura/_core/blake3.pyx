"""BLAKE3, a digest that is a tree: stretches of a file are hashed by the threads that read them, and joined at the end.

A chunk of 1024 bytes is a leaf, and two subtrees of the same size have a parent; the last subtree may be smaller (O'Connor, Aumasson,
Neves, Wilcox-O'Hearn 2020, section 2.1). The kernel of ``compress.h`` hashes 32 chunks, or 32 parents, at a time.
"""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy
from mensura._core.text cimport grow

cdef extern from "compress.h" nogil:
    const uint32_t CHUNK_START, CHUNK_END, PARENT, ROOT
    int widest_lanes()
    void compress_one(const uint8_t *data, int size, uint64_t counter, uint32_t flags, uint32_t first, uint32_t last, uint8_t *out)
    void compress_chunks(int lanes, const uint8_t *data, uint64_t number, int count, uint8_t *out)
    void compress_parents(int lanes, const uint8_t *data, int count, uint8_t *out)

cdef enum:
    SIDE_BY_SIDE = 32  # messages that are compressed at a time
    FULL = 64  # chaining values of a level: their parents are computed
    SPINE = 2 * 64  # subtrees that have no neighbour, at the end: at most one for each level
    FEW = 1 << 12  # bytes for which the interpreter's lock is not released

cdef int WIDEST = widest_lanes()
LANES = tuple(lanes for lanes in (1, 4, 8, 16) if lanes <= WIDEST)
"""Messages that this processor can hash side by side: 1 without vectors, and powers of 2 with them."""
ALIGNED = PIECE
"""Stretches begin at multiples of so many bytes."""


@cython.final
cdef class Blake3:
    """The digest of bytes that come in pieces, or of a stretch of them that begins at byte ``start``: see :meth:`append`.

    ``lanes`` chooses the kernel, one of ``LANES``; the widest is the default. All have the same result.
    """

    def __cinit__(self, int64_t start=0, int lanes=0):
        if start < 0 or start % PIECE:
            raise ValueError(f"a stretch begins at a multiple of {PIECE} bytes, not at {start}")
        if lanes and lanes not in LANES:
            raise ValueError(f"this processor has no kernel of {lanes} lanes; use one of {LANES}")
        self.start = start
        self.lanes = lanes or WIDEST
        self.pending = <uint8_t *>calloc(BATCH, 1)
        self.levels = <uint8_t *>calloc(LEVELS * FULL, VALUE)
        if self.pending == NULL or self.levels == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.pending)
        free(self.levels)
        free(self.pieces)

    def update(self, const uint8_t[::1] data):
        """Take the next bytes. The interpreter's lock is free meanwhile."""
        cdef int64_t size = data.shape[0]
        cdef int status = 0
        self.check_open()
        if size > FEW:
            with nogil:
                status = self.take(&data[0], size)
        elif size > 0:
            status = self.take(&data[0], size)
        if status < 0:
            raise MemoryError

    def append(self, Blake3 after not None):
        """Take the stretch that follows this one, which was hashed by itself and is empty then."""
        cdef int level
        self.check_open()
        after.check_open()
        if after is self or self.length % PIECE or self.start + self.length != after.start:
            raise ValueError(f"bytes from {after.start} on do not follow {self.length} bytes from {self.start} on")
        if after.length == 0:
            return  # a whole subtree may be the root
        if self.flush() < 0 or grow(
            <void **>&self.pieces, &self.piece_room, self.piece_count + after.piece_count + FULL, VALUE
        ) < 0:
            raise MemoryError
        if after.piece_count:
            memcpy(self.pieces + VALUE * self.piece_count, after.pieces, <size_t>(VALUE * after.piece_count))
        self.piece_count += after.piece_count
        self.length += after.length
        # What is not a whole subtree goes over as it is: this stretch has no such thing left.
        self.pending, after.pending = after.pending, self.pending
        self.levels, after.levels = after.levels, self.levels
        self.waiting, after.waiting = after.waiting, 0
        for level in range(LEVELS):
            self.count[level], after.count[level] = after.count[level], 0
        after.start = self.start + self.length
        after.length = after.piece_count = 0

    def hexdigest(self):
        """The digest of all bytes, as 64 hexadecimal digits. It takes no more of them from then on."""
        cdef uint8_t value[VALUE]
        cdef int status
        if self.value is None:
            if self.start:
                raise ValueError(f"the bytes before {self.start} are missing")
            with nogil:
                status = self.finish(value)
            if status < 0:
                raise MemoryError
            self.value = value[:VALUE]
        return self.value.hex()

    def __reduce__(self):
        self.check_open()
        return restored, (
            self.start,
            self.length,
            self.pending[: self.waiting],
            self.levels[: LEVELS * FULL * VALUE],
            tuple(self.count[level] for level in range(LEVELS)),
            self.pieces[: VALUE * self.piece_count] if self.piece_count else b"",
        )

    cdef int check_open(self) except -1:
        if self.value is not None:
            raise ValueError("this digest is finished")
        return 0

    cdef int take(self, const uint8_t *data, int64_t size) noexcept nogil:
        """The next bytes; −1 when there is no memory."""
        cdef int64_t part
        while size > 0:
            if self.waiting == 0 and size >= BATCH:
                part = BATCH
                if self.leaves(data, SIDE_BY_SIDE) < 0:
                    return -1
                self.length += part
            else:
                part = min(size, BATCH - self.waiting)
                memcpy(self.pending + self.waiting, data, <size_t>part)
                self.waiting += part
                self.length += part
                if self.waiting == BATCH:
                    if self.leaves(self.pending, SIDE_BY_SIDE) < 0:
                        return -1
                    self.waiting = 0
            data += part
            size -= part
        return 0

    cdef uint64_t number(self) noexcept nogil:
        """The number of the first chunk that is not hashed yet."""
        return <uint64_t>(self.start + self.length - self.waiting) // CHUNK

    cdef int leaves(self, const uint8_t *data, int64_t count) noexcept nogil:
        """Hash up to 32 whole chunks: the next ones, which may be waiting."""
        cdef int level = 0
        compress_chunks(self.lanes, data, self.number(), <int>count, self.levels + VALUE * self.count[0])
        self.count[0] += count
        while level < LEVELS and self.count[level] == FULL:
            if self.lift(level, SIDE_BY_SIDE) < 0:
                return -1
            level += 1
        return 0

    cdef int lift(self, int level, int64_t pairs) noexcept nogil:
        """Replace the first pairs of a level by their parents; an odd one after them is lost."""
        cdef const uint8_t *values = self.levels + level * FULL * VALUE
        cdef uint8_t *out
        if level + 1 < LEVELS:
            out = self.levels + ((level + 1) * FULL + self.count[level + 1]) * VALUE
            self.count[level + 1] += pairs
        else:
            if grow(<void **>&self.pieces, &self.piece_room, self.piece_count + FULL, VALUE) < 0:
                return -1
            out = self.pieces + self.piece_count * VALUE
            self.piece_count += pairs
        compress_parents(self.lanes, values, <int>pairs, out)
        self.count[level] = 0
        return 0

    cdef int flush(self) noexcept nogil:
        """Compute the chaining values of a stretch of whole subtrees."""
        cdef int level
        self.waiting = 0  # a subtree is a number of batches
        for level in range(LEVELS):
            if self.count[level] and self.lift(level, self.count[level] // 2) < 0:
                return -1
        return 0

    cdef int finish(self, uint8_t *out) noexcept nogil:
        """The root: subtrees that have no neighbour are joined from the last and smallest on."""
        cdef uint8_t spine[SPINE * VALUE]
        cdef uint8_t pair[2 * VALUE]
        cdef uint8_t *values
        cdef int found = 0, level
        cdef int64_t whole = self.waiting // CHUNK, rest = self.waiting % CHUNK, above, count, i
        if self.length <= CHUNK:
            compress_one(self.pending, <int>self.length, 0, 0, CHUNK_START, CHUNK_END | ROOT, out)
            return 0
        if whole and self.leaves(self.pending, whole) < 0:
            return -1
        if rest:
            compress_one(
                self.pending + whole * CHUNK, <int>rest, self.number() + <uint64_t>whole, 0, CHUNK_START, CHUNK_END,
                self.levels + VALUE * self.count[0],
            )
            self.count[0] += 1
        for level in range(LEVELS):
            above = self.piece_count
            for i in range(level + 1, LEVELS):
                above += self.count[i]
            count = self.count[level]
            values = self.levels + level * FULL * VALUE
            if count & 1:
                memcpy(&spine[VALUE * found], values + VALUE * (count - 1), VALUE)
                found += 1
            if above == 0 and found == 0 and count == 2:
                compress_one(values, 2 * VALUE, 0, PARENT | ROOT, 0, 0, out)
                return 0
            if count > 1 and self.lift(level, count // 2) < 0:
                return -1
        if self.piece_count and grow(<void **>&self.pieces, &self.piece_room, self.piece_count + FULL, VALUE) < 0:
            return -1
        values = self.pieces
        count = self.piece_count
        while count:
            if count & 1:
                memcpy(&spine[VALUE * found], values + VALUE * (count - 1), VALUE)
                found += 1
            count //= 2
            if count == 1 and found == 0:
                compress_one(values, 2 * VALUE, 0, PARENT | ROOT, 0, 0, out)
                return 0
            for i in range(0, count, 32):  # in place: parents need half the room of their children
                compress_parents(
                    self.lanes, values + 2 * VALUE * i, <int>min(<int64_t>SIDE_BY_SIDE, count - i), values + VALUE * i
                )
        memcpy(out, spine, VALUE)
        for level in range(1, found):
            memcpy(pair, &spine[VALUE * level], VALUE)
            memcpy(&pair[VALUE], out, VALUE)
            compress_one(pair, 2 * VALUE, 0, PARENT | (ROOT if level == found - 1 else 0), 0, 0, out)
        return 0


def restored(int64_t start, int64_t length, bytes pending, bytes levels, tuple count, bytes pieces):
    """The digest of a stretch that another process has hashed."""
    cdef Blake3 digest = Blake3(start)
    cdef int level
    if len(pending) >= BATCH or len(levels) != LEVELS * FULL * VALUE or len(count) != LEVELS or len(pieces) % VALUE:
        raise ValueError("this is not the digest of a stretch")
    digest.length = length
    digest.waiting = len(pending)
    memcpy(digest.pending, <const uint8_t *>pending, <size_t>len(pending))
    memcpy(digest.levels, <const uint8_t *>levels, <size_t>len(levels))
    for level in range(LEVELS):
        if not 0 <= count[level] < FULL:
            raise ValueError("this is not the digest of a stretch")
        digest.count[level] = count[level]
    digest.piece_count = len(pieces) // VALUE
    if digest.piece_count:
        if grow(<void **>&digest.pieces, &digest.piece_room, digest.piece_count + FULL, VALUE) < 0:
            raise MemoryError
        memcpy(digest.pieces, <const uint8_t *>pieces, <size_t>len(pieces))
    return digest
