"""Scores on the interval scale of their measure."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.interval import interval_scale
from mensura.scales.of_measure import judged_for, levels_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mensura.evaluation.scores import Scores
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.scales.interval import IntervalScale, Ties

WIDTH = 1e-4  # of a bracket, as a share of the scale


@dataclass(frozen=True, eq=False)
class Ranks:
    """φ of the scores of a measure: exact ranks, or certified bounds where these cannot be counted.

    Attributes
    ----------
    scores
        The scores on the measure's own scale.
    scales
        The scale of each topic; the same one for all unless only attainable runs count.
    ranks
        Exact ranks [system, topic] (int64, Python integers, or halves for mid-ranks), or ``None`` if there are only bounds.
    low, high
        float64 [system, topic]: lo ≤ φ / steps ≤ hi. Where ranks are exact the two are the same number.
    of
        What the bounds count: distinct ``"values"``, which φ is about, or, where nobody can bound these, ``"runs"``: the share of
        all runs whose value is at most this one, ties counted.
    """

    scores: Scores
    scales: tuple[IntervalScale, ...]
    ranks: NDArray[Any] | None
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    of: Literal["values", "runs"] = "values"

    @property
    def exact(self) -> bool:
        """Are the ranks exact?"""
        return self.ranks is not None

    @property
    def steps(self) -> tuple[int, ...]:
        """The number of steps of each topic's scale."""
        return tuple(scale.steps for scale in self.scales)

    def mean_ranks(self) -> list[float | None]:
        """The mean rank of each system, computed exactly and then rounded; ``None`` without exact ranks or topics."""
        if self.ranks is None:
            return [None] * len(self.scores.systems)
        rows = zip(self.ranks, self.scores.counted, strict=True)
        return [float(sum(map(Fraction, row[kept].tolist())) / int(kept.sum())) if kept.any() else None for row, kept in rows]

    def mean_shares(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bounds of the mean of φ / steps of each system."""
        counted = self.scores.counted
        number = counted.sum(axis=1)
        low, high = (np.where(counted, bound, 0.0).sum(axis=1) for bound in (self.low, self.high))
        return low / number, high / number

    def __repr__(self) -> str:
        kind = "exact ranks" if self.exact else "brackets"
        return f"Ranks({self.scores.measure}: {kind} of {len(self.scores.systems)} systems × {len(self.scores.topics)} topics)"


def on_interval_scale(
    scores: Scores, *, ties: Ties = "unq", attainable: bool = False, progress: Callable[[float], None] | None = None
) -> Ranks:
    """Ranks scores; see :meth:`mensura.Scores.on_interval_scale`."""
    measure, judged = scores.measure, scores.judged
    if judged is None:
        raise ScaleError("these scores were made without judged runs, which their ranks are counted from")
    if measure.cutoff is None and judged.length == 0:
        raise ScaleError("there is no ranked document to count from")
    runs = judged_for(measure, judged)
    if not attainable:
        scale = interval_scale(measure, runs.shape[2], levels_for(measure, judged), progress=progress)
        return _place(scores, [(scale, np.arange(len(judged.topics)))], runs, ties)
    topics: dict[tuple[int, ...], list[int]] = {}
    for topic in range(len(judged.topics)):
        topics.setdefault(_base(measure, judged, topic, runs.shape[2]), []).append(topic)
    groups = []
    for done, (base, members) in enumerate(topics.items()):
        levels = levels_for(measure, judged)
        recall_base = dict(zip(levels[1:], base, strict=True))
        groups.append((interval_scale(measure, runs.shape[2], levels, recall_base=recall_base), np.array(members)))
        if progress is not None:
            progress((done + 1) / len(topics))
    return _place(scores, groups, runs, ties)


def _base(measure: Measure, judged: JudgedRuns, topic: int, length: int) -> tuple[int, ...]:
    """How many documents of each grade of the scale a topic has, no more than fit into a run."""
    if measure.graded:
        counts = judged.recall_base[topic, 1:].tolist()
        counts += [0] * (len(levels_for(measure, judged)) - 1 - len(counts))
    else:
        counts = [int(judged.relevant(getattr(measure, "rel", 1))[topic])]
    return tuple(min(count, length) for count in counts)


def _place(scores: Scores, groups: list[tuple[IntervalScale, NDArray[np.int64]]], runs: NDArray[np.int8], ties: Ties) -> Ranks:
    """Ranks the runs of each group of topics on the group's scale."""
    shape = runs.shape[:2]
    low, high = np.empty(shape), np.empty(shape)
    scales: list[IntervalScale | None] = [None] * shape[1]
    exact = all(scale.exact for scale, _ in groups)
    ranks = np.empty(shape, dtype=object) if exact else None
    if not exact and ties != "unq":
        raise ScaleError(f"{scores.measure}: distinct values can be bounded here, but all runs are not counted: use ties='unq'")
    of: Literal["values", "runs"] = "values" if ties == "unq" else "runs"
    for scale, topics in groups:
        if ranks is not None:
            ranks[:, topics] = scale.rank(runs[:, topics], ties)
            whole = scale.steps if ties == "unq" else scale.runs
            low[:, topics] = high[:, topics] = [[float(Fraction(rank) / whole) for rank in row] for row in ranks[:, topics]]
        else:
            bracket = scale.bracket(runs[:, topics], WIDTH)
            low[:, topics], high[:, topics] = bracket.low, bracket.high
            of = bracket.of
        for topic in topics.tolist():
            scales[topic] = scale
    if ranks is not None:
        ranks = _narrow(ranks)
    return Ranks(scores, tuple(scale for scale in scales if scale is not None), ranks, low, high, of)


def _narrow(ranks: NDArray[Any]) -> NDArray[Any]:
    """int64 or float64 where they hold every rank exactly."""
    flat = ranks.ravel().tolist()
    if all(isinstance(rank, int) for rank in flat):
        return ranks.astype(np.int64) if max(flat, default=0) < 2**63 else ranks
    return ranks.astype(np.float64) if all(isinstance(rank, float) for rank in flat) else ranks
