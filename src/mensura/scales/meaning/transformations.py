"""Transformations of scales, as objects: they can be applied, composed, inverted and drawn at random.

All of them work in the numbers that they are given: Fractions stay exact.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mensura.errors import ScaleError
from mensura.scales.types import INTERVAL, NOMINAL, ORDINAL, RATIO, ScaleType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np

Number = Any  # int, float or Fraction: what is put in comes out


class Transformation(ABC):
    """A function from the values of a scale to those of another."""

    @property
    @abstractmethod
    def scale(self) -> ScaleType:
        """The strongest type of scale on which this is permissible."""

    @abstractmethod
    def __call__(self, value: Number) -> Number:
        """The value on the other scale."""

    @abstractmethod
    def inverse(self) -> Transformation:
        """The way back."""

    def apply(self, values: Iterable[Number]) -> list[Number]:
        """Many values."""
        return [self(value) for value in values]

    def then(self, other: Transformation) -> Transformation:
        """First this one, then another."""
        return Composed(self, other)


@dataclass(frozen=True)
class Composed(Transformation):
    """One transformation after another: permissible where both are."""

    first: Transformation
    second: Transformation

    @property
    def scale(self) -> ScaleType:
        return min(self.first.scale, self.second.scale)

    def __call__(self, value: Number) -> Number:
        return self.second(self.first(value))

    def inverse(self) -> Transformation:
        return Composed(self.second.inverse(), self.first.inverse())

    def __str__(self) -> str:
        return f"{self.first}, then {self.second}"


@dataclass(frozen=True)
class Relabelling(Transformation):
    """A one-to-one map of finitely many values: new names for classes (P4 §III-B1)."""

    pairs: tuple[tuple[Number, Number], ...]

    def __post_init__(self) -> None:
        for side, what in ((0, "value"), (1, "name")):
            items = [pair[side] for pair in self.pairs]
            if len(set(items)) != len(items):
                twice = next(item for item in items if items.count(item) > 1)
                raise ScaleError(f"the {what} {twice} occurs twice: a relabelling is one-to-one")

    @classmethod
    def of(cls, mapping: Mapping[Number, Number]) -> Relabelling:
        """From a mapping."""
        return cls(tuple(mapping.items()))

    @property
    def scale(self) -> ScaleType:
        return NOMINAL

    def __call__(self, value: Number) -> Number:
        for known, name in self.pairs:
            if known == value:
                return name
        raise ScaleError(f"{value} has no new name: the relabelling knows {', '.join(str(known) for known, _ in self.pairs)}")

    def inverse(self) -> Relabelling:
        return Relabelling(tuple((name, value) for value, name in self.pairs))

    def __str__(self) -> str:
        return ", ".join(f"{value} ↦ {name}" for value, name in self.pairs)


@dataclass(frozen=True)
class Increasing(Transformation):
    """A strictly increasing function, linear between its knots and beyond them of slope 1 (P4 §III-B2)."""

    knots: tuple[tuple[Number, Number], ...]

    def __post_init__(self) -> None:
        if not self.knots:
            raise ScaleError("an increasing function needs at least one knot (x, y)")
        for (x, y), (next_x, next_y) in zip(self.knots, self.knots[1:], strict=False):
            if not (x < next_x and y < next_y):
                raise ScaleError(f"from knot ({x}, {y}) to ({next_x}, {next_y}) the function does not increase")

    @classmethod
    def of(cls, mapping: Mapping[Number, Number]) -> Increasing:
        """Through the points of a mapping."""
        return cls(tuple(sorted(mapping.items())))

    @property
    def scale(self) -> ScaleType:
        return ORDINAL

    def __call__(self, value: Number) -> Number:
        at = bisect_right(self._places, value)
        if at == 0:
            return self.knots[0][1] + (value - self.knots[0][0])
        x, y = self.knots[at - 1]
        if value == x:
            return y
        if at == len(self.knots):
            return y + (value - x)
        next_x, next_y = self.knots[at]
        return y + (value - x) * Fraction(next_y - y) / Fraction(next_x - x)

    @cached_property
    def _places(self) -> list[Number]:
        return [x for x, _ in self.knots]

    def inverse(self) -> Increasing:
        return Increasing(tuple((y, x) for x, y in self.knots))

    def __str__(self) -> str:
        return "through " + ", ".join(f"({_short(x)}, {_short(y)})" for x, y in self.knots)


@dataclass(frozen=True)
class Affine(Transformation):
    """x ↦ αx + β with α > 0, as from Celsius to Fahrenheit (P4 §III-B3)."""

    alpha: Number
    beta: Number = 0

    def __post_init__(self) -> None:
        if not self.alpha > 0:
            raise ScaleError(f"x ↦ {self.alpha}·x + {self.beta} turns the scale around: α must be above 0")

    @property
    def scale(self) -> ScaleType:
        return INTERVAL if self.beta else RATIO

    def __call__(self, value: Number) -> Number:
        return self.alpha * value + self.beta

    def inverse(self) -> Affine:
        alpha = Fraction(self.alpha)
        return Affine(1 / alpha, -self.beta / alpha)

    def then(self, other: Transformation) -> Transformation:
        if isinstance(other, Affine):
            return Affine(other.alpha * self.alpha, other.alpha * self.beta + other.beta)
        return super().then(other)

    def __str__(self) -> str:
        shift = f" {'+' if self.beta > 0 else '−'} {_short(abs(self.beta))}" if self.beta else ""
        return f"x ↦ {_short(self.alpha)}·x{shift}"


@dataclass(frozen=True)
class PerTopic(Transformation):
    """A transformation of its own for each topic: what is permissible if each topic has a scale of its own (P4 §IV-C).

    It is applied to the values of one topic after another; :meth:`on` gives the transformation of a topic.
    """

    topics: tuple[Transformation, ...]

    @property
    def scale(self) -> ScaleType:
        return min(transformation.scale for transformation in self.topics)

    def __call__(self, value: Number) -> Number:  # noqa: ARG002 - one value does not say of which topic
        raise ScaleError("which topic? Use .on(topic)(value), or .apply(values) with one value per topic")

    def on(self, topic: int) -> Transformation:
        """The transformation of a topic, counted from 0."""
        return self.topics[topic]

    def apply(self, values: Iterable[Number]) -> list[Number]:
        return [each(value) for each, value in zip(self.topics, values, strict=True)]

    def inverse(self) -> PerTopic:
        return PerTopic(tuple(each.inverse() for each in self.topics))

    def __str__(self) -> str:
        moved = [f"topic {number}: {each}" for number, each in enumerate(self.topics, start=1) if each != Affine(1)]
        return "; ".join(moved) or "identity"


def _short(number: Number) -> str:
    return str(number) if isinstance(number, int) else f"{float(number):.6g}"


def sample(scale: ScaleType, values: Iterable[Number], rng: np.random.Generator) -> Transformation:
    """A random permissible transformation of a scale that is defined at these values.

    Steps of an increasing function are drawn from very small to very large, so that steep places and plateaus are common.
    """
    points = sorted(set(values))
    if scale == NOMINAL:
        names = rng.permutation(4 * len(points))[: len(points)].tolist()
        return Relabelling(tuple(zip(points, names, strict=True)))
    factor = _positive(rng)
    if scale == RATIO:
        return Affine(factor)
    shift = Fraction(int(rng.integers(-1000, 1001)), 16)
    if scale == INTERVAL:
        return Affine(factor, shift)
    knots = []
    for point in points:
        knots.append((point, shift))
        shift += _positive(rng)
    return Increasing(tuple(knots) or ((0, shift),))


def _positive(rng: np.random.Generator) -> Fraction:
    return Fraction(int(rng.integers(1, 1 << 10)), 1 << int(rng.integers(0, 20)))
