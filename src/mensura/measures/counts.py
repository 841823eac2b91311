"""Numbers: of topics, and of documents that are retrieved, relevant, both, or judged not relevant."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import Aggregation, Direction, Measure, counted_relevant, whole_scores
from mensura.measures.registry import register

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition


@dataclass(frozen=True, repr=False, kw_only=True)
class Count(Measure):
    """A number of documents or topics, which evaluations add up."""

    aggregation: ClassVar[Aggregation] = "sum"

    @property
    def range(self) -> tuple[float, float]:
        return 0.0, float("inf") if self.cutoff is None else float(self.cutoff)

    @abstractmethod
    def count(self, judged: JudgedRuns) -> NDArray[np.float64]:
        """The whole numbers, [system, topic]."""

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return self.count(judged)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction]:
        return whole_scores(self, judged, rows)

    def least_gap(self, judged: JudgedRuns) -> float:
        return 1.0


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NumRet(Count):
    """The number of documents retrieved for the topic, at most k."""

    name: ClassVar[str] = "NumRet"
    scale_obstacle: ClassVar[str | None] = "its value depends on how many documents were retrieved, not on their grades"

    @cached_property
    def depth(self) -> int | None:
        return 1

    def count(self, judged: JudgedRuns) -> NDArray[np.float64]:
        counts = judged.retrieved.astype(np.float64)
        return counts if self.cutoff is None else np.minimum(counts, self.cutoff)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NumRel(Count):
    """The number of relevant documents of the topic: the recall base.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "NumRel"
    scale_obstacle: ClassVar[str | None] = "its value depends on the topic alone, and is the same for all runs"
    uses_recall_base: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cutoff is not None:
            raise MeasureError(f"NumRel@{self.cutoff}: the number of relevant documents has no cut-off")

    @cached_property
    def depth(self) -> int | None:
        return 1

    def count(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return np.broadcast_to(judged.relevant(self.rel).astype(np.float64), judged.shape).copy()


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NumRelRet(Count):
    """The number of relevant documents among the first k.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "NumRelRet"

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition:
        return counted_relevant(length, self.rel)

    def count(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return judged.total(judged.within(self, self.rel))


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NumNonRelRet(Count):
    """The number of documents among the first k that were judged not relevant.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: int = 1

    name: ClassVar[str] = "NumNonRelRet"
    direction: ClassVar[Direction] = "lower"
    scale_obstacle: ClassVar[str | None] = "its value depends on which documents were judged, not on their grades alone"

    def count(self, judged: JudgedRuns) -> NDArray[np.float64]:
        judged.need(self.cutoff, self)
        top = judged.top(self.cutoff)
        return np.asarray(((top >= 0) & (top < self.rel)).sum(axis=2), dtype=np.float64)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class NumQ(Count):
    """The number of topics for which the run has documents: 1 for each."""

    name: ClassVar[str] = "NumQ"
    scale_obstacle: ClassVar[str | None] = "its value depends on whether documents were retrieved, not on their grades"

    @property
    def range(self) -> tuple[float, float]:
        return 0.0, 1.0

    @cached_property
    def depth(self) -> int | None:
        return 1

    def count(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return (judged.retrieved > 0).astype(np.float64)
