"""Transformations that are tried where it is not known how to find one that changes the truth of a statement."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from mensura.scales.meaning.expressions import Data, Inequality, Quotient, Scaled, ScaleValue, Sum, exact
from mensura.scales.meaning.invariance import linear, raised_above, tails
from mensura.scales.meaning.statements import GeometricMean, Mean, Statement
from mensura.scales.meaning.transformations import Affine, Increasing, PerTopic, Transformation, sample
from mensura.scales.types import INTERVAL, ORDINAL, ScaleType

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

SAMPLES = 1000


def dominated_logarithms(statement: Inequality, data: Data) -> bool:
    """Geometric means of samples of which one dominates: the logarithm is just another increasing function."""
    sides = (statement.left, statement.right)
    if not all(isinstance(side, GeometricMean) for side in sides):
        return False
    left, right = (Mean(side.sample) for side in sides if isinstance(side, GeometricMean))
    signs = {tail > 0 for _, tail in tails(linear(left > right, data).masses[0]) if tail}
    return len(signs) < 2  # noqa: PLR2004 - both signs, or not


def candidates(
    statement: Statement, scale: ScaleType, data: Data, labels: Sequence[Hashable] | None, *, seed: int
) -> Iterator[Transformation]:
    """Steep places at every threshold, zeros near and far, and random transformations."""
    points = sorted({exact(value) for values in data.values() for value in values} | _named(statement))
    spread = Fraction(points[-1] - points[0] or 1)
    single: list[Transformation] = []
    if scale == ORDINAL:
        single = [raised_above(points, low, spread * 10**power) for power in (0, 1, 3) for low in points[:-1]]
        single += [_times_above(points, low, 10**power) for power in (1, 3, 9) for low in points[:-1] if points[0] > 0]
    elif scale == INTERVAL:
        single = [Affine(1, spread * Fraction(10) ** power - points[0]) for power in range(-12, 7)]
    yield from single if labels is None else ()
    rng = np.random.default_rng(seed)
    for _ in range(SAMPLES):
        if labels is None:
            yield sample(scale, points, rng)
        else:
            own = {label: sample(scale, points, rng) for label in dict.fromkeys(labels)}
            yield PerTopic(tuple(own[label] for label in labels))


def _named(statement: Statement) -> set[Fraction | int]:
    """The values of the scale that the statement itself names."""
    numbers: set[Fraction | int] = set()
    parts = [statement.left, statement.right] if isinstance(statement, Inequality) else []
    while parts:
        match parts.pop():
            case ScaleValue(number):
                numbers.add(exact(number))
            case Sum(left, right) | Quotient(left, right):
                parts += [left, right]
            case Scaled(_, of):
                parts.append(of)
    return numbers


def _times_above(points: list[Fraction | int], low: Fraction | int, factor: int) -> Increasing:
    """The function that is x up to ``low`` and factor · x from the next of the points on."""
    high = next(point for point in points if point > low)
    return Increasing.of({points[0]: points[0], low: low, high: factor * high, points[-1]: factor * points[-1]})
