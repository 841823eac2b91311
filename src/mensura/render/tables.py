"""A table as a value, and the one way from it to text for a terminal, csv, Markdown and Typst; JSON.

``html.py`` has HTML, ``latex.py`` LaTeX.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

from mensura.render.escapes import csv_cell, markdown_cell, visible
from mensura.render.numbers import exact
from mensura.render.text import BOLD, DIM, paint, width
from mensura.result import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    Format = Callable[[Any], str]


class Marked(str):
    """The text of a cell with marks that a paper raises above the line: letters of groups, daggers of baselines."""

    __slots__ = ("marks",)
    marks: str

    def __new__(cls, text: str, marks: str = "") -> Self:
        """Return the text with its marks."""
        cell = super().__new__(cls, text)
        cell.marks = marks
        return cell


class Table(NamedTuple):
    """Rows of plain values, and how they are shown.

    Attributes
    ----------
    header, rows
        The heading of each column, and a value for each row and column.
    align
        A letter per column: ``l`` for text, ``r`` for numbers, ``c`` for centred, ``m`` for numbers with marks, which are aligned
        on the left so that marks do not move them; columns without a letter hold numbers.
    formats
        How the values of each column are written for people; ``None``, or nothing at the end, for values that are text.
    caption, label
        What the table shows, and its label in LaTeX.
    above
        Headings above the header: text, and the number of columns that it spans.
    rules
        Numbers of the rows that have a thin line below them.
    strong
        Cells, as (row, column), that a terminal shows in bold.
    dim
        Number of columns, from the first one, that a terminal shows dimly.
    kind, names, sortable
        In HTML: the class, the column that names the row, and the columns by which a reader can sort.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    align: str = "l"
    formats: Sequence[Format | None] = ()
    caption: str = ""
    label: str = ""
    above: Sequence[tuple[str, int]] = ()
    rules: Collection[int] = ()
    strong: Collection[tuple[int, int]] = ()
    dim: int = 0
    kind: str = ""
    names: int = 0
    sortable: Collection[int] = ()


class View(NamedTuple):
    """A result as people look at it: title, lines below it, tables, sentences, then parts with titles of their own, and remarks."""

    title: str
    tables: Sequence[Table] = ()
    remarks: Sequence[str] = ()
    sentences: Sequence[str] = ()
    lines: Sequence[str] = ()
    parts: Sequence[View] = ()


def alignment(table: Table) -> str:
    """A letter for every column."""
    return table.align[: len(table.header)].ljust(len(table.header), "r")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def written(table: Table, otherwise: Format = _text) -> list[list[Any]]:
    """The cells of a table as people read them."""
    formats = [*table.formats, *[None] * (len(table.header) - len(table.formats))]
    return [[(form or otherwise)(value) for form, value in zip(formats, row, strict=True)] for row in table.rows]


def as_text(table: Table) -> str:
    """The table for a terminal."""
    body = [[_seen(cell) for cell in cells] for cells in written(table)]
    header = list(map(_seen, table.header))
    widths = [max(map(width, column)) for column in zip(header, *body, strict=True)]
    rule = paint("─" * (sum(widths) + 2 * (len(widths) - 1)), DIM)
    align = alignment(table)
    lines = [_line(align, header, widths, [BOLD] * len(widths)), rule]
    for number, cells in enumerate(body):
        styles = [BOLD if (number, at) in table.strong else DIM if at < table.dim else "" for at in range(len(cells))]
        lines.append(_line(align, cells, widths, styles))
        if number in table.rules:
            lines.append(rule)
    return "\n".join(lines) + "\n"


def _seen(cell: str) -> str:
    """A cell whose text stays in its line and place; a terminal has its marks beside it."""
    text = f"{cell} {cell.marks}" if isinstance(cell, Marked) and cell.marks else cell
    return text if text.isascii() and text.isprintable() else visible(text)


