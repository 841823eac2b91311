"""Evaluations, scores, ranks and remarks as plain data, and back."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from mensura import Evaluation, JudgedRuns, Ranks, Remark, Scores, evaluate, read_run, score
from mensura.errors import DepthError, MensuraError, ScaleError

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}, "q3": {"z": 1}}
RUNS = {"good": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0}}, "poor": {"q1": {"b": 2.0, "x": 1.0}, "q9": {"a": 1.0}}}


@pytest.fixture(scope="module")
def evaluation():
    runs = [read_run(run, name=name) for name, run in RUNS.items()]
    return evaluate(QRELS, runs, ["AP@3", "RR@3", "NumRet"], topics="run")


def same(one, other):
    assert (one.measure, one.systems, one.topics) == (other.measure, other.systems, other.topics)
    assert np.array_equal(one.values, other.values, equal_nan=True)
    assert np.array_equal(one.counted, other.counted)


def test_scores_are_saved_and_read_back(evaluation):
    for scores in evaluation:
        again = Scores.from_json(scores.to_json())
        same(again, scores)
        assert again.mean().tolist() == pytest.approx(scores.mean().tolist(), nan_ok=True)
        with pytest.raises(ScaleError, match="have no judged runs"):
            again.on_interval_scale()


def test_rows_are_the_topics_that_count(evaluation):
    rows = list(evaluation["AP@3"].rows())
    assert [(row["system"], row["topic"]) for row in rows] == [("good", "q1"), ("good", "q2"), ("poor", "q1")]
    assert rows[1] == {"system": "good", "topic": "q2", "measure": "AP@3", "value": 1.0}
    assert len(list(evaluation.rows())) == 3 * 3
    assert evaluation.to_pandas().to_dict("records") == list(evaluation.rows())
    assert evaluation.to_polars().to_dicts() == list(evaluation.rows())


def test_an_evaluation_is_saved_with_its_remarks_and_without_its_runs(evaluation):
    assert evaluation.remarks
    again = Evaluation.from_dict(json.loads(json.dumps(evaluation.to_dict())))
    for one, other in zip(again, evaluation, strict=True):
        same(one, other)
    assert again.remarks == evaluation.remarks
    assert again.means() == evaluation.means()
    assert again.judged.systems == ("good", "poor")
    with pytest.raises(DepthError, match="only 0 were kept"):
        score(again.judged, "P@3")
    with pytest.raises(MensuraError, match="expected a saved Evaluation, got Scores"):
        Evaluation.from_dict(evaluation["AP@3"].to_dict())


def test_remarks_are_saved_and_read_back(evaluation):
    for remark in evaluation.remarks:
        assert Remark.from_json(remark.to_json()) == remark
        assert [row["system"] for row in remark.rows()] == [system for system, _ in remark.systems]


@pytest.mark.parametrize("ties", ["unq", "mid"])
@pytest.mark.parametrize("universe", ["all", "attainable"])
def test_ranks_are_saved_and_read_back(evaluation, ties, universe):
    ranks = evaluation["AP@3"].on_interval_scale(ties=ties, universe=universe)
    again = Ranks.from_json(ranks.to_json())
    same(again, ranks)
    assert again.ranks.dtype == ranks.ranks.dtype
    assert again.ranks.tolist() == ranks.ranks.tolist()
    assert (again.steps, again.method, again.of, again.exact) == (ranks.steps, ranks.method, ranks.of, True)
    assert again.mean_ranks() == ranks.mean_ranks()
    (row, *_) = ranks.rows()
    assert (row["system"], row["topic"], row["rank"], row["steps"]) == ("good", "q1", ranks.ranks[0, 0], ranks.steps[0])


def test_ranks_of_any_size_and_bounds_are_saved(evaluation):
    judged = JudgedRuns.from_grades(np.eye(70, dtype=np.int8)[:2, None, :], [[100, 60]])
    whole = score(judged, "RBP(p=0.5)@70")["RBP(p=0.5)@70"].on_interval_scale()
    assert whole.ranks.dtype == object
    assert Ranks.from_json(whole.to_json()).ranks.tolist() == whole.ranks.tolist() == [[2**69 + 1], [2**68 + 1]]
    halves = score(judged, "RBP(p=0.5)@70")["RBP(p=0.5)@70"].on_interval_scale(ties="mid")
    assert isinstance(Ranks.from_json(halves.to_json()).ranks[0, 0], Fraction | int)
    bounds = score(judged, "DCG@70")["DCG@70"].on_interval_scale()
    again = Ranks.from_json(bounds.to_json())
    assert not again.exact
    assert again.low.tolist() == bounds.low.tolist()
    assert [row["rank"] for row in again.rows()] == [None, None]


def test_wide_frames_have_a_column_for_each_measure_or_system():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    runs = {"x": {"1": {"a": 1.0}, "2": {"b": 1.0}}, "y": {"1": {"b": 2.0, "a": 1.0}}}
    evaluation = evaluate(qrels, runs, ["RR", "P@1"], topics="run")
    wide = evaluation.to_pandas(wide=True)
    assert wide.columns.tolist() == ["system", "topic", "RR", "P@1"]
    assert wide.values.tolist() == [["x", "1", 1.0, 1.0], ["x", "2", 0.0, 0.0], ["y", "1", 0.5, 0.0]]
    assert evaluation.to_polars(wide=True).rows() == [tuple(row) for row in wide.values.tolist()]
    scores = evaluation["RR"].to_pandas(wide=True)
    assert scores.columns.tolist() == ["topic", "x", "y"]
    assert scores["x"].tolist() == [1.0, 0.0]
    assert scores["y"].tolist()[0] == 0.5
    assert scores["y"].isna().tolist() == [False, True]
