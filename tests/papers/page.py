"""Write the tables of ``docs/papers.md`` from the rows of the tests: ``python -m tests.papers.page``."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "papers.md"
PAPERS = {
    "p0": "An interval-like scale property for IR evaluation measures",
    "p1": "A graphical view of distance between rankings",
    "p2": "Evaluating ADM on a four-level relevance scale",
    "p3": "Some common mistakes in IR evaluation",
    "p4": "Towards meaningful statements in IR evaluation",
}
BEGIN, END = "<!-- rows: written by python -m tests.papers.page -->", "<!-- end of rows -->"


def rows(paper):
    """The rows of a paper."""
    return importlib.import_module(f"tests.papers.test_{paper}").ROWS


def cell(text):
    """Text for a cell of a Markdown table."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|")


def code(run):
    """A run for a cell: the command, or the last line of the Python."""
    return f"`{cell(run.strip().splitlines()[-1])}`"


def tables():
    """The tables of all papers as Markdown."""
    lines = [BEGIN, ""]
    for paper, title in PAPERS.items():
        lines += [f"### {paper.upper()}: {title}", "", "| where | what | run | comes out | erratum |", "|---|---|---|---|---|"]
        for row in rows(paper):
            shows = " … ".join(cell(fragment) for fragment in row.shows)
            lines.append(f"| {cell(row.where)} | {cell(row.what)} | {code(row.run)} | {shows} | {cell(row.erratum)} |")
        lines.append("")
    return "\n".join([*lines, END])


def page():
    """The page as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    return before + tables() + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{sum(len(rows(paper)) for paper in PAPERS)} rows\n")
