"""The order of judged runs: P0 §2.3 and §3, P4 §IV-B; brute force decides."""

from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.errors import ScaleError
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.runs import (
    chain,
    chain_lengths,
    chains,
    comparable,
    compare,
    covers,
    difference,
    differences,
    first_excess,
    height,
    interval_precedes,
    natural_distance,
    parse_run,
    precedes,
    prefix_counts,
    rank_based,
    set_based,
    show_run,
    steps_at,
    steps_up,
)
from mensura.scales.order.runs import length as interval_length


def runs_of(length, top=1):
    return list(product(range(top + 1), repeat=length))


def raised(run, top):
    """The runs that are one swap or one replacement away, by their definitions (P0 §3.2): any ranks, any higher grade."""
    for upper, grade in enumerate(run):
        yield from ((*run[:upper], higher, *run[upper + 1 :]) for higher in range(grade + 1, top + 1))
        for lower in range(upper + 1, len(run)):
            if run[lower] > grade:
                yield (*run[:upper], run[lower], *run[upper + 1 : lower], grade, *run[lower + 1 :])


@cache
def closure(length, top=1):
    """The runs that swaps and replacements lead to from each run, by search."""
    above = {}
    for run in sorted(runs_of(length, top), key=lambda run: -sum(accumulate(run))):
        above[run] = set().union(*({other} | above[other] for other in raised(run, top)))
    return above


def test_p0_first_example():
    """P0 §3.2: the prefix sums (0, 1, 2, 2) count two replacements, one swap at rank 2 and two at rank 3."""
    r = parse_run("0110")
    assert prefix_counts(r) == (0, 1, 2, 2)
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


SMALL = [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (1, 3), (2, 2), (3, 2), (4, 2), (2, 3), (3, 3), (2, 4)]


@pytest.mark.parametrize(("length", "top"), [*SMALL, (7, 1)])
def test_the_order_is_the_closure_of_swaps_and_replacements(length, top):
    """The theorem of docs/orders.md, pair by pair: thresholds on one side, a search that knows only the changes on the other."""
    above = closure(length, top)
    for r in above:
        assert {s for s in above if precedes(r, s)} == above[r] | {r}


@pytest.mark.parametrize(("length", "top"), SMALL)
def test_numbers_against_brute_force(length, top):
    above = closure(length, top)
    smaller = {(r, s) for r in above for s in above[r]}
    edges = {(r, s) for r, s in smaller if not any(s in above[t] for t in above[r])}
    order = RunOrder(length, top)
    assert set(order.covers()) == edges
    assert order.cover_count == len(edges) == len(list(order.covers()))
    assert order.comparable_pairs == len(smaller)
    assert order.interval_count == len(smaller) + len(above)
    assert order.incomparable_pairs == len(above) * (len(above) - 1) // 2 - len(smaller)
    assert order.difference_count == len({differences(r, s, top) for r, s in smaller} | {((0,) * length,) * top})
    assert all((rank_based(r, top) < rank_based(s, top)) and (set_based(r) <= set_based(s)) for r, s in smaller)
    assert all(height(r) < height(s) for r, s in smaller)


@pytest.mark.parametrize(
    ("length", "top", "pairs", "covered"),
    [(4, 1, 110, 20), (2, 2, 32, 11), (3, 2, 274, 46), (4, 2, 2226, 175), (5, 2, 17945, 634), (2, 3, 99, 24), (3, 3, 1371, 140)],
)
def test_known_numbers_of_graded_runs(length, top, pairs, covered):
    """Counted once by a separate program: the closure of all changes, pair by pair."""
    order = RunOrder(length, top)
    assert (order.comparable_pairs, order.cover_count) == (pairs, covered)


def test_runs_that_sums_of_grades_would_order():
    """A replacement and a loss, or two grades for one: the sums rise, but P(rel=2)@1 and P@2 disagree about the runs."""
    for r, s in (("11", "20"), ("02", "11"), ("012", "111")):
        assert compare(parse_run(r), parse_run(s)) == "incomparable"
    assert compare(parse_run("02"), parse_run("20")) == compare(parse_run("10"), parse_run("11")) == "less"
    assert first_excess((1, 1), (2, 0)) == (2, 1)  # P@2: 1 and 1/2
    assert first_excess((2, 0), (1, 1)) == (1, 2)  # P(rel=2)@1: 1 and 0


@pytest.mark.parametrize("run", runs_of(4, 2))
def test_a_measure_disagrees_about_incomparable_runs(run):
    """P(rel=g)@k respects every change, and prefers r to s where r has more documents of grade g or higher down to k."""
    for other in runs_of(4, 2):
        if not precedes(run, other):
            rank, grade = first_excess(run, other) or (0, 0)
            assert sum(held >= grade for held in run[:rank]) > sum(held >= grade for held in other[:rank])


def ways_up(length, top):
    """Lengths of the shortest and the longest maximal chain between two runs, by dynamic programming over brute-force covers."""
    above = closure(length, top)
    edges = {r: [s for s in above[r] if not any(s in above[t] for t in above[r])] for r in above}
    for r in above:
        far = {r: (0, 0)}
        for run in sorted(above[r] | {r}, key=height):
            for s in edges[run]:
                low, high = far.get(s, (length * length * top, 0))
                far[s] = min(low, far[run][0] + 1), max(high, far[run][1] + 1)
        yield r, far


