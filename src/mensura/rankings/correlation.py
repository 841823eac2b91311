"""Correlation coefficients: from −1 (reversed) to 1 (the same order). NaN where a ranking orders nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mensura.rankings.positions import RankingPair

    Floats = NDArray[np.float64]


def spearman(pair: RankingPair) -> float:
    """Spearman's ρ: the correlation of positions, tied items at the mean of theirs."""
    middle = len(pair) + 1
    x, y = (pair.x - middle).astype(np.float64), (pair.y - middle).astype(np.float64)
    return _ratio(float(x @ y), float(x @ x), float(y @ y))


def tau_a(pair: RankingPair) -> float:
    """Kendall's τ_a: (concordant − discordant) / all pairs."""
    pairs = len(pair) * (len(pair) - 1) // 2
    return _balance(pair) / pairs if pairs else math.nan


def tau_b(pair: RankingPair) -> float:
    """Kendall's τ_b: (concordant − discordant) / √(pairs not tied in the first · pairs not tied in the second)."""
    pairs = len(pair) * (len(pair) - 1) // 2
    first, second, _ = pair.tied_pairs
    return _ratio(_balance(pair), pairs - first, pairs - second)


def _balance(pair: RankingPair) -> int:
    """Concordant less discordant pairs."""
    first, second, both = pair.tied_pairs
    untied = len(pair) * (len(pair) - 1) // 2 - first - second + both
    return untied - 2 * pair.discordant


def _ratio(value: float, first: float, second: float) -> float:
    """Value / √(first · second), never beyond ±1 by rounding."""
    if first == 0 or second == 0:
        return math.nan
    return min(1.0, max(-1.0, value / math.sqrt(first * second)))


def tau_ap(pair: RankingPair) -> float:
    r"""AP correlation (Yilmaz, Aslam and Robertson 2008) of the first ranking, the second being the truth.

    τ_AP = 2/(n−1) · Σ_{i=2}^{n} C(i)/(i−1) − 1, where C(i) is the number of items above rank i of the first ranking that the second
    ranking has above that item too. With ties, the mean over all ways to break them; when only the first ranking has ties, this is
    τ_AP,a of Urbano and Marrero (2017).
    """
    n = len(pair)
    if n < 2:  # noqa: PLR2004 - a pair of items
        return math.nan
    harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, n + 1))))
    smaller, equal = pair.before
    above = np.add.reduceat(smaller + equal / 2, pair.starts)
    start, stop = pair.starts, pair.starts + pair.sizes
    share = (harmonic[stop - 1] - harmonic[np.maximum(start - 1, 0)]) / pair.sizes  # the mean of 1/(i − 1) over the group's ranks
    share[0] = 0
    within = (pair.sizes - 1 - start * (harmonic[stop - 1] - harmonic[start])) / 2
    return float(2 / (n - 1) * (above @ share + within.sum()) - 1)


def tau_ap_b(pair: RankingPair) -> float:
    """τ_AP,b of Urbano and Marrero (2017): symmetric, and corrected for ties as τ_b is. Without ties, the mean of both τ_AP."""
    return (_tau_ap_b(pair) + _tau_ap_b(pair.swapped)) / 2


def _tau_ap_b(pair: RankingPair) -> float:
    """Agreement of each item with the groups above its own, items of the first group left out."""
    below = len(pair) - int(pair.sizes[0])
    if below == 0:
        return math.nan
    agreed = np.add.reduceat(pair.before[0], pair.starts)[1:]
    return float(2 / below * (agreed / pair.starts[1:]).sum() - 1)


def hyperbolic(place: Floats) -> Floats:
    """1 / (place + 1), for places from 0: the weights that Vigna (2015) recommends."""
    return 1 / (place + 1)


def weighted_tau(pair: RankingPair, weigh: Callable[[Floats], Floats] = hyperbolic) -> float:
    """Kendall's τ where exchanges at the top weigh more (Vigna 2015).

    A pair weighs the sum of its items' weights, which depend on their places (from 0): in the first ranking, ties in the order of
    the second, and the other way round; the mean of both, as :func:`scipy.stats.weightedtau` gives it.
    """
    return (_weighted_tau(pair, weigh) + _weighted_tau(pair.swapped, weigh)) / 2


def _weighted_tau(pair: RankingPair, weigh: Callable[[Floats], Floats]) -> float:
    from mensura._core.rankings import discordant_weight

    n = len(pair)
    weight = np.ascontiguousarray(weigh(np.arange(n, dtype=np.float64)), dtype=np.float64)
    total = (n - 1) * float(weight.sum())
    group = np.repeat(np.arange(len(pair.starts)), pair.sizes)
    level = (pair.y + 1) >> 1
    first = _tied_weight(group, weight)
    second = _tied_weight(level, weight)
    apart = np.concatenate(([False], (np.diff(pair.x) != 0) | (np.diff(pair.y) != 0)))
    both = _tied_weight(np.cumsum(apart), weight)
    if len(pair.starts) == 1 or level.min() == level.max():
        return math.nan
    balance = total - first - second + both - 2 * discordant_weight(pair.y, weight)
    return _ratio(balance, total - first, total - second)


def _tied_weight(group: NDArray[np.int64], weight: Floats) -> float:
    """The weight of all pairs within groups."""
    sizes = np.bincount(group)
    if sizes.max() == 1:
        return 0.0
    return float((np.bincount(group, weight) * np.maximum(sizes - 1, 0)).sum())
