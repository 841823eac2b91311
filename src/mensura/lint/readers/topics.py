"""Numbers of topics: what a text states, and what known collections have."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable

# Collections with the numbers of topics that are evaluated on them; two where some topics have no relevant document.
COLLECTIONS: tuple[tuple[re.Pattern[str], frozenset[int]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), frozenset(counts))
    for pattern, counts in (
        (r"\bRobust[- ]?(?:20)?04\b|\bTREC (?:2004 )?Robust\b", (249, 250)),
        (r"\bTREC[- ]?[1-8]\b", (50,)),
        (r"\bWT10G\b", (100,)),
        (r"\b(?:Gov2|Terabyte)\b", (149, 150)),
        (r"\b(?:TREC )?DL[- '’]?(?:20)?19\b|\bDeep Learning (?:Track )?(?:20)?19\b|\bTREC[- ]?(?:20)?19 DL\b", (43,)),
        (r"\b(?:TREC )?DL[- '’]?(?:20)?20\b|\bDeep Learning (?:Track )?2020\b", (54,)),
        (r"\bDL[- '’]?(?:20)?21\b", (53, 57)),
        (r"\bDL[- '’]?(?:20)?22\b", (76,)),
        (r"\bDL[- ]?Hard\b", (50,)),
        (r"\bMS[- ]?MARCO\b[^.;|]{0,20}\bdev\b|\bdev \(small\)|\bMARCO dev\b", (6980,)),
        (r"\bTREC[- ]?COVID\b", (50,)),
        (r"\bNFCorpus\b", (323,)),
        (r"\bSciFact\b", (300,)),
        (r"\bFiQA\b", (648,)),
        (r"\bArguAna\b", (1406,)),
        (r"\bTouch[eé]", (49,)),
        (r"\bSCIDOCS\b", (1000,)),
        (r"\bDBPedia", (400,)),
        (r"\bSignal-?1M\b", (97,)),
        (r"\bTREC-?NEWS\b", (57,)),
    )
)
STATED = re.compile(
    r"(?<![\d.,])(?P<count>\d(?:\d|,(?=\d{3}))*)(?P<k>\s*k)?\+?\s+(?:[A-Za-z-]+ ){0,3}(?:topics|queries|questions|requests|information needs)\b"
)
PART = re.compile(
    r"\b(?:of|training|train|validation|development|held-out|sampled?|remaining|removed|first|more than|about|over|than|per|each|folds?)\b",
    re.IGNORECASE,
)


@lru_cache(4096)
def stated_counts(text: str) -> frozenset[int]:
    """Return the numbers of topics that a text states."""
    counts = set()
    for match in STATED.finditer(text):
        count = int(match["count"].replace(",", "")[:9]) * (1000 if match["k"] else 1)
        if count > 1:
            counts.add(count)
    return frozenset(counts)


@lru_cache(4096)
def collection_counts(text: str) -> frozenset[int]:
    """Return the numbers of topics of the collections that a text names."""
    return frozenset(count for pattern, counts in COLLECTIONS if pattern.search(text) for count in counts)


def topics_of(document: Document, table: DocumentTable, *texts: str) -> frozenset[int]:
    """Return the numbers of topics that the cells below some headers may have: from the headers, the caption, or the whole text.

    The nearest statement counts; nothing is known if the text states several numbers.
    """
    for text in (" ; ".join(texts), table.caption):
        counts = stated_counts(text) or collection_counts(text)
        if counts:
            return counts
    counts = frozenset(
        count
        for sentence in document.having("topics", "queries", "questions", "requests", "information needs")
        for count in stated_counts(sentence.normal)
    )
    return counts if len(counts) == 1 else frozenset()
