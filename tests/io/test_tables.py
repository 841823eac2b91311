"""Dicts, data frames, csv, tsv, json, parquet."""

from __future__ import annotations

import gzip
import json
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from mensura import InputError, judge, read_qrels, read_run
from mensura.errors import DuplicateError

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"é": 3}}
ROWS = [("q1", "d1", 1), ("q1", "d2", 0), ("q2", "é", 3)]
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "lazy": pl.LazyFrame, "arrow": pa.table}


def columns(*names: str) -> dict[str, list]:
    return dict(zip(names, map(list, zip(*ROWS, strict=True)), strict=True))


@pytest.mark.parametrize("make", list(FRAMES.values()), ids=list(FRAMES))
@pytest.mark.parametrize(
    "names",
    [
        ("query_id", "doc_id", "relevance"),  # ir_datasets, ir_measures
        ("qid", "docno", "label"),  # PyTerrier
        ("q_id", "doc_id", "rel"),
        ("query-id", "corpus-id", "score"),  # BEIR
        ("Topic", " Document ", "GRADE"),
    ],
)
def test_qrels_from_frames(make, names):
    assert read_qrels(make(columns(*names))).to_dict() == QRELS


@pytest.mark.parametrize("make", list(FRAMES.values()), ids=list(FRAMES))
def test_runs_from_frames_with_other_columns(make):
    frame = make(columns("qid", "docid", "score") | {"query": ["x"] * 3, "rank": [1, 2, 1], "name": ["me"] * 3})
    run = read_run(frame, name="mine")
    assert (run.to_dict(), run.name) == (QRELS, "mine")


def test_dicts_with_every_kind_of_key_and_value():
    run = read_run({1: {b"d\xff": 1, np.int64(7): np.float32(0.5)}, "q": {"d": Decimal("2.5"), "e": np.int8(-1)}})
    assert run.to_dict() == {"1": {"d\udcff": 1.0, "7": 0.5}, "q": {"d": 2.5, "e": -1.0}}
    assert judge(read_qrels({"1": {b"d\xff": 1}}), [run]).grades.tolist() == [[[1, -1]]]


@pytest.mark.parametrize(
    ("value", "says"),
    [(127.5, "from -127 to 127"), (128, "from -127 to 127"), (-128, "from -127 to 127"), (None, "finite"), ("1", "finite"),
     (float("nan"), "finite"), (float("inf"), "finite"), (10**400, "finite"), ([1], "finite")],
)  # fmt: skip
def test_values_that_are_no_grade(value, says):
    with pytest.raises(InputError, match=says) as caught:
        read_qrels({"q": {"d": 1, "e": value}})
    assert caught.value.source == "<dict>"
    assert "'q'" in str(caught.value)
    assert "'e'" in str(caught.value)


@pytest.mark.parametrize("value", [None, "1.0", b"1", True, float("nan"), float("-inf"), 10**400, 1j, {}])
def test_values_that_are_no_score(value):
    with pytest.raises(InputError, match=r"'e' is .*finite number"):
        read_run({"q": {"d": 1, "e": value}})


@pytest.mark.parametrize("name", [None, float("nan"), 1.0, True, "", b"", ("a",), "\ud800", pd.NA, pd.NaT])
def test_what_is_no_identifier(name):
    for table, says in (({"q": {"d": 1, name: 1}}, "topic 'q': "), ({"p": {"d": 1}, name: {"d": 1}}, "")):
        for reader in (read_qrels, read_run):
            with pytest.raises(InputError, match=f"<dict>: {says}.*(is not an identifier|is empty|surrogates not allowed)"):
                reader(table)
        with pytest.raises(InputError, match=r"row 2: .*(is not an identifier|is empty|surrogates not allowed)"):
            read_run([("q", "d", 1.0), ("q", name, 2.0)])


