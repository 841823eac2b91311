"""Pairs of rankings: what needs a loop over items, a tree, or a walk down two lists at once. Nothing here holds the lock while it runs."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

cdef enum:
    UNSEEN = 0
    ACTIVE = 1
    DONE = 2


cdef inline int64_t tree_sum(const int32_t *tree, int64_t at) noexcept nogil:
    """The count of entries 1 … at."""
    cdef int64_t total = 0
    while at > 0:
        total += tree[at]
        at &= at - 1
    return total


cdef inline void tree_add(int32_t *tree, int64_t size, int64_t at) noexcept nogil:
    while at <= size:
        tree[at] += 1
        at += at & -at


cdef void fill_before(
    int64_t n, const int64_t *x, const int64_t *y, int32_t *tree, int64_t *smaller, int64_t *equal
) noexcept nogil:
    """For each item: how many items of earlier groups of x have a smaller y, and how many the same. `tree`: n + 1 zeros."""
    cdef int64_t start = 0, stop, i, at
    while start < n:
        stop = start
        while stop < n and x[stop] == x[start]:
            at = (y[stop] + 1) >> 1
            smaller[stop] = tree_sum(tree, at - 1)
            equal[stop] = tree_sum(tree, at) - smaller[stop]
            stop += 1
        for i in range(start, stop):
            tree_add(tree, n, (y[i] + 1) >> 1)
        start = stop


def count_before(const int64_t[::1] x, const int64_t[::1] y, int64_t[::1] smaller, int64_t[::1] equal):
    """Counts, for each item, the items above it in x by how they stand to it in y; O(n log n).

    x and y are twice the positions (so that shared positions are whole numbers), x in order. smaller[k] is the number of items of
    earlier groups of x whose y is smaller than that of item k, equal[k] of those whose y is the same.
    """
    cdef int64_t n = x.shape[0]
    if n == 0:
        return
    cdef int32_t *tree = <int32_t *>calloc(n + 1, sizeof(int32_t))
    if tree == NULL:
        raise MemoryError
    with nogil:
        fill_before(n, &x[0], &y[0], tree, &smaller[0], &equal[0])
    free(tree)


cdef struct Weighed:
    int64_t place
    double weight


cdef double merge_count(const Weighed *source, Weighed *target, int64_t start, int64_t middle, int64_t stop) noexcept nogil:
    """Merges two sorted stretches; the weight of the pairs whose left place is larger than the right one."""
    cdef int64_t i = start, j = middle, k = start
    cdef double total = 0, left = 0
    for k in range(start, middle):
        left += source[k].weight
    k = start
    while i < middle and j < stop:
        if source[i].place <= source[j].place:
            left -= source[i].weight
            target[k] = source[i]
            i += 1
        else:
            total += (middle - i) * source[j].weight + left
            target[k] = source[j]
            j += 1
        k += 1
    while i < middle:
        target[k] = source[i]
        i += 1
        k += 1
    while j < stop:
        target[k] = source[j]
        j += 1
        k += 1
    return total


def discordant_weight(const int64_t[::1] y, const double[::1] weight):
    """The sum of weight[i] + weight[j] over all i < j with y[i] > y[j]; O(n log n), by sorting.

    If the items are in the order of x and tied ones in that of y, these are the pairs that x and y order differently.
    """
    cdef int64_t n = y.shape[0]
    cdef int64_t width = 1, start, i
    cdef double total = 0
    cdef Weighed *source = <Weighed *>malloc((n + 1) * sizeof(Weighed))
    cdef Weighed *target = <Weighed *>malloc((n + 1) * sizeof(Weighed))
    cdef Weighed *other
    if source == NULL or target == NULL:
        free(source)
        free(target)
        raise MemoryError
    with nogil:
        for i in range(n):
            source[i].place = y[i]
            source[i].weight = weight[i]
        while width < n:
            start = 0
            while start < n:
                total += merge_count(source, target, start, min(start + width, n), min(start + 2 * width, n))
                start += 2 * width
            other = source
            source = target
            target = other
            width *= 2
    free(source)
    free(target)
    return total


cdef inline double one_deeper(
    int64_t d, const int64_t *first, const int64_t *last, const int64_t *at, char *state, const char *state_there,
    int64_t *only_here, int64_t *only_there, int64_t *both, int64_t *neither,
) noexcept nogil:
    """Go down one rank in one of two lists: count the shared items whose group of ties begins or ends there, and return c(item, d).

    at[i] is the place of the i-th item in the other list, whose items are in the states of state_there.
    """
    cdef int64_t i, other
    if first[d - 1] == d - 1:
        for i in range(d - 1, last[d - 1] + 1):
            state[i] = ACTIVE
            other = at[i]
            if other >= 0 and state_there[other] == DONE:
                only_there[0] += 1
            elif other >= 0 and state_there[other] == ACTIVE:
                neither[0] += 1
    if last[d - 1] == d - 1:
        for i in range(first[d - 1], d):
            state[i] = DONE
            other = at[i]
            if other >= 0 and state_there[other] == DONE:
                only_there[0] -= 1
                both[0] += 1
            elif other >= 0 and state_there[other] == ACTIVE:
                neither[0] -= 1
                only_here[0] += 1
    return <double>(d - first[d - 1]) / (last[d - 1] - first[d - 1] + 1)


cdef void fill_shared(
    int64_t s, const int64_t *first_s, const int64_t *last_s, const int64_t *at_t,
    int64_t t, const int64_t *first_t, const int64_t *last_t, const int64_t *at_s,
    int64_t depths, char *state_s, char *state_t, double *shared, double *active,
) noexcept nogil:
    """X_d = Σ c_s(item, d)·c_t(item, d), where an item counts (d − top + 1)/size while d is inside its group of tied items.

    at_t[i] is the place in t of the i-th item of s, −1 if it is not there; at_s the other way. The states are zeros. active[d] is the
    number of shared items of the group of t that d is inside of (not of one that ends at d).
    """
    cdef int64_t d
    cdef int64_t both = 0, only_t = 0, only_s = 0, neither = 0  # shared items whose groups are complete in …
    cdef double a, b
    for d in range(1, depths + 1):
        a = b = 1
        if d <= s:
            a = one_deeper(d, first_s, last_s, at_t, state_s, state_t, &only_s, &only_t, &both, &neither)
        if d <= t:
            b = one_deeper(d, first_t, last_t, at_s, state_t, state_s, &only_t, &only_s, &both, &neither)
        shared[d - 1] = both + only_t * a + only_s * b + neither * a * b
        active[d - 1] = only_s + neither


def shared_at_depths(
    const int64_t[::1] first_s, const int64_t[::1] last_s, const int64_t[::1] at_t,
    const int64_t[::1] first_t, const int64_t[::1] last_t, const int64_t[::1] at_s,
    double[::1] shared, double[::1] active,
):
    """The overlap of two lists with ties at each depth (variant a of Corsi and Urbano); linear in their lengths."""
    cdef int64_t s = first_s.shape[0], t = first_t.shape[0]
    cdef char *states = <char *>calloc(s + t, 1)
    if states == NULL:
        raise MemoryError
    with nogil:
        fill_shared(
            s, &first_s[0], &last_s[0], &at_t[0], t, &first_t[0], &last_t[0], &at_s[0],
            shared.shape[0], states, states + s, &shared[0], &active[0],
        )
    free(states)


def compare_lists(
    const int32_t[::1] items, const int64_t[::1] bounds, const int64_t[::1] first, const int64_t[::1] last, int64_t distinct,
    const int64_t[::1] left, const int64_t[::1] right,
    const double[::1] gains, const double[::1] harmonic, const double[::1] persistence, double[:, ::1] out,
):
    """Compares pairs of lists (left[j], right[j]) and writes a row of sums for each.

    List r holds items[bounds[r]:bounds[r + 1]], numbers below `distinct`; first and last are, for each of them, the places (from 0,
    within its list) where its group of tied items begins and ends. Items of one list that the other does not contain are tied after
    the other's end. gains[k] is Σ_{j ≤ k} Σ_{i < j} (h(i) + h(i+1))/2, harmonic[k] is Σ_{j ≤ k} 1/j, persistence[d] is
    (1 − p)·p^(d−1); each as long as two lists.

    Columns: 0 items in all, 1 shared items, 2 Σ|x − y|, 3 Σ x'y', 4 Σ x'², 5 Σ y'² (x', y': less their mean), 6 area, 7 worst area,
    8 discordant pairs, 9 pairs tied in the left list, 10 in the right, 11 in both, 12 expected concordance of AP correlation,
    13 rank-biased overlap (extrapolated), 14 average overlap down to the shorter end.
    """
    cdef int64_t pairs = left.shape[0]
    cdef int64_t longest = 0, r, j, size
    for r in range(bounds.shape[0] - 1):
        longest = max(longest, bounds[r + 1] - bounds[r])
    size = 2 * longest + 2
    cdef int64_t *numbers = <int64_t *>malloc(6 * size * sizeof(int64_t))
    cdef double *reals = <double *>malloc(2 * size * sizeof(double))
    cdef int32_t *tree = <int32_t *>malloc(size * sizeof(int32_t))
    cdef int32_t *place = <int32_t *>calloc(distinct + 1, sizeof(int32_t))
    cdef char *states = <char *>malloc(2 * size)
    if numbers == NULL or reals == NULL or tree == NULL or place == NULL or states == NULL:
        free(numbers)
        free(reals)
        free(tree)
        free(place)
        free(states)
        raise MemoryError
    with nogil:
        for j in range(pairs):
            memset(states, 0, 2 * size)
            memset(tree, 0, size * sizeof(int32_t))
            compare_two(
                bounds[left[j] + 1] - bounds[left[j]], &items[bounds[left[j]]], &first[bounds[left[j]]], &last[bounds[left[j]]],
                bounds[right[j] + 1] - bounds[right[j]], &items[bounds[right[j]]], &first[bounds[right[j]]], &last[bounds[right[j]]],
                &gains[0], &harmonic[0], &persistence[0],
                numbers, size, reals, tree, place, states, &out[j, 0],
            )
    free(numbers)
    free(reals)
    free(tree)
    free(place)
    free(states)


cdef void compare_two(
    int64_t s, const int32_t *items_s, const int64_t *first_s, const int64_t *last_s,
    int64_t t, const int32_t *items_t, const int64_t *first_t, const int64_t *last_t,
    const double *gains, const double *harmonic, const double *persistence,
    int64_t *numbers, int64_t size, double *reals, int32_t *tree, int32_t *place, char *states, double *row,
) noexcept nogil:
    cdef int64_t *at_t = numbers
    cdef int64_t *at_s = numbers + size
    cdef int64_t *x = numbers + 2 * size
    cdef int64_t *y = numbers + 3 * size
    cdef int64_t *smaller = numbers + 4 * size
    cdef int64_t *equal = numbers + 5 * size
    cdef int64_t i, k, n, start, stop, group, above2
    cdef int64_t shared = 0, footrule = 0, xy = 0, xx = 0, yy = 0, dx, dy, moved, worst_moved
    cdef int64_t discordant = 0, tied_s = 0, tied_t = 0, split_t = 0
    cdef double area = 0, worst = 0, gain, concordance = 0

    for i in range(t):
        place[items_t[i]] = <int32_t>(i + 1)
        at_s[i] = -1
    for i in range(s):
        at_t[i] = place[items_s[i]] - 1
        if at_t[i] >= 0:
            at_s[at_t[i]] = i
            shared += 1
    for i in range(t):
        place[items_t[i]] = 0
    n = s + t - shared
    for i in range(s):  # twice the positions, so that shared ones are whole numbers
        x[i] = first_s[i] + last_s[i] + 2
        y[i] = t + 1 + n if at_t[i] < 0 else first_t[at_t[i]] + last_t[at_t[i]] + 2
    k = s
    for i in range(t):
        if at_s[i] < 0:
            x[k] = s + 1 + n
            y[k] = first_t[i] + last_t[i] + 2
            k += 1
    fill_before(n, x, y, tree, smaller, equal)

    start = 0
    while start < n:
        stop = start
        moved = worst_moved = above2 = 0
        while stop < n and x[stop] == x[start]:
            dx = x[stop] - (n + 1)
            dy = y[stop] - (n + 1)
            xx += dx * dx
            yy += dy * dy
            xy += dx * dy
            moved += y[stop] - x[stop]
            worst_moved += (t + 1 + n if stop < n - t else 2 * (n - stop)) - x[stop]
            footrule += y[stop] - x[stop] if y[stop] > x[stop] else x[stop] - y[stop]
            discordant += start - smaller[stop] - equal[stop]
            split_t += equal[stop]
            above2 += 2 * smaller[stop] + equal[stop]
            stop += 1
        group = stop - start
        tied_s += group * (group - 1) // 2
        gain = (gains[stop] - gains[start]) / group
        area -= gain * moved / 2
        worst -= gain * worst_moved / 2
        if start > 0:
            concordance += above2 * (harmonic[stop - 1] - harmonic[start - 1]) / (2 * group)
        concordance += ((group - 1) - start * (harmonic[stop - 1] - harmonic[start])) / 2
        start = stop

    i = 0
    while i < t:
        group = last_t[i] - first_t[i] + 1
        tied_t += group * (group - 1) // 2
        i += group
    tied_t += (n - t) * (n - t - 1) // 2

    row[0] = n
    row[1] = shared
    row[2] = footrule / 2.0
    row[3] = xy / 4.0
    row[4] = xx / 4.0
    row[5] = yy / 4.0
    row[6] = area
    row[7] = worst
    row[8] = discordant
    row[9] = tied_s
    row[10] = tied_t
    row[11] = tied_t - split_t
    row[12] = concordance
    if s <= t:
        overlap(s, first_s, last_s, at_t, t, first_t, last_t, at_s, persistence, states, size, reals, row + 13)
    else:
        overlap(t, first_t, last_t, at_s, s, first_s, last_s, at_t, persistence, states, size, reals, row + 13)


cdef void overlap(
    int64_t s, const int64_t *first_s, const int64_t *last_s, const int64_t *at_t,
    int64_t t, const int64_t *first_t, const int64_t *last_t, const int64_t *at_s,
    const double *persistence, char *states, int64_t size, double *reals, double *row,
) noexcept nogil:
    """Rank-biased overlap (variant a, extrapolated) and average overlap; s is the shorter list."""
    cdef double *shared = reals
    cdef double *active = reals + size
    cdef double rbo = 0, average = 0, agreement = 0, agreed = 0, unseen, inside, share, left = 1
    cdef int64_t d, begun
    fill_shared(s, first_s, last_s, at_t, t, first_t, last_t, at_s, t, states, states + size, shared, active)
    for d in range(1, t + 1):
        if d <= s:
            agreement = agreed = shared[d - 1] / d
            average += agreement
        else:
            # Items of t alone that have begun, and how much of them counts at d: as much of the unseen part of s is taken to agree
            # as of its seen part.
            inside = last_t[d - 1] - first_t[d - 1] + 1 if last_t[d - 1] >= d else 0
            begun = last_t[d - 1] + 1
            share = (d - first_t[d - 1]) / inside if inside else 0
            unseen = (d - shared[d - 1]) / (begun - (shared[d - 1] - active[d - 1] * share + active[d - 1]))
            agreement = (shared[d - 1] + (d - s) * agreed * unseen) / d
        rbo += agreement * persistence[d]
        left -= persistence[d]
    agreement = (shared[t - 1] + (t - s) * agreed) / t
    row[0] = rbo + agreement * left
    row[1] = average / s
