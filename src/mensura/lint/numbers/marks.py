"""N007: bold and underlined values against the best and second best of their columns, or of their rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.lint.numbers.names import is_change, is_lower_better, measure_of
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.numbers.names import MeasureName
    from mensura.lint.readers.printed import Printed
    from mensura.lint.readers.table import DocumentTable, TableCell

ASIDE = re.compile(
    r"oracle|upper|human|ideal|perfect|optimal|supervised|reported|published|\bours?\b.*\*|ensemble|skyline|reference|full\b|ceiling|teacher|gold|mean|avg|average|total|\bstd\b|deviation|Δ|improv|gain|p-?value|topics|queries|target|goal|threshold|required|budget",
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
QUANTITY = re.compile(r"\s?(?:[mµμn]?s|secs?|min|h|[kKMGT]i?B|[€$£])\b")  # of time, memory or money: not a value of effectiveness
CHANCE = 0.02  # that bold values are at the ends of so many columns by accident
FEW = 2


@dataclass(frozen=True, slots=True)
class Mark:
    """A value of a measure, the system that it belongs to, and the part of its line in which it competes."""

    cell: TableCell
    value: Printed
    system: tuple[str, ...]
    part: object
    place: tuple[int, int]


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield bold cells that are not the best of their line where the others are, and underlined ones that are not the second."""
    if not table.sure or OTHER_MEANING.search(table.caption) or len(table.rows) > 120:  # noqa: PLR2004 - a list, not a comparison
        return
    stated = BEST.search(table.caption) is not None
    columns, rows = list(_columns(table)), list(_rows(table))
    by_column, by_row = _placed(table, columns, stated=stated), _placed(table, rows, stated=stated)
    if _kinds(columns) > 1 or not rows:
        lines, (right, wrong), across = columns, by_column, "column"
    elif _kinds(rows) > 1 or not columns:
        lines, (right, wrong), across = rows, by_row, "row"
    else:  # one measure on several collections: bold may mean either
        lines, (right, wrong), across = (rows, by_row, "row") if by_row[0] > by_column[0] else (columns, by_column, "column")
        best = {max(marks, key=lambda mark: mark.value.value).place for _, marks in (columns if across == "row" else rows)}
        wrong = [(mark, better) for mark, better in wrong if mark.place not in best]
    wrong = [(mark, better) for mark, better in wrong if not _aside(lines, better)]
    if wrong and (right >= 2 * len(wrong) or (stated and right >= len(wrong)) or (stated and len(lines) == 1)):
        for mark, better in wrong:
            name = (better.system or ("",))[-1]
            yield Hit(
                "N007",
                *mark.cell.span,
                f"{mark.value.plain} is bold, but {better.value.plain} in the same {across} is higher ({name})",
            )
    if across == "column" and not wrong:
        yield from _between(table, columns, stated=stated)
    if SECOND.search(table.caption):
        yield from _seconds(lines, across)


def _between(table: DocumentTable, columns: list[tuple[MeasureName | None, list[Mark]]], *, stated: bool) -> Iterator[Hit]:
    """The only bold value of a column of something else, neither its highest nor its lowest, where those of the other columns are one of both."""
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    known = {mark.place[1] for _, marks in columns for mark in marks}
    others: list[list[Mark]] = []
    for column in range(table.leads, table.width):
        above = table.above(body[-1], column) if body else ()
        if above and column not in known and not is_change(*above[-1:]):
            cells = [_mark(table, row, column, table.left(row), None) for row in body]
            others += [own for _, own in _line(None, cells)]
    chance = 1.0
    wrong: list[tuple[Mark, list[Mark]]] = []
    for marks, ends in [*((own, 1) for _, own in columns), *((own, 2) for own in others)]:
        bold = [mark for mark in marks if "bold" in mark.cell.styles and not _emphasised(table, *mark.place, stated=stated)]
        if len(bold) != 1 or any(ASIDE.search(name) for mark in marks for name in mark.system):
            continue
        values = [mark.value.value for mark in marks]
        if bold[0].value.value in {min(values), max(values)}:
            chance *= min(ends / len(marks), 1)
        else:
            wrong.append((bold[0], marks))
    if len(wrong) == 1 and chance <= CHANCE and len({mark.value.decimals for mark in wrong[0][1]}) == 1:
        mark, marks = wrong[0]
        low, high = (choose(marks, key=lambda each: each.value.value).value.plain for choose in (min, max))
        yield Hit("N007", *mark.cell.span, f"{mark.value.plain} is bold, but the values of its column are from {low} to {high}")


def _aside(lines: list[tuple[MeasureName | None, list[Mark]]], rival: Mark) -> bool:
    """Return whether a rival is not marked anywhere though it is better than everything that is marked in several lines."""
    better = 0
    for _, marks in lines:
        own = next((mark for mark in marks if mark.system == rival.system and mark.part == rival.part), None)
        bold = [mark for mark in marks if "bold" in mark.cell.styles and mark.part == rival.part]
        if own is not None and "bold" in own.cell.styles:
            return False
        better += own is not None and bool(bold) and all(beats(own.value, mark.value) for mark in bold)
    return better >= FEW


def _kinds(lines: list[tuple[MeasureName | None, list[Mark]]]) -> int:
    """Number of measures that lines name: if each line has its own, values are compared along it."""
    return len({name.key for name, _ in lines if name is not None})


def _placed(
    table: DocumentTable, lines: list[tuple[MeasureName | None, list[Mark]]], *, stated: bool
) -> tuple[int, list[tuple[Mark, Mark]]]:
    """Return how many lines have their best values bold, and the bold values that are not, each with the best of its line."""
    right, wrong = 0, []
    for _, marks in lines:
        bold = [mark for mark in marks if "bold" in mark.cell.styles and not _emphasised(table, *mark.place, stated=stated)]
        if not bold or (len(bold) > FEW and 2 * len(bold) > len(marks)):
            continue
        misplaced = _misplaced(marks, bold)
        right += not misplaced
        wrong += misplaced
    return right, wrong


