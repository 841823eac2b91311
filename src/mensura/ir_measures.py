"""A provider for ir_measures: its measures from Mensura's compiled core. :func:`install` puts it before all others.

P, R, AP, nDCG, RR, Rprec and Success, with the order and the numbers of pytrec_eval, which ir_measures would use for them. Dicts,
data frames and named tuples are taken; what the provider does not have, ir_measures asks the others for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ir_measures
import numpy as np
from ir_measures import measures as theirs
from ir_measures import providers
from ir_measures.providers.base import NOT_PROVIDED, Choices
from ir_measures.providers.base import Any as AnyValue

from mensura.errors import InputError
from mensura.evaluation.evaluator import Evaluator
from mensura.measures.average_precision import AP
from mensura.measures.first import RR
from mensura.measures.gain import NDCG
from mensura.measures.precision import P, R, Rprec, Success

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mensura.measures.base import Measure

OURS: dict[str, Measure] = {"P": P(), "R": R(), "AP": AP(), "nDCG": NDCG(), "RR": RR(), "Rprec": Rprec(), "Success": Success()}


def ours(measure: Any) -> Measure:
    """Return the measure that ir_measures means."""
    known: Any = OURS[measure.NAME]
    if "rel" in measure.SUPPORTED_PARAMS and hasattr(known, "rel"):
        known = replace(known, rel=measure["rel"])
    if "cutoff" in measure.SUPPORTED_PARAMS and measure["cutoff"] is not NOT_PROVIDED:
        known = known @ measure["cutoff"]
    result: Measure = known
    return result


class MensuraEvaluator(providers.Evaluator):
    """Measures of ir_measures with their judgments, prepared once."""

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        listed = list(measures)
        self.evaluator = Evaluator(_listed(qrels), [ours(measure) for measure in listed], compat="trec_eval-9")
        super().__init__(listed, set(self.evaluator.qrels.topics))

    def iter_calc(self, run: Any) -> Iterator[Any]:
        """Yield the value of each topic and measure; a topic that the run does not have gets the measure's default."""
        values, topics = self._values(run), self.evaluator.qrels.topics
        rows = values.T.tolist()
        for topic, row in zip(topics, rows, strict=True):
            for measure, value in zip(self.measures, row, strict=True):
                yield ir_measures.Metric(topic, measure, value)

    def calc_aggregate(self, run: Any) -> dict[Any, float]:
        """Return the mean of each measure over all judged topics."""
        means = np.mean(self._values(run), axis=1).tolist()
        return dict(zip(self.measures, means, strict=True))

    def _values(self, run: Any) -> Any:
        try:
            return self.evaluator.values(_listed(run))
        except InputError as error:
            if "no topic of this run is judged" in error.problem or "is empty" in error.problem:
                return np.zeros((len(self.evaluator.measures), len(self.evaluator.qrels.topics)))
            raise


def _listed(data: Any) -> Any:
    """Return an iterable that is not a dict, a frame or a path as a list of its rows."""
    if isinstance(data, dict | str | list) or hasattr(data, "columns"):
        return data
    return list(data)


class MensuraProvider(providers.Provider):
    """Mensura as a provider of measures."""

    NAME = "mensura"
    SUPPORTED_MEASURES = [  # noqa: RUF012 - the base class declares it so
        theirs._P(cutoff=AnyValue(), rel=AnyValue(), judged_only=Choices(False)),  # noqa: SLF001, FBT003 - as their own providers do
        theirs._R(cutoff=AnyValue(), rel=AnyValue(), judged_only=Choices(False)),  # noqa: SLF001, FBT003 - as their own providers do
        theirs._AP(cutoff=AnyValue(), rel=AnyValue(), judged_only=Choices(False)),  # noqa: SLF001, FBT003 - as their own providers do
        theirs._RR(cutoff=Choices(NOT_PROVIDED), rel=AnyValue(), judged_only=Choices(False)),  # noqa: SLF001, FBT003 - as their own providers do
        theirs._Rprec(rel=AnyValue(), judged_only=Choices(False)),  # noqa: SLF001, FBT003 - as their own providers do
        theirs._Success(cutoff=AnyValue(), rel=AnyValue(), judged_only=Choices(False)),  # noqa: SLF001, FBT003 - as their own providers do
        theirs._nDCG(  # noqa: SLF001 - as their own providers do
            cutoff=AnyValue(),
            dcg=Choices("log2"),
            gains=Choices(NOT_PROVIDED),
            judged_only=Choices(False),  # noqa: FBT003 - a value, not an option
        ),
    ]

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> MensuraEvaluator:
        return MensuraEvaluator(measures, qrels)


def install() -> None:
    """Put the provider before all others of ir_measures, once."""
    pipeline = ir_measures.DefaultPipeline.providers
    if not any(isinstance(each, MensuraProvider) for each in pipeline):
        pipeline.insert(0, MensuraProvider())
