"""Ranks of judged runs on the interval scales of measures."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.interval import LARGEST_HALF, interval_scale
from mensura.scales.of_measure import judged_for, levels_for, resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.scales.interval import IntervalScale, Ties

T = TypeVar("T")
WIDTH = 1e-4
"""Of certified bounds, as a share of the scale."""
POINTS = 160


class Scales:
    """Ranks on interval scales, each computed once: nDCG has the scale of DCG, and R that of the number of hits."""

    def __init__(self, judged: JudgedRuns) -> None:
        self.judged = judged
        self._scales: dict[Any, IntervalScale] = {}
        self._ranks: dict[Any, NDArray[Any] | None] = {}
        self._runs: dict[Any, tuple[NDArray[Any], NDArray[Any]] | None] = {}

    def scale(self, measure: Measure) -> IntervalScale:
        """The interval scale of a measure with a cut-off."""
        key = self._key(measure)
        if key not in self._scales:
            self._scales[key] = interval_scale(measure, grades=levels_for(measure, self.judged))
        return self._scales[key]

    def _key(self, measure: Measure) -> Any:
        levels = levels_for(measure, self.judged)
        made, length, grades = resolve(measure, None, levels, None)
        return (measure if callable(made) else made), length, grades, getattr(measure, "rel", None)

    def ranks(self, measure: Measure, ties: Ties) -> NDArray[Any] | None:
        """Ranks of the judged runs [system, topic]; ``None`` if they cannot be counted."""
        if ties == "mid":
            counts = self.runs_up_to(measure)
            many = self.judged.shape[0] * self.judged.shape[1]
            return None if counts is None else mid_ranks(*(count[:many] for count in counts)).reshape(self.judged.shape)
        key = self._key(measure)
        if key not in self._ranks:
            scale = self.scale(measure)
            self._ranks[key] = counted(scale, partial(scale.rank, judged_for(measure, self.judged)))
        return self._ranks[key]

    def runs_up_to(self, measure: Measure) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """How many of all runs are worse, and how many not better, than the judged runs and, behind them, :func:`probes`."""
        key = self._key(measure)
        if key not in self._runs:
            scale = self.scale(measure)
            runs = np.concatenate([judged_for(measure, self.judged).reshape(-1, scale.length), probes(scale.length, scale.grades)])
            self._runs[key] = counted(scale, partial(scale.runs_up_to, runs))
        return self._runs[key]

    def bounds(self, measure: Measure) -> tuple[NDArray[np.float64], float]:
        """The midpoints of certified bounds of φ / steps, and their width."""
        scale = self.scale(measure)
        bracket = scale.bracket(judged_for(measure, self.judged), WIDTH)
        return (bracket.low + bracket.high) / 2, bracket.width


def counted(scale: IntervalScale, count: Callable[[], T]) -> T | None:
    """What is counted exactly, or ``None`` where there are only bounds."""
    if not scale.exact:
        return None
    try:
        return count()
    except ScaleError:  # too long a list of sums, or too many runs for 64 bits
        return None


def mid_ranks(below: NDArray[Any], up_to: NDArray[Any]) -> NDArray[Any]:
    """The mean of the ranks that tied runs share, exact."""
    if up_to.dtype != object and up_to.max(initial=0) < LARGEST_HALF:
        return np.asarray((below + up_to + 1) / 2)
    pairs = zip(below.tolist(), up_to.tolist(), strict=True)
    return np.array([Fraction(less + up_to + 1, 2) for less, up_to in pairs], dtype=object)


def probes(length: int, grades: tuple[int, ...]) -> NDArray[np.int8]:
    """Runs whose values are spread over the whole scale: the same ones each time."""
    rng = np.random.default_rng(length)
    share = np.linspace(0, 1, POINTS)[:, None]
    hit = rng.random((POINTS, length)) < share
    return np.where(hit, np.array(grades)[rng.integers(1, len(grades), (POINTS, length))], 0).astype(np.int8)
