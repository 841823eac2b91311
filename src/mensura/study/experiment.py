"""The study of P4 on any collection: the distance of measures from interval scales, and the decisions that depend on it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import LedgerError, MensuraError
from mensura.ledger.counting import count_tests
from mensura.result import Shown
from mensura.scales.counting.sweep import SweptValues
from mensura.scales.curves import probes
from mensura.scales.ranks import Scales
from mensura.scales.rescaled import TITLES, scales_named
from mensura.stats.arrays import tied_ranks
from mensura.stats.correlation import kendall
from mensura.stats.ledger_entries import batches_of
from mensura.study.cell import Cell, Decisions, StudyOptions, make_cell
from mensura.study.changes import decision_cells, summarise_changes
from mensura.study.names import LENGTHS, label, pairs_of, safe_name, study_measures, study_tests
from mensura.study.work import Work, WorkStep, digest_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.render.tables import View
    from mensura.scales.interval import Ties
    from mensura.scales.types import Scale
    from mensura.study.changes import Changes, DecisionCell

    Places = dict[tuple[str, int], tuple[NDArray[np.float64], NDArray[np.float64]]]

STANDS_FOR = "“interval scale” stands for another scale in this study: "
TIES: tuple[Ties, ...] = ("unq", "mid")


@dataclass(frozen=True, slots=True)
class Move:
    """A system whose rank in a leaderboard changes on the interval scale."""

    measure: str
    system: str
    before: float
    after: float


@dataclass(frozen=True, eq=False)
class Study(Shown):
    """The results of a study.

    Attributes
    ----------
    name
        The collection's name; with the length it names a track, such as ``trec8_30``.
    systems, topics, grades
        What was studied. ``grades`` are those that occur, 0 and 1 if the study was made binary.
    measures, lengths, tests, ties, alpha, rel, seed
        What was asked for.
    cells
        One per measure and length, length by length.
    digest
        Of the judged runs.
    seconds
        What each step took on the clock; ``None`` if it was kept from an earlier time.
    remarks
        Sentences for readers: tests that could not be counted in the ledger.
    """

    name: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    grades: tuple[int, ...]
    measures: tuple[Measure, ...]
    lengths: tuple[int, ...]
    tests: tuple[str, ...]
    ties: tuple[str, ...]
    alpha: float
    rel: int | None
    seed: int
    cells: tuple[Cell, ...]
    digest: str
    seconds: dict[str, float | None]
    remarks: tuple[str, ...] = ()

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the measures in the tables."""
        return tuple(cell.label for cell in self.cells[: len(self.measures)])

    @cached_property
    def system_pairs(self) -> int:
        """Number of pairs of systems."""
        return len(self.systems) * (len(self.systems) - 1) // 2

    @cached_property
    def decided(self) -> dict[int, list[DecisionCell]]:
        """The decisions of each test by each measure, at each length."""
        return {length: decision_cells(self, length) for length in self.lengths}

    @cached_property
    def changes(self) -> dict[int, Changes]:
        """Averages of changed decisions at each length; empty without tests."""
        return {length: summarise_changes(cells) for length, cells in self.decided.items() if self.tests}

    def view(self) -> View:
        """The sentences of ``summary.txt``, and Table 2: how far each measure is from its interval scale."""
        from mensura.render.studies import study_view

        return study_view(self)

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """``tau``, ``decisions``, ``places``, and ``values_…`` for each measure."""
        from mensura.render.studies import study_charts

        return study_charts(self)

    def track(self, length: int) -> str:
        """The collection at a length, as P4 names it."""
        return f"{self.name}_{length:02}"

    def cell(self, name: str, length: int) -> Cell:
        """The results for a measure, by its name in the tables, at a length."""
        for cell in self.cells:
            if (cell.label, cell.length) == (name, length):
                return cell
        raise KeyError(f"{name} at length {length} was not studied")

    def between(self, length: int) -> dict[tuple[str, str], tuple[float, float]]:
        """τ_b between two measures, and between their interval-scaled versions, for all pairs of measures (P4, Table 4)."""
        cells = {cell.label: cell for cell in self.cells if cell.length == length}
        return {
            (one, other): (kendall(cells[one].means, cells[other].means), kendall(cells[one].alike, cells[other].alike))
            for one, other in pairs_of(self.measures, self.labels)
        }

    @cached_property
    def places(self) -> Places:
        """Ranks of the systems by each measure (label, length) and on its interval scale, from 1; equal means share their mean."""
        sign = {name: -1 if measure.direction == "higher" else 1 for name, measure in zip(self.labels, self.measures, strict=True)}
        means = [sign[cell.label] * np.asarray(row) for cell in self.cells for row in (cell.means, cell.alike)]
        codes = np.stack([np.unique(row, return_inverse=True)[1].reshape(-1) for row in means]).astype(np.int64)
        ranks = tied_ranks(codes)[0]
        return {(cell.label, cell.length): (ranks[2 * at], ranks[2 * at + 1]) for at, cell in enumerate(self.cells)}

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """All changes of rank at the longest length, the largest first."""
        moves = [
            Move(label, system, one, other)
            for label in self.labels
            for system, one, other in zip(self.systems, *map(np.ndarray.tolist, self.places[label, self.lengths[-1]]), strict=True)
            if one != other
        ]
        return tuple(sorted(moves, key=lambda move: (-abs(move.after - move.before), move.measure, move.system)))

    def write(
        self,
        folder: Path,
        *,
        inputs: Mapping[str, str] | None = None,
        parameters: Mapping[str, Any] | None = None,
        record: Mapping[str, Any] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Path]:
        """Write tables, charts and study.json, each file whole or not at all; study.json comes last.

        Parameters
        ----------
        folder
            Where to write.
        inputs
            Digests of the files that were studied.
        parameters
            Further options that the study was called with.
        record
            How the study came about, as :mod:`mensura.record` has it.
        progress
            Called with the number of charts drawn, and of all.
        """
        from mensura.render.studies import write_study

        return write_study(self, folder, inputs=inputs or {}, parameters=parameters or {}, record=record, progress=progress)

    @cached_property
    def broken(self) -> tuple[tuple[str, int, str], ...]:
        """Measures, lengths and ways to rank ties where a topic's order changed. There must be none."""
        checked = ((cell, way, tau) for cell in self.cells for way, tau in cell.by_topic.items())
        return tuple((cell.label, cell.length, way) for cell, way, tau in checked if tau is not None and tau < 1)

    def __repr__(self) -> str:
        return (
            f"Study({self.name}: {len(self.systems)} systems × {len(self.topics)} topics, {len(self.measures)} measures, "
            f"lengths {', '.join(map(str, self.lengths))})"
        )


