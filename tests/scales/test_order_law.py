"""The order law: within a topic, φ orders and ties runs as the values of the measure do, as numbers.

For every registered measure that has a scale: random runs with documents that were not judged or judged 0, random recall bases up
to twice the length, two and three grades; and the runs of TREC-8 and of the Deep Learning track.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from mensura import JudgedRuns, ScaleError, interval_scale, judge, parse_measure, score
from mensura.measures import REGISTRY
from mensura.measures.exact import order_codes
from mensura.scales.facts import facts_for, surrogate_remark
from mensura.scales.ranks import Scales
from tests.measures import fractions as one

LENGTH = 6
MEASURES = [
    *("P@6", "P(rel=2)@6", "R@6", "R(rel=2)@6", "F@6", "F(beta=1/3, rel=2)@6", "Success@6", "NumRelRet(rel=2)@6"),
    *("RR@6", "RR(rel=2)@6", "MFR@6", "Rprec@6", "Rprec(rel=2)@6", "AP@6", "AP(rel=2)@6"),
    *("bpref@6", "bpref(rel=2)@6", "IPrec11@6", "IPrec11(rel=2)@6", "Acorr@6", "Acorr(h='1/i')@6", "Acorr(h=1/3)@6"),
    *("RBP(p=0.8)@6", "RBP(p=0.3, rel=2)@6", "RBP(p=2/3, gains={1: 1/3, 2: 1})@6", "RBP(p=0.5, rel=2, gains={1: 0.5, 2: 1})@6"),
    *("ERR@6", "ERR(max_grade=4)@6", "ERR(stop={1: 1/3, 2: 1})@6", "EFR@6", "EFR(stop={1: 0.25, 2: 0.5})@6"),
    *(
        "DCG@6",
        "DCG(base=2)@6",
        "DCG(base=10, gains={1: 1, 2: 0.1})@6",
        "DCG(gains={0: 0.5, 1: 1, 2: 3})@6",
        "DCG(dcg='exp-log2')@6",
    ),
    *("nDCG@6", "nDCG(base=2)@6", "nDCG(gains={0: 1, 1: 3, 2: 2})@6", "nDCG(dcg='exp-log2', base=3/2)@6"),
    *("R(capped=True)@6", "AP(capped=True)@6", "SetAP@6", "Rprec(multiple=0.4)@6", "IPrec11(at=(0.25, 0.75))@6", "NCG@6", "gAP@6"),
    *("binG@6", "SDCG@6", "INSQ(T=2)@6", "BPM(T=1/2)@6", "NERR8@6", "NERR9(max_grade=3)@6", "RBP(p=0.5, gains='grade')@6"),
    *("ADM(srs='rank', retrieved=9)@6", "ADM(srs='rank', retrieved=6, step='nearest', urs='ends')@6"),
]
REFUSED = [
    *(
        "Judged@6",
        "RBPResidual(p=0.8)@6",
        "infAP@6",
        "NumRet@6",
        "NumRel",
        "ADM@6",
        "NumNonRelRet@6",
        "NumQ",
        "Unjudged@6",
        "Hole@6",
    ),
    *("Utility@6", "Accuracy@6", "Compat@6", "G@6", "RnDCG@6", "nDCGrel@6", "Q@6", "INST@6", "NERR10@6", "NERR11@6"),
    *("SDCG(expected='items')@6", "INSQ(expected='total-cost')@6"),
]


def topic(rng, grades, runs):
    """Random runs of one topic, and how many judged documents of each grade it has: 1 to 2N relevant ones, and 0 to 2N others."""
    counts = [int(rng.integers(0, 2 * LENGTH + 1)), *(int(count) for count in rng.integers(0, LENGTH + 1, grades - 1))]
    counts[1] = max(counts[1], 1) if sum(counts[1:]) == 0 else counts[1]
    table = np.full((runs, 1, LENGTH), -1, dtype=np.int8)
    for run in range(runs):
        documents = np.concatenate([np.full(count, grade) for grade, count in enumerate(counts)] + [np.full(LENGTH, -1)])
        length = rng.integers(0, LENGTH + 1) if rng.random() < 0.2 else LENGTH
        table[run, 0, :length] = rng.permutation(documents)[:length]
        if rng.random() < 0.4:  # few relevant documents, so that runs tie
            table[run, 0] = np.where(rng.random(LENGTH) < 0.6, rng.choice([-1, min(0, counts[0] - 1)]), table[run, 0])
    counts[0] = max(counts[0], int((table == 0).sum(axis=2).max()))
    return JudgedRuns.from_grades(table, [counts])


def dense(column):
    places = {value: place for place, value in enumerate(sorted(set(column)))}
    return [places[value] for value in column]


def violations(measure, judged, ranks):
    """Topics where ranks order or tie the runs otherwise than the values do, by exact numbers and by doubles."""
    codes, values = order_codes(measure, judged), measure.score(judged)
    wrong = [at for at in range(judged.shape[1]) if dense(codes[:, at].tolist()) != dense(ranks[:, at].tolist())]
    if judged.length <= 10:
        for at in range(judged.shape[1]):
            gap = values[:, None, at] - values[None, :, at]
            order = np.sign(np.where(np.abs(gap) < 1e-12, 0.0, gap))
            rank = np.array([float(x) for x in ranks[:, at].tolist()])
            assert (order == np.sign(rank[:, None] - rank[None, :])).all()
    return wrong


def check(name, topics, seed):
    measure = parse_measure(name)
    rng = np.random.default_rng(seed)
    for number in range(topics):
        judged = topic(rng, grades=2 + number % 2, runs=8)  # 28 pairs
        if judged.max_grade < 2:  # highest grade of these judgments
            judged = JudgedRuns.from_grades(
                judged.grades, np.pad(judged.recall_base, ((0, 0), (0, 3 - judged.recall_base.shape[1])))
            )
        assert violations(measure, judged, Scales(judged).of(measure).rank) == []
        attainable = score(judged, measure).scores[0].on_interval_scale(universe="attainable")
        assert violations(measure, judged, attainable.ranks) == []


@pytest.mark.parametrize("name", MEASURES)
def test_ranks_are_in_the_order_of_values(name):
    check(name, topics=12, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
def test_ranks_are_in_the_order_of_values_in_10000_cases(name):
    check(name, topics=360, seed=2)  # 360 · 28 pairs, over all runs and over attainable ones


@pytest.mark.parametrize("name", REFUSED)
def test_what_depends_on_more_than_grades_is_refused_with_the_reason(name):
    with pytest.raises(ScaleError, match=r"has no scale over judged runs: .*(depends on|same for all|sum over ranks)"):
        interval_scale(name, 6, recall_base=3)


def test_every_registered_measure_is_checked_or_refused():
    checked = {parse_measure(name).name for name in (*MEASURES, *REFUSED)}
    assert checked == set(REGISTRY) - {
        "IPrec",
        "GM",
        "Median",
    }  # @ is a level of recall, see below; the others have no mean of ranks


@pytest.mark.parametrize("recall", [0.0, 0.3, 1.0])
def test_interpolated_precision_at_a_level(recall):
    measure = parse_measure(f"IPrec@{recall}")
    runs = np.array(list(product((0, 1), repeat=5)), dtype=np.int8)
    for base in range(1, 11):
        some = runs[runs.sum(axis=1) <= base]
        judged = JudgedRuns.from_grades(some[:, None, :], [[3, base]])
        assert violations(measure, judged, interval_scale(measure, 5, recall_base=base).rank(some)[:, None]) == []


# ---- steps, against all runs in fractions ------------------------------------------------------------------------------------


@cache
def runs_of(length, symbols):
    return [list(run) for run in product(symbols, repeat=length)]


def area(grades, counts, retrieved):
    return one.area(grades, counts, retrieved, len(grades))


def weighted_area(grades, counts, retrieved):
    return one.area(grades, counts, retrieved, len(grades), h=lambda rank: Fraction(1, rank))


def brute(value, length, counts, symbols):
    """The number of values over all runs that a topic allows."""
    kept = [run for run in runs_of(length, symbols) if all(run.count(grade) <= counts[grade] for grade in symbols if grade >= 0)]
    return len({value(run, counts, length) for run in kept})


@pytest.mark.parametrize(("base", "steps"), [(3, 89), (5, 248), (8, 420), (9, 410), (10, 401), (20, 199), (50, 67), (11, 321)])
def test_steps_of_the_eleven_point_average(base, steps):
    assert interval_scale("IPrec11@10", recall_base=base).steps == steps == brute(one.interpolated, 10, [10, base], (0, 1))


def test_steps_of_the_eleven_point_average_as_trec_eval_9_rounds():
    assert [interval_scale("IPrec11@10", recall_base=base, compat="trec_eval-9").steps for base in (9, 11)] == [401, 425]


@pytest.mark.parametrize(("base", "steps"), [(5, 166), (9, 299), (10, 401), (20, 420)])
def test_steps_of_the_area(base, steps):
    assert interval_scale("Acorr@10", recall_base=base).steps == steps == brute(area, 10, [10, base], (0, 1))


@pytest.mark.parametrize(("base", "steps"), [(5, 634), (8, 1012), (9, 1009), (10, 1023), (15, 1012), (20, 1024), (50, 1020)])
def test_steps_of_the_weighted_area(base, steps):
    assert interval_scale("Acorr(h='1/i')@10", recall_base=base).steps == steps == brute(weighted_area, 10, [10, base], (0, 1))


@pytest.mark.parametrize(("others", "base"), [(0, 3), (1, 4), (4, 1), (9, 2), (3, 3), (2, 9), (20, 9), (6, 12)])
def test_steps_and_runs_of_bpref(others, base):
    scale = interval_scale("bpref@6", recall_base={0: others, 1: base})
    assert scale.steps == brute(one.bpref, 6, [others, base], (-1, 0, 1))
    runs = [run for run in runs_of(6, (-1, 0, 1)) if run.count(0) <= others and run.count(1) <= base]
    values = [one.bpref(run, [others, base], 6) for run in runs]
    assert scale.runs == len(runs)
    below, up_to = scale.runs_up_to(np.array(runs))
    assert below.tolist() == [sum(other < value for other in values) for value in values]
    assert up_to.tolist() == [sum(other <= value for other in values) for value in values]
    assert [scale.inverse(rank) for rank in range(1, scale.steps + 1)] == sorted(set(values))


@pytest.mark.parametrize(("name", "value"), [("IPrec11@7", one.interpolated), ("Acorr@7", area)])
def test_all_runs_are_counted_with_their_ties(name, value):
    for base in (2, 5, 9):
        runs = [run for run in runs_of(7, (0, 1)) if sum(run) <= base]
        values = [value(run, [9, base], 7) for run in runs]
        scale = interval_scale(name, recall_base=base)
        below, up_to = scale.runs_up_to(np.array(runs))
        assert below.tolist() == [sum(other < value for other in values) for value in values]
        assert up_to.tolist() == [sum(other <= value for other in values) for value in values]
        assert [scale.inverse(rank) for rank in range(1, scale.steps + 1)] == sorted(set(values))


def test_steps_of_the_area_with_grades():
    counts = [9, 3, 2]
    assert interval_scale("Acorr@6", grades=(0, 1, 2), recall_base={1: 3, 2: 2}).steps == brute(area, 6, counts, (0, 1, 2))


def test_r_precision_looks_at_as_many_ranks_as_there_are_relevant_documents():
    scale = interval_scale("Rprec@5", recall_base=2)
    assert scale.rank([[0, 0, 0, 1, 1], [1, 0, 0, 0, 0], [0, 1, 0, 1, 0], [1, 1, 0, 0, 0]]).tolist() == [1, 2, 2, 3]
    assert [scale.inverse(rank) for rank in (1, 2, 3)] == [0, Fraction(1, 2), 1]
    assert [interval_scale("Rprec@5", recall_base=base).steps for base in (1, 4, 5, 9)] == [2, 5, 6, 6]


def test_levels_of_recall_are_rounded_in_doubles():
    """0.7 · 45 is 31.499999999999996 in doubles, so 31 documents, although 0.7 · 45 + 0.5 is 32: trec_eval's definition."""
    assert 7 * 45 // 10 + (7 * 45 % 10 >= 5) == 32
    run = np.array([[1] * 31 + [0]], dtype=np.int8)
    assert parse_measure("IPrec@0.7").score(JudgedRuns.from_grades(run[None], [[9, 45]]))[0, 0] == 1.0
    assert interval_scale("IPrec@0.7", 32, recall_base=45).rank(run)[0] > 1


