"""Randomisation and bootstrap: exact ones against all arrangements, random ones against exact ones, seeds and threads."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from mensura.errors import StatisticsError
from mensura.stats import bca_interval, bootstrap_test, max_t, paired_t, randomisation_test, randomised_tukey, run_test
from mensura.stats.draws import draw_pieces

from .data import PRECISION, random_values

RANDOM = ("randomisation", "bootstrap", "bootstrap-t", "randomised-tukey")


def all_signs(difference):
    observed = abs(sum(difference))
    sums = [
        abs(sum(s * d for s, d in zip(signs, difference, strict=True)))
        for signs in itertools.product([-1, 1], repeat=len(difference))
    ]
    return sum(s >= observed for s in sums) / len(sums)


@pytest.mark.parametrize("seed", range(4))
def test_few_topics_are_counted_out(seed):
    values = np.random.default_rng(seed).integers(0, 6, (4, 9))
    expected = [all_signs((a - b).tolist()) for a, b in itertools.combinations(values, 2)]
    assert randomisation_test(values).p == pytest.approx(expected, rel=1e-12)
    assert randomisation_test(values / 6).p == pytest.approx(expected, rel=1e-12)  # as fractions: equal sums are equal


def test_scipy_agrees_about_exact_randomisation():
    values = random_values(1, systems=3, topics=10)
    expected = [
        stats.permutation_test((a - b,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
        for a, b in itertools.combinations(values, 2)
    ]
    assert randomisation_test(values).p == pytest.approx(expected, rel=1e-10)


def test_random_signs_come_near_all_signs():
    values = random_values(2, topics=14)
    exact = randomisation_test(values).p
    drawn = randomisation_test(values, exact=0, samples=20_000, seed=3).p
    error = np.sqrt(exact * (1 - exact) / 20_000)
    assert (np.abs(drawn - exact) < 4 * error + 1e-4).all()


def test_ties_count_as_extreme_in_random_signs_too():
    values = PRECISION[:2]
    exact = float(randomisation_test(values).p[0])
    drawn = float(randomisation_test(values, exact=0, samples=50_000).p[0])
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 50_000))


def test_the_bootstrap_comes_near_student_for_normal_values():
    values = np.random.default_rng(3).normal(0, 1, (5, 60))
    assert bootstrap_test(values, samples=5000).p == pytest.approx(paired_t(values).p, abs=0.04)


def test_the_bootstrap_by_the_book():
    # Every draw by itself: shift the differences to mean 0, draw topics, compare |t|.
    from mensura.stats.draws import resampled

    values = random_values(4, systems=2, topics=12)
    difference = values[0] - values[1]
    t = abs(stats.ttest_1samp(difference, 0).statistic)
    shifted = difference - difference.mean()
    counts = np.concatenate([resampled(12, 5, block, draws) for block, draws in enumerate((64, 64, 64, 8))])
    found = 0
    for column in counts:
        sample = np.repeat(shifted, column)
        found += abs(sample.mean() / (sample.std(ddof=1) / math.sqrt(12))) >= t
    assert bootstrap_test(values, samples=200, seed=5).p[0] == (1 + found) / 201


def all_shuffles(values):
    """The largest difference of two means for all orders within all topics."""
    orders = [list(itertools.permutations(column)) for column in values.T]
    return np.array([np.ptp(np.sum(chosen, axis=0)) for chosen in itertools.product(*orders)]) / values.shape[1]


def test_randomised_tukey_comes_near_all_shuffles():
    values = np.array([[5, 6, 7, 5], [3, 4, 6, 6], [2, 5, 3, 4]]) / 10
    null = all_shuffles(values)
    outcome = randomised_tukey(values, samples=40_000, seed=1)
    for estimate, p in zip(outcome.estimate, outcome.family_p, strict=True):
        exact = (null >= abs(estimate) - 1e-12).mean()
        assert p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 40_000) + 1e-4)


def test_randomised_tukey_with_a_baseline_is_sharper():
    values = random_values(6, systems=10)
    everything = randomised_tukey(values, samples=2000)
    matrix = everything.pairs.square(everything.family_p, 1.0)
    against = randomised_tukey(values, samples=2000, baseline=0)
    assert (against.family_p <= matrix[1:, 0] + 0.02).all()


def test_max_t_of_one_pair_is_the_randomisation_test():
    values = random_values(7, systems=2, topics=40)
    assert max_t(values, seed=2).tolist() == randomisation_test(values, seed=2).p.tolist()


def test_max_t_by_hand():
    from mensura.stats.draws import signs as draw_signs

    values = random_values(8, systems=3, topics=20)
    difference = np.array([a - b for a, b in itertools.combinations(values, 2)])
    u = np.abs(difference.sum(axis=1)) / np.sqrt((difference**2).sum(axis=1))
    signs = np.concatenate([draw_signs(20, 4, block, draws) for block, draws in enumerate((64, 64, 64, 8))]).T
    drawn = np.abs(difference @ signs) / np.sqrt((difference**2).sum(axis=1))[:, None]
    order = np.argsort(-u)
    expected, before = np.empty(3), 0.0
    for at, pair in enumerate(order):
        p = (1 + (drawn[order[at:]].max(axis=0) >= u[pair] - 1e-9).sum()) / 201
        before = expected[pair] = max(before, p)
    assert max_t(values, samples=200, seed=4) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", RANDOM)
def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads(name):
    values = random_values(9, systems=30, topics=30)
    first = run_test(name, values, samples=1000, seed=11, threads=1).p
    for threads in (2, 3, 7):
        assert run_test(name, values, samples=1000, seed=11, threads=threads).p.tobytes() == first.tobytes()
    assert run_test(name, values, samples=1000, seed=12).p.tobytes() != first.tobytes()


def test_max_t_and_bca_give_the_same_bits_on_any_number_of_threads():
    values = random_values(9, systems=30, topics=30)
    assert max_t(values, samples=600, threads=1).tobytes() == max_t(values, samples=600, threads=4).tobytes()
    one, four = bca_interval(values, samples=600, threads=1), bca_interval(values, samples=600, threads=4)
    assert one[0].tobytes() == four[0].tobytes()
    assert one[1].tobytes() == four[1].tobytes()


def test_more_draws_continue_fewer():
    # Blocks have streams of their own, so the first draws of a longer run are those of a shorter one.
    values = random_values(10)
    few, many = randomised_tukey(values, samples=256, seed=1).null, randomised_tukey(values, samples=512, seed=1).null
    assert np.isin(few, many).all()


@pytest.mark.parametrize("options", [{"samples": 0}, {"seed": -1}])
def test_what_cannot_be_drawn(options):
    for test in (randomisation_test, bootstrap_test, randomised_tukey, max_t):
        with pytest.raises(StatisticsError, match=r"samples|seed"):
            test(PRECISION, **options)


@pytest.mark.parametrize(
    ("blocks", "seconds", "number"),
    [(157, 0.0008, 1), (157, 0.0035, 4), (157, 0.5, 32), (157, 40.2, 41), (5, 40.2, 5), (1, 1e-9, 1)],
)
def test_pieces_of_draws_are_worth_handing_over(blocks, seconds, number):
    """At least a millisecond each, 32 where there is work for so many, one for each second beyond; never more than blocks."""
    pieces = draw_pieces(blocks, seconds)
    assert len(pieces) == number
    assert [block for piece in pieces for block in piece] == list(range(blocks))
