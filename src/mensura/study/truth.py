"""The errors that tests really make, on simulated campaigns where the truth is known.

P4 counts decisions that change when a measure is replaced by its interval-scaled version, and cannot say which of the two is
right. Here it is known: systems of the same quality do not differ, others do (see `campaigns`). An error of Type I is a significant
difference between equal systems; one of Type II is none, or one in the wrong direction, between systems that differ.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import MensuraError
from mensura.scales.facts import levels_for
from mensura.scales.interval import interval_scale
from mensura.scales.ranks import Scales, counted, judged_for, midpoints
from mensura.stats.running import run_test
from mensura.study.campaigns import Design, simulate
from mensura.study.names import label, study_measures, study_tests
from mensura.study.work import Work, WorkStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.stats.results import Outcome

Shared = tuple[Design, "list[Measure]", "tuple[str, ...]", float]
MEASURES = ("P", "RR", "RBP(p=0.8)", "DCG(base=2)", "AP")
DESIGN = Design(systems=40, equal=4)
BATCH = 25
"""Campaigns of a step: a scale is counted once for all of them."""
SCALES = ("original", "interval")


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate of errors and its Monte-Carlo standard error, which is that of a mean over campaigns."""

    rate: float
    error: float


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of a test with a measure on one scale.

    ``type_1`` and ``type_2`` are rates per pair of systems; ``family`` is the rate of campaigns in which at least one pair of equal
    systems is called different; ``wrong_way`` are the pairs in which the worse system is called the better one, which are part of
    ``type_2``.
    """

    label: str
    length: int
    test: str
    scale: str
    type_1: Rate
    family: Rate
    type_2: Rate
    wrong_way: Rate


@dataclass(frozen=True, slots=True)
class Difference:
    """Interval scale minus original, on the same campaigns: far more certain than the difference of two rates."""

    label: str
    length: int
    test: str
    type_1: Rate
    type_2: Rate


@dataclass(frozen=True, eq=False)
class Truth:
    """Errors of tests on simulated campaigns."""

    design: Design
    campaigns: int
    seed: int
    alpha: float
    equal_pairs: int
    different_pairs: int
    errors: tuple[Errors, ...]
    differences: tuple[Difference, ...]

    def write(self, folder: Path, *, inputs: Mapping[str, str] | None = None) -> None:
        """Write tables, a chart and truth.json; ``inputs`` are digests of the files that the design was fitted to."""
        from mensura.render.truths import write_truth

        write_truth(self, folder, inputs or {})

    def __repr__(self) -> str:
        return f"Truth({self.campaigns} campaigns of {self.design.systems} systems × {self.design.topics} topics)"


def find_truth(
    design: Design | None = None,
    measures: Iterable[str | Measure] | None = None,
    lengths: Sequence[int] = (10,),
    tests: Sequence[str] | None = None,
    *,
    campaigns: int = 100,
    alpha: float = 0.05,
    seed: int = 0,
    work: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    engine: Any = None,
) -> Truth:
    """Simulate campaigns and count the errors of tests, with measures as they are and on their interval scales.

    Parameters
    ----------
    design
        What campaigns are drawn from: 40 systems, of which four each are equal, by default.
    measures, lengths, tests
        Measures without cut-offs, the lengths at which they are cut, and tests.
    campaigns
        Number of campaigns.
    alpha
        The level of significance.
    seed
        Seed of the first campaign and of tests that draw at random.
    work
        A folder where each step is kept, as of :func:`mensura.study.study`.
    progress
        Called with the number of campaigns done, and of all.
    engine
        ``"dask"``, the address of a Dask scheduler, or a ``Client``: its workers simulate.

    Examples
    --------
    >>> truth = find_truth(Design(systems=6, topics=20), ["P"], tests=["t"], campaigns=20)
    >>> [(e.scale, e.type_1.rate == truth.errors[0].type_1.rate) for e in truth.errors]
    [('original', True), ('interval', True)]
    """
    design = design or DESIGN
    chosen_measures = [
        measure @ length for length in lengths for measure in study_measures(MEASURES if measures is None else measures)
    ]
    test_names = study_tests(tests)
    first, second = np.triu_indices(design.systems, 1)
    same = design.qualities[first] == design.qualities[second]
    if not same.any() or same.all():
        raise MensuraError("the truth needs both equal and different systems: 1 < equal < systems")
    if campaigns < 2:  # noqa: PLR2004 - a standard deviation
        raise MensuraError("a standard error needs at least 2 campaigns")
    steps = Work(work, json.dumps([asdict(design), seed, [str(measure) for measure in chosen_measures], test_names, alpha]))
    steps.open()
    starts = {start: min(BATCH, campaigns - start) for start in range(0, campaigns, BATCH)}
    batches = [
        WorkStep(f"campaigns_{start:05}", [start, many], range(seed + start, seed + start + many)) for start, many in starts.items()
    ]
    shared = (design, chosen_measures, test_names, alpha)
    told = None if progress is None else lambda done, _: progress(min(done * BATCH, campaigns), campaigns)
    results = steps.spread(count_errors, [[batch] for batch in batches], shared, engine=engine, progress=told)
    counts = [count for batch in batches for count in results[batch]]
    steps.tidy()
    return _summed(design, chosen_measures, test_names, np.array(counts, dtype=np.float64), (campaigns, seed, alpha, same))


def predict_truth(
    design: Design | None,
    measures: Iterable[str | Measure] | None,
    lengths: Sequence[int],
    tests: Sequence[str] | None,
    campaigns: int,
) -> tuple[int, float]:
    """Number of pieces that campaigns are simulated in, and seconds of one core that they take, by a sample of four campaigns."""
    chosen = [measure @ length for length in lengths for measure in study_measures(MEASURES if measures is None else measures)]
    shared = (design or DESIGN, chosen, study_tests(tests), 0.05)
    ((_, first),) = count_errors(shared, [range(1)])
    ((_, more),) = count_errors(shared, [range(3)])
    each = max(0.0, more - first) / 2
    pieces = -(-campaigns // BATCH)
    return pieces, pieces * max(0.0, first - each) + campaigns * each


def count_errors(shared: Shared, tasks: Sequence[range]) -> list[tuple[Any, float]]:
    """Simulate campaigns of some seeds and count the errors of tests; with the processor time of each task."""
    design, measures, tests, alpha = shared
    outcomes = []
    for seeds in tasks:
        started = process_time()
        outcomes.append((_batch(design, measures, tests, alpha, seeds), process_time() - started))
    return outcomes


def _batch(design: Design, measures: Sequence[Measure], tests: Sequence[str], alpha: float, seeds: Sequence[int]) -> list[Any]:
    """Per campaign, measure, test and scale: [false alarms, misses, wrong ways]."""
    depth = max(measure.cutoff or 0 for measure in measures)
    drawn = [simulate(design, seed=seed, threads=1) for seed in seeds]
    judged = [campaign.judged(depth) for campaign in drawn]
    counts: list[list[Any]] = [[None] * len(measures) for _ in drawn]
    for at, measure in enumerate(measures):
        ranks = ranks_of(measure, judged)
        for number, (campaign, runs) in enumerate(zip(drawn, judged, strict=True)):
            values = (measure.score(runs), ranks[number])
            counts[number][at] = [
                [_errors(run_test(test, array, seed=campaign.seed), campaign.qualities, alpha, measure) for array in values]
                for test in tests
            ]
    return counts


def ranks_of(measure: Measure, judged: Sequence[JudgedRuns]) -> list[NDArray[Any]]:
    """Ranks on the interval scale of several campaigns' runs, counted at once unless topics have scales of their own."""
    if measure.on_topics.scale_per_topic:
        return [Scales(each).of(measure).rank for each in judged]
    scale = interval_scale(measure, grades=levels_for(measure, judged[0]))
    runs = np.stack([judged_for(measure, each) for each in judged])
    ranks = counted(scale, partial(scale.rank, runs))
    return list(midpoints(scale, runs)[0] if ranks is None else ranks)


