"""N001 in the text about a table: one system against another, by a measure, in per cent."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from mensura.lint.numbers.changes import NOT_A_CHANGE, POINTS, VAGUE
from mensura.lint.numbers.evidence import Way, explained, is_slip, readings, told
from mensura.lint.numbers.known import systems_in, table_cells
from mensura.lint.numbers.names import measures_in
from mensura.lint.readers.printed import NUMBER, Printed, in_range, printed
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable

Values = dict[tuple[str, tuple[str, int]], dict[tuple[object, ...], Printed]]  # by system and measure, and by the place of the cell

COMPARED = re.compile(
    r"\bcompared (?:to|with)\b[^.;]{0,60}\b(?:improves?|increases?|raises?|gains?|reduces?)\b|\b(?:outperform\w*|beats?|surpass\w*|exceed\w*|(?:improv\w+|gains?|increase[sd]?|better|higher|lower|worse|drop\w*|decrease[sd]?|loss|advantage)\b[^.;]{0,60}?"
    r"\b(?:over|than|compared (?:to|with)|relative to|against|from|to|vs\.?))\b",
    re.IGNORECASE,
)
GENERAL = re.compile(
    r"\b(?:average|averaged|mean|across|overall|up to|respectively|all|both|each|every|only|reported|et al|previous\w*|paper|original\w*|latency|time|faster|slower|speed|memory|size|topics|queries|cost|errors?)\b",
    re.IGNORECASE,
)


def check(document: Document) -> Iterator[Hit]:
    """Yield percentages that the only two cells for two systems and a measure do not give."""
    tables = [table for table in document.tables if table.sure]
    values: Values | None = None
    for sentence in document.having("%", "percent") if tables else ():
        text = sentence.normal
        change = _percentage(text)
        names = {name.key for name in measures_in(text)} if change is not None else set()
        if change is None or len(names) != 1:
            continue
        values = _values(tables) if values is None else values
        if len(values) > 5000:  # noqa: PLR2004 - a leaderboard, which no text repeats
            return
        compared = systems_in(text, {system for system, _ in values})
        if len(compared) != 2:  # noqa: PLR2004 - one against another
            continue
        way = _contradiction(values, compared, next(iter(names)), change)
        if way is not None:
            yield Hit("N001", *sentence.span(change.start, change.end), told(change, way))


def _values(tables: list[DocumentTable]) -> Values:
    """The values of all tables by system and measure; read only if a sentence compares two systems."""
    values: Values = defaultdict(dict)
    for table in tables:
        for entry in table_cells(table):
            values[entry.system, entry.measure.key][id(table), *entry.context] = entry.value
    return values


def _contradiction(values: Values, compared: list[str], measure: tuple[str, int], change: Printed) -> Way | None:
    """Return the change that two systems have by a measure in the only table for them, if it is not the printed one."""
    one, two = (_pairs(values, system) for system in compared)
    if any(explained(one[place], two[place], change) for place in one.keys() & two.keys()):
        return None  # also by another measure, which the sentence may mean
    first, second = (values.get((system, measure), {}) for system in compared)
    places = first.keys() & second.keys()
    if len(places) != 1:
        return None
    (place,) = places
    pairs = (first[place], second[place]), (second[place], first[place])
    ways = [way for base, other in pairs for way in readings(base, other, change) if way.name == "relative"]
    way = min(ways, key=lambda each: abs(abs(each.value) - abs(change.value)), default=None)
    return way if way is not None and is_slip(change, way.value) else None


def _pairs(
    values: dict[tuple[str, tuple[str, int]], dict[tuple[object, ...], Printed]], system: str
) -> dict[tuple[object, ...], Printed]:
    """All values of a system, by measure and place."""
    return {(key, *place): value for (name, key), places in values.items() if name == system for place, value in places.items()}


def _percentage(text: str) -> Printed | None:
    """Return the only percentage of a sentence that compares, if it is a change and exact."""
    if not COMPARED.search(text) or GENERAL.search(text):
        return None
    numbers = [printed(match) for match in NUMBER.finditer(text)]
    percentages = [number for number in numbers if number.percent]
    if len(percentages) != 1 or any(number.decimals > 0 and not number.percent for number in numbers):
        return None
    (change,) = percentages
    if in_range(text, change):
        return None
    after = text[change.end : change.end + 60]
    if VAGUE.search(text[max(0, change.start - 24) : change.start]) or NOT_A_CHANGE.match(after) or POINTS.match(after):
        return None
    return change
