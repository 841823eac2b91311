"""N014: F1 against precision and recall.

F1 of one result is the harmonic mean of its precision and recall. A mean of F1 over topics or classes is at most the harmonic mean of the mean
precision and the mean recall, because the harmonic mean is concave: above it nothing explains F1, below it averaging does.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.evidence import by_chance, is_established
from mensura.lint.readers.printed import NUMBER, Printed, Span, printed, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable, TableCell

KIND = r"(?P<kind>(?:macro|micro|weighted|mean|avg\.?|average)[- ]?)?"
DEPTH = r"(?:\s?@\s?(?P<k>\d+))?(?:\s?\(?%\)?)?"
HEADS = {
    "P": re.compile(rf"{KIND}(?:P|Prec\.?|Precision){DEPTH}", re.IGNORECASE),
    "R": re.compile(rf"{KIND}(?:R|Rec\.?|Recall){DEPTH}", re.IGNORECASE),
    "F": re.compile(rf"{KIND}F[-_ ]?(?:1|measure|score|1[- ]?(?:score|measure)){DEPTH}", re.IGNORECASE),
}
ONLY_F = re.compile(r"\s*F[-_ ]?(?:1|₁|measure|score)", re.IGNORECASE)
BEST = re.compile(r"best|max|optimal", re.IGNORECASE)
REACH = 4  # columns between which precision, recall and F1 are neighbours
AVERAGED = re.compile(r"macro|avg|average|mean|weighted|total|overall|all\b", re.IGNORECASE)
VALUE = r"(?:of|is|was|=|:|at)?\s?(?P<{}>\d{{0,3}}\.\d+\s?%?)"
SENTENCE = re.compile(
    rf"\b[Pp]recision\s?{VALUE.format('p')},?(?: and)?(?: an?| the)?\s?[Rr]ecall\s?{VALUE.format('r')},?(?: and| with| giving| resulting in| i\.e\.)?(?: an?| the)?\s?F-?_?1?(?:[- ]?(?:score|measure))?\s?{VALUE.format('f')}"
)


def harmonic(one: Printed, two: Printed) -> Span | None:
    """Return what the harmonic mean of two printed values may be; nothing if both may be 0."""
    lows, highs = [max(each.span.low, Fraction(0)) for each in (one, two)], [each.span.high for each in (one, two)]
    if not all(highs):
        return None
    low = 2 * lows[0] * lows[1] / (lows[0] + lows[1]) if sum(lows) else Fraction(0)
    return Span(low, 2 * highs[0] * highs[1] / (highs[0] + highs[1]))


def _told(one: Printed, two: Printed, mean: Printed) -> str:
    exact = 2 * one.value * two.value / (one.value + two.value)
    formula = f"2 · {one.plain} · {two.plain} / ({one.plain} + {two.plain})"
    return f"F1 = {mean.plain} is printed, but {formula} = {show(exact, mean.decimals)}"


def check_sentences(document: Document) -> Iterator[Hit]:
    """Yield F1 above both precision and recall, which no kind of averaging gives."""
    for sentence in document.having("precision", also=("recall",)):
        text = sentence.normal
        for match in SENTENCE.finditer(text):
            numbers = [NUMBER.match(text, match.start(name)) for name in "prf"]
            values = [printed(number) for number in numbers if number is not None]
            if len(values) < len(numbers) or len({value.percent for value in values}) > 1 or not values[0].value + values[1].value:
                continue
            if values[2].span.low > max(value.span.high for value in values[:2]):
                yield Hit("N014", *sentence.span(match.start("f"), match.end("f")), _told(*values))


@dataclass(frozen=True, slots=True)
class Grid:
    """A table by its lines, which are rows or columns, with their labels, and by the places along them, with their names."""

    cells: dict[tuple[int, int], TableCell]
    labels: dict[int, tuple[str, ...]]
    names: dict[int, tuple[str, ...]]

    def value(self, line: int, place: int) -> Printed | None:
        """Return the number of a cell."""
        cell = self.cells.get((line, place))
        return None if cell is None else cell.value


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield F1 that is not the harmonic mean of precision and recall, where that of the other rows, or columns, is."""
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    if not table.sure or not body:
        return
    cells = {(row, column): cell for row, column, cell in table.body()}
    names = {column: table.above(body[0], column) for column in range(table.leads, table.width)}
    labels = {row: table.left(row) for row in body}
    yield from _check(Grid(cells, labels, names))
    yield from _check(Grid({(column, row): cell for (row, column), cell in cells.items()}, names, labels))


