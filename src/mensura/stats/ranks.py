"""Ranks with ties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def tied_ranks(codes: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ranks within each row, from 1; equal values share the mean of their ranks. Also Σ(t³ − t) over the ties of each row."""
    rows, size = codes.shape
    order = np.argsort(codes, axis=1, kind="stable")
    ordered = np.take_along_axis(codes, order, axis=1)
    starts = np.ones((rows, size), dtype=np.bool_)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    group = np.cumsum(starts.reshape(-1)) - 1
    count = np.bincount(group)
    begin = np.flatnonzero(starts.reshape(-1)) % size
    mean = begin + (count + 1) / 2
    ranks = np.empty((rows, size))
    np.put_along_axis(ranks, order, mean[group].reshape(rows, size), axis=1)
    row = np.flatnonzero(starts.reshape(-1)) // size
    ties = np.bincount(row, weights=count * (count.astype(np.float64) ** 2 - 1), minlength=rows)
    return ranks, ties.astype(np.float64)
