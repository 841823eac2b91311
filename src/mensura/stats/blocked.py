"""Tests of all systems at once, and of pairs after them: analysis of variance, Kruskal-Wallis, Friedman, Nemenyi, Dunnett."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError
from mensura.stats.arrays import make_table, scaled, tied_ranks
from mensura.stats.dunnett_distribution import dunnett_sf
from mensura.stats.methods import DUNNETT, FRIEDMAN, KRUSKAL, NEMENYI, ONE_WAY, TWO_WAY, implements
from mensura.stats.paired import mean_difference
from mensura.stats.results import Omnibus, Outcome
from mensura.stats.tukey import studentized_range_sf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from mensura.stats.arrays import ScoreTable, SystemPairs
    from mensura.stats.methods import Method

ONE_TOPIC = 2


@implements(TWO_WAY)
def anova(values: ArrayLike | ScoreTable, *, topics: bool = True, baseline: int | Sequence[int] | None = None) -> Outcome:
    r"""Analysis of variance, with Tukey's honestly significant differences for the pairs.

    With ``topics`` the model is additive, topic + system, with (S−1)(T−1) degrees of freedom for the error. Without, topics are
    treated as independent samples (one-way), the error has S(T−1) degrees of freedom, and most of it is the variance between
    topics.
    The statistic of a pair is :math:`q = |\bar x_i - \bar x_j| / \sqrt{MS/T}`; ``p`` is that of a t-test with the common error
    (not corrected), ``family_p`` Tukey's.

    Examples
    --------
    >>> outcome = anova([[0.5, 0.7, 0.9], [0.4, 0.5, 0.8], [0.1, 0.4, 0.4]])
    >>> outcome.omnibus
    Omnibus(statistic 20.3636, degrees of freedom 2, 4, p = 0.0080)
    >>> outcome.family_p.round(4)
    array([0.2074, 0.0073, 0.03  ])
    """
    return _hsd(TWO_WAY if topics else ONE_WAY, make_table(values), baseline)


implements(ONE_WAY)(partial(anova, topics=False))


@implements(DUNNETT)
def dunnett(values: ArrayLike | ScoreTable, *, baseline: int, topics: bool = True) -> Outcome:
    """Dunnett's test: all systems against a baseline, with the common error of the analysis of variance.

    The statistic is t, ``p`` its own p-value, and ``family_p`` that of the largest t, whatever its sign, among all comparisons
    with the baseline. ``topics=False`` gives the test as it is usually described, for independent samples.
    """
    table = make_table(values)
    if baseline is None:
        raise StatisticsError("Dunnett's test compares systems with a baseline; name one with baseline=")
    return _hsd(DUNNETT, table, baseline, blocked=topics)


def rounding(table: ScoreTable, *, blocked: bool = True) -> float:
    """Bound of the rounding error of a mean, or of a value less its means."""
    return 8 * float(np.spacing(np.abs(table.by_topic if blocked else table.shifted).max()))


def fit(table: ScoreTable, *, blocked: bool) -> tuple[float, float, float, float]:
    """The sums of squares between systems and of the error, the degrees of freedom of the error, and the unit of the values.

    Squares are of values in that unit, a power of two. The error is exactly 0 where it is nothing but rounding.
    """
    x, unit = scaled(table.by_topic if blocked else table.shifted)
    x = x - x.mean()
    systems, topics = x.shape
    by_system = x.mean(axis=1, keepdims=True)
    by_topic = x.mean(axis=0, keepdims=True) if blocked else np.zeros((1, topics))
    within = float(((x - by_system - by_topic) ** 2).sum())
    degrees = float((systems - 1) * (topics - 1) if blocked else systems * (topics - 1))
    between = topics * float((by_system**2).sum())
    return between, 0.0 if within <= (rounding(table, blocked=blocked) / unit) ** 2 * x.size else within, degrees, unit


def error_deviation(table: ScoreTable, *, blocked: bool) -> tuple[float, float]:
    """Root of the mean square of the error, and its degrees of freedom; NaN without any."""
    _, within, degrees, unit = fit(table, blocked=blocked)
    return unit * math.sqrt(within / degrees) if degrees else math.nan, degrees


def _hsd(method: Method, table: ScoreTable, baseline: int | Sequence[int] | None, *, blocked: bool | None = None) -> Outcome:
    from scipy.special import fdtrc, stdtr

    pairs = table.pairs(baseline)
    if table.topics < ONE_TOPIC:
        raise StatisticsError(f"{method.title} needs at least 2 topics, got 1; its error has no degrees of freedom")
    blocked = method.paired if blocked is None else blocked
    systems, topics = table.values.shape
    between, within, degrees, unit = fit(table, blocked=blocked)
    nothing = within == 0
    mean_square = within / degrees
    estimate = mean_difference(table, pairs)
    if nothing:
        estimate = np.where(np.abs(estimate) <= rounding(table, blocked=blocked), 0.0, estimate)
    error = unit * math.sqrt(2 * mean_square / topics)
    t = _ratio(np.abs(estimate), error)
    p = np.where(np.isinf(t), 0.0, 2 * stdtr(degrees, -np.where(np.isinf(t), 0.0, t)))
    if method is DUNNETT:
        statistic, family = np.copysign(t, estimate), dunnett_sf(t, len(pairs), degrees)
    else:
        statistic = t * math.sqrt(2)
        family = studentized_range_sf(statistic, systems, degrees)
    ratio = float(_ratio(np.array([between / (systems - 1)]), mean_square)[0])
    if nothing and not estimate.any():
        ratio = 0.0
    omnibus = Omnibus(
        statistic=ratio,
        degrees=(float(systems - 1), degrees),
        p=0.0 if math.isinf(ratio) else float(fdtrc(systems - 1, degrees, ratio)),
        eta_squared=between / (between + within) if between + within > 0 else 0.0,
        omega_squared=_omega(between, mean_square, systems, topics),
    )
    remarks = ("the systems differ by the same on all topics: there is no error to test against",) if nothing else ()
    return Outcome(
        method,
        pairs,
        estimate,
        statistic,
        p,
        topics,
        family,
        omnibus,
        error=mean_square * unit * unit,
        degrees=degrees,
        remarks=remarks,
    )


def _omega(between: float, mean_square: float, systems: int, topics: int) -> float:
    """Partial ω²: (SS − df·MS_error) / (SS + (N − df)·MS_error)."""
    bottom = between + (systems * topics - (systems - 1)) * mean_square
    return (between - (systems - 1) * mean_square) / bottom if bottom > 0 else 0.0


def _ratio(top: NDArray[np.float64], bottom: float) -> NDArray[np.float64]:
    """Top / bottom; 0/0 is 0 and x/0 infinite."""
    if bottom > 0:
        return top / bottom
    return np.where(top > 0, np.inf, 0.0)


@implements(KRUSKAL)
def kruskal_wallis(values: ArrayLike | ScoreTable, *, baseline: int | Sequence[int] | None = None) -> Outcome:
    r"""The test of Kruskal and Wallis on the ranks of all values, with Tukey's HSD on mean ranks.

    Topics are treated as independent samples. With n = S·T values, mean ranks have the variance
    :math:`[n(n+1)/12 - \sum (t^3 - t) / (12(n - 1))] / T`, and the studentized range has infinitely many degrees of freedom.
    """
    table = make_table(values)
    n = float(table.systems * table.topics)
    ranks, ties = tied_ranks(table.codes.reshape(1, -1))
    total = n * (n + 1) / 12 - float(ties[0]) / (12 * max(n - 1, 1.0))
    return _on_ranks(KRUSKAL, table, ranks.reshape(table.values.shape), total, baseline)


@implements(FRIEDMAN)
def friedman(values: ArrayLike | ScoreTable, *, baseline: int | Sequence[int] | None = None) -> Outcome:
    r"""Friedman's test on the ranks within topics, with Tukey's HSD on mean ranks.

    Mean ranks have the variance :math:`[S(S+1)/12 - \sum (t^3 - t) / (12 T (S - 1))] / T`, with infinitely many degrees of freedom.

    Examples
    --------
    >>> friedman([[1, 1, 2, 1], [2, 3, 1, 2], [3, 2, 3, 3]]).omnibus
    Omnibus(statistic 4.5, degrees of freedom 2, p = 0.1054)
    """
    return _by_topic(FRIEDMAN, values, baseline)


@implements(NEMENYI)
def nemenyi(values: ArrayLike | ScoreTable, *, baseline: int | Sequence[int] | None = None) -> Outcome:
    """Nemenyi's test: mean ranks within topics against the studentized range, without a correction for ties (Demšar 2006).

    Its omnibus is Friedman's χ² without the correction too, so that ties do not make all systems differ while no pair does.
    """
    return _by_topic(NEMENYI, values, baseline)


def _by_topic(method: Method, values: ArrayLike | ScoreTable, baseline: int | Sequence[int] | None) -> Outcome:
    table = make_table(values)
    systems, topics = table.values.shape
    ranks, ties = tied_ranks(np.ascontiguousarray(table.codes.T))
    correction = 0.0 if method is NEMENYI else float(ties.sum()) / (12 * topics * (systems - 1))
    return _on_ranks(method, table, ranks.T, systems * (systems + 1) / 12 - correction, baseline)


def _on_ranks(
    method: Method,
    table: ScoreTable,
    ranks: NDArray[np.float64],
    spread: float,
    baseline: int | Sequence[int] | None,
) -> Outcome:
    """Pairs and omnibus from ranks [system, topic] whose variance is ``spread``."""
    from scipy.special import chdtrc, ndtr

    pairs = table.pairs(baseline)
    means = ranks.mean(axis=1)
    gap = np.abs(_pairwise(means, pairs))
    z = _ratio(gap, math.sqrt(max(2 * spread / table.topics, 0.0)))
    statistic = z * math.sqrt(2)
    off = table.topics * float(((means - ranks.mean()) ** 2).sum())
    chi = float(_ratio(np.array([off]), spread)[0])
    overall = Omnibus(
        chi, (float(table.systems - 1),), float(chdtrc(table.systems - 1, chi)) if chi > 0 else 1.0, math.nan, math.nan
    )
    family = studentized_range_sf(statistic, table.systems)
    return Outcome(
        method,
        pairs,
        mean_difference(table, pairs),
        statistic,
        2 * ndtr(-z),
        table.topics,
        family,
        overall,
        error=spread,
        degrees=math.inf,
        mean_ranks=None if method.across else means,
        directions=np.sign(_pairwise(means, pairs)).astype(np.int8),
    )


def _pairwise(means: NDArray[np.float64], pairs: SystemPairs) -> NDArray[np.float64]:
    return np.asarray(means[pairs.first] - means[pairs.second])
