"""A name of another tool gives that tool's number, by the tool itself, or is refused."""

from __future__ import annotations

import logging
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import MeasureError, MensuraWarning, evaluate, parse_measure
from tests.cli.running import mensura

ir_measures = pytest.importorskip("ir_measures")
pytrec_eval = pytest.importorskip("pytrec_eval")

documents = st.sampled_from("abcdefgh")
qrels = st.fixed_dictionaries(
    {topic: st.dictionaries(documents, st.integers(0, 3), min_size=1).map(lambda d: {**d, "z": 1}) for topic in ("1", "2")}
)
scores = st.lists(st.integers(1, 50), min_size=1, max_size=8, unique=True)  # without ties, which tools order differently
lists = scores.map(lambda numbers: dict(zip("abcdefgh", map(float, numbers), strict=False)))
runs = st.fixed_dictionaries({"1": lists, "2": lists})
IR_MEASURES = [
    *("P@5", "P(rel=2)@3", "R@5", "AP", "AP@3", "AP(rel=2)", "RR", "RR@2", "RR(rel=2)@3", "Rprec", "Bpref", "Success@2", "infAP"),
    *("SetP", "SetR", "SetF", "SetAP", "SetAP(rel=2)", "nDCG", "nDCG@3", "nDCG(gains={1: 4})", "nDCG(gains={0: 0, 2: 7})@5"),
    *("Judged@10", "Judged@2", "NumRet", "NumRet(rel=1)", "NumRel", "NumQ", "IPrec@0.1", "IPrec@0.5", "Accuracy", "Accuracy@3"),
    *("Compat", "Compat(p=0.8, normalize=False)"),
]
CWL = [
    *("SDCG(max_rel=3)@10", "BPM(max_rel=3)@10", "BPM(max_rel=3, T=2.0)@4", "INST(max_rel=3)", "INST(T=2.0, max_rel=3)"),
    *("INSQ(T=1.0, max_rel=3)", "NERR8(max_rel=3)@5", "NERR9(max_rel=3)@5", "NERR10(p=0.8, max_rel=3)", "NERR11(max_rel=3)"),
    *("RBP(rel=1, p=0.8)", "RBP(rel=2, p=0.5)"),
]
if find_spec("cwl") is None:
    CWL = CWL[:1]  # one test says what is not here


def shown(name, truth, run):
    """{topic: value} and the value of the run."""
    (table,) = evaluate(truth, {"mine": run}, [name], compat="trec_eval-9")  # pytrec_eval is trec_eval 9
    values = {
        topic: value
        for topic, value, counts in zip(table.topics, table.values[0].tolist(), table.counted[0].tolist(), strict=True)
        if counts
    }
    return values, float(table.aggregate()[0])


def agree(name, truth, run, tolerance=1e-12):
    theirs = ir_measures.parse_measure(name)
    try:
        expected = {each.query_id: each.value for each in ir_measures.iter_calc([theirs], truth, run)}
        overall = ir_measures.calc_aggregate([theirs], truth, run)[theirs]
    except ZeroDivisionError:  # Accuracy of a list with relevant documents only
        return
    values, aggregate = shown(name, truth, run)
    assert values == pytest.approx(expected, rel=0, abs=tolerance)
    if expected:
        assert aggregate == pytest.approx(overall, rel=0, abs=tolerance)


@pytest.mark.filterwarnings("ignore::mensura.MensuraWarning")
@settings(max_examples=25, deadline=None)
@given(truth=qrels, run=runs)
@pytest.mark.parametrize("name", IR_MEASURES)
def test_names_of_ir_measures(name, truth, run):
    agree(name, truth, run)


@pytest.mark.filterwarnings("ignore::mensura.MensuraWarning")
@settings(max_examples=10, deadline=None)
@given(truth=qrels, run=runs)
@pytest.mark.parametrize("name", CWL)
def test_names_of_cwl_eval(name, truth, run):
    pytest.importorskip("cwl", reason="pip install cwl-eval to compare with it")
    logging.getLogger("ir_measures.cwl_eval").disabled = True
    agree(name, truth, run)


def test_err_of_ir_measures_is_that_of_gdeval():
    """The script gdeval takes 4 as the highest grade and prints five decimals; Mensura's ERR takes that of the judgments."""
    truth, run = {"1": {"a": 1, "b": 3, "c": 2}}, {"1": {"b": 3.0, "x": 2.0, "a": 1.0}}
    theirs = ir_measures.ERR @ 20
    try:
        expected = ir_measures.calc_aggregate([theirs], truth, run)[theirs]
    except (RuntimeError, ValueError):
        pytest.skip("gdeval needs perl")
    with pytest.warns(MensuraWarning):
        (ours,) = evaluate(truth, {"mine": run}, [theirs])
    assert str(ours.measure) == "ERR(max_grade=4)@20"
    assert ours.values[0, 0] == pytest.approx(expected, abs=5e-6)
    assert str(parse_measure("ERR@20")) == "ERR@20"


@pytest.mark.parametrize("name", ["SetF(beta=0.5)", "setf(beta=2)"])
def test_a_beta_that_is_not_squared_is_refused(name):
    """trec_eval: (x + 1) P R / (R + x P)."""
    with pytest.raises(MeasureError, match="do not square beta"):
        parse_measure(name)
    truth, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 3.0, "x": 2.0}}
    (theirs,) = ir_measures.iter_calc([ir_measures.SetF(beta=0.5)], truth, run)
    for same in ("F(beta=0.7071067811865476)", "set_F.0.5"):
        (ours,) = evaluate(truth, {"mine": run}, [same])
        assert ours.values[0, 0] == pytest.approx(theirs.value)


