"""Evaluation from Python: scores, means, which topics count, frames, remarks."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import mensura
from mensura import (
    Evaluation,
    InputError,
    JudgedRuns,
    Measure,
    MeasureError,
    MensuraError,
    Scores,
    compare,
    evaluate,
    judge,
    read_qrels,
    read_run,
    score,
)
from mensura.measures import parse_measures

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}, "q3": {"b": 0}}
GOOD = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0}, "q3": {"x": 1.0}}
POOR = {"q1": {"b": 1.0, "x": 0.5}, "q7": {"a": 1.0}}


@pytest.fixture
def evaluation():
    return evaluate(QRELS, [read_run(GOOD, name="good"), read_run(POOR, name="poor")], ["AP", "P@2", "GM(AP)", "NumRet"])


def test_judged_runs():
    judged = judge(read_qrels(QRELS), [read_run(GOOD, name="good"), read_run(POOR, name="poor")], scores=True)
    assert judged.grades.tolist() == [[[1, 0, 2], [1, -1, -1], [-1, -1, -1]], [[0, -1, -1], [-1, -1, -1], [-1, -1, -1]]]
    assert judged.recall_base.tolist() == [[1, 1, 1], [0, 1, 0], [1, 0, 0]]
    assert judged.relevant(1).tolist() == [2, 1, 0]
    assert judged.relevant(2).tolist() == [1, 0, 0]
    assert judged.retrieved.tolist() == [[3, 1, 1], [2, 0, 0]]
    assert judged.missing.tolist() == [[False, False, False], [False, True, True]]
    assert judged.extra == ((), ("q7",))
    assert judged.systems == ("good", "poor")
    assert judged.topics == ("q1", "q2", "q3")
    assert judged.scores[0, 0].tolist() == [3, 2, 1]
    assert np.isnan(judged.scores[1, 1]).all()
    assert repr(judged) == "JudgedRuns(2 systems × 3 topics × 3 ranks)"
    assert judged.top(1).shape == (2, 3, 1)
    assert judged.top(5)[0, 0].tolist() == [1, 0, 2, -1, -1]


def test_names_of_systems_from_a_dict_of_runs():
    judged = judge(read_qrels(QRELS), {"x": read_run(GOOD), "y": read_run(POOR)})
    assert judged.systems == ("x", "y")


def test_all_ways_to_name_runs(tmp_path):
    """One or several runs, paths, patterns, dicts: the same values."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text(f"q1 Q0 a 1 3 {name}\nq1 Q0 b 2 2 {name}\nq1 Q0 c 3 1 {name}\nq2 Q0 a 1 1 {name}\n")
    run = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0}}
    for runs, names in (
        (run, ["run"]),
        (read_run(run), ["run"]),
        ([run], ["run"]),
        ({"x": run, "y": read_run(run)}, ["x", "y"]),
        (tmp_path / "one.txt", ["one"]),
        (str(tmp_path / "*.txt"), ["one", "two"]),
        ([tmp_path / "two.txt", run], ["two", "run"]),
        ({"z": tmp_path / "one.txt"}, ["z"]),
    ):
        evaluation = evaluate(QRELS, runs, "AP")
        assert list(evaluation.judged.systems) == names
        assert evaluation["AP"].values.tolist() == [[(1 + 2 / 3) / 2, 1, 0]] * len(names)
    assert score(evaluation.judged, ["map"])["AP"].values.tolist() == [[(1 + 2 / 3) / 2, 1, 0]]


def test_depth_keeps_only_the_first_ranks_but_counts_all():
    judged = judge(read_qrels(QRELS), [read_run(GOOD)], depth=2)
    assert judged.grades.shape == (1, 3, 2)
    assert judged.retrieved.tolist() == [[3, 1, 1]]
    assert score(judged, parse_measures(["P@2", "NumRet"]))["NumRet"].values.tolist() == [[3, 1, 1]]


