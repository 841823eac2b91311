"""P3 §2.3: more digits than the data support."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from mensura.lint.language import MEASURE, excused
from mensura.lint.rule import FUHR, Hit, Rule
from mensura.lint.topics import RECOMMENDS, allowed, counted, known_topics, stated_topics, table_topics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable, TableCell

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

NUMBER = re.compile(r"(?<![\d.\w±])[-−+]?(?:0?\.\d{4,18}|\d{1,2}\.\d{2,16}(?=\s?%)|[1-9]\d?\.\d{4,16})(?!\d|\.\d|\w)")
LONG = re.compile(r"\.\d{3}|\.\d{2}\s?\\?%")
PARAMETER = re.compile(
    r"(?:\bp(?:-?values?)?|[a-zA-Zα-ωΑ-Ω]\w{0,8}|rates?|decay|threshold|temperature|margin|weights?|dropout|seconds|ms)\s*(?:=|<|>|≤|≥|≈|of|to|at)?\s*$"
)
AP = re.compile(r"\bm?AP\s?=\s*$")
UNIT = re.compile(r"\s?(?:s|ms|sec|seconds?|minutes?|hours?|[KMG]B|bits?)\b")
NEAR = 60  # characters from a measure to a value in percent
EXEMPT = re.compile(
    r"\bp[- ]?values?\b|\bp\s*[=<>]|\blearning rate|\btau\b|τ|ρ|\bcorrelat|\bcoefficient|\bloss\b|\bseconds?\b|\bms\b|\bAPs?\b of topic",
    re.IGNORECASE,
)
LEVEL = re.compile(r"\b(?:of|is|was|=|reach\w*|achiev\w*|obtain\w*|at|to|score[sd]?|yield\w*|attain\w*|:)\s*$|\bfrom\s*$")
OTHER_COLUMN = re.compile(
    r"^p$|p[-_ ]?val|^α|lambda|λ|μ|\btimes?\b|runtime|\bsec|\bms\b|latency|param|(?<!hit )(?<!success )\brates?\b|τ|\btau\b|ρ|\bcorr|\bloss|^k_?1$|^b$|\beffects?\b|\bd_?z?\b|variance|\bid\b|\bweight"
    r"|^SS$|^MS$|^df$|sums? of squares|mean squares?|^F$|ω|η|\bt$|^t[- ]?stat|^q$|\bsize\b|docs|documents|tokens|\bstd|s\.?d\.?$|lower|upper|\bCI\b|\bimpr|\bgain|Δ|\bdiff|\bchange|(?<!AP )(?<!RR )score$|similarity|entropy|perplexity|RMSE|MAE",
    re.IGNORECASE,
)
RANKED = re.compile(  # measures that no classifier has
    r"\b(?:MAP|mAP|MRR|ERR|AP|RR|n?DCG|RBP|P|R|Recall|Precision|Success|S|Hits?)@\s?[\dkK]+|\b(?:MAP|MRR|n?DCG)\d{1,4}\b|\b(?:train|dev|val|test)(?:all)?(?:MAP|MRR|n?DCG)\b|\b(?:MAP|MRR|n?DCG|RBP|bpref|infAP|recip_rank|ndcg_cut_\d+|P_\d+|recall_\d+|R-?prec(?:ision)?)\b"
    r"|\bmean (?:average precision|reciprocal rank)\b|\b(?-i:AP|RR) scores?\b|\bretriev\w+|\brank(?:ing|er|ers)\b|\b(?:precision|recall) at\b",
    re.IGNORECASE,
)
ONE_TOPIC = re.compile(
    r"(?:user|query|topic|question)(?:[ _.-]?(?:id|no|number|text))?|qid|uid|num_q", re.IGNORECASE
)  # a row for each
EXACT = 12  # decimals of a number that was not rounded for people
HOPELESS = 6  # decimals that need a hundred thousand topics
PERCENT = re.compile(r"\bper ?cent\b|\bpercentages?\b|\(\s?\\?%\s?\)|\bin \\?%", re.IGNORECASE)  # a unit, in a caption
FEWEST = allowed(0)  # decimals that are never too many
WHOLE = 100  # per cent


def decimals(text: str) -> int:
    """Decimals of a number as a fraction: 31.25 in percent has four."""
    number = text.lstrip("+-−–(")
    return len(number.partition(".")[2]) + (2 if float(number) > 1 else 0)


def check(document: Document) -> Iterator[Hit]:
    """Values of measures with too many decimals, in prose and in tables."""
    topics: int | None = None
    for sentence in document.matching(LONG):
        if NUMBER.search(sentence.normal):
            topics = stated_topics(document) if topics is None else topics
            yield from _prose(document, sentence, topics)
    for table in document.tables:
        topics = stated_topics(document) if topics is None else topics
        yield from _cells(document, table, topics)


def _prose(document: Document, sentence: Sentence, topics: int) -> Iterator[Hit]:
    text = sentence.normal
    if not MEASURE.search(text):
        return
    own = max([*counted(text), known_topics(text)], default=0) or topics
    vague = not own and (document.mentions(RECOMMENDS) or not RANKED.search(text))
    if vague and not document.mentions(RANKED, prose=True):
        return
    for match in NUMBER.finditer(text):
        if decimals(match[0]) < HOPELESS if vague else decimals(match[0]) <= allowed(own):
            continue
        if EXEMPT.search(text, max(0, match.start() - 60), match.start()):
            continue
        if _is_other_number(text, match):
            continue
        before = text[max(0, match.start() - 25) : match.start()]
        percent = re.match(r"\s?%", text[match.end() :]) is not None
        if percent and not (LEVEL.search(before) and MEASURE.search(text, max(0, match.start() - 60), match.start())):
            continue
        if not (MEASURE.search(text, 0, match.start()) or MEASURE.search(text, match.end(), match.end() + 25)):
            continue
        if excused(text, *match.span()):
            continue
        yield Hit("M301", *sentence.span(*match.span()), _told(match[0], own), sure=bool(own))
        return


def _is_other_number(text: str, match: re.Match[str]) -> bool:
    """Return whether a number is a parameter, a time, or far from any measure."""
    if UNIT.match(text, match.end()):
        return True
    if float(match[0].lstrip("+-−–(")) > 1 and not MEASURE.search(text, max(0, match.start() - NEAR), match.start()):
        return True
    before = text[max(0, match.start() - 25) : match.start()]
    named = PARAMETER.search(before)
    equated = named is not None and "=" in named[0] + text[match.start() - 2 : match.start()]
    return equated and not (MEASURE.search(before) or AP.search(before))


def _cells(document: Document, table: DocumentTable, topics: int) -> Iterator[Hit]:
    names = " | ".join([table.caption, *(cell.text for cell in (*table.header, *table.labels))])
    if not MEASURE.search(names) or any(ONE_TOPIC.fullmatch(cell.text.strip()) for cell in table.header):
        return
    whole = table_topics(table) or topics
    vague = not whole and (table.printed or document.mentions(RECOMMENDS) or not RANKED.search(names))
    if vague and not RANKED.search(names):
        return
    data = table.printed and not document.code  # a file of results, where all digits belong
    precise = [
        (cell, own)
        for cell, own, places, named in _means(table, whole, data=data)
        if (named and places >= HOPELESS if vague and not own else places > allowed(own))
    ]
    if precise:
        cell, own = precise[0]
        more = f"{_told(cell.text, own)} and {len(precise) - 1} more" if precise[1:] else _told(cell.text, own)
        yield Hit("M301", *cell.span, more, sure=bool(own))


def _means(table: DocumentTable, topics: int, *, data: bool) -> Iterator[tuple[TableCell, int, int, bool]]:
    """Yield the cells that are means of a measure, with the number of topics, the decimals as a fraction, and whether they are named so."""
    unit = PERCENT.search(table.caption) is not None and MEASURE.search(table.caption) is not None
    tops: dict[int, float] = {}
    shares: dict[int, float] = {}  # of columns in which all cells are percentages or changes
    for _, column, cell in table.body():
        if cell.value is not None:
            some = shares if cell.value.signed or "%" in cell.text else tops
            some[column] = max(some.get(column, 0.0), abs(float(cell.value.value)))
    tops = shares | tops
    heads = list(accumulate((number if kind == "head" else 0 for number, kind in enumerate(table.kinds)), max))
    columns: dict[tuple[int, int], tuple[str, ...]] = {}
    rows: dict[int, tuple[str, ...]] = {}
    for row, column, cell in table.body():
        value = cell.value
        if value is None or value.signed or value.decimals <= FEWEST - 2 * (tops[column] > 1):
            continue
        if value.decimals >= EXACT and data:
            continue
        place = heads[row], column
        above = columns[place] if place in columns else columns.setdefault(place, table.above(row, column))
        left = rows[row] if row in rows else rows.setdefault(row, table.left(row))
        if _is_other((above or ("",))[-1]) or (_is_other((left or ("",))[-1]) and not MEASURE.search(" | ".join(above))):
            continue
        told = " | ".join((*above, *left))
        named = MEASURE.search(told) is not None
        fraction = tops[column] <= 1 or (abs(float(value.value)) <= 1 and named and MEASURE.search(" | ".join(above)) is None)
        percent = (named or unit) and (not fraction or "%" in cell.text)
        if tops[column] <= WHOLE and (fraction or percent):
            yield cell, max([*counted(told), known_topics(told)], default=0) or topics, value.decimals + 2 * percent, named


@lru_cache(4096)
def _is_other(name: str) -> bool:
    """Return whether a header or a label names something else than a measure of effectiveness."""
    return OTHER_COLUMN.search(name) is not None


def _told(number: str, topics: int) -> str:
    return f"{number}, over {topics} topics" if topics else number
