"""Write the lists of ``docs/papers.md`` from the rows of the tests: ``python -m tests.papers.page``.

A row of the page says what the paper says, and how the command is called that shows it. Expected output and rows in Python are in
the tests.
"""

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
FORMAT = re.compile(r" (?:-f|--format) (?:csv|json)\b")


def rows(paper):
    """The rows of a paper."""
    return importlib.import_module(f"tests.papers.test_{paper}").ROWS


def line(rows_of_place, shown):
    """The rows of one place as an item of the list of its section; a command is shown where it first occurs."""
    statements = []
    for row in rows_of_place:
        command = FORMAT.sub("", row.run.strip())
        known = command in shown or not command.startswith("mensura ")
        shown.add(command)
        erratum = f" *Erratum*: {row.erratum.rstrip('.')}" if row.erratum else ""
        statements.append(f"{row.what}{'' if known else f' (`{command}`)'}{erratum and '.'}{erratum}")
    _, _, detail = rows_of_place[0].where.partition(", ")
    return "- " + " ".join(f"{f'{detail}: ' if detail else ''}{'; '.join(statements)}".split())


def lists():
    """The rows of all papers as Markdown, by section; those of one place in one item."""
    blocks = []
    for paper, title in PAPERS.items():
        blocks.append(f"### {paper.upper()}: {title}")
        sections, shown = {}, set()
        for row in rows(paper):
            sections.setdefault(row.where.partition(", ")[0], []).append(row)
        for section, group in sections.items():
            places = {}
            for number, row in enumerate(group):
                places.setdefault(row.where if ", " in row.where else number, []).append(row)
            blocks.append("\n".join([f"**{section}**", "", *(line(place, shown) for place in places.values())]))
    return "\n\n".join([BEGIN, *blocks, END])


def page():
    """The page as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    return before + lists() + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{sum(len(rows(paper)) for paper in PAPERS)} rows\n")
