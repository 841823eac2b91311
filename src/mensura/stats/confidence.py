"""Confidence intervals of means, of single differences, of all differences simultaneously, and of proportions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from mensura.errors import StatisticsError
from mensura.result import Result, floats
from mensura.stats.arrays import SystemPairs, make_table, scaled
from mensura.stats.blocked import error_deviation
from mensura.stats.bootstrap import bca_interval, bootstrap_t, plain_statistics
from mensura.stats.draws import CLOSE, SAMPLES, Draws, draws_beyond, extremes, pair_moments
from mensura.stats.dunnett_distribution import dunnett_isf
from mensura.stats.methods import INTERVAL_METHODS, unknown
from mensura.stats.permutation import randomised_tukey
from mensura.stats.tukey import studentized_range_isf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from mensura.stats.arrays import ScoreTable
    from mensura.stats.draws import PairMoments
    from mensura.stats.methods import IntervalMethod
    from mensura.stats.results import Outcome

TOPICS_ARE_THE_UNITS = (
    "this interval treats every document as an observation; topics were sampled, and documents of a topic resemble each other, "
    "so the true interval is wider; use the t or the bootstrap interval over topics"
)


@dataclass(frozen=True, eq=False)
class Intervals(Result):
    """Intervals of mean differences, one for each pair.

    ``simultaneous``: all of them hold together with the confidence level, not just each by itself.
    """

    pairs: SystemPairs
    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    level: float
    method: IntervalMethod
    simultaneous: bool

    readers: ClassVar = {"pairs": SystemPairs.from_dict, **dict.fromkeys(("estimate", "low", "high"), floats)}

    def __repr__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "single"
        return f"Intervals({len(self.pairs)} {kind} {self.method} intervals, {100 * self.level:g} %)"


@dataclass(frozen=True, slots=True)
class Proportion(Result):
    """A proportion with Wilson's interval, and a remark on its limits."""

    estimate: float
    low: float
    high: float
    level: float
    remark: str = TOPICS_ARE_THE_UNITS


def check_level(level: float) -> None:
    """Refuse a confidence level outside 0 to 1."""
    if not 0 < level < 1:
        raise StatisticsError(f"expected a confidence level between 0 and 1, such as 0.95, got {level}")


