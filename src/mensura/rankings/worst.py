"""The largest area that two rankings of a kind can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mensura.rankings.curves import area
from mensura.rankings.weighting import gains, weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.rankings.positions import RankingPair
    from mensura.rankings.weighting import Weights

    Floats = NDArray[np.float64]


def worst_positions(pair: RankingPair) -> NDArray[np.int64]:
    """Twice the positions of the second ranking that lies furthest from the first, in the order of the first.

    It holds as many items as the second ranking, without ties: first (in the order of the first ranking) those that it does not
    hold, then those that it holds, from its last to its first.
    """
    total, held = len(pair), len(pair.right)
    listed = 2 * np.arange(held, 0, -1, dtype=np.int64)
    return np.concatenate((np.full(total - held, held + 1 + total, dtype=np.int64), listed))


def worst_areas(pair: RankingPair, h: Weights = 1) -> Floats:
    r"""The largest area down to each rank i, over the same second rankings as :func:`worst_area`: what nA(i) divides by.

    For h ≥ 0 one ranking is the worst at every rank, :func:`worst_positions`. Where h is negative somewhere, each rank i has its
    own worst ranking: A(i) = Σ_{j≤i} c(j)·(F(j) − j) with c(j) = h(j)/2 + h(j+1) + … + h(i), largest when F falls as c does.
    """
    weight = weights(h, len(pair))
    positions = worst_positions(pair)
    if (weight >= 0).all():
        point = pair.over_groups(positions - pair.x) / 2
        return np.cumsum((np.concatenate(([0.0], point[:-1])) + point) / 2 * weight)
    total = np.cumsum(weight)
    largest = np.empty(len(pair))
    for last in range(len(pair)):
        factor = np.zeros(len(pair))
        factor[: last + 1] = total[last] - total[: last + 1] + weight[: last + 1] / 2
        factor = np.repeat(np.add.reduceat(factor, pair.starts) / pair.sizes, pair.sizes)
        against = np.empty(len(pair), dtype=np.int64)
        against[np.argsort(-factor, kind="stable")] = np.sort(positions)[::-1]
        largest[last] = (factor * (against - pair.x)).sum() / 2
    return largest


def worst_area(pair: RankingPair, h: Weights = 1) -> float:
    r"""The largest area over all second rankings that hold as many items (and of them as many that the first does not hold).

    The area is −Σ_j G(j)·(F(j) − j), linear in the positions F, so it is largest when F falls while the mean of G over the first
    ranking's groups rises (the rearrangement inequality). For h ≥ 0, G rises from rank to rank and the worst ranking is the
    reversed one, as P1 has it; P(i) is then the largest possible at every rank. Where h is negative somewhere, G does not rise
    everywhere, and the positions are sorted against it.
    """
    gain = gains(weights(h, len(pair)))
    mean = np.add.reduceat(gain, pair.starts) / pair.sizes
    against = np.empty(len(pair), dtype=np.int64)
    against[np.argsort(np.repeat(mean, pair.sizes), kind="stable")] = worst_positions(pair)
    moved = np.add.reduceat(pair.x - against, pair.starts)  # whole numbers: one group alone gives 0, not a rounding error
    return float((mean * moved).sum() / 2)


def normalized_area(pair: RankingPair, h: Weights = 1) -> float:
    """The area as a share of the largest one (P1, Eq. 5); NaN where there is none, because the first ranking orders nothing."""
    largest = worst_area(pair, h)
    return float(area(pair, h)[-1]) / largest if largest else float("nan")


def normalized_areas(pair: RankingPair, h: Weights = 1) -> Floats:
    """nA(i): the area down to each rank i over the largest one there (P1, Eq. 5 at rank i); NaN where that is 0."""
    largest = worst_areas(pair, h)
    shares = np.full(len(pair), np.nan)
    np.divide(area(pair, h), largest, out=shares, where=largest != 0)
    return shares


def symmetric_area(pair: RankingPair, h: Weights = 1) -> float:
    """The mean of the areas from either ranking to the other. For h = 1 it is half the sum of the squared misplacements."""
    return float(area(pair, h)[-1] + area(pair.swapped, h)[-1]) / 2
