"""Overlap and rank-biased overlap: published examples, bounds, ties."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import RankingError
from mensura.rankings import RankingPair, average_overlap, rbo, top_k_overlap
from tests.rankings import naive
from tests.rankings.strategies import ITEMS, rankings

# Corsi and Urbano, "The Treatment of Ties in Rank-Biased Overlap", SIGIR 2024: the example of the authors' software
# (github.com/julian-urbano/sigir2024-rbo, README), p = 0.95, to seven decimals.
X = ["red", {"blue", "green"}, "yellow", "pink"]
Y = [{"blue", "red"}, "white", {"yellow", "black", "purple"}, "green"]


@pytest.mark.parametrize(
    ("ties", "extrapolated", "minimum", "maximum"),
    [
        ("a", 0.6922853, 0.3310519, 0.8930692),
        ("w", 0.7068257, 0.3429684, 0.9049857),
        ("b", 0.7207131, 0.3509163, 0.9129336),
    ],
)
def test_the_example_with_ties(ties, extrapolated, minimum, maximum):
    for pair in (RankingPair.of(X, Y), RankingPair.of(Y, X)):
        found = rbo(pair, 0.95, ties)
        assert tuple(round(value, 7) for value in (found.extrapolated, found.minimum, found.maximum)) == (
            extrapolated,
            minimum,
            maximum,
        )
        assert round(found.residual, 7) == 0.5620173


def test_an_example_by_hand():
    """Lists a b c and b a d, p = 1/2: X = 0, 2, 2, so A = 0, 1, 2/3.

    Extrapolated: ½·0 + ¼·1 + ⅛·⅔ + ⅛·⅔ = 5/12. At least: ½·0 + ¼ + 1/12 + 2·(ln 2 − ½ − ⅛ − 1/24) = ⅓ + 2 ln 2 − 4/3.
    At most, c and d follow: A_4 = 1 and so on: ¼ + 1/12 + ⅛ = 11/24.
    """
    found = rbo(RankingPair.of(["a", "b", "c"], ["b", "a", "d"]), 0.5)
    assert found.extrapolated == pytest.approx(5 / 12)
    assert found.minimum == pytest.approx(2 * math.log(2) - 1)
    assert found.maximum == pytest.approx(11 / 24)


def test_overlap_by_hand():
    pair = RankingPair.of(["a", "b", "c"], ["b", "a", "d"])
    assert [top_k_overlap(pair, k) for k in (1, 2, 3, 4)] == [0, 1, 2 / 3, 2 / 4]
    assert average_overlap(pair) == pytest.approx((0 + 1 + 2 / 3) / 3)
    assert average_overlap(pair, 2) == 0.5
    assert average_overlap(pair, 4) == pytest.approx((0 + 1 + 2 / 3 + 2 / 4) / 4)


@settings(deadline=None)
@given(rankings(), rankings(), st.sampled_from([0.3, 0.8, 0.95]), st.sampled_from("abw"))
def test_the_bounds_hold_it(first, second, p, ties):
    there, back = rbo(RankingPair.of(first, second), p, ties), rbo(RankingPair.of(second, first), p, ties)
    assert -1e-12 <= there.minimum <= there.extrapolated + 1e-12
    assert there.minimum <= there.maximum <= 1 + 1e-12
    if ties != "b":
        assert there.extrapolated <= there.maximum + 1e-12
    assert there.extrapolated == pytest.approx(back.extrapolated, abs=1e-12)
    assert (there.minimum, there.maximum) == pytest.approx((back.minimum, back.maximum), abs=1e-12)


@settings(deadline=None)
@given(rankings(ties=False), rankings(ties=False), st.sampled_from([0.3, 0.9]))
def test_without_ties_all_variants_are_webbers(first, second, p):
    expected = naive.strict_rbo(first, second, p)
    for ties in "abw":
        found = rbo(RankingPair.of(first, second), p, ties)
        assert (found.extrapolated, found.minimum, found.maximum) == pytest.approx(expected, abs=1e-11)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_variant_a_is_the_mean_over_all_ways_to_break_ties(data):
    first, second = (data.draw(rankings(ITEMS[:4])) for _ in range(2))
    a, b = (list(naive.orders(naive.groups_of(ranking))) for ranking in (first, second))
    broken = [naive.strict_rbo(one, other, 0.8) for one in a for other in b]
    found = rbo(RankingPair.of(first, second), 0.8, "a")
    for at, value in enumerate((found.extrapolated, found.minimum, found.maximum)):
        assert value == pytest.approx(sum(each[at] for each in broken) / len(broken), abs=1e-11)


@settings(deadline=None)
@given(rankings())
def test_variant_b_agrees_with_itself(ranking):
    assert rbo(RankingPair.of(ranking, ranking), 0.9, "b").extrapolated == pytest.approx(1)
    assert rbo(RankingPair.of(ranking, ranking), 0.9, "a").extrapolated <= 1 + 1e-12


def test_long_lists_and_a_persistence_near_one():
    same = list(range(20000))
    assert rbo(RankingPair.of(same, same), 0.999).minimum == pytest.approx(1, abs=1e-8)
    wide = rbo(RankingPair.of(same, same), 0.9999999)
    assert 0 < wide.minimum < 1
    assert wide.maximum == pytest.approx(1)


def test_disjoint_lists_share_nothing():
    found = rbo(RankingPair.of(["a", "b"], ["c", "d"]), 0.9)
    assert found.extrapolated == found.minimum == 0
    assert found.maximum == pytest.approx(0.1 * (0.9**2 * 2 / 3 + 0.9**3) + 0.9**4)


def test_what_makes_no_sense_is_refused():
    pair = RankingPair.of(["a"], ["b"])
    with pytest.raises(RankingError, match="between 0 and 1"):
        rbo(pair, 1.0)
    with pytest.raises(RankingError, match="'a', 'b' or 'w'"):
        rbo(pair, 0.9, "x")
    with pytest.raises(RankingError, match="at least 1"):
        top_k_overlap(pair, 0)
    with pytest.raises(RankingError, match="at least 1"):
        average_overlap(pair, 0)
