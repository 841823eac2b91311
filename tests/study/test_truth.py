"""Errors of tests, counted again by SciPy on the same campaigns."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from mensura import RR, MensuraError
from mensura.render.truths import verdict
from mensura.study import Design, find_truth, simulate

DESIGN = Design(systems=6, topics=25, documents=100, depth=20, pool=20, equal=3, quality_spread=0.3)


def test_errors_are_those_that_scipy_makes():
    truth = find_truth(DESIGN, ["RR"], [10], ["t"], campaigns=12, seed=40)
    alarms, misses, wrong = [], [], []
    for seed in range(40, 52):
        campaign = simulate(DESIGN, seed=seed)
        values = (RR() @ 10).score(campaign.judged(10))
        counts = np.zeros(3)
        for one, other in itertools.combinations(range(6), 2):
            p = stats.ttest_rel(values[one], values[other]).pvalue
            gap = campaign.qualities[one] - campaign.qualities[other]
            ahead = values[one].mean() - values[other].mean()
            counts += (
                gap == 0 and p < 0.05,
                gap != 0 and (p >= 0.05 or ahead * gap < 0),
                gap != 0 and p < 0.05 and ahead * gap < 0,
            )
        alarms.append(counts[0] / 6)
        misses.append(counts[1] / 9)
        wrong.append(counts[2] / 9)
    (original, interval) = truth.errors
    assert (truth.equal_pairs, truth.different_pairs) == (6, 9)
    assert original.type_1.rate == pytest.approx(np.mean(alarms))
    assert original.type_1.error == pytest.approx(np.std(alarms, ddof=1) / np.sqrt(12))
    assert original.type_2.rate == pytest.approx(np.mean(misses))
    assert original.wrong_way.rate == pytest.approx(np.mean(wrong))
    assert original.family.rate == np.mean(np.array(alarms) > 0)
    (difference,) = truth.differences
    assert difference.type_2.rate == pytest.approx(interval.type_2.rate - original.type_2.rate)


def test_a_test_keeps_its_level_where_nothing_differs():
    """The t-test on normal-like means errs at its level; Tukey's HSD rarely errs at all (FWER ≤ α)."""
    truth = find_truth(DESIGN, ["P"], [10], ["t", "anova-topics"], campaigns=150, seed=1)
    t, _, tukey, _ = truth.errors
    assert abs(t.type_1.rate - 0.05) < 4 * t.type_1.error
    assert t.type_1.error < 0.02
    assert tukey.family.rate < 0.05 + 3 * 0.018


def test_kept_steps_give_the_same(tmp_path):
    options = {"measures": ["RR"], "tests": ["sign"], "campaigns": 30, "work": tmp_path}
    one = find_truth(DESIGN, **options)
    assert len(list(tmp_path.glob("*.step"))) == 2
    assert find_truth(DESIGN, **options).errors == one.errors
    assert find_truth(DESIGN, **(options | {"work": None})).errors == one.errors


def test_the_verdict_is_neutral():
    said = " ".join(verdict(find_truth(DESIGN, ["P"], [5], ["t"], campaigns=4)))
    assert "no difference beyond 3 Monte-Carlo standard errors in 1" in said
    assert "under debate" in said


def test_nonsense_is_refused():
    with pytest.raises(MensuraError, match="both equal and different"):
        find_truth(Design(equal=1))
    with pytest.raises(MensuraError, match="at least 2 campaigns"):
        find_truth(campaigns=1)