def mean_interval(
    values: ArrayLike, *, level: float = 0.95, method: Literal["t", "bca"] = "t", samples: int = 10_000, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Intervals of the mean of each row of [system, topic]: by Student's t, or by the BCa bootstrap over topics.

    Examples
    --------
    >>> low, high = mean_interval([[0.2, 0.4, 0.6, 0.8]])
    >>> low.round(4), high.round(4)
    (array([0.0891]), array([0.9109]))
    """
    check_level(level)
    rows = np.atleast_2d(np.asarray(values, dtype=np.float64))
    topics = rows.shape[1]
    if topics < 2:  # noqa: PLR2004 - for a variance
        raise StatisticsError(f"an interval needs at least 2 topics, got {topics}")
    if method == "bca":
        return bca_interval(rows, level=level, samples=samples, seed=seed)
    mean = rows.mean(axis=1)
    part, unit = scaled(rows)
    half = mean_half_width(part.std(axis=1, ddof=1) * unit, topics, level)
    return mean - half, mean + half


def mean_half_width(deviation: NDArray[np.float64], topics: int, level: float) -> NDArray[np.float64]:
    """Half-widths of the t intervals of means, from standard deviations."""
    from scipy.special import stdtrit

    if topics < 2:  # noqa: PLR2004 - for a variance
        raise StatisticsError(f"an interval needs at least 2 topics, got {topics}")
    return np.asarray(stdtrit(topics - 1, 0.5 + level / 2) * deviation / math.sqrt(topics))


def difference_intervals(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | Sequence[int] | None = None,
    method: IntervalMethod = "t",
    simultaneous: bool = False,
    level: float = 0.95,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Intervals:
    """Intervals of the mean difference of each pair.

    Parameters
    ----------
    values
        [system, topic].
    baseline
        Compare all others with this system, or with each of several; by default, all pairs.
    method
        ``bootstrap-t``: from the bootstrap distribution of t over topics; together, from the largest t of all pairs. ``t``: from
        Student's t of the differences of the pair; together, by Bonferroni. ``anova``: with the common error of the two-way
        analysis of variance; together, by Tukey's studentized range or, with a baseline, Dunnett's distribution. ``bca``: the
        bias-corrected and accelerated bootstrap over topics; single only. ``randomised``: from the largest difference under
        shuffles within topics (randomised Tukey HSD); together only.
    simultaneous
        Whether all intervals hold together with the confidence level.
    level
        The confidence level.
    samples, seed, threads
        For the methods that draw at random.
    """
    check_level(level)
    table = make_table(values)
    pairs = table.pairs(baseline)
    if table.topics < 2:  # noqa: PLR2004 - for a variance
        raise StatisticsError("an interval needs at least 2 topics, got 1")
    if method not in INTERVAL_METHODS:
        raise StatisticsError(unknown("interval method", method, INTERVAL_METHODS))
    check_interval(method, simultaneous=simultaneous)
    drawing = Draws(samples, seed, threads)
    moments = pair_moments(table, pairs, threads)
    options: dict[str, Any] = {"baseline": baseline, "samples": samples, "seed": seed, "threads": threads}
    share = 1 - level
    half: NDArray[np.float64] | float
    match method:
        case "bca":
            low, high = bca_interval(table.difference(pairs), level=level, samples=samples or SAMPLES, seed=seed, threads=threads)
            return Intervals(pairs, moments.mean, low, high, level, method, simultaneous)
        case "t":
            half = student_half_width(moments, table.topics, share / len(pairs) if simultaneous else share)
        case "bootstrap-t" if not simultaneous:
            half = resampled_half_width(table, pairs, moments, share, drawing)
        case "bootstrap-t" | "randomised":
            half = drawn_half_width(
                bootstrap_t(table, **options) if method == "bootstrap-t" else randomised_tukey(table, **options), share
            )
        case _:
            compared = len(pairs) if pairs.baselines else None
            half = common_half_width(*error_deviation(table, blocked=True), table, share, compared if simultaneous else 1)
    return Intervals(pairs, moments.mean, moments.mean - half, moments.mean + half, level, method, simultaneous)


def check_interval(method: IntervalMethod, *, simultaneous: bool) -> None:
    """Refuse BCa intervals of many differences together, and randomised ones of each by itself.

    Together, by Bonferroni, BCa intervals of 30 systems over 25 topics cover .60 of the time, not .95: 10 000 resamples do not
    reach so far into the tails. Sign flips of one pair cover .90 at ten topics.
    """
    if method == "bca" and simultaneous:
        raise StatisticsError("BCa intervals do not hold simultaneously; use 'bootstrap-t', or no correction for single intervals")
    if method == "randomised" and not simultaneous:
        raise StatisticsError("randomised intervals are simultaneous; use 't' or 'bootstrap-t' for single intervals")


def drawn_half_width(outcome: Outcome, share: float) -> NDArray[np.float64]:
    """Half-widths from the draws of a test of the whole family: the same ones that its p-values are from.

    They are infinite where the draws are too few for the share, or where as many draws as that know nothing of the variation.
    """
    quantile = upper_quantile(np.zeros(0) if outcome.null is None else outcome.null, share)
    scale = np.ones(len(outcome.pairs)) if outcome.scale is None else outcome.scale
    return _times(quantile, scale)


def upper_quantile(ordered: NDArray[np.float64], share: float) -> float:
    """The largest value that does not exceed ``share`` of the draws and the data together; infinite if there are too few draws."""
    beyond = draws_beyond(len(ordered), share)
    return float(ordered[len(ordered) - beyond]) if beyond else math.inf


def _times(quantile: NDArray[np.float64] | float, scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Quantile × scale, where an infinite quantile is larger than any scale is small."""
    with np.errstate(invalid="ignore"):  # ∞ · 0
        return np.where(np.isinf(quantile), np.inf, quantile * scale)


def student_half_width(moments: PairMoments, topics: int, share: float) -> NDArray[np.float64]:
    """Half-widths from Student's t of each pair's differences."""
    from scipy.special import stdtrit

    return np.asarray(-stdtrit(topics - 1, share / 2) * moments.deviation / math.sqrt(topics))


def resampled_half_width(
    table: ScoreTable, pairs: SystemPairs, moments: PairMoments, share: float, drawing: Draws
) -> NDArray[np.float64]:
    """Half-widths from each pair's own bootstrap distribution of the size of t: from the draws of :func:`bootstrap_test`."""
    samples = drawing.number(len(pairs), table.topics)
    beyond = draws_beyond(samples, share)
    if not beyond:
        return np.full(len(pairs), np.inf)
    statistics = plain_statistics(moments, np.zeros(len(pairs)))
    quantile = extremes(table.limbs, statistics.of(pairs.first, pairs.second), beyond, samples, drawing)
    # A draw that agrees with the data but for rounding reaches it, so the interval ends beyond such a draw.
    return _times(quantile / math.sqrt(1 - CLOSE), moments.deviation / math.sqrt(table.topics))


def common_half_width(deviation: float, degrees: float, table: ScoreTable, share: float, compared: int | None) -> float:
    """Half-width from the error of an analysis of variance: Tukey's for all pairs, Dunnett's for ``compared``, t for 1."""
    from scipy.special import stdtrit

    unit = deviation / math.sqrt(table.topics)
    if compared is None:
        return studentized_range_isf(share, table.systems, degrees) * unit
    if compared == 1:
        return float(-stdtrit(degrees, share / 2)) * math.sqrt(2) * unit
    return dunnett_isf(share, compared, degrees) * math.sqrt(2) * unit


def wilson_interval(successes: float, observations: int, *, level: float = 0.95) -> Proportion:
    r"""Wilson's interval for a proportion: the fraction of documents that are relevant, say.

    .. math:: \frac{p + z^2/2n \pm z \sqrt{p(1-p)/n + z^2/4n^2}}{1 + z^2/n}

    The result carries the warning that topics, not documents, are the independent units.

    Examples
    --------
    >>> interval = wilson_interval(350, 500)  # P@10 = .7 over 50 topics (P3 §2.3)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.658, 0.739)
    """
    from scipy.special import ndtri

    check_level(level)
    if observations < 1 or not 0 <= successes <= observations:
        raise StatisticsError(f"expected at most {observations} successes of {observations} observations, got {successes}")
    z = float(ndtri(0.5 + level / 2))
    share, n = successes / observations, observations
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Proportion(share, max(0.0, centre - half), min(1.0, centre + half), level)
