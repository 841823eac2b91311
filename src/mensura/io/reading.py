"""Runs, judged while they are read: both cores over files and over stretches of long files.

This module does not need NumPy: the command line starts reading here while NumPy is still being imported.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, get_args

from mensura._core.judge import Judge
from mensura.engines.threads import Spread, thread_count
from mensura.errors import InputError, MensuraError
from mensura.io.columns import Run, to_text
from mensura.io.files import Source, chunks, guarded, is_compressed, open_inflated
from mensura.io.trec import Fault, parse_run, raise_empty, raise_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura.io.columns import Qrels

Compat = Literal["trec_eval-10", "trec_eval-9"]
STRETCH = 1 << 24  # a file is cut into stretches of at least this many bytes


@dataclass(frozen=True, slots=True)
class Order:
    """The order of ranks, and the ranks and scores to keep.

    ``compat="trec_eval-10"`` compares scores as float64, ``"trec_eval-9"`` as float32. Either way equal scores are ordered by
    document id, falling, byte by byte. ``depth`` is the number of ranks to keep, ``None`` for all.
    """

    depth: int | None = None
    compat: Compat = "trec_eval-10"
    keep_scores: bool = False

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise MensuraError(f"depth={self.depth} is too small; keep at least 1 rank, or all with None")
        if self.compat not in get_args(Compat):
            raise MensuraError(f"compat={self.compat!r} is unknown; use {' or '.join(map(repr, get_args(Compat)))}")

    def judge(self, qrels: Qrels) -> Judge:
        """Return a judge that ranks in this order."""
        return Judge(qrels.index, self.depth or 0, self.compat == "trec_eval-9", self.keep_scores)


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One run after reading: its judges contain the grades."""

    name: str
    source: str
    stem: str
    judges: tuple[Judge, ...]
    extra: tuple[str, ...]


class Reading:
    """Runs that are being read. :meth:`results` waits for them and raises the first error, in the order of the runs."""

    def __init__(self, qrels: Qrels, runs: Sequence[Source | Run], order: Order, threads: int | None = None) -> None:
        self.qrels = qrels
        self.order = order
        self.runs = tuple(runs)
        workers = thread_count(threads)
        self._parts = [self._split(run, workers, alone=len(runs) == 1) for run in runs]
        self._judges = Spread([part for parts in self._parts for part in parts], threads)

    def _split(self, run: Source | Run, workers: int, *, alone: bool) -> list[Callable[[], Judge]]:
        """Return the pieces of work that a run consists of."""
        if isinstance(run, Run):
            return [partial(judge_table, self.qrels, run, self.order)]
        if run.path is None or is_compressed(run):
            return [partial(_judge_stream, self.qrels, run, self.order, background=alone and workers > 1)]
        with guarded(run):
            size = run.path.stat().st_size
        pieces = max(1, min(size // STRETCH, 4 * workers)) if workers > 1 else 1
        bounds = [size * piece // pieces for piece in range(pieces)] + [-1]
        return [partial(_judge_stretch, self.qrels, run, self.order, start, stop) for start, stop in pairwise(bounds)]

    def results(self, progress: Callable[[int, int], None] | None = None) -> list[JudgedRun]:
        """Wait for the judged runs. ``progress`` is told how many of how many runs are done."""
        done = []
        judges = iter(self._judges)
        for run, parts in zip(self.runs, self._parts, strict=True):
            done.append(self._finish(run, [next(judges) for _ in parts]))
            if progress is not None:
                progress(len(done), len(self.runs))
        return done

    def _finish(self, run: Source | Run, judges: list[Judge]) -> JudgedRun:
        if isinstance(run, Run):
            return JudgedRun(run.name, run.table.source, run.name, tuple(judges), tuple(map(to_text, judges[0].extra)))
        fault = next((judge for judge in judges if judge.fault), None)
        if fault is not None and fault.fault != Fault.SCATTERED_TOPIC:
            raise_fault(run, fault.fault, fault.fault_at, is_run=True)
        if fault is not None or _scattered(judges):
            whole = parse_run(run)
            judges = [judge_table(self.qrels, whole, self.order, run)]
            return JudgedRun(whole.name, run.name, run.stem, tuple(judges), tuple(map(to_text, judges[0].extra)))
        tag = judges[0].tag
        if tag is None:
            raise_empty(run, is_run=True)
        extra = tuple(to_text(topic) for judge in judges for topic in judge.extra)
        return JudgedRun(to_text(tag), run.name, run.stem, tuple(judges), extra)


def _scattered(judges: list[Judge]) -> bool:
    """Return whether a topic has lines in two stretches."""
    if len(judges) == 1:
        return False
    topics = [topic for judge in judges for topic in judge.topics()]
    extra = [topic for judge in judges for topic in judge.extra]
    return len(set(topics)) < len(topics) or len(set(extra)) < len(extra)


def _judge_stretch(qrels: Qrels, origin: Source, order: Order, start: int, stop: int) -> Judge:
    judge = order.judge(qrels)
    with guarded(origin):
        descriptor = os.open(str(origin.path), os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            judge.read(descriptor, start, stop)
        finally:
            os.close(descriptor)
    return judge


def _judge_stream(qrels: Qrels, origin: Source, order: Order, *, background: bool) -> Judge:
    judge = order.judge(qrels)
    with guarded(origin), open_inflated(origin) as stream, closing(chunks(stream, background=background)) as pieces:
        for piece in pieces:
            judge.feed(piece)
            if judge.fault:
                break
    judge.finish()
    return judge


def judge_table(qrels: Qrels, run: Run, order: Order, origin: Source | None = None) -> Judge:
    """Judge a run that is held in columns. ``origin`` is the file that it came from, if any."""
    import numpy as np

    judge = order.judge(qrels)
    table = run.table
    rows, bounds = table.by_topic
    numbers = qrels.table.numbers
    topics = np.array([numbers.get(topic, -1) for topic in table.topics], dtype=np.int32)
    judge.judge_columns(table.text, table.start, table.length, table.value, rows, bounds, topics)
    if judge.fault == Fault.DUPLICATE:
        row = judge.fault_at
        if origin is not None:
            raise_fault(origin, judge.fault, memoryview(table.start)[row], is_run=True)
        topic = table.topics[table.topic_of_row[row]]
        raise InputError(f"document {table.document(row)!r} is listed twice for topic {topic!r}", source=table.source)
    if judge.fault:
        raise MemoryError
    judge.extra.update((name, None) for name, number in zip(table.names.as_list(), topics.tolist(), strict=True) if number < 0)
    return judge
