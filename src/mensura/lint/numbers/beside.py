"""N008 in sentences with several names and values: against the rows and columns of a table that have these names side by side.

A sentence such as ``BM25 reaches 0.412, QL 0.409 and RM3 0.443`` is about one row or column of a table if all values but one are there, at their
names. The other value was copied wrongly if it is in no table at all and nearly the one that is there; or two values changed places.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.known import same
from mensura.lint.readers.printed import NUMBER, Printed, in_range, printed
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.numbers.known import Known
    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable, TableCell

TWO = re.compile(r"\d?\.\d\d[^.]{1,300}?\d?\.\d\d|\d\d\.\d[^.]{1,300}?\d\d\.\d")
PARTED = re.compile(
    r"[,;:)|]|\b(?:and|while|whereas|but|versus|vs\.?|however)\b", re.IGNORECASE
)  # what is between one pair and the next
TIED = re.compile(  # what is not between a name and its value
    r"[;]|\b(?:and|while|whereas|but|than|compared|versus|vs|against|over|from|to|relative|instead|respectively|other|improv\w*|increas\w*|outperform\w*|beats?|exceed\w*|surpass\w*|drop\w*|gain\w*|differ\w*|up|down|reduc\w*|decreas\w*|about|around|approximately|without|with|by|p|std|alpha|threshold|correlation)\b|[±~≈<>+Δ∆=]\s?$",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\b(?:respectively|previous\w*|prior|reported|et al|published|original\w*|validation|dev(?:elopment)?|train\w*|averag\w*|mean|median|per|std|deviation|correlation|p-values?|intervals?|CI|up to|at least|at most|would|could|initial\w*|epochs?|seeds?|folds?)\b|±",
    re.IGNORECASE,
)
FEWEST, MOST = 2, 6  # pairs of a sentence
DIGITS = 3  # of a value that is not in a line by chance
FARTHEST = 60  # characters between a name and its value
NAMES = 60  # of a table's rows or columns
CELLS = 6000  # of all tables


@dataclass(frozen=True, slots=True)
class Axis:
    """The rows of a table, or its columns, by their names, each with its cells by the place along it."""

    lines: dict[str, dict[int, TableCell]]


def check(document: Document, known: Known) -> Iterator[Hit]:
    """Yield values beside names that the only line of a table for the other values does not have there."""
    if not known.tables or sum(len(table.body()) for table in known.tables) > CELLS:
        return
    axes: list[Axis] | None = None
    for sentence in document.matching(TWO):
        text = sentence.normal
        values = [number for match in NUMBER.finditer(text) if (number := printed(match)).decimals]
        if not FEWEST <= len(values) <= MOST or ELSEWHERE.search(text) or any(_is_unfit(text, number) for number in values):
            continue
        axes = [axis for table in known.tables for axis in _axes(table)] if axes is None else axes
        yield from _compared(sentence, values, axes, known)


def _is_unfit(text: str, number: Printed) -> bool:
    return number.signed or _digits(number) < FEWEST or in_range(text, number)


def _digits(number: Printed) -> int:
    """Return how many digits a number shows, without leading zeros."""
    return len(number.plain.strip("%+-−").lstrip("0.").replace(".", ""))


def _axes(table: DocumentTable) -> Iterator[Axis]:
    """Yield the rows and the columns of a table; names that are there twice belong to nobody."""
    rows: dict[str, dict[int, TableCell]] = {}
    columns: dict[str, dict[int, TableCell]] = {}
    places: dict[tuple[str, str], set[int]] = {}
    for row, column, cell in table.body():
        if cell.value is None or cell.value.start > 1:
            continue
        for kind, names, own, other, lines in (
            ("row", table.left(row), row, column, rows),
            ("column", table.above(row, column), column, row, columns),
        ):
            name = re.sub(r"[†‡*∗↑↓]", "", names[-1]).strip() if names else ""
            if len(name) > 1 and any(letter.isalpha() for letter in name):
                places.setdefault((kind, name), set()).add(own)
                lines.setdefault(name, {})[other] = cell
    for kind, lines in (("row", rows), ("column", columns)):
        single = {name: cells for name, cells in lines.items() if len(places[kind, name]) == 1}
        if FEWEST <= len(single) <= NAMES:
            yield Axis(single)


def _compared(sentence: Sentence, values: list[Printed], axes: list[Axis], known: Known) -> Iterator[Hit]:
    text = sentence.normal
    wrong: dict[int, TableCell] = {}
    swapped: tuple[TableCell, TableCell] | None = None
    for axis in axes:
        names = _names(text, values, axis)
        if names is None:
            continue
        for place in set.intersection(*(set(axis.lines[name]) for name in names)):
            cells = [axis.lines[name][place] for name in names]
            apart = [at for at, (value, cell) in enumerate(zip(values, cells, strict=True)) if not _is_same(value, cell)]
            if not apart:
                return  # the sentence repeats this line
            if len(apart) == 1 and all(_digits(value) >= DIGITS for at, value in enumerate(values) if at != apart[0]):
                wrong[apart[0]] = cells[apart[0]]
            elif len(apart) == len(values) == FEWEST and _is_same(values[0], cells[1]) and _is_same(values[1], cells[0]):
                swapped = cells[0], cells[1]
    if len(wrong) == 1:
        ((at, cell),) = wrong.items()
        if cell.value is not None and cell.value.value and known.contradicts(values[at], cell.value):
            detail = f"{values[at].plain} is printed here, but {cell.value.plain} beside the other values in the table, {known.place(cell)}"
            yield Hit("N008", *sentence.span(values[at].start, values[at].end), detail)
    elif not wrong and swapped is not None and values[0].value != values[1].value:
        one, two = values
        detail = f"{one.plain} and {two.plain} are printed here, but the other way round in the table, {known.place(swapped[0])}"
        yield Hit("N008", *sentence.span(one.start, two.end), detail)


def _is_same(value: Printed, cell: TableCell) -> bool:
    """Return whether a value is that of a cell: the same digits, or fewer of them, as a fraction or in per cent."""
    if cell.value is None:
        return False
    digits = {number.decimals + (2 if number.percent or number.value > 1 else 0) for number in (value, cell.value)}
    exact = any(value.value * scale == cell.value.value for scale in (1, 100, Fraction(1, 100)))
    return exact or (len(digits) > 1 and same(value, cell.value))


def _names(text: str, values: list[Printed], axis: Axis) -> list[str] | None:
    """Return the names of an axis in the order of the values, if there is one for each, always before it or always behind it."""
    places: list[tuple[int, int, str]] = []
    for name in sorted((name for name in axis.lines if name in text), key=len, reverse=True):
        for match in re.finditer(rf"(?<![\w@-]){re.escape(name)}(?![\w@+-])", text):
            if not any(start < match.end() and match.start() < end for start, end, _ in places):
                places.append((*match.span(), name))
    places.sort()
    names = [name for _, _, name in places]
    if len(names) != len(values) or len(set(names)) < len(names):
        return None
    before = all(end <= value.start for (_, end, _), value in zip(places, values, strict=True))
    pairs = list(zip(places, values, strict=True))
    for at, ((start, end, _), value) in enumerate(pairs):
        tie = text[end : value.start] if before else text[value.end : start]
        if (not before and value.end > start) or len(tie) > FARTHEST or TIED.search(tie):
            return None
        if at + 1 < len(pairs):
            (following, _, _), later = pairs[at + 1]
            first, last = (value.end, following) if before else (end, later.start)
            if first > last or not PARTED.search(text[first:last]):
                return None
    return names
