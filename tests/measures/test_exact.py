"""Exact values and their order, against the definitions in fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb, lcm

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import AP, NERR8, JudgedRuns, judge, parse_measure
from mensura.measures import REGISTRY
from mensura.measures.decomposition import LogDiscount
from mensura.measures.exact import ULP, exact_values, order_codes, rounding
from mensura.measures.reals import Ratio, Real, compare, exact_weights
from tests.measures import fractions as one
from tests.measures import vocabulary
from tests.strategies import choices

F = Fraction
LINEAR, EXPONENTIAL = F, lambda grade: F(2**grade - 1)
TOP = 3  # highest grade of the random runs


def chances(highest):
    return [F(2**grade - 1, 2**highest) for grade in range(highest + 1)]


def linear(highest):
    return [F(grade, highest) for grade in range(highest + 1)]


RATIONAL = {
    "P@5": partial(one.precision, k=5),
    "P": one.precision,
    "P(rel=2)@5": partial(one.precision, rel=2, k=5),
    "R@5": partial(one.recall, k=5),
    "R(rel=2)": partial(one.recall, rel=2),
    "F@5": partial(one.f_measure, k=5),
    "F(beta=0.1, rel=2)": partial(one.f_measure, beta=F(1, 10), rel=2),
    "Success@3": partial(one.success, k=3),
    "RR": one.reciprocal_rank,
    "RR(rel=3)@4": partial(one.reciprocal_rank, rel=3, k=4),
    "MFR@12": partial(one.first_rank, k=12),
    "Rprec": one.r_precision,
    "Rprec(rel=2)@4": partial(one.r_precision, rel=2, k=4),
    "AP": one.average_precision,
    "AP(rel=2)@6": partial(one.average_precision, rel=2, k=6),
    "bpref": one.bpref,
    "bpref(rel=2)": partial(one.bpref, rel=2),
    "bpref@5": partial(one.bpref, k=5),
    "IPrec11": one.interpolated,
    "IPrec11(rel=2)@6": partial(one.interpolated, rel=2, k=6),
    "IPrec@0.3": partial(one.interpolated, levels=(0.3,)),
    "RBP(p=0.8)": one.rank_biased,
    "RBP(p=1/3, rel=2)@6": partial(one.rank_biased, p=F(1, 3), rel=2, k=6),
    "RBP(p=0.95, gains={1: 0.1, 2: 0.3, 3: 1})": partial(one.rank_biased, p=F(19, 20), gains={1: F(1, 10), 2: F(3, 10), 3: F(1)}),
    "RBPResidual(p=0.8)": one.residual,
    "RBPResidual(p=0.3)@12": partial(one.residual, p=F(3, 10), k=12),
    "ERR(max_grade=3)": partial(one.cascade, stops=chances(TOP)),
    "ERR(stop={1: 0.1, 2: 1/3, 3: 1})@6": partial(one.cascade, stops=[F(0), F(1, 10), F(1, 3), F(1)], k=6),
    "EFR(max_grade=3)": partial(one.cascade, stops=linear(TOP), payoff=F, never=True),
    "EFR(stop={1: 0.9, 2: 0.99, 3: 0.999})@12": partial(
        one.cascade, stops=[F(0), F(9, 10), F(99, 100), F(999, 1000)], k=12, payoff=F, never=True
    ),
    "Judged@5": partial(one.judged_share, k=5),
    "infAP": one.inferred,
    "infAP(rel=2)": partial(one.inferred, rel=2),
    "NumRel": lambda grades, counts, retrieved: F(one.base(counts)),
    "NumRelRet@5": lambda grades, counts, retrieved: F(len(one.hits(grades[:5], 1))),
    "NumRet": lambda grades, counts, retrieved: F(retrieved),
    "Acorr@5": partial(one.area, k=5),
    "Acorr": one.area,
    "Acorr(h='1/i')@12": partial(one.area, k=12, h=lambda rank: F(1, rank)),
    "Acorr(h=0.7)@6": partial(one.area, k=6, h=lambda rank: F(7, 10) ** (rank - 1)),
    "ADM(srs='rank', retrieved=12, urs={0: 0, 1: 0.2, 2: 0.5, 3: 1})@6": partial(
        one.by_rank, k=6, n=12, urs=[F(0), F(1, 5), F(1, 2), F(1)]
    ),
    "GM(AP)": one.average_precision,
    "Median(AP)": one.average_precision,
    **vocabulary.RATIONAL,
}
IRRATIONAL = {
    "DCG@6": lambda grades, counts: one.discounted(grades, 6, LINEAR),
    "DCG(gains={0: 0.5, 1: 1, 3: 0.25})": lambda grades, counts: one.discounted(
        grades, None, lambda grade: {0: F(1, 2), 1: F(1), 3: F(1, 4)}.get(grade, F(grade))
    ),
    "DCG(base=2, dcg='exp-log2')": lambda grades, counts: one.discounted(grades, None, EXPONENTIAL, mpmath.mpf(2)),
    "nDCG": lambda grades, counts: one.normalised(grades, counts, None, LINEAR),
    "nDCG(base=10)": lambda grades, counts: one.normalised(grades, counts, None, LINEAR, mpmath.mpf(10)),
    "nDCG(base=2.5, dcg='exp-log2')@5": lambda grades, counts: one.normalised(grades, counts, 5, EXPONENTIAL, mpmath.mpf(5) / 2),
    "nDCG(gains={1: 0.1, 2: 1, 3: 0.4})@6": lambda grades, counts: one.normalised(
        grades, counts, 6, lambda grade: {1: F(1, 10), 2: F(1), 3: F(2, 5)}.get(grade, F(0))
    ),
    **vocabulary.IRRATIONAL,
}


@st.composite
def tables(draw, systems=4, topics=3, ranks=10):
    """Judged runs with documents that were not judged, or judged 0, short and missing lists, and more documents than were found."""
    retrieved = draw(choices(range(ranks + 1), (systems, topics))).astype(np.int32)
    grades = draw(choices((-2, -1, 0, 0, 1, 1, 2, 3), (systems, topics, ranks)))
    grades = np.where(np.arange(ranks) < retrieved[:, :, None], grades, np.int8(-1))
    most = np.stack([(grades == grade).sum(axis=2).max(axis=0) for grade in range(TOP + 1)], axis=1)
    made = JudgedRuns.from_grades(grades, most + draw(choices(range(10), (topics, TOP + 1))))
    return JudgedRuns(made.grades, made.recall_base, retrieved, made.ties, made.systems, made.topics)


def lists(judged):
    """(grades, counts, retrieved) of every system and topic."""
    for system in range(judged.shape[0]):
        for topic in range(judged.shape[1]):
            yield (
                judged.grades[system, topic].tolist(),
                judged.recall_base[topic].tolist(),
                int(judged.retrieved[system, topic]),
            )


def over_one_denominator(values):
    """The numerators, which have the order of the fractions and are sorted in a tenth of the time."""
    common = lcm(*(value.denominator for value in values))
    return [value.numerator * (common // value.denominator) for value in values]


def dense(values):
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return [places[value] for value in values]


@pytest.mark.parametrize("name", RATIONAL)
@settings(max_examples=25)
@given(judged=tables())
def test_values_are_those_of_the_definition(name, judged):
    measure = parse_measure(name)
    expected = [RATIONAL[name](*each) for each in lists(judged)]
    assert exact_values(measure, judged).ravel().tolist() == expected
    assert order_codes(measure, judged).ravel().tolist() == dense(expected)
    assert measure.score(judged).ravel().tolist() == pytest.approx([float(value) for value in expected], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", IRRATIONAL)
@settings(max_examples=25)
@given(judged=tables())
def test_sums_of_logarithms_are_in_the_order_of_200_digits(name, judged):
    values = [IRRATIONAL[name](grades, counts) for grades, counts, _ in lists(judged)]
    rounded = [int(mpmath.nint(value * mpmath.mpf(10) ** 200)) >> 16 for value in values]  # the last digits are rounded
    assert order_codes(parse_measure(name), judged).ravel().tolist() == dense(rounded)


def test_every_measure_that_is_registered_is_compared():
    compared = {parse_measure(name).name for name in (*RATIONAL, *IRRATIONAL)}
    doubles = {parse_measure(name).name for name in vocabulary.DOUBLES} - compared
    assert compared == set(REGISTRY) - doubles - {"Hole"}  # which is computed from documents


@pytest.mark.parametrize("name", [name for name in vocabulary.DOUBLES if not name.startswith("BPM")])
def test_what_has_no_exact_values_says_so(name):
    judged = JudgedRuns.from_grades([[[1, 0]]], [[3, 1]])
    assert order_codes(parse_measure(name), judged) is None


@pytest.mark.parametrize("name", ["ADM", "ADM(srs='logistic')", "ADM(step='expected')"])
def test_values_of_scores_have_none(name):
    judged = JudgedRuns.from_grades([[[1, 0]]], [[3, 1]])
    assert order_codes(parse_measure(name), judged) is None
    assert exact_values(parse_measure(name), judged) is None


def test_irrational_values_have_an_order_and_no_fractions():
    judged = JudgedRuns.from_grades([[[1, 0, 1]], [[1, 1, 0]]], [[3, 3]])
    assert exact_values(parse_measure("nDCG@3"), judged) is None
    assert order_codes(parse_measure("nDCG@3"), judged).tolist() == [[0], [1]]
    assert exact_values(parse_measure("nDCG@1"), judged).tolist() == [[1], [1]]


def test_a_measure_derived_from_one_with_exact_values_does_not_inherit_them():
    @dataclass(frozen=True, repr=False, kw_only=True)
    class Halved(AP):
        def score(self, judged):
            return super().score(judged) / 3

    judged = JudgedRuns.from_grades([[[1, 0]]], [[3, 1]])
    assert order_codes(AP(), judged).tolist() == [[0]]
    assert order_codes(Halved(), judged) is None
    assert exact_values(Halved(), judged) is None


@pytest.mark.parametrize("expected", ["utility", "total-utility", "items", "total-cost", "cost"])
@pytest.mark.parametrize(
    ("name", "goes_on"),
    [
        ("BPM", vocabulary.bejewelled(vocabulary.SEEN)),
        ("NERR8", lambda rank, gain, total: (1 - gain) * (rank < vocabulary.SEEN)),
        ("NERR9", lambda rank, gain, total: F(rank, rank + 1) * (1 - gain) * (rank < vocabulary.SEEN)),
    ],
)
def test_users_who_may_see_a_thousand_ranks(name, goes_on, expected):
    rows = [[0, 1, 0, 0, 2, 1, 0], [0, 0, 0, 0, 0, 0, 0], [2, -1, 3, 1, 0, 0, 2], [1, 0, 0, 0, 0, 0, 1]]
    judged = JudgedRuns.from_grades([[row] for row in rows], [[9, 2, 2, 1]])
    values = exact_values(parse_measure(f"{name}(max_grade=3, expected={expected!r})"), judged)
    assert values.ravel().tolist() == [vocabulary.user(row, 3, goes_on, expected) for row in rows]


def test_a_user_of_ones_own_has_no_exact_values():
    @dataclass(frozen=True, repr=False, kw_only=True)
    class Tired(NERR8):
        def goes_on(self, gain, rank):
            return super().goes_on(gain, rank) / 2

    judged = JudgedRuns.from_grades([[[1, 0]]], [[3, 1]])
    assert exact_values(NERR8(), judged).tolist() == [[1]]
    assert exact_values(Tired(), judged) is None


def test_the_error_of_a_thousand_ranks_is_that_of_a_thousand_additions():
    judged = JudgedRuns.from_grades([[[1, 0]]], [[3, 1]])
    assert rounding(parse_measure("NERR9"), judged, np.ones(1)) >= 16_000 * ULP


def test_a_table_without_topics_has_no_codes():
    empty = JudgedRuns.from_grades(np.zeros((2, 0, 5), dtype=np.int8), np.zeros((0, 2), dtype=np.int64))
    for name in ("AP", "nDCG@3", "bpref", "Acorr@3", "P@3"):
        assert order_codes(parse_measure(name), empty).shape == (2, 0)


def test_doubles_that_agree_are_told_apart():
    """RBP(p=0.3)@40: the last rank adds 0.7 · 0.3^39 ≈ 3e-21 to 0.7."""
    first = [1] + [0] * 39
    judged = JudgedRuns.from_grades([[first], [[*first[:-1], 1]], [first]], [[40, 2]])
    measure = parse_measure("RBP(p=0.3)@40")
    assert len(set(measure.score(judged).ravel().tolist())) == 1
    assert order_codes(measure, judged).ravel().tolist() == [0, 1, 0]


def test_doubles_that_differ_are_one_value():
    """AP: 1/2 + 2/3 + 3/8 and 1/2 + 2/4 + 3/9 + 4/19.2… do not tie, but 1/3 + 2/6 + 3/9 = 1 does, whatever the doubles say."""
    rows = [[0, 0, 1, 0, 0, 1, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0, 0]]
    judged = JudgedRuns.from_grades([[row] for row in rows], [[9, 5]])
    assert order_codes(AP(), judged).ravel().tolist() == [0, 0]
    assert exact_values(AP(), judged).ravel().tolist() == [F(1, 5), F(1, 5)]


def test_a_quotient_sees_that_ln_6_is_ln_2_plus_ln_3():
    """u₂u₆ + u₃u₆ = u₂u₃ for u = 1/ln: (u₂ + u₃)/u₂ = u₃/u₆ as numbers, but not factor by factor."""
    base = F(5)
    two, three, six = (Real.of([(root, F(1))], base) for root in (2, 3, 6))
    one, other = Ratio(two + three, two), Ratio(three, six)
    assert compare(one, other) == 0
    assert compare(one, Ratio(three * F(10**40 + 1, 10**40), six)) == -1
    assert compare(Ratio(two, two).simplest, F(1)) == 0


def test_quotients_are_enclosed():
    weights = exact_weights(LogDiscount(F(2), offset=1), 5)
    quotient = Ratio(weights[1] + weights[2], weights[0] + weights[4])
    low, high = quotient.enclosure(30)
    true = (1 / mpmath.log(3, 2) + mpmath.mpf(1) / 2) / (1 + 1 / mpmath.log(6, 2))
    assert low < F(str(mpmath.nstr(true, 25))) + F(1, 10**24)
    assert high - low < F(1, 10**27)
    assert float(quotient) == pytest.approx(float(true), abs=1e-15)
    assert compare(quotient, F(9, 10)) == compare(F(9, 10), F(1)) == -compare(F(1), quotient) == -1
    assert compare(weights[1], F(63, 100)) == compare(F(64, 100), weights[1]) == 1


def outcomes(codes):
    """Wins, ties and losses of every pair of systems."""
    signs = np.sign(codes[:, None, :] - codes[None, :, :])
    return np.stack([(signs == sign).sum(axis=2) for sign in (1, 0, -1)])


REAL = {
    "AP": one.average_precision,
    "Rprec": one.r_precision,
    "bpref": one.bpref,
    "RBP(p=0.3)@30": partial(one.rank_biased, p=F(3, 10), k=30),
    "RBP(p=0.8)@50": partial(one.rank_biased, k=50),
}


@pytest.fixture(scope="module", params=["trec8", "dl21"])
def collection(request, data):
    return judge(data / request.param / "qrels.txt", str(data / request.param / "runs" / "*.gz"), depth=100)


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("name", REAL)
def test_wins_ties_and_losses_of_a_collection_are_those_of_fractions(collection, name, rel):
    measure = parse_measure(name.replace(")@", f", rel={rel})@") if "(" in name else f"{name}(rel={rel})@100")
    values = [REAL[name](grades, counts, kept, rel=rel) for grades, counts, kept in lists(collection)]
    expected = np.array(dense(over_one_denominator(values))).reshape(collection.shape)
    codes = order_codes(measure, collection)
    assert (codes == expected).all()
    assert (outcomes(codes) == outcomes(expected)).all()


def test_wins_ties_and_losses_of_cascades_are_those_of_fractions(collection):
    stops = chances(collection.max_grade)
    values = [one.cascade(grades, counts, kept, stops=stops, k=20) for grades, counts, kept in lists(collection)]
    assert order_codes(parse_measure("ERR@20"), collection).ravel().tolist() == dense(over_one_denominator(values))


@pytest.mark.parametrize("name", ["nDCG@10", "nDCG@100"])
def test_wins_ties_and_losses_of_ndcg_are_those_of_60_digits(collection, name):
    depth = int(name.split("@")[1])
    with mpmath.workdps(60):
        weights = [1 / mpmath.log(rank + 1, 2) for rank in range(1, depth + 1)]

        def total(grades):
            return mpmath.fsum(weight * grade for weight, grade in zip(weights, grades, strict=False) if grade > 0)

        best = [
            total(sorted((grade for grade, count in enumerate(counts.tolist()) for _ in range(count)), reverse=True))
            for counts in collection.recall_base
        ]
        values = [
            int(mpmath.nint(total(collection.grades[system, topic].tolist()) / best[topic] * mpmath.mpf(10) ** 55)) >> 8
            if best[topic]
            else 0
            for system in range(collection.shape[0])
            for topic in range(collection.shape[1])
        ]
    assert order_codes(parse_measure(name), collection).ravel().tolist() == dense(values)


def test_ties_of_bpref_on_trec_8(data):
    """The sign test of two pairs, computed from fractions before this code existed: doubles gave 1 for the first one."""
    judged = judge(data / "trec8" / "qrels.txt", str(data / "trec8" / "runs" / "*.gz"))
    wins, _, losses = outcomes(order_codes(parse_measure("bpref"), judged))
    for one_system, other, p in (("GE8ATD3", "nttd8alx", 0.8854335), ("nttd8al", "nttd8am", 0.7608)):
        pair = judged.systems.index(one_system), judged.systems.index(other)
        lost, won = sorted((int(losses[pair]), int(wins[pair])))
        tail = sum(comb(lost + won, each) for each in range(lost + 1))
        assert min(1.0, 2 * tail / 2 ** (lost + won)) == pytest.approx(p, abs=5e-5)
