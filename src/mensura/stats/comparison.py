"""Comparisons of systems: tests, their correction for the family, intervals, effect sizes, and the ledger that counts the tests."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from mensura.errors import LedgerError, StatisticsError
from mensura.evaluation.evaluation import Evaluation
from mensura.evaluation.score_tables import ScoredTable, read_scores
from mensura.ledger.counting import count_tests
from mensura.measures.base import check_mean, check_mean_of_ranks
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

    from mensura.evaluation.scores import Scores
    from mensura.ledger.entries import Collection as Judgments
    from mensura.ledger.entries import Entry
    from mensura.scales.types import Scale
    from mensura.stats.compared import Role
    from mensura.stats.draws import Progress
    from mensura.stats.methods import Correction, IntervalMethod, Method

PriorTests = int | Literal["auto"]


def compare(
    evaluation: Evaluation | Any,
    *,
    test: str = "auto",
    correction: str = "auto",
    baseline: str | Sequence[str] | None = None,
    scale: str | Sequence[str] = "original",
    universe: str | None = None,
    width: float | None = None,
    alpha: float = 0.05,
    prior_tests: PriorTests = 0,
    interval: IntervalMethod | None = None,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    ranks: Mapping[str, NDArray[Any]] | None = None,
    progress: Progress | None = None,
) -> Comparisons:
    """Compare the systems of an evaluation by each of its measures; all measures are one family.

    Systems and topics are taken in the order of their names, so the order of files changes nothing. Where a ledger is kept (see
    :doc:`ledger`), the tests are entered in it.

    Parameters
    ----------
    evaluation
        The result of :func:`mensura.evaluate`, or any table of scores that :func:`mensura.read_scores` reads: an array
        [system, topic], a data frame, a dict, or the path of a file.
    test
        A test by its name; ``auto`` is the studentised bootstrap, or the test that a named correction belongs to.
    correction
        ``auto`` is the correction that is part of the test, and Holm's for tests that have none.
    baseline
        Compare all systems with this one only, or with each of several.
    scale
        ``interval``: compare ranks on the interval scale of each measure instead of its own values. ``z-score``, ``linear`` and
        ``uniform``: values standardised by topic. ``both``: the values and the ranks. Several, as a list or with commas, are one
        family.
    universe
        The runs that ``interval`` is about: ``all``, ``attainable``, ``observed`` or ``independent``. The last two are scales by
        name too: ``scale="original,interval,observed,z-score"``.
    width
        The greatest width of bounds where ranks are not exact; by default what a few seconds give.
    alpha
        The level of significance.
    prior_tests
        Tests made earlier on this collection: they enlarge the family. ``auto``: as many as the ledger has counted.
    interval
        The method of the intervals of differences; by default the one that fits the test.
    samples, seed, threads
        For tests that draw at random. By default 10 000 draws, more if α could not be reached, fewer where they would take long.
    ranks
        Ranks on the interval scale [system, topic], by the name of a measure, where they are known already.
    progress
        Called with the number of blocks of draws done, and of all.
    """
    evaluation = evaluation if isinstance(evaluation, Evaluation) else read_scores(evaluation)
    scales = tuple(scales_named(scale, universe))
    question = Question(evaluation, test, correction, baseline, scales, alpha, interval, samples, seed, threads)
    return compare_families([replace(question, ranks=ranks or {}, width=width, progress=progress)], prior_tests)


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
    _rescaled: dict[tuple[str, Scale], Rescaled] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        check_level(1 - self.alpha)
        for measure in self.evaluation.measures:
            check_mean(measure)
        unknown = [one for one in self.baselines if one not in self.evaluation.judged.systems]
        if unknown:
            raise StatisticsError(
                f"unknown baseline {unknown[0]!r}; the systems are {', '.join(sorted(self.evaluation.judged.systems))}"
            )
        if self.method.needs_baseline and not self.baselines:
            raise StatisticsError(f"{self.method.title} compares systems with a baseline; name one with baseline=")

    def rescaled(self, scores: Scores, scale: Scale) -> Rescaled:
        """The values of a measure on a scale, computed once."""
        key = str(scores.measure), scale
        if key not in self._rescaled:
            known = self.ranks.get(key[0]) if scale == "interval" else None
            if known is None:
                check_mean_of_ranks(scores.measure)
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
        return (self.baseline,) if isinstance(self.baseline, str) else tuple(dict.fromkeys(self.baseline))

    @property
    def scales(self) -> tuple[Scale, ...]:
        """The scales to compare on."""
        return (self.scale,) if isinstance(self.scale, str) else self.scale

    @property
    def drawing(self) -> Draws:
        """The options of tests that draw at random."""
        return Draws(self.samples, self.seed, self.threads, self.progress)

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


def compare_families(questions: Sequence[Question], prior_tests: PriorTests = 0) -> Comparisons:
    """Answer questions that belong together: none of their tests is an earlier one for another of them."""
    known = 0 if prior_tests == "auto" else prior_tests
    tested = [Tested.of(question, known) for question in questions]
    earlier, remarks = _count(questions, tested, prior_tests)
    # The ledger may know of so many tests that more draws are needed.
    tested = [
        each if earlier == known or not each.coarse(earlier) else Tested.of(question, earlier)
        for question, each in zip(questions, tested, strict=True)
    ]
    notes = questions[0].evaluation.notes if isinstance(questions[0].evaluation, ScoredTable) else ()
    return Comparisons(tuple(comparison for each in tested for comparison in each.compared(earlier, (*notes, *remarks))))


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
