"""The best monotone map from numbers to URS: what a system could say if it knew how its scores relate to relevance.

The map f that never falls and makes Σ w |f(x) − URS| smallest is a step function onto the levels of URS. For levels u_0 < u_1 < …,
|f − u| = Σ_l (u_{l+1} − u_l) · [f > u_l and u ≤ u_l, or f ≤ u_l and u > u_l], so that each step can be placed by itself: where the
weight of documents on the wrong side of it is smallest. The steps come out in order if each is placed as low as possible, for the
cost of the next one falls at least as fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def steps(x: Floats, level: NDArray[np.int64], weight: Floats, levels: int) -> NDArray[np.int64]:
    """Positions of the steps in rising numbers x: the document at position p is above step l if p ≥ steps[…, l].

    ``weight`` [..., document] may hold several sets of weights, for which steps are placed at once; equal numbers stay together.
    """
    ends = np.append(x[1:] > x[:-1], True)
    places = np.flatnonzero(ends) + 1
    first_ends = []
    for step in range(levels - 1):
        cost = np.cumsum(np.where(level > step, weight, -weight), axis=-1)[..., places - 1]
        cost = np.concatenate((np.zeros((*cost.shape[:-1], 1)), cost), axis=-1)
        lowest = cost.min(axis=-1, keepdims=True)
        first = np.argmax(cost <= lowest + 1e-12, axis=-1)  # sums of weights that are equal but for rounding
        first_ends.append(np.concatenate(([0], places))[first])
    rising = np.maximum.accumulate(np.stack(first_ends, axis=-1), axis=-1)
    return np.array(
        [_between(x, row, each) for row, each in zip(rising.reshape(-1, levels - 1), weight.reshape(-1, len(x)), strict=True)]
    ).reshape(rising.shape)


def _between(x: Floats, where: NDArray[np.int64], weight: Floats) -> NDArray[np.int64]:
    """Steps moved to the middle between the neighbours that have weight: numbers without weight go to the nearer side."""
    heavy = np.flatnonzero(weight > 0)
    if not len(heavy):
        return where
    above = np.searchsorted(heavy, where)
    inner = (above > 0) & (above < len(heavy))
    low, high = x[heavy[np.maximum(above - 1, 0)]], x[heavy[np.minimum(above, len(heavy) - 1)]]
    return np.where(inner, np.searchsorted(x, low + (high - low) / 2, side="right"), where)


def apply_steps(where: NDArray[np.int64], documents: int) -> NDArray[np.int64]:
    """The level of each document, [..., document]: the number of steps below it."""
    return np.sum(np.arange(documents)[:, None] >= where[..., None, :], axis=-1, dtype=np.int64)
