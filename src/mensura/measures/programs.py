"""Measures as steps of compiled code, for evaluators that are called often."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mensura._core.scoring import Program, lay
from mensura.judged.runs import JudgedRuns
from mensura.measures.average_precision import AP, InfAP
from mensura.measures.buckley import RNDCG, BinG, G, GainMeasure, NDCGRel
from mensura.measures.counts import NumNonRelRet, NumRel, NumRelRet, NumRet
from mensura.measures.first import RR
from mensura.measures.gain import NDCG, CumulatedGain, discounts, gain_table, ideal
from mensura.measures.geometric import Aggregated
from mensura.measures.interpolated import IPrec, IPrec11, needed
from mensura.measures.judgments import Bpref
from mensura.measures.precision import F, P, R, Rprec, SetAP, Success, Utility

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mensura._core.judge import Judge
    from mensura._core.scoring import Ideals, Step
    from mensura.io.columns import Qrels
    from mensura.io.reading import Order
    from mensura.measures.base import Measure

    Floats = NDArray[np.float64]
    Bases = dict[int, Floats]

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
        bases: Bases = {}  # of each relevance level, once
        compiled = {at: _compiled(measure, judged, bases, logarithms=logarithms) for at, measure in enumerate(measures)}
        steps = {at: each for at, each in compiled.items() if each is not None}
        self.compiled = list(steps)
        self.others = [at for at in compiled if at not in steps]
        parts = list(steps.values())
        columns = [each[0] for each in parts], [each[1] for each in parts], [each[2] for each in parts], [each[3] for each in parts]
        self.program = Program(*columns, [each[4] for each in parts], judged_only)

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
        judged = JudgedRuns(
            grades=grades[None],
            recall_base=base,
            retrieved=retrieved[None],
            ties=np.zeros((1, len(grades)), dtype=np.int32),
            systems=("run",),
            topics=tuple(self.names if topics is None else (self.names[topic] for topic in topics)),
            extra=((),),
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


Compiled = tuple["Step", "Floats | None", "Floats | None", "Callable[[int], Floats] | None", "Ideals | None"]


def _compiled(measure: Measure, judged: JudgedRuns, bases: Bases, *, logarithms: bool) -> Compiled | None:
    least = 0.0
    if isinstance(measure, Aggregated):
        least, measure = (float(getattr(measure, "floor", 0.0)) if logarithms else 0.0), measure.of
    if isinstance(measure, CumulatedGain):
        return _gains(measure, judged, least)
    if isinstance(measure, GainMeasure):
        return _beside_ideal(measure, judged, least)
    step = _step(measure)
    if step is None:
        return None
    code, by, within = step
    rel = int(getattr(measure, "rel", 1))
    base, numbers, constant = _numbers(measure, judged, rel, bases)
    table = partial(discounts, base=None) if isinstance(measure, BinG) else None
    return (code, by, rel, measure.cutoff or 0, within, constant, least), base, numbers, table, None


def _numbers(measure: Measure, judged: JudgedRuns, rel: int, bases: Bases) -> tuple[Floats, Floats | None, float]:
    """Return a number for each topic, as a rule the recall base, other numbers of a measure, and a constant."""
    base = bases[rel] if rel in bases else bases.setdefault(rel, judged.relevant(rel).astype(np.float64))
    match measure:
        case R() | AP() if measure.capped and measure.cutoff is not None:
            return np.minimum(base, float(measure.cutoff)), None, 0.0
        case Rprec():
            return measure.ranks(judged).astype(np.float64), None, 0.0
        case Bpref():
            return base, np.minimum(judged.recall_base[:, :rel].sum(axis=1), base), 0.0
        case IPrec() | IPrec11():
            levels = (measure.recall,) if isinstance(measure, IPrec) else measure.levels
            counts = np.stack([needed(judged, level, rel) for level in levels], axis=1)
            return base, counts.astype(np.float64).ravel(), float(len(levels))
        case InfAP():
            return base, None, measure.epsilon
        case F():
            return base, None, float(measure.beta) ** 2
        case Utility():
            worths = [measure.a, measure.b, measure.c, measure.d, measure.collection]
            return base, np.array(worths, dtype=np.float64), 0.0
    return base, None, 0.0


STEPS: dict[type[Measure], tuple[str, str]] = {
    P: ("count", "length"),
    R: ("count", "topic"),
    Rprec: ("count", "topic"),
    AP: ("precisions", "topic"),
    InfAP: ("inferred", "topic"),
    Bpref: ("preferences", "topic"),
    BinG: ("lost", "topic"),
    SetAP: ("square", "both"),
    F: ("harmonic", "nothing"),
    Utility: ("worth", "nothing"),
    RR: ("reciprocal", "nothing"),
    Success: ("any", "nothing"),
    IPrec: ("interpolated", "constant"),
    IPrec11: ("interpolated", "constant"),
    NumRelRet: ("count", "nothing"),
    NumRet: ("retrieved", "nothing"),
    NumRel: ("base", "nothing"),
    NumNonRelRet: ("others", "nothing"),
}
"""The sum of a measure, and its divisor."""


def _step(measure: Measure) -> tuple[str, str, bool] | None:
    """Return the sum, its divisor, and whether the base is the cut-off; ``None`` where the compiled code has no such sum."""
    if type(measure) not in STEPS or (isinstance(measure, Rprec | NumNonRelRet) and measure.cutoff is not None):
        return None
    code, by = STEPS[type(measure)]
    if isinstance(measure, R | AP) and measure.capped and measure.cutoff is None:
        by = "lesser"
    return code, by, isinstance(measure, Rprec)


def _gains(measure: CumulatedGain, judged: JudgedRuns, least: float) -> Compiled | None:
    table = gain_table(HIGHEST, measure.dcg, measure.gains)
    if table[0] != 0:  # then judged documents that are not relevant count too
        return None
    base = np.ascontiguousarray(ideal(judged, measure), dtype=np.float64) if isinstance(measure, NDCG) else None
    by = "nothing" if base is None else "topic"
    return ("gains", by, 1, measure.cutoff or 0, False, 0.0, least), base, table, partial(discounts, base=measure.base), None


def _beside_ideal(measure: GainMeasure, judged: JudgedRuns, least: float) -> Compiled | None:
    table = gain_table(HIGHEST, "log2", measure.gains)
    if table[0] != 0 or (table % 1).any():  # what is lost is a whole number then
        return None
    ideals = measure.ideals(judged)
    sizes = np.array([len(each) for each in ideals], dtype=np.int64)
    start = np.concatenate(([0], np.cumsum(sizes + 1)))
    weights = discounts(int(sizes.max(initial=1)), None)
    terms = [np.maximum(each, 1.0) - 1 if isinstance(measure, G) else each * weights[: len(each)] for each in ideals]
    sums, falls = np.zeros(start[-1]), np.zeros(start[-1])
    for first, gains, each in zip(start.tolist(), ideals, terms, strict=False):
        sums[first + 1 : first + 1 + len(each)] = np.cumsum(each)
        falls[first + 1 : first + 1 + len(each)] = [*(gains[1:] != gains[:-1]), *[1.0] * (len(each) > 0)]
    match measure:
        case G():
            code, by, base = "behind", "topic", np.array([each.sum() for each in ideals], dtype=np.float64)
            table_of = partial(_logarithms, int(sums.max(initial=0)))
        case NDCGRel():
            code, by, base, table_of = "reached", "topic", sizes.astype(np.float64), partial(discounts, base=None)
        case RNDCG():
            relevant = judged.relevant(measure.rel).astype(np.float64)
            code, by, base, table_of = "levels", "nothing", relevant, partial(discounts, base=None)
        case _:
            return None
    return (code, by, 1, measure.cutoff or 0, False, 0.0, least), base, table, table_of, (start, sums, falls)


def _logarithms(lost: int, ranks: int) -> Floats:
    return np.log2(2.0 + np.arange(ranks + lost + 1))