def _line(align: str, cells: Sequence[str], widths: Sequence[int], styles: Sequence[str]) -> str:
    padded = []
    for letter, cell, size, style in zip(align, cells, widths, styles, strict=True):
        space = " " * (size - width(cell))
        padded.append(paint(cell, style) + space if letter in "lm" else space + paint(cell, style))
    return "  ".join(padded).rstrip()


def strong_rows(rows: Iterable[int], columns: int) -> set[tuple[int, int]]:
    """All cells of some rows, to be shown in bold."""
    return {(row, column) for row in rows for column in range(columns)}


# ── for programs ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

QUOTED = frozenset(',"\n\r')


def quote(cell: str) -> str:
    """Return a cell of a csv file, in quotation marks where it needs them."""
    cell = csv_cell(cell)
    return '"' + cell.replace('"', '""') + '"' if not QUOTED.isdisjoint(cell) else cell


def csv_text(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a csv file: numbers as they read back, empty cells for NaN and ``None``."""
    lines = [",".join(map(quote, header)), *(",".join([quote(exact(cell)) for cell in row]) for row in rows)]
    return "\n".join(lines) + "\n"


def records_csv(records: Sequence[dict[str, Any]]) -> str:
    """Return a csv file of dicts that have the same keys."""
    return csv_text(list(records[0]), [record.values() for record in records])


def json_text(document: Any) -> str:
    """Return a JSON document, with ``null`` for NaN.

    An object carries the version of its keys: that of a result, else 1, as :attr:`mensura.result.Result.version`. A list has none.
    """
    import json

    plain = encode(document)
    if isinstance(plain, dict) and "version" not in plain:
        plain = {"version": 1, **plain}
    return json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


# ── for papers ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def as_markdown(table: Table) -> str:
    """The table in Markdown, with pipes, below its caption."""
    rule = "|" + "".join({"l": "---|", "r": "---:|", "c": ":---:|", "m": "---|"}[letter] for letter in alignment(table)) + "\n"
    rows = [
        [_markdown_cell(cell, strong=(row, column) in table.strong) for column, cell in enumerate(cells)]
        for row, cells in enumerate(written(table))
    ]
    lines = ["| " + " | ".join(cells) + " |\n" for cells in ([_markdown_cell(cell) for cell in table.header], *rows)]
    return f"{markdown_cell(table.caption)}\n\n{lines[0]}{rule}{''.join(lines[1:])}"


def _markdown_cell(cell: str, *, strong: bool = False) -> str:
    text = markdown_cell(cell)
    text = f"**{text}**" if strong else text
    return f"{text}<sup>{cell.marks}</sup>" if isinstance(cell, Marked) and cell.marks else text


def as_typst(table: Table) -> str:
    """The table in Typst, as a figure."""
    align = ", ".join({"l": "left", "r": "right", "c": "center", "m": "left"}[letter] for letter in alignment(table))
    above = [f"table.cell(colspan: {span}, align: center, {_string(text)})" for text, span in table.above]
    head = ", ".join([*above, *map(_string, table.header)])
    lines = [
        ", ".join(_typst_cell(cell, strong=(row, column) in table.strong) for column, cell in enumerate(cells))
        for row, cells in enumerate(written(table))
    ]
    body = "".join(f"    {line},\n" for line in lines)
    label = f" <tab:{table.label}>" if table.label else ""
    return (
        f"#figure(\n  table(\n    columns: {len(table.header)}, align: ({align},), stroke: none,\n    table.hline(),\n"
        f"    table.header({head}),\n    table.hline(stroke: 0.5pt),\n{body}    table.hline(),\n  ),\n"
        f"  caption: [#{_string(table.caption)}],\n){label}\n"
    )


def _typst_cell(cell: str, *, strong: bool) -> str:
    text = f"strong({_string(cell)})" if strong else _string(cell)
    return f"{text} + super({_string(cell.marks)})" if isinstance(cell, Marked) and cell.marks else text


def _string(text: str) -> str:
    return '"' + visible(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
