"""Measures of the first relevant document."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.measures.base import Direction, Measure, whole_scores
from mensura.measures.registry import register
from mensura.measures.tied import expected_cascade, with_ties

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition


def first_rank(judged: JudgedRuns, measure: Measure, rel: int) -> NDArray[np.float64]:
    """The rank of the first relevant document, 0 if there is none: [system, topic]."""
    hits = judged.within(measure, rel)
    ranks = np.zeros(judged.shape[0] * judged.shape[1])
    first = hits.nth == 1
    ranks[hits.row[first]] = hits.rank[first]
    return ranks.reshape(judged.shape)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class RR(Measure):
    """Reciprocal rank: one over the rank of the first relevant document, 0 if there is none among the first k.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "RR"
    expects_ties: ClassVar[bool] = True
    mistake: ClassVar[str | None] = "M101"
    works: ClassVar[tuple[str, ...]] = ("kantor2000confusion",)
    reference: ClassVar[str] = "Kantor and Voorhees, The TREC-5 confusion track, Information Retrieval 2, 2000"

    @cached_property
    def by_rank(self) -> MFR:  # type: ignore[override]
        return MFR(rel=self.rel, cutoff=self.cutoff)

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        values = [Fraction(1, rank) for rank in range(1, length + 1)]
        from mensura.measures.decomposition import Counted

        return Counted("first", (*values, Fraction(0)), length, self.rel)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        ranks = first_rank(judged, self, self.rel)
        values = np.divide(1.0, ranks, out=np.zeros_like(ranks), where=ranks > 0)
        payoff = 1.0 / np.arange(1, (self.cutoff or judged.length) + 1)
        return with_ties(
            judged, values, lambda grades, first: expected_cascade((grades >= self.rel).astype(np.float64), payoff, first)
        )

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return [Fraction(1, ranks[0]) if ranks else Fraction(0) for ranks, _ in judged.found(self, rows, self.rel)]

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1 / max(judged.length, 1) ** 2


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class MFR(Measure):
    """The rank of the first relevant document; its mean is the mean first relevant.

    A list with no relevant document among its first k counts k + 1: as if the next document were the one. Without a cut-off, k is
    the length of the longest list of the evaluation, so that a short or missing list gains nothing.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "MFR"
    works: ClassVar[tuple[str, ...]] = ("fuhr2017mistakes",)
    direction: ClassVar[Direction] = "lower"
    reference: ClassVar[str] = "Fuhr, Some common mistakes in IR evaluation, SIGIR Forum 51(3), 2017, section 2.1"

    @property
    def range(self) -> tuple[float, float]:
        return 1.0, float("inf") if self.cutoff is None else self.cutoff + 1.0

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Counted

        return Counted("first", tuple(map(Fraction, range(1, length + 2))), length, self.rel)

    @property
    def open_ended(self) -> bool:  # type: ignore[override]
        return self.cutoff is None

    def open_score(self, judged: JudgedRuns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        ranks = first_rank(judged, self, self.rel)
        return ranks, (ranks == 0).astype(np.float64)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        ranks = first_rank(judged, self, self.rel)
        ranks[ranks == 0] = (judged.length if self.cutoff is None else self.cutoff) + 1
        return ranks

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return whole_scores(self, judged, rows)

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1.0
