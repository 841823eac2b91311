"""Measures of a user who reads down the list and stops at a document that satisfies: ERR and EFR."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import Direction, Measure, within
from mensura.measures.registry import register

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.judged.runs import Hits, JudgedRuns
    from mensura.measures.decomposition import Decomposition


def stop_probabilities(measure: Measure, highest: int, max_grade: int | None) -> NDArray[np.float64]:
    """(2^g − 1) / 2^max per grade g."""
    top = highest if max_grade is None else max_grade
    if highest > top:
        raise MeasureError(f"{measure}: the judgments go up to grade {highest}, above max_grade={top}")
    return np.divide(np.exp2(np.arange(highest + 1)) - 1, 2.0**top)


def exact_stops(grades: tuple[int, ...], max_grade: int | None) -> tuple[Fraction, ...]:
    """The same probabilities as fractions."""
    return tuple(Fraction(2**grade - 1, 2 ** (max_grade or max(grades))) for grade in grades)


def reach_and_stop(judged: JudgedRuns, hits: Hits, stop: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each hit, the probability that the user comes there and stops; and for each row, that the user never stops."""
    grades = judged.grades.reshape(-1)[hits.row * judged.length + hits.rank - 1]
    chance = stop[grades]
    going_on = np.ones(judged.shape[0] * judged.shape[1])
    stopped = np.empty(len(chance))
    sizes = np.bincount(hits.nth)
    for now in np.split(np.argsort(hits.nth, kind="stable"), np.cumsum(sizes)[:-1]):  # all first hits, all second hits, …
        rows = hits.row[now]
        stopped[now] = going_on[rows] * chance[now]
        going_on[rows] *= 1 - chance[now]
    return stopped, going_on.reshape(judged.shape)


def check_max_grade(measure: Measure, max_grade: int | None) -> None:
    """A highest grade is at least 1."""
    if max_grade is not None and (not isinstance(max_grade, int) or max_grade < 1):
        raise MeasureError(f"{measure.name}: max_grade={max_grade!r} must be a grade of at least 1")


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class ERR(Measure):
    r"""Expected reciprocal rank: the mean of 1/rank where a cascade user stops.

    .. math:: ERR@k = \sum_{i=1}^{k} \frac{1}{i} R_i \prod_{j<i} (1 - R_j), \qquad R_i = \frac{2^{g_i} - 1}{2^{g_{max}}}

    Parameters
    ----------
    max_grade
        The highest grade of the scale, g_max. By default the highest in the judgments; tools that follow TREC's gdeval take 4.
    """

    max_grade: int | None = None

    name: ClassVar[str] = "ERR"
    mistake: ClassVar[str | None] = "M102"
    works: ClassVar[tuple[str, ...]] = ("chapelle2009err",)
    reference: ClassVar[str] = "Chapelle et al., Expected reciprocal rank for graded relevance, CIKM 2009"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_max_grade(self, self.max_grade)

    @property
    def by_rank(self) -> EFR:
        return EFR(max_grade=self.max_grade, cutoff=self.cutoff)

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Cascade

        return Cascade(exact_stops(grades, self.max_grade))

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits = within(judged, self)
        stopped, _ = reach_and_stop(judged, hits, stop_probabilities(self, judged.max_grade, self.max_grade))
        return judged.total(hits, stopped / hits.rank)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class EFR(Measure):
    r"""Expected first rank: the mean rank where a cascade user stops.

    .. math:: EFR@k = \sum_{i=1}^{k} i \, R_i \prod_{j<i} (1 - R_j) \;+\; (k + 1) \prod_{j \le k} (1 - R_j)

    A user who does not stop within the first k ranks counts k + 1. Without a cut-off, k is the length of the longest list of the
    evaluation.

    Parameters
    ----------
    max_grade
        The highest grade of the scale, as for :class:`ERR`.
    """

    max_grade: int | None = None

    name: ClassVar[str] = "EFR"
    works: ClassVar[tuple[str, ...]] = ("fuhr2017mistakes",)
    direction: ClassVar[Direction] = "lower"
    reference: ClassVar[str] = "Fuhr, Some common mistakes in IR evaluation, SIGIR Forum 51(3), 2017, section 2.1"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_max_grade(self, self.max_grade)

    @property
    def range(self) -> tuple[float, float]:
        return 1.0, float("inf") if self.cutoff is None else self.cutoff + 1.0

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Cascade

        return Cascade(exact_stops(grades, self.max_grade), "i", Fraction(length + 1))

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits = within(judged, self)
        stopped, never = reach_and_stop(judged, hits, stop_probabilities(self, judged.max_grade, self.max_grade))
        return judged.total(hits, stopped * hits.rank) + never * ((judged.length if self.cutoff is None else self.cutoff) + 1)
