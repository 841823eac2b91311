"""The curves of P1: footrule, Kendall, point and area at every rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mensura.rankings.weighting import weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.rankings.positions import RankingPair
    from mensura.rankings.weighting import Weights

    Floats = NDArray[np.float64]


def misplacements(pair: RankingPair) -> Floats:
    """F(k) − k: how much further down the second ranking the item at rank k stands. Within a tied group, the mean."""
    return np.diff(point(pair), prepend=0.0)


def footrule(pair: RankingPair) -> Floats:
    r"""S(i) = Σ_{k≤i} ``|F(k) − k|`` (P1, Eq. 2)."""
    return pair.over_groups(np.abs(pair.y - pair.x)) / 2


def point(pair: RankingPair) -> Floats:
    r"""P(i) = Σ_{k≤i} (F(k) − k) (P1, Eq. 3): what has been put too high down to rank i and not been made up for.

    P(i) ≥ 0 and P(n) = 0. At the end of a tied group of the first ranking, and at every rank without ties, P(i) = 0 if and only if
    both rankings hold the same items down to rank i (and the second has no tie across it).
    """
    return pair.over_groups(pair.y - pair.x) / 2


def kendall(pair: RankingPair, penalty: float = 0.5) -> Floats:
    r"""Pairs j < k ≤ i with F(j) > F(k); a pair that is tied in just one of the rankings counts the penalty.

    The penalty ½ makes this Fagin's K^(1/2), a metric also for rankings with ties and of different items.
    """
    smaller, equal = pair.before
    above = np.repeat(pair.starts, pair.sizes)
    discordant = pair.over_groups(above - smaller - equal)
    if penalty == 0:
        return discordant
    return discordant + penalty * pair.over_groups(equal + _split_by_second(pair))


def _split_by_second(pair: RankingPair) -> NDArray[np.int64]:
    """For each item, how many items of its own group before it the second ranking sets apart from it.

    Within a group of the first ranking, items are in the order of the second.
    """
    group = np.repeat(pair.starts, pair.sizes)
    level = np.concatenate(([True], (np.diff(pair.y) != 0) | (np.diff(pair.x) != 0)))
    first_of_level = np.maximum.accumulate(np.where(level, np.arange(len(pair)), 0))
    return first_of_level - group


def area(pair: RankingPair, h: Weights = 1) -> Floats:
    r"""A(i) = Σ_{k≤i} (P(k−1) + P(k))/2 · h(k) (P1, Eq. 4): the area between the point curve and the axis."""
    curve = point(pair)
    before = np.concatenate(([0.0], curve[:-1]))
    return np.cumsum((before + curve) / 2 * weights(h, len(pair)))
