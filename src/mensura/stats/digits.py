"""Decimals that a mean deserves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.evaluation.scores import Scores
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

SYSTEMS, RANKS = 8, 10  # enough to find the document that counts most: it is near the top
TWO_DIGITS = 3.55  # an uncertainty that begins with less than this is given with two digits (Particle Data Group)
LARGEST = 1 << 26  # bytes of grades that are tried at once
MOST = 6
PLAIN = 4  # decimals of a single value, which is not an estimate: trec_eval's
Z = 1.959963984540054  # of the standard normal distribution, 2.5 % lie above
STUDENT = (Z, (Z**3 + Z) / 4, (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96, (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384)


def decimals_for_change(change: float) -> int:
    """The most decimals with which a change of this size touches the last digit only (P3 §2.3).

    Examples
    --------
    >>> decimals_for_change(1 / 500)  # P@10 over 50 topics: one document more or less
    3
    """
    if not change > 0:
        raise StatisticsError(f"expected a positive change, got {change}")
    if change == math.inf:
        return 0
    return min(max(math.ceil(-math.log10(change) - 1e-12), 0), MOST)


def decimals_for_interval(half_width: float) -> int:
    """The most decimals that an interval of this half-width supports: one digit of the half-width, two if it begins with 1, 2 or 3.

    Examples
    --------
    >>> decimals_for_interval(0.04), decimals_for_interval(0.02)
    (2, 3)
    """
    if not half_width > 0:
        return MOST
    exponent = math.floor(math.log10(half_width))
    leading = half_width / 10.0**exponent
    return min(max(-exponent + (1 if leading < TWO_DIGITS else 0), 0), MOST)


def one_document(measure: Measure, judged: JudgedRuns) -> float:
    """Largest change of the mean of a measure when one document more, or one fewer, is relevant.

    The documents of the first ranks of some systems are tried, one by one; the recall base stays as it is.
    """
    ranks = np.arange(min(RANKS, measure.depth or RANKS, judged.length))
    some = judged.by_name(SYSTEMS)
    relevant = max(int(getattr(measure, "rel", 1)), 1)
    largest = 0.0
    for tried in np.array_split(ranks, max(1, -(-len(ranks) * some.grades.size // LARGEST))):
        grades = np.repeat(some.grades[None], len(tried) + 1, axis=0)
        at = np.arange(len(tried)), ..., tried  # in each round but the last, the document at another rank
        grades[at] = np.where(grades[at] >= relevant, 0, relevant)
        rounds = some.repeated(len(grades)).regraded(grades.reshape(-1, *some.grades.shape[1:]))
        values = measure.transformed(measure.score(rounds)).reshape(-1, *some.shape)
        centre = np.nan_to_num(values[-1]).mean(axis=1, keepdims=True)
        means = measure.restored(centre + (values - values[-1]) / judged.shape[1])
        largest = max(largest, float(np.nanmax(np.abs(means - measure.restored(centre)), initial=0.0)))
    return largest


def decimals(measure: Measure, judged: JudgedRuns, half_width: float = 0.0) -> int:
    """Decimals to show of a mean: as many as one relevant document justifies, and no more than its interval supports.

    A measure that is computed from documents does not see changed grades, and an evaluation that was merged from pieces has none:
    decimals are those that the interval supports.
    """
    supported = decimals_for_mean(measure, half_width)
    if measure.from_documents or judged.depth == 0 or supported <= decimals_for_change(_most(measure, judged.shape[1])):
        return supported
    change = one_document(measure, judged)
    return min(decimals_for_change(change), supported) if change > 0 else supported


def decimals_for_mean(measure: Measure, half_width: float) -> int:
    """The most decimals that the interval of a mean supports.

    A mean lies within the range of its measure: an interval that is wider, as on two topics, does not make .47 a 0.
    """
    low, high = measure.range
    return decimals_for_interval(min(half_width, (high - low) / 2))


def _most(measure: Measure, topics: int) -> float:
    """Bound of the change of a mean by one topic, whose value lies within the range of the measure."""
    low, high = measure.transformed(np.array(measure.range))
    if not np.isfinite(high - low):
        return math.inf
    top, below = measure.restored(np.array([high, high - (high - low) / topics]))
    return float(top - below)


def half_widths(values: NDArray[np.float64], counted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Half-width of the 95 % confidence interval of each row's mean; NaN for less than two values."""
    return _centre_and_half(values, counted)[1]


def _centre_and_half(values: NDArray[np.float64], counted: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean of each row and half-width of its 95 % confidence interval.

    Student's quantile is from the first terms of its expansion around the normal one (Abramowitz and Stegun 26.7.5): plain tables
    do not wait for SciPy.
    """
    number = np.sum(counted, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        degrees = np.where(number > 1, number - 1.0, np.nan)
        centre = np.where(counted, values, 0.0).sum(axis=1) / number
        variance = np.where(counted, (values - centre[:, None]) ** 2, 0.0).sum(axis=1) / degrees
        quantile = sum(term / degrees**power for power, term in enumerate(STUDENT))
        half: NDArray[np.float64] = quantile * np.sqrt(variance / number)
    return centre, half


def middle_half_width(values: NDArray[np.float64], counted: NDArray[np.bool_]) -> float:
    """Median half-width over the systems; 0 if no system has one."""
    return _median(half_widths(values, counted))


def _median(half: NDArray[np.float64]) -> float:
    half = np.sort(half[np.isfinite(half)])
    middle = len(half) // 2
    return float(half[middle] + half[~middle]) / 2 if len(half) else 0.0  # np.median imports masked arrays, which takes long


def decimals_of_means(scores: Scores) -> int:
    """Decimals to show of the means of some systems: by the median interval, and by one document."""
    if scores.measure.aggregation == "sum":
        return 0
    if scores.judged is None or np.sum(scores.counted, axis=1).max(initial=0) <= 1:
        return PLAIN
    measure = scores.measure
    plain = measure.averages == "values"
    centre, half = _centre_and_half(scores.values if plain else measure.transformed(scores.values), scores.counted)
    low, high = centre - half, centre + half
    if not plain:
        low, high = measure.restored(low), measure.restored(high)
    return decimals(measure, scores.judged, _median((high - low) / 2))
