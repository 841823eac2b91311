"""Measures as steps of compiled code, for evaluators that are called often."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mensura._core.scoring import Program
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

    from mensura._core.scoring import Step
    from mensura.io.columns import Qrels
    from mensura.measures.base import Measure

HIGHEST = 127


def program(measures: Sequence[Measure], qrels: Qrels, *, logarithms: bool = False) -> Program | None:
    """Return the measures as a program for these judgments, or ``None`` if one of them has no steps.

    ``logarithms``: a geometric mean gives the logarithms of its values, as trec_eval does for single topics.
    """
    judged = JudgedRuns.from_grades(np.zeros((1, len(qrels.topics), 0), dtype=np.int8), qrels.recall_base)
    compiled = [_compiled(measure, judged, logarithms=logarithms) for measure in measures]
    if any(each is None for each in compiled):
        return None
    steps, bases, gains, tables = (list(column) for column in zip(*(each for each in compiled if each is not None), strict=True))
    return Program(steps, bases, gains, tables)


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
