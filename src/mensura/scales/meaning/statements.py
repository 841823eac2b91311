"""Statements about values, as objects: ``Mean("A") > Mean("B")``, ``Median("A").equals(4)``, ``Mean("A") / Mean("B") >= 2``.

A statement is about named samples, the values of a system over topics for example. The data give the values; a transformation of
the scale changes them, and perhaps the truth of the statement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from mensura.errors import ScaleError
from mensura.scales.meaning.expressions import Data, Expression, Inequality, Number, ScaleValue, exact, is_true, show, written
from mensura.scales.types import TEST_NAMES, TESTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura.scales.meaning.expressions import Relation

__all__ = [
    "CoefficientOfVariation",
    "GeometricMean",
    "HarmonicMean",
    "Inequality",
    "Maximum",
    "Mean",
    "Median",
    "Minimum",
    "Mode",
    "Position",
    "Quantile",
    "SampleCorrelation",
    "ScaleValue",
    "Significant",
    "StandardDeviation",
    "Statement",
    "Statistic",
    "TopicCount",
    "Value",
]


@dataclass(frozen=True)
class Statistic(Expression):
    """A statistic of a sample."""

    sample: str
    what: ClassVar[str]

    def values(self, data: Data) -> list[Number]:
        """The values of the sample."""
        if self.sample not in data:
            raise ScaleError(
                f"there are no values of {self.sample!r}: the data are about {', '.join(map(repr, data)) or 'nothing'}"
            )
        values = list(data[self.sample])
        if not values:
            raise ScaleError(f"{self.sample!r} has no values")
        return values

    def __str__(self) -> str:
        return f"{self.what}({self.sample})"


class Mean(Statistic):
    """The arithmetic mean."""

    what = "mean"

    def value(self, data: Data) -> Number:
        values = self.values(data)
        return Fraction(sum(map(exact, values))) / len(values)


class Position(Statistic):
    """One of the values of a sample, by its place in their order: an increasing function takes it along."""

    def place(self, number: int) -> int:
        """The place among so many values, from 0."""
        raise NotImplementedError

    def value(self, data: Data) -> Number:
        values = sorted(self.values(data))
        return values[self.place(len(values))]


class Median(Position):
    """The median; of an even number of values the lower middle one, which is a value of the scale while their mean need not be."""

    what = "median"

    def place(self, number: int) -> int:
        return (number - 1) // 2


class Minimum(Position):
    """The smallest value."""

    what = "minimum"

    def place(self, number: int) -> int:  # noqa: ARG002 - the smallest of any number
        return 0


class Maximum(Position):
    """The largest value."""

    what = "maximum"

    def place(self, number: int) -> int:
        return number - 1


@dataclass(frozen=True)
class Quantile(Position):
    """The smallest value that at least a share of the values does not exceed."""

    share: Number
    what = "quantile"

    def place(self, number: int) -> int:
        return max(math.ceil(Fraction(written(self.share)) * number) - 1, 0)

    def __str__(self) -> str:
        return f"quantile {self.share} of {self.sample}"


class Mode(Statistic):
    """The most frequent value; of several the one that comes first."""

    what = "mode"

    def value(self, data: Data) -> Number:
        values = self.values(data)
        return max(values, key=values.count)


class Value(Statistic):
    """The value of a sample that has just one."""

    what = "value"

    def value(self, data: Data) -> Number:
        values = self.values(data)
        if len(values) != 1:
            raise ScaleError(f"{self.sample!r} has {len(values)} values: which one is meant? Say Mean, Median, Minimum …")
        return values[0]

    def __str__(self) -> str:
        return self.sample


class GeometricMean(Statistic):
    """The geometric mean."""

    what = "geometric mean"

    def value(self, data: Data) -> Number:
        return math.exp(math.fsum(map(_log, self.values(data))) / len(self.values(data)))


class HarmonicMean(Statistic):
    """The harmonic mean."""

    what = "harmonic mean"

    def value(self, data: Data) -> Number:
        values = [Fraction(value) for value in self.values(data)]
        if min(values) <= 0:
            raise ScaleError(f"{self.sample!r} holds {show(min(values))}: a harmonic mean needs values above 0")
        return len(values) / sum(1 / value for value in values)


class StandardDeviation(Statistic):
    """The standard deviation, with n in the denominator."""

    what = "standard deviation"

    def value(self, data: Data) -> Number:
        values = [Fraction(value) for value in self.values(data)]
        middle = sum(values) / len(values)
        return math.sqrt(sum((value - middle) ** 2 for value in values) / len(values))


class CoefficientOfVariation(Statistic):
    """The standard deviation divided by the mean."""

    what = "coefficient of variation"

    def value(self, data: Data) -> Number:
        middle = Mean(self.sample).value(data)
        if middle == 0:
            raise ScaleError(f"the mean of {self.sample!r} is 0: there is no coefficient of variation")
        return StandardDeviation(self.sample).value(data) / float(middle)


@dataclass(frozen=True)
class TopicCount(Expression):
    """The number of topics on which a relation holds between two samples, or a sample and a value of the scale."""

    first: str
    relation: Relation
    second: str | ScaleValue

    def value(self, data: Data) -> Number:
        mine = Mean(self.first).values(data)
        others = [self.second.number] * len(mine) if isinstance(self.second, ScaleValue) else Mean(self.second).values(data)
        if len(mine) != len(others):
            raise ScaleError(f"{self.first!r} and {self.second!r} have {len(mine)} and {len(others)} values; give the same topics")
        return sum(is_true(self.relation, (one > other) - (one < other)) for one, other in zip(mine, others, strict=True))

    def __str__(self) -> str:
        second = self.second if isinstance(self.second, str) else self.second.number
        return f"topics({self.first} {self.relation} {second})"


@dataclass(frozen=True)
class SampleCorrelation(Expression):
    """A correlation of two samples: Kendall's ``tau`` (τ_b) and Spearman's ``rho``, which are about orders, or ``pearson``."""

    first: str
    second: str
    kind: str = "tau"

    def value(self, data: Data) -> Number:
        one, other = ([exact(value) for value in Mean(name).values(data)] for name in (self.first, self.second))
        if len(one) != len(other):
            raise ScaleError(f"{self.first!r} and {self.second!r} have {len(one)} and {len(other)} values; give the same topics")
        if len({*one}) == 1 or len({*other}) == 1:
            raise ScaleError(f"{self.first!r} or {self.second!r} has one value only: there is no correlation")
        if self.kind == "tau":
            signs = [[(b > a) - (b < a) for a, b in combinations(values, 2)] for values in (one, other)]
            agreeing = sum(a * b for a, b in zip(*signs, strict=True))
            return agreeing / math.sqrt(math.prod(sum(map(abs, each)) for each in signs))
        if self.kind == "rho":
            one, other = (_mid_ranks(values) for values in (one, other))
        rows = [[value - Fraction(sum(values)) / len(values) for value in values] for values in (one, other)]
        spread = math.prod(sum(value * value for value in row) for row in rows)
        return float(sum(a * b for a, b in zip(*rows, strict=True))) / math.sqrt(spread)

    def __str__(self) -> str:
        return f"{self.kind}({self.first}, {self.second})"


@dataclass(frozen=True)
class Significant:
    """The statement that two samples differ significantly under a test.

    Parameters
    ----------
    first, second
        The names of the samples.
    test
        A test of :data:`mensura.scales.types.TESTS`, or its name in ``mensura compare --test``, such as ``"t"``.
    alpha
        The level.
    p_value
        How to compute the p-value of two samples; only needed to look at data.
    """

    first: str
    second: str
    test: str
    alpha: float = 0.05
    p_value: Callable[[list[float], list[float]], float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "test", TEST_NAMES.get(self.test, self.test))
        if self.test not in TESTS:
            names = dict.fromkeys((*TESTS, *TEST_NAMES))
            raise ScaleError(f"unknown test {self.test!r}; expected one of {', '.join(names)}")

    def sides(self, data: Data) -> tuple[float, float]:
        """The p-value and the level."""
        if self.p_value is None:
            raise ScaleError(f"the {self.test} test needs p_value=, a function of two samples, to be computed for data")
        samples = [[float(value) for value in Mean(name).values(data)] for name in (self.first, self.second)]
        return self.p_value(*samples), self.alpha

    def truth(self, data: Data) -> bool:
        """Whether it is true of the data."""
        p, alpha = self.sides(data)
        return p < alpha

    def __str__(self) -> str:
        return f"{self.first} and {self.second} differ significantly ({self.test}, α = {self.alpha})"


Statement = Inequality | Significant


def _mid_ranks(values: list[Any]) -> list[Any]:
    """Twice the mean rank of each value."""
    return [sum((other < value) - (other > value) for other in values) for value in values]


def _log(value: Number) -> float:
    if value <= 0:
        raise ScaleError(f"a geometric mean needs values above 0, not {show(value)}")
    return math.log(value)
