"""Runs drawn rank by rank: the distribution of what their relevant documents add up to, by bins or by samples."""

from libc.math cimport floor, log
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np


cdef struct Row:  # masses of the bins first … first + size - 1
    double *mass
    int64_t first, size, room


cdef inline int make_room(Row *row, int64_t size) noexcept nogil:
    """Whether the row can hold so many bins; its content is not kept."""
    cdef int64_t room
    if size <= row.room:
        return 1
    room = size + size // 4 + 64
    free(row.mass)
    row.mass = <double *>malloc(room * sizeof(double))
    row.room = room if row.mass != NULL else 0
    return row.mass != NULL


cdef inline int move(
    const Row *stay, const Row *come, Row *now, double hit, double miss, double added, int64_t most, double cut, double *lost,
) noexcept nogil:
    """The row of c hits after a rank: from c hits without one there, and from c - 1 hits with one; 0 when memory is short.

    What a hit adds is rounded down or up at random, so that its mean is right. Bins above `most` are dropped. So are bins at both
    ends that hold less than `cut`; `lost` sums these up.
    """
    cdef int64_t shift = <int64_t>floor(added)
    cdef double up = hit * (added - shift), down = hit - up
    cdef int64_t first, last, j, size, offset
    cdef double *mass
    cdef const double *source
    if stay.size == 0 and come.size == 0:
        now.size = 0
        return 1
    if stay.size == 0:
        first, last = come.first + shift, come.first + come.size + shift + 1
    elif come.size == 0:
        first, last = stay.first, stay.first + stay.size
    else:
        first = min(stay.first, come.first + shift)
        last = max(stay.first + stay.size, come.first + come.size + shift + 1)
    last = min(last, most + 1)
    if last <= first:
        now.size = 0
        return 1
    if not make_room(now, last - first):
        return 0
    mass = now.mass
    memset(mass, 0, (last - first) * sizeof(double))
    if stay.size:
        offset, source = stay.first - first, stay.mass
        for j in range(stay.size):
            mass[offset + j] = miss * source[j]
    if come.size:
        offset, source = come.first + shift - first, come.mass
        size = min(come.size, last - first - offset)
        if size > 0:
            mass[offset] += down * source[0]
            for j in range(1, size):
                mass[offset + j] += down * source[j] + up * source[j - 1]
            if offset + size < last - first:
                mass[offset + size] += up * source[size - 1]
    size, offset = last - first, 0
    while size > 0 and mass[offset + size - 1] < cut:
        size -= 1
        lost[0] += mass[offset + size]
    while size > 0 and mass[offset] < cut:
        lost[0] += mass[offset]
        offset += 1
        size -= 1
    if offset and size > 0:
        for j in range(size):
            mass[j] = mass[offset + j]
    now.first, now.size = first + offset, max(size, 0)
    return 1


def path_distribution(const double[:, ::1] hit, const double[:, ::1] added, int64_t most, double cut):
    """Probability of every (hits, bin) at the end of a run, and the probability that was trimmed.

    ``hit[i, c]`` is the probability of a hit at rank i + 1 after c hits, ``added[i, c]`` what it adds, in bins; no run has more hits than
    there are columns. Returns (hits, first bin, masses) of all rows that hold anything. Holds no lock while it runs.
    """
    cdef int64_t ranks = hit.shape[0], many = hit.shape[1]
    cdef int64_t i, c, top, lowest = 0, highest = 0
    cdef double lost = 0.0, chance, before
    cdef int fine = 1
    cdef Row nothing
    cdef Row *old = <Row *>malloc((many + 1) * sizeof(Row))
    cdef Row *now = <Row *>malloc((many + 1) * sizeof(Row))
    cdef Row *other
    nothing.mass, nothing.first, nothing.size, nothing.room = NULL, 0, 0, 0
    if old == NULL or now == NULL:
        free(old)
        free(now)
        raise MemoryError
    memset(old, 0, (many + 1) * sizeof(Row))
    memset(now, 0, (many + 1) * sizeof(Row))
    try:
        with nogil:
            fine = make_room(&old[0], 1)
            if fine:
                old[0].mass[0], old[0].size = 1.0, 1
            for i in range(ranks):
                top = min(highest + 1, many)
                for c in range(lowest, top + 1):
                    chance = hit[i, c] if c < many else 0.0
                    before = hit[i, c - 1] if c > lowest else 0.0
                    fine = fine and move(
                        &old[c] if c <= highest else &nothing, &old[c - 1] if before > 0 else &nothing, &now[c],
                        before, 1.0 - chance, added[i, c - 1] if c > 0 else 0.0, most, cut, &lost,
                    )
                if not fine:
                    break
                highest = top
                while highest > lowest and now[highest].size == 0:
                    highest -= 1
                while lowest < highest and now[lowest].size == 0:
                    lowest += 1
                other, old, now = old, now, old
        if not fine:
            raise MemoryError
        rows = []
        for c in range(lowest, highest + 1):
            if old[c].size:
                masses = np.empty(old[c].size)
                copy_row(&old[c], masses)
                rows.append((c, old[c].first, masses))
        return rows, lost
    finally:
        for c in range(many + 1):
            free(old[c].mass)
            free(now[c].mass)
        free(old)
        free(now)


cdef void copy_row(const Row *row, double[::1] masses) noexcept:
    cdef int64_t j
    for j in range(row.size):
        masses[j] = row.mass[j]


