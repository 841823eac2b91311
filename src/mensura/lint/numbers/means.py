"""N012: means of rows and columns against their cells."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.evidence import CHANCE, by_chance, is_established
from mensura.lint.numbers.names import AVERAGE, is_change, measure_of, measures_in
from mensura.lint.readers.printed import Printed, Span, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.table import DocumentTable, TableCell

SPREAD = re.compile(
    r"\b(?:std|stdev|st\.? ?dev|sd|se|sem|deviation|variance|var|error|ci|confidence|interval|bound|lower|upper|min|max|minimum|maximum|median|range|iqr|[pq]\d{1,2}|\d{1,2}(?:th|st|nd|rd)|quartiles?|percentiles?|quantiles?|n|obs)\b|±|σ",
    re.IGNORECASE,
)  # of a mean these are computed anew, not averaged
OF_MEASURE = re.compile(r"(?:avg|average|mean|averaged)\b\.? ?", re.IGNORECASE)
SEVERAL = re.compile(r"\s+[+−-]?\d")  # rows that a reader of pages has put into one cell
FEWEST = 2  # means that fit; where only one does, the others are near their cells
SURE = 3  # means that fit, where a name such as mean nDCG may be that of a mean over topics
MOST = 40  # cells of a mean that are worth showing


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield means that are not the means of their cells, where other means of the table are."""
    if not table.sure:
        return
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    columns = list(range(table.leads, table.width))
    cells = {(row, column): cell for row, column, cell in table.body()}
    names = {column: table.above(body[0], column) for column in columns} if body else {}
    labels = {row: table.left(row) for row in body}
    fewest = (
        SURE
        if any(
            SPREAD.search(" ".join(known.get(each, ()))) for lines, known in ((body, labels), (columns, names)) for each in lines
        )
        else 1
    )
    rows, places = (
        [each for each in lines if not SPREAD.search(" ".join(known.get(each, ())))]
        for lines, known in ((body, labels), (columns, names))
    )
    yield from _means(cells, _of_changes(rows, labels), places, names, fewest)
    turned = {(column, row): cell for (row, column), cell in cells.items()}
    yield from _means(turned, _of_changes(places, names), rows, labels, fewest)


def _of_changes(lines: list[int], known: dict[int, tuple[str, ...]]) -> dict[int, bool]:
    """Return for each line whether it has changes, whose average may be the change of the averages."""
    return {line: is_change(*known.get(line, ())[-1:]) for line in lines}


def _means(
    cells: dict[tuple[int, int], TableCell],
    lines: dict[int, bool],
    places: list[int],
    names: dict[int, tuple[str, ...]],
    fewest: int,
) -> Iterator[Hit]:
    """For each place (a column) that is called a mean, compare it with sets of the other places; at least the ``fewest`` means fit.

    Beside deviations and quantiles a mean is one of the data, not of the table.
    """
    averages = [place for place in places if names.get(place) and _is_mean(names[place][-1])]
    for average in averages:
        others = [place for place in places if place not in averages and not (names.get(place) and is_change(names[place][-1]))]
        before = [place for place in others if place < average and not any(average > each > place for each in averages)]
        after = [place for place in others if place > average and not any(average < each < place for each in averages)]
        candidates = [group for group in (before, others, after, _same(others, average, names)) if len(group) >= 2]  # noqa: PLR2004 - a mean of two
        compared = [_compare(cells, lines, group, average) for group in {tuple(group): group for group in candidates}.values()]
        best = max(compared, key=lambda each: (len(each.right), -len(each.wrong)), default=None)
        if best is None:
            continue
        named = AVERAGE.fullmatch(names[average][-1].strip()) is not None and measure_of(names[average][-1]) is None
        chance = math.prod(best.right) * len(compared)
        right, wrong = len(best.right), len(best.wrong)
        sure = is_established(right, wrong, 0.0 if named and right >= FEWEST else chance, stated=named)
        if (
            named and right >= FEWEST and chance <= CHANCE**2
        ):  # of so many cells that it is the mean of the table, even beside deviations
            fewest = min(fewest, right)
        if not sure or right < fewest or (not named and right < SURE):
            continue
        for line, exact, values in best.wrong:
            cell = cells[line, average]
            if cell.value is None or any(_fits(cells, line, group, average) for group in candidates):
                continue
            if right < FEWEST and any(_fits(cells, line, part, average) for part in _every_other(others)):
                continue
            if right < FEWEST and not (min(values, key=_size).value <= cell.value.value <= max(values, key=_size).value):
                continue
            words = " + ".join(value.plain for value in values) if len(values) <= MOST else f"sum of {len(values)} cells"
            yield Hit(
                "N012",
                *cell.span,
                f"{cell.value.plain} is printed, but ({words}) / {len(values)} = {show(exact, cell.value.decimals)}",
            )


