"""All judged runs of a length as a partially ordered set: its size, its covers, its diagram."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from mensura.errors import ScaleError
from mensura.scales.order.runs import Run, covers, height

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_LISTED = 1 << 16
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
    def tallest(self) -> int:
        """The length of the longest chains, from the run of zeros to that of top grades."""
        return self.top * self.length * (self.length + 1) // 2

    @property
    def cover_count(self) -> int:
        """The number of edges of the Hasse diagram: a swap needs a grade below the top before one above 0."""
        pairs = self.top**2 * (self.top + 1) ** (self.length - 2) if self.length > 1 else 0
        return (self.length - 1) * pairs + self.top * (self.top + 1) ** (self.length - 1)

    @property
    def comparable_pairs(self) -> int:
        """Number of pairs of different runs that are comparable."""
        return self.interval_count - self.size

    @property
    def incomparable_pairs(self) -> int:
        """Number of pairs of runs that are not comparable."""
        return self.size * (self.size - 1) // 2 - self.comparable_pairs

    @property
    def interval_count(self) -> int:
        """Number of intervals [r, s], those with r = s included: pairs of runs whose prefix sums never cross."""
        ways = Counter({change: self.top + 1 - abs(change) for change in range(-self.top, self.top + 1)})
        return sum(self._walks(ways).values())

    @property
    def difference_count(self) -> int:
        """Number of difference vectors."""
        return sum(self._walks(Counter(dict.fromkeys(range(-self.top, self.top + 1), 1))).values())

    def _walks(self, ways: Counter[int]) -> Counter[int]:
        """Walks that stay at or above 0, by where they end; ``ways`` weighs the changes."""
        reached = Counter({0: 1})
        for _ in range(self.length):
            onward: Counter[int] = Counter()
            for at, number in reached.items():
                for change, weight in ways.items():
                    if at + change >= 0:
                        onward[at + change] += number * weight
            reached = onward
        return reached

    def runs(self) -> Iterator[Run]:
        """All runs, in the rank-based total order."""
        self._listable()
        return product(range(self.top + 1), repeat=self.length)

    def covers(self) -> Iterator[tuple[Run, Run]]:
        """All edges of the Hasse diagram: (r, s) where s covers r."""
        return ((run, above) for run in self.runs() for above in covers(run, self.top))

    @cached_property
    def chain_count(self) -> int:
        """Number of maximal chains from the smallest to the largest run."""
        ways: dict[Run, int] = defaultdict(int)
        ways[(0,) * self.length] = 1
        for run in sorted(self.runs(), key=height):
            for above in covers(run, self.top):
                ways[above] += ways[run]
        return ways[(self.top,) * self.length]

    def layout(self) -> dict[Run, tuple[float, int]]:
        """Position of each run in the diagram: x, and its height as y. Neighbours on a level are ordered to cross few edges."""
        levels: dict[int, list[Run]] = defaultdict(list)
        near: dict[Run, list[Run]] = defaultdict(list)
        for run in self.runs():
            levels[height(run)].append(run)
        for run, above in self.covers():
            near[run].append(above)
            near[above].append(run)
        x = {run: at - (len(level) - 1) / 2 for level in levels.values() for at, run in enumerate(level)}
        for sweep in range(SWEEPS):
            for y in sorted(levels, reverse=sweep % 2 == 1):
                level = sorted(levels[y], key=lambda run: (sum(x[other] for other in near[run]) / max(len(near[run]), 1), run))
                x |= {run: at - (len(level) - 1) / 2 for at, run in enumerate(level)}
        return {run: (x[run], height(run)) for run in x}

    def _listable(self) -> None:
        if self.size > MOST_LISTED:
            raise ScaleError(f"{self.size} runs are too many to list: at most {MOST_LISTED}; their numbers can still be counted")
