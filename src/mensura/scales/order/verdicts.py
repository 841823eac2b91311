"""Answers to questions about measures: a proof, a counterexample, or how far a search went without finding one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from mensura.scales.order.runs import Run, differences, show_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mensura.measures.reals import Real

Value = Any
"""A value of a measure: a Fraction or a Real where it is exact, else a float."""


@dataclass(frozen=True)
class Proven:
    """The property holds; ``by`` says why."""

    by: str

    def __str__(self) -> str:
        return f"yes: {self.by}"


@dataclass(frozen=True)
class Refuted:
    """The property does not hold: ``counterexample`` shows it."""

    counterexample: Any
    """The evidence: runs and their values."""

    def __str__(self) -> str:
        return f"no: {self.counterexample}"


@dataclass(frozen=True)
class NoCounterexample:
    """The property is neither proven nor refuted; ``searched`` says where there is no counterexample."""

    searched: str

    def __str__(self) -> str:
        return f"not known: no counterexample among {self.searched}"


Answer = Proven | Refuted | NoCounterexample


def reason(answer: Answer) -> str:
    """Return the proof, the counterexample, or the extent of the search."""
    match answer:
        case Proven(by):
            return by
        case NoCounterexample(searched):
            return searched
    return str(answer.counterexample)


def read_answer(saved: Mapping[str, str]) -> Answer:
    """Return an answer from its class and its reason; a counterexample that was saved is its text."""
    kinds: dict[str, type[Answer]] = {kind.__name__: kind for kind in (Proven, Refuted, NoCounterexample)}
    return kinds[saved["answer"]](saved["reason"])


def holds(answer: Answer) -> bool | None:
    """True, False, or None where it is not known."""
    return None if isinstance(answer, NoCounterexample) else isinstance(answer, Proven)


@dataclass(frozen=True)
class NotMonotone:
    """A replacement or swap that should not make a run worse, and does."""

    step: str
    before: Run
    after: Run
    value_before: Value
    value_after: Value

    def __str__(self) -> str:
        return (
            f"a {self.step} leads from {show_run(self.before)} to {show_run(self.after)}, "
            f"but the value changes from {show(self.value_before)} to {show(self.value_after)}"
        )


@dataclass(frozen=True)
class NotEquispaced:
    """Three values that cannot all be on a scale with equal steps."""

    runs: tuple[Run, Run, Run]
    values: tuple[Value, Value, Value]
    neighbours: bool
    """Whether the three values follow one another. If not, the first two do, and the third is not a whole number of steps away."""

    def __str__(self) -> str:
        low, middle, high = map(show, self.values)
        shown = ", ".join(f"{text} ({show_run(run)})" for text, run in zip((low, middle, high), self.runs, strict=True))
        if self.neighbours:
            return f"the values {shown} follow one another at unequal distances"
        return f"of the values {shown} the first two follow one another, and the third is not a whole number of such steps away"


@dataclass(frozen=True)
class NotIntervalLike:
    """Two intervals, the first at least as large as the second at every rank, whose values say the opposite."""

    larger: tuple[Run, Run]
    smaller: tuple[Run, Run]
    rise_larger: Value
    rise_smaller: Value

    @property
    def differences(self) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """Δ of the larger and of the smaller interval, for each grade."""
        top = max(map(max, (*self.larger, *self.smaller)))
        return differences(*self.larger, top), differences(*self.smaller, top)

    def __str__(self) -> str:
        large, small = (f"[{show_run(low)}, {show_run(high)}]" for low, high in (self.larger, self.smaller))
        delta, other = map(show_differences, self.differences)
        return (
            f"{large} is at least as large as {small}: Δ = {delta} ≥ {other}, "
            f"but the value rises by {show(self.rise_larger)} < {show(self.rise_smaller)}"
        )


@dataclass(frozen=True)
class UnequalSteps:
    """Two steps of an order of runs that raise the value by different amounts, or one that does not raise it."""

    first: tuple[Run, Run]
    second: tuple[Run, Run]
    rise_first: Value
    rise_second: Value

    def __str__(self) -> str:
        one, other = (f"from {show_run(low)} to {show_run(high)}" for low, high in (self.first, self.second))
        if self.first == self.second:
            return f"the step {one} changes the value by {show(self.rise_first)}"
        return f"the steps {one} and {other} change the value by {show(self.rise_first)} and {show(self.rise_second)}"


def show_differences(vectors: Sequence[Sequence[int]]) -> str:
    """Difference vectors as text; with more than one, the grades from which they count on."""
    texts = [f"({', '.join(map(str, vector))})" for vector in vectors]
    if len(texts) == 1:
        return texts[0]
    return ", ".join(f"{text} from grade {grade}" for grade, text in enumerate(texts, start=1))


def show(value: Fraction | Real | float) -> str:
    """A value as text: fractions whose parts are short as they are, others as decimals."""
    if isinstance(value, Fraction) and len(str(value)) <= 9:  # noqa: PLR2004 - as long as 1023/1024
        return str(value)
    return f"{float(value):.6g}"
