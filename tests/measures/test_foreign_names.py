"""A name of another tool gives that tool's number, by the tool itself, or is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import MeasureError, evaluate, parse_measure
from tests.cli.running import mensura

ir_measures = pytest.importorskip("ir_measures")
pytrec_eval = pytest.importorskip("pytrec_eval")

documents = st.sampled_from("abcdefgh")
qrels = st.fixed_dictionaries(
    {topic: st.dictionaries(documents, st.integers(0, 3), min_size=1).map(lambda d: {**d, "z": 1}) for topic in ("q", "r")}
)
scores = st.lists(st.integers(-50, 50), min_size=1, max_size=8, unique=True)  # without ties, which tools order differently
lists = scores.map(lambda numbers: dict(zip("abcdefgh", map(float, numbers), strict=False)))
runs = st.fixed_dictionaries({"q": lists, "r": lists})
SAME = [
    *("P@5", "P(rel=2)@3", "R@5", "AP", "AP@3", "AP(rel=2)", "RR", "RR@2", "RR(rel=2)@3", "Rprec", "Bpref", "Success@2"),
    *("SetP", "SetR", "SetF", "nDCG", "nDCG@3", "nDCG(gains={1: 4})", "nDCG(gains={0: 0, 2: 7})@5", "Judged@10", "Judged@2"),
]


@settings(max_examples=25, deadline=None)
@given(truth=qrels, run=runs)
@pytest.mark.parametrize("name", SAME)
def test_names_of_ir_measures(name, truth, run):
    (table,) = evaluate(truth, {"mine": run}, [name])
    theirs = {each.query_id: each.value for each in ir_measures.iter_calc([ir_measures.parse_measure(name)], truth, run)}
    shown = dict(zip(table.topics, table.values[0].tolist(), strict=True))
    assert shown == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("name", ["SetF(beta=0.5)", "setf(beta=2)"])
def test_a_beta_that_is_not_squared_is_refused(name):
    """trec_eval: (x + 1) P R / (R + x P)."""
    with pytest.raises(MeasureError, match="do not square beta"):
        parse_measure(name)
    truth, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 3.0, "x": 2.0}}
    (theirs,) = ir_measures.iter_calc([ir_measures.SetF(beta=0.5)], truth, run)
    (ours,) = evaluate(truth, {"mine": run}, ["F(beta=0.7071067811865476)"])
    assert ours.values[0, 0] == pytest.approx(theirs.value)


def test_raw_gains_of_ranx_are_refused():
    with pytest.raises(MeasureError, match=r"rbp\.95 of ranx takes the grades themselves as gains; write RBP\(p=0\.95\)"):
        parse_measure("rbp.95")


@pytest.mark.parametrize("name", ["alpha_nDCG@10", "ERR_IA@10", "StRecall@10", "P_IA@5", "NRBP"])
def test_measures_of_subtopics_are_refused(name):
    with pytest.raises(MeasureError, match="needs the subtopics of judgments"):
        evaluate({"q": {"a": 1}}, {"mine": {"q": {"a": 1.0}}}, [name])


def test_topics_that_ir_measures_leaves_out_are_not_filled_with_0():
    """Accuracy has no value where no relevant document is retrieved."""
    truth, run = {"q": {"a": 1, "b": 0}, "r": {"a": 1}}, {"q": {"a": 2.0, "b": 1.0}, "r": {"x": 1.0}}
    assert [each.query_id for each in ir_measures.iter_calc([ir_measures.Accuracy], truth, run)] == ["q"]
    with pytest.raises(MeasureError, match="gives no Accuracy for topic r of mine and leaves it out of the mean"):
        evaluate(truth, {"mine": run}, ["Accuracy"])


def test_series_of_trec_eval(tmp_path):
    """``trec_eval -m P`` prints P_5 to P_1000; pytrec_eval has the same keys."""
    truth, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    truth.write_text("q 0 a 1\n")
    run.write_text("q Q0 a 1 1 mine\n")
    shown = mensura("evaluate", truth, run, "-m", "P", "-m", "recall", "-m", "success", "-f", "trec_eval").stdout
    names = {line.split()[0] for line in shown.splitlines()} - {"runid", "num_q"}
    theirs = pytrec_eval.RelevanceEvaluator({"q": {"a": 1}}, {"P", "recall", "success"}).evaluate({"q": {"a": 1.0}})["q"]
    assert names == set(theirs)


def test_no_digit_of_a_count_is_lost(tmp_path):
    truth, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    truth.write_text("".join(f"q{number} 0 a 1\n" for number in range(6981)))
    run.write_text("q0 Q0 a 1 1 mine\n")
    assert "6980 of 6981 topics" in mensura("evaluate", truth, run, "-m", "P@5").stdout
