"""The studentized range and Dunnett's distribution, against R, SciPy, and what is known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from mensura.errors import StatisticsError
from mensura.stats.dunnett_distribution import dunnett_isf, dunnett_sf
from mensura.stats.tukey import studentized_range_isf, studentized_range_sf

# R 4.2.2: ptukey(q, k, df, lower.tail = FALSE). On a grid of 540 points, R differs from our quadrature by more than 1e-8 at 155, by
# up to 0.02: for few degrees of freedom, many groups, or more than 25 000 degrees of freedom. The values here were selected from
# the other points. They guard against change, but are no independent proof of accuracy: that is what mpmath, Student's t for k = 2
# and SciPy are for, below.
R_PTUKEY = [
    (4, 2, 5, 0.03674259800524693),
    (12, 2, 5, 0.00037361459439988476),
    (4, 2, 10, 0.017900123151212033),
    (20, 2, 10, 6.204450597735445e-08),
    (3, 2, 30, 0.04226945032590701),
    (20, 2, 30, 5.517808432387028e-14),
    (3, 2, 120, 0.03595231986506853),
    (20, 2, 120, 2.4091839634365897e-14),
    (3, 2, 1000, 0.03414034385593234),
    (20, 2, 1000, 3.2807090377673376e-13),
    (3, 2, 6321, 0.033933664615924175),
    (20, 2, 6321, 2.2171153801764376e-13),
    (6, 2, 1_000_000, 2.209049699886112e-05),
    (12, 2, 1_000_000, 1.9317880628477724e-14),
    (3, 2, math.inf, 0.03389485352468924),
    (12, 2, math.inf, 1.9317880628477724e-14),
    (12, 3, 2, 0.02474286582194174),
    (0.5, 3, 2, 0.9355567944280808),
    (1, 3, 5, 0.7701492150979192),
    (0.5, 3, 5, 0.9342985395625021),
    (4, 3, 10, 0.043349349760161804),
    (20, 3, 10, 1.694004403418603e-07),
    (4, 3, 30, 0.02185967309221204),
    (20, 3, 30, 7.205347429817266e-14),
    (4, 3, 120, 0.01504533786135498),
    (20, 3, 120, 2.4091839634365897e-14),
    (4, 3, 1000, 0.0132283076168479),
    (20, 3, 1000, 3.2807090377673376e-13),
    (4, 3, 6321, 0.0130256153135484),
    (20, 3, 6321, 2.2171153801764376e-13),
    (8, 3, 1_000_000, 4.621440075069927e-08),
    (12, 3, 1_000_000, 2.90878432451791e-14),
    (4, 3, math.inf, 0.012987661373184856),
    (12, 3, math.inf, 2.90878432451791e-14),
    (5, 10, 2, 0.3188404217274533),
    (0.5, 10, 2, 0.9999533553180491),
    (6, 10, 5, 0.08939980488609989),
    (0.5, 10, 5, 0.9999897745167705),
    (6, 10, 10, 0.03328581172339362),
    (0.5, 10, 10, 0.9999954406228923),
    (5, 10, 30, 0.03742298285070078),
    (20, 10, 30, 4.128919428580957e-13),
    (5, 10, 120, 0.01980610356468826),
    (20, 10, 120, 2.4091839634365897e-14),
    (5, 10, 1000, 0.015419780498972302),
    (20, 10, 1000, 3.2807090377673376e-13),
    (5, 10, 6321, 0.014945796642777176),
    (20, 10, 6321, 2.2171153801764376e-13),
    (0.5, 10, 1_000_000, 0.9999985866194716),
    (12, 10, 1_000_000, 9.747758156208874e-14),
    (5, 10, math.inf, 0.014857437887649594),
    (12, 10, math.inf, 9.747758156208874e-14),
    (6, 50, 30, 0.07617140324996652),
    (20, 50, 30, 8.930300943177372e-12),
    (6, 50, 120, 0.03176978921602458),
    (20, 50, 120, 2.4313884239290928e-14),
    (6, 50, 1000, 0.020758781426232442),
    (20, 50, 1000, 3.2807090377673376e-13),
    (6, 50, 6321, 0.019617833544254615),
    (20, 50, 6321, 2.2171153801764376e-13),
    (2, 50, 1_000_000, 0.9999999612657521),
    (12, 50, 1_000_000, 5.087041898832467e-13),
    (6, 50, math.inf, 0.019406652606457242),
    (12, 50, math.inf, 5.087041898832467e-13),
    (12, 129, 30, 8.831929552477469e-06),
    (20, 129, 30, 5.2498561053937465e-11),
    (6, 129, 120, 0.13071077846459633),
    (20, 129, 120, 2.4646951146678475e-14),
    (3, 129, 1000, 0.9999998818484258),
    (20, 129, 1000, 3.2807090377673376e-13),
    (3, 129, 6321, 0.9999999333006049),
    (20, 129, 6321, 2.2171153801764376e-13),
    (3, 129, 1_000_000, 0.9999999406384091),
    (12, 129, 1_000_000, 1.4197532038906502e-12),
    (3, 129, math.inf, 0.9999999406384091),
    (12, 129, math.inf, 1.4197532038906502e-12),
    (20, 500, 30, 5.733881147662601e-10),
    (8, 500, 120, 0.007430323804339833),
    (20, 500, 120, 2.6201263381153694e-14),
    (8, 500, 1000, 0.001983244529001227),
    (20, 500, 1000, 3.2807090377673376e-13),
    (8, 500, 6321, 0.0016350138744964937),
    (20, 500, 6321, 2.2171153801764376e-13),
    (4, 500, 1_000_000, 0.9999999994813397),
    (12, 500, 1_000_000, 7.45969952475889e-12),
    (8, 500, math.inf, 0.0015749830748141846),
    (12, 500, math.inf, 7.45969952475889e-12),
]


@pytest.mark.parametrize(("q", "k", "degrees", "expected"), R_PTUKEY)
def test_r_agrees(q, k, degrees, expected):
    assert float(studentized_range_sf(q, k, degrees)) == pytest.approx(expected, rel=0, abs=1e-8)


# mpmath 1.4.1, 28 digits: Gauss-Legendre quadrature (48 points a panel) of the double integral of the definition,
# 1 - ∫ f(s) k ∫ φ(z) (Φ(z) - Φ(z - qs))^(k - 1) dz ds; not the rule, the form or the variables that the code uses. q is such that
# the tail is near 0.05 or 1e-9.
MPMATH = [
    (3.31, 3, math.inf, 0.05040337214710301),
    (8.88, 3, math.inf, 1.021342627437205e-9),
    (27.0, 3, 1, 0.04995479866729287),
    (1.35e9, 3, 1, 1.000351462396839e-9),
    (8.33, 3, 2, 0.0500089231496262),
    (60400.0, 3, 2, 1.001597156533902e-9),
    (4.6, 3, 5, 0.05006536460430705),
    (191.0, 3, 5, 1.004183478170581e-9),
    (3.49, 3, 30, 0.04972405927485755),
    (13.0, 3, 30, 9.311119657958611e-10),
    (3.32, 3, 6321, 0.04957909137787404),
    (8.9, 3, 6321, 9.949479733719679e-10),
    (3.31, 3, 1_000_000, 0.05040381584383348),
    (8.88, 3, 1_000_000, 1.021759471536687e-9),
    (4.47, 10, math.inf, 0.05044122016716674),
    (9.46, 10, math.inf, 1.008897814636495e-9),
    (49.1, 10, 1, 0.04997053791986445),
    (14.0, 10, 2, 0.04992046054766048),
    (6.99, 10, 5, 0.05013238257222816),
    (6.24, 129, 6321, 0.05034538895618475),
    (10.5, 129, 6321, 1.054973619566081e-9),
    (7.03, 129, 30, 0.04966738080905126),
    (5.15, 129, 1_000_000, 0.4982883167503181),
    (19.5, 500, 30, 1.055542107490751e-9),
    (7.01, 500, 1_000_000, 0.0493427777480262),
    (11.0, 500, 1_000_000, 9.166210722436021e-10),
    (6.24, 129, math.inf, 0.04981092195823499),
    (10.5, 129, math.inf, 9.32280935057805e-10),
    (7.01, 500, math.inf, 0.04933767278429233),
    (11.0, 500, math.inf, 9.157567481324817e-10),
]


@pytest.mark.parametrize(("q", "k", "degrees", "expected"), MPMATH)
def test_mpmath_agrees_to_the_last_digits(q, k, degrees, expected):
    assert float(studentized_range_sf(q, k, degrees)) == pytest.approx(expected, rel=1e-11, abs=0)


@pytest.mark.parametrize("degrees", [1, 2, 3, 7, 30, 500, 6321, 1e6, 1e9, math.inf])
def test_two_groups_are_students_t(degrees):
    # For k = 2, Q/√2 is |t|: known exactly, with full relative accuracy in the far tail.
    q = np.array([1e-6, 0.01, 0.3, 1.0, 2.5, 4.0, 7.0, 12.0, 20.0, 35.0])
    expected = 2 * (stats.t.sf(q / math.sqrt(2), degrees) if math.isfinite(degrees) else stats.norm.sf(q / math.sqrt(2)))
    assert studentized_range_sf(q, 2, degrees) == pytest.approx(expected, rel=1e-10, abs=0)


def test_r_is_off_where_student_knows_better():
    # R 4.2.2: ptukey(20, 2, 2, lower.tail = FALSE) is 0.0046679921181716, but 2*pt(20/sqrt(2), 2, lower.tail = FALSE), the same
    # probability, is 0.0049628097900109.
    assert float(studentized_range_sf(20, 2, 2)) == pytest.approx(0.0049628097900109, rel=1e-12)


@pytest.mark.parametrize(
    ("q", "k", "degrees"),
    [
        (3, 500, 2), (20, 500, 2), (2, 129, 2), (12, 129, 5), (3, 500, 5), (8, 50, 10), (12, 500, 10), (4, 50, 30), (5, 500, 30),
        (4, 129, 120), (5, 500, 120), (6, 500, 1000), (4, 129, 6321), (5, 129, 6321), (4, 129, math.inf), (6, 500, math.inf),
    ],
)  # fmt: skip
def test_scipy_agrees_where_r_has_not_converged(q, k, degrees):
    expected = stats.studentized_range.sf(q, k, degrees)
    assert float(studentized_range_sf(q, k, degrees)) == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize(("k", "degrees"), [(2, 2), (3, 20), (129, 6272), (129, math.inf), (500, 5), (500, 1e6), (40, 1)])
def test_many_values_at_once_are_the_same_as_one_by_one(k, degrees):
    q = np.concatenate(([0.0], np.linspace(0.001, 30, 700), [100.0, np.inf]))
    many = studentized_range_sf(q, k, degrees)
    some = np.arange(0, len(q), 13)
    one_by_one = np.array([float(studentized_range_sf(value, k, degrees)) for value in q[some]])
    assert many[some] == pytest.approx(one_by_one, rel=1e-10, abs=1e-300)
    assert (np.diff(many) <= 1e-13).all()


def test_the_ends():
    assert studentized_range_sf([0.0, -1.0, np.inf], 5, 10).tolist() == [1.0, 1.0, 0.0]
    assert np.isnan(studentized_range_sf([np.nan], 5, 10)).all()
    assert studentized_range_sf(np.ones((2, 3)), 4).shape == (2, 3)


# R 4.2.2: qtukey(.95, 129, 6321), qtukey(.95, 3, 20), qtukey(.99, 10, Inf); R computes these to about 1e-7.
@pytest.mark.parametrize(
    ("p", "k", "degrees", "expected"),
    [(0.05, 129, 6321, 6.2425264930497), (0.05, 3, 20, 3.57793458152557), (0.01, 10, math.inf, 5.15663525313767)],
)
def test_critical_values(p, k, degrees, expected):
    found = studentized_range_isf(p, k, degrees)
    assert found == pytest.approx(expected, rel=2e-7)
    assert float(studentized_range_sf(found, k, degrees)) == pytest.approx(p, rel=1e-11)


@pytest.mark.parametrize("degrees", [1, 5, 60, math.inf])
def test_one_comparison_with_a_baseline_is_students_t(degrees):
    t = np.array([0.0, 0.3, 1.5, 4.0, 9.0, 25.0])
    expected = 2 * (stats.t.sf(t, degrees) if math.isfinite(degrees) else stats.norm.sf(t))
    assert dunnett_sf(t, 1, degrees) == pytest.approx(expected, rel=1e-10, abs=0)


# R 4.2.2, mvtnorm: qmvt(.95, tail = "both.tails", df, corr = diag(.5, m) + .5) after set.seed(1), and qmvnorm for the last; its
# search is randomised and good to about 1e-3.
@pytest.mark.parametrize(
    ("m", "degrees", "expected"),
    [(2, 10, 2.568587), (3, 20, 2.539119), (9, 30, 2.855604), (5, 60, 2.58254), (4, math.inf, 2.442895)],
)
def test_dunnett_agrees_with_mvtnorm(m, degrees, expected):
    assert dunnett_isf(0.05, m, degrees) == pytest.approx(expected, abs=0.002)


def test_dunnett_by_simulation():
    rng = np.random.default_rng(1)
    draws, m, degrees = 400_000, 6, 12
    z = rng.standard_normal((draws, m + 1))
    s = np.sqrt(rng.chisquare(degrees, draws) / degrees)
    largest = np.abs((z[:, :m] - z[:, [m]]) / math.sqrt(2) / s[:, None]).max(axis=1)
    for t in (1.5, 2.5, 3.5):
        p = float(dunnett_sf(t, m, degrees))
        assert (largest > t).mean() == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / draws))


@pytest.mark.parametrize(("k", "degrees"), [(1, 5), (3, 0), (3, math.nan)])
def test_what_is_no_range(k, degrees):
    with pytest.raises(StatisticsError, match="at least"):
        studentized_range_sf(1.0, k, degrees)


def test_what_is_no_probability():
    with pytest.raises(StatisticsError, match="between 0 and 1"):
        studentized_range_isf(1.5, 3)
