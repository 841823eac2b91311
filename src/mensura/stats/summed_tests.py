"""Comparisons from sums over topics: the tests, corrections and intervals of :func:`mensura.compare`, without values of topics."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError
from mensura.evaluation.scores import places_of
from mensura.measures.base import check_mean
from mensura.scales.facts import facts_from
from mensura.stats.advice import advise_on_sums
from mensura.stats.assumptions import scale_remark
from mensura.stats.bootstrap import bootstrapped_family, bootstrapped_pairs
from mensura.stats.compared import Comparison, Comparisons
from mensura.stats.confidence import check_level, mean_half_width
from mensura.stats.digits import decimals_for_mean
from mensura.stats.draws import Draws, PairMoments, Statistics, Tally, median
from mensura.stats.effect_sizes import effects_from
from mensura.stats.families import Family, family_remark
from mensura.stats.methods import CORRECTIONS, RANDOMISATION, choose_correction, choose_test
from mensura.stats.pair_intervals import pair_intervals
from mensura.stats.paired import signs_counted, student_t
from mensura.stats.permutation import signed, signed_family
from mensura.stats.results import Outcome
from mensura.stats.summed import UNIT
from mensura.stats.tested import coarse_remark, corrected_for, grouped, needed, opposed_remark, transformed_remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.remarks import Remark
    from mensura.scales.facts import ScaleFacts
    from mensura.stats.arrays import SystemPairs
    from mensura.stats.draws import Count
    from mensura.stats.methods import Correction, Method
    from mensura.stats.summed import Kind, PairSums

TESTS = ("t", "sign", "randomisation", "bootstrap", "bootstrap-t")
"""Tests that need sums over topics only."""


@dataclass(frozen=True)
class SumTest:
    """The test and the correction of a comparison from sums, and the random draws that they need."""

    method: Method
    correction: Correction

    @classmethod
    def of(cls, test: str, correction: str) -> SumTest:
        """Choose by names; tests that need values of topics are refused."""
        method = choose_test(test, correction)
        if method.name not in TESTS:
            raise StatisticsError(
                f"the {method.title} needs the values of all topics, which are not kept here; use one of {', '.join(TESTS)}, "
                "or keep the values"
            )
        return cls(method, choose_correction(method, correction))

    @property
    def kind(self) -> Kind | None:
        """Random weights of topics that the test needs."""
        if self.method.name in {"bootstrap", "bootstrap-t"}:
            return "bootstrap"
        return "signs" if self.method is RANDOMISATION or self.correction == "maxT" else None

    def family(self, pairs: int, measures: int, earlier: int) -> Family:
        """The family of all pairs and measures."""
        return Family(self.correction, pairs, measures, earlier, joint=self.correction == "maxT")

    def samples(self, pairs: int, measures: int, earlier: int, alpha: float, asked: int | None) -> int:
        """Number of draws: as many as are asked for, or as are needed to reach α."""
        if self.kind is None:
            return 0
        Draws(asked)
        return needed(self.family(pairs, measures, earlier), alpha) if asked is None else asked


def compare_sums(
    sums: PairSums,
    *,
    test: str = "auto",
    correction: str = "auto",
    alpha: float = 0.05,
    prior_tests: int = 0,
    recall_bases: Sequence[int | None] | None = None,
    remarks: tuple[Remark, ...] = (),
    notes: tuple[str, ...] = (),
) -> Comparisons:
    """Compare systems by sums: the result of :func:`mensura.compare`, without values of topics.

    Parameters
    ----------
    sums
        Sums over all topics, of :func:`pair_sums`.
    test
        ``t``, ``sign``, ``randomisation``, ``bootstrap`` or ``bootstrap-t``; the last three need sums with random draws.
    correction, alpha, prior_tests
        As in :func:`mensura.compare`.
    recall_bases
        Number of different recall bases for each measure, where it is known: a remark speaks of it.
    remarks, notes
        Remarks on the data, and sentences to add to every comparison.
    """
    check_level(1 - alpha)
    for measure in sums.measures:
        check_mean(measure)
    plan = SumTest.of(test, correction)
    if plan.kind is not None and sums.kind != plan.kind:
        drawn = "no random draws" if sums.kind is None else f"draws of kind {sums.kind!r}"
        raise StatisticsError(f"the {plan.method.title} ({plan.correction}) needs sums with kind={plan.kind!r}, these have {drawn}")
    pairs = sums.pairs
    family = plan.family(len(pairs), len(sums.measures), prior_tests)
    moments = [sums.moments(measure) for measure in range(len(sums.measures))]
    outcomes, joint_p = _outcomes(sums, plan, pairs, moments)
    corrected = corrected_for(family, outcomes, joint_p)
    rejected = sum(int((p < alpha).sum()) for p in corrected)
    comparisons = []
    for at, measure in enumerate(sums.measures):
        bases = None if recall_bases is None else recall_bases[at]
        lengths = sums.lengths if measure.uses_length and sums.lengths[0] != sums.lengths[1] else None
        facts = facts_from(measure.on_topics, sums.length, sums.highest, bases, lengths)
        one = _Part(sums, at, pairs, moments[at], outcomes[at], corrected[at], facts, notes)
        comparisons.append(one.comparison(plan, family, alpha, rejected, outcomes))
    result = Comparisons(tuple(comparisons), remarks)
    result.__dict__["advice"] = advise_on_sums(sums, comparisons)
    return result


@dataclass(frozen=True, eq=False)
class _Part:
    """One measure, tested."""

    sums: PairSums
    at: int
    pairs: SystemPairs
    moments: PairMoments
    outcome: Outcome
    p: NDArray[np.float64]
    facts: ScaleFacts
    notes: tuple[str, ...]

    def comparison(self, plan: SumTest, family: Family, alpha: float, rejected: int, outcomes: Sequence[Outcome]) -> Comparison:
        sums, outcome, p = self.sums, self.outcome, self.p
        measure = sums.measures[self.at]
        mean, deviation = sums.means(self.at), sums.deviations(self.at)
        half = mean_half_width(np.nan_to_num(deviation), sums.topics, 1 - alpha)
        low, high = measure.restored(mean - half), measure.restored(mean + half)
        middle = median(high - low) / 2
        none = np.full(len(self.pairs), np.nan)
        intervals = pair_intervals(
            None,
            outcome,
            self.moments,
            family,
            alpha=alpha,
            rejected=rejected,
            significant=p < alpha,
            drawing=Draws(),
            asked="t" if CORRECTIONS[plan.correction].stepwise else None,
        )
        limits = (plan.method, sums.topics, outcomes)
        spoken = (
            scale_remark(plan.method, self.facts, "original"),
            family_remark(family, alpha),
            coarse_remark(family, alpha, *limits) if not rejected else None,
            transformed_remark(measure),
            opposed_remark(sums.systems, outcome, p < alpha, self.moments.mean),
            *intervals.remarks(p < alpha, outcome, alpha),
        )
        means = measure.restored(mean)
        places = places_of(measure, means)
        groups, too_many = ((), ()) if self.pairs.baselines else grouped(self.pairs, places, p < alpha)
        return Comparison(
            measure=measure,
            scale="original",
            systems=sums.systems,
            topics=(),
            mean=means,
            low=low,
            high=high,
            places=places,
            pair_low=intervals.low,
            pair_high=intervals.high,
            interval_method=intervals.method,
            interval_kind=intervals.kind,
            outcome=outcome,
            corrected_p=p,
            effects=effects_from(
                self.pairs,
                self.moments,
                spread=deviation,
                residual=sums.residual(self.at),
                wins=sums.wins[self.at],
                losses=sums.losses[self.at],
                topics=sums.topics,
                cliff=none,
                errors=(none, none),
                direction=measure.direction,
            ),
            family=family,
            groups=groups,
            alpha=alpha,
            decimals=decimals_for_mean(measure, middle),
            remarks=(*(remark for remark in spoken if remark), *outcome.remarks, *self.notes, *too_many),
        )


def _outcomes(
    sums: PairSums, plan: SumTest, pairs: SystemPairs, moments: list[PairMoments]
) -> tuple[list[Outcome], list[NDArray[np.float64]] | None]:
    """Results of the test by measure, and p-values of the whole family where they are drawn with signs."""
    topics, measures = sums.topics, range(len(moments))
    if plan.method.name == "bootstrap-t" and plan.correction == "maxT":
        return bootstrapped_family(topics, [pairs] * len(moments), moments, sums.samples, resampled(sums)), None
    match plan.method.name:
        case "t":
            outcomes = [student_t(topics, pairs, part) for part in moments]
        case "sign":
            outcomes = [signs_counted(pairs, sums.wins[at], sums.losses[at], moments[at].mean, topics) for at in measures]
        case "randomisation":
            outcomes = [_randomised(sums, at, pairs, moments[at]) for at in measures]
        case "bootstrap":
            outcomes = [bootstrapped_pairs(topics, pairs, moments[at], sums.samples, resampled(sums, (at,))) for at in measures]
        case _:
            outcomes = [
                bootstrapped_family(topics, [pairs], [moments[at]], sums.samples, resampled(sums, (at,)))[0] for at in measures
            ]
    if plan.correction != "maxT":
        return outcomes, None
    units, own = [_in_units(sums, at, moments[at]) for at in measures], [outcome.p for outcome in outcomes]
    joint_p, null = signed_family(topics, units, own, sums.samples, flipped(sums))
    root = math.sqrt(topics)
    outcomes = [
        replace(outcome, null=null, scale=part.deviation / root, draws=sums.samples)
        for outcome, part in zip(outcomes, moments, strict=True)
    ]
    return outcomes, joint_p


def _randomised(sums: PairSums, at: int, pairs: SystemPairs, moments: PairMoments) -> Outcome:
    """Fisher's randomisation test by random signs: draws whose sum, in whole units, is as far from 0 as that of the data."""
    statistics = signed([_in_units(sums, at, moments)], sums.topics)
    reached = np.empty(len(pairs))
    reached[statistics.first] = flipped(sums, (at,))(statistics).plain
    p = (1 + reached) / (1 + sums.samples)
    return Outcome(RANDOMISATION, pairs, moments.mean, moments.mean, p, sums.topics, draws=sums.samples)


