"""Definitions of the wider vocabulary, rank by rank in exact numbers, for one list; nothing is shared with the package.

As in :mod:`tests.measures.fractions`, a list is (grades, counts, retrieved).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate

import mpmath

from tests.measures.fractions import base, hits

F = Fraction
SEEN = 1000  # ranks of a C/W/L user


def capped_recall(grades, counts, retrieved, rel=1, k=None):
    by = min(base(counts, rel), k or retrieved)
    return F(len(hits(grades[:k], rel)), by) if by else F(0)


def capped_average_precision(grades, counts, retrieved, rel=1, k=None):
    by = min(base(counts, rel), k or retrieved)
    return sum(F(nth, rank) for nth, rank in enumerate(hits(grades[:k], rel), start=1)) / by if by else F(0)


def precision_at_multiple(grades, counts, retrieved, multiple, rel=1):
    ranks = int(multiple * base(counts, rel) + 0.9)
    return F(len(hits(grades[:ranks], rel)), ranks) if ranks else F(0)


def set_average_precision(grades, counts, retrieved, rel=1, k=None):
    by = (k or retrieved) * base(counts, rel)
    return F(len(hits(grades[:k], rel)) ** 2, by) if by else F(0)


def utility(grades, counts, retrieved, *, worths, rel=1, k=None, n=0):
    found, listed = len(hits(grades[:k], rel)), min(k or retrieved, retrieved)
    missed = base(counts, rel) - found
    cells = (found, listed - found, missed, n - listed - missed)
    return sum((F(worth) * cell for worth, cell in zip(worths, cells, strict=True)), F(0))


def ideal(counts, gain=lambda grade: grade):
    return sorted((gain(grade) for grade, count in enumerate(counts) for _ in range(count) if gain(grade) > 0), reverse=True)


def dcg(gains):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def gains_of(grades, gain=lambda grade: grade):
    return [gain(grade) if grade >= 0 else 0 for grade in grades]


def ndcg_over_relevant(grades, counts, retrieved, gain=lambda grade: grade):
    """Return nDCG at each relevant document; those that are not retrieved count with the nDCG of the whole list."""
    run, best = gains_of(grades, gain), ideal(counts, gain)
    if not best:
        return 0.0
    here = [dcg(run[: at + 1]) / dcg(best[: at + 1]) for at, value in enumerate(run) if value > 0]
    return (sum(here) + (len(best) - len(here)) * dcg(run) / dcg(best)) / len(best)


def ndcg_at_levels(grades, counts, retrieved, gain=lambda grade: grade):
    run, best = gains_of(grades, gain), ideal(counts, gain)
    if not best or not base(counts):
        return 0.0
    ends = [at for at in range(1, len(best) + 1) if at == len(best) or best[at] != best[at - 1]]
    points = [dcg(run[:end]) / dcg(best[:end]) for end in ends]
    if retrieved >= len(best) + 2:
        points.append(dcg(run) / dcg(best))
    return sum(points) / len(points)


def buckley_g(grades, counts, retrieved, gain=lambda grade: grade):
    run, best = gains_of(grades, gain), ideal(counts, gain)
    total, cost, seen = 0.0, 0, 0
    for at, value in enumerate(run):
        seen += value
        cost += max(best[at] if at < len(best) else 0, 1)
        total += value / math.log2(2 + cost - seen) if value else 0
    return total / sum(best) if best else 0.0


def binary_g(grades, counts, rel=1):
    found = hits(grades, rel)
    total = sum((1 / mpmath.log(2 + rank - nth, 2) for nth, rank in enumerate(found, start=1)), mpmath.mpf(0))
    return total / base(counts, rel) if base(counts, rel) else mpmath.mpf(0)


def graded_average_precision(grades, counts, retrieved, chances, k=None):
    """Robertson, Kanoulas and Yilmaz, equation 7: each pair of documents counts for the users who call both relevant."""

    def common(grade):
        return sum((F(chance) for level, chance in chances.items() if level <= grade), F(0))

    top = [max(grade, 0) for grade in grades[:k]]
    total = sum((sum((common(min(top[n], top[m])) for m in range(n + 1)), F(0)) / (n + 1) for n in range(len(top)) if top[n]), F(0))
    under = sum((count * common(grade) for grade, count in enumerate(counts)), F(0))
    return total / under if under else F(0)


def q_measure(grades, counts, retrieved, beta=1):
    run, best = gains_of(grades), ideal(counts)
    total = F(0)
    for at, value in enumerate(run, start=1):
        if value:
            count = sum(each > 0 for each in run[:at])
            total += F(count + beta * sum(run[:at])) / (at + beta * sum(best[:at]))
    return total / len(best) if best else F(0)


def normalised_gain(grades, counts, retrieved, k=None, gain=F):
    most = sum(ideal(counts, gain)[:k], F(0))
    return sum(gains_of(grades[:k], gain), F(0)) / most if most else F(0)


def user(grades, top, goes_on, expected="utility", *, k=None, seen=SEEN):
    """C/W/L: a user who goes on from rank i, of a known gain and total gain down to i, with probability goes_on(i, gain, total)."""
    gains = ([min(F(max(grade, 0), top), F(1)) for grade in grades[:k]] + [F(0)] * seen)[:seen]
    totals = list(accumulate(gains))
    chance, weights, last = F(1), [], []
    for rank, (gain, total) in enumerate(zip(gains, totals, strict=True), start=1):
        going_on = goes_on(rank, gain, total)
        weights.append(chance)
        last.append(chance * (1 - going_on))
        chance *= going_on
        if not chance:
            break
    if expected == "utility":
        return sum(w * g for w, g in zip(weights, gains, strict=False) if g) / sum(weights)
    if expected == "items":
        return sum(weights)
    if expected == "cost":
        return F(1)
    worths = totals if expected == "total-utility" else range(1, seen + 1)
    return sum((one * worth for one, worth in zip(last, worths, strict=False)), F(0))


def bejewelled(k, t=1):
    return lambda rank, gain, total: F(rank < k and total < t)


def insq(t=1):
    return lambda rank, gain, total: F(rank + 2 * t - 1, rank + 2 * t) ** 2


@cache
def insq_weights():
    """W_i for T = 1: the product of ((j + 1) / (j + 2))² over the ranks j before i telescopes to (2 / (i + 1))²."""
    seen = [F(2, rank + 1) ** 2 for rank in range(1, SEEN + 1)]
    return [one / sum(seen) for one in seen[:6]]


def inst(t=1):
    return lambda rank, gain, total: float((rank + 2 * t - total - 1) / (rank + 2 * t - total)) ** 2


def accuracy(grades, counts, retrieved, rel=1, k=None):
    listed = [grade >= rel for grade in grades[: min(k or retrieved, retrieved)]]
    pairs = [(one, other) for one in range(len(listed)) for other in range(len(listed)) if listed[one] and not listed[other]]
    return F(sum(one < other for one, other in pairs), len(pairs)) if pairs else F(0)


def compatibility(grades, counts, retrieved, p, *, normalize=True, k=None):
    """Rank-biased overlap of two lists of names, document by document, as in the paper."""
    run = [(grade, rank) for rank, grade in enumerate(grades[: min(k or retrieved, retrieved)])]
    best = []
    for grade in range(len(counts) - 1, 0, -1):
        retrieved_ones = [document for document in run if document[0] == grade]
        best += retrieved_ones + [(grade, -1 - number) for number in range(counts[grade] - len(retrieved_ones))]

    def overlap(one, other, depth):
        total = sum(p ** (at - 1) * len(set(one[:at]) & set(other[:at])) / at for at in range(1, depth + 1))
        return total / sum(p ** (at - 1) for at in range(1, depth + 1))

    depth = max(len(run), len(best))
    if not best:
        return 0.0
    return overlap(run, best, depth) / (overlap(best, best, depth) if normalize else 1)


def residual(grades, counts, retrieved, p):
    if all(grade >= 0 for grade in grades[:retrieved]):
        return F(0)
    return sum(((1 - p) * p**at for at, grade in enumerate(grades) if grade < 0), F(0)) + p ** len(grades)


def scaled(grades, k, top):
    total = sum(
        (F(max(grade, 0), top).numerator / (F(max(grade, 0), top).denominator * mpmath.log(rank + 1, 2)))
        for rank, grade in enumerate(grades[:k], start=1)
    )
    return mpmath.mpf(total) / sum(1 / mpmath.log(rank + 1, 2) for rank in range(1, k + 1))


def highest(counts):
    return max((grade for grade, count in enumerate(counts) if count), default=0) or 1


def unjudged(grades, counts, retrieved, k=None):
    listed = min(k or retrieved, retrieved)
    return F(sum(grade < 0 for grade in grades[:listed]), k or retrieved) if (k or retrieved) else F(0)


RATIONAL = {
    "R(capped=True)@5": partial(capped_recall, k=5),
    "R(capped=True, rel=2)": partial(capped_recall, rel=2),
    "AP(capped=True)@5": partial(capped_average_precision, k=5),
    "AP(capped=True)": capped_average_precision,
    "Rprec(multiple=0.4)": partial(precision_at_multiple, multiple=0.4),
    "Rprec(multiple=1.8, rel=2)": partial(precision_at_multiple, multiple=1.8, rel=2),
    "SetAP": set_average_precision,
    "SetAP(rel=2)@4": partial(set_average_precision, rel=2, k=4),
    "Utility": partial(utility, worths=(1, -1, 0, 0)),
    "Utility(a=2, b=-1, c=-0.5, d=0.25, collection=100)@6": partial(utility, worths=(2, -1, F(-1, 2), F(1, 4)), k=6, n=100),
    "gAP(thresholds={1: 0.5, 2: 0.25, 3: 0.25})": partial(graded_average_precision, chances={1: F(1, 2), 2: F(1, 4), 3: F(1, 4)}),
    "gAP(thresholds={1: 1})@6": partial(graded_average_precision, chances={1: F(1)}, k=6),
    "NCG": normalised_gain,
    "NCG(gains={1: 1, 2: 0.5, 3: 7})@4": partial(
        normalised_gain, k=4, gain=lambda grade: {0: F(0), 1: F(1), 2: F(1, 2), 3: F(7)}[grade]
    ),
    "BPM(max_grade=3)@6": lambda g, c, n: user(g, 3, bejewelled(6)),
    "BPM(max_grade=3, T=2, expected='total-utility')@5": lambda g, c, n: user(g, 3, bejewelled(5, 2), "total-utility", seen=5),
    "NERR8(max_grade=3)@6": lambda g, c, n: user(g, 3, lambda rank, gain, total: (1 - gain) * (rank < 6), k=6),
    "NERR9(max_grade=3)@5": lambda g, c, n: user(g, 3, lambda rank, gain, total: F(rank, rank + 1) * (1 - gain) * (rank < 5), k=5),
    "NERR8(max_grade=3, expected='total-cost')@5": lambda g, c, n: user(
        g, 3, lambda rank, gain, total: (1 - gain) * (rank < 5), "total-cost", k=5
    ),
    "INSQ(max_grade=3)@6": lambda g, c, n: sum((w * F(max(x, 0), 3) for w, x in zip(insq_weights(), g[:6], strict=False)), F(0)),
    "RBP(p=0.9, gains='grade')": lambda g, c, n: sum(
        (F(1, 10) * F(9, 10) ** at * F(max(grade, 0), highest(c)) for at, grade in enumerate(g)), F(0)
    ),
    "RBPResidual(p=0.9, tail='unjudged')": partial(residual, p=F(9, 10)),
    "IPrec11(at=(0.25, 0.75))": lambda g, c, n: (interpolated(g, c, 0.25) + interpolated(g, c, 0.75)) / 2,
    "Accuracy": accuracy,
    "Accuracy(rel=2)@5": partial(accuracy, rel=2, k=5),
    "Unjudged@5": partial(unjudged, k=5),
    "Unjudged": unjudged,
    "NumNonRelRet(rel=2)@5": lambda g, c, n: F(sum(0 <= grade < 2 for grade in g[:5])),
    "NumQ": lambda g, c, n: F(n > 0),
}
IRRATIONAL = {
    "binG": binary_g,
    "binG(rel=2)": partial(binary_g, rel=2),
    "SDCG(max_grade=3)@6": lambda grades, counts: scaled(grades, 6, 3),
}
DOUBLES = {
    "nDCGrel": ndcg_over_relevant,
    "nDCGrel(gains={1: 0, 2: 1, 3: 5})": partial(ndcg_over_relevant, gain=lambda grade: (0, 0, 1, 5)[grade]),
    "RnDCG": ndcg_at_levels,
    "RnDCG(gains={1: 2, 2: 2, 3: 9})": partial(ndcg_at_levels, gain=lambda grade: (0, 2, 2, 9)[grade]),
    "G": buckley_g,
    "G(gains={1: 0.5, 2: 4})": partial(buckley_g, gain=lambda grade: (0, 0.5, 4, 3)[grade]),
    "Q": q_measure,
    "Q(beta=0)": partial(q_measure, beta=0),
    "Compat(p=0.9)": partial(compatibility, p=0.9),
    "Compat(p=0.8, normalize=False)@5": partial(compatibility, p=0.8, normalize=False, k=5),
    "INST(T=2, max_grade=3)": lambda g, c, n: user(g, 3, inst(2)),
    "NERR10(p=0.8, max_grade=3)@6": lambda g, c, n: user(g, 3, lambda rank, gain, total: 0.8 * float(1 - gain), k=6),
    "NERR11(T=1, max_grade=3)": lambda g, c, n: user(g, 3, lambda rank, gain, total: float(insq()(rank, gain, total) * (1 - gain))),
    "INST(max_grade=3, expected='items')": lambda g, c, n: user(g, 3, inst(), "items"),
    "INSQ(max_grade=3, expected='total-cost')": lambda g, c, n: user(
        g, 3, lambda rank, gain, total: float(insq()(rank, gain, total)), "total-cost"
    ),
    "SDCG(max_grade=3, expected='items')@4": lambda g, c, n: sum(1 / math.log2(rank + 1) for rank in range(1, 5)),
    "BPM(expected='cost')@4": lambda g, c, n: 1.0,
}
"""Measures whose values Mensura has as doubles only."""


def interpolated(grades, counts, level):
    needed = max(1, int(level * base(counts) + 0.5))
    return max((F(nth, rank) for nth, rank in enumerate(hits(grades, 1), start=1) if nth >= needed), default=F(0))
