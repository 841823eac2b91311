"""Evaluators: judgments and measures that are prepared once, for runs that come one after the other."""

from __future__ import annotations

import math
import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura._core.objects import Documents
from mensura.errors import MensuraError, MensuraWarning
from mensura.evaluation.evaluation import Evaluation, evaluate
from mensura.io.columns import Run
from mensura.io.intake import check_overlap
from mensura.io.objects import DICT, HeldLists
from mensura.io.read import read_qrels, run_inputs
from mensura.io.reading import Order, judge_run
from mensura.measures.names import parse_measures
from mensura.measures.needs import needs_of
from mensura.measures.programs import Scorer, scorable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mensura._core.judge import Judge
    from mensura.evaluation.evaluation import Topics
    from mensura.io.columns import Qrels
    from mensura.io.reading import Compat, TieOrder
    from mensura.measures.base import Measure

    Memory = tuple[Judge, Documents, Documents]

OPTIONS = ("topics", "compat", "ties", "drop_self", "judged_only")


class Evaluator:
    """Judgments and measures, prepared once: for training loops and other places where many runs are evaluated.

    Parameters
    ----------
    qrels
        The judgments, or anything that :func:`mensura.read_qrels` reads.
    measures
        Measures or their names.
    topics
        Which topics count for means, as in :func:`mensura.evaluate`: all that are judged, or those that the run has.
    compat
        The order of ``trec_eval-10`` (scores as float64) or of ``trec_eval-9`` (float32).
    ties, drop_self, judged_only
        As in :func:`mensura.evaluate`.

    Examples
    --------
    >>> evaluator = Evaluator({"q1": {"d2": 1, "d3": 1}}, ["AP", "P@2"])
    >>> evaluator.means({"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}})
    {'AP': 0.5833333333333333, 'P@2': 0.5}
    """

    def __init__(
        self,
        qrels: Any,
        measures: str | Measure | Iterable[str | Measure],
        *,
        topics: Topics = "judged",
        compat: Compat = "trec_eval-10",
        ties: TieOrder = "id",
        drop_self: bool = False,
        judged_only: bool = False,
    ) -> None:
        self.qrels = read_qrels(qrels)
        self.measures = tuple(parse_measures(measures))
        if not self.measures:
            raise MensuraError("expected at least one measure, got none; name one, e.g. AP or nDCG@10")
        if topics not in {"judged", "run"}:
            raise MensuraError(f"an evaluator takes topics='judged' or 'run', not {topics!r}: it sees one run at a time")
        self.topics = topics
        needs = needs_of(self.measures)
        self.judged_only = judged_only
        self.order = Order(None if judged_only else needs.ranks, compat, needs.scores, ties=ties, drop_self=drop_self)
        self._names = list(map(str, self.measures))
        self._topics = list(self.qrels.topics)
        alone = ties != "expected" and not self.qrels.continuous and all(map(scorable, self.measures))
        self._scorer = Scorer(self.measures, self.qrels, self.order, judged_only=judged_only) if alone else None
        self._free: list[Memory] = []  # memory of earlier calls, for the next one

    def __reduce__(self) -> tuple[object, ...]:
        options = (self.topics, self.order.compat, self.order.ties, self.order.drop_self, self.judged_only)
        return _prepared, (self.qrels, self.measures, *options)

    def evaluate(self, runs: Any) -> Evaluation:
        """Evaluate runs as :func:`mensura.evaluate` does."""
        order = self.order
        options: Any = {"compat": order.compat, "ties": order.ties, "drop_self": order.drop_self, "judged_only": self.judged_only}
        return evaluate(self.qrels, runs, self.measures, topics=self.topics, **options)

    __call__ = evaluate

    def by_topic(self, run: Any) -> dict[str, dict[str, float]]:
        """Evaluate one run: {topic: {measure: value}}, for the judged topics that it has; NaN where a measure has no value."""
        memory = self._judged(run)
        if memory is not None and self._scorer is not None:
            values = self._scorer.by_topic(memory[0], self._names)
            self._free.append(memory)
            return values
        evaluation = self._evaluation(run)
        there = ~evaluation.judged.missing[0]
        table = _table(evaluation)[:, there].T.tolist()
        names = [topic for topic, counts in zip(self._topics, there.tolist(), strict=True) if counts]
        return {topic: dict(zip(self._names, values, strict=True)) for topic, values in zip(names, table, strict=True)}

    def values(self, run: Any) -> NDArray[np.float64]:
        """Evaluate one run: an array [measure, topic], of the topics that count; NaN where a measure has no value."""
        memory = self._judged(run)
        if memory is None or self._scorer is None:
            evaluation = self._evaluation(run)
            kept = np.ones(len(self._topics), dtype=np.bool_) if self.topics == "judged" else ~evaluation.judged.missing[0]
            return _table(evaluation)[:, kept]
        table = self._scorer.table(memory[0])
        there = memory[0].topics()
        self._free.append(memory)
        if self.topics == "run":
            return table[:, np.argsort(there)]
        values = np.empty((len(self.measures), len(self._topics)))
        values[:, there] = table
        if len(there) < len(self._topics):
            missing = sorted(set(range(len(self._topics))) - set(there))
            values[:, missing] = self._scorer.empty(missing)
        return values

    def means(self, run: Any) -> dict[str, float]:
        """Evaluate one run: {measure: mean}, for counts the sum."""
        rows = zip(self._names, self.measures, self.values(run), strict=True)
        return {name: _mean(measure, row[~np.isnan(row)]) for name, measure, row in rows}

    def _evaluation(self, run: Any) -> Evaluation:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MensuraWarning)  # as the compiled way, which makes no remarks
            return self.evaluate({"run": run})

    def _judged(self, run: Any) -> Memory | None:
        """A judge that has judged a run in memory, with its memory; ``None`` where that is a file, or there is no scorer.

        Who has read the judge puts it back into ``_free``.
        """
        held = None if self._scorer is None or isinstance(run, str | os.PathLike) else self._held(run)
        if held is None:
            return None
        if not isinstance(held, HeldLists):
            (judge,) = [piece() for piece in judge_run(self.qrels, held, self.order, 1)]
            self._check(judge)
            return judge, Documents(), Documents()
        memory = self._free.pop() if self._free else (self.order.judge(self.qrels), Documents(), Documents())
        memory[0].reset()
        held.judge(*memory)
        self._check(memory[0])
        return memory

    def _held(self, run: Any) -> HeldLists | Run | None:
        """Return a run in dicts or in columns."""
        if type(run) is dict:
            first = next(iter(run.values()), None)
            score = next(iter(first.values()), None) if type(first) is dict else None
            if type(score) is float and all(type(each) is dict for each in run.values()):
                return HeldLists(DICT, run)
        inputs = run_inputs(run)
        if len(inputs) != 1 or not isinstance(inputs[0], Run):
            return None
        held = inputs[0].held
        return held if isinstance(held, HeldLists) else inputs[0]

    def _check(self, judge: Judge) -> None:
        if not judge.topics():
            check_overlap(self.qrels, [("run", tuple(judge.extra))])


def _table(evaluation: Evaluation) -> NDArray[np.float64]:
    """Values [measure, topic] of one run; NaN where a measure has no value."""
    return np.array([np.where(scores.counted[0], scores.values[0], np.nan) for scores in evaluation])


def _mean(measure: Measure, row: NDArray[np.float64]) -> float:
    if measure.averages != "values":
        return float(measure.mean(row[None, :])[0])
    return math.fsum(row) / (1 if measure.aggregation == "sum" else len(row)) if len(row) else math.nan


def _prepared(qrels: Qrels, measures: tuple[Measure, ...], *options: Any) -> Evaluator:
    """Return an evaluator that was pickled."""
    return Evaluator(qrels, measures, **dict(zip(OPTIONS, options, strict=True)))
