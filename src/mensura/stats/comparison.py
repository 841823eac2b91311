"""Comparisons of systems: tests, their correction for the family, intervals, effect sizes, and the ledger that counts the tests."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from mensura.engines.choice import opened
from mensura.errors import LedgerError, StatisticsError, suggest
from mensura.evaluation.evaluation import Evaluation, evaluated, warn
from mensura.evaluation.score_tables import ScoredTable, read_scores
from mensura.evaluation.scores import Scores
from mensura.ledger.counting import count_tests
from mensura.measures.base import check_mean
from mensura.measures.names import parse_measures
from mensura.scales.rescaled import Rescaled, rescale, scales_named
from mensura.stats.compared import Comparisons
from mensura.stats.confidence import check_level
from mensura.stats.draws import Draws
from mensura.stats.ledger_entries import entries_of
from mensura.stats.methods import choose_correction, choose_test
from mensura.stats.tested import Tested

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.engines.engine import Engine
    from mensura.evaluation.evaluation import Topics
    from mensura.io.reading import Compat, TieOrder
    from mensura.ledger.entries import Collection as Judgments
    from mensura.ledger.entries import Entry
    from mensura.measures.base import Measure
    from mensura.scales.types import Scale
    from mensura.stats.compared import Role
    from mensura.stats.draws import Progress
    from mensura.stats.methods import Correction, IntervalMethod, Method

PriorTests = int | Literal["auto"]


def compare(
    qrels: Any,
    runs: Any = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    baseline: str | Sequence[str] | None = None,
    test: str = "auto",
    correction: str = "auto",
    alpha: float = 0.05,
    scale: str | Sequence[str] = "original",
    universe: str | None = None,
    width: float | None = None,
    interval: IntervalMethod | None = None,
    prior_tests: PriorTests = 0,
    topics: Topics | None = None,
    compat: Compat | None = None,
    ties: TieOrder | None = None,
    drop_self: bool | None = None,
    skip_bad_runs: bool | None = None,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    ranks: Mapping[str, NDArray[Any]] | None = None,
    progress: Progress | None = None,
    engine: Any = None,
) -> Comparisons:
    """Compare systems by one measure or several; all pairs and measures are one family of tests.

    Systems and topics are taken in the order of their names, so the order of files changes nothing. Where a ledger is kept (see
    :doc:`ledger`), the tests are entered in it.

    Parameters
    ----------
    qrels, runs, measures
        As in :func:`mensura.evaluate`. Or one object instead of ``qrels`` and ``runs``: the result of :func:`mensura.evaluate`, or
        a table of scores that :func:`mensura.read_scores` reads (an array [system, topic], a data frame, a dict, the path of a
        file); ``measures`` then chooses some of its measures.
    baseline
        Compare all systems with this one only, or with each of several. By default all pairs are compared.
    test
        A test by its name; ``auto`` is the studentised bootstrap, or the test that a named correction belongs to.
    correction
        ``auto`` is the correction that is part of the test, and Holm's for tests that have none.
    alpha
        The level of significance.
    scale
        ``interval``: compare ranks on the interval scale of each measure instead of its own values. ``z-score``, ``linear`` and
        ``uniform``: values standardised by topic. ``both``: the values and the ranks. Several, as a list or with commas, are one
        family.
    universe
        The runs that ``interval`` is about: ``all``, ``attainable``, ``observed`` or ``independent``. The last two are scales by
        name too: ``scale="original,interval,observed,z-score"``.
    width
        The greatest width of bounds where ranks are not exact; by default what a few seconds give.
    interval
        The method of the intervals of differences; by default the one that fits the test.
    prior_tests
        Tests made earlier on this collection: they enlarge the family. ``auto``: as many as the ledger has counted.
    topics, compat, ties, drop_self, skip_bad_runs
        As in :func:`mensura.evaluate`, where ``qrels`` and ``runs`` are given.
    samples, seed, threads
        For tests that draw at random. By default 10 000 draws, more if α could not be reached, fewer where they would take long.
    ranks
        Ranks on the interval scale [system, topic], by the name of a measure, where they are known already.
    progress
        Called with the number of pieces of draws done, and of all.
    engine
        As in :func:`mensura.evaluate`: it reads the runs, and makes the random draws of a test.

    Examples
    --------
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 1}}
    >>> runs = {"A": {q: {d: 1.0} for q, d in zip(qrels, ("d1", "d2", "d3"))}, "B": {q: {"d1": 1.0} for q in qrels}}
    >>> c = compare(qrels, runs, ["RR@10", "Success@1"], test="sign")
    >>> c["RR@10"]["A", "B"].wins, len(c.pairs()), [(each.system, each.mean) for each in c.leaderboard()[:2]]
    (2, 2, [('A', 1.0), ('B', 0.3333333333333333)])
    """
    chosen = {"topics": topics, "compat": compat, "ties": ties, "drop_self": drop_self, "skip_bad_runs": skip_bad_runs}
    options = {name: value for name, value in chosen.items() if value is not None}
    scales = tuple(scales_named(scale, universe))
    with opened(engine, threads) as spreading:
        evaluation = _evaluation(qrels, runs, measures, options | {"engine": spreading}, threads)
        drawing: Any = {"samples": samples, "seed": seed, "threads": threads, "progress": progress, "engine": spreading}
        question = Question(
            evaluation, test, correction, baseline, scales, alpha, interval, ranks=ranks or {}, width=width, **drawing
        )
        return compare_families([question], prior_tests)


def _evaluation(source: Any, runs: Any, measures: Any, options: dict[str, Any], threads: int | None) -> Evaluation:
    """The evaluation to compare: of judgments and runs, as it is, or from a table of scores."""
    if runs is not None:
        if measures is None:
            raise StatisticsError("compare(qrels, runs, measures) needs measures; name one, e.g. 'nDCG@10'")
        evaluation = evaluated(source, runs, measures, threads=threads, **options)
        warn(evaluation, 4)
        return evaluation
    del options["engine"]
    if options:
        raise StatisticsError(f"{' and '.join(options)} go with qrels and runs; the scores of an evaluation are computed already")
    if isinstance(source, Scores):
        source = Evaluation(source.judged, (source,)) if source.judged is not None else _saved(source)
    if not isinstance(source, Evaluation):
        chosen = () if measures is None else [measures] if isinstance(measures, str) else list(measures)
        return read_scores(source, measures=tuple(map(str, chosen)))
    return source if measures is None else replace(source, scores=tuple(source[each] for each in parse_measures(measures)))


def _saved(scores: Scores) -> dict[str, dict[str, dict[str, float]]]:
    """Scores that were saved, and are a table now: {system: {measure: {topic: value}}}."""
    rows = zip(scores.systems, scores.values.tolist(), strict=True)
    return {system: {str(scores.measure): dict(zip(scores.topics, row, strict=True))} for system, row in rows}


@dataclass(frozen=True, eq=False)
class Question:
    """Systems to compare as one family of tests; see :func:`compare`.

    ``left_out`` are pairs of systems, by the name of a measure, that belong to another family.
    """

    evaluation: Evaluation
    test: str = "auto"
    correction: str = "auto"
    baseline: str | Sequence[str] | None = None
    scale: Scale | tuple[Scale, ...] = "original"
    alpha: float = 0.05
    interval: IntervalMethod | None = None
    samples: int | None = None
    seed: int = 0
    threads: int | None = None
    ranks: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    left_out: Mapping[str, Collection[frozenset[str]]] = field(default_factory=dict)
    role: Role | None = None
    progress: Progress | None = None
    width: float | None = None
    engine: Engine | None = None
    _rescaled: dict[tuple[str, Scale], Rescaled] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        check_level(1 - self.alpha)
        for scores in self.evaluation.scores:
            check_mean(scores.measure)
        unknown = [str(one) for one in self.baselines if one not in self.evaluation.judged.systems]
        if unknown:
            raise StatisticsError(f"unknown baseline {unknown[0]!r}; {suggest(unknown[0], sorted(self.evaluation.judged.systems))}")
        if self.method.needs_baseline and not self.baselines:
            raise StatisticsError(f"{self.method.title} compares systems with a baseline; name one with baseline=")

    def rescaled(self, scores: Scores, scale: Scale) -> Rescaled:
        """The values of a measure on a scale, computed once."""
        key = scores.name, scale
        if key not in self._rescaled:
            known = self.ranks.get(key[0]) if scale == "interval" else None
            if known is None:
                self._rescaled[key] = rescale(scores.measure, self.evaluation.judged, scores.values, scale, self.width)
            else:
                self._rescaled[key] = Rescaled(known)
        return self._rescaled[key]

    @property
    def method(self) -> Method:
        """The test."""
        return choose_test(self.test, self.correction)

    @property
    def chosen_correction(self) -> Correction:
        """The correction."""
        return choose_correction(self.method, self.correction)

    @property
    def baselines(self) -> tuple[str, ...]:
        """The names of the baselines, each once."""
        if self.baseline is None:
            return ()
        if isinstance(self.baseline, int):
            system = self.evaluation.judged.systems[0]
            raise StatisticsError(f"a baseline is the name of a system, got {self.baseline}; write e.g. {system!r}")
        return (self.baseline,) if isinstance(self.baseline, str) else tuple(dict.fromkeys(self.baseline))

    @property
    def scales(self) -> tuple[Scale, ...]:
        """The scales to compare on."""
        return (self.scale,) if isinstance(self.scale, str) else self.scale

    @property
    def drawing(self) -> Draws:
        """The options of tests that draw at random."""
        return Draws(self.samples, self.seed, self.threads, self.progress, self.engine)

    def entries(self, collection: Judgments, draws: int | None) -> Iterable[Entry]:
        """The tests of the family, for the ledger."""
        return [
            entry
            for scale in self.scales
            for entry in entries_of(
                self.evaluation,
                collection,
                test=self.method.name,
                scale=scale,
                baseline=self.baselines,
                samples=draws or 0,
                seed=self.seed,
                left_out=self.left_out,
            )
        ]


def compare_families(
    questions: Sequence[Question], prior_tests: PriorTests = 0, evaluation: Evaluation | None = None
) -> Comparisons:
    """Answer questions that belong together: none of their tests is an earlier one for another of them.

    ``evaluation`` has the scores of all of them; by default it is that of the first.
    """
    evaluation = questions[0].evaluation if evaluation is None else evaluation
    known = 0 if prior_tests == "auto" else prior_tests
    tested = [Tested.of(question, known) for question in questions]
    earlier, remarks = _count(questions, tested, prior_tests)
    # The ledger may know of so many tests that more draws are needed.
    tested = [
        each if earlier == known or not each.coarse(earlier) else Tested.of(question, earlier)
        for question, each in zip(questions, tested, strict=True)
    ]
    notes = evaluation.notes if isinstance(evaluation, ScoredTable) else ()
    comparisons = tuple(comparison for each in tested for comparison in each.compared(earlier, (*notes, *remarks)))
    return Comparisons(comparisons, evaluation.remarks, evaluation)


def _count(questions: Sequence[Question], tested: Sequence[Tested], prior_tests: PriorTests) -> tuple[int, tuple[str, ...]]:
    """Enter the tests in the ledger; return the number of earlier tests, and a remark if that failed."""
    origin = questions[0].evaluation.judged.origin

    def entries(collection: Judgments) -> list[Entry]:
        return [
            entry for question, each in zip(questions, tested, strict=True) for entry in question.entries(collection, each.draws)
        ]

    try:
        before = count_tests(None if origin is None else origin[0], entries, asked=prior_tests == "auto")
    except LedgerError as error:
        if prior_tests == "auto":
            raise
        return prior_tests, (f"these tests were not counted in the ledger: {error}",)  # nobody asked for it this time
    return before if prior_tests == "auto" else prior_tests, ()
