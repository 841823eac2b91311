"""Measures that only the package ir_measures has (extra ``ir_measures``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.errors import DepthError, MeasureError
from mensura.io.parts import read_input
from mensura.measures.base import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mensura.io.columns import TopicTable
    from mensura.judged.runs import JudgedRuns


OF_SUBTOPICS = {
    *("alpha_DCG", "α_DCG", "alpha_nDCG", "α_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "MAP_IA", "P_IA", "StRecall"),
}
"""Measures of ir_measures that read the second column of judgments."""


@dataclass(frozen=True, repr=False, kw_only=True)
class External(Measure):
    """A measure of ir_measures, computed by it from the documents, not from the judged runs.

    Its order of documents with equal scores is ir_measures' own.

    Parameters
    ----------
    expression
        Its name there, with parameters and cut-off.
    """

    expression: str = ""

    name: ClassVar[str] = "ir_measures"
    from_documents: ClassVar[bool] = True
    scale_obstacle: ClassVar[str | None] = "nothing is known about its values, which ir_measures computes from the documents"
    reference: ClassVar[str] = "MacAvaney et al., Streamlining evaluation with ir-measures, ECIR 2022"

    @property
    def range(self) -> tuple[float, float]:
        return float("-inf"), float("inf")

    def __str__(self) -> str:
        return self.expression

    __repr__ = __str__

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        import ir_measures

        if judged.origin is None:
            raise DepthError(f"{self} is computed from documents, but these judged runs have none; judge runs and judgments")
        qrels, runs = judged.origin
        if self.expression.partition("(")[0].partition("@")[0] in OF_SUBTOPICS:
            raise MeasureError(f"{self} needs the subtopics of judgments, which Mensura does not read; use ir_measures itself")
        column = {topic: number for number, topic in enumerate(judged.topics)}
        truth = [ir_measures.Qrel(topic, document, int(grade)) for topic, document, grade in _rows(qrels.table)]
        values = np.full(judged.shape, np.nan)
        try:
            evaluator = ir_measures.evaluator([ir_measures.parse_measure(self.expression)], truth)  # the judgments are read once
            for system, origin in enumerate(runs):
                run = read_input(origin)
                ranked = [ir_measures.ScoredDoc(topic, document, score) for topic, document, score in _rows(run.table)]
                for result in evaluator.iter_calc(ranked):
                    values[system, column[result.query_id]] = result.value
        except (
            ArithmeticError,
            AssertionError,
            RuntimeError,
            ValueError,
        ) as error:  # a provider that is not installed, for example
            raise MeasureError(f"ir_measures cannot compute {self}: {error}") from error
        left_out = np.isnan(values) & (judged.retrieved > 0)
        if left_out.any():
            system, topic = (int(each[0]) for each in np.nonzero(left_out))
            raise MeasureError(
                f"ir_measures gives no {self} for topic {judged.topics[topic]} of {judged.systems[system]} and leaves it out of "
                "the mean, which Mensura does not; use ir_measures itself"
            )
        return np.nan_to_num(values, nan=0.0)


def _rows(table: TopicTable) -> Iterator[tuple[str, str, float]]:
    for topic in table.topics:
        for document, value in table.rows(topic):
            yield topic, document, value


def find_external(name: str) -> Measure | None:
    """Return a measure of ir_measures, or ``None`` if that is not installed or does not know the name."""
    try:
        import ir_measures
    except ImportError:
        return None
    try:
        expression = str(ir_measures.parse_measure(name))
    except (NameError, ValueError, SyntaxError, TypeError, KeyError):  # unknown parameters are a KeyError of str
        return None
    return External(expression=expression)