def _in_units(sums: PairSums, at: int, moments: PairMoments) -> PairMoments:
    """Moments with the mean of values as draws have them, so that a draw with the signs of the data is equal to the data."""
    pairs = sums.pairs
    total = (sums.units[at][pairs.first] - sums.units[at][pairs.second]) * UNIT
    return moments._replace(mean=np.where(moments.mean == 0, 0.0, total / sums.topics))


def flipped(sums: PairSums, measures: Sequence[int] | None = None) -> Count:
    """Count draws of signs that reach the statistics |Σ ±d| / √Σd²."""
    pairs = sums.pairs
    chosen = range(len(sums.measures)) if measures is None else measures
    different = [sums.wins[at] + sums.losses[at] for at in chosen]

    def count(statistics: Statistics) -> Tally:
        reached, plain = np.zeros(len(statistics.first), dtype=np.int64), np.zeros(len(statistics.first), dtype=np.int64)
        largest = np.zeros(sums.samples)
        for place, number in enumerate(statistics.first.tolist()):
            at, pair = divmod(number, len(pairs))
            rows = sums.weighted[chosen[at]]
            u = np.abs(rows[pairs.first[pair]] - rows[pairs.second[pair]]) * (UNIT / statistics.unit[place])
            u /= statistics.divisor[place]
            np.maximum(largest, u, out=largest)
            # Values are rounded to units, so that equal sums may differ by two for each topic with a difference.
            slack = 2 * different[at][pair] * UNIT / statistics.unit[place] / statistics.divisor[place]
            plain[place] = np.count_nonzero(u >= statistics.limit[place] - slack)
            reached[place] = np.count_nonzero(largest >= statistics.limit[place] - slack)
        return Tally(reached, plain, largest)

    return count


