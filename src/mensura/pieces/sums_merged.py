"""Means from exact sums: for more topics than anybody wants to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import MensuraError
from mensura.evaluation.remarks import Remark, remarks_on
from mensura.io.read import read_qrels
from mensura.measures.names import parse_measure
from mensura.pieces.merging import CHUNK, Gathering, empty_values
from mensura.pieces.partial import open_rows, ranked, summands
from mensura.pieces.sums import exact_total, rounded
from mensura.result import Result, floats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Topics
    from mensura.measures.base import Measure
    from mensura.pieces.partial import PartialSums
    from mensura.render.tables import View


@dataclass(frozen=True, eq=False)
class Means(Result):
    """Means of several measures, without the values of topics.

    Attributes
    ----------
    measures, systems
        The measures and the names of the systems.
    values
        float64 [measure, system]: the same doubles as from the values of all topics; for counts their sums.
    topics
        Number of judged topics.
    counted, missing
        Numbers of topics for each system: those that count, and judged ones without documents.
    remarks
        Remarks for readers of the numbers.
    """

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    values: NDArray[np.float64]
    topics: int
    counted: tuple[int, ...]
    missing: tuple[int, ...]
    remarks: tuple[Remark, ...]
    compat: str = "trec_eval-10"

    readers: ClassVar = {
        "measures": lambda names: tuple(map(parse_measure, names)),
        "values": floats,
        "remarks": lambda each: tuple(map(Remark.from_dict, each)),
    }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of system, measure, mean, and the numbers of topics that count and that are missing."""
        for measure, means in zip(self.measures, self.values.tolist(), strict=True):
            for system, mean, counted, missing in zip(self.systems, means, self.counted, self.missing, strict=True):
                yield {"system": system, "measure": str(measure), "mean": mean, "topics": counted, "missing": missing}

    def means(self) -> dict[str, dict[str, float]]:
        """{system: {measure: mean}}."""
        table: dict[str, dict[str, float]] = {system: {} for system in self.systems}
        for row in self.rows():
            table[row["system"]][row["measure"]] = row["mean"]
        return table

    def view(self) -> View:
        """The means, best system first by the first measure, with the remarks."""
        from mensura.render.means import means_view

        return means_view(self)


def merge_sums(
    partials: Iterable[PartialSums], qrels: Any = None, *, topics: Topics = "judged", systems: Sequence[str] | None = None
) -> Means:
    """Put exact sums together: the means of all pieces, the same doubles as those of :func:`merge`.

    Parameters
    ----------
    partials
        The sums of partials (:meth:`Partial.sums`), in any order.
    qrels, systems
        As for :func:`merge`.
    topics
        ``"judged"`` or ``"run"``, as in :func:`mensura.evaluate`. Topics that every run has are not known from sums.
    """
    if topics not in {"judged", "run"}:
        raise MensuraError(f"sums take topics='judged' or 'run', not {topics!r}: which topics all runs have is not known from them")
    gathered = Gathering.of(partials, None if qrels is None else read_qrels(qrels), topics, systems)
    return merged_means(gathered, topics, lambda system: _lost(gathered, system))


def merged_means(gathered: Gathering, topics: Topics, lost: Callable[[str], NDArray[np.int64]]) -> Means:
    """:func:`merge_sums` of outcomes that belong together; ``lost`` gives the judged topics that are in no piece of a system."""
    measures = gathered.measures
    rows = [*measures, *ranked(measures)]
    never = open_rows(measures)  # of ranks only, not of measures
    counted: list[int] = []
    missing: list[int] = []
    table = np.full((len(rows), len(gathered.systems)), np.nan)
    for column, system in enumerate(gathered.systems):
        parts = gathered.parts[system]
        present = sum(part.present for part in parts)
        totals = [sum(each) for each in zip(*(part.totals for part in parts), strict=True)]
        if topics == "judged":
            empty = _empty_totals(gathered, lost(system))
            totals = [sum(each) for each in zip(totals, empty, *(part.missing_totals for part in parts), strict=True)]
        for row, often in zip(never, totals[len(rows) :], strict=True):
            totals[row] += often * (gathered.length + 1)
        missing.append(len(gathered.topics) - present)
        counted.append(present if topics == "run" else len(gathered.topics))
        if counted[-1]:
            table[:, column] = [
                rounded(total) if measure.aggregation == "sum" else rounded(total) / counted[-1]
                for measure, total in zip(rows, totals, strict=False)
            ]
    restored = [measure.restored(row) for measure, row in zip(rows, table, strict=True)]
    by_rank = dict(zip(ranked(measures), restored[len(measures) :], strict=True))
    facts = gathered.facts(by_rank, np.array(missing, dtype=np.int64), empty=topics == "judged" and any(missing))
    means = restored[: len(measures)]
    return Means(
        measures=measures,
        systems=gathered.systems,
        values=np.array(means),
        topics=len(gathered.topics),
        counted=tuple(counted),
        missing=tuple(missing),
        remarks=remarks_on(facts, measures, means),
        compat=gathered.first.compat,
    )


def _lost(gathered: Gathering, system: str) -> NDArray[np.int64]:
    """Numbers of the judged topics that are in no piece of a system."""
    if gathered.qrels is None:
        return np.zeros(0, dtype=np.int64)
    seen = {name for part in gathered.parts[system] for name in part.topics}
    return np.array([number for number, name in enumerate(gathered.topics) if name not in seen], dtype=np.int64)


def _empty_totals(gathered: Gathering, lost: NDArray[np.int64]) -> list[int]:
    """Sums over judged topics that are in no piece of a system."""
    measures = gathered.measures
    totals = [0] * (len(measures) + len(ranked(measures)) + len(open_rows(measures)))
    for start in range(0, len(lost), CHUNK):
        if gathered.qrels is not None:
            values = empty_values(gathered.qrels, lost[start : start + CHUNK], measures, gathered.highest)
            totals = [total + exact_total(row) for total, row in zip(totals, summands(values, measures), strict=True)]
    return totals
