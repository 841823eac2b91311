"""A comparison of systems: means with intervals, pairs with effect sizes and corrected p-values, groups, and remarks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.errors import StatisticsError
from mensura.measures.base import check_mean_of_ranks
from mensura.stats.arrays import ScoreTable, make_pairs, make_table
from mensura.stats.confidence import check_level, difference_intervals, mean_interval, upper_quantile
from mensura.stats.digits import decimals, decimals_for_interval
from mensura.stats.effect_sizes import effects
from mensura.stats.families import STEPWISE, Family, adjust, check_correction, family_remark
from mensura.stats.groups import find_groups
from mensura.stats.methods import find_method
from mensura.stats.permutation import Draws, max_t
from mensura.stats.scale import scale_remark, values_on
from mensura.stats.tests import run_test

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.scores import Scores
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.stats.arrays import Pairs
    from mensura.stats.confidence import IntervalMethod
    from mensura.stats.effect_sizes import Effects
    from mensura.stats.results import Correction, Method, Outcome
    from mensura.stats.scale import Scale

Role = Literal["primary", "secondary", "exploratory"]
DEFAULT_TEST = "randomised-tukey"
INTERVALS: dict[str, IntervalMethod] = {
    "bootstrap": "bca",
    "randomisation": "randomised",
    "randomised-tukey": "randomised",
    "anova-topics": "anova",
    "dunnett": "anova",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """One pair of systems. The difference is first − second."""

    first: str
    second: str
    estimate: float
    interval: tuple[float, float]
    statistic: float
    p: float
    corrected_p: float
    d_z: float
    residual: float
    cliff: float
    wins: int
    ties: int
    losses: int

    def swapped(self) -> Pair:
        """The same pair, seen from the other side: second − first."""
        low, high = self.interval
        return replace(
            self,
            first=self.second,
            second=self.first,
            estimate=-self.estimate,
            interval=(-high, -low),
            d_z=-self.d_z,
            residual=-self.residual,
            cliff=-self.cliff,
            wins=self.losses,
            losses=self.wins,
        )

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"Pair({self.first} − {self.second} = {self.estimate:.4g} [{low:.4g}, {high:.4g}], p = {self.p:.3g}, "
            f"corrected p = {self.corrected_p:.3g}, d_z = {self.d_z:.2f}, wins/ties/losses {self.wins}/{self.ties}/{self.losses})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Systems compared by one measure on one scale.

    Attributes
    ----------
    measure, scale
        What was compared: the measure's own values, or their ranks on its interval scale.
    systems, topics
        The names.
    mean, low, high
        The mean of each system as the measure takes it, with its own interval (Student's t): for GM(AP) the geometric mean, and
        the interval of the mean logarithm, restored.
    pair_low, pair_high
        Intervals of the differences of the pairs, all holding together. Differences are of :attr:`estimate_of`.
    outcome
        What the test says, before the correction for the family.
    corrected_p
        The p-value of each pair, corrected for the whole family.
    effects
        Effect sizes of each pair.
    family
        The family of tests and its correction.
    groups
        Groups of systems, by number, in which no two differ significantly, best first. Empty if systems were compared with a
        baseline.
    alpha
        The level of significance; intervals have the confidence level 1 − α.
    decimals
        How many decimals of a mean are worth showing.
    remarks
        What a reader should know: a scale that the test assumes and the measure does not have, differences without variation.
    role
        ``primary`` or ``secondary`` if a plan says so, ``exploratory`` if there is a plan that does not, ``None`` without a plan.
    """

    measure: Measure
    scale: Scale
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    pair_low: NDArray[np.float64]
    pair_high: NDArray[np.float64]
    interval_method: IntervalMethod
    outcome: Outcome
    corrected_p: NDArray[np.float64]
    effects: Effects
    family: Family
    groups: tuple[tuple[int, ...], ...]
    alpha: float
    decimals: int
    remarks: tuple[str, ...]
    role: Role | None = None

    @property
    def method(self) -> Method:
        """The test."""
        return self.outcome.method

    @property
    def name(self) -> str:
        """The measure, and its scale if that is not its own."""
        return str(self.measure) if self.scale == "original" else f"{self.measure} (interval scale)"

    @property
    def estimate_of(self) -> str:
        """What the differences of pairs are differences of: ``values``, or ``natural logarithms`` for a geometric mean."""
        return self.measure.averages if self.scale == "original" else "values"

    @property
    def pair_decimals(self) -> int:
        """Decimals to show of differences: those of means, or as many as the intervals support where they are not of values."""
        if self.estimate_of == "values":
            return self.decimals
        return decimals_for_interval(float(np.median(self.pair_high - self.pair_low)) / 2)

    @property
    def ranking(self) -> list[int]:
        """Systems from best to worst."""
        sign = -1.0 if self.measure.direction == "higher" else 1.0
        return [int(system) for system in np.argsort(sign * self.mean, kind="stable")]

    @property
    def significant(self) -> NDArray[np.bool_]:
        """Which pairs differ significantly."""
        return self.corrected_p < self.alpha

    def pairs(self) -> Iterator[Pair]:
        """All pairs, in the order of the arrays."""
        for at in range(len(self.outcome.pairs)):
            yield self._pair(at)

    def _pair(self, at: int) -> Pair:
        pairs, size = self.outcome.pairs, self.effects
        return Pair(
            first=self.systems[int(pairs.first[at])],
            second=self.systems[int(pairs.second[at])],
            estimate=float(self.outcome.estimate[at]),
            interval=(float(self.pair_low[at]), float(self.pair_high[at])),
            statistic=float(self.outcome.statistic[at]),
            p=float(self.outcome.p[at]),
            corrected_p=float(self.corrected_p[at]),
            d_z=float(size.d_z[at]),
            residual=float(size.residual[at]),
            cliff=float(size.cliff[at]),
            wins=int(size.wins[at]),
            ties=int(size.ties[at]),
            losses=int(size.losses[at]),
        )

    def __getitem__(self, names: tuple[str, str]) -> Pair:
        """A pair by the names of its systems, the difference being first − second."""
        first, second = names
        for at, (a, b) in enumerate(zip(self.outcome.pairs.first.tolist(), self.outcome.pairs.second.tolist(), strict=True)):
            if (self.systems[a], self.systems[b]) == (first, second):
                return self._pair(at)
            if (self.systems[a], self.systems[b]) == (second, first):
                return self._pair(at).swapped()
        raise KeyError(f"{first} and {second} were not compared")

    def __repr__(self) -> str:
        return (
            f"Comparison({self.name}: {len(self.systems)} systems × {len(self.topics)} topics, {self.method.title}, {self.family}: "
            f"{int(self.significant.sum())} of {len(self.outcome.pairs)} pairs differ at α = {self.alpha:g})"
        )


