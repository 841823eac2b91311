"""Decisions and intervals agree: an interval excludes 0 if and only if its pair is significant, however many draws there are."""

from __future__ import annotations

import numpy as np
import pytest

from mensura.render.comparisons import as_table
from mensura.stats import (
    bca_interval,
    bootstrap_t,
    bootstrap_test,
    compare,
    difference_intervals,
    max_t,
    paired_t,
    randomised_tukey,
)

from .data import random_values
from .test_compare import campaign

ALPHA = 0.05


def excluded(low, high):
    return (low > 0) | (high < 0)


def test_bootstrap_intervals_are_from_the_draws_that_decide():
    # Holm rejects at α/435 what Bonferroni does, and a little more, where intervals end at 0.
    values = random_values(3, systems=30, topics=25) + np.linspace(0, 0.3, 30)[:, None]
    (made,) = compare(values, test="bootstrap")
    assert made.outcome.draws == 34_800  # 4 · 435 / .05
    apart = excluded(made.pair_low, made.pair_high)
    assert apart.tolist() == (made.outcome.p * 435 < ALPHA).tolist()
    assert 0 < apart.sum() < made.significant.sum()
    assert not (apart & ~made.significant).any()
    at_zero = np.where(made.outcome.estimate > 0, made.pair_low, made.pair_high)
    assert (at_zero[made.significant & ~apart] == 0).all()


@pytest.mark.parametrize("samples", [19, 99, 199, 1000])
def test_a_single_interval_excludes_what_the_test_rejects(samples):
    values = random_values(5, systems=12, topics=20)
    for level in (0.8, 0.95, 0.99):
        made = difference_intervals(values, method="bootstrap-t", level=level, samples=samples, seed=4)
        p = bootstrap_test(values, samples=samples, seed=4).p
        assert excluded(made.low, made.high).tolist() == (p < 1 - level - 1e-12).tolist()


def test_pairs_in_parts_have_the_same_intervals(monkeypatch):
    values = random_values(5, systems=12, topics=20)
    whole = difference_intervals(values, method="bootstrap-t", samples=3000, threads=3)
    monkeypatch.setattr("mensura.stats.draws.KEPT", 1000)  # six pairs at a time
    assert difference_intervals(values, method="bootstrap-t", samples=3000, threads=1).low.tolist() == whole.low.tolist()


@pytest.mark.parametrize("samples", [19, 99, 199, 1000])
@pytest.mark.parametrize(("method", "test"), [("bootstrap-t", bootstrap_t), ("randomised", randomised_tukey)])
def test_simultaneous_intervals_exclude_what_the_test_rejects_in_one_step(method, test, samples):
    values = random_values(5, systems=2, topics=20)
    values[0] += 0.1
    for level in (0.8, 0.95, 0.99):
        made = difference_intervals(values, method=method, simultaneous=True, level=level, samples=samples, seed=4)
        p = test(values, samples=samples, seed=4).family_p
        assert excluded(made.low, made.high).tolist() == (p < 1 - level - 1e-12).tolist()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"test": "bootstrap"},
        {"test": "bootstrap-t", "correction": "holm"},
        {"test": "bootstrap", "correction": "bh"},
        {"test": "bootstrap", "correction": "none"},
        {"test": "t", "correction": "maxT"},
        {"test": "randomisation", "correction": "maxT"},
        {"test": "randomised-tukey"},
        {"test": "t", "correction": "by"},
        {"test": "anova-topics"},
    ],
    ids=str,
)
@pytest.mark.parametrize("samples", [3, 10, 19, 20, 200, 600])
def test_no_interval_excludes_0_where_nothing_is_significant(options, samples):
    (made,) = compare(campaign(["P@10"], systems=8), samples=samples, **options)
    apart = excluded(made.pair_low, made.pair_high)
    assert not np.isnan(made.pair_low).any()
    assert not (apart & ~made.significant).any()
    at_zero = np.where(made.outcome.direction > 0, made.pair_low, made.pair_high)
    assert (at_zero[made.significant & ~apart] == 0).all()  # a correction in steps rejects more


@pytest.mark.parametrize(
    ("options", "needed"), [({}, 80), ({"test": "bootstrap"}, 2240), ({"test": "t", "interval": "bootstrap-t"}, 2240)], ids=str
)
def test_too_few_draws_have_no_intervals(options, needed):
    evaluation = campaign(["P@10"], systems=8)
    (made,) = compare(evaluation, samples=10, **options)
    assert np.isneginf(made.pair_low).all()
    assert np.isposinf(made.pair_high).all()
    said = "simultaneous 95 % intervals are unbounded: 10 draws cannot tell how far from 0 chance carries a difference"
    assert f"{said}; use --samples {needed}" in made.remarks
    (enough,) = compare(evaluation, samples=needed, **options)
    assert np.isfinite(enough.pair_low).all()
    assert not [remark for remark in enough.remarks if "unbounded" in remark]


