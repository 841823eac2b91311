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

Function = Callable[[NDArray[np.int8]], Sequence[Number] | NDArray[np.float64]]
"""From judged runs, one per row, to their values. Runs tie if and only if their values compare equal."""


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
    """The values of all runs, as the function returns them."""

    function: Function
    length: int
    grades: tuple[int, ...]
    needs: Needs
    progress: Progress | None = None
    method: str = "enumeration"
    exact: bool = True

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
        return values, ways

    @property
    def steps(self) -> int:
        return len(self._listed[0])

    def rank(self, runs: Runs) -> list[int]:
        values = np.array(self._values_of(runs), dtype=self._listed[0].dtype)
        return [int(i) + 1 for i in np.searchsorted(self._listed[0], values)]

    def runs_up_to(self, runs: Runs) -> list[tuple[int, int]]:
        below = np.concatenate([[0], np.cumsum(self._listed[1])]).tolist()
        return [(below[rank - 1], below[rank]) for rank in self.rank(runs)]

    def count(self, bounds: Sequence[Fraction]) -> list[int]:
        ordered = self._listed[0].tolist()
        return [bisect_right(ordered, bound) for bound in bounds]

    def value(self, rank: int) -> Number:
        value: Number = self._listed[0][rank - 1]
        return float(value) if isinstance(value, float) else Fraction(value)

    def values(self) -> NDArray[np.float64]:
        return self._listed[0].astype(np.float64)

    @property
    def is_equispaced(self) -> bool:
        """Whether the values are equally far apart as exact numbers, doubles included."""
        exact = [Fraction(value) for value in self._listed[0].tolist()]
        return len({high - low for low, high in pairwise(exact)}) <= 1
