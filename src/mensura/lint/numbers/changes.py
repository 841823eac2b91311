"""N001 and N002: relative changes and differences, against the two values that they compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.lint.numbers.names import is_change, measures_in
from mensura.lint.readers.printed import NUMBER, Printed, Span, printed, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable, TableCell


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a change may follow from two values: the interval of what would be printed, the exact value, and the formula."""

    name: str
    span: Span
    value: Fraction
    formula: str


def readings(base: Printed, other: Printed, change: Printed) -> list[Way]:
    """Return the ways in which a change from ``base`` to ``other`` may be written, the most likely first."""
    ways = []
    one, two = base, other
    difference = two.span - one.span
    exact = two.value - one.value
    written = f"{_plain(two)} − {_plain(one)}"
    relative = None
    if not one.span.contains(0) and one.value:
        relative = Way("relative", (difference / one.span).scaled(100), exact / one.value * 100, f"({written}) / {_plain(one)}")
    plain = Way("difference", difference, exact, written)
    points = Way("points", difference.scaled(100), exact * 100, f"100 · ({written})")
    if change.percent:
        ways += [way for way in (relative, points if not one.percent else plain) if way is not None]
    else:
        ways += [plain, points]
        if relative is not None:
            ways.append(relative)
    return ways


def _plain(number: Printed) -> str:
    return number.plain.replace("-", "−")


def explained(
    base: Printed, other: Printed, change: Printed, *, either: bool = True, signed: bool = False, relative: bool = False
) -> bool:
    """Return whether rounding, or another way to write a change, explains it.

    ``either`` value may be the base; only the size of the change counts unless it is ``signed``; a ``relative`` one is not in points.
    """
    if not _plausible(base, other, change):
        return False
    spans = (change.span,) if signed else (change.span, change.span.mirrored())
    ways = [*readings(base, other, change), *(readings(other, base, change) if either else ())]
    return any(way.span.meets(span) for way in ways if not relative or way.name == "relative" for span in spans)


def _plausible(base: Printed, other: Printed, change: Printed) -> bool:
    """Return whether exact arithmetic is worth its time: in floats, and within many times what rounding allows."""
    one, two, size = abs(float(base.value)), abs(float(other.value)), abs(float(change.value))
    units = float(base.unit + other.unit)
    low = min(one, two)
    if low < 30 * units:
        return True
    gap = abs(float(other.value - base.value))
    slack = 4 * float(change.unit)
    return any(
        abs(size - way) <= slack + 4 * loss
        for way, loss in (
            (gap, units),
            (100 * gap, 100 * units),
            (100 * gap / one, 100 * units / low * (1 + gap / low)),
            (100 * gap / two, 100 * units / low * (1 + gap / low)),
        )
    )


VALUE = r"(?<![\w.,])[+\-−]?(?:\d+)?\.?\d+\s?%?"
PAIR = re.compile(
    rf"\bfrom (?:\w+ )?(?:an? |about )?(?P<base>{VALUE})(?: \([^()]{{0,40}}\))?,? (?:up |down )?to (?:\w+ )?(?P<other>{VALUE})"
)
VERSUS = re.compile(
    rf"(?P<other>{VALUE}) (?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than) (?:\w+ )?(?P<base>{VALUE})"
)
CHANGED = re.compile(
    r"\b(?:improv\w*|increas\w*|gain\w*|boost\w*|outperform\w*|rais\w*|lift\w*|drop\w*|decreas\w*|degrad\w*|reduc\w*|better|worse|higher|lower|rise\w*|rose"
    r"|fall\w*|fell|grow\w*|grew|jump\w*|relative\w*|differ\w*|change[sd]?|declin\w*|climb\w*|loses?|lost|loss|up|down|more|less|absolute)\b|[+−-]\s?\d",
    re.IGNORECASE,
)
POINTS = re.compile(r"^\s?-?(?:percentage |percent |% )?(?:points?|pp\b|p\.p\.)|^\s?absolute|^\s?abs\b", re.IGNORECASE)
NOT_A_CHANGE = re.compile(
    r"^\s?-?\s?(?:CI\b|CIs\b|confidence|credible|interval|level|significance|quantile|percentile|of (?:the |all |our |its )?(?:\w+ )?(?:\w+ )?(?:topics|queries|documents|users|cases|time|data|pairs|test|train))",
    re.IGNORECASE,
)
BY = re.compile(
    r"\b(?:by|of|a|an|is|was|about|=|:|improvement|gain|increase|drop)\s?(?:about |around |roughly |over |almost |nearly |approximately |up to |more than |at least |~|≈|some )?$|[(,;]\s?$",
    re.IGNORECASE,
)
VAGUE = re.compile(
    r"\b(?:about|around|roughly|over|almost|nearly|approximately|approx\.?|up to|more than|at least|at most|less than|some|between|ca\.?|another)\s?$|[~≈><≥≤]\s?$",
    re.IGNORECASE,
)
RELATIVE = re.compile(r"\brelative(?:ly)?\b", re.IGNORECASE)
CLAUSE = 80  # characters between two values and their change
MOST = 12  # numbers of a sentence, beyond which it is a list


