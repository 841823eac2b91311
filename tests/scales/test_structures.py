"""Difference structures (P0, Definition 1 and Theorem 1), the two top-heavy orders, S[N, K] of P4 §IV-D: by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import parse_measure
from mensura.errors import ScaleError
from mensura.scales.order.runs import covers, rank_based
from mensura.scales.order.set_based import set_scale
from mensura.scales.order.structures import broken_axiom, interval_on, represented
from mensura.scales.order.values import Subject
from mensura.scales.order.verdicts import NoCounterexample, Proven, Refuted


def differences(values):
    return [[b - a for b in values] for a in values]


@settings(deadline=None)
@given(st.lists(st.integers(0, 8), min_size=1, max_size=5))
def test_differences_of_numbers_are_a_structure_if_they_are_equally_spaced(values):
    """Theorem 1: axioms 2 and 3 hold for numbers, and solvability if and only if distinct values are equally far apart."""
    distinct = sorted(set(values))
    even = len({high - low for low, high in pairwise(distinct)}) <= 1
    broken = broken_axiom(differences(values))
    assert (broken is None) is even
    if even:
        scale = represented(differences(values))
        for a, b, c, d in product(range(len(values)), repeat=4):
            smaller = values[b] - values[a] <= values[d] - values[c]
            assert smaller is (scale[b] - scale[a] <= scale[d] - scale[c])
    else:
        assert broken[0] == 4
        assert represented(differences(values)) is None


def test_axioms_that_orders_of_differences_can_break():
    assert broken_axiom([[0, 1], [1, 0]])[0] == 2  # Δ_ab = Δ_ba, and not 0
    assert represented([[0, 1, 5], [-1, 0, 1], [-5, -1, 0]]) == [0, 1, 2]  # only the order of the differences counts
    assert broken_axiom([[0, 2, 1], [-2, 0, 1], [-1, -1, 0]])[0] == 3


@pytest.mark.parametrize("name", ["P", "RBP(p=0.5)", "RBP(p=0.8)", "AP", "RR", "ERR", "MFR"])
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_interval_scales_on_top_heavy_orders(name, length):
    """Every pair of runs: M is affine in the place (strong), or rises alike at every cover (weak)."""
    subject = Subject(parse_measure(name), length)
    runs = list(product((0, 1), repeat=length))
    values = {run: Fraction(subject.value(run)) * subject.sense for run in runs}
    places = sorted(runs, key=rank_based)
    steps = {values[high] - values[low] for low, high in pairwise(places)}
    strong = len(steps) == 1 and min(steps) > 0
    rises = {values[above] - values[run] for run in runs for above in covers(run)}
    weak = len(rises) == 1 and min(rises) > 0
    assert isinstance(interval_on(subject, "strong"), Proven if strong else Refuted)
    assert isinstance(interval_on(subject, "weak"), Proven if weak else Refuted)


def test_long_and_graded_runs():
    assert isinstance(interval_on(Subject(parse_measure("RBP(p=0.5)"), 300), "strong"), Proven)
    assert isinstance(interval_on(Subject(parse_measure("DCG"), 300), "strong"), Refuted)
    assert isinstance(interval_on(Subject(parse_measure("AP"), 100), "weak"), Refuted)
    assert isinstance(interval_on(Subject(parse_measure("ERR"), 4, (0, 1, 2)), "weak"), NoCounterexample)
    text = str(interval_on(Subject(parse_measure("P"), 3), "weak"))
    assert text == "no: the steps from 000 to 001 and from 001 to 010 change the value by 1/3 and 0"


@pytest.mark.parametrize(("lengths", "bases"), [((1, 2), (1, 2)), ((1, 2, 3), (1, 2, 3, 4)), ((3,), (5,)), ((1, 2, 3, 4), (2,))])
def test_set_based_measures_against_their_definitions(lengths, bases):
    """P4 §IV-D: r/n, r/RB and 2r/(n + RB)."""
    triples = [(r, n, base) for n in lengths for base in bases for r in range(min(n, base) + 1)]
    definitions = {
        "P": lambda r, n, _: Fraction(r, n),
        "R": lambda r, _, b: Fraction(r, b),
        "F": lambda r, n, b: Fraction(2 * r, n + b),
    }
    for name, value in definitions.items():
        assert set_scale(parse_measure(name), lengths, bases).values == tuple(sorted({value(*triple) for triple in triples}))


def test_s_n_k_is_interval_only_where_p4_says():
    """P only for N ≤ 2, R only for K ≤ 2, F only on S[1, 1]."""
    for top_length, top_base in product((1, 2, 3, 4), repeat=2):
        lengths, bases = range(1, top_length + 1), range(1, top_base + 1)
        even = [set_scale(parse_measure(name), lengths, bases).uneven is None for name in ("P", "R", "F")]
        found = [len(set_scale(parse_measure(name), lengths, bases).values) for name in ("P", "R", "F")]
        expected = [top_length <= 2, top_base <= 2, (top_length, top_base) == (1, 1)]
        assert all(a is b or number <= 2 for a, b, number in zip(even, expected, found, strict=True)), (top_length, top_base, even)


def test_what_is_not_set_based_is_refused():
    with pytest.raises(ScaleError, match="is not a set-based measure"):
        set_scale(parse_measure("P@3"), [3], [3])
    with pytest.raises(ScaleError, match="expected 1 to"):
        set_scale(parse_measure("P"), [0], [3])
