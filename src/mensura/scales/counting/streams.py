"""The sums of heads and tails as streams for the compiled loops: slices of sorted integers, each with an offset."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mensura.scales.counting.halves import heads, tails
from mensura.scales.counting.machines import Machine

Words = NDArray[np.int64]
Job = TypeVar("Job")
Result = TypeVar("Result")
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Streams:
    """Stream s stands for the sums values[first[s]:last[s]] + offset[s]."""

    values: Words
    first: Words
    last: Words
    offset: Words

    @property
    def pairs(self) -> int:
        """Number of sums, repeats included."""
        return int((self.last - self.first).sum())

    @property
    def least(self) -> int:
        return int((self.values[self.first] + self.offset).min())

    @property
    def greatest(self) -> int:
        return int((self.values[self.last - 1] + self.offset).max())

    def quantiles(self, parts: int) -> list[int]:
        """Bounds that cut the range of sums into parts with about equally many of them; every sum lies in [first, last)."""
        picked = (np.arange(64 * parts) * (self.pairs / (64 * parts))).astype(np.int64)
        ends = np.cumsum(self.last - self.first)
        stream = np.searchsorted(ends, picked, side="right")
        sample = np.sort(self.values[self.last[stream] - (ends[stream] - picked)] + self.offset[stream])
        inner = (int(x) for x in sample[64::64] if self.least < x <= self.greatest)
        return sorted({self.least, *inner, self.greatest + 1})

    def between(self, start: int, stop: int) -> Words:
        """The distinct sums in [start, stop), in increasing order."""
        parts = [np.empty(0, dtype=np.int64)]
        for first, last, offset in zip(self.first.tolist(), self.last.tolist(), self.offset.tolist(), strict=True):
            here = self.values[first:last]
            low, high = np.searchsorted(here, (start - offset, stop - offset))
            if low < high:
                parts.append(here[low:high] + offset)
        return np.unique(np.concatenate(parts))


def streams(machine: Machine[Any], cut: int) -> Streams:
    """Every head with every tail that can follow it."""
    front = heads(machine, cut, ways=False)
    back = tails(machine, cut, front, ways=False)
    states = list(front)
    ends = np.cumsum([len(front[state].values) for state in states])
    many = [len(back[state].values) for state in states]
    return Streams(
        np.concatenate([front[state].values for state in states]),
        np.repeat(ends - [len(front[state].values) for state in states], many),
        np.repeat(ends, many),
        np.concatenate([back[state].values for state in states]),
    )
