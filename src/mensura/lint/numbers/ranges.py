"""N009, N010 and N011: values outside of a measure's range, percentages among fractions, and means that no topics can have."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.evidence import CHANCE
from mensura.lint.numbers.known import table_cells
from mensura.lint.numbers.names import MeasureName, is_change, is_lower_better, measure_of, measures_in
from mensura.lint.readers.printed import NUMBER, Printed, in_range, printed, show
from mensura.lint.rule import Hit
from mensura.lint.sizes import stated_counts
from mensura.lint.topics import topics_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable, TableCell

SAID = re.compile(
    r"\s?(?:\([^()]{0,20}\) )?(?:score |value )?(?:(?:of|for) (?:the |our )?[\w+\-./]{1,25}(?: [\w+\-./]{1,20}){0,2} )?(?:of|is|was|=|:|reache[sd]|achieve[sd]|at|equals)\s?(?:about )?$"
)
FRACTIONS = {
    "nDCG",
    "AP",
    "RR",
    "P",
    "Recall",
    "RBP",
    "bpref",
    "Rprec",
    "Success",
}  # families whose values above 1 mean nothing else
SCALED = re.compile(
    r"\b(?:relative|ratios?|times|baselines?|normali[sz]ed by|factors?|scaled|per|losse?s?|std|deviation|variance)\b|×|±",
    re.IGNORECASE,
)
OF = re.compile(r"\s?(?:of\b|(?:[mckn]?m|m?s|sec|x|k|M|G|times)\b|[µ°×%])")
REACH = 70  # characters between a measure and its value
TWO = 2
REPEATED = re.compile(
    r"\b(?:folds?|seeds?|repetitions?|restarts?|averaged? (?:over|across)|cross-?validat\w*|bootstrap\w*|samples?|splits?|simulat\w*|median|interpolated|assessors?|trials?|several runs)\b",
    re.IGNORECASE,
)
PARTIAL = re.compile(  # fewer topics than the sentence names
    r"\b\w+ of (?:the |these |all )?\d+ |\b(?:of|from|except|without) (?:the |these |all )?\d+ \w*(?:topics|queries|questions)\b[^.;]*,|\b(?:remov|exclud|discard|drop|skip|left out|leav|ignor|miss)\w*|\ball but\b",
    re.IGNORECASE,
)
RELATED = re.compile(
    r"correlat|regress|coefficient|slope|effect|lags?\b|behind|lower|worse|penalt|reduc|decreas|drop|los[est]|cost", re.IGNORECASE
)
CUES = (
    "map",
    "ndcg",
    "mrr",
    "precision",
    "recall",
    "p@",
    "r@",
    "p_",
    "success@",
    "s@",
    "hit",
    "err",
    "rbp",
    "f1",
    "bpref",
    "accurac",
)
OTHERS = 3  # values of a column that say what is usual there
SEVERAL = re.compile(r"\s?/\s?[\d.]")  # values of one cell
LIMIT = 100


def check_sentences(document: Document) -> Iterator[Hit]:
    """Yield values beyond 1 or 100 %, and means that the stated number of topics cannot give."""
    for sentence in document.having(*CUES):
        text = sentence.normal
        names = measures_in(text)
        if not names or not any(letter.isdigit() for letter in text):
            continue
        for number in (printed(match) for match in NUMBER.finditer(text)):
            near = [name for name in names if name.end <= number.start <= name.end + REACH]
            if not near or in_range(text, number):
                continue
            said = SAID.fullmatch(text[near[-1].end : number.start]) is not None
            if number.value < 0:
                if said and _is_value(text, near[-1], number):
                    yield Hit(
                        "N009",
                        *sentence.span(number.start, number.end),
                        f"{number.plain} for {near[-1].label}, which is never negative",
                    )
                continue
            if said and _above_one(document, text, near[-1], number):
                yield Hit(
                    "N009",
                    *sentence.span(number.start, number.end),
                    f"{number.plain} for {near[-1].label}, which cannot exceed 1, where no value is in per cent",
                )
            elif (
                said
                and number.decimals > 0
                and not OF.match(text[number.end :])
                and number.span.low > LIMIT
                and not is_change(text[max(0, near[-1].start - 30) : number.end])
            ):
                yield Hit(
                    "N009",
                    *sentence.span(number.start, number.end),
                    f"{number.plain} for {near[-1].label}, whose values are from 0 to 1, or to 100 in per cent",
                )
            elif said:
                yield from _grim_sentence(sentence, near[-1], number)


def _above_one(document: Document, text: str, name: MeasureName, number: Printed) -> bool:
    """Return whether a value is a little above 1, where no other number of the document is in the unit of per cent."""
    if not 1 < number.span.low < number.value <= TWO or number.percent or number.decimals < TWO or name.family not in FRACTIONS:
        return False
    if name.family in {"P", "Recall", "Success", "AP", "RR"} and not (name.cutoff or text[name.start : name.end].isupper()):
        return False  # the precision of an instrument
    if OF.match(text[number.end :]) or SCALED.search(text) or is_change(text):
        return False
    return all(other.value <= 1 or other.value == number.value for other in _measured(document))


def _measured(document: Document) -> Iterator[Printed]:
    """Yield the values of measures in tables, and the numbers with decimals in sentences that name a measure."""
    for table in document.tables:
        yield from (entry.value for entry in table_cells(table))
    for sentence in document.having(*CUES):
        if measures_in(sentence.normal):
            yield from (number for match in NUMBER.finditer(sentence.normal) if (number := printed(match)).decimals)


def _is_value(text: str, name: MeasureName, number: Printed) -> bool:
    """Return whether a negative number is said to be a value: differences and correlations are negative too, and often stand alone."""
    words = re.match(
        r"\s?(?:score |value )?(?:(?:of|for) (?:the |our )?[\w+\-./]{1,25}(?: [\w+\-./]{1,20}){0,2} )?(?:of|is|was|=)\s?$",
        text[name.end : number.start],
    )
    signed = sum(match["sign"] is not None for match in NUMBER.finditer(text))
    return (
        words is not None
        and number.span.high < 0
        and number.decimals > 1
        and signed == 1
        and not is_change(text)
        and not RELATED.search(text)
    )


def _grim_sentence(sentence: Sentence, name: MeasureName, number: Printed) -> Iterator[Hit]:
    if not name.denominator:
        return
    text = sentence.normal
    counts = stated_counts(text)
    if len(counts) != 1 or REPEATED.search(text) or PARTIAL.search(text):
        return
    (count,) = counts
    problem = impossible(number, count * name.denominator)
    if problem:
        yield Hit("N011", *sentence.span(number.start, number.end), f"{name.label} = {number.plain} over {count} topics: {problem}")


def impossible(number: Printed, parts: int) -> str:
    """Return why no multiple of 1/``parts`` is printed like this; nothing if one is."""
    scale = 100 if number.percent or number.value > 1 else 1
    value, unit = number.value / scale, number.unit / scale
    low = value - unit / 2
    first = Fraction(-(-low.numerator * parts // low.denominator), parts)  # the first multiple that is not below
    if first <= value + unit / 2 or value <= first < value + unit:  # rounded, or cut off
        return ""
    below, digits = first - Fraction(1, parts), number.decimals + 1
    return f"the nearest multiples of 1/{parts} are {show(below * scale, digits)} and {show(first * scale, digits)}"


def check_table(document: Document, table: DocumentTable) -> Iterator[Hit]:
    """Yield odd values of columns and rows of a measure."""
    if not table.sure or table.head == len(table.rows):
        return
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    cells = {(row, column): cell for row, column, cell in table.body()}
    labels = {row: table.left(row) for row in body}
    names = {column: table.above(body[0], column) for column in range(table.leads, table.width)} if body else {}
    rows_are_measures = sum(measure_of(*label) is not None for label in labels.values()) * 2 > len(labels)
    if rows_are_measures:
        cells = {(column, row): cell for (row, column), cell in cells.items()}
        labels, names = names, labels
    odd: list[Hit] = []
    for place, name in names.items():
        measure = measure_of(*name)
        if measure is None or is_change(*name) or is_lower_better(*name) or (measure.family == "Success" and not measure.cutoff):
            continue  # a success may be anybody's
        column = [
            cell
            for line, label in labels.items()
            if (cell := cells.get((line, place))) is not None
            and not is_change(*label)
            and not is_lower_better(*label)
            and (rows_are_measures or measure_of(*label) is None)
        ]
        odd += _range(measure, column)
        yield from _grim_table(document, table, measure, column, name if not rows_are_measures else ())

    if len(odd) == 1:  # more of them are ratios, or something else that is called by the name of its measure
        yield odd[0]


def _values(column: list[TableCell]) -> list[tuple[TableCell, Printed]]:
    return [
        (cell, cell.value)
        for cell in column
        if cell.value is not None
        and cell.value.start <= 1
        and not cell.value.signed
        and cell.value.decimals > 0
        and not SEVERAL.match(cell.text, cell.value.end)
    ]


def _range(measure: MeasureName, column: list[TableCell]) -> Iterator[Hit]:
    """A value above 1 among fractions, or a fraction among percentages."""
    values = _values(column)
    fractions = [(cell, number) for cell, number in values if number.value <= 1 and not number.percent]
    beyond = [(cell, number) for cell, number in values if number.value > 1 or number.percent]
    if len(beyond) == 1 and len(fractions) >= OTHERS and beyond[0][1].span.low > 1:
        cell, number = beyond[0]
        usual = [other for _, other in fractions if other.decimals >= 2]  # noqa: PLR2004 - as fractions are printed
        if len(usual) < OTHERS:
            return
        low, high = min(other.value for other in usual), max(other.value for other in usual)
        if number.percent or (
            number.value <= LIMIT and number.decimals == usual[0].decimals - 2 and low / 3 <= number.value / 100 <= high * 3
        ):
            yield Hit(
                "N010",
                *cell.span,
                f"{number.plain} among fractions from {show(low, usual[0].decimals)} to {show(high, usual[0].decimals)} of {measure.label}",
            )
        else:
            yield Hit(
                "N009",
                *cell.span,
                f"{number.plain} for {measure.label}, whose other values here are from {show(low, usual[0].decimals)} to {show(high, usual[0].decimals)}, and which cannot exceed 1",
            )
    elif len(fractions) == 1 and len(beyond) >= OTHERS:
        cell, number = fractions[0]
        low, high = min(other.value for _, other in beyond), max(other.value for _, other in beyond)
        digits = {other.decimals for _, other in beyond}
        if digits == {number.decimals - 2} and low > 2 and low / 2 <= number.value * 100 <= high * 2:  # noqa: PLR2004 - values in per cent
            yield Hit(
                "N010",
                *cell.span,
                f"{number.plain} among percentages from {show(low, min(digits))} to {show(high, min(digits))} of {measure.label}",
            )
    for cell, number in values:
        if (
            number.span.low > LIMIT
            and number.decimals > 0
            and len(values) > OTHERS
            and sum(other.value <= LIMIT for _, other in values) >= len(values) - 1
        ):
            yield Hit("N009", *cell.span, f"{number.plain} for {measure.label}, which cannot exceed 1, or 100 in per cent")


def _grid(number: Printed) -> int:
    """Number of values from 0 to 1 that can be printed with the decimals of a number."""
    return int(10 ** (number.decimals + (2 if number.percent or number.value > 1 else 0)))


def _fitting(grid: int, parts: int) -> float:
    """Return the proportion of printed values that multiples of 1/``parts`` can give: one each, or two, rounded and cut off."""
    return min(1.0, (1 if grid % parts == 0 else 2) * parts / grid)


def _grim_table(
    document: Document, table: DocumentTable, measure: MeasureName, column: list[TableCell], name: tuple[str, ...]
) -> Iterator[Hit]:
    """Values of P@k and success that the number of topics cannot give, where the others of the column can."""
    if not measure.denominator or REPEATED.search(table.caption):
        return
    counts = topics_of(document, table, *name)
    parts = measure.denominator * max(counts, default=0)
    values = [(cell, number) for cell, number in _values(column) if _grid(number) >= 2 * parts]
    if not counts or len(values) < OTHERS:
        return
    problems = {cell: [impossible(number, count * measure.denominator) for count in sorted(counts)] for cell, number in values}
    wrong = [(cell, number) for cell, number in values if all(problems[cell])]
    right = len(values) - len(wrong)
    chance = math.prod(_fitting(_grid(number), parts) for cell, number in values if not all(problems[cell]))
    if wrong and right >= max(2, 2 * len(wrong)) and chance <= CHANCE:
        for cell, number in wrong:
            count = min(counts)
            yield Hit("N011", *cell.span, f"{measure.label} = {number.plain} over {count} topics: {problems[cell][0]}")
