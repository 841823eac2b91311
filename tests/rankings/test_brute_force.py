"""Every measure against its definition: all permutations, all ties."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from mensura.rankings import RankingPair, compare, kendall, worst_area
from tests.rankings import naive
from tests.rankings.every import top_lists, weak_rankings

SAME = {"abs": 1e-11, "nan_ok": True}
CHEAP = ("footrule", "kendall", "spearman", "tau_a", "tau_b", "tau_ap_b", "weighted_tau")


def check_cheap(found, first, second):
    numbers = found.numbers()
    assert numbers["kendall"] == naive.kendall(first, second)
    for name in CHEAP:
        assert numbers[name] == pytest.approx(getattr(naive, name)(first, second), **SAME), (name, first, second)


@pytest.mark.parametrize("size", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.slow)])
def test_all_permutations(size):
    """One ranking may stay as it is: only how items stand to each other counts."""
    first = list(range(size))
    for second in itertools.permutations(first):
        found = compare(first, second, p=0.8)
        check_cheap(found, first, second)
        assert found.point.tolist() == naive.point(first, second)
        assert found.tau_ap == pytest.approx(naive.strict_tau_ap(first, list(second)), **SAME)
        ext, low, high = naive.strict_rbo(first, second, 0.8)
        assert (found.rbo.extrapolated, found.rbo.minimum, found.rbo.maximum) == pytest.approx((ext, low, high), abs=1e-11)
        shared = naive.overlaps(first, second)
        assert found.agreement.tolist() == [shared[d] / (d + 1) for d in range(size)]
        for h, weigh in ((1, lambda k: 1), ("1/i", lambda k: 1 / k), (0.5, lambda k: 0.5**k)):
            other = compare(first, second, h=h)
            assert other.area[-1] == pytest.approx(naive.area(first, second, weigh), abs=1e-12)


def test_seven_items():
    first = list(range(7))
    for second in itertools.permutations(first):
        found = compare(first, second)
        moved = [second.index(k) - k for k in first]
        assert found.area[-1] == sum(d * d for d in moved) / 2
        assert found.footrule[-1] == sum(map(abs, moved))
        inversions = sum(second.index(j) > second.index(k) for j, k in itertools.combinations(first, 2))
        assert found.kendall[-1] == inversions
        assert found.tau_b == pytest.approx(1 - 4 * inversions / 42, abs=1e-12)
        assert found.tau_ap == pytest.approx(naive.strict_tau_ap(first, second), abs=1e-12)
        assert found.a_corr == pytest.approx((1 + found.spearman) / 2, abs=1e-12)


def shapes(items):
    """One ranking for each way to tie neighbours: all others are these with other names for the items."""
    for cuts in itertools.product([False, True], repeat=len(items) - 1):
        groups = [{items[0]}]
        for item, cut in zip(items[1:], cuts, strict=True):
            if cut:
                groups.append({item})
            else:
                groups[-1].add(item)
        yield groups


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_all_ties(size):
    items = "abcd"[:size]
    for first in shapes(items):
        for ranking in weak_rankings(items):
            second = regrouped(ranking)
            found = compare(first, second)
            assert found.point.tolist() == pytest.approx(naive.point(first, second), abs=1e-12)
            assert found.area[-1] == pytest.approx(naive.area(first, second, lambda k: 1), abs=1e-12)
            if size > 1:
                check_cheap(found, first, second)
                assert found.tau_ap == pytest.approx(naive.tau_ap(first, second), **SAME)
                assert kendall(found.pair, 0)[-1] == naive.kendall(first, second, 0)


@pytest.mark.parametrize("step", [31, pytest.param(1, marks=pytest.mark.slow)])
def test_all_ties_of_five_items(step):
    for first in shapes("abcde"):
        for ranking in weak_rankings("abcde")[::step]:
            check_cheap(compare(first, ranking), first, regrouped(ranking))


def regrouped(ranking):
    """A ranking as a list of sets."""
    starts = sorted(set(ranking.first.tolist()))
    return [set(ranking.items[start:stop]) for start, stop in zip(starts, [*starts[1:], len(ranking)], strict=True)]


def test_all_lists_of_different_items():
    lists = [*top_lists("abcd", 1), *top_lists("abcd", 2), *top_lists("abcd", 3)]
    for one, other in itertools.product(lists[:16], lists):
        first, second = list(one.items), list(other.items)
        found = compare(first, second, p=0.7)
        assert found.point.tolist() == pytest.approx(naive.point(first, second), abs=1e-12)
        if len(found.pair) > 1:
            check_cheap(found, first, second)
            assert found.tau_ap == pytest.approx(naive.tau_ap(first, second), **SAME)
        expected = naive.strict_rbo(first, second, 0.7)
        assert (found.rbo.extrapolated, found.rbo.minimum, found.rbo.maximum) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(3))
def test_the_worst_for_any_weights(size, seed):
    """Weights of either sign: the largest area of all permutations, found by trying them."""
    h = np.random.default_rng(seed).normal(size=size)
    first = list(range(size))
    pairs = [RankingPair.of(first, second) for second in itertools.permutations(first)]
    largest = max(compare(first, second, h=h).area[-1] for second in itertools.permutations(first))
    assert worst_area(pairs[0], h) == pytest.approx(largest, abs=1e-12)


def test_with_negative_weights_the_reversed_ranking_need_not_be_the_worst():
    h = [1.0, -2.0, -2.0, 1.0]
    first = [1, 2, 3, 4]
    assert worst_area(RankingPair.of(first, first), h) > compare(first, first[::-1], h=h).area[-1]


@pytest.mark.parametrize("h", [1, "1/i", 0.6])
def test_the_worst_with_ties_and_different_items(h):
    """Of all rankings that hold as many items, of them as many that the first does not hold."""
    for shape in shapes("abc"):
        largest = max(compare(shape, second, h=h).area[-1] for second in weak_rankings("abc"))
        assert compare(shape, ["c", "a", "b"], h=h).worst_area == pytest.approx(largest, abs=1e-12)
    for new in range(3):
        others = "xy"[:new]
        for size in range(max(new, 1), 4):
            kept = [
                ranking for chosen in itertools.combinations("abc", size - new) for ranking in weak_rankings([*chosen, *others])
            ]
            found = [compare(["a", "b", "c"], ranking, h=h) for ranking in kept]
            largest = max(each.area[-1] for each in found)
            assert {round(each.worst_area, 9) for each in found} == {round(largest, 9)}


def test_nothing_to_compare():
    found = compare(["a"], ["a"])
    assert found.area[-1] == 0
    assert all(math.isnan(value) for value in (found.spearman, found.tau_a, found.tau_b, found.tau_ap, found.a_corr))
    assert found.rbo.extrapolated == pytest.approx(1)
