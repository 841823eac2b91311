"""Draws of topics, the same for all pairs of systems: moments of differences, and how often a draw reaches the data.

Differences are taken from limbs (see ``ScoreTable.limbs``), so those of large integers are right. Each pair is computed by itself and
topics are added in their order: what a pair gives does not depend on the other pairs, nor on how draws are shared out to threads.
"""

from libc.math cimport INFINITY, fabs, frexp, ldexp, sqrt
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

cdef extern from "draws.h" nogil:
    enum:
        TILE
    void add_weighted(const double *e, const double *square, const double *weight, int64_t topics, double *sums, double *squares)
    void add_one(const double *e, const double *weight, int64_t topics, double *sums)
    void subtract(const double *first, const double *second, double shift, double inverse, double *sums)
    int64_t studentise(
        const double *sums, const double *squares, int64_t draws, double topics, double stabiliser,
        double limit, double plain_limit, double *largest, int64_t *plain
    )
    void keep_largest(const double *sums, const double *squares, int64_t draws, double topics, double *heap, int64_t size)
    int64_t flip(const double *sums, int64_t draws, double inverse, double limit, double *largest, int64_t *plain)

DRAWS = TILE
"""Draws that are made at once."""

cdef double BASE = 9007199254740992.0  # 2⁵³, of which limbs are the digits
cdef enum:
    TOPICS = 64  # at a time: their weights stay in the nearest cache (a step of a range must be a literal: 64 and 128 below)
    PAIRS = 128  # at a time
    MOST = 512  # topics over which sums of two systems may be subtracted: beyond, rounding errors come near to what counts as equal


cdef inline void differences(
    const double[:, :, ::1] limbs, int64_t first, int64_t second, int64_t start, int64_t stop, double *d
) noexcept nogil:
    cdef int64_t topic, limb
    cdef const double *x = &limbs[0, first, 0]
    cdef const double *y = &limbs[0, second, 0]
    for topic in range(start, stop):
        d[topic - start] = x[topic] - y[topic]
    for limb in range(1, limbs.shape[0]):
        x = &limbs[limb, first, 0]
        y = &limbs[limb, second, 0]
        for topic in range(start, stop):
            d[topic - start] = d[topic - start] * BASE + (x[topic] - y[topic])


def moments(
    const double[:, :, ::1] limbs,
    bint rounded,
    const int64_t[::1] first,
    const int64_t[::1] second,
    int64_t start,
    int64_t stop,
    double[::1] mean,
    double[::1] deviation,
    double[::1] unit,
):
    """Mean, standard deviation and largest size (as a power of 2) of the differences of the pairs ``start`` to ``stop``.

    ``rounded`` says that values are not integers. A difference that is the same on all topics, but for rounding, has the deviation 0; a mean that is nothing but rounding is 0.
    """
    cdef int64_t topics = limbs.shape[2], pair, topic
    cdef int exponent
    cdef double total, square, largest, size, centre, scale, value
    cdef const double *x
    cdef const double *y
    cdef double *d = <double *> malloc(topics * sizeof(double))
    if not d:
        raise MemoryError
    with nogil:
        for pair in range(start, stop):
            differences(limbs, first[pair], second[pair], 0, topics, d)
            total = 0
            largest = 0
            for topic in range(topics):
                total += d[topic]
                value = fabs(d[topic])
                largest = value if value > largest else largest
            centre = total / topics
            frexp(largest, &exponent)
            scale = ldexp(1.0, exponent) if largest > 0 else 1.0
            square = 0
            for topic in range(topics):
                value = (d[topic] - centre) / scale
                square += value * value
            size = largest
            if rounded:  # the values, not only their differences
                x = &limbs[0, first[pair], 0]
                y = &limbs[0, second[pair], 0]
                for topic in range(topics):
                    value = fabs(x[topic]) if fabs(x[topic]) > fabs(y[topic]) else fabs(y[topic])
                    size = value if value > size else size
            value = scale * sqrt(square / (topics - 1)) if topics > 1 else 0.0
            deviation[pair] = 0.0 if value <= 1.8e-15 * size else value
            mean[pair] = 0.0 if fabs(centre) <= 1.8e-15 * size else centre
            unit[pair] = scale
    free(d)


def count_topics(const uint32_t[:, ::1] chosen, int16_t[:, ::1] weights):
    """Number of times that each topic was chosen, [draw, topic]."""
    cdef int64_t draw, at
    with nogil:
        for draw in range(chosen.shape[0]):
            memset(&weights[draw, 0], 0, weights.shape[1] * sizeof(int16_t))
            for at in range(chosen.shape[1]):
                weights[draw, chosen[draw, at]] += 1


cdef void spread(const int16_t[:, ::1] weights, int64_t start, int64_t stop, double *weight) noexcept nogil:
    # Weights of the topics `start` to `stop`, [topic, draw]; there may be fewer draws than places.
    cdef int64_t draw, topic
    memset(weight, 0, TOPICS * TILE * sizeof(double))
    for draw in range(weights.shape[0]):
        for topic in range(start, stop):
            weight[(topic - start) * TILE + draw] = weights[draw, topic]