def test_the_eleven_point_average_in_doubles_has_too_many_values():
    """447 doubles for 410 values: to the rounding of doubles they are told to be, they are 410 too."""

    def values(runs):
        return parse_measure("IPrec11").score(JudgedRuns.from_grades(runs[:, None, :], [[9, 9]]))[:, 0]

    runs = np.array([run for run in runs_of(10, (0, 1)) if sum(run) <= 9], dtype=np.int8)
    assert len(np.unique(values(runs))) == 447
    scale = interval_scale(values, 10, recall_base=9)
    assert (scale.steps, scale.exact, scale.counted, scale.method) == (410, False, True, "enumeration, to rounding")


def test_a_mean_of_doubles_is_equally_spaced_to_rounding():
    scale = interval_scale(lambda runs: runs.mean(axis=1), 10)
    assert (scale.steps, scale.is_equispaced, scale.exact) == (11, True, False)
    assert not interval_scale(lambda runs: runs @ (1 / np.arange(1, 6)), 5).is_equispaced


def test_a_gain_for_grade_0_is_not_that_of_a_missing_document():
    scale = interval_scale("DCG(gains={0: 1, 1: 3})@2")
    assert scale.grades == (-1, 0, 1)
    assert scale.rank([[-1, -1], [0, -1], [-1, 0], [0, 0]]).tolist() == [1, 3, 2, 4]
    assert scale.rank([[0], [-1]]).tolist() == [3, 1]


