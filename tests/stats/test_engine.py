"""The default test by the book, and what holds for decisions, directions and intervals of every test."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from mensura.evaluation.evaluation import Evaluation, score
from mensura.judged.runs import JudgedRuns
from mensura.measures.names import parse_measures
from mensura.stats import METHODS, bootstrap_t, compare, paired_t, run_test, sign_test, signed_rank
from mensura.stats.arrays import make_pairs, make_table
from mensura.stats.bootstrap import joint_bootstrap
from mensura.stats.draws import Draws, resampled
from tests.stats.data import random_values
from tests.stats.test_compare import campaign

# 26 wins, 4 losses, and a mean of −0.123: the sign test has p = 5.9476e-05 in favour of the first
OPPOSED = np.array([[0.01] * 26 + [-0.9875] * 4, [0.0] * 30])


def by_the_book(values, samples, seed, part):
    """The definition, draw by draw: t = √T·mean/(s + s₀), topics with replacement, the largest of a pair and all below it.

    The mean of a draw is that of deviations from the mean of the other topics; of all topics where a pair is alone.
    """
    difference = np.array([a - b for a, b in itertools.combinations(values, 2)])
    topics = difference.shape[1]
    mean, s = difference.mean(axis=1), difference.std(axis=1, ddof=1)
    s0 = part * np.median(s)
    t = math.sqrt(topics) * np.abs(mean) / (s + s0)
    centred = difference - mean[:, None]
    apart = difference - (difference.sum(axis=1, keepdims=True) - difference) / (topics - 1) if len(t) > 1 else centred
    rows = []
    for block, start in enumerate(range(0, samples, 64)):
        for counts in resampled(topics, seed, block, min(64, samples - start)):
            size = np.abs(np.repeat(apart, counts, axis=1).mean(axis=1))
            rows.append(math.sqrt(topics) * size / (np.repeat(centred, counts, axis=1).std(axis=1, ddof=1) + s0))
    drawn = np.array(rows)
    p, before = np.empty(len(t)), 0.0
    order = np.argsort(-t)
    for at, pair in enumerate(order):
        reached = (drawn[:, order[at:]].max(axis=1) >= t[pair] * (1 - 1e-10)).sum()
        p[pair] = before = max(before, (1 + reached) / (samples + 1))
    return t, p, np.sort(drawn.max(axis=1))


@pytest.mark.parametrize(("seed", "topics"), [(1, 12), (2, 70), (3, 130)])
def test_the_default_by_the_book(seed, topics):
    values = random_values(seed, systems=5, topics=topics)
    t, p, null = by_the_book(values, 150, seed, 1 / 3)
    outcome = bootstrap_t(values, samples=150, seed=seed)
    assert np.abs(outcome.statistic) == pytest.approx(t, rel=1e-12)
    assert outcome.family_p.tolist() == p.tolist()
    assert outcome.null == pytest.approx(null, rel=1e-9)
    assert outcome.p.tolist() == run_test("bootstrap", values, samples=150, seed=seed).p.tolist()


def test_an_added_system_changes_neither_the_draws_nor_the_p_of_a_pair():
    values = random_values(4, systems=7, topics=40)
    few, many = bootstrap_t(values[:4], samples=500), bootstrap_t(values, samples=500)
    among = many.pairs.square(many.p, 1.0)
    assert few.p.tolist() == among[few.pairs.first, few.pairs.second].tolist()


@pytest.mark.parametrize("topics", [12, 30])
def test_one_test_needs_no_correction(topics):
    values = random_values(9, systems=2, topics=topics)
    outcome = bootstrap_t(values, samples=2000)
    t, p, null = by_the_book(values, 2000, 0, 0)
    assert outcome.family_p.tolist() == outcome.p.tolist() == p.tolist()
    assert np.abs(outcome.statistic) == pytest.approx(t, rel=1e-12)
    assert outcome.null == pytest.approx(null, rel=1e-9)


def test_several_tables_are_one_family():
    one, two = random_values(5, systems=4, topics=30), 100 * random_values(6, systems=4, topics=30)
    tables = [make_table(one), make_table(two)]
    together = joint_bootstrap(tables, [make_pairs(4)] * 2, Draws(400))
    alone = [bootstrap_t(table, samples=400) for table in tables]
    for joint, single in zip(together, alone, strict=True):
        assert joint.statistic.tolist() == single.statistic.tolist()  # the stabiliser is each table's own
        assert joint.p.tolist() == single.p.tolist()
        assert (joint.family_p >= single.family_p - 1e-12).all()
        assert (joint.family_p <= np.minimum(1, 2 * single.family_p + 0.05)).all()  # Bonferroni would not do better
        assert joint.null.tolist() == together[0].null.tolist()


def test_a_difference_without_variation_has_a_finite_statistic():
    topics = np.linspace(0.2, 0.8, 20)
    values = np.array([topics + 0.1, topics, topics[::-1], topics**2])
    outcome = bootstrap_t(values, samples=200)
    assert np.isfinite(outcome.statistic).all()
    assert bootstrap_t(values[:2], samples=200).p[0] == 1 / 201


@pytest.mark.parametrize("name", [name for name in METHODS if name not in {"rank-sum", "kruskal", "dunnett"}])
def test_large_integers_are_as_good_as_small_ones(name):
    # Differences 0, 1 and 2 at a level of 1e30, one topic at 1e31: integers are subtracted before they become doubles.
    small = np.random.default_rng(7).integers(0, 3, (4, 20))
    small[0] += 2
    level = np.array([10**30] * 19 + [10**31], dtype=object)
    large = small.astype(object) + level
    few, many = (run_test(name, values, samples=300) for values in (small, large))
    assert many.estimate == pytest.approx(few.estimate, rel=1e-12)
    if METHODS[name].paired:
        assert many.p == pytest.approx(few.p, rel=1e-9)
        assert many.direction.tolist() == few.direction.tolist()


def test_ranks_of_a_thousand_binary_digits():
    # Ranks of RBP(p=0.5)@1000 are numbers below 2^1000: squares are beyond doubles, statistics are not.
    rng = np.random.default_rng(8)
    small = rng.integers(0, 3, (3, 15)) + np.array([[3], [0], [0]])
    large = np.array([[int(value) << 998 for value in row] for row in small], dtype=object)
    for test in (paired_t, bootstrap_t):
        assert test(large).p == pytest.approx(test(small).p, rel=1e-9)
        assert test(large).statistic == pytest.approx(test(small).statistic, rel=1e-9)


def test_direction_is_that_of_the_statistic():
    outcome = sign_test(OPPOSED)
    assert outcome.p[0] == pytest.approx(5.9476e-05, rel=1e-4)
    assert outcome.estimate[0] == pytest.approx(-0.123, abs=1e-3)
    assert outcome.direction.tolist() == [1]
    assert paired_t(OPPOSED).direction.tolist() == [-1]
    assert signed_rank(OPPOSED).direction.tolist() == [1]
    assert run_test("friedman", OPPOSED).direction.tolist() == [1]


def opposed():
    """Two systems by P@10: A wins many topics by one document and loses few by ten."""
    grades = np.zeros((2, 30, 10), dtype=np.int8)
    grades[0, :26, 0] = 1
    grades[1, 26:] = 1
    judged = JudgedRuns.from_grades(grades, np.tile([200, 30], (30, 1)))
    return score(replace(judged, systems=("A", "B")), parse_measures(["P@10"]))


def test_a_verdict_has_the_direction_of_the_test():
    (comparison,) = compare(opposed(), test="sign", baseline="B")
    assert comparison["A", "B"].estimate < 0
    assert comparison["A", "B"].direction == 1
    assert comparison["B", "A"].direction == -1
    assert comparison.better.tolist() == [1]
    assert any("opposite directions for A and B" in remark for remark in comparison.remarks)


@pytest.mark.parametrize("test", METHODS)
def test_the_order_of_systems_and_topics_changes_nothing(test):
    evaluation = campaign(["P@10", "AP"], systems=6)
    rng = np.random.default_rng(1)
    options = {"test": test, "baseline": "3" if test == "dunnett" else None, "samples": 200}
    expected = compare(evaluation, **options).to_json()
    for _ in range(3):
        judged, rows, columns = evaluation.judged, rng.permutation(6), rng.permutation(20)
        grades = judged.grades[rows][:, columns]
        shuffled = JudgedRuns.from_grades(grades, np.tile([200, 30], (20, 1)))
        names = {
            "systems": tuple(judged.systems[row] for row in rows),
            "topics": tuple(judged.topics[column] for column in columns),
        }
        assert compare(score(replace(shuffled, **names), evaluation.measures), **options).to_json() == expected


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm", "hochberg", "bh", "by"])
def test_intervals_of_the_t_test_exclude_0_where_it_rejects(correction):
    (made,) = compare(campaign(["P@10"], systems=8), test="t", correction=correction)
    excludes = (made.pair_low >= 0) & (made.outcome.estimate > 0) | (made.pair_high <= 0) & (made.outcome.estimate < 0)
    assert (excludes == made.significant).all()
    assert 0 < made.significant.sum() < 28
    assert made.interval_kind == {"none": "single", "bh": "FCR-adjusted", "by": "FCR-adjusted"}.get(correction, "simultaneous")


@pytest.mark.parametrize(
    ("test", "correction"),
    [
        ("bootstrap-t", "maxT"),
        ("t", "maxT"),
        ("randomisation", "maxT"),
        ("bootstrap", "holm"),
        ("bootstrap-t", "holm"),
        ("bootstrap-t", "none"),
        ("anova", "tukey"),
        ("anova-topics", "tukey"),
        ("anova-topics", "holm"),
        ("randomised-tukey", "auto"),
        ("dunnett", "auto"),
    ],
)
def test_interval_and_decision_come_from_one_statistic(test, correction):
    options = {"test": test, "correction": correction, "baseline": "5" if test == "dunnett" else None}
    for prior in (0, 40):
        made = compare(campaign(["P@10", "AP"], systems=7), prior_tests=prior, **options)
        for each in made:
            excludes = (each.pair_low >= 0) & (each.outcome.estimate > 0) | (each.pair_high <= 0) & (each.outcome.estimate < 0)
            strictly = (each.pair_low > 1e-12) | (each.pair_high < -1e-12)
            assert not (strictly & ~each.significant).any()
            assert not (each.significant & ~excludes).any()  # they may end at 0, where a step-down test rejects more
            assert not [remark for remark in each.remarks if remark.startswith("intervals are")]


def test_intervals_by_another_method_are_labelled():
    (made,) = compare(campaign(["P@10"], systems=8), test="sign", correction="none")
    excludes = (made.pair_low > 0) | (made.pair_high < 0)
    apart = int((excludes != made.significant).sum())
    assert apart
    assert any(f"for {apart} of 28 pairs one excludes 0" in remark for remark in made.remarks)


def test_single_bootstrap_intervals_by_the_book():
    values = random_values(9, systems=2, topics=15)
    (estimate,) = paired_t(values).estimate
    from mensura.stats import difference_intervals

    made = difference_intervals(values, method="bootstrap-t", samples=199, seed=2)
    centred = values[0] - values[1] - estimate
    drawn = [np.repeat(centred, counts) for block in range(4) for counts in resampled(15, 2, block, 64 if block < 3 else 7)]
    t = sorted(abs(sample.mean()) / (sample.std(ddof=1) / math.sqrt(15)) for sample in drawn)
    half = t[-9] * centred.std(ddof=1) / math.sqrt(15)  # p = 9 of 200, the data among them, is below .05; 10 of 200 is not
    assert made.low[0] == pytest.approx(estimate - half, rel=1e-9)
    assert made.high[0] == pytest.approx(estimate + half, rel=1e-9)


def test_what_cannot_be_reached_is_said():
    evaluation = campaign(["P@10"], systems=8, topics=90)
    for options in ({"samples": 100, "test": "randomisation"}, {"samples": 100, "prior_tests": 4000}):
        (made,) = compare(evaluation, **options)
        assert made.significant.sum() == 0
        assert any("nothing is significant" in remark and "--samples" in remark for remark in made.remarks)
    (made,) = compare(evaluation, prior_tests=4000)  # as many draws as it takes
    assert made.outcome.draws > 4000 / 28 / 0.05
    assert made.significant.sum() > 0
    (made,) = compare(campaign(["P@10"], systems=8, topics=6), test="sign")
    assert any("6 topics can be below 0.88" in remark for remark in made.remarks)  # 28 · 2^−5


def test_the_error_of_a_p_value_is_known():
    outcome = bootstrap_t(random_values(3), samples=400)
    assert outcome.p_error == pytest.approx(np.sqrt(outcome.p * (1 - outcome.p) / 400))
    assert paired_t(random_values(3)).p_error.tolist() == [0.0] * 15


def test_several_baselines_are_corrected_together():
    (made,) = compare(campaign(["P@10"]), baseline=["2", "4"])
    assert [(pair.first, pair.second) for pair in made.pairs()] == [(a, "2") for a in "1345"] + [(a, "4") for a in "135"]
    assert made.family.size == 7
    (one,) = compare(campaign(["P@10"]), baseline="2")
    assert (made.corrected_p[:4] >= one.corrected_p).all()


def test_hsd_with_a_baseline_corrects_for_all_pairs_and_says_so():
    (made,) = compare(campaign(["P@10"]), test="anova-topics", baseline="2")
    (every,) = compare(campaign(["P@10"]), test="anova-topics")
    for other in "1345":
        assert made[other, "2"].corrected_p == pytest.approx(every[other, "2"].corrected_p)
        assert made[other, "2"].interval == pytest.approx(every[other, "2"].interval)
    assert "10 tests (10 pairs × 1 measure)" in str(made.family)
    assert any("for all 10 pairs, of which 4 are shown" in remark for remark in made.remarks)


def test_both_scales_are_one_family():
    made = compare(campaign(["RR@10", "AP@10"]), scale="both", test="t")
    assert [(str(each.measure), each.scale) for each in made] == [
        ("RR@10", "original"),
        ("AP@10", "original"),
        ("RR@10", "interval"),
        ("AP@10", "interval"),
    ]
    assert {str(each.family) for each in made} == {"Holm, 40 tests (10 pairs × 2 measures × 2 scales)"}


@pytest.mark.parametrize(
    ("correction", "test"), [("holm", "t"), ("tukey", "anova-topics"), ("maxT", "bootstrap-t"), ("none", "bootstrap-t")]
)
def test_a_named_correction_chooses_its_test(correction, test):
    (made,) = compare(campaign(["P@10"]), correction=correction)
    assert made.method.name == test


def test_equal_means_share_a_place():
    grades = np.zeros((3, 4, 10), dtype=np.int8)
    grades[0, 0, :3] = grades[1, 1, :3] = grades[2, 0, 0] = 1
    (made,) = compare(score(JudgedRuns.from_grades(grades, np.tile([200, 30], (4, 1))), parse_measures(["P@10"])), test="sign")
    assert made.places.tolist() == [1, 1, 3]


def test_signed_ranks_are_counted_out():
    # All signs of n = 18 different sizes, by brute force over subsets of the ranks.
    values = np.array([[0.05 * at * at for at in range(1, 19)], [0.0] * 18])
    values[:, [1, 4, 9, 11]] = values[::-1, [1, 4, 9, 11]]
    plus = sum(rank for rank in range(1, 19) if rank not in {2, 5, 10, 12})
    counts = {0: 1}
    for rank in range(1, 19):
        for total, number in list(counts.items())[::-1]:
            counts[total + rank] = counts.get(total + rank, 0) + number
    tail = sum(number for total, number in counts.items() if total >= plus)
    assert signed_rank(values).p[0] == pytest.approx(float(Fraction(2 * tail, 2**18)), rel=1e-12)


def test_a_tie_by_exact_codes_is_a_tie():
    evaluation = campaign(["bpref"], systems=6)
    noisy = tuple(
        replace(each, values=each.values * (1 + 3 * 2.0**-52 * (np.arange(6)[:, None] % 2))) for each in evaluation.scores
    )
    (exact,), (made,) = compare(evaluation, test="sign"), compare(Evaluation(evaluation.judged, noisy), test="sign")
    assert made.outcome.p.tolist() == exact.outcome.p.tolist()
    assert made.effects.ties.tolist() == exact.effects.ties.tolist()
