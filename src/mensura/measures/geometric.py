"""Measures that take another way from topics to systems than the mean: GM(AP), which is GMAP, and Median(RR)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from mensura.errors import MeasureError
from mensura.measures.base import Aggregation, Direction, Measure, written
from mensura.measures.registry import register

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mensura.judged.entrance import Needs
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition


@dataclass(frozen=True, repr=False)
class Aggregated(Measure):
    """Another measure, whose values of topics become one value of a system in another way than by their mean."""

    of: Measure

    example: ClassVar[str]
    """A name with a measure in it."""

    def __post_init__(self) -> None:
        if self.cutoff is not None:
            object.__setattr__(self, "of", self.of @ self.cutoff)
            object.__setattr__(self, "cutoff", None)

    @property
    def uses_recall_base(self) -> bool:  # type: ignore[override]
        """As the measure itself."""
        return self.of.uses_recall_base

    @property
    def uses_scores(self) -> bool:  # type: ignore[override]
        """As the measure itself."""
        return self.of.uses_scores

    @property
    def from_documents(self) -> bool:  # type: ignore[override]
        """As the measure itself."""
        return self.of.from_documents

    @property
    def continuous(self) -> bool:  # type: ignore[override]
        """As the measure itself."""
        return self.of.continuous

    def needs(self) -> Needs:
        """As the measure itself."""
        return self.of.needs()

    @property
    def scale_obstacle(self) -> str | None:  # type: ignore[override]
        """As the measure itself."""
        return self.of.scale_obstacle

    @cached_property
    def uses_length(self) -> bool:  # type: ignore[override]
        return self.of.uses_length

    @property
    def scale_per_topic(self) -> bool:  # type: ignore[override]
        """As the measure itself."""
        return self.of.scale_per_topic

    @cached_property
    def depth(self) -> int | None:
        return self.of.depth

    @property
    def range(self) -> tuple[float, float]:
        return self.of.range

    @cached_property
    def on_topics(self) -> Measure:
        return self.of

    @cached_property
    def graded(self) -> bool:
        return self.of.graded

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition | None:
        return self.of.decompose(length, grades)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return self.of.score(judged)

    def parameters(self) -> dict[str, Any]:
        return {"of": self.of} | {key: value for key, value in super().parameters().items() if key != "of"}

    def __str__(self) -> str:
        others = "".join(f", {key}={written(value)}" for key, value in self.parameters().items() if key != "of")
        return f"{self.name}({self.of}{others})"

    __repr__ = __str__


def with_rel(measure: Measure, rel: int) -> Measure:
    """Return the measure with another relevance level, if it has one."""
    if isinstance(measure, Aggregated):
        return replace(measure, of=with_rel(measure.of, rel))
    if not hasattr(measure, "rel"):
        return measure
    level: dict[str, Any] = {"rel": rel}
    return replace(measure, **level)


@register
@dataclass(frozen=True, repr=False)
class GM(Aggregated):
    r"""Another measure, averaged over topics by the geometric mean.

    .. math:: GM(M) = \exp \frac{1}{T} \sum_t \ln \max(M_t, \epsilon)

    Per topic the values are those of the measure. A geometric mean says something only on a ratio scale.

    Parameters
    ----------
    of
        The measure.
    floor
        What a smaller value counts as, ε: one topic with 0 would make the mean 0.
    """

    floor: float = 0.00001

    name: ClassVar[str] = "GM"
    example: ClassVar[str] = "GM(AP)"
    works: ClassVar[tuple[str, ...]] = ("robertson2006gmap",)
    aggregation: ClassVar[Aggregation] = "geometric mean"
    averages: ClassVar[str] = "natural logarithms"
    reference: ClassVar[str] = "Robertson, On GMAP: and other transformations, CIKM 2006"

    def __post_init__(self) -> None:
        if not isinstance(self.of, Measure) or self.of.aggregation != "mean" or self.of.direction != "higher":
            raise MeasureError(f"GM({self.of}): a geometric mean is taken of a measure that is averaged and where higher is better")
        super().__post_init__()
        if not 0 < self.floor < 1:
            raise MeasureError(f"GM: floor={self.floor!r} must lie between 0 and 1")

    def transformed(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        return np.log(np.maximum(values, float(self.floor)))

    def restored(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        return np.exp(means)


@register
@dataclass(frozen=True, repr=False)
class TopicMedian(Aggregated):
    """Another measure, of which a system has the median over topics.

    Per topic the values are those of the measure. A median says something on an ordinal scale already: an increasing transformation
    of the values moves it with them. With an even number of topics it is the mean of the two values in the middle.

    Parameters
    ----------
    of
        The measure.
    """

    name: ClassVar[str] = "Median"
    example: ClassVar[str] = "Median(RR)"
    works: ClassVar[tuple[str, ...]] = ("fuhr2017mistakes",)
    aggregation: ClassVar[Aggregation] = "median"
    averages: ClassVar[str] = "values in the middle"
    reference: ClassVar[str] = "Fuhr, Some common mistakes in IR evaluation, SIGIR Forum 51(3), 2017, section 2.1"

    def __post_init__(self) -> None:
        if not isinstance(self.of, Measure) or isinstance(self.of, Aggregated):
            raise MeasureError(f"Median({self.of}): a median is taken of the values of a measure, e.g. {self.example}")
        super().__post_init__()

    @property
    def direction(self) -> Direction:  # type: ignore[override]
        """As the measure itself."""
        return self.of.direction

    def averaged(self, values: NDArray[Any], counted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        import numpy as np

        order = np.lexsort((values, ~counted), axis=1)  # topics that count first, by their values
        place = np.empty_like(order)
        np.put_along_axis(place, order, np.broadcast_to(np.arange(values.shape[1]), values.shape), axis=1)
        number = counted.sum(axis=1, keepdims=True)
        middle = (place >= (number - 1) // 2) & (place <= number // 2)
        return counted & (middle | np.isnan(values))
