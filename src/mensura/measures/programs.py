"""Measures as steps of compiled code, for evaluators that are called often."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mensura._core.scoring import Program, lay
from mensura.judged.runs import JudgedRuns
from mensura.measures.average_precision import AP
from mensura.measures.counts import NumRel, NumRelRet, NumRet
from mensura.measures.first import RR
from mensura.measures.gain import DCG, NDCG, discounts, gain_table, ideal
from mensura.measures.geometric import Aggregated
from mensura.measures.precision import P, R, Rprec, Success

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mensura._core.judge import Judge
    from mensura._core.scoring import Step
    from mensura.io.columns import Qrels
    from mensura.io.reading import Order
    from mensura.measures.base import Measure

HIGHEST = 127


class Scorer:
    """Values of measures from judged lists: by steps of compiled code where measures have them, else by their own functions.

    Parameters
    ----------
    measures
        The measures, which must be :func:`scorable`.
    qrels
        The judgments.
    order
        The order of the judges.
    judged_only
        Leave out documents without judgment.
    logarithms
        Give the logarithms of the values for a geometric mean, as trec_eval does for single topics.
    """

    def __init__(
        self, measures: Sequence[Measure], qrels: Qrels, order: Order, *, judged_only: bool = False, logarithms: bool = False
    ) -> None:
        self.measures = tuple(measures)
        self.order = order
        self.judged_only = judged_only
        self.logarithms = logarithms
        self.names = list(qrels.topics)
        self.recall_base = qrels.recall_base
        self.highest = int(np.flatnonzero(self.recall_base.sum(axis=0)).max(initial=0))
        judged = self._lists(np.zeros((len(self.names), 0), dtype=np.int8), np.zeros(len(self.names), dtype=np.int32), None)
        compiled = {at: _compiled(measure, judged, logarithms=logarithms) for at, measure in enumerate(measures)}
        steps = {at: each for at, each in compiled.items() if each is not None}
        self.compiled = list(steps)
        self.others = [at for at in compiled if at not in steps]
        parts = list(steps.values())
        columns = [each[0] for each in parts], [each[1] for each in parts], [each[2] for each in parts], [each[3] for each in parts]
        self.program = Program(*columns, judged_only)

    def by_topic(self, judge: Judge, keys: list[str]) -> dict[str, dict[str, float]]:
        """Return {topic: {key: value}} of the topics that were judged; ``keys`` are those of the measures."""
        if not self.others:
            return self.program.by_topic(judge, keys, self.names)
        rows = self.table(judge).T.tolist()
        return {self.names[topic]: dict(zip(keys, row, strict=True)) for topic, row in zip(judge.topics(), rows, strict=True)}

    def table(self, judge: Judge) -> NDArray[np.float64]:
        """Return values [measure, judged topic] in the order of ``judge.topics()``; NaN where a measure has no value."""
        topics = judge.topics()
        values = np.empty((len(self.measures), len(topics)))
        if not self.others:
            self.program.fill(judge, values)
            return values
        steps = np.empty((len(self.compiled), len(topics)))
        self.program.fill(judge, steps)
        values[self.compiled] = steps
        grades = np.full((len(topics), judge.width), -1, dtype=np.int8)
        retrieved = np.zeros(len(topics), dtype=np.int32)
        lay(judge, retrieved, grades)
        self._score(values, self._lists(grades, retrieved, topics))
        return values

    def empty(self, topics: Sequence[int]) -> NDArray[np.float64]:
        """Return values [measure, topic] of lists without documents."""
        values = np.empty((len(self.measures), len(topics)))
        for place, topic in enumerate(topics):
            values[self.compiled, place] = self.program.empty(topic)
        if self.others:
            count = len(topics)
            self._score(values, self._lists(np.full((count, 1), -1, dtype=np.int8), np.zeros(count, dtype=np.int32), topics))
        return values

    def _lists(self, grades: NDArray[np.int8], retrieved: NDArray[np.int32], topics: Sequence[int] | None) -> JudgedRuns:
        """Return judged runs of one system, of all topics or of those with these numbers."""
        base = self.recall_base if topics is None else self.recall_base[list(topics)]
        judged = replace(
            JudgedRuns.from_grades(grades[None], base),
            retrieved=retrieved[None],
            topics=tuple(self.names if topics is None else (self.names[topic] for topic in topics)),
            depth=self.order.depth,
            compat=self.order.compat,
            highest=self.highest,
        )
        return judged.judged_only() if self.judged_only else judged

    def _score(self, values: NDArray[np.float64], judged: JudgedRuns) -> None:
        """Fill the rows of the measures without steps."""
        for at in self.others:
            measure = self.measures[at]
            row = measure.score(judged)[0]
            values[at] = measure.transformed(row) if self.logarithms else row
            defined = measure.on_topics.defined(judged)
            if defined is not None:
                values[at, ~defined[0]] = np.nan


def scorable(measure: Measure) -> bool:
    """Return whether the grades of one list are all that a measure needs, so that :class:`Scorer` can have it."""
    needs = measure.needs()
    return not (needs.scores or needs.documents or measure.from_documents or measure.on_topics.open_ended)


Compiled = tuple["Step", "NDArray[np.float64] | None", "NDArray[np.float64] | None", "Callable[[int], NDArray[np.float64]] | None"]


def _compiled(measure: Measure, judged: JudgedRuns, *, logarithms: bool) -> Compiled | None:
    least = 0.0
    if isinstance(measure, Aggregated):
        least, measure = (float(getattr(measure, "floor", 0.0)) if logarithms else 0.0), measure.of
    if isinstance(measure, DCG | NDCG):
        return _gains(measure, judged, least)
    rel = int(getattr(measure, "rel", 1))
    step = _step(measure)
    if step is None:
        return None
    code, by, within = step
    base = judged.relevant(rel).astype(np.float64) if by == "topic" or code == "base" else None
    if base is not None and getattr(measure, "capped", False):
        base = np.minimum(base, float(measure.cutoff or 0))
    return (code, by, rel, measure.cutoff or 0, within, float(measure.cutoff or 0), least), base, None, None


def _step(measure: Measure) -> tuple[str, str, bool] | None:
    """Return the sum, its divisor, and whether the recall base is the cut-off."""
    known: dict[type[Measure], tuple[str, str, bool]] = {
        P: ("count", "length" if measure.cutoff is None else "constant", False),
        R: ("count", "topic", False),
        AP: ("precisions", "topic", False),
        RR: ("reciprocal", "nothing", False),
        Success: ("any", "nothing", False),
        NumRelRet: ("count", "nothing", False),
        NumRet: ("retrieved", "nothing", False),
        NumRel: ("base", "nothing", False),
    }
    if isinstance(measure, Rprec):
        return ("count", "topic", True) if measure.cutoff is None and measure.multiple == 1 else None
    if isinstance(measure, R | AP) and measure.capped and measure.cutoff is None:  # the divisor is not the same for all lists
        return None
    return known.get(type(measure))


def _gains(measure: DCG | NDCG, judged: JudgedRuns, least: float) -> Compiled | None:
    table = gain_table(HIGHEST, measure.dcg, measure.gains)
    if table[0] != 0:  # then judged documents that are not relevant count too
        return None
    base = np.ascontiguousarray(ideal(judged, measure), dtype=np.float64) if isinstance(measure, NDCG) else None
    by = "nothing" if base is None else "topic"
    return ("gains", by, 1, measure.cutoff or 0, False, 0.0, least), base, table, partial(discounts, base=measure.base)
