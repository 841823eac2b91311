"""N008: a value in the text against the cell of the table that it repeats; N007: the best of a table in the text."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from mensura.lint.numbers.marks import ASIDE
from mensura.lint.numbers.names import MeasureName, is_change, is_lower_better, measure_of, measures_in
from mensura.lint.readers.printed import NUMBER, Printed, printed
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable

SAID = re.compile(r"\s?(?:scores?|values?)?\s?(?:of|is|was|=|:|reaches|reached|equals)\s?$")
ELSEWHERE = re.compile(
    r"\b(?:previous\w*|prior|reported|et al|published|original\w*|by [A-Z]\w+|baseline of|best known|state[- ]of[- ]the[- ]art|earlier|would|if|instead|without|removing|ablat\w*|variant|validation|dev(?:elopment)?|train\w*|each|per|range\w*|between|average\w*|mean of|improv\w*|increas\w*|gain\w*|differ\w*|drop\w*|by)\b",
    re.IGNORECASE,
)
ANOTHER = re.compile(
    r"\b(?:previous\w*|prior|reported|et al|published|original\w*|validation|dev(?:elopment)?|train\w*|improv\w*|gain\w*|increas\w*|drop\w*|decreas\w*|differ\w*|from)\b",
    re.IGNORECASE,
)
HIGHEST = re.compile(
    r"\b(?:achieves?|achieved|has|had|obtains?|obtained|reaches|reached|yields?|yielded|gets|shows?|attains?|attained|delivers?|gives?)(?: by far)? the (?:overall )?(?:best|highest|strongest) (?:\w+ )?(?=[A-Za-z]\w*@|n?DCG|MAP|MRR|[Pp]recision|[Rr]ecall|RBP|F1)"
)
RESTRICTED = re.compile(
    r"\b(?:among|amongst|except|besides|apart|after|within|second|third|one of|single|only|between|on|for|when|where|if|with|without|than|of (?:the|all|our) \w+ (?:models|systems|runs|methods)|but|while|although|except|improv\w*|gain\w*|category|group|family|class|per|each|most|some|both|either|neither|not|previous\w*|reported|validation|dev|train\w*)\b",
    re.IGNORECASE,
)
ONE = r"\d{0,3}\.\d{1,4}\s?%?"
LIST = re.compile(rf"(?P<values>(?<![\w.]){ONE}(?:, {ONE})*,? (?:and|&) {ONE})(?:[^.;\d]{{0,60}})\brespectively\b", re.IGNORECASE)
CLOSE = Fraction(3, 10)  # of a value: a slip of digits, not another experiment
SHORTEST = 2  # characters of the name of a system


@dataclass(eq=False)
class Known:
    """The values of all tables by system and measure, and every number in them; read only if there is something to compare."""

    tables: list[DocumentTable]

    @cached_property
    def index(self) -> dict[tuple[str, tuple[str, int]], list[Printed]]:
        """The values of all tables, by system and measure; none of a leaderboard, which no text repeats."""
        index: dict[tuple[str, tuple[str, int]], list[Printed]] = defaultdict(list)
        for table in self.tables:
            for system, measure, value, _ in table_cells(table):
                index[system, measure.key].append(value)
        return index if len(index) <= 5000 else {}  # noqa: PLR2004 - cells of a leaderboard

    @cached_property
    def systems(self) -> set[str]:
        """The names of all systems."""
        return {system for system, _ in self.index}

    @cached_property
    def everything(self) -> list[Printed]:
        """Every number of every cell."""
        return [number for table in self.tables for row in table.rows for cell in row for number in cell.printed]

    def cell(self, system: str, measure: tuple[str, int]) -> Printed | None:
        """Return the only value of a system and a measure."""
        cells = self.index.get((system, measure), [])
        return cells[0] if len(cells) == 1 and cells[0].value else None

    def contradicts(self, value: Printed, cell: Printed) -> bool:
        """Return whether a value of the text is nearly that of its cell, and that of no cell at all."""
        near = min(abs(value.value * scale - cell.value) / cell.value for scale in (1, 100, Fraction(1, 100))) <= CLOSE
        return near and not any(_same(value, other) for other in self.everything)


def check(document: Document) -> Iterator[Hit]:
    """Yield values of a system and a measure that are not those of the only cell for them."""
    known = Known([table for table in document.tables if table.sure])
    if not known.tables:
        return
    for sentence in document.having("map", "ndcg", "mrr", "precision", "recall", "@", "f1", "rbp", "err", "bpref"):
        text = sentence.normal
        statement = _statement(text)
        named = None if statement is None else _system(text, known.systems)
        cell = None if statement is None or named is None else known.cell(named, statement[0].key)
        if statement is not None and cell is not None and known.contradicts(statement[1], cell):
            detail = f"{statement[1].plain} is printed here, but {cell.plain} for {named} in the table"
            yield Hit("N008", *sentence.span(statement[1].start, statement[1].end), detail)
    for sentence in document.having("best", "highest", "strongest"):
        yield from _best(sentence, known)
    for sentence in document.having("respectively"):
        for value, detail in _respectively(sentence.normal, known):
            yield Hit("N008", *sentence.span(value.start, value.end), detail)


def _best(sentence: Sentence, known: Known) -> Iterator[Hit]:
    """A system that is said to have the highest value of a measure, where another row of the only table for both has a higher one."""
    text = sentence.normal
    match = HIGHEST.search(text)
    names = {name.key for name in measures_in(text)}
    if match is None or len(names) != 1 or RESTRICTED.search(text):
        return
    measure = next(iter(names))
    named = systems_in(text[: match.start()], known.systems)
    own = known.cell(named[0], measure) if len(named) == 1 and len(systems_in(text, known.systems)) == 1 else None
    rivals = {system: known.cell(system, measure) for system, key in known.index if key == measure}
    if own is None or any(cell is None for cell in rivals.values()) or any(ASIDE.search(system) for system in rivals):
        return
    best, cell = max(((system, cell) for system, cell in rivals.items() if cell is not None), key=lambda pair: pair[1].value)
    if cell.decimals == own.decimals and cell.percent == own.percent and cell.value > own.value:
        detail = f"{named[0]} is called the best here, with {own.plain} in the table, but {best} has {cell.plain}"
        yield Hit("N007", *sentence.span(*match.span()), detail)


def _respectively(text: str, known: Known) -> Iterator[tuple[Printed, str]]:
    """Lists such as ``BM25 and QL have an nDCG@10 of 0.41 and 0.43, respectively``, value by value."""
    lists = list(LIST.finditer(text))
    names = list(dict.fromkeys(name.key for name in measures_in(text)))
    if len(lists) != 1 or not names or ANOTHER.search(text):
        return
    values = [printed(match) for match in NUMBER.finditer(text, *lists[0].span("values"))]
    systems = sorted(systems_in(text, known.systems), key=text.find)
    if len(systems) == len(values) and len(names) == 1:
        places = [(system, names[0]) for system in systems]
    elif len(systems) == 1 and len(names) == len(values):
        places = [(systems[0], name) for name in names]
    else:
        return
    cells = [cell for place in places if (cell := known.cell(*place)) is not None]
    if len(cells) < len(values):
        return
    wrong = [at for at, (value, cell) in enumerate(zip(values, cells, strict=True)) if not _same(value, cell)]
    if len(wrong) == 1 and len(values) > 1 and known.contradicts(values[wrong[0]], cells[wrong[0]]):
        at = wrong[0]
        yield values[at], f"{values[at].plain} is printed here, but {cells[at].plain} for {places[at][0]} in the table"
    if len(wrong) == 2 and _same(values[wrong[0]], cells[wrong[1]]) and _same(values[wrong[1]], cells[wrong[0]]):  # noqa: PLR2004 - two that changed places
        one, two = wrong
        yield (
            values[one],
            f"{values[one].plain} and {values[two].plain} are printed here, but {cells[one].plain} and {cells[two].plain} in the table",
        )


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
