"""Runs, judged while they are read: both cores over files and over stretches of long files.

This module does not need NumPy: the command line starts reading here while NumPy is still being imported.
"""

from __future__ import annotations

import os
import threading
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Literal, cast, get_args

from mensura._core.blake3 import ALIGNED
from mensura._core.judge import Judge
from mensura._core.parts import carry, judge_columns, settle_piles, share_topics
from mensura.engines.engine import TriedError
from mensura.engines.threads import Spread, thread_count
from mensura.errors import InputError, MensuraError
from mensura.io.columns import COLLIDE, Run, TopicTable, to_text
from mensura.io.files import Parts, Source, chunks, guarded, is_compressed, open_inflated, open_stored
from mensura.io.intake import Faults, Intake, check_overlap, file_faults, intake_error
from mensura.io.read import files_of
from mensura.io.stored import Stored, settle
from mensura.io.trec import Fault, raise_empty, raise_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mensura._core.blake3 import Blake3
    from mensura._core.piles import Piles
    from mensura.io.columns import Held, Qrels
    from mensura.io.stored import Digest

Compat = Literal["trec_eval-10", "trec_eval-9"]
TieOrder = Literal["id", "rank", "expected"]
STRETCH = 1 << 24  # a file is cut into stretches of at least this many bytes
ROWS = 1 << 18  # columns are cut into pieces of at least this many rows


