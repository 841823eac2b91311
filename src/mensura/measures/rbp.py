"""Rank-biased precision and what it leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import Direction, Gains, Measure, check_rel, exact, exact_gains, found, freeze_gains, within
from mensura.measures.registry import register

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
        raise MeasureError(f"{measure.name}: p={p} must lie between 0 and 1; it is the probability to go on to the next document")


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
    r"""Rank-biased precision: the rate of relevant documents for a user who goes on to the next one with probability p.

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
    """

    p: float = 0.8
    rel: int = 1
    gains: Gains | None = None

    name: ClassVar[str] = "RBP"
    works: ClassVar[tuple[str, ...]] = ("moffat2008rbp",)
    always_shown: ClassVar[tuple[str, ...]] = ("p",)
    reference: ClassVar[str] = (
        "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rel(self, self.rel)
        check_persistence(self, self.p)
        object.__setattr__(self, "gains", freeze_gains(self, self.gains))
        if self.gains is not None and any(gain > 1 for _, gain in self.gains):
            raise MeasureError(f"RBP: gains={dict(self.gains)} must not exceed 1: RBP is a mean of gains")
        if self.gains is not None and dict(self.gains).get(0):
            raise MeasureError("RBP: grade 0 is not relevant and gains nothing")

    @property
    def graded(self) -> bool:
        return self.gains is not None

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Additive, GeometricDiscount

        gains = dict.fromkeys(grades, 1.0) if self.gains is None else dict(self.gains)
        relevant = {grade: gain for grade, gain in gains.items() if grade >= self.rel}
        return Additive(GeometricDiscount(exact(self.p)), exact_gains(grades, relevant))

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits = within(judged, self, self.rel)
        weight = weights(judged.length, self.p)[hits.rank - 1]
        if self.gains is not None:
            gain = np.zeros(128)
            for grade, value in self.gains:
                gain[grade] = value
            weight = weight * gain[judged.grades.reshape(-1)[hits.row * judged.length + hits.rank - 1]]
        return judged.total(hits, weight)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        gains = None if self.gains is None else {grade: exact(gain) for grade, gain in self.gains}
        one, none, p = Fraction(1), Fraction(0), exact(self.p)
        return [
            exact_sum(p, ranks, [one if gains is None else gains.get(grade, none) for grade in grades])
            for ranks, grades in found(judged, self, rows, self.rel)
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
    """

    p: float = 0.8

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

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        known = within(judged, self, 0)  # all weights add up to 1
        return np.maximum(1.0 - judged.total(known, weights(judged.length, self.p)[known.rank - 1]), 0.0)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        p, one = exact(self.p), Fraction(1)
        return [1 - exact_sum(p, ranks, [one] * len(ranks)) for ranks, _ in found(judged, self, rows, 0)]

    def condition(self, judged: JudgedRuns) -> float:
        """1 − p has the absolute error of p."""
        return float(1 / (1 - exact(self.p)))
