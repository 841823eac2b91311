"""Data without variation, without topics, without numbers: a clear answer or a clear error."""

from __future__ import annotations

import numpy as np
import pytest

from mensura.errors import StatisticsError
from mensura.stats import METHODS, compare, difference_intervals, effects, max_t, mean_interval, run_test

from .data import random_values


def run(name, values, **options):
    return run_test(name, values, baseline=0 if name == "dunnett" else None, samples=200, **options)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("values", [np.full((3, 6), 0.4), np.tile([0.1, 0.3, 0.2, 0.9, 0.7], (3, 1))], ids=["constant", "by topic"])
def test_equal_systems_do_not_differ(name, values):
    outcome = run(name, values)
    assert outcome.p.tolist() == [1.0] * len(outcome.pairs)
    assert outcome.family_p is None or outcome.family_p.tolist() == [1.0] * len(outcome.pairs)
    assert outcome.omnibus is None or outcome.omnibus.p == 1.0
    assert outcome.estimate.tolist() == [0.0] * len(outcome.pairs)
    assert outcome.significant() == 0


@pytest.mark.parametrize("name", METHODS)
def test_a_constant_system_among_others(name):
    values = random_values(1, systems=3, topics=12)
    values[1] = 0.25
    outcome = run(name, values)
    assert np.isfinite(outcome.p).all()
    assert ((outcome.p >= 0) & (outcome.p <= 1)).all()


@pytest.mark.parametrize("name", ["t", "bootstrap", "bootstrap-t", "anova-topics", "dunnett"])
def test_the_same_difference_everywhere(name):
    topics = np.array([0.1, 0.7, 0.4, 0.9, 0.3, 0.2])
    outcome = run(name, np.array([topics + 0.1, topics]))
    assert np.isinf(outcome.statistic).all() or name == "bootstrap"
    assert outcome.p[0] == pytest.approx(0.0, abs=0.006)
    assert outcome.remarks


@pytest.mark.parametrize("name", METHODS)
def test_one_topic(name):
    values = [[0.5], [0.3], [0.1]]
    if METHODS[name].name in {"t", "bootstrap", "bootstrap-t", "anova", "anova-topics", "dunnett"}:
        with pytest.raises(StatisticsError, match="at least 2 topics"):
            run(name, values)
    else:
        assert run(name, values).significant() == 0


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[0.5, np.nan], [0.1, 0.2]], "system 0 for topic 1 .* is nan"),
        ([[0.5, 0.3], [np.inf, 0.2]], "system 1 for topic 0 .* is inf"),
        ([[0.5, 0.3]], "at least 2 systems"),
        ([0.5, 0.3], r"\[system, topic\]"),
        (np.empty((3, 0)), "at least 1 topic, got 0"),
        (np.array([["a", 1], [2, 3]], dtype=object), "whole numbers"),
    ],
)
def test_what_is_no_table(name, values, message):
    with pytest.raises(StatisticsError, match=message):
        run(name, values)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("unit", [2.0**900, 2.0**-900, 2**600], ids=["large", "small", "large whole numbers"])
def test_a_power_of_two_changes_nothing(name, unit):
    # Squares of values above 1e154 overflow, and those of values below 1e-154 vanish.
    values = np.random.default_rng(1).integers(1, 1000, (3, 8))
    plain, large = run(name, values), run(name, values.astype(object) * unit if isinstance(unit, int) else values * unit)
    assert large.p == pytest.approx(plain.p, rel=1e-9)
    assert large.family_p is None or large.family_p == pytest.approx(plain.family_p, rel=1e-9)
    assert large.omnibus is None or large.omnibus.statistic == pytest.approx(plain.omnibus.statistic)


def test_a_power_of_two_is_that_of_intervals_and_effects():
    values = np.random.default_rng(1).integers(1, 1000, (3, 8)).astype(float)
    for unit in (2.0**900, 2.0**-900):
        for kind in ("d_z", "glass", "hedges", "cliff", "residual", "glass_error"):
            assert getattr(effects(values * unit), kind) == pytest.approx(getattr(effects(values), kind), rel=1e-9)
        assert mean_interval(values * unit)[0] / unit == pytest.approx(mean_interval(values)[0])
        for test in ("bootstrap-t", "anova-topics", "anova", "t"):
            (plain,), (large,) = compare(values, test=test, samples=200), compare(values * unit, test=test, samples=200)
            assert large.pair_low / unit == pytest.approx(plain.pair_low)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1e305, "the value of system 1 for topic 0 .* is 1e\\+305; expected at most 4.3e\\+301, so divide"),
        (-(10**400), "is a whole number of 401 digits"),
    ],
)
def test_values_whose_sums_are_beyond_all_numbers(value, said):
    values = np.array([[1, 2], [value, 3]], dtype=object if isinstance(value, int) else float)
    with pytest.raises(StatisticsError, match=said):
        run("t", values)


def test_unknown_names():
    with pytest.raises(StatisticsError, match="unknown test 'z'"):
        run_test("z", [[1, 2], [3, 4]])
    with pytest.raises(StatisticsError, match="baseline=7"):
        run_test("t", [[1, 2], [3, 4]], baseline=7)


def test_effects_without_variation_are_not_numbers():
    made = effects(np.full((2, 5), 0.3))
    assert np.isnan([made.d_z[0], made.glass[0], made.hedges[0], made.residual[0]]).all()
    assert (made.cliff[0], made.ties[0]) == (0.0, 5)


def test_intervals_without_variation_have_no_width():
    values = np.tile([0.1, 0.3, 0.2, 0.9, 0.7], (2, 1))
    for method in ("bootstrap-t", "t", "anova", "bca", "randomised"):
        for simultaneous in (False, True):
            if (method, simultaneous) not in {("bca", True), ("randomised", False)}:
                made = difference_intervals(values, method=method, simultaneous=simultaneous, samples=100)
                assert made.low.tolist() == made.high.tolist() == [0.0]
    assert max_t(values, samples=50).tolist() == [1.0]


def test_intervals_need_two_topics():
    for method in ("bootstrap-t", "t", "anova", "bca", "randomised"):
        with pytest.raises(StatisticsError, match="at least 2 topics"):
            difference_intervals([[0.1], [0.2]], method=method)
    with pytest.raises(StatisticsError, match="at least 2 topics"):
        mean_interval([[0.1]])
    with pytest.raises(StatisticsError, match="confidence level"):
        mean_interval([[0.1, 0.2]], level=95)
