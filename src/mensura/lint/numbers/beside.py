"""N008 in sentences with several names and values: against the rows and columns of a table that have these names side by side.

A sentence such as ``BM25 reaches 0.412, QL 0.409 and RM3 0.443`` is about one row or column of a table if all values but one are there, at their
names. The other value was copied wrongly if it is in no table at all and nearly the one that is there; or two values changed places.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.known import CLOSE, same
from mensura.lint.numbers.names import measure_of, measures_in
from mensura.lint.readers.printed import NUMBER, Printed, in_range, printed
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.numbers.known import Known
    from mensura.lint.numbers.names import MeasureName
    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable, TableCell

TWO = re.compile(r"\d?\.\d\d[^.]{1,300}?\d?\.\d\d|\d\d\.\d[^.]{1,300}?\d\d\.\d")
WORD = re.compile(r"[^\W_](?:[\w.@+^]*[^\W_+.]|\+)?")
PART = re.compile(r"\s*[(\[:,]")  # what follows explains a name
TIED = re.compile(  # what is not between a name and its value
    r"[;]|\b(?:and|while|whereas|but|than|compared|versus|vs|against|over|from|to|relative|instead|other|improv\w*|increas\w*|outperform\w*|beats?|exceed\w*|surpass\w*|drop\w*|gain\w*|differ\w*|up|down|reduc\w*|decreas\w*|about|around|approximately|without|with|by|after|before|when|on|p|std|alpha|threshold|correlation)\b|[±~≈<>≤≥+Δ∆]\s?$|→",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\b(?:respectively|previous\w*|prior|reported|et al|published|original\w*|validation|dev(?:elopment)?|train\w*|averag\w*|mean|median|per|std|deviation|correlation|p-values?|intervals?|CI|up to|at least|at most|would|could|initial\w*|epochs?|seeds?|folds?)\b|±|\[\d|\bp\s?[=<>]",
    re.IGNORECASE,
)
FEWEST, MOST = 2, 8  # pairs of a sentence
DIGITS = 3  # of a value that is not in a line by chance
FARTHEST = 70  # characters between a name and its value
NAMES = 60  # of a table's rows or columns
CELLS = 6000  # of all tables


@dataclass(frozen=True, slots=True)
class Axis:
    """The rows of a table, or its columns, by their names: the words of each, its cells by the place along it, and the names of that place."""

    words: dict[str, frozenset[str]]
    measures: dict[str, MeasureName]
    lines: dict[str, dict[int, TableCell]]
    across: dict[int, tuple[str, ...]]


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


def _words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def _axes(table: DocumentTable) -> Iterator[Axis]:
    """Yield the rows and the columns of a table; names that are there twice belong to nobody, and words that all have say nothing."""
    for rows in (True, False):
        lines: dict[str, dict[int, TableCell]] = defaultdict(dict)
        places: dict[str, set[int]] = defaultdict(set)
        across: dict[int, tuple[str, ...]] = {}
        for row, column, cell in table.body():
            names = table.left(row) if rows else table.above(row, column)
            name = PART.split(names[-1], maxsplit=1)[0].strip() if names else ""
            if cell.value is not None and cell.value.start <= 1 and _words(name):
                lines[name][column if rows else row] = cell
                places[name].add(row if rows else column)
                across[column if rows else row] = table.above(row, column) if rows else table.left(row)
        words = {name: frozenset(_words(name)) for name in lines if len(places[name]) == 1}
        shared = frozenset.intersection(*words.values()) if len(words) > 1 else frozenset()
        shared = shared if all(each - shared for each in words.values()) else frozenset()
        own = {
            name: each - shared
            for name, each in words.items()
            if any(letter.isalpha() for word in each - shared for letter in word)
        }
        if FEWEST <= len(own) <= NAMES:
            measures = {name: measure for name in own if (measure := measure_of(name)) is not None}
            yield Axis(own, measures, {name: lines[name] for name in own}, across)


def _compared(sentence: Sentence, values: list[Printed], axes: list[Axis], known: Known) -> Iterator[Hit]:
    text = sentence.normal
    spoken = set(_words(text))
    wrong: dict[int, TableCell] = {}
    swapped: tuple[TableCell, TableCell] | None = None
    for axis in axes:
        for names in _named(text, values, axis):
            for place in set.intersection(*(set(axis.lines[name]) for name in names.values())):
                cells = {at: axis.lines[name][place] for at, name in names.items()}
                apart = [at for at, cell in cells.items() if not _is_same(values[at], cell)]
                if not apart:
                    return  # the sentence repeats this line
                others = sum(_digits(values[at]) >= DIGITS for at in cells if at not in apart)
                sure = others >= FEWEST or _is_mentioned(axis.across[place], text, spoken)
                if len(apart) == 1 and others and sure:
                    wrong[apart[0]] = cells[apart[0]]
                elif (
                    len(apart) == len(values) == FEWEST
                    and (sure or min(map(_digits, values)) >= DIGITS)
                    and _is_swapped(values, cells)
                ):
                    swapped = cells[0], cells[1]
    if len(wrong) == 1:
        ((at, cell),) = wrong.items()
        if _contradicts(values[at], cell, known):
            detail = (
                f"{values[at].plain} is printed here, but {cell.text} beside the other values in the table, {known.place(cell)}"
            )
            yield Hit("N008", *sentence.span(values[at].start, values[at].end), detail)
    elif not wrong and swapped is not None and values[0].value != values[1].value:
        one, two = values
        detail = f"{one.plain} and {two.plain} are printed here, but the other way round in the table, {known.place(swapped[0])}"
        yield Hit("N008", *sentence.span(one.start, two.end), detail)


def _is_swapped(values: list[Printed], cells: dict[int, TableCell]) -> bool:
    return _is_same(values[0], cells[1]) and _is_same(values[1], cells[0])


def _is_mentioned(names: tuple[str, ...], text: str, spoken: set[str]) -> bool:
    """Return whether a sentence has most words of a name, or its measure."""
    words = frozenset(_words(PART.split(names[-1], maxsplit=1)[0])) if names else frozenset()
    measure = measure_of(*names)
    said = measure is not None and any(
        name.family == measure.family and (name.cutoff == measure.cutoff or not name.cutoff) for name in measures_in(text)
    )
    return said or (bool(words) and 2 * len(words & spoken) > len(words))


def _contradicts(value: Printed, cell: TableCell, known: Known) -> bool:
    """Return whether a value is nearly that of its cell, with as many digits, and in no cell of any table."""
    other = cell.value
    if other is None or not other.value or _digits(value) < DIGITS or _digits(other) < DIGITS:
        return False
    scales = [scale for scale in (1, 100, Fraction(1, 100)) if abs(value.value * scale - other.value) <= CLOSE * other.value]
    return bool(scales) and not any(_digits(each) >= _digits(value) and _is_equal(value, each) for each in known.everything)


def _is_same(value: Printed, cell: TableCell) -> bool:
    """Return whether a value is that of a cell: the same digits, or fewer of them, as a fraction or in per cent."""
    return cell.value is not None and _is_equal(value, cell.value)


def _is_equal(value: Printed, other: Printed) -> bool:
    digits = {number.decimals + (2 if number.percent or number.value > 1 else 0) for number in (value, other)}
    exact = any(value.value * scale == other.value for scale in (1, 100, Fraction(1, 100)))
    return exact or (len(digits) > 1 and same(value, other))


def _named(text: str, values: list[Printed], axis: Axis) -> Iterator[dict[int, str]]:
    """Yield the names of an axis by the number of their value: those right before the values, or those right behind; at least two."""
    edges = [0, *(value.end for value in values)]
    starts = [*(value.start for value in values), len(text)]
    before = [(max(edges[at], value.start - FARTHEST), value.start) for at, value in enumerate(values)]
    after = [(value.end, min(starts[at + 1], value.end + FARTHEST)) for at, value in enumerate(values)]
    for windows in (before, after):
        named = ((at, _name(text, window, axis, nearest_last=windows is before)) for at, window in enumerate(windows))
        names = {at: name for at, name in named if name is not None}
        if FEWEST <= len(names) == len(set(names.values())):
            yield names


def _name(text: str, window: tuple[int, int], axis: Axis, *, nearest_last: bool) -> str | None:
    """Return the only name of an axis whose measure, or most of whose words, are in a stretch of a text next to a value, and tied to it."""
    stretch = text[slice(*window)]
    measures = measures_in(stretch) if axis.measures else ()
    if measures:
        measure = measures[-1 if nearest_last else 0]
        fitting = [name for name, own in axis.measures.items() if own.key == measure.key] or [
            name for name, own in axis.measures.items() if own.family == measure.family and not measure.cutoff
        ]
        tie = stretch[measure.end :] if nearest_last else stretch[: measure.start]
        if len(fitting) == 1 and not TIED.search(tie):
            return fitting[0]
    spoken = {match[0].lower(): match for match in WORD.finditer(stretch)}
    best: list[tuple[bool, Fraction, int, str]] = []  # whether it is there as it is, the part of its words that is, and how many
    for name, words in axis.words.items():
        present = words & spoken.keys()
        if present and 2 * len(present) >= len(words):
            best.append((name in stretch, Fraction(len(present), len(words)), len(present), name))
    best.sort(reverse=True)
    if not best or (len(best) > 1 and best[0][:3] == best[1][:3]):
        return None
    places = [spoken[word] for word in axis.words[best[0][3]] & spoken.keys()]
    tie = stretch[max(match.end() for match in places) :] if nearest_last else stretch[: min(match.start() for match in places)]
    return None if TIED.search(tie) else best[0][3]
