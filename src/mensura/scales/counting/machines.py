"""Measures whose values are integers over one common denominator, read rank by rank from left to right.

A machine passes a small state from rank to rank: AP the number of relevant documents so far, a cascade the probability that the
user is still there, a sum nothing at all. What a rank adds depends on that state and on the grade alone, so runs can be cut in
two: the values of all runs that pass the cut in state s are the sums of what the heads ending in s and the tails starting from
s add.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from mensura.measures.decomposition import AveragePrecision, Cascade

LARGEST = 2**62
Integers = NDArray[Any]
"""Integers of 64 bits or of Python's own kind."""
State = TypeVar("State", bound=Hashable)
Needs = tuple[int, ...] | None
"""Number of documents of each grade above the lowest that may still come; None when the recall base does not limit the runs."""


class Machine(Protocol[State]):
    """Reads judged runs given as indices into the tuple of grades."""

    @property
    def length(self) -> int: ...
    @property
    def levels(self) -> int: ...
    @property
    def denominator(self) -> int: ...
    @property
    def largest(self) -> int:
        """A bound on the absolute value of every numerator."""

    @property
    def start(self) -> State: ...
    def step(self, state: State, rank: int, level: int) -> tuple[State, int] | None:
        """The next state and what is added to the numerator; None when the recall base does not allow it."""

    def finish(self, state: State) -> int:
        """Addend of the end of the run to the numerator."""

    def numerators(self, runs: NDArray[np.uint8]) -> Integers:
        """The numerators of the values of judged runs, one per row."""


def word(machine: Machine[Any]) -> type:
    """The kind of integer that holds every numerator: 64 bits, or Python's own."""
    return np.int64 if machine.largest < LARGEST else object


def spend(left: Needs, level: int) -> Needs:
    """Rest of the recall base after a document of this level; negative entries mean that it is not enough."""
    if left is None or level == 0:
        return left
    return (*left[: level - 1], left[level - 1] - 1, *left[level:])


