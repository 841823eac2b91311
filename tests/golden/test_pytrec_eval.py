"""A randomised differential test against pytrec_eval (trec_eval 9 behind a Python interface)."""

from __future__ import annotations

import pytest
import pytrec_eval
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mensura import evaluate, read_run

MEASURES = (
    *("map", "map_cut_5", "map_cut_10", "P_5", "P_10", "recall_5", "recall_100", "ndcg", "ndcg_cut_5", "ndcg_cut_10", "recip_rank"),
    *(
        "Rprec",
        "bpref",
        "infAP",
        "success_1",
        "success_5",
        "num_ret",
        "num_rel",
        "num_rel_ret",
        "set_P",
        "set_recall",
        "set_F",
        "11pt_avg",
    ),
    *("iprec_at_recall_0.00", "iprec_at_recall_0.10", "iprec_at_recall_0.50", "iprec_at_recall_1.00"),
)
FAMILIES = {name.rsplit("_", 1)[0] if name.rsplit("_", 1)[-1].replace(".", "").isdigit() else name for name in MEASURES}

topics = st.sampled_from(["1", "2", "q3", "topic-4"])
documents = st.sampled_from([f"d{number}" for number in range(30)] + ["D1", "d", "é", "d10a"])
grades = st.integers(-2, 4)
# few different scores, so that many tie; some that tie only as float32
scores = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, 2.5, -3.0, 7.25, 1e-40, 16777216.0, 16777217.0]) | st.floats(-5, 5, width=32)
# trec_eval reads outside its arrays when a topic has no grade of at least 0
judgments = st.dictionaries(documents, grades, min_size=1, max_size=25).filter(lambda table: max(table.values()) >= 0)
qrels = st.dictionaries(topics, judgments, min_size=1)
runs = st.dictionaries(topics, st.dictionaries(documents, scores, min_size=1, max_size=30), min_size=1)


@pytest.fixture(scope="module", autouse=True)
def _known():
    assert pytrec_eval.supported_measures >= FAMILIES


@settings(max_examples=400, deadline=None)
@given(qrels=qrels, run=runs)
def test_agrees_with_pytrec_eval(qrels, run):
    assume(qrels.keys() & run.keys())  # no topic in common is an error here
    theirs = pytrec_eval.RelevanceEvaluator(qrels, FAMILIES).evaluate(run)
    ours = evaluate(qrels, [read_run(run)], MEASURES, compat="trec_eval-9")
    for name in MEASURES:
        values = dict(zip(ours.judged.topics, ours[name].values[0].tolist(), strict=True))
        for topic in qrels:
            if topic in theirs:
                assert values[topic] == pytest.approx(theirs[topic][name], rel=1e-12, abs=1e-12), (name, topic)
            elif name != "num_rel":
                assert values[topic] == 0
