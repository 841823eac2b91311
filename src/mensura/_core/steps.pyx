"""Steps of a monotone map, placed for several sets of documents in one pass, and the order that they need: time grows with the documents."""

from cython.view cimport array as view_array
from libc.stdint cimport int8_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    DIGIT = 8  # bits of a pass of the sort
    BUCKETS = 1 << DIGIT

cdef double SAME = 1e-12  # sums of weights that are equal but for rounding


def rising_order(const double[::1] x):
    """Positions of numbers in rising order, equal ones as they are listed: a radix sort. No number is NaN."""
    cdef int64_t count = x.shape[0], i, digit
    cdef int64_t[::1] order = view_array(shape=(max(count, <int64_t>1),), itemsize=8, format="q", mode="c")
    cdef uint64_t *keys = <uint64_t *>malloc(<size_t>(2 * count + 1) * 8)
    cdef int64_t *places = <int64_t *>malloc(<size_t>(2 * count + 1) * 8)
    if keys == NULL or places == NULL:
        free(keys)
        free(places)
        raise MemoryError
    with nogil:
        for i in range(count):
            keys[i] = sortable(x[i])
            places[i] = i
        for digit in range(64 // DIGIT):
            if by_digit(keys, places, keys + count, places + count, count, DIGIT * digit):
                memcpy(keys, keys + count, <size_t>count * 8)
                memcpy(places, places + count, <size_t>count * 8)
        if count > 0:
            memcpy(&order[0], places, <size_t>count * 8)
    free(keys)
    free(places)
    return order[:count]


cdef uint64_t sortable(double x) noexcept nogil:
    """A whole number that is ordered as the number is; -0 is 0."""
    cdef uint64_t bits
    x = x + 0.0
    memcpy(&bits, &x, 8)
    return ~bits if bits >> 63 else bits | (<uint64_t>1 << 63)


cdef bint by_digit(
    const uint64_t *keys, const int64_t *places, uint64_t *to_keys, int64_t *to_places, int64_t count, int64_t shift
) noexcept nogil:
    """One pass; False if all have the same digit."""
    cdef int64_t starts[BUCKETS]
    cdef int64_t i, at, total = 0
    memset(starts, 0, sizeof(starts))
    for i in range(count):
        starts[(keys[i] >> shift) & (BUCKETS - 1)] += 1
    if count == 0 or starts[(keys[0] >> shift) & (BUCKETS - 1)] == count:
        return False
    for i in range(BUCKETS):
        at = starts[i]
        starts[i] = total
        total += at
    for i in range(count):
        at = (keys[i] >> shift) & (BUCKETS - 1)
        to_keys[starts[at]] = keys[i]
        to_places[starts[at]] = places[i]
        starts[at] += 1
    return True


def place_steps(
    const double[::1] x, const int8_t[::1] level, const double[::1] weight, const int64_t[::1] fold, int64_t folds, int64_t levels
):
    """Where the steps between levels are, for each fold, which is left out, and for all documents: an array [folds + 1, levels - 1].

    A document of fold -1 is in none.

    A step is before a document, as low as possible where the weight on its wrong side is smallest, and never inside of equal numbers;
    then in the middle between the neighbours that have weight. Arguments are those of the documents in rising order of ``x``.
    """
    cdef int64_t sets = folds + 1, inner = levels - 1, count = x.shape[0], i, s, k
    cdef int64_t[:, ::1] where = view_array(shape=(sets, max(inner, <int64_t>1)), itemsize=8, format="q", mode="c")
    cdef double *cost = <double *>malloc(<size_t>(2 * sets * inner + 1) * 8)
    cdef double *least = cost + sets * inner
    if cost == NULL:
        raise MemoryError
    with nogil:
        where[:, :] = -1
        for i in range(sets * inner):
            cost[i] = 0.0
            least[i] = 0.0
        for i in range(count):
            add(cost, level[i], weight[i], fold[i], sets, inner)
            if i + 1 == count or x[i + 1] > x[i]:
                for k in range(sets * inner):
                    if cost[k] < least[k]:
                        least[k] = cost[k]
        for k in range(sets * inner):
            cost[k] = 0.0
            if 0.0 <= least[k] + SAME:
                where[k % sets, k // sets] = 0
        for i in range(count):
            add(cost, level[i], weight[i], fold[i], sets, inner)
            if i + 1 == count or x[i + 1] > x[i]:
                for k in range(sets * inner):
                    if cost[k] <= least[k] + SAME and where[k % sets, k // sets] < 0:
                        where[k % sets, k // sets] = i + 1
        for k in range(sets):
            for s in range(1, inner):
                where[k, s] = max(where[k, s], where[k, s - 1])
            for s in range(inner):
                where[k, s] = between(x, weight, fold, k, where[k, s])
    free(cost)
    return where if inner > 0 else where[:, :0]


cdef inline void add(double *cost, int64_t level, double weight, int64_t fold, int64_t sets, int64_t inner) noexcept nogil:
    """One more document below the steps of all sets but that of its fold."""
    cdef int64_t s, k
    cdef double own, signed
    cdef double *row
    for s in range(inner):
        row = cost + s * sets
        signed = weight if level > s else -weight
        own = row[fold] if fold >= 0 else 0.0
        for k in range(sets):
            row[k] += signed
        if fold >= 0:
            row[fold] = own


cdef int64_t between(
    const double[::1] x, const double[::1] weight, const int64_t[::1] fold, int64_t left_out, int64_t step
) noexcept nogil:
    """A step moved to the middle between the neighbours that have weight: numbers without weight go to the nearer side."""
    cdef int64_t low = step - 1, high = step, count = x.shape[0], middle
    cdef double limit
    while low >= 0 and (weight[low] <= 0 or fold[low] == left_out):
        low -= 1
    while high < count and (weight[high] <= 0 or fold[high] == left_out):
        high += 1
    if low < 0 or high >= count:
        return step
    limit = x[low] + (x[high] - x[low]) / 2
    low = 0
    high = count
    while low < high:  # the first number above the limit
        middle = (low + high) // 2
        if x[middle] <= limit:
            low = middle + 1
        else:
            high = middle
    return low


def apply_steps(const int64_t[:, ::1] where, const int64_t[::1] fold, const int64_t[::1] order, int8_t[:, ::1] levels):
    """Writes the levels of documents by the steps of their fold, and by those of all documents, into an array [2, place].

    The level of a document is the number of steps that are not above it; ``order`` has the places of the documents in rising order.
    """
    cdef int64_t i, s, last = where.shape[0] - 1
    cdef int8_t own, common
    with nogil:
        for i in range(order.shape[0]):
            own = common = 0
            for s in range(where.shape[1]):
                own += i >= where[fold[i], s]
                common += i >= where[last, s]
            levels[0, order[i]] = own
            levels[1, order[i]] = common
