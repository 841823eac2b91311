"""How many decimals a mean deserves."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError
from mensura.measures.geometric import GM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.evaluation.scores import Scores
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

SYSTEMS, RANKS = 8, 10  # enough to find the document that counts most: it stands near the top
TWO_DIGITS = 3.55  # an uncertainty that begins with less than this is given with two digits (Particle Data Group)
MOST = 6
PLAIN = 4  # decimals of a single value, which is no estimate: trec_eval's
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
        raise StatisticsError(f"a change of {change}: it must be positive")
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
    """The most that the mean of a measure changes if one document more, or one fewer, is relevant.

    The documents of the first ranks of some systems are tried, one by one; the recall base stays as it is.
    """
    some = dataclasses.replace(
        judged,
        grades=judged.grades[:SYSTEMS],
        retrieved=judged.retrieved[:SYSTEMS],
        ties=judged.ties[:SYSTEMS],
        systems=judged.systems[:SYSTEMS],
        extra=judged.extra[:SYSTEMS],
        scores=None if judged.scores is None else judged.scores[:SYSTEMS],
    )
    values = measure.score(some)
    relevant = max(int(getattr(measure, "rel", 1)), 1)
    largest = 0.0
    for rank in range(min(RANKS, measure.depth or RANKS, some.length)):
        grades = some.grades.copy()
        grades[:, :, rank] = np.where(grades[:, :, rank] >= relevant, 0, relevant)
        changed = measure.score(dataclasses.replace(some, grades=grades))
        largest = max(largest, float(np.nanmax(np.abs(changed - values), initial=0.0)))
    return largest / judged.shape[1]


def decimals(measure: Measure, judged: JudgedRuns, half_width: float = 0.0) -> int:
    """The decimals to show of a mean: as many as one relevant document justifies, and no more than its interval supports."""
    supported = decimals_for_interval(half_width)
    low, high = measure.range
    most = (high - low) / judged.shape[1]  # by no more can one document move the mean
    if most < math.inf and supported <= decimals_for_change(most):
        return supported
    change = one_document(measure, judged)
    return min(decimals_for_change(change), supported) if change > 0 else supported


def half_widths(values: NDArray[np.float64], counted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Half of the 95 % interval of each row's mean; NaN for less than two values.

    Student's quantile is from the first terms of its expansion around the normal one (Abramowitz and Stegun 26.7.5): plain tables
    shall not wait for SciPy.
    """
    number = np.sum(counted, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        degrees = np.where(number > 1, number - 1.0, np.nan)
        centre = np.where(counted, values, 0.0).sum(axis=1) / number
        variance = np.where(counted, (values - centre[:, None]) ** 2, 0.0).sum(axis=1) / degrees
        quantile = sum(term / degrees**power for power, term in enumerate(STUDENT))
        half: NDArray[np.float64] = quantile * np.sqrt(variance / number)
    return half


def middle_half_width(values: NDArray[np.float64], counted: NDArray[np.bool_]) -> float:
    """The half-width of the system in the middle; 0 if no system has one."""
    half = half_widths(values, counted)
    half = np.sort(half[np.isfinite(half)])
    middle = len(half) // 2
    return float(half[middle] + half[~middle]) / 2 if len(half) else 0.0  # np.median imports masked arrays, which takes long


def decimals_of_means(scores: Scores) -> int:
    """The decimals to show of the means of some systems: by the interval of the system in the middle, and by one document."""
    if scores.judged is None or scores.topics_counted.max(initial=0) <= 1:
        return PLAIN
    if isinstance(scores.measure, GM):
        logarithms = np.log(np.maximum(scores.values, scores.measure.floor))
        return decimals_for_interval(float(np.nanmedian(scores.mean())) * middle_half_width(logarithms, scores.counted))
    return decimals(scores.measure, scores.judged, middle_half_width(scores.values, scores.counted))
