"""PyTerrier's experiment: against pt.Experiment where it is installed, and with anything that has ``transform`` where it is not."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings

import ir_measures
import numpy as np
import pandas as pd
import pytest

from mensura import InputError, MeasureError, MensuraWarning, StatisticsError, compare
from mensura.pyterrier import Experiment

NAMES = ["map", "ndcg_cut_10", "recip_rank", "P_10"]
TOPICS = pd.DataFrame({"qid": ["1", "2", "3"], "query": ["a", "b", "c"]})
QRELS = pd.DataFrame([("1", "a", 1), ("2", "b", 2), ("3", "c", 1), ("4", "d", 1)], columns=["qid", "docno", "label"])
FOUND = pd.DataFrame([("1", "a", 2.0), ("1", "x", 1.0), ("2", "b", 1.0), ("3", "c", 1.0)], columns=["qid", "docno", "score"])


class Half:
    """A transformer by its method alone: it finds nothing for topic 3."""

    def transform(self, topics):
        first = topics[topics["qid"] != "3"]
        return first.assign(docno=["x", "b"], docid=[7, 7], score=[2.0, 1.0], rank=0)

    def __call__(self, topics):
        raise AssertionError


def campaign(seed, topics=20, documents=60):
    """Return topics, judgments and three result frames; some topics are not judged, some are not asked, some have no results."""
    draw = random.Random(seed)  # noqa: S311 - data of a test
    asked = pd.DataFrame({"qid": [str(q) for q in range(topics)], "query": "words"})
    judged = [(str(q), f"d{d}", draw.choice([0, 0, 1, 2])) for q in range(2, topics + 3) for d in draw.sample(range(documents), 15)]
    frames = []
    for _ in range(3):
        # Scores that tie as 32-bit floats, and scores that tie altogether.
        rows = [
            (str(q), f"d{d}", draw.choice([0.1, 0.1 + 1e-9, draw.random()]))
            for q in range(topics)
            if draw.random() > 0.1
            for d in draw.sample(range(documents), 30)
        ]
        frame = pd.DataFrame(rows, columns=["qid", "docno", "score"])
        frame["docid"] = range(len(frame))
        frame["rank"] = frame.groupby("qid")["score"].rank(ascending=False, method="first").astype(int) - 1
        frames.append(frame)
    return asked, pd.DataFrame(judged, columns=["qid", "docno", "label"]), frames


@pytest.fixture(scope="module")
def pt():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("pyterrier", reason="pip install python-terrier to compare with pt.Experiment")


def retriever(pt, answer):
    """Return a transformer of PyTerrier's own kind that answers with a function of the topics."""
    return type("Retriever", (pt.Transformer,), {"transform": lambda self, topics: answer(topics)})()


def means(comparisons):
    return {(each.system, str(each.measure)): each.mean for each in comparisons.leaderboard()}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.filterwarnings("ignore")  # PyTerrier's own
def test_the_means_of_pyterrier(pt, seed):
    topics, qrels, frames = campaign(seed)

    second = retriever(pt, lambda asked: frames[1][frames[1]["qid"].isin(asked["qid"])])
    systems = [pt.Transformer.from_df(frames[0]), second % 12, frames[2]]
    theirs = pt.Experiment(systems, topics, qrels, NAMES, names=["a", "b", "c"])
    objects = [pt.measures.AP, pt.measures.nDCG @ 10, pt.measures.RR, pt.measures.P @ 10]
    for measures in (NAMES, objects):
        ours = means(Experiment(systems, topics, qrels, measures, names=["a", "b", "c"], test="t"))
        for system in "abc":
            for name, own in zip(NAMES, ("AP", "nDCG@10", "RR", "P@10"), strict=True):
                expected = theirs.set_index("name").loc[system, name]
                assert ours[system, own] == pytest.approx(expected, abs=1e-12), (system, name)


@pytest.mark.filterwarnings("ignore")  # PyTerrier's own
def test_the_p_values_of_pyterrier(pt):
    topics, qrels, frames = campaign(0)
    theirs = pt.Experiment(frames, topics, qrels, ["map"], names=["a", "b", "c"], baseline=1, correction="holm")
    ours = Experiment(frames, topics, qrels, ["map"], names=["a", "b", "c"], baseline=1, test="t", correction="holm")["AP"]
    for system in "ac":
        row = theirs.set_index("name").loc[system]
        pair = ours[system, "b"]
        assert pair.p == pytest.approx(row["map p-value"], rel=1e-9)
        assert pair.corrected_p == pytest.approx(row["map p-value corrected"], rel=1e-9)