def test_holes_in_frames_are_errors():
    for frame in (
        pd.DataFrame({"qid": ["q", None], "docno": ["a", "b"], "score": [1.0, 2.0]}),
        pd.DataFrame({"qid": [1, None], "docno": ["a", "b"], "score": [1.0, 2.0]}),
        pd.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "score": [1.0, np.nan]}),
        pl.DataFrame({"qid": ["q", "q"], "docno": ["a", None], "score": [1.0, 2.0]}),
        pa.table({"qid": ["q", "q"], "docno": ["a", "b"], "score": [1.0, None]}),
    ):
        with pytest.raises(InputError, match="<data frame>: "):
            read_run(frame)


@pytest.mark.parametrize(
    "table", [{}, {"q": {}}, pd.DataFrame(columns=["qid", "docno", "score"]), pl.DataFrame({"qid": [], "docno": [], "score": []})]
)
def test_empty_tables(table):
    for reader in (read_qrels, read_run):
        with pytest.raises(InputError, match="is empty"):
            reader(table)


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (["q d 1"], "cannot read a list"),
        ([("q", "d", 1, 2)], "rows have 4 fields"),
        ([("q", "d", 1), ("q", "e")], "rows differ in length"),
        (7, "cannot read a int"),
        ({"q": 1}, "contains int"),
        (pd.DataFrame({"qid": ["q"], "score": [1]}), "no document column among qid, score; known names are docno, doc_id"),
        (pd.DataFrame([["q", "r", "d", 1]], columns=["qid", "qid", "docno", "score"]), "two columns are called qid"),
        (pl.DataFrame({"qid": ["q"], "QID": ["r"], "docno": ["d"], "score": [1]}), "two columns are called qid"),
    ],
)
def test_wrong_shapes(thing, says):
    for reader in (read_qrels, read_run):
        with pytest.raises(InputError, match=says):
            reader(thing)


@pytest.mark.parametrize("make", list(FRAMES.values()), ids=list(FRAMES))
def test_duplicates_in_frames(make):
    frame = make({"qid": ["q", "p", "q"], "docno": ["d", "d", "d"], "score": [3, 2, 1]})
    with pytest.raises(DuplicateError, match="<data frame>: row 3: document 'd' is judged twice for topic 'q'"):
        read_qrels(frame)
    with pytest.raises(DuplicateError, match="<data frame>: row 3: document 'd' is listed twice for topic 'q'"):
        judge(read_qrels({"q": {"d": 1}}), [read_run(frame)])


BEIR = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\té\t3\n"
FILES = {
    "qrels.csv": b"query_id,doc_id,relevance\nq1,d1,1\nq1,d2,0\nq2,\xc3\xa9,3\n",
    "quoted.csv": b'\xef\xbb\xbf"rel","iter","docid","qid"\r\n"1","0","d1","q1"\r\n0,0,d2,q1\r\n\r\n3.0,0,\xc3\xa9,q2',
    "beir.tsv": BEIR.encode(),
    "beir.tsv.gz": gzip.compress(BEIR.encode()),
    "msmarco.tsv": "q1\t0\td1\t1\nq1\t0\td2\t0\nq2\t0\té\t3\n".encode(),  # qrels.dev.tsv is in TREC's format
    "qrels.json": json.dumps(QRELS).encode(),
    "qrels.json.gz": gzip.compress(json.dumps(QRELS, ensure_ascii=False).encode()),
}


@pytest.mark.parametrize("name", list(FILES))
def test_files_of_tables(name, write):
    path = write(name, FILES[name])
    assert read_qrels(path).to_dict() == QRELS
    if "csv" not in name and name != "msmarco.tsv":
        run = read_run(path)
        assert (run.to_dict(), run.name) == (QRELS, path.name.split(".")[0])
        assert judge(read_qrels(path), [path]).systems == (run.name,)


def test_parquet(tmp_path):
    parquet.write_table(pa.table(columns("query_id", "doc_id", "score")), tmp_path / "mine.parquet")
    assert read_qrels(tmp_path / "mine.parquet").to_dict() == QRELS
    assert read_run(tmp_path / "mine.parquet").name == "mine"


def test_bytes_that_are_no_utf8_in_csv_match_those_of_a_run(write):
    qrels = read_qrels(write("q.csv", b"qid,docno,rel\nq\xff,d\xfe,2\n"))
    assert judge(qrels, [write("run", b"q\xff Q0 d\xfe 1 1 t\n")]).grades.tolist() == [[[2]]]


