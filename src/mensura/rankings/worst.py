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


def worst_positions(pair: RankingPair) -> NDArray[np.int64]:
    """Twice the positions of the second ranking that lies furthest from the first, in the order of the first.

    It holds as many items as the second ranking, without ties: first (in the order of the first ranking) those that it does not
    hold, then those that it holds, from its last to its first.
    """
    total, held = len(pair), len(pair.right)
    listed = 2 * np.arange(held, 0, -1, dtype=np.int64)
    return np.concatenate((np.full(total - held, held + 1 + total, dtype=np.int64), listed))


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


def symmetric_area(pair: RankingPair, h: Weights = 1) -> float:
    """The mean of the areas from either ranking to the other. For h = 1 it is half the sum of the squared misplacements."""
    return float(area(pair, h)[-1] + area(pair.swapped, h)[-1]) / 2
