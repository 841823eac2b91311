"""Measures that only ir_measures has."""

from __future__ import annotations

import numpy as np
import pytest

from mensura import JudgedRuns, compare, evaluate, judge, parse_measure, score
from mensura.errors import DepthError, ScaleError

ir_measures = pytest.importorskip("ir_measures")

QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1, "d": 1}, "3": {"x": 1}}
RUNS = {
    f"run{number}": {"1": {"a": number % 3, "b": 1.5, "c": number / 4}, "2": {"d": 1.0, "e": number - 4.5}} for number in range(10)
}


def test_values_are_those_of_ir_measures_run_by_run():
    scores = evaluate(QRELS, RUNS, "SetAP")["SetAP"]
    measure = ir_measures.parse_measure("SetAP")
    for system, values in zip(scores.systems, scores.values, strict=True):
        expected = {result.query_id: result.value for result in ir_measures.iter_calc([measure], QRELS, RUNS[system])}
        assert values.tolist() == [expected.get(topic, 0.0) for topic in scores.topics]


def test_judgments_are_handed_over_once(monkeypatch):
    handed = []
    evaluator = ir_measures.evaluator

    def counted(*words):
        handed.append(1)
        return evaluator(*words)

    monkeypatch.setattr(ir_measures, "evaluator", counted)
    parse_measure("SetAP").score(judge(QRELS, RUNS))
    assert handed == [1]


def test_some_systems_have_their_own_documents():
    judged = judge(QRELS, RUNS)
    whole = parse_measure("SetAP").score(judged)
    assert np.array_equal(parse_measure("SetAP").score(judged.first(3)), whole[:3])
    assert np.array_equal(parse_measure("SetAP").score(judged.only(("run7", "run2"))), whole[[7, 2]])


def test_binary_judgments_reach_it():
    judged = judge(QRELS, RUNS).binary(2)
    plain = judge({topic: {doc: int(grade >= 2) for doc, grade in docs.items()} for topic, docs in QRELS.items()}, RUNS)
    assert np.array_equal(parse_measure("SetAP").score(judged), parse_measure("SetAP").score(plain))


def test_nothing_is_known_about_its_scale():
    judged = judge(QRELS, RUNS)
    evaluation = score(judged, "SetAP")
    with pytest.raises(ScaleError, match="nothing is known about its values"):
        evaluation["SetAP"].on_interval_scale()
    (made,) = compare(score(judged.first(3), "SetAP"), test="t")
    assert any("not known to be on one" in remark for remark in made.remarks)


def test_judged_runs_without_documents_are_refused():
    with pytest.raises(DepthError, match="SetAP is computed from documents, but these judged runs have none"):
        parse_measure("SetAP").score(JudgedRuns.from_grades([[[1, 0]]], [[1, 1]]))
