"""Point and area with ties and for rankings of different items: what is promised about them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import RankingError
from mensura.rankings import Ranking, RankingPair, area, compare, footrule, kendall, normalized_area, point, symmetric_area, weights
from tests.rankings import naive
from tests.rankings.strategies import rankings

WEIGHTS = st.sampled_from([1, "1/i", 0.5, 0.9, np.sqrt, lambda ranks: ranks <= 3])


@settings(deadline=None)
@given(rankings(), rankings(), WEIGHTS)
def test_range(first, second, h):
    found = compare(first, second, h=h)
    assert (found.point >= -1e-12).all()
    assert found.point[-1] == 0
    assert (np.diff(found.area) >= -1e-12).all()
    if found.worst_area > 1e-12:
        assert -1e-12 <= found.normalized_area <= 1 + 1e-12


@settings(deadline=None)
@given(rankings(), WEIGHTS)
def test_a_ranking_is_no_distance_from_itself(ranking, h):
    found = compare(ranking, ranking, h=h)
    assert not found.point.any()
    assert not found.area.any()
    assert not found.footrule.any()
    assert not found.kendall.any()


@settings(deadline=None)
@given(rankings(), rankings())
def test_the_area_is_zero_if_the_second_contradicts_nothing(first, second):
    """Zero if and only if all that the first ranking says, the second says too; it may say more."""
    _, _, x, y = naive.both(first, second)
    agrees = all(y[one] < y[other] for one, other in itertools.permutations(x, 2) if x[one] < x[other])
    assert (area(RankingPair.of(first, second))[-1] == 0) == agrees


@settings(deadline=None)
@given(rankings(), rankings())
def test_the_symmetric_area(first, second):
    pair = RankingPair.of(first, second)
    assert symmetric_area(pair) == pytest.approx(((pair.x - pair.y) ** 2).sum() / 8)
    assert symmetric_area(pair) == pytest.approx(symmetric_area(pair.swapped))
    assert footrule(pair)[-1] == footrule(pair.swapped)[-1]
    assert kendall(pair)[-1] == kendall(pair.swapped)[-1]


@settings(deadline=None)
@given(st.data())
def test_lists_of_one_length_have_one_area(data):
    """Without ties, the area for h = 1 is the same from both sides if both lists hold as many items."""
    items = list("abcdefghij")
    size = data.draw(st.integers(1, 6))
    first, second = (data.draw(st.permutations(items))[:size] for _ in range(2))
    there, back = RankingPair.of(first, second), RankingPair.of(second, first)
    assert area(there)[-1] == pytest.approx(area(back)[-1])
    assert area(there)[-1] == pytest.approx(symmetric_area(there))


@settings(deadline=None)
@given(rankings(), rankings())
def test_from_the_other_side(first, second):
    pair, other = RankingPair.of(first, second), RankingPair.of(second, first)
    assert point(pair.swapped).tolist() == point(other).tolist()
    assert pair.swapped.at.tolist() == other.at.tolist()
    assert dict(zip(pair.swapped.items, pair.swapped.x.tolist(), strict=True)) == dict(
        zip(other.items, other.x.tolist(), strict=True)
    )


@pytest.mark.parametrize("size", [2, 5, 20])
@pytest.mark.parametrize("h", [1, "1/i", 0.8])
def test_as_the_overlap_goes_to_nothing(size, h):
    """Lists that agree at the top and share nothing below: the normalised area rises to 1 as the common top shrinks."""
    values = []
    for shared in range(size, -1, -1):
        first = [f"s{i}" for i in range(shared)] + [f"a{i}" for i in range(size - shared)]
        second = [f"s{i}" for i in range(shared)] + [f"b{i}" for i in range(size - shared)]
        values.append(normalized_area(RankingPair.of(first, second), h))
    assert values[0] == 0
    assert values[-1] == pytest.approx(1)
    assert all(one < other + 1e-12 for one, other in itertools.pairwise(values))


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, unique=True), rankings(), WEIGHTS)
def test_disjoint_lists_are_as_far_apart_as_can_be(first, second, h):
    found = compare(first, second, h=h)
    assert found.pair.shared == 0
    if found.worst_area > 1e-12:
        assert found.normalized_area == pytest.approx(1)


@settings(deadline=None)
@given(st.data())
def test_the_point_is_zero_at_the_end_of_a_group_where_both_hold_the_same(data):
    first, second = data.draw(rankings(list("abcdef"))), data.draw(rankings(list("abcdef")))
    curve = point(RankingPair.of(first, second))
    ends = list(itertools.accumulate(map(len, first)))
    whole = list(itertools.accumulate(second, set.union, initial=set()))
    for end, top in zip(ends, itertools.accumulate(first, set.union), strict=True):
        assert (curve[end - 1] == 0) == (top in whole)


@pytest.mark.parametrize("h", [1, "1/i", 0.7])
def test_a_ranking_that_ties_everything_has_no_worst(h):
    found = compare([set("abcde")], list("abcde"), h=h)
    assert found.worst_area == 0
    assert np.isnan(found.a_corr)


def test_half_of_the_other():
    """One list holds the first half of the other: it says nothing wrong, and the other says more.

    From the whole, F = 1, 2, 3, 5, 5, 5: P = 0, 0, 0, 1, 1, 0, A = 2. At worst, F = 5, 5, 5, 3, 2, 1: P = 4, 7, 9, 8, 5, 0, A = 33.
    """
    whole, half = list("abcdef"), list("abc")
    assert area(RankingPair.of(half, whole))[-1] == 0
    assert normalized_area(RankingPair.of(whole, half)) == pytest.approx(2 / 33)
    assert symmetric_area(RankingPair.of(whole, half)) == 1


@pytest.mark.parametrize(
    ("ranking", "says"),
    [
        ("abc", "is not a ranking"),
        ({"a", "b"}, "is not a ranking"),
        (3, "is not a ranking"),
        ([], "is empty"),
        (["a", set()], "is empty"),
        (["a", "b", "a"], "'a' is ranked twice"),
        (["a", {"b", "a"}], "'a' is ranked twice"),
        (np.array([3, 1, 3]), "3 is ranked twice"),
        (np.zeros((2, 2)), "2 dimensions"),
        ({"a": float("nan")}, "not a finite number"),
        ({"a": "b"}, "is not a score"),
    ],
)
def test_what_is_no_ranking(ranking, says):
    with pytest.raises(RankingError, match=says):
        Ranking.of(ranking)


@pytest.mark.parametrize(
    ("h", "says"),
    [
        ("i", "'1/i'"),
        (2, "between 0 and 1"),
        ([1.0], "each of 3 ranks"),
        (lambda ranks: "x", "gives no numbers"),
        (lambda ranks: ranks * np.nan, "finite number"),
    ],
)
def test_weights_that_make_no_sense(h, says):
    with pytest.raises(RankingError, match=says):
        weights(h, 3)


def test_a_penalty_that_makes_no_sense():
    with pytest.raises(RankingError, match="between 0 and 1"):
        compare(["a"], ["a"], penalty=2)


def test_arrays_and_lists_are_the_same():
    rng = np.random.default_rng(3)
    first, second = rng.choice(50, 20, replace=False), rng.choice(50, 30, replace=False)
    made = [compare(first, second), compare(first.tolist(), second.tolist()), compare(first, second.tolist())]
    assert made[0].numbers() == made[1].numbers() == made[2].numbers()
    assert list(made[0].pair.items) == list(made[1].pair.items)
    assert "A-corr" in repr(made[0])
