"""Tables and emphasis for a terminal."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from dataclasses import dataclass, field

BOLD, DIM, YELLOW, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[0m"


def colours() -> bool:
    """May standard output be coloured? A terminal may, unless NO_COLOR is set."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str) -> str:
    """Text in a style, where colours are welcome."""
    return f"{style}{text}{PLAIN}" if style and colours() else text


def width(text: str) -> int:
    """Columns on the screen: East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def wrap(text: str, indent: str) -> str:
    """A paragraph that fits the terminal, its later lines indented."""
    import textwrap

    columns = shutil.get_terminal_size((100, 24)).columns
    return textwrap.fill(text, max(columns, 40), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


@dataclass
class TextTable:
    """Rows of cells. The first ``left`` columns are text, the others numbers.

    A row is a list of cells and a style; ``None`` is a thin line.
    """

    header: list[str]
    left: int = 1
    rows: list[tuple[list[str], list[str]] | None] = field(default_factory=list)

    def add(self, cells: list[str], styles: list[str] | None = None) -> None:
        """A row, with a style for each cell."""
        self.rows.append((cells, styles or [""] * len(cells)))

    def line(self) -> None:
        """A thin line."""
        self.rows.append(None)

    def __str__(self) -> str:
        body = [row[0] for row in self.rows if row is not None]
        widths = [max(width(cell) for cell in column) for column in zip(self.header, *body, strict=True)]
        rule = paint("─" * (sum(widths) + 2 * (len(widths) - 1)), DIM)
        lines = [self._row(self.header, widths, [BOLD] * len(widths)), rule]
        lines += [rule if row is None else self._row(row[0], widths, row[1]) for row in self.rows]
        return "\n".join(lines) + "\n"

    def _row(self, cells: list[str], widths: list[int], styles: list[str]) -> str:
        made = []
        for column, (cell, size, style) in enumerate(zip(cells, widths, styles, strict=True)):
            space = " " * (size - width(cell))
            made.append(paint(cell, style) + space if column < self.left else space + paint(cell, style))
        return "  ".join(made).rstrip()
