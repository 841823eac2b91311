"""The scale type of a measure: the one answer that properties, comparisons, reports, the linter, the page and the commands give.

The order of runs is the one that the measure induces itself, the most favourable one to each measure (P4 §IV-B). On it, every
measure that tells runs apart is an ordinal scale at least. The rest follows from its values over all runs of a length over some
grades:

ratio
    The value is proportional to a number of documents, so that 0 is none of them in any unit: relevant documents found (P, R, F,
    Success and the counts), or documents read (MFR: "an MFR value of x means the x-fold effort", P3 §2.1; P4, Example 9).
interval
    The values are equally spaced, which is proven in exact arithmetic (P4 §III-B). RBP with p = ½ has equal steps too, but they
    are steps in an order of runs: its 0 is the place of the worst run, as 0 °C is a place.
ordinal
    The values are not equally spaced, or nothing is proven about them: measures that depend on more than the grades of a run
    (scores, other systems, which documents were judged), and measures of users without a decomposition.
nominal
    The measure has one value for all runs, so there is nothing to put into an order.

A value that is divided by something of the recall base alone (R, AP, nDCG) keeps its type within a topic, but its steps have
another size on every topic: :attr:`ScaleFacts.per_topic`. A value that is divided by the length of the list (P and F without a
cut-off) has another scale for each length: on lists of different length it is ordinal (P4 §IV-C). A measure that asks only whether
a document is relevant has the facts of binary runs, whatever the grades.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from mensura.measures.decomposition import Additive, Counted
from mensura.measures.geometric import with_rel
from mensura.measures.names import parse_measure
from mensura.measures.reals import exact_weights
from mensura.result import Result
from mensura.scales.order.equispaced import ONE_VALUE, equispaced
from mensura.scales.order.values import Subject
from mensura.scales.order.verdicts import Answer, NoCounterexample, NotEquispaced, Proven, Refuted
from mensura.scales.types import SCALES, ScaleType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

BINARY = (0, 1)
PER_TOPIC = "mensura evaluate --universe attainable"
"""The command with an interval scale for each topic."""
DEFAULT_LENGTH = 10
"""Length of the runs of a measure without a cut-off, where nobody names another."""
LONGEST = 100
LONGEST_TYPED = 1000  # exact values of longer runs have thousands of digits
"""Greatest length that is asked about for judged runs and a measure without a cut-off: EFR at 1000 ranks takes 10 s."""


@dataclass(frozen=True)
class ScaleFacts(Result):
    """Scale type of a measure, with the reason.

    Attributes
    ----------
    measure
        The measure.
    type
        ``"ratio"``, ``"interval"``, ``"ordinal"`` or ``"nominal"``: the strongest type that is proven.
    reason
        The reason, in a few words that follow "because".
    proof
        The proof or the counterexample; empty if there is none.
    length, grades
        The runs that the answer is about.
    per_topic
        Whether the size of the steps changes with the recall base, from topic to topic.
    recall_bases
        Number of different recall bases of the topics, where they are known and matter.
    lengths
        The lengths of the shortest and of the longest list, where they differ and each length has a scale of its own.
    """

    measure: Measure
    type: Literal["ratio", "interval", "ordinal", "nominal"]
    reason: str
    proof: str
    length: int
    grades: tuple[int, ...]
    per_topic: bool
    recall_bases: int | None = None
    lengths: tuple[int, int] | None = None

    readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"measure": parse_measure}

    @property
    def scale(self) -> ScaleType:
        """The scale type with what it permits; types are ordered by strength."""
        return SCALES[self.type]

    @cached_property
    def equally_spaced(self) -> bool:
        """Whether the values of all topics are equally spaced on one scale; ranks are then a linear function of them."""
        return self.type in {"ratio", "interval"} and not self.per_topic

    def rows(self) -> Iterable[dict[str, Any]]:
        """One row."""
        row = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return [row | {"measure": str(self.measure), "grades": ",".join(map(str, self.grades))}]

    @property
    def article(self) -> str:
        """``a`` or ``an``, before the type."""
        return "an" if self.type in {"interval", "ordinal"} else "a"

    def __str__(self) -> str:
        article = self.article
        return f"{self.measure} is on {article} {self.type} scale: {self.reason}"


def default_length(measure: Measure) -> int:
    """Length of the runs that a question about ``measure`` is about, if it names no other."""
    return measure.on_topics.cutoff or measure.depth or DEFAULT_LENGTH


@lru_cache(maxsize=512)
def scale_facts(measure: Measure, length: int | None = None, grades: tuple[int, ...] = BINARY) -> ScaleFacts:
    """Return the scale type of ``measure`` on judged runs of ``length`` over ``grades``.

    The length is by default the cut-off of the measure, or 10; a cut-off above 1000 is looked at as 1000, which says enough.
    The module's docstring states the rule.

    Examples
    --------
    >>> from mensura import P, RBP, RR
    >>> [scale_facts(measure @ 10).type for measure in (P(), RBP(p=0.5), RBP(p=0.8), RR())]
    ['ratio', 'interval', 'ordinal', 'ordinal']
    """
    ranks = min(default_length(measure), LONGEST_TYPED) if length is None else length
    kind, reason, proof = _type(measure, ranks, grades)
    return ScaleFacts(measure, kind, reason, proof, ranks, grades, measure.uses_recall_base)


def facts_for(measure: Measure, judged: JudgedRuns) -> ScaleFacts:
    """Return the scale type of ``measure`` on runs with the grades of ``judged``, and of their length if it has no cut-off."""
    uneven, whole = measure.uses_length, measure.uses_recall_base and not measure.graded
    if whole:
        judged.check_whole(measure)
    highest, lengths = judged.max_grade, judged.lengths_differ if uneven else None
    bases = bases_among(measure, judged.recall_base) if measure.uses_recall_base else None
    return facts_from(measure, judged.length, highest, bases, lengths)


def facts_from(measure: Measure, length: int, highest: int, bases: int | None, lengths: tuple[int, int] | None) -> ScaleFacts:
    """:func:`facts_for` from the number of ranks and of recall bases, the highest grade, and lengths of lists if they differ."""
    levels = levels_up_to(measure, highest)
    facts = scale_facts(measure, None if measure.cutoff or measure.depth else min(max(length, 1), LONGEST), levels)
    if bases is not None:
        facts = dataclasses.replace(facts, recall_bases=bases, per_topic=bases > 1)
    if lengths is None:
        return facts
    reason = f"its lists have {lengths[0]} to {lengths[1]} documents, and each length has a scale of its own"
    return dataclasses.replace(facts, type="ordinal", reason=reason, proof="", lengths=lengths)


def bases_among(measure: Measure, recall_base: NDArray[np.int64]) -> int:
    """Number of different recall bases: relevant documents of a topic, or of each grade for a graded measure."""
    if measure.graded:
        return len({tuple(row) for row in recall_base[:, 1:].tolist()})
    return len(set(recall_base[:, getattr(measure.on_topics, "rel", 1) :].sum(axis=1).tolist()))


def surrogate_remark(facts: ScaleFacts) -> str | None:
    """Return the sentence that a common interval scale is a surrogate; ``None`` if the topics have one scale (P4 §VI-C)."""
    if not facts.per_topic:
        return None
    measure, other = facts.measure, facts.measure.on_topics.without_recall_base
    bases = "" if facts.recall_bases is None else f", {facts.recall_bases} different ones here,"
    if measure.on_topics.scale_per_topic:
        return (
            f"The order of runs by {measure} depends on the recall base{bases or ','} so each topic has an interval scale of its "
            "own, and no scale is common to all topics (P4 §VI-C): means are those of rank / steps [M105]"
        )
    return (
        f"One interval scale of {measure} for all topics is a surrogate: it ranks the numerator, and the recall base{bases} "
        f"stretches its steps from topic to topic (P4 §VI-C). {PER_TOPIC} gives each topic its own scale"
        + (f"; {other} has one for all topics [M105]" if other is not None else " [M105]")
    )


def levels_for(measure: Measure, judged: JudgedRuns) -> tuple[int, ...]:
    """Grades of the scale of a measure: all up to the highest if it is graded, else 0 and 1."""
    return levels_up_to(measure, judged.max_grade if measure.graded else 1)


def levels_up_to(measure: Measure, highest: int) -> tuple[int, ...]:
    """:func:`levels_for` judgments up to a grade."""
    return tuple(range(max(highest, 1) + 1)) if measure.graded else BINARY


def spacing(measure: Measure, length: int, grades: tuple[int, ...]) -> Answer:
    """Answer whether the values of ``measure`` are equally spaced."""
    if measure.graded:
        return equispaced(Subject(measure, length, grades))
    answer = equispaced(Subject(with_rel(measure, 1), length, BINARY))
    rel = getattr(measure.on_topics, "rel", 1)
    if isinstance(answer, Refuted) and isinstance(answer.counterexample, NotEquispaced) and 1 < rel <= grades[-1]:
        low, middle, high = (tuple(rel * hit for hit in run) for run in answer.counterexample.runs)
        return Refuted(dataclasses.replace(answer.counterexample, runs=(low, middle, high)))
    return answer


def _type(
    measure: Measure, length: int, grades: tuple[int, ...]
) -> tuple[Literal["ratio", "interval", "ordinal", "nominal"], str, str]:
    """Scale type, reason and proof."""
    if measure.aggregation == "sum":
        return "ratio", "its values are counts of documents", ""
    if measure.scale_obstacle is not None:
        return "ordinal", measure.scale_obstacle, ""
    if measure.decompose(length, grades) is None:
        return "ordinal", "nothing is proven about the spacing of its values", ""
    answer = spacing(measure, length, grades)
    if isinstance(answer, Proven):
        if _counts(Subject(with_rel(measure, 1), length, grades if measure.graded else BINARY)):
            return "ratio", "its values are proportional to a number of documents", answer.by
        return "interval", "its values are equally spaced", answer.by
    if isinstance(answer, Refuted):
        return "ordinal", "its values are not equally spaced", str(answer.counterexample)
    if answer == NoCounterexample(ONE_VALUE):
        return "nominal", "it has the same value for all runs", ""
    return "ordinal", "nothing is proven about the spacing of its values", ""


def _counts(subject: Subject) -> bool:
    """Whether values that are equally spaced are a number of documents times a constant: of relevant ones, or of those read."""
    if subject.length == 1 and subject.top == 1 and subject.value((0,)) == 0:  # RR@1, AP@1 and ERR@1 have the values of P@1
        return True
    match subject.decomposition:
        case Counted("first", values):
            return all(value == rank * values[0] for rank, value in enumerate(values, start=1))
        case Counted(_, values):
            return values[0] == 0
        case Additive(discount, (none, _)) if not none:
            weights = exact_weights(discount, subject.length)
            return all(high == low for high, low in pairwise(weights))
    return False
