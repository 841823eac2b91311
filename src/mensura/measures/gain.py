"""Discounted cumulated gain, in the versions that the field uses under one name."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import Gains, Measure, divide, exact, freeze_gains
from mensura.measures.registry import register
from mensura.measures.tied import expected_sum, with_ties

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition, LogDiscount
    from mensura.measures.reals import Exact, Real

Form = Literal["log2", "exp-log2"]


def discounts(ranks: int, base: float | None) -> NDArray[np.float64]:
    """1 / log2(i + 1), or Järvelin and Kekäläinen's 1 / max(1, log_b i), for i = 1 … ranks."""
    rank = np.arange(1, ranks + 1, dtype=np.float64)
    if base is None:
        return np.reciprocal(np.log2(rank + 1))
    return np.reciprocal(np.maximum(1.0, np.log(rank) / np.log(float(base))))


def gain_table(highest: int, form: Form, gains: Gains | None) -> NDArray[np.float64]:
    """The gain of each grade from 0 to the highest."""
    grades = np.arange(highest + 1, dtype=np.float64)
    if gains is None:
        return np.exp2(grades) - 1 if form == "exp-log2" else grades
    for grade, gain in gains:
        if grade <= highest:
            grades[grade] = gain
    return grades


def cumulated(judged: JudgedRuns, measure: CumulatedGain) -> NDArray[np.float64]:
    """DCG of every system and topic."""
    table = gain_table(judged.max_grade, measure.dcg, measure.gains)
    hits = judged.within(measure, 0 if table[0] else 1)  # a gain for grade 0 counts where a document was judged
    grades = judged.grades.reshape(-1)[hits.row * judged.length + hits.rank - 1]
    total = judged.total(hits, table[grades] * discounts(judged.length, measure.base)[hits.rank - 1])
    weight = discounts(measure.cutoff or judged.length, measure.base)
    return with_ties(
        judged,
        total,
        lambda grades, first: expected_sum(np.where(grades >= 0, table[np.maximum(grades, 0)], 0.0), weight, first),
    )


def ideal(judged: JudgedRuns, measure: NDCG) -> NDArray[np.float64]:
    """DCG of the best ranking of each topic's judged documents: the highest gains first."""
    table = gain_table(judged.recall_base.shape[1] - 1, measure.dcg, measure.gains)
    best = np.argsort(-table, kind="stable")
    ends = np.cumsum(judged.recall_base[:, best], axis=1)
    limit = int(ends[:, -1].max(initial=0)) if measure.cutoff is None else measure.cutoff
    ends = np.minimum(ends, limit)
    sums = np.concatenate(([0.0], np.cumsum(discounts(limit, measure.base))))[ends]
    per_grade = np.diff(sums, axis=1, prepend=0.0)
    total = np.zeros(len(per_grade))
    for grade, gain in enumerate(table[best].tolist()):  # not @: the last bits of a product depend on the number of its rows
        total += per_grade[:, grade] * gain
    return total


def exact_gain_table(highest: int, measure: CumulatedGain) -> list[Fraction]:
    """The gain of each grade from 0 to the highest, exactly."""
    if measure.gains is not None:
        named = dict(measure.gains)
        return [exact(named.get(grade, grade)) for grade in range(highest + 1)]
    return [Fraction(2**grade - 1 if measure.dcg == "exp-log2" else grade) for grade in range(highest + 1)]


def exact_cumulated(judged: JudgedRuns, measure: CumulatedGain, rows: NDArray[np.int64]) -> list[Real]:
    """DCG of some rows, exactly."""
    from mensura.measures.reals import Real, exact_weights

    gains = exact_gain_table(judged.max_grade, measure)
    lists = list(judged.found(measure, rows, 0 if gains[0] else 1))
    weights = exact_weights(discount(measure), max((ranks[-1] for ranks, _ in lists if ranks), default=0))
    return [
        Real.total((weights[rank - 1], gains[grade]) for rank, grade in zip(ranks, grades, strict=True)) for ranks, grades in lists
    ]


def exact_ideals(judged: JudgedRuns, measure: NDCG, topics: set[int]) -> dict[int, Real]:
    """DCG of the best ranking of some topics, exactly."""
    from mensura.measures.reals import Real, exact_weights

    gains = exact_gain_table(judged.recall_base.shape[1] - 1, measure)
    best = sorted((grade for grade, gain in enumerate(gains) if gain), key=lambda grade: -gains[grade])
    lists = {topic: [grade for grade in best for _ in range(judged.recall_base[topic, grade])] for topic in topics}
    lists = {topic: grades[: measure.cutoff] for topic, grades in lists.items()}
    weights = exact_weights(discount(measure), max(map(len, lists.values()), default=0))
    return {topic: Real.total(zip(weights, (gains[grade] for grade in grades), strict=False)) for topic, grades in lists.items()}


