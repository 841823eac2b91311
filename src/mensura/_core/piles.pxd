"""Lines whose topics are not together, on one pile for each topic until the file ends."""

cimport cython
from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy
from mensura._core.lines cimport Line, rank_number
from mensura._core.names cimport Names
from mensura._core.text cimport first_slot, hash_known, prefetch, same_bytes

cdef extern from "masks.h" nogil:
    bint ROUNDS_ONCE

cdef enum:
    HEAD = 9  # bytes before a document's id: its size and its score
    NEAR_HEAD = 4  # the same where the score is given as units from the score before
    IS_NEAR = 128  # added to the size to say so
    MOST_STEPS = (1 << 23) - 1  # units that fit in three bytes
    MOST_UNITS = 1000000000000000  # below 2**51: units are whole numbers, and a score that was rounded to 53 bits is nearest to its own
    MOST_ROWS = 0x7FFF0000
    LONG = 127  # the size of an id that does not fit into seven bits: four more bytes follow the head
    PLACE = 8  # bytes after it, where the file's ranks order equal scores
    WORD = 8  # ids are copied and loaded in words
    NEAR = 4  # slots in which a topic is looked for at first


cdef struct Block:  # the beginning of a piece of memory; lines follow
    Block *next
    int32_t used  # bytes
    float scale  # scores are given in units of 1 / scale, a power of ten


cdef struct Pile:  # the lines of one topic
    uint8_t *at  # where the next line goes
    uint8_t *limit
    double last_score
    uint64_t last_key  # of its rank
    int64_t long_rank  # the rank, if it has more than eight digits, or 0
    uint64_t head  # the first bytes of the topic's name
    int32_t rows
    float scale  # of the last block
    int32_t name_size
    int32_t next  # the number of the pile that the line after one of these went to
    int32_t topic  # its number in the judgments, or -1
    bint crosses  # ranks and scores of neighbouring lines disagree
    Block *first
    Block *last
    int64_t held  # bytes
    double first_score
    uint64_t first_key
    int64_t first_rank


@cython.final
cdef class Piles:
    cdef Names names
    cdef Pile *piles
    cdef int64_t room
    cdef uint8_t *free_from  # of the newest slab
    cdef uint8_t *free_to
    cdef void **slabs
    cdef int64_t slab_count, slab_room
    cdef bint placed  # a line has its rank too
    cdef float scale  # of new blocks
    cdef int64_t tries  # that found no better one

    cdef int64_t open(self, const uint8_t *name, int64_t size) noexcept nogil
    cdef void look(self, Pile *pile, const Line *line, double score) noexcept nogil
    cdef int enlarge(self, Pile *pile, int64_t size, double score) noexcept nogil
    cdef void find_scale(self, double score) noexcept nogil
    cdef void free_slabs(self) noexcept nogil


cdef inline double nearest_units(double score, float scale) noexcept nogil:
    """The whole number of units that is nearest to a score. From 2**51 on it is some number, but always the same."""
    cdef double product = score * <double>scale
    return product + 6755399441055744.0 - 6755399441055744.0  # 1.5 * 2**52 leaves no bit for a fraction


cdef inline bint is_whole(double score, double units, float scale) noexcept nogil:
    """Whether these units give the score again, bit by bit: text with few enough decimals is the double nearest to a quotient."""
    cdef uint64_t bits, quotient_bits
    cdef double quotient = units / <double>scale
    memcpy(&bits, &score, 8)
    memcpy(&quotient_bits, &quotient, 8)
    return bits == quotient_bits and fabs(units) < <double>MOST_UNITS and ROUNDS_ONCE


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
    cdef int64_t at, number, step
    if piles.names.count == 0:
        return -1
    number = piles.piles[last].next
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


cdef inline int put(Piles piles, Pile *pile, const Line *line, double score) noexcept nogil:
    """Puts a line on a pile; -1 when there is no memory. Words can be loaded from the line."""
    cdef const uint8_t *doc = line.doc
    cdef uint8_t *to
    cdef int64_t rank
    cdef int32_t size = <int32_t>line.doc_size
    cdef int32_t steps
    cdef double units, away
    if pile.limit - pile.at < size and piles.enlarge(pile, size, score) < 0:
        return -1
    units = nearest_units(score, pile.scale)
    away = units - nearest_units(pile.last_score, pile.scale)
    prefetch(piles.piles[pile.next].at)
    if line.rank_key < pile.last_key or score > pile.last_score or line.rank_size > WORD or pile.long_rank:
        piles.look(pile, line, score)
    pile.last_score, pile.last_key = score, line.rank_key
    pile.rows += 1
    to = pile.at
    to[0] = <uint8_t>min(size, <int32_t>LONG)
    if fabs(away) <= MOST_STEPS and is_whole(score, units, pile.scale):
        steps = <int32_t>away
        to[0] |= IS_NEAR
        to[1] = <uint8_t>steps
        to[2] = <uint8_t>(steps >> 8)
        to[3] = <uint8_t>(steps >> 16)
        to += NEAR_HEAD
    else:
        memcpy(to + 1, &score, 8)
        to += HEAD
    if size >= LONG:
        memcpy(to, &size, 4)
        to += 4
    pile.at = to + size
    while size > 0:
        memcpy(to, doc, WORD)
        doc += WORD
        to += WORD
        size -= WORD
    if piles.placed:
        rank = rank_number(line.rank)
        memcpy(pile.at, &rank, PLACE)
        pile.at += PLACE
    return 0
