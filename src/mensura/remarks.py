"""What a reader of the numbers should know about the runs and judgments behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged import JudgedRuns
    from mensura.measures.base import Measure

Kind = Literal["wrong judgments", "missing topics", "topics without judgments", "documents without judgment", "ties"]
SHOWN = 5
TOP = 10  # where no measure has a cut-off


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, and the numbers behind it.

    ``systems`` counts what the remark is about for each system that it concerns: topics, or for documents without judgment their
    percentage.
    """

    kind: Kind
    text: str
    systems: tuple[tuple[str, float], ...]


def remarks(judged: JudgedRuns, measures: Sequence[Measure], counted: NDArray[np.bool_]) -> tuple[Remark, ...]:
    """All that applies. ``counted`` says which topics count for which system."""
    made = (_strange(judged), _missing(judged, counted), _extra(judged), _unjudged(judged, measures), _ties(judged, measures))
    return tuple(remark for remark in made if remark is not None)


def _strange(judged: JudgedRuns) -> Remark | None:
    lost = judged.missing.all(axis=1) & np.array([bool(extra) for extra in judged.extra], dtype=np.bool_)
    counts = _counts(judged, lost)
    if not counts:
        return None
    names = ", ".join(system for system, _ in counts[:SHOWN])
    return Remark("wrong judgments", f"no topic of {names} has judgments: are these the right judgments?", counts)


def _missing(judged: JudgedRuns, counted: NDArray[np.bool_]) -> Remark | None:
    counts = _counts(judged, judged.missing.sum(axis=1))
    if not counts:
        return None
    lost = _list(counts, f"of {judged.shape[1]} topics")
    how = "count as empty lists" if (counted & judged.missing).any() else "do not count"
    text = f"{_systems(counts)} no documents for some judged topics, which {how}: {lost}"
    return Remark("missing topics", text, counts)


def _extra(judged: JudgedRuns) -> Remark | None:
    counts = tuple((system, float(len(extra))) for system, extra in zip(judged.systems, judged.extra, strict=True) if extra)
    if not counts:
        return None
    return Remark(
        "topics without judgments", f"{_systems(counts)} topics that have no judgments, which are left out: {_list(counts)}", counts
    )


def _unjudged(judged: JudgedRuns, measures: Sequence[Measure]) -> Remark | None:
    cutoffs = [measure.cutoff for measure in measures if measure.cutoff is not None]
    top = min(max(cutoffs, default=TOP), judged.length)
    listed = np.minimum(judged.retrieved, top).sum(axis=1)
    known = (judged.grades[:, :, :top] >= 0).sum(axis=(1, 2))
    share = np.divide(100.0 * (listed - known), listed, out=np.zeros(len(listed)), where=listed > 0)
    counts = _counts(judged, share)
    if not counts:
        return None
    overall = 100.0 * (listed - known).sum() / listed.sum()
    text = (
        f"{overall:.1f} % of the documents in the top {top} have no judgment and count as not relevant; most: {_list(counts, '%')}"
    )
    return Remark("documents without judgment", text, counts)


def _ties(judged: JudgedRuns, measures: Sequence[Measure]) -> Remark | None:
    depths = [measure.depth for measure in measures]
    deepest = judged.length if None in depths else max((depth for depth in depths if depth is not None), default=judged.length)
    counts = _counts(judged, ((judged.ties > 0) & (judged.ties <= deepest)).sum(axis=1))
    if not counts:
        return None
    text = (
        f"{_systems(counts)} equal scores for documents of different grade in the top {deepest}, ordered by document id: "
        f"{_list(counts, f'of {judged.shape[1]} topics')}"
    )
    return Remark("ties", text, counts)


def _counts(judged: JudgedRuns, values: np.ndarray) -> tuple[tuple[str, float], ...]:
    return tuple((system, float(value)) for system, value in zip(judged.systems, values.tolist(), strict=True) if value > 0)


def _systems(counts: tuple[tuple[str, float], ...]) -> str:
    return "1 run has" if len(counts) == 1 else f"{len(counts)} runs have"


def _list(counts: tuple[tuple[str, float], ...], unit: str = "") -> str:
    worst = sorted(counts, key=lambda pair: -pair[1])[:SHOWN]
    text = ", ".join(f"{system} ({value:.3g}{' ' + unit if unit else ''})" for system, value in worst)
    return text + (", …" if len(counts) > SHOWN else "")
