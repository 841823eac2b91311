"""Runs in files, part by part: a worker has one part, and returns exact sums, and values of topics if they are wanted."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.engines.choice import opened
from mensura.engines.engine import Threads
from mensura.errors import MensuraError
from mensura.io.columns import Qrels, Run, to_bytes, to_text
from mensura.io.files import Source
from mensura.io.intake import check_overlap
from mensura.io.parts import Hashed, RunPart, judged_part, note_digest, parts_of
from mensura.io.read import read_qrels, run_inputs
from mensura.io.reading import JudgedRun
from mensura.io.shuffling import Shuffle, gather_blocks
from mensura.io.slices import at_hand, read_portable, sliced
from mensura.io.trec import Fault, raise_empty, raise_fault
from mensura.judged.entrance import name_systems
from mensura.measures.names import parse_measures
from mensura.pieces.evaluating import highest_of, order_of, partial_of
from mensura.pieces.merging import Gathering
from mensura.pieces.sums_merged import Means, merged_means

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mensura._core.judge import Judge
    from mensura.engines.engine import Engine
    from mensura.evaluation.evaluation import Topics
    from mensura.io.reading import Compat, Order
    from mensura.io.shuffling import Gathered
    from mensura.io.slices import QrelsSlice
    from mensura.measures.base import Measure
    from mensura.pieces.partial import PartialSums

Shared = tuple["Qrels | QrelsSlice", "Order", "list[Measure]", int, bool]
Placed = tuple[float, int, "Source | None", RunPart]


def means(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    topics: Topics = "judged",
    compat: Compat = "trec_eval-10",
    threads: int | None = None,
    engine: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Means:
    """Compute means alone: the same numbers as :func:`mensura.evaluate`, for runs of any size.

    No value of a topic is kept. A run whose topics are not together is shuffled by topic, which takes longer.

    Parameters
    ----------
    qrels, runs, measures, compat, threads, engine
        As for :func:`mensura.evaluate`.
    topics
        ``"judged"`` or ``"run"``.
    progress
        Is told how many parts of how many are done.

    Examples
    --------
    >>> means({"q": {"a": 1}}, {"mine": [("q", "b", 2.0), ("q", "a", 1.0)]}, "RR").means()
    {'mine': {'RR': 0.5}}
    """
    with opened(engine, threads) as spreading:
        files = RunFiles(qrels, runs, parse_measures(measures), compat, spreading or Threads(threads))
        while files.unread:
            with files.attempt():
                for _ in files.read(progress):
                    pass
    return files.means(topics)


@dataclass(frozen=True, eq=False)
class PartScores:
    """Outcome of a part of a run: its tag, a fault and its place, numbers of judged topics, sums, values and digest if wanted."""

    tag: bytes | None
    fault: int
    at: int
    numbers: NDArray[np.int64]
    sums: PartialSums
    values: NDArray[np.float64] | None
    hashed: Hashed = None


class RunFiles:
    """Runs that are read part by part.

    Attributes
    ----------
    inputs
        The runs.
    seen
        bool [run, topic]: judged topics that were in a part that was read.
    """

    def __init__(self, qrels: Any, runs: Any, measures: list[Measure], compat: Compat, engine: Engine) -> None:
        self.qrels, self._carried = (read_qrels(qrels),) * 2 if isinstance(engine, Threads) else read_portable(qrels)
        self.measures = measures
        self.order = order_of(measures, compat)
        self.qrels.check_whole("an evaluation in pieces")
        self.inputs = run_inputs(runs, lazy=True)
        self.seen = np.zeros((len(self.inputs), len(self.qrels.topics)), dtype=np.bool_)
        self._engine = engine
        self._shuffled: set[int] = set()
        self._sums: list[list[PartialSums]] = []
        self._tags: list[bytes | None] = [None] * len(self.inputs)
        self.unread = True

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Read all runs, and if the topics of one turn out not to be together, do not: the next attempt shuffles it."""
        self.seen[:] = False
        self._sums = [[] for _ in self.inputs]
        try:
            yield
            self.unread = False
        except _ScatteredError as error:
            self._shuffled.add(error.run)

    def read(self, progress: Callable[[int, int], None] | None = None, *, keep: bool = False) -> Iterator[tuple[int, PartScores]]:
        """Read all parts and yield them with the numbers of their runs: side by side, so that runs advance together."""
        parts = self._placed()
        done, total = 0, len(parts) + len(self._shuffled)
        for (_, number, origin, _), part in zip(parts, self._scored(parts, keep=keep), strict=True):
            self._tags[number] = self._tags[number] or part.tag
            if part.fault == Fault.SCATTERED_TOPIC or self.seen[number, part.numbers].any():
                raise _ScatteredError(number)
            if part.fault and origin is not None:
                raise_fault(origin, part.fault, part.at, is_run=True)
            note_digest(origin, part.hashed)
            yield number, self._noted(number, part)
            done += 1
            if progress is not None:
                progress(done, total)
        for number in sorted(self._shuffled):
            for part in self._gathered(number, keep=keep):
                yield number, self._noted(number, part)
            done += 1
            if progress is not None:
                progress(done, total)
        self._check_topics()

    def _check_topics(self) -> None:
        """Refuse runs without a topic; those without judgments must be together too."""
        for number, (run, some) in enumerate(zip(self.inputs, self._sums, strict=True)):
            extra = [name for part in some for name in part.extra]
            if not extra and not any(part.present for part in some) and isinstance(run, Source):
                raise_empty(run, is_run=True)
            if len(set(extra)) < len(extra):
                raise _ScatteredError(number)

    def _noted(self, number: int, part: PartScores) -> PartScores:
        self.seen[number, part.numbers] = True
        self._sums[number].append(part.sums)
        return part

    def _gathered(self, number: int, *, keep: bool) -> Iterator[PartScores]:
        """The topics of a run that are in several parts of it, after a shuffle."""
        shuffle, several = Shuffle(parts_of(self.inputs[number])), []
        shared = (self._carried, self.order, self.measures, highest_of(self.qrels), keep)
        for scores, gathered in shuffle.run(self._engine, scored_blocks, shared):
            several.append(gathered)
            if scores is not None and not gathered.wrong:
                yield scores
        shuffle.check(several)

    def _placed(self) -> list[Placed]:
        """Parts of all runs with places, runs and files, each with the judgments of its topics if these can be told."""
        several: list[list[tuple[Source | None, RunPart]]] = [
            [] if number in self._shuffled else parts_of(run) for number, run in enumerate(self.inputs)
        ]
        if not isinstance(self._carried, Qrels):
            slices = [sliced([part for _, part in some], self.qrels, self._carried) for some in several]
            if all(some is not None for some in slices):
                several = [
                    [(origin, part) for (origin, _), part in zip(some, parts or (), strict=True)]
                    for some, parts in zip(several, slices, strict=True)
                ]
        placed = [
            (place / len(some), number, origin, part)
            for number, some in enumerate(several)
            for place, (origin, part) in enumerate(some)
        ]
        return sorted(placed, key=lambda each: each[:2])

    def _scored(self, placed: Sequence[Placed], *, keep: bool) -> Iterator[PartScores]:
        """Outcomes of all parts, in their order, which are those of the whole judgments."""
        parts = [part for *_, part in placed]
        done = 0
        try:
            for outcome in self._run(parts, keep=keep):
                yield outcome
                done += 1
        except _ElsewhereError:
            yield from self._run([replace(part, judgments=None) for part in parts[done:]], keep=keep)

    def _run(self, parts: Sequence[RunPart], *, keep: bool) -> Iterator[PartScores]:
        shared = (self._carried, self.order, self.measures, highest_of(self.qrels), keep)
        running = self._engine.run(scored_part, parts, shared, [part.seconds for part in parts])
        for part, outcome in zip(parts, running, strict=True):
            if part.judgments is not None and (outcome.fault or self._judged(outcome.sums.extra)):
                raise _ElsewhereError
            yield outcome

    def _judged(self, topics: Sequence[str]) -> bool:
        """Whether one of the topics is judged."""
        return any(number >= 0 for number in self.qrels.table.names.find_all(list(map(to_bytes, topics))))

    def means(self, topics: Topics) -> Means:
        """The means, after all parts were read; systems in the order of the runs."""
        if topics == "both":
            raise MensuraError("sums take topics='judged' or 'run', not 'both': which topics all runs have is not known from them")
        names = self.names
        parts = {name: [replace(part, system=name) for part in some] for name, some in zip(names, self._sums, strict=True)}
        outside = [
            (name, [extra for part in parts[name] for extra in part.extra])
            for name, some in zip(names, self.seen, strict=True)
            if not some.any()
        ]
        check_overlap(self.qrels, outside)
        gathered = Gathering(parts, names, self.qrels.topics, self.qrels)
        return merged_means(gathered, topics, lambda system: np.flatnonzero(~self.seen[names.index(system)]))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems, by the rule of :func:`mensura.judged.entrance.name_systems`."""
        return _names(self.inputs, self._tags)

    @property
    def sums(self) -> list[PartialSums]:
        """Sums of all parts of all runs."""
        return [part for some in self._sums for part in some]


class _ScatteredError(Exception):
    """The topics of a run are not together."""

    def __init__(self, run: int) -> None:
        self.run = run
        super().__init__(run)


class _ElsewhereError(Exception):
    """A topic of a part is judged, but not in the slice that the part was given."""


def scored_part(shared: Shared, part: RunPart) -> PartScores:
    """Judge and score a part, and add its topics up."""
    carried, order, *_ = shared
    qrels = at_hand(part.judgments or carried)
    judge, hashed = judged_part(qrels, order, part)
    scores = _scores(judge, qrels, shared, 0 if part.judgments is None else part.judgments.first)
    return replace(scores, hashed=hashed)


def scored_blocks(shared: Shared, blocks: list[bytes]) -> tuple[PartScores | None, Gathered]:
    """Judge and score all rows of some topics."""
    carried, order, *_ = shared
    qrels = at_hand(carried)
    gathered = gather_blocks(qrels, order, blocks)
    scores = None if gathered.judge is None else _scores(gathered.judge, qrels, shared)
    return scores, replace(gathered, judge=None)


def _scores(judge: Judge, qrels: Qrels, shared: Shared, first: int = 0) -> PartScores:
    """Score what was judged; ``first`` is the number of the first topic of ``qrels`` among those of all judgments."""
    _, order, measures, highest, keep = shared
    partial = partial_of([judge], qrels, measures, order, system="run", highest=highest)
    numbers = np.array(judge.topics(), dtype=np.int64) + first
    values = partial.values[: len(measures)] if keep else None
    sums = replace(partial.sums(), topics=())  # the numbers are enough, and names of 10⁷ topics are large
    return PartScores(judge.tag, judge.fault, judge.fault_at, numbers, sums, values)


def _names(inputs: Iterable[Any], tags: Iterable[bytes | None]) -> tuple[str, ...]:
    """Names of the systems, by the rule of :func:`mensura.judged.entrance.name_systems`."""
    return name_systems(
        [
            JudgedRun(run.name, run.name, run.name, (), ())
            if isinstance(run, Run)
            else JudgedRun(run.stem if tag is None else to_text(tag), run.name, run.stem, (), ())
            for run, tag in zip(inputs, tags, strict=True)
        ]
    )
