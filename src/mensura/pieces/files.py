"""Means of runs in files, without anything that grows with ranks: a worker has one part, and gives back exact sums."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mensura.engines.engine import Threads
from mensura.errors import InputError
from mensura.io.columns import Run, to_text
from mensura.io.files import Source
from mensura.io.parts import RunPart, judged_part, parts_of
from mensura.io.read import read_qrels, run_inputs
from mensura.io.reading import JudgedRun
from mensura.io.trec import Fault, raise_empty, raise_fault
from mensura.judged.entrance import name_systems, opened
from mensura.measures.names import parse_measures
from mensura.pieces.evaluating import highest_of, order_of, partial_of
from mensura.pieces.sums_merged import Means, merge_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mensura.evaluation.evaluation import Topics
    from mensura.io.columns import Qrels
    from mensura.io.reading import Compat, Order
    from mensura.measures.base import Measure
    from mensura.pieces.partial import PartialSums

Shared = tuple["Qrels", "Order", "list[Measure]", int]
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
        judgments, parsed = read_qrels(qrels), parse_measures(measures)
        order = order_of(parsed, compat)
        inputs = run_inputs(runs, lazy=True)
        pairs = [(number, *pair) for number, run in enumerate(inputs) for pair in parts_of(run)]
        pieces = [part for _, _, part in pairs]
        shared = (judgments, order, parsed, highest_of(judgments))
        spread = (spreading or Threads(threads)).run(summed_part, pieces, shared, [part.seconds for part in pieces])
        sums: list[list[PartialSums]] = [[] for _ in inputs]
        tags: list[bytes | None] = [None] * len(inputs)
        for done, ((number, origin, _), (tag, fault, at, part)) in enumerate(zip(pairs, spread, strict=True), start=1):
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


def summed_part(shared: Shared, part: RunPart) -> tuple[bytes | None, int, int, PartialSums]:
    """Judge and score a part, and add its topics up: tag, fault and its place, and the sums."""
    qrels, order, measures, highest = shared
    judge, _ = judged_part(qrels, order, part)
    sums = partial_of([judge], qrels, measures, order, system="run", highest=highest).sums()
    return judge.tag, judge.fault, judge.fault_at, sums


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
