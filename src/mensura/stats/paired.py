"""Tests of pairs of systems, topic by topic: sign, signed rank, Student's t; and the rank sum, which forgets the topics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import StatisticsError
from mensura.stats.arrays import in_parts, make_table
from mensura.stats.draws import pair_moments
from mensura.stats.methods import RANK_SUM, SIGN, SIGNED_RANK, STUDENT, implements
from mensura.stats.results import Outcome, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from mensura.stats.arrays import ScoreTable, SystemPairs
    from mensura.stats.draws import PairMoments

EXACT_RANKS = 100  # differences up to which the distribution of signed ranks is counted


def mean_difference(table: ScoreTable, pairs: SystemPairs) -> NDArray[np.float64]:
    """The mean over topics of first − second: from exact differences where the values are integers."""
    return pair_moments(table, pairs).mean


def count_orders(table: ScoreTable, pairs: SystemPairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers of topics on which the first system's value is larger, and smaller."""
    wins, losses = np.empty(len(pairs), dtype=np.int64), np.empty(len(pairs), dtype=np.int64)
    for part, some in pairs.blocks():
        signs = table.signs(some)
        wins[part], losses[part] = np.count_nonzero(signs > 0, axis=1), np.count_nonzero(signs < 0, axis=1)
    return wins, losses


@implements(SIGN)
def sign_test(values: ArrayLike | ScoreTable, *, baseline: int | Sequence[int] | None = None) -> Outcome:
    r"""The sign test of the hypothesis that each system is better on as many topics as the other.

    Topics where both are equal are dropped. With k wins on the n others, :math:`p = \min(1, 2 P(X \le \min(k, n - k)))` for a
    binomial X with probability ½: exact for any n. The statistic is the number of wins of the first system.

    Examples
    --------
    >>> sign_test([[3, 5, 2, 6, 7, 4], [1, 2, 2, 3, 4, 1]]).p
    array([0.0625])
    """
    table = make_table(values)
    pairs = table.pairs(baseline)
    return signs_counted(pairs, *count_orders(table, pairs), mean_difference(table, pairs), table.topics)


