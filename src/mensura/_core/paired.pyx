"""Rank statistics of many pairs of systems, and sums under many weightings of topics.

Each pair is computed by itself in a fixed order, so results do not depend on how pairs are shared out to threads.
"""

from libc.math cimport NAN, sqrt
from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset


cdef void sort_by(const double *key, int64_t *order, int64_t *spare, int64_t n) noexcept nogil:
    # A merge sort of positions from the bottom up. It is stable, so equal keys keep their order.
    cdef int64_t width = 1, left, middle, right, a, b, at
    cdef int64_t *source = order
    cdef int64_t *target = spare
    cdef int64_t *swap
    for at in range(n):
        order[at] = at
    while width < n:
        left = 0
        while left < n:
            middle = min(left + width, n)
            right = min(left + 2 * width, n)
            a = left
            b = middle
            for at in range(left, right):
                if a < middle and (b >= right or key[source[a]] <= key[source[b]]):
                    target[at] = source[a]
                    a += 1
                else:
                    target[at] = source[b]
                    b += 1
            left = right
        swap = source
        source = target
        target = swap
        width *= 2
    if source != order:
        memcpy(order, source, n * sizeof(int64_t))


cdef double two_sided(const double *chance, int64_t size, int64_t observed) noexcept nogil:
    # Twice the smaller tail of a distribution on 0 … size - 1, at most 1.
    cdef double low = 0, high = 0, smaller
    cdef int64_t at
    for at in range(observed + 1):
        low += chance[at]
    for at in range(observed, size):
        high += chance[at]
    smaller = low if low < high else high
    return 2 * smaller if smaller < 0.5 else 1.0


cdef double signed_rank_chance(const int64_t *ranks, int64_t n, int64_t total, int64_t observed, double *chance) noexcept nogil:
    # Every rank is positive or negative with probability 1/2: the distribution of the sum of the positive ones, by convolution.
    cdef int64_t at, reached = 0, sum
    memset(chance, 0, (total + 1) * sizeof(double))
    chance[0] = 1
    for at in range(n):
        reached += ranks[at]
        for sum in range(reached, -1, -1):
            chance[sum] = 0.5 * chance[sum] + (0.5 * chance[sum - ranks[at]] if sum >= ranks[at] else 0.0)
    return two_sided(chance, total + 1, observed)


def signed_ranks(
    const double[:, ::1] size,
    const double[:, ::1] slack,
    const int8_t[:, ::1] sign,
    int64_t exact,
    int64_t start,
    int64_t stop,
    double[::1] positive,
    int64_t[::1] counted,
    double[::1] ties,
    double[::1] chance,
):
    """Wilcoxon's signed ranks of the pairs ``start`` to ``stop``.

    ``size`` are absolute differences [pair, topic], ``slack`` their rounding errors, ``sign`` their signs; zeros are dropped. Gives
    the sum of the positive ranks, the number of differences that count, Σ(t³ − t) over ties, and the exact two-sided p where at most
    ``exact`` differences count (else NaN).
    """
    cdef int64_t topics = size.shape[1], pair, at, n, group, end, twice, total, plus
    cdef double tied
    cdef double *key = <double *> malloc(topics * sizeof(double))
    cdef double *error = <double *> malloc(topics * sizeof(double))
    cdef int8_t *way = <int8_t *> malloc(topics)
    cdef int64_t *order = <int64_t *> malloc(topics * sizeof(int64_t))
    cdef int64_t *spare = <int64_t *> malloc(topics * sizeof(int64_t))
    cdef int64_t *ranks = <int64_t *> malloc(topics * sizeof(int64_t))
    cdef double *space = <double *> malloc((min(exact, topics) * (min(exact, topics) + 1) + 1) * sizeof(double))
    try:
        if not (key and error and way and order and spare and ranks and space):
            raise MemoryError
        with nogil:
            for pair in range(start, stop):
                n = 0
                for at in range(topics):
                    if sign[pair, at] != 0:
                        key[n] = size[pair, at]
                        error[n] = slack[pair, at]
                        way[n] = sign[pair, at]
                        n += 1
                sort_by(key, order, spare, n)
                tied = 0
                plus = 0
                total = 0
                group = 0
                while group < n:
                    end = group + 1
                    while end < n and key[order[end]] - key[order[end - 1]] <= error[order[end]] + error[order[end - 1]]:
                        end += 1
                    twice = group + 1 + end  # twice the mean of the ranks group + 1 … end
                    for at in range(group, end):
                        ranks[at] = twice
                        total += twice
                        if way[order[at]] > 0:
                            plus += twice
                    tied += <double> (end - group) * ((end - group) * (end - group) - 1)
                    group = end
                positive[pair] = plus / 2.0
                counted[pair] = n
                ties[pair] = tied
                chance[pair] = signed_rank_chance(ranks, n, total, plus, space) if n <= exact else NAN
    finally:
        free(key)
        free(error)
        free(way)
        free(order)
        free(spare)
        free(ranks)
        free(space)


