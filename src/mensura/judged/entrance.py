"""The entrance: from judgments and runs to judged runs. Every user of the library comes in by this door.

Nothing here imports NumPy before the runs are being read, on other threads: the command line imports it meanwhile.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura._core.parts import scatter
from mensura.engines.choice import opened
from mensura.errors import InputError, IntakeError
from mensura.io.columns import Run
from mensura.io.intake import Faults, file_faults, intake_error
from mensura.io.read import files_of, read_qrels, run_inputs
from mensura.io.reading import Order
from mensura.io.start import begin_reading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura.engines.engine import Engine
    from mensura.io.reading import Compat, JudgedRun, Reading, TieOrder
    from mensura.judged.runs import JudgedRuns

LARGEST = 1 << 33  # bytes of grades: more than this is a mistake, not an evaluation


@dataclass(frozen=True, slots=True)
class Needs:
    """Needs of measures: ``ranks`` from the top of a run, ``None`` for all, and whether its scores and documents.

    ``continuous`` says that grades need not be whole numbers. ``|`` joins two needs.
    """

    ranks: int | None = None
    scores: bool = False
    documents: bool = False
    continuous: bool = False

    def __or__(self, other: Needs) -> Needs:
        ranks = None if self.ranks is None or other.ranks is None else max(self.ranks, other.ranks)
        return Needs(ranks, self.scores or other.scores, self.documents or other.documents, self.continuous and other.continuous)


ALL_RANKS = Needs()
EVERYTHING = Needs(scores=True, continuous=True)


def begin(
    qrels: Any,
    runs: Any,
    needs: Needs = ALL_RANKS,
    *,
    compat: Compat = "trec_eval-10",
    threads: int | None = None,
    engine: Engine | None = None,
    ties: TieOrder = "id",
    drop_self: bool = False,
    skip_bad_runs: bool = False,
) -> Reading:
    """Begin to read runs and look their documents up in the judgments; :func:`collect` waits for the result.

    An ``engine`` spreads the work; without one, the threads of this process do it.
    """
    named = [qrels, *(runs if isinstance(runs, list | tuple) else [runs])]
    if sum(isinstance(each, str) and each == "-" for each in named) > 1:
        raise InputError("standard input can be read only once; give the other inputs as files", source="-")
    faults: list[InputError] = []
    try:
        if engine is None:
            judgments, carried = read_qrels(qrels), None
        else:
            from mensura.io.slices import read_portable  # only engines need it

            judgments, carried = read_portable(qrels)
    except InputError as error:
        raise _all_faults(error, runs) from None
    if not needs.continuous:
        judgments.check_whole("every measure but ADM")
    order = Order(needs.ranks, compat, needs.scores, needs.documents or judgments.continuous, ties, drop_self)
    inputs = run_inputs(runs, lazy=engine is not None, faults=faults)
    options: Any = {"engine": engine, "carried": carried, "faults": list(map(Faults.of, faults)), "skip": skip_bad_runs}
    return begin_reading(judgments, inputs, order, threads, **options)


def _all_faults(error: InputError, runs: Any) -> InputError:
    """Return the error about judgments, and about all that is wrong with the runs: who mends a file wants to mend all."""
    if error.line is None and error.row is None and not isinstance(error, IntakeError):
        return error
    faults = [Faults.of(error)]
    errors: list[InputError] = []
    inputs = run_inputs(runs, faults=errors)
    faults += map(Faults.of, errors)
    for run in inputs:
        try:
            if isinstance(run, Run):
                run.table  # noqa: B018 - which lists the faults of its rows
            faults += [file_faults(file, is_run=True) for file in files_of(run)]
        except InputError as fault:
            faults.append(Faults.of(fault))
    return intake_error([each for each in faults if each.count], skippable=False)


def judge(
    qrels: Any,
    runs: Any,
    *,
    depth: int | None = None,
    compat: Compat = "trec_eval-10",
    scores: bool = False,
    threads: int | None = None,
    engine: Any = None,
    ties: TieOrder = "id",
    drop_self: bool = False,
    skip_bad_runs: bool = False,
) -> JudgedRuns:
    """Rank runs and look their documents up in the judgments.

    Parameters
    ----------
    qrels
        The judgments, or anything that :func:`mensura.read_qrels` reads. Every topic that they contain is evaluated.
    runs
        Paths of run files (or patterns like ``runs/*.gz``), which are judged while they are read and never held in memory; runs, or
        anything that :func:`mensura.read_run` reads; or a dict of them by the names of the systems.
    depth
        Number of ranks to keep; all by default.
    compat
        The order of ``trec_eval-10`` (float64 scores) or of ``trec_eval-9`` (float32).
    scores
        Keep the scores too.
    threads
        Number of threads to read with; by default, one per core.
    engine
        ``"dask"``, the address of a Dask scheduler, or a ``Client``: its workers read the runs.
    ties, drop_self
        As in :func:`mensura.evaluate`.
    skip_bad_runs
        Go on without runs that cannot be read; :attr:`~mensura.JudgedRuns.left_out` says which, and why.
    """
    needs = Needs(depth, scores, continuous=True)
    options: Any = {"compat": compat, "threads": threads, "ties": ties, "drop_self": drop_self, "skip_bad_runs": skip_bad_runs}
    with opened(engine, threads) as spreading:
        return collect(begin(qrels, runs, needs, **options, engine=spreading))


def collect(reading: Reading, progress: Callable[[int, int], None] | None = None) -> JudgedRuns:
    """Wait for runs that are being read, and lay their grades side by side. ``progress`` is told how many of how many are read."""
    import numpy as np

    from mensura.judged.runs import JudgedRuns, tie_groups

    topics, recall_base = reading.qrels.topics, reading.qrels.recall_base  # while the runs are being read
    results = reading.results(progress)
    order = reading.order
    width = max((judge.width for result in results for judge in result.judges), default=0)
    shape = (len(results), len(topics))
    if shape[0] * shape[1] * width > LARGEST:
        raise InputError(
            f"{shape[0]} runs × {shape[1]} topics × {width} ranks do not fit into memory: "
            "one list is far longer than the others; keep fewer ranks, for example 1000, with depth="
        )
    grades = np.full((*shape, width), -1, dtype=np.int8)
    retrieved = np.zeros(shape, dtype=np.int32)
    ties = np.zeros(shape, dtype=np.int32)
    scores = np.full((*shape, width), np.nan) if order.keep_scores else None
    for system, result in enumerate(results):
        for part in result.judges:
            scatter(part, grades[system], retrieved[system], ties[system], None if scores is None else scores[system])
    kept = relevance = None
    if order.keep_documents:
        from mensura.judged.documents import numbered, relevances

        kept = numbered(reading.qrels, results, width)
        relevance = relevances(kept, reading.qrels) if reading.qrels.continuous else None
    judged = JudgedRuns(
        grades=grades,
        recall_base=recall_base,
        retrieved=retrieved,
        ties=ties,
        systems=name_systems(results),
        topics=topics,
        extra=tuple(result.extra for result in results),
        depth=order.depth,
        compat=order.compat,
        scores=scores,
        tie_order=order.ties,
        groups=tie_groups(scores) if order.ties == "expected" and scores is not None else None,
        own=tuple(sum(part.own for part in result.judges) for result in results),
        own_dropped=order.drop_self,
        relevance=relevance,
        origin=(reading.qrels, reading.runs),
        intake=tuple(result.intake for result in results),
        left_out=tuple(faults.sentence for faults in reading.faults),
    )
    if kept is not None:
        judged.keep(kept)
    return judged


def name_systems(results: Sequence[JudgedRun]) -> tuple[str, ...]:
    """Return a name for each run: its tag when no other run has it, else its file name without endings, else its path."""
    tags = Counter(result.name for result in results)
    stems = Counter(result.stem for result in results)
    names = [
        result.name if tags[result.name] == 1 else result.stem if stems[result.stem] == 1 else result.source for result in results
    ]
    taken = Counter(names)
    if max(taken.values(), default=1) > 1:
        twice = next(name for name, count in taken.items() if count > 1)
        raise InputError(f"two runs would both be called {twice!r}; rename one of them, or name each file once")
    return tuple(names)
