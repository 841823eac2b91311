"""Jupyter notebooks: cells, each with the places of its characters in the file."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from mensura.errors import InputError
from mensura.lint.readers.code import check_code
from mensura.lint.readers.document import Code
from mensura.lint.readers.markdown import code_spans, read_markdown
from mensura.lint.rule import Hit
from mensura.lint.rules import check_document
from mensura.lint.suppress import Suppression, suppressions

ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NotebookCell:
    """A cell: markdown or code, its source, and where each line of it stands in the file."""

    number: int
    kind: str
    source: str
    pieces: tuple[tuple[int, int, str], ...]  # offset in the source, offset in the file, the stored text

    def place(self, offset: int) -> int:
        """Return the offset in the file of a character of the source."""
        at, origin, stored = 0, 0, ""
        for start, where, text in self.pieces:
            if start > offset:
                break
            at, origin, stored = start, where, text
        left, position = offset - at, 0
        while left > 0 and position < len(stored):
            match = ESCAPE.match(stored, position)
            position = match.end() if match is not None else position + 1
            left -= 1
        return origin + position


@dataclass(frozen=True, slots=True)
class Joined:
    """The cells of one kind as one text."""

    cells: tuple[NotebookCell, ...]
    gap: str

    @property
    def text(self) -> str:
        """All sources, one after the other."""
        return self.gap.join(cell.source for cell in self.cells)

    @property
    def starts(self) -> list[int]:
        """Offset of each cell in the text."""
        starts, at = [], 0
        for cell in self.cells:
            starts.append(at)
            at += len(cell.source) + len(self.gap)
        return starts

    def find(self, offset: int, starts: list[int]) -> tuple[NotebookCell, int]:
        """Return the cell at an offset of the text, and the offset in the file."""
        number = max(bisect_right(starts, offset) - 1, 0)
        return self.cells[number], self.cells[number].place(offset - starts[number])


def check_notebook(text: str, source: str) -> tuple[list[Hit], list[Suppression]]:
    """Check cells of prose as one page and cells of code as one program; all offsets are offsets in the file."""
    cells = read_notebook(text, source)
    hits: list[Hit] = []
    comments: list[Suppression] = []
    for kind, gap in (("markdown", "\n\n"), ("code", "\n")):
        joined = Joined(tuple(cell for cell in cells if cell.kind == kind), gap)
        page, starts = joined.text, joined.starts
        if not joined.cells:
            continue
        if kind == "markdown":
            page_hits, page_comments = check_document(read_markdown(page)), suppressions(page, "markdown", code_spans(page))
        else:
            blocks = [Code(start, cell.source) for start, cell in zip(starts, joined.cells, strict=True)]
            page_hits, page_comments = list(check_code(blocks)), suppressions(page, "other")
        for hit in page_hits:
            cell, start = joined.find(hit.start, starts)
            _, last = joined.find(max(hit.end - 1, hit.start), starts)
            hits.append(Hit(hit.code, start, max(last + 1, start), f"{hit.detail}; cell {cell.number}"))
        for comment in page_comments:
            low, high = comment.covers
            comment.covers = (joined.find(low, starts)[1], joined.find(min(high, max(len(page) - 1, 0)), starts)[1] + 1)
            comment.start, comment.end = joined.find(comment.start, starts)[1], joined.find(comment.end - 1, starts)[1] + 1
        comments += page_comments
    return hits, comments


def read_notebook(text: str, source: str) -> list[NotebookCell]:
    """Read the cells of a notebook."""
    try:
        document = json.loads(text)
        cells = document["cells"]
        notebook, at = [], 0
        for number, cell in enumerate(cells, start=1):
            lines = cell.get("source", [])
            pieces: list[tuple[int, int, str]] = []
            length = 0
            for line in [lines] if isinstance(lines, str) else lines:
                where, stored = _locate(text, line, at)
                pieces.append((length, where, stored))
                at = where + len(stored)
                length += len(line)
            notebook.append(NotebookCell(number, str(cell.get("cell_type", "")), _joined(lines), tuple(pieces)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"is not a notebook: {type(error).__name__}: {error}", source=source) from error
    return notebook


def _joined(lines: Any) -> str:
    return lines if isinstance(lines, str) else "".join(lines)


def _locate(text: str, line: str, at: int) -> tuple[int, str]:
    """Return the offset of a stored string, from ``at`` on, and its text there."""
    best: tuple[int, str] | None = None
    for ascii_only in (False, True):
        written = json.dumps(line, ensure_ascii=ascii_only)
        start = text.find(written, at)
        if start >= 0 and (best is None or start < best[0]):
            best = (start + 1, written[1:-1])
    return best or (min(at, len(text)), "")
