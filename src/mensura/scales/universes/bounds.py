"""Certified bounds of the proportion of drawn runs that a run beats, by dynamic programming over (hits, bin of the sum).

What a hit adds is rounded up or down to a bin at random, so that its mean is right. Given a run, the rounding errors of its c
hits are independent, have mean 0 and stay within one bin, so by Hoeffding's inequality their sum exceeds t = √(c·ln(1/ε)/2)
bins with probability ε at most (and c bins never). P(c, rounded sum ≤ v − t) − ε and P(c, rounded sum ≤ v + t) + ε are bounds
for every c.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from mensura._core.paths import path_distribution, path_moments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.scales.universes.sums import HitSum

    Floats = NDArray[np.float64]

CERTAIN = 1 - 2.0**-40
"""The greatest probability of a hit: odds stay finite."""
CUT = 1e-13
"""Bins at the ends of a row with less probability are trimmed."""
SPREAD = 12
"""Bins that are visited per standard deviation."""
CLOSE = 1e-12
"""Sums closer than this, relative to the largest, are one: of the same numbers in another order."""
ULP = 2.0**-53


def hit_probabilities(chances: Floats, most: int, columns: int) -> Floats:
    """Return the probability [rank, hits] of a hit at a rank after so many hits, given that there are at most ``most`` in all.

    There are ``columns`` for the hits, as many as any run has.

    With W(i, c) the probability that the ranks from i on keep to the limit after c hits, h = W(i + 1, c + 1) / W(i + 1, c)
    and o the odds of a hit at rank i, it is o·h / (1 + o·h); and W(i, c) is proportional to W(i + 1, c)·(1 + o·h), which
    gives h one rank earlier. No number is subtracted, so that all of them are right to a few units in the last place per
    rank.
    """
    chances = np.minimum(chances, CERTAIN)
    if most >= len(chances):
        return np.ascontiguousarray(np.broadcast_to(chances[:, None], (len(chances), columns)))
    odds = chances / (1 - chances)
    ratio = np.ones(columns + 1)
    ratio[most:] = 0.0
    probabilities = np.empty((len(chances), columns))
    for rank in range(len(chances) - 1, -1, -1):
        weight = odds[rank] * ratio
        probabilities[rank] = weight[:-1] / (1 + weight[:-1])
        ratio[:-1] *= (1 + weight[1:]) / (1 + weight[:-1])
    return probabilities


@dataclass(frozen=True, eq=False)
class Paths:
    """Runs of one kind of systems, and a measure of them."""

    hit: Floats
    sums: HitSum

    @cached_property
    def _moments(self) -> tuple[Floats, float]:
        return path_moments(self.hit, self.sums.added)

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and mean square of the sum."""
        probability, first, second = self._moments[0]
        ends = self.sums.ends
        mean = float(first.sum() + probability @ ends)
        square = float(second.sum() + 2 * (first @ ends) + probability @ ends**2)
        return mean, square

    @property
    def work(self) -> float:
        """Bins that are visited, times the size of a bin."""
        return SPREAD * self._moments[1]

    @cached_property
    def hits(self) -> float:
        """A number of hits that few runs exceed: the mean and two standard deviations."""
        probability, numbers = self._moments[0][0], np.arange(len(self._moments[0][0]))
        mean = float(probability @ numbers)
        return mean + 2 * sqrt(max(0.0, float(probability @ numbers**2) - mean**2))

    def listed(self, queries: Floats) -> Floats:
        """P(sum < query) + ½·P(sum = query) from the sums of all runs: for few ranks, where many runs tie."""
        sums, hits, mass = np.zeros(1), np.zeros(1, dtype=np.int64), np.ones(1)
        most = self.hit.shape[1]
        for hit, added in zip(self.hit, self.sums.added, strict=True):
            can = hits < most
            at = hits[can]
            sums = np.concatenate([sums, sums[can] + added[at]])
            chance = np.where(can, hit[np.minimum(hits, most - 1)], 0.0)
            mass = np.concatenate([mass * (1 - chance), mass[can] * hit[at]])
            hits = np.concatenate([hits, at + 1])
        sums += self.sums.ends[hits]
        order = np.argsort(sums)
        sums, below = sums[order], np.concatenate([[0.0], np.cumsum(mass[order])])
        slack = CLOSE * max(1.0, float(np.abs(sums[-1])))
        first, last = np.searchsorted(sums, queries - slack), np.searchsorted(sums, queries + slack, side="right")
        middle: Floats = (below[first] + below[last]) / 2
        return 1 - middle if self.sums.falls else middle

    def bounds(self, queries: Floats, size: float, miss: float) -> tuple[Floats, Floats]:
        """Bounds of P(sum < query) + ½·P(sum = query), with bins of a size; each errs with probability ``miss`` in the rounding."""
        whole = self.sums.whole
        size = 1.0 if whole else size
        most = int((queries.max() - self.sums.ends.min()) / size + self._error(len(self.sums.ends) - 1, miss)) + 3
        rows, lost = path_distribution(self.hit, self.sums.added / size, max(most, 0), CUT)
        low, high = np.zeros(len(queries)), np.full(len(queries), lost)
        for hits, first, mass in rows:
            cumulative = np.concatenate([[0.0], np.cumsum(mass)])
            middle = (queries - self.sums.ends[hits]) / size - first
            doubt = 1e-9 * (1 + np.abs(middle + first))  # sums are rounded doubles
            error = 0.0 if whole or hits == 0 else self._error(hits, miss)
            below, up_to = _up_to(cumulative, middle - doubt - error), _up_to(cumulative, middle + doubt + error)
            if error:
                low += below - miss * cumulative[-1]
                high += up_to + miss * cumulative[-1]
            else:
                low += (below + up_to) / 2
                high += (below + up_to) / 2
        roundings = (8 * len(self.hit) + max((len(row[2]) for row in rows), default=0)) * ULP
        low, high = np.clip(low * (1 - roundings), 0.0, 1.0), np.clip(high * (1 + roundings), 0.0, 1.0)
        return (1 - high, 1 - low) if self.sums.falls else (low, high)

    @staticmethod
    def _error(hits: int, miss: float) -> float:
        return min(float(hits), sqrt(hits * log(1 / miss) / 2))


def _up_to(cumulative: Floats, bins: Floats) -> Floats:
    """The probability of the bins up to these."""
    return cumulative[np.clip(np.floor(bins).astype(np.int64) + 1, 0, len(cumulative) - 1)]
