"""Jupyter notebooks: cells, each with the places of its characters in the file."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from mensura.errors import InputError

ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NotebookCell:
    """A cell: markdown or code, its source, and where each line of it stands in the file."""

    number: int
    kind: str
    source: str
    pieces: tuple[tuple[int, int, str], ...]  # offset in the source, offset in the file, the stored text

    def place(self, offset: int) -> int:
        """Where a character of the source stands in the file."""
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


def read_notebook(text: str, source: str) -> list[NotebookCell]:
    """The cells of a notebook."""
    try:
        document = json.loads(text)
        cells = document["cells"]
        made, at = [], 0
        for number, cell in enumerate(cells, start=1):
            lines = cell.get("source", [])
            pieces: list[tuple[int, int, str]] = []
            length = 0
            for line in [lines] if isinstance(lines, str) else lines:
                where, stored = _locate(text, line, at)
                pieces.append((length, where, stored))
                at = where + len(stored)
                length += len(line)
            made.append(NotebookCell(number, str(cell.get("cell_type", "")), _joined(lines), tuple(pieces)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"is no notebook: {type(error).__name__}: {error}", source=source) from error
    return made


def _joined(lines: Any) -> str:
    return lines if isinstance(lines, str) else "".join(lines)


def _locate(text: str, line: str, at: int) -> tuple[int, str]:
    """Where a string is stored, from an offset on, and how it is written there."""
    best: tuple[int, str] | None = None
    for ascii_only in (False, True):
        written = json.dumps(line, ensure_ascii=ascii_only)
        found = text.find(written, at)
        if found >= 0 and (best is None or found < best[0]):
            best = (found + 1, written[1:-1])
    return best or (min(at, len(text)), "")
