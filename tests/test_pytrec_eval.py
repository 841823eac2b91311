"""The drop-in for pytrec_eval against pytrec_eval itself."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import pytrec_eval as ours

theirs = pytest.importorskip("pytrec_eval")

DOCUMENTS = [f"d{number}" for number in range(12)] + ["é", "d 1"]
SCORES = st.one_of(st.sampled_from([0, 1, 0.5, 0.1, 0.1 + 1e-9, 16777216.0, 16777217.0, -1.0, float("inf")]), st.floats(-1e3, 1e3))


NAMES = [
    *sorted(ours.supported_measures),
    *(
        "official",
        "set",
        "all_trec",
        "P_3",
        "P.5,10",
        "P.2.5",
        "ndcg_cut_2",
        "recall.1",
        "map_cut.3,7",
        "success_2",
        "relative_P_4",
    ),
    *("iprec_at_recall.0.5", "iprec_at_recall_0.25,1", "11pt_avg.0.2,0.5,0.8", "Rprec_mult.0.5,1.5,3", "set_F.2"),
    *("set_F_0.5,3", "map.5", "bpref_1", "infAP.2", "relstring.5", "num_q.3"),
]


def tables(values, least):
    return st.dictionaries(
        st.sampled_from(["a", "b", "1", "2"]), st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=least), min_size=1
    )


# A topic whose grades are all negative ends pytrec_eval: it counts grades from 0 to the highest.
JUDGMENTS = tables(st.integers(-2, 4), 0).map(
    lambda table: {topic: grades | ({"z": 0} if grades and max(grades.values()) < 0 else {}) for topic, grades in table.items()}
)


@given(
    qrels=JUDGMENTS,
    run=tables(SCORES, 1),
    measures=st.sets(st.sampled_from(NAMES), min_size=1),
    level=st.sampled_from([1, 1, 2, 3]),
    only=st.booleans(),
)
@settings(deadline=None, max_examples=300)
def test_the_same_keys_and_values(qrels, run, measures, level, only):
    expected = theirs.RelevanceEvaluator(qrels, measures, level, only).evaluate(run)
    evaluator = ours.RelevanceEvaluator(qrels, measures, level, only)
    for _ in range(2):
        values = evaluator.evaluate(run)
        assert values.keys() == expected.keys()
        for topic, each in expected.items():
            assert values[topic].keys() == each.keys()
            for key, value in each.items():
                assert values[topic][key] == pytest.approx(value, rel=0, abs=1e-12, nan_ok=True), key


def test_pytrec_eval_is_not_needed(tmp_path):
    """All measures in a process that cannot import it."""
    (tmp_path / "pytrec_eval_ext.py").write_text("raise ImportError")
    (tmp_path / "pytrec_eval.py").write_text("raise ImportError")
    program = """
from mensura import pytrec_eval
pytrec_eval.install()
import pytrec_eval
evaluator = pytrec_eval.RelevanceEvaluator({"q": {"a": 1}}, {"all_trec"}, 1, True)
print(evaluator.evaluate({"q": {"a": 1.0}})["q"]["bpref"])
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": str(tmp_path)}
    )
    assert run.stdout == "1.0\n", run.stderr


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
    """After another topic: pytrec_eval ends if the first has none."""
    qrels, run = QRELS | {"p": {"a": 1}}, {"p": {"a": 1.0}, "q": {}}
    expected = theirs.RelevanceEvaluator(qrels, {"all_trec"}).evaluate(run)["q"]
    values = ours.RelevanceEvaluator(qrels, {"all_trec"}).evaluate(run)["q"]
    assert values == pytest.approx(expected, rel=0, abs=1e-12, nan_ok=True)


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


@pytest.mark.parametrize("measures", [{"foo"}, "map", {"P_"}, {"prefs"}])
def test_the_same_errors_of_measures(measures):
    for package in (theirs, ours):
        with pytest.raises(ValueError, match="unsupported measure"):
            package.RelevanceEvaluator(QRELS, measures)


@pytest.mark.parametrize("options", [{"relevance_level": 0}, {"relevance_level": "1"}, {"relevance_level": 1.5},
                                     {"relevance_level": 2**31}, {"judged_docs_only_flag": "x"}, {"measures": None}])  # fmt: skip
def test_the_same_errors_of_options(options):
    for package in (theirs, ours):
        with pytest.raises(TypeError):
            package.RelevanceEvaluator(**{"query_relevance": QRELS, "measures": {"map"}} | options)


@pytest.mark.parametrize("measure", ["P.0", "P_0.5", "map_cut.0,5", "ndcg.1", "G_2", "utility.1,2,3,4", "iprec_at_recall.5"])
def test_parameters_that_end_pytrec_eval(measure):
    """Or, as for utility and levels of recall above 1, make it return 0."""
    with pytest.raises(ValueError, match=r"^(P|AP|unsupported measure (ndcg|G|utility)|IPrec)"):
        ours.RelevanceEvaluator(QRELS, {measure})


@pytest.mark.parametrize("run", [[1], "abc"])
def test_runs_that_are_not_dicts(run):
    for package in (theirs, ours):
        with pytest.raises(TypeError, match="should be of type dictionary"):
            package.RelevanceEvaluator(QRELS, {"map"}).evaluate(run)


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