cdef double rank_sum_chance(
    const int64_t *ranks, int64_t n, int64_t chosen, int64_t total, int64_t observed, double *chance
) noexcept nogil:
    # Every choice of `chosen` of n ranks is equally likely: rows of the table count choices by size, columns by sum.
    cdef int64_t at, many, sum, width = total + 1
    cdef double all = 0
    cdef double *row
    cdef double *above
    memset(chance, 0, (chosen + 1) * width * sizeof(double))
    chance[0] = 1
    for at in range(n):
        for many in range(min(at + 1, chosen), 0, -1):
            row = chance + many * width
            above = chance + (many - 1) * width
            for sum in range(ranks[at], width):
                row[sum] += above[sum - ranks[at]]
    row = chance + chosen * width
    for sum in range(width):
        all += row[sum]
    for sum in range(width):
        row[sum] /= all
    return two_sided(row, width, observed)


def rank_sums(
    const int64_t[:, ::1] values,
    const int64_t[::1] first,
    const int64_t[::1] second,
    int64_t exact,
    int64_t start,
    int64_t stop,
    double[::1] above,
    double[::1] ties,
    double[::1] chance,
):
    """Mann and Whitney's U of the pairs ``start`` to ``stop``; rows of ``values`` are sorted.

    Gives U = #(x > y) + #(x = y)/2, Σ(t³ − t) over ties, and the exact two-sided p where both samples together have at most
    ``exact`` values (else NaN).
    """
    cdef int64_t n = values.shape[1], pair, i, j, same_i, same_j, value, twice, tie, at, filled, picked, room
    cdef double tied
    cdef bint small = 2 * n <= exact
    room = 2 * n if small else 0
    cdef int64_t *ranks = <int64_t *> malloc((room + 1) * sizeof(int64_t))
    cdef double *space = <double *> malloc(((n + 1) * (room * (room + 1) + 1) if small else 1) * sizeof(double))
    cdef const int64_t *x
    cdef const int64_t *y
    try:
        if not (ranks and space):
            raise MemoryError
        with nogil:
            for pair in range(start, stop):
                x = &values[first[pair], 0]
                y = &values[second[pair], 0]
                i = 0
                j = 0
                twice = 0
                tied = 0
                filled = 0
                picked = 0
                while i < n or j < n:
                    value = x[i] if j >= n or (i < n and x[i] <= y[j]) else y[j]
                    same_i = i
                    same_j = j
                    while i < n and x[i] == value:
                        i += 1
                    while j < n and y[j] == value:
                        j += 1
                    same_i = i - same_i
                    same_j = j - same_j
                    twice += same_i * (2 * (j - same_j) + same_j)
                    tie = same_i + same_j
                    tied += <double> tie * (tie * tie - 1)
                    if small:
                        for at in range(tie):
                            ranks[filled + at] = 2 * filled + tie + 1
                        picked += same_i * (2 * filled + tie + 1)
                        filled += tie
                above[pair] = twice / 2.0
                ties[pair] = tied
                chance[pair] = rank_sum_chance(ranks, 2 * n, n, room * (room + 1), picked, space) if small else NAN
    finally:
        free(ranks)
        free(space)