@dataclass(frozen=True)
class PrecisionMachine:
    """AP in integers: Σ_i r_i · k_i · L/i over L = lcm(1 … N), k_i relevant documents up to rank i (P4 §IV)."""

    length: int
    relevant: tuple[bool, ...]
    needs: Needs

    @classmethod
    def of(cls, measure: AveragePrecision, length: int, grades: tuple[int, ...], needs: Needs) -> "PrecisionMachine":
        return cls(length, tuple(grade >= measure.rel for grade in grades), needs)

    @property
    def levels(self) -> int:
        return len(self.relevant)

    @cached_property
    def denominator(self) -> int:
        return lcm(*range(1, self.length + 1))

    @property
    def largest(self) -> int:
        return self.length * self.denominator

    @property
    def start(self) -> tuple[int, Needs]:
        return 0, self.needs

    def step(self, state: tuple[int, Needs], rank: int, level: int) -> tuple[tuple[int, Needs], int] | None:
        seen, left = state
        left = spend(left, level)
        if left is not None and min(left) < 0:
            return None
        if not self.relevant[level]:
            return (seen, left), 0
        return (seen + 1, left), (seen + 1) * (self.denominator // rank)

    def finish(self, state: tuple[int, Needs]) -> int:  # noqa: ARG002 - the end of a run adds nothing to AP
        return 0

    def numerators(self, runs: NDArray[np.uint8]) -> Integers:
        hits = np.array(self.relevant)[runs]
        shares: Integers = np.array([self.denominator // rank for rank in range(1, self.length + 1)], dtype=word(self))
        return np.asarray((hits * hits.cumsum(axis=1)) @ shares)


@dataclass(frozen=True)
class CascadeMachine:
    """A cascade in integers: with R = n/d for one d, the state is the numerator of Π(1 − R_j) over d^i."""

    length: int
    stops: tuple[int, ...]
    d: int
    payoffs: tuple[int, ...]
    never: int
    unit: int
    needs: Needs

    @classmethod
    def of(cls, measure: Cascade, length: int, needs: Needs) -> "CascadeMachine":
        d = lcm(*(stop.denominator for stop in measure.stops))
        payoffs = [Fraction(1, i) if measure.payoff == "1/i" else Fraction(i) for i in range(1, length + 1)]
        unit = lcm(measure.never.denominator, *(payoff.denominator for payoff in payoffs))
        return cls(
            length,
            tuple(int(stop * d) for stop in measure.stops),
            d,
            tuple(int(payoff * unit) for payoff in payoffs),
            int(measure.never * unit),
            unit,
            needs,
        )

    @property
    def levels(self) -> int:
        return len(self.stops)

    @property
    def _whole(self) -> int:
        return int(self.d**self.length)

    @property
    def denominator(self) -> int:
        return self.unit * self._whole

    @property
    def largest(self) -> int:
        return int(max(*(abs(payoff) for payoff in self.payoffs), abs(self.never))) * self._whole

    @property
    def start(self) -> tuple[Fraction, Needs]:
        return Fraction(1), self.needs

    def step(self, state: tuple[Fraction, Needs], rank: int, level: int) -> tuple[tuple[Fraction, Needs], int] | None:
        there, left = state
        left = spend(left, level)
        if left is not None and min(left) < 0:
            return None
        added = there * self.stops[level] * self.payoffs[rank - 1] * self.d ** (self.length - 1)
        return (there * Fraction(self.d - self.stops[level], self.d), left), int(added)

    def finish(self, state: tuple[Fraction, Needs]) -> int:
        return int(state[0] * self.never * self._whole)

    def numerators(self, runs: NDArray[np.uint8]) -> Integers:
        # V_i = R_i·payoff(i) + (1 − R_i)·V_{i+1}, from the last rank to the first, always over unit·d^(ranks read).
        stops: Integers = np.array(self.stops, dtype=word(self))[runs]
        value: Integers = np.full(len(runs), self.never, dtype=word(self))
        for rank in range(self.length, 0, -1):
            stop = stops[:, rank - 1]
            value = stop * (self.payoffs[rank - 1] * self.d ** (self.length - rank)) + (self.d - stop) * value
        return value


@dataclass(frozen=True)
class SumMachine:
    """Σ w_i·gain(r_i) with rational weights and gains, in integers; the state is what is left of the recall base."""

    length: int
    added: tuple[tuple[int, ...], ...]
    denominator: int
    needs: Needs

    @classmethod
    def of(cls, weights: tuple[Fraction, ...], gains: tuple[Fraction, ...], needs: Needs) -> "SumMachine":
        return cls.of_terms([[weight * gain for gain in gains] for weight in weights], needs)

    @classmethod
    def of_terms(cls, terms: Sequence[Sequence[Fraction]], needs: Needs) -> "SumMachine":
        denominator = lcm(*(term.denominator for row in terms for term in row))
        return cls(len(terms), tuple(tuple(int(term * denominator) for term in row) for row in terms), denominator, needs)

    @property
    def levels(self) -> int:
        return len(self.added[0])

    @property
    def largest(self) -> int:
        return sum(max(abs(term) for term in row) for row in self.added)

    @property
    def start(self) -> Needs:
        return self.needs

    def step(self, state: Needs, rank: int, level: int) -> tuple[Needs, int] | None:
        left = spend(state, level)
        if left is not None and min(left) < 0:
            return None
        return left, self.added[rank - 1][level]

    def finish(self, state: Needs) -> int:  # noqa: ARG002 - the end of a run adds nothing to a sum
        return 0

    def numerators(self, runs: NDArray[np.uint8]) -> Integers:
        added: Integers = np.array(self.added, dtype=word(self))
        return np.asarray(added[np.arange(self.length), runs].sum(axis=1), dtype=word(self))


def attainable_runs(length: int, levels: int, needs: Needs) -> int:
    """The number of judged runs: levels^N, or those with at most needs[g] documents of each grade above the lowest."""
    if needs is None:
        return int(levels**length)
    ways = [1] + [0] * length
    for need in needs:
        ways = [sum(ways[n - c] * comb(length - (n - c), c) for c in range(min(need, n) + 1)) for n in range(length + 1)]
    return sum(ways)
