"""The number checker: printed numbers against each other, in exact arithmetic, with everything that rounding allows.

Each module looks at sentences, at tables, or at both. A finding shows both numbers and the arithmetic between them. Nothing is reported
that rounding or cutting off could explain, or another common way to write the same thing: :mod:`~mensura.lint.numbers.evidence` has the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.lint.numbers import (
    across,
    beside,
    calculations,
    claims,
    columns,
    comparisons,
    copies,
    counts,
    cutoffs,
    harmonic,
    marks,
    means,
    orders,
    pairs,
    probabilities,
    ranges,
    ratios,
    repeated,
    significance,
)
from mensura.lint.numbers.catalogue import RULES
from mensura.lint.numbers.known import Known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.rule import Hit

__all__ = ["RULES", "check"]


def check(document: Document) -> Iterator[Hit]:
    """Yield the numbers of a document that contradict each other, each once for a rule."""
    told: set[tuple[str, int]] = set()
    for hit in _hits(document):
        if (hit.code, hit.start) not in told:
            told.add((hit.code, hit.start))
            yield hit


def _hits(document: Document) -> Iterator[Hit]:
    for module in (comparisons, ratios, probabilities, significance, ranges, counts, harmonic, calculations):
        yield from module.check_sentences(document)
    for table in document.tables:
        for tables in (columns, probabilities, significance, marks, means, counts, harmonic, cutoffs):
            yield from tables.check_table(table)
        yield from ranges.check_table(document, table)
    known = Known(document)
    for texts in (repeated, claims, copies, orders, pairs, beside):
        yield from texts.check(document, known)
    yield from across.check(document)
