"""Difference structures (P0 §2.2, Definition 1 and Theorem 1), and interval scales on the two top-heavy orders of runs (P0 §1).

A difference structure is a finite set with an order ≼ of the differences Δ_ab of its elements, such that

1. ≼ is a weak order;
2. Δ_ab ≼ Δ_cd implies Δ_dc ≼ Δ_ba;
3. Δ_ab ≼ Δ_a'b' and Δ_bc ≼ Δ_b'c' imply Δ_ac ≼ Δ_a'c';
4. solvability: if Δ_aa ≼ Δ_cd ≼ Δ_ab, there are d' and d'' with Δ_ad' = Δ_cd = Δ_d''b.

Theorem 1: there is then a scale M with Δ_ab ≼ Δ_cd if and only if M(b) − M(a) ≤ M(d) − M(c), an interval scale. Solvability makes
the elements equally spaced: it is the axiom that measures of retrieval fail.

Strong top-heaviness is the total order of runs in which the first rank decides; its differences are those of the places. Weak
top-heaviness is the partial order of swaps and replacements; its differences are numbers of steps, the natural distance.
"""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.measures.decomposition import Additive
from mensura.measures.reals import exact_weights
from mensura.scales.order.equispaced import linear_gains
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.verdicts import Answer, NoCounterexample, Proven, Refuted, UnequalSteps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.scales.order.runs import Run
    from mensura.scales.order.values import Subject

Heaviness = Literal["strong", "weak"]
MOST_RUNS = 1 << 12


def broken_axiom(differences: Sequence[Sequence[Any]]) -> tuple[int, tuple[int, ...]] | None:
    """The first axiom of Definition 1 that fails, and the elements that show it; None for a difference structure.

    ``differences`` are numbers whose order is that of the differences: differences[a][b] of Δ_ab.

    Examples
    --------
    Places 0, 1, 2 are a difference structure; 0, 1, 3 are not, for nothing is 1 below 3.

    >>> broken_axiom([[b - a for b in (0, 1, 2)] for a in (0, 1, 2)])
    >>> broken_axiom([[b - a for b in (0, 1, 3)] for a in (0, 1, 3)])
    (4, (0, 2, 0, 1))
    """
    numbers = range(len(differences))
    delta = {(a, b): differences[a][b] for a in numbers for b in numbers}
    for a, b, c, d in product(numbers, repeat=4):  # numbers are always in a weak order, axiom 1
        if delta[a, b] <= delta[c, d] and not delta[d, c] <= delta[b, a]:
            return 2, (a, b, c, d)
    for a, b, c in product(numbers, repeat=3):
        for other in product(numbers, repeat=3):
            x, y, z = other
            if delta[a, b] <= delta[x, y] and delta[b, c] <= delta[y, z] and not delta[a, c] <= delta[x, z]:
                return 3, (a, b, c, *other)
    for a, b, c, d in product(numbers, repeat=4):
        if delta[a, a] <= delta[c, d] <= delta[a, b]:
            reached = any(delta[a, e] == delta[c, d] for e in numbers) and any(delta[e, b] == delta[c, d] for e in numbers)
            if not reached:
                return 4, (a, b, c, d)
    return None


def represented(differences: Sequence[Sequence[Any]]) -> list[int] | None:
    """The scale of Theorem 1, whole numbers from 0; None if this is not a difference structure."""
    if broken_axiom(differences) is not None:
        return None
    numbers = range(len(differences))
    low = min(numbers, key=lambda a: sum(differences[a][b] < differences[a][a] for b in numbers))
    heights = sorted({differences[low][b] for b in numbers})
    return [heights.index(differences[low][b]) for b in numbers]


def interval_on(subject: Subject, heaviness: Heaviness) -> Answer:
    """Whether the measure is an interval scale on an order of runs: equal differences of runs are equal differences of values.

    On strong top-heaviness the value must rise by the same step from each run to the next; on weak top-heaviness at every swap of
    neighbours and every replacement at the last rank.
    """
    if heaviness == "weak" and subject.top > 1:
        return NoCounterexample("nothing: with more than two grades chains of runs differ in length, so there is no distance")
    steps = _steps(subject, heaviness)
    parts = subject.decomposition
    if heaviness == "strong" and isinstance(parts, Additive) and linear_gains(parts) and subject.sense > 0:
        weights = exact_weights(parts.discount, subject.length)
        if all(not (high - low * (subject.top + 1)).sign() for high, low in pairwise(weights)) and weights[-1].sign() > 0:
            return Proven(f"every weight is {subject.top + 1} times the next one: the value is the place of the run in the order")
    values = subject.values(np.array([run for pair in steps for run in pair]))
    rises = values.numbers[1::2] - values.numbers[::2]
    other = np.flatnonzero(np.abs(rises - rises[0]) > 2 * values.slack)
    if len(other):
        first, second = steps[0], steps[int(other[0])]
        return Refuted(UnequalSteps(first, second, *(subject.value(high) - subject.value(low) for low, high in (first, second))))
    if not rises[0] > values.slack:
        return Refuted(UnequalSteps(steps[0], steps[0], *[subject.value(steps[0][1]) - subject.value(steps[0][0])] * 2))
    if len(steps[0][0]) == subject.length and RunOrder(subject.length, subject.top).size <= MOST_RUNS and values.unit is not None:
        return Proven(f"all {len(steps)} steps of the order raise the value by the same amount")
    return NoCounterexample(f"{len(steps)} steps of the order{'' if values.unit is not None else ', in floating point'}")


def _steps(subject: Subject, heaviness: Heaviness) -> list[tuple[Run, Run]]:
    """Pairs of runs that follow one another: all of them, or of long runs those that differ in the last ranks."""
    length = min(subject.length, len(np.base_repr(MOST_RUNS, subject.top + 1)) - 1)
    short = list(RunOrder(length, subject.top).runs())
    empty = (0,) * (subject.length - length)
    if heaviness == "strong":
        return [(empty + low, empty + high) for low, high in pairwise(short)]
    return [(empty + low, empty + high) for low, high in RunOrder(length, subject.top).covers()]
