"""Corrections, against R and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.errors import StatisticsError
from mensura.stats import Family, adjust
from mensura.stats.families import family_remark
from mensura.stats.methods import CORRECTIONS

# McDonald, Handbook of Biological Statistics: 25 p-values of diet and mammographic density; R 4.2.2: p.adjust(p, method)
P = [
    *(0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216, 0.222, 0.251, 0.269),
    *(0.275, 0.34, 0.341, 0.384, 0.569, 0.594, 0.696, 0.762, 0.94, 0.942, 0.975, 0.986),
]
R_ADJUSTED = {
    "bonferroni": [0.025, 0.2, 0.975, *[1.0] * 22],
    "holm": [0.025, 0.192, 0.897, 0.902, 0.902, *[1.0] * 20],
    "hochberg": [0.025, 0.192, 0.882, 0.882, 0.882, *[0.986] * 20],
    "bh": [
        *(0.025, 0.1, 0.21, 0.21, 0.21, 0.25, 0.264285714285714, *[0.491071428571429] * 7, 0.5328125, 0.5328125),
        *(0.564705882352941, 0.781578947368421, 0.781578947368421, 0.87, 0.907142857142857, *[0.986] * 4),
    ],
    "by": [0.0953989544438377, 0.381595817775351, *[0.801351217328236] * 3, 0.953989544438377, *[1.0] * 19],
}
STATSMODELS = {"bonferroni": "bonferroni", "holm": "holm", "hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}


@pytest.mark.parametrize("correction", R_ADJUSTED)
def test_r_agrees(correction):
    assert adjust(P, correction) == pytest.approx(R_ADJUSTED[correction], rel=1e-12)


@pytest.mark.parametrize("correction", STATSMODELS)
def test_statsmodels_agrees(correction):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.round(np.random.default_rng(1).uniform(0, 1, 200) ** 3, 2)
    assert adjust(p, correction) == pytest.approx(multitest.multipletests(p, method=STATSMODELS[correction])[1], rel=1e-12)


@pytest.mark.parametrize("correction", STATSMODELS)
def test_prior_tests_count_as_tests_that_found_nothing(correction):
    assert adjust(P, correction, prior_tests=40)[:25] == pytest.approx(adjust([*P, *[1.0] * 40], correction)[:25])


p_values = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@given(p_values, st.sampled_from(list(STATSMODELS)), st.integers(0, 100))
def test_laws(p, correction, prior):
    adjusted = adjust(p, correction, prior_tests=prior)
    assert (adjusted >= np.array(p) - 1e-15).all()
    assert (adjusted <= 1).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all()
    assert (adjusted <= adjust(p, "by" if correction in {"bh", "by"} else "bonferroni", prior_tests=prior) + 1e-15).all()


def test_shapes_are_kept_and_order_does_not_matter():
    p = np.array([[0.01, 0.5], [0.03, 0.002]])
    assert adjust(p, "holm").shape == (2, 2)
    assert adjust(p.reshape(-1)[::-1], "holm")[::-1].reshape(2, 2).tolist() == adjust(p, "holm").tolist()
    assert adjust(p, "none").tolist() == p.tolist()
    assert adjust([], "holm").tolist() == []


@pytest.mark.parametrize(
    ("correction", "title", "controls"),
    [
        ("none", "not corrected", "error rate of each test by itself"),
        ("bonferroni", "Bonferroni", "family-wise error rate"),
        ("holm", "Holm", "family-wise error rate"),
        ("hochberg", "Hochberg", "family-wise error rate"),
        ("bh", "Benjamini–Hochberg", "false discovery rate"),
        ("by", "Benjamini–Yekutieli", "false discovery rate"),
        ("tukey", "Tukey", "family-wise error rate"),
        ("dunnett", "Dunnett", "family-wise error rate"),
        ("maxT", "max-T", "family-wise error rate"),
    ],
)
def test_every_correction_has_a_title_and_controls_an_error_rate(correction, title, controls):
    family = Family(correction, 6)
    assert str(family) == f"{title}, 6 tests (6 pairs × 1 measure)"
    assert family.controls == controls


def test_the_size_of_a_family():
    """Pairs times measures, without those that were planned, with those made earlier."""
    family = Family("holm", 10, 3, prior_tests=5, left_out=4)
    assert family.size == 10 * 3 - 4 + 5
    assert family.shares == 1
    assert family.factor == 31
    assert Family("tukey", 10, 3, prior_tests=5).shares == 3 + 5 / 10
    assert Family("tukey", 10, 3, prior_tests=5, scales=2).shares == 6 + 5 / 10
    joint = Family("maxT", 10, 3, prior_tests=5, joint=True)
    assert joint.shares == 35 / 30
    over = "max-T over the tests made here, Bonferroni over earlier ones"
    assert str(joint) == f"{over}, 35 tests (10 pairs × 3 measures + 5 earlier)"
    expected = {
        "none": 1,
        "bonferroni": 35,
        "holm": 35,
        "hochberg": 35,
        "bh": 1,
        "by": 1,
        "tukey": 3.5,
        "dunnett": 3.5,
        "maxT": 3.5,
    }
    assert {name: Family(name, 10, 3, prior_tests=5).factor for name in CORRECTIONS} == expected
    with pytest.raises(StatisticsError, match=r"use one of none, bonferroni, holm, hochberg, bh, by$"):
        adjust([0.1], "tukey")
    assert str(Family("tukey", 10, 3)) == "Tukey over pairs, Bonferroni over the rest, 30 tests (10 pairs × 3 measures)"
    assert str(Family("maxT", 10, 3, scales=2, joint=True)) == "max-T, 60 tests (10 pairs × 3 measures × 2 scales)"
    assert str(family) == "Holm, 31 tests (10 pairs × 3 measures − 4 planned + 5 earlier)"
    assert Family("holm", 1, prior_tests=0).size == 1
    with pytest.raises(StatisticsError, match="at least 0"):
        Family("holm", 1, prior_tests=-1)


def test_tests_without_a_correction_are_remarked_upon():
    assert family_remark(Family("none", 20), 0.1) == (
        "20 tests without a correction: at α = 0.1, about 2 of them would be significant by chance [M701]"
    )
    assert family_remark(Family("none", 2), 0.05) is not None
    assert family_remark(Family("none", 1), 0.05) is None
    assert family_remark(Family("holm", 20), 0.05) is None


def test_the_ends_of_the_range_are_p_values():
    assert adjust([0.0, 1.0]).tolist() == [0.0, 1.0]  # Holm, by default, with no earlier tests
    assert adjust([0.02, 0.5]).tolist() == [0.04, 0.5]


@pytest.mark.parametrize("correction", ["bonferroni", "holm", "hochberg", "bh"])
def test_one_test_is_corrected_for_earlier_ones(correction):
    assert adjust([0.01], correction, prior_tests=4) == pytest.approx([0.05])


def test_a_copy_is_returned():
    p = np.array([0.2, 0.4])
    assert adjust(p, "none") is not p


def test_a_family_says_what_it_is():
    assert str(Family("holm", 45, 2, 10)) == "Holm, 100 tests (45 pairs × 2 measures + 10 earlier)"
    assert str(Family("none", 1)) == "not corrected, 1 test (1 pair × 1 measure)"
    assert Family("bh", 3).controls == "false discovery rate"
    assert Family("maxT", 3).controls == "family-wise error rate"


@pytest.mark.parametrize(
    ("p", "options", "message"),
    [
        ([0.5, 1.5], {}, "between 0 and 1"),
        ([-0.1, 0.5], {}, "between 0 and 1"),
        ([np.nan, 0.5], {}, "between 0 and 1"),
        ([0.5], {"prior_tests": -1}, "at least 0"),
        ([0.5], {"correction": "tukey"}, "part of a test"),
    ],
)
def test_errors(p, options, message):
    with pytest.raises(StatisticsError, match=message):
        adjust(p, **options)
