"""Measures of and for incomplete judgments: bpref, Judged, Unjudged and Hole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.errors import DepthError
from mensura.judged.entrance import Needs
from mensura.measures.base import Direction, Measure, divide, per_row, quotients, without_relevant
from mensura.measures.decomposition import Preferences
from mensura.measures.registry import register

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from mensura.io.reading import Compat
    from mensura.judged.runs import Hits, JudgedRuns
    from mensura.measures.decomposition import TopicDecomposition

    Counts = NDArray[np.int64]


def seen_before(judged: JudgedRuns, hits: Hits, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return, for each hit, the number of chosen documents above it in its row."""
    places = np.flatnonzero(chosen)
    start = hits.row * judged.length
    above = np.searchsorted(places, start + hits.rank - 1) - np.searchsorted(places, start)
    return above.astype(np.int64)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Bpref(Measure):
    r"""Binary preference: how often judged relevant documents are ranked above judged documents that are not relevant.

    .. math:: bpref = \frac{1}{RB} \sum_{r} \left( 1 - \frac{\min(n_r, RB)}{\min(N, RB)} \right)

    The sum runs over the retrieved relevant documents, n_r counts the judged not relevant documents above r, N those of the topic.
    Documents without judgment are passed over.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "bpref"
    works: ClassVar[tuple[str, ...]] = ("buckley2004incomplete",)
    uses_recall_base: ClassVar[bool] = True
    scale_per_topic: ClassVar[bool] = True
    tells_unjudged: ClassVar[bool] = True
    reference: ClassVar[str] = "Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004"

    def decompose_topic(
        self, length: int, grades: tuple[int, ...], counts: Mapping[int, int], compat: Compat
    ) -> TopicDecomposition:
        base = sum(count for grade, count in counts.items() if grade >= self.rel)
        return Preferences(base, sum(counts.values()) - base) if base else without_relevant(length, grades)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits, above, base, worst = self._above(judged)
        lost = divide(above.astype(np.float64), judged.per_topic(worst)[hits.row])
        return divide(judged.total(hits, 1.0 - lost), base)

    def _above(self, judged: JudgedRuns) -> tuple[Hits, Counts, Counts, Counts]:
        """The hits, min(n_r, RB) of each, and of each topic RB and min(N, RB)."""
        hits = judged.within(self, self.rel)
        base = judged.relevant(self.rel)
        worst = np.minimum(judged.recall_base[:, : self.rel].sum(axis=1), base)
        above = seen_before(judged, hits, (judged.grades >= 0) & (judged.grades < self.rel))
        return hits, np.minimum(above, judged.per_topic(base)[hits.row]), base, worst

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        hits, above, base, worst = self._above(judged)
        full = np.maximum(worst, 1)  # without judged documents that are not relevant, nothing is lost
        lost = np.where(judged.per_topic(worst)[hits.row] > 0, above, 0)
        kept = judged.total(hits, (judged.per_topic(full)[hits.row] - lost).astype(np.float64)).ravel()[rows]
        return quotients(map(int, kept.tolist()), per_row(rows, base * full))

    def least_gap(self, judged: JudgedRuns) -> float:
        _, _, base, worst = self._above(judged)
        return 1 / float((base * np.maximum(worst, 1)).max(initial=1)) ** 2


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Judged(Measure):
    """The fraction of the first k documents that were judged, or of all documents of a list that has fewer; 0 for an empty list."""

    name: ClassVar[str] = "Judged"
    works: ClassVar[tuple[str, ...]] = ("macavaney2022irmeasures",)
    scale_obstacle: ClassVar[str | None] = "its value depends on which documents were judged, not on their grades"
    reference: ClassVar[str] = "MacAvaney et al., Streamlining evaluation with ir-measures, ECIR 2022"

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        judged.need(self.cutoff, self)
        judged_documents = self.known(judged).sum(axis=2).astype(np.float64)
        return divide(judged_documents, self._lengths(judged).reshape(judged.shape))

    def known(self, judged: JudgedRuns) -> NDArray[np.bool_]:
        """The documents of the first ranks that count as judged: bool [system, topic, rank]."""
        return judged.top(self.cutoff) >= 0

    def _lengths(self, judged: JudgedRuns) -> NDArray[np.int64]:
        """Number of documents that are looked at in each row."""
        return np.minimum(judged.lengths(self.cutoff), judged.retrieved.reshape(-1))

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        counts = self.known(judged).sum(axis=2).ravel()[rows]
        return quotients(counts.tolist(), self._lengths(judged)[rows].tolist())

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1 / max(int(self._lengths(judged).max(initial=1)), 1) ** 2


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Unjudged(Measure):
    """The fraction of the first k documents that were not judged; a list shorter than k is padded with judged documents.

    Without a cut-off, k is the number of documents retrieved (0 for an empty list).
    """

    name: ClassVar[str] = "Unjudged"
    direction: ClassVar[Direction] = "lower"
    works: ClassVar[tuple[str, ...]] = ("voorhees2005trec",)
    scale_obstacle: ClassVar[str | None] = "its value depends on which documents were judged, not on their grades"
    reference: ClassVar[str] = (
        "Buckley, trec_eval; Voorhees and Harman, TREC: experiment and evaluation in information retrieval, 2005"
    )

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return divide(self._counts(judged).astype(np.float64), judged.lengths(self.cutoff).reshape(judged.shape))

    def _counts(self, judged: JudgedRuns) -> NDArray[np.int64]:
        judged.need(self.cutoff, self)
        known = (judged.top(self.cutoff) >= 0).sum(axis=2)
        listed = judged.retrieved if self.cutoff is None else np.minimum(judged.retrieved, self.cutoff)
        return np.asarray(listed - known, dtype=np.int64)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return quotients(self._counts(judged).ravel()[rows].tolist(), judged.lengths(self.cutoff)[rows].tolist())

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1 / max(int(judged.lengths(self.cutoff).max(initial=1)), 1) ** 2


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Hole(Unjudged):
    """The fraction of the first k documents that were judged for no topic at all, as BEIR counts it.

    A document that was judged for another topic is not a hole; :class:`Unjudged` counts it. Documents are compared by their ids, so
    it is computed from runs and judgments, not from grades alone.
    """

    name: ClassVar[str] = "Hole"
    from_documents: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("thakur2021beir",)
    reference: ClassVar[str] = "Thakur et al., BEIR: a heterogeneous benchmark for zero-shot evaluation, NeurIPS 2021"

    def needs(self) -> Needs:
        """Return its ranks, with their documents."""
        return Needs(self.depth, documents=True)

    def _counts(self, judged: JudgedRuns) -> NDArray[np.int64]:
        judged.need(self.cutoff, self)
        documents = judged.documents()
        names = [documents.of_topic(topic) for topic in range(len(judged.topics))]
        annotated = {name for topic, count in enumerate(self._judged(judged)) for name in names[topic][:count]}
        counts = np.zeros(judged.shape, dtype=np.int64)
        for topic, listed in enumerate(names):
            unknown = np.array([name not in annotated for name in listed] + [False])  # the last: after the end of a list
            counts[:, topic] = unknown[documents.number[:, topic, : self.cutoff]].sum(axis=1)
        return counts

    def _judged(self, judged: JudgedRuns) -> list[int]:
        """Number of documents of each topic that have a judgment, which come first among its documents."""
        if judged.origin is None:
            raise DepthError(f"{self} is computed from documents, but these judged runs have none; judge runs and judgments")
        counts: list[int] = np.diff(judged.origin[0].table.by_topic[1]).tolist()
        return counts
