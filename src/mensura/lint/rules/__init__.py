"""All rules, one file per family: a file of this package, or the number checker, with ``RULES``, and with ``check`` if it finds them in texts."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from mensura.lint import numbers
from mensura.lint.readers.code import check_code

if TYPE_CHECKING:
    from mensura.lint.readers.document import Document
    from mensura.lint.rule import Hit, Rule

FAMILIES = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)] + [numbers]
CATALOGUE: dict[str, Rule] = {rule.code: rule for family in FAMILIES for rule in family.RULES}


def check_document(document: Document) -> list[Hit]:
    """Return the hits of all rules for texts in a document, and in the code that it shows."""
    texts = [family for family in FAMILIES if hasattr(family, "check")]
    return [*(hit for family in texts for hit in family.check(document)), *check_code(document.code)]
