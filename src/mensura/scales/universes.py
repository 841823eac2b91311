"""Where scales change: precision, recall and F1 on runs of different lengths and topics of different recall bases (P4 §IV-D).

S_{n,RB} holds the runs of one length for one recall base. S[N, K] is the union of these for n ≤ N and RB ≤ K. A set-based measure
sees of a run only how many relevant documents it holds, so a run is a triple [r, n, RB] with r ≤ min(n, RB).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations

from mensura.errors import ScaleError
from mensura.scales.order.verdicts import Proven, Refuted, show


@dataclass(frozen=True, order=True)
class Triple:
    """[r, n, RB]: r relevant documents among n retrieved, of RB that there are."""

    relevant: int
    length: int
    recall_base: int

    def __str__(self) -> str:
        return f"[{self.relevant}, {self.length}, {self.recall_base}]"


@dataclass(frozen=True)
class Universe:
    """S_{n,RB}, or S[N, K] if ``mixed``."""

    length: int
    recall_base: int
    mixed: bool

    def __post_init__(self) -> None:
        if self.length < 1 or self.recall_base < 1:
            raise ScaleError(f"{self}: lengths and recall bases are at least 1")

    def runs(self) -> Iterator[Triple]:
        """All its runs."""
        lengths = range(1, self.length + 1) if self.mixed else [self.length]
        bases = range(1, self.recall_base + 1) if self.mixed else [self.recall_base]
        return (Triple(r, n, base) for n in lengths for base in bases for r in range(min(n, base) + 1))

    def __str__(self) -> str:
        return f"S[{self.length}, {self.recall_base}]" if self.mixed else f"S_{{{self.length},{self.recall_base}}}"


def fixed(length: int, recall_base: int) -> Universe:
    """S_{n,RB}: runs of one length, topics of one recall base."""
    return Universe(length, recall_base, mixed=False)


def mixed(length: int, recall_base: int) -> Universe:
    """S[N, K]: all lengths up to N, all recall bases up to K."""
    return Universe(length, recall_base, mixed=True)


def precision(run: Triple) -> Fraction:
    """Relevant documents among those retrieved: r / n."""
    return Fraction(run.relevant, run.length)


def recall(run: Triple) -> Fraction:
    """Relevant documents among all relevant ones: r / RB."""
    return Fraction(run.relevant, run.recall_base)


def f1(run: Triple) -> Fraction:
    """2r / (n + RB): the harmonic mean of precision and recall."""
    return Fraction(2 * run.relevant, run.length + run.recall_base)


SetMeasure = Callable[[Triple], Fraction]


@dataclass(frozen=True)
class UnevenSteps:
    """Three runs whose values follow one another at unequal distances."""

    runs: tuple[Triple, Triple, Triple]
    values: tuple[Fraction, Fraction, Fraction]

    def __str__(self) -> str:
        shown = ", ".join(f"{show(value)} {run}" for run, value in zip(self.runs, self.values, strict=True))
        return f"the values {shown} follow one another at unequal distances"


@dataclass(frozen=True)
class Disagreement:
    """Two runs that two measures put into different orders."""

    runs: tuple[Triple, Triple]
    first: tuple[Fraction, Fraction]
    second: tuple[Fraction, Fraction]

    @property
    def senses(self) -> tuple[int, int]:
        """By each measure, is the first run below the second (−1), equal (0) or above (1)?"""
        (a, b), (c, d) = self.first, self.second
        return (a > b) - (a < b), (c > d) - (c < d)

    def __str__(self) -> str:
        one, other = self.runs
        (a, b), (c, d) = self.first, self.second
        return f"{one} and {other}: {show(a)} and {show(b)} by the first measure, {show(c)} and {show(d)} by the second"


def interval_on(measure: SetMeasure, universe: Universe) -> Proven | Refuted:
    """Whether the values of a set-based measure on a universe are equally far apart.

    Examples
    --------
    P4 §IV-D: precision is an interval scale on S[N, K] for N ≤ 2 only.

    >>> print(interval_on(precision, mixed(2, 5)).by)
    the values 0, 1/2, 1 are equally far apart
    >>> print(interval_on(precision, mixed(3, 5)).counterexample)
    the values 0 [0, 1, 1], 1/3 [1, 3, 1], 1/2 [1, 2, 1] follow one another at unequal distances
    """
    examples: dict[Fraction, Triple] = {}
    for run in universe.runs():
        examples.setdefault(measure(run), run)
    values = sorted(examples)
    for low, middle, high in zip(values, values[1:], values[2:], strict=False):
        if middle - low != high - middle:
            return Refuted(UnevenSteps((examples[low], examples[middle], examples[high]), (low, middle, high)))
    shown = ", ".join(map(show, values[:3])) + (f", …, {show(values[-1])}" if len(values) > 3 else "")  # noqa: PLR2004
    return Proven(f"the values {shown} are equally far apart")


def same_order(first: SetMeasure, second: SetMeasure, universe: Universe) -> Proven | Refuted:
    """Whether two measures put the runs of a universe into the same order, ties and all."""
    examples: dict[tuple[Fraction, Fraction], Triple] = {}
    for run in universe.runs():
        examples.setdefault((first(run), second(run)), run)
    pairs = [
        Disagreement((run, other), (a, b), (c, d)) for ((a, c), run), ((b, d), other) in combinations(sorted(examples.items()), 2)
    ]
    opposite = (pair for pair in pairs if pair.senses in {(-1, 1), (1, -1)})
    tied = (pair for pair in pairs if pair.senses[0] != pair.senses[1])
    found = next(chain(opposite, tied), None)
    if found is not None:
        return Refuted(found)
    return Proven(f"all runs of {universe} are in the same order")
