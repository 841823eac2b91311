"""The stretch index: no scale inside the bound reverses a statement, an extremal one just outside always does."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import judge, parse_measure, read_qrels
from mensura.errors import ScaleError
from mensura.measures.exact import exact_values
from mensura.scales.meaning.dominance import EQUAL, GROUPS, leaderboard
from mensura.scales.meaning.stretch import bent, leads, stretch_index

samples = st.integers(1, 7).flatmap(
    lambda topics: st.tuples(
        *[st.lists(st.fractions(0, 1, max_denominator=12), min_size=topics, max_size=topics)] * 2,
        st.lists(st.integers(0, 2), min_size=topics, max_size=topics),
    )
)


def gaps_and_leads(one, other, classes):
    """P and N by their definition: gaps between neighbouring values of a class, weighed by the lead above them."""
    positive = negative = Fraction(0)
    for label in set(classes):
        mine, yours = ([x for x, of in zip(row, classes, strict=True) if of == label] for row in (one, other))
        points = sorted({*mine, *yours})
        for low, high in pairwise(points):
            lead = sum(x >= high for x in mine) - sum(x >= high for x in yours)
            positive += max(lead, 0) * (high - low)
            negative += max(-lead, 0) * (high - low)
    return positive, negative


@given(samples)
def test_sums_of_sorted_differences_are_sums_of_gaps_and_leads(drawn):
    one, other, classes = drawn
    assert leads(one, other, classes) == gaps_and_leads(one, other, classes)
    assert leads(one, other) == gaps_and_leads(one, other, [0] * len(one))
    positive, negative = leads(one, other, classes)
    assert positive - negative == sum(one) - sum(other)


@given(samples)
def test_a_finer_partition_has_a_smaller_index(drawn):
    one, other, classes = drawn
    if sum(one) > sum(other):
        indices = [stretch_index(one, other, labels) for labels in (None, classes, range(len(one)))]
        assert indices[0] >= indices[1] >= indices[2] > 1


def sum_after(one, other, classes, factors):
    """Σ f(A) − Σ f(B) where the steps of each scale are stretched by factors: {(class, lower end): factor}."""
    total = Fraction(0)
    for label in set(classes):
        mine, yours = ([x for x, of in zip(row, classes, strict=True) if of == label] for row in (one, other))
        points = sorted({*mine, *yours})
        place = {points[0]: Fraction(0)}
        for low, high in pairwise(points):
            place[high] = place[low] + (high - low) * factors[label, low]
        total += sum(place[x] for x in mine) - sum(place[y] for y in yours)
    return total


def ends(one, other, classes):
    """The lower ends of all gaps, with the lead above them."""
    found = {}
    for label in set(classes):
        mine, yours = ([x for x, of in zip(row, classes, strict=True) if of == label] for row in (one, other))
        points = sorted({*mine, *yours})
        for low, high in pairwise(points):
            found[label, low] = sum(x >= high for x in mine) - sum(x >= high for x in yours)
    return found


def check(one, other, classes, rng, scales=20):
    """Random scales inside the bound, none of which reverses; the extremal one just outside, which does. Exact fractions."""
    index: Any = stretch_index(one, other, classes)
    places = ends(one, other, classes)
    bound = Fraction(1000) if index == math.inf else index
    for _ in range(scales):
        limit = bound if index == math.inf else bound * Fraction(999_999, 1_000_000)
        factors = {place: 1 + (limit - 1) * Fraction(int(rng.integers(0, 1001)), 1000) for place in places}
        if rng.integers(2):  # the extremes of the box
            factors = {place: limit if rng.integers(2) else Fraction(1) for place in places}
        assert sum_after(one, other, classes, factors) > 0
    if index == math.inf:
        return False
    outside = index * Fraction(1_000_001, 1_000_000)
    assert sum_after(one, other, classes, {place: outside if lead < 0 else Fraction(1) for place, lead in places.items()}) < 0
    return True


@settings(deadline=None)
@given(samples, st.integers(0, 2**32))
def test_scales_inside_and_outside_the_bound(drawn, seed):
    one, other, classes = drawn
    if sum(one) > sum(other):
        rng = np.random.default_rng(seed)
        for labels in ([0] * len(one), classes, list(range(len(one)))):
            check(one, other, labels, rng)


@given(samples)
def test_the_extremal_function_is_a_transformation(drawn):
    one, other, _ = drawn
    index = stretch_index(one, other)
    if sum(one) > sum(other) and index < math.inf:
        exactly, beyond = bent(one, other, index), bent(one, other, index + 1)
        assert sum(exactly.apply(one)) == sum(exactly.apply(other))
        assert sum(beyond.apply(one)) < sum(beyond.apply(other))


def test_examples():
    """P4's wineries: P = 20, N = 18. (1, 5) and (2, 3): 2/1. Equal means 1, equal samples none."""
    assert leads([6, 6, 12, 17, 32], [3, 3, 3, 12, 50]) == (20, 18)
    assert stretch_index([6, 6, 12, 17, 32], [3, 3, 3, 12, 50]) == Fraction(10, 9)
    assert stretch_index([1, 5], [2, 3]) == 2
    assert stretch_index([1, 3], [2, 2]) == 1
    assert math.isnan(stretch_index([1, 3], [3, 1]))
    assert stretch_index([2, 3], [3, 1]) == math.inf
    with pytest.raises(ScaleError, match="for the same topics"):
        stretch_index([1, 2], [1])


