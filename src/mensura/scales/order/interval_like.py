"""Interval-like measures: do their differences respect the order on intervals? (P0 §3.2)

M is interval-like if Δ_sr ≥ Δ_vu implies M(s) − M(r) ≥ M(v) − M(u).

For an additive measure, Σ w_i r_i, summation by parts turns M(s) − M(r) into Σ c_i Δ_i with the second differences
c_i = w_i − 2w_{i+1} + w_{i+2} for i ≤ N − 2, c_{N−1} = w_{N−1} − 2w_N and c_N = w_N. So it is interval-like if no c_i is negative;
and only then, for there are intervals of one step each whose Δ differ in one place. If only intervals count whose ends hold equally
much relevance, Δ_N = Δ_{N−1}, and the last two become w_{N−1} − w_N.

For other measures, intervals are compared by search: those with the same Δ together, for only the smallest and the largest rise
within such a group can be part of a counterexample.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mensura.measures.decomposition import Additive, Counted, Weights
from mensura.measures.reals import Real, exact_weights
from mensura.scales.order.equispaced import linear_gains
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.intervals import Groups, group_intervals
from mensura.scales.order.verdicts import Answer, NoCounterexample, NotIntervalLike, Proven, Refuted

if TYPE_CHECKING:
    from mensura.scales.order.runs import Run
    from mensura.scales.order.values import Subject

MOST_DIFFERENCES = 20_000
"""Difference vectors that are compared with one another: binary runs of length 10."""


def interval_like(subject: Subject, *, equal_mass: bool = False) -> Answer:
    """Whether the measure is interval-like: on all intervals, or on those whose ends hold equally much relevance."""
    parts = _as_sum(subject)
    step = linear_gains(parts) if parts is not None else None
    if parts is not None and step is not None and subject.sense > 0:
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


def second_differences(weights: list[Real], *, equal_mass: bool = False) -> list[Real]:
    """The factors c_i of Δ_i; if ends hold equally much relevance, the last two are one."""
    inner = [one - two * 2 + three for one, two, three in zip(weights, weights[1:], weights[2:], strict=False)]
    times = 1 if equal_mass else 2
    before_last = [high - low * times for high, low in pairwise(weights)][-1:]
    return inner + before_last + ([] if equal_mass else weights[-1:])


def _by_second_differences(subject: Subject, parts: Additive, *, equal_mass: bool) -> Answer:
    weights = exact_weights(parts.discount, subject.length)
    for at, factor in enumerate(second_differences(weights, equal_mass=equal_mass)):
        if factor.sign() < 0:
            return _one_step_each(subject, at, equal_mass=equal_mass)
    what = "weights fall ever more slowly" if equal_mass else "weights fall ever more slowly, at the end by half or more"
    return Proven(f"all second differences of the weights are at least 0: {what}")


def _one_step_each(subject: Subject, at: int, *, equal_mass: bool) -> Refuted:
    """Two intervals of one step each whose Δ differ at one rank; after the last rank the second is empty."""
    larger = _step(at, subject.length)
    last = subject.length - (2 if equal_mass else 1)
    smaller = _step(at + 1, subject.length) if at < last else ((0,) * subject.length,) * 2
    return Refuted(_witness(subject, larger, smaller))


def _step(at: int, length: int) -> tuple[Run, Run]:
    """A document that moves up to a rank; or, at the last rank, appears."""

    def only(rank: int) -> Run:
        return tuple(int(place == rank) for place in range(length))

    return only(at + 1), only(at)


def _witness(subject: Subject, larger: tuple[Run, Run], smaller: tuple[Run, Run]) -> NotIntervalLike:
    rises = [(subject.value(high) - subject.value(low)) * subject.sense for low, high in (larger, smaller)]
    return NotIntervalLike(larger, smaller, rises[0], rises[1])


def _by_search(subject: Subject, *, equal_mass: bool) -> Answer:
    """Search among runs with no relevant document after rank 1, 2, 3 …, up to the length or as far as the search can go."""
    which = "intervals whose ends hold equally much relevance" if equal_mass else "intervals"
    searched = 0
    for length in range(1, subject.length + 1):
        if RunOrder(length, subject.top).difference_count > MOST_DIFFERENCES:
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
    """The counterexample with the fewest steps in both intervals together; among equals, the first in the order of the runs."""
    order = np.argsort(groups.steps, kind="stable")
    steps, lowest, highest = groups.steps[order], groups.lowest[order], groups.highest[order]
    columns = np.ascontiguousarray(groups.differences[order].T)
    best: int | None = None
    tied: list[tuple[int, int]] = []
    for large in range(len(order)):
        room = len(order) if best is None else int(np.searchsorted(steps, best - steps[large], side="right"))
        within = min(room, int(np.searchsorted(steps, steps[large], side="right")))  # Δ ≥ Δ' has at least as many steps
        rivals = np.flatnonzero(highest[:within] - lowest[large] > groups.values.slack)
        for column in columns:
            rivals = rivals[column[rivals] <= column[large]]
        if not len(rivals):
            continue
        least = int(steps[large] + steps[rivals[0]])
        if best is None or least < best:
            best, tied = least, []
        tied += [(int(order[large]), int(order[small])) for small in rivals[steps[large] + steps[rivals] == least]]
    return min((groups.first_pair(large, small) for large, small in tied), default=None)