def _every_other(places: list[int]) -> Iterator[list[int]]:
    """Yield every second, third, … of some places, as where three rows belong to one collection."""
    for step in range(2, len(places) // SURE + 1):
        yield from (places[offset::step] for offset in range(step))


def _size(number: Printed) -> Fraction:
    return number.value


def _is_mean(name: str) -> bool:
    """Return whether a header is ``average``, or an average of a measure, as in ``Avg. NDCG``; mean average precision is a measure."""
    name = name.strip()
    if AVERAGE.fullmatch(name):
        return True
    rest = OF_MEASURE.match(name)
    whole = [each for each in measures_in(name) if each.start == 0]
    return rest is not None and not whole and any((each.start, each.end) == (rest.end(), len(name)) for each in measures_in(name))


def _same(others: list[int], average: int, names: dict[int, tuple[str, ...]]) -> list[int]:
    """The places below the same heading, or of the same measure."""
    above = names[average][:-1]
    measure = measure_of(*names[average])
    return [
        place
        for place in others
        if (above and names.get(place, ())[: len(above)] == above)
        or (measure is not None and (own := measure_of(*names.get(place, ()))) is not None and own.key == measure.key)
    ]


def _values(cells: dict[tuple[int, int], TableCell], line: int, group: list[int]) -> list[Printed] | None:
    values = []
    for place in group:
        cell = cells.get((line, place))
        if cell is None or cell.value is None or cell.value.start > 1 or SEVERAL.match(cell.text, cell.value.end):
            return None
        values.append(cell.value)
    return values if len({value.decimals > 0 for value in values}) == 1 else None  # a count among scores is not averaged


def _fits(cells: dict[tuple[int, int], TableCell], line: int, group: list[int], average: int) -> bool:
    values, mean = _values(cells, line, group), cells[line, average].value
    if values is None or mean is None:
        return True
    return _mean(values).meets(mean.span)


def _mean(values: list[Printed]) -> Span:
    count = Fraction(1, len(values))
    return Span(
        sum((value.span.low for value in values), Fraction(0)) * count,
        sum((value.span.high for value in values), Fraction(0)) * count,
    )


@dataclass(frozen=True, slots=True)
class MeansCompared:
    """Means against a group of cells: the chance of each that fits, and the lines of the others with the mean that they should be."""

    right: list[float]
    wrong: list[tuple[int, Fraction, list[Printed]]]


def _compare(cells: dict[tuple[int, int], TableCell], lines: dict[int, bool], group: list[int], average: int) -> MeansCompared:
    """Compare the means of lines with a group of their cells."""
    right, wrong = [], []
    for line, changes in lines.items():
        cell = cells.get((line, average))
        values = _values(cells, line, group)
        if cell is None or cell.value is None or cell.value.decimals < 1 or values is None:
            continue
        if len({value.percent for value in values} | {cell.value.percent}) > 1:
            continue
        if _mean(values).meets(cell.value.span):
            spread = max(value.value for value in values) - min(value.value for value in values)
            if spread:
                right.append(by_chance([max(value.unit for value in values) + cell.value.unit], spread))
        elif not changes:
            wrong.append((line, sum((value.value for value in values), Fraction(0)) / len(values), values))
    return MeansCompared(right, wrong)
