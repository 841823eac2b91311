"""Effect sizes: the size of a difference, beside its significance."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.result import Result, floats, integers
from mensura.stats.arrays import SystemPairs, make_pairs, make_table
from mensura.stats.blocked import fit, rounding
from mensura.stats.paired import mean_difference, rank_sum

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mensura.stats.arrays import ScoreTable


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
        Numbers of topics on which the first system's value is larger, equal, smaller.
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

    readers: ClassVar = {
        "pairs": SystemPairs.from_dict,
        **dict.fromkeys(("difference", "d_z", "glass", "hedges", "cliff", "residual"), floats),
        **dict.fromkeys(("wins", "ties", "losses"), integers),
    }

    def only(self, kept: NDArray[np.bool_]) -> Effects:
        """The effects of the pairs that are marked in ``kept``."""
        arrays = {field.name: getattr(self, field.name)[kept] for field in fields(self) if field.name != "pairs"}
        return Effects(self.pairs.only(kept), **arrays)

    def __repr__(self) -> str:
        return f"Effects({len(self.pairs)} pairs, |d_z| up to {np.nanmax(np.abs(self.d_z), initial=0):.2f})"


def effects(values: ArrayLike | ScoreTable, *, baseline: int | None = None) -> Effects:
    """Return all effect sizes of all pairs, or of all systems against a baseline.

    Examples
    --------
    >>> sizes = effects([[0.5, 0.7, 0.9], [0.4, 0.5, 0.9]])
    >>> sizes.d_z.round(3), sizes.wins, sizes.ties
    (array([1.]), array([2]), array([1]))
    """
    table = make_table(values)
    pairs = make_pairs(table.systems, baseline)
    topics = table.topics
    difference = mean_difference(table, pairs)
    x = table.shifted
    scale = rounding(table)
    variance = x.var(axis=1, ddof=1) if topics > 1 else np.full(table.systems, np.nan)
    gaps = table.difference(pairs)
    spread = gaps.std(axis=1, ddof=1) if topics > 1 else np.full(len(pairs), np.nan)
    pooled = np.sqrt((variance[pairs.first] + variance[pairs.second]) / 2)
    _, within, degrees = fit(table, blocked=True)
    residual = math.sqrt(within / degrees) if degrees else math.nan
    order = np.sign(table.codes[pairs.first] - table.codes[pairs.second])
    return Effects(
        pairs=pairs,
        difference=difference,
        d_z=_over(difference, spread, scale),
        glass=_over(difference, np.sqrt(variance[pairs.second]), scale),
        hedges=_over(difference, pooled, scale) * bias_correction(2 * topics - 2),
        cliff=2 * rank_sum(table, baseline=baseline, exact=0).statistic / topics**2 - 1,
        residual=_over(difference, np.full(len(pairs), residual), scale),
        wins=np.count_nonzero(order > 0, axis=1),
        ties=np.count_nonzero(order == 0, axis=1),
        losses=np.count_nonzero(order < 0, axis=1),
    )


def bias_correction(degrees: float) -> float:
    r"""Hedges' exact factor :math:`J = \Gamma(\nu/2) / (\sqrt{\nu/2} \, \Gamma((\nu - 1)/2))`."""
    if degrees <= 1:
        return math.nan
    return math.exp(math.lgamma(degrees / 2) - math.lgamma((degrees - 1) / 2)) / math.sqrt(degrees / 2)


def _over(top: NDArray[np.float64], bottom: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    quotient = np.full(len(top), np.nan)
    np.divide(top, bottom, out=quotient, where=np.nan_to_num(bottom) > least)
    return quotient
