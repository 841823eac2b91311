"""The page of the papers is written from the rows."""

from __future__ import annotations

from tests.papers.page import PAGE, PAPERS, page, rows


def test_the_page_shows_the_rows():
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.papers.page"


def test_every_row_is_there():
    assert sum(len(rows(paper)) for paper in PAPERS) >= 176
