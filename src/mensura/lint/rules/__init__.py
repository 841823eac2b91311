"""All rules, one file per family: a file of this package, or the number checker, with ``RULES``, and with ``check`` if it finds them in texts."""

from __future__ import annotations

import importlib
import pkgutil
import re
from itertools import islice
from typing import TYPE_CHECKING

from mensura.lint import numbers
from mensura.lint.language import MEASURE
from mensura.lint.readers.code import check_code
from mensura.lint.topics import topics_in

if TYPE_CHECKING:
    from mensura.lint.readers.document import Document
    from mensura.lint.rule import Hit, Rule

FAMILIES = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)] + [numbers]
CATALOGUE: dict[str, Rule] = {rule.code: rule for family in FAMILIES for rule in family.RULES}


def check_document(document: Document) -> list[Hit]:
    """Return the hits of all rules for texts in a document, and in the code that it shows."""
    texts = [family for family in FAMILIES if hasattr(family, "check")]
    hits = [hit for family in texts for hit in family.check(document)]
    if not about_retrieval(document):
        hits = [hit for hit in hits if not hit.code.startswith(GENERAL)]
    code = [block for block in document.code if not block.shown]
    if len(code) < len(document.code) and gives_values(document):
        code = document.code
    return [*hits, *check_code(code, topics=lambda: topics_in(document).whole)]


def gives_values(document: Document) -> bool:
    """Return whether a page gives values of measures: the programs on it are then those of an experiment, not only examples of use."""
    return any(MEASURE.search(cell.text) for table in document.tables for cell in (*table.header, *table.labels)) or any(
        MEASURE.search(sentence.normal) for sentence in document.matching(VALUE)
    )


# Rules whose words are those of every experiment: splits, tests, percentages, code that is not published, numbers.
GENERAL = ("M107", "M4", "M5", "M6", "M7", "M8", "M9", "N")
FIELD = re.compile(
    r"检索|推荐|搜索|検索|검색|추천|\b(?:поиск\w*|ранжирован\w*|рекомендац\w*|Suchmaschine\w*|recuperaci[oó]n|recupero|moteurs? de recherche|pencarian"
    r"|RAG|[Qq]uestion[- ][Aa]nswering|retriev(?:al|ed|e|er|es|ing)|re-?rank\w*|rankers?|n?DCG|MRR|MAP|BM25|TREC|CLEF|NTCIR|qrels|search engines?|recommender|recommendations?|relevance judge?ments?"
    r"|relevant documents?|(?:P|[Rr]ecall|[Pp]recision|R)@\d+|queries|IR systems?)\b"
)
VALUE = re.compile(r"(?<![\w.])0?\.\d{2,}\b")
PAGE = 12  # sentences; a shorter text need not say what it is about
ENOUGH = 3  # words of the field


def about_retrieval(document: Document) -> bool:
    """Return whether a text is about retrieval or recommendation; a short one is taken to be."""
    if len(document.sentences) <= PAGE:
        return True
    cells = " | ".join(cell.text for table in document.tables for cell in (*table.header, *table.labels))
    return sum(1 for _ in islice(FIELD.finditer(f"{document.plain} {cells}"), ENOUGH)) >= ENOUGH
