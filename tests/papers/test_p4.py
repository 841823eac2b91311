"""P4, row by row."""

from __future__ import annotations

from tests.papers.rows import Row, parametrized, show

ROWS: list[Row] = []


@parametrized(ROWS)
def test_row(row, tmp_path):
    show(row, tmp_path)
