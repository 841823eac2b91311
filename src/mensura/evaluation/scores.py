"""The values of a measure for systems and topics, with their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.result import optional

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.scales.interval import Ties
    from mensura.scales.ranks import Ranks


@dataclass(frozen=True, eq=False)
class Scores:
    """The values of one measure.

    Attributes
    ----------
    measure
        The measure.
    values
        float64 [system, topic].
    systems, topics
        The names of the rows and columns.
    counted
        bool [system, topic]: which topics count for which system. All do, unless ``topics=`` says otherwise.
    judged
        The judged runs behind the values.
    """

    measure: Measure
    values: NDArray[np.float64]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    counted: NDArray[np.bool_]
    judged: JudgedRuns | None = None

    @property
    def topics_counted(self) -> NDArray[np.int64]:
        """How many topics count for each system."""
        return np.sum(self.counted, axis=1, dtype=np.int64)

    def mean(self) -> NDArray[np.float64]:
        """Mean over topics of each system, by the measure's own kind of mean; NaN if no topic counts."""
        return self.measure.mean(self.values, self.counted)

    def aggregate(self) -> NDArray[np.float64]:
        """One value per system as trec_eval gives it: the mean, and for counts the sum over topics."""
        return self.measure.aggregate(self.values, self.counted)

    def on_interval_scale(
        self, *, ties: Ties = "unq", attainable: bool = False, progress: Callable[[float], None] | None = None
    ) -> Ranks:
        """The scores on the measure's interval scale: see :class:`mensura.Ranks`.

        Parameters
        ----------
        ties
            ``"unq"`` ranks distinct values, the only way that gives equally spaced ranks; ``"mid"``, ``"min"`` and ``"max"`` rank
            all runs, ties and all (P4, Table 3).
        attainable
            A scale for each topic, over the runs that can occur there (no more relevant documents than the topic has), instead of
            one for all topics.
        progress
            Is told the share of a long count that is done.
        """
        from mensura.scales.ranks import on_interval_scale

        return on_interval_scale(self, ties=ties, attainable=attainable, progress=progress)

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """(system, topic, measure, value) wherever a topic counts."""
        name = str(self.measure)
        for system, values, counted in zip(self.systems, self.values.tolist(), self.counted.tolist(), strict=True):
            for topic, value, counts in zip(self.topics, values, counted, strict=True):
                if counts:
                    yield system, topic, name, value

    def columns(self) -> dict[str, list[Any]]:
        """The rows as columns: what a data frame is made from."""
        rows = list(zip(*self.rows(), strict=True)) or [()] * 4
        return dict(zip(("system", "topic", "measure", "value"), map(list, rows), strict=True))

    def to_pandas(self) -> Any:
        """A pandas data frame of (system, topic, measure, value)."""
        return optional("pandas").DataFrame(self.columns())

    def to_polars(self) -> Any:
        """A polars data frame of (system, topic, measure, value)."""
        return optional("polars").DataFrame(self.columns())

    def __repr__(self) -> str:
        return f"Scores({self.measure}: {len(self.systems)} systems × {len(self.topics)} topics)"
