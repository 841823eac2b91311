"""N016: measures of one run against each other: none falls with a deeper cut-off, and none exceeds the success that it needs.

For every topic, recall, success and reciprocal rank cannot fall when the cut-off grows, nor can the number of relevant documents found; a measure
that is at most 1 and needs a relevant document is at most the success at its cut-off. What holds for every topic holds for means.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.known import without_measures
from mensura.lint.numbers.names import is_change, is_lower_better, measure_of
from mensura.lint.readers.printed import show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.printed import Printed
    from mensura.lint.readers.table import DocumentTable, TableCell

Key = tuple[str, int]
Run = dict[Key, "TableCell | None"]

GROWING = {"Recall", "Success", "RR"}  # families whose values cannot fall when the cut-off grows
BOUNDED = {"P", "Recall", "nDCG", "AP", "RR"}  # families that are at most 1 where something relevant is found, and 0 elsewhere
DEEPEST = 10**6  # stands for no cut-off
LARGEST = 100  # beyond, a number behind @ may be the size of a passage
ENOUGH = 3  # pairs of values for which a law holds
FEWEST = 2  # measures of a run


@dataclass(frozen=True, slots=True)
class Broken:
    """A law that two cells break, and their values."""

    cells: tuple[TableCell, TableCell]
    detail: str


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield the value that other measures of its run exclude, where the table keeps the same laws everywhere else."""
    if not table.sure:
        return
    right: dict[tuple[str, str], int] = defaultdict(int)
    wrong: dict[tuple[str, str], list[Broken]] = defaultdict(list)
    for run in _runs(table):
        cells = {key: cell for key, cell in run.items() if cell is not None}
        for low, high, factor in _laws(list(cells)):
            one, two = cells[low].value, cells[high].value
            if one is None or two is None:
                continue
            if one.span.scaled(factor).low <= two.span.high:
                right[low[0], high[0]] += one.value > 0
            else:
                wrong[low[0], high[0]].append(Broken((cells[high], cells[low]), _told(low, high, factor, one, two)))
    told: set[TableCell] = set()
    for families, broken in wrong.items():
        shared = [cell for cell in broken[0].cells if all(cell in each.cells for each in broken)]
        if shared and right[families] >= max(ENOUGH, 2 * len(broken)) and shared[0] not in told:
            told.add(shared[0])
            yield Hit("N016", *shared[0].span, broken[0].detail)


def _laws(keys: list[Key]) -> Iterator[tuple[Key, Key, Fraction | int]]:
    """Yield the pairs of measures of which the first, times a factor, is at most the second."""
    for low in keys:
        for high in keys if low[1] <= LARGEST else ():
            one, two = (key[1] or DEEPEST for key in (low, high))
            if low[0] == high[0]:
                if one < two and low[0] in GROWING and low[1] and (high[1] or low[0] == "RR"):
                    yield low, high, 1
                elif one < two < DEEPEST and low[0] == "P":
                    yield low, high, Fraction(one, two)
            elif (high[0] == "Success" and low[0] in BOUNDED and 0 < low[1] <= high[1]) or (
                high[0] == "RR" and low[0] in {"Success", "P"} and low[1] == 1
            ):
                yield low, high, 1
            elif high[0] == "RR" and low[0] == "Success" and 1 < one <= two:
                yield low, high, Fraction(1, one)


def _runs(table: DocumentTable) -> list[Run]:
    """The cells of each run by measure: along rows or columns, apart by the rest of their headers; what is there twice is nobody's."""
    runs: dict[tuple[object, ...], Run] = defaultdict(dict)
    for row, column, cell in table.body():
        value, above, left = cell.value, table.above(row, column), table.left(row)
        if value is None or not value.decimals or value.start > 1 or value.signed or is_change(*above, *left):
            continue
        names, line = (above, ("row", row)) if measure_of(*above) is not None else (left, ("column", column))
        measure = measure_of(*names)
        if measure is None or is_lower_better(*above, *left):
            continue
        rest = tuple(words for name in names if (words := without_measures(name)))
        run = runs[(*line, value.percent, *rest)]
        run[measure.key] = None if measure.key in run else cell
    return [run for run in runs.values() if sum(cell is not None for cell in run.values()) >= FEWEST and _has_one_unit(run)]


def _has_one_unit(run: Run) -> bool:
    values = [cell.value.value for cell in run.values() if cell is not None and cell.value is not None and cell.value.value]
    return bool(values) and (max(values) <= 1 or min(values) > 1)


def _told(low: Key, high: Key, factor: Fraction | int, one: Printed, two: Printed) -> str:
    bound = (
        one.plain
        if factor == 1
        else f"{show(one.value * factor, one.decimals + 1)} ({factor.numerator}/{factor.denominator} of {one.plain})"
    )
    return f"{_named(high)} = {two.plain} is printed, but it is at least {bound}, by {_named(low)} = {one.plain}"


def _named(key: Key) -> str:
    family = {"RR": "MRR", "AP": "MAP"}.get(key[0], key[0])
    return f"{family}@{key[1]}" if key[1] else family
