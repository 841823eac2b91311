"""Intake of tables and objects: every fault of every row in one error, with the sentences of files, at every door."""

from __future__ import annotations

import json
import pickle

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mensura import MensuraWarning, evaluate, judge, read_qrels, read_run
from mensura.errors import InputError, IntakeError
from tests.cli.running import mensura

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}
NAN = float("nan")
# The same rows everywhere: a score that is not a number, an empty name, a document twice.
ROWS = [("q1", "d1", 2.0), ("q1", "d2", NAN), ("q1", "", 1.0), ("q1", "d1", 0.5), ("q2", "d1", 1.0)]
BAD = [2, 3, 4]
SAYS = ["finite number", "an identifier is empty", "document 'd1' is listed twice for topic 'q1'"]
TOPICS, DOCUMENTS, SCORES = (list(column) for column in zip(*ROWS, strict=True))
COLUMNS = {"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES}


def csv(path, separator=","):
    lines = [separator.join(COLUMNS), *(separator.join(map(str, row)) for row in ROWS)]
    path.write_text("\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:]) + "\n")  # a blank line, which is not a row
    return path


def json_lines(path):
    lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in ROWS]
    path.write_text("\n".join(lines[:1]) + "\n\n" + "\n".join(lines[1:]) + "\n")
    return path


def parquet(path):
    pq.write_table(pa.table(COLUMNS), path)
    return path


FILES = {
    "csv": (lambda folder: csv(folder / "bad.csv"), [row + 2 for row in BAD]),
    "tsv": (lambda folder: csv(folder / "bad.tsv", "\t"), [row + 2 for row in BAD]),
    "JSON lines": (lambda folder: json_lines(folder / "bad.jsonl"), [row + 1 for row in BAD]),
    "Parquet": (lambda folder: parquet(folder / "bad.parquet"), None),
}
OBJECTS = {
    "pandas": pd.DataFrame(COLUMNS),
    "pandas without Arrow": pd.DataFrame({**COLUMNS, "score": pd.Series(SCORES, dtype=object)}),
    "polars": pl.DataFrame(COLUMNS),
    "Arrow": pa.table(COLUMNS),
    "rows": ROWS,
}


def check(error, lines):
    assert isinstance(error, IntakeError)
    assert error.count == len(BAD)
    for fault, says in zip(error.faults, SAYS, strict=True):
        assert says in fault.problem
    assert [fault.line for fault in error.faults] == (lines or [None] * len(BAD))
    assert [fault.row for fault in error.faults] == ([None] * len(BAD) if lines else BAD)
    assert (error.line, error.row) == (error.faults[0].line, error.faults[0].row)


@pytest.mark.parametrize("kind", FILES)
def test_every_row_of_a_table_file_is_listed(tmp_path, kind):
    make, lines = FILES[kind]
    path = make(tmp_path)
    for read in (read_run, lambda path: judge(QRELS, [path]), lambda path: judge(QRELS, {"x": path})):
        with pytest.raises(IntakeError, match="3 faults in 1 file; mend them") as caught:
            read(path)
        check(caught.value, lines)
        assert {fault.source for fault in caught.value.faults} == {str(path)}
        if lines:
            assert all("q1" in (fault.text or "") for fault in caught.value.faults)


@pytest.mark.parametrize("kind", OBJECTS)
def test_every_row_of_an_object_is_listed(kind):
    for read in (read_run, lambda run: judge(QRELS, run), lambda run: judge(QRELS, {"x": run})):
        with pytest.raises(IntakeError, match="3 faults in 1 input; mend them") as caught:
            read(OBJECTS[kind])
        check(caught.value, None)
    assert caught.value.source.endswith(" 'x'>")


def test_every_document_of_a_dict_is_listed():
    run = {"q1": {"d1": NAN, "": 1.0, 7: "high"}, "q2": {"d1": 1.0}, None: {"d": 1.0}, "q3": 5, "q4": [("a", 1.0), ("a", 2.0), "b"]}
    for read in (read_run, lambda run: judge(QRELS, run)):
        with pytest.raises(IntakeError) as caught:
            read(run)
        assert caught.value.count == 6
        assert [fault.problem.split(";")[0] for fault in caught.value.faults] == [
            "the score of topic 'q1', document 'd1' is nan: it must be a finite number",
            "topic 'q1': an identifier is empty",
            "the score of topic 'q1', document 7 is 'high': it must be a finite number",
            "None is not an identifier",
            "topic 'q3' contains int",
        ]


def test_a_topic_as_text_and_as_a_number_is_a_fault_at_every_door():
    run = {"1": {"d1": 1.0}, 1: {"d2": 2.0}}
    for read in (read_run, lambda run: judge({"1": {"d1": 1}}, run)):
        with pytest.raises(InputError, match="topic 1 occurs twice, as text and as a number"):
            read(run)
    with pytest.raises(InputError, match="topic 1 occurs twice"):
        read_qrels({"1": {"d1": 1}, 1: {"d2": 2}})


def test_judgments_list_grades_that_are_too_large_and_documents_twice(tmp_path):
    rows = [("q1", "d1", 1), ("q1", "d2", 128), ("q1", "d1", 0), ("q2", "d1", -200), ("q2", None, 1)]
    frame = pd.DataFrame(rows, columns=["qid", "docno", "rel"])
    with pytest.raises(IntakeError) as caught:
        read_qrels(frame)
    assert [fault.row for fault in caught.value.faults] == [2, 3, 4, 5]
    (tmp_path / "bad.json").write_text('{"q1": {"d1": NaN, "d2": 2, "d2": 1, "d3": 3, "d3": 3}, "q2": {"d1": "x"}}')
    with pytest.raises(IntakeError) as caught:
        read_qrels(tmp_path / "bad.json")
    assert caught.value.count == 4


def test_faults_of_judgments_in_a_table_come_with_those_of_the_runs(tmp_path):
    (tmp_path / "qrels.csv").write_text("qid,docno,rel\nq1,d1,x\nq1,d2,1\nq1,d2,1\n")
    (tmp_path / "bad.run").write_text("q1 Q0 d1 1 nan a\n")
    runs = [str(csv(tmp_path / "bad.csv")), str(tmp_path / "bad.run")]
    with pytest.raises(IntakeError, match="6 faults in 3 files") as caught:
        judge(str(tmp_path / "qrels.csv"), runs)
    assert [fault.line for fault in caught.value.faults] == [2, 4, 4, 5, 6, 1]
    with pytest.raises(IntakeError, match="5 faults in 2 inputs"):
        judge({"q1": {"d1": "x", "d2": None}}, {"x": OBJECTS["polars"]})


def test_tables_with_faults_are_left_out_and_named(tmp_path):
    runs = {"good": {"q1": {"d1": 1.0}}, "frame": OBJECTS["Arrow"], "table": parquet(tmp_path / "bad.parquet")}
    with pytest.warns(MensuraWarning, match="2 runs are left out because of faults"):
        evaluation = evaluate(QRELS, runs, "AP", skip_bad_runs=True)
    assert evaluation.judged.systems == ("good",)
    assert evaluation.judged.left_out[1].startswith("<data frame 'frame'>: the score of topic 'q1', document 'd2' is nan")
    assert all(sentence.endswith("(row 2), and 2 more") for sentence in evaluation.judged.left_out)


def test_the_command_line_lists_and_skips_tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    (tmp_path / "good.run").write_text("q1 Q0 d1 1 1 good\n")
    csv(tmp_path / "bad.csv")
    parquet(tmp_path / "other.parquet")
    error = mensura("evaluate", "qrels.txt", "good.run", "bad.csv", "other.parquet", status=2).stderr
    assert "6 faults in 2 files" in error
    assert "bad.csv:4: the score 'nan' is not a finite number" in error
    assert "other.parquet: row 4: document 'd1' is listed twice for topic 'q1'" in error
    done = mensura("evaluate", "qrels.txt", "good.run", "bad.csv", "other.parquet", "--skip-bad-runs")
    assert "2 runs are left out because of faults: bad.csv:" in " ".join((done.stdout + done.stderr).split())


def test_many_faults_are_counted_and_the_first_are_shown(tmp_path):
    frame = pl.DataFrame({"qid": ["q"] * 9999, "docno": [f"d{row}" for row in range(9999)], "score": [None] * 9998 + [1.0]})
    with pytest.raises(IntakeError) as caught:
        read_run(frame)
    assert (caught.value.count, len(caught.value.faults)) == (9998, 5)
    assert "<data frame>: … and 9993 more" in str(caught.value)


def test_wrong_lines_of_csv_and_where_it_ends(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text('qid,docno,score\nq1,d1\nq1,d2,1,1\nq1,d3,1\nq1,d4,1_0\n"q1\nd5,5,6\n')
    with pytest.raises(IntakeError) as caught:
        read_run(path)
    assert [(fault.line, fault.problem.split(",")[0]) for fault in caught.value.faults] == [
        (2, "expected 3 columns"),
        (3, "expected 3 columns"),
        (5, "the score '1_0' is not a finite number"),
        (7, "is not valid csv: unexpected end of data"),
    ]


def test_wrong_lines_of_json_lines(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text(
        '{"qid": 1, "docno": "a", "rank": "first"}\n[]\n{"qid": 1, "rank": 2}\n{"qid"\n{"qid": 1, "docno": "b", "rank": 3}\n'
    )
    with pytest.raises(IntakeError) as caught:
        read_run(path)
    assert [(fault.line, fault.problem.split(":")[0]) for fault in caught.value.faults] == [
        (1, "the rank of topic 1, document 'a' is 'first'"),
        (2, "expected an object on each line"),
        (3, "'docno' is missing"),
        (4, "is not valid JSON"),
    ]


def test_the_error_pickles(tmp_path):
    with pytest.raises(IntakeError) as caught:
        read_run(parquet(tmp_path / "bad.parquet"))
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own
    assert (str(again), again.count, again.row) == (str(caught.value), 3, 2)
    assert [fault.row for fault in again.faults] == BAD


def test_a_frame_without_columns():
    with pytest.raises(InputError, match="there is no topic column because there are no columns; known names are"):
        read_run(pd.DataFrame())
