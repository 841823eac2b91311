"""Documents that are named like their topic: a remark, and lists without them."""

from __future__ import annotations

import polars as pl
import pytest

from mensura import Evaluator, MensuraWarning, evaluate, judge
from tests.cli.running import mensura

TRUTH = {"1": {"a": 1, "1": 0}, "2": {"b": 1}}
RUN = {"1": {"1": 9.0, "x": 5.0, "a": 1.0}, "2": {"b": 2.0, "1": 1.0}}
ROWS = [(topic, document, score) for topic, documents in RUN.items() for document, score in documents.items()]
SHAPES = {
    "dict": RUN,
    "rows": ROWS,
    "lists": {topic: list(documents.items()) for topic, documents in RUN.items()},
    "frame": pl.DataFrame(ROWS, schema=["query_id", "doc_id", "score"], orient="row"),
}


@pytest.mark.filterwarnings("ignore::mensura.MensuraWarning")
@pytest.mark.parametrize("shape", SHAPES)
def test_they_are_left_out_everywhere(shape):
    run = SHAPES[shape]
    kept, dropped = (
        evaluate(TRUTH, {"mine": run}, ["RR", "NumRet"]),
        evaluate(TRUTH, {"mine": run}, ["RR", "NumRet"], drop_self=True),
    )
    assert kept["RR"].values.tolist() == [[1 / 3, 1.0]]
    assert dropped["RR"].values.tolist() == [[0.5, 1.0]]
    assert dropped["NumRet"].values.tolist() == [[2.0, 2.0]]  # of topic 2, document 1 stays
    assert Evaluator(TRUTH, ["RR"], drop_self=True).means(run)["RR"] == 0.75


@pytest.mark.filterwarnings("ignore::mensura.MensuraWarning")
def test_files_and_the_command_line(tmp_path):
    (tmp_path / "qrels.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in TRUTH.items() for d, g in docs.items()))
    (tmp_path / "run.txt").write_text("".join(f"{t} Q0 {d} 0 {s} mine\n" for t, d, s in ROWS))
    mixed = [ROWS[0], ROWS[3], *ROWS[1:3], ROWS[4]]
    (tmp_path / "mixed.txt").write_text("".join(f"{t} Q0 {d} 0 {s} mixed\n" for t, d, s in mixed))  # topics are scattered
    for name in ("run.txt", "mixed.txt"):
        plain = mensura("evaluate", tmp_path / "qrels.txt", tmp_path / name, "-m", "RR")
        says = "1 run has documents that are named like their topic, which drop_self=True or --drop-self leaves out"
        assert says in " ".join(plain.stdout.split())
        dropped = mensura("evaluate", tmp_path / "qrels.txt", tmp_path / name, "-m", "RR", "--drop-self", "-f", "csv")
        assert dropped.stdout.splitlines()[1].split(",")[2] == "0.75"
        assert "which are left out: " in dropped.stderr


def test_the_remark_is_a_warning():
    with pytest.warns(MensuraWarning, match=r"named like their topic.*mine \(1 of 2 topics\)"):
        evaluate(TRUTH, {"mine": RUN}, ["RR"])


@pytest.mark.parametrize("at", range(5))
@pytest.mark.parametrize("order", ["falling", "rising", "ties"])
def test_any_place_in_any_order(at, order):
    documents = ["a", "b", "c", "d"]
    documents.insert(at, "q")
    score = {"falling": lambda place: 9.0 - place, "rising": float, "ties": lambda place: 1.0}[order]
    run = {document: score(place) for place, document in enumerate(documents)}
    truth = {"q": {"a": 1, "b": 2, "c": 3, "q": 1}}
    without = {document: value for document, value in run.items() if document != "q"}
    dropped, plain = judge(truth, {"s": {"q": run}}, drop_self=True, scores=True), judge(truth, {"s": {"q": without}}, scores=True)
    assert dropped.grades.tolist() == plain.grades.tolist()
    assert dropped.scores.tolist() == plain.scores.tolist()
    assert (dropped.own, plain.own) == ((1,), (0,))


def test_a_list_of_its_own_document_alone_is_empty():
    judged = judge({"q": {"q": 1}, "r": {"a": 1}}, {"s": {"q": {"q": 1.0}, "r": {"a": 1.0}}}, drop_self=True)
    assert judged.retrieved.tolist() == [[0, 1]]
