"""Comparisons of systems: tests, their correction for the family, intervals, effect sizes, and the ledger that counts the tests."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.errors import LedgerError, StatisticsError
from mensura.ledger.counting import count_tests
from mensura.measures.base import check_mean_of_ranks
from mensura.scales.facts import facts_for
from mensura.scales.rescaled import Rescaled, rescale, scales_named
from mensura.stats.arrays import ScoreTable, make_pairs, make_table
from mensura.stats.assumptions import scale_remark
from mensura.stats.compared import Comparison, Comparisons
from mensura.stats.confidence import check_level, difference_intervals, mean_interval, upper_quantile
from mensura.stats.digits import decimals, decimals_for_interval
from mensura.stats.effect_sizes import effects
from mensura.stats.families import Family, adjust, family_remark
from mensura.stats.groups import find_groups
from mensura.stats.ledger_entries import entries_of
from mensura.stats.methods import CORRECTIONS, DEFAULT_TEST, choose_correction, find_method
from mensura.stats.permutation import max_t
from mensura.stats.running import run_test

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.scores import Scores
    from mensura.ledger.entries import Collection as Judgments
    from mensura.ledger.entries import Entry
    from mensura.measures.base import Measure
    from mensura.scales.types import Scale
    from mensura.stats.arrays import SystemPairs
    from mensura.stats.compared import Role
    from mensura.stats.methods import Correction, IntervalMethod, Method
    from mensura.stats.results import Outcome

PriorTests = int | Literal["auto"]


def compare(
    evaluation: Evaluation,
    *,
    test: str = "auto",
    correction: str = "auto",
    baseline: str | None = None,
    scale: str | Sequence[str] = "original",
    universe: str | None = None,
    width: float | None = None,
    alpha: float = 0.05,
    prior_tests: PriorTests = 0,
    interval: IntervalMethod | None = None,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
    ranks: Mapping[str, NDArray[Any]] | None = None,
) -> Comparisons:
    """Compare the systems of an evaluation by each of its measures; all measures are one family.

    Where a ledger is kept (see :doc:`ledger`), the tests are entered in it.

    Parameters
    ----------
    evaluation
        The result of :func:`mensura.evaluate`.
    test
        A test by its name; ``auto`` is the randomised Tukey HSD test.
    correction
        ``auto`` is the correction that is part of the test, and Holm's for tests that have none.
    baseline
        Compare all systems with this one only.
    scale
        ``interval``: compare ranks on the interval scale of each measure instead of its own values. ``z-score``, ``linear`` and
        ``uniform``: values standardised by topic. ``both``: first the values, then the ranks. Several, as a list or with commas,
        are compared one after the other, each as a family.
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
        For tests that draw at random.
    ranks
        Ranks on the interval scale [system, topic], by the name of a measure, where they are known already.
    """
    first, *others = scales_named(scale, universe)
    question = Question(evaluation, test, correction, baseline, first, alpha, interval, samples, seed, threads)
    question = replace(question, ranks=ranks or {}, width=width)
    return compare_families([question, *(replace(question, scale=other) for other in others)], prior_tests)


@dataclass(frozen=True, eq=False)
class Question:
    """Systems to compare as one family of tests; see :func:`compare`.

    ``left_out`` are pairs of systems, by the name of a measure, that belong to another family.
    """

    evaluation: Evaluation
    test: str = "auto"
    correction: str = "auto"
    baseline: str | None = None
    scale: Scale = "original"
    alpha: float = 0.05
    interval: IntervalMethod | None = None
    samples: int = 10_000
    seed: int = 0
    threads: int | None = None
    ranks: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    left_out: Mapping[str, Collection[frozenset[str]]] = field(default_factory=dict)
    role: Role | None = None
    width: float | None = None
    _rescaled: dict[tuple[str, Scale], Rescaled] = field(default_factory=dict, repr=False)

    def rescaled(self, scores: Scores) -> Rescaled:
        """The values of a measure on the scale of the question, computed once."""
        key = str(scores.measure), self.scale
        if key not in self._rescaled:
            known = self.ranks.get(key[0]) if self.scale == "interval" else None
            if known is None:
                check_mean_of_ranks(scores.measure)
                judged = self.evaluation.judged
                self._rescaled[key] = rescale(scores.measure, judged, scores.values, self.scale, self.width)
            else:
                self._rescaled[key] = Rescaled(known)
        return self._rescaled[key]

    @property
    def method(self) -> Method:
        """The test."""
        return find_method(DEFAULT_TEST if self.test == "auto" else self.test)

    @property
    def baseline_number(self) -> int | None:
        """The number of the baseline among the systems."""
        systems = self.evaluation.judged.systems
        if self.baseline is not None and self.baseline not in systems:
            raise StatisticsError(f"unknown baseline {self.baseline!r}; the systems are {', '.join(systems)}")
        return None if self.baseline is None else systems.index(self.baseline)

    @property
    def drawing(self) -> dict[str, Any]:
        """The options of tests that draw at random."""
        return {"samples": self.samples, "seed": self.seed, "threads": self.threads}

    def entries(self, collection: Judgments) -> Iterable[Entry]:
        """The tests of the family, for the ledger."""
        return entries_of(
            self.evaluation,
            collection,
            test=self.method.name,
            scale=self.scale,
            baseline=self.baseline,
            samples=self.samples,
            seed=self.seed,
            left_out=self.left_out,
        )


def compare_families(questions: Sequence[Question], prior_tests: PriorTests = 0) -> Comparisons:
    """Answer questions that belong together: none of their tests is an earlier one for another of them."""
    tested = [_Tested.of(question) for question in questions]
    earlier, remarks = _count(questions, prior_tests)
    return Comparisons(tuple(comparison for each in tested for comparison in each.compared(earlier, remarks)))


def _count(questions: Sequence[Question], prior_tests: PriorTests) -> tuple[int, tuple[str, ...]]:
    """Enter the tests in the ledger; return the number of earlier tests, and a remark if that failed."""
    origin = questions[0].evaluation.judged.origin

    def entries(collection: Judgments) -> list[Entry]:
        return [entry for question in questions for entry in question.entries(collection)]

    try:
        before = count_tests(None if origin is None else origin[0], entries, asked=prior_tests == "auto")
    except LedgerError as error:
        if prior_tests == "auto":
            raise
        return prior_tests, (f"these tests were not counted in the ledger: {error}",)  # nobody asked for it this time
    return before if prior_tests == "auto" else prior_tests, ()


@dataclass(frozen=True, eq=False)
class _Tested:
    """The tests of a question, before their correction for the family."""

    question: Question
    correction: Correction
    pairs: SystemPairs
    counted: NDArray[np.bool_]
    scores: tuple[Scores, ...]
    masks: tuple[NDArray[np.bool_], ...]
    tables: tuple[ScoreTable, ...]
    outcomes: tuple[Outcome, ...]

    @classmethod
    def of(cls, question: Question) -> _Tested:
        check_level(1 - question.alpha)
        evaluation, method, baseline = question.evaluation, question.method, question.baseline_number
        systems = evaluation.judged.systems
        correction = choose_correction(method, question.correction)
        pairs = make_pairs(len(systems), baseline)
        masks = [_kept(systems, pairs, question.left_out.get(str(scores.measure), ())) for scores in evaluation.scores]
        measured = [(scores, mask) for scores, mask in zip(evaluation.scores, masks, strict=True) if mask.any()]
        counted = _topics(evaluation)
        tables = tuple(_table(scores, question, counted) for scores, _ in measured)
        outcomes = tuple(run_test(method.name, table, baseline=baseline, **question.drawing) for table in tables)
        return cls(
            question,
            correction,
            pairs,
            counted,
            tuple(scores for scores, _ in measured),
            tuple(mask for _, mask in measured),
            tables,
            outcomes,
        )

    def compared(self, earlier: int, remarks: tuple[str, ...]) -> list[Comparison]:
        """Correct for the family, with so many earlier tests, and describe the differences."""
        left_out = sum(int((~mask).sum()) for mask in self.masks)
        family = Family(self.correction, len(self.pairs), len(self.scores), earlier, left_out)
        corrected = self.corrected(family)
        return [self.comparison(at, family, corrected[at], remarks) for at in range(len(self.scores))]

    def corrected(self, family: Family) -> list[NDArray[np.float64]]:
        """Corrected p-values: over pairs, measures and prior tests.

        A correction that knows the pairs of one measure together (Tukey, Dunnett, max-T) is extended to several measures and to
        earlier tests by Bonferroni: each measure has its part of α. It does not know which of its pairs were left out, and stays
        as large.
        """
        if not self.outcomes:
            return []
        if CORRECTIONS[family.correction].stepwise:
            p = [outcome.p[mask] for outcome, mask in zip(self.outcomes, self.masks, strict=True)]
            adjusted = adjust(np.concatenate(p), family.correction, prior_tests=family.prior_tests)
            return np.split(adjusted, np.cumsum([len(part) for part in p])[:-1])
        corrected = []
        for outcome, table, mask in zip(self.outcomes, self.tables, self.masks, strict=True):
            known = outcome.family_p
            if known is None or family.correction != outcome.method.family:
                known = max_t(table, baseline=self.pairs.baseline, **self.question.drawing)
            corrected.append(np.minimum(known[mask] * family.shares, 1.0))
        return corrected

    def comparison(self, at: int, family: Family, p: NDArray[np.float64], remarks: tuple[str, ...]) -> Comparison:
        """The comparison by one of the measures."""
        question, scores, mask, table, outcome = self.question, self.scores[at], self.masks[at], self.tables[at], self.outcomes[at]
        measure, judged, alpha = scores.measure, question.evaluation.judged, question.alpha
        original = question.scale == "original"
        kind = question.interval or question.method.interval
        pair_low, pair_high = self.pair_intervals(table, outcome, kind, alpha / family.shares if self.corrects else alpha)
        low, high = mean_interval(table.values, level=1 - alpha)
        if original:
            low, high = measure.restored(low), measure.restored(high)
        half = float(np.median(high - low)) / 2
        spoken = (
            scale_remark(
                question.method, facts_for(measure.on_topics, judged), question.scale
            ),  # a geometric mean has no other scale
            family_remark(family),
            _transformed_remark(measure) if original else question.rescaled(scores).remark,
        )
        comparison = Comparison(
            measure=measure,
            scale=question.scale,
            systems=judged.systems,
            topics=tuple(topic for topic, counts in zip(judged.topics, self.counted.tolist(), strict=True) if counts),
            mean=measure.mean(scores.values[:, self.counted]) if original else table.values.mean(axis=1),
            low=low,
            high=high,
            pair_low=pair_low[mask],
            pair_high=pair_high[mask],
            interval_method=kind,
            outcome=outcome.only(mask),
            corrected_p=p,
            effects=effects(table, baseline=self.pairs.baseline).only(mask),
            family=family,
            groups=(),
            alpha=alpha,
            decimals=decimals(measure, judged, half) if original else decimals_for_interval(half),
            remarks=(*(remark for remark in spoken if remark), *outcome.remarks, *remarks),
            role=question.role,
        )
        if self.pairs.baseline is not None or not mask.all():
            return comparison
        different = np.nan_to_num(self.pairs.square(comparison.significant.astype(np.float64), 0.0)) > 0
        return replace(comparison, groups=tuple(find_groups(comparison.ranking, different)))

    @property
    def corrects(self) -> bool:
        return self.correction != "none"

    def pair_intervals(
        self, table: ScoreTable, outcome: Outcome, kind: IntervalMethod, share: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Intervals of the differences, at the level 1 − ``share``: simultaneous, unless nothing is corrected."""
        if kind == "randomised" and self.corrects and outcome.null is not None:  # the test has drawn what the interval needs
            half_width = upper_quantile(outcome.null, share)
            return outcome.estimate - half_width, outcome.estimate + half_width
        intervals = difference_intervals(
            table,
            baseline=self.pairs.baseline,
            method=kind,
            simultaneous=self.corrects,
            level=1 - share,
            **self.question.drawing,
        )
        return intervals.low, intervals.high


