"""Average precision, and its estimate from incomplete judgments."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, ClassVar

from mensura.measures.base import Measure, divide, exact, per_row, quotients
from mensura.measures.registry import register
from mensura.measures.tied import expected_precisions, with_ties

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mensura.judged.runs import Hits, JudgedRuns
    from mensura.measures.decomposition import Decomposition

    Counts = NDArray[np.int64]


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class AP(Measure):
    r"""Average precision: the mean, over all relevant documents, of the precision at the rank where each is found (0 if it is not).

    .. math:: AP@k = \frac{1}{RB} \sum_{i=1}^{k} r_i \, \frac{1}{i} \sum_{j=1}^{i} r_j

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    capped
        Divide by min(k, RB), the most relevant documents that k ranks can contain, so that a perfect list has 1 at every cut-off.
        Without a cut-off, k is the number of documents retrieved.
    """

    rel: int = 1
    capped: bool = False

    name: ClassVar[str] = "AP"
    expects_ties: ClassVar[bool] = True
    mistake: ClassVar[str | None] = "M201"
    works: ClassVar[tuple[str, ...]] = ("harman1993trec2", "buckley2000stability")
    uses_recall_base: ClassVar[bool] = True
    reference: ClassVar[str] = (
        "Harman, Overview of the second text retrieval conference (TREC-2), 1993; Buckley and Voorhees, SIGIR 2000"
    )

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import AveragePrecision

        return AveragePrecision(self.rel)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits = judged.within(self, self.rel)
        by = judged.recall_divisor(self.rel, self.cutoff, capped=self.capped)
        total = with_ties(
            judged,
            judged.total(hits, hits.nth / hits.rank),
            lambda grades, first: expected_precisions(grades >= self.rel, first, self.cutoff),
        )
        return divide(total, by.reshape(judged.shape))

    @cached_property
    def uses_length(self) -> bool:  # type: ignore[override]
        return self.capped and self.cutoff is None

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        ranks = [ranks for ranks, _ in judged.found(self, rows, self.rel)]
        by = judged.recall_divisor(self.rel, self.cutoff, capped=self.capped)
        common = lcm(*{rank for each in ranks for rank in each})
        sums = (sum(nth * (common // rank) for nth, rank in enumerate(each, start=1)) for each in ranks)
        return quotients(sums, (common * base for base in by[rows].tolist()))


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class InfAP(Measure):
    r"""Inferred average precision: AP estimated when only a sample of the pool was judged.

    At a relevant document of rank i, the precision above it is estimated from the judged documents of the pool,

    .. math:: \frac{1}{i} + \frac{i-1}{i} \cdot \frac{d}{i-1} \cdot \frac{r + \epsilon}{r + n + 2\epsilon}

    with d documents of the pool above it, r of them judged relevant and n judged not relevant (ε = 0.00001). A document of the pool
    that was not judged has a negative grade in the judgments. With complete judgments this is AP.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "infAP"
    works: ClassVar[tuple[str, ...]] = ("yilmaz2006incomplete",)
    scale_obstacle: ClassVar[str | None] = "its value depends on which documents of the pool were judged, not on grades alone"
    uses_recall_base: ClassVar[bool] = True
    reference: ClassVar[str] = "Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006"
    epsilon: ClassVar[float] = 0.00001

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits, relevant, not_relevant, pooled = self._above(judged)
        rate = (relevant + self.epsilon) / (relevant + not_relevant + 2 * self.epsilon)
        expected = 1 / hits.rank + pooled / hits.rank * rate
        expected[hits.rank == 1] = 1.0
        return divide(judged.total(hits, expected), judged.relevant(self.rel))

    def _above(self, judged: JudgedRuns) -> tuple[Hits, Counts, Counts, Counts]:
        """The hits, and above each of them the numbers of documents: relevant, not relevant, of the pool."""
        from mensura.measures.judgments import seen_before

        hits = judged.within(self, self.rel)
        relevant = hits.nth - 1
        not_relevant = seen_before(judged, hits, (judged.grades >= 0) & (judged.grades < self.rel))
        return hits, relevant, not_relevant, relevant + not_relevant + seen_before(judged, hits, judged.grades < -1)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        hits, *above = self._above(judged)
        epsilon = exact(self.epsilon)
        sums = dict.fromkeys(rows.tolist(), Fraction(0))
        columns = (each.tolist() for each in (hits.row, hits.rank, *above))
        for row, rank, relevant, others, pooled in zip(*columns, strict=True):
            if row in sums:
                rate = (relevant + epsilon) / (relevant + others + 2 * epsilon)
                sums[row] += (1 + pooled * rate) / rank if rank > 1 else 1
        return quotients((sums[row] for row in rows.tolist()), per_row(rows, judged.relevant(self.rel)))
