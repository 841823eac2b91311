"""The values of a measure for systems and topics, with their names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import ScaleError
from mensura.measures.names import parse_measure
from mensura.result import Result, bools, floats, optional

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.measures.exact import ExactOrder
    from mensura.render.tables import View
    from mensura.scales.facts import ScaleFacts
    from mensura.scales.interval import Ties
    from mensura.scales.ranks import Ranks
    from mensura.scales.universes.laws import Universe

ROUNDING = 2.0**-40
"""Difference of two means, in proportion to the larger one, that doubles alone may make."""


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Result):
    """Values of one measure.

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
        The judged runs that the values were computed from; a saved result has none.
    """

    measure: Measure
    values: NDArray[np.float64]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    counted: NDArray[np.bool_]
    judged: JudgedRuns | None = None

    unsaved: ClassVar[frozenset[str]] = frozenset({"judged"})
    readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"measure": parse_measure, "values": floats, "counted": bools}

    @property
    def topics_counted(self) -> NDArray[np.int64]:
        """Number of topics that count for each system."""
        return np.sum(self.counted, axis=1, dtype=np.int64)

    @cached_property
    def name(self) -> str:
        """The name of the measure."""
        return str(self.measure)

    @cached_property
    def facts(self) -> ScaleFacts | None:
        """The scale type of the measure on these judged runs; ``None`` without judged runs."""
        from mensura.scales.facts import facts_for

        return None if self.judged is None else facts_for(self.measure, self.judged)

    @cached_property
    def exact(self) -> ExactOrder | None:
        """The exact order of the values and of their means; ``None`` without judged runs."""
        from mensura.measures.exact import ExactOrder  # exact arithmetic takes 6 ms to import; csv files need no places

        if self.judged is None or self.judged.depth == 0:
            return None
        return ExactOrder(self.measure, self.judged, self.values, self.counted)

    def mean(self) -> NDArray[np.float64]:
        """Mean over topics of each system, by the measure's own kind of mean; NaN if no topic counts."""
        return self.measure.mean(self.values, self.counted)

    def places(self) -> NDArray[np.int64]:
        """Place of each system, from 1 for the best mean; equal means share a place, and the next one is left free: 1, 1, 3.

        Means are equal if they are equal as numbers: see :func:`mensura.measures.exact.mean_codes`. For a measure without exact
        values, and for scores without judged runs, they are equal if their doubles differ by less than 2⁻⁴⁰ of the larger
        one. A system without a topic that counts comes last.
        """
        if len(self.systems) == 1:
            return np.ones(1, dtype=np.int64)
        if self.measure.aggregation == "sum":
            from mensura.measures.exact import codes_of

            codes: NDArray[np.int64] | None = codes_of(self.aggregate())
        else:
            codes = None if self.exact is None else self.exact.mean_codes
        return places_of(self.measure, self.mean() if codes is None else None, codes)

    def aggregate(self) -> NDArray[np.float64]:
        """One value per system, as evaluations show it and trec_eval gives it: the mean, and for counts the sum over topics."""
        return self.measure.aggregate(self.values, self.counted)

    def on_interval_scale(
        self,
        *,
        ties: Ties = "unq",
        universe: Universe = "all",
        width: float | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Ranks:
        """The scores on the measure's interval scale: see :class:`mensura.Ranks`.

        Parameters
        ----------
        ties
            ``"unq"`` ranks distinct values, the only way that gives equally spaced ranks; ``"mid"``, ``"min"`` and ``"max"``
            rank all runs, ties and all (P4, Table 3).
        universe
            The runs that count: ``"all"`` of REL^N (P4); ``"attainable"``, those with no more relevant documents than the
            topic has; ``"observed"``, runs like those of the collection; ``"independent"``, the same with independent ranks.
            The distinct values of the first two are ranked where they can be counted or bounded. Else, and for the others, it
            is mid-p: the proportion of runs that are beaten, ties counting half.
        width
            The greatest width of bounds, as a proportion of the scale; by default what a few seconds give.
        progress
            Is told the share of a long count that is done.
        """
        from mensura.scales.ranks import rank_scores

        if self.judged is None:
            raise ScaleError("these scores have no judged runs to count ranks from; score judged runs again")
        options: Any = {"ties": ties, "universe": universe, "width": width, "progress": progress}
        return rank_scores(self.measure, self.judged, self.values, self.counted, **options)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of system, topic, measure and value, wherever a topic counts."""
        columns = self._columns()
        for row in zip(*columns.values(), strict=True):
            yield dict(zip(columns, row, strict=True))

    def _columns(self) -> dict[str, list[Any]]:
        """The rows as columns, which data frames take quickest."""
        systems, topics = np.nonzero(self.counted)
        return {
            "system": [self.systems[system] for system in systems.tolist()],
            "topic": [self.topics[topic] for topic in topics.tolist()],
            "measure": [str(self.measure)] * len(systems),
            "value": self.values[self.counted].tolist(),
        }

    def to_pandas(self, *, wide: bool = False) -> Any:
        """Return :meth:`rows` as a pandas data frame; ``wide``: a row for each topic, a column for each system."""
        return optional("pandas").DataFrame(self._wide() if wide else self._columns())

    def to_polars(self, *, wide: bool = False) -> Any:
        """Return :meth:`rows` as a polars data frame; ``wide``: a row for each topic, a column for each system."""
        return optional("polars").DataFrame(self._wide() if wide else self._columns())

    def _wide(self) -> dict[str, list[Any]]:
        """Columns of topics and of each system, with NaN where a topic does not count."""
        values = np.where(self.counted, self.values, np.nan)
        return {"topic": list(self.topics), **dict(zip(self.systems, values.tolist(), strict=True))}

    def view(self) -> View:
        """Mean of each system, and the spread of its topics."""
        from mensura.render.evaluations import scores_view

        return scores_view(self)

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """``topics``: the spread of values over the systems, topic by topic."""
        from mensura.render.charts.topics import IN_A_CELL, topic_spread

        hardest_first = np.argsort(self.values.mean(axis=0), kind="stable").tolist()
        if self.measure.direction == "lower":
            hardest_first.reverse()
        options: dict[str, Any] = {"hardest_first": hardest_first, "width": IN_A_CELL}
        return {"topics": lambda: topic_spread(str(self.measure), self.topics, self.values, **options)}

    def __repr__(self) -> str:
        return f"Scores({self.measure}: {len(self.systems)} systems × {len(self.topics)} topics)"


def places_of(measure: Measure, means: NDArray[np.float64] | None, codes: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Places by ``codes`` in the order of the means, or by means whose doubles may differ by rounding."""
    if codes is None:
        codes = _nearly_equal(np.asarray(means))
    costs = np.where(codes < 0, len(codes), -codes if measure.direction == "higher" else codes)
    return np.array([1 + int((costs < cost).sum()) for cost in costs.tolist()], dtype=np.int64)


def _nearly_equal(means: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole numbers in the order of means, the same for neighbours that differ by rounding alone; −1 for NaN."""
    there = np.flatnonzero(~np.isnan(means))
    order = there[np.argsort(means[there], kind="stable")]
    rising = means[order]
    codes = np.full(len(means), -1, dtype=np.int64)
    codes[order] = np.cumsum(np.diff(rising, prepend=rising[:1]) > ROUNDING * np.abs(rising))
    return codes