def signs_counted(
    pairs: SystemPairs, wins: NDArray[np.int64], losses: NDArray[np.int64], estimate: NDArray[np.float64], topics: int
) -> Outcome:
    """:func:`sign_test` of pairs with so many wins and losses."""
    from scipy.special import bdtr

    n = wins + losses
    # There are few different (k, n): the binomial is computed once for each.
    keys, inverse = np.unique(np.minimum(wins, losses) * (topics + 1) + n, return_inverse=True)
    tail = bdtr((keys // (topics + 1)).astype(np.float64), keys % (topics + 1), 0.5)
    p = np.minimum(1.0, 2 * tail)[inverse]
    direction = np.sign(wins - losses).astype(np.int8)
    return Outcome(SIGN, pairs, estimate, wins.astype(np.float64), p, topics, directions=direction)


@implements(STUDENT)
def paired_t(values: ArrayLike | ScoreTable, *, baseline: int | Sequence[int] | None = None) -> Outcome:
    """Student's t-test of the differences of paired values, with one degree of freedom less than there are topics.

    If a difference is the same on all topics there is nothing to estimate its variation from: t is infinite and p = 0, or t = 0 and
    p = 1 if the difference is zero everywhere. A remark says so.

    Examples
    --------
    >>> paired_t([[0.7, 0.5, 0.9], [0.2, 0.4, 0.3]]).p.round(6)
    array([0.120117])
    """
    table = make_table(values)
    pairs = table.pairs(baseline)
    return student_t(table.topics, pairs, pair_moments(table, pairs))


def student_t(topics: int, pairs: SystemPairs, moments: PairMoments) -> Outcome:
    """:func:`paired_t` of some pairs, from the moments of their differences."""
    from scipy.special import stdtr

    if topics < 2:  # noqa: PLR2004 - for a variance
        raise StatisticsError("a t-test needs at least 2 topics, got 1; one difference says nothing about its variation")
    mean, deviation, _ = moments
    constant = (deviation == 0) & (mean != 0)
    statistic = np.zeros(len(pairs))
    np.divide(mean * math.sqrt(topics), deviation, out=statistic, where=deviation > 0)
    statistic[constant] = np.copysign(np.inf, mean[constant])
    p = np.where(constant, 0.0, 2 * stdtr(topics - 1, -np.abs(np.where(constant, 0.0, statistic))))
    return Outcome(STUDENT, pairs, mean, statistic, p, topics, degrees=topics - 1, remarks=constant_remarks(moments))


def constant_remarks(moments: PairMoments) -> tuple[str, ...]:
    """Remark on differences that do not vary, and so do not say how far from 0 chance would carry them."""
    same, pairs = int(((moments.deviation == 0) & (moments.mean != 0)).sum()), len(moments.mean)
    if not same:
        return ()
    are = "is" if same == 1 else "are"
    of = f"{same} of {plural(pairs, 'difference')}" if pairs > 1 else "the difference"
    return (f"{of} {are} the same on all topics, where t is infinite; use the sign test instead",)


@implements(SIGNED_RANK)
def signed_rank(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | Sequence[int] | None = None,
    exact: int = EXACT_RANKS,
    continuity: bool = False,
    threads: int | None = None,
) -> Outcome:
    r"""Wilcoxon's signed rank test of the differences of paired values.

    Zero differences are dropped, and absolute differences are ranked; ties share the mean of their ranks. The statistic is the sum
    of the ranks of positive differences W⁺. Where at most ``exact`` differences are left, p is exact, with ties as well: all signs
    of the ranks are counted. Otherwise W⁺ is treated as normal with mean n(n+1)/4 and variance
    :math:`n(n+1)(2n+1)/24 - \sum (t^3 - t)/48`.

    Parameters
    ----------
    values
        [system, topic].
    baseline
        Compare all others with this system; by default, all pairs.
    exact
        The largest number of differences for which p is computed exactly; P4's software has 15.
    continuity
        Move W⁺ by ½ towards its mean before the normal approximation (R's default; P4's software does not).
    threads
        As many as there are cores, by default.

    Examples
    --------
    >>> signed_rank([[9, 7, 8, 6, 9], [5, 6, 6, 3, 2]]).p
    array([0.0625])
    """
    from scipy.special import ndtr

    from mensura._core.paired import signed_ranks

    table = make_table(values)
    pairs = table.pairs(baseline)
    positive, ties, chance = np.empty(len(pairs)), np.empty(len(pairs)), np.empty(len(pairs))
    counted = np.empty(len(pairs), dtype=np.int64)
    for part, some in pairs.blocks():
        size, slack = table.sizes(some)
        data: Any = (size, slack, table.signs(some), exact)
        columns: Any = (positive[part], counted[part], ties[part], chance[part])

        def work(start: int, stop: int, data: Any = data, columns: Any = columns) -> None:
            signed_ranks(*(*data, start, stop, *columns))

        in_parts(work, len(some), threads)
    n = counted.astype(np.float64)
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    off = positive - n * (n + 1) / 4
    direction = np.sign(off).astype(np.int8)
    off = np.maximum(np.abs(off) - (0.5 if continuity else 0.0), 0.0)
    z = np.divide(off, np.sqrt(variance), out=np.zeros(len(pairs)), where=variance > 0)
    p = np.where(np.isnan(chance), np.minimum(1.0, 2 * ndtr(-z)), chance)
    return Outcome(SIGNED_RANK, pairs, mean_difference(table, pairs), positive, p, table.topics, directions=direction)


@implements(RANK_SUM)
def rank_sum(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | Sequence[int] | None = None,
    exact: int = 19,
    continuity: bool = True,
    threads: int | None = None,
) -> Outcome:
    r"""Wilcoxon's rank sum test (the U test of Mann and Whitney), which treats topics as two independent samples.

    The statistic is :math:`U = \#(x > y) + \tfrac12 \#(x = y)` over all pairs of values. Where both samples together have at
    most ``exact`` values, p is exact, with ties as well: all ways to deal the ranks out are counted. Otherwise U is treated as
    normal, with the variance corrected for ties and, unless ``continuity=False``, U moved by ½ towards its mean.

    It leaves out that values belong to the same topics, and so sees less than the paired tests.

    Examples
    --------
    >>> rank_sum([[0.9, 0.8, 0.7, 0.6], [0.1, 0.2, 0.3, 0.4]]).p.round(6)
    array([0.028571])
    """
    from scipy.special import ndtr

    from mensura._core.paired import rank_sums

    table = make_table(values)
    pairs = table.pairs(baseline)
    ordered = np.sort(table.codes, axis=1)
    above, ties, chance = np.empty(len(pairs)), np.empty(len(pairs)), np.empty(len(pairs))

    def work(start: int, stop: int) -> None:
        rank_sums(ordered, pairs.first, pairs.second, exact, start, stop, above, ties, chance)

    in_parts(work, len(pairs), threads)
    m = float(table.topics)
    variance = m * m / 12 * ((2 * m + 1) - ties / (2 * m * (2 * m - 1)))
    off = above - m * m / 2
    direction = np.sign(off).astype(np.int8)
    off = np.maximum(np.abs(off) - (0.5 if continuity else 0.0), 0.0)
    z = np.divide(off, np.sqrt(variance), out=np.zeros(len(pairs)), where=variance > 0)
    p = np.where(np.isnan(chance), np.minimum(1.0, 2 * ndtr(-z)), chance)
    return Outcome(RANK_SUM, pairs, mean_difference(table, pairs), above, p, table.topics, directions=direction)