def effect_sizes(
    const int64_t[:, ::1] codes,
    const int64_t[:, ::1] order,
    const double[:, ::1] values,
    const int64_t[::1] first,
    const int64_t[::1] second,
    int64_t start,
    int64_t stop,
    double[::1] cliff,
    double[::1] cliff_error,
    double[::1] glass_error,
):
    """Cliff's δ of the pairs ``start`` to ``stop``, and the jackknife errors over topics of δ and of Glass's Δ.

    ``order`` sorts each row of ``codes``. Leaving out topic k takes away its row and its column of the signs of all x − y.
    """
    cdef int64_t n = codes.shape[1], pair, at, i, j, value, total, sign
    cdef double mean, square, sum_d, sum_y, y, left, centre, turned
    cdef int64_t *lost = <int64_t *> malloc(n * sizeof(int64_t))
    cdef double *without = <double *> malloc(n * sizeof(double))
    cdef const int64_t *x_codes
    cdef const int64_t *y_codes
    cdef const int64_t *x_order
    cdef const int64_t *y_order
    if not lost or not without:
        free(lost)
        free(without)
        raise MemoryError
    with nogil:
        for pair in range(start, stop):
            x_codes = &codes[first[pair], 0]
            y_codes = &codes[second[pair], 0]
            x_order = &order[first[pair], 0]
            y_order = &order[second[pair], 0]
            memset(lost, 0, n * sizeof(int64_t))
            total = 0
            i = 0
            j = 0
            for at in range(n):  # of each x: how many y are smaller, less how many are larger
                value = x_codes[x_order[at]]
                while i < n and y_codes[y_order[i]] < value:
                    i += 1
                while j < n and y_codes[y_order[j]] <= value:
                    j += 1
                lost[x_order[at]] += i - (n - j)
                total += i - (n - j)
            i = 0
            j = 0
            for at in range(n):  # of each y: how many x are larger, less how many are smaller
                value = y_codes[y_order[at]]
                while i < n and x_codes[x_order[i]] < value:
                    i += 1
                while j < n and x_codes[x_order[j]] <= value:
                    j += 1
                lost[y_order[at]] += (n - j) - i
            cliff[pair] = <double> total / n / n
            if n < 3:
                cliff_error[pair] = NAN
                glass_error[pair] = NAN
                continue
            mean = 0
            for at in range(n):
                sign = (x_codes[at] > y_codes[at]) - (x_codes[at] < y_codes[at])
                without[at] = <double> (total - lost[at] + sign) / (n - 1) / (n - 1)
                mean += without[at]
            mean /= n
            square = 0
            for at in range(n):
                square += (without[at] - mean) * (without[at] - mean)
            cliff_error[pair] = sqrt(square * (n - 1) / n)
            sum_d = 0
            sum_y = 0
            for at in range(n):
                sum_d += values[first[pair], at] - values[second[pair], at]
                sum_y += values[second[pair], at]
            centre = sum_y / n
            square = 0
            for at in range(n):
                y = values[second[pair], at] - centre
                square += y * y
            mean = 0
            for at in range(n):
                y = values[second[pair], at] - centre
                left = (square - y * y - y * y / (n - 1)) / (n - 2)
                without[at] = (sum_d - values[first[pair], at] + values[second[pair], at]) / (n - 1) / sqrt(left) if left > 0 else NAN
                mean += without[at]
            mean /= n
            turned = 0
            for at in range(n):
                turned += (without[at] - mean) * (without[at] - mean)
            glass_error[pair] = sqrt(turned * (n - 1) / n)
    free(lost)
    free(without)


def weighted_sums(const double[:, ::1] rows, const double[:, ::1] weights, int64_t start, int64_t stop, double[:, ::1] sums):
    """Σ_topic rows[row, topic]·weights[topic, draw] for the rows ``start`` to ``stop``: [row, draw], topics added in their order."""
    cdef int64_t topics = rows.shape[1], draws = weights.shape[1], row, topic, draw
    cdef double value
    cdef double *target
    cdef const double *weight
    if draws == 0 or topics == 0:
        return
    with nogil:
        for row in range(start, stop):
            target = &sums[row, 0]
            memset(target, 0, draws * sizeof(double))
            for topic in range(topics):
                value = rows[row, topic]
                weight = &weights[topic, 0]
                for draw in range(draws):
                    target[draw] += value * weight[draw]
