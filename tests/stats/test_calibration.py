"""Error rates by simulation: every test and every correction keeps its promise under its own assumptions.

A rate that was estimated from n simulations has the standard error σ = √(α(1 − α)/n); it must lie within 3σ of α. Tests on discrete
statistics can only stay below α, so for them the rate must not exceed α + 3σ, and must come near the level that they attain.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from mensura.stats import adjust, dunnett, max_t, paired_t, randomisation_test, run_test

pytestmark = pytest.mark.slow
ALPHA = 0.05


def band(simulations, alpha=ALPHA):
    return 3 * math.sqrt(alpha * (1 - alpha) / simulations)


def pairs_of_normals(simulations, topics, seed, *, topic_effect=True):
    """As many independent pairs as there are simulations: no difference within a pair."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 1, (2, simulations, topics))
    return values + rng.normal(0, 2, (simulations, topics)) if topic_effect else values


def rate(test, values):
    return np.mean([test(values[:, at]).p[0] < ALPHA for at in range(values.shape[1])])


@pytest.mark.parametrize("name", ["t", "randomisation", "bootstrap", "signed-rank"])
def test_pairs_of_systems(name):
    simulations = 4000
    values = pairs_of_normals(simulations, 40, seed=1)
    found = rate(lambda x: run_test(name, x, samples=999, threads=1), values)
    assert abs(found - ALPHA) <= band(simulations), f"{name}: {found:.4f} ± {band(simulations) / 3:.4f}"


def test_exact_randomisation():
    simulations = 4000
    values = pairs_of_normals(simulations, 14, seed=2)
    found = rate(randomisation_test, values)
    assert abs(found - ALPHA) <= band(simulations)


def test_rank_sum_under_independent_samples():
    simulations = 4000
    found = rate(lambda x: run_test("rank-sum", x), pairs_of_normals(simulations, 40, seed=3, topic_effect=False))
    assert abs(found - ALPHA) <= band(simulations)


def test_sign_attains_the_level_of_its_binomial():
    # With 40 topics p < .05 means at most 13 or at least 27 wins: 2·P(X ≤ 13) = 0.0385
    from scipy.stats import binom

    simulations = 4000
    attained = 2 * binom.cdf(13, 40, 0.5)
    assert attained < ALPHA < 2 * binom.cdf(14, 40, 0.5)
    found = rate(lambda x: run_test("sign", x), pairs_of_normals(simulations, 40, seed=4))
    assert abs(found - attained) <= band(simulations, attained)


def some_difference(name, simulations, systems, topics, seed, *, topic_effect):
    """Proportion of experiments in which some pair differs significantly although none differs."""
    rng = np.random.default_rng(seed)
    wrong = 0
    for _ in range(simulations):
        values = rng.normal(0, 1, (systems, topics))
        if topic_effect:
            values = values + rng.normal(0, 2, topics)
        baseline = 0 if name == "dunnett" else None
        wrong += bool(run_test(name, values, baseline=baseline, samples=499, threads=1).family_p.min() < ALPHA)
    return wrong / simulations


@pytest.mark.parametrize(
    ("name", "topic_effect"), [("anova", False), ("anova-topics", True), ("dunnett", True), ("randomised-tukey", True)]
)
def test_families_of_systems(name, topic_effect):
    simulations = 3000
    found = some_difference(name, simulations, 6, 30, seed=5, topic_effect=topic_effect)
    assert abs(found - ALPHA) <= band(simulations), f"{name}: {found:.4f} ± {band(simulations) / 3:.4f}"


@pytest.mark.parametrize(("name", "topic_effect"), [("kruskal", False), ("friedman", True), ("nemenyi", True)])
def test_families_on_ranks(name, topic_effect):
    # The normal approximation of mean ranks holds for many topics.
    simulations = 3000
    found = some_difference(name, simulations, 5, 200, seed=6, topic_effect=topic_effect)
    assert abs(found - ALPHA) <= band(simulations), f"{name}: {found:.4f} ± {band(simulations) / 3:.4f}"


@pytest.mark.parametrize("correction", ["bonferroni", "holm", "hochberg"])
def test_family_wise_error_of_independent_tests(correction):
    # m independent tests without effect: Bonferroni and Holm have the rate 1 − (1 − α/m)^m, Hochberg lies between that and α.
    simulations, m = 20_000, 10
    p = np.random.default_rng(7).uniform(0, 1, (simulations, m))
    found = np.mean([adjust(row, correction).min() < ALPHA for row in p])
    expected = 1 - (1 - ALPHA / m) ** m
    assert expected - band(simulations, expected) <= found <= ALPHA + band(simulations)


@pytest.mark.parametrize("correction", ["bh", "by"])
def test_false_discovery_rate(correction):
    # 15 of 20 without effect: Benjamini and Hochberg keep α·15/20 exactly for independent tests, Benjamini and Yekutieli less.
    simulations, m, true = 8000, 20, 15
    rng = np.random.default_rng(8)
    p = rng.uniform(0, 1, (simulations, m))
    p[:, true:] **= 6
    shares = []
    for row in p:
        rejected = adjust(row, correction) <= ALPHA
        shares.append(rejected[:true].sum() / max(rejected.sum(), 1))
    expected = ALPHA * true / m / (1 if correction == "bh" else sum(1 / k for k in range(1, m + 1)))
    assert np.mean(shares) == pytest.approx(expected, abs=3 * np.std(shares) / math.sqrt(simulations))


def test_max_t_with_true_differences():
    # One system is better: no error must be made about the five equal ones.
    simulations = 1500
    rng = np.random.default_rng(9)
    wrong = 0
    for _ in range(simulations):
        values = rng.normal(0, 1, (6, 30)) + rng.normal(0, 2, 30)
        values[5] += 2
        p = max_t(values, samples=299, threads=1)
        equal = [at for at, (i, j) in enumerate(zip(*np.triu_indices(6, 1), strict=True)) if j < 5]
        wrong += bool(p[equal].min() < ALPHA)
    assert abs(wrong / simulations - ALPHA) <= band(simulations)


def test_dunnett_has_more_power_than_bonferroni():
    rng = np.random.default_rng(10)
    one, other = 0, 0
    for _ in range(300):
        values = rng.normal(0, 1, (8, 30))
        values[1:] += 0.6
        one += int((dunnett(values, baseline=0).family_p < ALPHA).sum())
        other += int((adjust(paired_t(values, baseline=0).p, "bonferroni") < ALPHA).sum())
    assert one > other
