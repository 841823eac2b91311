"""Types of scales and their transformations: P4 §III-B, §III-C, §III-E."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.errors import ScaleError
from mensura.scales.meaning.transformations import Affine, Composed, Increasing, PerTopic, Relabelling, sample
from mensura.scales.types import INTERVAL, NOMINAL, ORDINAL, RATIO, SCALES, scale_type

COUNTRIES = Relabelling.of({5: 41, 4: 13, 3: -10, 2: 23, 1: 17})  # France, Germany, Greece, Italy, Spain
WINES = (3, 6, 12, 17, 32, 50, 2000)
FAHRENHEIT = Affine(Fraction(9, 5), 32)
MILES = Affine(Fraction(62, 100))


def test_example_1_countries():
    """P4, Example 1: both are valid; 4 − 3 = 1 says Germany − Greece = Spain, 13 − (−10) = 23 says it is Italy."""
    assert NOMINAL.permits(COUNTRIES)
    assert not ORDINAL.permits(COUNTRIES)
    germany, greece, spain, italy = (COUNTRIES(label) for label in (4, 3, 1, 2))
    assert 4 - 3 == 1
    assert germany - greece == italy != spain


def test_example_2_wines():
    """P4, Example 2: φ' = φ² keeps the order; brut is twice extra brut on one scale and four times on the other."""
    squared = Increasing.of({sugar: sugar**2 for sugar in WINES})
    assert squared.apply(WINES) == [9, 36, 144, 289, 1024, 2500, 4000000]
    assert ORDINAL.permits(squared)
    assert not INTERVAL.permits(squared)
    assert (Fraction(12, 6), Fraction(squared(12), squared(6))) == (2, 4)


def test_example_3_temperatures():
    """P4, Example 3: ratios change (2 and 1.36), differences of 10 °C are all 18 °F, ratios of intervals stay."""
    cold, mild, warm = (FAHRENHEIT(celsius) for celsius in (10, 20, 30))
    assert (cold, mild, warm) == (50, 68, 86)
    assert Fraction(mild, cold) == Fraction("1.36")
    assert warm - mild == mild - cold == 18
    assert INTERVAL.permits(FAHRENHEIT)
    assert not RATIO.permits(FAHRENHEIT)


def test_example_4_distances():
    """P4, Example 4: kilometres to miles."""
    assert RATIO.permits(MILES)
    assert Fraction(MILES(2000), MILES(400)) == 5


def test_stronger_scales_allow_more_statistics_and_fewer_transformations():
    """P4 §III-C and §III-E."""
    assert NOMINAL < ORDINAL < INTERVAL < RATIO
    assert NOMINAL.statistics == ("frequency", "mode")
    assert set(ORDINAL.statistics) - set(NOMINAL.statistics) == {"median", "quantile", "percentile"}
    assert set(INTERVAL.statistics) - set(ORDINAL.statistics) == {"mean", "standard deviation"}
    assert set(RATIO.statistics) - set(INTERVAL.statistics) == {"geometric mean", "harmonic mean", "coefficient of variation"}
    assert NOMINAL.tests == ()
    assert set(ORDINAL.tests) == {"sign", "Wilcoxon rank sum", "Kruskal-Wallis", "Friedman"}
    assert set(INTERVAL.tests) - set(ORDINAL.tests) == {"Wilcoxon signed rank", "Student's t", "ANOVA"}
    assert [repr(scale) for scale in SCALES.values()] == ["NOMINAL", "ORDINAL", "INTERVAL", "RATIO"]


numbers = st.fractions(-50, 50, max_denominator=8)


@given(st.sampled_from(list(SCALES.values())), st.lists(numbers, min_size=1, max_size=8), st.integers(0, 2**32))
def test_sampled_transformations_are_permissible_and_can_be_undone(scale, values, seed):
    transformation = sample(scale, values, np.random.default_rng(seed))
    assert scale.permits(transformation)
    there = transformation.apply(values)
    assert transformation.inverse().apply(there) == values
    assert all((x == y) == (a == b) for x, a in zip(values, there, strict=True) for y, b in zip(values, there, strict=True))
    if scale > NOMINAL:
        assert all((x < y) == (a < b) for x, a in zip(values, there, strict=True) for y, b in zip(values, there, strict=True))
    if scale > ORDINAL:
        slope = vars(transformation)["alpha"]
        assert {b - a for a, b in pairwise(there)} == {slope * (y - x) for x, y in pairwise(values)}


@given(
    st.sampled_from(list(SCALES.values())),
    st.sampled_from(list(SCALES.values())),
    st.lists(numbers, min_size=2),
    st.integers(0, 99),
)
def test_one_after_another_is_permissible_where_both_are(first, second, values, seed):
    rng = np.random.default_rng(seed)
    one = sample(first, values, rng)
    other = sample(second, one.apply(values), rng)
    both = one.then(other)
    assert both.scale >= min(one.scale, other.scale)
    assert both.apply(values) == other.apply(one.apply(values))
    assert both.inverse().apply(both.apply(values)) == values


def test_affine_maps_compose_to_affine_maps():
    assert FAHRENHEIT.then(FAHRENHEIT.inverse()) == Affine(1, 0)
    assert FAHRENHEIT.then(FAHRENHEIT.inverse()).scale == RATIO
    assert str(FAHRENHEIT) == "x ↦ 1.8·x + 32"
    assert str(Affine(2, -1).then(Increasing(((0, 0),)))) == "x ↦ 2·x − 1, then through (0, 0)"
    assert isinstance(MILES.then(COUNTRIES), Composed)


def test_increasing_functions_are_linear_between_knots_and_beyond_them_of_slope_one():
    bend = Increasing(((0, 0), (2, 1), (4, 10)))
    assert bend.apply([-3, 0, 1, 2, 3, 4, 6]) == [-3, 0, Fraction(1, 2), 1, Fraction(11, 2), 10, 12]


def test_a_scale_for_each_topic():
    each = PerTopic((Affine(1), FAHRENHEIT, Affine(2)))
    assert each.apply([7, 10, 3]) == [7, 50, 6]
    assert each.inverse().apply([7, 50, 6]) == [7, 10, 3]
    assert each.scale == INTERVAL
    assert str(each) == "topic 2: x ↦ 1.8·x + 32; topic 3: x ↦ 2·x"
    with pytest.raises(ScaleError, match="which topic"):
        each(1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Affine(0), "α must be above 0"),
        (lambda: Affine(-1, 3), "α must be above 0"),
        (lambda: Increasing(()), "at least one knot"),
        (lambda: Increasing(((0, 0), (1, 0))), r"from knot \(0, 0\) to \(1, 0\)"),
        (lambda: Relabelling(((1, 2), (2, 2))), "the name 2 occurs twice"),
        (lambda: COUNTRIES(9), "9 has no new name"),
        (lambda: scale_type("cardinal"), "nominal, ordinal, interval, ratio"),
    ],
)
def test_what_is_no_transformation_is_refused(make, message):
    with pytest.raises(ScaleError, match=message):
        make()
