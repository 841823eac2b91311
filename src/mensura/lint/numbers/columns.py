"""N001 and N002 in tables: columns, rows and brackets of changes, against the values that most of them compare.

A table seldom says what its changes are changes of. A way to compute them is taken for the right one only if so many of them agree with it
that this is not chance: the probability that they all agree by accident, times the number of ways that were tried, is below 1 %.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.changes import moved
from mensura.lint.numbers.evidence import CHANCE, explained, plausible, readings, told
from mensura.lint.numbers.names import is_change
from mensura.lint.readers.printed import NUMBER, Printed, Span, printed
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mensura.lint.numbers.evidence import Way
    from mensura.lint.readers.table import DocumentTable, TableCell

INSIDE = re.compile(r"[(\[]\s?(?P<sign>[+−–-]|↑|↓|▲|▼)?\s?(?P<number>\d+(?:\.\d+)?)\s?(?P<unit>%)?\s?[)\]]")
ARROWS = str.maketrans("↑▲↓▼", "++−−")
ELSEWHERE = re.compile(
    r"\[\d|\b(?:report\w*|published|paper'?s?|original\w*|previous\w*|prior|last year|literature|leaderboard)\b", re.IGNORECASE
)
NOT_A_VALUE = re.compile(
    r"\bp\b(?![@_])|\bp[- _]?val|\bq\b|\bCIs?\b|interval|lower|upper|\branks?\b|\bstd|\bsd\b|deviation|error|σ|±|#|effect|\bd\b|score weight|count|number|learning|momentum|batch|epochs?\b|decay|drop-?out|temperature",
    re.IGNORECASE,
)
WAYS = ("relative", "points", "difference")
SLIP = 5  # points in which a lone change may differ from the right one, or half of it: beyond, something else may be meant
NEARLY = Fraction(1, 20)  # of a change: as many may be wrong as right
FEW = 2  # changes, one that agrees and one that does not
CELLS = 4000  # of a table
PAIRS = 200  # columns by the dozen are not a comparison of two


@dataclass(frozen=True, slots=True)
class Compared:
    """A change with the value that it starts from and the value that it leads to."""

    base: Printed
    other: Printed
    change: Printed


@dataclass(frozen=True, slots=True)
class Agreement:
    """One way to compute changes: those that agree with it, the others with what they should be, and the chance of that agreement."""

    right: tuple[int, ...]
    wrong: dict[int, Way]
    chance: float
    bases: dict[int, Compared]


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield changes in a table that do not follow from its values: in brackets, in a column, or in a row."""
    for row_cells in table.rows:
        for cell in row_cells:
            if "(" in cell.text and any(mark in cell.text for mark in ("→", "->", "⇒", "=>", " to ")):
                yield from (Hit(code, *cell.span, detail) for code, _, _, detail in moved(cell.text))
    if not table.sure or len(table.rows) * table.width > CELLS:
        return
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    if not body:
        return
    columns = list(range(table.leads, table.width))
    grid = {(row, column): cell for row, column, cell in table.body()}
    names = {column: table.above(body[0], column) for column in columns}
    labels = {row: table.left(row) for row in body}
    for column in columns:
        yield from _in_brackets({row: grid[row, column] for row in body if (row, column) in grid}, names[column], labels)
    yield from _lines(grid, body, columns, names, alone=True)
    yield from _against_row(grid, body, columns, names)
    yield from _lines({(column, row): cell for (row, column), cell in grid.items()}, columns, body, labels)


def judge(compared: dict[int, Compared], *, signed: bool) -> list[Agreement]:
    """Return what each way to compute changes says about all of them; without signs, only their sizes count."""
    sizes = [abs(float(each.change.value)) for each in compared.values()]
    spread = max(sizes, default=0.0) * (2 if signed else 1)
    if not spread:
        return []
    agree = sum(plausible(each.base, each.other, each.change) for each in compared.values())
    if not agree or 2 * agree < len(compared) - 1:  # tried in floats: too few to be believed
        tried = len(WAYS) - any(each.change.percent for each in compared.values())  # percentages are relative, or points
        return [Agreement((), {}, 1.0, compared)] * tried
    judged = []
    possible = {key: {way.name: way for way in readings(each.base, each.other, each.change)} for key, each in compared.items()}
    for name in WAYS:
        right, wrong, chance = [], {}, 1.0
        for key, each in compared.items():
            way = possible[key].get(name)
            if way is None:
                break
            span = each.change.span
            if way.span.meets(span) or (not signed and way.span.meets(span.mirrored())):
                if not each.change.value and each.base.value == each.other.value:
                    continue  # nothing changed: any way says so
                right.append(key)
                chance *= min(1.0, float(way.span.high - way.span.low + span.high - span.low) / spread)
            else:
                wrong[key] = way
        else:
            chance *= math.comb(len(compared), len(right)) * (1 if signed else 2)
            judged.append(Agreement(tuple(right), wrong, chance, compared))
    return judged