@dataclass(frozen=True, slots=True)
class Order:
    """The order of ranks, and the ranks and scores to keep.

    ``compat="trec_eval-10"`` compares scores as float64, ``"trec_eval-9"`` as float32. Either way equal scores are ordered by
    document id, falling, byte by byte; with ``ties="rank"`` they are ordered by the rank that the file gives, or as listed.
    With ``"expected"``, scores are kept, so that groups of equal ones are known. ``drop_self`` leaves out documents that are named
    like their topic. ``depth`` is the number of ranks to keep, ``None`` for all; their scores and documents are
    kept if that is asked for. ``key`` is that of the process which compares fingerprints of runs, if this is another one.
    """

    depth: int | None = None
    compat: Compat = "trec_eval-10"
    keep_scores: bool = False
    keep_documents: bool = False
    ties: TieOrder = "id"
    drop_self: bool = False
    key: tuple[int, int, int] | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise MensuraError(f"depth={self.depth} is too small; keep at least 1 rank, or all with None")
        if self.compat not in get_args(Compat):
            raise MensuraError(f"compat={self.compat!r} is unknown; use {' or '.join(map(repr, get_args(Compat)))}")
        if self.ties not in get_args(TieOrder):
            raise MensuraError(f"ties={self.ties!r} is unknown; use {', '.join(map(repr, get_args(TieOrder)))}")
        if self.ties == "expected":  # over whole groups of equal scores, also those that a cut-off divides
            object.__setattr__(self, "depth", None)
            object.__setattr__(self, "keep_scores", True)

    def judge(self, qrels: Qrels, *, scattered: bool = False) -> Judge:
        """Return a judge that ranks in this order; ``scattered``: the lines of a topic need not be together."""
        single = self.compat == "trec_eval-9"
        listed = self.ties == "rank"
        judge = Judge(
            qrels.index, self.depth or 0, single, self.keep_scores, self.keep_documents, listed, self.drop_self, scattered
        )
        if self.key is not None:
            carry(judge, self.key)
        return judge


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One run after reading: its judges contain the grades."""

    name: str
    source: str
    stem: str
    judges: tuple[Judge, ...]
    extra: tuple[str, ...]
    intake: Intake = field(default_factory=Intake)


class Reading:
    """Runs that are being read. :meth:`results` waits for them and raises one error for all that is wrong with them.

    ``faults`` are those of runs that could not be opened. With ``skip``, runs with faults are left out: ``faults`` are then theirs,
    and ``runs`` are the others.
    """

    threads: int | None = None

    def __init__(
        self,
        qrels: Qrels,
        runs: Sequence[Source | Run],
        order: Order,
        threads: int | None = None,
        *,
        faults: Sequence[Faults] = (),
        skip: bool = False,
    ) -> None:
        self.qrels = qrels
        self.order = order
        self.runs: tuple[Source | Parts | Run, ...] = tuple(runs)
        self.faults = tuple(faults)
        self.skip = skip
        self.threads = threads
        parts = [self._split(run, alone=len(runs) == 1) for run in runs]
        self._counts = list(map(len, parts))
        # A run in one piece is finished by the thread that has read it.
        pieces = [
            partial(_caught, part if len(some) > 1 else partial(self._whole, run, part))
            for run, some in zip(runs, parts, strict=True)
            for part in some
        ]
        held = all(isinstance(run, Run) and not isinstance(run.held, TopicTable) and run.held.serial for run in runs)
        # Objects of Python's are read under the interpreter's lock: threads would only take turns, and starting them takes time.
        self._pieces: Iterable[Judge | JudgedRun | InputError] = (piece() for piece in pieces) if held else Spread(pieces, threads)

    @cached_property
    def _workers(self) -> int:
        return thread_count(self.threads)

    def _split(self, run: Source | Run, *, alone: bool, scattered: bool = False) -> Sequence[Callable[[], Judge]]:
        """Return the pieces of work that a run consists of; ``scattered``: it is known that topics are in several of them."""
        if isinstance(run, Run):
            return judge_run(self.qrels, run, self.order, self._workers)
        background = alone and self._workers > 1
        if run.state is not None and run.path is not None and (run.state.size < 2 * STRETCH or self._workers == 1):
            return [partial(_judge_file, self.qrels, run, self.order, background=background)]
        stream = partial(_judge_stream, self.qrels, run, self.order, background=background)
        if run.path is None or is_compressed(run):
            return [stream]
        with guarded(run):
            size = run.path.stat().st_size if run.state is None else run.state.size
        pieces = max(1, min(size // STRETCH, 4 * self._workers)) if self._workers > 1 else 1
        if pieces > 1 and run.state is not None:
            settle(run.state)
        bounds = cuts(size, pieces, run.digest)
        shared = Shared(run, bounds, size)
        return [
            partial(_judge_stretch, self.qrels, shared, self.order, start, stop, scattered=scattered)
            for start, stop in pairwise(bounds)
        ]

    def results(self, progress: Callable[[int, int], None] | None = None) -> list[JudgedRun]:
        """Wait for the judged runs. ``progress`` is told how many of how many runs are done."""
        done, good, faults = [], [], list(self.faults)
        every = iter(self._pieces)
        for number, (run, count) in enumerate(zip(self.runs, self._counts, strict=True), start=1):
            pieces = list(islice(every, count))
            try:
                done.append(pieces[0] if pieces and isinstance(pieces[0], JudgedRun) else self._checked(run, _sound(pieces)))
                good.append(run)
            except InputError as error:
                faults.append(Faults.of(error, files_of(run)))
            if progress is not None:
                progress(number, len(self.runs))
        if faults and not (self.skip and done):
            raise intake_error(faults, skippable=not self.skip and bool(done))
        self.runs, self.faults = tuple(good), tuple(faults)
        return done

    def _whole(self, run: Source | Run, piece: Callable[[], Judge]) -> JudgedRun:
        return self._checked(run, [piece()])

    def _checked(self, run: Source | Parts | Run, judges: list[Judge]) -> JudgedRun:
        """Return the run that the judges have read, unless it has no judged topic."""
        result = self._finish(run, judges)
        if not any(judge.count for judge in result.judges):
            check_overlap(self.qrels, [(result.source, result.extra)])
        return result

    def _finish(self, run: Source | Parts | Run, judges: list[Judge]) -> JudgedRun:
        assert not isinstance(run, Parts)  # noqa: S101 - SpreadReading has them
        if isinstance(run, Run):
            extra = tuple(to_text(topic) for judge in judges for topic in judge.extra)
            return JudgedRun(run.name, run.held.source, run.name, tuple(judges), extra, Intake.of(judges, run.held))
        _check_faults(run, judges)
        if scattered(judges):
            pieces = [partial(_caught, piece) for piece in self._split(run, alone=True, scattered=True)]
            judges = _sound(Spread(pieces, self.threads))
            _check_faults(run, judges)
        judges = self._settled(judges)
        _check_faults(run, judges)
        tag = judges[0].tag
        if tag is None:
            raise_empty(run, is_run=True)
        topics = dict.fromkeys(to_text(topic) for judge in judges for topic in judge.extra)
        return JudgedRun(to_text(tag), run.name, run.stem, tuple(judges), tuple(topics), Intake.of(judges))

    def _settled(self, judges: list[Judge]) -> list[Judge]:
        """Return the judges of the stretches of a file, and those of topics whose lines are in several of them."""
        others = [judge.give() for judge in judges if judge.piles is not None]
        if not others:
            return judges
        piles, others = others[0], others[1:]
        for other in others:
            piles.join(other)
        parts = [part for part in pairwise(piles.bounds(4 * self._workers)) if part[0] < part[1]]
        settled = Spread([partial(_settle, self.qrels, self.order, piles, *part) for part in parts], self.threads)
        del piles  # the last thread gives the memory back, and nobody waits for that
        return [*judges, *settled]


def _check_faults(run: Source, judges: Sequence[Judge]) -> None:
    """Raise an error for the first fault of a file."""
    fault = next((judge for judge in judges if judge.fault not in {0, Fault.SCATTERED_TOPIC}), None)
    if fault is None:
        return
    if fault.fault == Fault.DUPLICATE and fault.fault_at < 0:  # lines that are not together: where they are was not kept
        raise file_faults(run, is_run=True).first[0]
    raise_fault(run, fault.fault, fault.fault_at, is_run=True)


def _settle(qrels: Qrels, order: Order, piles: Piles, first: int, last: int) -> Judge:
    judge = order.judge(qrels)
    settle_piles(judge, piles, first, last)
    return judge


def _caught(piece: Callable[[], Judge | JudgedRun]) -> Judge | JudgedRun | InputError:
    """Return the outcome of a piece of work, or what is wrong with the input: the others are read, unless the storage fails."""
    try:
        return piece()
    except InputError as error:
        if isinstance(error.__cause__, TriedError):
            raise
        return error


def _sound(pieces: Iterable[Judge | JudgedRun | InputError]) -> list[Judge]:
    """Return the judges of a run, or raise the first error."""
    judges = []
    for piece in pieces:
        if isinstance(piece, InputError):
            raise piece
        judges.append(cast("Judge", piece))  # a run that is finished is not asked for its judges
    return judges


def scattered(judges: list[Judge]) -> bool:
    """Return whether a topic has lines in two places, and some of them were judged without the others."""
    if any(judge.fault == Fault.SCATTERED_TOPIC for judge in judges) or share_topics(judges):
        return True
    extra = [topic for judge in judges if judge.piles is None for topic in judge.extra]
    others = {topic for judge in judges if judge.piles is not None for topic in judge.extra}
    return len(set(extra)) < len(extra) or not others.isdisjoint(extra)


def cuts(size: int, pieces: int, digest: Digest | None) -> list[int]:
    """Return where the stretches of a file begin, and −1 for the end of the last; a digest can be cut at some bytes only."""
    unit = 1 if digest is None else ALIGNED
    return [*sorted({size * piece // pieces // unit * unit for piece in range(pieces)}), -1]


class Shared:
    """The one descriptor that all stretches of a file are read from: the first opens it, the last closes it.

    Each stretch is hashed by the thread that judges it, and the last to end joins them to the digest of the file.
    """

    def __init__(self, origin: Source, bounds: Sequence[int], size: int) -> None:
        self.origin = origin
        self._digest = origin.untaken
        self.hashes = {} if self._digest is None else {start: self._digest.begin(start) for start in bounds[:-1]}
        self._size = size
        self._readers = len(bounds) - 1
        self._stored: Stored | None = None
        self._lock = threading.Lock()

    def hash(self, start: int) -> Blake3 | None:
        """Begin to hash a stretch, from its start again if it is read again."""
        if start in self.hashes and self._digest is not None:
            self.hashes[start] = self._digest.begin(start)
        return self.hashes.get(start)

    def __enter__(self) -> Stored:
        with self._lock:
            if self._stored is None:
                self._stored = Stored(self.origin.name, os.fspath(self.origin.path or ""), self.origin.state)
            return self._stored

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._readers -= 1
            if any(error):
                self._digest = None
            if self._readers == 0 and self._stored is not None:
                self._stored.close()
                if self._digest is not None:
                    for hashed in self.hashes.values():
                        self._digest.add(hashed, self._size)


def _judge_any(qrels: Qrels, order: Order, read: Callable[[Judge], None], *, scattered: bool = False) -> Judge:
    """Judge a file or a stretch; if the lines of a topic turn out not to be together, it is read again, and they are kept."""
    judge = order.judge(qrels, scattered=scattered)
    read(judge)
    if judge.fault == Fault.SCATTERED_TOPIC:
        judge = order.judge(qrels, scattered=True)
        read(judge)
    return judge


def _judge_whole(qrels: Qrels, order: Order, read: Callable[[Judge], None]) -> Judge:
    """Judge a run that is read in one piece, wherever the lines of its topics are."""
    judge = _judge_any(qrels, order, read)
    if judge.piles is not None and not judge.fault:
        settle_piles(judge, judge.give())
    return judge


def _judge_stretch(qrels: Qrels, shared: Shared, order: Order, start: int, stop: int, *, scattered: bool) -> Judge:
    def read(judge: Judge) -> None:
        judge.read(stored.descriptor, start, stop, shared.hash(start))

    with guarded(shared.origin), shared as stored:
        judge = _judge_any(qrels, order, read, scattered=scattered)
        stored.check()
    return judge


def _judge_file(qrels: Qrels, origin: Source, order: Order, *, background: bool) -> Judge:
    """Judge a file by itself; the digest of a plain one is taken block by block, while a block is in the nearest memory."""
    if is_compressed(origin):
        return _judge_stream(qrels, origin, order, background=background)

    def read(judge: Judge) -> None:
        digest = origin.untaken
        computed = None if digest is None else digest.begin()
        judge.read(stored.descriptor, digest=computed)
        if digest is not None and computed is not None:
            stored.check()
            digest.add(computed, stored.size())

    with guarded(origin), open_stored(origin) as stored:
        return _judge_whole(qrels, order, read)


def _judge_stream(qrels: Qrels, origin: Source, order: Order, *, background: bool) -> Judge:
    return _judge_whole(qrels, order, partial(feed, origin, background=background))


def feed(origin: Source, judge: Judge, *, background: bool = False) -> None:
    """Judge the inflated bytes of a source. They are hashed by the thread that judges, which inflating takes longer than."""
    digest = origin.untaken
    computed = None if digest is None else digest.begin()
    plain = replace(origin, digest=None)
    with guarded(origin), open_inflated(plain) as stream, closing(chunks(stream, background=background)) as pieces:
        for piece in pieces:
            if computed is not None:
                computed.update(piece)
            judge.feed(piece)
            if judge.fault:
                break
    judge.finish()
    if digest is not None and computed is not None and not judge.fault:
        digest.finish(computed)


def judge_run(qrels: Qrels, run: Run, order: Order, workers: int) -> list[Callable[[], Judge]]:
    """Return the pieces of work that a run in memory consists of."""
    if not isinstance(run.held, TopicTable):
        return [partial(_judge_held, qrels, run.held, order)]
    table = run.table
    pieces = max(1, min(len(table) // ROWS, 4 * workers)) if workers > 1 else 1
    _, bounds = table.by_topic
    cuts = [int(bounds.searchsorted(len(table) * piece // pieces)) for piece in range(pieces)] + [len(table.names)]
    return [partial(_judge_table, qrels, table, order, slice(first, last)) for first, last in pairwise(cuts) if first < last]


def _judge_held(qrels: Qrels, held: Held, order: Order) -> Judge:
    judge = order.judge(qrels)
    if held.judge(judge):
        return judge
    table = held.table()
    return _judge_table(qrels, table, order, slice(0, len(table.names)))


def _judge_table(qrels: Qrels, table: TopicTable, order: Order, part: slice) -> Judge:
    """Judge some of the topics of a run in columns."""
    judge = judged_rows(qrels, table, order, part)
    if judge.fault == Fault.DUPLICATE:
        from mensura.io.checks import raise_repeated

        raise_repeated(table, graded=False)
    return judge


def judged_rows(qrels: Qrels, table: TopicTable, order: Order, part: slice) -> Judge:
    """Judge some of the topics of a run in columns; a document that is listed twice is the fault of the judge."""
    import numpy as np

    judge = order.judge(qrels)
    rows, bounds = table.by_topic
    names = table.names.as_list()[part]
    topics = np.array(qrels.index.topics.find_all(names), dtype=np.int32)
    judge_columns(judge, table.text, table.start, table.length, table.value, rows, bounds[part.start : part.stop + 1], topics)
    if judge.fault == Fault.COLLISIONS:
        raise InputError(COLLIDE, source=table.source)
    if judge.fault and judge.fault != Fault.DUPLICATE:
        raise MemoryError
    judge.extra.update((name, None) for name, number in zip(names, topics.tolist(), strict=True) if number < 0)
    return judge
