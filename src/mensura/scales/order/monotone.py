"""Monotonicity: neither a replacement nor a swap makes a run worse (P0 §3.2).

Replacement: a document gives way to one of a higher grade at the same rank. Swap: two documents of different grades change places,
and the better one moves up. A measure of effectiveness should not fall at either.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from mensura.measures.decomposition import Additive, AveragePrecision, ByRank, Cascade, Counted
from mensura.measures.reals import exact_weights
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.verdicts import Answer, NoCounterexample, NotMonotone, Proven, Refuted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mensura.scales.order.runs import Run
    from mensura.scales.order.values import Subject

Change = Literal["replacement", "swap"]
MOST_RUNS = 1 << 14


def monotone(subject: Subject, change: Change) -> Answer:
    """Whether the measure never falls at a replacement, or at a swap."""
    if isinstance(subject.decomposition, ByRank) and subject.sense > 0:
        return _by_rank(subject, subject.decomposition, change)
    proof = _proof(subject, change)
    return Proven(proof) if proof else _search(subject, change)


def _by_rank(subject: Subject, parts: ByRank, change: Change) -> Answer:
    """The gain of a rank by a higher grade must not be negative (replacement), nor less than that of a lower rank (swap).

    Both conditions are needed: where one fails, the change happens in a run that contains nothing else.
    """
    gains = [[high - low for low, high in pairwise(row)] for row in parts.terms]
    for rank, row in enumerate(gains):
        for grade, gain in enumerate(row):
            if change == "replacement" and gain < 0:
                runs = [_only({rank: held}, subject.length) for held in (grade, grade + 1)]
                return _fallen(subject, f"replacement at rank {rank + 1}", *runs)
            upper = rank - 1
            if change == "swap" and upper >= 0 and gains[upper][grade] < gain:
                runs = [_only({upper: a, rank: b}, subject.length) for a, b in ((grade, grade + 1), (grade + 1, grade))]
                return _fallen(subject, f"swap of ranks {rank} and {rank + 1}", *runs)
    if change == "replacement":
        return Proven("no rank loses by a higher grade")
    return Proven("a higher grade gains at a rank at least as much as at a lower one")


def _only(grades: dict[int, int], length: int) -> Run:
    """A run with these grades, and 0 elsewhere."""
    return tuple(grades.get(rank, 0) for rank in range(length))


def _fallen(subject: Subject, step: str, before: Run, after: Run) -> Refuted:
    return Refuted(NotMonotone(step, before, after, subject.value(before), subject.value(after)))


def _proof(subject: Subject, change: Change) -> str | None:
    """Reason why it holds for every length, if there is one."""
    rises = subject.sense > 0
    match subject.decomposition:
        case Additive(discount, gains):
            if not rises or any(low > high for low, high in pairwise(gains)):
                return None
            weights = exact_weights(discount, subject.length)
            if change == "replacement":
                fine = all(weight.sign() >= 0 for weight in weights)
                return "no weight is negative and gains do not fall with the grade" if fine else None
            falling = all(not low < high for low, high in pairwise(weights))
            return "weights do not rise with the rank and gains do not fall with the grade" if falling else None
        case AveragePrecision() if rises:
            return "the m-th relevant document moves up for every m, and no relevant one is lost: Σ m/rank cannot fall"
        case Cascade(stops, payoff, never):
            good = rises == (payoff == "1/i") and all(low <= high for low, high in pairwise(stops))
            last = never <= 0 if payoff == "1/i" else never >= subject.length
            if good and last and stops[0] >= 0 and stops[-1] <= 1:
                return "the probability to continue beyond a rank does not rise at any rank: the user stops earlier"
        case Counted(statistic, values):
            better = [subject.sense * value for value in (values[::-1] if statistic == "first" else values)]
            if all(low <= high for low, high in pairwise(better)):
                return {
                    "relevant": "the number of relevant documents does not fall",
                    "first": "the first relevant document does not move down",
                    "any": "if there was a relevant document, there still is one",
                }[statistic]
    return None


def _search(subject: Subject, change: Change) -> Answer:
    """All changes of all runs, of a shorter length (followed by zeros) if there are too many."""
    base = subject.top + 1
    length = min(subject.length, len(np.base_repr(MOST_RUNS, base)) - 1)
    order = RunOrder(length, subject.top)
    runs = np.array(list(order.runs()), dtype=np.int64)
    values = subject.values(runs)
    powers = base ** np.arange(length - 1, -1, -1)
    worst: tuple[int, int, str] | None = None
    for step, before, after in _changes(runs, powers, subject.top, change):
        fallen = np.flatnonzero(values.numbers[before] - values.numbers[after] > values.slack)
        for at in fallen[:1]:
            fall = (int(before[at]), int(after[at]), step)
            worst = min(worst, fall) if worst else fall
    if worst is None:
        what = f"all {change}s in all {order.size} runs of length {length}"
        if values.unit is not None and length == subject.length:
            return Proven(f"{what} were tried")
        return NoCounterexample(what if values.unit is not None else f"{what}, in floating point")
    low, high = (_whole(runs[which], subject.length) for which in worst[:2])
    return Refuted(NotMonotone(worst[2], low, high, subject.value(low), subject.value(high)))


def _changes(
    runs: NDArray[np.int64], powers: NDArray[np.int64], top: int, change: Change
) -> Iterator[tuple[str, NDArray[np.int64], NDArray[np.int64]]]:
    """Kinds of change, with the numbers of the runs before and after; a run's number is its grades read as digits."""
    length = runs.shape[1]
    if change == "replacement":
        for rank in range(length):
            before = np.flatnonzero(runs[:, rank] < top)
            yield f"replacement at rank {rank + 1}", before, before + powers[rank]
        return
    for upper in range(length):
        for lower in range(upper + 1, length):
            before = np.flatnonzero(runs[:, upper] < runs[:, lower])
            gain = runs[before, lower] - runs[before, upper]
            yield f"swap of ranks {upper + 1} and {lower + 1}", before, before + gain * (powers[upper] - powers[lower])


def _whole(run: NDArray[np.int64], length: int) -> Run:
    return tuple(run.tolist()) + (0,) * (length - len(run))