@pytest.mark.filterwarnings("ignore")  # PyTerrier's own
def test_pipelines_have_names_without_addresses(pt):
    first = retriever(pt, lambda asked: asked.assign(docno="a", score=1.0, rank=0))
    comparisons = Experiment([first, first % 1, first >> pt.apply.generic(lambda frame: frame)], TOPICS, QRELS, "AP", test="t")
    assert comparisons[0].systems[-1] == "Retriever"
    assert not any("0x" in system for system in comparisons[0].systems)


def test_topics_without_results_count_0_and_topics_that_were_not_asked_do_not_count():
    comparisons = Experiment({"half": Half(), "found": FOUND}, TOPICS, QRELS, ["recip_rank", ir_measures.P @ 1], test="sign")
    assert means(comparisons) == {("found", "RR"): 1.0, ("found", "P@1"): 1.0, ("half", "RR"): 1 / 3, ("half", "P@1"): 1 / 3}
    assert comparisons[0].topics == ("1", "2", "3")


def test_a_comparison_of_the_frames_is_the_same():
    frames = {"half": Half().transform(TOPICS), "found": FOUND, "x": FOUND.assign(docno="x").drop_duplicates("qid")}
    options = {"baseline": ["found", "x"], "scale": "both", "seed": 3, "samples": 500, "correction": "holm"}
    ours = Experiment(frames, TOPICS, QRELS, ["P_5", "RR@5"], **options)
    theirs = compare(QRELS[QRELS["qid"] != "4"], frames, ["P@5", "RR@5"], **options)
    assert ours.to_dict() == theirs.to_dict()
    assert len(ours.pairs()) == 3 * 2 * 2  # pairs with a baseline, measures, scales
    assert ours[0].family.size == len(ours.pairs())


@pytest.mark.parametrize("baseline", [1, "found", [1], ["found", 1], np.int64(1)])
def test_a_baseline_is_an_index_or_a_name(baseline):
    comparisons = Experiment([Half(), FOUND], TOPICS, QRELS, "AP", names=["half", "found"], baseline=baseline, test="t")
    assert [(pair.first, pair.second) for pair in comparisons.pairs()] == [("half", "found")]


def test_the_first_system_may_be_the_baseline():
    comparisons = Experiment((Half(), FOUND), TOPICS, QRELS, "AP", names=["half", "found"], baseline=0, test="t")
    assert [(pair.first, pair.second) for pair in comparisons.pairs()] == [("found", "half")]


@pytest.mark.parametrize("asked", [["1", "2", "3", "4"], ["1", "2", "3", "4", "unjudged"]])
def test_all_judged_topics_may_be_asked(asked):
    topics = pd.DataFrame({"qid": asked})
    comparisons = Experiment({"a": FOUND, "b": FOUND[:2]}, topics, QRELS, "AP", test="t")
    assert comparisons[0].topics == ("1", "2", "3", "4")
    assert means(comparisons) == {("a", "AP"): 3 / 4, ("b", "AP"): 1 / 4}


def test_numbers_may_identify_topics():
    qrels, found = (frame.assign(qid=frame["qid"].astype(int)) for frame in (QRELS, FOUND))
    assert means(Experiment({"a": found, "b": Half()}, TOPICS, qrels, "AP", test="t"))["a", "AP"] == 1.0


def test_columns_of_the_user_s_own_do_not_matter():
    frame = FOUND.assign(query_id="?", doc_id="?", sim=0.0, query="a")
    topics = TOPICS.assign(topic="?")
    qrels = QRELS.assign(iteration=0, relevance=9)
    assert means(Experiment({"a": frame, "b": Half()}, topics, qrels, "AP", test="t"))["a", "AP"] == 1.0


def test_functions_are_called_by_their_names():
    def everything(topics):
        return FOUND

    assert Experiment([everything, Half()], TOPICS, QRELS, "AP", test="t")[0].systems == ("Half", "everything")


