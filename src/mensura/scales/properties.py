"""What can be said about the scale of a measure, with proofs and counterexamples (P0, P4 §IV)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.scales.order.equispaced import equispaced
from mensura.scales.order.interval_like import interval_like
from mensura.scales.order.monotone import monotone
from mensura.scales.order.values import Subject
from mensura.scales.order.verdicts import Answer, Proven
from mensura.scales.types import INTERVAL, NOMINAL, ORDINAL, ScaleType

if TYPE_CHECKING:
    from mensura.measures.base import Measure

DEFAULT_LENGTH = 10

QUESTIONS = {
    "replacement": "monotone at replacements",
    "swap": "monotone at swaps",
    "equispaced": "equally spaced values",
    "interval_like": "interval-like",
    "interval_like_equal_mass": "interval-like, equally many relevant documents",
}


@dataclass(frozen=True)
class Properties:
    """The properties of a measure on judged runs of one length.

    Attributes
    ----------
    measure, length, grades
        What was asked about.
    replacement, swap
        Does the measure never fall at a replacement, at a swap? Then it respects the order of runs.
    equispaced
        Are its values equally far apart: is it an interval scale on the order that it induces itself?
    interval_like
        Does it respect the order on intervals, Δ_sr ≥ Δ_vu ⇒ M(s) − M(r) ≥ M(v) − M(u)?
    interval_like_equal_mass
        The same for intervals whose ends hold equally many relevant documents.
    """

    measure: Measure
    length: int
    grades: tuple[int, ...]
    replacement: Answer
    swap: Answer
    equispaced: Answer
    interval_like: Answer
    interval_like_equal_mass: Answer

    def answers(self) -> dict[str, Answer]:
        """The answers by the names of the questions."""
        return {name: getattr(self, name) for name in QUESTIONS}

    @property
    def scale(self) -> ScaleType:
        """The strongest type of scale that is proven, for runs of this length on one topic.

        Interval if values are equally spaced; ordinal if no replacement and no swap makes them worse; else nominal.
        """
        if isinstance(self.equispaced, Proven):
            return INTERVAL
        return ORDINAL if isinstance(self.replacement, Proven) and isinstance(self.swap, Proven) else NOMINAL


def properties(measure: Measure, length: int | None = None, grades: tuple[int, ...] = (0, 1)) -> Properties:
    """The properties of a measure on judged runs of a length, 10 or the cut-off of the measure unless another is given.

    What can be proven or refuted for the length in exact arithmetic is. A measure without a decomposition is computed in floating
    point, so that its properties can be refuted but not proven.

    Examples
    --------
    >>> from mensura import parse_measure
    >>> facts = properties(parse_measure("RBP(p=0.5)@8"))
    >>> print(facts.scale, "|", facts.equispaced)
    interval | yes: the values are 0, 1, …, 255 steps of 1/256
    """
    subject = Subject(measure, length or measure.cutoff or measure.depth or DEFAULT_LENGTH, tuple(grades))
    return Properties(
        subject.measure,
        subject.length,
        subject.grades,
        monotone(subject, "replacement"),
        monotone(subject, "swap"),
        equispaced(subject),
        interval_like(subject),
        interval_like(subject, equal_mass=True),
    )