def study(
    judged: JudgedRuns,
    measures: Iterable[str | Measure] | None = None,
    lengths: Sequence[int] = LENGTHS,
    tests: Sequence[str] | None = None,
    ties: Sequence[Ties] = TIES,
    *,
    name: str = "collection",
    rel: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    scale: str = "interval",
    universe: str | None = None,
    width: float | None = None,
    work: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    engine: Any = None,
) -> Study:
    """Study measures on a collection: each as it is, and on its interval scale.

    Parameters
    ----------
    judged
        The judged runs; at least as many ranks as the longest length.
    measures
        Measures without cut-offs; P4's eleven by default.
    lengths
        Where runs are cut.
    tests
        P4's eight by default.
    ties
        ``"unq"`` ranks distinct values (P4, Table 2); ``"mid"`` ranks all runs, ties sharing the mean of their ranks (Table 3).
        Tests use the first.
    name
        The collection's name in the tables.
    rel
        Makes the collection binary first: documents of at least this grade are relevant. By default grades are kept.
    alpha
        The level of significance.
    seed
        For tests that draw at random; P4's do not.
    scale, universe, width
        The other scale: ``interval``, over the runs of a universe, or ``z-score``, ``linear`` or ``uniform``; and the greatest
        width of bounds where ranks are not exact. See :func:`mensura.compare`.
    work
        A folder where each step is kept, so that an interrupted study can be resumed.
    progress
        Called with the number of steps done, and of all.
    engine
        ``"dask"``, the address of a Dask scheduler, or a ``Client``: its workers make the steps.

    Examples
    --------
    >>> import numpy as np
    >>> from mensura import JudgedRuns
    >>> grades = np.random.default_rng(8).integers(0, 2, (4, 10, 5)).astype(np.int8)
    >>> result = study(JudgedRuns.from_grades(grades, [[40, 20]] * 10), ["P", "RR"], [5])
    >>> result
    Study(collection: 4 systems × 10 topics, 2 measures, lengths 5)
    >>> result.cell("P", 5).tau["unq"]
    1.0
    """
    chosen = study_measures(measures)
    test_names = study_tests(tests)
    if not lengths or min(lengths) < 1:
        raise MensuraError("a study needs lengths of at least 1, such as 5, 10, 20 and 30")
    unknown = [way for way in ties if way not in TIES]
    if unknown:
        raise MensuraError(f"ties {unknown[0]!r}: a study ranks them as 'unq' or 'mid'")
    if judged.shape[0] < 2 or judged.shape[1] < 2:  # noqa: PLR2004 - pairs of systems
        raise MensuraError(f"a study needs at least 2 systems and 2 topics, got {judged.shape[0]} and {judged.shape[1]}")
    order = tuple(sorted(set(lengths)))
    runs = replace((judged if rel is None else judged.binary(rel)).cut(order[-1]), origin=None)
    plan = StudyOptions(test_names, tuple(ties), alpha, seed, _other_scale(scale, universe), width)
    steps = Work(work, digest_of(runs))
    steps.open()
    every = study_steps(chosen, order, plan)
    pieces = in_pieces(runs, every)
    results = steps.spread(make_cells, pieces, (runs, plan), engine=engine, progress=progress)
    cell_of = {step.name: _cell(result) for step, result in results.items()}
    cells = [cell_of[step.name] for step in every]
    remarks = _count(judged, runs, [step.task for step in every], plan)
    steps.tidy()
    return Study(
        name=name,
        systems=runs.systems,
        topics=runs.topics,
        grades=tuple(range(max(runs.max_grade, 1) + 1)),
        measures=tuple(chosen),
        lengths=order,
        tests=test_names,
        ties=tuple(ties),
        alpha=alpha,
        rel=rel,
        seed=seed,
        cells=tuple(cells),
        digest=steps.on,
        seconds=steps.seconds,
        remarks=remarks if plan.scale == "interval" else (STANDS_FOR + TITLES[plan.scale], *remarks),
    )