def test_a_scale_for_each_topic_is_not_called_a_surrogate():
    judged = JudgedRuns.from_grades([[[1, 0], [0, 1]]], [[3, 1], [3, 2]])
    own = surrogate_remark(facts_for(parse_measure("Rprec@2"), judged))
    assert own.startswith("The order of runs by Rprec@2 depends on the recall base, 2 different ones here, so each topic has")
    assert "is a surrogate" in surrogate_remark(facts_for(parse_measure("AP@2"), judged))


def test_logarithms_say_what_they_rest_on():
    assert interval_scale("DCG@5").assumes == "Schanuel's conjecture"
    assert interval_scale("DCG(base=2)@4").assumes == "Schanuel's conjecture"
    assert interval_scale("DCG@1").assumes is None
    assert interval_scale("RBP(p=0.8)@5").assumes is None
    assert interval_scale("AP@5").assumes is None


# ---- real collections --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trec8(data):
    return judge(data / "trec8" / "qrels.txt", str(data / "trec8" / "runs" / "*.gz"), depth=30)


@pytest.fixture(scope="module")
def deep_learning(data):
    return judge(data / "dl21" / "qrels.txt", str(data / "dl21" / "runs" / "*.gz"), depth=10)


P4 = [
    "P",
    "R",
    "AP",
    "RR",
    "RBP(p=0.3)",
    "RBP(p=0.5)",
    "RBP(p=0.8)",
    "DCG(base=2)",
    "DCG(base=10)",
    "nDCG(base=2)",
    "nDCG(base=10)",
]


