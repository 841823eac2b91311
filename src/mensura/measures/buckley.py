"""Gain measures of trec_eval that look at the ideal ranking rank by rank: nDCGrel, RnDCG, G and binG."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.measures.base import Gains, Measure, divide, freeze_gains, per_row
from mensura.measures.decomposition import LogDiscount
from mensura.measures.gain import discounts, gain_table
from mensura.measures.reals import Real, exact_weights
from mensura.measures.registry import register

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import Hits, JudgedRuns
    from mensura.measures.reals import Exact

    Floats = NDArray[np.float64]

TREC_EVAL = "Buckley, trec_eval; Voorhees and Harman, TREC: experiment and evaluation in information retrieval, 2005"
NOT_COUNTED = "its value depends on the recall base at every rank, which Mensura does not count"


@dataclass(frozen=True, repr=False, kw_only=True)
class GainMeasure(Measure):
    """A measure of gains beside those of the ideal ranking.

    Parameters
    ----------
    gains
        The gain of each grade, as ``{1: 1, 2: 3}``; a grade that is not named gains itself, as in trec_eval.
    """

    gains: Gains | None = None

    uses_recall_base: ClassVar[bool] = True
    scale_obstacle: ClassVar[str | None] = NOT_COUNTED
    works: ClassVar[tuple[str, ...]] = ("voorhees2005trec",)
    reference: ClassVar[str] = TREC_EVAL

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "gains", freeze_gains(self, self.gains))

    @cached_property
    def tells_unjudged(self) -> bool:  # type: ignore[override]
        return bool(dict(self.gains or ()).get(0))

    def gained(self, judged: JudgedRuns) -> tuple[Hits, Floats]:
        """The documents that gain something, and their gains."""
        table = gain_table(judged.max_grade, "log2", self.gains)
        hits = judged.within(self, 0 if table[0] else 1)
        gain = table[judged.grades.reshape(-1)[hits.row * judged.length + hits.rank - 1]]
        kept = gain > 0
        return type(hits)(hits.row[kept], hits.rank[kept], hits.nth[kept]), gain[kept]

    def ideals(self, judged: JudgedRuns) -> list[Floats]:
        """The gains of the ideal ranking of each topic, the highest first, those above 0."""
        table = gain_table(judged.recall_base.shape[1] - 1, "log2", self.gains)
        best = [grade for grade in np.argsort(-table, kind="stable").tolist() if table[grade] > 0]
        return [np.repeat(table[best], counts[best]) for counts in judged.recall_base]


def curves(ideals: Sequence[Floats], ranks: int) -> Floats:
    """Sums of terms up to each rank [topic, rank], from 0 for none; they stay the same after the last term."""
    steps = np.zeros((len(ideals), ranks + 1))
    for row, terms in zip(steps, ideals, strict=True):
        row[1 : len(terms) + 1] = terms[:ranks]
    return np.cumsum(steps, axis=1)


def sums_down(hits: Hits, terms: Floats) -> Floats:
    """For each hit, the sum of the terms of its row down to it, which does not depend on other rows."""
    place = np.arange(len(terms)) - np.searchsorted(hits.row, hits.row)
    sums = terms.copy()
    for now in np.split(np.argsort(place, kind="stable"), np.cumsum(np.bincount(place)))[1:-1]:  # all second hits, all third, …
        sums[now] += sums[now - 1]
    return sums


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NDCGRel(GainMeasure):
    r"""nDCG averaged over the relevant documents: the mean of nDCG at the rank of each, and at the end for those not retrieved.

    .. math:: \frac{1}{RB} \left( \sum_{i \,:\, g_i > 0} nDCG@i + (RB - |\{i : g_i > 0\}|) \, nDCG \right)

    It is to nDCG as AP to precision. With a cut-off, ranks after it are left out.
    """

    name: ClassVar[str] = "nDCGrel"

    def score(self, judged: JudgedRuns) -> Floats:
        hits, gain = self.gained(judged)
        ideals = self.ideals(judged)
        ranks = max(judged.length, *(len(each) for each in ideals), 1)
        weight = discounts(ranks, None)
        best = curves([each * weight[: len(each)] for each in ideals], ranks)
        reached = sums_down(hits, gain * weight[hits.rank - 1])
        sizes = np.array([len(each) for each in ideals], dtype=np.int64)
        here = judged.total(hits, divide(reached, best[hits.row % max(len(ideals), 1), hits.rank]))
        end = divide(judged.total(hits, gain * weight[hits.rank - 1]), best[:, -1])
        return divide(here + (sizes - judged.total(hits)) * end, sizes)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class RNDCG(GainMeasure):
    r"""nDCG at the recall levels: the mean of nDCG where the grade of the ideal ranking falls, and at the end of the list.

    With 5 documents of grade 3, 3 of grade 2 and 10 of grade 1, it is the mean of nDCG@5, nDCG@8, nDCG@18 and nDCG. The end of
    the list counts if at least two documents come after the last level, as in trec_eval's ``Rndcg``.

    Parameters
    ----------
    gains
        The gain of each grade, as ``{1: 1, 2: 3}``; a grade that is not named gains itself.
    rel
        A topic without a document of this grade or a higher one counts 0.
    """

    rel: int = 1

    name: ClassVar[str] = "RnDCG"

    @cached_property
    def graded(self) -> bool:
        return True

    def score(self, judged: JudgedRuns) -> Floats:
        hits, gain = self.gained(judged)
        ideals = self.ideals(judged)
        longest = max((len(each) for each in ideals), default=0)
        weight = discounts(max(judged.length, longest, 1), None)
        best = curves([each * weight[: len(each)] for each in ideals], longest)
        ends = [[*np.flatnonzero(np.diff(each)) + 1, len(each)] if len(each) else [] for each in ideals]
        levels = np.zeros((len(ideals), max(map(len, ends), default=0)), dtype=np.int64)  # 0 where a topic has no more levels
        for row, each in zip(levels, ends, strict=True):
            row[: len(each)] = each
        terms = gain * weight[hits.rank - 1]
        total = np.zeros(judged.shape)
        topics = np.arange(len(ideals))
        for at in levels.T:
            early = hits.rank <= judged.per_topic(at)[hits.row]
            total += divide(judged.total(hits, terms * early), best[topics, at])
        retrieved = judged.retrieved if self.cutoff is None else np.minimum(judged.retrieved, self.cutoff)
        size = np.array([len(each) for each in ideals], dtype=np.int64)
        end = retrieved >= size + 2
        total += np.where(end, divide(judged.total(hits, terms), best[:, -1]), 0.0)
        return divide(total, ((levels > 0).sum(axis=1) + end) * (judged.relevant(self.rel) > 0))


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class G(GainMeasure):
    r"""G: gains, each discounted by what the ranking has lost to the ideal one so far.

    .. math:: G = \frac{1}{\sum_j g^*_j} \sum_i \frac{g_i}{\log_2 (2 + \sum_{j \le i} \max(g^*_j, 1) - \sum_{j \le i} g_j)}

    g* are the gains of the ideal ranking. With a cut-off, ranks after it are left out.
    """

    name: ClassVar[str] = "G"

    def score(self, judged: JudgedRuns) -> Floats:
        hits, gain = self.gained(judged)
        ideals = self.ideals(judged)
        costs = curves([np.maximum(each, 1.0) - 1 for each in ideals], max(judged.length, 1))
        cost = costs[hits.row % max(len(ideals), 1), hits.rank] + hits.rank
        lost = cost - sums_down(hits, gain)
        return divide(judged.total(hits, gain / np.log2(2 + lost)), np.array([each.sum() for each in ideals]))


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class BinG(Measure):
    r"""Binary G: relevant documents, each discounted by the number of documents above it that are not relevant.

    .. math:: binG = \frac{1}{RB} \sum_{i \,:\, r_i = 1} \frac{1}{\log_2 (2 + |\{j < i : r_j = 0\}|)}

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "binG"
    uses_recall_base: ClassVar[bool] = True
    scale_per_topic: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("voorhees2005trec",)
    reference: ClassVar[str] = TREC_EVAL

    def score(self, judged: JudgedRuns) -> Floats:
        hits = judged.within(self, self.rel)
        weight = discounts(max(judged.length, 1), None)
        return divide(judged.total(hits, weight[hits.rank - hits.nth]), judged.relevant(self.rel))

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Exact]:
        weights = exact_weights(LogDiscount(Fraction(2), offset=1), max(judged.length, 1))
        values: list[Exact] = []
        for (ranks, _), base in zip(judged.found(self, rows, self.rel), per_row(rows, judged.relevant(self.rel)), strict=True):
            share = Fraction(1, max(base, 1))
            values.append(Real.total((weights[rank - nth], share) for nth, rank in enumerate(ranks, start=1)).simplest)
        return values