def study_steps(measures: Sequence[Measure], lengths: Sequence[int], plan: StudyOptions) -> list[WorkStep]:
    """The steps of a study: each measure at each length."""
    cut = [measure @ length for length in lengths for measure in measures]
    names = [(label(measure), str(measure)) for measure in cut]
    options = asdict(plan)
    return [
        WorkStep(f"{safe_name(short)}_{measure.cutoff:02}", [name, options], measure)
        for measure, (short, name) in zip(cut, names, strict=True)
    ]


def in_pieces(runs: JudgedRuns, steps: Sequence[WorkStep]) -> list[list[WorkStep]]:
    """The steps of a study in pieces, the longest lengths first: measures with one scale, which is counted once, are together."""
    scales = Scales(runs)
    by_length: dict[int, list[WorkStep]] = {}
    for step in sorted(steps, key=lambda step: -step.task.cutoff):
        by_length.setdefault(step.task.cutoff, []).append(step)
    pieces: dict[Any, list[WorkStep]] = {}
    for length, some in by_length.items():
        for step in some:
            pieces.setdefault((length, scales.of(step.task).key if len(some) > 1 else None), []).append(step)
    return list(pieces.values())


def predict_study(
    judged: JudgedRuns,
    measures: Iterable[str | Measure] | None,
    lengths: Sequence[int],
    *,
    tests: Sequence[str] | None = None,
    ties: Sequence[Ties] = TIES,
    rel: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    scale: str = "interval",
    universe: str | None = None,
    width: float | None = None,
) -> tuple[int, float]:
    """Number of pieces of a study, and about how many seconds of one core they take.

    The first measure at the least length is made as a sample: tests take most of the time, and as long at any length. A sample of
    each sweep that counts a scale is added.
    """
    chosen = study_measures(measures)
    runs = replace((judged if rel is None else judged.binary(rel)).cut(max(lengths)), origin=None)
    plan = StudyOptions(study_tests(tests), tuple(ties), alpha, seed, _other_scale(scale, universe), width)
    pieces = in_pieces(runs, study_steps(chosen, lengths, plan))
    started = process_time()
    make_cells((runs, plan), [chosen[0] @ min(lengths)])
    seconds = (process_time() - started) * sum(map(len, pieces))
    scales = Scales(runs)
    countings = [scales.of(piece[0].task).scale.counting for piece in pieces] if plan.scale == "interval" else []
    return len(pieces), seconds + sum(counting.plan().seconds for counting in countings if isinstance(counting, SweptValues))


def make_cells(shared: tuple[JudgedRuns, StudyOptions], measures: Sequence[Measure]) -> list[tuple[Any, float]]:
    """Make the cells of measures that have one scale, as JSON takes them, and the seconds that each took."""
    runs, plan = shared
    scales = Scales(runs, probes)
    outcomes = []
    for measure in measures:
        started = perf_counter()
        outcomes.append((_plain(make_cell(measure, scales, plan)), perf_counter() - started))
    return outcomes


def _other_scale(name: str, universe: str | None) -> Scale:
    """The scale that values are compared with."""
    (other, *more) = scales_named(name, universe)
    if more or other == "original":
        raise MensuraError(f"scale={name!r}: a study compares values with one other scale, such as interval or z-score")
    return other


def _count(judged: JudgedRuns, runs: JudgedRuns, measures: Sequence[Measure], plan: StudyOptions) -> tuple[str, ...]:
    """Enter the tests in the ledger, if one is kept, before anybody sees a result; a remark if that fails."""
    qrels = None if judged.origin is None else judged.origin[0]
    try:
        count_tests(qrels, lambda collection: batches_of(runs, collection, measures, plan.tests, seed=plan.seed))
    except LedgerError as error:
        return (f"the tests of this study were not counted in the ledger: {error}",)
    return ()


def _plain(cell: Cell) -> dict[str, Any]:
    """A cell as JSON takes it."""
    plain = {name: getattr(cell, name) for name in Cell.__slots__}
    return plain | {"decisions": {test: asdict(decisions) for test, decisions in cell.decisions.items()}}


def _cell(kept: dict[str, Any]) -> Cell:
    decisions = {test: Decisions(**counts) for test, counts in kept["decisions"].items()}
    curves = {key: tuple((x, y) for x, y in kept[key]) for key in ("possible", "seen")}
    means = {key: tuple(kept[key]) for key in ("means", "ranked")}
    return Cell(**(kept | curves | means | {"decisions": decisions}))
