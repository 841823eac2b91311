"""The values of a measure for many judged runs at once: exact wherever the measure has a decomposition."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.measures.decomposition import Additive, AveragePrecision, ByRank, Cascade, Counted, LogDiscount
from mensura.measures.geometric import with_rel
from mensura.measures.reals import Real, exact_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.measures.base import Measure
    from mensura.measures.decomposition import Decomposition
    from mensura.scales.order.runs import Run
    from mensura.scales.order.verdicts import Value

LARGEST = 1 << 62
CLOSE = 1e-9
"""Values that were computed in floating point are taken as equal if they differ by less than this share of the largest."""


@dataclass(frozen=True)
class Subject:
    """A measure on runs of a length, better values being larger: what properties are about.

    A value that the measure divides by because of the recall base is left out, as in its decomposition. A measure without one is
    computed for a topic that has ``length`` documents of every grade.
    """

    measure: Measure
    length: int
    grades: tuple[int, ...] = (0, 1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "measure", self.measure.on_topics)
        if self.measure.scale_obstacle is not None:
            raise ScaleError(f"{self.measure} has no scale over judged runs: {self.measure.scale_obstacle}")
        if self.length < 1:
            raise ScaleError(f"expected runs of at least 1 rank, got length {self.length}")
        if self.grades != tuple(range(len(self.grades))) or len(self.grades) < 2:  # noqa: PLR2004 - relevant or not
            raise ScaleError(f"expected the grades 0, 1, … without a gap, got {self.grades}")
        if self.top == 1 and not self.measure.graded:  # binary runs say 1 for what the measure calls relevant
            object.__setattr__(self, "measure", with_rel(self.measure, 1))
        cutoff = self.measure.cutoff
        if cutoff is not None and cutoff < self.length:
            raise ScaleError(f"{self.measure} needs runs of length {cutoff} or less, got length {self.length}")
        if cutoff is not None and cutoff > self.length:
            object.__setattr__(self, "measure", dataclasses.replace(self.measure, cutoff=self.length))

    @property
    def top(self) -> int:
        """The highest grade."""
        return self.grades[-1]

    @property
    def sense(self) -> int:
        """1 if higher is better, −1 if lower is."""
        return 1 if self.measure.direction == "higher" else -1

    @property
    def decomposition(self) -> Decomposition | None:
        """The decomposition of its values."""
        return self.measure.decompose(self.length, self.grades)

    @property
    def logarithmic(self) -> bool:
        """Whether its weights are irrational."""
        parts = self.decomposition
        return isinstance(parts, Additive) and isinstance(parts.discount, LogDiscount)

    @property
    def exact(self) -> bool:
        """Whether its values are whole multiples of a rational unit."""
        return self.decomposition is not None and not self.logarithmic

    def values(self, runs: NDArray[Any]) -> Values:
        """The values of runs of grades [run, rank], which may be shorter than the length: zeros follow."""
        parts = self.decomposition
        if parts is None:
            return Values(self.sense * self._scored(runs), None)
        if isinstance(parts, Additive) and isinstance(parts.discount, LogDiscount):
            weights = np.array([float(weight) for weight in exact_weights(parts.discount, self.length)])
            gains = np.array([float(gain) for gain in parts.gains])
            return Values(self.sense * (gains[_padded(runs, self.length)] @ weights), None)
        if isinstance(parts, Cascade) and parts.stops[0]:
            runs = _padded(runs, self.length)
        numbers, unit = _exact(parts, runs, self.length)
        return Values(self.sense * numbers, unit)

    def value(self, run: Run) -> Value:
        """The value of one run as the measure gives it, exact if it can be."""
        parts = self.decomposition
        if isinstance(parts, Additive) and self.logarithmic:
            terms = zip(exact_weights(parts.discount, self.length), run, strict=True)
            total = exact_weights(parts.discount, 1)[0] * 0
            for weight, grade in terms:
                total = total + weight * parts.gains[grade]
            return total
        values = self.values(np.array([run]))
        return values.at(0) * self.sense

    def _scored(self, runs: NDArray[Any]) -> NDArray[np.float64]:
        from mensura.judged.runs import JudgedRuns

        base = [[0, *[self.length] * self.top]]
        judged = JudgedRuns.from_grades(_padded(runs, self.length)[:, None, :].astype(np.int8), base)
        return np.asarray(self.measure.score(judged), dtype=np.float64)[:, 0]


def subject_of(measure: Measure, *runs: Run) -> Subject:
    """The measure on runs of the length and the grades of ``runs``."""
    return Subject(measure, len(runs[0]), tuple(range(max(1, *map(max, runs)) + 1)))


def sign_of(gap: Value, values: Sequence[Value]) -> int:
    """The sign of a difference of ``values``: −1, 0 or 1. A float is 0 if it is small beside them."""
    if isinstance(gap, float):
        return 0 if abs(gap) <= CLOSE * max(map(abs, values)) else 1 if gap > 0 else -1
    return gap.sign() if isinstance(gap, Real) else (gap > 0) - (gap < 0)


@dataclass(frozen=True)
class Values:
    """Values as whole multiples of a unit, or as floats if there is none."""

    numbers: NDArray[Any]
    unit: Fraction | None

    @property
    def slack(self) -> float:
        """By how much computed values must differ to be different; 0 if they are exact."""
        return 0 if self.unit is not None else CLOSE * float(np.abs(self.numbers).max(initial=1.0))

    def at(self, which: int) -> Fraction | float:
        """One value."""
        return self.scaled(self.numbers[which])

    def scaled(self, number: Any) -> Fraction | float:
        """A number, or a difference of numbers, as a value."""
        return float(number) if self.unit is None else int(number) * self.unit


def _padded(runs: NDArray[Any], length: int) -> NDArray[Any]:
    return np.pad(runs, ((0, 0), (0, length - runs.shape[1])))


def _exact(parts: Decomposition, runs: NDArray[Any], length: int) -> tuple[NDArray[Any], Fraction]:
    """Whole numbers and their unit."""
    ranks = runs.shape[1]
    match parts:
        case Counted():
            return _counted(parts, runs, length)
        case Additive():
            weights = [weight.parts[0][1] if weight.parts else Fraction(0) for weight in exact_weights(parts.discount, length)]
            return _additive(weights, parts.gains, _padded(runs, length))
        case ByRank(terms):
            scale = lcm(*(term.denominator for row in terms for term in row))
            table = [[int(term * scale) for term in row] for row in terms]
            most = sum(max(map(abs, row)) for row in table)
            return np.array(table, dtype=_kind(most))[np.arange(length), _padded(runs, length)].sum(axis=1), Fraction(1, scale)
        case AveragePrecision(rel=rel):
            scale = lcm(*range(1, ranks + 1))
            hits: NDArray[Any] = (runs >= rel).astype(_kind(scale * ranks * ranks))
            products = hits * np.cumsum(hits, axis=1)
            return products @ _array([scale // rank for rank in range(1, ranks + 1)], scale * ranks * ranks), Fraction(1, scale)
    return _cascade(parts, runs)


def _counted(parts: Counted, runs: NDArray[Any], length: int) -> tuple[NDArray[Any], Fraction]:
    hits: NDArray[np.bool_] = np.asarray(runs[:, : parts.depth] >= parts.rel)
    where: Any
    if parts.statistic == "first":
        where = np.where(hits.any(axis=1), hits.argmax(axis=1), min(length, parts.depth))
    elif parts.statistic == "any":
        where = hits.any(axis=1).astype(np.int64)
    else:
        where = np.sum(hits, axis=1, dtype=np.int64)
    scale = lcm(*(value.denominator for value in parts.values))
    numbers = [int(value * scale) for value in parts.values]
    return _array(numbers, max(map(abs, numbers)))[where], Fraction(1, scale)


def _additive(weights: Sequence[Fraction], gains: Sequence[Fraction], runs: NDArray[Any]) -> tuple[NDArray[Any], Fraction]:
    by_rank, by_grade = lcm(*(weight.denominator for weight in weights)), lcm(*(gain.denominator for gain in gains))
    factors, levels = [int(weight * by_rank) for weight in weights], [int(gain * by_grade) for gain in gains]
    most = sum(map(abs, factors)) * max(map(abs, levels))
    return _array(levels, most)[runs] @ _array(factors, most), Fraction(1, by_rank * by_grade)


def _cascade(parts: Cascade, runs: NDArray[Any]) -> tuple[NDArray[Any], Fraction]:
    ranks = runs.shape[1]
    share = lcm(*(stop.denominator for stop in parts.stops))
    scale = (lcm(*range(1, ranks + 1)) if parts.payoff == "1/i" else 1) * parts.never.denominator
    most = scale * share**ranks * max(ranks, 1 + int(abs(parts.never))) * 2
    stops = _array([int(stop * share) for stop in parts.stops], most)
    total = np.zeros(len(runs), dtype=stops.dtype)
    reached = np.ones(len(runs), dtype=stops.dtype)
    for rank in range(1, ranks + 1):
        stop = stops[runs[:, rank - 1]]
        payoff = scale // rank if parts.payoff == "1/i" else scale * rank
        total = total * share + reached * stop * payoff
        reached = reached * (share - stop)
    total = total + reached * int(parts.never * scale)
    return total, Fraction(1, scale * share**ranks)


def _kind(most: int) -> type:
    return np.int64 if most < LARGEST else object


def _array(numbers: Sequence[int], most: int) -> NDArray[Any]:
    return np.array(numbers, dtype=_kind(most))