@pytest.mark.parametrize(("length", "top"), [(4, 1), (7, 1), (2, 2), (3, 2), (4, 2), (2, 3), (3, 3)])
def test_lengths_of_chains(length, top):
    uneven = 0
    for r, far in ways_up(length, top):
        for s, lengths in far.items():
            assert chain_lengths(r, s) == lengths
            uneven += lengths[0] < lengths[1]
            if max(*r, *s) == 1:
                assert lengths == (natural_distance(r, s),) * 2
        if not any(r):
            order = RunOrder(length, top)
            assert far[(top,) * length] == (order.shortest_chain, order.longest_chain)
    assert uneven == {(4, 2): 1067}.get((length, top), uneven)  # of 2226 pairs; counted by a separate program
    assert bool(uneven) == (top > 1)


def test_chains_of_graded_runs_differ_in_length():
    ways = {tuple(show_run(step.run) for step in way) for way in chains((1, 0), (2, 1))}
    assert ways == {("20", "21"), ("11", "12", "21")}
    assert covers((0, 2), 2) == [(2, 0), (1, 2)]  # a swap by two grades, and a replacement before the last rank
    assert (1, 2, 0) in covers((0, 2, 1), 2)  # ranks that are not neighbours
    assert chain_lengths((0,) * 12, (3,) * 12) is None  # 4 ** 12 runs are between them
    with pytest.raises(ScaleError, match="a difference vector for each grade"):
        natural_distance((1, 0), (2, 1))


@pytest.mark.parametrize("length", [4, 5])
def test_all_maximal_chains_of_binary_runs_take_the_same_steps(length):
    for r, s in combinations(runs_of(length), 2):
        if precedes(r, s):
            for way in chains(r, s):
                assert len(way) == natural_distance(r, s)
                assert [sum(step.rank == rank for step in way) for rank in range(1, length + 1)] == list(steps_at(r, s))
                assert all(step.kind == ("replacement" if step.rank == length else "swap") for step in way)


graded = st.integers(1, 12).flatmap(
    lambda length: st.lists(st.lists(st.integers(0, 3), min_size=length, max_size=length), min_size=2, max_size=2)
)


@given(graded)
def test_differences_are_cumulated_cumulated_differences(pair):
    """P0, Definition 2, for each grade g: Δ[i] = Σ_{j≤i} (i − j + 1)([s[j] ≥ g] − [r[j] ≥ g])."""
    r, s = (tuple(run) for run in pair)
    if not precedes(r, s):
        with pytest.raises(ScaleError, match="is not an interval"):
            differences(r, s)
        return
    expected = tuple(
        tuple(sum((i - j + 1) * ((s[j - 1] >= grade) - (r[j - 1] >= grade)) for j in range(1, i + 1)) for i in range(1, len(r) + 1))
        for grade in range(1, max(*r, *s, 1) + 1)
    )
    assert differences(r, s) == expected
    assert sum(vector[-1] for vector in expected) == height(s) - height(r)
    way = chain(r, s)
    assert not way or way[-1].run == s
    for before, after in zip([r, *(step.run for step in way)], way, strict=False):
        assert after in steps_up(before, max(*r, *s))


@given(graded, st.data())
def test_convex_lengths_keep_the_order_of_intervals(pair, data):
    """P0 §3.2: any convex combination of the entries of Δ."""
    r, s = (tuple(run) for run in pair)
    if not precedes(r, s):
        return
    way = [r, *(step.run for step in chain(r, s))]
    u = data.draw(st.sampled_from(way))
    parts = data.draw(st.lists(st.integers(0, 5), min_size=len(r), max_size=len(r)))
    weights = [Fraction(part, sum(parts) or 1) for part in parts]
    if not any(parts):
        with pytest.raises(ScaleError, match="whose sum is 1"):
            interval_length(r, s, weights)
        return
    assert interval_precedes((r, u), (r, s))
    assert interval_length(r, u, weights) + interval_length(u, s, weights) == interval_length(r, s, weights)
    assert interval_length(r, u, weights) <= interval_length(r, s, weights)


def test_layout_places_runs_on_their_height_without_overlap():
    places, bends = RunOrder(6).layout()
    assert len(set(places.values())) == 64
    assert all(y == height(run) for run, (_, y) in places.items())
    assert not any(bends.values())  # every step of binary runs is one level


def test_edges_over_several_levels_do_not_run_through_boxes():
    places, bends = RunOrder(3, 2).layout()
    points = [*places.values(), *(point for between in bends.values() for point in between)]
    assert len(set(points)) == len(points)
    for (low, high), between in bends.items():
        assert [y for _, y in between] == list(range(height(low) + 1, height(high)))
    assert len(bends[(0, 0, 2), (0, 2, 0)]) == 1  # a swap by two grades


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: parse_run("01x"), "is not a judged run"),
        (lambda: parse_run(""), "is not a judged run"),
        (lambda: parse_run([0, -1]), "is not a judged run"),
        (lambda: compare((0, 1), (1,)), "have 2 and 1 ranks"),
        (lambda: difference((1, 0), (0, 1)), "the first 1 ranks of 01 contain less"),
        (lambda: difference((2, 0), (1, 1)), "the first 1 ranks of 11 contain fewer documents of grade 2 or higher"),
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
