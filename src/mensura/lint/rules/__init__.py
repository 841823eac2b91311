"""All rules: one file per family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.lint.readers.code import check_code
from mensura.lint.rules import (
    data,
    digits,
    effects,
    hypotheses,
    improvements,
    measures,
    proof,
    reproducibility,
    scales,
    splits,
    suppressions,
    testing,
)

if TYPE_CHECKING:
    from mensura.lint.readers.document import Document
    from mensura.lint.rule import Hit

TEXT = (measures, digits, improvements, splits, hypotheses, testing, effects, reproducibility, proof)
CATALOGUE = {rule.code: rule for family in (*TEXT, scales, data, suppressions) for rule in family.RULES}


def check_document(document: Document) -> list[Hit]:
    """All that the rules for texts find in a document, and in the code that it shows."""
    return [*(hit for family in TEXT for hit in family.check(document)), *check_code(document.code)]
