"""The order of judged runs: P0 §2.3 and §3, P4 §IV-B; brute force decides."""

from collections import deque
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.errors import ScaleError
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.runs import (
    chain,
    chains,
    comparable,
    compare,
    covers,
    difference,
    height,
    interval_precedes,
    natural_distance,
    parse_run,
    precedes,
    prefix_sums,
    rank_based,
    set_based,
    show_run,
    steps_at,
    steps_up,
)


def runs_of(length, top=1):
    return list(product(range(top + 1), repeat=length))


def below(r, s):
    """The definition, P0 Eq. 1."""
    return all(sum(r[:k]) <= sum(s[:k]) for k in range(1, len(r) + 1))


def test_p0_first_example():
    """P0 §3.2: the prefix sums (0, 1, 2, 2) count two replacements, one swap at rank 2 and two at rank 3."""
    r = parse_run("0110")
    assert prefix_sums(r) == (0, 1, 2, 2)
    steps = chain((0, 0, 0, 0), r)
    assert [step.kind for step in steps].count("replacement") == 2
    assert sorted(step.rank for step in steps if step.kind == "swap") == [2, 3, 3]


def test_p0_second_example():
    """P0 §3.2: from 0100 by 1000 and 1001 to 1010, with swaps at ranks 1 and 3 and a replacement at rank 4."""
    r, s = parse_run("0100"), parse_run("1010")
    assert [show_run(step.run) for step in chain(r, s)] == ["1000", "1001", "1010"]
    assert steps_at(r, s) == (1, 0, 1, 1)


def test_p0_third_example():
    """P0 §3.2: S − R = (0, 1, 1, 1, 2, 1, 1, 1, 0, 1) has Δ = (0, 1, 2, 3, 5, 6, 7, 8, 8, 9), above that of [u, v]."""
    r, s = parse_run("0000010010"), parse_run("0100100001")
    u, v = parse_run("1001011100"), parse_run("1011101000")
    assert steps_at(r, s) == (0, 1, 1, 1, 2, 1, 1, 1, 0, 1)
    assert difference(r, s) == (0, 1, 2, 3, 5, 6, 7, 8, 8, 9)
    assert difference(u, v) == (0, 0, 1, 2, 4, 5, 6, 6, 6, 6)
    assert interval_precedes((u, v), (r, s))
    assert not interval_precedes((r, s), (u, v))


def test_p0_swaps_at_the_top_are_larger():
    """P0 §3.2: both pairs are one step apart, but the swap at the top is the larger interval."""
    r, s, u, v = (tuple(int(rank == at) for rank in range(10)) for at in (1, 0, 9, 8))
    assert natural_distance(r, s) == natural_distance(u, v) == 1
    assert difference(r, s) == (1,) * 10
    assert difference(u, v) == (0,) * 8 + (1, 1)
    assert interval_precedes((u, v), (r, s))


def test_p4_comparable_and_incomparable_runs():
    """P4 §IV-B, on Figure 2."""
    top = parse_run("1110")
    for smaller in ("1101", "1100", "1011"):
        assert compare(parse_run(smaller), top) == "less"
        assert compare(top, parse_run(smaller)) == "greater"
    for other in ("1011", "0111"):
        assert compare(parse_run("1100"), parse_run(other)) == "incomparable"
        assert not comparable(parse_run("1100"), parse_run(other))
    assert compare(top, top) == "equal"


def test_p4_figure_2():
    """P4, Figure 2: the Hasse diagram of the 16 runs of length 4."""
    order = RunOrder(4)
    assert (order.size, order.cover_count, order.comparable_pairs, order.incomparable_pairs) == (16, 20, 110, 10)
    assert [show_run(run) for run in sorted(order.runs(), key=height)[:3]] == ["0000", "0001", "0010"]
    assert covers(parse_run("0110")) == [(1, 0, 1, 0), (0, 1, 1, 1)]


def test_p0_total_orders():
    """P0 §1: strong top-heaviness ranks (1, 0, 0, 0) before (0, 1, 1, 1). P4 §IV-C: the set-based order counts."""
    one, three = parse_run("1000"), parse_run("0111")
    assert rank_based(one) > rank_based(three)
    assert set_based(one) < set_based(three)


