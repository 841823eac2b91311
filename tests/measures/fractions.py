"""The definitions of the measures once more, rank by rank in exact numbers, for one list; nothing is shared with the package.

A list is (grades, counts, retrieved): the grades of its ranks (−1 without judgment, also after its end), the number of judged
documents of each grade of the topic, and the number of documents of the list.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath

mpmath.mp.dps = 220
F = Fraction
ONE, FOUR_FIFTHS = F(1), F(4, 5)
LEVELS = tuple(level / 10 for level in range(11))


def hits(grades, rel):
    return [rank for rank, grade in enumerate(grades, start=1) if grade >= rel]


def base(counts, rel=1):
    return sum(counts[rel:])


def precision(grades, counts, retrieved, rel=1, k=None):
    size = k or retrieved
    return F(len(hits(grades[:k], rel)), size) if size else F(0)


def recall(grades, counts, retrieved, rel=1, k=None):
    return F(len(hits(grades[:k], rel)), base(counts, rel)) if base(counts, rel) else F(0)


def f_measure(grades, counts, retrieved, rel=1, k=None, *, beta=ONE):
    p, r = precision(grades, counts, retrieved, rel, k), recall(grades, counts, retrieved, rel, k)
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p and r else F(0)


def success(grades, counts, retrieved, rel=1, k=None):
    return F(bool(hits(grades[:k], rel)))


def reciprocal_rank(grades, counts, retrieved, rel=1, k=None):
    return F(1, hits(grades[:k], rel)[0]) if hits(grades[:k], rel) else F(0)


def first_rank(grades, counts, retrieved, rel=1, k=None):
    found = hits(grades[:k], rel)
    return F(found[0] if found else (k or len(grades)) + 1)


def r_precision(grades, counts, retrieved, rel=1, k=None):
    size = base(counts, rel)
    return F(len(hits(grades[:k][:size], rel)), size) if size else F(0)


def average_precision(grades, counts, retrieved, rel=1, k=None):
    total = sum(F(nth, rank) for nth, rank in enumerate(hits(grades[:k], rel), start=1))
    return F(total, base(counts, rel)) if base(counts, rel) else F(0)


def bpref(grades, counts, retrieved, rel=1, k=None):
    size, others = base(counts, rel), sum(counts[:rel])
    total = F(0)
    for rank in hits(grades[:k], rel):
        above = sum(0 <= grade < rel for grade in grades[: rank - 1])
        total += 1 - (F(min(above, size), min(others, size)) if min(others, size) else 0)
    return total / size if size else F(0)


def interpolated(grades, counts, retrieved, rel=1, k=None, *, levels=LEVELS):
    found = hits(grades[:k], rel)
    points = [F(nth, rank) for nth, rank in enumerate(found, start=1)]
    total = F(0)
    for level in levels:
        needed = max(1, int(level * base(counts, rel) + 0.5))  # in doubles, as trec_eval rounds
        total += max(points[needed - 1 :], default=F(0))
    return total / len(levels)


def rank_biased(grades, counts, retrieved, rel=1, k=None, *, p=FOUR_FIFTHS, gains=None):
    def gain(grade):
        return F(1) if gains is None else gains.get(grade, F(0))

    found = ((rank, grade) for rank, grade in enumerate(grades[:k], start=1) if grade >= rel)
    return sum(((1 - p) * p ** (rank - 1) * gain(grade) for rank, grade in found), F(0))


def residual(grades, counts, retrieved, k=None, *, p=FOUR_FIFTHS):
    top = grades[:k] + [-1] * ((k or 0) - len(grades))
    return sum(((1 - p) * p**place for place, grade in enumerate(top) if grade < 0), F(0)) + p ** len(top)


def cascade(grades, counts, retrieved, stops, k=None, *, payoff=lambda rank: F(1, rank), never=None):
    there, total = F(1), F(0)
    for rank, grade in enumerate(grades[:k], start=1):
        chance = stops[max(grade, 0)]
        total += there * chance * payoff(rank)
        there *= 1 - chance
    return total + there * (((k or len(grades)) + 1) if never else 0)


def judged_share(grades, counts, retrieved, k=None):
    size = min(k or retrieved, retrieved)
    return F(sum(grade >= 0 for grade in grades[:k]), size) if size else F(0)


def inferred(grades, counts, retrieved, rel=1, k=None):
    epsilon, total = F(1, 100000), F(0)
    for rank in hits(grades[:k], rel):
        above = grades[: rank - 1]
        relevant, others = len(hits(above, rel)), sum(0 <= grade < rel for grade in above)
        pool = relevant + others + sum(grade < -1 for grade in above)
        rate = (relevant + epsilon) / (relevant + others + 2 * epsilon)
        total += F(1, rank) + F(pool, rank) * rate if rank > 1 else 1
    return total / base(counts, rel) if base(counts, rel) else F(0)


def area(grades, counts, retrieved, k=None, h=lambda rank: F(1)):
    """Acorr: P(i) from the places in the ideal ranking nearest to the run, one document after the other."""
    size = k or max(min(retrieved, len(grades)), base(counts), 1)
    top = [max(grade, 0) for grade in (grades + [-1] * size)[:size]]
    nexts = [sum(counts[grade + 1 :]) for grade in range(max(*top, len(counts)) + 1)]  # place before the first of each grade
    point, before, lost, worst = 0, 0, F(0), F(0)
    for rank, grade in enumerate(top, start=1):
        nexts[grade] += 1
        point += nexts[grade] - rank
        lost += F(before + point, 2) * h(rank)
        worst += base(counts) * (rank - F(1, 2)) * h(rank)
        before = point
    return 1 - lost / worst if worst else F(0)


def discounted(grades, k, gains, b=None):
    """DCG in 220 digits."""
    total = mpmath.mpf(0)
    for rank, grade in enumerate(grades[:k], start=1):
        if grade >= 0 and gains(grade):
            weight = mpmath.log(rank + 1, 2) if b is None else max(mpmath.mpf(1), mpmath.log(rank) / mpmath.log(b))
            total += mpmath.mpf(gains(grade).numerator) / gains(grade).denominator / weight
    return total


def normalised(grades, counts, k, gains, b=None):
    """Return nDCG in 220 digits."""
    ideal = sorted((grade for grade, count in enumerate(counts) for _ in range(count)), key=gains, reverse=True)
    best = discounted(ideal, k, gains, b)
    return discounted(grades, k, gains, b) / best if best else mpmath.mpf(0)


def by_rank(grades, counts, retrieved, k, *, n, urs):
    """ADM from ranks among n documents."""
    top = [max(grade, 0) for grade in (grades + [-1] * k)[:k]]
    return 1 - sum(abs(F(n - place, n) - urs[grade]) for place, grade in enumerate(top)) / k