def test_unbounded_intervals_are_shown():
    comparisons = compare(campaign(["GM(AP)"], systems=3), samples=10)
    (made,) = comparisons
    assert made.pair_decimals == made.decimals
    assert "−∞ … +∞" in as_table(comparisons, 3)
    rows = made.charts()["differences"]()["data"]["values"]
    assert not [row for row in rows if "low" in row or "high" in row]


def test_a_small_alpha_takes_as_many_draws_as_it_needs():
    (made,) = compare(random_values(2, systems=3, topics=10), alpha=1e-4)
    assert made.outcome.draws == 40_000


def test_bca_intervals_need_draws_beyond_their_ends():
    low, high = bca_interval(random_values(1, systems=2, topics=9), samples=39)  # 1/40 is not below .025
    assert (low.tolist(), high.tolist()) == ([-np.inf] * 2, [np.inf] * 2)
    assert np.isfinite(bca_interval(random_values(1, systems=2, topics=9), samples=41)).all()


@pytest.mark.parametrize(("topics", "single"), [(2, 1 / 2), (3, 1 / 9), (4, 1 / 64)])
def test_a_draw_of_one_topic_says_nothing_about_variation(topics, single):
    # T of T^T resamples take one topic only; without them the smallest p of a constant difference would be 0.
    values = np.vstack([np.arange(topics) + 1.0, np.arange(topics), np.arange(topics)[::-1]])
    for outcome in (bootstrap_t(values, seed=2), bootstrap_test(values, seed=2)):
        assert outcome.p[0] == pytest.approx(single, abs=0.02)
        assert min(outcome.p) >= single - 0.02
        assert outcome.family_p is None or (outcome.family_p >= outcome.p).all()
        assert outcome.remarks == ("1 of 3 differences is the same on all topics, where t is infinite; use the sign test instead",)


@pytest.mark.parametrize("topics", [2, 3])
@pytest.mark.parametrize("test", ["bootstrap-t", "bootstrap"])
def test_two_and_three_topics_cannot_be_significant(topics, test):
    # Without the floor the studentised bootstrap rejected in .04 of normal and .08 of binary samples of 3 systems on 2 topics.
    for seed in range(40):
        values = np.random.default_rng(seed).integers(0, 2, (3, topics)).astype(float)
        (made,) = compare(values, test=test, samples=400, seed=seed)
        assert not made.significant.any()
        assert np.isneginf(made.pair_low).all()
    floor = {"bootstrap-t": {2: "0.5", 3: "0.11"}, "bootstrap": {2: "1", 3: "0.33"}}[test][topics]
    assert any(f"on {topics} topics can be below {floor}, so that nothing is significant" in remark for remark in made.remarks)
    assert any(f"unbounded: {topics} topics cannot tell" in remark for remark in made.remarks)


def test_constant_differences_under_all_signs():
    # 2 of 16 signs are all alike: their t is infinite, too often for an interval of 95 %.
    topics = np.array([1.0, 2.0, 3.0, 4.0])
    (made,) = compare(np.vstack([topics, topics + 1, topics]), test="t", correction="maxT")
    assert made.corrected_p.tolist()[1:] == [1.0, made.corrected_p[0]]
    assert made.corrected_p[0] == pytest.approx(1 / 8, abs=0.015)
    assert (made.pair_low.tolist(), made.pair_high.tolist()) == ([-np.inf] * 3, [np.inf] * 3)
    assert any("on 4 topics can be below 0.12" in remark for remark in made.remarks)


@pytest.mark.parametrize("test", ["t", "randomisation"])
def test_a_corrected_p_is_not_below_its_own(test):
    seen = 0
    for seed in range(12):
        values = random_values(seed, systems=4, topics=7)
        (made,) = compare(values, test=test, correction="maxT", samples=300, seed=seed)
        assert (made.corrected_p >= made.outcome.p).all()
        if test == "t":  # whose p are in the order of the steps
            order = np.argsort(-np.abs(made.outcome.statistic))
            assert (np.diff(made.corrected_p[order]) >= 0).all()
            stepped = max_t(values, samples=300, seed=seed)
            seen += int((stepped < paired_t(values).p).sum())
            assert made.corrected_p == pytest.approx(np.maximum(stepped, made.corrected_p))
    assert seen or test != "t"
