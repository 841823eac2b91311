"""Runs in parts that an engine can carry to other processes and machines: stretches of files, tables, and runs in memory.

A part that was judged elsewhere comes back as plain bytes, and is put beside the same judgments again.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mensura._core.blake3 import Blake3
from mensura._core.names import Names
from mensura._core.parts import cut, freeze, is_done
from mensura.engines.engine import comes_from_storage
from mensura.errors import EmptyError, InputError
from mensura.io.columns import Qrels, Run, TopicTable
from mensura.io.files import Parts, Source, guarded, is_compressed, read_all
from mensura.io.read import is_table, read_source
from mensura.io.reading import Order, cuts, feed, judge_run
from mensura.io.slices import QrelsSlice, at_hand
from mensura.io.stored import CHANGED, CHUNK, Digest, Spool, Stored
from mensura.io.trec import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura._core.judge import Judge

STRETCH = 1 << 26  # a file is cut into stretches of about so many bytes
PLAIN, PACKED, TABLE = 400e6, 60e6, 20e6  # bytes a second and core: estimates, which the first groups of parts mend
ROW = 50  # bytes of a line, about
LEAST = 1e-3  # seconds for anything
Hashed = Blake3 | str | None  # of a part: a stretch that is joined to others, or the digest of a whole file


@dataclass(frozen=True, slots=True)
class RunPart:
    """A part of a run: bytes [start, stop) of a file, all of it if ``stop`` is −1, or a run in memory.

    ``version`` is the size and the time of the file, which must be the same where it is read. ``digested`` asks for its digest.
    ``seconds`` estimates the work. ``judgments`` are those of its topics, if they are not those of all.
    """

    origin: Source | None = None
    run: Run | None = None
    start: int = 0
    stop: int = -1
    table: bool = False
    version: tuple[int, int] | None = None
    digested: bool = False
    seconds: float = LEAST
    judgments: QrelsSlice | None = None

    @property
    def whole(self) -> bool:
        """Whether this is all of a file."""
        return self.start == 0 and self.stop == -1


def judge_part(shared: tuple[Qrels | QrelsSlice, Order], part: RunPart) -> tuple[tuple[Any, ...], Hashed]:
    """Judge a part: plain bytes that :func:`mensura._core.parts.thaw` takes, and its digest if that is asked for."""
    qrels, order = shared
    judge, digest = judged_part(at_hand(qrels), order, part)
    return freeze(judge), digest


def caught_part(shared: tuple[Qrels | QrelsSlice, Order], part: RunPart) -> tuple[tuple[Any, ...] | InputError, Hashed]:
    """Judge a part, or return what is wrong with it; the others are read all the same, unless the storage fails."""
    try:
        return judge_part(shared, part)
    except InputError as error:
        if comes_from_storage(error):
            raise
        return error, None


def judged_part(qrels: Qrels, order: Order, part: RunPart) -> tuple[Judge, Hashed]:
    """Judge a part in this process, and take its digest if that is asked for."""
    digest = Digest() if part.digested else None
    if part.origin is None or part.table:
        origin = None if part.origin is None else replace(part.origin, digest=digest)
        judge = _judged_table(qrels, order, part.run if origin is None else origin)
        check_version(part)
        return judge, None if digest is None else digest.value
    judge = order.judge(qrels)
    origin = replace(part.origin, digest=digest)
    if part.whole:
        feed(origin, judge)
        check_version(part)
        return judge, None if digest is None else digest.value
    computed = None if digest is None else digest.begin(part.start)
    _judge_stretch(judge, origin, part, computed)
    return judge, computed


def note_digest(origin: Source | None, hashed: Hashed) -> None:
    """Note the digest of a whole file, or that of its next stretch."""
    if origin is None or origin.untaken is None or hashed is None:
        return
    if isinstance(hashed, str):
        origin.untaken.value = hashed
    else:
        origin.untaken.add(hashed, stored_size(origin))


def _judged_table(qrels: Qrels, order: Order, run: Source | Run | None) -> Judge:
    """Judge a table, or nothing in a part without rows, as Spark writes them; a run without any is refused later."""
    try:
        table = read_source(run) if isinstance(run, Source) else run
        judges = [] if table is None else [piece() for piece in judge_run(qrels, table, order, 1)]
    except EmptyError:
        judges = []
    return judges[0] if judges else order.judge(qrels)


def check_version(part: RunPart) -> None:
    """Raise an error if the file is another version than the one that the client has seen."""
    if part.version is None or part.origin is None or part.origin.path is None:
        return
    with guarded(part.origin):
        status = os.stat(part.origin.path)
    if (status.st_size, status.st_mtime_ns) != part.version:
        raise InputError(CHANGED, source=part.origin.name)


def _judge_stretch(judge: Judge, origin: Source, part: RunPart, computed: Blake3 | None) -> None:
    with guarded(origin):
        if origin.path is not None:
            stored = Stored(origin.name, os.fspath(origin.path), None)
            try:
                judge.read(stored.descriptor, part.start, part.stop, computed)
                if judge.fault == Fault.READ_FAILED:
                    raise OSError(errno.EIO, os.strerror(errno.EIO))  # which is tried again
            finally:
                stored.close()
        elif origin.pipe is not None:
            cut(judge, part.start, part.stop)
            at = max(part.start - 1, 0)
            while not is_done(judge) and (piece := origin.pipe.read_at(CHUNK, at)):
                judge.feed(piece)
                if computed is not None:
                    computed.update(piece[max(part.start - at, 0) : None if part.stop < 0 else max(part.stop - at, 0)])
                at += len(piece)
            judge.finish()
    check_version(part)


def parts_of(run: Source | Parts | Run) -> list[tuple[Source | None, RunPart]]:
    """Return the parts of a run, each with its file on this side."""
    if isinstance(run, Run):
        return [(None, RunPart(run=run, seconds=LEAST + len(run) * ROW / PLAIN))]
    if isinstance(run, Parts):
        return [pair for origin in run.origins for pair in parts_of(origin)]
    version = None if run.state is None else (run.state.size, run.state.changed)
    carried = Source(run.name, run.path, run.data, pipe=run.pipe)
    if run.pipe is not None and isinstance(run.pipe, Spool):
        carried = Source(run.name, data=read_all(run))
    part = RunPart(carried, version=version, digested=run.digest is not None)
    size = len(carried.data) if run.state is None and carried.pipe is None else stored_size(run)
    if is_table(run, is_run=True):
        return [(run, replace(part, table=True, seconds=LEAST + size / TABLE))]
    if is_compressed(run):
        return [(run, replace(part, seconds=LEAST + size / PACKED))]
    pieces = max(1, size // STRETCH) if carried.path is not None or carried.pipe is not None else 1
    bounds = cuts(size, pieces, run.digest)
    return [(run, replace(part, start=start, stop=stop, seconds=LEAST + size / pieces / PLAIN)) for start, stop in pairwise(bounds)]


def stored_size(origin: Source) -> int:
    """Number of stored bytes of a file."""
    if origin.state is not None:
        return origin.state.size
    return 0 if origin.pipe is None else origin.pipe.size()


def joined(tables: Sequence[TopicTable], source: str) -> TopicTable:
    """Put tables one below the other: parts whose topics are in several of them."""
    import numpy as np

    names: dict[bytes, int] = {}
    topics, starts, at = [], [], 0
    for table in tables:
        numbers = np.array([names.setdefault(name, len(names)) for name in table.names.as_list()], dtype=np.int32)
        topics.append(numbers[table.topic_of_row])
        starts.append(np.asarray(table.start, dtype=np.int64) + at)
        at += len(table.text)
    lengths = [np.asarray(table.length, dtype=np.int32) for table in tables]
    values = [table.values for table in tables]
    topic, start, length, value = (np.concatenate(each).data for each in (topics, starts, lengths, values))
    tags = tuple(dict.fromkeys(tag for table in tables for tag in table.tags))
    wide = any(table.wide for table in tables)
    text = b"".join(table.text for table in tables)
    return TopicTable(source, Names.of(list(names)), text, topic, start, length, value, tags, wide)


def read_input(run: Source | Parts | Run) -> Run:
    """Read a run as a whole, whatever it comes from."""
    if isinstance(run, Run):
        return run
    if isinstance(run, Source):
        return read_source(run)
    return Run(run.stem, joined([read_source(origin).table for origin in run.origins], run.name))
