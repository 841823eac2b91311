"""Measures of the set of documents above the cut-off: P, R, F, Success, set AP, utility, and R-precision."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import (
    Measure,
    counted_relevant,
    divide,
    exact,
    per_row,
    quotients,
    whole_scores,
    without_relevant,
)
from mensura.measures.registry import register
from mensura.measures.tied import expected_cascade, expected_sum, with_ties

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.io.reading import Compat
    from mensura.judged.runs import Hits, JudgedRuns
    from mensura.measures.decomposition import Decomposition


def hit_counts(judged: JudgedRuns, measure: P | R | F | SetAP, rows: NDArray[np.int64]) -> list[int]:
    """Numbers of relevant documents of some rows."""
    return [len(ranks) for ranks, _ in judged.found(measure, rows, measure.rel)]


def hits_above(judged: JudgedRuns, measure: P | R) -> NDArray[np.float64]:
    """Numbers of relevant documents above the cut-off, [system, topic]; expected numbers where that is asked for."""
    ones = np.ones(measure.cutoff or judged.length)
    return with_ties(
        judged,
        judged.total(judged.within(measure, measure.rel)),
        lambda grades, first: expected_sum((grades >= measure.rel).astype(np.float64), ones, first),
    )


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class P(Measure):
    r"""Precision: the fraction of the first k documents that is relevant.

    .. math:: P@k = \frac{1}{k} \sum_{i=1}^{k} r_i

    A list shorter than k is padded with documents that are not relevant. Without a cut-off, k is the number of documents retrieved
    for the topic (trec_eval's ``set_P``).

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "P"
    expects_ties: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("kent1955machine",)
    reference: ClassVar[str] = "Kent et al., Machine literature searching VIII, American Documentation 6, 1955"

    @cached_property
    def uses_length(self) -> bool:  # type: ignore[override]
        return self.cutoff is None

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        return counted_relevant(length, self.rel, length)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits = hits_above(judged, self)
        return divide(hits, judged.retrieved) if self.cutoff is None else hits / self.cutoff

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return quotients(hit_counts(judged, self, rows), judged.lengths(self.cutoff)[rows].tolist())

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1 / max(int(judged.lengths(self.cutoff).max(initial=1)), 1) ** 2


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class R(Measure):
    r"""Recall: the fraction of the relevant documents that is among the first k.

    .. math:: R@k = \frac{1}{RB} \sum_{i=1}^{k} r_i

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    capped
        Divide by min(k, RB), the most that k ranks can contain: BEIR's ``R_cap`` and trec_eval's ``relative_P``. Without a
        cut-off, k is the number of documents retrieved (``set_relative_P``).
    """

    rel: int = 1
    capped: bool = False

    name: ClassVar[str] = "R"
    expects_ties: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("kent1955machine",)
    uses_recall_base: ClassVar[bool] = True
    reference: ClassVar[str] = "Kent et al., Machine literature searching VIII, American Documentation 6, 1955"

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        return counted_relevant(length, self.rel)

    @cached_property
    def without_recall_base(self) -> P | None:  # type: ignore[override]
        return None if self.cutoff is None else P(rel=self.rel, cutoff=self.cutoff)

    @cached_property
    def uses_length(self) -> bool:  # type: ignore[override]
        return self.capped and self.cutoff is None

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        by = judged.recall_divisor(self.rel, self.cutoff, capped=self.capped)
        return divide(hits_above(judged, self), by.reshape(judged.shape))

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        by = judged.recall_divisor(self.rel, self.cutoff, capped=self.capped)
        return quotients(hit_counts(judged, self, rows), by[rows].tolist())

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1 / max(int(judged.relevant(self.rel).max(initial=1)), 1) ** 2


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class F(Measure):
    r"""The F measure: the weighted harmonic mean of precision and recall.

    .. math:: F_\beta@k = \frac{(1 + \beta^2) \, P \, R}{\beta^2 P + R}

    Parameters
    ----------
    beta
        How many times more recall counts than precision.
    rel
        The lowest grade that counts as relevant.
    """

    beta: float = 1.0
    rel: int = 1

    name: ClassVar[str] = "F"
    works: ClassVar[tuple[str, ...]] = ("vanrijsbergen1979ir",)
    uses_recall_base: ClassVar[bool] = True
    reference: ClassVar[str] = "van Rijsbergen, Information Retrieval, 2nd ed., 1979, chapter 7"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.beta < float("inf"):
            raise MeasureError(f"F: beta={self.beta!r} must be a number of at least 0")

    @cached_property
    def uses_length(self) -> bool:  # type: ignore[override]
        return self.cutoff is None

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        return counted_relevant(length, self.rel)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        judged.need(self.depth, self)
        precision = P(rel=self.rel, cutoff=self.cutoff).score(judged)
        recall = R(rel=self.rel, cutoff=self.cutoff).score(judged)
        weight = float(self.beta) ** 2
        return divide((1 + weight) * precision * recall, weight * precision + recall)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        weight = exact(self.beta) ** 2
        counts, bases = hit_counts(judged, self, rows), per_row(rows, judged.relevant(self.rel))
        lengths = judged.lengths(self.cutoff)[rows].tolist()
        return quotients(
            ((1 + weight) * count for count in counts),
            (weight * base + length for base, length in zip(bases, lengths, strict=True)),
        )


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class SetAP(Measure):
    r"""Average precision of a set: the product of precision and recall.

    .. math:: SetAP@k = \frac{(\sum_{i=1}^{k} r_i)^2}{k \cdot RB}

    Every relevant document of the set counts with the precision of the set. Without a cut-off, k is the number of documents
    retrieved (trec_eval's ``set_map``).

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "SetAP"
    uses_recall_base: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("voorhees2005trec",)
    reference: ClassVar[str] = "Voorhees and Harman, TREC: experiment and evaluation in information retrieval, 2005, chapter 3"

    @cached_property
    def uses_length(self) -> bool:  # type: ignore[override]
        return self.cutoff is None

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Counted

        return Counted("relevant", tuple(Fraction(number**2, length) for number in range(length + 1)), length, self.rel)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return divide(judged.total(judged.within(self, self.rel)) ** 2, self._by(judged).reshape(judged.shape))

    def _by(self, judged: JudgedRuns) -> NDArray[np.int64]:
        return judged.lengths(self.cutoff) * judged.per_topic(judged.relevant(self.rel))

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return quotients((count**2 for count in hit_counts(judged, self, rows)), self._by(judged)[rows].tolist())

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1 / max(float(self._by(judged).max(initial=1)), 1.0) ** 2


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Utility(Measure):
    r"""Utility of a set: a weighted sum of the numbers of documents of the contingency table.

    .. math:: a \cdot |\text{relevant, retrieved}| + b \cdot |\text{other, retrieved}|
        + c \cdot |\text{relevant, missed}| + d \cdot |\text{other, missed}|

    By default the number of relevant documents retrieved less that of the others. The set is the first k documents, or all that
    were retrieved.

    Parameters
    ----------
    a, b, c, d
        Worth of a document that is relevant and retrieved, not relevant and retrieved, relevant and missed, neither.
    collection
        Number of documents of the collection, which d needs (trec_eval's ``-N``).
    rel
        The lowest grade that counts as relevant.
    """

    a: float = 1
    b: float = -1
    c: float = 0
    d: float = 0
    collection: int = 0
    rel: int = 1

    name: ClassVar[str] = "Utility"
    uses_recall_base: ClassVar[bool] = True
    scale_obstacle: ClassVar[str | None] = "its value depends on how many documents were retrieved, not on their grades alone"
    works: ClassVar[tuple[str, ...]] = ("voorhees2005trec",)
    reference: ClassVar[str] = "Voorhees and Harman, TREC: experiment and evaluation in information retrieval, 2005"

    def __post_init__(self) -> None:
        super().__post_init__()
        for key in "abcd":
            worth: float = getattr(self, key)
            if isinstance(worth, bool) or not isinstance(worth, int | float | Fraction) or not abs(worth) < float("inf"):
                raise MeasureError(f"Utility: {key}={worth!r} must be a number: what a document is worth")
        if not isinstance(self.collection, int) or self.collection < 0 or (self.d and not self.collection):
            raise MeasureError("Utility: d counts documents that were not retrieved; give their number, e.g. collection=100000")

    @property
    def range(self) -> tuple[float, float]:
        return float("-inf"), float("inf")

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return sum((float(worth) * count for worth, count in self._counts(judged)), np.zeros(judged.shape))

    def _counts(self, judged: JudgedRuns) -> list[tuple[float, NDArray[np.float64]]]:
        """Each worth with the numbers of documents [system, topic]."""
        hits = judged.total(judged.within(self, self.rel))
        retrieved = np.minimum(judged.lengths(self.cutoff).reshape(judged.shape), judged.retrieved)
        missed = judged.relevant(self.rel) - hits
        return [(self.a, hits), (self.b, retrieved - hits), (self.c, missed), (self.d, self.collection - retrieved - missed)]

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        counts = [(exact(worth), count.ravel()[rows].tolist()) for worth, count in self._counts(judged)]
        return [sum((worth * int(count[at]) for worth, count in counts), Fraction(0)) for at in range(len(rows))]


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Success(Measure):
    """Success: 1 if a relevant document is among the first k, else 0.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "Success"
    expects_ties: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("craswell2004web",)
    reference: ClassVar[str] = "Craswell and Hawking, Overview of the TREC-2004 web track, 2004"

    @cached_property
    def uses_length(self) -> bool:  # type: ignore[override]
        return self.cutoff is None

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Counted

        return Counted("any", (Fraction(0), Fraction(1)), length, self.rel)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        found_any = (judged.total(judged.within(self, self.rel)) > 0).astype(np.float64)
        payoff = np.ones(self.cutoff or judged.length)
        return with_ties(
            judged, found_any, lambda grades, first: expected_cascade((grades >= self.rel).astype(np.float64), payoff, first)
        )

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return whole_scores(self, judged, rows)

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1.0


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Rprec(Measure):
    r"""R-precision: precision at the rank that equals the number of relevant documents.

    .. math:: Rprec = \frac{1}{RB} \sum_{i=1}^{RB} r_i

    With a cut-off, ranks after it count as not relevant.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    multiple
        Precision at this multiple of RB instead, with ⌊multiple · RB + 0.9⌋ ranks as in trec_eval's ``Rprec_mult``.
    """

    rel: int = 1
    multiple: float = 1

    name: ClassVar[str] = "Rprec"
    works: ClassVar[tuple[str, ...]] = ("buckley2000stability",)
    uses_recall_base: ClassVar[bool] = True
    scale_per_topic: ClassVar[bool] = True
    reference: ClassVar[str] = "Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000"

    def __post_init__(self) -> None:
        super().__post_init__()
        number = isinstance(self.multiple, int | float | Fraction) and not isinstance(self.multiple, bool)
        if not number or not 0 < self.multiple < float("inf"):
            raise MeasureError(f"Rprec: multiple={self.multiple!r} must be a number above 0, e.g. 0.5 for half the recall base")

    def ranks_of(self, base: int) -> int:
        """Number of ranks that count on a topic with ``base`` relevant documents; the product is a double, as in trec_eval."""
        return base if self.multiple == 1 else int(float(self.multiple) * base + 0.9)

    def ranks(self, judged: JudgedRuns) -> NDArray[np.int64]:
        """Number of ranks that count on each topic."""
        return np.array([self.ranks_of(base) for base in judged.relevant(self.rel).tolist()], dtype=np.int64)

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        """On a topic with as many relevant documents as there are ranks, or more."""
        return counted_relevant(length, self.rel)

    def decompose_topic(self, length: int, grades: tuple[int, ...], counts: Mapping[int, int], compat: Compat) -> Decomposition:
        ranks = self.ranks_of(sum(count for grade, count in counts.items() if grade >= self.rel))
        return counted_relevant(min(length, ranks), self.rel, ranks) if ranks else without_relevant(length, grades)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits: Hits = judged.within(self, self.rel)
        ranks = self.ranks(judged)
        early = hits.rank <= judged.per_topic(ranks)[hits.row]
        return divide(judged.total(hits, early.astype(np.float64)), ranks)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        last = per_row(rows, self.ranks(judged))
        ranks = (ranks for ranks, _ in judged.found(self, rows, self.rel))
        return quotients((bisect_right(each, end) for each, end in zip(ranks, last, strict=True)), last)

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1 / max(int(self.ranks(judged).max(initial=1)), 1) ** 2
