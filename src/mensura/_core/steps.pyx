"""Steps of a monotone map, placed for several sets of documents in one pass, and the order that they need: time grows with the documents."""

cimport cython
from cython.view cimport array as view_array
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    DIGIT = 8  # bits of a pass of the sort
    PASSES = 64 // DIGIT
    BUCKETS = 1 << DIGIT
    LOWER = BUCKETS - 1

cdef double SAME = 1e-12  # sums of weights that are equal but for rounding


@cython.final
cdef class Fitter:
    """Fits maps, one after the other, in the same memory: getting new memory for each took a fifth of the time."""

    cdef int64_t room
    cdef uint64_t *keys  # of the documents that have weight, and as many more for the sort
    cdef uint32_t *places
    cdef double *weight
    cdef int32_t *fold
    cdef int8_t *level

    def __dealloc__(self):
        self.release()

    cdef void release(self) noexcept nogil:
        free(self.keys)
        free(self.places)
        free(self.weight)
        free(self.fold)
        free(self.level)
        self.keys = NULL
        self.places = NULL
        self.weight = NULL
        self.fold = NULL
        self.level = NULL
        self.room = 0

    cdef int reserve(self, int64_t count) except -1:
        """Room for so many documents."""
        if count >> 32:
            raise ValueError("a system has more than four thousand million documents")
        if count <= self.room:
            return 0
        self.release()
        self.keys = <uint64_t *>malloc(<size_t>(2 * count) * 8)
        self.places = <uint32_t *>malloc(<size_t>(2 * count) * 4)
        self.weight = <double *>malloc(<size_t>count * 8)
        self.fold = <int32_t *>malloc(<size_t>count * 4)
        self.level = <int8_t *>malloc(<size_t>count)
        if self.keys == NULL or self.places == NULL or self.weight == NULL or self.fold == NULL or self.level == NULL:
            self.release()
            raise MemoryError
        self.room = count
        return 0

    def fit(
        self, const double[:, ::1] x, const int8_t[:, ::1] level, const double[:, ::1] weight, const int32_t[::1] fold, int64_t folds,
        int64_t levels, int8_t[:, :, ::1] fitted,
    ):
        """Writes the levels of documents by the steps of their topic's fold, and by those of all topics, into an array [2, topic, rank].

        A document without weight keeps what is there.
        """
        cdef int64_t topics = x.shape[0], ranks = x.shape[1], count = 0, topic, rank, i, s, at
        cdef int64_t[:, ::1] where
        cdef const double *rising
        cdef const double *weights
        cdef const int8_t *known
        cdef int8_t *out
        cdef int8_t own, common
        if (
            level.shape[0] != topics or weight.shape[0] != topics or fold.shape[0] != topics or fitted.shape[1] != topics
            or level.shape[1] != ranks or weight.shape[1] != ranks or fitted.shape[2] != ranks or fitted.shape[0] != 2
            or folds < 0 or levels < 1
        ):
            raise ValueError("the arrays of a fit have different shapes")
        for topic in range(topics):
            if not -1 <= fold[topic] < folds:
                raise ValueError("a fold is out of range")
        if topics * ranks == 0:
            return
        self.reserve(topics * ranks)
        with nogil:
            weights, known = &weight[0, 0], &level[0, 0]
            for i in range(topics * ranks):
                if weights[i] > 0:
                    self.keys[count] = sortable((&x[0, 0])[i])
                    self.places[count] = <uint32_t>i
                    count += 1
            self.sort(count)
            for i in range(count):
                at = self.places[i]
                self.weight[i] = weights[at]
                self.level[i] = known[at]
                self.fold[i] = fold[at // ranks]
            rising = self.numbers(count)
        where = placed(rising, self.level, self.weight, self.fold, count, folds, levels)
        with nogil:
            out = &fitted[0, 0, 0]
            for i in range(count):
                own = common = 0
                for s in range(levels - 1):
                    own += i >= where[self.fold[i] if self.fold[i] >= 0 else folds, s]
                    common += i >= where[folds, s]
                out[self.places[i]] = own
                out[topics * ranks + self.places[i]] = common

    cdef void sort(self, int64_t count) noexcept nogil:
        """Sorts keys with their places; equal ones stay as they are. A digit that all keys share takes no pass."""
        cdef int64_t starts[PASSES][BUCKETS]
        cdef uint64_t *keys = self.keys
        cdef uint64_t *to_keys = self.keys + self.room
        cdef uint32_t *places = self.places
        cdef uint32_t *to_places = self.places + self.room
        cdef int64_t i, digit, at, total
        cdef uint64_t key
        if count == 0:
            return
        memset(starts, 0, sizeof(starts))
        for i in range(count):
            key = keys[i]
            for digit in range(PASSES):
                starts[digit][(key >> (DIGIT * digit)) & LOWER] += 1
        for digit in range(PASSES):
            if starts[digit][(keys[0] >> (DIGIT * digit)) & LOWER] == count:
                continue
            total = 0
            for i in range(BUCKETS):
                at = starts[digit][i]
                starts[digit][i] = total
                total += at
            for i in range(count):
                key = keys[i]
                at = starts[digit][(key >> (DIGIT * digit)) & LOWER]
                starts[digit][(key >> (DIGIT * digit)) & LOWER] = at + 1
                to_keys[at] = key
                to_places[at] = places[i]
            keys, to_keys = to_keys, keys
            places, to_places = to_places, places
        if keys != self.keys:
            memcpy(self.keys, keys, <size_t>count * 8)
            memcpy(self.places, places, <size_t>count * 4)

    cdef const double *numbers(self, int64_t count) noexcept nogil:
        """The numbers that the keys were computed from."""
        cdef double *numbers = <double *>(self.keys + self.room)
        cdef int64_t i
        for i in range(count):
            numbers[i] = number_of(self.keys[i])
        return numbers


cdef inline uint64_t sortable(double x) noexcept nogil:
    """A whole number that is ordered as the number is; -0 is 0."""
    cdef uint64_t bits
    x = x + 0.0
    memcpy(&bits, &x, 8)
    return ~bits if bits >> 63 else bits | (<uint64_t>1 << 63)


cdef inline double number_of(uint64_t key) noexcept nogil:
    """The number that a whole number is of."""
    cdef uint64_t bits = key & ~(<uint64_t>1 << 63) if key >> 63 else ~key
    cdef double x
    memcpy(&x, &bits, 8)
    return x


def place_steps(
    const double[::1] x, const int8_t[::1] level, const double[::1] weight, const int32_t[::1] fold, int64_t folds, int64_t levels
):
    """Positions of the steps, an array [folds + 1, levels - 1]; see ``placed``."""
    cdef int64_t count = x.shape[0]
    if level.shape[0] != count or weight.shape[0] != count or fold.shape[0] != count or folds < 0 or levels < 1:
        raise ValueError("the arrays of steps have different lengths")
    if count == 0:
        return placed(NULL, NULL, NULL, NULL, 0, folds, levels)[:, : levels - 1]
    return placed(&x[0], &level[0], &weight[0], &fold[0], count, folds, levels)[:, : levels - 1]


cdef int64_t[:, ::1] placed(
    const double *x, const int8_t *level, const double *weight, const int32_t *fold, int64_t count, int64_t folds, int64_t levels
):
    """Positions of the steps between levels, for each fold, which is left out, and for all documents: an array [folds + 1, levels - 1 or 1].

    A document of fold -1 is in none.

    A step is before a document, as low as possible where the weight on its wrong side is smallest, and never inside of equal numbers;
    then in the middle between the neighbours that have weight. Arguments are those of the documents in rising order of ``x``.
    """
    cdef int64_t sets = folds + 1, inner = levels - 1, i, s, k
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
                where[k, s] = between(x, weight, fold, count, k, where[k, s])
    free(cost)
    return where


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
    const double *x, const double *weight, const int32_t *fold, int64_t count, int64_t left_out, int64_t step
) noexcept nogil:
    """A step moved to the middle between the neighbours that have weight: numbers without weight go to the nearer side."""
    cdef int64_t low = step - 1, high = step, middle
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