def broken(topics):
    raise KeyError("index")


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (broken, "b: the transformer failed: KeyError: 'index'"),
        (lambda topics: None, "b: expected a pandas data frame with the columns qid, docno, score, got NoneType"),
        (lambda topics: topics, "b: there is no column 'docno' among qid, query; expected qid, docno, score"),
        (FOUND.drop(columns="score"), "b: there is no column 'score' among qid, docno; expected"),
        (FOUND[:0], "b: there are no results for 3 topics; leave this system out"),
        (FOUND.assign(score=[1.0, np.nan, 1.0, 1.0]), "b: row 2: the score of topic '1', document 'x' is missing"),
        (pd.concat([FOUND, FOUND]), "4 faults in 1 system; mend them:\n  b: row 5: document 'a' is listed twice for topic '1'"),
        (7, "b: expected a transformer or a data frame of results, got int"),
    ],
)
def test_systems_that_cannot_be_compared(system, message):
    with pytest.raises(InputError) as caught:
        Experiment({"a": FOUND, "b": system}, TOPICS, QRELS, "AP")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("systems", "names", "message"),
    [
        ([Half(), Half()], None, "two systems are called 'Half'; tell them apart with names="),
        ([Half(), FOUND], ["a", "a"], "two systems are called 'a'; tell them apart with names="),
        ({1: FOUND, "1": FOUND}, None, "two systems are called '1'"),
        ([Half(), FOUND], None, "systems[1] is a data frame, which has no name"),
        ([Half(), FOUND], ["a"], "names= needs one name for each of the 2 systems, got 1"),
        ([Half(), FOUND], "ab", "names= needs one name for each of the 2 systems, got 'ab'"),
        ({"a": FOUND}, ["b"], "the keys of a dict of systems are their names"),
        ([Half()], None, "expected at least 2 systems, got 1"),
        (FOUND, None, "expected a list or a dict of systems, got DataFrame"),
    ],
)
def test_names_that_cannot_be_used(systems, names, message):
    with pytest.raises(InputError) as caught:
        Experiment(systems, TOPICS, QRELS, "AP", names=names)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("topics", "qrels", "message"),
    [
        ("topics.xml", QRELS, "topics: expected a pandas data frame with the columns qid, got str"),
        (TOPICS[["query"]], QRELS, "topics: there is no column 'qid' among query"),
        (TOPICS[:0], QRELS, "topics: no topic is judged; the qids are none here and 1, 2, 3 in qrels"),
        (pd.DataFrame(index=[1]), QRELS, "topics: there is no column 'qid' among none; expected qid"),
        (TOPICS, QRELS.rename(columns={"label": "grade"}), "qrels: there is no column 'label' among qid, docno, grade"),
        (TOPICS.assign(qid=["7", "8", "9"]), QRELS, "topics: no topic is judged; the qids are 7, 8, 9 here and 1, 2, 3 in qrels"),
        (TOPICS, QRELS.assign(label=[1, 1, 1, np.nan]), "<data frame>: row 4"),
    ],
)
def test_topics_and_judgments_that_cannot_be_used(topics, qrels, message):
    with pytest.raises(InputError) as caught:
        Experiment({"a": FOUND, "b": Half()}, topics, qrels, "AP")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": 2}, "there is no system 2; a baseline is an index from 0 to 1, or a name"),
        ({"baseline": -1}, "there is no system -1"),
        ({"baseline": True}, "a baseline is the index or the name of a system, got True; write e.g. 0 or 'a'"),
        ({"baseline": ["a", "c"]}, "unknown baseline 'c'; there are a, b"),
        ({"eval_metrics": ["map"]}, "unknown option 'eval_metrics'; measures are the fourth argument"),
        ({"sample": 3}, "unknown option 'sample'; did you mean 'samples'?"),
        ({"test": "wilcoxon"}, "unknown test 'wilcoxon'; did you mean 'signed-rank'?"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    with pytest.raises(StatisticsError) as caught:
        Experiment({"a": FOUND, "b": Half()}, TOPICS, QRELS, "AP", **options)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("measures", "options", "message"),
    [
        ("nDGC@10", {}, "did you mean"),
        ("AP", {"test": "wilcoxon"}, "unknown test"),
        ("AP", {"correction": "hs"}, "unknown correction"),
        ("AP", {"baseline": 5}, "there is no system 5"),
    ],
)
def test_no_pipeline_runs_before_a_mistake_is_reported(measures, options, message):
    with pytest.raises((MeasureError, StatisticsError), match=message):
        Experiment({"a": FOUND, "b": broken}, TOPICS, QRELS, measures, **options)


def test_options_of_the_order_reach_the_ranking():
    tied = pd.DataFrame({"qid": "1", "docno": ["a", "x"], "score": [0.1 + 1e-9, 0.1]})  # as 32-bit floats they tie, and x is first
    found = [
        means(Experiment({"a": tied, "b": FOUND}, TOPICS[:2], QRELS, "RR", test="t", **options))["a", "RR"]
        for options in ({}, {"compat": "trec_eval-10"}, {"ties": "expected"})
    ]
    assert found == [0.5 / 2, 1 / 2, 0.75 / 2]  # the second topic has no results


def test_a_warning_is_about_the_caller():
    with pytest.warns(MensuraWarning) as caught:
        Experiment({"a": FOUND, "b": Half()}, TOPICS, QRELS, "AP", test="t")
    assert {each.filename for each in caught} == {__file__}


def test_pyterrier_is_not_imported():
    code = "import sys, mensura; mensura.pyterrier.Experiment; print({'pyterrier', 'pandas'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
