"""Ranks of measures on their scales: the decomposition of each measure against its own values."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mensura import JudgedRuns, ScaleError, evaluate, interval_scale, parse_measure, score
from mensura.measures import REGISTRY
from mensura.scales.ranks import Scales

DECOMPOSED = [
    *(
        "P",
        "R",
        "F",
        "F(beta=2.0)",
        "Success",
        "AP",
        "RR",
        "MFR",
        "ERR",
        "EFR",
        "DCG",
        "DCG(base=2)",
        "DCG(base=10)",
        "nDCG",
    ),
    *("nDCG(base=2)", "nDCG(dcg='exp-log2')", "DCG(gains={1: 2, 2: 3, 3: 7})", "RBP(p=0.5)", "RBP(p=0.8)", "RBP(p=0.3, rel=2)"),
    *("RBP(p=0.9, gains={1: 0.3, 2: 0.5, 3: 1})", "P(rel=2)", "AP(rel=3)", "NumRelRet", "ERR(max_grade=4)", "GM(AP)", "Median(RR)"),
    *("ADM(srs='rank', retrieved=8)", "ADM(srs='rank', retrieved=11, step='nearest')", "ADM(srs='rank', retrieved=9, urs='ends')"),
]
DECOMPOSED += ["SetAP", "R(capped=True)", "AP(capped=True)", "NCG", "SDCG", "INSQ(T=2)", "RBP(p=0.7, gains='grade')"]
LISTED = ["BPM", "NERR8", "NERR9"]  # counted by writing down all runs
OF_TOPICS = ["Rprec", "bpref", "IPrec@0.5", "IPrec11", "Acorr", "gAP", "binG"]


def all_runs(length, grades):
    return np.array(list(itertools.product(grades, repeat=length)), dtype=np.int8)


def values_of(measure, runs, grades):
    """The measure's own values, on a topic with far more documents of each grade than a run holds."""
    judged = JudgedRuns.from_grades(runs[:, None, :], [[50] * (max(grades) + 1)])
    return measure.score(judged)[:, 0]


@pytest.mark.parametrize("name", DECOMPOSED + LISTED)
@pytest.mark.parametrize(("length", "grades"), [(8, (0, 1)), (4, (0, 1, 2, 3))])
def test_ranks_follow_the_values_of_the_measure(name, length, grades):
    """Runs with the same rank have the same value, a higher rank is a value that is strictly better or worse."""
    measure = parse_measure(name)
    runs = all_runs(length, grades)
    if not measure.graded:  # the scale of 0 and 1, whatever the grades
        rel = getattr(measure, "rel", 1)
        ranks = interval_scale(measure, length, grades).rank((runs >= rel).astype(np.int8))
    else:
        ranks = interval_scale(measure, length, grades).rank(runs)
    values = values_of(measure, runs, grades)
    steps = [values[ranks == rank] for rank in range(1, int(ranks.max()) + 1)]
    assert all(np.ptp(step) <= 1e-12 for step in steps)
    assert (np.diff([step[0] for step in steps]) > 1e-12).all()


def test_every_measure_is_decomposed_for_all_topics_or_each_or_not_about_judged_runs():
    seen = {type(parse_measure(name)) for name in DECOMPOSED + LISTED + OF_TOPICS}
    others = set(REGISTRY.values()) - seen
    assert all(cls.scale_obstacle is not None for cls in others)
    assert {cls.name for cls in others} == {
        *("Judged", "Unjudged", "Hole", "NumRet", "NumRel", "NumNonRelRet", "NumQ", "RBPResidual", "infAP", "Utility", "Accuracy"),
        *("Compat", "G", "RnDCG", "nDCGrel", "Q", "INST", "NERR10", "NERR11"),
    }


