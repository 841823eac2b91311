"""Independent parts, counted by meeting in the middle.

The sums of one half of the parts are sorted, those of the other half are offsets: φ(m) is the number of pairs with a + b ≤ m.
Where the error of the fixed-point values leaves a comparison open, it is settled in as many digits as it takes; that a pair
*is* the query is known from its parts, never from its digits: at N = 30 the smallest gap between two values of DCG is near
1e-17, so no tolerance separates ties from gaps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, cmp_to_key
from math import floor, prod

import numpy as np
from numpy.typing import NDArray

from mensura.errors import ScaleError
from mensura.scales.counting.factors import Factor, Target, Uses, both, sign
from mensura.scales.counting.fixed_point import MANY, FixedPoint
from mensura.scales.counting.machines import LARGEST, Needs
from mensura.scales.counting.protocol import Number, Runs
from mensura.scales.counting.weights import RATIONAL, unit

MOST_LISTED = 2**22
TWO = 2  # any two values are equally spaced


def minus(one: Target, other: Target) -> Target:
    """The difference of two sums, root by root."""
    return {root: one.get(root, Fraction(0)) - other.get(root, Fraction(0)) for root in {*one, *other}}


@dataclass(frozen=True)
class IndependentParts:
    """Values of an additive measure whose parts are independent; `base` is that of its logarithms."""

    parts: tuple[Factor, ...]
    base: Fraction
    needs: Needs
    method: str = "meet in the middle"

    @cached_property
    def steps(self) -> int:
        if self.needs is None:
            return prod(len(part.ways) for part in self.parts)
        now: dict[Uses, int] = {frozenset({(0,) * len(self.needs)}): 1}
        for part in self.parts:
            after: dict[Uses, int] = {}
            for uses, ways in now.items():
                for use in part.ways.values():
                    joint = both(uses, frozenset(use), self.needs)
                    if joint:
                        after[joint] = after.get(joint, 0) + ways
            now = after
        return sum(now.values())

    @property
    def exact(self) -> bool:
        return prod(len(part.ways) for part in self.parts) <= MANY * MANY

    @cached_property
    def shape(self) -> FixedPoint:
        """The distinct sums of each part as fixed-point numbers."""
        return FixedPoint(self.parts, self.base, self.needs or (), runs=False)

    @property
    def _values(self) -> FixedPoint:
        self._refuse_inexact()
        return self.shape

    @cached_property
    def _runs(self) -> FixedPoint:
        self._refuse_inexact()
        if prod(sum(sum(ways.values()) for ways in part.ways.values()) for part in self.parts) >= LARGEST:
            msg = "there are too many runs to count ties in 64 bits; use ties='unq'"
            raise ScaleError(msg)
        return FixedPoint(self.parts, self.base, self.needs or (), runs=True)

    def _refuse_inexact(self) -> None:
        if not self.exact:
            msg = (
                f"exact ranks need two lists of √{self.steps} sums, more than the {MANY} that fit; "
                "the number of steps is exact, and .bracket(runs, width) gives certified bounds of rank / steps"
            )
            raise ScaleError(msg)

    def targets(self, runs: Runs) -> list[Target]:
        """The exact values of runs."""
        columns = [part.sums_of(runs).tolist() for part in self.parts]
        targets: list[Target] = []
        for row in zip(*columns, strict=True):
            value: dict[int, Fraction] = {}
            for part, total in zip(self.parts, row, strict=True):
                value[part.root] = value.get(part.root, Fraction(0)) + Fraction(total, part.denominator)
            targets.append(value)
        return targets

    def fixed(self, runs: Runs) -> list[int]:
        """The values of runs as fixed-point numbers."""
        columns = []
        for part in self.parts:
            fixed = {total: self.shape.fixed(part, total) for total in part.sums}
            columns.append([fixed[total] for total in part.sums_of(runs).tolist()])
        return [sum(row) for row in zip(*columns, strict=True)]

    def _counts(self, sums: FixedPoint, fixed: Sequence[int]) -> list[tuple[int, int]]:
        """The weight of sums surely below each value, and of sums not surely above it."""
        middle = np.array(fixed, dtype=np.int64)
        queries, where = np.unique(np.concatenate([middle - sums.error - 1, middle + sums.error]), return_inverse=True)
        counts = sums.count(queries)[where].tolist()
        return list(zip(counts[: len(fixed)], counts[len(fixed) :], strict=True))

    def _near(self, sums: FixedPoint, fixed: int, target: Target) -> list[tuple[int, int]]:
        """Sums too near a target for fixed-point numbers: how they compare to it, and their weights."""
        near = sums.between(fixed - sums.error, fixed + sums.error)
        return [(sign(minus(value, target), self.base), weight) for value, weight in near]

    def rank(self, runs: Runs) -> list[int]:
        fixed = self.fixed(runs)
        ranks = []
        for i, (below, up_to) in enumerate(self._counts(self._values, fixed)):
            if up_to == below + 1:  # the run itself is the only one
                ranks.append(up_to)
            else:
                near = self._near(self._values, fixed[i], self.targets(runs[i : i + 1])[0])
                ranks.append(below + sum(weight for order, weight in near if order <= 0))
        return ranks

    def runs_up_to(self, runs: Runs) -> list[tuple[int, int]]:
        fixed = self.fixed(runs)
        alone = [up_to == below + 1 for below, up_to in self._counts(self._values, fixed)]
        counts = []
        for i, (below, up_to) in enumerate(self._counts(self._runs, fixed)):
            if alone[i]:
                counts.append((below, up_to))
            else:
                near = self._near(self._runs, fixed[i], self.targets(runs[i : i + 1])[0])
                less = below + sum(weight for order, weight in near if order < 0)
                counts.append((less, less + sum(weight for order, weight in near if order == 0)))
        return counts

    def count(self, bounds: Sequence[Fraction]) -> list[int]:
        most = LARGEST - 2 * self._values.error
        fixed = [min(most, max(-most, floor(bound * Fraction(2) ** self._values.bits))) for bound in bounds]
        counts = []
        for i, (below, up_to) in enumerate(self._counts(self._values, fixed)):
            near = self._near(self._values, fixed[i], {RATIONAL: bounds[i]}) if below < up_to else []
            counts.append(below + sum(weight for order, weight in near if order <= 0))
        return counts

    def value(self, rank: int) -> Number:
        fixed = self._where(lambda x: int(self._values.count(np.array([x], dtype=np.int64))[0]) >= rank)
        below = int(self._values.count(np.array([fixed - self._values.error - 1], dtype=np.int64))[0])
        near = [target for target, _ in self._values.between(fixed - self._values.error, fixed + self._values.error)]
        near.sort(key=cmp_to_key(lambda one, other: sign(minus(one, other), self.base)))
        return self._number(near[rank - 1 - below])

    def _where(self, enough: Callable[[int], bool]) -> int:
        """The least fixed-point value with enough sums up to it."""
        low, high = -LARGEST, LARGEST
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle + 1, high)
        return low

    def _number(self, target: Target) -> Number:
        parts = {root: share for root, share in target.items() if share}
        if set(parts) <= {RATIONAL}:
            return parts.get(RATIONAL, Fraction(0))
        return float(sum(share * Fraction(unit(self.base, root, 128), 1 << 128) for root, share in parts.items()))

    def values(self) -> NDArray[np.float64]:
        if self.steps > MOST_LISTED:
            msg = f"{self.steps} values are too many to list; .inverse(rank) gives any one of them"
            raise ScaleError(msg)
        everything = [np.add.outer(pairs.values, pairs.offsets).ravel() for pairs in self._values.classes]
        return np.sort(np.concatenate(everything)) * 2.0**-self._values.bits

    @property
    def is_equispaced(self) -> bool:
        """Equal gaps make all differences multiples of one unit, and leave no room for more values between the ends."""
        many = [part for part in self.parts if len(part.ways) > 1]
        if len({part.root for part in many}) > 1:
            return self.steps <= TWO
        if self.steps <= TWO:
            return True
        elements = [
            (part, element.sums) for part, element in zip(self.parts, self.shape.elements, strict=True) if len(element.sums) > 1
        ]
        gap = min(Fraction(sums[1] - sums[0], part.denominator) for part, sums in elements)
        if any(Fraction(total - sums[0], part.denominator) % gap for part, sums in elements for total in sums):
            return False
        if self.needs is None:
            spread = sum(Fraction(sums[-1] - sums[0], part.denominator) for part, sums in elements)
        else:
            ends = [self.value(rank) for rank in (1, self.steps)]
            spread = Fraction(ends[1]) - Fraction(ends[0])
        return spread == gap * (self.steps - 1)