@pytest.fixture(scope="module")
def trec8(data):
    return judge(read_qrels(data / "trec8" / "qrels.txt"), sorted((data / "trec8" / "runs").iterdir()), depth=30)


def summary(board):
    decided = (board.verdicts >= 0) & (board.verdicts != EQUAL)
    return {
        group: (int(np.isinf(index).sum()), int((index > 3).sum()), float(np.median(index)))
        for group, index in ((group, board.stretches[group][decided]) for group in reversed(GROUPS))
    }


def test_trec8_average_precision(trec8):
    """TREC-8, own values: computed once in fractions by a separate program (dominance, above 3, median per group)."""
    board = leaderboard(parse_measure("AP@30"), trec8, interval=False)
    shown = summary(board)
    assert [row[:2] for row in shown.values()] == [(3694, 6887), (308, 5016), (265, 4905)]
    assert [row[2] for row in shown.values()] == pytest.approx([154, 4.83, 4.51], abs=0.5)
    assert [row[2] for row in list(shown.values())[1:]] == pytest.approx([4.83, 4.51], abs=0.005)
    assert next(iter(summary(leaderboard(parse_measure("AP@10"), trec8, interval=False)).values()))[:2] == (3521, 6865)
    one, two, three = (board.stretches[group] for group in reversed(GROUPS))
    decided = (board.verdicts >= 0) & (board.verdicts != EQUAL)
    assert (one[decided] >= two[decided] * (1 - 1e-12)).all()
    assert (two[decided] >= three[decided] * (1 - 1e-12)).all()
    assert (three[decided] >= 1).all()


@pytest.mark.slow
def test_trec8_on_the_interval_scale(trec8):
    shown = summary(leaderboard(parse_measure("AP@30"), trec8).on_interval_scale())
    assert [row[:2] for row in shown.values()] == [(3765, 7614), (308, 5357), (265, 5296)]
    assert [row[2] for row in shown.values()] == pytest.approx([4e7, 6.07, 5.69], rel=0.06)


@pytest.mark.parametrize(
    ("measure", "better", "worse", "indices"),
    [
        ("AP@30", "READWARE2", "CL99SD", (92.4417, 5.3447, 4.4773)),
        ("AP@30", "CL99XT", "CL99SD", (1.05538, 1.01911, 1.01911)),
        ("AP@10", "AntHoc1", "isa50", (math.inf, 2.0324, 1.8545)),
    ],
)
def test_trec8_single_pairs(trec8, measure, better, worse, indices):
    """The same program; in fractions and in doubles."""
    chosen = trec8.only([better, worse])
    board = leaderboard(parse_measure(measure), trec8, interval=False)
    first, second = np.asarray(exact_values(parse_measure(measure), chosen)).tolist()
    for group, index in zip(reversed(GROUPS), indices, strict=True):
        exact = float(stretch_index(first, second, board.labels[group].tolist()))
        assert exact == pytest.approx(index, rel=2e-5)
        assert board.stretches[group][board.index(better), board.index(worse)] == pytest.approx(exact, rel=1e-9)


def test_trec8_scales_inside_and_outside_the_bound(trec8):
    """AP@30 in fractions: random pairs, three groups each."""
    board = leaderboard(parse_measure("AP@30"), trec8, interval=False)
    values = exact_values(parse_measure("AP@30"), trec8)
    rng = np.random.default_rng(28)
    pairs = [(a, b) for a, b, verdict in board.pairs() if verdict != "equal means"]
    outside = 0
    for at in rng.choice(len(pairs), 25, replace=False).tolist():
        a, b = pairs[at]
        for group in GROUPS:
            outside += check(values[a].tolist(), values[b].tolist(), board.labels[group].tolist(), rng, scales=4)
    assert outside > 40
