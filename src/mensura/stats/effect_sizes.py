"""Effect sizes: the size of a difference, beside its significance."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from mensura.errors import StatisticsError
from mensura.result import Result, floats, integers
from mensura.stats.arrays import SystemPairs, in_parts, make_table, scaled
from mensura.stats.blocked import error_deviation, rounding
from mensura.stats.draws import pair_moments
from mensura.stats.paired import count_orders

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from mensura.measures.base import Direction
    from mensura.stats.arrays import ScoreTable
    from mensura.stats.draws import PairMoments

WITH_INTERVALS: tuple[Literal["d_z", "glass", "cliff"], ...] = ("d_z", "glass", "cliff")
"""Effect sizes that have intervals."""


@dataclass(frozen=True, eq=False)
class Effects(Result):
    """Effect sizes of pairs of systems. Arrays run over the pairs; positive means that the first system's values are larger.

    A standardised effect is NaN where there is no variation to measure it by.

    Attributes
    ----------
    pairs
        The systems that were compared.
    difference
        The mean difference.
    d_z
        Cohen's d_z: mean difference / standard deviation of the differences. The paired t-test has t = d_z·√T.
    glass
        Glass's Δ: mean difference / standard deviation of the second system (P3 §2.8, with the baseline as the second).
    hedges
        Hedges' g: mean difference / pooled standard deviation, corrected for its bias.
    cliff
        Cliff's δ: P(x > y) − P(x < y) over all pairs of values; needs an ordinal scale only.
    residual
        Mean difference / root of the residual mean square of the two-way analysis of variance (Sakai 2018): comparable over all
        pairs.
    wins, ties, losses
        Numbers of topics on which the first system's value is better, equal, worse: larger values are better unless the measure
        says otherwise, as MFR does. The effect sizes keep the sign of the difference.
    glass_error, cliff_error
        Standard errors by the jackknife over topics.
    topics
        The number of topics.
    """

    pairs: SystemPairs
    difference: NDArray[np.float64]
    d_z: NDArray[np.float64]
    glass: NDArray[np.float64]
    hedges: NDArray[np.float64]
    cliff: NDArray[np.float64]
    residual: NDArray[np.float64]
    wins: NDArray[np.int64]
    ties: NDArray[np.int64]
    losses: NDArray[np.int64]
    glass_error: NDArray[np.float64]
    cliff_error: NDArray[np.float64]
    topics: int

    version: ClassVar[int] = 2
    readers: ClassVar = {
        "pairs": SystemPairs.from_dict,
        **dict.fromkeys(("difference", "d_z", "glass", "hedges", "cliff", "residual", "glass_error", "cliff_error"), floats),
        **dict.fromkeys(("wins", "ties", "losses"), integers),
    }

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the pairs, systems by their numbers."""
        names = ("difference", "d_z", "glass", "hedges", "cliff", "residual", "wins", "ties", "losses")
        columns = [self.pairs.first, self.pairs.second, *(getattr(self, name) for name in names)]
        return [
            dict(zip(("first", "second", *names), row, strict=True)) for row in zip(*map(np.ndarray.tolist, columns), strict=True)
        ]

    def only(self, kept: NDArray[np.bool_]) -> Effects:
        """The effects of the pairs that are marked in ``kept``."""
        arrays = {field.name: getattr(self, field.name)[kept] for field in fields(self) if field.name not in {"pairs", "topics"}}
        return Effects(self.pairs.only(kept), **arrays, topics=self.topics)

    def interval(
        self, name: Literal["d_z", "glass", "cliff"], *, level: float = 0.95
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Intervals of an effect size, each by itself.

        That of d_z is exact for normal differences: it inverts the noncentral t distribution. Those of Glass's Δ and Cliff's δ are
        estimate ± t·(standard error by the jackknife over topics), as both systems saw the same topics; δ stays within −1 and 1.

        Examples
        --------
        >>> low, high = effects([[0.5, 0.7, 0.9, 0.6], [0.4, 0.5, 0.9, 0.7]]).interval("d_z")
        >>> low.round(2), high.round(2)
        (array([-0.66]), array([1.38]))
        """
        from scipy.special import stdtrit

        if not 0 < level < 1:
            raise StatisticsError(f"expected a confidence level between 0 and 1, such as 0.95, got {level}")
        if name == "d_z":
            return _noncentral(self.d_z, self.topics, level)
        if name not in WITH_INTERVALS:
            raise StatisticsError(f"there is no interval of {name}; use one of {', '.join(WITH_INTERVALS)}")
        estimate, error = getattr(self, name), getattr(self, f"{name}_error")
        half = stdtrit(self.topics - 1, 0.5 + level / 2) * error
        low, high = estimate - half, estimate + half
        return (np.maximum(low, -1.0), np.minimum(high, 1.0)) if name == "cliff" else (low, high)

    def __repr__(self) -> str:
        return f"Effects({len(self.pairs)} pairs, |d_z| up to {np.nanmax(np.abs(self.d_z), initial=0):.2f})"


def effects(values: ArrayLike | ScoreTable, *, baseline: int | Sequence[int] | None = None) -> Effects:
    """Return all effect sizes of all pairs, or of all systems against a baseline.

    Examples
    --------
    >>> sizes = effects([[0.5, 0.7, 0.9], [0.4, 0.5, 0.9]])
    >>> sizes.d_z.round(3), sizes.wins, sizes.ties
    (array([1.]), array([2]), array([1]))
    """
    table = make_table(values)
    pairs = table.pairs(baseline)
    return effects_of(table, pairs, pair_moments(table, pairs))


def effects_of(
    table: ScoreTable, pairs: SystemPairs, moments: PairMoments, threads: int | None = None, direction: Direction = "higher"
) -> Effects:
    """:func:`effects` of some pairs, from the moments of their differences; ``direction`` says which values are better."""
    from mensura._core.paired import effect_sizes

    topics, many = table.topics, len(pairs)
    x, unit = scaled(np.ascontiguousarray(table.shifted))
    least = 8 * np.spacing(np.abs(x).max(axis=1))
    spread = x.std(axis=1, ddof=1) if topics > 1 else np.full(table.systems, np.nan)
    spread[~(spread > least)] = np.nan
    residual, _ = error_deviation(table, blocked=True)
    cliff, cliff_error, glass_error = np.empty(many), np.empty(many), np.empty(many)
    order = np.argsort(table.codes, axis=1, kind="stable")

    def work(start: int, stop: int) -> None:
        effect_sizes(table.codes, order, x, pairs.first, pairs.second, start, stop, cliff, cliff_error, glass_error)

    in_parts(work, many, threads, least=1024)
    wins, losses = count_orders(table, pairs)
    return effects_from(
        pairs,
        moments,
        spread=spread * unit,
        residual=residual if residual > rounding(table) else math.nan,
        wins=wins,
        losses=losses,
        topics=topics,
        cliff=cliff,
        errors=(cliff_error, glass_error),
        direction=direction,
    )


def effects_from(
    pairs: SystemPairs,
    moments: PairMoments,
    *,
    spread: NDArray[np.float64],
    residual: float,
    wins: NDArray[np.int64],
    losses: NDArray[np.int64],
    topics: int,
    cliff: NDArray[np.float64],
    errors: tuple[NDArray[np.float64], NDArray[np.float64]],
    direction: Direction,
) -> Effects:
    """Effect sizes from moments: ``spread`` is the standard deviation of each system, ``residual`` that of the two-way analysis.

    ``errors`` are those of ``cliff`` and of Glass's Δ; ``wins`` and ``losses`` count larger and smaller values, of which the
    smaller ones are better if ``direction`` says so.
    """
    cliff_error, glass_error = errors
    if direction == "lower":
        wins, losses = losses, wins
    with np.errstate(invalid="ignore", divide="ignore"):
        pooled = spread * math.sqrt(0.5)
        pooled = np.hypot(np.nan_to_num(pooled)[pairs.first], np.nan_to_num(pooled)[pairs.second])
        pooled[pooled == 0] = np.nan
        glass = moments.mean / spread[pairs.second]
        return Effects(
            pairs=pairs,
            difference=moments.mean,
            d_z=moments.mean / np.where(moments.deviation > 0, moments.deviation, np.nan),
            glass=glass,
            hedges=moments.mean / pooled * bias_correction(2 * topics - 2),
            cliff=cliff,
            residual=moments.mean / residual,
            wins=wins,
            ties=topics - wins - losses,
            losses=losses,
            glass_error=np.where(np.isnan(glass), np.nan, glass_error),
            cliff_error=cliff_error,
            topics=topics,
        )


def bias_correction(degrees: float) -> float:
    r"""Hedges' exact factor :math:`J = \Gamma(\nu/2) / (\sqrt{\nu/2} \, \Gamma((\nu - 1)/2))`."""
    if degrees <= 1:
        return math.nan
    return math.exp(math.lgamma(degrees / 2) - math.lgamma((degrees - 1) / 2)) / math.sqrt(degrees / 2)


def _noncentral(d_z: NDArray[np.float64], topics: int, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bounds of d_z: the noncentralities that put the observed t at either end of the middle ``level`` of its distribution."""
    from scipy.special import nctdtr

    root, degrees = math.sqrt(topics), topics - 1
    bounds = []
    for tail in ((1 + level) / 2, (1 - level) / 2):
        bound = np.full(len(d_z), np.nan)
        known = np.isfinite(d_z) & (degrees > 0)
        t = d_z[known] * root
        reach = 10 + 2 * np.abs(t)  # farther from t than any bound
        low, high = t - reach, t + reach
        for _ in range(48):  # the distribution function falls with the noncentrality
            middle = (low + high) / 2
            above = nctdtr(degrees, middle, t) > tail
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        bound[known] = (low + high) / 2 / root
        bounds.append(bound)
    return bounds[0], bounds[1]