def path_moments(const double[:, ::1] hit, const double[:, ::1] added):
    """Per number of hits c at the end of a run: probability, mean and variance of the sum; and the work of a distribution.

    The work is the sum over ranks and numbers of hits (those with a probability above 1e-9) of the standard deviation there: times 12 and
    divided by the size of a bin it is about the number of bins that ``path_distribution`` visits.
    """
    cdef int64_t ranks = hit.shape[0], many = hit.shape[1]
    cdef int64_t i, c
    cdef double work = 0.0, chance, a, p, m, s
    moments = np.zeros((3, many + 1))
    cdef double[:, ::1] w = moments  # probability, probability times mean, probability times mean square
    w[0, 0] = 1.0
    with nogil:
        for i in range(ranks):
            for c in range(min(i + 1, many), -1, -1):
                chance = hit[i, c] if c < many else 0.0
                p, m, s = w[0, c] * (1 - chance), w[1, c] * (1 - chance), w[2, c] * (1 - chance)
                if c > 0 and w[0, c - 1] > 0:
                    chance, a = hit[i, c - 1], added[i, c - 1]
                    p += chance * w[0, c - 1]
                    m += chance * (w[1, c - 1] + a * w[0, c - 1])
                    s += chance * (w[2, c - 1] + 2 * a * w[1, c - 1] + a * a * w[0, c - 1])
                w[0, c], w[1, c], w[2, c] = p, m, s
                if p > 1e-9:
                    work += max(0.0, s / p - (m / p) * (m / p)) ** 0.5
    return moments, work


cdef inline uint64_t rotated(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


cdef inline uint64_t drawn(uint64_t *s) noexcept nogil:
    """The next 64 bits of xoshiro256++ (Blackman and Vigna 2021)."""
    cdef uint64_t result = rotated(s[0] + s[3], 23) + s[0]
    cdef uint64_t t = s[1] << 17
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotated(s[3], 45)
    return result


cdef inline double exponential(uint64_t *s) noexcept nogil:
    return -log(((drawn(s) >> 11) + 1) * (1.0 / 9007199254740992.0))


cdef inline void guide_ranks(const double *hazard, int64_t ranks, double cells, int64_t *guide) noexcept nogil:
    """For each of 4096 cells of hazard, and the end, the first rank at which it may be found."""
    cdef int64_t cell, i = 0
    for cell in range(4097):
        while i < ranks - 1 and hazard[i] * cells < cell:
            i += 1
        guide[cell] = i


def sample_paths(
    const double[::1] hazard, const double[:, ::1] added, const double[::1] ends, const uint64_t[::1] seed, double[::1] sums,
):
    """Fill ``sums`` with what runs add up to, drawn with independent ranks, given that they have no more hits than ``added`` has columns.

    ``hazard[i]`` is the sum of -log(1 - p) down to rank i + 1: the next hit is where it has grown by an exponential variable. A table
    of 4096 cells of hazard says where to look. ``added[i, c]`` is what a hit at rank i + 1 after c hits adds, ``ends[c]`` what a run of c
    hits adds at its end. Holds no lock while it runs.
    """
    cdef int64_t ranks = hazard.shape[0], many = added.shape[1], n = sums.shape[0]
    cdef int64_t i, c, k
    cdef double total, clock, whole = hazard[ranks - 1], cells
    cdef uint64_t state[4]
    cdef int64_t guide[4097]
    for k in range(4):
        state[k] = seed[k]
    with nogil:
        cells = 4096 / whole if whole > 0 else 0.0
        guide_ranks(&hazard[0], ranks, cells, guide)
        k = 0
        while k < n:
            clock, total, c = 0.0, 0.0, 0
            while True:
                clock += exponential(state)
                if clock >= whole:
                    break
                i = guide[<int64_t>(clock * cells)]
                while hazard[i] <= clock:
                    i += 1
                if c == many:
                    c += 1
                    break
                total += added[i, c]
                c += 1
                clock = hazard[i]
            if c <= many:
                sums[k] = total + ends[c]
                k += 1


def sample_runs(
    const double[::1] hazard, const double[:, ::1] above, const int64_t[::1] most, const uint64_t[::1] seed, signed char[:, ::1] runs,
):
    """Fill ``runs`` [run, rank], which hold the lowest symbol, with higher symbols, drawn with independent ranks.

    ``hazard`` is that of any higher symbol; ``above[i, s]`` is the probability, at rank i + 1 and given a higher symbol, of one above the
    s-th; ``most[s]`` is how many of the s-th there may be: runs with more are drawn again. Holds no lock while it runs.
    """
    cdef int64_t ranks = hazard.shape[0], symbols = most.shape[0], n = runs.shape[0]
    cdef int64_t i, s, k
    cdef double clock, whole = hazard[ranks - 1], cells, x
    cdef uint64_t state[4]
    cdef int64_t guide[4097]
    cdef int64_t seen[128]
    cdef signed char lowest = runs[0, 0] if n and ranks else 0
    cdef bint fits
    for k in range(4):
        state[k] = seed[k]
    with nogil:
        cells = 4096 / whole if whole > 0 else 0.0
        guide_ranks(&hazard[0], ranks, cells, guide)
        k = 0
        while k < n:
            clock, fits = 0.0, True
            for s in range(symbols):
                seen[s] = 0
            while fits:
                clock += exponential(state)
                if clock >= whole:
                    break
                i = guide[<int64_t>(clock * cells)]
                while hazard[i] <= clock:
                    i += 1
                x = (drawn(state) >> 11) * (1.0 / 9007199254740992.0)
                s = 0
                while s < symbols - 1 and x < above[i, s]:
                    s += 1
                seen[s] += 1
                fits = seen[s] <= most[s]
                runs[k, i] = <signed char>(lowest + 1 + s)
                clock = hazard[i]
            if fits:
                k += 1
            else:
                for i in range(ranks):
                    runs[k, i] = lowest
