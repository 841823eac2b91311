"""Several rankings against one reference, and nA(i) at every rank."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import RankingError
from mensura.rankings import RankingPair, against_reference, area, compare, matrix, tau_ap, tau_ap_b, weights, worst_areas


def test_areas_and_correlations_of_three_rankings():
    lists = {"x": list("bacd"), "y": list("cabd"), "z": list("dcba")}
    systems = against_reference(lists, list("abcd"), name="ideal")
    assert systems.names == ("x", "y", "z")
    assert [systems[name].area[-1] for name in systems.names] == [1, 3, 10]
    assert [systems[name].a_corr for name in systems.names] == pytest.approx([0.9, 0.7, 0])
    rows = [row for row in systems.rows() if row["ranking"] == "y"]
    assert [(row["rank"], row["item"], row["position"], row["point"]) for row in rows] == [
        (1, "c", 3, 2),
        (2, "a", 1, 1),
        (3, "b", 2, 0),
        (4, "d", 4, 0),
    ]
    assert systems.numbers()["y"] == compare(list("cabd"), list("abcd")).numbers()
    with pytest.raises(RankingError, match="unknown ranking 'w'; there are x, y, z"):
        systems["w"]
    with pytest.raises(RankingError, match="give at least one"):
        against_reference([], list("abcd"))


def test_the_normalised_area_at_every_rank():
    """P1, Eq. 5 at rank i, for the example of the paper: 1/1.5, 2.5/5, 3/8.5, 3/10."""
    comparison = compare(["d2", "d1", "d4", "d3"], ["d1", "d4", "d2", "d3"])
    assert comparison.normalized_area_curve == pytest.approx([1 / 1.5, 2.5 / 5, 3 / 8.5, 3 / 10], rel=1e-15)
    assert comparison.a_corr_curve == pytest.approx([1 / 3, 0.5, 5.5 / 8.5, 0.7])
    assert comparison.curves()["normalized_area_curve"] == comparison.normalized_area_curve.tolist()


@pytest.mark.parametrize("h", [1, 3, "1/i", 0.8, [1, -2, 0.5, -1, 3], [0, 0, 1, 1, 1]])
def test_the_largest_area_down_to_each_rank_is_that_of_all_orders(h):
    pairs = [RankingPair.of(list("abcde"), list(order)) for order in permutations("abcde")]
    assert worst_areas(pairs[7], h) == pytest.approx(np.max([area(pair, h) for pair in pairs], axis=0))


@pytest.mark.parametrize("h", [1, "1/i", [1, -2, 0.5, -1, 3, 2]])
@pytest.mark.parametrize("first", [[{"a", "b"}, "c", {"d", "e"}], ["a", {"b", "c", "d"}, "e"], [{"a", "b", "c"}, "d", "e"]])
def test_the_same_with_ties_in_the_first_ranking(first, h):
    pairs = [RankingPair.of(first, list(order)) for order in permutations("abcde")]
    assert worst_areas(pairs[7], h) == pytest.approx(np.max([area(pair, h) for pair in pairs], axis=0))


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(8)), st.integers(1, 8), st.sampled_from([1, "1/i", 0.5]))
def test_the_curve_ends_at_the_number(order, length, h):
    comparison = compare(order[:length], list(range(8)), h=h)
    curve = comparison.normalized_area_curve
    assert curve[-1] == pytest.approx(comparison.normalized_area)
    assert (curve >= 0).all()
    assert (curve <= 1 + 1e-12).all()


def test_where_there_is_nothing_to_lose_nothing_is_said():
    assert np.isnan(compare([{"a", "b"}], ["a", "b"]).normalized_area_curve).all()
    assert np.isnan(compare(list("ba"), list("ab"), h=[0, 1]).normalized_area_curve).tolist() == [True, False]


def test_a_constant_weight():
    """P1: h may be a constant; it multiplies every area and leaves A-corr."""
    once, twice = (compare(list("cabd"), list("abcd"), h=h) for h in (1, 2))
    assert twice.area.tolist() == (2 * once.area).tolist()
    assert (twice.worst_area, twice.a_corr) == (2 * once.worst_area, once.a_corr)
    assert weights(np.int64(2), 2).tolist() == [2, 2]
    for wrong in (0, -1, float("inf"), float("nan")):
        with pytest.raises(RankingError, match="expected h to be a constant"):
            weights(wrong, 3)


def test_ap_correlations_that_are_zero_are_zero():
    """Sums of thirds and sevenths that cancel, which floats add up to 1e-16."""
    orders = [list(order) for order in permutations(range(6))]
    values = [tau(RankingPair.of(order, orders[0])) for order in orders for tau in (tau_ap, tau_ap_b)]
    assert values.count(0.0) > 10
    assert not [value for value in values if 0 < abs(value) < 1e-9]
    assert compare(["d2", "d1", "d4", "d3"], ["d1", "d4", "d2", "d3"]).tau_ap == 0
    several = matrix(orders)["tau_ap"]
    assert not several[(several != 0) & (np.abs(several) < 1e-9)].size
