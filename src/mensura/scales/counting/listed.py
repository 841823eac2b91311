"""Values that are few enough to be written down, with the number of runs that share each."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.errors import ScaleError
from mensura.scales.counting.halves import Sums, heads, union
from mensura.scales.counting.machines import Integers, Machine
from mensura.scales.counting.protocol import Runs


@dataclass(frozen=True)
class ListedValues:
    """Distinct integer numerators in increasing order over one denominator."""

    numerators: Integers
    ways: Integers | None
    denominator: int
    numerators_of: Callable[[Runs], Integers]
    method: str
    exact: bool = True

    @property
    def steps(self) -> int:
        return len(self.numerators)

    @cached_property
    def _runs_below(self) -> list[int]:
        if self.ways is None:
            msg = "there are too many runs to count ties in 64 bits; use ties='unq'"
            raise ScaleError(msg)
        total, below = 0, [0]
        for ways in self.ways.tolist():
            total += ways
            below.append(total)
        return below

    def rank(self, runs: Runs) -> list[int]:
        return [int(i) + 1 for i in np.searchsorted(self.numerators, self.numerators_of(runs))]

    def runs_up_to(self, runs: Runs) -> list[tuple[int, int]]:
        return [(self._runs_below[rank - 1], self._runs_below[rank]) for rank in self.rank(runs)]

    def count(self, bounds: Sequence[Fraction]) -> list[int]:
        ordered = self.numerators.tolist()
        return [bisect_right(ordered, floor(bound * self.denominator)) for bound in bounds]

    def value(self, rank: int) -> Fraction:
        return Fraction(int(self.numerators[rank - 1]), self.denominator)

    def values(self) -> NDArray[np.float64]:
        return np.array([numerator / self.denominator for numerator in self.numerators.tolist()])

    @property
    def is_equispaced(self) -> bool:
        gaps = np.diff(self.numerators)
        return bool((gaps == gaps[:1]).all())


def listed(machine: Machine[Any], method: str) -> ListedValues:
    """All values of a machine, written down."""
    ends = heads(machine, machine.length, ways=True)
    sums: Sums = union((sums, machine.finish(state), 1) for state, sums in ends.items())
    assert sums.ways is not None
    return ListedValues(sums.values, sums.ways, machine.denominator, machine.numerators, method)
