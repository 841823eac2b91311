"""The table model that rules and the number checker share: a grid with spans, headers and labels of each cell, styles and values."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from mensura.lint.readers.document import GONE
from mensura.lint.readers.printed import NUMBER, Printed, printed

if TYPE_CHECKING:
    from collections.abc import Iterator

BEGINS = re.compile(r"[(]?[+−–-]?\d{0,4}\.?\d+(?!\s?-?%?\s?-?(?:CIs?|HDI|confidence|credible|percentile|quantile)\b)(?!\d)")
DECIMAL = re.compile(r"[+−-]?\d{0,3}\.\d+\s?%?$")
LEAD = re.compile(r"[\s(\[~≈<>≤≥↑↓▲▼△▽†‡*∗⋆§¶^]*")
EMPTY = re.compile(r"[-–—−.…\s/]*|n\.?/?a\.?|none|nan|x|✓|✗|×|√", re.IGNORECASE)
LONGEST_EMPTY = 4  # letters of an empty cell, as in none
MOST_COLUMNS = 400  # a span that says more is a mistake of the source


@dataclass(frozen=True, eq=False)
class TableCell:
    """A cell of a table: its offset, its text, its styles, and the rows and columns that it spans."""

    start: int
    text: str
    end: int = -1
    styles: frozenset[str] = frozenset()  # of bold, underline, italic, colour
    columns: int = 1
    rows: int = 1

    @property
    def span(self) -> tuple[int, int]:
        """The stretch of the document that the cell takes."""
        return self.start, self.end if self.end > self.start else self.start + max(len(self.text), 1)

    @cached_property
    def value(self) -> Printed | None:
        """The number that the cell begins with, after brackets and marks."""
        lead = LEAD.match(self.text)
        match = NUMBER.match(self.text, lead.end() if lead is not None else 0)
        return None if match is None else printed(match)

    @cached_property
    def printed(self) -> tuple[Printed, ...]:
        """All numbers of the cell."""
        return tuple(printed(match) for match in NUMBER.finditer(self.text))

    @cached_property
    def marks(self) -> str:
        """The text around the number: daggers, stars, letters of superscripts."""
        value = self.value
        return "" if value is None else (self.text[: value.start] + self.text[value.end :]).strip()

    @property
    def is_number(self) -> bool:
        """Whether the cell begins with a number, perhaps in brackets."""
        return is_number(self.text)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in the cell, or a dash."""
        text = self.text
        return (len(text) <= LONGEST_EMPTY or not text[0].isalnum()) and EMPTY.fullmatch(text) is not None


