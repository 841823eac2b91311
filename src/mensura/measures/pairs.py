"""Measures of the order of a list beside others: Accuracy of pairs, and compatibility with the ideal ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.measures.base import Measure, divide, quotients
from mensura.measures.buckley import NOT_COUNTED
from mensura.measures.rbp import check_persistence
from mensura.measures.registry import register

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from mensura.judged.runs import Hits, JudgedRuns

    Floats = NDArray[np.float64]


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Accuracy(Measure):
    """The fraction of pairs of a relevant document and another one, among the first k, whose relevant document comes first.

    A list without such a pair has no value, and its topic is left out of the mean, as in ir_measures. Documents without judgment
    count as not relevant.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "Accuracy"
    works: ClassVar[tuple[str, ...]] = ("macavaney2022irmeasures",)
    scale_obstacle: ClassVar[str | None] = "its value depends on how many documents were retrieved, not on their grades alone"
    reference: ClassVar[str] = "MacAvaney et al., Streamlining evaluation with ir-measures, ECIR 2022"

    def _pairs(self, judged: JudgedRuns) -> tuple[Floats, Floats]:
        """Numbers of pairs in the wrong order, and of all pairs: [system, topic]."""
        hits: Hits = judged.within(self, self.rel)
        listed = np.minimum(judged.lengths(self.cutoff).reshape(judged.shape), judged.retrieved)
        relevant = judged.total(hits)
        return judged.total(hits, (hits.rank - hits.nth).astype(np.float64)), relevant * (listed - relevant)

    def defined(self, judged: JudgedRuns) -> NDArray[np.bool_]:
        """Lists with a pair."""
        return self._pairs(judged)[1] > 0

    def score(self, judged: JudgedRuns) -> Floats:
        wrong, pairs = self._pairs(judged)
        return divide(pairs - wrong, pairs)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        wrong, pairs = (each.ravel()[rows].astype(np.int64).tolist() for each in self._pairs(judged))
        return quotients((every - one for one, every in zip(wrong, pairs, strict=True)), pairs)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Compatibility(Measure):
    r"""Compatibility: rank-biased overlap with the ideal ranking that is nearest to the run.

    .. math:: \frac{\sum_{d=1}^{D} p^{d-1} \, o_d / d}{\sum_{d=1}^{D} p^{d-1}}

    o_d is the number of documents that are among the first d of both rankings, D the length of the longer one. The ideal ranking
    contains the relevant documents by falling grade; those of one grade are in the order of the run, and those that were not
    retrieved come last. A topic without relevant documents counts 0. With a cut-off, later documents are left out.

    Parameters
    ----------
    p
        The persistence.
    normalize
        Whether to divide by the value of the ideal ranking itself, which is below 1 if there are few relevant documents.
    """

    p: float = 0.95
    normalize: bool = True

    name: ClassVar[str] = "Compat"
    uses_recall_base: ClassVar[bool] = True
    scale_obstacle: ClassVar[str | None] = NOT_COUNTED
    works: ClassVar[tuple[str, ...]] = ("clarke2021topk",)
    reference: ClassVar[str] = "Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 39(3), 2021"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_persistence(self, self.p)

    def score(self, judged: JudgedRuns) -> Floats:
        judged.need(self.depth, self)
        relevant = judged.relevant()
        listed = judged.retrieved if self.cutoff is None else np.minimum(judged.retrieved, self.cutoff)
        depth = np.maximum(listed, relevant)
        rank = np.arange(1, int(depth.max(initial=0)) + 1)
        power = float(self.p) ** (rank - 1)
        to, whole = (np.concatenate(([0.0], np.cumsum(each))) for each in (power / rank, power))
        score = np.zeros(judged.shape)
        higher = np.zeros(len(judged.topics), dtype=np.int64)  # documents of higher grades
        for grade in range(judged.max_grade, 0, -1):
            same = judged.hits(grade)
            kept = (judged.grades.reshape(-1)[same.row * judged.length + same.rank - 1] == grade) & (
                same.rank <= (self.cutoff or judged.length)
            )
            row, at = same.row[kept], same.rank[kept]
            place = np.arange(len(row)) - np.searchsorted(row, row) + 1 + judged.per_topic(higher)[row]
            ends = to[depth.reshape(-1)[row]] - to[np.maximum(at, place) - 1]  # both rankings have it from there on
            score += np.bincount(row, ends, minlength=score.size).reshape(judged.shape)
            if grade < judged.recall_base.shape[1]:
                higher = higher + judged.recall_base[:, grade]
        if not self.normalize:
            return divide(score, whole[depth])
        first = np.concatenate(([0.0], np.cumsum(to[:-1])))  # Σ to[m − 1] over the places 1 … n
        return divide(score, relevant * to[depth] - first[relevant])