def check_sentences(document: Document) -> Iterator[Hit]:
    """Yield sentences with two values and a change that does not follow from them."""
    for sentence in document.having("from ", " vs", "versus", "compared", "against", "instead of", "rather than"):
        text = sentence.normal
        pairs = sorted([*PAIR.finditer(text), *VERSUS.finditer(text)], key=lambda match: match.start())
        if not pairs or not CHANGED.search(text):
            continue
        numbers = [printed(match) for match in NUMBER.finditer(text)]
        if len(numbers) > MOST:
            continue
        if len(pairs) == 1:
            yield from _claim(sentence, pairs[0], numbers)
            continue
        edges = [*(pair.start() for pair in pairs[1:]), len(text)]
        for pair, edge in zip(pairs, edges, strict=True):  # each pair with the change right after it
            near = [number for number in numbers if pair.end() <= number.start < min(edge, pair.end() + 12)]
            if near and not any(NUMBER.search(each[0]) for each in pairs if each.start() < near[0].start < each.end()):
                yield from _claim(sentence, pair, near)


def _claim(sentence: Sentence, pair: re.Match[str], numbers: list[Printed]) -> Iterator[Hit]:
    """Yield the change that a pair of values does not explain, if there is exactly one change."""
    text = sentence.normal
    base, other = (_number(text, pair, name) for name in ("base", "other"))
    if (
        base is None
        or other is None
        or base.percent > other.percent
        or min(base.decimals, other.decimals) < 1
        or base.value == other.value
    ):
        return
    if other.percent and not base.percent:  # from 31.2 to 34.1 %
        base = Printed(base.start, base.end, base.text, base.value, base.decimals, percent=True)
    change = _change(text, pair, numbers)
    if change is None:
        return
    far = change.start - pair.end() > CLAUSE or pair.start() - change.end > CLAUSE
    if far or not (BY.search(text[: change.start]) or change.signed) or _of_another(text, pair, base, other, change):
        return
    around = text[max(0, change.start - 40) : change.end + 30]
    if explained(base, other, change, either=pair.re is VERSUS, relative=change.percent and RELATIVE.search(around) is not None):
        return
    points = POINTS.match(text[change.end : change.end + 60]) is not None
    ways = readings(base, other, change)
    way = next((way for way in ways if way.name == ("difference" if base.percent else "points")), ways[0]) if points else ways[0]
    yield Hit("N002" if points else "N001", *sentence.span(change.start, change.end), told(change, way))


FALLS = re.compile(r"\b(?:drop|decreas|lower|fewer|less|reduc|los[est]|worse|degrad|declin|fall|fell|slow)", re.IGNORECASE)
RISES = re.compile(r"\b(?:gain|improv|increas|higher|better|rise|rose|boost|more|grow|grew|fast)", re.IGNORECASE)


def _of_another(text: str, pair: re.Match[str], base: Printed, other: Printed, change: Printed) -> bool:
    """Return whether a change is one of something else than the values: of another measure, or in another direction."""
    first, second = sorted([pair.span(), (change.start, change.end)])
    between, after = text[first[1] : second[0]], text[change.end : change.end + 40]
    owners = measures_in(text[: first[0]])
    named = [name.key for name in (*measures_in(between), *(measures_in(after)[:1] if change.start > pair.start() else ()))]
    if named and (owners[-1].key not in named if owners else re.search("[a-z]{3}", between) is not None):
        return True
    words = text[max(0, change.start - 25) : change.start] + after[:25]
    falls, rises = FALLS.search(words) is not None, RISES.search(words) is not None
    return falls is not rises and rises is not (other.value > base.value)


def _change(text: str, pair: re.Match[str], numbers: list[Printed]) -> Printed | None:
    """Return the only change beside a pair of values; nothing if a percentage may be something else."""
    changes = []
    for number in numbers:
        if number.start >= pair.start() and number.end <= pair.end():
            continue
        after = text[number.end : number.end + 60]
        if VAGUE.search(text[max(0, number.start - 24) : number.start]) or NOT_A_CHANGE.match(after):
            if number.percent:
                return None
        elif number.percent or POINTS.match(after):
            changes.append(number)
    return changes[0] if len(changes) == 1 else None