def discount(measure: CumulatedGain) -> LogDiscount:
    """The discount of ranks."""
    from mensura.measures.decomposition import LogDiscount

    return LogDiscount(Fraction(2), offset=1) if measure.base is None else LogDiscount(exact(measure.base))


@dataclass(frozen=True, repr=False, kw_only=True)
class CumulatedGain(Measure):
    """A measure of gains that are added up with a discount: its parameters, and what follows from them."""

    base: float | None = None
    dcg: Form = "log2"
    gains: Gains | None = None

    expects_ties: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("jarvelin2002gain",)
    reference: ClassVar[str] = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dcg not in {"log2", "exp-log2"}:
            raise MeasureError(f"{self.name}: unknown dcg={self.dcg!r}; use 'log2' (linear gain) or 'exp-log2' (exponential gain)")
        if self.base is not None and not 1 < self.base < float("inf"):
            raise MeasureError(f"{self.name}: base={self.base!r} must be a number above 1: the base of the logarithm")
        object.__setattr__(self, "gains", freeze_gains(self, self.gains))

    @cached_property
    def tells_unjudged(self) -> bool:  # type: ignore[override]
        return bool(dict(self.gains or ()).get(0))

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        from mensura.measures.decomposition import Additive  # takes 4 ms to import, and a score needs none

        table = exact_gain_table(max(grades), self)
        return Additive(discount(self), tuple(table[grade] if grade >= 0 else Fraction(0) for grade in grades))  # −1: not judged

    def condition(self, judged: JudgedRuns) -> float:
        """The relative error of ln b grows as b comes near 1; an ideal ranking is a sum over grades too."""
        near = 1.0 if self.base is None else 1 + float(self.base) / log(self.base)
        return near * judged.recall_base.shape[1]


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class DCG(CumulatedGain):
    r"""Discounted cumulated gain.

    .. math:: DCG@k = \sum_{i=1}^{k} \frac{g_i}{\log_2(i + 1)}, \qquad
              DCG_b@k = \sum_{i=1}^{k} \frac{g_i}{\max(1, \log_b i)}

    Parameters
    ----------
    base
        ``None``: the discount is log2(i + 1), as in trec_eval. A number b: the original discount of Järvelin and Kekäläinen, which
        leaves the first b ranks undiscounted.
    dcg
        ``'log2'``: the gain is the grade. ``'exp-log2'``: it is 2^grade − 1.
    gains
        The gain of each grade instead, as ``{1: 1, 2: 3}``; a grade that is not named gains itself, as in trec_eval.
    """

    name: ClassVar[str] = "DCG"

    @property
    def range(self) -> tuple[float, float]:
        return 0.0, float("inf")

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return cumulated(judged, self)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Exact]:
        return [total.simplest for total in exact_cumulated(judged, self, rows)]


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NDCG(CumulatedGain):
    r"""Normalised discounted cumulated gain: DCG divided by that of the ideal ranking of the judged documents at the same rank.

    .. math:: nDCG@k = \frac{DCG@k}{DCG@k(\text{ideal})}

    ``nDCG@k`` is trec_eval's ``ndcg_cut_k``: linear gain, discount log2(i + 1).

    Parameters
    ----------
    base
        ``None``: the discount is log2(i + 1). A number b: the original discount max(1, log_b i).
    dcg
        ``'log2'``: the gain is the grade. ``'exp-log2'``: it is 2^grade − 1 (Burges et al., ICML 2005).
    gains
        The gain of each grade instead, as ``{1: 1, 2: 3}``; a grade that is not named gains itself, as in trec_eval.
    """

    name: ClassVar[str] = "nDCG"
    uses_recall_base: ClassVar[bool] = True

    @cached_property
    def without_recall_base(self) -> DCG:  # type: ignore[override]
        return DCG(base=self.base, dcg=self.dcg, gains=self.gains, cutoff=self.cutoff)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return divide(cumulated(judged, self), ideal(judged, self))

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Exact]:
        from mensura.measures.reals import Ratio

        topics = (rows % len(judged.topics)).tolist() if len(rows) else []
        best = exact_ideals(judged, self, set(topics))
        totals = zip(exact_cumulated(judged, self, rows), topics, strict=True)
        return [Ratio(total, best[topic]).simplest if best[topic].parts else Fraction(0) for total, topic in totals]
