"""Numbers of the ranked documents, for the few measures that need documents, such as those over a pool of several systems.

Judged runs hold grades only. The files are read a second time here, and only if somebody asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import DepthError, InputError
from mensura.io.columns import Run
from mensura.io.read import read_source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.io.columns import TopicTable
    from mensura.judged.runs import JudgedRuns

    Integers = NDArray[np.int64]


def documents(judged: JudgedRuns) -> Integers:
    """Return a number for each ranked document, the same in all systems and another in every topic: [system, topic, rank].

    Numbers begin at 0 and leave none out; −1 marks the ranks after the end of a list.
    """
    if judged.origin is None:
        raise DepthError("these judged runs have no documents, which a pool consists of; judge runs and judgments")
    places = np.full(judged.grades.shape, -1, dtype=np.int64)
    known: list[dict[bytes, int]] = [{} for _ in judged.topics]
    column = {topic: number for number, topic in enumerate(judged.topics)}
    for system, origin in enumerate(judged.origin[1]):
        run = origin if isinstance(origin, Run) else read_source(origin)
        table = run.table
        topics = np.array([column.get(topic, -1) for topic in table.topics], dtype=np.int64)[table.topic_of_row]
        sizes = np.bincount(topics[topics >= 0], minlength=len(known))
        if (sizes != judged.retrieved[system]).any():
            raise InputError("contains other documents than when it was judged", source=run.name)
        names = _names(table)
        rows = _ranked(topics, _scores(table, judged.compat), names)[np.sum(topics < 0, dtype=np.int64) :].tolist()
        start = 0
        for topic, size in enumerate(sizes.tolist()):
            numbers = known[topic]
            kept = rows[start : start + min(size, judged.length)]
            places[system, topic, : len(kept)] = [numbers.setdefault(names[row], len(numbers)) for row in kept]
            start += size
    before = np.concatenate(([0], np.cumsum([len(numbers) for numbers in known])))[:-1]
    return np.where(places >= 0, places + before[:, None], -1)


def _names(table: TopicTable) -> list[bytes]:
    starts, lengths = np.asarray(table.start, dtype=np.int64), np.asarray(table.length, dtype=np.int64)
    text = table.text
    return [text[start:stop] for start, stop in zip(starts.tolist(), (starts + lengths).tolist(), strict=True)]


def _scores(table: TopicTable, compat: str) -> NDArray[np.float64]:
    return table.values.astype(np.float32).astype(np.float64) if compat == "trec_eval-9" else table.values


def _ranked(topics: Integers, scores: NDArray[np.float64], names: list[bytes]) -> Integers:
    """Rows by topic, then by score and document, both descending: the order in which runs are judged."""
    rows = np.lexsort((-scores, topics)).astype(np.int64)
    same = (topics[rows][1:] == topics[rows][:-1]) & (scores[rows][1:] == scores[rows][:-1])
    if same.any():
        edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False])).astype(np.int8)))
        for start, stop in zip(edges[::2].tolist(), (edges[1::2] + 1).tolist(), strict=True):
            rows[start:stop] = sorted(rows[start:stop].tolist(), key=names.__getitem__, reverse=True)
    return rows
