"""Measures of a user who reads down the list and stops at a document that satisfies: ERR and EFR."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import Direction, Gains, Measure, exact, freeze_gains
from mensura.measures.registry import register
from mensura.measures.tied import expected_cascade, with_ties

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import Hits, JudgedRuns
    from mensura.measures.decomposition import Decomposition


def reach_and_stop(judged: JudgedRuns, hits: Hits, stop: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each hit the probability that the user comes there and stops, and for each row that the user never stops."""
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


@dataclass(frozen=True, repr=False, kw_only=True)
class CascadeMeasure(Measure):
    """A measure of a user who stops at a document with a probability that depends on its grade.

    Parameters
    ----------
    stop
        Probability to stop at each grade, as ``{1: 1/2, 2: 1}``; a lower grade that is not named is 0, a higher one is an error.
    max_grade
        Highest grade of the scale, for the measure's own formula; by default the highest in the judgments.
    """

    stop: Gains | None = None
    max_grade: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_grade is not None and (not isinstance(self.max_grade, int) or self.max_grade < 1):
            raise MeasureError(f"{self.name}: max_grade={self.max_grade!r} must be a grade of at least 1")
        if self.stop is None:
            return
        stop = freeze_gains(self, self.stop, "stop")
        object.__setattr__(self, "stop", stop)
        if self.max_grade is not None:
            raise MeasureError(f"{self.name}: stop and max_grade exclude each other; stop already says it for every grade")
        if not stop or any(chance > 1 for _, chance in stop) or dict(stop).get(0):
            raise MeasureError(f"{self.name}: stop must give probabilities for grades from 1 up, e.g. stop={{1: 1/2, 2: 1}}")

    def stopping(self, grade: int, highest: int) -> Fraction:
        """Probability to stop at a grade by the measure's own formula, where ``highest`` is the highest grade."""
        raise NotImplementedError

    def stops(self, highest: int) -> tuple[Fraction, ...]:
        """Exact probabilities to stop at grades 0 … ``highest``."""
        if self.stop is None:
            top = max(highest, 1) if self.max_grade is None else self.max_grade
            if highest > top:
                raise MeasureError(f"{self}: the judgments go up to grade {highest}, above max_grade={top}")
            return tuple(self.stopping(grade, top) for grade in range(highest + 1))
        stop = dict(self.stop)
        if highest > max(stop):
            raise MeasureError(
                f"{self}: the judgments go up to grade {highest}; give its probability too, e.g. stop={{…, {highest}: 1}}"
            )
        return tuple(exact(stop.get(grade, 0)) for grade in range(highest + 1))

    def met(self, judged: JudgedRuns) -> tuple[Hits, NDArray[np.float64], NDArray[np.float64]]:
        """Return the hits, the probability to stop at each, and for each row the probability never to stop."""
        hits = judged.within(self)
        return hits, *reach_and_stop(judged, hits, np.array(self.stops(judged.max_grade), dtype=np.float64))

    def exact_sum(self, judged: JudgedRuns, rows: NDArray[np.int64], *, reciprocal: bool, never: int) -> Sequence[Fraction]:
        """Σ payoff · P(the user stops there) + never · P(the user never stops), where the payoff is the rank or its reciprocal.

        From the last relevant document to the first, V = R · payoff + (1 − R) · V, in whole numbers over d per document.
        """
        chances = self.stops(judged.max_grade)
        d = lcm(*(chance.denominator for chance in chances))
        stops = [int(chance * d) for chance in chances]
        lists = list(judged.found(self, rows))
        common = lcm(*{rank for ranks, _ in lists for rank in ranks}) if reciprocal else 1
        values = []
        for ranks, grades in lists:
            value, whole = never * common, 1
            for rank, grade in zip(reversed(ranks), reversed(grades), strict=True):
                payoff = common // rank if reciprocal else rank
                value, whole = stops[grade] * payoff * whole + (d - stops[grade]) * value, whole * d
            values.append(Fraction(value, common * whole))
        return values

    def condition(self, judged: JudgedRuns) -> float:
        """1 − R has the absolute error of R, so a relative one that grows as R comes near 1."""
        return 1 + max(float(1 / (1 - stop)) for stop in self.stops(judged.max_grade) if stop < 1)

    @classmethod
    def like(cls, other: CascadeMeasure) -> Self:
        """Return the measure of this class with the cut-off and the highest grade of another, and its ``stop`` if it names one."""
        return cls(cutoff=other.cutoff, max_grade=other.max_grade, stop=other.stop)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class ERR(CascadeMeasure):
    r"""Expected reciprocal rank: the mean of 1/rank where a cascade user stops.

    .. math:: ERR@k = \sum_{i=1}^{k} \frac{1}{i} R_i \prod_{j<i} (1 - R_j), \qquad R_i = \frac{2^{g_i} - 1}{2^{g_{max}}}

    Parameters
    ----------
    stop
        Probability R to stop at each grade instead of the formula above, as ``{1: 1/2, 2: 1}``.
    max_grade
        Highest grade of the scale, g_max. By default the highest in the judgments; tools that follow TREC's gdeval take 4.
    """

    name: ClassVar[str] = "ERR"
    expects_ties: ClassVar[bool] = True
    mistake: ClassVar[str | None] = "M102"
    works: ClassVar[tuple[str, ...]] = ("chapelle2009err",)
    reference: ClassVar[str] = "Chapelle et al., Expected reciprocal rank for graded relevance, CIKM 2009"

    def stopping(self, grade: int, highest: int) -> Fraction:
        return Fraction(2**grade - 1, 2**highest)

    @cached_property
    def by_rank(self) -> EFR:  # type: ignore[override]
        return EFR.like(self)

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Cascade

        stops = self.stops(max(grades))
        return Cascade(tuple(stops[grade] for grade in grades))

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits, stopped, _ = self.met(judged)
        stops = np.array(self.stops(judged.max_grade), dtype=np.float64)
        payoff = 1.0 / np.arange(1, (self.cutoff or judged.length) + 1)
        return with_ties(
            judged,
            judged.total(hits, stopped / hits.rank),
            lambda grades, first: expected_cascade(stops[np.maximum(grades, 0)], payoff, first),
        )

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return self.exact_sum(judged, rows, reciprocal=True, never=0)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class EFR(CascadeMeasure):
    r"""Expected first rank: the mean rank where a cascade user stops. It generalises :class:`MFR` to grades (P3 §2.1).

    .. math:: EFR@k = \sum_{i=1}^{k} i \, R_i \prod_{j<i} (1 - R_j) \;+\; (k + 1) \prod_{j \le k} (1 - R_j)

    By default R_i = g_i / g_max.

    A user who does not stop within the first k ranks counts k + 1, as for :class:`MFR`; without a cut-off, k is the length of the
    longest list of the evaluation. A document of the highest grade stops every user, so that with binary judgments EFR is MFR.

    Parameters
    ----------
    stop
        Probability R to stop at each grade instead of the linear one, as ``{1: 1/2, 2: 1}``.
    max_grade
        Highest grade of the scale, g_max; by default the highest in the judgments.
    """

    name: ClassVar[str] = "EFR"
    works: ClassVar[tuple[str, ...]] = ("fuhr2017mistakes",)
    direction: ClassVar[Direction] = "lower"
    reference: ClassVar[str] = "Fuhr, Some common mistakes in IR evaluation, SIGIR Forum 51(3), 2017, section 2.1"

    @property
    def range(self) -> tuple[float, float]:
        return 1.0, float("inf") if self.cutoff is None else self.cutoff + 1.0

    def stopping(self, grade: int, highest: int) -> Fraction:
        return Fraction(grade, highest)

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Cascade, Counted

        stops = self.stops(max(grades))
        sure = [grade for grade in grades if stops[grade] == 1]
        if sure and all(stops[grade] in {0, 1} for grade in grades):  # the first document that stops a user stops all: MFR
            return Counted("first", tuple(map(Fraction, range(1, length + 2))), length, min(sure))
        return Cascade(tuple(stops[grade] for grade in grades), "i", Fraction(length + 1))

    @property
    def open_ended(self) -> bool:  # type: ignore[override]
        return self.cutoff is None

    def open_score(self, judged: JudgedRuns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        hits, stopped, never = self.met(judged)
        return judged.total(hits, stopped * hits.rank), never

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        stopped, never = self.open_score(judged)
        return stopped + never * ((judged.length if self.cutoff is None else self.cutoff) + 1)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return self.exact_sum(judged, rows, reciprocal=False, never=(judged.length if self.cutoff is None else self.cutoff) + 1)