@pytest.mark.parametrize("name", [f"{name}@10" for name in (*P4, "Rprec", "bpref", "IPrec11", "Acorr", "Acorr(h='1/i')", "ERR")])
def test_the_order_law_on_trec_8(trec8, name):
    measure = parse_measure(name)
    judged = trec8.cut(10)
    assert violations(measure, judged, Scales(judged).of(measure).rank) == []
    few = judged.first(24)
    assert violations(measure, few, score(few, measure).scores[0].on_interval_scale(universe="attainable").ranks) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [f"{name}@30" for name in (*P4, "Rprec", "bpref")])
def test_the_order_law_on_trec_8_at_30(trec8, name):
    measure = parse_measure(name)
    assert violations(measure, trec8, Scales(trec8).of(measure).rank) == []


GRADED = ["P", "R", "AP", "RR", "Rprec", "bpref", "IPrec11", "Success"]


@pytest.mark.parametrize("name", [*(f"{name}(rel=2)@10" for name in GRADED), "RBP(p=0.8, rel=2)@10", "nDCG@5", "ERR@5", "Acorr@5"])
def test_the_order_law_on_graded_judgments(deep_learning, name):
    measure = parse_measure(name)
    judged = deep_learning.cut(measure.cutoff)
    ranks = Scales(judged).of(measure).rank
    assert violations(measure, judged, ranks) == []
    assert len(set(ranks.ravel().tolist())) > 1
