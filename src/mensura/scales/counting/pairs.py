"""Pairs of a sorted value and an offset, counted up to any number of bounds."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mensura._core.pairs import count_pairs, make_grid
from mensura.engines.threads import available_cores, spread
from mensura.scales.counting.streams import Words

WORTH_A_THREAD = 2**16


@dataclass(frozen=True)
class SumPairs:
    """Sorted values and offsets, both weighted; a pair stands for value + offset and weighs the product of its weights."""

    values: Words
    weights: Words
    offsets: Words
    times: Words

    @cached_property
    def _cumulative(self) -> Words:
        """The weight of the first i values; empty where each weighs 1, and the weight is i itself."""
        if (self.weights == 1).all():
            return np.empty(0, dtype=np.int64)
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(self.weights)])

    @cached_property
    def _grid(self) -> tuple[NDArray[np.int32], int]:
        return make_grid(self.values)

    def up_to(self, queries: Words) -> Words:
        """The weight of all pairs up to each query; the queries are sorted."""
        grid, shift = self._grid

        def job(share: slice) -> Words:
            counts = np.zeros(len(queries), dtype=np.int64)
            offsets, times = self.offsets[share], self.times[share]
            count_pairs(self.values, self._cumulative, grid, shift, offsets, times, queries, counts)
            return counts

        size = len(self.offsets)
        threads = available_cores() if size * len(queries) > WORTH_A_THREAD else 1
        if threads == 1:
            return job(slice(None))
        total = np.zeros(len(queries), dtype=np.int64)
        for counts in spread(job, [slice(size * i // threads, size * (i + 1) // threads) for i in range(threads)]):
            total += counts
        return total
