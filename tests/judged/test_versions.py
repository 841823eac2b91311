"""Judged runs with other lists, grades and ties, against grades written by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mensura import AP, JudgedRuns, P, judge, parse_measure
from mensura.errors import DepthError, InputError, MeasureError
from mensura.judged.runs import tie_groups

ROWS = [[[2, -1, 0, 1], [0, 1, -1, -1]], [[-1, -1, 1, 0], [-2, 3, 1, 0]]]
QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "e": 3}}
RUNS = {"one": {"1": {"a": 9, "x": 8, "b": 7, "c": 6}, "2": {"e": 1}}, "two": {"1": {"x": 9, "c": 8}}}


@pytest.fixture
def judged() -> JudgedRuns:
    return JudgedRuns.from_grades(ROWS, [[4, 3, 1, 0], [5, 2, 0, 1]])


def test_grades_alone_are_judged_runs(judged):
    assert (judged.shape, judged.length, judged.depth) == ((2, 2), 4, None)
    assert (judged.systems, judged.topics, judged.extra) == (("1", "2"), ("1", "2"), ((), ()))
    assert judged.retrieved.tolist() == [[4, 4], [4, 4]]
    assert judged.ties.tolist() == [[0, 0], [0, 0]]
    assert (judged.compat, judged.tie_order, judged.own, judged.own_dropped, judged.highest) == ("trec_eval-10", "id", (), False, 0)
    assert repr(judged) == "JudgedRuns(2 systems × 2 topics × 4 ranks)"


@pytest.mark.parametrize(
    ("grades", "base", "message"),
    [
        ([[1, 0]], [[1, 1]], "not one of 2 dimensions"),
        ([[[1, 0]]], [1, 1], "with 1 topics, not of shape"),
        ([[[1, 0]]], [1], "with 1 topics, not of shape"),
        ([[[1, 0]]], [[1, 1], [1, 1]], "with 1 topics, not of shape"),
    ],
)
def test_arrays_of_another_shape_are_refused(grades, base, message):
    with pytest.raises(InputError, match=message):
        JudgedRuns.from_grades(grades, base)


def test_names_alone_have_no_ranks():
    names = JudgedRuns.without_ranks(("A", "B", "C"), ("1", "2"))
    assert (names.shape, names.length, names.depth, names.max_grade) == ((3, 2), 0, 0, 0)
    assert (names.systems, names.topics) == (("A", "B", "C"), ("1", "2"))
    assert names.recall_base.tolist() == [[0], [0]]
    with pytest.raises(DepthError, match="needs 1 ranks, but only 0 were kept"):
        (P() @ 1).score(names)


def test_missing_topics():
    judged = judge(QRELS, RUNS)
    assert judged.missing.tolist() == [[False, False], [False, True]]


def test_the_highest_grade_is_that_of_judgments_or_runs_or_of_the_collection(judged):
    assert judged.max_grade == 3
    assert JudgedRuns.from_grades([[[0, 1]]], [[1, 1, 0, 0]]).max_grade == 1
    assert JudgedRuns.from_grades([[[0, 2]]], [[1, 1, 0, 0]]).max_grade == 2
    assert JudgedRuns.from_grades([[[0, 0]]], [[2]]).max_grade == 0
    assert JudgedRuns.from_grades([[[0, 0]]], [[1, 0, 1]]).max_grade == 2
    assert replace(judged, highest=5).max_grade == 5


def test_recall_bases_and_hits(judged):
    assert judged.relevant().tolist() == [4, 3]
    assert judged.relevant(2).tolist() == [1, 1]
    hits = judged.hits()
    assert hits.row.tolist() == [0, 0, 1, 2, 3, 3]
    assert hits.rank.tolist() == [1, 4, 2, 3, 2, 3]
    assert hits.nth.tolist() == [1, 2, 1, 1, 1, 2]
    assert judged.hits(3).row.tolist() == [3]
    highest = JudgedRuns.from_grades([[[127, 126]]], [[0] * 127 + [1]])  # grades have 8 bits
    assert [len(highest.hits(rel).row) for rel in (126, 127, 128, 1000)] == [2, 1, 0, 0]
    assert judged.total(hits).tolist() == [[2, 1], [1, 2]]
    assert judged.total(hits).dtype == np.float64
    assert judged.total(hits, 1.0 / hits.rank).tolist() == [[1.25, 0.5], [1 / 3, 1 / 2 + 1 / 3]]
    assert judged.per_topic(np.array([7, 8])).tolist() == [7, 8, 7, 8]


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (lambda judged: judged.relevant(2), "rel=2"),
        (lambda judged: judged.hits(), "rel=1"),
        (lambda judged: judged.top(1), "a cut of grades"),
        (lambda judged: judged.regraded(judged.grades), "regrading"),
        (lambda judged: judged.need(1, AP()), "AP"),
    ],
)
def test_continuous_judgments_have_no_whole_grades(asked, what):
    judged = judge({"1": {"a": 0.5, "b": 2.0}}, {"one": {"1": {"a": 1.0}}})
    with pytest.raises(InputError, match=f"{what} needs grades that are whole numbers"):
        asked(judged)
    with pytest.raises(InputError, match="a cut at rank 1 needs grades that are whole numbers"):
        judged.cut(1)
    judged.need(None, parse_measure("ADM"))
    asked(without_files(judged))  # nobody can say where they come from
    asked(judge({"1": {"a": 1.0, "b": 2.0}}, {"one": {"1": {"a": 1.0}}}))


def test_expected_values_are_for_some_measures():
    judged = judge(QRELS, {"one": {"1": {"a": 1.0, "b": 1.0}}}, ties="expected")
    assert parse_measure("P@1").score(judged).tolist() == [[0.5, 0.0]]
    with pytest.raises(MeasureError, match="Rprec has no expected value"):
        parse_measure("Rprec").score(judged)
    with pytest.raises(MeasureError, match="a cut at rank 1 has no expected value"):
        judged.cut(1)


def test_too_few_ranks_are_refused(judged):
    cut = judged.cut(2)
    assert (P() @ 2).score(cut).tolist() == (P() @ 2).score(judged).tolist()
    with pytest.raises(DepthError, match="AP needs all ranks, but only 2 were kept"):
        AP().score(cut)
    with pytest.raises(DepthError, match="needs 3 ranks"):
        cut.cut(3)


def test_systems_again_and_again(judged):
    twice = judged.repeated(2)
    assert twice.systems == ("1", "2", "1", "2")
    assert twice.grades.tolist() == [*ROWS, *ROWS]


def listed(judged: JudgedRuns) -> list[list[list[str]]]:
    documents = judged.documents()
    names = [documents.of_topic(topic) for topic in range(judged.shape[1])]
    return [[[names[t][at] for at in row.tolist() if at >= 0] for t, row in enumerate(rows)] for rows in documents.number]


def test_documents_go_with_their_lists():
    judged = judge(QRELS, RUNS)
    assert listed(judged) == [[["a", "x", "b", "c"], ["e"]], [["x", "c"], []]]
    alone = {  # files that were read once need not be read again: what is kept moves along
        "only": (judged.only(["two"]), [[["x", "c"], []]]),
        "cut": (judged.cut(2), [[["a", "x"], ["e"]], [["x", "c"], []]]),
        "whole": (judged.cut(4), listed(judged)),
        "binary": (judged.binary(2), listed(judged)),
        "regraded": (judged.regraded(judged.grades), listed(judged)),
        "shortened": (judged.shortened(2), [[["a", "x"], ["e"]], [["x", "c"], []]]),
        "judged only": (judged.judged_only(), [[["a", "b", "c"], ["e"]], [["c"], []]]),
    }
    for name, (version, documents) in alone.items():
        assert listed(without_files(version)) == documents, name


def without_files(judged: JudgedRuns) -> JudgedRuns:
    """The same judged runs and kept documents, without the files."""
    object.__setattr__(judged, "origin", None)
    return judged


def test_lists_without_kept_documents_are_not_read_again():
    judged = judge(QRELS, RUNS)
    assert judged.shortened(2).origin is None
    judged.documents()
    assert judged.shortened(2).origin is judged.origin


def test_shortened_lists(judged):
    short = judged.shortened(1)
    assert short.grades.tolist() == [[[2], [0]], [[-1], [-2]]]
    assert (short.length, short.depth, short.retrieved.tolist()) == (1, None, [[1, 1], [1, 1]])
    assert (short.hits().row.tolist(), short.hits().rank.tolist()) == ([0], [1])
    assert JudgedRuns.from_grades([[[0], [1]]], [[2, 1]] * 2).hits().row.tolist() == [1]
    assert judged.shortened(9).retrieved.tolist() == [[4, 4], [4, 4]]
    with pytest.raises(InputError, match="expected at least 1 rank to keep, got 0"):
        judged.shortened(0)
    with pytest.raises(DepthError, match="a list of 3 documents needs 3 ranks"):
        judged.cut(2).shortened(3)


def test_lists_of_judged_documents_alone():
    judged = judge(QRELS, RUNS, scores=True)
    alone = judged.judged_only()
    assert alone.grades.tolist() == [[[2, 0, 1, -1], [3, -1, -1, -1]], [[1, -1, -1, -1], [-1, -1, -1, -1]]]
    assert alone.retrieved.tolist() == [[3, 1], [1, 0]]
    assert alone.scores is not None
    assert np.nan_to_num(alone.scores, nan=-5).tolist() == [[[9, 7, 6, -5], [1, -5, -5, -5]], [[8, -5, -5, -5], [-5, -5, -5, -5]]]
    with pytest.raises(DepthError, match="the judged documents alone needs all ranks"):
        judged.cut(2).judged_only()


def test_two_grades(judged):
    two = replace(judged, highest=3).binary(2)
    assert two.grades.tolist() == [[[1, -1, 0, 0], [0, 0, -1, -1]], [[-1, -1, 0, 0], [-2, 1, 0, 0]]]
    assert two.recall_base.tolist() == [[7, 1], [7, 1]]
    assert two.max_grade == 1
    none = JudgedRuns.from_grades([[[0, 0]]], [[2]]).binary(1)
    assert (none.grades.tolist(), none.recall_base.tolist(), none.max_grade) == ([[[0, 0]]], [[2, 0]], 0)
    with pytest.raises(InputError, match="expected 1 to 1"):
        none.binary(2)
    for rel in (0, 4):
        with pytest.raises(InputError, match=f"rel={rel} is not a grade of relevant documents; expected 1 to 3"):
            judged.binary(rel)


def test_the_first_ranks(judged):
    assert judged.top(None) is judged.grades
    assert judged.top(4) is judged.grades
    assert judged.top(1).tolist() == [[[2], [0]], [[-1], [-2]]]
    assert judged.top(5)[0, 0].tolist() == [2, -1, 0, 1, -1]


def test_groups_of_equal_scores():
    scores = np.array([[[5.0, 5.0, 3.0, 2.0, 2.0, 2.0, np.nan]]])
    assert tie_groups(scores).tolist() == [[[0, 0, 2, 3, 3, 3, 6]]]
