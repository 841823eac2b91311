"""A table as a value, and the one way from it to text for a terminal, csv, Markdown and LaTeX (``html.py`` has HTML); JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from mensura.render.escapes import latex
from mensura.render.numbers import exact
from mensura.render.text import BOLD, DIM, paint, width
from mensura.result import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    Format = Callable[[Any], str]

LONGEST = 45  # rows that fit on a page of a paper


class Table(NamedTuple):
    """Rows of plain values, and how they are shown.

    Attributes
    ----------
    header, rows
        The heading of each column, and a value for each row and column.
    align
        A letter per column: ``l`` for text, ``r`` for numbers, ``c`` for centred; columns without a letter hold numbers.
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


def alignment(table: Table) -> str:
    """A letter for every column."""
    return table.align[: len(table.header)].ljust(len(table.header), "r")


def written(table: Table, otherwise: Format = str) -> list[list[Any]]:
    """The cells of a table as people read them."""
    formats = [*table.formats, *[None] * (len(table.header) - len(table.formats))]
    return [[(form or otherwise)(value) for form, value in zip(formats, row, strict=True)] for row in table.rows]


def as_text(table: Table) -> str:
    """The table for a terminal."""
    body = written(table)
    widths = [max(map(width, column)) for column in zip(table.header, *body, strict=True)]
    rule = paint("─" * (sum(widths) + 2 * (len(widths) - 1)), DIM)
    align = alignment(table)
    lines = [_line(align, table.header, widths, [BOLD] * len(widths)), rule]
    for number, cells in enumerate(body):
        styles = [BOLD if (number, at) in table.strong else DIM if at < table.dim else "" for at in range(len(cells))]
        lines.append(_line(align, cells, widths, styles))
        if number in table.rules:
            lines.append(rule)
    return "\n".join(lines) + "\n"


def _line(align: str, cells: Sequence[str], widths: Sequence[int], styles: Sequence[str]) -> str:
    padded = []
    for letter, cell, size, style in zip(align, cells, widths, styles, strict=True):
        space = " " * (size - width(cell))
        padded.append(paint(cell, style) + space if letter == "l" else space + paint(cell, style))
    return "  ".join(padded).rstrip()


def strong_rows(rows: Iterable[int], columns: int) -> set[tuple[int, int]]:
    """All cells of some rows, to be shown in bold."""
    return {(row, column) for row in rows for column in range(columns)}


# ── for programs ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

QUOTED = frozenset(',"\n\r')


def quote(cell: str) -> str:
    """Return a cell of a csv file, in quotation marks where it needs them."""
    return '"' + cell.replace('"', '""') + '"' if not QUOTED.isdisjoint(cell) else cell


def csv_text(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a csv file: numbers as they read back, empty cells for NaN and ``None``."""
    lines = [",".join(map(quote, header)), *(",".join([quote(exact(cell)) for cell in row]) for row in rows)]
    return "\n".join(lines) + "\n"


def records_csv(records: Sequence[dict[str, Any]]) -> str:
    """Return a csv file of dicts that have the same keys."""
    return csv_text(list(records[0]), [record.values() for record in records])


def json_text(document: Any) -> str:
    """Return a JSON document, with ``null`` for NaN."""
    return json.dumps(encode(document), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


# ── for papers ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def as_markdown(table: Table) -> str:
    """The table in Markdown, with pipes, below its caption."""
    rule = "|" + "".join({"l": "---|", "r": "---:|", "c": ":---:|"}[letter] for letter in alignment(table)) + "\n"
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n" for cells in (table.header, *written(table))]
    return f"{table.caption}\n\n{lines[0]}{rule}{''.join(lines[1:])}"


def as_latex(table: Table) -> str:
    """The table in LaTeX with booktabs' rules: a float with its caption, or a longtable if it does not fit on a page."""
    columns = alignment(table)
    lines = [" & ".join(map(latex, cells)) + r" \\" for cells in (table.header, *written(table))]
    head = "\n".join([r"\toprule", *_spanning(table), lines[0], r"\midrule"])
    body = "\n".join(lines[1:])
    caption = rf"\caption{{{latex(table.caption)}}}"
    label = rf"\label{{tab:{table.label}}}"
    needs = r"% needs \usepackage{booktabs}"
    if len(table.rows) <= LONGEST:
        return (
            f"{needs}\n\\begin{{table}}\n\\centering\n{caption}\n{label}\n"
            f"\\begin{{tabular}}{{{columns}}}\n{head}\n{body}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n"
        )
    return (
        f"{needs} and \\usepackage{{longtable}}\n\\begin{{longtable}}{{{columns}}}\n{caption}{label}\\\\\n"
        f"{head}\n\\endfirsthead\n{head}\n\\endhead\n\\bottomrule\n\\endfoot\n{body}\n\\end{{longtable}}\n"
    )


def _spanning(table: Table) -> list[str]:
    """The line of headings that span columns, and short rules below them."""
    if not table.above:
        return []
    cells, rules, first = [], [], 1
    for text, span in table.above:
        cells.append(rf"\multicolumn{{{span}}}{{c}}{{{latex(text)}}}" if text else " & " * (span - 1))
        rules.append(rf"\cmidrule(lr){{{first}-{first + span - 1}}}" if text else "")
        first += span
    return [" & ".join(cells) + r" \\", "".join(rules)]
