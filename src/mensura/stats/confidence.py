"""Confidence intervals of means, of single differences, of all differences simultaneously, and of proportions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from mensura.errors import StatisticsError
from mensura.result import Result, floats
from mensura.stats.arrays import SystemPairs, make_pairs, make_table
from mensura.stats.blocked import fit
from mensura.stats.bootstrap import bca_interval
from mensura.stats.dunnett_distribution import dunnett_isf
from mensura.stats.methods import INTERVAL_METHODS, unknown
from mensura.stats.paired import mean_difference
from mensura.stats.permutation import Draws, flipped, over_blocks, randomised_tukey
from mensura.stats.tukey import studentized_range_isf

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mensura.stats.arrays import ScoreTable
    from mensura.stats.methods import IntervalMethod

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
    from scipy.special import stdtrit

    check_level(level)
    rows = np.atleast_2d(np.asarray(values, dtype=np.float64))
    topics = rows.shape[1]
    if topics < 2:  # noqa: PLR2004 - for a variance
        raise StatisticsError(f"an interval needs at least 2 topics, got {topics}")
    if method == "bca":
        return bca_interval(rows, level=level, samples=samples, seed=seed)
    mean = rows.mean(axis=1)
    half = stdtrit(topics - 1, 0.5 + level / 2) * rows.std(axis=1, ddof=1) / math.sqrt(topics)
    return mean - half, mean + half


def difference_intervals(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | None = None,
    method: IntervalMethod = "t",
    simultaneous: bool = False,
    level: float = 0.95,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
) -> Intervals:
    """Intervals of the mean difference of each pair.

    Parameters
    ----------
    values
        [system, topic].
    baseline
        Compare all others with this system; by default, all pairs.
    method
        ``t``: from the differences of the pair; together, by Bonferroni. ``anova``: with the common error of the two-way
        analysis of variance; together, by Tukey's studentized range or, with a baseline, Dunnett's distribution. ``bca``: the
        bias-corrected and accelerated bootstrap over topics; together, by Bonferroni. ``randomised``: from random signs of the
        pair's centred differences; together, from the largest difference under shuffles within topics (randomised Tukey HSD).
    simultaneous
        Whether all intervals hold together with the confidence level.
    level
        The confidence level.
    samples, seed, threads
        For the methods that draw at random.
    """
    from scipy.special import stdtrit

    check_level(level)
    table = make_table(values)
    pairs = make_pairs(table.systems, baseline)
    if table.topics < 2:  # noqa: PLR2004 - for a variance
        raise StatisticsError("an interval needs at least 2 topics, got 1")
    estimate = mean_difference(table, pairs)
    each = 1 - (1 - level) / len(pairs) if simultaneous else level
    half: NDArray[np.float64] | float
    match method:
        case "t":
            spread = table.difference(pairs).std(axis=1, ddof=1)
            half = stdtrit(table.topics - 1, 0.5 + each / 2) * spread / math.sqrt(table.topics)
        case "anova":
            half = _common(table, baseline, level, simultaneous=simultaneous)
        case "bca":
            low, high = bca_interval(table.difference(pairs), level=each, samples=samples, seed=seed, threads=threads)
            return Intervals(pairs, estimate, low, high, level, method, simultaneous)
        case "randomised":
            drawing = Draws(samples, seed, threads)
            if simultaneous:
                null = randomised_tukey(table, baseline=baseline, samples=samples, seed=seed, threads=threads).null
                half = upper_quantile(np.zeros(1) if null is None else null, 1 - level)
            else:
                half = _signs(table, pairs, level, drawing)
        case _:
            raise StatisticsError(unknown("interval method", method, INTERVAL_METHODS))
    return Intervals(pairs, estimate, estimate - half, estimate + half, level, method, simultaneous)


def upper_quantile(ordered: NDArray[np.float64], share: float) -> float:
    """The value that at most ``share`` of the draws and the data together exceed."""
    beyond = math.floor(share * (len(ordered) + 1) + 1e-9)
    return float(ordered[len(ordered) - max(beyond, 1)])


def _common(table: ScoreTable, baseline: int | None, level: float, *, simultaneous: bool) -> float:
    from scipy.special import stdtrit

    _, within, degrees = fit(table, blocked=True)
    error = math.sqrt(within / degrees / table.topics)
    if not simultaneous:
        return float(stdtrit(degrees, 0.5 + level / 2)) * math.sqrt(2) * error
    if baseline is None:
        return studentized_range_isf(1 - level, table.systems, degrees) * error
    return dunnett_isf(1 - level, table.systems - 1, degrees) * math.sqrt(2) * error


def _signs(table: ScoreTable, pairs: SystemPairs, level: float, drawing: Draws) -> NDArray[np.float64]:
    """The upper quantile of |mean| of each pair's centred differences under random signs."""
    rows = table.shifted - table.shifted.mean(axis=1, keepdims=True)
    centred = type(table)(rows)
    sums = np.concatenate(over_blocks(lambda block, draws: flipped(centred, drawing.seed, block, draws), drawing), axis=1)
    half = np.empty(len(pairs))
    for pair in range(len(pairs)):
        drawn = np.sort(np.abs(sums[pairs.first[pair]] - sums[pairs.second[pair]]))
        half[pair] = upper_quantile(drawn, 1 - level) / table.topics
    return half


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
