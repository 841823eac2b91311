"""The default test where the truth is known: its family-wise error, the coverage of its intervals, its power, and an added run.

Cells: (a) ten exchangeable systems; (b) two independent ones and eight variants of the second; (c) the same with 28 variants; both
with exponential noise too; (d) TREC-8 AP, each system's mean removed, topics resampled, ten fixed sets of 8 to 10 systems; (f) a
new set each time. A rate from R samples has the standard error √(.05·.95/R), .0049 for 2000.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from itertools import accumulate, pairwise

import numpy as np
import pytest

from mensura import compare, evaluate
from mensura.evaluation.evaluation import score
from mensura.measures.exact import exact_values
from mensura.stats import bootstrap_t
from mensura.stats.confidence import drawn_half_width

pytestmark = pytest.mark.slow
ALPHA, SAMPLES, SIMULATIONS = 0.05, 999, 2000
ERROR = math.sqrt(ALPHA * (1 - ALPHA) / SIMULATIONS)
DEVIATION, VARIANT = 0.15, 0.02


def noise(rng, shape, *, skewed):
    return rng.exponential(1.0, shape) - 1 if skewed else rng.normal(0, 1, shape)


def variants(rng, topics, number, *, skewed):
    """Two independent systems, and variants of the second."""
    two = DEVIATION * noise(rng, (2, topics), skewed=skewed)
    return np.concatenate((two, two[1] + VARIANT * noise(rng, (number, topics), skewed=skewed)))


CELLS = {
    "a": lambda rng, topics: DEVIATION * noise(rng, (10, topics), skewed=False),
    "b": lambda rng, topics: variants(rng, topics, 8, skewed=False),
    "c": lambda rng, topics: variants(rng, topics, 28, skewed=False),
    "b skewed": lambda rng, topics: variants(rng, topics, 8, skewed=True),
    "c skewed": lambda rng, topics: variants(rng, topics, 28, skewed=True),
}


def wrong(values, seed):
    return bootstrap_t(values, samples=SAMPLES, seed=seed).family_p.min() < ALPHA


def tell(capsys, cell, topics, rate):
    with capsys.disabled():
        print(f"\n{cell}, {topics} topics: {rate:.4f} ± {ERROR:.4f}")  # noqa: T201 - figures for the docs


@pytest.mark.parametrize("topics", [25, 50])
@pytest.mark.parametrize("cell", CELLS)
def test_family_wise_error(cell, topics, capsys):
    rng = np.random.default_rng([1, topics])
    rate = np.mean([wrong(CELLS[cell](rng, topics), seed) for seed in range(SIMULATIONS)])
    tell(capsys, cell, topics, rate)
    assert rate <= ALPHA + 3 * ERROR


@pytest.fixture(scope="module")
def trec8(data):
    folder = data / "trec8"
    return evaluate(folder / "qrels.txt", sorted((folder / "runs").iterdir()), "AP")


def sets(rng, fixed):
    """The systems of each simulation: one of ten fixed sets, or a new one each time."""
    chosen = [rng.choice(129, rng.integers(8, 11), replace=False) for _ in range(10 if fixed else SIMULATIONS)]
    return [chosen[at % len(chosen)] for at in range(SIMULATIONS)]


@pytest.mark.parametrize("topics", [25, 50])
@pytest.mark.parametrize("fixed", [True, False], ids=["d", "f"])
def test_family_wise_error_on_resampled_topics(trec8, fixed, topics, capsys):
    values = trec8["AP"].values
    values = values - values.mean(axis=1, keepdims=True)
    rng = np.random.default_rng([2, topics, fixed])
    rate = np.mean([wrong(values[np.ix_(some, rng.integers(0, 50, topics))], seed) for seed, some in enumerate(sets(rng, fixed))])
    tell(capsys, "d" if fixed else "f", topics, rate)
    assert rate <= ALPHA + 3 * ERROR


@pytest.mark.parametrize("topics", [25, 50])
def test_coverage_with_real_means(trec8, topics, capsys):
    """All intervals together contain the true differences: the 50 topics are the population."""
    values = trec8["AP"].values
    truth = values.mean(axis=1)
    rng = np.random.default_rng([3, topics])
    covered = []
    for seed, some in enumerate(sets(rng, fixed=True)):
        outcome = bootstrap_t(values[np.ix_(some, rng.integers(0, 50, topics))], samples=SAMPLES, seed=seed)
        half = drawn_half_width(outcome, ALPHA)
        true = truth[some][outcome.pairs.first] - truth[some][outcome.pairs.second]
        covered.append(bool((np.abs(outcome.estimate - true) <= half + 1e-12).all()))
    rate = float(np.mean(covered))
    tell(capsys, "coverage", topics, rate)
    assert rate >= 1 - ALPHA - 3 * ERROR


def test_power_on_trec8(trec8):
    """The t-test with Holm's correction finds 3085 of the 8256 pairs, the randomised Tukey HSD 2662."""
    (default,), (student,) = compare(trec8), compare(trec8, test="t")
    assert student.significant.sum() == 3085
    assert default.significant.sum() >= 3085


