"""A provider for ir_measures: its measures from Mensura's compiled core. :func:`install` puts it before all others.

The numbers are those of the provider that ir_measures would use, with its order of documents: pytrec_eval's, cwl_eval's as listed,
or that of MS MARCO's script, which orders equal scores by rising id. Measures of subtopics, gdeval's ERR and nDCG with exponential
gain (five decimals), and Compat (whose ideal ranking depends on the signs of scores) are left to the others. Dicts, data frames
and named tuples are taken.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ir_measures
import numpy as np
from ir_measures import measures as theirs
from ir_measures import providers
from ir_measures.providers.base import NOT_PROVIDED, Choices
from ir_measures.providers.base import Any as AnyValue

from mensura.errors import EmptyError, OverlapError
from mensura.evaluation.evaluator import Evaluator
from mensura.io.read import read_qrels
from mensura.measures.interpolated import IPrec
from mensura.measures.judgments import Judged
from mensura.measures.names import parse_measure
from mensura.measures.precision import F, R

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

LISTED = {"Accuracy", "RBP", "BPM", "SDCG", "INST", "INSQ", "NERR8", "NERR9", "NERR10", "NERR11"}
"""Measures of providers that keep the order of the list where scores are equal."""
LEVELS = {"rel", "beta", "p", "T", "min_rel", "max_rel", "dcg", "gains"}
"""Parameters that a name of Mensura's has too."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Pooled(Judged):
    """Judged, where documents with a negative grade count as judged, as in ir_measures."""

    def known(self, judged: JudgedRuns) -> NDArray[np.bool_]:
        return judged.top(self.cutoff) != -1


def ours(measure: Any) -> Measure:
    """Return the measure that ir_measures means."""
    cutoff: Any = measure["cutoff"] if "cutoff" in measure.SUPPORTED_PARAMS else NOT_PROVIDED
    if measure.NAME == "Judged":
        return Pooled(cutoff=None if cutoff is NOT_PROVIDED else cutoff)
    if measure.NAME == "SetF":  # trec_eval does not square it
        return F(beta=math.sqrt(measure["beta"]), rel=measure["rel"])
    if measure.NAME == "SetP" and measure["relative"]:
        return R(rel=measure["rel"], capped=True)
    if measure.NAME == "IPrec":  # pytrec_eval is asked for two decimals
        return IPrec(recall=float(f"{measure['recall']:.2f}"), rel=measure["rel"])
    values = {key: measure[key] for key in measure.SUPPORTED_PARAMS if key in LEVELS}
    options = ", ".join(f"{key}={value!r}" for key, value in values.items() if value is not NOT_PROVIDED)
    name = f"{measure.NAME}({options})" if options else measure.NAME
    return parse_measure(name if cutoff is NOT_PROVIDED else f"{name}@{cutoff}")


@dataclass(frozen=True, slots=True)
class Manner:
    """Order of equal scores, and whether documents without judgment are left out."""

    order: str
    judged_only: bool

    @classmethod
    def of(cls, measure: Any) -> Manner:
        """Return the manner of a measure, which is that of its provider in ir_measures."""
        rising = measure.NAME == "Judged" or (measure.NAME == "RR" and measure["cutoff"] is not NOT_PROVIDED)
        order = "listed" if measure.NAME in LISTED else "rising" if rising else "trec_eval"
        return cls(order, "judged_only" in measure.SUPPORTED_PARAMS and bool(measure["judged_only"]))

    def evaluator(self, qrels: Any, measures: Iterable[Measure]) -> Evaluator:
        """Return the evaluator of measures; it sees the topics of the run."""
        order: Any = ("trec_eval-9", "id") if self.order == "trec_eval" else ("trec_eval-10", "rank")
        compat, ties = order
        return Evaluator(qrels, measures, topics="run", compat=compat, ties=ties, judged_only=self.judged_only)

    def arranged(self, run: Any) -> Any:
        """Return the run with equal scores in the order that the evaluator keeps."""
        if self.order != "rising":
            return run
        lists = ir_measures.util.RunConverter(run).as_dict_of_dict()
        return {
            topic: documents if len(set(documents.values())) == len(documents) else dict(sorted(documents.items()))
            for topic, documents in lists.items()
        }


class MensuraEvaluator(providers.Evaluator):
    """Measures of ir_measures with their judgments, prepared once."""

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        listed, judgments = list(measures), _listed(qrels)
        prepared = read_qrels(judgments)
        manners: defaultdict[Manner, dict[Any, Measure]] = defaultdict(dict)
        for measure in listed:
            manners[Manner.of(measure)][measure] = ours(measure)
        self.parts = [(manner, members, manner.evaluator(prepared, members.values())) for manner, members in manners.items()]
        self.topics = {*prepared.topics, *(judgments if isinstance(judgments, dict) else ())}
        super().__init__(listed, self.topics)

    def iter_calc(self, run: Any) -> Iterator[Any]:
        """Yield the value of each topic and measure; a topic that the run does not have gets the measure's default."""
        rows = _listed(run)
        for manner, members, evaluator in self.parts:
            values: Mapping[str, Mapping[str, float]] = _taken(evaluator.by_topic, manner.arranged(rows), {})
            columns = [(measure, str(own)) for measure, own in members.items()]
            for topic, row in values.items():
                for measure, name in columns:
                    value = row[name]
                    if value == value:  # noqa: PLR0124 - not NaN, which means that there is no value
                        yield ir_measures.Metric(topic, measure, value)
            for topic in sorted(self.topics - values.keys(), key=str):
                yield from (ir_measures.Metric(topic, measure, measure.DEFAULT) for measure in members if _counts(measure))

    def calc_aggregate(self, run: Any) -> dict[Any, float]:
        """Return the mean of each measure over all judged topics, or the sum of a count."""
        rows = _listed(run)
        result = {}
        for manner, members, evaluator in self.parts:
            nothing = np.zeros((len(evaluator.measures), 0))
            table: NDArray[np.float64] = _taken(evaluator.values, manner.arranged(rows), nothing)
            by_name = dict(zip(map(str, evaluator.measures), table, strict=True))
            for measure, own in members.items():
                row = by_name[str(own)]
                if not _counts(measure):
                    row = row[~np.isnan(row)]
                number = len(self.topics) if _counts(measure) else len(row)
                total = float(row.sum())
                result[measure] = total if own.aggregation == "sum" else total / number if number else math.nan
        return {measure: result[measure] for measure in self.measures}


