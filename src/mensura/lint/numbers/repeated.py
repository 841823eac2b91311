"""N008: a value in the text against the cell of the table that it repeats."""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.names import MeasureName, is_change, is_lower_better, measure_of, measures_in
from mensura.lint.readers.printed import NUMBER, Printed, printed
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable

SAID = re.compile(r"\s?(?:scores?|values?)?\s?(?:of|is|was|=|:|reaches|reached|equals)\s?$")
ELSEWHERE = re.compile(
    r"\b(?:previous\w*|prior|reported|et al|published|original\w*|by [A-Z]\w+|baseline of|best known|state[- ]of[- ]the[- ]art|earlier|would|if|instead|without|removing|ablat\w*|variant|validation|dev(?:elopment)?|train\w*|each|per|range\w*|between|average\w*|mean of|improv\w*|increas\w*|gain\w*|differ\w*|drop\w*|by)\b",
    re.IGNORECASE,
)
CLOSE = Fraction(3, 10)  # of a value: a slip of digits, not another experiment
SHORTEST = 2  # characters of the name of a system


def check(document: Document) -> Iterator[Hit]:
    """Yield values of a system and a measure that are not those of the only cell for them."""
    tables = [table for table in document.tables if table.sure]
    if not tables:
        return
    index: dict[tuple[str, tuple[str, int]], list[Printed]] = {}
    everything: list[Printed] = []
    for sentence in document.having("map", "ndcg", "mrr", "precision", "recall", "@", "f1", "rbp", "err", "bpref"):
        text = sentence.normal
        statement = _statement(text)
        if statement is None:
            continue
        if not everything:  # tables are read only if there is something to compare
            everything = [number for table in tables for row in table.rows for cell in row for number in cell.printed]
            index = _index(tables)
        if not index or len(index) > 5000:  # noqa: PLR2004 - a leaderboard, which no text repeats
            return
        named = _system(text, {system for system, _ in index})
        if named is None:
            continue
        measure, value = statement
        cells = index.get((named, measure.key), [])
        if len(cells) != 1 or not cells[0].value or any(_same(value, cell) for cell in everything):
            continue
        (cell,) = cells
        if min(abs(value.value * scale - cell.value) / cell.value for scale in (1, 100, Fraction(1, 100))) <= CLOSE:
            yield Hit(
                "N008",
                *sentence.span(value.start, value.end),
                f"{value.plain} is printed here, but {cell.plain} for {named} in the table",
            )


def _index(tables: list[DocumentTable]) -> dict[tuple[str, tuple[str, int]], list[Printed]]:
    """The values of all tables, by system and measure."""
    index: dict[tuple[str, tuple[str, int]], list[Printed]] = defaultdict(list)
    for table in tables:
        for system, measure, value, _ in table_cells(table):
            index[system, measure.key].append(value)
    return index


def _statement(text: str) -> tuple[MeasureName, Printed] | None:
    """Return the measure and the value of a sentence that has one of each, and is not about something else."""
    names = measures_in(text)
    if len({name.key for name in names}) != 1 or ELSEWHERE.search(text):
        return None
    values = [printed(match) for match in NUMBER.finditer(text)]
    values = [value for value in values if value.decimals >= 2 or (value.percent and value.decimals)]  # noqa: PLR2004 - decimals of a score
    if len(values) != 1 or not SAID.search(text[: values[0].start]):
        return None
    return (names[0], values[0]) if any(name.end <= values[0].start <= name.end + 25 for name in names) else None


def _system(text: str, systems: set[str]) -> str | None:
    """Return the only system that a sentence names."""
    mentioned = systems_in(text, systems)
    return mentioned[0] if len(mentioned) == 1 else None


def systems_in(text: str, systems: set[str]) -> list[str]:
    """Return the systems that a sentence names, without those whose names are parts of others there."""
    mentioned = [system for system in systems if re.search(rf"(?<![\w-]){re.escape(system)}(?![\w+-]|\s\+)", text)]
    return sorted(system for system in mentioned if not any(system != other and system in other for other in mentioned))


def _same(one: Printed, two: Printed) -> bool:
    return any(one.span.scaled(scale).meets(two.span) for scale in (1, 100, Fraction(1, 100)))


def table_cells(table: DocumentTable) -> Iterator[tuple[str, MeasureName, Printed, tuple[str, ...]]]:
    """Yield system, measure and value of the cells of a table, and the other headers and labels, which may name a collection."""
    general = measure_of(table.caption)
    for row, column, cell in table.body():
        value = cell.value
        if value is None or value.decimals < 1:
            continue
        above, left = table.above(row, column), table.left(row)
        if is_change(*above, *left) or is_lower_better(*above):
            continue
        measure, system, context = measure_of(*above), left[-1] if left else "", (*above, *left[:-1])
        if measure is None:
            measure, system, context = measure_of(*left), above[-1] if above else "", (*above[:-1], *left)
        if measure is None and general is not None and left:
            measure, system, context = general, left[-1], (*above, *left[:-1])
        system = re.sub(r"\s*[(\[].*$|[†‡*∗]|\^.*$", "", system).strip()
        if measure is not None and len(system) >= SHORTEST and not system[0].isdigit():
            yield system, measure, value, context