def _table(scores: Scores, question: Question, counted: NDArray[np.bool_]) -> ScoreTable:
    """The values to test: those that the measure averages, or exact ranks on the interval scale."""
    measure = scores.measure
    if question.scale == "original":
        table = make_table(scores.values[:, counted])  # ties become ties before a transformation moves them apart
        transformed = measure.transformed(table.values)
        return table if transformed is table.values else ScoreTable(transformed)
    return make_table(question.rescaled(scores).values[:, counted])


def _transformed_remark(measure: Measure) -> str | None:
    if measure.averages == "values":
        return None
    return f"differences of {measure} are of {measure.averages}: exp gives the ratio of {measure.aggregation}s"


def _kept(systems: Sequence[str], pairs: SystemPairs, left_out: Collection[frozenset[str]]) -> NDArray[np.bool_]:
    """Mask of the pairs that are in the family."""
    named = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    return np.array([frozenset((systems[a], systems[b])) not in left_out for a, b in named], dtype=np.bool_)


def _topics(evaluation: Evaluation) -> NDArray[np.bool_]:
    """Mask of the topics that count for all systems; if they differ between systems, there is no pairing."""
    counted = evaluation.scores[0].counted
    if not (counted == counted[0]).all():
        raise StatisticsError(
            "different topics count for different systems, so they cannot be paired; evaluate with topics='judged' or 'both'"
        )
    return np.asarray(counted[0])
