"""Tokens of a line of text, eight bytes at a time.

A token ends at the first byte that is a blank or below it. Every buffer that is scanned ends in ``PADDING`` line feeds, so that a
scan always stops inside memory that it owns and a word can be loaded from any position before the end.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from mensura._core.names cimport KEY, Key

cdef extern from "portable.h" nogil:
    int count_trailing_zeros(uint64_t x)
    int count_leading_zeros(uint64_t x)
    uint64_t swap_bytes(uint64_t x)
    uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t *high)
    uint64_t load_word(const uint8_t *p)
    void store_half(uint8_t *p, uint32_t half)
    uint32_t load_half(const uint8_t *p)
    uint64_t load_tail(const uint8_t *p, int64_t size)
    void prefetch(const void *p)
    void ask_large_pages(void *memory, size_t size)
    int64_t read_at(int fd, void *to, int64_t size, int64_t offset)

cdef enum:
    PADDING = 16
    # Places that are looked at for an id at most. Tables are half empty: with a random key, a row of so many full places has a
    # probability below e^-190 (Knuth's linear probing: a row of n places has one of e^-0.19n), and ids that do not look random are refused.
    FARTHEST = 1024

# What can be wrong with a line. The sentences that belong to these are in mensura.io.trec.
cdef enum Fault:
    NO_FAULT = 0
    MISSING_COLUMN = 1
    EXTRA_COLUMN = 2
    UNREADABLE_BYTE = 3
    NOT_A_NUMBER = 4
    NOT_FINITE = 5
    NOT_A_GRADE = 6
    GRADE_TOO_LARGE = 7
    DUPLICATE = 8
    LINE_TOO_LONG = 9
    SCATTERED_TOPIC = 10
    READ_FAILED = 11
    OUT_OF_MEMORY = 12
    COLLISIONS = 13


cdef inline uint64_t ends(uint64_t word) noexcept nogil:
    """The high bit of the first byte below 0x21 is set; bits above it may be set too."""
    return (word - <uint64_t>0x2121212121212121) & ~word & <uint64_t>0x8080808080808080


cdef inline const uint8_t *token_end(const uint8_t *p) noexcept nogil:
    cdef uint64_t found
    while True:
        found = ends(load_word(p))
        if found:
            return p + (count_trailing_zeros(found) >> 3)
        p += 8


cdef inline uint64_t zero_bytes(uint64_t word) noexcept nogil:
    """The high bit of every byte that is 0, and no other bit."""
    return ~(((word & <uint64_t>0x7F7F7F7F7F7F7F7F) + <uint64_t>0x7F7F7F7F7F7F7F7F) | word | <uint64_t>0x7F7F7F7F7F7F7F7F)


cdef inline uint64_t positive_bytes(uint64_t word) noexcept nogil:
    """The high bit of every byte that is a positive number with a sign, and no other bit."""
    return ((word & <uint64_t>0x7F7F7F7F7F7F7F7F) + <uint64_t>0x7F7F7F7F7F7F7F7F) & ~word & <uint64_t>0x8080808080808080


cdef inline const uint8_t *skip_blanks(const uint8_t *p) noexcept nogil:
    """The first byte that is neither a blank nor a tab; mostly there are none."""
    return p if p[0] > 32 else skip_run(p)


cdef inline const uint8_t *skip_run(const uint8_t *p) noexcept nogil:
    """The same where there are some: eight go at a time."""
    cdef uint64_t word, others
    while True:
        word = load_word(p)
        others = ~(zero_bytes(word ^ <uint64_t>0x2020202020202020) | zero_bytes(word ^ <uint64_t>0x0909090909090909))
        others &= <uint64_t>0x8080808080808080
        if others:
            return p + (count_trailing_zeros(others) >> 3)
        p += 8


cdef inline uint64_t first_bytes(int64_t size) noexcept nogil:
    """A mask of the first bytes of a word, or of all eight."""
    return (<uint64_t>1 << (8 * size)) - 1 if size < 8 else ~<uint64_t>0


cdef inline uint64_t mix(uint64_t a, uint64_t b) noexcept nogil:
    cdef uint64_t high
    cdef uint64_t low = multiply_wide(a, b, &high)
    return low ^ high


# The hash is keyed: three random numbers of this process, without which nobody can choose ids that collide. Where the lowest bit of a
# hash is not needed it is set, because 0 marks an empty slot everywhere.

cdef inline const uint8_t *hash_token(const uint8_t *p, const Key *key, uint64_t *out, uint64_t *odd) noexcept nogil:
    """The token's end, and a hash of it that is never 0. The high bits of ``odd`` tell of bytes from 0x7F to 0xFE: most ids have none."""
    cdef uint64_t h = key.start
    cdef uint64_t word, found, high = 0
    cdef int size
    while True:
        word = load_word(p)
        found = ends(word)
        if found:
            size = count_trailing_zeros(found) >> 3
            word &= (<uint64_t>1 << (8 * size)) - 1
            odd[0] = high | (word + <uint64_t>0x0101010101010101)
            h = mix(h ^ word, key.last + <uint64_t>size)
            out[0] = h | 1
            return p + size
        high |= word + <uint64_t>0x0101010101010101
        h = mix(h ^ word, key.word)
        p += 8


