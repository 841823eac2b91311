"""Evaluators: judgments and measures that are prepared once, for runs that come one after the other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura._core.objects import Documents
from mensura.errors import MensuraError
from mensura.evaluation.evaluation import Evaluation, evaluate
from mensura.io.objects import DICT, HeldLists
from mensura.io.read import read_qrels, run_inputs
from mensura.io.reading import Order
from mensura.judged.entrance import check_overlap
from mensura.measures.names import parse_measures
from mensura.measures.needs import needs_of
from mensura.measures.programs import program

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura._core.judge import Judge
    from mensura.evaluation.evaluation import Topics
    from mensura.io.reading import Compat
    from mensura.measures.base import Measure


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
    ) -> None:
        self.qrels = read_qrels(qrels)
        self.measures = tuple(parse_measures(measures))
        if not self.measures:
            raise MensuraError("expected at least one measure, got none; name one, e.g. AP or nDCG@10")
        if topics not in {"judged", "run"}:
            raise MensuraError(f"an evaluator takes topics='judged' or 'run', not {topics!r}: it sees one run at a time")
        self.topics = topics
        needs = needs_of(self.measures)
        self.order = Order(needs.ranks, compat, needs.scores)
        self._names = list(map(str, self.measures))
        self._topics = list(self.qrels.topics)
        self._program = program(self.measures, self.qrels)
        self._free: list[tuple[Judge, Documents, Documents]] = []  # memory of earlier calls, for the next one

    def evaluate(self, runs: Any) -> Evaluation:
        """Evaluate runs as :func:`mensura.evaluate` does."""
        return evaluate(self.qrels, runs, self.measures, topics=self.topics, compat=self.order.compat)

    __call__ = evaluate

    def by_topic(self, run: Any) -> dict[str, dict[str, float]]:
        """Evaluate one run: {topic: {measure: value}}, for the judged topics that it has."""
        held = self._held(run)
        if held is None or self._program is None:
            evaluation = self.evaluate({"run": run})
            there = ~evaluation.judged.missing[0]
            table = np.array([scores.values[0] for scores in evaluation])[:, there].T.tolist()
            names = [topic for topic, counts in zip(self._topics, there.tolist(), strict=True) if counts]
            return {topic: dict(zip(self._names, values, strict=True)) for topic, values in zip(names, table, strict=True)}
        memory = self._judged(held)
        values = self._program.by_topic(memory[0], self._names, self._topics)
        self._free.append(memory)
        return values

    def means(self, run: Any) -> dict[str, float]:
        """Evaluate one run: {measure: mean}."""
        held = self._held(run)
        if held is None or self._program is None:
            return self.evaluate({"run": run}).means()["run"]
        memory = self._judged(held)
        values = np.full((len(self.measures), len(self._topics)), np.nan)
        number = self._program.fill(memory[0], values)
        self._free.append(memory)
        if number < len(self._topics):
            missing = np.isnan(values[0])
            if self.topics == "judged":
                for topic in np.flatnonzero(missing).tolist():
                    values[:, topic] = self._program.empty(topic)
            else:
                values = values[:, ~missing]
        return {
            name: float(measure.mean(row[None, :])[0]) if measure.averages != "values" else math.fsum(row) / len(row)
            for name, measure, row in zip(self._names, self.measures, values, strict=True)
        }

    def _held(self, run: Any) -> HeldLists | None:
        """Return a run in dicts, which the compiled program takes."""
        if type(run) is not dict:
            return None
        first = next(iter(run.values()), None)
        if (
            type(first) is dict
            and type(next(iter(first.values()), None)) is float
            and all(type(each) is dict for each in run.values())
        ):
            return HeldLists(DICT, run)
        inputs = run_inputs(run)
        held = getattr(inputs[0], "held", None)
        return held if len(inputs) == 1 and isinstance(held, HeldLists) else None

    def _judged(self, held: HeldLists) -> tuple[Judge, Documents, Documents]:
        memory = self._free.pop() if self._free else (self.order.judge(self.qrels), Documents(), Documents())
        judge, documents, name = memory
        judge.reset()
        held.judge(judge, documents, name)
        if not judge.topics():
            check_overlap(self.qrels, [("run", tuple(judge.extra))])
        return memory
