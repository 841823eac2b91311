"""The provider for ir_measures against the one that ir_measures uses."""

from __future__ import annotations

import ir_measures
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, RR, P, R, Rprec, Success, nDCG

from mensura.ir_measures import MensuraProvider, install

MEASURES = [AP, AP @ 3, AP(rel=2), P @ 2, P(rel=2) @ 5, R @ 3, RR, RR(rel=2), Rprec, Success @ 2, nDCG, nDCG @ 3]
DOCUMENTS = [f"d{number}" for number in range(10)]


def tables(values):
    topics = st.sampled_from(["a", "b", "1"])
    return st.dictionaries(topics, st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=1), min_size=1)


def rows(table, make):
    return [make(topic, document, value) for topic, documents in table.items() for document, value in documents.items()]


@given(qrels=tables(st.integers(0, 3)), run=tables(st.sampled_from([0.1, 0.1 + 1e-9, 0.5, 2.0, 3.0])))
@settings(deadline=None, max_examples=80)
def test_the_same_numbers(qrels, run):
    provider = MensuraProvider()
    for judgments, ranked in (
        (qrels, run),
        (rows(qrels, ir_measures.Qrel), rows(run, ir_measures.ScoredDoc)),
        (pd.DataFrame(rows(qrels, ir_measures.Qrel)), pd.DataFrame(rows(run, ir_measures.ScoredDoc))),
    ):
        expected = {
            (each.query_id, each.measure): each.value for each in ir_measures.pytrec_eval.iter_calc(MEASURES, judgments, ranked)
        }
        values = {(each.query_id, each.measure): each.value for each in provider.iter_calc(MEASURES, judgments, ranked)}
        assert values == pytest.approx(expected, rel=0, abs=1e-12)
        theirs = ir_measures.pytrec_eval.calc_aggregate(MEASURES, judgments, ranked)
        assert provider.calc_aggregate(MEASURES, judgments, ranked) == pytest.approx(theirs, rel=0, abs=1e-12)


def test_what_it_leaves_to_the_others():
    provider = MensuraProvider()
    assert all(provider.supports(measure) for measure in MEASURES)
    for measure in (RR @ 10, nDCG(dcg="exp-log2"), nDCG(gains={1: 2}), P(judged_only=True) @ 5, ir_measures.ERR @ 20):
        assert not provider.supports(measure)


def test_install_puts_it_first_once(monkeypatch):
    monkeypatch.setattr(ir_measures.DefaultPipeline, "providers", list(ir_measures.DefaultPipeline.providers))
    install()
    install()
    kinds = [type(each) for each in ir_measures.DefaultPipeline.providers]
    assert kinds[0] is MensuraProvider
    assert kinds.count(MensuraProvider) == 1
    assert ir_measures.calc_aggregate([AP, ir_measures.Judged @ 2], {"q": {"a": 1}}, {"q": {"a": 2.0, "b": 1.0}})[AP] == 1.0
