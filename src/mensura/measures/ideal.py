"""A-corr against the ideal ranking: the area measure of P1 as a measure of effectiveness."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import Measure, divide, exact, without_relevant
from mensura.measures.decomposition import Area
from mensura.measures.registry import register

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.io.reading import Compat
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import TopicDecomposition

    Floats = NDArray[np.float64]


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class ACorr(Measure):
    r"""A-corr with the ideal ranking: how little a user who reads a run down to rank k has lost to the ideal order.

    .. math:: Acorr@k = 1 - \frac{A(k)}{A^*(k)}, \quad
        A(k) = \sum_{i=1}^{k} \frac{P(i-1) + P(i)}{2} h(i), \quad
        P(i) = \sum_{j=1}^{i} (F(j) - j)

    The ideal ranking holds the topic's judged documents by descending grade; documents without judgment count as grade 0.
    Documents of one grade may be in any order, so they are taken in the order of the run: F(j) is the place that the document
    at rank j has in the ideal ranking nearest to the run. The largest area A*(k) is that of a run without relevant documents,
    where P(i) is i times the recall base.

    The value is 1 if and only if the first k ranks are in an ideal order, and 0 if and only if none of them is relevant. It rises
    when a document is replaced by a more relevant one, and when a more relevant one moves up. Without a cut-off, all ranks of the
    list count, and at least as many as there are relevant documents. A list that ends early continues with documents that are not
    relevant. A topic without relevant documents counts 0.

    Parameters
    ----------
    h
        The weight of rank i: 1; ``'1/i'``; or a number p between 0 and 1 for p^(i−1).
    """

    h: float | str = 1

    name: ClassVar[str] = "Acorr"
    works: ClassVar[tuple[str, ...]] = ("dinunzio2015pointarea",)
    uses_recall_base: ClassVar[bool] = True
    scale_per_topic: ClassVar[bool] = True
    reference: ClassVar[str] = "Di Nunzio and Silvello, A graphical view of distance between rankings: the Point and Area measures"

    def __post_init__(self) -> None:
        super().__post_init__()
        number = isinstance(self.h, int | float | Fraction) and not isinstance(self.h, bool) and 0 < self.h <= 1
        if not number and self.h != "1/i":
            raise MeasureError(f"Acorr: h={self.h!r} must be 1, '1/i', or a number between 0 and 1")

    @cached_property
    def uses_length(self) -> bool:  # type: ignore[override]
        return self.cutoff is None

    def decompose_topic(
        self, length: int, grades: tuple[int, ...], counts: Mapping[int, int], compat: Compat
    ) -> TopicDecomposition:
        higher = tuple(sum(count for other, count in counts.items() if other > max(grade, 0)) for grade in grades)
        return Area(tuple(self._whole_weights(length)), higher) if higher[0] else without_relevant(length, grades)

    def score(self, judged: JudgedRuns) -> Floats:
        judged.need(self.cutoff, self)
        relevant = judged.relevant()
        ranks = self.cutoff or max(judged.length, int(relevant.max(initial=0)))
        point = point_curves(judged.top(ranks), judged.recall_base, judged.max_grade)
        weight = self._weights(ranks)
        area = np.cumsum(trapezoids(point) * weight, axis=2)
        largest = np.cumsum((np.arange(1, ranks + 1) - 0.5) * weight)
        if self.cutoff is None:
            last = np.maximum(np.minimum(judged.retrieved, ranks), np.maximum(relevant, 1)) - 1
            area = np.take_along_axis(area, last[:, :, None].astype(np.int64), axis=2)[:, :, 0]
            worst = relevant * largest[last]
        else:
            area = area[:, :, -1]
            worst = np.broadcast_to(relevant * largest[-1], judged.shape)
        return divide(worst - area, worst)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        topics = rows % max(len(judged.topics), 1)
        bases = judged.relevant()[topics].tolist()
        retrieved = np.minimum(judged.retrieved.reshape(-1)[rows], judged.length).tolist()
        lengths = [self.cutoff or max(kept, base, 1) for kept, base in zip(retrieved, bases, strict=True)]
        ranks = max(lengths, default=1)
        grades = np.full((1, len(rows), ranks), -1, dtype=np.int8)
        grades[0, :, : judged.length] = judged.grades.reshape(-1, judged.length)[rows, :ranks]
        curves = point_curves(grades, judged.recall_base[topics], judged.max_grade)[0].astype(np.int64)
        weights = self._whole_weights(ranks)
        largest = [*accumulate(((2 * rank - 1) * weight for rank, weight in enumerate(weights, start=1)), initial=0)]
        values = []
        for curve, length, base in zip(curves.tolist(), lengths, bases, strict=True):
            area = sum(
                weight * (before + after) for weight, before, after in zip(weights, [0, *curve], curve[:length], strict=False)
            )
            values.append(1 - Fraction(area, base * largest[length]) if base else Fraction(0))
        return values

    def _whole_weights(self, ranks: int) -> list[int]:
        """The weights times a common denominator."""
        if isinstance(self.h, str):
            common = lcm(*range(1, ranks + 1))
            return [common // rank for rank in range(1, ranks + 1)]
        above, below = exact(self.h).as_integer_ratio()
        return [above**place * below ** (ranks - 1 - place) for place in range(ranks)]

    def _weights(self, ranks: int) -> Floats:
        rank = np.arange(1, ranks + 1, dtype=np.float64)
        return 1 / rank if self.h == "1/i" else np.power(float(self.h), rank - 1)


def point_curves(top: NDArray[np.int8], recall_base: NDArray[np.int64], max_grade: int) -> Floats:
    """P(i) of grades [system, topic, rank] beside their recall base [topic, grade], from the counts of grades down to rank i.

    c documents of a grade that begins after place b of the ideal ranking have places b + 1 … b + c: together c·b + c(c+1)/2.
    """
    ranks = top.shape[2]
    rank = np.arange(1, ranks + 1, dtype=np.float64)
    places = np.zeros(top.shape)
    higher = np.zeros(len(recall_base))
    left = np.broadcast_to(rank, top.shape).copy()
    for grade in range(max_grade, 0, -1):
        count = np.cumsum(top == grade, axis=2, dtype=np.float64)
        places += count * higher[None, :, None] + count * (count + 1) / 2
        left -= count
        if grade < recall_base.shape[1]:
            higher = higher + recall_base[:, grade]
    places += left * higher[None, :, None] + left * (left + 1) / 2
    return places - rank * (rank + 1) / 2


def trapezoids(point: Floats) -> Floats:
    """(P(i−1) + P(i))/2, with P(0) = 0."""
    before = np.concatenate((np.zeros((*point.shape[:2], 1)), point[:, :, :-1]), axis=2)
    means: Floats = (before + point) / 2
    return means
