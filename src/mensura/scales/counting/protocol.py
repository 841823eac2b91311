"""The protocol of every way of counting."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Runs = NDArray[np.uint8]
"""Judged runs, one per row and all different, as indices into the tuple of grades."""

Number = Fraction | float
"""A value of a measure: a Fraction is exact, a float carries the rounding error of its computation."""


class Counting(Protocol):
    """Distinct values of a measure over all judged runs, counted one way."""

    @property
    def method(self) -> str:
        """The name of the way of counting."""

    @property
    def exact(self) -> bool:
        """Whether ranks can be had exactly; if not, only brackets."""

    @property
    def steps(self) -> int:
        """φ of the largest value: the number of distinct values."""

    @property
    def is_equispaced(self) -> bool:
        """Whether all neighbouring values are equally far apart."""

    def rank(self, runs: Runs) -> list[int]:
        """φ(m) = |{x : x ≤ m}| of each run (P4 §VI, Eq. 2)."""

    def runs_up_to(self, runs: Runs) -> list[tuple[int, int]]:
        """For each run, how many runs have a smaller value and how many a value not larger."""

    def count(self, bounds: Sequence[Fraction]) -> list[int]:
        """For each bound, the number of attainable values not larger."""

    def value(self, rank: int) -> Number:
        """The value at a step, 1 ≤ rank ≤ steps."""

    def values(self) -> NDArray[np.float64]:
        """All values in increasing order, each rounded to the nearest double."""
