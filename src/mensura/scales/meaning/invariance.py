"""Search for a permissible transformation that changes the truth of a statement about given data; exact for linear statements.

Means, order statistics and single values are sums Σ W(x)·x over the values of the data, so a comparison of such expressions says
that L = Σ W(x)·x − c has a certain sign. A permissible transformation f turns L into Σ W(x)·f(x) − c:

- ratio: α·D − c with D = Σ W(x)·x;
- interval: α·D + β·Σ W(x) − c;
- ordinal: what f adds between neighbouring values v < v' counts as often as W weighs the values from v' up, the *tail* of W at v'.
  With Σ W(x) = 0 and c = 0 the sign is the same under every increasing f if and only if no two tails have opposite signs. For the
  means of two samples the tails are the differences of their survival functions: one sample dominates the other stochastically.

Where topics have scales of their own, each of them or those of a class together, each scale has its own f, and its own W.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Any

from mensura.scales.meaning.expressions import (
    Constant,
    Data,
    Expression,
    Inequality,
    Quotient,
    Scaled,
    ScaleValue,
    Sum,
    exact,
    is_true,
    written,
)
from mensura.scales.meaning.statements import Mean, Position, Value
from mensura.scales.meaning.transformations import Affine, Increasing, PerTopic, Transformation
from mensura.scales.types import ORDINAL, RATIO, ScaleType

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from mensura.scales.meaning.expressions import Relation

Number = Fraction | int
Masses = dict[Number, int]
"""Values and their weights; the weights of a statement are whole numbers, for only the sign of L matters."""
HALVINGS = 40


class NotLinearError(Exception):
    """A statement that is not a linear combination of values."""


@dataclass(frozen=True)
class Linear:
    """L = Σ_t Σ_x W_t(x)·x − c, where t runs over scales: all data share one, or classes of topics have their own.

    ``classes`` are the numbers of the scales of the topics; empty if all data share one.
    """

    masses: tuple[Masses, ...]
    constant: Fraction
    relation: Relation
    classes: tuple[int, ...]
    ratio: bool = False
    """Was this a ratio, compared with a number?"""

    @property
    def value(self) -> Fraction:
        """L of the data as they are."""
        return self.moved - self.constant

    @cached_property
    def moved(self) -> Fraction:
        """The part of L that transformations change."""
        return Fraction(sum(weight * x for masses in self.masses for x, weight in masses.items()))

    def changing(self, scale: ScaleType, accept: Callable[[Transformation], bool]) -> Transformation | None:
        """A permissible transformation under which the truth is another one, and that is accepted; None if there is none."""
        now = is_true(self.relation, _sign(self.value))
        for target in self._targets():
            if is_true(self.relation, _sign(target)) != now:
                change = next(filter(accept, self._ways(scale, target)), None)
                if change is not None:
                    return change
        return None

    def _targets(self) -> Iterator[Fraction]:
        """Values of L to aim at: of either sign, and 0; smaller ones where a ratio must keep a positive denominator."""
        here = self.value
        yield from [-here] if here else [Fraction(1), Fraction(-1)]
        yield -self.constant / 2
        yield Fraction(0)
        if self.ratio:
            yield from (-here / 2**halvings for halvings in range(1, HALVINGS))

    def _ways(self, scale: ScaleType, target: Fraction) -> Iterator[Transformation]:
        """Transformations that bring L to the target."""
        change = target - self.value
        for number, masses in enumerate(self.masses):
            total = sum(masses.values())
            if total and scale != RATIO:
                yield self._on(number, Affine(1, change / total))
        if scale == ORDINAL:
            yield from self._stretched_steps(change)
        if self.classes:
            for number, masses in enumerate(self.masses):
                part = sum(weight * x for x, weight in masses.items())
                if part and 1 + change / part > 0:
                    yield self._on(number, Affine(1 + change / part))
        if self.moved and (target + self.constant) / self.moved > 0:
            yield self._everywhere(Affine((target + self.constant) / self.moved))

    def _stretched_steps(self, change: Fraction) -> Iterator[Transformation]:
        """All values from one up are raised by the same amount: the one where that amount is least."""
        best: tuple[Fraction, int, Number, list[Number]] | None = None
        for number, masses in enumerate(self.masses):
            points = sorted(masses)
            for low, tail in tails(masses):
                if tail and change / tail > 0 and (best is None or change / tail < best[0]):
                    best = (change / tail, number, low, points)
        if best is not None:
            rise, number, low, points = best
            yield self._on(number, raised_above(points, low, rise))

    def _on(self, number: int, transformation: Transformation) -> Transformation:
        if not self.classes:
            return transformation
        same = Affine(1)
        return PerTopic(tuple(transformation if scale == number else same for scale in self.classes))

    def _everywhere(self, transformation: Transformation) -> Transformation:
        return PerTopic((transformation,) * len(self.classes)) if self.classes else transformation


def tails(masses: Masses) -> Iterator[tuple[Number, int]]:
    """For neighbouring values v < v', v and the weight of the values from v' up; from the top down."""
    points = sorted(masses, reverse=True)
    above = 0
    for upper, lower in pairwise(points):
        above += masses[upper]
        yield lower, above


def raised_above(points: list[Number], low: Number, rise: Number) -> Increasing:
    """The function that is x up to ``low`` and x + rise from the next of the points on."""
    high = next(point for point in points if point > low)
    knots = {points[0]: points[0], low: low, high: high + rise, points[-1]: points[-1] + rise}
    return Increasing.of(knots)


def linear(statement: Inequality, data: Data, labels: Sequence[Hashable] | None = None) -> Linear:
    """A comparison as a sum of values; a ratio compared with a number is multiplied out if its denominator is positive.

    ``labels`` name the scale of each topic; without them all data share one.
    """
    left, right = statement.left, statement.right
    ratio = False
    match left, right:
        case Quotient(top, bottom), Constant(number) if bottom.value(data) > 0:
            left, right, ratio = top, Scaled(number, bottom), True
    if labels is not None and {len(values) for values in data.values()} != {len(labels)}:
        raise NotLinearError
    names = list(dict.fromkeys(labels or ()))
    classes = tuple(names.index(label) for label in labels or ())
    scales: list[defaultdict[Number, Fraction]] = [defaultdict(Fraction) for _ in names or (None,)]
    constant = Fraction(0)
    for side, factor in ((left, Fraction(1)), (right, Fraction(-1))):
        constant -= _collect(side, factor, data, scales, classes)
    unit = lcm(*(weight.denominator for masses in scales for weight in masses.values()))
    masses = tuple({x: int(weight * unit) for x, weight in each.items()} for each in scales)
    return Linear(masses, constant * unit, statement.relation, classes, ratio)


def _collect(of: Expression, factor: Fraction, data: Data, scales: list[Any], classes: tuple[int, ...]) -> Fraction:
    """Add the masses of an expression to those of the scales, and return its constant part."""
    match of:
        case Constant(number):
            return factor * Fraction(written(number))
        case Scaled(times, inner):
            return _collect(inner, factor * Fraction(written(times)), data, scales, classes)
        case Sum(left, right):
            return sum((_collect(part, factor, data, scales, classes) for part in (left, right)), Fraction(0))
        case Mean():
            values = of.values(data)
            share = factor / len(values)
            for topic, value in enumerate(values):
                scales[classes[topic] if classes else 0][exact(value)] += share
            return Fraction(0)
        case Position() | Value() | ScaleValue() if not classes:
            scales[0][exact(of.value(data))] += factor
            return Fraction(0)
    raise NotLinearError


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)