@pytest.mark.parametrize(
    ("name", "content", "line", "says"),
    [
        ("a.csv", b"", None, "is empty"),
        ("a.csv", b"qid,docno,rel\n", None, "is empty"),
        ("a.csv", b"q1,d1,1\n", None, "no topic column"),
        ("a.csv", b"qid,docno,rel\nq,d,1\nq,e\n", 3, "expected 3 columns, as in the header, got 2"),
        ("a.csv", b"qid,docno,rel\nq,d,1,2\n", 2, "expected 3 columns, as in the header, got 4"),
        ("a.csv", b"qid,docno,rel\nq,d,one\n", 2, "'one' is not a finite number"),
        ("a.csv", b"qid,docno,rel\nq,d,1_0\n", 2, "'1_0' is not a finite number"),
        ("a.csv", b"qid,docno,rel\nq,d,nan\n", 2, "'nan' is not a finite number"),
        ("a.csv", "qid,docno,rel\nq,d,٣\n".encode(), 2, "is not a finite number"),
        ("a.csv", b"qid,docno,rel\nq,d,1e999\n", 2, "finite"),
        ("a.csv", b"qid,docno,rel\nq,,1\n", 2, "an identifier is empty"),
        ("a.csv", b"qid,docno,rel\nq,d,\n", 2, "'' is not a finite number"),
        ("a.csv", b'qid,docno,rel\nq,"d"x,1\n', 2, "not valid csv"),
        ("a.csv", b"qid,docno,rel\nq,d,1\nq,d,0\n", 3, "judged twice"),
        ("a.csv", b"qid,qid,docno,rel\nq,p,d,1\n", None, "two columns"),
        ("a.csv", gzip.compress(b"qid,docno,rel\nq,d,1\n", mtime=0)[:-3], None, "damaged"),
        ("a.json", b"[]", None, "does not contain an object"),
        ("a.json", b"{", None, "is not valid JSON"),
        ("a.json", b"\xff", None, "is not valid JSON"),
        ("a.json", b"", None, "is not valid JSON"),
        ("a.json", b"[" * 100_000, None, "is not valid JSON"),
        ("a.json", b"{}", None, "is empty"),
        ("a.json", b'{"q": {"d": NaN}}', None, "finite"),
        ("a.json", b'{"q": {"d": "1"}}', None, "finite"),
        ("a.json", b'{"q": {"d": 1, "d": 2}}', None, "document 'd' is judged twice for topic 'q'"),
        ("a.json", b'{"q": {"d": 1}, "q": {"e": 2}}', None, "'q' occurs twice"),
        ("a.json", b'{"q": {"\\ud800": 1}}', None, "surrogates"),
        ("a.parquet", b"", None, "is not a valid parquet file"),
        ("a.parquet", b"PAR1 and PAR1", None, "is not a valid parquet file"),
    ],
)
def test_broken_tables(name, content, line, says, write):
    path = write(name, content)
    with pytest.raises(InputError, match=says) as caught:
        read_qrels(path)
    assert (caught.value.source, caught.value.line) == (str(path), line)
    assert isinstance(caught.value, DuplicateError) == ("judged twice" in says)


@pytest.mark.parametrize("number", ["11", "1.25", " 10 ", "1e10"])
def test_one_wrong_number_after_many(number, write):
    """Each number could match in two ways once, and a wrong one at the end made a search of 2^3000 steps."""
    rows = "".join(f"q,d{row},{number}\n" for row in range(3000))
    with pytest.raises(InputError, match="'x' is not a finite number") as caught:
        read_run(write("run.csv", f"query_id,doc_id,score\n{rows}q,e,x\n"))
    assert caught.value.line == 3002


def test_damaged_parquet_is_never_read(tmp_path, write):
    parquet.write_table(pa.table(columns("query_id", "doc_id", "score")), tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    for size in range(0, len(whole), 37):
        with pytest.raises(InputError, match="parquet"):
            read_qrels(write("cut.parquet", whole[:size]))
