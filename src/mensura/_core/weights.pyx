"""Random weights of topics by their names, and sums under them: the same whatever the order of topics and the cuts between them.

A weight is a function of the topic's key, which a seed and its name give, and of the number of the draw. What is added up are whole
numbers, as doubles that stay below 2⁵³ within a tile and as int64 beyond it, so no sum is ever rounded.
"""

from libc.stdint cimport int8_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef extern from "weights.h" nogil:
    enum:
        TILE
    uint64_t key_of(const unsigned char *name, int64_t length, uint64_t seed)
    void sign_weights(uint64_t key, uint64_t block, double *weight)
    void poisson_weights(uint64_t key, uint64_t block, double *weight)
    void add_one(const double *e, const double *weight, int64_t topics, double *sums)

cdef enum:
    TOPICS = 64  # at a time: their weights stay in the nearest cache (a step of a range must be a literal)

LARGEST = 1 << 43
"""Bound of what is added up: times the largest weight, 8, and the topics of a tile it is below 2⁵³."""


def topic_keys(list names, uint64_t seed, uint64_t[::1] keys):
    """Keys of names, which are bytes."""
    cdef int64_t at
    cdef bytes name
    for at in range(len(names)):
        name = names[at]
        keys[at] = key_of(name, len(name), seed)


def draw_weights(const uint64_t[::1] keys, bint signs, int8_t[:, ::1] weights):
    """Weights of topics in the first draws, [draw, topic]."""
    cdef double tile[TILE]
    cdef int64_t topic, block, draw
    for topic in range(keys.shape[0]):
        for block in range((weights.shape[0] + TILE - 1) // TILE):
            if signs:
                sign_weights(keys[topic], block, tile)
            else:
                poisson_weights(keys[topic], block, tile)
            for draw in range(block * TILE, min((block + 1) * TILE, weights.shape[0])):
                weights[draw, topic] = <int8_t> tile[draw - block * TILE]


def add_draws(
    const double[:, ::1] rows, const uint64_t[::1] keys, bint signs, int64_t first, int64_t last, int64_t[:, ::1] totals
):
    """Add to ``totals`` [row, draw], for the blocks ``first`` to ``last`` of 64 draws, the rows under the weights of their topics.

    ``rows`` are whole numbers below ``LARGEST``, [row, topic]; ``totals`` has a multiple of 64 draws.
    """
    cdef int64_t topics = rows.shape[1], row, block, tile, topic, stop, draw
    cdef double *weight = <double *> malloc(TOPICS * TILE * sizeof(double))
    cdef double sums[TILE]
    if not weight:
        raise MemoryError
    with nogil:
        for block in range(first, last):
            for tile in range(0, topics, 64):
                stop = min(tile + TOPICS, topics)
                for topic in range(tile, stop):
                    if signs:
                        sign_weights(keys[topic], block, weight + (topic - tile) * TILE)
                    else:
                        poisson_weights(keys[topic], block, weight + (topic - tile) * TILE)
                for row in range(rows.shape[0]):
                    memset(sums, 0, TILE * sizeof(double))
                    add_one(&rows[row, tile], weight, stop - tile, sums)
                    for draw in range(TILE):
                        totals[row, block * TILE + draw] += <int64_t> sums[draw]
    free(weight)
