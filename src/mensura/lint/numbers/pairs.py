"""N008 for p-values: one of two systems in the text against the rows of all tables that compare the two."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.lint.numbers.probabilities import ADJUSTED, SOURCES, P, p_claim
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.numbers.known import Known
    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.printed import Printed
    from mensura.lint.readers.table import DocumentTable, TableCell

TABLE = re.compile(r"\b[Tt]ab(?:les?|s?\.)")
PARTS = re.compile(r"\s+(?:vs\.?|versus|and|[-–—/&])\s+")
NEAR = 10  # times that a p-value may be another one
BACK = 2  # sentences before, one of which may name the table
LONGEST = 40  # characters of a name


@dataclass(frozen=True, slots=True)
class PairRow:
    """A row that compares two systems: forms that match their names in a text, and its p-value."""

    names: tuple[re.Pattern[str], re.Pattern[str]]
    value: Printed
    cell: TableCell


def check(document: Document, known: Known) -> Iterator[Hit]:
    """Yield p-values of two systems that no table has, where the rows of the two have others."""
    sentences = [
        sentence for sentence in document.having("p-value", "p value", "p =", "p=") if len(list(P.finditer(sentence.normal))) == 1
    ]
    if not sentences or not known.tables:
        return
    rows = [row for table in known.tables if not ADJUSTED.search(table.caption) for row in _comparisons(table)]
    for sentence in sentences if rows else ():
        claim = p_claim(next(P.finditer(sentence.normal)))
        if claim is None or claim.relation != "=" or ADJUSTED.search(sentence.normal) or not _names_a_table(document, sentence):
            continue
        meant = [row for row in rows if all(name.search(sentence.normal) for name in row.names)]
        if not meant or any(row.value.span.meets(claim.number.span) for row in rows) or claim.number.value <= 0:
            continue
        nearest = min(meant, key=lambda row: abs(row.value.value - claim.number.value))
        if nearest.value.value > 0 and max(nearest.value.value, claim.number.value) <= NEAR * min(
            nearest.value.value, claim.number.value
        ):
            detail = (
                f"p = {claim.number.plain} is printed here, but {nearest.value.plain} in the table, {known.place(nearest.cell)}"
            )
            yield Hit("N008", *sentence.span(claim.start, claim.end), detail)


def _names_a_table(document: Document, sentence: Sentence) -> bool:
    """Return whether a sentence, or one right before it, names a table."""
    number = document.number(sentence)
    return any(TABLE.search(each.normal) for each in document.sentences[max(number - BACK, 0) : number + 1])


def _comparisons(table: DocumentTable) -> Iterator[PairRow]:
    """Yield the rows of a table with two names and a p-value."""
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    if not body:
        return
    heads = [(table.above(body[0], column) or ("",))[-1].strip(" .") for column in range(table.width)]
    columns = [column for column, head in enumerate(heads) if column >= table.leads and SOURCES["p"].fullmatch(head)]
    if len(columns) != 1:
        return
    for row in body:
        cell = table.grid[row][columns[0]]
        names = [
            form
            for column in range(columns[0])
            if (each := table.grid[row][column]) is not None and not each.is_empty and "." not in each.text
            for form in _forms(each.text, heads[column])
        ]
        if cell is not None and cell.value is not None and not re.match(r"\s*[<>≤≥]", cell.text) and len(names) == 2:  # noqa: PLR2004 - one against another
            yield PairRow((names[0], names[1]), cell.value, cell)


def _forms(text: str, head: str) -> Iterator[re.Pattern[str]]:
    """Yield forms for the names in a cell: a number belongs to the first word of its header, as in ``run 5``."""
    for name in PARTS.split(text.strip()):
        if name.isdigit() and head.split():
            yield re.compile(rf"\b{re.escape(head.split(maxsplit=1)[0])}s?[ ~]?#?{name}(?![\w.])", re.IGNORECASE)
        elif not name.isdigit() and 1 < len(name) <= LONGEST:
            yield re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w+-])")
