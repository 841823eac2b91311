"""P3 §2.3: more digits than the data support."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import MEASURE, excused
from mensura.lint.rule import FUHR, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable

DIGITS = Rule(
    code="M301",
    name="too-many-digits",
    severity="warning",
    strict="error",
    consequence="four decimals say more than some hundred topics can: one document more or less changes the third",
    demand="no more digits than one document can change: give at most three decimals, and the interval",
    reason=(
        "One relevant document more or less may change the last digit shown, and no other. For P@10 over 50 topics it changes the mean "
        "by 1/500, so three decimals are the most; four need a thousand topics. An interval says how precise a mean is (P3 §2.3)."
    ),
    references=(FUHR,),
    wrong="On 50 topics, P@10 rises from 0.4120 to 0.4380.",
    right="On 50 topics, P@10 rises from 0.412 to 0.438 (95 % CI of the difference: 0.004 to 0.048).",
    fix="Round to what mensura compare shows: it chooses digits by one document and by the interval.",
    debate="Digits that are given can be rounded by readers and used in meta-analyses; put them into a data file rather than the text.",
)
RULES = (DIGITS,)

TOPICS = re.compile(
    r"(?<![\d.])(\d(?:\d|,\s?(?=\d{3}))*)\s*k?\+?\s+(?:[A-Za-z-]+ ){0,3}(?:topics|queries|questions|requests|information needs|users)\b"
)
NUMBER = re.compile(r"(?<![\d.\w])[-−+]?(?:0?\.\d{4,12}|\d{1,2}\.\d{3,12}(?=%)|[1-9]\d?\.\d{4,12})(?!\d|\.\d|\w)")
LONG = re.compile(r"\.\d{3}")
PARAMETER = re.compile(
    r"(?:\bp(?:-?values?)?|[a-zA-Zα-ωΑ-Ω]\w{0,8}|rates?|decay|threshold|temperature|margin|weights?|dropout|seconds|ms)\s*(?:=|<|>|≤|≥|≈|of|to|at)?\s*$"
)
EXEMPT = re.compile(
    r"\bp[- ]?values?\b|\bp\s*[=<>]|\blearning rate|\btau\b|τ|ρ|\bcorrelat|\bcoefficient|\bloss\b|\bseconds?\b|\bms\b|\bAPs?\b of topic",
    re.IGNORECASE,
)
OTHER_COLUMN = re.compile(
    r"^p$|p[- ]?val|^α|lambda|λ|μ|time|sec|\bms\b|latency|param|rate|τ|tau|ρ|corr|loss|^k_?1$|^b$|effect|\bd_?z?\b|variance|\bid\b|weight",
    re.IGNORECASE,
)
EXACT = 12  # decimals of a number that was not rounded for people


def allowed(topics: int) -> int:
    """Decimals that a mean over so many topics may have: one document of ten moves it by 1 / (10 · topics)."""
    return 3 + (topics >= 1_000) + (topics >= 10_000)  # noqa: PLR2004 - powers of ten


def topic_count(document: Document) -> int:
    """The largest number of topics that the text speaks of."""
    most = 0
    for sentence in document.having("topics", "queries", "questions", "requests", "information needs", "users"):
        for match in TOPICS.finditer(sentence.normal):
            digits = re.sub(r"\D", "", match[1])[:9]
            most = max(most, int(digits) * (1000 if re.match(r"\s*k", sentence.normal[match.end(1) :]) else 1))
    for table in document.tables:
        for match in TOPICS.finditer(table.caption):
            most = max(most, int(re.sub(r"\D", "", match[1])[:9]))
    return most


def decimals(text: str) -> int:
    """Decimals of a number as a fraction: 31.25 in percent has four."""
    number = text.lstrip("+-−–(")
    return len(number.partition(".")[2]) + (2 if float(number) > 1 else 0)


def check(document: Document) -> Iterator[Hit]:
    """Values of measures with too many decimals, in prose and in tables."""
    most: int | None = None
    for sentence in document.matching(LONG):
        if not NUMBER.search(sentence.normal):
            continue
        most = allowed(topic_count(document)) if most is None else most
        yield from _prose(sentence, most)
    for table in document.tables:
        most = allowed(topic_count(document)) if most is None else most
        yield from _cells(table, most)


def _prose(sentence: Sentence, most: int) -> Iterator[Hit]:
    text = sentence.normal
    if not MEASURE.search(text):
        return
    for match in NUMBER.finditer(text):
        if decimals(match[0]) <= most or EXEMPT.search(text, max(0, match.start() - 60), match.start()):
            continue
        before = text[max(0, match.start() - 25) : match.start()]
        named = PARAMETER.search(before)
        if named is not None and "=" in named[0] + text[match.start() - 2 : match.start()] and not MEASURE.search(before):
            continue
        if not (MEASURE.search(text, 0, match.start()) or MEASURE.search(text, match.end(), match.end() + 25)):
            continue
        if excused(text, *match.span()):
            continue
        yield Hit("M301", *sentence.span(*match.span()), match[0])
        return


def _cells(table: DocumentTable, most: int) -> Iterator[Hit]:
    names = " ".join([table.caption, *(cell.text for cell in (*table.header, *table.labels))])
    if not MEASURE.search(names):
        return
    precise = []
    for cell, column in table.numbers():
        match = re.match(r"\(?[+−-]?\d{0,2}\.(\d+)", cell.text)
        if match is None or OTHER_COLUMN.search(column) or len(match[1]) >= EXACT:
            continue
        size = decimals(match[0])
        measured = size == len(match[1]) or (MEASURE.search(column) is not None and "%" not in column)
        if measured and size > most:
            precise.append(cell)
    if precise:
        cell = precise[0]
        yield Hit(
            "M301",
            cell.start,
            cell.start + len(cell.text),
            f"{cell.text} and {len(precise) - 1} more" if precise[1:] else cell.text,
        )
