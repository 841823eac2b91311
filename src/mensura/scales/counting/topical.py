"""Measures whose scale depends on the topic: its recall base, and how many judged documents are not relevant.

Acorr is a machine like AP, with the documents seen of each grade as its state. Interpolated precision is read from the last rank to
the first, where the state is how many relevant documents are still to come, and the highest precision so far. For bpref documents
without judgment do nothing, so that words over two letters are counted: relevant and not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from mensura.errors import ScaleError
from mensura.measures.decomposition import Area, Interpolated, Preferences
from mensura.scales.counting.listed import ListedValues
from mensura.scales.counting.machines import LARGEST, Integers, Needs, word
from mensura.scales.counting.protocol import Runs

MOST_STATES = 2**24
"""States with their sums that are held at once."""
MOST_CELLS = 2**31
"""Cells of the table of words by their letters and sums that are filled, never all of them at once."""
UNJUDGED, OTHER, RELEVANT = 0, 1, 2


@dataclass(frozen=True)
class AreaMachine:
    """Acorr in integers: Σ_i h_i · ((2i − 1)·RB − P(i−1) − P(i)) over RB · Σ_i h_i (2i − 1)."""

    weights: tuple[int, ...]
    higher: tuple[int, ...]
    needs: tuple[int, ...]

    @classmethod
    def of(cls, measure: Area, needs: Needs) -> "AreaMachine":
        return cls(measure.weights, measure.higher, needs or ())

    @property
    def length(self) -> int:
        return len(self.weights)

    @property
    def levels(self) -> int:
        return len(self.higher)

    @cached_property
    def denominator(self) -> int:
        return self.higher[0] * sum(weight * (2 * rank - 1) for rank, weight in enumerate(self.weights, start=1))

    @property
    def largest(self) -> int:
        return self.denominator

    @property
    def start(self) -> tuple[int, ...]:
        return (0,) * (self.levels - 1)

    def _point(self, counts: tuple[int, ...], rank: int) -> int:
        """P(rank) after ``counts`` documents of each grade above the lowest."""
        every = (rank - sum(counts), *counts)
        places = sum(count * higher + count * (count + 1) // 2 for count, higher in zip(every, self.higher, strict=True))
        return places - rank * (rank + 1) // 2

    def step(self, state: tuple[int, ...], rank: int, level: int) -> tuple[tuple[int, ...], int] | None:
        after = state if level == 0 else (*state[: level - 1], state[level - 1] + 1, *state[level:])
        if any(count > need for count, need in zip(after, self.needs, strict=True)):
            return None
        lost = self._point(state, rank - 1) + self._point(after, rank)
        return after, self.weights[rank - 1] * ((2 * rank - 1) * self.higher[0] - lost)

    def finish(self, state: tuple[int, ...]) -> int:  # noqa: ARG002 - the end of a run adds nothing
        return 0

    def numerators(self, runs: Runs) -> Integers:
        rank = np.arange(1, self.length + 1, dtype=np.int64)
        point = np.zeros((len(runs), self.length + 1), dtype=np.int64)
        for level, higher in enumerate(self.higher):
            count = np.cumsum(runs == level, axis=1, dtype=np.int64)
            point[:, 1:] += count * higher + count * (count + 1) // 2
        point[:, 1:] -= rank * (rank + 1) // 2
        gained: Integers = ((2 * rank - 1) * self.higher[0] - point[:, :-1] - point[:, 1:]).astype(word(self))
        return np.asarray(gained @ np.array(self.weights, dtype=word(self)))


def interpolated_values(measure: Interpolated, length: int, grades: tuple[int, ...], needs: Needs) -> ListedValues | None:
    """All values, written down: sums over levels of the highest precision, over L = lcm(1 … N) per level; ``None``: too many."""
    whole = lcm(*range(1, length + 1))
    levels = np.zeros(length + 2, dtype=np.int64)  # how many levels of recall begin at the nth relevant document
    for count in measure.needed:
        levels[min(count, length + 1)] += 1
    relevant = np.array([grade >= measure.rel for grade in grades])
    chances = int(relevant.sum()), int((~relevant).sum())  # grades of either kind
    if whole * len(measure.needed) >= LARGEST or len(grades) ** length >= LARGEST:
        return None
    most = length if needs is None else min(length, sum(need for need, hit in zip(needs, relevant[1:], strict=True) if hit))

    left = np.arange(most + 1)  # relevant documents still to come, from the last rank to the first
    best, total = np.zeros(most + 1, dtype=np.int64), np.zeros(most + 1, dtype=np.int64)
    ways = np.ones(most + 1, dtype=np.int64)
    for rank in range(length, 0, -1):
        misses, hits = left < rank, left > 0
        reached = np.maximum(best[hits], left[hits] * (whole // rank))
        left, best, total, ways = _merged(
            np.concatenate([left[misses], left[hits] - 1]),
            np.concatenate([best[misses], reached]),
            np.concatenate([total[misses], total[hits] + levels[left[hits]] * reached]),
            np.concatenate([ways[misses] * chances[1], ways[hits] * chances[0]]),
        )
        if len(left) > MOST_STATES:
            return None
    values, where = np.unique(total, return_inverse=True)
    counts = np.zeros(len(values), dtype=np.int64)
    np.add.at(counts, where, ways)
    return ListedValues(
        values, counts, whole * len(measure.needed), _interpolated_numerators(relevant, levels, whole), "listed from the last rank"
    )


def _merged(*columns: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Rows that agree but for the last column, which is added up."""
    *keys, ways = columns
    order = np.lexsort(keys)
    rows = [key[order] for key in keys]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.any([row[1:] != row[:-1] for row in rows], axis=0)
    return *(row[new] for row in rows), np.add.reduceat(ways[order], np.flatnonzero(new))


