"""Dask's data frames, partition by partition: shuffled by topic by Dask itself, scored where a partition is, and merged here."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError
from mensura.io.read import read_qrels
from mensura.io.roles import choose
from mensura.measures.names import parse_measures
from mensura.pieces.evaluating import evaluate
from mensura.pieces.partial import Partial

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mensura.io.reading import Compat
    from mensura.measures.base import Measure

FRAME = "<Dask's data frame>"
PARTIAL = "partial"
NOTHING = {"mensura-no-topic": {"mensura-no-document": 0}}


def partitions(
    frame: Any,
    qrels: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    system: str = "run",
    columns: Mapping[str, Any] | None = None,
    compat: Compat = "trec_eval-10",
) -> list[Partial]:
    """Evaluate a run in a data frame of Dask's: :func:`evaluate` of each partition, where it is; :func:`merge` puts them together.

    Dask shuffles the rows by topic first, unless the frame is partitioned by an index of topics. Its own scheduler does the work:
    the threads of this process, or those of a ``Client`` that is there. A worker has a partition in memory, not the run.

    Parameters
    ----------
    frame
        The run: a data frame of Dask's with columns such as ``query_id``, ``doc_id``, ``score``.
    qrels
        The judgments, or anything that :func:`mensura.read_qrels` reads. A data frame of Dask's, with ``query_id``, ``doc_id`` and
        ``relevance``, is partitioned like the run: no worker has all judgments, and :func:`merge` takes none.
    measures, system, columns, compat
        As for :func:`evaluate`.
    """
    parsed = parse_measures(measures)
    names = [str(name) for name in frame.columns] + ([str(frame.index.name)] if frame.index.name is not None else [])
    topic = choose(names, FRAME, graded=False, columns=columns).topic
    options: dict[str, Any] = {"measures": parsed, "system": system, "columns": columns, "compat": compat}
    if not hasattr(qrels, "map_partitions"):
        work = _PartitionWork(pickle.dumps(options | {"qrels": read_qrels(qrels)}))
        rows = _together(frame, topic).map_partitions(work, meta={PARTIAL: "object"}).compute()
        return _read(rows)
    roles = choose([str(name) for name in qrels.columns], FRAME, graded=True)
    number = max(frame.npartitions, qrels.npartitions)
    highest = max(0, int(qrels[roles.value].max().compute()))
    run, judgments = (
        each.astype({name: "str"}).shuffle(on=name, npartitions=number)
        for each, name in ((frame.reset_index() if frame.index.name == topic else frame, topic), (qrels, roles.topic))
    )
    work = _PartitionWork(pickle.dumps(options | {"partitioned": True, "highest_grade": highest}))
    partials = _read(run.map_partitions(work, judgments, meta={PARTIAL: "object"}, align_dataframes=False).compute())
    judged = {name for part in partials for name in part.topics}
    lost = next((name for part in partials for name in part.extra if name in judged), None)
    if lost is not None:
        raise InputError(f"topic {lost!r} is in different partitions of run and judgments; give both the same type", source=FRAME)
    return partials


def _together(frame: Any, topic: str) -> Any:
    """The frame with the rows of a topic in one partition."""
    if frame.index.name == topic:
        return (frame if frame.known_divisions else frame.reset_index().shuffle(on=topic)).map_partitions(_flat)
    return frame.shuffle(on=topic)


def _flat(rows: Any) -> Any:
    return rows if rows.index.name is None else rows.reset_index()


@dataclass(frozen=True)
class _PartitionWork:
    """The work on a partition. Its options are bytes, which Dask can tell from others to name its tasks."""

    options: bytes

    def __call__(self, rows: Any, judgments: Any = None) -> Any:
        """A frame of one row: the bytes of the partial."""
        options, some = dict(_unpacked(self.options)), _flat(rows) if len(rows) else []
        if judgments is not None and not len(judgments):  # all topics here are without judgments
            scored = replace(evaluate(some, **options | {"qrels": NOTHING, "partitioned": False}), partitioned=True)
        else:
            scored = evaluate(some, **options if judgments is None else options | {"qrels": judgments})
        return type(rows)({PARTIAL: [scored.to_bytes()]})


@lru_cache(maxsize=1)
def _unpacked(options: bytes) -> dict[str, Any]:
    """Options, unpacked once in a process."""
    unpacked: dict[str, Any] = pickle.loads(options)  # noqa: S301 - our own bytes
    return unpacked


def _read(rows: Any) -> list[Partial]:
    return [Partial.from_bytes(bytes(each)) for each in rows[PARTIAL]]
