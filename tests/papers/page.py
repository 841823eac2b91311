"""Write the lists of ``docs/papers.md`` from the rows of the tests: ``python -m tests.papers.page``.

A row of the page says what the paper says, and how the command is called that shows it. Expected output and rows in Python are in
the tests.
"""

from __future__ import annotations

import importlib
import itertools
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
FORMAT = re.compile(r" (?:-f|--format) (?:csv|json)\b")


def rows(paper):
    """The rows of a paper."""
    return importlib.import_module(f"tests.papers.test_{paper}").ROWS


def line(row):
    """A row as an item of the list of its section."""
    _, _, detail = row.where.partition(", ")
    command = FORMAT.sub("", row.run.strip())
    parts = [
        f"{detail}: {row.what}" if detail else row.what,
        f"`{command}`" if command.startswith("mensura ") else "",
        f"*Erratum*: {row.erratum}" if row.erratum else "",
    ]
    return "- " + " ".join(". ".join(filter(None, parts)).split())


def lists():
    """The rows of all papers as Markdown, those of one section together."""
    blocks = []
    for paper, title in PAPERS.items():
        blocks.append(f"### {paper.upper()}: {title}")
        for section, group in itertools.groupby(rows(paper), key=lambda row: row.where.partition(", ")[0]):
            blocks.append("\n".join([f"**{section}**", "", *map(line, group)]))
    return "\n\n".join([BEGIN, *blocks, END])


def page():
    """The page as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    return before + lists() + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{sum(len(rows(paper)) for paper in PAPERS)} rows\n")
