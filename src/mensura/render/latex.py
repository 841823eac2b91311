"""Tables for papers in LaTeX: in one column of a two-column page where that is possible, across the page where it must be.

Widths are estimated from Computer Modern, the widest of the usual text fonts. A table that is too wide for a column is set in
smaller type, then divided: its columns into blocks below each other, its rows into several floats. ``longtable`` is not used,
because two-column classes refuse it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.escapes import latex
from mensura.render.tables import Marked, alignment, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.render.tables import Table

    Block = list[int]  # columns

COLUMN = 229.0  # points: a column of article in two columns; acmart has 241, IEEEtran 252
TEXT = 345.0  # points: the page of article in one column; in two columns it has 469
LONGEST = 45  # rows that fit on a page
LONGEST_NAME = 105.0  # points; longer names are broken
SIZES = (("", 1.0, 6.0), (r"\small", 0.9, 4.0), (r"\footnotesize", 0.8, 3.0))  # command, scale, points on each side of a column
NARROW, WIDE = frozenset(".,:;!'|()[]il-jtfrI/ "), frozenset("MWmw%@—")
RAISED = 0.75  # size of a superscript
BOLD = 1.16  # width of bold letters


def as_latex(table: Table) -> str:
    """The table with booktabs' rules, in one float or as many as it needs; a caption says which part it is."""
    size, groups, wide = _fitted(table)
    rows = range(len(table.rows))
    together = max(1, LONGEST // len(groups)) if len(rows) * len(groups) > LONGEST else len(rows)
    parts = [rows[start : start + together] for start in range(0, len(rows), together)] or [rows]
    floats = []
    for number, part in enumerate(parts):
        caption = latex(table.caption) + ("" if number == 0 else " (continued)")
        label = rf"\label{{tab:{table.label}}}" + "\n" if number == 0 and table.label else ""
        blocks = "\n\n\\medskip\n\n".join(_tabular(table, block, part, size[1]) for block in groups)
        float_ = "table*" if wide else "table"
        floats.append(
            f"\\begin{{{float_}}}\n\\centering\n\\caption{{{caption}}}\n{label}{_type(size)}{blocks}\n\\end{{{float_}}}\n"
        )
    return "% needs \\usepackage{booktabs}\n" + "\n".join(floats)


def _fitted(table: Table) -> tuple[tuple[str, float, float], list[Block], bool]:
    """The size of type, the blocks of columns, and whether the float spans both columns of a page."""
    everything = [list(range(len(table.header)))]
    for size in SIZES[:2]:
        if _width(table, everything[0], size) <= COLUMN:
            return size, everything, False
    for size in SIZES[1:]:
        blocks = _blocks(table, size)
        if all(_width(table, block, size) <= COLUMN for block in blocks):
            return size, blocks, False
    for size in SIZES:
        if _width(table, everything[0], size) <= TEXT:
            return size, everything, True
    return SIZES[-1], _blocks(table, SIZES[-1], TEXT), True


def _blocks(table: Table, size: tuple[str, float, float], most: float = COLUMN) -> list[Block]:
    """Columns in blocks that fit, each with the columns that name the row; columns below one heading stay together."""
    align = alignment(table)
    names = list(range(max(table.names + 1, len(align) - len(align.lstrip("l")))))  # columns of text that begin a row name it
    spans = [span for _, span in table.above] or [1] * len(table.header)
    groups, first = [], 0
    for span in spans:
        columns = [column for column in range(first, first + span) if column not in names]
        first += span
        if columns:
            groups.append(columns)
    blocks: list[Block] = []
    for group in groups:
        if blocks and _width(table, blocks[-1] + group, size) <= most:
            blocks[-1] += group
        else:
            blocks.append(names + group)
    return blocks or [names]


def _width(table: Table, columns: Block, size: tuple[str, float, float]) -> float:
    """Estimated width of some columns in points."""
    _, scale, side = size
    body = written(table)
    total = 0.0
    for column in columns:
        cells = [(table.header[column], False), *((row[column], (at, column) in table.strong) for at, row in enumerate(body))]
        widest = scale * max(_points(cell) * (BOLD if strong else 1.0) for cell, strong in cells)
        total += min(widest, LONGEST_NAME) if column == table.names else widest
    first = 0
    for text, span in table.above:  # a heading can be wider than its columns
        below = [column for column in range(first, first + span) if column in columns]
        first += span
        if below:
            inside = sum(scale * max(map(_points, [table.header[at], *(row[at] for row in body)])) for at in below)
            total += max(0.0, scale * _points(text) - inside - 2 * side * (len(below) - 1))
    return total + 2 * side * len(columns)


def _points(cell: str) -> float:
    """Estimated width of a cell at ten points."""
    marks = RAISED * _points(cell.marks) if isinstance(cell, Marked) else 0.0
    return marks + sum(3.2 if char in NARROW else 8.6 if char in WIDE else 7.2 if char.isupper() else 5.1 for char in cell)


def _type(size: tuple[str, float, float]) -> str:
    command, _, side = size
    return f"{command}\\setlength{{\\tabcolsep}}{{{side:g}pt}}\n" if command else ""


def _tabular(table: Table, columns: Block, rows: Sequence[int], scale: float) -> str:
    """Some columns and rows of the table."""
    align = alignment(table)
    body = written(table)
    letters = "".join(align[column] for column in columns).replace("m", "l")
    lines = [rf"\begin{{tabular}}{{{letters}}}", r"\toprule", *_spanning(table, columns)]
    lines += [" & ".join(latex(table.header[column]) for column in columns) + r" \\", r"\midrule"]
    for row in rows:
        cells = [_cell(body[row][column], strong=(row, column) in table.strong) for column in columns]
        if table.names in columns and scale * _points(body[row][table.names]) > LONGEST_NAME:
            cells[columns.index(table.names)] = _broken(body[row][table.names])
        lines.append(" & ".join(cells) + r" \\")
        if row in table.rules and row != rows[-1]:
            lines.append(r"\midrule")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _cell(cell: str, *, strong: bool) -> str:
    text = rf"\textbf{{{latex(cell)}}}" if strong else latex(cell)
    return rf"{text}\textsuperscript{{{latex(cell.marks)}}}" if isinstance(cell, Marked) and cell.marks else text


def _broken(name: str) -> str:
    """A long name that may be broken at any character, in a box as wide as a name may be."""
    letters = r"\allowbreak{}".join(map(latex, name))
    return rf"\parbox[t]{{{LONGEST_NAME:g}pt}}{{\raggedright\hspace{{0pt}}{letters}}}"


def _spanning(table: Table, columns: Block) -> list[str]:
    """The line of headings that span columns, and short rules below them."""
    if not table.above:
        return []
    cells, rules, first, at = [], [], 0, 1
    for text, span in table.above:
        inside = sum(column in columns for column in range(first, first + span))
        first += span
        if inside:
            cells.append(rf"\multicolumn{{{inside}}}{{c}}{{{latex(text)}}}" if text else " & " * (inside - 1))
            rules += [rf"\cmidrule(lr){{{at}-{at + inside - 1}}}"] if text else []
            at += inside
    return [" & ".join(cells) + r" \\", "".join(rules)]