def _verdict(ways: list[Agreement], *, clear: bool) -> Agreement | None:
    """Return the way with which most changes agree, if they do not agree by chance; where it is clear what they compare, two are enough."""
    best = max(ways, key=lambda each: (len(each.right), -each.chance), default=None)
    if best is None or not best.wrong or (best.chance * len(ways) > CHANCE and not (clear and len(best.right) > 1)):
        return None
    if len(best.wrong) <= max(1, len(best.right) // 2):
        return best
    slips = all(_is_slip(best.bases[key].change, way, near=NEARLY) for key, way in best.wrong.items())
    return best if slips and len(best.wrong) <= len(best.right) and best.chance * len(ways) < CHANCE**2 else None


def contradictions(
    ways: list[Agreement], rivals: dict[int, list[tuple[Printed, Printed]]], *, clear: bool = False
) -> Iterator[tuple[int, Printed, Way]]:
    """Yield the changes that the best way does not explain, and no other two values of their line either."""
    best = _verdict(ways, clear=clear)
    if best is None:
        return
    for key, way in best.wrong.items():
        change = best.bases[key].change
        mirrored = way.span.meets(change.span.mirrored())
        if mirrored and len(best.right) < 3:  # noqa: PLR2004 - signs that are sure
            continue
        if mirrored or not any(_excuses(pair, best.bases[key], way.name) for pair in rivals[key]):
            yield key, change, way


def _excuses(pair: tuple[Printed, Printed], compared: Compared, name: str) -> bool:
    """Return whether a change is that of two values: in any way of those that the line compares, in the way of the line of two others."""
    base, other = pair
    change = compared.change
    if base is compared.base and other is compared.other:
        return explained(base, other, change, either=False, signed=change.signed)
    if base is compared.other and other is compared.base:
        return False
    spans = [change.span] if change.signed else [change.span, change.span.mirrored()]
    ways = readings(base, other, change) if plausible(base, other, change) else []
    return any(way.name == name and way.span.meets(span) for way in ways for span in spans)


def cell_value(cell: TableCell | None) -> Printed | None:
    """The number of a cell that is a value: one in brackets may be negative, or something else."""
    value = None if cell is None else cell.value
    return value if value is not None and value.start == 0 and (value.decimals > 0 or value.value == 0) else None


def changes_of(cells: dict[int, TableCell], *, percent: bool) -> dict[int, Printed]:
    """The changes of a line; none if some are in brackets without a sign, as accountants write what is negative."""
    changes = {}
    for key, cell in cells.items():
        value = cell.value
        if value is None:
            continue
        if (value.start and not value.signed) or not (value.decimals or value.percent or percent):
            return {}
        changes[key] = replace(value, percent=value.percent or percent)
    return changes


def is_line_of_changes(name: tuple[str, ...], cells: Iterable[TableCell]) -> bool:
    """Return whether a line has changes: by its name, or because its values have signs: some a plus, or all are in per cent."""
    if not name or ELSEWHERE.search(" ".join(name)):
        return False
    if is_change(name[-1]):
        return True
    values = [cell.value for cell in cells if cell.value is not None]
    signs = [value.text.lstrip()[0] for value in values if value.signed]
    sure = "+" in signs or all(value.percent for value in values)
    return (
        sure
        and len(signs) >= FEW
        and 2 * (len(signs) + sum(not value.value for value in values)) >= len(values)
        and not NOT_A_VALUE.search(name[-1])
    )


def _lines(
    grid: dict[tuple[int, int], TableCell],
    rows: list[int],
    columns: list[int],
    names: dict[int, tuple[str, ...]],
    *,
    alone: bool = False,
) -> Iterator[Hit]:
    """A column (or row) of changes, and the two columns (or rows) that it compares; in ``alone``, also a single change."""
    cells_of: dict[int, dict[int, TableCell]] = {
        column: {row: cell for row in rows if (cell := grid.get((row, column))) is not None} for column in columns
    }
    lines = [column for column in columns if is_line_of_changes(names.get(column, ()), cells_of[column].values())]
    if not lines:
        return
    values = {
        column: {row: value for row in rows if (value := cell_value(grid.get((row, column)))) is not None}
        for column in columns
        if column not in lines
        and not (names.get(column) and (is_change(names[column][-1]) or NOT_A_VALUE.search(names[column][-1])))
    }
    for column in lines:
        name = names[column]
        percent = "%" in name[-1] or "percent" in name[-1].lower()
        changes = changes_of(cells_of[column], percent=percent)
        others = [other for other in values if other != column and values[other].keys() >= changes.keys()]
        pairs = [(one, two) for one in others for two in others if one != two]
        if not changes or not pairs or len(pairs) > PAIRS:
            continue
        signed = any(change.signed for change in changes.values())
        ways = []
        for one, two in pairs if signed or len(pairs) > 2 else pairs[:1]:  # noqa: PLR2004 - without signs, one order of two is enough
            compared = {row: Compared(values[one][row], values[two][row], change) for row, change in changes.items()}
            ways += judge(compared, signed=signed)
        rivals = {row: [(values[one][row], values[two][row]) for one, two in pairs] for row in changes}
        means = {row for row in changes if _is_mean_of_others(changes, row)}
        if alone and len(changes) == 1 and len(others) == 2 and len(columns) == 3:  # noqa: PLR2004 - two values and their change
            contradicted = _alone(ways, rivals)
        else:
            numeric = [each for each in columns if any((cell := grid.get((row, each))) is not None and cell.value for row in rows)]
            contradicted = contradictions(ways, rivals, clear=alone and len(others) == 2 and len(numeric) == 3)  # noqa: PLR2004 - the same limits as above
        for row, change, way in contradicted:
            if row not in means:
                yield Hit("N001" if change.percent else "N002", *grid[row, column].span, told(change, way))


def _is_mean_of_others(changes: dict[int, Printed], row: int) -> bool:
    """Return whether a change is the mean of the other changes of its line, and not the change of the means."""
    others = [change.span for key, change in changes.items() if key != row]
    if len(others) < 2:  # noqa: PLR2004 - a mean of two
        return False
    low, high = (sum((getattr(span, end) for span in others), Fraction(0)) / len(others) for end in ("low", "high"))
    return Span(low, high).meets(changes[row].span)


def _alone(ways: list[Agreement], rivals: dict[int, list[tuple[Printed, Printed]]]) -> Iterator[tuple[int, Printed, Way]]:
    """A single change, and the only two values that it can compare: yield it if nothing explains it and it is nearly right."""
    near = [(key, each.bases[key].change, way) for each in ways for key, way in each.wrong.items()]
    near = [(key, change, way) for key, change, way in near if _is_slip(change, way)]
    for key, change, way in near[:1]:
        if not any(explained(base, other, change) for base, other in rivals[key]):
            yield key, change, way


def _is_slip(change: Printed, way: Way, near: Fraction | None = None) -> bool:
    """Return whether a change is nearly right: within so much of its size, or within some points or half of it."""
    distance, size = abs(abs(way.value) - abs(change.value)), abs(way.value)
    return distance <= (max(Fraction(SLIP) if change.percent else Fraction(0), size / 2) if near is None else size * near)


def _against_row(
    grid: dict[tuple[int, int], TableCell], body: list[int], columns: list[int], names: dict[int, tuple[str, ...]]
) -> Iterator[Hit]:
    """A column such as ``improvement over BM25``: changes of another column against the only row that has none."""
    for column in columns:
        cells = {row: cell for row in body if (cell := grid.get((row, column))) is not None}
        if not is_line_of_changes(names[column], cells.values()):
            continue
        percent = "%" in names[column][-1]
        changes = changes_of(cells, percent=percent)
        bases = [row for row in body if row not in changes or not (changes[row].value or changes[row].signed)]
        changes = {row: change for row, change in changes.items() if row != min(bases, default=-1)}
        if not bases or any(row not in changes for row in bases[1:]) or len(changes) < FEW:
            continue
        ways: list[Agreement] = []
        tables: list[dict[int, Printed]] = []
        for other in columns:
            values = {row: value for row in body if (value := cell_value(grid.get((row, other)))) is not None}
            if other == column or len(values) < len(body) or NOT_A_VALUE.search((names[other] or ("",))[-1]):
                continue
            tables.append(values)
            compared = {row: Compared(values[bases[0]], values[row], change) for row, change in changes.items()}
            ways += judge(compared, signed=any(change.signed for change in changes.values()))
        rivals = {row: [(values[bases[0]], values[row]) for values in tables] for row in changes}
        for row, change, way in contradictions(ways, rivals):
            yield Hit("N001" if change.percent else "N002", *grid[row, column].span, told(change, way))


def _in_brackets(cells: dict[int, TableCell], name: tuple[str, ...], labels: dict[int, tuple[str, ...]]) -> Iterator[Hit]:
    """Cells such as ``0.341 (+9.3 %)``: the base is the row to which most of a column's changes fit."""
    changes: dict[int, tuple[Printed, Printed]] = {}
    for row, cell in cells.items():
        if "%" not in cell.text:
            continue
        value, match = cell_value(cell), INSIDE.search(cell.text)
        if value is None or match is None or value.end > match.start() or not match["unit"]:
            continue
        digits = NUMBER.search(match[0].translate(ARROWS))
        if digits is not None:
            changes[row] = value, printed(digits)
    if not changes or ELSEWHERE.search(" ".join(name)):
        return
    bases = {row: value for row, cell in cells.items() if (value := cell_value(cell)) is not None}
    signed = any(change.signed for _, change in changes.values())
    ways = []
    for base, number in bases.items():
        compared = {row: Compared(number, value, change) for row, (value, change) in changes.items() if row != base}
        ways += judge(compared, signed=signed)
    rivals = {row: [(number, value) for base, number in bases.items() if base != row] for row, (value, _) in changes.items()}
    if len(bases) == 2 and len(changes) == 1:  # noqa: PLR2004 - the cell and its only base
        contradicted = _alone(ways, rivals) if not any(ELSEWHERE.search(" ".join(label)) for label in labels.values()) else iter(())
    else:
        contradicted = contradictions(ways, rivals)
    for row, change, way in contradicted:
        yield Hit("N001", *cells[row].span, told(change, way))
