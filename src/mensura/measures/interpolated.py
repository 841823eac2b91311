"""Interpolated precision at levels of recall."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import Measure, without_relevant
from mensura.measures.decomposition import Interpolated
from mensura.measures.registry import register

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.io.reading import Compat
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import TopicDecomposition

LEVELS = tuple(level / 10 for level in range(11))


def needed(judged: JudgedRuns, recall: float, rel: int) -> NDArray[np.int64]:
    """Return the number of relevant documents of each topic that a level of recall stands for, at least 1."""
    counts = [needed_of(int(base), recall, judged.compat) for base in judged.relevant(rel)]
    return np.array(counts, dtype=np.int64)


def needed_of(base: int, recall: float, compat: Compat) -> int:
    """Return the number of relevant documents out of ``base`` that a level of recall stands for, at least 1.

    trec_eval 10 rounds recall · RB to the nearest whole number, halves up; up to version 9 it was floor(recall · RB + 0.9). The
    product is a double, as in trec_eval: of 45 documents, recall 0.7 is 31.499999999999996, so 31 and not 32.
    """
    return max(1, int(recall * base + (0.9 if compat == "trec_eval-9" else 0.5)))


def decomposed(measure: IPrec | IPrec11, levels: Sequence[float], counts: Mapping[int, int], compat: Compat) -> Interpolated | None:
    """The highest precision at or after each level of recall, on a topic with ``counts`` documents of each grade, if any."""
    base = sum(count for grade, count in counts.items() if grade >= measure.rel)
    return Interpolated(tuple(needed_of(base, level, compat) for level in levels), measure.rel) if base else None


def interpolated(judged: JudgedRuns, measure: IPrec | IPrec11, recall: float) -> NDArray[np.float64]:
    """The highest precision at or after the rank where the level of recall is reached."""
    hits = judged.within(measure, measure.rel)
    rows = judged.shape[0] * judged.shape[1]
    least = judged.per_topic(needed(judged, recall, measure.rel))
    reached = hits.nth >= least[hits.row]
    best = np.zeros(rows)
    np.maximum.at(best, hits.row[reached], (hits.nth / hits.rank)[reached])
    return best.reshape(judged.shape)


def exactly(judged: JudgedRuns, measure: IPrec | IPrec11, rows: NDArray[np.int64], levels: Sequence[float]) -> list[list[Fraction]]:
    """The highest precision at or after each level of recall, for each of some rows; the counts of levels are those of doubles."""
    counts = np.stack([needed(judged, level, measure.rel) for level in levels], axis=1)
    least = counts[rows % len(counts)].tolist()
    best = []
    for (ranks, _), least_counts in zip(judged.found(measure, rows, measure.rel), least, strict=True):
        highest = [Fraction(0)]  # precision at the nth relevant document or after it, from the last to the first
        for nth in range(len(ranks), 0, -1):
            highest.append(max(highest[-1], Fraction(nth, ranks[nth - 1])))
        best.append([highest[max(len(ranks) - count + 1, 0)] for count in least_counts])
    return best


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class IPrec(Measure):
    r"""Interpolated precision at a level of recall.

    .. math:: IPrec@\rho = \max_{i \,:\, R@i \ge \rho} P@i

    ``IPrec @ 0.1`` sets the level of recall.

    Parameters
    ----------
    recall
        The level of recall, from 0 to 1.
    rel
        The lowest grade that counts as relevant.
    """

    recall: float = 0.0
    rel: int = 1

    name: ClassVar[str] = "IPrec"
    works: ClassVar[tuple[str, ...]] = ("manning2008introduction",)
    uses_recall_base: ClassVar[bool] = True
    scale_per_topic: ClassVar[bool] = True
    reference: ClassVar[str] = "Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.recall, int | float | Fraction) or not 0 <= self.recall <= 1:
            raise MeasureError(f"IPrec@{self.recall}: a level of recall lies between 0 and 1")
        object.__setattr__(self, "recall", float(self.recall))

    def __matmul__(self, recall: float) -> IPrec:
        return dataclasses.replace(self, recall=recall)

    def __str__(self) -> str:
        name = self.name if self.rel == 1 else f"{self.name}(rel={self.rel})"
        return f"{name}@{self.recall}"

    __repr__ = __str__

    def parameters(self) -> dict[str, Any]:
        return {} if self.rel == 1 else {"rel": self.rel}

    def decompose_topic(
        self, length: int, grades: tuple[int, ...], counts: Mapping[int, int], compat: Compat
    ) -> TopicDecomposition:
        return decomposed(self, (self.recall,), counts, compat) or without_relevant(length, grades)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return interpolated(judged, self, self.recall)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return [best for (best,) in exactly(judged, self, rows, (self.recall,))]

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1 / max(judged.length, 1) ** 2


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class IPrec11(Measure):
    """Eleven-point average: the mean of the interpolated precision at recall 0, 0.1, …, 1.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    at
        Other levels of recall, as ``(0.25, 0.5, 0.75)``.
    """

    rel: int = 1
    at: tuple[float, ...] | None = None

    name: ClassVar[str] = "IPrec11"
    works: ClassVar[tuple[str, ...]] = ("manning2008introduction",)
    uses_recall_base: ClassVar[bool] = True
    scale_per_topic: ClassVar[bool] = True
    reference: ClassVar[str] = "Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.at is not None:
            levels = tuple(self.at) if isinstance(self.at, tuple | list) else ()
            if not levels or not all(isinstance(level, int | float | Fraction) and 0 <= level <= 1 for level in levels):
                raise MeasureError(f"IPrec11: at={self.at!r} must list levels of recall from 0 to 1, e.g. (0.25, 0.5, 0.75)")
            object.__setattr__(self, "at", levels)

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels of recall."""
        return LEVELS if self.at is None else tuple(map(float, self.at))

    def decompose_topic(
        self, length: int, grades: tuple[int, ...], counts: Mapping[int, int], compat: Compat
    ) -> TopicDecomposition:
        return decomposed(self, self.levels, counts, compat) or without_relevant(length, grades)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        total = sum((interpolated(judged, self, level) for level in self.levels), np.zeros(judged.shape))
        return total / len(self.levels)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return [sum(best, Fraction(0)) / len(self.levels) for best in exactly(judged, self, rows, self.levels)]
