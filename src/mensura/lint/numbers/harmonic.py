"""N014: F1 against precision and recall.

F1 of one result is the harmonic mean of its precision and recall. A mean of F1 over topics or classes is at most the harmonic mean of the mean
precision and the mean recall, because the harmonic mean is concave: above it nothing explains F1, below it averaging does.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.evidence import by_chance, is_established
from mensura.lint.readers.printed import NUMBER, Printed, Span, printed, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable

KIND = r"(?P<kind>(?:macro|micro|weighted|mean|avg\.?|average)[- ]?)?"
DEPTH = r"(?:\s?@\s?(?P<k>\d+))?(?:\s?\(?%\)?)?"
HEADS = {
    "P": re.compile(rf"{KIND}(?:P|Prec\.?|Precision){DEPTH}", re.IGNORECASE),
    "R": re.compile(rf"{KIND}(?:R|Rec\.?|Recall){DEPTH}", re.IGNORECASE),
    "F": re.compile(rf"{KIND}F[-_ ]?(?:1|measure|score|1[- ]?(?:score|measure)){DEPTH}", re.IGNORECASE),
}
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


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield F1 that is not the harmonic mean of precision and recall, where that of the other rows is."""
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    if not table.sure or not body:
        return
    for column in range(table.leads, table.width - 2):
        places = _places(table, body[0], column)
        if places is not None:
            yield from _compared(table, body, places)


def _compared(table: DocumentTable, body: list[int], places: tuple[int, int, int]) -> Iterator[Hit]:
    high, low, right = [], [], []
    for row in body:
        cells = [cell for place in places if (cell := table.grid[row][place]) is not None]
        values = [cell.value for cell in cells if cell.value is not None and cell.value.start <= 1 and cell.value.decimals]
        if any(value.signed for value in values):
            continue  # differences
        span = harmonic(values[0], values[1]) if len(values) == 3 and values[0].value + values[1].value else None  # noqa: PLR2004 - precision and recall and F1
        if span is None:
            continue
        if span.meets(values[2].span):
            right += [values] if values[0].value != values[1].value else []
        elif values[2].span.low > span.high:
            high.append((cells[2].span, _told(*values)))
        elif not AVERAGED.search(" ".join((*table.left(row), *table.above(row, places[2])))) and "±" not in cells[2].text:
            low.append((cells[2].span, values))
    if len(right) < 2 or 2 * len(high) > len(right):  # noqa: PLR2004 - rows that show what F1 is here
        return
    for (start, end), detail in high:
        yield Hit("N014", start, end, detail)
    chance = math.prod(by_chance([each[2].unit], _apart(each)) for each in right)
    for (start, end), values in low if is_established(len(right), len(low) + len(high), chance) else ():
        yield Hit("N014", start, end, _told(*values))


def _apart(values: list[Printed]) -> Fraction:
    """Return how far precision and recall are apart: a mean of F1 over classes may be anywhere between."""
    return abs(values[0].value - values[1].value)


def _places(table: DocumentTable, row: int, column: int) -> tuple[int, int, int] | None:
    """The columns of precision, recall and F1 from a column on, if they are neighbours and of one kind."""
    names = [table.above(row, place) for place in range(column, column + 3)]
    if not all(names) or len({name[:-1] for name in names}) > 1:
        return None
    places: dict[str, int] = {}
    kinds = set()
    for offset, name in enumerate(names):
        for key, pattern in HEADS.items():
            match = pattern.fullmatch(name[-1].strip())
            if match is not None:
                places[key] = column + offset
                kinds.add(((match["kind"] or "").strip(" -").lower(), match["k"]))
    return (places["P"], places["R"], places["F"]) if len(places) == 3 and len(kinds) == 1 else None  # noqa: PLR2004 - precision and recall and F1
