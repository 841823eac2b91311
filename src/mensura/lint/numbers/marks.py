"""N007: bold and underlined values against the best and second best of their columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.lint.numbers.names import is_change, is_lower_better, measure_of
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.printed import Printed
    from mensura.lint.readers.table import DocumentTable, TableCell

ASIDE = re.compile(
    r"oracle|upper|human|ideal|perfect|optimal|supervised|reported|published|\bours?\b.*\*|ensemble|skyline|reference|full\b|ceiling|teacher|gold|mean|avg|average|total|\bstd\b|deviation|Δ|improv|gain|p-?value|topics|queries",
    re.IGNORECASE,
)
OTHER_MEANING = re.compile(
    r"bold(?:face|ed)?[^.;]{0,60}(?:signific|differ|improve|our|propos|indicates? that|increase|outperform|above|below|better than|lower|worst|worse|within|statistic|per (?:row|block|group|query|section|category|model)|each (?:row|block|group|section|category)|among|excluding|except|not consider|comparable)"
    r"|(?:signific|our|propos|outperform|better than|within|among|each (?:row|block|group))[^.;]{0,50}\bbold",
    re.IGNORECASE,
)
BEST = re.compile(
    r"(?:best|highest|top|largest|maximum|winning)[^.;]{0,60}\b(?:bold|boldface|highlight|printed in bold)|\bbold(?:face|ed)?[^.;]{0,60}(?:best|highest|top|largest|maximum)",
    re.IGNORECASE,
)
SECOND = re.compile(r"(?:second|runner)[^.;]{0,40}underlin|underlin\w*[^.;]{0,40}(?:second|runner)", re.IGNORECASE)
FEW = 2


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked cell with the cells it competes with."""

    row: int
    column: int
    cell: TableCell
    value: Printed


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield bold cells that are not the best of their column where the others are, and underlined ones that are not the second."""
    if not table.sure or OTHER_MEANING.search(table.caption) or len(table.rows) > 120:  # noqa: PLR2004 - a list, not a comparison
        return
    stated = BEST.search(table.caption) is not None
    groups = list(_groups(table))
    wrong, right = [], 0
    for columns in groups:
        bold = [mark for mark in columns if "bold" in mark.cell.styles and not _emphasised(table, mark.row, stated=stated)]
        if not bold or (len(bold) > FEW and 2 * len(bold) > len(columns)):
            continue
        misplaced = _misplaced(table, columns, bold)
        right += not misplaced
        wrong += misplaced
    if wrong and (right >= 2 * len(wrong) or (stated and right >= len(wrong)) or (stated and len(groups) == 1)):
        for mark, better in wrong:
            yield Hit(
                "N007",
                *mark.cell.span,
                f"{mark.value.plain} is bold, but {better.value.plain} in the same column is higher ({_name(table, better.row)})",
            )
    if SECOND.search(table.caption):
        yield from _seconds(table, groups)


def _emphasised(table: DocumentTable, row: int, *, stated: bool) -> bool:
    """Return whether a row is bold as a whole, which says that it is the authors' own and not that its values are the best."""
    if any(cell is not None and "bold" in cell.styles for cell in table.grid[row][: table.leads]):
        return True
    numbers = [cell for cell in dict.fromkeys(table.grid[row][table.leads :]) if cell is not None and cell.value is not None]
    return not stated and len(numbers) > FEW and all("bold" in cell.styles for cell in numbers)


def _name(table: DocumentTable, row: int) -> str:
    return (table.left(row) or ("",))[-1]


def _groups(table: DocumentTable) -> Iterator[list[Mark]]:
    """Columns of a measure, with the numbers of all rows."""
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    if len(body) < FEW:
        return
    general = measure_of(table.caption)
    for column in range(table.leads, table.width):
        above = table.above(body[-1], column)
        if is_lower_better(*above) or is_change(*above[-1:]) or not (measure_of(*above) or (general and above)):
            continue
        marks = []
        for row in body:
            cell = table.grid[row][column]
            value = cell.value if cell is not None else None
            labels = table.left(row)
            if (
                cell is None
                or value is None
                or value.decimals < 1
                or value.start > 1
                or is_lower_better(*labels)
                or is_change(*labels)
            ):
                continue
            if measure_of(*labels) is not None:  # measures are rows here
                return
            marks.append(Mark(row, column, cell, value))
        if len({mark.value.percent for mark in marks}) == 1 and len(marks) >= FEW:
            yield marks


def _misplaced(table: DocumentTable, marks: list[Mark], bold: list[Mark]) -> list[tuple[Mark, Mark]]:
    """Return bold cells that another cell of their block beats, each with the best of these."""
    blocks = {row: number for number, block in enumerate(table.blocks) for row in block}
    pairs = []
    for mark in bold:
        rivals = [
            other
            for other in marks
            if blocks[other.row] == blocks[mark.row]
            and "bold" not in other.cell.styles
            and not other.cell.styles & {"italic", "colour", "underline"} - mark.cell.styles
            and not any(ASIDE.search(label) for label in table.left(other.row))
            and _beats(other.value, mark.value)
        ]
        if rivals and not any(
            "bold" in other.cell.styles and blocks[other.row] == blocks[mark.row] and other is not mark for other in marks
        ):
            pairs.append((mark, max(rivals, key=lambda other: other.value.value)))
    return pairs


def _beats(one: Printed, two: Printed) -> bool:
    """Return whether a value is higher, whatever was rounded or cut off."""
    if one.decimals == two.decimals:
        return one.value > two.value
    return one.span.low > two.span.high


def _seconds(table: DocumentTable, groups: list[list[Mark]]) -> Iterator[Hit]:
    """Underlined cells that at least two different values beat, in the column and in the block."""
    blocks = {row: number for number, block in enumerate(table.blocks) for row in block}
    wrong, right = [], 0
    for marks in groups:
        for mark in marks:
            if "underline" not in mark.cell.styles:
                continue
            better = {
                other.value.value: other
                for other in marks
                if blocks[other.row] == blocks[mark.row]
                and "underline" not in other.cell.styles
                and _beats(other.value, mark.value)
                and not any(ASIDE.search(label) for label in table.left(other.row))
            }
            if len(better) >= FEW:
                wrong.append((mark, sorted(better.values(), key=lambda other: other.value.value)[-2:]))
            else:
                right += 1
    if wrong and right >= len(wrong):
        for mark, rivals in wrong:
            names = " and ".join(other.value.plain for other in rivals)
            yield Hit(
                "N007",
                *mark.cell.span,
                f"{mark.value.plain} is underlined as the second best, but {names} in the same column are higher",
            )
