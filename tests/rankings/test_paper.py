"""P1: its example, and the identities that hold for its measures."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.rankings import RankingPair, area, compare, footrule, kendall, point, worst_area
from mensura.rankings.axioms import strict_rankings
from tests.rankings.strategies import orders

ALPHA, BETA = ["d2", "d1", "d4", "d3"], ["d1", "d4", "d2", "d3"]


def test_the_example():
    """P1, section 2: F(1) = 3; the rest follows from Eqs. 1 to 5."""
    found = compare(ALPHA, BETA)
    assert (found.pair.y / 2).tolist() == [3, 1, 2, 4]
    assert found.misplacements.tolist() == [2, -1, -1, 0]
    assert found.footrule.tolist() == [2, 3, 4, 4]
    assert found.point.tolist() == [2, 1, 0, 0]
    assert found.area.tolist() == [1, 2.5, 3, 3]
    assert found.kendall.tolist() == [0, 1, 2, 2]
    assert found.worst_area == 10
    assert found.normalized_area == pytest.approx(0.3)
    assert found.a_corr == pytest.approx(0.7)


def test_the_reversed_ranking():
    found = compare(ALPHA, ALPHA[::-1])
    assert found.area[-1] == 10
    assert found.a_corr == 0
    assert compare(ALPHA, ALPHA).a_corr == 1


@settings(deadline=None)
@given(orders())
def test_identities(pair):
    """For h = 1: A = ½Σ(F(k) − k)², A-corr = (1 + ρ)/2, P(i) ≥ 0, P(n) = 0."""
    found = compare(*pair)
    moved = found.misplacements
    assert found.area[-1] == pytest.approx((moved**2).sum() / 2, abs=1e-9)
    assert found.a_corr == pytest.approx((1 + found.spearman) / 2, abs=1e-12)
    assert (found.point >= 0).all()
    assert found.point[-1] == 0
    assert found.symmetric_area == pytest.approx(found.area[-1])


@settings(deadline=None)
@given(orders())
def test_the_point_curve_is_zero_where_both_hold_the_same_items(pair):
    first, second = pair
    same = [set(first[:i]) == set(second[:i]) for i in range(1, len(first) + 1)]
    assert (compare(first, second).point == 0).tolist() == same


def test_the_area_is_no_metric():
    """Erratum: P1 says that it is. Positions (1,2,3), (2,1,3), (3,1,2): 1 + 1 < 3. A search finds such rankings for n = 3."""
    rankings = strict_rankings("abc")
    table = [[area(RankingPair.of(a, b))[-1] for b in rankings] for a in rankings]
    broken = [(i, j, k) for i, j, k in itertools.product(range(6), repeat=3) if table[i][k] > table[i][j] + table[j][k]]
    assert broken
    identity, middle, far = ["a", "b", "c"], ["b", "a", "c"], ["b", "c", "a"]
    distances = [area(RankingPair.of(x, y))[-1] for x, y in ((identity, middle), (middle, far), (identity, far))]
    assert distances == [1, 1, 3]
    roots = np.sqrt(np.array(table))
    assert (roots[:, None, :] <= roots[:, :, None] + roots[None, :, :] + 1e-12).all()


def test_the_point_is_no_metric():
    """Erratum: P1 says that it is. At n it is 0 for all rankings, and in between it is not symmetric."""
    first, second = ["a", "b", "c"], ["b", "c", "a"]
    there, back = point(RankingPair.of(first, second)), point(RankingPair.of(second, first))
    assert there.tolist() != back.tolist()
    assert there[-1] == back[-1] == 0


@settings(deadline=None)
@given(orders(), st.sampled_from([1, "1/i", 0.5, 0.9]))
def test_no_ranking_is_further_than_the_reversed_one(pair, h):
    first, second = pair
    assert area(RankingPair.of(first, second), h)[-1] <= area(RankingPair.of(first, first[::-1]), h)[-1] + 1e-12
    assert worst_area(RankingPair.of(first, second), h) == pytest.approx(area(RankingPair.of(first, first[::-1]), h)[-1])
    # and at every rank
    assert (point(RankingPair.of(first, second)) <= point(RankingPair.of(first, first[::-1]))).all()


@settings(deadline=None)
@given(orders())
def test_footrule_and_kendall_bound_each_other(pair):
    """Diaconis and Graham 1977: K ≤ S ≤ 2K."""
    made = RankingPair.of(*pair)
    distance, spread = kendall(made)[-1], footrule(made)[-1]
    assert distance <= spread <= 2 * distance
