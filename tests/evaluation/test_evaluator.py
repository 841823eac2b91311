"""Evaluators give the numbers of evaluate(), to the last bit."""

from __future__ import annotations

import math
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import Evaluator, InputError, MensuraError, MensuraWarning, evaluate

COMPILED = ["AP", "AP@3", "P@2", "P", "R@3", "R", "RR", "RR@2", "Success@2", "Rprec", "nDCG", "nDCG@3", "DCG@2", "NumRet", "NumRel",
            "NumRelRet@2", "AP(rel=2)", "nDCG(dcg='exp-log2')@4", "nDCG(gains={1: 1, 2: 5})", "DCG(base=2)", "GM(AP)",
            "G", "G(gains={1: 2, 2: 7, 3: 0})", "G@3", "nDCGrel", "nDCGrel@2", "nDCGrel(gains={1: 0, 2: 2})",
            "RnDCG", "RnDCG(rel=2)", "RnDCG(gains={1: 3, 3: 3})@4"]  # fmt: skip
OTHERS = [
    *("bpref", "RBP(p=0.8)", "ERR@3", "nDCG(gains={0: 1, 1: 2})", "IPrec@0.3", "IPrec11", "infAP", "F", "F(beta=2)@3", "SetAP"),
    *("Utility", "NumNonRelRet", "R(capped=True)", "Rprec(multiple=1.5)", "binG", "Judged@3", "INST"),
    *("G(gains={1: 0.5})", "nDCGrel(gains={0: 1})", "RnDCG(gains={2: 1.5})", "Compat", "GM(bpref)", "Accuracy"),
]
DOCUMENTS = [f"d{number}" for number in range(12)]
QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 3}, "q3": {"d2": 0}}


def tables(values):
    return st.dictionaries(
        st.sampled_from(["q1", "q2", "q3", "q4", "q5"]), st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=1), min_size=1
    )


@given(
    qrels=tables(st.integers(-2, 4)),
    run=tables(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5])),
    topics=st.sampled_from(["judged", "run"]),
    options=st.fixed_dictionaries({"judged_only": st.booleans(), "compat": st.sampled_from(["trec_eval-9", "trec_eval-10"])}),
)
@settings(deadline=None, max_examples=150)
def test_the_same_numbers(qrels, run, topics, options):
    for measures in (COMPILED, COMPILED + OTHERS):
        evaluator = Evaluator(qrels, measures, topics=topics, **options)
        if not qrels.keys() & run.keys():
            with pytest.raises(InputError, match="no topic of this run is judged"):
                evaluator.means(run)
            continue
        evaluation = evaluate(qrels, {"run": run}, measures, topics=topics, **options)
        for _ in range(2):  # the memory of the first call is used again
            assert repr(evaluator.means(run)) == repr(evaluation.means()["run"])
            by_topic = evaluator.by_topic(run)
            assert {topic: list(map(repr, row.values())) for topic, row in by_topic.items()} == {  # NaN where there is no value
                topic: [repr(each.values[0, at].item() if each.counted[0, at] else math.nan) for each in evaluation]
                for at, topic in enumerate(evaluation.judged.topics)
                if topic in run
            }
        assert repr(evaluator.evaluate(run).means()["run"]) == repr(evaluation.means()["run"])


def test_lists_longer_than_the_tables_of_discounts():
    run = {"q1": {f"x{number}": float(-number) for number in range(3000)} | {"d3": -2500.5}}
    evaluator = Evaluator(QRELS, ["nDCG", "DCG"], topics="run")
    assert evaluator.means(run) == evaluate(QRELS, run, ["nDCG", "DCG"], topics="run").means()["run"]


@pytest.mark.parametrize("run", [[("q1", "d1", 1.0)], {"q1": [("d1", 1.0)]}, {"q1": ["d1"]}, {"mine": {"q1": {"d1": 1.0}}}])
def test_other_shapes(run):
    assert Evaluator(QRELS, "AP").means(run)["AP"] == evaluate(QRELS, {"run": {"q1": {"d1": 1.0}}}, "AP").means()["run"]["AP"]


def test_an_error_does_not_spoil_the_next_call():
    evaluator = Evaluator(QRELS, ["AP", "P@1"])
    good = {"q1": {"d1": 1.0}}
    expected = evaluator.means(good)
    for bad in ({"q1": {"d1": float("nan")}}, {"q1": {"1": 1.0, 1: 2.0}}, {"x": {"d1": 1.0}}, {}):
        with pytest.raises(InputError):
            evaluator.means(bad)
        assert evaluator.means(good) == expected


def test_options():
    with pytest.raises(MensuraError, match="at least one measure"):
        Evaluator(QRELS, [])
    with pytest.raises(MensuraError, match="one run at a time"):
        Evaluator(QRELS, "AP", topics="both")


def test_remarks_are_warnings_and_part_of_the_repr():
    run = {"q1": {"x": 1.0}}
    with pytest.warns(MensuraWarning, match="no documents for some judged topics"):
        evaluation = evaluate(QRELS, run, "AP")
    assert all(remark.coded in repr(evaluation) for remark in evaluation.remarks)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", MensuraWarning)
        evaluate(QRELS, run, "AP")