RANX = [
    *("precision", "precision@3", "recall@3", "recall", "f1", "f1@4", "hit_rate@2", "r-precision", "mrr", "mrr@2", "map", "map@3"),
    *("dcg@5", "dcg_burges@5", "ndcg", "ndcg@3", "ndcg_burges@4", "ndcg@5-l2", "ndcg-l3", "map-l2", "precision@3-l2", "mrr@3-l3"),
]


@pytest.mark.slow  # it compiles each measure
@pytest.mark.filterwarnings("ignore")
def test_names_of_ranx():
    ranx = pytest.importorskip("ranx", reason="pip install ranx to compare with it")
    truth = {"1": {"a": 1, "b": 3, "c": 2, "d": 2}, "2": {"a": 3, "e": 1, "f": 2}}
    run = {"1": {"d": 9.0, "x": 8.0, "a": 5.0, "y": 4.0, "b": 1.0}, "2": {"z": 9.0, "e": 4.0, "a": 2.0, "f": 1.0}}
    theirs = ranx.evaluate(ranx.Qrels(truth), ranx.Run(run), RANX)
    for name in RANX:
        assert shown(name, truth, run)[1] == pytest.approx(theirs[name], abs=1e-12), name


def test_raw_gains_of_ranx_are_refused():
    with pytest.raises(MeasureError, match=r"rbp\.95 of ranx takes the grades themselves as gains; write RBP\(p=0\.95\)"):
        parse_measure("rbp.95")


@pytest.mark.parametrize("name", ["alpha_nDCG@10", "ERR_IA@10", "StRecall@10", "P_IA@5", "NRBP"])
def test_measures_of_subtopics_are_refused(name):
    with pytest.raises(MeasureError, match="needs the subtopics of judgments"):
        evaluate({"q": {"a": 1}}, {"mine": {"q": {"a": 1.0}}}, [name])


def test_topics_that_ir_measures_leaves_out_are_left_out():
    """Accuracy has no value where no relevant document is retrieved: the mean is that of the other topics."""
    truth, run = {"q": {"a": 1, "b": 0}, "r": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0, "c": 0.5}, "r": {"x": 1.0}}
    assert [each.query_id for each in ir_measures.iter_calc([ir_measures.Accuracy], truth, run)] == ["q"]
    with pytest.warns(MensuraWarning):
        evaluation = evaluate(truth, {"mine": run}, ["Accuracy", "AP"])
    assert evaluation.means()["mine"] == {"Accuracy": 0.5, "AP": 0.25}
    assert [row["topic"] for row in evaluation["Accuracy"].rows()] == ["q"]


def test_hole_counts_documents_that_nobody_judged():
    """BEIR: a document that was judged for another topic is not a hole. Computed by hand."""
    truth = {"1": {"a": 1, "b": 0}, "2": {"c": 1}}
    run = {"1": {"c": 3.0, "x": 2.0, "a": 1.0}, "2": {"y": 3.0, "z": 2.0}}
    with pytest.warns(MensuraWarning):
        evaluation = evaluate(truth, {"mine": run}, ["Hole@2", "Hole@4", "Unjudged@2"])
    assert evaluation["Hole@2"].values.tolist() == [[0.5, 1.0]]
    assert evaluation["Hole@4"].values.tolist() == [[0.25, 0.5]]
    assert evaluation["Unjudged@2"].values.tolist() == [[1.0, 1.0]]


def test_counts_are_added_up():
    """ir_measures, trec_eval and pytrec_eval add counts up; a comparison is about means."""
    truth, run = {"1": {"a": 1}, "2": {"a": 1, "b": 1}}, {"1": {"a": 2.0, "x": 1.0}, "2": {"b": 1.0}}
    names = ["NumRet", "NumRel", "NumRelRet", "NumQ"]
    with pytest.warns(MensuraWarning):
        evaluation = evaluate(truth, {"mine": run}, names)
    assert evaluation.means()["mine"] == {"NumRet": 3.0, "NumRel": 3.0, "NumRelRet": 2.0, "NumQ": 2.0}
    assert evaluation["NumRet"].mean().tolist() == [1.5]
    assert "NumRet (sum)" in str(evaluation.view())


def test_series_of_trec_eval(tmp_path):
    """``trec_eval -m P`` prints P_5 to P_1000; pytrec_eval has the same keys."""
    truth, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    truth.write_text("q 0 a 1\n")
    run.write_text("q Q0 a 1 1 mine\n")
    text = mensura("evaluate", truth, run, "-m", "P", "-m", "recall", "-m", "success", "-f", "trec_eval").stdout
    theirs = pytrec_eval.RelevanceEvaluator({"q": {"a": 1}}, {"P", "recall", "success"}).evaluate({"q": {"a": 1.0}})["q"]
    assert {line.split()[0] for line in text.splitlines()} == set(theirs)


def test_no_digit_of_a_count_is_lost(tmp_path):
    truth, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    truth.write_text("".join(f"q{number} 0 a 1\n" for number in range(6981)))
    run.write_text("q0 Q0 a 1 1 mine\n")
    text = mensura("evaluate", truth, run, "-m", "P@5").stdout
    assert "6980 of 6981 topics" in " ".join(text.split())  # lines are as long as the terminal is wide
