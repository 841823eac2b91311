"""Overlap of two lists at each depth: overlap, average overlap, rank-biased overlap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mensura._core.rankings import shared_at_depths
from mensura.errors import RankingError
from mensura.result import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.rankings.positions import Ranking, RankingPair

    Floats = NDArray[np.float64]

Ties = Literal["a", "b", "w"]
TAIL = 1 << 20  # terms that a tail is summed over at most; with more, it is a difference


@dataclass(frozen=True)
class RBO(Result):
    """Rank-biased overlap of lists of which only the first ranks are seen.

    Attributes
    ----------
    extrapolated
        The overlap if the unseen ranks agree as far as the seen ones.
    minimum, maximum
        The overlap if nothing more agrees, and if as much as possible does.
    """

    extrapolated: float
    minimum: float
    maximum: float

    @property
    def residual(self) -> float:
        """Width of the bounds: maximum − minimum."""
        return self.maximum - self.minimum


def agreement(pair: RankingPair) -> Floats:
    """X_d / d for d = 1 … the length of the longer list: the proportion of items that both contain down to depth d.

    A group of tied items that ends below d counts with the share of it that is above: the mean over all ways to break the ties.
    """
    shared, _ = _shared(pair)
    return shared / np.arange(1, len(shared) + 1)


def top_k_overlap(pair: RankingPair, k: int) -> float:
    """The proportion of the top k that both lists contain; ranks after the end of a list are not shared."""
    _check_depth(k)
    curve = agreement(pair)
    return float(curve[k - 1]) if k <= len(curve) else float(curve[-1]) * len(curve) / k


def average_overlap(pair: RankingPair, k: int | None = None) -> float:
    """The mean of the overlaps down to depth k, by default the end of the shorter list (Fagin, Kumar and Sivakumar 2003)."""
    depth = min(len(pair.left), len(pair.right)) if k is None else k
    _check_depth(depth)
    curve = agreement(pair)
    beyond = float(curve[-1]) * len(curve) * float((1 / np.arange(len(curve) + 1, depth + 1)).sum())
    return (float(curve[:depth].sum()) + beyond) / depth


def _check_depth(k: int) -> None:
    if k < 1:
        raise RankingError(f"k={k}: a depth is a whole number of at least 1")


def _shared(pair: RankingPair) -> tuple[Floats, Floats]:
    """X_d, the longer list second; and the shared items of the group of the longer list that d is inside of."""
    if len(pair.left) > len(pair.right):
        pair = pair.swapped
    depths = len(pair.right)
    if not pair.left.tied and not pair.right.tied:
        place = np.arange(len(pair.left))
        both = np.maximum(place, pair.at)[pair.at >= 0]
        return np.cumsum(np.bincount(both, minlength=depths)).astype(np.float64), np.zeros(depths)
    shared, active = np.empty(depths), np.empty(depths)
    back = pair.swapped.at
    shared_at_depths(pair.left.first, pair.left.last, pair.at, pair.right.first, pair.right.last, back, shared, active)
    return shared, active


def rbo(pair: RankingPair, p: float = 0.9, ties: Ties = "a") -> RBO:
    r"""Rank-biased overlap (Webber, Moffat and Zobel 2010), with ties as Corsi and Urbano (2024) define it.

    RBO = (1 − p) Σ_d p^(d−1) A_d, where A_d is the agreement at depth d.

    Parameters
    ----------
    pair
        The two lists.
    p
        The persistence: the probability of going on to the next rank.
    ties
        ``"a"``: the mean over all ways to break ties. ``"b"``: corrected for what ties leave open, so that a ranking with ties
        agrees wholly with itself. ``"w"``: tied items share a rank, as in sports (Webber et al.). Without ties these are the same.
    """
    if not 0 < p < 1:
        raise RankingError(f"p={p}: the persistence of RBO lies between 0 and 1, as in 0.9")
    if ties not in {"a", "b", "w"}:
        raise RankingError(f"ties={ties!r} is unknown: 'a', 'b' or 'w'")
    if len(pair.left) > len(pair.right):
        pair = pair.swapped
    short, long = pair.left, pair.right
    s, n = len(short), len(long)
    d = np.arange(1, n + 1, dtype=np.float64)
    if ties == "w":
        both = np.maximum(short.first, long.first[pair.at])[pair.at >= 0]
        shared = np.cumsum(np.bincount(both, minlength=n)).astype(np.float64)
        hoped = most = d[s:] - s  # every item that has begun counts as one
        norm = (_begun(short, n) + _begun(long, n)) / 2
    else:
        shared, active = _shared(pair)
        hoped, most = _unseen(long, s, shared, active)
        norm = d if ties == "a" else np.sqrt(_squares(short, n) * _squares(long, n))
    weight = (1 - p) * np.power(p, d - 1)
    agreed = shared[s - 1] / norm[s - 1]
    seen = float((shared / norm * weight).sum())
    last = float(shared[-1])
    extrapolated = seen + float((agreed * hoped / norm[s:] * weight[s:]).sum()) + (last + (n - s) * agreed) / n * p**n
    minimum = seen + last * _tail(p, n)
    maximum = seen + float((most / norm[s:] * weight[s:]).sum()) + _most_behind(p, s, n, last)
    return RBO(float(extrapolated), minimum, maximum)


def _begun(ranking: Ranking, depths: int) -> Floats:
    """Number of items that have begun at each depth; a list that has ended continues without ties."""
    return np.concatenate((ranking.last + 1.0, np.arange(len(ranking) + 1.0, depths + 1)))


def _squares(ranking: Ranking, depths: int) -> Floats:
    """The sum of squared contributions at each depth; a list that has ended continues without ties."""
    first, last = ranking.first, ranking.last
    inside = np.arange(1, len(ranking) + 1) - first
    return np.concatenate((first + inside**2 / (last - first + 1), np.arange(len(ranking) + 1.0, depths + 1)))


def _unseen(long: Ranking, s: int, shared: Floats, active: Floats) -> tuple[Floats, Floats]:
    """Overlap that d − s further items of the shorter list, at depths d after its end, may have with the longer one.

    In the mean over its own items that have begun there; and at most, if they are these items in order.
    """
    d = np.arange(s + 1, len(long) + 1)
    first, last = long.first[s:], long.last[s:]
    shared, active = shared[s:], active[s:]
    open_ = last >= d  # d is inside a group of tied items
    share = np.where(open_, (d - first) / (last - first + 1), 1.0)
    complete = shared - active * share
    own_complete = np.where(open_, first, d) - complete
    own_open = np.where(open_, last - first + 1, 0) - active
    mean = (own_complete + share * own_open) / (own_complete + own_open)
    most = np.minimum(d - s, own_complete) + share * np.clip(d - s - own_complete, 0, own_open)
    return (d - s) * mean, most


def _tail(p: float, n: int) -> float:
    """(1 − p)/p · Σ_{d>n} p^d / d."""
    terms = math.ceil(45 / (1 - p))  # p^terms is below 2^−64
    if terms <= TAIL:
        d = np.arange(n + 1, n + terms + 1, dtype=np.float64)
        return float(((1 - p) * np.power(p, d - 1) / d).sum())
    d = np.arange(1, n + 1, dtype=np.float64)
    return (1 - p) / p * (-math.log1p(-p) - float((np.power(p, d) / d).sum()))


def _most_behind(p: float, s: int, n: int, last: float) -> float:
    """Overlap after the longer list if the rest of each list is what the other has shown, and then all agrees."""
    full = n + s - round(last)
    d = np.arange(n + 1, full + 1, dtype=np.float64)
    return float(((2 * d - n - s + last) / d * (1 - p) * np.power(p, d - 1)).sum()) + p**full