@pytest.mark.parametrize("name", ["Judged@3", "NumRet@3", "RBPResidual(p=0.5)@3", "infAP@3"])
def test_what_is_not_about_grades_has_no_ranks(name):
    """A scale over grades would give every run the same rank, or count a document without judgment as judged."""
    judged = JudgedRuns.from_grades([[[1, -1, 0]], [[-1, -1, 1]]], [[3, 2]])
    with pytest.raises(ScaleError, match="has no scale over judged runs: its value depends on"):
        _ = Scales(judged).of(parse_measure(name)).rank


@pytest.mark.parametrize("name", ["P(rel=2)@3", "AP(rel=2)@3", "RBP(p=0.5, rel=2)@3", "RBP(p=0.5, rel=2, gains={1: 0.5, 2: 1})@3"])
def test_ranks_of_a_higher_relevance_level_follow_the_values(name):
    """On graded judgments, grade 1 is not relevant for rel=2; other measures of the same form do not share the ranks."""
    measure = parse_measure(name)
    runs = all_runs(3, (0, 1, 2))
    judged = JudgedRuns.from_grades(runs[:, None, :], [[50, 50, 50]])
    scales = Scales(judged)
    assert scales.of(parse_measure(name.replace("rel=2", "rel=1"))).rank.shape == judged.shape
    ranks, values = scales.of(measure).rank[:, 0], measure.score(judged)[:, 0]
    different = np.unique(values.round(12))
    assert len(different) > 3
    order = {value: rank for rank, value in enumerate(sorted(set(ranks.tolist())))}
    assert [order[rank] for rank in ranks.tolist()] == np.searchsorted(different, values.round(12)).tolist()


@pytest.mark.parametrize("name", [name for name in OF_TOPICS if name != "bpref"])  # which has a symbol more
def test_measures_with_a_scale_for_each_topic_only(name):
    measure = parse_measure(name)
    scale = interval_scale(measure, 5, recall_base=5)
    runs = all_runs(5, (0, 1))
    values = measure.score(JudgedRuns.from_grades(runs[:, None, :], [[0, 5]]))[:, 0]
    different = np.unique(values.round(12))
    assert scale.steps == len(different)
    assert scale.rank(runs).tolist() == (np.searchsorted(different, values.round(12)) + 1).tolist()


def test_what_cannot_be_scaled_says_why():
    with pytest.raises(ScaleError, match="AP has no cut-off"):
        interval_scale("AP")
    with pytest.raises(ScaleError, match="its scale is that of length 10, not 5"):
        interval_scale("AP@10", 5)
    with pytest.raises(ScaleError, match="give the recall base, e"):
        interval_scale("IPrec11", 5)
    with pytest.raises(ScaleError, match="lengths up to"):
        interval_scale("AP@200").steps  # noqa: B018
    with pytest.raises(ScaleError, match="different grades from 0 up"):
        interval_scale("DCG@5", grades=(1, 2))


@pytest.fixture(scope="module")
def evaluation():
    qrels = {"q1": {f"d{i}": i % 3 for i in range(12)}, "q2": {"d1": 2, "d2": 1}, "q3": {"d5": 1}}
    runs = {
        "one": {"q1": {f"d{i}": 12.0 - i for i in range(12)}, "q2": {"d1": 1.0, "d2": 2.0, "x": 3.0}},
        "two": {"q1": {f"d{i}": float(i) for i in range(12)}, "q2": {"d1": 1.0}, "q3": {"d5": 1.0, "d6": 0.5}},
    }
    return evaluate(qrels, runs, ["AP@5", "nDCG@4", "RR@5", "P@5", "DCG@60"])


def test_scores_on_the_interval_scale(evaluation):
    for scores in evaluation:
        ranks = scores.on_interval_scale()
        if ranks.exact:
            assert ranks.ranks.shape == scores.values.shape
            assert (ranks.low == ranks.high).all()
            assert ((ranks.low > 0) & (ranks.high <= 1)).all()
    precision = evaluation["P@5"].on_interval_scale()
    assert (precision.ranks == np.rint(evaluation["P@5"].values * 5) + 1).all()
    assert precision.mean_ranks() == pytest.approx((precision.ranks.mean(axis=1)).tolist())
    first = evaluation["RR@5"].on_interval_scale()
    assert first.ranks[1, 2] == 6
    assert first.ranks[0, 2] == 1


