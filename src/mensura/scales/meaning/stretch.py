"""The stretch index: by how much a scale must be bent until a statement about two means turns round.

Let A and B have values on the same topics, some of which share a scale. An increasing function f changes the distance between
neighbouring values v_j < v_{j+1} by a factor s_j > 0. With the lead D_j, the number of values of A from v_{j+1} up less that of B,

    Σ f(A) − Σ f(B) = Σ_j s_j · (v_{j+1} − v_j) · D_j.

Let P be the sum of the terms with D_j > 0 and s_j = 1, and N that of the others with its sign turned; P − N = Σ A − Σ B > 0.
If every factor is less than P/N times every other one, the sign stays, for the sum is at least min s · P − max s · N > 0.
If K > P/N, the factors 1 where D_j ≥ 0 and K elsewhere turn it round. N = 0 is dominance: no scale does.

P and N need no list of gaps: of values in their order, a_1 ≤ … ≤ a_n and b_1 ≤ … ≤ b_n, P is the sum of the positive a_i − b_i
and N that of the negative ones. For at any v, the terms [a_i ≥ v] − [b_i ≥ v], of which D is the sum, all have the same sign.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.meaning.expressions import exact
from mensura.scales.meaning.transformations import Increasing

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

Number = Any


def leads(
    better: Sequence[Number], worse: Sequence[Number], classes: Sequence[Hashable] | None = None
) -> tuple[Fraction, Fraction]:
    """P and N of two samples, exact: the sums of positive and of negative differences of the values in their order.

    ``classes`` names the scale of each topic: topics of one class share a scale. Without it, all do.
    """
    if len(better) != len(worse) or (classes is not None and len(classes) != len(better)):
        raise ScaleError(f"expected values for the same topics, got {len(better)} and {len(worse)} values")
    labels = [None] * len(better) if classes is None else [*classes]
    positive = negative = Fraction(0)
    for label in dict.fromkeys(labels):
        mine, other = (
            sorted(exact(value) for value, of in zip(values, labels, strict=True) if of == label) for values in (better, worse)
        )
        for one, two in zip(mine, other, strict=True):
            positive += max(one - two, 0)
            negative += max(two - one, 0)
    return positive, negative


def stretch_index(better: Sequence[Number], worse: Sequence[Number], classes: Sequence[Hashable] | None = None) -> Fraction | float:
    """P/N: "mean(better) > mean(worse)" is false on no scale that is bent less than this.

    ∞ where no scale turns the statement round, 1 for equal means, NaN for equal samples, which no scale tells apart. Where
    ``better`` has the lower mean, the statement is false, and the index is below 1.

    Examples
    --------
    P4's wineries (Example 6):

    >>> stretch_index([6, 6, 12, 17, 32], [3, 3, 3, 12, 50])
    Fraction(10, 9)
    >>> stretch_index([1, 5], [2, 3]), stretch_index([1, 5], [1, 4])
    (Fraction(2, 1), inf)
    """
    positive, negative = leads(better, worse, classes)
    if not negative:
        return math.inf if positive else math.nan
    return positive / negative


def bent(better: Sequence[Number], worse: Sequence[Number], factor: Number) -> Increasing:
    """The increasing function, of one scale, that is bent by ``factor`` where ``worse`` leads and has slope 1 elsewhere."""
    points = sorted({exact(value) for value in (*better, *worse)})
    ahead = [sum(value >= point for value in better) - sum(value >= point for value in worse) for point in points]
    knots = {points[0]: Fraction(points[0])}
    for low, high, lead in zip(points, points[1:], ahead[1:], strict=False):
        knots[high] = knots[low] + (high - low) * (exact(factor) if lead < 0 else 1)
    return Increasing.of(knots)


def all_leads(values: NDArray[np.float64], codes: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """P of every ordered pair of systems [a, b], and whether b has any lead over a (N > 0), from sorted values [system, topic].

    N of (a, b) is P of (b, a). ``codes`` are the exact order of the values: a double does not decide which of two is larger.
    """
    number = len(values)
    positive, led = np.empty((number, number)), np.empty((number, number), dtype=np.bool_)
    for a in range(number):
        ahead = codes[a] > codes
        positive[a] = np.where(ahead, np.maximum(values[a] - values, 0.0), 0.0).sum(axis=1)
        led[a] = np.any(codes > codes[a], axis=1)
    return positive, led
