"""The sums of independent parts as 64-bit fixed-point numbers with a known error, in two halves.

What the documents of a run use up of the recall base is carried along as a class: pairs whose classes do not fit together are
no runs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.counting.factors import Factor, Target, Use, Uses, both
from mensura.scales.counting.pairs import SumPairs
from mensura.scales.counting.streams import Words
from mensura.scales.counting.weights import unit

FEW, MANY = 2**20, 2**23
"""The size of the sorted half: small enough for the cache where that will do, else as large as fits in memory."""
MOST_LOOKUPS = 2**34


@dataclass(frozen=True)
class Elements:
    """The elements of one part as counting sees them: numerators, fixed-point values, weights, and what documents they use."""

    sums: tuple[int, ...]
    fixed: Words
    weights: Words
    uses: tuple[Uses, ...]


@dataclass(frozen=True)
class Half:
    """All sums of some parts: fixed-point values, weights and classes, the elements of the last part varying fastest."""

    parts: tuple[int, ...]
    sizes: tuple[int, ...]
    values: Words
    weights: Words
    classes: Words
    uses: tuple[Uses, ...]


@dataclass(frozen=True)
class FixedPoint:
    """Sums over parts; `base` is the base of the logarithms in their units."""

    parts: tuple[Factor, ...]
    base: Fraction
    most: Use
    runs: bool
    """Whether runs are counted, or (if not) distinct values."""

    @cached_property
    def bits(self) -> int:
        """Number of binary places of a fixed-point value, negative for large gains: the largest sum stays below 2^61."""
        largest = sum(
            max(abs(s) for s in part.sums) * unit(self.base, part.root, 64) // part.denominator + 2 for part in self.parts
        )
        return 61 - max(0, largest.bit_length() - 64)

    @property
    def error(self) -> int:
        """Sums further apart than this are in the order of their fixed-point values; each part is off by less than two."""
        return 4 * len(self.parts) + 4

    def fixed(self, part: Factor, total: int) -> int:
        places = max(self.bits, 0) + 64  # of the unit, of which the largest sum has at most 2^61 where there are fewer
        return total * unit(self.base, part.root, places) // (part.denominator << (places - self.bits))

    @cached_property
    def elements(self) -> list[Elements]:
        """Per part, its distinct sums, or its sums per use with the number of ways."""
        return [self._elements(part) for part in self.parts]

    def _elements(self, part: Factor) -> Elements:
        rows: list[tuple[int, int, Uses]] = []
        for total in part.sums:
            ways = part.ways[total]
            if self.runs:
                rows += [(total, times, both(frozenset({use}), self._nothing, self.most)) for use, times in ways.items()]
            else:
                rows.append((total, 1, both(frozenset(ways), self._nothing, self.most)))
        sums, weights, uses = zip(*(row for row in rows if row[2]), strict=True)
        fixed = np.array([self.fixed(part, total) for total in sums], dtype=np.int64)
        return Elements(sums, fixed, np.array(weights, dtype=np.int64), uses)

    @property
    def _nothing(self) -> Uses:
        return frozenset({(0,) * len(self.most)})

    @cached_property
    def halves(self) -> tuple[Half, Half]:
        """A sorted-to-be half of limited size and the rest."""
        sizes = [len(element.sums) for element in self.elements]
        room = FEW if prod(sizes) <= FEW * 2**14 else MANY
        left: list[int] = []
        for i in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
            if prod(sizes[j] for j in left) * sizes[i] <= room:
                left.append(i)
        return self._half(tuple(left)), self._half(tuple(i for i in range(len(sizes)) if i not in left))

    def _half(self, parts: tuple[int, ...]) -> Half:
        values, weights = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
        classes = np.zeros(1, dtype=np.int64)
        uses: tuple[Uses, ...] = (self._nothing,)
        for part in (self.elements[i] for i in parts):
            names = tuple(dict.fromkeys(part.uses))
            table = [[both(use, name, self.most) for name in names] for use in uses]
            uses = tuple(dict.fromkeys(entry for row in table for entry in row))
            number = {use: n for n, use in enumerate(uses)}
            lookup = np.array([[number[entry] for entry in row] for row in table], dtype=np.int64)
            mine = np.array([names.index(use) for use in part.uses], dtype=np.int64)
            values = np.add.outer(values, part.fixed).ravel()
            weights = np.multiply.outer(weights, part.weights).ravel()
            classes = lookup[classes[:, None], mine[None, :]].ravel()
        return Half(parts, tuple(len(self.elements[i].sums) for i in parts), values, weights, classes, uses)

    @cached_property
    def classes(self) -> list[SumPairs]:
        """Per class of the left half, its sums and those of the right half that fit."""
        left, right = self.halves
        pairs = []
        for number, uses in enumerate(left.uses):
            fits = np.array([bool(both(uses, other, self.most)) for other in right.uses])[right.classes]
            if not fits.any():
                continue
            mine = left.classes == number
            values, weights = left.values[mine], left.weights[mine]
            if (weights == 1).all():
                values = np.sort(values)
            else:
                order = np.argsort(values)
                values, weights = values[order], weights[order]
            pairs.append(SumPairs(values, weights, right.values[fits], right.weights[fits]))
        return pairs

    def count(self, queries: Words) -> Words:
        """The weight of all sums whose fixed-point value is ≤ query, for sorted queries."""
        if sum(len(pairs.offsets) for pairs in self.classes) * len(queries) > MOST_LOOKUPS:
            msg = (
                f"exact ranks of {len(queries) // 2} runs take too long at this length; ask for fewer, or use .bracket(runs, width)"
            )
            raise ScaleError(msg)
        counts = np.zeros(len(queries), dtype=np.int64)
        for pairs in self.classes:
            counts += pairs.up_to(queries)
        return counts

    @cached_property
    def _order(self) -> tuple[Words, Words]:
        order = np.argsort(self.halves[0].values)
        return order, self.halves[0].values[order]

    def between(self, low: int, high: int) -> Iterator[tuple[Target, int]]:
        """The sums whose fixed-point values lie in [low, high], exactly, with their weights."""
        left, right = self.halves
        order, values = self._order
        first = np.searchsorted(values, low - right.values)
        last = np.searchsorted(values, high - right.values, side="right")
        for j in np.flatnonzero(first < last).tolist():
            for i in order[first[j] : last[j]].tolist():
                if both(left.uses[left.classes[i]], right.uses[right.classes[j]], self.most):
                    yield self._target(i, j), int(left.weights[i] * right.weights[j])

    def _target(self, i: int, j: int) -> Target:
        sums: dict[int, Fraction] = {}
        for half, index in zip(self.halves, (i, j), strict=True):
            for part, choice in zip(half.parts, np.unravel_index(index, half.sizes) if half.sizes else (), strict=True):
                root = self.parts[part].root
                total = Fraction(self.elements[part].sums[int(choice)], self.parts[part].denominator)
                sums[root] = sums.get(root, Fraction(0)) + total
        return sums
