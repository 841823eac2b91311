"""The drop-in for pytrec_eval against pytrec_eval itself."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import pytrec_eval as ours

theirs = pytest.importorskip("pytrec_eval")

DOCUMENTS = [f"d{number}" for number in range(12)] + ["é", "d 1"]
SCORES = st.one_of(st.sampled_from([0, 1, 0.5, 0.1, 0.1 + 1e-9, 16777216.0, 16777217.0, -1.0, float("inf")]), st.floats(-1e3, 1e3))


# Those that Mensura computes. pytrec_eval itself may not return where grades are negative, so that there are none below.
NAMES = [*ours.PLAIN, *ours.CUT, *ours.CONSTANT, "P_3", "P.5,10", "ndcg_cut_2", "recall.1", "map_cut.3,7", "success_2"]


def tables(values, least):
    return st.dictionaries(
        st.sampled_from(["a", "b", "1", "2"]), st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=least), min_size=1
    )


@given(
    qrels=tables(st.integers(0, 4), 0),
    run=tables(SCORES, 1),
    measures=st.sets(st.sampled_from(NAMES), min_size=1),
    level=st.sampled_from([1, 1, 2, 3]),
)
@settings(deadline=None, max_examples=200)
def test_the_same_keys_and_values(qrels, run, measures, level):
    expected = theirs.RelevanceEvaluator(qrels, measures, level).evaluate(run)
    evaluator = ours.RelevanceEvaluator(qrels, measures, level)
    for _ in range(2):
        values = evaluator.evaluate(run)
        assert values.keys() == expected.keys()
        for topic, each in expected.items():
            assert values[topic].keys() == each.keys()
            for key, value in each.items():
                assert values[topic][key] == pytest.approx(value, rel=0, abs=1e-12, nan_ok=True), key


@pytest.mark.parametrize("only", [False, True])
def test_what_is_left_to_pytrec_eval(only):
    qrels, run = {"q": {"a": 1, "b": 0, "c": 2}}, {"q": {"x": 4.0, "b": 3.0, "a": 2.0, "c": 1.0}}
    measures = {"official", "utility", "set_F", "Rprec_mult", "infAP", "P_3"}
    expected = theirs.RelevanceEvaluator(qrels, measures, 1, only).evaluate(run)
    assert ours.RelevanceEvaluator(qrels, measures, 1, only).evaluate(run) == expected


def test_names():
    assert ours.supported_measures == set(theirs.supported_measures)
    assert all(ours.supported_nicknames[name] == set(theirs.supported_nicknames[name]) for name in ours.supported_nicknames)


QRELS = {"q": {"a": 1, "b": 0}}


@pytest.mark.parametrize(
    "run", [{"q": 5}, {"q": {"a": "x"}}, {1: {"a": 1.0}}, {"q": {2: 1.0}}, {"q": {"a": None}}, {"q": [("a", 1.0)]}]
)
def test_the_same_errors_of_runs(run):
    for package in (theirs, ours):
        with pytest.raises(TypeError):
            package.RelevanceEvaluator(QRELS, {"map"}).evaluate(run)


@pytest.mark.parametrize("run", [None, {}, [], {"x": {"a": 1.0}}])
def test_runs_without_results(run):
    assert ours.RelevanceEvaluator(QRELS, {"map"}).evaluate(run) == theirs.RelevanceEvaluator(QRELS, {"map"}).evaluate(run) == {}


def test_a_topic_without_documents():
    measures = {"map", "P_5", "ndcg", "num_ret", "gm_map"}
    expected = theirs.RelevanceEvaluator(QRELS, measures).evaluate({"q": {}})
    assert ours.RelevanceEvaluator(QRELS, measures).evaluate({"q": {}}) == expected


@pytest.mark.parametrize(
    ("qrels", "error"),
    [
        ({1: {"a": 1}}, TypeError),
        ({"q": {"a": 1.0}}, TypeError),
        ({"q": {2: 1}}, TypeError),
        ({"q": [1]}, TypeError),
        (5, AttributeError),
    ],
)
def test_the_same_errors_of_judgments(qrels, error):
    for package in (theirs, ours):
        with pytest.raises(error):
            package.RelevanceEvaluator(qrels, {"map"})


@pytest.mark.parametrize("measures", [{"foo"}, "map", {"P_"}])
def test_the_same_errors_of_measures(measures):
    for package in (theirs, ours):
        with pytest.raises(ValueError, match="unsupported measure"):
            package.RelevanceEvaluator(QRELS, measures)


def test_nan_has_no_place_in_a_ranking():
    with pytest.raises(ValueError, match="NaN"):
        ours.RelevanceEvaluator(QRELS, {"map"}).evaluate({"q": {"a": float("nan")}})


def test_parsing():
    lines = ["q Q0 a 1 2.5 me\n", "q Q0 b 2 1 me\n"]
    assert ours.parse_run(lines) == theirs.parse_run(lines)
    judged = ["q 0 a 1\n", "p 0 b -1\n"]
    assert ours.parse_qrel(judged) == theirs.parse_qrel(judged)
    for package in (theirs, ours):
        with pytest.raises(AssertionError):
            package.parse_run([lines[0]] * 2)
        with pytest.raises(ValueError, match="unpack"):
            package.parse_qrel(["q 0 a\n"])


@pytest.mark.parametrize("measure", ["num_ret", "gm_map", "map"])
def test_aggregation(measure):
    values = [-1.5, -0.25, -3.0]
    assert ours.compute_aggregated_measure(measure, values) == theirs.compute_aggregated_measure(measure, values)


def test_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytrec_eval", theirs)
    monkeypatch.setattr(sys.modules[__name__], "pytrec_eval", theirs, raising=False)
    ours.install()
    import pytrec_eval

    assert pytrec_eval is ours
    assert sys.modules[__name__].pytrec_eval is ours
