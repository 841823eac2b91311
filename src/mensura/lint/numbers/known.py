"""The values of all tables of a document by system, measure and collection, for sentences that repeat them."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from mensura.lint.known_collections import collections_in
from mensura.lint.numbers.names import MeasureName, is_change, is_lower_better, measure_of, measures_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.printed import Printed
    from mensura.lint.readers.table import DocumentTable, TableCell

SHORTEST = 2  # characters of the name of a system
OURS = re.compile(r"\b(?:ours?|proposed|this (?:work|paper))\b", re.IGNORECASE)
CLOSE = Fraction(3, 10)  # of a value: a slip of digits, not another experiment
LEADERBOARD = 5000  # values that no text repeats


@dataclass(frozen=True, slots=True, eq=False)
class TableValue:
    """A value of a system by a measure, its cell and its row or column, and the other headers and labels, which may name a collection."""

    system: str
    measure: MeasureName
    value: Printed
    context: tuple[str, ...]
    cell: TableCell
    table: DocumentTable
    ours: bool
    line: tuple[str, int]


@dataclass(eq=False)
class Known:
    """The values of all tables by system and measure, and every number in them; read only if there is something to compare."""

    document: Document

    @cached_property
    def tables(self) -> list[DocumentTable]:
        """The tables whose grid is certain."""
        return [table for table in self.document.tables if table.sure]

    @cached_property
    def index(self) -> dict[tuple[str, tuple[str, int]], list[TableValue]]:
        """The values of all tables, by system and measure; none of a leaderboard, which no text repeats."""
        index: dict[tuple[str, tuple[str, int]], list[TableValue]] = defaultdict(list)
        for table in self.tables:
            for entry in table_cells(table):
                index[entry.system, entry.measure.key].append(entry)
        return index if len(index) <= LEADERBOARD else {}

    @cached_property
    def systems(self) -> set[str]:
        """The names of all systems."""
        return {system for system, _ in self.index}

    @cached_property
    def ours(self) -> str | None:
        """The only system that a label calls the authors' own."""
        own = {system for (system, _), entries in self.index.items() if any(entry.ours for entry in entries)}
        return own.pop() if len(own) == 1 else None

    @cached_property
    def everything(self) -> list[Printed]:
        """Every number of every cell."""
        return [number for table in self.tables for row in table.rows for cell in row for number in cell.printed]

    @cached_property
    def collections(self) -> frozenset[int]:
        """The well-known collections that the document names."""
        return collections_in(self.document.text)

    def cell(self, system: str, measure: tuple[str, int]) -> Printed | None:
        """Return the only value of a system and a measure."""
        entries = self.index.get((system, measure), [])
        return entries[0].value if len(entries) == 1 and entries[0].value.value else None

    def entry(self, system: str, measure: tuple[str, int], words: str) -> TableValue | None:
        """Return the only value of a system and a measure for what some words name: by the headers and labels that tell its cells apart."""
        entries = self.index.get((system, measure), [])
        if len(entries) > 1:
            names = [{rest for name in entry.context if (rest := without_measures(name))} for entry in entries]
            shared = set.intersection(*names)
            entries = [
                entry for entry, own in zip(entries, names, strict=True) if any(_mentions(words, name) for name in own - shared)
            ]
        return entries[0] if len(entries) == 1 and entries[0].value.value else None

    def beside(self, entry: TableValue) -> list[TableValue]:
        """Return the values of other systems by the same measure and below the same headers of a table."""
        return [
            other
            for (system, key), entries in self.index.items()
            if key == entry.measure.key and system != entry.system
            for other in entries
            if other.table is entry.table and other.context == entry.context
        ]

    def contradicts(self, value: Printed, cell: Printed) -> bool:
        """Return whether a value of the text is nearly that of its cell, and that of no cell at all."""
        near = min(abs(value.value * scale - cell.value) / cell.value for scale in (1, 100, Fraction(1, 100))) <= CLOSE
        return near and not any(same(value, other) for other in self.everything)

    def of_another(self, entry: TableValue, text: str) -> bool:
        """Return whether a sentence names a collection, and the table of a value is not known to be about it."""
        named = collections_in(text)
        own = collections_in(" ; ".join(entry.context)) or collections_in(entry.table.caption)
        return bool(named - own) and (bool(own) or self.collections != named)

    def place(self, cell: TableCell) -> str:
        """Return the line of a cell, with its page, and with its file if the document has several."""
        places = self.document.places
        number, start, _ = places.span(*cell.span)
        file = places.files[number]
        place = file.lines.place(start)
        page = f"page {place.page}, " if place.page else ""
        return f"{file.path}, {page}line {place.line}" if number else f"{page}line {place.line}"


def without_measures(name: str) -> str:
    """Return what a header says beside measures: ``TREC-COVID`` of ``TREC-COVID, nDCG@10``."""
    for measure in reversed(measures_in(name)):
        name = f"{name[: measure.start]} {name[measure.end :]}"
    return " ".join(name.split()).strip(" ,:;()[]|/–-")


def _mentions(words: str, name: str) -> bool:
    """Return whether some words contain a header or a label as a whole."""
    return len(name) >= SHORTEST and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", words, re.IGNORECASE) is not None


def systems_in(text: str, systems: set[str]) -> list[str]:
    """Return the systems that a sentence names, without those whose names are parts of others there."""
    inside = [system for system in systems if system in text]  # few are: patterns for all take a seventh of the time of a paper
    mentioned = [system for system in inside if re.search(rf"(?<![\w-]){re.escape(system)}(?![\w+-]|\s\+)", text)]
    return sorted(system for system in mentioned if not any(system != other and system in other for other in mentioned))


MARK = "\0\\d+\0"  # stands for a system in a text
SYSTEM = "\0(?P<number>\\d+)\0"  # the same, with the number of its place among them


def masked(text: str, systems: set[str]) -> tuple[str, list[tuple[int, str]]]:
    """Return a text with the names of systems as marks, and where each begins in the text, with its name."""
    named = [system for system in systems if system in text]
    if not named:
        return text, []
    form = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(named, key=len, reverse=True)))})(?![\w+-]|\s\+)")
    places = [(match.start(), match[0]) for match in form.finditer(text)]
    numbers = iter(range(len(places)))
    return form.sub(lambda _: f"\0{next(numbers)}\0", text), places


def same(one: Printed, two: Printed) -> bool:
    """Return whether two printed values may be one, as fractions or in per cent."""
    return any(one.span.scaled(scale).meets(two.span) for scale in (1, 100, Fraction(1, 100)))


def table_cells(table: DocumentTable) -> Iterator[TableValue]:
    """Yield the values of a table that have a system and a measure."""
    general = measure_of(table.caption)
    for row, column, cell in table.body():
        value = cell.value
        if value is None or value.decimals < 1:
            continue
        above, left = table.above(row, column), table.left(row)
        if is_change(*above, *left) or is_lower_better(*above):
            continue
        measure, label, context, line = measure_of(*above), left[-1] if left else "", (*above, *left[:-1]), ("row", row)
        if measure is None:
            measure, label, context, line = measure_of(*left), above[-1] if above else "", (*above[:-1], *left), ("column", column)
        if measure is None and general is not None and (left or above):
            measure, line = general, ("row", row)
            label, context = (left[-1], (*above, *left[:-1])) if left else (above[-1], above[:-1])
        system = re.sub(r"\s*[(\[].*$|[†‡*∗]|\^.*$", "", label).strip()
        if measure is not None and len(system) >= SHORTEST and not system[0].isdigit():
            yield TableValue(system, measure, value, context, cell, table, OURS.search(label) is not None, line)