def _interpolated_numerators(
    relevant: NDArray[np.bool_], levels: NDArray[np.int64], whole: int
) -> Callable[[Runs], NDArray[np.int64]]:
    def numerators(runs: Runs) -> NDArray[np.int64]:
        hits = relevant[runs]
        nth = np.cumsum(hits, axis=1, dtype=np.int64)
        precision = np.where(hits, nth * (whole // np.arange(1, runs.shape[1] + 1)), 0)
        highest = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
        return np.asarray(np.where(hits, levels[nth] * highest, 0).sum(axis=1))

    return numerators


def preference_values(measure: Preferences, length: int) -> ListedValues:
    """All values of bpref: whole numbers over RB · min(J, RB)."""
    full = max(1, min(measure.others, measure.relevant))

    def gain(above: int) -> int:
        """Addend of a relevant document with so many judged ones above it that are not."""
        return full - min(above, measure.relevant) if measure.others else full

    hits, others = min(measure.relevant, length), min(measure.others, length)
    size = hits * full + 1
    if hits * (others + 1) * size > MOST_CELLS:
        raise ScaleError(
            f"bpref at length {length} with {measure.relevant} relevant documents has too many values to count; "
            "give a smaller cut-off, e.g. bpref@100"
        )
    counted = 3**length < LARGEST
    total: Integers = np.zeros(size, dtype=np.int64 if counted else np.bool_)
    row = [_unit(size, total.dtype)] * (others + 1)  # words of ``hit`` relevant documents and ``above`` others, by their sums
    for hit in range(hits + 1):
        if hit:
            shifted = [_shifted(words, gain(above)) for above, words in enumerate(row)]
            row = list(accumulate(shifted, np.add if counted else np.logical_or))
        for above, words in enumerate(row[: length - hit + 1]):
            total = total + words * comb(length, hit + above) if counted else total | words
    numerators = np.flatnonzero(total)
    return ListedValues(
        numerators.astype(np.int64),
        total[numerators] if counted else None,
        measure.relevant * full,
        lambda runs: _preference_numerators(runs, np.array([gain(above) for above in range(length + 1)])),
        "listed by words",
    )


def _unit(size: int, kind: np.dtype[np.generic]) -> Integers:
    words = np.zeros(size, dtype=kind)
    words[0] = 1
    return words


def _shifted(words: Integers, by: int) -> Integers:
    moved = np.zeros_like(words)
    moved[by:] = words[: len(words) - by]
    return moved


def _preference_numerators(runs: Runs, gains: NDArray[np.int64]) -> NDArray[np.int64]:
    above = np.cumsum(runs == OTHER, axis=1)
    return np.asarray(np.where(runs == RELEVANT, gains[above], 0).sum(axis=1))
