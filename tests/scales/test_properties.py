"""Laws of φ for any measure, on random runs and parameters."""

from fractions import Fraction

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mensura.measures.decomposition import (
    Additive,
    AveragePrecision,
    Cascade,
    Decomposition,
    GeometricDiscount,
    LogDiscount,
    Weights,
)
from mensura.scales.interval import interval_scale
from tests.scales import oracle

LENGTH = 14
shares = st.fractions(min_value=0, max_value=1, max_denominator=12)
gains = st.tuples(st.just(Fraction(0)), shares, shares)


@st.composite
def measures(draw: st.DrawFn) -> Decomposition:
    """Any decomposition for the grades 0, 1, 2 and runs of length 14."""
    discounts = st.one_of(
        st.builds(LogDiscount, st.fractions(min_value=Fraction(5, 4), max_value=12, max_denominator=4), st.sampled_from([0, 1])),
        st.builds(GeometricDiscount, st.fractions(min_value=Fraction(1, 9), max_value=Fraction(8, 9), max_denominator=9)),
        st.builds(Weights, st.tuples(*[st.fractions(min_value=0, max_value=1, max_denominator=6)] * LENGTH)),
    )
    return draw(
        st.one_of(
            st.builds(Additive, discounts, gains),
            st.builds(AveragePrecision, st.sampled_from([1, 2])),
            st.builds(Cascade, st.tuples(st.just(Fraction(0)), *[st.sampled_from([Fraction(n, 4) for n in range(5)])] * 2)),
        )
    )


runs = st.lists(st.lists(st.sampled_from([0, 1, 2]), min_size=LENGTH, max_size=LENGTH), min_size=2, max_size=12)


@settings(max_examples=60, deadline=None)
@given(measures(), runs)
def test_ranks_are_strictly_monotone_in_the_value(measure: Decomposition, judged: list[list[int]]) -> None:
    scale = interval_scale(measure, LENGTH, (0, 1, 2))
    assume(scale.exact)
    exact = oracle.values(measure, [tuple(run) for run in judged], scale.grades)
    ranks = scale.rank(judged).tolist()
    for x, m in zip(exact, ranks, strict=True):
        for y, n in zip(exact, ranks, strict=True):
            assert (x < y, x == y) == (m < n, m == n)
    assert all(1 <= rank <= scale.steps for rank in ranks)


@settings(max_examples=40, deadline=None)
@given(measures(), runs)
def test_tie_strategies_bound_each_other(measure: Decomposition, judged: list[list[int]]) -> None:
    scale = interval_scale(measure, LENGTH, (0, 1, 2))
    assume(scale.exact)
    least, middle, greatest = (scale.rank(judged, ties) for ties in ("min", "mid", "max"))
    assert (scale.rank(judged) <= least).all()
    assert (least <= middle).all()
    assert ((least + greatest) == 2 * middle).all()
    assert (greatest <= scale.runs).all()


@settings(max_examples=40, deadline=None)
@given(gains.filter(lambda gain: len(set(gain)) == 3), st.sampled_from([0, 1]))
def test_the_best_run_is_the_last_step(gain: tuple[Fraction, ...], offset: int) -> None:
    measure = Additive(LogDiscount(Fraction(2), 1 if offset else 0), gain)
    scale = interval_scale(measure, LENGTH, (0, 1, 2))
    best = gain.index(max(gain))
    assert scale.rank([best] * LENGTH) == scale.steps
    assert scale.rank([0] * LENGTH) == 1


@settings(max_examples=30, deadline=None)
@given(st.fractions(min_value=Fraction(1, 7), max_value=50, max_denominator=7), runs)
def test_a_monotone_transform_changes_nothing(factor: Fraction, judged: list[list[int]]) -> None:
    """φ(M) = φ(f(M)) for increasing f: here f multiplies all gains."""
    one = Additive(LogDiscount(Fraction(2)), (Fraction(0), Fraction(1), Fraction(3)))
    other = Additive(LogDiscount(Fraction(2)), tuple(factor * gain for gain in one.gains))
    first, second = (interval_scale(measure, LENGTH, (0, 1, 2)) for measure in (one, other))
    assert first.steps == second.steps
    assert (first.rank(judged) == second.rank(judged)).all()


@settings(max_examples=40, deadline=None)
@given(measures(), runs, st.sampled_from([0.3, 0.05, 1e-3]))
def test_brackets_hold_the_exact_share(measure: Decomposition, judged: list[list[int]], width: float) -> None:
    scale = interval_scale(measure, LENGTH, (0, 1, 2))
    assume(scale.exact)
    bracket = scale.bracket(judged, width)
    for low, rank, high in zip(bracket.low.tolist(), scale.rank(judged).tolist(), bracket.high.tolist(), strict=True):
        assert Fraction(low) <= Fraction(rank, scale.steps) <= Fraction(high)
    assert bracket.width <= width


@settings(max_examples=30, deadline=None)
@given(measures(), st.integers(min_value=0, max_value=2**63))
def test_inverse_is_a_value_of_its_rank(measure: Decomposition, number: int) -> None:
    scale = interval_scale(measure, LENGTH, (0, 1, 2))
    assume(scale.exact)
    rank = 1 + number % scale.steps
    value = scale.inverse(rank)
    if isinstance(value, Fraction):
        assert scale.rank_values(value) == rank
        assert scale.rank_values(value - Fraction(1, 10**40)) == rank - 1


@settings(max_examples=30, deadline=None)
@given(st.integers(min_value=0, max_value=LENGTH), st.lists(st.booleans(), min_size=LENGTH, max_size=LENGTH))
def test_a_smaller_recall_base_only_removes_steps(recall_base: int, hits: list[bool]) -> None:
    run = np.array(hits, dtype=np.int8)
    for measure in (AveragePrecision(), Additive(LogDiscount(Fraction(2)), (Fraction(0), Fraction(1)))):
        everything = interval_scale(measure, LENGTH)
        attainable = interval_scale(measure, LENGTH, recall_base=recall_base)
        assert attainable.steps <= everything.steps
        if run.sum() <= recall_base:
            assert attainable.rank(run) <= everything.rank(run)
