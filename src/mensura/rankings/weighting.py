"""The weights h of the area measure, one for each rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import RankingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Weights = float | str | Callable[["NDArray[np.int64]"], object] | Sequence[float] | np.ndarray


def weights(h: Weights, ranks: int) -> Floats:
    """h(1) … h(n).

    Parameters
    ----------
    h
        1: every rank counts the same. ``"1/i"``: rank i counts 1/i. A number p between 0 and 1: geometric as in RBO,
        (1 − p)·p^(i−1). A function of the ranks (an array 1 … n). Or the weights themselves, at least n of them.
    ranks
        n.

    Examples
    --------
    >>> weights("1/i", 4).tolist()
    [1.0, 0.5, 0.3333333333333333, 0.25]
    >>> weights(0.5, 3).tolist()
    [0.5, 0.25, 0.125]
    """
    rank = np.arange(1, ranks + 1)
    if isinstance(h, str):
        if h != "1/i":
            raise RankingError(f"unknown weights h={h!r}; use 1, '1/i', a number between 0 and 1, or a function of the ranks")
        return np.reciprocal(rank.astype(np.float64))
    if isinstance(h, int | float):
        if h == 1:
            return np.ones(ranks)
        if not 0 < h < 1:
            raise RankingError(f"expected h = 1 (every rank counts the same) or between 0 and 1 (geometric, as in RBO), got {h}")
        return (1 - h) * np.power(h, rank - 1.0)
    try:
        values = np.asarray(h(rank) if callable(h) else h[:ranks], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise RankingError(f"h={h!r} gives no numbers for ranks 1 to {ranks}: {error}") from error
    if values.shape != (ranks,) or not np.isfinite(values).all():
        raise RankingError(
            f"h must give a finite number for each of {ranks} ranks; it gave an array of shape {values.shape}: {values!r}"
        )
    return values


def gains(h: Floats) -> Floats:
    r"""G(j) = Σ_{k<j} (h(k) + h(k+1))/2: what a misplacement at rank j takes away from the area.

    The area adds trapezoids, A = Σ_k (P(k−1) + P(k))/2 · h(k). Summed by parts, with P(n) = 0, this is −Σ_j G(j)·(F(j) − j): the
    area is linear in the positions.
    """
    return np.concatenate(([0.0], np.cumsum((h[:-1] + h[1:]) / 2)))
