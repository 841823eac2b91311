"""The values of a measure as numbers, where doubles cannot tell them apart.

Two runs tie on a measure if their values are equal as numbers. Doubles do not know: equal sums of fractions come out up to some
units in the last place apart (bpref, AP), and different ones come out equal (RBP with p = 0.3 after 30 ranks). Most values are
far apart, so exact arithmetic is asked for the others only: sorted doubles are cut wherever two neighbours are further apart than
twice the rounding error, and what is left together is compared as fractions.

The rounding error of a value: all measures are sums, of at most n terms for lists of n ranks (or n relevant documents), of terms
that are products of a few roundings, or of n for p^i and for products of probabilities; every rounding is relative, by at most
2^-52. Nothing is subtracted except from a number that is at least as large as the largest value (ADM, Acorr, bpref), or where
:meth:`mensura.Measure.condition` says by how much the error grows. (16 n + 64) · 2^-52 · condition · max(1, largest value) is a
generous bound, and generosity costs time only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, cmp_to_key
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mensura.measures.base import overridden
from mensura.measures.reals import Exact, ExactMean, compare, modular

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

ULP = 2.0**-52


@dataclass(frozen=True, eq=False)
class ExactOrder:
    """The exact order of the values of a measure and of their means over the topics that are ``counted``, worked out when asked."""

    measure: Measure
    judged: JudgedRuns
    values: NDArray[np.float64]
    counted: NDArray[np.bool_]

    @cached_property
    def codes(self) -> NDArray[np.int64] | None:
        """:func:`order_codes` of the values."""
        return order_codes(self.measure, self.judged, self.values)

    @cached_property
    def mean_codes(self) -> NDArray[np.int64] | None:
        """:func:`mean_codes` of the means."""
        return mean_codes(self.measure, self.judged, self.counted, self.values)


def order_codes(measure: Measure, judged: JudgedRuns, values: NDArray[np.float64] | None = None) -> NDArray[np.int64] | None:
    """Whole numbers [system, topic] in the order of the values as numbers: equal if and only if the values are equal.

    They count from 0 without gaps, over all systems and topics. Values that are rational are compared as fractions. Values of DCG
    are sums of reciprocal logarithms: equal if they agree root by root, which is equality as numbers if Schanuel's conjecture is
    true. nDCG of topics with different ideal rankings is compared as a quotient; :mod:`mensura.measures.reals` says how.

    ``None`` for a measure without exact values: one that uses scores of systems, or one of a user's own that has no
    ``exact_scores``. ``values`` are those of :meth:`~mensura.Measure.score`, if they are known already.
    """
    measure = measure.on_topics
    if values is None:
        if _exact_scores(measure, judged, np.empty(0, dtype=np.int64)) is None:
            return None
        values = measure.score(judged)
    values = np.asarray(values, dtype=np.float64).ravel()
    if not np.isfinite(values).all():
        return None
    order = np.argsort(values, kind="stable")
    gaps = np.diff(values[order])
    error, least = rounding(measure, judged, values), measure.least_gap(judged)
    certain = gaps > (least / 2 if least > 4 * error else 2 * error)
    steps = np.concatenate(([0], certain)).astype(np.int64)[: len(values)]
    together = _together(steps) if least <= 4 * error else []
    exact = _exact_scores(measure, judged, _rows_of(order, together))
    if exact is None:
        return None
    _split(exact, together, order, steps)
    codes = np.empty(len(values), dtype=np.int64)
    codes[order] = np.cumsum(steps)
    return codes.reshape(judged.shape)


def exact_values(measure: Measure, judged: JudgedRuns) -> NDArray[np.object_] | None:
    """The values as Fractions [system, topic]; ``None`` for a measure without exact values, or with irrational ones."""
    values = _exact_scores(measure.on_topics, judged, np.arange(judged.shape[0] * judged.shape[1]))
    if values is None or not all(isinstance(value, Fraction) for value in values):
        return None
    table: NDArray[np.object_] = np.empty(len(values), dtype=object)
    table[:] = values
    return table.reshape(judged.shape)


def mean_codes(
    measure: Measure, judged: JudgedRuns, counted: NDArray[np.bool_], values: NDArray[np.float64] | None = None
) -> NDArray[np.int64] | None:
    """Whole numbers per system in the order of the means as numbers, equal if and only if the means are equal; −1 without topics.

    Means that doubles cannot tell apart are compared exactly. Of a geometric mean only the values are exact: systems with equal
    values have equal means, and the logarithms of others are doubles. A median is the mean of the values in the middle.
    """
    values = np.asarray(measure.score(judged) if values is None else values, dtype=np.float64)
    if measure.aggregation == "median":
        codes = order_codes(measure, judged, values)
        if codes is None:
            return None
        measure, counted = measure.on_topics, measure.averaged(codes, counted)
    if measure.averages != "values":
        codes = order_codes(measure, judged, values)
        if codes is None:
            return None
        first = np.unique(codes, return_index=True)[1]
        return codes_of(measure.mean(values.ravel()[first][codes], counted))
    if not np.isfinite(values).all():
        return None
    means = measure.mean(values, counted)
    there = np.flatnonzero(~np.isnan(means))
    order = there[np.argsort(means[there], kind="stable")]
    steps = np.concatenate(([0], np.diff(means[order]) > 2 * rounding(measure, judged, values))).astype(np.int64)[: len(order)]
    together = _together(steps)
    rows = [np.flatnonzero(counted[system]) + system * judged.shape[1] for system in _rows_of(order, together)]
    exact = _exact_scores(measure, judged, np.concatenate([np.empty(0, dtype=np.int64), *rows]))
    if exact is None:
        return None
    numbers = iter(exact)
    _split([ExactMean(tuple(next(numbers) for _ in each)) for each in rows], together, order, steps)  # type: ignore[misc]
    codes = np.full(len(means), -1, dtype=np.int64)
    codes[order] = np.cumsum(steps)
    return codes


def codes_of(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole numbers in the order of doubles, equal if and only if these are; −1 for NaN."""
    there = ~np.isnan(values)
    codes = np.full(values.shape, -1, dtype=np.int64)
    codes[there] = np.unique(values[there], return_inverse=True)[1]
    return codes