cdef inline uint64_t hash_known(const uint8_t *p, int64_t size, const Key *key, uint64_t *odd) noexcept nogil:
    """What ``hash_token`` gives for a token of known size; words can be loaded from it."""
    cdef uint64_t h = key.start
    cdef uint64_t word, high = 0
    while size >= 8:
        word = load_word(p)
        high |= word + <uint64_t>0x0101010101010101
        h = mix(h ^ word, key.word)
        p += 8
        size -= 8
    word = load_word(p) & ((<uint64_t>1 << (8 * size)) - 1)
    odd[0] = high | (word + <uint64_t>0x0101010101010101)
    return mix(h ^ word, key.last + <uint64_t>size) | 1


cdef inline uint64_t hash_bytes(const uint8_t *p, int64_t size) noexcept nogil:
    """What ``hash_token`` gives for the same bytes, for bytes that no blank follows."""
    return hash_with(KEY, p, size)


cdef inline uint64_t hash_with(Key key, const uint8_t *p, int64_t size) noexcept nogil:
    """What ``hash_bytes`` gives in a process with this key."""
    cdef uint64_t h = key.start
    cdef int64_t left = size
    while left >= 8:
        h = mix(h ^ load_word(p), key.word)
        p += 8
        left -= 8
    return mix(h ^ load_tail(p, left), key.last + <uint64_t>left) | 1


cdef inline uint64_t first_slot(uint64_t hash) noexcept nogil:
    """Where a table looks for an id first, once masked: 32 bits that depend on all bits of its hash.

    Those of the hash alone are not random enough: ids that are counted up, as q100000, q100001, …, are a lattice in them, which one key
    of some thousands makes so narrow that a table of 3452 topics had a row of more than ``FARTHEST`` full places.
    """
    return ((hash ^ hash >> 32) * <uint64_t>0x9E3779B97F4A7C15) >> 32


cdef inline bint is_odd(uint64_t odd) noexcept nogil:
    return odd & <uint64_t>0x8080808080808080 != 0


cdef inline bint has_control(const uint8_t *p, int64_t size) noexcept nogil:
    """Is one of these bytes a control character: below a blank, DEL, or U+0080 to U+009F in UTF-8?"""
    cdef int64_t i
    for i in range(size):
        if p[i] < 32 or p[i] == 127 or (p[i] == 0xC2 and i + 1 < size and p[i + 1] & 0xE0 == 0x80):
            return True
    return False


cdef inline bint same_bytes(const uint8_t *a, const uint8_t *b, int64_t size) noexcept nogil:
    """Are ``size`` bytes equal? No other byte is read, so that neither needs padding."""
    if 8 <= size <= 16:  # most ids: two words that may overlap, without a loop
        return (load_word(a) ^ load_word(b)) | (load_word(a + size - 8) ^ load_word(b + size - 8)) == 0
    while size >= 8:
        if load_word(a) != load_word(b):
            return False
        a += 8
        b += 8
        size -= 8
    return load_tail(a, size) == load_tail(b, size)


cdef inline bint is_plain(const uint8_t *p, int64_t size) noexcept nogil:
    """Are these visible characters of ASCII, and at least one? Such an identifier needs no further look."""
    cdef uint64_t word, odd = 0
    if size <= 0:
        return False
    while size >= 8:
        word = load_word(p)
        odd |= (word - <uint64_t>0x2121212121212121) | (word + <uint64_t>0x0101010101010101)
        p += 8
        size -= 8
    if size > 0:
        word = load_tail(p, size) | (<uint64_t>0x4141414141414141 << (8 * size))
        odd |= (word - <uint64_t>0x2121212121212121) | (word + <uint64_t>0x0101010101010101)
    return odd & <uint64_t>0x8080808080808080 == 0


cdef inline int grow(void **memory, int64_t *capacity, int64_t needed, size_t item) noexcept nogil:
    """Room for ``needed`` items at least, doubling; -1 when there is no memory."""
    cdef int64_t wanted
    cdef void *moved
    if needed <= capacity[0]:
        return 0
    wanted = capacity[0] * 2 if capacity[0] > 0 else 64
    if wanted < needed:
        wanted = needed
    moved = realloc(memory[0], <size_t>wanted * item)
    if moved == NULL:
        return -1
    ask_large_pages(moved, <size_t>wanted * item)
    memory[0] = moved
    capacity[0] = wanted
    return 0
