"""Means of runs in files, without anything that grows with ranks: a worker has one part, and gives back exact sums."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.engines.choice import opened
from mensura.engines.engine import Threads
from mensura.errors import InputError
from mensura.io.columns import Qrels, Run, to_bytes, to_text
from mensura.io.files import Source
from mensura.io.parts import RunPart, judged_part, parts_of
from mensura.io.read import read_qrels, run_inputs
from mensura.io.reading import JudgedRun
from mensura.io.slices import at_hand, read_portable, sliced
from mensura.io.trec import Fault, raise_empty, raise_fault
from mensura.judged.entrance import name_systems
from mensura.measures.names import parse_measures
from mensura.pieces.evaluating import highest_of, order_of, partial_of
from mensura.pieces.sums_merged import Means, merge_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.engines.engine import Engine
    from mensura.evaluation.evaluation import Topics
    from mensura.io.reading import Compat, Order
    from mensura.io.slices import QrelsSlice
    from mensura.measures.base import Measure
    from mensura.pieces.partial import PartialSums

Shared = tuple["Qrels | QrelsSlice", "Order", "list[Measure]", int]
Outcome = tuple["bytes | None", int, int, "PartialSums"]
SCATTERED = (
    "topics are not together in this run, and means alone are computed topic by topic; sort it, e.g. with sort -s -k1,1, "
    "or evaluate it without --means-only"
)


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

    The topics of a file must be together, as they are in TREC's runs. Nothing is kept of a topic but its name.

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
        judgments, carried = (read_qrels(qrels), None) if spreading is None else read_portable(qrels)
        parsed = parse_measures(measures)
        order = order_of(parsed, compat)
        judgments.check_whole("an evaluation in pieces")
        inputs = run_inputs(runs, lazy=True)
        pairs = [(number, *pair) for number, run in enumerate(inputs) for pair in parts_of(run)]
        spread = _Spread(spreading or Threads(threads), (carried or judgments, order, parsed, highest_of(judgments)), judgments)
        sums: list[list[PartialSums]] = [[] for _ in inputs]
        tags: list[bytes | None] = [None] * len(inputs)
        outcomes = spread.outcomes(pairs)
        for done, ((number, origin, _), (tag, fault, at, part)) in enumerate(zip(pairs, outcomes, strict=True), start=1):
            if fault == Fault.SCATTERED_TOPIC:
                raise InputError(SCATTERED, source=inputs[number].name)
            if fault and origin is not None:
                raise_fault(origin, fault, at, is_run=True)
            sums[number].append(part)
            tags[number] = tags[number] or tag
            if progress is not None:
                progress(done, len(pairs))
    names = _names(inputs, tags)
    for run, some in zip(inputs, sums, strict=True):
        if not any(part.topics or part.extra for part in some) and isinstance(run, Source):
            raise_empty(run, is_run=True)
        _check_together(run.name, some)
    partials = [replace(part, system=name) for name, some in zip(names, sums, strict=True) for part in some]
    return merge_sums(partials, judgments, topics=topics, systems=names)


@dataclass(frozen=True)
class _Spread:
    """Parts of runs on an engine: each with the judgments of its topics if they can be told, else with all of them."""

    engine: Engine
    shared: Shared
    qrels: Qrels

    def outcomes(self, pairs: Sequence[tuple[int, Source | None, RunPart]]) -> Iterator[Outcome]:
        """Outcomes of all parts, in their order, which are those of the whole judgments."""
        parts = [part for _, _, part in pairs]
        done = 0
        try:
            for outcome in self._run(self._sliced(pairs) or parts):
                yield outcome
                done += 1
        except _ElsewhereError:
            yield from self._run(parts[done:])

    def _sliced(self, pairs: Sequence[tuple[int, Source | None, RunPart]]) -> list[RunPart] | None:
        whole = self.shared[0]
        if isinstance(whole, Qrels):
            return None
        several: list[RunPart] = []
        for _, group in groupby(pairs, key=itemgetter(0)):
            some = sliced([part for _, _, part in group], self.qrels, whole)
            if some is None:
                return None
            several += some
        return several

    def _run(self, parts: Sequence[RunPart]) -> Iterator[Outcome]:
        topics = self.qrels.topics
        spread = self.engine.run(summed_part, parts, self.shared, [part.seconds for part in parts])
        for part, (tag, fault, at, numbers, sums) in zip(parts, spread, strict=True):
            if part.judgments is not None and (fault or self._judged(sums.extra)):
                raise _ElsewhereError
            yield tag, fault, at, replace(sums, topics=tuple(topics[number] for number in numbers.tolist()))

    def _judged(self, topics: Sequence[str]) -> bool:
        """Whether one of the topics is judged."""
        return any(number >= 0 for number in self.qrels.table.names.find_all(list(map(to_bytes, topics))))


class _ElsewhereError(Exception):
    """A topic of a part is judged, but not in the slice that the part was given."""


def summed_part(shared: Shared, part: RunPart) -> tuple[bytes | None, int, int, NDArray[np.int32], PartialSums]:
    """Judge and score a part, and add its topics up: tag, fault and its place, numbers of topics, and sums without their names."""
    carried, order, measures, highest = shared
    qrels = at_hand(part.judgments or carried)
    judge, _ = judged_part(qrels, order, part)
    sums = partial_of([judge], qrels, measures, order, system="run", highest=highest).sums()
    first = 0 if part.judgments is None else part.judgments.first
    numbers = np.array(judge.topics(), dtype=np.int32) + np.int32(first)
    return judge.tag, judge.fault, judge.fault_at, numbers, replace(sums, topics=())


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


def _check_together(source: str, parts: list[PartialSums]) -> None:
    """Refuse a run with a topic in two parts."""
    for names in ([part.topics for part in parts], [part.extra for part in parts]):
        if len({name for some in names for name in some}) < sum(map(len, names)):
            raise InputError(SCATTERED, source=source)