def _number(text: str, match: re.Match[str], name: str) -> Printed | None:
    number = NUMBER.match(text, match.start(name))
    return None if number is None else printed(number)


def told(change: Printed, way: Way) -> str:
    """The two numbers and the arithmetic."""
    unit = " %" if way.name == "relative" else ""
    decimals = max(change.decimals, 1 if way.name == "relative" else change.decimals)
    return f"{_plain(change)} is printed, but {way.formula} = {show(way.value, decimals)}{unit}"


INSIDE = re.compile(r"[(\[]\s?(?P<sign>[+−–-]|↑|↓|▲|▼)?\s?(?P<number>\d+(?:\.\d+)?)\s?(?P<unit>%)?\s?[)\]]")
FEW = 4  # candidates for the base of a change, up to which one value that fits tells the base
CELLS = 4000  # of a table


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield changes in a table that do not follow from its values: in cells, in a column, or in a row."""
    if not table.sure or len(table.rows) * table.width > CELLS:
        return
    yield from _in_cells(table)
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    columns = list(range(table.leads, table.width))
    grid = {(row, column): cell for row, column, cell in table.body()}
    names = {column: table.above(body[0], column) for column in columns} if body else {}
    yield from _lines(grid, body, columns, names, transposed=False)
    yield from _over_row(table, grid, body, columns)
    labels = {row: table.left(row) for row in body}
    yield from _lines({(column, row): cell for (row, column), cell in grid.items()}, columns, body, labels, transposed=True)


def _over_row(table: DocumentTable, grid: dict[tuple[int, int], TableCell], body: list[int], columns: list[int]) -> Iterator[Hit]:
    """A column such as ``improvement over BM25``: changes of another column against the only row that has none."""
    for column in columns:
        name = table.above(body[0], column) if body else ()
        changes = {
            row: cell.value
            for row in body
            if (cell := grid.get((row, column))) is not None and cell.value is not None and cell.value.percent
        }
        bases = [row for row in body if row not in changes]
        if not name or not is_change(name[-1]) or len(bases) != 1 or len(changes) < 3:  # noqa: PLR2004 - two that agree and one
            continue
        best: tuple[int, int, list[int]] = 0, 0, []
        values: dict[int, dict[int, Printed]] = {}
        for other in columns:
            numbers = {row: cell.value for row in body if (cell := grid.get((row, other))) is not None and cell.value is not None}
            if other != column and len(numbers) == len(body) and all(number.decimals > 0 for number in numbers.values()):
                values[other] = numbers
                wrong = [
                    row
                    for row, change in changes.items()
                    if not explained(numbers[bases[0]], numbers[row], change, either=False, signed=True)
                ]
                best = max(best, (len(changes) - len(wrong), other, wrong), key=lambda each: each[0])
        right, other, wrong = best
        if right < 2 or len(wrong) > right:  # noqa: PLR2004 - two that agree
            continue
        for row in wrong:
            if not any(
                explained(numbers[base], numbers[row], changes[row]) for numbers in values.values() for base in body if base != row
            ):
                way = readings(values[other][bases[0]], values[other][row], changes[row])[0]
                yield Hit("N001", *grid[row, column].span, told(changes[row], way))


def _in_cells(table: DocumentTable) -> Iterator[Hit]:
    """Cells such as ``0.341 (+9.3 %)``: the base is the row to which most of a column's changes fit."""
    for column in range(table.leads, table.width):
        cells = {
            row: cell for row, kind in enumerate(table.kinds) if kind == "body" and (cell := table.grid[row][column]) is not None
        }
        changes: dict[int, tuple[Printed, Printed, bool]] = {}
        for row, cell in cells.items():
            value, match = cell.value, INSIDE.search(cell.text)
            if value is None or match is None or value.end > match.start() or not (match["unit"] or match["sign"]):
                continue
            number = NUMBER.search(match[0].replace("↑", "+").replace("▲", "+").replace("↓", "−").replace("▼", "−"))
            if number is not None and match["unit"]:
                changes[row] = value, printed(number), match["sign"] is not None
        if not changes:
            continue
        bases = {row: cell.value for row, cell in cells.items() if cell.value is not None and cell.value.decimals > 0}
        yield from _against_base(cells, changes, bases)