def _errors(outcome: Outcome, qualities: NDArray[np.float64], alpha: float, measure: Measure) -> tuple[int, int, int]:
    """False alarms, misses, and wrong ways among them; the direction of a difference is that of the means."""
    p = outcome.p if outcome.family_p is None else outcome.family_p
    significant = p < alpha
    gap = qualities[outcome.pairs.first] - qualities[outcome.pairs.second]
    sign = outcome.estimate if measure.direction == "higher" else -outcome.estimate
    wrong = significant & (gap != 0) & (np.sign(sign) == -np.sign(gap))
    missed = (gap != 0) & (~significant | wrong)
    return int((significant & (gap == 0)).sum()), int(missed.sum()), int(wrong.sum())


def _summed(
    design: Design,
    measures: Sequence[Measure],
    tests: Sequence[str],
    counts: NDArray[np.float64],
    how: tuple[int, int, float, NDArray[np.bool_]],
) -> Truth:
    """Rates from counts [campaign, measure, test, scale, kind of error]."""
    campaigns, seed, alpha, same = how
    equal, different = int(same.sum()), int((~same).sum())
    errors, differences = [], []
    for at, measure in enumerate(measures):
        for number, test in enumerate(tests):
            here = counts[:, at, number]
            name = (label(measure), measure.cutoff or 0, test)
            for which, scale in enumerate(SCALES):
                alarms, misses, wrong = here[:, which].T
                rates = (alarms / equal, (alarms > 0).astype(np.float64), misses / different, wrong / different)
                errors.append(Errors(*name, scale, *map(_rate, rates)))
            alarms, misses, _ = (here[:, 1] - here[:, 0]).T
            differences.append(Difference(*name, _rate(alarms / equal), _rate(misses / different)))
    return Truth(design, campaigns, seed, alpha, equal, different, tuple(errors), tuple(differences))


def _rate(values: NDArray[np.float64]) -> Rate:
    return Rate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))
