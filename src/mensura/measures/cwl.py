"""C/W/L measures: a user continues from rank to rank with probabilities, and gains, or pays, at every document that is seen.

C_i is the probability to continue from rank i to the next, given that rank i was seen; W_i = Π_{j<i} C_j / Σ_k Π_{j<k} C_j is the
share of attention that rank i gets; L_i = Π_{j<i} C_j · (1 − C_i) the probability that rank i is the last one. They differ in C.
Exact values are sums over the relevant documents: between two of them C_i is a factor of the rank alone, whose sums are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import Direction, Measure, exact, overridden
from mensura.measures.decomposition import Additive, LogDiscount, Weights
from mensura.measures.gain import discounts
from mensura.measures.reals import Ratio, Real, exact_weights
from mensura.measures.registry import register

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition
    from mensura.measures.reals import Exact

RANKS = 1000
"""Ranks that a user may see, as in cwl_eval."""
MOST_EXACT = 10 * RANKS  # ranks whose sums have thousands of digits
ROWS = 4096  # lists that are computed at a time: 32 MB for each array

Expected = Literal["utility", "total-utility", "cost", "total-cost", "items"]
ADAPTIVE = "how far a user reads depends on the documents above, which Mensura does not count"
AZZOPARDI = "Azzopardi, Mackenzie and Moffat, ERR is not C/W/L, ICTIR 2021"


@dataclass(frozen=True, repr=False, kw_only=True)
class CWLMeasure(Measure):
    """A measure of the C/W/L framework. The gain of a document is its grade in proportion to the highest one.

    Parameters
    ----------
    max_grade
        The highest grade of the scale; by default the highest in the judgments. ir_measures calls it ``max_rel``.
    expected
        Expected ``'utility'`` per document (the measure itself) or ``'total-utility'``; ``'cost'`` per document or
        ``'total-cost'``, where every document costs 1; or the number of ``'items'`` seen.
    """

    max_grade: int | None = None
    expected: Expected = "utility"

    works: ClassVar[tuple[str, ...]] = ("azzopardi2019cwl",)
    reference: ClassVar[str] = "Azzopardi, Thomas and Moffat, cwl_eval: an evaluation tool for information retrieval, SIGIR 2019"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_grade is not None and (not isinstance(self.max_grade, int) or self.max_grade < 1):
            raise MeasureError(f"{self.name}: max_grade={self.max_grade!r} must be a grade of at least 1")
        if self.expected not in get_args(Expected):
            raise MeasureError(f"{self.name}: expected={self.expected!r} is unknown; use one of {', '.join(get_args(Expected))}")

    @property
    def direction(self) -> Direction:  # type: ignore[override]
        """Costs are better when they are lower."""
        return "lower" if self.expected in {"cost", "total-cost", "items"} else "higher"

    @property
    def range(self) -> tuple[float, float]:
        return 0.0, 1.0 if self.expected in {"utility", "cost"} else float("inf")

    @property
    def length(self) -> int:
        """Number of ranks that a user may see."""
        return RANKS

    @property
    def reads_past_lists(self) -> bool:  # type: ignore[override]
        return self.cutoff is None

    def goes_on(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        """C_i for gains [list, rank]."""
        raise NotImplementedError

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        hits = judged.within(self)
        grades = judged.grades.reshape(-1)[hits.row * judged.length + hits.rank - 1]
        seen = hits.rank <= self.length
        values = np.empty(judged.shape[0] * judged.shape[1])
        for start in range(0, len(values), ROWS):
            some = slice(*np.searchsorted(hits.row, (start, start + ROWS)))
            gain = np.zeros((min(ROWS, len(values) - start), self.length))
            kept = seen[some]
            gain[hits.row[some][kept] - start, hits.rank[some][kept] - 1] = grades[some][kept]
            gain = np.minimum(gain / self._highest(judged), 1.0)
            values[start : start + ROWS] = self.expectation(gain, np.arange(1.0, self.length + 1))
        return values.reshape(judged.shape)

    def patience(self, rank: int) -> Fraction | None:
        """W_i in proportion to W_1 for a user who finds nothing; ``None`` where fractions of a thousand ranks would be too long."""
        return None

    def passes(self, gain: Fraction, total: Fraction) -> Fraction:
        """Factor of C_i at a document of this gain, after a ``total`` that includes it."""
        return Fraction(1)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Exact] | None:
        if (until := _attention(self)) is None:
            return None
        top = self._highest(judged)
        values: list[Exact] = []
        for ranks, grades in judged.found(self, rows):
            chance, total, utility, items, before = Fraction(1), Fraction(0), Fraction(0), Fraction(0), 0
            for at, grade in zip(ranks, grades, strict=True):
                if at > self.length or not chance:
                    break
                gain = Fraction(min(grade, top), top)
                total += gain
                utility += chance * (until[at] - until[at - 1]) * gain
                items += chance * (until[at] - until[before])
                chance *= self.passes(gain, total)
                before = at
            items += chance * (until[self.length] - until[before])
            values.append({"utility": utility / items, "total-utility": utility, "cost": Fraction(1)}.get(self.expected, items))
        return values

    def condition(self, judged: JudgedRuns) -> float:
        """A user may see more ranks than the lists have."""
        return max(1.0, self.length / max(judged.length, 1))

    def _highest(self, judged: JudgedRuns) -> int:
        return max(judged.max_grade, 1) if self.max_grade is None else self.max_grade

    def expectation(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        """The value of each list of gains [list, rank]."""
        going_on = np.broadcast_to(self.goes_on(gain, rank), gain.shape)
        seen = np.concatenate((np.ones_like(gain[:, :1]), np.cumprod(going_on, axis=1)[:, :-1]), axis=1)
        if self.expected == "utility":
            return (seen * gain).sum(axis=1) / seen.sum(axis=1)
        if self.expected == "items":
            return np.asarray(seen.sum(axis=1))
        if self.expected == "cost":
            return seen.sum(axis=1) / seen.sum(axis=1)
        last = seen * (1 - going_on)
        total = np.cumsum(gain, axis=1) if self.expected == "total-utility" else rank
        return np.asarray((last * total).sum(axis=1))


@dataclass(frozen=True, repr=False, kw_only=True)
class WithTarget(CWLMeasure):
    """A measure of a user who wants a total gain of T.

    Parameters
    ----------
    T
        Total gain that the user wants, where the highest grade gains 1.
    """

    T: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.T, bool) or not isinstance(self.T, int | float | Fraction) or not 0 < self.T < float("inf"):
            raise MeasureError(f"{self.name}: T={self.T!r} must be a number above 0: the total gain that a user wants")


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class SDCG(CWLMeasure):
    r"""Scaled DCG: the mean of gains, weighted by the discounts of DCG.

    .. math:: SDCG@k = \frac{\sum_{i=1}^{k} g_i / \log_2(i + 1)}{\sum_{i=1}^{k} 1 / \log_2(i + 1)}

    Unlike nDCG it does not depend on the recall base. Without a cut-off, k is 1000.
    """

    name: ClassVar[str] = "SDCG"

    @property
    def length(self) -> int:
        return self.cutoff or RANKS

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition | None:
        """The same for all runs, the sum of the discounts is left out."""
        highest = max(grades) if self.max_grade is None else self.max_grade
        gains = tuple(Fraction(min(max(grade, 0), highest), highest) for grade in grades)
        return Additive(LogDiscount(Fraction(2), offset=1), gains) if self.expected == "utility" else None

    @property
    def scale_obstacle(self) -> str | None:  # type: ignore[override]
        """Only utility depends on grades."""
        return None if self.expected == "utility" else "the number of documents seen is the same for all runs"

    def goes_on(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        return np.where(rank < self.length, np.log2(rank + 1) / np.log2(rank + 2), 0.0)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Exact] | None:
        if self.expected != "utility":
            return None
        weights = exact_weights(LogDiscount(Fraction(2), offset=1), self.length)
        whole = Real.total((weight, Fraction(1)) for weight in weights)
        top = self._highest(judged)
        values: list[Exact] = []
        for ranks, grades in judged.found(self, rows):
            seen = [(at, grade) for at, grade in zip(ranks, grades, strict=True) if at <= self.length]
            total = Real.total((weights[at - 1], Fraction(min(grade, top), top)) for at, grade in seen)
            values.append(Ratio(total, whole).simplest)
        return values

    def expectation(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        if self.expected != "utility":
            return super().expectation(gain, rank)
        weight = discounts(self.length, None)
        return np.asarray((gain * weight).sum(axis=1) / weight.sum())


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class BPM(WithTarget):
    r"""Bejewelled player model: the mean gain of a user who reads on until a total gain of T, or k documents.

    .. math:: C_i = [\sum_{j \le i} g_j < T] \, [i < k]

    Without a cut-off, k is 1000.
    """

    name: ClassVar[str] = "BPM"
    works: ClassVar[tuple[str, ...]] = ("zhang2017bejeweled",)
    reference: ClassVar[str] = "Zhang et al., Evaluating web search with a bejeweled player model, SIGIR 2017"

    @property
    def length(self) -> int:
        return self.cutoff or RANKS

    def goes_on(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        short = float(self.T) - 1e-9  # thirds that are added up in doubles may miss 1
        return np.asarray((np.cumsum(gain, axis=1) < short) & (rank < self.length), dtype=np.float64)

    def patience(self, rank: int) -> Fraction:
        return Fraction(1)

    def passes(self, gain: Fraction, total: Fraction) -> Fraction:
        return Fraction(total < exact(self.T))


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class INSQ(WithTarget):
    r"""INSQ: the mean gain of a user who reads the further, the more gain is wanted, whatever is found.

    .. math:: C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2

    A user sees at most 1000 ranks, as in cwl_eval. With a cut-off, later documents gain nothing.
    """

    name: ClassVar[str] = "INSQ"
    works: ClassVar[tuple[str, ...]] = ("moffat2012models",)
    reference: ClassVar[str] = "Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012"

    @property
    def scale_obstacle(self) -> str | None:  # type: ignore[override]
        """Only utilities depend on grades."""
        return None if self.expected == "utility" else "it is not a sum over ranks, which Mensura counts"

    def goes_on(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        at = rank + 2 * float(self.T)
        return np.asarray(((at - 1) / at) ** 2)

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition | None:
        """The same for all runs, the sum of the weights is left out."""
        if self.expected != "utility":
            return None
        highest = max(grades) if self.max_grade is None else self.max_grade
        gains = tuple(Fraction(min(max(grade, 0), highest), highest) for grade in grades)
        first = 2 * exact(self.T)
        return Additive(Weights(tuple((first / (first + at)) ** 2 if at < RANKS else Fraction(0) for at in range(length))), gains)

    def patience(self, rank: int) -> Fraction | None:
        first = 2 * exact(self.T)
        return (first / (first + rank - 1)) ** 2 if self.expected == "utility" else None


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class INST(WithTarget):
    r"""INST: the mean gain of a user who reads the further, the more of the wanted gain T is still missing.

    .. math:: C_i = \left( \frac{i + T + T_i - 1}{i + T + T_i} \right)^2, \qquad T_i = T - \sum_{j \le i} g_j

    A user sees at most 1000 ranks, as in cwl_eval. With a cut-off, later documents gain nothing.
    """

    name: ClassVar[str] = "INST"
    scale_obstacle: ClassVar[str | None] = ADAPTIVE
    works: ClassVar[tuple[str, ...]] = ("moffat2015inst",)
    reference: ClassVar[str] = "Moffat, Bailey, Scholer and Thomas, INST: an adaptive metric, ADCS 2015"

    def goes_on(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        at = rank + 2 * float(self.T) - np.cumsum(gain, axis=1)
        return np.asarray(((at - 1) / at) ** 2)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NERR8(CWLMeasure):
    r"""Nearly ERR: the mean gain of a user who continues unless a document satisfies, for k ranks.

    .. math:: C_i = (1 - g_i) \, [i < k]

    Without a cut-off, k is 1000.
    """

    name: ClassVar[str] = "NERR8"
    works: ClassVar[tuple[str, ...]] = ("azzopardi2021err",)
    reference: ClassVar[str] = f"{AZZOPARDI}, equation 8"

    @property
    def length(self) -> int:
        return self.cutoff or RANKS

    def goes_on(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        return np.asarray((1 - gain) * (rank < self.length))

    def patience(self, rank: int) -> Fraction:
        return Fraction(1)

    def passes(self, gain: Fraction, total: Fraction) -> Fraction:
        return 1 - gain


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NERR9(NERR8):
    r"""Nearly ERR with tiring users: the mean gain of a user who continues less and less, and not from a document that satisfies.

    .. math:: C_i = \frac{i}{i + 1} (1 - g_i) \, [i < k]

    Without a cut-off, k is 1000.
    """

    name: ClassVar[str] = "NERR9"
    reference: ClassVar[str] = f"{AZZOPARDI}, equation 9"

    def goes_on(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(super().goes_on(gain, rank) * (rank / (rank + 1)))

    def patience(self, rank: int) -> Fraction:
        return Fraction(1, rank)


@lru_cache(maxsize=16)
def _attention(measure: CWLMeasure) -> list[Fraction] | None:
    """Sums of :meth:`CWLMeasure.patience` over the first ranks, from none to all."""
    if measure.length > MOST_EXACT or overridden(measure, "goes_on", "patience"):
        return None
    until = [Fraction(0)]
    for rank in range(1, measure.length + 1):
        weight = measure.patience(rank)
        if weight is None:
            return None
        until.append(until[-1] + weight)
    return until


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NERR10(CWLMeasure):
    r"""Nearly ERR with the persistence of RBP.

    .. math:: C_i = p \, (1 - g_i)

    A user sees at most 1000 ranks, as in cwl_eval. With a cut-off, later documents gain nothing.

    Parameters
    ----------
    p
        The persistence.
    """

    p: float = 0.9

    name: ClassVar[str] = "NERR10"
    scale_obstacle: ClassVar[str | None] = ADAPTIVE
    works: ClassVar[tuple[str, ...]] = ("azzopardi2021err",)
    reference: ClassVar[str] = f"{AZZOPARDI}, equation 10"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.p, int | float | Fraction) or not 0 < self.p < 1:
            raise MeasureError(f"NERR10: p={self.p} must be between 0 and 1; it is the probability to continue")

    def goes_on(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(float(self.p) * (1 - gain))


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NERR11(WithTarget):
    r"""Nearly ERR with the weights of INSQ.

    .. math:: C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2 (1 - g_i)

    A user sees at most 1000 ranks, as in cwl_eval. With a cut-off, later documents gain nothing.
    """

    name: ClassVar[str] = "NERR11"
    scale_obstacle: ClassVar[str | None] = ADAPTIVE
    works: ClassVar[tuple[str, ...]] = ("azzopardi2021err",)
    reference: ClassVar[str] = f"{AZZOPARDI}, equation 11"

    def goes_on(self, gain: NDArray[Any], rank: NDArray[Any]) -> NDArray[Any]:
        at = rank + 2 * float(self.T)
        return np.asarray(((at - 1) / at) ** 2 * (1 - gain))