def compare(
    evaluation: Evaluation,
    *,
    test: str = "auto",
    correction: str = "auto",
    baseline: str | None = None,
    scale: Scale = "original",
    alpha: float = 0.05,
    prior_tests: int | Callable[[], int] = 0,
    interval: IntervalMethod | None = None,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
    left_out: Mapping[str, Collection[frozenset[str]]] | None = None,
    ranks: Mapping[str, NDArray[Any]] | None = None,
) -> tuple[Comparison, ...]:
    """Compares the systems of an evaluation, by each of its measures; all measures are one family.

    Parameters
    ----------
    evaluation
        What :func:`mensura.evaluate` gives.
    test
        A test by its name; ``auto`` is the randomised Tukey HSD test.
    correction
        ``auto`` is the correction that is part of the test, and Holm's for tests that have none.
    baseline
        Compare all systems with this one only.
    scale
        ``interval``: compare ranks on the interval scale of each measure instead of its own values.
    alpha
        The level of significance.
    prior_tests
        Tests already made on this collection: they enlarge the family. A function is asked once all tests have been made, as a
        ledger is that counts these too.
    interval
        How intervals of differences are made; by default as fits the test.
    samples, seed, threads
        For tests that draw at random.
    left_out
        Pairs of systems, by the name of a measure, that belong to another family.
    ranks
        Ranks on the interval scale [system, topic], by the name of a measure, where they are known already.
    """
    check_level(1 - alpha)
    method = find_method(DEFAULT_TEST if test == "auto" else test)
    chosen = choose_correction(method, correction)
    judged = evaluation.judged
    number = None
    if baseline is not None:
        if baseline not in judged.systems:
            raise StatisticsError(f"there is no system {baseline!r} to be the baseline: there are {', '.join(judged.systems)}")
        number = judged.systems.index(baseline)
    pairs = make_pairs(len(judged.systems), number)
    kept = [_kept(judged.systems, pairs, (left_out or {}).get(str(scores.measure), ())) for scores in evaluation.scores]
    measured = [(scores, mask) for scores, mask in zip(evaluation.scores, kept, strict=True) if mask.any()]
    if not measured:
        return ()
    counted = _topics(evaluation)
    tables: list[ScoreTable] = []
    outcomes: list[Outcome] = []
    for scores, _ in measured:
        tables.append(_table(scores, judged, counted, scale, ranks or {}))
        outcomes.append(run_test(method.name, tables[-1], baseline=number, samples=samples, seed=seed, threads=threads))
    earlier = prior_tests() if callable(prior_tests) else prior_tests
    masks = [mask for _, mask in measured]
    family = Family(chosen, len(pairs), len(measured), earlier, sum(int((~mask).sum()) for mask in masks))
    corrected = _corrected(outcomes, tables, masks, family, baseline=number, drawing=Draws(samples, seed, threads))
    topics = tuple(topic for topic, counts in zip(judged.topics, counted.tolist(), strict=True) if counts)
    made = []
    for (scores, mask), table, outcome, p in zip(measured, tables, outcomes, corrected, strict=True):
        kind = interval or INTERVALS.get(method.name, "t")
        share = alpha / family.shares if chosen != "none" else alpha
        if kind == "randomised" and chosen != "none" and outcome.null is not None:  # the test has drawn what the interval needs
            half_width = upper_quantile(outcome.null, share)
            bounds = outcome.estimate - half_width, outcome.estimate + half_width
        else:
            intervals = difference_intervals(
                table,
                baseline=number,
                method=kind,
                simultaneous=chosen != "none",
                level=1 - share,
                samples=samples,
                seed=seed,
                threads=threads,
            )
            bounds = intervals.low, intervals.high
        low, high = map(scores.measure.restored, mean_interval(table.values, level=1 - alpha))
        half = float(np.median(high - low)) / 2
        spoken = (scale_remark(method, scores.measure, scale), family_remark(family), _transformed_remark(scores.measure))
        comparison = Comparison(
            measure=scores.measure,
            scale=scale,
            systems=judged.systems,
            topics=topics,
            mean=scores.measure.mean(scores.values[:, counted]) if scale == "original" else table.values.mean(axis=1),
            low=low,
            high=high,
            pair_low=bounds[0][mask],
            pair_high=bounds[1][mask],
            interval_method=kind,
            outcome=outcome.only(mask),
            corrected_p=p,
            effects=effects(table, baseline=number).only(mask),
            family=family,
            groups=(),
            alpha=alpha,
            decimals=decimals(scores.measure, judged, half) if scale == "original" else decimals_for_interval(half),
            remarks=(*(remark for remark in spoken if remark), *outcome.remarks),
        )
        if number is None and mask.all():
            different = np.nan_to_num(pairs.square(comparison.significant.astype(np.float64), 0.0)) > 0
            comparison = replace(comparison, groups=tuple(find_groups(comparison.ranking, different)))
        made.append(comparison)
    return tuple(made)


