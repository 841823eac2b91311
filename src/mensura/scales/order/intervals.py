"""All intervals of runs of a length, grouped by their difference vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.scales.order.hasse import RunOrder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.scales.order.runs import Run
    from mensura.scales.order.values import Subject, Values


@dataclass(frozen=True)
class Groups:
    """Intervals [low, high], sorted by group; all intervals of a group have the same Δ.

    Attributes
    ----------
    runs
        The runs, padded with zeros to the length of the subject.
    low, high
        The ends of each interval, as numbers of runs.
    rises
        M(high) − M(low) of each interval.
    starts
        Where each group begins, and the end of the last.
    differences
        Δ of each group, for one grade after another: [group, grade and rank].
    ranks
        The number of ranks.
    values
        What the rises are multiples of.
    """

    runs: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    rises: NDArray[Any]
    starts: NDArray[np.int64]
    differences: NDArray[np.int64]
    ranks: int
    values: Values

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The difference in height of the ends: for binary runs their natural distance."""
        return self.differences[:, self.ranks - 1 :: self.ranks].sum(axis=1)

    @property
    def lowest(self) -> NDArray[Any]:
        """The smallest rise in each group."""
        return np.minimum.reduceat(self.rises, self.starts[:-1])

    @property
    def highest(self) -> NDArray[Any]:
        """The largest rise in each group."""
        return np.maximum.reduceat(self.rises, self.starts[:-1])

    def first_pair(self, large: int, small: int) -> tuple[tuple[Run, Run], tuple[Run, Run]]:
        """The first two intervals of two groups, in the order of the runs, whose rises contradict the order of the groups."""
        big, little = (slice(self.starts[group], self.starts[group + 1]) for group in (large, small))
        top = self.rises[little].max()
        one = big.start + int(np.flatnonzero(top - self.rises[big] > self.values.slack)[0])
        other = little.start + int(np.flatnonzero(self.rises[little] - self.rises[one] > self.values.slack)[0])
        return self._interval(one), self._interval(other)

    def _interval(self, number: int) -> tuple[Run, Run]:
        return tuple(self.runs[self.low[number]].tolist()), tuple(self.runs[self.high[number]].tolist())


def group_intervals(subject: Subject, length: int, *, equal_mass: bool) -> Groups:
    """All intervals of runs with no relevant document after rank ``length``, as intervals of runs of the subject's length."""
    runs = np.array(list(RunOrder(length, subject.top).runs()), dtype=np.int64)
    values = subject.values(runs)
    grades = np.arange(1, subject.top + 1)
    marks = (runs[:, None, :] >= grades[:, None]).astype(np.int64)  # [run, grade, rank]
    counts = np.cumsum(marks, axis=2)
    flat = counts.reshape(len(runs), -1)
    lower, upper = [], []
    for number in range(len(runs)):
        above = np.all(flat >= flat[number], axis=1)
        if equal_mass:
            above &= np.all(counts[:, :, -1] == counts[number, :, -1], axis=1)
        rows = np.flatnonzero(above)
        upper.append(rows)
        lower.append(np.full(len(rows), number))
    low, high = np.concatenate(lower), np.concatenate(upper)
    # a digit for each two grades that differ, and 0 for equal ones: other digits are other differences
    pair = 1 + runs[low] * (subject.top + 1) + runs[high]
    digits = np.where(runs[low] == runs[high], 0, pair)
    codes = digits @ ((1 + (subject.top + 1) ** 2) ** np.arange(length - 1, -1, -1))
    _, first, group = np.unique(codes, return_index=True, return_inverse=True)
    order = np.lexsort((high, low, group))
    starts = np.concatenate(([0], np.cumsum(np.bincount(group))))
    after = ((0, 0), (0, subject.length - length))
    steps = np.pad(counts[high[first]] - counts[low[first]], ((0, 0), *after), mode="edge")
    differences = np.cumsum(steps, axis=2).reshape(len(first), -1)
    rises = (values.numbers[high] - values.numbers[low])[order]
    return Groups(np.pad(runs, after), low[order], high[order], rises, starts, differences, subject.length, values)


@dataclass(frozen=True)
class Census:
    """Frequency with which a measure contradicts the order on intervals.

    Attributes
    ----------
    intervals
        How many intervals there are.
    compared
        How many ordered pairs of intervals have Δ ≥ Δ'.
    violated
        In how many of them the value rises by less in the larger interval.
    """

    intervals: int
    compared: int
    violated: int


def census(subject: Subject, *, equal_mass: bool = False) -> Census:
    """Compares all pairs of intervals of the subject's length; intervals of one run only are left out."""
    groups = group_intervals(subject, subject.length, equal_mass=equal_mass)
    sizes = np.diff(groups.starts)
    compared = violated = 0
    real = groups.sizes > 0
    rises, starts = groups.rises, groups.starts
    for large in np.flatnonzero(real).tolist():
        smaller = np.flatnonzero(real & (groups.differences <= groups.differences[large]).all(axis=1))
        members = _members(starts, sizes, smaller)
        mine = np.sort(rises[starts[large] : starts[large + 1]])
        compared += len(mine) * len(members)
        violated += int(np.searchsorted(mine, rises[members] - groups.values.slack, side="left").sum())
    own = int(sizes[real].sum())
    return Census(own, compared - own, violated)


def _members(starts: NDArray[np.int64], sizes: NDArray[np.int64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of all intervals in some groups."""
    counts = sizes[groups]
    offsets = np.repeat(starts[:-1][groups] - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
    return np.arange(counts.sum()) + offsets
