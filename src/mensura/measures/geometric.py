"""A measure whose topics are averaged by the geometric mean: GM(AP) is GMAP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from mensura.errors import MeasureError
from mensura.measures.base import Aggregation, Measure, written
from mensura.measures.registry import register

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mensura.judged.entrance import Needs
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition


@register
@dataclass(frozen=True, repr=False)
class GM(Measure):
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

    of: Measure
    floor: float = 0.00001

    name: ClassVar[str] = "GM"
    works: ClassVar[tuple[str, ...]] = ("robertson2006gmap",)
    aggregation: ClassVar[Aggregation] = "geometric mean"
    averages: ClassVar[str] = "natural logarithms"
    reference: ClassVar[str] = "Robertson, On GMAP: and other transformations, CIKM 2006"

    def __post_init__(self) -> None:
        if not isinstance(self.of, Measure) or self.of.aggregation != "mean" or self.of.direction != "higher":
            raise MeasureError(f"GM({self.of}): a geometric mean is taken of a measure that is averaged and where higher is better")
        if self.cutoff is not None:
            object.__setattr__(self, "of", self.of @ self.cutoff)
            object.__setattr__(self, "cutoff", None)
        if not 0 < self.floor < 1:
            raise MeasureError(f"GM: floor={self.floor!r} must lie between 0 and 1")

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

    @property
    def uses_length(self) -> bool:
        return self.of.uses_length

    @property
    def scale_per_topic(self) -> bool:  # type: ignore[override]
        """As the measure itself."""
        return self.of.scale_per_topic

    @property
    def depth(self) -> int | None:
        return self.of.depth

    @property
    def range(self) -> tuple[float, float]:
        return self.of.range

    def __str__(self) -> str:
        return f"GM({self.of})" if self.floor == type(self).floor else f"GM({self.of}, floor={written(self.floor)})"

    __repr__ = __str__

    def parameters(self) -> dict[str, Any]:
        return {"of": self.of} | ({} if self.floor == type(self).floor else {"floor": self.floor})

    @property
    def on_topics(self) -> Measure:
        return self.of

    @property
    def graded(self) -> bool:
        return self.of.graded

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition | None:
        return self.of.decompose(length, grades)

    def transformed(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        return np.log(np.maximum(values, float(self.floor)))

    def restored(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        return np.exp(means)

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        return self.of.score(judged)
