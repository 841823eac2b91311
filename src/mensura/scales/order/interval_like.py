"""Interval-like measures: their differences respect the order on intervals (P0 §3.2).

M is interval-like if Δ_sr ≥ Δ_vu, for every grade, implies M(s) − M(r) ≥ M(v) − M(u).

An additive measure Σ w_i·gain(r_i) is a sum over grades g of Σ w_i·[r_i ≥ g], times what grade g gains over g − 1. Summation by
parts turns Σ w_i·([s_i ≥ g] − [r_i ≥ g]) into Σ c_i Δ_i with the second differences c_i = w_i − 2w_{i+1} + w_{i+2} for i ≤ N − 2,
c_{N−1} = w_{N−1} − 2w_N and c_N = w_N. So a measure whose gains do not fall with the grade is interval-like if no c_i is negative;
and only then, for there are intervals of one document that moves whose Δ differ in one place. If only intervals count whose ends
contain equally many documents of each grade, Δ_N = Δ_{N−1}, and the last two become w_{N−1} − w_N.

For other measures, intervals are compared by search: those with the same Δ together, for only the smallest and the largest rise
within such a group can be part of a counterexample.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mensura.measures.decomposition import Additive, Counted, Weights
from mensura.measures.reals import Real, exact_weights
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.intervals import Groups, group_intervals
from mensura.scales.order.runs import interval_precedes
from mensura.scales.order.values import sign_of, subject_of
from mensura.scales.order.verdicts import Answer, NoCounterexample, NotIntervalLike, Proven, Refuted

if TYPE_CHECKING:
    from mensura.measures.base import Measure
    from mensura.scales.order.runs import Interval, Run
    from mensura.scales.order.values import Subject
    from mensura.scales.order.verdicts import Value

MOST_DIFFERENCES = 20_000
"""Difference vectors that are compared with one another: binary runs of length 10."""


def interval_like(subject: Subject, *, equal_mass: bool = False) -> Answer:
    """Whether the measure is interval-like: on all intervals, or where both ends have equally many documents of each grade."""
    parts = _as_sum(subject)
    if parts is not None and _gaining(parts) is not None and subject.sense > 0:
        return _by_second_differences(subject, parts, equal_mass=equal_mass)
    return _by_search(subject, equal_mass=equal_mass)


def _as_sum(subject: Subject) -> Additive | None:
    """The measure as a sum over ranks: an additive one, or a number of relevant documents with even steps."""
    parts = subject.decomposition
    if isinstance(parts, Counted) and parts.statistic == "relevant":
        steps = {high - low for low, high in pairwise(parts.values)}
        if len(steps) == 1:
            weights = [steps.copy().pop()] * parts.depth + [Fraction(0)] * (subject.length - parts.depth)
            return Additive(Weights(tuple(weights)), tuple(Fraction(grade >= parts.rel) for grade in subject.grades))
    return parts if isinstance(parts, Additive) else None


def _gaining(parts: Additive) -> int | None:
    """The lowest grade that gains something; None if there is none, or if a grade gains less than a lower one."""
    if any(low > high for low, high in pairwise(parts.gains)):
        return None
    return next((grade for grade, gain in enumerate(parts.gains) if gain > parts.gains[0]), None)


def second_differences(weights: list[Real], *, equal_mass: bool = False) -> list[Real]:
    """The factors c_i of Δ_i; with equally many documents at both ends, the last two are one."""
    inner = [one - two * 2 + three for one, two, three in zip(weights, weights[1:], weights[2:], strict=False)]
    times = 1 if equal_mass else 2
    before_last = [high - low * times for high, low in pairwise(weights)][-1:]
    return inner + before_last + ([] if equal_mass else weights[-1:])


def _by_second_differences(subject: Subject, parts: Additive, *, equal_mass: bool) -> Answer:
    weights = exact_weights(parts.discount, subject.length)
    for at, factor in enumerate(second_differences(weights, equal_mass=equal_mass)):
        if factor.sign() < 0:
            return _one_move_each(subject, _gaining(parts) or 1, at, equal_mass=equal_mass)
    what = "weights fall ever more slowly" if equal_mass else "weights fall ever more slowly, at the end by half or more"
    return Proven(f"all second differences of the weights are at least 0: {what}")


def _one_move_each(subject: Subject, grade: int, at: int, *, equal_mass: bool) -> Refuted:
    """Two intervals in which one document moves, whose Δ differ at one rank; after the last rank the second is empty."""
    larger = _move(grade, at, subject.length)
    last = subject.length - (2 if equal_mass else 1)
    smaller = _move(grade, at + 1, subject.length) if at < last else ((0,) * subject.length,) * 2
    return Refuted(_witness(subject, larger, smaller))


def _move(grade: int, at: int, length: int) -> tuple[Run, Run]:
    """A document that moves up to a rank; or, at the last rank, appears."""

    def only(rank: int) -> Run:
        return tuple(grade if place == rank else 0 for place in range(length))

    return only(at + 1), only(at)


def _witness(subject: Subject, larger: tuple[Run, Run], smaller: tuple[Run, Run]) -> NotIntervalLike:
    rises = [(subject.value(high) - subject.value(low)) * subject.sense for low, high in (larger, smaller)]
    return NotIntervalLike(larger, smaller, rises[0], rises[1])


def _by_search(subject: Subject, *, equal_mass: bool) -> Answer:
    """Search among runs with no relevant document after rank 1, 2, 3 …, up to the length or as far as the search can go."""
    which = "intervals with equally many documents of each grade at both ends" if equal_mass else "intervals"
    searched = 0
    for length in range(1, subject.length + 1):
        number = RunOrder(length, subject.top).difference_count
        if number is None or number > MOST_DIFFERENCES:
            break
        groups = group_intervals(subject, length, equal_mass=equal_mass)
        violation = smallest_violation(groups)
        if violation is not None:
            witness = _witness(subject, *violation)
            if witness.rise_larger < witness.rise_smaller:
                return Refuted(witness)
        searched = length
    ranks = f"runs of length {searched}" if searched == subject.length else f"runs with no relevant document after rank {searched}"
    if searched == subject.length and subject.exact:
        return Proven(f"all pairs of {which} of {ranks} were compared")
    return NoCounterexample(f"all pairs of {which} of {ranks}{'' if subject.exact else ', in floating point'}")


def smallest_violation(groups: Groups) -> tuple[tuple[Run, Run], tuple[Run, Run]] | None:
    """The counterexample with the smallest intervals, both heights together; among equals, the first in the order of the runs."""
    order = np.argsort(groups.sizes, kind="stable")
    sizes, lowest, highest = groups.sizes[order], groups.lowest[order], groups.highest[order]
    columns = np.ascontiguousarray(groups.differences[order].T)
    best: int | None = None
    tied: list[tuple[int, int]] = []
    for large in range(len(order)):
        room = len(order) if best is None else int(np.searchsorted(sizes, best - sizes[large], side="right"))
        within = min(room, int(np.searchsorted(sizes, sizes[large], side="right")))  # Δ ≥ Δ' is at least as large
        rivals = np.flatnonzero(highest[:within] - lowest[large] > groups.values.slack)
        for column in columns:
            rivals = rivals[column[rivals] <= column[large]]
        if not len(rivals):
            continue
        least = int(sizes[large] + sizes[rivals[0]])
        if best is None or least < best:
            best, tied = least, []
        tied += [(int(order[large]), int(order[small])) for small in rivals[sizes[large] + sizes[rivals] == least]]
    return min((groups.first_pair(large, small) for large, small in tied), default=None)


@dataclass(frozen=True)
class Rises:
    """Values of a measure at the ends of two intervals of runs.

    Attributes
    ----------
    measure
        The measure.
    values
        Its values of the runs r, s, u, v. What it divides by because of the recall base is left out, as in its decomposition.
    respects
        Whether M(s) − M(r) and M(v) − M(u) are in the order of the intervals [r, s] and [u, v]; None for incomparable ones.
    """

    measure: Measure
    values: tuple[Value, Value, Value, Value]
    respects: bool | None

    @property
    def rises(self) -> tuple[Value, Value]:
        """M(s) − M(r) and M(v) − M(u)."""
        r, s, u, v = self.values
        return s - r, v - u


def rises(measure: Measure, first: Interval, second: Interval) -> Rises:
    """The rises of a measure in two intervals [r, s] and [u, v] (P0 §3.3).

    Examples
    --------
    P0 §3.3: a swap at rank 6 is a smaller interval than one at rank 3, but not for ERR.

    >>> from mensura import ERR
    >>> from mensura.scales.order.runs import parse_run
    >>> r, s, u, v = map(parse_run, "0000001110 0000010110 1101011011 1110011011".split())
    >>> answer = rises(ERR() @ 10, (r, s), (u, v))
    >>> [round(float(rise), 6) for rise in answer.rises], answer.respects
    ([0.011905, 0.010417], False)
    """
    subject = subject_of(measure, *first, *second)
    r, s, u, v = (subject.value(run) for run in (*first, *second))
    sign = subject.sense * sign_of((s - r) - (v - u), (r, s, u, v))
    larger, smaller = interval_precedes(second, first), interval_precedes(first, second)
    respects = (not larger or sign >= 0) and (not smaller or sign <= 0) if larger or smaller else None
    return Rises(subject.measure, (r, s, u, v), respects)
