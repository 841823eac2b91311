"""P3's advice against the paper's own numbers, SciPy, and brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from mensura import AP, MFR, RR, JudgedRuns, P, Success, compare
from mensura.evaluation.evaluation import score
from mensura.stats import advise, effects, in_words, ratio_of_geometric_means, which_mean
from mensura.stats.advice import Advice
from tests.cli.running import mensura

TOPICS = 30


def evaluation(measures, systems=4, seed=27):
    rng = np.random.default_rng(seed)
    chance = np.linspace(0.3, 0.7, systems)[:, None, None] * rng.uniform(0.5, 1.2, (1, TOPICS, 1))
    grades = (rng.uniform(size=(systems, TOPICS, 10)) < chance).astype(np.int8)
    return score(JudgedRuns.from_grades(grades, [[30, 12]] * TOPICS), measures)


def test_rounding_noise_of_constant_differences_has_no_rank():
    """X + 0.1 − x is 0.1 up to the last bits, which used to correlate with the level by ρ = .56."""
    rng = np.random.default_rng(0)
    base = rng.uniform(0.1, 0.8, 40)
    constant = which_mean([base, base + 0.1, base + 0.05])
    assert (constant.correlation, constant.advice) == (0.0, "arithmetic")
    proportional = which_mean([base, base * 1.1, base * 1.3])
    assert (proportional.correlation, proportional.proportional, proportional.advice) == (pytest.approx(1), 0.0, "geometric")


@pytest.mark.parametrize("systems", [2, 3, 7])
def test_the_spread_is_the_mean_absolute_difference_of_all_pairs(systems):
    values = np.random.default_rng(systems).uniform(size=(systems, 25))
    pairs = [np.abs(values[i] - values[j]) for i in range(systems) for j in range(i)]
    spread, level = np.mean(pairs, axis=0), values.mean(axis=0)
    fit = which_mean(values)
    assert fit.correlation == pytest.approx(stats.spearmanr(level, spread).statistic)
    assert fit.proportional == pytest.approx(stats.spearmanr(level, spread / level).statistic)


@pytest.mark.parametrize(
    ("measure", "difference", "words"),
    [
        (P() @ 10, 0.02, "one more relevant document in the top 10 per five topics"),  # P3 §2.8
        (P() @ 10, -0.02, "one fewer relevant document in the top 10 per five topics"),
        (P() @ 10, 0.1, "one more relevant document in the top 10 of each topic"),
        (P() @ 30, 0.031, "about one more relevant document in the top 30 of each topic"),
        (P() @ 5, 0.5, "2.5 more relevant documents in the top 5 of each topic"),
        (P() @ 20, 0.003, "one more relevant document in the top 20 per about 17 topics"),
        (P(rel=2) @ 10, 0.05, "one more relevant document in the top 10 per two topics"),
        (Success() @ 5, 0.25, "one more topic with a relevant document in the top 5 per four topics"),
        (MFR() @ 10, -1.5, "the first relevant document 1.5 ranks earlier"),
        (RR() @ 10, 0.02, ""),
        (AP(), 0.02, ""),
        (P(), 0.02, ""),
        (P() @ 10, 0.0, ""),
    ],
)
def test_differences_of_counts_in_words(measure, difference, words):
    assert in_words(measure, difference) == words


def test_the_ratio_of_geometric_means_by_scipy():
    rng = np.random.default_rng(2)
    new, old = rng.uniform(0.1, 1, 20), rng.uniform(0.1, 1, 20)
    ratio, low, high = ratio_of_geometric_means(new, old)
    assert ratio == pytest.approx(stats.gmean(new) / stats.gmean(old))  # μ_G(X/Y) = μ_G(X)/μ_G(Y), P3 §2.4
    interval = stats.ttest_rel(np.log(new), np.log(old)).confidence_interval(0.95)
    assert (low, high) == pytest.approx((math.exp(interval.low), math.exp(interval.high)))
    assert math.isnan(ratio_of_geometric_means([0.0, 1.0], [0.5, 0.5])[0])
    assert math.isnan(ratio_of_geometric_means([0.5], [0.25])[1])


def test_advice_without_a_baseline_is_about_the_best_two():
    results = evaluation(["P@10", "RR@10", "MFR@10"])
    precision, reciprocal, ranks = advise(results, compare(results, test="t"))
    means = results.scores[0].mean()
    first, second = np.argsort(-means)[:2]
    (pair,) = precision.pairs
    assert (pair.first, pair.second) == (str(first + 1), str(second + 1))
    assert pair.words == in_words(P() @ 10, float(means[first] - means[second]))
    assert math.isnan(pair.glass)
    assert (precision.scale, reciprocal.scale, ranks.scale) == ("ratio", "ordinal", "ratio")
    assert reciprocal.mean == "median"  # no other mean is meaningful on an ordinal scale
    assert math.isnan(reciprocal.pairs[0].ratio)
    assert ranks.pairs[0].ratio < 1  # ranks are never 0
    assert reciprocal.systems == ranks.systems == ()


def test_intervals_over_documents_and_over_topics():
    results = evaluation(["P@10"])
    (advice,) = advise(results, compare(results, test="t"))
    (system,) = advice.systems
    row = int(system.system) - 1
    values = results.scores[0].values[row]
    wilson = stats.binomtest(round(values.sum() * 10), 10 * TOPICS).proportion_ci(method="wilson")
    assert system.wilson == pytest.approx((wilson.low, wilson.high))
    student = stats.t.interval(0.95, TOPICS - 1, values.mean(), stats.sem(values))
    assert system.topics == pytest.approx(student)
    assert system.topics[1] - system.topics[0] > system.wilson[1] - system.wilson[0]  # P3 §2.3: "even wider"


def test_with_a_baseline_glass_is_by_its_deviation():
    results = evaluation(["P@10"])
    (advice,) = advise(results, compare(results, test="t", baseline="2"))
    values = results.scores[0].values
    assert [pair.second for pair in advice.pairs] == ["2"] * 3
    for pair in advice.pairs:
        row = values[int(pair.first) - 1]
        assert pair.glass == pytest.approx((row.mean() - values[1].mean()) / values[1].std(ddof=1))
    assert [pair.glass for pair in advice.pairs] == pytest.approx(effects(values, baseline=1).glass.tolist())
    assert {system.system for system in advice.systems} >= {"2"}


def test_advice_is_saved_and_read_back():
    results = evaluation(["P@10"])
    for advice in advise(results, compare(results, test="t", baseline="2")):
        assert Advice.from_json(advice.to_json()).pairs[0].words == advice.pairs[0].words


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    mensura("simulate", "-o", folder, "--systems", "4", "--topics", "20", "--documents", "60", "--seed", "2")
    return folder / "qrels.txt", str(folder / "runs" / "*.txt")


def test_compare_and_the_report_print_it(campaign, tmp_path):
    text = " ".join(mensura("compare", *campaign, "-m", "P@10", "--test", "t", "--baseline", "sys1").stdout.split())
    for said in ("Reading P@10", "Mean that fits", "Wilson's interval", "relevant document", "Glass's Δ"):
        assert said in text
    page = tmp_path / "report.html"
    mensura("report", *campaign, "-m", "P@10", "-o", page)
    text = page.read_text(encoding="utf-8")
    assert "Mean that fits" in text
    assert "Wilson" in text