def test_a_run_that_finds_nothing_costs_no_more_than_another_seed(trec8):
    """Added to eight random runs, 40 times."""
    rng = np.random.default_rng(4)
    by_run = by_seed = 0
    for _ in range(40):
        values = trec8["AP"].values[rng.choice(129, 8, replace=False)]
        before, other = (bootstrap_t(values, samples=10_000, seed=seed).family_p < ALPHA for seed in (0, 1))
        outcome = bootstrap_t(np.concatenate((values, np.zeros((1, 50)))), samples=10_000)
        after = outcome.family_p[outcome.pairs.second < 8] < ALPHA
        by_run += bool((before != after).any())
        by_seed += bool((before != other).any())
    assert by_run <= by_seed + 3, f"{by_run} of 40 changed by an added run, {by_seed} by another seed"


def dcg_to_sixty_digits(grades):
    """DCG of each system and topic as a whole number of units of 10⁻⁶⁰; below 10⁻⁵⁰, a difference is rounding."""
    with localcontext(prec=80):
        discount = [int(Decimal(2).ln() / Decimal(rank + 1).ln() * 10**60) for rank in range(1, grades.shape[2] + 1)]
    sums = np.empty(grades.shape[:2], dtype=object)
    for row in np.ndindex(*sums.shape):
        sums[row] = sum(int(grades[row][at]) * discount[at] for at in np.flatnonzero(grades[row] > 0).tolist()) // 10**10
    return sums


MEASURES = ["bpref", "AP", "nDCG", "Rprec", "ERR", "RBP"]


GRADED = [f"{name}(rel=2)" for name in ("bpref", "AP", "Rprec", "RBP")]  # the judgments of TREC-8 are binary


@pytest.mark.parametrize(
    ("name", "measure"), [*(("trec8", measure) for measure in MEASURES), *(("dl21", measure) for measure in (*MEASURES, *GRADED))]
)
def test_wins_ties_and_losses_are_those_of_fractions(data, name, measure):
    """All pairs of all runs. Fractions of a topic are replaced by their ranks, which Python's own comparisons give.

    nDCG is not a fraction. Within a topic it orders systems as DCG does.
    """
    folder = data / name
    evaluation = evaluate(next(folder.glob("qrels*")), sorted((folder / "runs").iterdir()), measure)
    judged = evaluation.judged
    fractions = dcg_to_sixty_digits(judged.grades) if measure == "nDCG" else exact_values(evaluation.measures[0], judged)
    ranks = np.empty(fractions.shape, dtype=np.int64)
    for topic, column in enumerate(fractions.T):
        ordered = sorted(set(column))
        steps = [value - before > 1 for before, value in pairwise(ordered)] if measure == "nDCG" else [True] * (len(ordered) - 1)
        place = dict(zip(ordered, accumulate(steps, initial=0), strict=True))
        ranks[:, topic] = [place[value] for value in column]
    systems = judged.systems
    ranks = ranks[sorted(range(len(systems)), key=lambda system: systems[system].encode())]
    (made,) = compare(evaluation, test="sign")
    difference = ranks[made.outcome.pairs.first] - ranks[made.outcome.pairs.second]
    assert made.effects.wins.tolist() == (difference > 0).sum(axis=1).tolist()
    assert made.effects.ties.tolist() == (difference == 0).sum(axis=1).tolist()
    assert made.effects.losses.tolist() == (difference < 0).sum(axis=1).tolist()


def test_a_pair_of_bpref_has_one_p(data):
    """GE8ATD3 and nttd8alx have p = .8854335 by exact fractions; nttd8al and nttd8am the same p alone and among all."""
    folder = data / "trec8"
    judged = evaluate(folder / "qrels.txt", sorted((folder / "runs").iterdir()), "bpref").judged
    (among,) = compare(score(judged, "bpref"), test="sign")
    assert among["GE8ATD3", "nttd8alx"].p == pytest.approx(0.8854335, abs=1e-7)
    (alone,) = compare(score(judged.only(["nttd8al", "nttd8am"]), "bpref"), test="sign")
    assert alone["nttd8al", "nttd8am"].p == among["nttd8al", "nttd8am"].p


def test_twenty_orders_of_the_files(trec8):
    from mensura.render.comparison_data import as_json

    rng = np.random.default_rng(5)
    documents = set()
    for _ in range(20):
        shuffled = trec8.judged.only([trec8.judged.systems[at] for at in rng.permutation(129)])
        evaluation = score(shuffled, "AP")
        documents.add(as_json(compare(evaluation, samples=200)))
    assert len(documents) == 1
