"""The provider for ir_measures against those that ir_measures uses."""

from __future__ import annotations

import logging
import math

import ir_measures
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, ERR, INST, RBP, Accuracy, Compat, Judged, NumQ, NumRel, nDCG

from mensura.ir_measures import MensuraProvider, install


def parsed(*names):
    return [ir_measures.parse_measure(name) for name in names]


MEASURES = parsed(
    *("AP", "AP@3", "AP(rel=2)", "AP(judged_only=True, rel=2)", "P@2", "P(rel=2)@5", "P(judged_only=True)@3", "R@3", "R(rel=2)@2"),
    *("RR", "RR(rel=2)", "RR@2", "RR(rel=2)@3", "RR(judged_only=True)", "Rprec", "Rprec(rel=2, judged_only=True)", "Success@2"),
    *(
        "Success(judged_only=True)@1",
        "nDCG",
        "nDCG@3",
        "nDCG(judged_only=True)@2",
        "nDCG(gains={1: 4})",
        "nDCG(gains={0: 1, 2: 0})@4",
    ),
    *("Bpref", "Bpref(rel=2)", "infAP", "infAP(rel=2)", "IPrec@0.3", "IPrec(rel=2)@1.0", "IPrec@0.125", "NumRet"),
    *("NumRet(rel=1)", "NumRet(rel=2)", "NumRel", "NumQ", "SetP", "SetP(rel=2, judged_only=True)", "SetP(relative=True)", "SetR"),
    *("SetR(rel=2)", "SetF", "SetF(beta=0.5)", "SetF(beta=2.0, rel=2, judged_only=True)", "SetAP", "SetAP(judged_only=True)"),
    *("Judged", "Judged@1", "Judged@10"),
)
CWL = parsed(
    *(
        "RBP(rel=1)",
        "RBP(rel=2, p=0.95)",
        "BPM(max_rel=3)@4",
        "BPM(max_rel=2, T=2.0)@10",
        "SDCG(max_rel=3)@5",
        "NERR8(max_rel=3)@5",
    ),
    *("NERR9(max_rel=2)@3", "NERR10(max_rel=3)", "NERR10(p=0.8, max_rel=3)", "NERR11(max_rel=3)", "INST(max_rel=3)"),
    *("INST(T=2.0, max_rel=2)", "INSQ(max_rel=3, T=0.5)"),
)
DOCUMENTS = [f"d{number}" for number in range(10)]
GRADES = st.integers(-1, 3)
SCORES = st.sampled_from([0.1, 0.1 + 1e-9, 0.5, 2.0, 3.0, -1.0])


def tables(values, least=1):
    topics = st.sampled_from(["a", "b", "1"])
    return st.dictionaries(topics, st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=least), min_size=1)


# a topic whose grades are all negative ends pytrec_eval
JUDGMENTS = tables(GRADES, 0).map(lambda table: {topic: grades | ({"z": 0} if grades else {}) for topic, grades in table.items()})
FILLED = JUDGMENTS.filter(lambda table: any(table.values()))


def rows(table, make):
    return [make(topic, document, value) for topic, documents in table.items() for document, value in documents.items()]


def close(values, expected):
    assert values == pytest.approx(expected, rel=0, abs=1e-12, nan_ok=True)


def agree(measures, qrels, run):
    """Compare the values of measures, those of judged documents only and those with gains apart from the others.

    If asked together, ir_measures may count NumRet among judged documents only, and may compute nDCG with the gains of another
    nDCG: measures of one pass share its settings, and the hashes of their names decide which comes first.
    """
    for setting in ("judged_only", "gains"):
        those = [measure for measure in measures if measure.params.get(setting)]
        if those and len(those) < len(measures):
            agree(those, qrels, run)
            agree([measure for measure in measures if measure not in those], qrels, run)
            return
    provider, others = MensuraProvider(), ir_measures.DefaultPipeline
    expected = {(each.query_id, each.measure): each.value for each in others.iter_calc(measures, qrels, run)}
    close({(each.query_id, each.measure): each.value for each in provider.iter_calc(measures, qrels, run)}, expected)
    close(provider.calc_aggregate(measures, qrels, run), others.calc_aggregate(measures, qrels, run))


@given(qrels=FILLED, run=tables(SCORES))
@settings(deadline=None, max_examples=150)
def test_the_same_numbers(qrels, run):
    agree(MEASURES, qrels, run)


@given(qrels=tables(st.integers(0, 3)), run=tables(SCORES))
@settings(deadline=None, max_examples=30)
def test_rows_and_frames(qrels, run):
    agree(MEASURES, rows(qrels, ir_measures.Qrel), rows(run, ir_measures.ScoredDoc))
    agree(MEASURES, pd.DataFrame(rows(qrels, ir_measures.Qrel)), pd.DataFrame(rows(run, ir_measures.ScoredDoc)))


@given(qrels=FILLED, run=tables(SCORES))
@settings(deadline=None, max_examples=60)
def test_accuracy(qrels, run):
    """ir_measures divides by 0 where every document of a list is relevant."""
    try:
        ir_measures.accuracy.calc_aggregate([Accuracy, Accuracy @ 3, Accuracy(rel=2)], qrels, run)
    except ZeroDivisionError:
        return
    agree([Accuracy, Accuracy @ 3, Accuracy(rel=2)], qrels, run)


@given(qrels=tables(st.integers(0, 3)), run=tables(SCORES))
@settings(deadline=None, max_examples=25)
def test_measures_of_cwl_eval(qrels, run):
    pytest.importorskip("cwl", reason="pip install cwl-eval to compare with it")
    logging.getLogger("ir_measures.cwl_eval").disabled = True
    agree(CWL, qrels, run)


def test_calc_gives_both():
    qrels, run = {"q": {"a": 1}, "r": {"b": 1}}, {"q": {"a": 1.0}}
    result = MensuraProvider().calc([AP, NumQ], qrels, run)
    assert result.aggregated == {AP: 0.5, NumQ: 1.0}
    assert len(result.per_query) == 4


def test_runs_without_judged_topics():
    qrels = {"q": {"a": 1, "b": 0}}
    for run in ({}, {"x": {"a": 1.0}}):
        assert MensuraProvider().calc_aggregate([AP, Judged @ 3, NumRel], qrels, run) == {AP: 0.0, Judged @ 3: 0.0, NumRel: 0.0}
        assert math.isnan(MensuraProvider().calc_aggregate([Accuracy], qrels, run)[Accuracy])


def test_what_it_leaves_to_the_others():
    provider = MensuraProvider()
    assert all(provider.supports(measure) for measure in [*MEASURES, *CWL, Accuracy @ 3])
    others = [nDCG(dcg="exp-log2"), nDCG(gains={1: -2}), ERR @ 20, Compat, INST(max_rel=4, min_rel=1), RBP, RBP(rel=1, p=0.99)]
    for measure in (*others, ir_measures.alpha_nDCG @ 10):
        assert not provider.supports(measure)


def test_install_puts_it_first_once(monkeypatch):
    monkeypatch.setattr(ir_measures.DefaultPipeline, "providers", list(ir_measures.DefaultPipeline.providers))
    install()
    install()
    kinds = [type(each) for each in ir_measures.DefaultPipeline.providers]
    assert kinds[0] is MensuraProvider
    assert kinds.count(MensuraProvider) == 1
    assert ir_measures.calc_aggregate([AP, Compat], {"q": {"a": 1}}, {"q": {"a": 2.0, "b": 1.0}})[AP] == 1.0
