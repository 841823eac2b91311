"""Runs and judgments in tables: the readers' faults and remarks as findings."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from mensura.lint import lint
from tests.io.test_table_faults import csv, parquet


def test_lint_lists_the_faults_of_tables(tmp_path):
    csv(tmp_path / "bad.csv")
    parquet(tmp_path / "bad.parquet")
    (tmp_path / "qrels.csv").write_text("qid,docno,rel\nq1,d1,x\nq1,d2,999\n")
    findings = lint([str(tmp_path / name) for name in ("bad.csv", "bad.parquet", "qrels.csv")])
    places = [(each, [each.line, *(spot.line for spot in each.spots)]) for each in findings]
    lines = {(Path(each.path).name, each.code, line) for each, numbers in places for line in numbers}
    assert lines == {
        ("bad.csv", "S002", 4),
        ("bad.csv", "S002", 5),
        ("bad.csv", "D101", 6),
        ("bad.parquet", "S002", 1),
        ("bad.parquet", "D101", 1),
        ("qrels.csv", "S002", 2),
        ("qrels.csv", "S002", 3),
    }
    assert "row 2: the score of topic 'q1', document 'd2' is nan" in str([each.message for each in findings])


def test_lint_compares_runs_of_any_kind(tmp_path):
    """The rule is that of the remark on identical runs; results in csv files are still results."""
    columns = {"qid": ["q1"] * 12, "docno": [f"d{rank}" for rank in range(12)], "score": [30.0 - rank for rank in range(12)]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    pd.DataFrame(columns).to_csv(tmp_path / "b.csv", index=False)
    pd.DataFrame({**columns, "score": columns["score"][::-1]}).to_csv(tmp_path / "c.csv", index=False)
    findings = lint([str(tmp_path / name) for name in ("a.parquet", "b.csv", "c.csv")])
    assert [(Path(each.path).name, each.code, each.detail) for each in findings] == [
        ("a.parquet", "D113", "a, b"),
        ("b.csv", "D113", "a, b"),
    ]
