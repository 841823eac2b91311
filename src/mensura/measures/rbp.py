"""Rank-biased precision and what it leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import Direction, Gains, Measure, exact, exact_gains, freeze_gains, per_row
from mensura.measures.registry import register
from mensura.measures.tied import expected_sum, with_ties

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition


def weights(ranks: int, p: float) -> NDArray[np.float64]:
    """(1 − p) p^(i−1) for i = 1 … ranks."""
    p = float(p)  # it may be a fraction
    return (1 - p) * np.power(p, np.arange(ranks, dtype=np.float64))


def check_persistence(measure: Measure, p: float) -> None:
    """A persistence is a probability between 0 and 1."""
    if not isinstance(p, int | float | Fraction) or not 0 < p < 1:
        raise MeasureError(f"{measure.name}: p={p} must be between 0 and 1; it is the probability to continue")


def exact_sum(p: Fraction, ranks: Sequence[int], gains: Sequence[Fraction]) -> Fraction:
    """Σ gain · (1 − p) p^(rank−1), from the last rank to the first in whole numbers."""
    unit = lcm(*(gain.denominator for gain in gains))
    above, below = p.as_integer_ratio()
    total, whole = 0, 1
    for rank, before, gain in zip(reversed(ranks), reversed([1, *ranks][:-1]), reversed(gains), strict=True):
        total = (total + int(gain * unit) * whole) * above ** (rank - before)
        whole *= below ** (rank - before)
    return (1 - p) * Fraction(total, unit * whole)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class RBP(Measure):
    r"""Rank-biased precision: the rate of relevant documents for a user who continues to the next one with probability p.

    .. math:: RBP_p@k = (1 - p) \sum_{i=1}^{k} p^{i-1} r_i

    What the documents without judgment, and those after the cut-off, could add is :class:`RBPResidual`.

    Parameters
    ----------
    p
        The persistence.
    rel
        The lowest grade that counts as relevant.
    gains
        Graded relevance: the gain of each grade, from 0 to 1, as ``{1: 0.5, 2: 1}``. A grade that is not named gains 0.
        ``'grade'``: the grade divided by the highest one of the topic, as in trec_eval's ``rbp``.
    """

    p: float = 0.8
    rel: int = 1
    gains: Gains | Literal["grade"] | None = None

    name: ClassVar[str] = "RBP"
    expects_ties: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("moffat2008rbp",)
    always_shown: ClassVar[tuple[str, ...]] = ("p",)
    reference: ClassVar[str] = (
        "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_persistence(self, self.p)
        if isinstance(self.gains, str):
            if self.gains != "grade":
                raise MeasureError(f"RBP: gains={self.gains!r} is unknown; write 'grade', or the gain of each grade")
            return
        object.__setattr__(self, "gains", freeze_gains(self, self.gains))
        if self.gains is not None and any(gain > 1 for _, gain in self.gains):
            raise MeasureError(f"RBP: gains={dict(self.gains)} must not exceed 1: RBP is a mean of gains")
        if self.gains is not None and dict(self.gains).get(0):
            raise MeasureError("RBP: grade 0 is not relevant and gains nothing")

    @cached_property
    def graded(self) -> bool:
        return self.gains is not None

    @property
    def uses_recall_base(self) -> bool:  # type: ignore[override]
        """Whether gains are in proportion to the highest grade of the topic."""
        return self.gains == "grade"

    def _highest(self, judged: JudgedRuns) -> NDArray[np.int64]:
        """The highest grade of each topic, at least 1."""
        grades = np.arange(judged.recall_base.shape[1])
        return np.maximum(np.where(judged.recall_base > 0, grades, 0).max(axis=1, initial=1), 1)

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Additive, GeometricDiscount

        if self.gains is None:
            gains = dict.fromkeys(grades, 1.0)
        else:
            gains = {grade: float(grade) for grade in grades} if isinstance(self.gains, str) else dict(self.gains)
        relevant = {grade: gain for grade, gain in gains.items() if grade >= self.rel}
        return Additive(GeometricDiscount(exact(self.p)), exact_gains(grades, relevant))

    def _gain(self) -> NDArray[np.float64]:
        """The gain of each grade from 0 to 127."""
        grades = np.arange(128.0)
        gain = np.ones(128) if self.gains is None else grades if isinstance(self.gains, str) else np.zeros(128)
        if self.gains is not None and not isinstance(self.gains, str):
            for grade, value in self.gains:
                gain[grade] = value
        return np.where(grades >= self.rel, gain, 0.0)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits = judged.within(self, self.rel)
        gain = self._gain()
        weight = weights(judged.length, self.p)[hits.rank - 1]
        if self.gains is not None:
            weight = weight * gain[judged.grades.reshape(-1)[hits.row * judged.length + hits.rank - 1]]
        every = weights(self.cutoff or judged.length, self.p)
        total = with_ties(
            judged, judged.total(hits, weight), lambda grades, first: expected_sum(gain[np.maximum(grades, 0)], every, first)
        )
        return total / self._highest(judged) if isinstance(self.gains, str) else total

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        named = {} if self.gains is None or isinstance(self.gains, str) else {grade: exact(gain) for grade, gain in self.gains}
        highest = per_row(rows, self._highest(judged))
        one, none, p = Fraction(1), Fraction(0), exact(self.p)

        def gain(grade: int, top: int) -> Fraction:
            return one if self.gains is None else Fraction(grade, top) if self.gains == "grade" else named.get(grade, none)

        return [
            exact_sum(p, ranks, [gain(grade, top) for grade in grades])
            for (ranks, grades), top in zip(judged.found(self, rows, self.rel), highest, strict=True)
        ]

    def condition(self, judged: JudgedRuns) -> float:
        """1 − p has the absolute error of p."""
        return float(1 / (1 - exact(self.p)))


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class RBPResidual(Measure):
    r"""The residual of RBP: what it would gain if all documents without judgment, and all after the cut-off, were relevant.

    .. math:: (1 - p) \sum_{i=1}^{k} p^{i-1} [i \text{ not judged}] + p^k

    The true RBP lies between RBP and RBP + residual. Ranks after the end of a list count as not judged.

    Parameters
    ----------
    p
        The persistence.
    tail
        Whether the ranks after the list count. ``'always'``, or ``'unjudged'``: only if a document of the list was not judged, as
        in trec_eval's ``rbp_resid``, which is 0 otherwise.
    """

    p: float = 0.8
    tail: Literal["always", "unjudged"] = "always"

    name: ClassVar[str] = "RBPResidual"
    works: ClassVar[tuple[str, ...]] = ("moffat2008rbp",)
    scale_obstacle: ClassVar[str | None] = "its value depends on which documents were judged, not on their grades"
    always_shown: ClassVar[tuple[str, ...]] = ("p",)
    direction: ClassVar[Direction] = "lower"
    reference: ClassVar[str] = (
        "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_persistence(self, self.p)
        if self.tail not in {"always", "unjudged"}:
            raise MeasureError(f"RBPResidual: tail={self.tail!r} is unknown; use 'always' or 'unjudged'")

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        known = judged.within(self, 0)  # all weights add up to 1
        rest = np.maximum(1.0 - judged.total(known, weights(judged.length, self.p)[known.rank - 1]), 0.0)
        return np.asarray(np.where(self._counted(judged), rest, 0.0), dtype=np.float64)

    def _counted(self, judged: JudgedRuns) -> NDArray[np.bool_]:
        """Lists whose residual is not 0 by definition: [system, topic]."""
        if self.tail == "always":
            return np.ones(judged.shape, dtype=np.bool_)
        listed = judged.retrieved if self.cutoff is None else np.minimum(judged.retrieved, self.cutoff)
        return np.asarray(listed > (judged.top(self.cutoff) >= 0).sum(axis=2), dtype=np.bool_)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        p, one, none = exact(self.p), Fraction(1), Fraction(0)
        counted = self._counted(judged).ravel()[rows].tolist()
        judged_ranks = judged.found(self, rows, 0)
        return [
            1 - exact_sum(p, ranks, [one] * len(ranks)) if counts else none
            for (ranks, _), counts in zip(judged_ranks, counted, strict=True)
        ]

    def condition(self, judged: JudgedRuns) -> float:
        """1 − p has the absolute error of p."""
        return float(1 / (1 - exact(self.p)))
