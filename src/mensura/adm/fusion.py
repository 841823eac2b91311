"""Fusion by SRS: if the scores of all systems estimate relevance, their mean does too (P2 §5)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import MensuraError
from mensura.io.read import read_run
from mensura.judged.entrance import judge
from mensura.measures.average_precision import AP
from mensura.measures.names import parse_measure
from mensura.result import Result, floats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mensura.io.columns import Run
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM

    Floats = NDArray[np.float64]

FUSED = "fused"


@dataclass(frozen=True, eq=False)
class Fusion(Result):
    """Mean ADM and AP of systems, the last of which is the mean of their SRS; AP is NaN where judgments are not whole numbers."""

    measure: ADM
    systems: tuple[str, ...]
    adm: Floats
    ap: Floats

    readers: ClassVar = {"measure": parse_measure, "adm": floats, "ap": floats}

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the systems."""
        return [
            {"system": system, "adm": adm, "ap": ap}
            for system, adm, ap in zip(self.systems, self.adm.tolist(), self.ap.tolist(), strict=True)
        ]


def fuse(judged: JudgedRuns, measure: ADM, name: str = FUSED) -> Run:
    """Return a run of the mean SRS of all systems, by a measure's normalisation; SRS is 0 for what a system did not retrieve."""
    if judged.shape[0] < 2:  # noqa: PLR2004 - a pair of systems
        raise MensuraError(f"fusion needs at least 2 systems, got {judged.shape[0]}; add a run")
    documents, srs = judged.documents(), measure.system_scores(judged)
    lists: dict[str, dict[str, float]] = {}
    for topic, topic_name in enumerate(judged.topics):
        number = documents.number[:, topic]
        there = number >= 0
        total = np.bincount(number[there], srs[:, topic][there], minlength=len(documents.names[topic])) / judged.shape[0]
        ranked = np.unique(number[there]).tolist()
        if ranked:
            names = documents.of_topic(topic)
            lists[topic_name] = {names[each]: float(total[each]) for each in ranked}
    return read_run(lists, name=name)


def fused(judged: JudgedRuns, measure: ADM) -> tuple[Fusion, Run]:
    """Fuse all systems and measure the result beside them: its scores are SRS already."""
    if judged.origin is None:
        raise MensuraError("these judged runs have no documents, which a fusion needs; judge runs and judgments")
    run = fuse(judged, measure, FUSED if FUSED not in judged.systems else f"{FUSED} by SRS")
    others = judge(judged.origin[0], [run], scores=True)
    of_fused = dataclasses.replace(measure, srs="given", per="topic", trim=0)
    adm = [measure.mean(measure.score(judged)), of_fused.mean(of_fused.score(others))]
    whole = judged.relevance is None
    ap = [AP().mean(AP().score(each)) if whole else np.full(each.shape[0], np.nan) for each in (judged, others)]
    return Fusion(measure, (*judged.systems, run.name), np.concatenate(adm), np.concatenate(ap)), run


def run_text(run: Run) -> str:
    """Return a run in TREC's format: by topic, the highest score first."""
    tag = run.name.replace(" ", "-")
    return "".join(
        f"{topic} Q0 {document} {rank} {score!r} {tag}\n"
        for topic in run.topics
        for rank, (document, score) in enumerate(
            sorted(run[topic].items(), key=lambda row: (row[1], row[0]), reverse=True), start=1
        )
    )