def _against_base(
    cells: dict[int, TableCell], changes: dict[int, tuple[Printed, Printed, bool]], bases: dict[int, Printed]
) -> Iterator[Hit]:
    fits = {
        base: [row for row, (value, change, _) in changes.items() if row != base and explained(number, value, change)]
        for base, number in bases.items()
    }
    if not fits:
        return
    for row, (value, change, _) in changes.items():
        others = {base: rows for base, rows in fits.items() if base != row}
        best = max(others, key=lambda base: (len(others[base]), -base), default=None)
        if best is None:
            continue
        backwards = row in others[best] and _reversed(row, best, others[best], changes, bases)
        if row in others[best] and not backwards:
            continue
        sole = len(others[best]) >= 2 and len(others[best]) == len(changes) - 1 - (best in changes)  # noqa: PLR2004 - all the others agree
        if not (sole or backwards) and any(row in rows for rows in fits.values()):
            continue
        known = sole or (len(others[best]) >= (1 if len(bases) <= FEW else 2) and 2 * len(others[best]) >= len(changes) - 1)
        alone = len(bases) == 2  # noqa: PLR2004 - the cell and its only base
        if backwards or known or alone:
            way = readings(bases[best], value, change)[0]
            cell = cells[row]
            yield Hit("N001", *cell.span, told(change, way))


def _reversed(
    row: int, base: int, rows: list[int], changes: dict[int, tuple[Printed, Printed, bool]], bases: dict[int, Printed]
) -> bool:
    """Return whether a change has the wrong sign, where all others against the same base have the right one."""
    agree = {each: explained(bases[base], changes[each][0], changes[each][1], either=False, signed=True) for each in rows}
    return not agree[row] and changes[row][2] and sum(agree.values()) == len(rows) - 1 >= 2 and len(rows) >= len(changes) - 1  # noqa: PLR2004 - two of them agree


def _lines(
    grid: dict[tuple[int, int], TableCell],
    rows: list[int],
    columns: list[int],
    names: dict[int, tuple[str, ...]],
    *,
    transposed: bool,
) -> Iterator[Hit]:
    """A column (or row) of changes, and the two columns (or rows) that it compares."""
    values = {
        column: {
            row: number for row in rows if (cell := grid.get((row, column))) is not None and (number := cell.value) is not None
        }
        for column in columns
    }
    for column in columns:
        name = names.get(column, ())
        if not name or not is_change(name[-1]) or len(values[column]) < 1:
            continue
        others = [
            other
            for other in columns
            if other != column
            and not (names.get(other) and is_change(names[other][-1]))
            and len(values[other]) >= len(values[column])
        ]
        others = [other for other in others if all(number.decimals > 0 or number.value == 0 for number in values[other].values())]
        percent = any("%" in part or "percent" in part.lower() for part in name[-1:])
        exact = len(columns) == 3 and len(others) == 2 and not transposed  # noqa: PLR2004 - two values and their change
        yield from _column(grid, values, column, others, percent=percent, exact=exact)


def _column(
    grid: dict[tuple[int, int], TableCell],
    values: dict[int, dict[int, Printed]],
    column: int,
    others: list[int],
    *,
    percent: bool,
    exact: bool,
) -> Iterator[Hit]:
    changes = {
        row: Printed(
            number.start,
            number.end,
            number.text,
            number.value,
            number.decimals,
            percent=number.percent or percent,
            signed=number.signed,
        )
        for row, number in values[column].items()
    }
    pairs = [(one, two) for at, one in enumerate(others) for two in others[at + 1 :]]
    if not changes or not pairs or len(pairs) > 200:  # noqa: PLR2004 - columns by the dozen are not a comparison of two
        return
    best: tuple[int, tuple[int, int], list[int]] | None = None
    for one, two in pairs:
        rows = [row for row in changes if row in values[one] and row in values[two]]
        fitting = [row for row in rows if explained(values[one][row], values[two][row], changes[row])]
        if len(rows) == len(changes) and (best is None or len(fitting) > best[0]):
            best = len(fitting), (one, two), [row for row in rows if row not in fitting]
    if best is None or not best[2]:
        return
    count, (one, two), wrong = best
    enough = count >= (1 if len(pairs) <= FEW else 2) and len(wrong) <= max(1, count // 2)
    if not enough and not (exact and len(changes) == 1):
        return
    for row in wrong:
        if any(
            row in values[first] and row in values[second] and explained(values[first][row], values[second][row], changes[row])
            for first, second in pairs
        ):
            continue
        change = changes[row]
        base, other = values[one][row], values[two][row]
        ways = [*readings(base, other, change), *readings(other, base, change)]
        way = min(ways, key=lambda each: abs(abs(each.value) - abs(change.value)))
        yield Hit("N001" if change.percent else "N002", *grid[row, column].span, told(change, way))