def _table(
    scores: Scores, judged: JudgedRuns, counted: NDArray[np.bool_], scale: Scale, ranks: Mapping[str, NDArray[Any]]
) -> ScoreTable:
    """The values to test: those that the measure averages, or exact ranks on the interval scale."""
    measure = scores.measure
    if scale == "original":
        table = make_table(scores.values[:, counted])  # ties become ties before a transformation moves them apart
        transformed = measure.transformed(table.values)
        return table if transformed is table.values else ScoreTable(transformed)
    check_mean_of_ranks(measure)
    known = ranks.get(str(measure))
    return make_table((values_on(measure, judged, scale) if known is None else known)[:, counted])


def _transformed_remark(measure: Measure) -> str | None:
    if measure.averages == "values":
        return None
    return f"differences of {measure} are of {measure.averages}: exp gives the ratio of {measure.aggregation}s"


def _kept(systems: Sequence[str], pairs: Pairs, left_out: Collection[frozenset[str]]) -> NDArray[np.bool_]:
    """Which pairs are in the family."""
    named = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    return np.array([frozenset((systems[a], systems[b])) not in left_out for a, b in named], dtype=np.bool_)


def _topics(evaluation: Evaluation) -> NDArray[np.bool_]:
    """The topics that count for all systems; if they differ between systems, there is no pairing."""
    counted = evaluation.scores[0].counted
    if not (counted == counted[0]).all():
        raise StatisticsError(
            "different topics count for different systems, so they cannot be compared: evaluate with topics='judged' or 'both'"
        )
    return np.asarray(counted[0])