def rounding(measure: Measure, judged: JudgedRuns, values: NDArray[np.float64]) -> float:
    """A bound of the rounding error of any of the values; the docstring of the module says why."""
    ranks = max(judged.length, measure.cutoff or 0, int(judged.recall_base.sum(axis=1).max(initial=0)))
    return (16 * ranks + 64) * ULP * measure.condition(judged) * max(1.0, float(np.abs(values).max(initial=0.0)))


def _exact_scores(measure: Measure, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Exact] | None:
    """Exact values of some rows, unless a class that is derived from the measure computes others, or they are expected ones."""
    if judged.groups is not None or overridden(measure, "score", "exact_scores"):
        return None
    return measure.exact_scores(judged, rows)


def _together(steps: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Stretches of the order that the doubles leave together."""
    edges = [*np.flatnonzero(steps).tolist(), len(steps)]
    return [(start, stop) for start, stop in pairwise([0, *edges]) if stop - start > 1]


def _rows_of(order: NDArray[np.int64], together: list[tuple[int, int]]) -> NDArray[np.int64]:
    return np.concatenate([order[:0], *(order[start:stop] for start, stop in together)])


def _split(exact: Sequence[Exact], together: list[tuple[int, int]], order: NDArray[np.int64], steps: NDArray[np.int64]) -> None:
    """Put rows that the doubles leave together into their exact order, and mark the steps between different values."""
    at = 0
    for start, stop in together:
        groups: dict[int, list[int]] = {}  # places of each number
        numbers: dict[int, Exact] = {}
        for place, value in enumerate(exact[at : at + stop - start]):
            groups.setdefault(modular(value), []).append(place)
            numbers[modular(value)] = value
        at += stop - start
        rising = [groups[code] for code, _ in sorted(numbers.items(), key=cmp_to_key(_compare_second))]
        order[start:stop] = order[start:stop][np.concatenate(rising)]
        steps[start + np.cumsum([len(group) for group in rising[:-1]], dtype=np.int64)] = 1


def _compare_second(one: tuple[int, Exact], other: tuple[int, Exact]) -> int:
    return compare(one[1], other[1])
