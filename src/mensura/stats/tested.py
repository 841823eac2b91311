"""The tests of a family: decision, direction and interval of every pair from one statistic."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mensura._core.draws import DRAWS
from mensura.errors import StatisticsError
from mensura.scales.facts import facts_for
from mensura.stats.arrays import ScoreTable, make_pairs, make_table
from mensura.stats.assumptions import scale_remark
from mensura.stats.bootstrap import joint_bootstrap
from mensura.stats.compared import Comparison
from mensura.stats.confidence import mean_interval
from mensura.stats.digits import decimals, decimals_for_interval
from mensura.stats.draws import SAMPLES, draw_pieces, draws_for, median, pair_moments, seconds_of_draw
from mensura.stats.effect_sizes import effects_of
from mensura.stats.families import Family, adjust, family_remark
from mensura.stats.groups import MOST_GROUPS, find_groups
from mensura.stats.methods import BOOTSTRAP_T, CORRECTIONS, RANDOMISED_TUKEY
from mensura.stats.pair_intervals import pair_intervals
from mensura.stats.permutation import joint_signs
from mensura.stats.results import plural
from mensura.stats.running import run_test

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.scores import Scores
    from mensura.measures.base import Direction, Measure
    from mensura.scales.facts import ScaleFacts
    from mensura.scales.types import Scale
    from mensura.stats.arrays import SystemPairs
    from mensura.stats.comparison import Question
    from mensura.stats.draws import Draws, PairMoments
    from mensura.stats.methods import Correction, Method
    from mensura.stats.results import Outcome

SIGNS = {"sign", "signed-rank", "randomisation"}  # tests whose p-values are proportions of all signs of the topics
RESAMPLING = {"bootstrap", "bootstrap-t"}  # tests whose p-values are proportions of all resamples of the topics


@dataclass(frozen=True, eq=False)
class TestedMeasure:
    """One measure on one scale: its values, the pairs of its systems that belong to the family, and the result of the test."""

    scores: Scores
    scale: Scale
    table: ScoreTable
    mask: NDArray[np.bool_]
    pairs: SystemPairs
    moments: PairMoments
    outcome: Outcome


@dataclass(frozen=True, eq=False)
class Tested:
    """The tests of a question, before their correction for earlier ones. Systems and topics are in the order of their names."""

    question: Question
    correction: Correction
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    parts: tuple[TestedMeasure, ...]
    family: Family
    joint_p: tuple[NDArray[np.float64], ...] | None = None

    @classmethod
    def of(cls, question: Question, earlier: int) -> Tested:
        """Make the tests; ``earlier`` ones decide how many draws it takes to reach α."""
        evaluation, method, correction = question.evaluation, question.method, question.chosen_correction
        judged = evaluation.judged
        rows, columns = judged.order
        systems = tuple(judged.systems[row] for row in rows.tolist())
        counted = _topics(evaluation)
        columns = columns[counted[columns]]
        baseline = [systems.index(one) for one in question.baselines] or None
        every = make_pairs(len(systems), baseline)
        sources = []
        for scale in question.scales:
            for scores in evaluation.scores:
                mask = _kept(systems, every, question.left_out.get(scores.name, ()))
                if mask.any():
                    sources.append((scores, scale, _table(scores, scale, question, rows, columns), mask))
        joint = correction == "maxT" and not method.family_only
        family = Family(
            correction,
            len(systems) * (len(systems) - 1) // 2 if correction == "tukey" else len(every),
            len({scores.name for scores, *_ in sources}),
            earlier,
            sum(int((~mask).sum()) for *_, mask in sources),
            len(question.scales),
            joint=joint,
        )
        tables, kept = [table for _, _, table, _ in sources], [every.only(mask) for *_, mask in sources]
        drawing = question.drawing
        if method.random and tables:
            drawing = replace(drawing, samples=drawing.number(sum(map(len, kept)), len(columns), needed(family, question.alpha)))
        joint_p = None
        if method is BOOTSTRAP_T and joint and tables:
            outcomes = joint_bootstrap(tables, kept, drawing)
        else:
            outcomes = [
                run_test(
                    method.name,
                    table,
                    baseline=baseline,
                    samples=drawing.samples,
                    seed=drawing.seed,
                    threads=drawing.threads,
                    progress=drawing.progress,
                    engine=drawing.engine,
                ).only(mask)
                for _, _, table, mask in sources
            ]
        moments = [pair_moments(table, pairs, drawing.threads) for table, pairs in zip(tables, kept, strict=True)]
        if joint and method is not BOOTSTRAP_T and tables:
            drawing = replace(
                question.drawing, samples=question.drawing.number(family.here, len(columns), needed(family, question.alpha))
            )
            p, null, draws = joint_signs(tables, kept, [outcome.p for outcome in outcomes], drawing)
            root = math.sqrt(len(columns))
            outcomes = [
                replace(outcome, null=null, scale=part.deviation / root, draws=draws)
                for outcome, part in zip(outcomes, moments, strict=True)
            ]
            joint_p = tuple(p)
        parts = [
            TestedMeasure(*start, *rest) for start, rest in zip(sources, zip(kept, moments, outcomes, strict=True), strict=True)
        ]
        topics = tuple(judged.topics[column] for column in columns.tolist())
        return cls(question, correction, systems, topics, rows, columns, tuple(parts), family, joint_p)

    @property
    def draws(self) -> int | None:
        """Number of random draws of the test."""
        return max((part.outcome.draws or 0 for part in self.parts), default=0) or None

    def coarse(self, earlier: int) -> bool:
        """Whether α cannot be reached with so many draws, if there were ``earlier`` tests."""
        family = replace(self.family, prior_tests=earlier)
        return self.question.samples is None and least_p(family, *self._limits) >= self.question.alpha

    @property
    def _limits(self) -> tuple[Method, int, list[Outcome]]:
        return self.question.method, len(self.topics), [part.outcome for part in self.parts]

    def compared(self, earlier: int, remarks: tuple[str, ...]) -> list[Comparison]:
        """Correct for the family, with so many earlier tests, and describe the differences."""
        family = replace(self.family, prior_tests=earlier)
        corrected = corrected_for(family, [part.outcome for part in self.parts], self.joint_p)
        rejected = sum(int((p < self.question.alpha).sum()) for p in corrected)
        return [self._comparison(part, family, p, rejected, remarks) for part, p in zip(self.parts, corrected, strict=True)]

    def _comparison(
        self, part: TestedMeasure, family: Family, p: NDArray[np.float64], rejected: int, remarks: tuple[str, ...]
    ) -> Comparison:
        """The comparison by one of the measures."""
        question, table, outcome = self.question, part.table, part.outcome
        measure, judged, alpha = part.scores.measure, question.evaluation.judged, question.alpha
        original, facts = part.scale == "original", self._facts(part.scores)
        beaten = not original and question.rescaled(part.scores, part.scale).beaten
        if original:
            places, mean = part.scores.places()[self.rows], measure.mean(part.scores.values[np.ix_(self.rows, self.columns)])
        else:
            places, mean = _places(table, "higher" if beaten else measure.direction), table.values.mean(axis=1)
        low, high = mean_interval(table.values, level=1 - alpha)
        significant = p < alpha
        if original and measure.averages != "values":
            low, high = measure.restored(low), measure.restored(high)
        half = median(high - low) / 2
        intervals = pair_intervals(
            table,
            outcome,
            part.moments,
            family,
            alpha=alpha,
            rejected=rejected,
            significant=significant,
            drawing=self._interval_drawing(part, family),
            asked=question.interval,
        )
        spoken = (
            scale_remark(question.method, facts, part.scale),
            family_remark(family, alpha),
            coarse_remark(family, alpha, *self._limits) if not rejected else None,
            self._hsd_remark(family, part),
            transformed_remark(measure) if original else question.rescaled(part.scores, part.scale).remark,
            opposed_remark(self.systems, outcome, significant, part.moments.mean),
            *intervals.remarks(significant, outcome, alpha),
        )
        everything = not part.pairs.baselines and bool(part.mask.all())
        groups, too_many = grouped(part.pairs, places, significant) if everything else ((), ())
        return Comparison(
            measure=measure,
            scale=part.scale,
            systems=self.systems,
            topics=self.topics,
            mean=mean,
            low=low,
            high=high,
            places=places,
            pair_low=intervals.low,
            pair_high=intervals.high,
            interval_method=intervals.method,
            interval_kind=intervals.kind,
            outcome=outcome,
            corrected_p=p,
            effects=effects_of(table, part.pairs, part.moments, question.threads, measure.direction),
            family=family,
            groups=groups,
            alpha=alpha,
            decimals=decimals(measure, judged, half) if original else decimals_for_interval(half),
            remarks=(*(remark for remark in spoken if remark), *outcome.remarks, *remarks, *too_many),
            role=question.role,
            steps=None if original else question.rescaled(part.scores, part.scale).steps,
            beaten=beaten,
        )

    def _interval_drawing(self, part: TestedMeasure, family: Family) -> Draws:
        """The draws of the test for its intervals too; where it draws none, as many as reach the part of α of an interval."""
        drawing, samples = self.question.drawing, part.outcome.draws
        if samples is None and self.question.interval is not None:
            samples = drawing.number(len(part.pairs), len(self.topics), needed(family, self.question.alpha))
        return drawing if samples is None else replace(drawing, samples=samples, progress=None)

    def _facts(self, scores: Scores) -> ScaleFacts:
        """Facts of the measure that has the values of topics: a geometric mean has no other scale."""
        measure = scores.measure.on_topics
        known = scores.facts if measure is scores.measure else None
        return facts_for(measure, self.question.evaluation.judged) if known is None else known

    def _hsd_remark(self, family: Family, part: TestedMeasure) -> str | None:
        if family.correction != "tukey" or not part.pairs.baselines:
            return None
        return (
            f"Tukey's correction is for all {family.pairs} pairs, of which {len(part.pairs)} are shown; the tests dunnett and "
            "bootstrap-t correct for those with the baseline alone"
        )


def corrected_for(
    family: Family, outcomes: Sequence[Outcome], joint_p: Sequence[NDArray[np.float64]] | None = None
) -> list[NDArray[np.float64]]:
    """P-values corrected for the family. A correction that is part of the test shares α with other tests by Bonferroni."""
    if CORRECTIONS[family.correction].stepwise and outcomes:
        p = [outcome.p for outcome in outcomes]
        adjusted = adjust(np.concatenate(p), family.correction, prior_tests=family.prior_tests)
        return np.split(adjusted, np.cumsum([len(part) for part in p])[:-1])
    own = [outcome.family_p for outcome in outcomes] if joint_p is None else joint_p
    return [np.minimum(p * family.shares, 1.0) for p in own if p is not None]


def least_p(family: Family, method: Method, topics: int, outcomes: Sequence[Outcome]) -> float:
    """The smallest corrected p that the test can give; 0 if nothing bounds it."""
    if not outcomes or family.correction == "none":
        return 0.0
    least = max(_least_drawn(outcomes), _least_of_topics(family, method, topics))
    return min(least * family.factor, 1.0)


def _least_drawn(outcomes: Sequence[Outcome]) -> float:
    """The smallest p from so many draws."""
    return max((1 / (outcome.draws + 1) for outcome in outcomes if outcome.draws), default=0.0)


def _least_of_topics(family: Family, method: Method, topics: int) -> float:
    """The smallest p on so many topics: all signs alike, or one topic drawn each time, reach any statistic."""
    if method.name in RESAMPLING:
        return float(topics) ** (1 - topics)
    return 2.0 ** (1 - topics) if method.name in SIGNS or family.joint else 0.0


def coarse_remark(family: Family, alpha: float, method: Method, topics: int, outcomes: Sequence[Outcome]) -> str | None:
    """Remark on a test that cannot reach α, whatever the data."""
    least, draws = least_p(family, method, topics, outcomes), max((outcome.draws or 0 for outcome in outcomes), default=0)
    if least < alpha:
        return None
    if _least_drawn(outcomes) < _least_of_topics(family, method, topics):
        return (
            f"no corrected p of the {method.title} on {plural(topics, 'topic')} can be below "
            f"{least:.2g}, so that nothing is significant at α = {alpha:g} whatever the data; use fewer tests or more topics"
        )
    return (
        f"no corrected p from {draws} draws can be below {least:.2g}, so that nothing is significant at α = {alpha:g} whatever "
        f"the data; use --samples {draws_for(alpha / family.factor)}, or a test that does not draw"
    )


def grouped(
    pairs: SystemPairs, places: NDArray[np.int64], significant: NDArray[np.bool_]
) -> tuple[tuple[tuple[int, ...], ...], tuple[str, ...]]:
    """Groups of systems that do not differ significantly, from all pairs; or a remark that there are too many of them."""
    different = np.nan_to_num(pairs.square(significant.astype(np.float64), 0.0)) > 0
    groups = find_groups(np.argsort(places, kind="stable").tolist(), different)
    if groups is None:
        return (), (
            f"group letters are left out: it would take more than {MOST_GROUPS} of them to say which systems do not differ",
        )
    return tuple(groups), ()


def needed(family: Family, alpha: float) -> int:
    """Draws with which α can be reached, and at least as many as are usual."""
    return max(SAMPLES, draws_for(alpha / family.factor))


def predicted_draws(question: Question, earlier: int) -> tuple[int, int, float]:
    """Random draws of a question, their pieces, and the seconds of one core that they take; none for a test that does not draw."""
    method, correction, judged = question.method, question.chosen_correction, question.evaluation.judged
    joint = correction == "maxT" and not method.family_only
    if not method.random and not joint:
        return 0, 0, 0.0
    systems, topics = len(judged.systems), int(np.count_nonzero(_topics(question.evaluation)))
    every = make_pairs(systems, [judged.systems.index(one) for one in question.baselines] or None)
    tables = len(question.scales) * len(question.evaluation.scores)
    measures = len({str(scores.measure) for scores in question.evaluation.scores})
    family = Family(correction, len(every), measures, earlier, 0, len(question.scales), joint=joint)
    pairs = systems if method is RANDOMISED_TUKEY else len(every) * tables
    draws = question.drawing.number(len(every) * tables, topics, needed(family, question.alpha))
    seconds = draws * seconds_of_draw(pairs, topics)
    return draws, len(draw_pieces(-(-draws // DRAWS), seconds)), seconds


def _table(scores: Scores, scale: Scale, question: Question, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> ScoreTable:
    """The values to test: those that the measure averages, or exact ranks on the interval scale."""
    measure, at = scores.measure, np.ix_(rows, columns)
    if scale == "original":
        codes = None if scores.exact is None else scores.exact.codes
        table = make_table(scores.values[at], None if codes is None else codes[at])
        return table if measure.averages == "values" else ScoreTable(measure.transformed(table.values), exact=table.codes)
    return make_table(question.rescaled(scores, scale).values[at])


def _places(table: ScoreTable, direction: Direction) -> NDArray[np.int64]:
    """Places by mean ranks: sums of whole numbers are exact."""
    sums = table.values.sum(axis=1) if table.whole is None else table.whole.sum(axis=1)
    costs = -sums if direction == "higher" else sums
    return 1 + np.searchsorted(np.sort(costs), costs, side="left").astype(np.int64)


def transformed_remark(measure: Measure) -> str | None:
    """Remark on differences that are not of values."""
    if measure.averages == "values":
        return None
    return f"differences of {measure} are of {measure.averages}: exp gives the ratio of {measure.aggregation}s"


def opposed_remark(
    systems: Sequence[str], outcome: Outcome, significant: NDArray[np.bool_], mean: NDArray[np.float64]
) -> str | None:
    """Remark on significant pairs whose means point the other way than the test."""
    opposed = np.flatnonzero(significant & (outcome.direction * mean < 0))
    if not len(opposed):
        return None
    first, second = (systems[int(each[opposed[0]])] for each in (outcome.pairs.first, outcome.pairs.second))
    which = f"{first} and {second}" if len(opposed) == 1 else f"{len(opposed)} significant pairs, e.g. {first} and {second}"
    title = outcome.method.title
    return f"the test ({title}) and the mean difference point in opposite directions for {which}; the verdict is the test's"


def _kept(systems: Sequence[str], pairs: SystemPairs, left_out: Collection[frozenset[str]]) -> NDArray[np.bool_]:
    """Mask of the pairs that are in the family."""
    if not left_out:
        return np.ones(len(pairs), dtype=np.bool_)
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