def reach(
    const double[:, :, ::1] limbs,
    const int64_t[::1] first,
    const int64_t[::1] second,
    const double[::1] mean,
    const double[::1] unit,
    const double[::1] divisor,
    const double[::1] limit,
    const double[::1] plain_limit,
    bint signs,
    const int16_t[:, ::1] weights,
    int32_t[::1] reached,
    int32_t[::1] plain,
    double[::1] largest,
    double[:, ::1] heaps=None,
):
    """Add to ``reached`` the draws in which the largest statistic of a pair and those before it reaches the pair's ``limit``.

    ``weights`` are [draw, topic], at most 64 draws. Bootstrap: differences less their ``mean`` are weighted, and ``divisor`` is what is
    added to their standard deviation; the statistic is times √T, ``plain_limit`` is T times the square of the plain t. Signs: the
    differences themselves are weighted, and divided by ``divisor``. ``plain`` counts what the pair reaches by itself, and ``largest``
    gets the largest statistic of each draw. With ``heaps`` [pair, number] the largest plain statistics of each pair are kept there, √T
    times as large, and nothing else is counted.

    A bootstrap draw that takes one topic only says nothing about variation: its statistics are infinite, for all pairs.

    Weighted sums of the differences of a pair are those of its systems, subtracted, unless differences are so small that digits would
    be lost: its own values alone decide.
    """
    cdef int64_t topics = limbs.shape[2], systems = limbs.shape[1], pairs = first.shape[0], draws = weights.shape[0]
    cdef int64_t system, waiting
    cdef bint whole = limbs.shape[0] == 1 and topics <= MOST, keep = heaps is not None
    cdef double size
    cdef int64_t chunk, pair, tile, topic, draw, end, stop, alone, single = 0
    cdef int64_t singles[TILE]
    cdef bint once = topics <= TOPICS, safe
    cdef double centre, inverse
    cdef double *weight = <double *> malloc(TOPICS * TILE * sizeof(double))
    cdef double *sums = <double *> malloc(2 * PAIRS * TILE * sizeof(double))
    cdef double *squares = sums + PAIRS * TILE
    cdef double *record = <double *> malloc(TILE * sizeof(double))
    cdef double *e = <double *> malloc(3 * TOPICS * sizeof(double))
    cdef double *square = e + TOPICS
    cdef double *other = e + 2 * TOPICS
    cdef double *total = <double *> calloc(systems * TILE + systems if whole else 1, sizeof(double))
    cdef double *least = total + systems * TILE  # the smallest unit of a difference whose digits are safe
    try:
        if not (weight and sums and record and e and total):
            raise MemoryError
        with nogil:
            memset(record, 0, TILE * sizeof(double))
            if not signs:
                for draw in range(draws):
                    for topic in range(topics):
                        if weights[draw, topic]:
                            if weights[draw, topic] == topics:
                                record[draw] = INFINITY
                                singles[single] = draw
                                single += 1
                            break
            if whole:
                for tile in range(0, topics, 64):
                    stop = min(tile + TOPICS, topics)
                    spread(weights, tile, stop, weight)
                    for system in range(systems):
                        add_one(&limbs[0, system, tile], weight, stop - tile, total + system * TILE)
                        for topic in range(tile, stop):
                            size = fabs(limbs[0, system, topic]) / 16
                            least[system] = size if size > least[system] else least[system]
            for chunk in range(0, pairs, 128):
                end = min(chunk + PAIRS, pairs)
                memset(sums, 0, 2 * PAIRS * TILE * sizeof(double))
                for tile in range(0, topics, 64):
                    stop = min(tile + TOPICS, topics)
                    if chunk == 0 or not once:
                        spread(weights, tile, stop, weight)
                    waiting = -1
                    for pair in range(chunk, end):
                        safe = whole and unit[pair] >= least[first[pair]] and unit[pair] >= least[second[pair]]
                        if safe and signs:
                            continue
                        differences(limbs, first[pair], second[pair], tile, stop, e)
                        centre = 0.0 if signs else mean[pair]
                        inverse = 1.0 / unit[pair]
                        for topic in range(stop - tile):
                            e[topic] = (e[topic] - centre) * inverse
                            square[topic] = e[topic] * e[topic]
                        if signs:
                            add_one(e, weight, stop - tile, sums + (pair - chunk) * TILE)
                        elif not safe:
                            add_weighted(e, square, weight, stop - tile, sums + (pair - chunk) * TILE, squares + (pair - chunk) * TILE)
                        elif waiting < 0:  # two pairs at once: a weight that is loaded is used twice
                            waiting = pair
                            other, square = square, other
                        else:
                            add_weighted(
                                other, square, weight, stop - tile, squares + (waiting - chunk) * TILE, squares + (pair - chunk) * TILE
                            )
                            waiting = -1
                    if waiting >= 0:
                        add_one(other, weight, stop - tile, squares + (waiting - chunk) * TILE)
                for pair in range(chunk, end):
                    alone = 0
                    if whole and unit[pair] >= least[first[pair]] and unit[pair] >= least[second[pair]]:
                        subtract(
                            total + first[pair] * TILE, total + second[pair] * TILE, 0.0 if signs else topics * mean[pair],
                            1.0 / unit[pair], sums + (pair - chunk) * TILE
                        )
                    for draw in range(single):
                        sums[(pair - chunk) * TILE + singles[draw]] = 1
                        squares[(pair - chunk) * TILE + singles[draw]] = 0
                    if keep:
                        keep_largest(
                            sums + (pair - chunk) * TILE, squares + (pair - chunk) * TILE, draws, topics, &heaps[pair, 0],
                            heaps.shape[1]
                        )
                    elif signs:
                        reached[pair] += <int32_t> flip(
                            sums + (pair - chunk) * TILE, draws, 1.0 / divisor[pair], limit[pair], record, &alone
                        )
                    else:
                        reached[pair] += <int32_t> studentise(
                            sums + (pair - chunk) * TILE, squares + (pair - chunk) * TILE, draws, topics, divisor[pair],
                            limit[pair], plain_limit[pair], record, &alone
                        )
                    plain[pair] += <int32_t> alone
            for draw in range(draws):
                largest[draw] = record[draw]
    finally:
        free(weight)
        free(sums)
        free(record)
        free(e)
        free(total)