@dataclass(eq=False)
class DocumentTable:
    """Rows of cells as they are written, with the text that belongs to them.

    Attributes
    ----------
    rows
        The cells of each row; a cell that spans columns or rows is written once.
    caption
        Caption and notes.
    rules
        Numbers of rows before which there is a line: blocks of systems.
    covered
        Whether an empty cell is written below one that spans rows, as in LaTeX.
    sure
        Whether the grid is certain; one that was guessed from positions on a page may not be.
    """

    rows: list[list[TableCell]]
    caption: str = ""
    rules: frozenset[int] = frozenset()
    sure: bool = True
    start: int = 0
    end: int = 0
    covered: bool = False
    topics: int = 0  # number of topics that the reader of the document knows for this table
    printed: bool = False  # by a program, with the digits that it has

    def moved(self, start: int) -> DocumentTable:
        """Return the table of a stretch of text at its place in the whole."""
        rows = [[replace(cell, start=cell.start + start, end=cell.end + start) for cell in row] for row in self.rows]
        return replace(self, rows=rows, start=self.start + start, end=self.end + start)

    @cached_property
    def head(self) -> int:
        """Number of rows before the first that is mostly numbers."""
        for number, row in enumerate(self.rows):
            filled = [cell for cell in row[1:] if cell.text]
            if filled and 2 * sum(is_number(cell.text) for cell in filled) >= len(filled):
                return number
        return 1 if self._is_long else len(self.rows)

    @property
    def _is_long(self) -> bool:
        """Whether it has a value per row, in the last column, after columns of words that say whose it is."""
        last = [row[-1] for row in self.rows[1:] if len(row) == len(self.rows[0])]
        return len(last) > 1 and len(last) == len(self.rows) - 1 and all(DECIMAL.match(cell.text) for cell in last)

    @property
    def header(self) -> list[TableCell]:
        """The cells above the numbers."""
        return [cell for row in self.rows[: self.head] for cell in row]

    @property
    def labels(self) -> list[TableCell]:
        """The first cells of the rows of numbers."""
        return [row[0] for row in self.rows[self.head :] if row]

    def numbers(self) -> Iterator[tuple[TableCell, str]]:
        """Yield the cells with numbers, each with the header of its column where columns are aligned."""
        for number, row in enumerate(self.grid[self.head :], start=self.head):
            for column, cell in enumerate(row):
                if column and cell is not None and is_number(cell.text) and self._first(number, column):
                    yield cell, (self.above(number, column) or ("",))[-1]

    @cached_property
    def grid(self) -> list[list[TableCell | None]]:
        """The cells by row and column; a cell with a span is in all of its places."""
        if all(cell.columns <= 1 and cell.rows <= 1 for row in self.rows for cell in row):
            width = max(map(len, self.rows), default=0)
            return [[*row, *[None] * (width - len(row))] for row in self.rows]
        grid: list[list[TableCell | None]] = [[] for _ in self.rows]
        for number, row in enumerate(self.rows):
            column = 0
            for cell in row:
                if self.covered and not cell.text and column < len(grid[number]) and grid[number][column] is not None:
                    column += max(cell.columns, 1)
                    continue
                while not self.covered and column < len(grid[number]) and grid[number][column] is not None:
                    column += 1
                width = min(max(cell.columns, 1), MOST_COLUMNS)
                for below in range(number, min(number + max(cell.rows, 1), len(self.rows))):
                    line = grid[below]
                    line += [None] * (column + width - len(line))
                    if below > number and any(line[column : column + width]):
                        break
                    line[column : column + width] = [cell] * width
                column += width
        width = max(map(len, grid), default=0)
        return [[*line, *[None] * (width - len(line))] for line in grid]

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.grid[0]) if self.grid else 0

    def _first(self, row: int, column: int) -> bool:
        """Return whether this is the upper left place of its cell."""
        cell = self.grid[row][column]
        return not (column and self.grid[row][column - 1] is cell) and not (row and self.grid[row - 1][column] is cell)

    @cached_property
    def kinds(self) -> list[str]:
        """The kind of each row: ``head``, ``body`` (numbers), ``section`` (one text for the rows below) or ``words``."""
        kinds = []
        for number, row in enumerate(self.grid):
            cells = list(dict.fromkeys(cell for cell in row if cell is not None and not cell.is_empty))
            beyond = [cell for cell in cells if cell not in row[: self.leads]]
            numeric = sum(cell.is_number for cell in beyond)
            if beyond and 2 * numeric >= len(beyond):
                kinds.append("head" if number == self.head and self._counts(number) else "body")
            elif number < self.head:
                kinds.append("section" if len(cells) == 1 and number and self.width > 1 else "head" if cells else "empty")
            elif len(cells) <= 1:
                kinds.append("section" if cells else "empty")
            else:
                kinds.append("head" if not numeric and len(cells) > self.width // 2 else "words")
        return kinds

    def _counts(self, number: int) -> bool:
        """Return whether the first row of numbers has names of columns: no label, rising numbers, fewer decimals than the rows below."""
        row = self.grid[number]
        values = [cell.value for cell in dict.fromkeys(row[self.leads :]) if cell is not None and cell.value is not None]
        if len(values) < 3 or any(cell is not None and not cell.is_empty for cell in row[: self.leads]):  # noqa: PLR2004 - a series of names
            return False
        below = [
            cell.value
            for line in self.grid[number + 1 :]
            for cell in line[self.leads :]
            if cell is not None and cell.value is not None
        ]
        rising = all(one.value < two.value for one, two in pairwise(values))
        return rising and bool(below) and max(each.decimals for each in values) < max(each.decimals for each in below)

    @cached_property
    def leads(self) -> int:
        """Number of columns with labels on the left: the first, and those after it that are mostly words; none in a series of single rows."""
        body = [row for row in self.grid[self.head :] if any(cell is not None and cell.is_number for cell in row[1:])]
        if body and self._is_series:
            return 0
        for column in range(1, self.width):
            filled = [cell for row in body if (cell := row[column]) is not None and not cell.is_empty]
            if not filled or 2 * sum(cell.is_number for cell in filled) > len(filled):
                return column
        return min(1, self.width)

    @property
    def _is_series(self) -> bool:
        """Whether each row of numbers has names of its own above it, also of its first number, and so needs no label."""
        rows = [[cell for cell in row if cell is not None and not cell.is_empty] for row in self.grid]
        rows = [row for row in rows if len(row) > 1]
        pairs = list(zip(rows[::2], rows[1::2], strict=False))
        return len(rows) == 2 * len(pairs) > 0 and all(
            len(names) == len(values)
            and not any(cell.is_number for cell in names)
            and all(cell.value is not None and cell.is_number and cell.value.decimals > 0 for cell in values)
            for names, values in pairs
        )

    def above(self, row: int, column: int) -> tuple[str, ...]:
        """Return the headers over a cell, from the outermost to the nearest: those of the last band of headers before its row."""
        band = self._bands[row]
        names = self._headers.get((band, column))
        if names is None:
            cells = dict.fromkeys(self.grid[number][column] for number in reversed(band))
            names = tuple(cell.text for cell in cells if cell is not None and not cell.is_empty)
            self._headers[band, column] = names
        return names

    @cached_property
    def _headers(self) -> dict[tuple[tuple[int, ...], int], tuple[str, ...]]:
        """Headers that were asked for, by band and column."""
        return {}

    @cached_property
    def _bands(self) -> list[tuple[int, ...]]:
        """The last band of headers before each row, from its nearest row to its outermost."""
        bands: list[tuple[int, ...]] = []
        band: tuple[int, ...] = ()
        ended = False
        for number, kind in enumerate(self.kinds):
            bands.append(band)
            if kind == "head":
                band, ended = ((number,) if ended else (number, *band)), False
            elif kind != "section":
                ended = True
        return bands

    @cached_property
    def _labels(self) -> dict[int, tuple[str, ...]]:
        """Labels that were asked for, by row."""
        return {}

    def left(self, row: int) -> tuple[str, ...]:
        """Return the labels of a row, with those of merged cells, and the section that it is in."""
        labels = self._labels.get(row)
        if labels is None:
            labels = self._labels[row] = self._left(row)
        return labels

    def _left(self, row: int) -> tuple[str, ...]:
        """Compute the labels of a row."""
        names = [cell for cell in dict.fromkeys(self.grid[row][: self.leads]) if cell is not None and not cell.is_empty]
        section = self._sections[row]
        if section is not None and section not in names:
            names.insert(0, section)
        return tuple(cell.text for cell in names)

    @cached_property
    def _sections(self) -> list[TableCell | None]:
        """The section that each row is in: the last one above it that no header ended."""
        sections: list[TableCell | None] = []
        section = None
        for kind, row in zip(self.kinds, self.grid, strict=True):
            sections.append(section)
            if kind == "section":
                section = next(cell for cell in row if cell is not None and not cell.is_empty)
            elif kind == "head":
                section = None
        return sections

    @cached_property
    def blocks(self) -> list[list[int]]:
        """Rows of numbers that belong together: sections, headers and lines part them; lines after most rows do not."""
        body = [number for number, kind in enumerate(self.kinds) if kind == "body"]
        inner = [number for number in self.rules if body and body[0] < number <= body[-1]]
        rules = frozenset(inner) if 2 * len(inner) < len(body) else frozenset()
        blocks: list[list[int]] = []
        last = -2
        for number in body:
            parted = any(self.kinds[between] in {"section", "head"} for between in range(last + 1, number)) if last >= 0 else True
            if parted or any(rule in rules for rule in range(last + 1, number + 1)):
                blocks.append([])
            blocks[-1].append(number)
            last = number
        return blocks

    def body(self) -> list[tuple[int, int, TableCell]]:
        """Return the cells of the rows of numbers with row and column, right of the labels."""
        return self._body

    @cached_property
    def _body(self) -> list[tuple[int, int, TableCell]]:
        return [
            (number, column, cell)
            for number, kind in enumerate(self.kinds)
            if kind == "body"
            for column in range(self.leads, self.width)
            if (cell := self.grid[number][column]) is not None and self._first(number, column)
        ]


def is_number(text: str) -> bool:
    """Return whether a cell begins with a number."""
    return BEGINS.match(text) is not None


def cells(start: int, row: str, separator: str) -> list[TableCell]:
    """Return the cells of a row that begins at an offset."""
    row_cells = []
    for piece in row.split(separator):
        text = piece.strip()
        at = start + len(piece) - len(piece.lstrip()) if text else start
        text = text.replace(GONE, "")
        row_cells.append(TableCell(at, text if text.isprintable() and "  " not in text else " ".join(text.split()), at + len(text)))
        start += len(piece) + len(separator)
    return row_cells
