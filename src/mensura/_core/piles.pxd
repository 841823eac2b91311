"""Lines whose topics are not together, on one pile for each topic until the file ends."""

cimport cython
from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from mensura._core.lines cimport Line, rank_number
from mensura._core.names cimport Names
from mensura._core.number cimport Fraction
from mensura._core.text cimport first_slot, hash_known, prefetch, same_bytes, store_half

cdef enum:
    HEAD = 9  # bytes before a document's id: its size and its score
    NEAR_HEAD = 4  # the same where the score is given as units from the score before
    IS_NEAR = 128  # added to the size to say so
    MOST_STEPS = (1 << 23) - 1  # units that fit in three bytes
    MOST_UNITS = 1000000000000000  # below 2**51: a score that was rounded to 53 bits is nearest to its own units
    FAR = 0x4000000000000000  # units from which no score is near
    MOST_DECIMALS = 9
    MOST_ROWS = 0x7FFF0000
    LONG = 127  # the size of an id that does not fit into seven bits: four more bytes follow the head
    PLACE = 8  # bytes after it, where the file's ranks order equal scores
    WORD = 8
    COPIED = 16  # bytes of an id that are copied at a time
    NEAR = 4  # slots in which a topic is looked for at first


cdef struct Block:  # the beginning of a piece of memory; lines follow
    Block *next
    int32_t used  # bytes
    int32_t decimals  # scores are given in units of this decimal place


cdef struct Pile:  # what is asked of the lines of one topic with every line: one line of the cache
    uint8_t *at  # where the next line goes
    uint8_t *limit
    double last_score
    int64_t last_units  # the same in units of the last block
    uint64_t last_key  # of its rank; the greatest of all if the rank has more than eight digits
    uint64_t head  # the first bytes of the topic's name
    int32_t decimals  # of the last block
    int32_t rows
    int32_t name_size
    int32_t next  # the number of the pile that the line after one of these went to


cdef struct Chain:  # the lines, and what is rarely asked for
    Block *first
    Block *last
    int64_t held  # bytes
    int64_t long_rank  # of the last line, if it has more than eight digits, or -1
    uint64_t long_key
    double first_score
    uint64_t first_key
    int64_t first_rank
    int32_t topic  # its number in the judgments, or -1
    bint crosses  # ranks and scores of neighbouring lines disagree


@cython.final
cdef class Piles:
    cdef Names names
    cdef Pile *piles  # the first one is there even without a topic, so that a line can be compared with it
    cdef int64_t room
    cdef Chain *chains
    cdef int64_t chain_room
    cdef uint8_t *free_from  # of the newest slab
    cdef uint8_t *free_to
    cdef void **slabs
    cdef int64_t slab_count, slab_room
    cdef bint placed  # a line has its rank too
    cdef int32_t decimals  # of new blocks: the most that the first line of a block had

    cdef int64_t open(self, const uint8_t *name, int64_t size) noexcept nogil
    cdef int clear(self, int64_t number) noexcept nogil
    cdef void look(self, int64_t number, const Line *line) noexcept nogil
    cdef int enlarge(self, int64_t number, const Line *line) noexcept nogil
    cdef void free_slabs(self) noexcept nogil


cdef inline int64_t nearest_units(double score, int32_t decimals) noexcept nogil:
    """The whole number of units that is nearest to a score; ``FAR`` for a very large one."""
    cdef double units = score * power_of_ten(decimals)
    if fabs(units) < <double>MOST_UNITS:
        return <int64_t>(units + 6755399441055744.0 - 6755399441055744.0)  # 1.5 * 2**52 leaves no bit for a fraction
    return FAR


cdef inline double power_of_ten(int32_t decimals) noexcept nogil:
    cdef double power = 1
    while decimals > 0:
        power *= 10
        decimals -= 1
    return power


cdef inline bint in_units(const Fraction *fraction, int32_t decimals, int64_t *units) noexcept nogil:
    """Gives a score as a number of units of this decimal place; False if it is not one, or that is not known."""
    cdef int64_t i
    units[0] = fraction.units
    if fraction.decimals == decimals:
        return True
    if not 0 <= fraction.decimals < decimals:
        return False
    for i in range(fraction.decimals, decimals):
        units[0] *= 10
        if not -<int64_t>MOST_UNITS < units[0] < <int64_t>MOST_UNITS:
            return False
    return True


cdef inline bint is_pile(Piles piles, int64_t number, const Line *line, uint64_t head) noexcept nogil:
    """Is this the pile for a line? ``head`` are the first bytes of its topic."""
    cdef Pile *pile = &piles.piles[number]
    return pile.head == head and pile.name_size == line.topic_size and (
        line.topic_size <= WORD or same_bytes(piles.names.text + piles.names.start[number], line.topic, line.topic_size)
    )


cdef inline int64_t quick_pile(Piles piles, int64_t last, const Line *line, uint64_t head) noexcept nogil:
    """The number of the pile for a line after one of the pile ``last``; -1 if that takes a longer look.

    Files that have all first ranks, then all second ranks and so on have their topics always in the same order.
    """
    cdef uint64_t odd
    cdef int64_t at, step
    cdef int64_t number = piles.piles[last].next
    if is_pile(piles, number, line, head):
        return number
    at = <int64_t>first_slot(hash_known(line.topic, line.topic_size, &line.key, &odd))
    for step in range(NEAR):
        number = piles.names.slots[(at + step) & piles.names.slot_mask]
        if number < 0:
            return -1
        if is_pile(piles, number, line, head):
            piles.piles[last].next = <int32_t>number
            return number
    return -1


cdef inline int put(Piles piles, int64_t number, const Line *line) noexcept nogil:
    """Puts a line on a pile; -1 when there is no memory. ``COPIED`` bytes can be loaded from the document's id."""
    cdef Pile *pile = &piles.piles[number]
    cdef const uint8_t *doc = line.doc
    cdef uint8_t *to
    cdef int64_t rank, units, steps
    cdef int32_t size = <int32_t>line.doc_size
    cdef uint32_t head = <uint32_t>min(size, <int32_t>LONG)
    if pile.limit - pile.at < size and piles.enlarge(number, line) < 0:
        return -1
    prefetch(piles.piles[pile.next].at)
    if line.rank_key < pile.last_key or line.value > pile.last_score or line.rank_size > WORD:
        piles.look(number, line)
    else:
        pile.last_key = line.rank_key
    pile.last_score = line.value
    pile.rows += 1
    to = pile.at
    steps = FAR
    if in_units(&line.fraction, pile.decimals, &units):
        steps = units - pile.last_units
    if -<int64_t>MOST_STEPS <= steps <= <int64_t>MOST_STEPS:
        pile.last_units = units
        store_half(to, head | <uint32_t>IS_NEAR | <uint32_t>steps << 8)
        to += NEAR_HEAD
    else:
        pile.last_units = nearest_units(line.value, pile.decimals)
        to[0] = <uint8_t>head
        memcpy(to + 1, &line.value, 8)
        to += HEAD
    if size >= LONG:
        memcpy(to, &size, 4)
        to += 4
    pile.at = to + size
    memcpy(to, doc, COPIED)
    while size > COPIED:
        size -= COPIED
        doc += COPIED
        to += COPIED
        memcpy(to, doc, COPIED)
    if piles.placed:
        rank = rank_number(line.rank)
        memcpy(pile.at, &rank, PLACE)
        pile.at += PLACE
    return 0
