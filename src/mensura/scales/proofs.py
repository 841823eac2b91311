"""Properties of a measure on judged runs, with proofs and counterexamples (P0, P4 §IV)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from mensura.measures.names import parse_measure
from mensura.result import Result
from mensura.scales.facts import ScaleFacts, default_length, scale_facts, spacing
from mensura.scales.order.interval_like import interval_like
from mensura.scales.order.monotone import monotone
from mensura.scales.order.structures import interval_on
from mensura.scales.order.values import Subject
from mensura.scales.order.verdicts import read_answer, reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mensura.measures.base import Measure
    from mensura.render.tables import View
    from mensura.scales.order.verdicts import Answer
    from mensura.scales.types import ScaleType

QUESTIONS = {
    "replacement": "monotone at replacements",
    "swap": "monotone at swaps",
    "equispaced": "equally spaced values",
    "strong": "interval scale on strong top-heaviness, where the first rank decides",
    "weak": "interval scale on weak top-heaviness, the order of swaps and replacements",
    "interval_like": "interval-like",
    "interval_like_equal_mass": "interval-like, equally many documents of each grade",
}


@dataclass(frozen=True)
class Properties(Result):
    """The properties of a measure on judged runs of one length.

    Attributes
    ----------
    measure, length, grades
        What was asked about.
    replacement, swap
        The measure never falls at a replacement, at a swap: it respects the order of runs.
    equispaced
        Its values are equally far apart: it is an interval scale on the order that it induces itself.
    strong, weak
        It is an interval scale on the total order in which the first rank decides, on the partial order of swaps and replacements
        (P0 §1): equal differences of runs are equal differences of values.
    interval_like
        It respects the order on intervals, Δ_sr ≥ Δ_vu ⇒ M(s) − M(r) ≥ M(v) − M(u).
    interval_like_equal_mass
        The same for intervals whose ends contain equally many documents of each grade.
    """

    measure: Measure
    length: int
    grades: tuple[int, ...]
    replacement: Answer
    swap: Answer
    equispaced: Answer
    strong: Answer
    weak: Answer
    interval_like: Answer
    interval_like_equal_mass: Answer

    version: ClassVar[int] = 2
    readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"measure": parse_measure} | dict.fromkeys(QUESTIONS, read_answer)

    def to_dict(self) -> dict[str, Any]:
        """Return the properties as plain data; counterexamples become text."""
        plain = {"measure": str(self.measure), "length": self.length, "grades": list(self.grades)}
        return {"result": type(self).__name__, "version": self.version, **plain} | {
            name: {"answer": type(answer).__name__, "reason": reason(answer)} for name, answer in self.answers().items()
        }

    def __eq__(self, other: object) -> bool:
        """Whether the same was asked and the answers are the same for the same reasons: saved counterexamples are text."""
        return NotImplemented if type(other) is not type(self) else self.to_dict() == other.to_dict()

    __hash__ = Result.__hash__

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of measure, length, property, answer and reason."""
        for name, answer in self.answers().items():
            plain = {"measure": str(self.measure), "length": self.length, "property": name}
            yield plain | {"answer": type(answer).__name__, "reason": reason(answer)}

    def answers(self) -> dict[str, Answer]:
        """The answers by the names of the questions."""
        return {name: getattr(self, name) for name in QUESTIONS}

    def view(self) -> View:
        """The answers, each with its proof or counterexample."""
        from mensura.render.properties import properties_view

        return properties_view(self)

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """``spacing``: the values on a line."""
        from mensura.render.charts.spacing import spacing as values_on_a_line

        return {"spacing": lambda: values_on_a_line([self])}

    @property
    def facts(self) -> ScaleFacts:
        """The scale type with its reason: see :func:`mensura.scales.scale_facts`."""
        return scale_facts(self.measure, self.length, self.grades)

    @property
    def scale(self) -> ScaleType:
        """The strongest scale type that is proven, for runs of this length on one topic."""
        return self.facts.scale


def properties(measure: Measure, length: int | None = None, grades: tuple[int, ...] = (0, 1)) -> Properties:
    """Return the properties of a measure on judged runs of a length, by default its cut-off or 10.

    Properties are proven or refuted in exact arithmetic where possible. A measure without a decomposition is computed in floating
    point, so that its properties can be refuted but not proven.

    Examples
    --------
    >>> from mensura import parse_measure
    >>> facts = properties(parse_measure("RBP(p=0.5)@8"))
    >>> print(facts.scale, "|", facts.equispaced)
    interval | yes: the values are 0, 1, …, 255 steps of 1/256
    """
    subject = Subject(measure, default_length(measure) if length is None else length, tuple(grades))
    return Properties(
        measure if measure.on_topics is not measure else subject.measure,  # of topics, not of their mean
        subject.length,
        subject.grades,
        monotone(subject, "replacement"),
        monotone(subject, "swap"),
        spacing(subject.measure, subject.length, subject.grades),
        interval_on(subject, "strong"),
        interval_on(subject, "weak"),
        interval_like(subject),
        interval_like(subject, equal_mass=True),
    )
