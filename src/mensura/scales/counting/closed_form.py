"""Values that need no counting: those that depend on one small integer, and those that order runs like words in a dictionary."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mensura.errors import ScaleError
from mensura.measures.decomposition import Counted
from mensura.scales.counting.machines import Needs, spend
from mensura.scales.counting.protocol import Runs

MOST_LISTED = 2**22


@dataclass(frozen=True)
class CountedValues:
    """φ from the number of relevant documents, the rank of the first one, or whether there is any."""

    measure: Counted
    length: int
    relevant: tuple[bool, ...]
    needs: Needs
    method: str = "closed form"
    exact: bool = True

    @cached_property
    def _scale(self) -> dict[Fraction, int]:
        """The attainable values in increasing order, each with its statistic."""
        depth, statistic = self.measure.depth, self.measure.statistic
        most = depth if self.needs is None else sum(n for n, yes in zip(self.needs, self.relevant[1:], strict=True) if yes)
        if statistic == "relevant":
            attained = range(min(depth, most) + 1)
        elif statistic == "any":
            attained = range(min(1, depth, most) + 1)
        else:
            attained = range(1 if most else depth + 1, depth + 2)
        return dict(sorted((self.measure.values[n - (statistic == "first")], n) for n in attained))

    @cached_property
    def _ordered(self) -> list[Fraction]:
        return list(self._scale)

    @cached_property
    def _rank_of(self) -> dict[int, int]:
        return {n: rank for rank, n in enumerate(self._scale.values(), start=1)}

    @property
    def steps(self) -> int:
        return len(self._scale)

    def _statistic(self, runs: Runs) -> NDArray[np.int64]:
        hits = np.array(self.relevant)[runs[:, : self.measure.depth]]
        if self.measure.statistic == "relevant":
            return np.asarray(hits.sum(axis=1))
        if self.measure.statistic == "any":
            return np.asarray(hits.any(axis=1), dtype=np.int64)
        return np.where(hits.any(axis=1), hits.argmax(axis=1) + 1, self.measure.depth + 1)

    def rank(self, runs: Runs) -> list[int]:
        return [self._rank_of[n] for n in self._statistic(runs).tolist()]

    @cached_property
    def _runs_below(self) -> list[int]:
        """Numbers of runs with a value below each step, and in all."""
        now: Counter[tuple[int, Needs]] = Counter({(0, self.needs): 1})
        for rank in range(1, self.length + 1):
            after: Counter[tuple[int, Needs]] = Counter()
            for (seen, left), ways in now.items():
                for level, relevant in enumerate(self.relevant):
                    rest = spend(left, level)
                    if rest is None or min(rest) >= 0:
                        hit = relevant and rank <= self.measure.depth
                        after[self._next(seen, rank) if hit else seen, rest] += ways
            now = after
        ways_of: Counter[int] = Counter()
        for (seen, _), ways in now.items():
            ways_of[self.measure.depth + 1 if self.measure.statistic == "first" and not seen else seen] += ways
        below = [0]
        for n in self._scale.values():
            below.append(below[-1] + ways_of[n])
        return below

    def _next(self, seen: int, rank: int) -> int:
        if self.measure.statistic == "relevant":
            return seen + 1
        return seen or (rank if self.measure.statistic == "first" else 1)

    def runs_up_to(self, runs: Runs) -> list[tuple[int, int]]:
        return [(self._runs_below[rank - 1], self._runs_below[rank]) for rank in self.rank(runs)]

    def count(self, bounds: Sequence[Fraction]) -> list[int]:
        return [bisect_right(self._ordered, bound) for bound in bounds]

    def value(self, rank: int) -> Fraction:
        return self._ordered[rank - 1]

    def values(self) -> NDArray[np.float64]:
        return np.array([float(value) for value in self._ordered])

    @property
    def is_equispaced(self) -> bool:
        return len({high - low for low, high in pairwise(self._ordered)}) <= 1


def is_lexicographic(weights: tuple[Fraction, ...], gains: tuple[Fraction, ...]) -> bool:
    """Whether a better grade at one rank outweighs everything that can follow it: then no two runs tie.

    Binary RBP with p ≤ 1/2 is the known case: (1−p)·p^(i−1) > Σ_{j>i} (1−p)·p^(j−1) over finitely many j.
    """
    ladder = sorted(gains)
    gap = min((high - low for low, high in pairwise(ladder)), default=Fraction(0))
    rest = Fraction(0)
    for weight in reversed(weights):
        if weight * gap <= rest:
            return False
        rest += weight * (ladder[-1] - ladder[0])
    return True


@dataclass(frozen=True)
class LexicographicValues:
    """φ = 1 + the run read as a number whose digits are the ranks of its gains; for binary RBP with p ≤ 1/2 a binary number."""

    weights: tuple[Fraction, ...]
    gains: tuple[Fraction, ...]
    method: str = "closed form"
    exact: bool = True

    @cached_property
    def _ladder(self) -> list[Fraction]:
        return sorted(self.gains)

    @property
    def steps(self) -> int:
        return int(len(self.gains) ** len(self.weights))

    def rank(self, runs: Runs) -> list[int]:
        digit = np.array([self._ladder.index(gain) for gain in self.gains], dtype=np.int64)[runs]
        if self.steps < 2**62:
            places = np.array([len(self.gains) ** left for left in reversed(range(len(self.weights)))], dtype=np.int64)
            return [int(rank) for rank in digit @ places + 1]
        ranks = []
        for row in digit.tolist():
            number = 0
            for figure in row:
                number = number * len(self.gains) + figure
            ranks.append(number + 1)
        return ranks

    def runs_up_to(self, runs: Runs) -> list[tuple[int, int]]:
        return [(rank - 1, rank) for rank in self.rank(runs)]

    def count(self, bounds: Sequence[Fraction]) -> list[int]:
        return [self._count(bound) for bound in bounds]

    def _count(self, bound: Fraction) -> int:
        least, spread = self._ladder[0], self._ladder[-1] - self._ladder[0]
        room = bound - sum(self.weights) * least
        if room < 0:
            return 0
        number, rest = 0, sum(self.weights) * spread
        for left, weight in zip(range(len(self.weights) - 1, -1, -1), self.weights, strict=True):
            rest -= weight * spread
            figure = bisect_right(self._ladder, room / weight + least) - 1
            number = number * len(self.gains) + figure
            room -= weight * (self._ladder[figure] - least)
            if room >= rest:  # every digit that follows may be the largest
                return int((number + 1) * len(self.gains) ** left)
        return number + 1

    def value(self, rank: int) -> Fraction:
        number, total = rank - 1, Fraction(0)
        for weight in reversed(self.weights):
            number, figure = divmod(number, len(self.gains))
            total += weight * self._ladder[figure]
        return total

    def values(self) -> NDArray[np.float64]:
        if self.steps > MOST_LISTED:
            msg = f"{self.steps} values are too many to list; .inverse(rank) gives any one of them"
            raise ScaleError(msg)
        return np.array([float(self.value(rank)) for rank in range(1, self.steps + 1)])

    @property
    def is_equispaced(self) -> bool:
        """The gap in which a digit goes up and all that follow fall from largest to least is the same at every rank."""
        gaps, rest = set(), Fraction(0)
        for weight in reversed(self.weights):
            gaps |= {weight * (high - low) - rest for low, high in pairwise(self._ladder)}
            rest += weight * (self._ladder[-1] - self._ladder[0])
        return len(gaps) <= 1
