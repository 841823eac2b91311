"""Tests of pairs, against SciPy, R and brute force."""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from mensura.stats import paired_t, rank_sum, sign_test, signed_rank

from .data import PRECISION, random_values

# R 4.2.2 on PRECISION, for i < j: t.test(x[i,], x[j,], paired = TRUE): statistic, p.value;
# wilcox.test(10*x[i,], 10*x[j,], paired = TRUE, exact = FALSE, correct = FALSE): statistic, p.value; correct = TRUE: p.value;
# wilcox.test(x[i,], x[j,], exact = FALSE, correct = TRUE): statistic, p.value; binom.test(wins, wins + losses): p.value.
R_PAIRS = [
    (3.87298334620742, 0.00377155755870598, 28, 0.0151861985570646, 0.0192220257368673, 63.5, 0.320417736302258, 0.015625),
    (-3.27964899966073, 0.00953461304130104, 5, 0.0196306572572907, 0.0234105961611167, 40, 0.466924943809925, 0.0390625),
    (7.00460677904422, 6.29266414733686e-05, 55, 0.00478085100118384, 0.00560319359993426, 82, 0.0163040929404862, 0.001953125),
    (-5.07468967007094, 0.000667616753201262, 0, 0.00690584126406999, 0.0082583435465469, 26, 0.0719263268160195, 0.00390625),
    (7.23627226986633, 4.88799624277906e-05, 55, 0.0042455851556913, 0.0049954609006305, 72.5, 0.0929212020286173, 0.001953125),
    (7.35861204784695, 4.28779838190138e-05, 55, 0.00480856307856136, 0.00563459479386886, 89.5, 0.0029508456830892, 0.001953125),
]


def test_r_agrees_about_student():
    outcome = paired_t(PRECISION)
    assert outcome.statistic == pytest.approx([row[0] for row in R_PAIRS], rel=1e-10)
    assert outcome.p == pytest.approx([row[1] for row in R_PAIRS], rel=1e-10)


def test_r_agrees_about_signed_ranks_with_ties():
    plain, moved = signed_rank(PRECISION, exact=0), signed_rank(PRECISION, exact=0, continuity=True)
    assert plain.statistic.tolist() == [row[2] for row in R_PAIRS]
    assert plain.p == pytest.approx([row[3] for row in R_PAIRS], rel=1e-10)
    assert moved.p == pytest.approx([row[4] for row in R_PAIRS], rel=1e-10)


def test_r_agrees_about_rank_sums_with_ties():
    outcome = rank_sum(PRECISION, exact=0)
    assert outcome.statistic.tolist() == [row[5] for row in R_PAIRS]
    assert outcome.p == pytest.approx([row[6] for row in R_PAIRS], rel=1e-10)


def test_r_agrees_about_signs():
    assert sign_test(PRECISION).p == pytest.approx([row[7] for row in R_PAIRS], rel=1e-12)


def test_r_agrees_about_exact_signed_ranks():
    # R's example of wilcox.test (Hollander and Wolfe 1973, p. 29): V = 40, p-value = 0.0390625.
    first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    outcome = signed_rank([first, second])
    assert outcome.statistic.tolist() == [40]
    assert outcome.p.tolist() == [0.0390625]


def test_r_agrees_about_exact_rank_sums():
    # R 4.2.2: wilcox.test(x, y, exact = TRUE): W = 51, p-value = 0.386507610037022
    first = [0.61, 0.27, 0.93, 0.44, 0.75, 0.12, 0.88, 0.39, 0.52]
    second = [0.35, 0.18, 0.79, 0.41, 0.66, 0.23, 0.47, 0.14, 0.59]
    outcome = rank_sum([first, second])
    assert outcome.statistic.tolist() == [51]
    assert outcome.p == pytest.approx([0.386507610037022], rel=1e-12)


@pytest.mark.parametrize("steps", [None, 10, 4])
@pytest.mark.parametrize("seed", range(3))
class TestSciPyAgrees:
    def pairs(self, seed, steps):
        values = random_values(seed, steps=steps)
        if steps:
            values = np.round(values * steps)  # whole numbers: differences that are equal are equal doubles
        return values, list(itertools.combinations(values, 2))

    def test_sign(self, seed, steps):
        values, pairs = self.pairs(seed, steps)
        expected = [stats.binomtest(int((a > b).sum()), int((a != b).sum())).pvalue for a, b in pairs]
        assert sign_test(values).p == pytest.approx(expected, rel=1e-12)

    def test_student(self, seed, steps):
        values, pairs = self.pairs(seed, steps)
        assert paired_t(values).p == pytest.approx([stats.ttest_rel(a, b).pvalue for a, b in pairs], rel=1e-9)

    def test_signed_rank(self, seed, steps):
        values, pairs = self.pairs(seed, steps)
        expected = [stats.wilcoxon(a, b, method="asymptotic").pvalue for a, b in pairs]
        assert signed_rank(values, exact=0).p == pytest.approx(expected, rel=1e-9)

    def test_rank_sum(self, seed, steps):
        values, pairs = self.pairs(seed, steps)
        expected = [stats.mannwhitneyu(a, b, method="asymptotic").pvalue for a, b in pairs]
        assert rank_sum(values).p == pytest.approx(expected, rel=1e-9)