def choose_correction(method: Method, name: str) -> Correction:
    """The correction to use: the test's own by default, else Holm's."""
    if name == "auto":
        return method.family or "holm"
    chosen = check_correction(name)
    if chosen in STEPWISE:
        if method.name == "randomised-tukey" and chosen != "none":
            raise StatisticsError(
                "the randomised Tukey HSD test is of a whole family: its p-values are corrected by max-T already; "
                f"for {chosen}, use the test 'randomisation'"
            )
        return chosen
    if chosen == method.family or (chosen == "maxT" and method.name in {"t", "randomisation"}):
        return chosen
    fits = {"tukey": "anova-topics, friedman or nemenyi", "dunnett": "dunnett", "maxT": "t, randomisation or randomised-tukey"}[
        chosen
    ]
    raise StatisticsError(f"the correction {chosen!r} is not for the {method.title}: use it with the tests {fits}")


def _corrected(
    outcomes: Sequence[Outcome],
    tables: Sequence[ScoreTable],
    masks: Sequence[NDArray[np.bool_]],
    family: Family,
    *,
    baseline: int | None,
    drawing: Draws,
) -> list[NDArray[np.float64]]:
    """Corrected p-values: over pairs, measures and prior tests.

    A correction that knows the pairs of one measure together (Tukey, Dunnett, max-T) is extended to several measures and to earlier
    tests by Bonferroni: each measure has its share of α. It does not know which of its pairs were left out, and stays as large.
    """
    if family.correction in STEPWISE:
        p = [outcome.p[mask] for outcome, mask in zip(outcomes, masks, strict=True)]
        adjusted = adjust(np.concatenate(p), family.correction, prior_tests=family.prior_tests)
        return np.split(adjusted, np.cumsum([len(part) for part in p])[:-1])
    made = []
    for outcome, table, mask in zip(outcomes, tables, masks, strict=True):
        known = outcome.family_p
        if known is None or family.correction != outcome.method.family:
            known = max_t(table, baseline=baseline, samples=drawing.samples, seed=drawing.seed, threads=drawing.threads)
        made.append(np.minimum(known[mask] * family.shares, 1.0))
    return made
