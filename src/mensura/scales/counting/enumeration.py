"""Any measure at all, by writing down the values of all runs: the last resort."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mensura.errors import ScaleError
from mensura.scales.counting.machines import Needs
from mensura.scales.counting.protocol import Number, Runs
from mensura.scales.counting.streams import Progress

MOST_RUNS = 2**24
"""The budget: this many runs are enumerated (a function of NumPy arrays takes seconds, the values 128 MB) and no more."""
BATCH = 2**16

ROUNDING = 2.0**-44
"""Doubles that differ by less than this, in proportion to the largest of all values, are taken for one value."""

Function = Callable[[NDArray[np.int8]], Sequence[Number] | NDArray[np.float64]]
"""From judged runs, one per row, to their values. Fractions and whole numbers tie if they are equal, doubles to rounding."""


def refuse_too_many(length: int, levels: int) -> None:
    """Says no to more runs than the budget, and which length would do."""
    if levels**length > MOST_RUNS:
        fits = max(n for n in range(length) if levels**n <= MOST_RUNS)
        msg = (
            f"enumeration would need {levels}^{length} runs, more than the {MOST_RUNS} that are enumerated; "
            f"with {levels} grades, runs up to length {fits} fit, or give the measure a decomposition that can be counted"
        )
        raise ScaleError(msg)


def numbered_runs(numbers: NDArray[np.int64], length: int, levels: int) -> Runs:
    """Runs by number: their grades are the digits, the first rank first."""
    powers = levels ** np.arange(length - 1, -1, -1, dtype=np.int64)
    return (numbers[:, None] // powers % levels).astype(np.uint8)


@dataclass(frozen=True)
class EnumeratedValues:
    """The values of all runs, as the function returns them; doubles are known to rounding, so that no rank is exact."""

    function: Function
    length: int
    grades: tuple[int, ...]
    needs: Needs
    progress: Progress | None = None

    @cached_property
    def exact(self) -> bool:
        return not isinstance(self._values_of(np.zeros((1, self.length), dtype=np.uint8))[0], float)

    @property
    def method(self) -> str:
        return "enumeration" if self.exact else "enumeration, to rounding"

    def _values_of(self, runs: Runs) -> list[Number]:
        values = self.function(np.array(self.grades, dtype=np.int8)[runs])
        return values.tolist() if isinstance(values, np.ndarray) else list(values)

    def _batches(self) -> Iterable[list[Number]]:
        total = len(self.grades) ** self.length
        for start in range(0, total, BATCH):
            runs = numbered_runs(np.arange(start, min(start + BATCH, total)), self.length, len(self.grades))
            if self.needs is not None:
                used = (runs[:, :, None] == np.arange(1, len(self.grades))).sum(axis=1)
                runs = runs[(used <= np.array(self.needs)).all(axis=1)]
            yield self._values_of(runs)
            if self.progress is not None:
                self.progress(min(1.0, (start + BATCH) / total))

    @cached_property
    def _listed(self) -> tuple[NDArray[np.float64] | NDArray[np.object_], NDArray[np.int64]]:
        everything = [value for batch in self._batches() for value in batch]
        kind = float if all(isinstance(value, float) for value in everything) else object
        values, ways = np.unique(np.array(everything, dtype=kind), return_counts=True)
        if kind is object:
            return values, ways
        first = np.flatnonzero(np.diff(values, prepend=-np.inf) > ROUNDING * np.abs(values).max())
        return values[first], np.add.reduceat(ways, first)

    @cached_property
    def _slack(self) -> float:
        """Half the distance below which doubles are one value; 0 for exact numbers."""
        return 0.0 if self._listed[0].dtype == object else ROUNDING / 2 * float(np.abs(self._listed[0]).max())

    @property
    def steps(self) -> int:
        return len(self._listed[0])

    def rank(self, runs: Runs) -> list[int]:
        values = np.array(self._values_of(runs), dtype=self._listed[0].dtype)
        least = self._listed[0] - self._slack if self._slack else self._listed[0]
        return [int(i) for i in np.searchsorted(least, values, side="right")]

    def runs_up_to(self, runs: Runs) -> list[tuple[int, int]]:
        below = np.concatenate([[0], np.cumsum(self._listed[1])]).tolist()
        return [(below[rank - 1], below[rank]) for rank in self.rank(runs)]

    def count(self, bounds: Sequence[Fraction]) -> list[int]:
        ordered = self._listed[0].tolist()
        return [bisect_right(ordered, bound + Fraction(self._slack)) for bound in bounds]

    def value(self, rank: int) -> Number:
        value: Number = self._listed[0][rank - 1]
        return float(value) if isinstance(value, float) else Fraction(value)

    def values(self) -> NDArray[np.float64]:
        return self._listed[0].astype(np.float64)

    @property
    def is_equispaced(self) -> bool:
        """Whether the values are equally far apart: exactly, or to rounding if they are doubles."""
        exact = [Fraction(value) for value in self._listed[0].tolist()]
        gaps = [high - low for low, high in pairwise(exact)]
        return max(gaps, default=0) - min(gaps, default=0) <= 8 * Fraction(self._slack)
