"""P3 §2.4: relative improvements of arithmetic means."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from mensura.lint.language import MEASURE, clause, excused
from mensura.lint.rule import FERRANTE, FUHR, GMAP, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable

RELATIVE = Rule(
    code="M401",
    name="relative-improvement",
    severity="warning",
    strict="error",
    consequence="a ratio of arithmetic means is not the mean of the topics' ratios, and may have another sign; give the difference",
    demand="means are compared by their difference: give it, or the ratio of geometric means",
    reason=(
        "From .2 and .5 to .18 and .54 the mean rises by 2.9 %, yet the topics change by −10 % and +8 %. Percentages of a mean also need "
        "a ratio scale, which few measures have (P3 §2.4; P4 §III)."
    ),
    references=(FUHR, GMAP, FERRANTE),
    wrong="Reranking improves nDCG@10 by 12.4 %.",
    right="Reranking improves nDCG@10 by 0.05 (95 % CI: 0.02 to 0.08).",
    fix="Report the difference with its interval (mensura compare), or a relative change of geometric means (relative_improvement).",
    debate="Percentages help readers who do not know the range of a measure; give them beside the difference, never alone.",
)
RULES = (RELATIVE,)

PERCENT = re.compile(
    r"(?<![\d.])(?:\d{1,3}(?:\.\d+)?\s?%?\s?[–-]\s?)?[-−+]?\d{1,4}(?:\.\d{1,6})?\s?(?:%|percent\b|per cent\b)(?!\s?-?point|age)"
)
CHANGE = re.compile(
    r"\b(?:improv\w*|increas\w*|gain\w*|boost\w*|outperform\w*|rais\w*|lift\w*|uplift\w*|drop\w*|decreas\w*|degrad\w*|los(?:e|es|t|ing)|loss(?! (?:functions?|regulari\w+|terms?|curves?|weights?)\b)|reduc\w*|better|worse"
    r"|higher|lower|exceed\w*|beat\w*|surpass\w*|rise\w*|rose|fall\w*|fell|grow\w*|grew|jump\w*|relative|ahead|behind|up|down|more effective|advantage|costs?|hurt\w*|deteriorat\w*|declin\w*|climb\w*|harm\w*|superior|inferior|another|additional|extra|further)\b",
    re.IGNORECASE,
)
OTHER = re.compile(
    r"\b(?:latenc\w*|time|times|speed\w*|fast\w*|slow\w*|memory|index(?:es|ing)?|storage|costs?(?! (?:about |roughly |some )?\d)|throughput|energy|size|traffic|click\w*|revenue|dwell|disk|gpu|cpu"
    r"|parameters|training data|judge?ments?|pool|assessors?|vocabulary|tokens?|documents|footprint|bytes|carbon|effort|sessions?|users|coverage|agreement|counts?|number of|pairs|fraction|share|proportion|correlations?)\b",
    re.IGNORECASE,
)
SHARE = re.compile(
    r"^\s?of (?:the|its|their|our) (?:\w+ )?(?:increase|gain|improvement|loss|drop|difference|gap|headroom)s?\b"
    r"|^\s?of (?:the|its|their|our)? ?(?:\w+ ){0,2}(?:performance|effectiveness|quality|accuracy)\b|^\s?(?:of|in)\s(?!terms\b)(?:the |all |our |these |its |their |\d+ )?(?:\w+ ){0,2}(?:topics?|queries|documents|judge?ments?|users?|pages|data|collection|pool|runs?|tests?|pairs?"
    r"|cases|time|corpus|passages|questions|terms|tokens|systems|comparisons|statements|sessions|participants|weight|assessments|results|scores|test queries|requests)\b"
    r"|^\s?(?:-\s?)?(?:CI|CIs|confidence|credible|interval|level|significance|quantile|percentile|threshold|chance|probability|power|train|test|split|holdout|sample)\b"
    r"|^\s?(?:relevant|judged|unjudged|are|were|fall (?:short|below)|fell (?:short|below))\b",
    re.IGNORECASE,
)
MOST = 12  # percentages of a sentence that are looked at
LEVEL = re.compile(  # a value in percent, not a change
    r"\b(?:from|the|average of) (?:about |~)?$|(?<!\bup )\bto (?:almost |nearly |about |roughly |over )?$|\bfrom (?:about )?\d+(?:\.\d+)?% to (?:about )?$"
    r"|\b(?:recall|precision|accuracy|levels?|P@\d+|nDCG(?:@\d+)?|R@\d+|scores?|rates?|values?|coverage) (?:of|is|was|at|to|=|reaches) (?:about )?$",
    re.IGNORECASE,
)
VALUE = re.compile(
    rf"(?:\b(?:drop\w*|fall\w*|fell|ris\w+|rose|increas\w*|decreas\w*|improv\w*|go(?:es)?|went|climb\w*|declin\w*) to(?: about| only)?|\bat(?: only| about)?|[<>≥≤→]|->|\b(?:target|goal)(?: of|:)?|(?:{MEASURE.pattern}|\bmAP|\bAcc|_macro)\s?[:=|]?)\s?$"
)  # of one system
ARROW = re.compile(r"\s?(?:→|->|⇒)")
MORE = re.compile(r" (?:relative\w* )?(?:higher|lower|better|worse|above|below|more|less)\b")
GAIN = re.compile(r"\b(?:gain|improvement|increase|drop|decrease|loss|change|reduction|boost|lift|degradation)s?\b", re.IGNORECASE)
TIMES = re.compile(r"\b(?:doubl|tripl|halv|quadrupl)(?:e|es|ed|ing)\b (?!and |or )(?:the |its |our )?(?:\w+ )?")
AS_GOOD = re.compile(
    r"\b(?:twice|thrice|(?:two|three|four|five|\d+(?:\.\d+)?)(?:-fold| times|x|×)) (?:as (?:effective|good|successful|precise|high)|more (?:effective|successful|precise|relevant|accurate)|better|higher)\b"
    r"|\b(?:improv|increas|rais|boost|multipli|grow|rise|rose|grew)\w*\b[^.;]{0,40}\bby (?:a |the )?factors? (?:of )?(?:about |almost |nearly |over )?\d"
    r"|\b\d+(?:\.\d+)?\s?% (?:more|less) (?:effective|successful|precise|accurate|relevant)\b(?! (?:documents|results|passages|items))",
    re.IGNORECASE,
)
SIGNED = re.compile(rf"\s?(?:in |for |on )?\(?(?:{MEASURE.pattern})")  # by the measure
OF_THEM = re.compile(
    r"\s(?:get|got|become|became|are|were|do|did|show|lose|lost|win|won|fall|fell|drop|improve)\b"
)  # 80 % of the topics, and 20 %
SOUND = re.compile(
    r"\b(?:absolute|percentage points?|points?|pp|geometric|GMAP|per[- ]topic|topic[- ]by[- ]topic|each topic|ratio of geometric)\b",
    re.IGNORECASE,
)
SUBJECT = re.compile(
    r"\b(?:baseline|BM25|retrieval|ranking|ranker|effectiveness|performance|quality|rerank\w*|state[- ]of[- ]the[- ]art|scores?|accuracy|model|approach|method|system)s?\b",
    re.IGNORECASE,
)


COST = re.compile(
    r"\b(?:fast\w*|slow\w*|speed\w*|time|latency|memory|storage|cost\w*|index\w*|tokens?|parameters|documents|compress\w*)\b",
    re.IGNORECASE,
)


def check(document: Document) -> Iterator[Hit]:
    """Changes in percent, in prose and in tables."""
    for sentence in document.having("%", "percent", "per cent"):
        yield from _prose(sentence)
    for sentence in document.having("twice", "thrice", "times", "-fold", "% more", "% less", "x better", "x more", "factor"):
        match = AS_GOOD.search(sentence.normal)
        if match is not None and "factor" in match[0] and not MEASURE.search(sentence.normal):
            continue
        if match is not None and not excused(sentence.normal, *match.span()) and not COST.search(sentence.normal):
            yield Hit("M401", *sentence.span(*match.span()), match[0])
    for sentence in document.having("doubl", "tripl", "halv", "quadrupl"):
        text = sentence.normal
        for match in TIMES.finditer(text):
            named = MEASURE.match(text, match.end()) or MEASURE.search(text, max(0, match.start() - 30), match.start())
            if named is not None and not excused(text, *match.span()):
                yield Hit("M401", *sentence.span(*match.span()), match[0].strip())
    for table in document.tables:
        yield from _column(table)


def _prose(sentence: Sentence) -> Iterator[Hit]:
    text = sentence.normal
    if not (MEASURE.search(text) or SUBJECT.search(text)) or text.endswith("?"):
        return
    shared = False
    for match in islice(PERCENT.finditer(text), MOST):
        begin, stop = clause(text, *match.span())
        part = text[begin:stop]
        bracketed = text[max(begin - 1, 0) : begin] == "("
        around = text[max(0, begin - 80) : stop] if bracketed else part
        signed = match[0][0] in "+−-" and (bracketed or SIGNED.match(text, match.end()) is not None)
        if _is_level(text, match) or (bracketed and not signed and _is_value(text[:begin], part)):
            continue
        if SHARE.match(text[match.end() : match.end() + 60]) or SOUND.search(around):
            shared = True
            continue
        if shared and OF_THEM.match(text, match.end()):
            continue
        if not (CHANGE.search(around) or signed) or (OTHER.search(around) and not MEASURE.search(around)):
            continue
        other = OTHER.search(text, begin)
        if other is not None and other.start() < match.start() and not MEASURE.search(text, begin, match.start()):
            continue  # what changes is something else
        if not (MEASURE.search(text) or SUBJECT.search(around)) or excused(text, *match.span()):
            continue
        yield Hit("M401", *sentence.span(*match.span()), match[0])
        return


def _is_level(text: str, match: re.Match[str]) -> bool:
    """Return whether the percentage is a value, not a change: "from 40% to 44%", "at 71%", "98% → 61%"."""
    before = text[max(0, match.start() - 60) : match.start()]
    if ARROW.match(text, match.end()) or (match[0][0].isdigit() and VALUE.search(before[-40:])):
        return True
    return LEVEL.search(before[-40:]) is not None and MORE.match(text, match.end()) is None and GAIN.search(before) is None


def _is_value(before: str, inside: str) -> bool:
    """Return whether a bracket after a system holds its value: "beats the dense run (41.2%)", not "improves MAP (12%)"."""
    last = before[-30:].rsplit(",", 1)[-1]
    if re.search(r"(?<![.\d])\d+(?: [a-z]+){0,2} \($", before):
        return True  # a share of a count
    changed = MEASURE.search(last) or GAIN.search(last) or re.search(r"(?:\d|ly|better|worse|higher|lower) \($", last)
    return not (changed or CHANGE.search(inside) or GAIN.search(inside))


COLUMN = re.compile(
    r"(?:Δ|Delta|impr|gain|rel\b|relative|diff|change|lift|\+/-)[^|]{0,20}%|%[^|]{0,12}(?:Δ|impr|gain|rel\b|relative|diff|change|lift)|^[(]?\s?[%]\s?(?:Δ|chg|change|impr)",
    re.IGNORECASE,
)
INTERVAL = re.compile(r"\bCIs?\b|\bconfidence\b|\binterval", re.IGNORECASE)
INSIDE = re.compile(r"(?<![\d%])[(]?\s?[+−–-]\s?\d{1,4}(?:\.\d+)?\s?%")


def _column(table: DocumentTable) -> Iterator[Hit]:
    texts = [table.caption, *(cell.text for cell in (*table.header, *table.labels))]
    if not any(MEASURE.search(text) for text in texts) or SOUND.search(" ".join(texts)):
        return
    for cell in table.header:
        if COLUMN.search(cell.text) and not OTHER.search(cell.text) and not INTERVAL.search(cell.text):
            yield Hit("M401", cell.start, cell.start + len(cell.text), f"a column {cell.text}")
            return
    for row in table.rows[table.head :]:
        label = row[0].text
        for cell in row[1:]:
            match = INSIDE.search(cell.text)
            if match is not None and not OTHER.search(label):
                yield Hit("M401", cell.start, cell.start + len(cell.text), match[0])
                return