def _emphasised(table: DocumentTable, row: int, column: int, *, stated: bool) -> bool:
    """Return whether a row or a column is bold as a whole, or by its name alone: it is the authors' own, its values need not be the best."""
    labels, names = table.grid[row][: table.leads], [table.grid[head][column] for head in range(row) if table.kinds[head] == "head"]
    if any(cell is not None and "bold" in cell.styles for cell in labels) or _set_apart(table, row, names):
        return True
    body = [number for number, kind in enumerate(table.kinds) if kind == "body"]
    for line in (table.grid[row][table.leads :], [table.grid[number][column] for number in body]):
        numbers = [cell for cell in dict.fromkeys(line) if cell is not None and cell.value is not None]
        if not stated and len(numbers) > FEW and all("bold" in cell.styles for cell in numbers):
            return True
    return False


def _set_apart(table: DocumentTable, row: int, names: list[TableCell | None]) -> bool:
    """Return whether a column has a bold name, and not all columns have one."""
    heads = [
        cell for head in range(row) if table.kinds[head] == "head" for cell in table.grid[head][table.leads :] if cell is not None
    ]
    return any(cell is not None and "bold" in cell.styles for cell in names) and not all("bold" in cell.styles for cell in heads)


def _columns(table: DocumentTable) -> Iterator[tuple[MeasureName | None, list[Mark]]]:
    """Columns of a measure, with the values of all systems, which are rows."""
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    blocks = {row: number for number, block in enumerate(table.blocks) for row in block}
    names = {column: table.above(body[-1], column) for column in range(table.leads, table.width)} if body else {}
    general = measure_of(table.caption) if all(measure_of(*above) is None for above in names.values()) else None
    if len(body) < FEW or any(measure_of(*table.left(row)) is not None for row in body):  # measures are rows
        return
    for column, above in names.items():
        name = measure_of(*above)
        if is_lower_better(*above) or is_change(*above[-1:]) or not (name or (general and above)):
            continue
        marks = [_mark(table, row, column, table.left(row), blocks[row]) for row in body]
        yield from _line(name, marks)


def _rows(table: DocumentTable) -> Iterator[tuple[MeasureName | None, list[Mark]]]:
    """Rows of a measure, or of a collection, with the values of all systems, which are columns."""
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    columns = range(table.leads, table.width)
    general = measure_of(table.caption)
    above = {column: table.above(body[-1], column) for column in columns} if body else {}
    own = {name.key for names in above.values() if (name := measure_of(*names)) is not None}
    arrows = {names[-1] for names in above.values() if names and re.search("[↑↓]", names[-1])}
    mixed = bool(own) and general is None and not all(measure_of(*names) or not names for names in above.values())
    if len(columns) < FEW or len(own) > 1 or len(arrows) > 1 or mixed:  # measures are columns
        return
    for row in body:
        labels = table.left(row)
        name = measure_of(*labels)
        if is_lower_better(*labels) or is_change(*labels[-1:]) or not (name or general or own):
            continue
        marks = [
            _mark(table, row, column, above[column], above[column][:-1])
            for column in columns
            if not is_change(*above[column]) and not is_lower_better(*above[column])
        ]
        yield from _line(name, marks)


def _mark(table: DocumentTable, row: int, column: int, system: tuple[str, ...], part: object) -> Mark | None:
    cell = table.grid[row][column]
    value = None if cell is None else cell.value
    if cell is None or value is None or value.decimals < 1 or value.start > 1 or is_lower_better(*system) or is_change(*system):
        return None
    if QUANTITY.match(cell.text, value.end):
        return None
    return Mark(cell, value, system, part, (row, column))


def _line(name: MeasureName | None, marks: list[Mark | None]) -> Iterator[tuple[MeasureName | None, list[Mark]]]:
    values = [mark for mark in marks if mark is not None]
    if len({mark.value.percent for mark in values}) == 1 and len(values) >= FEW:
        yield name, values


def _misplaced(marks: list[Mark], bold: list[Mark]) -> list[tuple[Mark, Mark]]:
    """Return bold cells that another cell of their part beats, each with the best of these."""
    pairs = []
    for mark in bold:
        part = [other for other in marks if other.part == mark.part]
        rivals = [
            other
            for other in part
            if "bold" not in other.cell.styles
            and not other.cell.styles & {"italic", "colour", "underline"} - mark.cell.styles
            and not any(ASIDE.search(name) for name in other.system)
            and beats(other.value, mark.value)
        ]
        if rivals and not any("bold" in other.cell.styles and other is not mark for other in part):
            pairs.append((mark, max(rivals, key=lambda other: other.value.value)))
    return pairs


def beats(one: Printed, two: Printed) -> bool:
    """Return whether a value is higher, whatever was rounded or cut off."""
    if one.decimals == two.decimals:
        return one.value > two.value
    return one.span.low > two.span.high


def _seconds(lines: list[tuple[MeasureName | None, list[Mark]]], across: str) -> Iterator[Hit]:
    """Underlined cells that at least two different values beat, in their line and in their part of it."""
    wrong, right = [], 0
    for _, marks in lines:
        for mark in marks:
            if "underline" not in mark.cell.styles:
                continue
            better = {
                other.value.value: other
                for other in marks
                if other.part == mark.part
                and "underline" not in other.cell.styles
                and beats(other.value, mark.value)
                and not any(ASIDE.search(name) for name in other.system)
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
                f"{mark.value.plain} is underlined as the second best, but {names} in the same {across} are higher",
            )
