"""The best monotone map from numbers to URS: what a system could say if it knew how its scores relate to relevance.

The map f that never falls and makes Σ w |f(x) − URS| smallest is a step function onto the levels of URS. For levels u_0 < u_1 < …,
|f − u| = Σ_l (u_{l+1} − u_l) · [f > u_l and u ≤ u_l, or f ≤ u_l and u > u_l], so that each step can be placed by itself: where the
weight of documents on the wrong side of it is smallest. The steps come out in order if each is placed as low as possible, for the
cost of the next one falls at least as fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mensura._core.steps import Fitter, place_steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def steps(
    x: Floats, level: NDArray[np.int8], weight: Floats, levels: int, *, fold: NDArray[np.int64] | None = None, folds: int = 0
) -> NDArray[np.int64]:
    """Positions of the steps in rising numbers x: the document at position p is above step l if p ≥ steps[…, l].

    Row f has the steps for all documents but those of fold f, the last row those for all. Equal numbers stay together.
    """
    own_fold = np.full(len(x), -1, dtype=np.int32) if fold is None else fold.astype(np.int32)
    return np.asarray(place_steps(x, level.astype(np.int8, copy=False), weight, own_fold, folds, levels))


def fit(  # noqa: PLR0917 - the arrays of a fit
    x: Floats, level: NDArray[np.int8], weight: Floats, fold: NDArray[np.int64], levels: int, fitter: Fitter | None = None
) -> NDArray[np.int8]:
    """Levels of one system's documents [2, topic, rank]: learnt on the topics of other folds, and learnt on all topics.

    ``fitter`` has the memory of earlier fits. A document without weight has level 0.
    """
    fitted = np.zeros((2, *x.shape), dtype=np.int8)
    documents = np.ascontiguousarray(x), level.astype(np.int8, copy=False), weight
    (fitter or Fitter()).fit(*documents, fold.astype(np.int32), int(fold.max(initial=-1)) + 1, levels, fitted)
    return fitted