def resampled(sums: PairSums, measures: Sequence[int] | None = None) -> Count:
    """Count bootstrap draws that reach the statistics; a draw of fewer than two topics reaches everything."""
    pairs, topics = sums.pairs, sums.topics
    chosen = range(len(sums.measures)) if measures is None else measures
    weights = np.maximum(sums.weights.astype(np.float64), 2.0)
    few = sums.weights < 2  # noqa: PLR2004 - for a variance

    def count(statistics: Statistics) -> Tally:
        reached, plain = np.zeros(len(statistics.first), dtype=np.int64), np.zeros(len(statistics.first), dtype=np.int64)
        largest = np.zeros(sums.samples)
        for place, number in enumerate(statistics.first.tolist()):
            at, pair = divmod(number, len(pairs))
            rows, units = sums.weighted[chosen[at]], sums.units[chosen[at]]
            first, second, unit = pairs.first[pair], pairs.second[pair], statistics.unit[place]
            mean = float(units[first] - units[second]) * UNIT / topics
            total = (rows[first] - rows[second]) * UNIT
            squares = (rows[len(sums.systems) + pair] * UNIT - 2 * mean * total + mean * mean * weights) / unit**2
            deviation = (total - weights * mean) / unit
            variance = squares - deviation**2 / weights
            variance = np.where(variance <= 4e-15 * squares, 0.0, variance / (weights - 1))
            size = np.abs(deviation) * np.sqrt(topics / weights)  # so that limits are those of as many topics as the data have
            with np.errstate(divide="ignore", invalid="ignore"):
                t = np.where(size > 0, size / (np.sqrt(variance) + statistics.divisor[place]), 0.0)
            t[few] = np.inf
            np.maximum(largest, t, out=largest)
            plain[place] = np.count_nonzero(few | ((size > 0) & (size**2 >= statistics.plain_limit[place] * variance)))
            reached[place] = np.count_nonzero(largest >= statistics.limit[place])
        return Tally(reached, plain, largest)

    return count