def _taken(evaluate: Callable[[Any], Any], run: Any, nothing: Any) -> Any:
    """Return what ``evaluate`` makes of a run, or ``nothing`` for one without judged topics, which ir_measures takes."""
    try:
        return evaluate(run) if not isinstance(run, dict | list) or run else nothing
    except (EmptyError, OverlapError):
        return nothing


def _counts(measure: Any) -> bool:
    """Return whether topics without a value count with the default; Accuracy leaves them out."""
    return bool(measure.NAME != "Accuracy")


def _listed(data: Any) -> Any:
    """Return an iterable that is not a dict, a frame or a path as a list of its rows."""
    if isinstance(data, dict | str | list) or hasattr(data, "columns"):
        return data
    return list(data)


class GainValues:
    """The gains that Mensura takes: of grades from 0, and not negative. Others are left to pytrec_eval."""

    def validate(self, value: Any) -> bool:
        """Return whether these are such gains, or none."""
        return value is NOT_PROVIDED or all(grade >= 0 and gain >= 0 for grade, gain in value.items())


class Persistence:
    """Values of p for which RBP of 1000 ranks, as cwl_eval has it, is RBP to 13 digits."""

    def validate(self, value: Any) -> bool:
        """Return whether this is such a value."""
        return 0 < value < 1 and bool(value**1000 < 1e-13)  # noqa: PLR2004 - thirteen digits are equal


EVERY, REQUIRED, NO, ZERO = AnyValue(), AnyValue(required=True), Choices(NOT_PROVIDED), Choices(0)
SET: dict[str, Any] = {"rel": EVERY, "judged_only": EVERY}
CUT: dict[str, Any] = {**SET, "cutoff": EVERY}
GRADED: dict[str, Any] = {"min_rel": ZERO, "max_rel": REQUIRED}


class MensuraProvider(providers.Provider):
    """Mensura as a provider of measures."""

    NAME = "mensura"
    SUPPORTED_MEASURES = [  # noqa: RUF012 - the base class declares it so
        theirs.P(**CUT),
        theirs.R(**CUT),
        theirs.AP(**CUT),
        theirs.Success(**CUT),
        theirs.RR(rel=EVERY, judged_only=EVERY, cutoff=NO),
        theirs.RR(rel=EVERY, judged_only=Choices(False), cutoff=REQUIRED),  # noqa: FBT003 - a value, not an option
        theirs.Rprec(**SET),
        theirs.nDCG(cutoff=EVERY, dcg=Choices("log2"), gains=GainValues(), judged_only=EVERY),
        theirs.Bpref(rel=EVERY),
        theirs.infAP(rel=EVERY),
        theirs.IPrec(recall=EVERY, rel=EVERY, judged_only=Choices(False)),  # noqa: FBT003 - a value, not an option
        theirs.NumRet(rel=EVERY),
        theirs.NumRel(rel=EVERY),
        theirs.NumQ(),
        theirs.SetP(relative=EVERY, **SET),
        theirs.SetR(rel=EVERY),
        theirs.SetF(beta=EVERY, **SET),
        theirs.SetAP(**SET),
        theirs.Judged(cutoff=EVERY),
        theirs.Accuracy(cutoff=EVERY, rel=EVERY),
        theirs.RBP(cutoff=NO, rel=REQUIRED, p=Persistence()),
        theirs.BPM(cutoff=EVERY, T=EVERY, **GRADED),
        theirs.SDCG(cutoff=REQUIRED, dcg=Choices("log2"), **GRADED),
        theirs.NERR8(cutoff=REQUIRED, **GRADED),
        theirs.NERR9(cutoff=REQUIRED, **GRADED),
        theirs.NERR10(p=EVERY, **GRADED),
        theirs.NERR11(T=EVERY, **GRADED),
        theirs.INST(T=EVERY, **GRADED),
        theirs.INSQ(T=EVERY, **GRADED),
    ]

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> MensuraEvaluator:
        return MensuraEvaluator(measures, qrels)


def install() -> None:
    """Put the provider before all others of ir_measures, once."""
    pipeline = ir_measures.DefaultPipeline.providers
    if not any(isinstance(each, MensuraProvider) for each in pipeline):
        pipeline.insert(0, MensuraProvider())
