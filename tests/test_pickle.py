"""Everything public can be pickled, and is the same afterwards."""

from __future__ import annotations

import pickle

import pytest

from mensura import Evaluator, compare, evaluate, judge, parse_measure, read_qrels, read_run

QRELS = {"q1": {"d1": 1, "d\udcff": 2, "é": 0}, "q2": {"d1": 1}}
RUN = {"q1": {"d1": 1.0, "d\udcff": 2.0}, "q2": {"x": 1.0}}
OTHER = {"q1": {"é": 3.0}, "q2": {"d1": 0.5}}


def again(thing):
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - made on the line itself


@pytest.mark.parametrize("read", [read_qrels, read_run])
def test_judgments_and_runs(read):
    table = read({topic: {document: int(value) for document, value in documents.items()} for topic, documents in RUN.items()})
    assert again(table).to_dict() == table.to_dict()
    assert again(again(table)).topics == table.topics


def test_judged_runs_know_their_documents(write):
    path = write("run", "q1 Q0 d1 1 2 t\nq2 Q0 d1 1 1 t\n")
    for runs in ({"a": RUN, "b": OTHER}, [path]):
        judged = judge(QRELS, runs, scores=True)
        copy = again(judged)
        assert copy.grades.tolist() == judged.grades.tolist()
        assert copy.documents().number.tolist() == judged.documents().number.tolist()


def test_results():
    evaluation = evaluate(QRELS, {"a": RUN, "b": OTHER}, ["AP", "nDCG@2", "GM(AP)"])
    assert again(evaluation).means() == evaluation.means()
    assert again(evaluation["AP"]).values.tolist() == evaluation["AP"].values.tolist()
    assert repr(again(evaluation)) == repr(evaluation)
    comparison = compare(evaluate(QRELS, {"a": RUN, "b": OTHER}, "AP"))
    assert repr(again(comparison)) == repr(comparison)
    assert again(parse_measure("nDCG(dcg='exp-log2')@10")) == parse_measure("nDCG(dcg='exp-log2')@10")


def test_evaluators():
    evaluator = Evaluator(QRELS, ["AP", "P@1"], topics="run")
    assert again(evaluator).means(RUN) == evaluator.means(RUN)
