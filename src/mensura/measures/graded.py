"""Graded relatives of average precision and recall: gAP, Q-measure and NCG."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.average_precision import AP
from mensura.measures.base import Gains, Measure, divide, exact, freeze_gains, quotients
from mensura.measures.buckley import NOT_COUNTED, GainMeasure, curves, sums_down
from mensura.measures.decomposition import Additive, Weights
from mensura.measures.registry import register

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition

    Floats = NDArray[np.float64]


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class GAP(Measure):
    r"""Graded average precision: AP for users who differ in the lowest grade that they call relevant.

    .. math:: gAP@k = \frac{\sum_j t_j \sum_{i=1}^{k} [g_i \ge j] \frac{1}{i} |\{m \le i : g_m \ge j\}|}{\sum_j t_j \, RB_j}

    t_j is the probability that a user calls grade j and higher ones relevant, RB_j the number of those documents. With binary
    judgments it is AP.

    Parameters
    ----------
    thresholds
        The probability of each grade, as ``{1: 0.5, 2: 0.5}``; by default all grades up to the highest are equally probable.
    """

    thresholds: Gains | None = None

    name: ClassVar[str] = "gAP"
    uses_recall_base: ClassVar[bool] = True
    scale_per_topic: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("robertson2010gap",)
    reference: ClassVar[str] = "Robertson, Kanoulas and Yilmaz, Extending average precision to graded relevance, SIGIR 2010"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "thresholds", freeze_gains(self, self.thresholds, "thresholds"))
        if self.thresholds is not None and (dict(self.thresholds).get(0) or not any(chance for _, chance in self.thresholds)):
            raise MeasureError("gAP: thresholds must give probabilities to grades from 1 up, e.g. thresholds={1: 0.5, 2: 0.5}")

    def _chances(self, judged: JudgedRuns) -> list[tuple[int, Fraction]]:
        if self.thresholds is None:
            return [(grade, Fraction(1)) for grade in range(1, max(judged.max_grade, 1) + 1)]  # equal ones cancel out
        return [(grade, exact(chance)) for grade, chance in self.thresholds if chance]

    def score(self, judged: JudgedRuns) -> Floats:
        total, base = np.zeros(judged.shape), np.zeros(judged.shape[1])
        for grade, chance in self._chances(judged):
            hits = judged.within(self, grade)
            total += float(chance) * judged.total(hits, hits.nth / hits.rank)
            base += float(chance) * judged.relevant(grade)
        return divide(total, base)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        total, base = [Fraction(0)] * len(rows), [Fraction(0)] * len(rows)
        topics = (rows % max(len(judged.topics), 1)).tolist()
        for grade, chance in self._chances(judged):
            relevant = judged.relevant(grade).tolist()
            base = [each + chance * relevant[topic] for each, topic in zip(base, topics, strict=True)]
            values = AP(rel=grade, cutoff=self.cutoff).exact_scores(judged, rows)
            shares = (value * relevant[topic] for value, topic in zip(values, topics, strict=True))
            total = [each + chance * share for each, share in zip(total, shares, strict=True)]
        return quotients(total, base)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Q(GainMeasure):
    r"""Q-measure: AP with a blended ratio of documents and gains in the place of precision.

    .. math:: Q = \frac{1}{RB} \sum_{i \,:\, g_i > 0} \frac{|\{j \le i : g_j > 0\}| + \beta \sum_{j \le i} g_j}
              {i + \beta \sum_{j \le i} g^*_j}

    g* are the gains of the ideal ranking. With β = 0 it is AP. With a cut-off, ranks after it are left out.

    Parameters
    ----------
    gains
        The gain of each grade, as ``{1: 1, 2: 3}``; a grade that is not named gains itself.
    beta
        The weight of gains beside documents.
    """

    beta: float = 1.0

    name: ClassVar[str] = "Q"
    scale_obstacle: ClassVar[str | None] = NOT_COUNTED
    works: ClassVar[tuple[str, ...]] = ("sakai2004q",)
    reference: ClassVar[str] = "Sakai, New performance metrics based on multigrade relevance, NTCIR-4, 2004"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.beta < float("inf"):
            raise MeasureError(f"Q: beta={self.beta!r} must be a number of at least 0")

    def score(self, judged: JudgedRuns) -> Floats:
        hits, gain = self.gained(judged)
        beta = float(self.beta)
        ideals = self.ideals(judged)
        best = curves(ideals, max(judged.length, 1))[hits.row % max(len(ideals), 1), hits.rank]
        count, total = sums_down(hits, np.ones(len(gain))), sums_down(hits, gain)
        ratio = (count + beta * total) / (hits.rank + beta * best)
        return divide(judged.total(hits, ratio), np.array([len(each) for each in ideals]))


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NCG(Measure):
    r"""Normalised cumulated gain: the gain of the first k documents, in proportion to the most that k documents can gain.

    .. math:: NCG@k = \frac{\sum_{i=1}^{k} g_i}{\sum_{i=1}^{k} g^*_i}

    It is graded recall at cut-offs where all relevant documents fit, and does not depend on the order of the first k.

    Parameters
    ----------
    gains
        The gain of each grade, as ``{1: 1, 2: 3}``; a grade that is not named gains itself.
    """

    gains: Gains | None = None

    name: ClassVar[str] = "NCG"
    uses_recall_base: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("jarvelin2002gain",)
    reference: ClassVar[str] = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "gains", freeze_gains(self, self.gains))
        if dict(self.gains or ()).get(0):
            raise MeasureError("NCG: grade 0 is not relevant and gains nothing")

    def _table(self, highest: int) -> list[Fraction]:
        named = dict(self.gains or ())
        return [exact(named.get(grade, grade)) for grade in range(highest + 1)]

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        table = self._table(max(grades))
        return Additive(Weights((Fraction(1),) * length), tuple(table[max(grade, 0)] for grade in grades))

    def _ideal(self, judged: JudgedRuns) -> list[Fraction]:
        """The most that the first k documents of each topic can gain."""
        table = self._table(judged.recall_base.shape[1] - 1)
        best = sorted((grade for grade, gain in enumerate(table) if gain), key=lambda grade: -table[grade])
        ideals = []
        for counts in judged.recall_base.tolist():
            left, total = self.cutoff or sum(counts), Fraction(0)
            for grade in best:
                total += table[grade] * min(left, counts[grade])
                left -= min(left, counts[grade])
            ideals.append(total)
        return ideals

    def score(self, judged: JudgedRuns) -> Floats:
        hits = judged.within(self)
        table = np.array(self._table(judged.max_grade), dtype=np.float64)
        gain = table[judged.grades.reshape(-1)[hits.row * judged.length + hits.rank - 1]]
        return divide(judged.total(hits, gain), np.array(self._ideal(judged), dtype=np.float64))

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        table, ideal = self._table(judged.max_grade), self._ideal(judged)
        totals = (sum((table[grade] for grade in grades), Fraction(0)) for _, grades in judged.found(self, rows))
        return quotients(totals, (ideal[topic] for topic in (rows % max(len(ideal), 1)).tolist()))
