"""P3 §2.3: more digits than the data support."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from mensura.lint.language import MEASURE, excused
from mensura.lint.printouts import PrintedMean, evaluating, sizes_in, values_in
from mensura.lint.rule import FUHR, Hit, Rule
from mensura.lint.topics import FEW, RECOMMENDS, StatedTopics, TopicNumbers, allowed, decide, in_text, table_topics, topics_in

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
SHORTER = re.compile(NUMBER.pattern.replace("4,18", "3,18", 1))
LONG = re.compile(r"\.\d{3}|\.\d{2}\s?\\?%")
PARAMETER = re.compile(
    r"(?:\bp(?:-?values?)?|[a-zA-Zα-ωΑ-Ω]\w{0,8}|rates?|decay|threshold|temperature|margin|weights?|dropout|seconds|ms)\s*(?:=|<|>|≤|≥|≈|of|to|at)?\s*$"
)
AP = re.compile(r"\bm?AP\s?=\s*$")
UNIT = re.compile(
    r"\s?(?:s|ms|sec|seconds?|minutes?|hours?|[KMG]B|bits?|USD|EUR|cents?|[kKM]?Wh?)\b|\s?(?:/|per )\s?(?:query|question|request|call|page|doc\w*|token|min\w*)\b"
)
NEAR = 60  # characters from a measure to a value in percent
EXEMPT = re.compile(
    r"\bp[- ]?values?\b|\bp\s*[=<>]|\blearning rate|\btau\b|τ|ρ|\bcorrelat|\bcoefficient|\bloss\b|\bseconds?\b|\bms\b|\bAPs?\b of topic",
    re.IGNORECASE,
)
LEVEL = re.compile(
    r"\b(?:of|is|was|=|reach\w*|achiev\w*|obtain\w*|at|to|score[sd]?|yield\w*|attain\w*|:)\s*$|\bfrom\s*$|(?:\bvs\.?|\bversus|:) (?:[\w-]+ ){1,3}$"
)
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
RANKS = re.compile(
    r"\b(?:n?DCG|MRR|BM25|qrels|trec_eval)(?![a-z])|\bretriev|\bre-?rank|\branking|\bquer(?:y|ies)\b|recommend", re.IGNORECASE
)
ONE_TOPIC = re.compile(
    r"(?:user|query|topic|question)(?:[ _.-]?(?:id|no|number|text))?|qid|uid|num_q", re.IGNORECASE
)  # a row for each
EXACT = 12  # decimals of a number that was not rounded for people
HOPELESS = 6  # decimals that need a hundred thousand topics
PERCENT = re.compile(r"\bper ?cent\b|\bpercentages?\b|\(\s?\\?%\s?\)|\bin \\?%", re.IGNORECASE)  # a unit, in a caption
FEWEST = allowed(0)  # decimals that are never too many
WHOLE = 100  # per cent
SCORES = ["measure", "value"]  # header of a table of lines with a measure and its value
MOST_TABLES = 50  # in an output


def decimals(text: str) -> int:
    """Decimals of a number as a fraction: 31.25 in percent has four."""
    number = text.lstrip("+-−–(")
    return len(number.partition(".")[2]) + (2 if float(number) > 1 else 0)


def check(document: Document) -> Iterator[Hit]:
    """Values of measures with too many decimals, in prose and in tables."""
    numbers = topics_in(document)
    for sentence in document.matching(LONG):
        if SHORTER.search(sentence.normal):
            yield from _prose(document, sentence, numbers)
    shown = [hit for table in document.tables for hit in _cells(document, table, numbers)]
    yield from shown
    if document.outputs and document.mentions(RANKS):
        yield from _printed(document, numbers, sorted(hit.start for hit in shown))


def _prose(document: Document, sentence: Sentence, numbers: TopicNumbers) -> Iterator[Hit]:
    text = sentence.normal
    if not MEASURE.search(text):
        return
    own = _known(text) or numbers.at(sentence.start)
    vague = not own.topics and (document.mentions(RECOMMENDS) or not RANKED.search(text))
    if vague and not document.mentions(RANKED, prose=True):
        return
    few = own.stated and own.topics < FEW
    for match in (SHORTER if few else NUMBER).finditer(text):
        near = text[max(0, match.start() - NEAR) : match.start()]
        measure = near if few and float(match[0].lstrip("+-−–(")) not in {0.0, 1.0} else ""
        if decimals(match[0]) < HOPELESS if vague else decimals(match[0]) <= allowed(own.topics, measure):
            continue
        if EXEMPT.search(near):
            continue
        if _is_other_number(text, match):
            continue
        before = text[max(0, match.start() - 25) : match.start()]
        percent = re.match(r"\s?%", text[match.end() :]) is not None
        if percent and not (LEVEL.search(before) and MEASURE.search(near)):
            continue
        if not (MEASURE.search(text, 0, match.start()) or MEASURE.search(text, match.end(), match.end() + 25)):
            continue
        if excused(text, *match.span()):
            continue
        yield Hit("M301", *sentence.span(*match.span()), _told(match[0], own.topics), sure=bool(own.topics))
        return


def _printed(document: Document, numbers: TopicNumbers, shown: list[int]) -> Iterator[Hit]:
    """Yield the first value with too many decimals in each output, unless one was ``shown`` there, in a table."""
    tables = sorted((table.start, table.end) for table in document.tables if [cell.text for cell in table.header] != SCORES)
    measures = evaluating(block.text for block in document.code if not block.shown)
    for output in document.outputs:
        at = bisect_left(shown, output.start)
        if not output.placed or (at < len(shown) and shown[at] <= output.start + len(output.text)):
            continue
        near: StatedTopics | None = None
        precise: list[tuple[PrintedMean, int]] = []
        for value in values_in(output, measures):
            if near is None:
                near = decide(sizes_in(output))
                near = near if near.stated else numbers.at(output.start)
            own = _known(value.line) or near
            measure = value.name if own.stated and float(value.text.rstrip("% ")) not in {0.0, 1.0} else ""
            vague = HOPELESS - 1 if document.mentions(RECOMMENDS) or not output.piece else FEWEST
            if decimals(value.text.rstrip("% ")) > (allowed(own.topics, measure) if own.topics else vague):
                precise.append((value, own.topics))
        within = bisect_right(tables, (output.start, len(document.text)))
        inside = [each for each in tables[max(within - 1, 0) :][:MOST_TABLES] if each[0] <= output.start + len(output.text)]
        if not output.piece:
            precise = [pair for pair in precise if not any(start <= pair[0].start < end for start, end in inside)]
        if precise:
            (value, topics), told = precise[0], _told(precise[0][0].text, precise[0][1])
            more = f"{told} and {len(precise) - 1} more" if precise[1:] else told
            yield Hit("M301", value.start, value.start + len(value.text), more, sure=bool(topics))


def _known(text: str) -> StatedTopics | None:
    """Return the number of topics that a sentence or a label states, if it states one."""
    known = in_text(text)
    return known if known.topics else None


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


def _cells(document: Document, table: DocumentTable, numbers: TopicNumbers) -> Iterator[Hit]:
    if not any(cell.value is not None and cell.value.decimals >= FEWEST - 1 for _, _, cell in table.body()):
        return
    labels = (cell.text for row in table.rows[table.head :] for cell in row[: table.leads])
    names = " | ".join([table.caption, *(cell.text for cell in table.header), *labels])
    if not MEASURE.search(names) or any(ONE_TOPIC.fullmatch(cell.text.strip()) for cell in table.header):
        return
    whole = table_topics(table)
    whole = whole if whole.topics else numbers.at(table.start)
    vague = not whole.topics and (table.printed or document.mentions(RECOMMENDS) or not RANKED.search(names))
    if vague and not RANKED.search(names):
        return
    data = table.printed and not document.code  # a file of results, where all digits belong
    precise = [
        (cell, own)
        for cell, own, places, named, measure in _means(table, whole, data=data)
        if (named and places >= HOPELESS if vague and not own else places > allowed(own, measure))
    ]
    if precise:
        cell, own = precise[0]
        more = f"{_told(cell.text, own)} and {len(precise) - 1} more" if precise[1:] else _told(cell.text, own)
        yield Hit("M301", *cell.span, more, sure=bool(own))


def _means(table: DocumentTable, whole: StatedTopics, *, data: bool) -> Iterator[tuple[TableCell, int, int, bool, str]]:
    """Yield the cells that are means of a measure, with the number of topics and the decimals as a fraction.

    The last two are whether they are named so, and how, where the number of topics is stated.
    """
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
    fewest = FEWEST - 1 if whole.stated and whole.topics < FEW else FEWEST
    for row, column, cell in table.body():
        value = cell.value
        if value is None or value.signed or value.decimals <= (fewest if tops[column] <= 1 else FEWEST - 2):
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
            own = _known(told) or whole
            measure = told if own.stated and not percent and value.value not in {0, 1} else ""
            yield cell, own.topics, value.decimals + 2 * percent, named, measure


@lru_cache(4096)
def _is_other(name: str) -> bool:
    """Return whether a header or a label names something else than a measure of effectiveness."""
    return OTHER_COLUMN.search(name) is not None


def _told(number: str, topics: int) -> str:
    return f"{number}, over {topics} topics" if topics else number