def test_scores_by_any_name(evaluation):
    assert evaluation["map"] is evaluation["AP"]
    assert evaluation["AP"].values.tolist() == [[(1 + 2 / 3) / 2, 1, 0], [0, 0, 0]]
    assert [str(scores.measure) for scores in evaluation] == ["AP", "P@2", "GM(AP)", "NumRet"]
    with pytest.raises(KeyError, match=r"nDCG was not evaluated; there are AP, P@2, GM\(AP\), NumRet"):
        evaluation["nDCG"]


def test_means_sums_and_geometric_means(evaluation):
    assert evaluation["AP"].mean().tolist() == pytest.approx([(5 / 6 + 1 + 0) / 3, 0])
    assert evaluation["NumRet"].aggregate().tolist() == [5, 2]
    assert evaluation["NumRet"].mean().tolist() == pytest.approx([5 / 3, 2 / 3])
    floor = 0.00001  # trec_eval's
    assert evaluation["GM(AP)"].mean().tolist() == pytest.approx([(5 / 6 * 1 * floor) ** (1 / 3), floor])
    assert evaluation.means()["poor"]["P@2"] == 0


@pytest.mark.parametrize(
    ("topics", "means", "counted"), [("judged", [11 / 18, 0], [3, 3]), ("run", [11 / 18, 0], [3, 1]), ("both", [5 / 6, 0], [1, 1])]
)
def test_which_topics_count(topics, means, counted):
    runs = [read_run(GOOD, name="good"), read_run(POOR, name="poor")]
    scores = evaluate(QRELS, runs, "AP", topics=topics)["AP"]
    assert scores.mean().tolist() == pytest.approx(means)
    assert scores.topics_counted.tolist() == counted
    assert len(list(scores.rows())) == sum(counted)


def test_no_topic_counts_is_not_a_number():
    runs = [read_run({"q1": {"a": 1.0}}, name="one"), read_run({"q2": {"a": 1.0}}, name="two")]
    assert np.isnan(evaluate(QRELS, runs, "AP", topics="both")["AP"].mean()).all()


def test_data_frames(evaluation):
    frame = evaluation.to_pandas()
    assert list(frame.columns) == ["system", "topic", "measure", "value"]
    assert len(frame) == 4 * 2 * 3
    assert frame[(frame.system == "good") & (frame.measure == "AP") & (frame.topic == "q2")].value.tolist() == [1.0]
    assert evaluation.to_polars().shape == frame.shape
    assert evaluation["AP"].to_polars()["value"].to_list() == evaluation["AP"].to_pandas()["value"].tolist()


