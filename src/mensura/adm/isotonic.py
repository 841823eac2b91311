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
    starts = np.concatenate(([0], places))
    rows = weight.reshape(-1, len(x))
    first_ends = np.zeros((len(rows), levels - 1), dtype=np.int64)
    cost = np.zeros(len(places) + 1)
    for step in range(levels - 1):
        sign = np.where(level > step, 1.0, -1.0)
        for first_end, each in zip(first_ends, rows, strict=True):  # one after the other: all at once leave the processor's cache
            cost[1:] = np.cumsum(sign * each)[places - 1]
            first = np.argmax(cost <= cost.min() + 1e-12)  # sums of weights that are equal but for rounding
            first_end[step] = starts[first]
    rising = np.maximum.accumulate(first_ends, axis=-1)
    moved = np.array([_between(x, row, each) for row, each in zip(rising, rows, strict=True)])
    return moved.reshape(*weight.shape[:-1], levels - 1)


def _between(x: Floats, where: NDArray[np.int64], weight: Floats) -> NDArray[np.int64]:
    """Steps moved to the middle between the neighbours that have weight: numbers without weight go to the nearer side."""
    heavy = np.flatnonzero(weight > 0)
    if not len(heavy):
        return where
    above = np.searchsorted(heavy, where)
    inner = (above > 0) & (above < len(heavy))
    low, high = x[heavy[np.maximum(above - 1, 0)]], x[heavy[np.minimum(above, len(heavy) - 1)]]
    return np.where(inner, np.searchsorted(x, low + (high - low) / 2, side="right"), where)


def apply_steps(where: NDArray[np.int64], place: NDArray[np.int64]) -> NDArray[np.int64]:
    """The level of the documents at some places: the number of their steps, ``where`` [..., step], that are not above them."""
    return np.sum(place[..., None] >= where, axis=-1, dtype=np.int64)