def test_bounds_where_ranks_cannot_be_counted(evaluation):
    ranks = evaluation["DCG@60"].on_interval_scale()
    assert not ranks.exact
    assert ranks.ranks is None
    assert ranks.of == "values"
    assert (ranks.low <= ranks.high).all()
    assert (ranks.high - ranks.low).max() <= 1e-4
    assert ranks.mean_ranks() == [None, None]
    assert "bounds" in repr(ranks)
    assert (ranks.how, ranks.universe) == ("bounded", "all")
    assert "φ / steps; certified bounds" in ranks.remark


def test_attainable_runs_have_scales_of_their_own(evaluation):
    """q3 has one relevant document: AP@5 takes 0, 1/5, 1/4, 1/3, 1/2 and 1 there."""
    ranks = evaluation["AP@5"].on_interval_scale(universe="attainable")
    assert ranks.steps[2] == 6
    assert ranks.ranks[1, 2] == 6
    assert ranks.steps[1] < ranks.steps[0]
    shared = evaluation["AP@5"].on_interval_scale()
    assert len(set(shared.steps)) == 1
    assert (shared.ranks[:, 0] == ranks.ranks[:, 0]).all()  # eight relevant documents are as many as five ranks can hold


@pytest.mark.parametrize("ties", ["mid", "min", "max"])
def test_other_ways_with_ties(evaluation, ties):
    """P@5 = 2/5: 6 of the 32 runs have fewer relevant documents, 10 as many."""
    scores = evaluation["P@5"]
    ranks = scores.on_interval_scale(ties=ties)
    expected = {"mid": 11.5, "min": 7, "max": 16}[ties]
    at = np.isclose(scores.values, 0.4)
    assert at.any()
    assert (ranks.ranks[at].astype(float) == expected).all()
    assert ranks.of == "runs"


def test_where_there_are_only_bounds_runs_are_not_ranked():
    """DCG of length 60 with four grades: ranks of distinct values are bounded, and the proportion of runs is estimated."""
    rng = np.random.default_rng(1)
    judged = JudgedRuns.from_grades(rng.integers(0, 4, (2, 3, 60)).astype(np.int8), np.tile([100, 60, 60, 60], (3, 1)))
    scores = score(judged, ["DCG@60"])["DCG@60"]
    assert not scores.on_interval_scale().exact
    middle = scores.on_interval_scale(ties="mid", width=0.05)
    assert (middle.how, middle.of) == ("estimated", "runs")
    assert np.abs(middle.middle - scores.on_interval_scale().middle).max() < 0.05  # few runs tie
    with pytest.raises(ScaleError, match="ties='unq' or 'mid'"):
        scores.on_interval_scale(ties="min")


@pytest.mark.parametrize("universe", ["all", "attainable", "observed", "independent"])
def test_any_depth_and_any_universe(universe):
    """Never a refusal: what comes says what it is."""
    rng = np.random.default_rng(2)
    judged = JudgedRuns.from_grades(rng.integers(-1, 3, (3, 2, 120)).astype(np.int8), np.full((2, 3), 200))
    for name in ("AP@120", "nDCG@120", "ERR@120", "P@120", "IPrec11@120", "AP(rel=2)@50"):
        scores = score(judged, [name])[name]
        ranks = scores.on_interval_scale(universe=universe, width=0.2)
        assert ranks.universe == universe
        assert ranks.how == "exact" or ranks.width <= 0.2 + 1e-12
        assert ranks.exact or (ranks.remark is not None and name in ranks.remark)
        for topic in range(2):
            order = np.argsort(scores.values[:, topic], kind="stable")
            assert (np.diff(ranks.middle[order, topic]) >= 0).all()
