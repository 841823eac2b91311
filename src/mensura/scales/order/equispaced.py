"""Equal spacing of the values of a measure, which is then an interval scale on the order that it induces (P4 §IV-B).

If so, all values are whole numbers of steps away from the smallest one, and the step is the distance of the two smallest values.
That decides long runs without listing their values: additive measures completely, others by two relevant documents at most.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from mensura.measures.decomposition import Additive, AveragePrecision, ByRank, Cascade, Counted
from mensura.measures.reals import exact_weights, rational
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.monotone import monotone
from mensura.scales.order.verdicts import Answer, NoCounterexample, NotEquispaced, Proven, Refuted, show

if TYPE_CHECKING:
    from mensura.scales.order.runs import Run
    from mensura.scales.order.values import Subject

MOST_RUNS = 1 << 16
ONE_VALUE = "the one value that there is, whatever the grades"


def equispaced(subject: Subject) -> Answer:
    """Whether the distinct values of the measure over all runs of the length are equally far apart."""
    parts = subject.decomposition
    if isinstance(parts, Counted):
        return _counted(subject, parts)
    if isinstance(parts, Additive) and linear_gains(parts) and _all_positive(parts, subject.length):
        return _additive(subject, parts)
    if isinstance(parts, ByRank) and subject.top == 1:
        return _binary_by_rank(subject, parts)
    if RunOrder(subject.length, subject.top).size <= MOST_RUNS:
        return _listed(subject, list(RunOrder(subject.length, subject.top).runs()))
    return _sampled(subject)


def linear_gains(parts: Additive) -> Fraction | None:
    """The gain of one grade, if the gain of g grades is g times that and positive."""
    step = parts.gains[1] - parts.gains[0]
    steady = step > 0 and not parts.gains[0] and all(high - low == step for low, high in pairwise(parts.gains))
    return step if steady else None


def _all_positive(parts: Additive, length: int) -> bool:
    return all(weight.sign() > 0 for weight in exact_weights(parts.discount, length))


def _additive(subject: Subject, parts: Additive) -> Answer:
    """Weights in rising order: each must be a whole number of steps, and at most one step above all that smaller ones reach."""
    weights = sorted(
        zip(exact_weights(parts.discount, subject.length), range(subject.length), strict=True), key=lambda pair: pair[0]
    )
    step, place = weights[0]
    reach = 0
    for weight, rank in weights:
        multiple = weight.over(step)
        if multiple is None or multiple.denominator > 1:
            return _refuted(subject, [{}, {place: 1}, {rank: 1}], neighbours=False)
        if multiple > reach + 1:
            below = {at: subject.top for other, at in weights if other < weight}
            one_less = below | {place: subject.top - 1}
            return _refuted(subject, [one_less, below, {rank: 1}], neighbours=True)
        reach += subject.top * int(multiple)
    size = step.over(rational(1)) or float(step)
    gain = parts.gains[1] if isinstance(size, Fraction) else float(parts.gains[1])
    return Proven(f"the values are 0, 1, …, {reach} steps of {show(size * gain)}")


def _binary_by_rank(subject: Subject, parts: ByRank) -> Answer:
    """With two grades, the values are the smallest one plus sums of what the better choice at each rank gains: weights again."""
    worst = {rank: int(high < low) for rank, (low, high) in enumerate(parts.terms)}
    weights = sorted((abs(high - low), rank) for rank, (low, high) in enumerate(parts.terms) if high != low)
    if not weights:
        return NoCounterexample(ONE_VALUE)

    def better(*ranks: int) -> dict[int, int]:
        return worst | {rank: 1 - worst[rank] for rank in ranks}

    step, place = weights[0]
    reach = 0
    for weight, rank in weights:
        multiple = weight / step
        if multiple.denominator > 1:
            return _refuted(subject, [worst, better(place), better(rank)], neighbours=False)
        if multiple > reach + 1:
            below = [at for other, at in weights if other < weight]
            return _refuted(subject, [better(*below[1:]), better(*below), better(rank)], neighbours=True)
        reach += int(multiple)
    return Proven(f"the values are the smallest and 1, …, {reach} steps of {show(step)} above it")


def _refuted(subject: Subject, marks: list[dict[int, int]], *, neighbours: bool) -> Refuted:
    return _three(subject, [_run(each, subject.length) for each in marks], neighbours=neighbours)


def _three(subject: Subject, runs: list[Run], *, neighbours: bool) -> Refuted:
    low, middle, high = sorted(((subject.value(run), run) for run in runs), key=lambda pair: float(pair[0]))
    return Refuted(NotEquispaced((low[1], middle[1], high[1]), (low[0], middle[0], high[0]), neighbours))


def _run(grades: dict[int, int], length: int) -> Run:
    """The run that has these grades at these ranks, counted from 0, and 0 elsewhere."""
    return tuple(grades.get(rank, 0) for rank in range(length))


def _counted(subject: Subject, parts: Counted) -> Answer:
    """Values of a measure that depends on one small number, in order; runs are made for a counterexample only."""
    if parts.rel > subject.top:
        return NoCounterexample(ONE_VALUE)
    numbers = sorted(range(len(parts.values)), key=lambda number: subject.sense * parts.values[number])
    gaps = [abs(parts.values[high] - parts.values[low]) for low, high in pairwise(numbers)]
    for at, (gap, after) in enumerate(pairwise(gaps)):
        if gap != after:
            runs = [_counting(subject, parts, number) for number in numbers[at : at + 3]]
            return _three(subject, runs, neighbours=True)
    return Proven(f"the {len(numbers)} values are equally far apart: {show(gaps[0])}")


def _counting(subject: Subject, parts: Counted, number: int) -> Run:
    """A run whose value is that of a number: of relevant documents, or of ranks before the first one."""
    if parts.statistic == "first":
        return _run({number: parts.rel} if number < parts.depth else {}, subject.length)
    return _run(dict.fromkeys(range(number), parts.rel), subject.length)


def _listed(subject: Subject, runs: list[Run]) -> Answer:
    """All values, in order."""
    values = subject.values(np.array(runs))
    order = np.argsort(values.numbers, kind="stable")
    numbers = values.numbers[order]
    first = np.concatenate(([True], np.diff(numbers) > values.slack))
    distinct, which = numbers[first], order[first]
    gaps = np.diff(distinct)
    uneven = np.flatnonzero(np.abs(np.diff(gaps)) > 2 * values.slack)
    if len(uneven):
        return _three(subject, [runs[at] for at in which[uneven[0] : uneven[0] + 3]], neighbours=True)
    if len(gaps) == 0:
        return NoCounterexample(ONE_VALUE)
    if values.unit is None:
        return NoCounterexample(f"the {len(distinct)} values of {len(runs)} runs, in floating point")
    return Proven(f"the {len(distinct)} values are equally far apart: {show(values.scaled(gaps[0]))}")


def _sampled(subject: Subject) -> Answer:
    """If the measure is monotone, its smallest value but one belongs to one document at the last rank.

    That document has the lowest grade that counts. Every other value must then be a whole number of such steps away; runs with one
    or two such documents are tried.
    """
    known = isinstance(subject.decomposition, AveragePrecision | Cascade) and subject.exact
    if not known or any(not isinstance(monotone(subject, change), Proven) for change in ("replacement", "swap")):
        return NoCounterexample(f"nothing: there are more than {MOST_RUNS} runs of length {subject.length}")
    empty = (0,) * subject.length
    origin = subject.value(empty)
    counts = [grade for grade in subject.grades if subject.value((*empty[:-1], grade)) != origin]
    looked = f"the values of runs of length {subject.length} with one or two documents of grade {min(counts, default=0)}"
    if not counts:
        return NoCounterexample(looked)
    last = (*empty[:-1], counts[0])
    step = subject.value(last) - origin
    for number in (1, 2):
        for ranks in combinations(range(subject.length - 1, -1, -1), number):
            run = _run(dict.fromkeys(ranks, counts[0]), subject.length)
            away = (subject.value(run) - origin) / step
            if isinstance(away, Fraction) and away.denominator > 1:
                return _three(subject, [empty, last, run], neighbours=False)
    return NoCounterexample(looked)
