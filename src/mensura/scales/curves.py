"""Spacing of the values of runs (P4, Figures 6 to 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mensura.judged.runs import JudgedRuns
from mensura.measures.geometric import with_rel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.measures.base import Measure
    from mensura.scales.ranks import OnScale

QUANTILES = 100
POINTS = 160
Curve = tuple[tuple[float, float], ...]


def curves(measure: Measure, on_scale: OnScale) -> tuple[Curve, Curve]:
    """Values over the proportion of all runs, and over that of the collection's runs, that are not better."""
    scale = on_scale.scale
    runs = on_scale.runs.reshape(-1, scale.length)
    values = plain_values(measure, np.concatenate([runs, probes(scale.length, scale.grades)]), scale.grades)
    seen = np.quantile(values[: len(runs)], np.linspace(0, 1, QUANTILES + 1), method="inverted_cdf")
    shares = [(round(at / QUANTILES, 6), round(float(value), 6)) for at, value in enumerate(seen)]
    counts = on_scale.runs_up_to
    if counts is None:
        return (), tuple(shares)
    points = {
        (round(int(count[at]) / scale.runs, 6), round(float(values[at]), 6))
        for count in counts
        for at in range(len(runs), len(values))
    }
    return tuple(sorted(points)), tuple(shares)


def plain_values(measure: Measure, runs: NDArray[np.int8], grades: tuple[int, ...]) -> NDArray[np.float64]:
    """The values of runs for a topic with as many documents of the highest grade as there are ranks."""
    base = np.zeros((1, max(grades) + 1), dtype=np.int64)
    base[0, -1] = runs.shape[1]
    rel = getattr(measure, "rel", None)
    if rel is not None and rel > 1:  # the runs are 0 and 1 already
        measure = with_rel(measure, 1)
    return np.asarray(measure.score(JudgedRuns.from_grades(runs[:, None, :], base))[:, 0], dtype=np.float64)


def probes(length: int, grades: tuple[int, ...]) -> NDArray[np.int8]:
    """Runs whose values are spread over the whole scale: the same ones each time."""
    rng = np.random.default_rng(length)
    share = np.linspace(0, 1, POINTS)[:, None]
    hit = rng.random((POINTS, length)) < share
    return np.where(hit, np.array(grades)[rng.integers(1, len(grades), (POINTS, length))], 0).astype(np.int8)