def test_scipy_agrees_about_exact_distributions_without_ties():
    values = random_values(5, systems=5, topics=9)
    pairs = list(itertools.combinations(values, 2))
    assert signed_rank(values).p == pytest.approx([stats.wilcoxon(a, b, method="exact").pvalue for a, b in pairs], rel=1e-12)
    assert rank_sum(values).p == pytest.approx([stats.mannwhitneyu(a, b, method="exact").pvalue for a, b in pairs], rel=1e-12)


def brute_signed_rank(a, b):
    """All signs of the ranks, counted in whole numbers."""
    difference = [int(x - y) for x, y in zip(a, b, strict=True) if x != y]
    ranks = stats.rankdata(np.abs(difference))
    observed = sum(rank for rank, value in zip(ranks, difference, strict=True) if value > 0)
    sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product([0, 1], repeat=len(ranks))]
    low, high = sum(s <= observed for s in sums), sum(s >= observed for s in sums)
    return min(1.0, float(Fraction(2 * min(low, high), len(sums))))


def brute_rank_sum(a, b):
    """All ways to deal the ranks out."""
    ranks = stats.rankdata(np.concatenate((a, b)))
    observed = ranks[: len(a)].sum()
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, len(a))]
    low, high = sum(s <= observed for s in sums), sum(s >= observed for s in sums)
    return min(1.0, float(Fraction(2 * min(low, high), len(sums))))


@pytest.mark.parametrize("seed", range(4))
def test_exact_distributions_with_ties_are_those_of_all_arrangements(seed):
    values = np.random.default_rng(seed).integers(0, 5, (4, 6))
    pairs = list(itertools.combinations(values, 2))
    assert signed_rank(values).p == pytest.approx([brute_signed_rank(a, b) for a, b in pairs], rel=1e-12)
    assert rank_sum(values).p == pytest.approx([brute_rank_sum(a, b) for a, b in pairs], rel=1e-12)


def test_equal_differences_are_tied_though_their_doubles_are_not():
    thirty = np.array([[7, 5, 20, 11, 30], [4, 2, 17, 14, 26]])
    assert len({x - y for x, y in zip(*(thirty / 30).tolist(), strict=True)}) > 3
    assert signed_rank(thirty / 30, exact=0).p == signed_rank(thirty, exact=0).p
    assert signed_rank(thirty / 30).p == signed_rank(thirty).p


def test_tiny_differences_are_differences():
    # RBP(p=0.3)@30 differs by 0.7·0.3²⁹ ≈ 5e-16 when the last document changes
    base = 0.7 * sum(0.3**rank for rank in range(0, 29, 2))
    values = np.array([[base + 0.7 * 0.3**29] * 8, [base] * 8])
    assert sign_test(values).p[0] == 2 / 2**8


def test_integers_of_any_size_are_exact():
    large = 10**30
    values = np.array([[large + 3, large + 1, large, large + 7], [large, large + 2, large - 5, large]], dtype=object)
    small = np.array([[3, 1, 0, 7], [0, 2, -5, 0]])
    for test in (sign_test, paired_t, signed_rank, rank_sum):
        assert test(values).p == pytest.approx(test(small).p, rel=1e-12)
        assert test(values).estimate.tolist() == test(small).estimate.tolist()


def test_a_baseline_selects_pairs():
    values = random_values(3)
    for test in (sign_test, paired_t, signed_rank, rank_sum):
        square = test(values)
        matrix = square.pairs.square(square.p, 1.0)
        against = test(values, baseline=2)
        assert against.p.tolist() == np.delete(matrix[:, 2], 2).tolist()
        assert against.estimate == pytest.approx(np.delete(values, 2, axis=0).mean(axis=1) - values[2].mean())


def test_swapping_systems_changes_signs_only():
    values = random_values(4, systems=2)
    for test in (sign_test, paired_t, signed_rank, rank_sum):
        assert test(values).p == pytest.approx(test(values[::-1]).p, rel=1e-12)
        assert test(values).estimate == pytest.approx(-test(values[::-1]).estimate)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_matter(threads):
    values = random_values(6, systems=60, steps=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert signed_rank(values, threads=threads).p.tobytes() == signed_rank(values, threads=1).p.tobytes()
        assert rank_sum(values, threads=threads).p.tobytes() == rank_sum(values, threads=1).p.tobytes()
