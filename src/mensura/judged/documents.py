"""The ranked documents themselves, for the few measures that need them: those over a pool of several systems, continuous judgments.

Judged runs hold grades only. Documents are kept while the runs are read if a measure asks for them; else they are read again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura._core.names import Names
from mensura._core.parts import number_documents, scatter
from mensura.errors import DepthError, InputError
from mensura.io.columns import to_text
from mensura.io.read import run_inputs
from mensura.io.reading import Order
from mensura.io.start import begin_reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.io.columns import Qrels
    from mensura.io.reading import JudgedRun
    from mensura.judged.runs import JudgedRuns


@dataclass(frozen=True, eq=False)
class Documents:
    """Ranked documents by their numbers, which systems share and topics do not.

    Attributes
    ----------
    number
        int32 [system, topic, rank], −1 after the end of a list. The judged documents of a topic come first, in the order of the
        judgments.
    names
        The documents of each topic, by their numbers.
    """

    number: NDArray[np.int32]
    names: tuple[Names, ...]

    def of_topic(self, topic: int) -> list[str]:
        """Return the documents of a topic in the order of their numbers."""
        return [to_text(name) for name in self.names[topic].as_list()]


def numbered(qrels: Qrels, results: Sequence[JudgedRun], width: int) -> Documents:
    """Return the documents of runs that were read with their documents."""
    table = qrels.table
    names = Names.by_topic(len(qrels.topics), table.text, table.topic, table.start, table.length)
    number = np.full((len(results), len(qrels.topics), width), -1, dtype=np.int32)
    for system, result in enumerate(results):
        for part in result.judges:
            number_documents(part, names, number[system])
    return Documents(number, tuple(names))


def _order(judged: JudgedRuns, width: int) -> Order:
    """The order that the runs were judged in, with documents."""
    ties: Any = judged.tie_order if judged.tie_order == "rank" else "id"
    return Order(width, judged.compat, keep_documents=True, ties=ties, drop_self=judged.own_dropped)


def read_again(judged: JudgedRuns) -> Documents:
    """Read the runs a second time, for their documents."""
    if judged.origin is None:
        raise DepthError("these judged runs have no documents, which a pool consists of; judge runs and judgments")
    qrels, runs = judged.origin
    width = max(judged.length, 1)
    results = begin_reading(qrels, run_inputs([*runs]), _order(judged, width)).results()
    retrieved = np.zeros(judged.shape, dtype=np.int32)
    unused = np.zeros((len(qrels.topics), width), dtype=np.int8), np.zeros(len(qrels.topics), dtype=np.int32)
    for system, result in enumerate(results):
        for part in result.judges:
            scatter(part, unused[0], retrieved[system], unused[1])
        if (retrieved[system] != judged.retrieved[system]).any():  # a dict that has changed
            raise InputError("contains other documents than when it was judged", source=result.source)
    documents = numbered(qrels, results, width)
    return Documents(documents.number[:, :, : judged.length], documents.names)


def relevances(documents: Documents, qrels: Qrels) -> NDArray[np.float64]:
    """The grades of ranked documents by continuous judgments: [system, topic, rank], NaN where there is none."""
    order, bounds = qrels.table.by_topic
    grades = np.append(np.where(qrels.table.values < 0, np.nan, qrels.table.values)[order], np.nan)
    first, size = bounds[:-1, None], np.diff(bounds)[:, None]
    judged = (documents.number >= 0) & (documents.number < size)
    return np.asarray(grades[np.where(judged, first + documents.number, len(order))], dtype=np.float64)
