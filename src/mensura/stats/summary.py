"""Means: arithmetic, geometric or median; the one that fits the values; and relative improvements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mensura.errors import StatisticsError
from mensura.measures.names import parse_measure
from mensura.result import Result
from mensura.scales.facts import scale_facts
from mensura.stats.correlation import spearman

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mensura.measures.base import Measure

Mean = Literal["arithmetic", "geometric", "median"]
DIGITS = 12
"""Digits beyond which two differences are the same: a double has 15 to 17, and a mean over systems loses some."""


def mean(
    values: ArrayLike, kind: Mean = "arithmetic", *, measure: Measure | None = None, force: bool = False, floor: float = 0.0
) -> NDArray[np.float64]:
    """The mean over topics of each system.

    Parameters
    ----------
    values
        [system, topic].
    kind
        ``arithmetic`` needs an interval scale, ``geometric`` a ratio scale, ``median`` an ordinal one.
    measure
        The measure that the values are of. A geometric mean is refused if it is not on a ratio scale.
    force
        Compute it all the same.
    floor
        Values below this count as this, in a geometric mean: GMAP takes 0.00001.

    Examples
    --------
    >>> mean([[0.2, 0.5], [0.18, 0.54]]).round(3)
    array([0.35, 0.36])
    >>> mean([[0.2, 0.5], [0.18, 0.54]], "geometric", force=True).round(4)
    array([0.3162, 0.3118])
    """
    array = np.atleast_2d(np.asarray(values, dtype=np.float64))
    match kind:
        case "arithmetic":
            return np.asarray(array.mean(axis=1))
        case "median":
            return np.asarray(np.median(array, axis=1))
        case "geometric":
            _check_geometric(array, measure, force=force)
            with np.errstate(divide="ignore"):
                return np.exp(np.log(np.maximum(array, floor)).mean(axis=1))
        case _:
            raise StatisticsError(f"unknown mean {kind!r}; use 'arithmetic', 'geometric' or 'median'")


def _check_geometric(array: NDArray[np.float64], measure: Measure | None, *, force: bool) -> None:
    if (array < 0).any():
        raise StatisticsError("a geometric mean needs values of at least 0")
    if force:
        return
    if measure is None:
        raise StatisticsError("a geometric mean needs a ratio scale; name the measure of the values, or force it")
    facts = scale_facts(measure)
    if facts.type != "ratio":
        raise StatisticsError(
            f"a geometric mean needs a ratio scale, and {measure} is on {facts.article} {facts.type} scale: {facts.reason}. "
            "Use the median or the interval scale, or force it"
        )


@dataclass(frozen=True, slots=True)
class Fit(Result):
    """The mean that fits, from the correlation of differences between systems with the level of the topics.

    ``correlation`` is Spearman's ρ between a topic's mean value and the spread of the systems on it (P3 §2.4); ``advice`` is
    the mean to use: arithmetic if differences do not depend on the level, geometric if they grow in proportion.
    """

    correlation: float
    proportional: float
    advice: Mean
    text: str


def which_mean(values: ArrayLike) -> Fit:
    """Test whether differences between systems grow with the level of the values.

    For every topic, the mean over the systems is its level, and the mean absolute difference of two systems its spread. If the
    spread goes with the level (ρ > 0) and the relative spread does so less, differences are rather proportional and the
    geometric mean fits; else the arithmetic one does.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or len(array) < 2 or array.shape[1] < 3:  # noqa: PLR2004 - systems and topics, for a correlation
        raise StatisticsError(f"expected values [system, topic] of at least 2 systems and 3 topics, got shape {array.shape}")
    systems = len(array)
    # Σ |x_i − x_j| over all pairs, from sorted values: x_(k) is subtracted systems − k times and added k − 1 times.
    weights = 2.0 * np.arange(systems) - (systems - 1)
    spread = np.asarray(weights @ np.sort(array, axis=0) / (systems * (systems - 1) / 2), dtype=np.float64)
    level = array.mean(axis=0)
    unit = float(np.abs(array).max(initial=0.0))
    positive = level > 0
    shares = np.asarray(spread[positive] / level[positive], dtype=np.float64)
    absolute = spearman(_tied(level, unit), _tied(spread, unit))
    relative = spearman(_tied(level[positive], unit), _tied(shares, 1.0)) if positive.sum() > 2 else 0.0  # noqa: PLR2004 - for a correlation
    absolute, relative = float(np.nan_to_num(absolute)), float(np.nan_to_num(relative))
    advice: Mean = "geometric" if absolute > 0 and abs(relative) < abs(absolute) else "arithmetic"
    text = (
        f"differences grow with the level (ρ = {absolute:.2f}), relative differences less (ρ = {relative:.2f}): they are rather "
        "proportional, and the geometric mean fits if the scale is a ratio scale"
        if advice == "geometric"
        else f"differences do not grow in proportion to the level (ρ = {absolute:.2f}, relative ρ = {relative:.2f}): "
        "the arithmetic mean fits"
    )
    return Fit(absolute, relative, advice, text)


def _tied(numbers: NDArray[np.float64], unit: float) -> NDArray[np.float64]:
    """Return ``numbers`` rounded to ``DIGITS`` digits of ``unit``, so that rounding noise of equal ones has no rank."""
    return np.round(numbers / unit, DIGITS) if unit > 0 else numbers


def relative_improvement(
    values: ArrayLike, baseline: ArrayLike, *, measure: Measure | str | None = None, force: bool = False
) -> float:
    """The relative improvement over a baseline, from geometric means: the mean of the topics' own ratios (P3 §2.4).

    That of arithmetic means is not offered: the ratio of two means is not the mean of the ratios. It is refused off ratio
    scales unless forced, and where a value is 0.

    Examples
    --------
    >>> round(relative_improvement([0.18, 0.54], [0.2, 0.5], force=True), 4)
    -0.0141
    """
    new, old = np.asarray(values, dtype=np.float64).reshape(1, -1), np.asarray(baseline, dtype=np.float64).reshape(1, -1)
    if new.shape != old.shape:
        raise StatisticsError(f"{new.size} values and {old.size} of the baseline: they must be of the same topics")
    facts = None if measure is None else scale_facts(parse_measure(measure) if isinstance(measure, str) else measure)
    if not force and (facts is None or facts.type != "ratio"):
        what = "its measure is not named" if facts is None else f"{measure} is on {facts.article} {facts.type} scale"
        raise StatisticsError(f"relative improvements need a ratio scale, and {what}: report the difference, or force it")
    if (old <= 0).any() or (new <= 0).any():
        raise StatisticsError("a relative improvement needs values above 0 on all topics: report the difference")
    return float(np.exp(np.log(new / old).mean()) - 1)
