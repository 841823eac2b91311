"""Means, digits, correlation and cross-validation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from mensura import AP, RR, JudgedRuns, P
from mensura.errors import StatisticsError
from mensura.stats import (
    correlate,
    cross_validate,
    decimals,
    decimals_for_change,
    decimals_for_interval,
    kendall,
    mean,
    pearson,
    relative_improvement,
    spearman,
    tau_ap,
    which_mean,
)
from mensura.stats.digits import half_widths
from tests.rankings.ircor import SETS

from .data import random_values


class TestMeans:
    def test_the_example_of_the_paper(self):
        # P3 §2.4: the arithmetic mean rises, the average relative change is −1 %.
        a, b = [0.2, 0.5], [0.18, 0.54]
        assert mean([a, b]).tolist() == pytest.approx([0.35, 0.36])
        assert relative_improvement(b, a, force=True) == pytest.approx(np.sqrt(0.9 * 1.08) - 1)

    def test_geometric_means_need_a_ratio_scale(self):
        values = [[0.2, 0.4], [0.1, 0.5]]
        assert mean(values, "geometric", measure=P() @ 10) == pytest.approx(stats.gmean(values, axis=1))
        with pytest.raises(StatisticsError, match="RR@10 is on an ordinal scale"):
            mean(values, "geometric", measure=RR() @ 10)
        with pytest.raises(StatisticsError, match="name the measure"):
            mean(values, "geometric")
        assert mean([[0.0, 0.4]], "geometric", force=True).tolist() == [0.0]
        assert mean([[0.0, 0.4]], "geometric", force=True, floor=0.1) == pytest.approx([0.2])
        with pytest.raises(StatisticsError, match="at least 0"):
            mean([[-1.0, 0.4]], "geometric", force=True)

    def test_median_and_unknown(self):
        assert mean([[0.1, 0.9, 0.3]], "median").tolist() == [0.3]
        with pytest.raises(StatisticsError, match="unknown mean"):
            mean([[0.1]], "harmonic")

    def test_relative_improvement_refuses(self):
        with pytest.raises(StatisticsError, match="ordinal"):
            relative_improvement([0.3], [0.2], measure=AP())
        with pytest.raises(StatisticsError, match="above 0"):
            relative_improvement([0.3, 0.0], [0.2, 0.1], measure=P() @ 5)
        with pytest.raises(StatisticsError, match="same topics"):
            relative_improvement([0.3, 0.1], [0.2], force=True)

    def test_which_mean_fits(self):
        rng = np.random.default_rng(1)
        level = rng.uniform(0.05, 0.9, 200)
        proportional = level * np.exp(rng.normal(0, 0.2, (4, 200)))
        absolute = level + rng.normal(0, 0.05, (4, 200))
        assert which_mean(proportional).advice == "geometric"
        assert which_mean(absolute).advice == "arithmetic"
        assert which_mean(proportional).correlation > 0.5 > abs(which_mean(absolute).correlation)
        with pytest.raises(StatisticsError):
            which_mean([[0.1, 0.2]])


class TestDigits:
    def test_one_document_more_or_less(self):
        # P3 §2.3: 50 topics × 10 documents: one document changes the mean of P@10 by 1/500, the third decimal.
        assert decimals_for_change(1 / 500) == 3
        assert decimals_for_change(0.01) == 2
        assert decimals_for_change(0.011) == 2
        assert decimals_for_change(0.0099) == 3

    def test_the_interval_is_a_cap(self):
        assert [decimals_for_interval(half) for half in (0.5, 0.2, 0.04, 0.012, 0.0, 12.0, 250.0)] == [1, 2, 2, 3, 6, 0, 0]

    def test_of_a_measure(self):
        grades = np.zeros((2, 50, 10), dtype=np.int8)
        grades[:, :, 0] = 1
        judged = JudgedRuns.from_grades(grades, np.tile([100, 20], (50, 1)))
        assert decimals(P() @ 10, judged) == 3
        assert decimals(RR() @ 10, judged) == 2  # the first document decides: 1/50 of a mean
        assert decimals(P() @ 10, judged, half_width=0.08) == 2
        with pytest.raises(StatisticsError):
            decimals_for_change(0.0)

    @pytest.mark.parametrize("topics", [5, 12, 50, 400])
    def test_half_widths_are_students(self, topics):
        # SciPy has the quantile; the expansion is good to 1 % from five topics on
        values = random_values(3, systems=4, topics=topics)
        counted = np.ones(values.shape, dtype=bool)
        expected = stats.t.ppf(0.975, topics - 1) * values.std(axis=1, ddof=1) / np.sqrt(topics)
        assert half_widths(values, counted) == pytest.approx(expected, rel=0.01 if topics < 12 else 2e-4)

    def test_topics_that_do_not_count_are_left_out(self):
        values = random_values(4, systems=2, topics=9)
        counted = np.ones(values.shape, dtype=bool)
        counted[0, 3:] = False
        counted[1, 1:] = False
        half = half_widths(values, counted)
        assert half[0] == pytest.approx(half_widths(values[:1, :3], counted[:1, :3])[0])
        assert np.isnan(half[1])


class TestCorrelation:
    @pytest.mark.parametrize("case", SETS)
    def test_ircor_agrees(self, case):
        x, y, x_ties, y_ties = case["x"], case["y"], case["x_ties"], case["y_ties"]
        found = (kendall(x, y, variant="a"), kendall(x, y_ties, variant="a"), kendall(x_ties, y_ties))
        assert found == pytest.approx(case["tau"], abs=5e-5)
        weighted = (tau_ap(x, y), tau_ap(x, y_ties), tau_ap(x, y, variant="b"), tau_ap(x_ties, y_ties, variant="b"))
        assert weighted == pytest.approx(case["tau_ap"], abs=5e-5)
        assert tau_ap(y_ties, x_ties, variant="b") == pytest.approx(weighted[3])

    def test_tau_ap_with_ties_is_the_mean_over_all_ways_to_break_them(self):
        truth, estimate = [0.9, 0.7, 0.5, 0.4, 0.1], [0.8, 0.3, 0.8, 0.3, 0.3]
        broken = [
            tau_ap(truth, [top[0], rest[0], top[1], rest[1], rest[2]])
            for top in itertools.permutations((0.81, 0.82))
            for rest in itertools.permutations((0.31, 0.32, 0.33))
        ]
        assert tau_ap(truth, estimate) == pytest.approx(np.mean(broken))

    @pytest.mark.parametrize("steps", [None, 5])
    def test_scipy_agrees(self, steps):
        x, y = random_values(1, systems=2, topics=60, steps=steps)
        assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
        assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)
        assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic)

    def test_r_agrees(self):
        # R 4.2.2: cor(c(1,2,2,4,5), c(2,1,3,3,5), method = "kendall"): 0.666666666666667; "spearman": 0.763157894736842
        assert kendall([1, 2, 2, 4, 5], [2, 1, 3, 3, 5]) == pytest.approx(0.666666666666667)
        assert spearman([1, 2, 2, 4, 5], [2, 1, 3, 3, 5]) == pytest.approx(0.763157894736842)

    def test_overall_and_by_topic(self):
        x = random_values(2, systems=8, topics=5)
        made = correlate(x, x**3)  # increasing: every topic agrees
        assert made.by_topic.tolist() == [1.0] * 5
        assert made.overall <= 1.0
        for name in ("kendall_a", "tau_ap", "tau_ap_b", "spearman", "pearson"):
            assert correlate(x, x, name).overall == pytest.approx(1.0)
        assert "overall 1.0000" in repr(correlate(x, x))

    def test_constant_vectors_have_no_correlation(self):
        for coefficient in (kendall, spearman, pearson):
            assert np.isnan(coefficient([1, 1, 1], [1, 2, 3]))
        assert np.isnan(tau_ap([1, 2, 3], [1, 1, 1], variant="b"))
        assert kendall([1, 1, 1], [1, 2, 3], variant="a") == 0.0

    @pytest.mark.parametrize(("x", "y"), [([1, 2], [1, 2, 3]), ([1], [1]), ([1, np.nan], [1, 2])])
    def test_errors(self, x, y):
        with pytest.raises(StatisticsError):
            kendall(x, y)
        with pytest.raises(StatisticsError):
            correlate(np.ones((2, 3)), np.ones((3, 2)))
        with pytest.raises(StatisticsError, match="unknown coefficient"):
            correlate(np.ones((2, 3)), np.ones((2, 3)), "phi")


class TestValidation:
    def test_variants_that_do_not_differ_flatter(self):
        # 30 variants of pure noise: the best on all topics looks better than it is.
        values = np.random.default_rng(1).normal(0, 1, (30, 50))
        made = cross_validate(values, folds=5, repeats=20, seed=2)
        assert made.apparent == values.mean(axis=1).max()
        assert abs(made.score) < 3 / np.sqrt(50)
        assert made.optimism > 0.1
        assert made.holdout[0] < made.score < made.holdout[1]
        assert made.split_deviation > 0
        assert made.by_fold.shape == made.chosen.shape == (20, 5)
        assert sum(made.shares().values()) == pytest.approx(1.0)

    def test_a_clear_winner_is_chosen(self):
        values = random_values(3, systems=4, topics=20)
        values[2] += 1
        made = cross_validate(values, repeats=3)
        assert made.shares() == {2: 1.0}
        assert made.score == pytest.approx(values[2].mean())
        assert cross_validate(-values, repeats=3, higher_is_better=False).shares() == {2: 1.0}

    def test_every_topic_is_tested_once_by_what_it_did_not_choose(self):
        seen = []

        def train(topics):
            seen.append(set(topics.tolist()))
            values = np.zeros((2, 12))
            values[0, topics] = 1.0  # knows its training topics by heart
            values[1] = 0.5
            return values

        made = cross_validate(train, topics=12, folds=4, repeats=1)
        # Tuning folds are disjoint from training, so the variant that only remembers is not chosen.
        assert made.shares() == {1: 1.0}
        assert made.score == 0.5
        assert made.apparent == 1.0
        assert {len(topics) for topics in seen} == {12, 9, 6}

    def test_the_same_seed_gives_the_same_folds(self):
        values = random_values(4)
        assert cross_validate(values, seed=1).by_fold.tolist() == cross_validate(values, seed=1).by_fold.tolist()
        assert cross_validate(values, seed=1).by_fold.tolist() != cross_validate(values, seed=2).by_fold.tolist()

    @pytest.mark.parametrize(
        ("variants", "options"),
        [
            (np.ones((2, 4)), {"folds": 5}),
            (np.ones((2, 4)), {"folds": 1}),
            (np.ones((2, 4)), {"folds": 2, "repeats": 0}),
            (np.ones(4), {}),
            (np.full((2, 8), np.nan), {}),
            (lambda topics: np.ones((2, 3)), {"topics": 8}),
            (lambda topics: np.ones((2, 3)), {}),
        ],
    )
    def test_errors(self, variants, options):
        with pytest.raises(StatisticsError):
            cross_validate(variants, **options)