@pytest.mark.parametrize("measures", [["P@1"], ["NumRet"], ["NumRet", "P@1"]])
def test_documents_without_judgment_are_counted_among_the_ranks_that_are_kept(measures):
    """By hand: the first document of q1 is judged, that of q2 is not, and the three after it are beyond the rank that is kept."""
    run = {"q1": {"a": 3.0, "b": 2.0}, "q2": {"x": 4.0, "a": 3.0, "b": 2.0, "y": 1.0}}
    evaluation = evaluate({"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}}, {"one": run}, measures)
    (remark,) = (remark for remark in evaluation.remarks if remark.kind == "documents without judgment")
    assert remark.systems == (("one", 50.0),)
    assert remark.text.startswith("50.0 % of the documents in the top 1 ")


@pytest.mark.parametrize("name", ["GM(P@2)", "Median(P@2)", "P@2"])
def test_documents_without_judgment_are_counted_down_to_the_cut_off_of_a_geometric_mean(name):
    """By hand: two of three documents have a judgment, and of the first two one; other measures may keep more ranks than two."""
    run = {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}}
    judged = judge({"q1": {"a": 1, "b": 0}}, {"one": run})
    (remark,) = (remark for remark in score(judged, [name]).remarks if remark.kind == "documents without judgment")
    assert remark.text.startswith("50.0 % of the documents in the top 2 ")


def test_remarks(evaluation):
    said = {remark.kind: dict(remark.systems) for remark in evaluation.remarks}
    assert said["missing topics"] == {"poor": 2}
    assert said["topics without judgments"] == {"poor": 1}
    assert said["documents without judgment"] == {"good": pytest.approx(25), "poor": 50}
    assert "ties" not in said


@pytest.mark.parametrize(
    ("measures", "text"),
    [
        (["AP"], "1 of 3 topics has no relevant document for AP, and all runs have the same value there"),
        (
            ["nDCG@2", "GM(AP(rel=2))"],
            "2 of 3 topics have no relevant document for GM(AP(rel=2)), and all runs have the same value there",
        ),
        (
            ["P(rel=2)@2", "NumRet"],
            None,
        ),  # the one is zero as for any topic that a run misses, the other does not ask for relevance
    ],
)
def test_topics_without_relevant_documents_are_remarked(measures, text):
    """Counted by hand: no document of q3 is relevant, and none of q2 has grade 2."""
    qrels = {"q1": {"a": 2}, "q2": {"a": 1, "b": 0}, "q3": {"a": 0}}
    run = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    said = [each.coded for each in evaluate(qrels, {"one": run}, measures).remarks if each.code == "D108"]
    assert said == ([f"{text} [D108]"] if text else [])


def test_ties_are_remarked_only_where_they_decide():
    run = {"q": {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0}}
    alike = {"q": {"a": 1, "b": 1, "c": 0, "d": 0}}
    late = {"q": {"a": 1, "b": 1, "c": 1, "d": 0}}

    def ties(qrels, measures):
        return [remark.text for remark in evaluate(qrels, [read_run(run, name="r")], measures).remarks if remark.kind == "ties"]

    assert ties(alike, "AP") == []
    assert ties(late, "P@2") == []
    assert ties(late, "P@3") == [
        "1 run has equal scores for documents of different grade in the top 3, ordered by document id: r (1 of 1 topics)"
    ]


def test_inputs_are_values():
    """A second call gives the same, whatever the first one did."""
    qrels, run = read_qrels(QRELS), read_run(GOOD)
    first = evaluate(qrels, [run], ["AP", "nDCG"]).means()
    assert evaluate(qrels, [run], ["AP", "nDCG"]).means() == first
    assert qrels.to_dict() == QRELS
    assert run.to_dict() == GOOD


def test_mistakes():
    run = read_run(GOOD)
    with pytest.raises(MensuraError, match="expected at least one measure, got none"):
        evaluate(QRELS, [run], [])
    with pytest.raises(MensuraError, match="unknown topics='some'"):
        evaluate(QRELS, [run], "AP", topics="some")
    with pytest.raises(InputError, match="two runs would both be called"):
        evaluate(QRELS, [run, run], "AP")
    with pytest.raises(InputError, match="an array \\[system, topic, rank\\]"):
        JudgedRuns.from_grades([[1, 0]], [[1]])
    with pytest.raises(InputError, match="with 1 topics"):
        JudgedRuns.from_grades([[[1, 0]]], [[1], [2]])
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        mensura.evalute  # type: ignore[attr-defined]  # noqa: B018


def test_a_list_far_longer_than_the_others_does_not_eat_the_memory(monkeypatch):
    monkeypatch.setattr("mensura.judged.entrance.LARGEST", 8)
    with pytest.raises(InputError, match="keep fewer ranks"):
        evaluate(QRELS, [read_run(GOOD)], "AP")
    assert evaluate(QRELS, [read_run(GOOD)], "P@2").means()["run"]["P@2"] == pytest.approx((0.5 + 0.5 + 0) / 3)


def test_an_order_that_depends_on_the_scale_is_remarked():
    # P3 §2.1: A finds its first relevant documents at ranks 1, 2, 4 (MRR .58, mean rank 2.33), B at 2, 2, 2 (.5 and 2)
    qrels = {topic: {"r": 1} for topic in "abc"}

    def run(ranks, name):
        found = {
            topic: {("r" if rank == at else f"x{at}"): -float(at) for at in range(1, 6)}
            for topic, rank in zip("abc", ranks, strict=True)
        }
        return read_run(found, name=name)

    runs = [run((1, 2, 4), "A"), run((2, 2, 2), "B"), run((5, 5, 5), "C")]
    for measure, code, other in (("RR", "M101", "MFR"), ("RR@5", "M101", "MFR"), ("ERR(max_grade=1)", "M102", "EFR")):
        (remark,) = [each for each in evaluate(qrels, runs, measure).remarks if each.code[0] == "M"]
        assert remark.code == code
        assert remark.text.startswith(f"1 of 3 pairs of systems is ordered differently by mean rank ({other})")
        assert "A and B" in remark.text
        assert remark.coded.endswith(f"[{code}]")
        assert dict(remark.systems) == {"A": 1, "B": 1}
    assert not [each for each in evaluate(qrels, runs[1:], "RR").remarks if each.code[0] == "M"]


def boards(rows, base, names):
    """Places of systems with the grades ``rows`` [system][topic][rank], by each measure."""
    judged = JudgedRuns.from_grades(rows, base)
    return [scores.places().tolist() for scores in score(judged, names)]


def test_equal_means_share_a_place():
    """1/3 + 2/6 + 3/9 = 1 = 1/1: AP of the first and third list is equal as a fraction, whatever the doubles say."""
    rows = [[[0, 0, 1, 0, 0, 1, 0, 0, 1]], [[0] * 9], [[1] + [0] * 8], [[1] * 9]]
    assert boards(rows, [[30, 9]], ["AP", "P@9", "MFR@9", "NumRelRet"]) == [[2, 4, 2, 1], [2, 4, 3, 1], [3, 4, 1, 1], [2, 4, 3, 1]]


def test_equal_means_of_different_values_share_a_place():
    """The values of the two systems change places between topics: sums of doubles of 1/3, 1/7 … need not agree, fractions do."""
    lists = [[0, 0, 1, 0, 0, 0, 1], [0, 1, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 1]]
    rows = [lists, [lists[2], lists[0], lists[1]]]
    for names in (["AP", "nDCG", "ERR", "RBP(p=0.3)", "GM(AP)", "bpref"],):
        assert boards(rows, [[9, 2]] * 3, names) == [[1, 1]] * len(names)
    judged = JudgedRuns.from_grades(rows, [[9, 2], [9, 3], [9, 4]])
    assert score(judged, ["AP"])["AP"].places().tolist() != [1, 1]


def test_means_that_differ_by_less_than_doubles_hold_have_two_places():
    first = [1] + [0] * 39
    assert boards([[first], [[*first[:-1], 1]]], [[9, 2]], ["RBP(p=0.3)@40"]) == [[2, 1]]


def test_places_without_exact_values_or_ranks():
    @dataclass(frozen=True, repr=False, kw_only=True)
    class Own(Measure):
        name: ClassVar[str] = "Own"

        def score(self, judged):
            return np.array([[0.1 + 0.2], [0.3], [0.2], [np.nan]])

    judged = JudgedRuns.from_grades([[[1]]] * 4, [[1, 1]])
    counted = np.array([[True]] * 3 + [[False]])
    own = dataclasses.replace(score(judged, Own()).scores[0], counted=counted)
    assert own.places().tolist() == [1, 1, 3, 4]
    saved = Evaluation.from_dict(score(judged, "AP").to_dict())
    assert saved["AP"].places().tolist() == [1, 1, 1, 1]


def test_the_scores_of_one_measure_are_compared():
    qrels = {topic: {"d": 1} for topic in "123"}
    runs = {"A": {topic: {"d": 1.0} for topic in "123"}, "B": {topic: {"x": 2.0, "d": 1.0} for topic in "123"}}
    evaluation = evaluate(qrels, runs, ["RR", "P@1"])
    expected = compare(evaluation, measures=["RR"], test="sign")["RR"]["A", "B"]
    for scores in (evaluation["RR"], Scores.from_dict(evaluation["RR"].to_dict())):
        assert repr(compare(scores, test="sign")["RR"]["A", "B"]) == repr(expected)


@pytest.mark.parametrize("measures", [None, 5, [None]])
def test_what_is_not_a_measure(measures):
    with pytest.raises(MeasureError, match="expected a measure or its name, got"):
        evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, measures)
