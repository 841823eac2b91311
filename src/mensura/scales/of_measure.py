"""The interval scale of a measure, and judged runs as it takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.judged.runs import JudgedRuns
from mensura.measures.names import with_rel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from mensura.measures.base import Measure
    from mensura.measures.decomposition import Decomposition
    from mensura.scales.counting.enumeration import Function

BINARY = (0, 1)


def resolve(
    measure: Measure, length: int | None, grades: tuple[int, ...], recall_base: int | Mapping[int, int] | None
) -> tuple[Decomposition | Function, int, tuple[int, ...]]:
    """What a scale is counted from: the measure's decomposition (or the measure as a function), the length, and the grades."""
    if measure.scale_obstacle is not None:
        raise ScaleError(f"{measure} has no scale over judged runs: {measure.scale_obstacle}")
    ranks = measure.cutoff if length is None else length
    if ranks is None:
        raise ScaleError(f"{measure} has no cut-off: a scale is for runs of one length; name it, as in {measure}@30")
    if measure.cutoff is not None and measure.cutoff != ranks:
        raise ScaleError(f"{measure} looks at {measure.cutoff} ranks, so its scale is that of length {measure.cutoff}, not {ranks}")
    if not measure.graded and len(grades) > len(BINARY):
        measure, grades = with_rel(measure, 1), BINARY
    decomposition = measure.decompose(ranks, grades)
    return decomposition or _values(measure, grades, recall_base), ranks, grades


def _values(measure: Measure, grades: tuple[int, ...], recall_base: Any) -> Callable[[NDArray[np.int8]], NDArray[np.float64]]:
    """The measure as a function of judged runs."""
    if measure.uses_recall_base and recall_base is None:
        raise ScaleError(f"{measure} depends on the number of relevant documents, not just as a factor: give recall_base")
    counts = np.zeros(max(grades) + 1, dtype=np.int64)
    for grade, number in (recall_base if isinstance(recall_base, dict) else {grades[1]: recall_base or 0}).items():
        counts[grade] = number

    def values(runs: NDArray[np.int8]) -> NDArray[np.float64]:
        return measure.score(JudgedRuns.from_grades(runs[:, None, :], counts[None, :]))[:, 0]

    return values


def judged_for(measure: Measure, judged: JudgedRuns) -> NDArray[np.int8]:
    """Judged runs as the scale of a measure takes them: cut at its length, and 0 or 1 if the measure is not graded."""
    judged.need(measure.cutoff, measure)
    top = judged.top(measure.cutoff)
    if measure.graded:
        return np.maximum(top, 0)
    rel = getattr(measure.of if hasattr(measure, "of") else measure, "rel", 1)
    return (top >= rel).astype(np.int8)


def levels_for(measure: Measure, judged: JudgedRuns) -> tuple[int, ...]:
    """The grades of the scale: all up to the highest for a graded measure, else 0 and 1."""
    return tuple(range(max(judged.max_grade, 1) + 1)) if measure.graded else BINARY


def interval_ranks(measure: Measure, judged: JudgedRuns) -> NDArray[Any]:
    """φ of judged runs [system, topic], as exact integers; an error that says what is possible where they cannot be had."""
    from mensura.scales.interval import interval_scale

    return interval_scale(measure, grades=levels_for(measure, judged)).rank(judged_for(measure, judged))
