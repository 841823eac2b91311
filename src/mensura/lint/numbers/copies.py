"""N018: tables that repeat each other: the same runs by the same measures, with one value that differs.

Two tables of a text have the same runs if the values of one measure say so: they are the same with three digits, in several rows, and belong
to no other. Where all other measures of these rows agree too, a value that does not was copied wrongly, or is left from another version.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.lint.numbers.evidence import is_slip
from mensura.lint.numbers.known import Known, TableValue, without_measures
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable

Key = tuple[str | int, ...]  # a measure, and the other words of its header
DIGITS = 3  # of a value that is not equal to another by chance
SAME = 3  # runs that two tables have in common, with at least two measures each
MOST = 40  # tables of a document that are compared with each other


@dataclass(eq=False)
class TableRuns:
    """The runs of a table, each with its values by measure and collection."""

    table: DocumentTable
    runs: list[dict[Key, TableValue]]


def check(_: Document, known: Known) -> Iterator[Hit]:
    """Yield the values of a table that differ from those of another for the same run."""
    tables = [lines for lines in map(_lines, _by_table(known).values()) if len(lines.runs) > SAME]
    if not 1 < len(tables) <= MOST:
        return
    told: set[TableValue] = set()
    for number, one in enumerate(tables):
        for two in tables[number + 1 :]:
            for first, second in _differing(one, two):
                if second not in told and first not in told:
                    told |= {first, second}
                    detail = f"{second.value.plain} is printed here, but {first.value.plain} for the same run by {second.measure.family} in another table, {known.place(first.cell)}"
                    yield Hit("N018", *second.cell.span, detail)


def _by_table(known: Known) -> dict[int, list[TableValue]]:
    values: dict[int, list[TableValue]] = defaultdict(list)
    for entries in known.index.values():
        for entry in entries:
            values[id(entry.table)].append(entry)
    return values


def _lines(values: list[TableValue]) -> TableRuns:
    """Return the runs of a table, which are rows or columns, with their values by measure, and by the rest of the header if a measure has several."""
    lines: dict[tuple[str, int], dict[tuple[str, int], list[TableValue]]] = defaultdict(lambda: defaultdict(list))
    for entry in values:
        lines[entry.line][entry.measure.key].append(entry)
    runs = []
    for line in lines.values():
        run: dict[Key, TableValue] = {}
        for measure, entries in line.items():
            names: list[Key] = [measure if len(entries) == 1 else (*measure, *_rest(entry)) for entry in entries]
            run |= {name: entry for name, entry in zip(names, entries, strict=True) if names.count(name) == 1}
        if len(run) > 1:
            runs.append(run)
    return TableRuns(values[0].table, runs)


def _rest(entry: TableValue) -> list[str]:
    return [words for name in entry.context if (words := without_measures(name))]


def _differing(one: TableRuns, two: TableRuns) -> Iterator[tuple[TableValue, TableValue]]:
    """Yield the only two values that differ between the runs that two tables have in common."""
    pairs = []
    for run in one.runs:
        rivals = [other for other in two.runs if _agreeing(run, other)]
        if len(rivals) == 1 and sum(bool(_agreeing(each, rivals[0])) for each in one.runs) == 1:
            pairs.append((run, rivals[0]))
    apart = [
        (run[key], other[key]) for run, other in pairs for key in run.keys() & other.keys() if not _is_same(run[key], other[key])
    ]
    equal = sum(len(_agreeing(run, other)) > 1 for run, other in pairs)
    if len(apart) == 1 and equal >= SAME:
        ((first, second),) = apart
        if is_slip(first.value, second.value.value):
            yield first, second


def _agreeing(one: dict[Key, TableValue], two: dict[Key, TableValue]) -> list[Key]:
    """Return the measures by which two runs have the same value, with as many decimals as make this no chance."""
    return [
        key for key in one.keys() & two.keys() if min(map(_digits, (one[key], two[key]))) >= DIGITS and _is_same(one[key], two[key])
    ]


def _digits(entry: TableValue) -> int:
    """Return how many digits of a value say something."""
    return len(entry.value.plain.strip("%+-−0.").replace(".", ""))


def _is_same(one: TableValue, two: TableValue) -> bool:
    return one.value.span.meets(two.value.span) or any(
        one.value.span.scaled(scale).meets(two.value.span) for scale in (100,) if two.value.percent != one.value.percent
    )
