"""One rule for identifiers, at every door: what is trimmed, what is refused, what is kept as bytes."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from mensura import InputError, evaluate, read_qrels, read_run

REFUSED = ["a\x00b", "a\nb", "a\x1b[2Jb", "a\x7fb", "a\x9bb", "a\tb", "\u0085", "", "  "]
KEPT = ["é", "文書", "a b", "\u00a0", "a\u200bb", "\u202ea", "'=1", "</script>"]


def doors(topic: str, document: str, folder):
    """Every way in, except TREC's own format, whose columns are separated by blanks."""
    rows = [(topic, document, 1)]
    yield {topic: {document: 1}}
    yield rows
    yield pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    yield pl.DataFrame(rows, schema=["query_id", "doc_id", "relevance"], orient="row")
    yield pa.table({"query_id": [topic], "doc_id": [document], "relevance": [1]})
    (folder / "q.json").write_text(json.dumps({topic: {document: 1}}))
    yield folder / "q.json"
    (folder / "q.jsonl").write_text(json.dumps({"query_id": topic, "doc_id": document, "relevance": 1}))
    yield folder / "q.jsonl"
    parquet.write_table(pa.table({"query_id": [topic], "doc_id": [document], "relevance": [1]}), folder / "q.parquet")
    yield folder / "q.parquet"
    pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"]).to_csv(folder / "q.csv", index=False)
    yield folder / "q.csv"


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_control_characters_are_refused_at_every_door(name, tmp_path):
    for topic, document in ((name, "d"), ("q", name)):
        for door in doors(topic, document, tmp_path):
            with pytest.raises(InputError, match=r"control character|is empty|is not valid csv|is missing"):
                read_qrels(door)


@pytest.mark.parametrize("name", KEPT, ids=ascii)
def test_other_text_is_kept_at_every_door(name, tmp_path):
    for door in doors(name, name, tmp_path):
        assert read_qrels(door).to_dict() == {name: {name: 1}}


def test_blanks_around_an_identifier_are_not_part_of_it(tmp_path):
    for door in doors(" q1\t", "  d1 ", tmp_path):
        assert read_qrels(door).to_dict() == {"q1": {"d1": 1}}
    (tmp_path / "run.csv").write_text("qid,docno,score\nq1, d1,2\n q1,d2,1\n")
    assert evaluate({"q1": {"d1": 1}}, tmp_path / "run.csv", ["AP"]).scores[0].mean().tolist() == [1.0]


@pytest.mark.parametrize(
    "value", [np.complex128(1 + 2j), 1 + 2j, np.array(1.0), np.array([1.0]), "1", None, float("nan")], ids=repr
)
def test_what_is_not_a_number(value):
    for read in (read_qrels, read_run):
        with pytest.raises(InputError, match=r"must be a finite number|missing or not a finite number"):
            read({"q": {"d": value}})


@pytest.mark.parametrize("value", [True, np.True_, 1, 1.0, np.int8(1), np.float32(1)], ids=repr)
def test_a_boolean_grade_is_a_grade(value):
    assert read_qrels({"q": {"d": value, "e": 0}}).to_dict() == {"q": {"d": 1, "e": 0}}


@pytest.mark.parametrize("value", [True, np.False_], ids=repr)
def test_a_boolean_score_is_a_mistake(value):
    with pytest.raises(InputError, match="must be a finite number"):
        read_run({"q": {"d": value}})


@pytest.mark.parametrize("name", [True, np.True_, np.array(5), 1.0, None, ("a",)], ids=repr)
def test_what_is_not_an_identifier(name):
    with pytest.raises(InputError, match="is not an identifier"):
        read_qrels([(name, "d", 1)])
    assert read_qrels({5: {np.int64(7): 1}}).to_dict() == {"5": {"7": 1}}


def test_an_identifier_has_a_mebibyte_at_most():
    with pytest.raises(InputError, match="at most 1048575"):
        read_qrels({"q": {"d" * (1 << 20): 1}})


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\x1b[2J"], ids=ascii)
def test_names_of_systems(name):
    with pytest.raises(InputError, match="the name of a system is wrong"):
        read_run({"q": {"d": 1.0}}, name=name)
    with pytest.raises(InputError, match="the name of a system is wrong"):
        evaluate({"q": {"d": 1}}, {name: {"q": {"d": 1.0}}}, ["AP"])


def test_a_column_may_be_called_column_names():
    frame = pd.DataFrame({"query_id": ["q"], "doc_id": ["d"], "relevance": [1], "column_names": ["x"], "columns": [2]})
    assert read_qrels(frame).to_dict() == {"q": {"d": 1}}
