"""The definitions word by word, with lists and loops: slow, and nothing in common with the code under test."""

from __future__ import annotations

import itertools
import math


def groups_of(ranking):
    """A ranking as a list of sets."""
    return [group if isinstance(group, set | frozenset) else {group} for group in ranking]


def held(ranking):
    return set().union(*groups_of(ranking))


def completed(ranking, universe):
    """The ranking with what it does not hold tied behind its end."""
    rest = universe - held(ranking)
    return [*groups_of(ranking), *([rest] if rest else [])]


def positions(groups):
    """The mean of the ranks that a group takes up."""
    where, used = {}, 0
    for group in groups:
        for item in group:
            where[item] = used + (len(group) + 1) / 2
        used += len(group)
    return where


def both(first, second):
    """Groups and positions of two rankings over the items of both."""
    universe = held(first) | held(second)
    a, b = completed(first, universe), completed(second, universe)
    return a, b, positions(a), positions(b)


def orders(groups):
    """All ways to break ties."""
    for parts in itertools.product(*(itertools.permutations(sorted(group)) for group in groups)):
        yield [item for part in parts for item in part]


def point(first, second):
    """P(i), the mean over all orders of tied items of the first ranking."""
    a, _, x, y = both(first, second)
    curves = [list(itertools.accumulate(y[item] - x[item] for item in order)) for order in orders(a)]
    return [sum(values) / len(curves) for values in zip(*curves, strict=True)]


def area(first, second, h):
    curve = [0.0, *point(first, second)]
    return sum((curve[k - 1] + curve[k]) / 2 * h(k) for k in range(1, len(curve)))


def footrule(first, second):
    _, _, x, y = both(first, second)
    return sum(abs(x[item] - y[item]) for item in x)


def signs(first, second):
    """For each pair of items, which comes first in either ranking: (−1, 0 or 1, −1, 0 or 1)."""
    _, _, x, y = both(first, second)
    for one, other in itertools.combinations(sorted(x), 2):
        yield (x[one] > x[other]) - (x[one] < x[other]), (y[one] > y[other]) - (y[one] < y[other])


def kendall(first, second, penalty=0.5):
    return sum(1 if s * t < 0 else penalty if (s == 0) != (t == 0) else 0 for s, t in signs(first, second))


def tau_a(first, second):
    pairs = list(signs(first, second))
    return sum(s * t for s, t in pairs) / len(pairs)


def tau_b(first, second):
    pairs = list(signs(first, second))
    norm = sum(s * s for s, _ in pairs) * sum(t * t for _, t in pairs)
    return sum(s * t for s, t in pairs) / math.sqrt(norm) if norm else math.nan


def spearman(first, second):
    _, _, x, y = both(first, second)
    mean = (len(x) + 1) / 2
    norm = sum((x[i] - mean) ** 2 for i in x) * sum((y[i] - mean) ** 2 for i in x)
    return sum((x[i] - mean) * (y[i] - mean) for i in x) / math.sqrt(norm) if norm else math.nan


def strict_tau_ap(order, truth):
    place = {item: at for at, item in enumerate(truth)}
    total = 0.0
    for i in range(1, len(order)):
        total += sum(place[order[j]] < place[order[i]] for j in range(i)) / i
    return 2 * total / (len(order) - 1) - 1


def tau_ap(first, second):
    """The mean over all ways to break ties in either ranking."""
    a, b, _, _ = both(first, second)
    values = [strict_tau_ap(order, truth) for order in orders(a) for truth in orders(b)]
    return sum(values) / len(values)


def tau_ap_b(first, second):
    def one_way(a, x, y):
        first_group = a[0]
        below = [item for item in x if item not in first_group]
        if not below:
            return math.nan
        total = 0
        for item in below:
            above = [other for other in x if x[other] < x[item]]
            total += sum(y[other] < y[item] for other in above) / len(above)
        return 2 * total / len(below) - 1

    a, b, x, y = both(first, second)
    return (one_way(a, x, y) + one_way(b, y, x)) / 2


def weighted_tau(first, second):
    """Vigna's τ with additive hyperbolic weights, the mean of both orders of the weights."""
    _, _, x, y = both(first, second)

    def one_way(u, v):
        order = sorted(u, key=lambda item: (u[item], v[item]))
        weight = {item: 1 / (at + 1) for at, item in enumerate(order)}
        cross = norm_u = norm_v = 0
        for one, other in itertools.combinations(order, 2):
            w = weight[one] + weight[other]
            s = (u[one] > u[other]) - (u[one] < u[other])
            t = (v[one] > v[other]) - (v[one] < v[other])
            cross, norm_u, norm_v = cross + w * s * t, norm_u + w * s * s, norm_v + w * t * t
        return cross / math.sqrt(norm_u * norm_v) if norm_u * norm_v else math.nan

    return (one_way(x, y) + one_way(y, x)) / 2


def overlaps(first, second):
    """|top d of both| for lists without ties, d up to the end of the longer one."""
    return [len(set(first[:d]) & set(second[:d])) for d in range(1, max(len(first), len(second)) + 1)]


def strict_rbo(first, second, p):
    """(extrapolated, minimum, maximum) of lists without ties: Webber, Moffat and Zobel 2010, by going on far enough."""
    short, long = sorted((list(first), list(second)), key=len)
    s, n = len(short), len(long)
    shared = overlaps(short, long)
    extrapolated = sum(shared[d - 1] / d * p**d for d in range(1, n + 1))
    extrapolated += sum(shared[s - 1] * (d - s) / s / d * p**d for d in range(s + 1, n + 1))
    extrapolated = extrapolated * (1 - p) / p + ((shared[-1] - shared[s - 1]) / n + shared[s - 1] / s) * p**n

    depth = n + s + math.ceil(60 / -math.log(p))
    fill = [f"?{i}" for i in range(depth)]
    nothing = _plain(short + fill, long + [f"!{i}" for i in range(depth)], p, depth)
    # the most: each list goes on with what only the other has shown, and then both with the same
    short_on = short + [item for item in long if item not in short]
    long_on = long + [item for item in short if item not in long]
    return extrapolated, nothing, _plain(short_on + fill, long_on + fill, p, depth)


def _plain(first, second, p, depth):
    seen_first, seen_second, shared, total = set(), set(), 0, 0.0
    for d in range(1, depth + 1):
        one, other = first[d - 1], second[d - 1]
        shared += (one == other) + (one != other and one in seen_second) + (one != other and other in seen_first)
        seen_first.add(one)
        seen_second.add(other)
        total += shared / d * (1 - p) * p ** (d - 1)
    return total
