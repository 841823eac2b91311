"""Expected values over all orders of documents with equal scores, exactly (McSherry and Najork 2008).

A list falls into groups of equal scores. Each order of a group is equally probable, whatever the others do. Only lists with a group
of documents of different grades are computed here; for all others the order does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns

    Floats = NDArray[np.float64]
    Grades = NDArray[np.int8]
    Firsts = NDArray[np.int32]


def with_ties(judged: JudgedRuns, totals: Floats, expected: Callable[[Grades, Firsts], float]) -> Floats:
    """Return sums [system, topic] with the expected ones where the order of equal scores matters, if that is asked for.

    ``expected`` gets the grades of a list, and for each rank the place of the first document with the same score.
    """
    if judged.groups is None:
        return totals
    sums = totals.copy().reshape(-1)
    grades, groups = judged.grades.reshape(-1, judged.length), judged.groups.reshape(-1, judged.length)
    retrieved = judged.retrieved.reshape(-1)
    for row in np.flatnonzero(judged.ties.reshape(-1)).tolist():
        size = int(retrieved[row])
        sums[row] = expected(grades[row, :size], groups[row, :size])
    return sums.reshape(judged.shape)


def _sizes(first: Firsts) -> NDArray[np.int64]:
    """Number of documents with the same score, for each rank."""
    return np.bincount(first, minlength=len(first))[first]


def expected_sum(gain: Floats, weight: Floats, first: Firsts) -> float:
    """Σ weight · gain: every document of a group gains the mean of the group. Ranks after the last weight count nothing."""
    mean = np.bincount(first, gain, minlength=len(first))[first] / _sizes(first)
    ranks = min(len(weight), len(mean))
    return float((mean[:ranks] * weight[:ranks]).sum())


def expected_precisions(relevant: NDArray[np.bool_], first: Firsts, cutoff: int | None) -> float:
    """Σ precision at the relevant documents.

    A group of n documents, m of them relevant, begins after r relevant ones. Its p-th document is relevant with probability m / n,
    and has then r + 1 + (p − 1)(m − 1)/(n − 1) relevant ones down to itself.
    """
    size = _sizes(first)
    hits = np.bincount(first, relevant, minlength=len(first))
    before = (np.cumsum(hits) - hits)[first]
    inside = hits[first]
    place = np.arange(len(first)) - first
    others = np.divide(place * (inside - 1), size - 1, out=np.zeros(len(first)), where=size > 1)
    terms = inside / size * (before + 1 + others) / np.arange(1, len(first) + 1)
    return float(terms[:cutoff].sum())


def expected_cascade(stop: Floats, payoff: Floats, first: Firsts) -> float:
    """Σ payoff · P(a user stops there), for users who stop at a document with probability ``stop``.

    Users who pass p documents of a group do so with probability E_p: the mean, over all sets of p documents, of Π (1 − stop). They
    stop at its p-th document with probability E_{p−1} − E_p.
    """
    total, reach = 0.0, 1.0
    for start, end in _groups(first):
        passed = passing(1 - stop[start:end])
        ranks = slice(start, min(end, len(payoff)))
        total += reach * float((-np.diff(passed)[: max(ranks.stop - start, 0)] * payoff[ranks]).sum())
        reach *= float(passed[-1])
        if reach == 0.0 or end >= len(payoff):
            break
    return total


def passing(going_on: Floats) -> Floats:
    """E_0 … E_n: the means of the products of all sets of p numbers. Adding one number mixes neighbours, which loses no digits."""
    means = np.ones(1)
    for size, number in enumerate(going_on.tolist(), start=1):
        p = np.arange(size + 1)
        without, with_it = np.append(means, 0.0), np.concatenate(([0.0], means))
        means = ((size - p) * without + p * number * with_it) / size
    return means


def _groups(first: Firsts) -> Iterator[tuple[int, int]]:
    starts = np.flatnonzero(first == np.arange(len(first))).tolist()
    yield from zip(starts, [*starts[1:], len(first)], strict=True)