def _check(grid: Grid) -> Iterator[Hit]:
    means = [place for place, name in grid.names.items() if name and ONLY_F.match(name[-1])]
    named: set[int] = set()
    order = list(grid.names)
    for at in range(len(order) - 2) if means else ():
        places = _places(grid, order[at : at + 3])
        if places is not None:
            named.add(places[2])
            yield from _compared(grid, places)
    for mean in means:
        if mean not in named and not any(key.search(grid.names[mean][-1]) for key in (AVERAGED, BEST)):
            yield from _compared(grid, *_others(grid, mean))


def _others(grid: Grid, mean: int) -> tuple[tuple[int, int, int] | None, int]:
    """Return F1 after the two places whose harmonic mean it is most often, whatever they are called, and how many pairs were tried."""
    name = grid.names[mean]
    near = [
        place
        for place, other in grid.names.items()
        if place != mean and abs(place - mean) <= REACH and other[:-1] == name[:-1] and other and not ONLY_F.match(other[-1])
    ]
    pairs = list(itertools.combinations(near, 2))
    best = max(pairs, key=lambda pair: sum(_fits(grid, line, (*pair, mean)) for line in grid.labels), default=None)
    return (None if best is None else (*best, mean)), len(pairs)


def _fits(grid: Grid, line: int, places: tuple[int, int, int]) -> bool:
    values = [value for place in places if (value := grid.value(line, place)) is not None]
    span = harmonic(values[0], values[1]) if len(values) == 3 else None  # noqa: PLR2004 - precision and recall and F1
    return span is not None and span.meets(values[2].span)


@dataclass(frozen=True, slots=True)
class Trio:
    """Precision, recall and F1 of a line."""

    line: int
    cell: TableCell
    values: list[Printed]


def _compared(grid: Grid, places: tuple[int, int, int] | None, tried: int = 0) -> Iterator[Hit]:
    """Compare F1 with two places: precision and recall by their names, or one pair of those that were ``tried``."""
    high: list[Trio] = []
    low: list[Trio] = []
    right: list[Trio] = []
    for trio in _trios(grid, places) if places is not None else ():
        span = harmonic(trio.values[0], trio.values[1])
        if span is None or span.meets(trio.values[2].span):
            right += [trio] if trio.values[0].value != trio.values[1].value else []
        elif trio.values[2].span.low > span.high:
            high.append(trio)
        elif "±" not in trio.cell.text and places is not None:
            words = " ".join((*grid.labels[trio.line], *grid.names[places[2]]))
            low += [trio] if not AVERAGED.search(words) else []
    if len(right) < 2 or 2 * len(high) > len(right):  # noqa: PLR2004 - rows that show what F1 is here
        return
    chance = math.prod(by_chance([trio.values[2].unit], _apart(trio.values)) for trio in right) * max(tried, 1)
    sure = is_established(len(right), len(low) + len(high), chance)
    for trio in [*(high if sure or not tried else []), *(low if sure else [])]:
        yield Hit("N014", *trio.cell.span, _told(*trio.values))


def _trios(grid: Grid, places: tuple[int, int, int]) -> Iterator[Trio]:
    """Yield the lines that have three values, of which none is a difference."""
    for line in grid.labels:
        cells = [cell for place in places if (cell := grid.cells.get((line, place))) is not None]
        values = [cell.value for cell in cells if cell.value is not None and cell.value.start <= 1 and cell.value.decimals]
        if len(values) == 3 and not any(value.signed for value in values) and values[0].value + values[1].value:  # noqa: PLR2004 - precision and recall and F1
            yield Trio(line, cells[2], values)


def _apart(values: list[Printed]) -> Fraction:
    """Return how far precision and recall are apart: a mean of F1 over classes may be anywhere between."""
    return abs(values[0].value - values[1].value)


def _places(grid: Grid, trio: list[int]) -> tuple[int, int, int] | None:
    """Return precision, recall and F1 among three neighbours, if they are of one kind."""
    names = [grid.names[place] for place in trio]
    if not all(names) or len({name[:-1] for name in names}) > 1:
        return None
    places: dict[str, int] = {}
    kinds = set()
    for place, name in zip(trio, names, strict=True):
        for key, pattern in HEADS.items():
            match = pattern.fullmatch(name[-1].strip())
            if match is not None:
                places[key] = place
                kinds.add(((match["kind"] or "").strip(" -").lower(), match["k"]))
    return (places["P"], places["R"], places["F"]) if len(places) == 3 and len(kinds) == 1 else None  # noqa: PLR2004 - precision and recall and F1
