"""All judged runs of a length as a partially ordered set: its size, its covers, its diagram."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.order.runs import Run, covers, height

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_LISTED = 1 << 16
MOST_STATES = 1 << 16
"""Ways to be ahead, (length + 1) ** top, up to which pairs are counted: grades 0 to 3 at length 30 take about a second."""
Point = tuple[float, int]
_Place = tuple[Any, ...]
"""A run twice, or the ends of an edge and a level that it passes."""
SWEEPS = 8  # after a few the order within levels does not change any more


@dataclass(frozen=True)
class RunOrder:
    """The poset of all runs of a length over the grades 0 … top.

    Sizes are counted without listing, for any length; what lists runs is limited to 65 536 of them.

    Examples
    --------
    >>> order = RunOrder(4)
    >>> order.size, order.cover_count, order.comparable_pairs, order.incomparable_pairs
    (16, 20, 110, 10)
    """

    length: int
    top: int = 1

    def __post_init__(self) -> None:
        if self.length < 1 or self.top < 1:
            raise ScaleError(f"runs of length {self.length} with grades 0 to {self.top}: both numbers must be at least 1")

    @property
    def size(self) -> int:
        """The number of runs."""
        return (self.top + 1) ** self.length

    @property
    def longest_chain(self) -> int:
        """The length of the longest chains from 00…0 to the run of top grades: every step raises the height by one."""
        return height((self.top,) * self.length)

    @property
    def shortest_chain(self) -> int:
        """The length of the shortest maximal chains from 00…0 to the run of top grades.

        A replacement raises the sum of grades by one and a swap leaves it, so there are G·N replacements. Let F count the pairs of
        ranks that are in falling order, or both at the top grade. A swap that is a step raises F by one and a replacement that is
        a step never raises it, so there are at least N(N − 1)/2 swaps. Filling rank after rank takes no more of either.
        """
        return self.top * self.length + self.length * (self.length - 1) // 2

    @property
    def cover_count(self) -> int:
        """The number of edges of the Hasse diagram: steps of :func:`~mensura.scales.order.runs.steps_up`, by their ranks.

        A replacement at rank k has two grades less to choose from at each later rank; a swap of two grades d apart, d + 1 less at
        each rank between.
        """
        grades, last = self.top + 1, self.length
        replacements = self.top * sum(grades ** (rank - 1) * (grades - 2) ** (last - rank) for rank in range(1, last + 1))
        return replacements + sum(
            (last - 1 - between) * (grades - apart) * (grades - apart - 1) ** between * grades ** (last - 2 - between)
            for between in range(last - 1)
            for apart in range(1, grades)
        )

    @property
    def comparable_pairs(self) -> int | None:
        """Number of pairs of different runs that are comparable; None where counting them takes too long."""
        intervals = self.interval_count
        return None if intervals is None else intervals - self.size

    @property
    def incomparable_pairs(self) -> int | None:
        """Number of pairs of runs that are not comparable; None where counting them takes too long."""
        comparable = self.comparable_pairs
        return None if comparable is None else self.size * (self.size - 1) // 2 - comparable

    @cached_property
    def interval_count(self) -> int | None:
        """Number of intervals [r, s], those with r = s included: pairs of runs whose prefix counts never cross."""
        return self._walks(self.top + 1)

    @cached_property
    def difference_count(self) -> int | None:
        """Number of difference vectors, or of lists of them with more than two grades."""
        return self._walks(1)

    def _walks(self, alike: int) -> int | None:
        """Number of walks of s − r, counted at or above every grade, that stay at or above 0.

        At a rank the grades a of r and b of s move the counts of the grades between them by one; grades that are equal, in as many
        ways as ``alike`` says, move nothing.
        """
        if (self.length + 1) ** self.top > MOST_STATES:
            return None
        ahead = np.zeros((self.length + 1,) * self.top, dtype=object)
        ahead[(0,) * self.top] = 1
        for _ in range(self.length):
            onward = ahead * alike
            for low, high in combinations(range(self.top + 1), 2):
                axes = range(self.top)
                lower = tuple(slice(0, -1) if low <= axis < high else slice(None) for axis in axes)
                upper = tuple(slice(1, None) if low <= axis < high else slice(None) for axis in axes)
                onward[upper] += ahead[lower]
                onward[lower] += ahead[upper]
            ahead = onward
        return int(ahead.sum())

    def runs(self) -> Iterator[Run]:
        """All runs, in the rank-based total order."""
        self._listable()
        return product(range(self.top + 1), repeat=self.length)

    def covers(self) -> Iterator[tuple[Run, Run]]:
        """All edges of the Hasse diagram: (r, s) where s covers r."""
        return ((run, above) for run in self.runs() for above in covers(run, self.top))

    def layout(self) -> tuple[dict[Run, Point], dict[tuple[Run, Run], list[Point]]]:
        """Position of each run in the diagram, x and its height as y; and the points between the ends of each edge.

        Neighbours on a level are ordered to cross few edges. An edge over several levels, as graded runs have, takes a place on
        each level between, so that it does not run through a box.
        """
        levels: dict[int, list[_Place]] = defaultdict(list)
        near: dict[_Place, list[_Place]] = defaultdict(list)
        for run in self.runs():
            levels[height(run)].append((run, run))
        bends: dict[tuple[Run, Run], list[_Place]] = {}
        for low, high in self.covers():
            between: list[_Place] = [(low, high, y) for y in range(height(low) + 1, height(high))]
            for place in between:
                levels[place[-1]].append(place)
            bends[low, high] = between
            for below, above in pairwise([(low, low), *between, (high, high)]):
                near[below].append(above)
                near[above].append(below)
        x = {place: at - (len(level) - 1) / 2 for level in levels.values() for at, place in enumerate(level)}
        for sweep in range(SWEEPS):
            for y in sorted(levels, reverse=sweep % 2 == 1):
                level = sorted(
                    levels[y], key=lambda place: (sum(x[other] for other in near[place]) / max(len(near[place]), 1), str(place))
                )
                x |= {place: at - (len(level) - 1) / 2 for at, place in enumerate(level)}
        places = {run: (x[run, run], height(run)) for run in self.runs()}
        return places, {edge: [(x[place], place[-1]) for place in between] for edge, between in bends.items()}

    def _listable(self) -> None:
        if self.size > MOST_LISTED:
            raise ScaleError(f"{self.size} runs are too many to list: at most {MOST_LISTED}; their numbers can still be counted")