@pytest.mark.parametrize(("length", "top"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (1, 3), (2, 2), (3, 2), (2, 3)])
def test_numbers_against_brute_force(length, top):
    runs = runs_of(length, top)
    smaller = {(r, s) for r in runs for s in runs if r != s and below(r, s)}
    edges = {(r, s) for r, s in smaller if not any((r, t) in smaller and (t, s) in smaller for t in runs)}
    order = RunOrder(length, top)
    assert set(order.covers()) == edges
    assert order.cover_count == len(edges)
    assert order.comparable_pairs == len(smaller)
    assert order.interval_count == len(smaller) + len(runs)
    assert order.incomparable_pairs == len(runs) * (len(runs) - 1) // 2 - len(smaller)
    assert order.difference_count == len({difference(r, s) for r, s in smaller} | {(0,) * length})
    assert order.tallest == height((top,) * length)
    assert order.chain_count == sum(1 for _ in chains((0,) * length, (top,) * length)) if order.size <= 16 else True
    assert all((rank_based(r, top) < rank_based(s, top)) and (set_based(r) <= set_based(s)) for r, s in smaller)


def shortest(start, top, edges):
    """Lengths of the shortest ways up, breadth first."""
    far = {start: 0}
    queue = deque([start])
    while queue:
        run = queue.popleft()
        for above in edges[run]:
            if above not in far:
                far[above] = far[run] + 1
                queue.append(above)
    return far


@pytest.mark.parametrize(("length", "top"), [*((length, 1) for length in range(1, 9)), (1, 2), (2, 2), (3, 2), (4, 2)])
def test_natural_distances_are_shortest_chains(length, top):
    """All pairs: a run is above another if a way leads there, and the last entry of Δ is how long the shortest one is."""
    runs = runs_of(length, top)
    edges = {}
    for run in runs:  # the steps, anew: one grade more at the last rank, or one grade from a rank to the one before it
        ways = [(*run[:-1], run[-1] + 1)] if run[-1] < top else []
        ways += [
            (*run[:at], run[at] + 1, run[at + 1] - 1, *run[at + 2 :]) for at in range(length - 1) if run[at] < top and run[at + 1]
        ]
        edges[run] = ways
    for r in runs:
        far = shortest(r, top, edges)
        for s in runs:
            assert precedes(r, s) == (s in far)
            if s in far:
                assert natural_distance(r, s) == far[s]


@pytest.mark.parametrize(("length", "top"), [(4, 1), (5, 1), (3, 2)])
def test_all_maximal_chains_are_equally_long_and_take_the_same_steps(length, top):
    for r, s in combinations(runs_of(length, top), 2):
        if precedes(r, s):
            for way in chains(r, s):
                assert len(way) == natural_distance(r, s)
                assert [sum(step.rank == rank for step in way) for rank in range(1, length + 1)] == list(steps_at(r, s))
                assert all(step.kind == ("replacement" if step.rank == length else "swap") for step in way)


graded = st.integers(1, 12).flatmap(
    lambda length: st.lists(st.lists(st.integers(0, 3), min_size=length, max_size=length), min_size=2, max_size=2)
)


@given(graded)
def test_difference_is_the_cumulated_cumulated_difference(pair):
    """P0, Definition 2: Δ[i] = Σ_{j≤i} (i − j + 1)(s[j] − r[j])."""
    r, s = (tuple(run) for run in pair)
    if not precedes(r, s):
        with pytest.raises(ScaleError, match="is not an interval"):
            difference(r, s)
        return
    expected = [sum((i - j + 1) * (s[j - 1] - r[j - 1]) for j in range(1, i + 1)) for i in range(1, len(r) + 1)]
    assert list(difference(r, s)) == expected
    way = chain(r, s)
    assert len(way) == expected[-1] == height(s) - height(r)
    assert not way or way[-1].run == s
    for before, after in zip([r, *(step.run for step in way)], way, strict=False):
        assert after in steps_up(before, max(*r, *s))


def test_layout_places_runs_on_their_height_without_overlap():
    places = RunOrder(6).layout()
    assert len(set(places.values())) == 64
    assert all(y == height(run) for run, (_, y) in places.items())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: parse_run("01x"), "is not a judged run"),
        (lambda: parse_run(""), "is not a judged run"),
        (lambda: parse_run([0, -1]), "is not a judged run"),
        (lambda: compare((0, 1), (1,)), "have 2 and 1 ranks"),
        (lambda: difference((1, 0), (0, 1)), "the first 1 ranks of 01 contain less"),
        (lambda: RunOrder(0), "at least 1"),
        (lambda: RunOrder(17).runs(), "too many to list"),
    ],
)
def test_what_has_no_place_in_the_order_is_refused(make, message):
    with pytest.raises(ScaleError, match=message):
        make()


def test_runs_are_written_as_they_are_read():
    assert parse_run("0, 1, 2") == (0, 1, 2)
    assert show_run((0, 10, 2)) == "0,10,2"
    assert str(steps_up((0, 1))[0]) == "swap of ranks 1 and 2"
    assert str(steps_up((1, 0))[0]) == "replacement at rank 2"
