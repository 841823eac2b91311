"""Properties of measures: the papers' examples, the theorem against brute force, searches against brute force."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise, product
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import parse_measure
from mensura.errors import ScaleError
from mensura.measures.base import Measure
from mensura.measures.decomposition import Additive, AveragePrecision, Cascade, Weights
from mensura.measures.reals import exact_weights
from mensura.scales.order.equispaced import equispaced
from mensura.scales.order.interval_like import interval_like, second_differences
from mensura.scales.order.intervals import census
from mensura.scales.order.monotone import monotone
from mensura.scales.order.runs import difference, natural_distance, parse_run, precedes
from mensura.scales.order.values import Subject
from mensura.scales.order.verdicts import NoCounterexample, Proven, Refuted, holds
from mensura.scales.proofs import properties
from mensura.scales.types import INTERVAL, NOMINAL, ORDINAL


@dataclass(frozen=True, kw_only=True, repr=False)
class Weighted(Measure):
    """A sum with weights that a test chooses."""

    weights: tuple[Fraction, ...] = ()
    gains: tuple[Fraction, ...] = (Fraction(0), Fraction(1))
    name: ClassVar[str] = "Weighted"

    def decompose(self, length, grades):
        return Additive(Weights(self.weights), self.gains)

    def score(self, judged):
        gains = np.array([float(gain) for gain in self.gains])
        return gains[np.maximum(judged.top(len(self.weights)), 0)] @ np.array([float(weight) for weight in self.weights])


@dataclass(frozen=True, kw_only=True, repr=False)
class Listed(Measure):
    """Any values that a test chooses, one for each run."""

    values: tuple[float, ...] = ()
    length: int = 1
    name: ClassVar[str] = "Listed"

    def score(self, judged):
        digits = np.maximum(judged.top(self.length), 0)
        return np.array(self.values)[digits @ (2 ** np.arange(self.length - 1, -1, -1))]


def exactly(name, length, grades=(0, 1)):
    """Values of all runs by the definitions of FACTS and of P0, P4."""
    subject = Subject(parse_measure(name), length, grades)
    return {run: subject.value(run) for run in product(grades, repeat=length)}


def violations(values, *, equal_mass=False):
    """All pairs of intervals that contradict the definition, by four loops; Δ is computed anew, for every grade."""
    top = max(map(max, values))

    def delta(r, s):
        above = [[(b >= g) - (a >= g) for a, b in zip(r, s, strict=True)] for g in range(1, top + 1)]
        return [entry for row in above for entry in accumulate(accumulate(row))]

    intervals = [
        (r, s, delta(r, s), values[s] - values[r])
        for r in values
        for s in values
        if precedes(r, s) and (not equal_mass or sorted(r) == sorted(s))
    ]
    return [
        ((r, s), (u, v))
        for r, s, large, rise in intervals
        for u, v, small, other in intervals
        if rise < other and all(a >= b for a, b in zip(large, small, strict=True))
    ]


def brute(name, length):
    """The definitions of the measures, in fractions."""
    values = {}
    for run in product((0, 1), repeat=length):
        if name == "AP":
            values[run] = sum((Fraction(sum(run[:i]), i) for i in range(1, length + 1) if run[i - 1]), Fraction(0))
        elif name == "RR":
            values[run] = next((Fraction(1, i) for i in range(1, length + 1) if run[i - 1]), Fraction(0))
        else:
            values[run] = sum(
                (Fraction(1, i) * Fraction(1, 2) ** sum(run[:i]) for i in range(1, length + 1) if run[i - 1]), Fraction(0)
            )
    return values


# ── examples of the papers ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_p0_err_is_not_interval_like():
    """P0 §3.3: r, s, u, v of length 10 with Δ_sr ≤ Δ_vu and ERR(s) − ERR(r) = .011905 > ERR(v) − ERR(u) = .010417."""
    subject = Subject(parse_measure("ERR"), 10)
    r, s, u, v = map(parse_run, ("0000001110", "0000010110", "1101011011", "1110011011"))
    assert all(a <= b for a, b in zip(difference(r, s), difference(u, v), strict=True))
    rises = subject.value(s) - subject.value(r), subject.value(v) - subject.value(u)
    assert rises == (Fraction(1, 84), Fraction(1, 96))
    assert (round(float(rises[0]), 6), round(float(rises[1]), 6)) == (0.011905, 0.010417)
    rival = properties(parse_measure("ERR@10"))
    for answer in (rival.interval_like, rival.interval_like_equal_mass):  # P0's runs are not the smallest ones
        found = answer.counterexample
        assert natural_distance(*found.larger) + natural_distance(*found.smaller) <= 18
        assert max(max(np.flatnonzero(run), default=0) for run in (*found.larger, *found.smaller)) <= 2


def test_p0_ap_is_not_interval_like():
    """P0 §3.3: r, s, u of length 10 with Δ_sr ≥ Δ_us, but AP · RB rises by 1.2 < 1.2714."""
    subject = Subject(parse_measure("AP"), 10)
    r, s, u = map(parse_run, ("0000000000", "0100100001", "0100111001"))
    assert all(a >= b for a, b in zip(difference(r, s), difference(s, u), strict=True))
    assert subject.value(s) - subject.value(r) == Fraction("1.2")
    assert round(float(subject.value(u) - subject.value(s)), 4) == 1.2714
    found = interval_like(subject).counterexample
    assert (found.larger, found.smaller) == (
        tuple(map(parse_run, ("0000000000", "0100000000"))),
        tuple(map(parse_run, ("1000000000", "1100000000"))),
    )
    assert (found.rise_larger, found.rise_smaller) == (Fraction(1, 2), 1)


@pytest.mark.parametrize("length", [1, 2, 3, 5, 8, 10, 30, 100])
def test_p0_rbp_is_interval_like_where_the_theorem_says_so(length):
    """P0 §3.3 finds RBP interval-like if the ends hold equally many relevant documents; for p ≤ 1/2 it is so on all intervals."""
    for p in ("0.1", "0.3", "0.5", "0.51", "0.8", "0.85", "0.95"):
        subject = Subject(parse_measure(f"RBP(p={p})"), length)
        assert isinstance(interval_like(subject, equal_mass=True), Proven)
        assert holds(interval_like(subject)) is (float(p) <= 0.5 or length == 1)


def test_p0_dcg_with_the_original_discount_is_not():
    """P0 §3.3 calls DCG interval-like on equal-mass intervals; with weights 1, 1, .63 … [0100, 1000] and [0010, 0100] refute it."""
    found = interval_like(Subject(parse_measure("DCG(base=2)"), 4), equal_mass=True).counterexample
    assert (found.larger, found.smaller) == (((0, 1, 0, 0), (1, 0, 0, 0)), ((0, 0, 1, 0), (0, 1, 0, 0)))
    assert found.differences == (((1, 1, 1, 1),), ((0, 1, 1, 1),))
    assert found.rise_larger.sign() == 0
    assert round(float(found.rise_smaller), 3) == 0.369
    assert isinstance(interval_like(Subject(parse_measure("DCG(base=2)"), 3), equal_mass=True), Refuted)
    assert isinstance(interval_like(Subject(parse_measure("DCG(base=2)"), 2), equal_mass=True), Proven)


@pytest.mark.parametrize("length", [1, 2, 4, 10, 50, 300])
def test_dcg_with_log2_of_the_next_rank_is(length):
    for name in ("DCG", "nDCG"):
        assert isinstance(interval_like(Subject(parse_measure(name), length), equal_mass=True), Proven)


def test_p4_which_measures_are_interval_scales():
    """P4 §IV-B: for one topic P, R, F and RBP with p = 1/2 are; AP, other RBP, DCG, ERR and RR are not (Figure 3: N = 4)."""
    for name in ("P", "R", "F", "RBP(p=0.5)", "MFR", "Success"):
        assert properties(parse_measure(name), 4).scale >= INTERVAL, name
    for name in ("AP", "RR", "ERR", "RBP(p=0.3)", "RBP(p=0.8)", "DCG", "DCG(base=2)", "nDCG"):
        assert properties(parse_measure(name), 4).scale == ORDINAL, name


def test_p4_figure_3_unused_ranges():
    """P4 §IV-B, Figure 3: AP leaves the top quarter unused, RR the top half, RBP with p = .3 the middle half."""
    values = {name: sorted(set(exactly(name, 4).values())) for name in ("AP", "RR", "RBP(p=0.3)")}
    shares = {name: [value / each[-1] for value in each] for name, each in values.items()}
    assert shares["AP"][-2] == Fraction(3, 4)
    assert shares["RR"][-2] == Fraction(1, 2)
    gaps = np.diff([float(value) for value in values["RBP(p=0.3)"]])
    assert gaps.max() == pytest.approx(0.7 - (0.21 + 0.063 + 0.0189))


def test_example_9_reciprocal_ranks():
    """P4, Example 9: first relevant at ranks 1 and 4, or 2 and 2: MRR .625 and .5, mean rank 2.5 and 2."""
    rr, rank = (Subject(parse_measure(name), 4) for name in ("RR", "MFR"))
    a, b = (parse_run("1000"), parse_run("0001")), (parse_run("0100"),) * 2
    assert [sum(map(rr.value, system)) / 2 for system in (a, b)] == [Fraction("0.625"), Fraction("0.5")]
    assert [sum(map(rank.value, system)) / 2 for system in (a, b)] == [Fraction("2.5"), 2]
    assert isinstance(equispaced(rank), Proven)
    assert isinstance(equispaced(rr), Refuted)


def test_example_10_and_table_1():
    """P4, Example 10 and Table 1 (RB = 4): MAP .5625, .5521, .1667, .1771. The same swap at ranks 3 and 4, opposite decisions."""
    subject = Subject(parse_measure("AP"), 4)
    systems = {
        "A": ("1110", "1001"),
        "B": ("1101", "1010"),
        "C": ("0010", "0101"),
        "D": ("0001", "0110"),
    }
    means = {name: sum(subject.value(parse_run(run)) for run in runs) / 2 / 4 for name, runs in systems.items()}
    assert {name: round(float(mean), 4) for name, mean in means.items()} == {"A": 0.5625, "B": 0.5521, "C": 0.1667, "D": 0.1771}
    for better, worse in (("1110", "1101"), ("1010", "1001"), ("0010", "0001"), ("0110", "0101")):
        assert difference(parse_run(worse), parse_run(better)) == (0, 0, 1, 1)


# ── against brute force ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["AP", "RR", "ERR"])
@pytest.mark.parametrize("length", [1, 2, 3, 4])
@pytest.mark.parametrize("equal_mass", [False, True])
def test_searches_find_what_four_loops_find(name, length, equal_mass):
    values = brute(name, length)
    assert exactly(name, length) == values
    subject = Subject(parse_measure(name), length)
    answer = interval_like(subject, equal_mass=equal_mass)
    found = violations(values, equal_mass=equal_mass)
    assert isinstance(answer, Refuted if found else Proven)
    if found:
        shown = answer.counterexample
        assert (shown.larger, shown.smaller) in found
        assert values[shown.larger[1]] - values[shown.larger[0]] == shown.rise_larger < shown.rise_smaller

        def size(pair):  # zeros at the end, then steps, then the runs
            last = max(max(np.flatnonzero(run), default=-1) for interval in pair for run in interval)
            return last, sum(natural_distance(*interval) for interval in pair), pair

        assert size((shown.larger, shown.smaller)) == min(map(size, found))


@pytest.mark.parametrize("name", ["AP", "RR", "ERR", "RBP(p=0.8)", "P"])
@pytest.mark.parametrize("equal_mass", [False, True])
def test_the_census_counts_what_four_loops_count(name, equal_mass):
    counted = census(Subject(parse_measure(name), 4), equal_mass=equal_mass)
    values = exactly(name, 4)
    intervals = [(r, s) for r in values for s in values if r != s and precedes(r, s) and (not equal_mass or sum(r) == sum(s))]
    compared = sum(
        first != second and all(a >= b for a, b in zip(difference(*first), difference(*second), strict=True))
        for first in intervals
        for second in intervals
    )
    real = [(first, second) for first, second in violations(values, equal_mass=equal_mass) if second[0] != second[1]]
    assert (counted.intervals, counted.compared, counted.violated) == (len(intervals), compared, len(real))


weights = st.lists(st.fractions(0, 4, max_denominator=3), min_size=1, max_size=4).map(tuple)


@settings(max_examples=60, deadline=None)
@given(weights, st.booleans())
def test_second_differences_decide_for_all_weights(chosen, equal_mass):
    """No c_i < 0 if and only if four loops find no contradiction."""
    values = {
        run: sum((w * r for w, r in zip(chosen, run, strict=True)), Fraction(0)) for run in product((0, 1), repeat=len(chosen))
    }
    answer = interval_like(Subject(Weighted(weights=chosen), len(chosen)), equal_mass=equal_mass)
    found = violations(values, equal_mass=equal_mass)
    assert isinstance(answer, Refuted if found else Proven)
    if found:
        assert (answer.counterexample.larger, answer.counterexample.smaller) in found


@given(weights, st.data())
def test_the_theorem_itself(chosen, data):
    """M(s) − M(r) = Σ c_i Δ_i, by summation by parts, twice."""
    length = len(chosen)
    r, s = (tuple(data.draw(st.lists(st.integers(0, 1), min_size=length, max_size=length))) for _ in range(2))
    if precedes(r, s):
        factors = [float(c) for c in second_differences(exact_weights(Weights(chosen), length))]
        rise = sum(float(w) * (b - a) for w, a, b in zip(chosen, r, s, strict=True))
        assert sum(c * d for c, d in zip(factors, difference(r, s), strict=True)) == pytest.approx(rise)
        if sum(r) == sum(s):
            merged = [float(c) for c in second_differences(exact_weights(Weights(chosen), length), equal_mass=True)]
            assert sum(c * d for c, d in zip(merged, difference(r, s), strict=False)) == pytest.approx(rise)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.fractions(0, 4, max_denominator=3), min_size=1, max_size=3).map(tuple),
    st.lists(st.fractions(0, 4, max_denominator=3), min_size=2, max_size=2).map(sorted),
    st.booleans(),
)
def test_second_differences_decide_for_all_gains_that_do_not_fall(chosen, gains, equal_mass):
    """Three grades: Δ for each of them, by four loops over all pairs of intervals."""
    gains = (Fraction(0), *gains)
    values = {
        run: sum((w * gains[r] for w, r in zip(chosen, run, strict=True)), Fraction(0))
        for run in product((0, 1, 2), repeat=len(chosen))
    }
    answer = interval_like(Subject(Weighted(weights=chosen, gains=gains), len(chosen), (0, 1, 2)), equal_mass=equal_mass)
    found = violations(values, equal_mass=equal_mass)
    assert isinstance(answer, Refuted if found else Proven)
    if found:
        assert (answer.counterexample.larger, answer.counterexample.smaller) in found


@pytest.mark.parametrize("name", ["ERR", "AP", "RR(rel=2)", "P(rel=2)"])
@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("equal_mass", [False, True])
def test_graded_searches_find_what_four_loops_find(name, length, equal_mass):
    values = exactly(name, length, (0, 1, 2))
    answer = interval_like(Subject(parse_measure(name), length, (0, 1, 2)), equal_mass=equal_mass)
    found = violations(values, equal_mass=equal_mass)
    assert isinstance(answer, Refuted if found else Proven)
    if found:
        shown = answer.counterexample
        assert (shown.larger, shown.smaller) in found
        assert values[shown.larger[1]] - values[shown.larger[0]] == shown.rise_larger < shown.rise_smaller


@settings(max_examples=40, deadline=None)
@given(weights, st.sampled_from([(0, 1), (0, 1, 2)]))
def test_equal_spacing_against_all_values(chosen, grades):
    gains = tuple(map(Fraction, grades))
    answer = equispaced(Subject(Weighted(weights=chosen, gains=gains), len(chosen), grades))
    values = sorted(
        {sum((w * r for w, r in zip(chosen, run, strict=True)), Fraction(0)) for run in product(grades, repeat=len(chosen))}
    )
    even = len({b - a for a, b in pairwise(values)}) <= 1
    assert holds(answer) is (None if len(values) == 1 else even)
    if isinstance(answer, Refuted):
        shown = [Fraction(value) if not hasattr(value, "over") else value for value in answer.counterexample.values]
        low, middle, high = (float(value) for value in shown)
        assert {low, middle, high} <= {float(value) for value in values}
        assert not [value for value in values if low < float(value) < middle]
        assert not answer.counterexample.neighbours or not [value for value in values if middle < float(value) < high]
        assert (high - middle) != pytest.approx(middle - low) or not answer.counterexample.neighbours


@settings(max_examples=40, deadline=None)
@given(weights)
def test_monotonicity_against_all_changes(chosen):
    signed = tuple(w - 1 for w in chosen)
    values = {
        run: sum((w * r for w, r in zip(signed, run, strict=True)), Fraction(0)) for run in product((0, 1), repeat=len(signed))
    }
    subject = Subject(Weighted(weights=signed), len(signed))
    replaced = all(values[(*run[:i], 1, *run[i + 1 :])] >= values[run] for run in values for i in range(len(run)) if not run[i])
    assert holds(monotone(subject, "replacement")) is replaced
    swapped = True
    for run, value in values.items():
        for i in range(len(run)):
            for j in range(i + 1, len(run)):
                if run[i] < run[j]:
                    better = [*run]
                    better[i], better[j] = run[j], run[i]
                    swapped &= values[tuple(better)] >= value
    assert holds(monotone(subject, "swap")) is swapped
    for change in ("replacement", "swap"):
        answer = monotone(subject, change)
        if isinstance(answer, Refuted):
            assert values[answer.counterexample.after] < values[answer.counterexample.before]
            assert answer.counterexample.step.startswith(change)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 3).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, 9), min_size=2**n, max_size=2**n))))
def test_a_measure_of_ones_own_can_be_refuted_but_not_proven(case):
    length, numbers = case
    measure = Listed(values=tuple(map(float, numbers)), length=length)
    subject = Subject(measure, length)
    values = dict(zip(product((0, 1), repeat=length), numbers, strict=True))
    for equal_mass in (False, True):
        answer = interval_like(subject, equal_mass=equal_mass)
        assert isinstance(answer, Refuted if violations(values, equal_mass=equal_mass) else NoCounterexample)
        assert isinstance(answer, Refuted) or "floating point" in answer.searched


def test_proofs_of_monotonicity_agree_with_trying():
    """The reasons that are given for AP, cascades and counts, against all changes of all runs with three grades."""
    for name in ("AP", "AP(rel=2)", "ERR", "EFR", "RR", "MFR", "P", "Success", "DCG", "RBP(p=0.7)", "RR(rel=2)"):
        subject = Subject(parse_measure(name), 4, (0, 1, 2))
        values = {run: subject.sense * float(subject.value(run)) for run in product((0, 1, 2), repeat=4)}
        assert isinstance(monotone(subject, "replacement"), Proven), name
        assert isinstance(monotone(subject, "swap"), Proven), name
        for run, value in values.items():
            for i in range(4):
                if run[i] < 2:
                    assert values[(*run[:i], run[i] + 1, *run[i + 1 :])] >= value - 1e-12
                for j in range(i + 1, 4):
                    if run[i] < run[j]:
                        better = [*run]
                        better[i], better[j] = run[j], run[i]
                        assert values[tuple(better)] >= value - 1e-12


@pytest.mark.parametrize("length", [11, 17, 25, 40])
def test_long_runs_are_decided_without_listing_them(length):
    """Equal spacing of AP and ERR, and interval-likeness, at lengths where there are too many runs to list."""
    for name in ("AP", "ERR", "RR", "DCG", "RBP(p=0.8)"):
        facts = properties(parse_measure(name), length)
        assert isinstance(facts.equispaced, Refuted), name
        low, middle, high = facts.equispaced.counterexample.values
        assert float(low) < float(middle) < float(high)
        assert isinstance(facts.interval_like, Refuted)
        assert all(len(run) == length for run in facts.interval_like.counterexample.larger)
    facts = properties(parse_measure("RBP(p=0.5)"), length)
    assert (facts.scale, holds(facts.interval_like)) == (INTERVAL, True)
    assert str(2**length - 1) in facts.equispaced.by


def test_gains_that_are_not_linear_are_searched():
    subject = Subject(parse_measure("DCG(dcg='exp-log2')"), 3, (0, 1, 2))
    answer = interval_like(subject)
    assert isinstance(answer, Refuted)
    values = {run: float(subject.value(run)) for run in product((0, 1, 2), repeat=3)}
    shown = answer.counterexample
    assert values[shown.larger[1]] - values[shown.larger[0]] < values[shown.smaller[1]] - values[shown.smaller[0]]
    graded = Subject(parse_measure("RBP(p=0.5, gains={1: 0.5, 2: 1})"), 4, (0, 1, 2))
    assert isinstance(interval_like(graded), Proven)


def test_one_value_for_all_runs_has_no_spacing():
    facts = properties(parse_measure("DCG(gains={1: 0})"), 3)
    assert isinstance(facts.equispaced, NoCounterexample)
    assert facts.scale == NOMINAL


def test_a_search_that_cannot_see_the_end_says_so():
    answer = interval_like(Subject(Listed(values=(0.0,) * 2**11, length=11), 11))
    assert isinstance(answer, NoCounterexample)
    assert "runs with no relevant document after rank 10" in answer.searched


def test_cascades_that_stop_at_grade_0_are_padded_before_they_are_computed():
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Impatient(Measure):
        name: ClassVar[str] = "Impatient"

        def decompose(self, length, grades):
            return Cascade((Fraction(1, 4), Fraction(1, 2)))

        def score(self, judged):
            raise NotImplementedError

    subject = Subject(Impatient(), 3)
    survival, total = Fraction(1), Fraction(0)
    for rank, grade in enumerate((1, 0, 0), start=1):
        stop = Fraction(1, 2) if grade else Fraction(1, 4)
        total += survival * stop / rank
        survival *= 1 - stop
    assert subject.value((1, 0, 0)) == total
    assert subject.values(np.array([[1]])).at(0) == total


def test_large_numbers_stay_exact():
    """lcm(1…60) does not fit 64 bits."""
    subject = Subject(parse_measure("AP"), 60)
    assert isinstance(subject.decomposition, AveragePrecision)
    run = (0,) * 58 + (1, 1)
    assert subject.value(run) == Fraction(1, 59) + Fraction(2, 60)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: properties(parse_measure("P@3"), 5), "P@3 needs runs of length 3 or less, got length 5"),
        (lambda: properties(parse_measure("P"), 3, (0, 2)), "without a gap"),
        (lambda: Subject(parse_measure("P"), 0), "at least 1 rank"),
    ],
)
def test_questions_that_have_no_answer_are_refused(make, message):
    with pytest.raises(ScaleError, match=message):
        make()


def test_a_shorter_length_cuts_the_measure():
    assert str(properties(parse_measure("AP@30"), 5).measure) == "AP@5"
    assert properties(parse_measure("GM(AP)@7")).length == 7
    assert str(properties(parse_measure("GM(AP)@7")).measure) == "GM(AP@7)"


def test_long_graded_runs_step_by_the_lowest_grade_that_counts():
    answer = equispaced(Subject(parse_measure("AP(rel=2)"), 12, (0, 1, 2)))
    assert answer.counterexample.values == (0, Fraction(1, 12), Fraction(1, 11))
    assert {grade for run in answer.counterexample.runs for grade in run} == {0, 2}
    assert isinstance(equispaced(Subject(parse_measure("AP(rel=3)"), 12, (0, 1, 2))), NoCounterexample)
    assert isinstance(equispaced(Subject(parse_measure("P(rel=3)"), 4, (0, 1, 2))), NoCounterexample)
    assert isinstance(equispaced(Subject(Listed(values=(0.0,) * 2**17, length=17), 17)), NoCounterexample)
    assert isinstance(equispaced(Subject(parse_measure("DCG(dcg='exp-log2')"), 3, (0, 1, 2))), Refuted)


def test_answers_are_written_out():
    swapped = monotone(Subject(Weighted(weights=(Fraction(1), Fraction(2))), 2), "swap")
    assert str(swapped) == "no: a swap of ranks 1 and 2 leads from 01 to 10, but the value changes from 2 to 1"
    even = equispaced(Subject(parse_measure("P"), 2))
    assert str(even) == "yes: the 3 values are equally far apart: 1/2"
    uneven = equispaced(Subject(parse_measure("RR"), 3))
    assert str(uneven) == "no: the values 0 (000), 1/3 (001), 1/2 (010) follow one another at unequal distances"
    like = interval_like(Subject(parse_measure("RR"), 2))
    assert str(like) == "no: [10, 11] is at least as large as [00, 01]: Δ = (0, 1) ≥ (0, 1), but the value rises by 0 < 1/2"
    unknown = interval_like(Subject(Listed(values=(0.0, 1.0), length=1), 1))
    assert str(unknown) == "not known: no counterexample among all pairs of intervals of runs of length 1, in floating point"
    assert list(properties(parse_measure("P"), 2).answers()) == [
        "replacement",
        "swap",
        "equispaced",
        "strong",
        "weak",
        "interval_like",
        "interval_like_equal_mass",
    ]


def test_weights_that_jump_leave_a_gap():
    """Weights 1, 1, 4: the values 1, 2 and 4 follow one another."""
    answer = equispaced(Subject(Weighted(weights=(Fraction(4), Fraction(1), Fraction(1))), 3))
    assert answer.counterexample.values == (1, 2, 4)
    assert answer.counterexample.neighbours
