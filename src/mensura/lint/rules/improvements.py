"""P3 §2.4: relative improvements of arithmetic means."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from mensura.lint.language import CLASSIFIES, MEASURE, RETRIEVES, clause, excused, flat
from mensura.lint.readers.document import LONGEST
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
    r"(?<![\d.·])(?:\d{1,3}(?:[.·,]\d+)?\s?%?\s?[–-]\s?)?[-−+]?\d{1,4}(?:[.·,]\d{1,6})?\s?(?:%|percent\b|per cent\b)(?!\s?-?point|age)"
)
MOST = 12  # percentages of a sentence that are looked at
# What changes: a measure, or a word for what measures are of; and what is something else.
QUALITY = re.compile(
    rf"{MEASURE.pattern}|\b(?:ROUGE|BLEU|METEOR|BERTScore|AUC|RMSE|MAE|AP\b|EM\b|HR\b|LLM-as-a-judge)|\b(?i:baselines?|retriev(?:al|ers?)|rank(?:ing|er)s?|re-?rank\w*|effectiveness|performance|quality|relevance|state[- ]of[- ]the[- ]art"
    r"|scores?|accuracy|models?|approach(?:es)?|methods?|systems?|variants?|metrics?|measures?|exact match|success rate|hit[- ]?rate|faithfulness|correctness|recommendations?|search|BM25|engines?|runs?)\b"
)
OTHER = re.compile(
    r"\b(?:latenc\w*|time|times|speed\w*|fast\w*|slow\w*|memory|index(?:es|ing)?|storage|costs?(?! (?:about |roughly |some )?\d)|throughput|energy|size|sizes|smaller|larger|traffic|click\w*|revenue|dwell|disk|gpu|cpu"
    r"|parameters?|training data|judge?ments?|pool|assessors?|vocabulary|tokens?|documents|footprint|bytes|carbon|effort|sessions?|users|coverage|agreement|counts?|number of|pairs|fraction|share|proportion|correlations?"
    r"|dimensions?|compress\w*|error rates?|standard errors?|risks?|consumption|timeouts?|budget|overhead|weight)\b",
    re.IGNORECASE,
)
GAIN = r"(?:gain|improvement|increase|drop|decrease|loss|change|reduction|boost|lift|uplift|degradation|decline|rise|jump|growth|fall|advantage|margin|deterioration|enhancement|leap|penalty|deficit)s?"
CHANGE = r"(?:improv|increas|gain|boost|outperform|rais|lift|uplift|drop|decreas|degrad|los|reduc|exceed|beat|surpass|ris|ros|fall|fell|grow|grew|jump|cost|hurt|deteriorat|declin|climb|harm|overtak|shrink|enhanc|lower|went up|went down|go(?:es)? up|go(?:es)? down|is up|is down|are up|are down|was up|was down)\w*"
NEARLY = r"(?:up to|about|around|roughly|approximately|nearly|almost|over|more than|as much as|at least|only|just|another|additional|further|a further|~|≈|>|≥|\+|\*)"
ABOUT = r"(?:up to|about|around|roughly|approximately|nearly|almost|over|more than|as much as|at least|at most|by|an?|the|of|average|mean|some|only|just|another|additional|further|extra|relative|relatively|overall|total|between|from|ca·|circa|~|≈|>|<|≥|≤|\+|\*|:|=|still|even|consistent|consistently|significant|significantly|a remarkable|an impressive|respectively)"
BEFORE = re.compile(  # improves the measure by; a gain of; falls; the gain is; relative
    rf"\b{CHANGE}\b(?! (?:from|to)\b)[^;]{{0,90}}\bby (?:{ABOUT} ?)*$|\b{CHANGE}(?: (?!(?:at|with|for|on|from|to|when|if|until|of|that|where|below|above|under|the|an?)\b)[\w@'’-]+){{0,3}} (?:{NEARLY} ?)*$"
    rf"|\b{GAIN}\b[^;]{{0,60}}?\b(?:is|are|was|were|of|reach(?:es|ed)?|amounts? to|ranges? from|ranging from|between|by|to be|as (?:much|high) as|up to|exceeding|averag\w+)\b (?:{ABOUT} ?)*$|\b{GAIN} ?[:=(] ?(?:{ABOUT} ?)*$"
    rf"|\brelativ\w*(?: [\w@-]+){{0,3}} ?[:=(]? ?(?:{ABOUT} ?)*$|\bΔ\w* ?[:=]? ?(?:{ABOUT} ?)*$|\b(?:better|worse|higher|lower|superior|inferior|ahead|behind|advantage|degradation)\b[^;]{{0,70}}\bby (?:{ABOUT} ?)*$|[=(]\s?[\d\s().·/−–+*×-]{{3,40}}= ?$"
    rf"|\b{CHANGE}(?: \w+){{0,3}} (?:{MEASURE.pattern}) \($|\b{GAIN}(?: (?:in|of|for|on) [^();]{{1,30}})? \($",
    re.IGNORECASE,
)
AFTER = re.compile(
    rf"[)\]*]*,? (?:(?:relative|average|mean|overall|further|additional|total|absolute|significant|consistent|statistically|performance|quality|accuracy|effectiveness|{MEASURE.pattern}|\w+-\w+) ){{0,3}}(?:{GAIN}|differences?|lead)\b"
    r"|[)\]*]*,? (?:relativ\w+|rel)\b|[)\]*]* (?:relative\w* )?(?:higher|lower|better|worse|above|below|ahead|behind|superior|inferior|more (?:effective|successful|accurate|precise|relevant)|less (?:effective|accurate|precise|relevant))\b"
    rf"|[)\]*]* ?(?:in |for |on |of (?:the )?)?(?:{MEASURE.pattern})[^;,]{{0,20}}? {GAIN}\b|[)\]*]* of (?:(?!theoretical|max|ideal|possible)[\w-]+ ){{0,2}}(?:{MEASURE.pattern})(?! is| are)",
    re.IGNORECASE,
)
RANGING = re.compile(rf"\b{GAIN}\b[^;]{{0,60}}\b(?:rang\w+ from|between) (?:{ABOUT} ?)*$", re.IGNORECASE)
SIGN = re.compile(rf"\s?(?:in |for |on )?[(]?(?:{MEASURE.pattern})")  # of a measure beside it
MEASURED = re.compile(rf"(?:{MEASURE.pattern})\W{{0,4}}$|[.·]\d+\W{{1,4}}$|[→>]\s?\S{{1,8}},? \(?$|\d \($")
ELSEWHERE = re.compile(  # the same in other languages
    r"提升|提高|增长|改善|下降|향상|개선|대비|相比|verbesser\w*|steiger\w*|Anstieg|mejor\w*|aument\w*|increment\w*|miglior\w*|amélior\w*|melhor\w*|ganho\w*|meningkat\w*|peningkatan|улучш\w*|прирост\w*|повыш\w*",
    re.IGNORECASE,
)
SHARE = re.compile(
    r"^\s?of (?:the )?(?:total|overall|entire|whole|combined)\b|^\s?of (?:the|its|their|our) (?:\w+ )?(?:increase|gain|improvement|loss|drop|difference|gap|headroom)s?\b"
    r"|^\s?of (?:the|its|their|our)? ?(?:\w+ ){0,2}(?:performance|effectiveness|quality|accuracy)\b|^\s?(?:of|in)\s(?!terms\b)(?:the |all |our |these |its |their |\d+ )?(?:\w+ ){0,2}(?:topics?|queries|documents|judge?ments?|users?|pages|data|collection|pool|runs?|tests?|pairs?"
    r"|cases|time|corpus|passages|questions|terms|tokens|systems|comparisons|statements|sessions|participants|weight|assessments|results|scores|test queries|requests|tasks|items|answers|sentences|samples|examples|ratings|events|clicks)\b"
    r"|^\s?(?:-\s?)?(?:CI|CIs|confidence|credible|interval|level|significance|quantile|percentile|threshold|chance|probability|power|train|test|split|holdout|sample)\b"
    r"|^\s?(?:relevant|judged|unjudged|are|were|fall (?:short|below)|fell (?:short|below)|more than|larger than|fewer|less (?:than|time|memory))\b",
    re.IGNORECASE,
)
LEVEL = re.compile(  # a value in percent, not a change
    rf"\bfrom (?:{NEARLY} |an? |the )*$|(?<!\bup )\bto (?:almost |nearly |about |roughly |over |only )?$|(?:\bat(?: only| about)?|[≥≤→]|->|\b(?:target|goal)(?: of|:)?|(?:{MEASURE.pattern}|\bmAP|\bAcc|_macro)\s?[:=|]?)\s?$"
    rf"|\b(?:recall|precision|accuracy|levels?|{MEASURE.pattern}|scores?|rates?|values?|coverage) (?:of|is|was|at|to|=|reaches) (?:about )?$|\d\s?% (?:vs|versus|and|or|to|against)·? $",
    re.IGNORECASE,
)
ARROW = re.compile(r"\s?(?:→|->|⇒)|\s?(?:vs|versus)\b")
TIMES = re.compile(r"\b(?:doubl|tripl|halv|quadrupl)(?:e|es|ed|ing)\b (?!and |or )(?:the |its |our )?(?:\w+ )?")
FACTOR = r"(?:\d+(?:·\d+)?|two|three|four|five|six|seven|eight|nine|ten)"
AS_GOOD = re.compile(
    rf"\b(?:twice|thrice|(?:two|three|four|five|{FACTOR})(?:-fold| times| ?x| ?×)) (?:as (?:effective|good|successful|precise|high|accurate)|more (?:effective|successful|precise|relevant|accurate)|better|higher|(?:relative )?(?:improvement|gain|increase|boost|uplift|lift)s?\b)"
    rf"|\b(?:improv|increas|rais|boost|multipli|grow|rise|rose|grew)\w*\b[^.;]{{0,40}}\bby (?:a |the )?factors? (?:of )?(?:about |almost |nearly |over )?\d|\b(?:improv|increas|boost|gain|uplift)\w*\b[^.;]{{0,40}}\b(?:by|of) {FACTOR} ?(?:x\b|×|-fold)"
    r"|\b\d+(?:·\d+)?\s?% (?:more|less) (?:effective|successful|precise|accurate|relevant)\b(?! (?:documents|results|passages|items))",
    re.IGNORECASE,
)
OF_THEM = re.compile(
    r"\s(?:get|got|become|became|are|were|do|did|show|lose|lost|win|won|fall|fell|drop|improve)\b"
)  # 80 % of the topics, and 20 %
COST = re.compile(
    r"\b(?:fast\w*|slow\w*|speed\w*|time|latency|memory|storage|cost\w*|index\w*|tokens?|parameters|documents|compress\w*|throughput|risks?|smaller|larger)\b",
    re.IGNORECASE,
)
EXPECTED = re.compile(
    r"\b(?:expect\w*|anticipat\w*|targets?|targeted|goals?|hopes?|aims? to|could|would|might|literature|they (?:found|report\w*|show\w*))\b|예상|기대",
    re.IGNORECASE,
)  # not a result, or not here
RELATIVELY = re.compile(  # named so
    rf"\brelative {GAIN}\b(?: (?:of|by|is|was|in|on)){{1,2}} (?:{ABOUT} ?)*{PERCENT.pattern}|{PERCENT.pattern}[)\]*]*,? relative {GAIN}\b",
    re.IGNORECASE,
)
TERMS = re.compile(rf"\bin terms of (?:[\w-]+ )?\(?(?:{MEASURE.pattern})", re.IGNORECASE)
LINKED = re.compile(r"[)\]*]*,? (?:(?!\w+(?:ing|s) )[\w-]+ ){0,3}(?:in|of|for|on|over|than|to|by|with respect)\b")
SOUND = re.compile(
    r"\b(?:absolute|percentage points?|points?|pp|geometric|GMAP|per[- ]topic|topic[- ]by[- ]topic|each topic|ratio of geometric)\b",
    re.IGNORECASE,
)


def check(document: Document) -> Iterator[Hit]:
    """Changes in percent, in prose and in tables."""
    for sentence in document.having("%", "percent", "per cent"):
        yield from _prose(sentence)
    for sentence in document.having("twice", "thrice", "times", "-fold", "% more", "% less", "x ", "×", "factor"):
        text = flat(sentence.normal)
        match = AS_GOOD.search(text)
        if match is None or ("more" not in match[0] and " as " not in match[0] and not QUALITY.search(text)):
            continue
        if "factor" in match[0] and not MEASURE.search(text):
            continue
        if not excused(text, *match.span()) and not COST.search(text):
            yield Hit("M401", *sentence.span(*match.span()), match[0].replace("·", "."))
    for sentence in document.having("doubl", "tripl", "halv", "quadrupl"):
        text = sentence.normal
        for match in TIMES.finditer(text):
            named = MEASURE.match(text, match.end()) or MEASURE.search(text, max(0, match.start() - 30), match.start())
            if named is not None and not excused(text, *match.span()):
                yield Hit("M401", *sentence.span(*match.span()), match[0].strip())
    for table in document.tables:
        yield from _column(table)


def _prose(sentence: Sentence) -> Iterator[Hit]:
    text = flat(sentence.normal)
    told = RELATIVELY.search(text)
    if not (QUALITY.search(text) or (told and not OTHER.search(text))) or text.endswith("?"):
        return
    if CLASSIFIES.search(text) and not RETRIEVES.search(text):
        return
    shared = False
    for match in islice(PERCENT.finditer(text), MOST):
        if SHARE.match(text[match.end() : match.end() + 60]):
            shared = True
            continue
        if (shared and OF_THEM.match(text, match.end())) or not _is_change(text, match):
            continue
        begin, stop = clause(text, *match.span())
        begin = max(0, begin - NEAR) if text[max(begin - 1, 0) : begin] == "(" else begin
        said = told is not None and told.start() <= match.start() < told.end()
        if not said and (SOUND.search(text, begin, stop) or not _of_quality(text, match, begin, stop)):
            continue
        if EXPECTED.search(text) or excused(text, *match.span()):
            continue
        yield Hit("M401", *sentence.span(*match.span()), match[0].replace("·", "."))
        return


NEAR = 80  # characters around a bracket, or before a number
NEXT = 40


def _is_change(text: str, match: re.Match[str]) -> bool:
    """Return whether a percentage is by how much something changes: by its grammar, or its sign beside a measure or a value."""
    before, end = text[max(0, match.start() - NEAR - NEXT) : match.start()], match.end()
    signed = match[0][0] in "+−-"
    if AFTER.match(text, end) or RANGING.search(before):
        return True
    if ARROW.match(text, end) or (LEVEL.search(before) and not (signed and SIGN.match(text, end))):
        return signed and MEASURED.search(before) is not None
    if BEFORE.search(before):
        return True
    if signed and (SIGN.match(text, end) or MEASURED.search(before)) and not re.search(r"\d\s?%\s?\W{0,4}$", before):
        return True
    return MEASURE.search(text) is not None and ELSEWHERE.search(text, max(0, match.start() - NEAR), end + NEXT) is not None


def _of_quality(text: str, match: re.Match[str], begin: int, stop: int) -> bool:
    """Return whether it is a measure that changes, and not something else that is named nearer."""
    if OTHER.match(text, match.end() + 1):
        return False
    quality = [each.span() for each in QUALITY.finditer(text, begin, stop)]
    other = [each.span() for each in OTHER.finditer(text, begin, stop)]
    if not quality and not other:
        return MEASURE.search(text) is not None
    apart = 0 if LINKED.match(text, match.end()) else NEXT  # what follows is then said of something else

    def distance(spans: list[tuple[int, int]]) -> int:
        return min(
            (match.start() - end if end <= match.start() else start - match.end() + apart for start, end in spans), default=LONGEST
        )

    return bool(quality) and (distance(quality) < distance(other) or TERMS.search(text) is not None)


CHANGES = r"(?:Δ|Delta|impr|gain|rel\b|relative|diff|change|lift|drop|decrease|increase|loss|reduction|boost|growth|\+/-|提升|增益|verbesserung|mejora|ganho|miglioramento|gain)"
COLUMN = re.compile(rf"{CHANGES}[^|]{{0,20}}%|%[^|]{{0,12}}{CHANGES}|^[(]?\s?[%]\s?(?:Δ|chg|change|impr)", re.IGNORECASE)
RELATED = re.compile(r"\brel(?:ative|\.)? (?:change|improvement|gain|drop|loss|decrease|increase|diff\w*|impr\w*)", re.IGNORECASE)
COMPARED = re.compile(rf"{CHANGES}|^(?:vs|versus|relative to|compared (?:to|with)|gegenüber|대비)\b", re.IGNORECASE)
INTERVAL = re.compile(r"\bCIs?\b|\bconfidence\b|\binterval", re.IGNORECASE)
SCORE = re.compile(r"\b(?:ROUGE|BLEU|BERTScore|EM|RMSE|MAE|HR)\b")
INSIDE = re.compile(r"(?<![\d%])[(]?\s?[+−–-]\s?\d{1,4}(?:\.\d+)?\s?%")


def _column(table: DocumentTable) -> Iterator[Hit]:
    texts = [table.caption, *(cell.text for cell in (*table.header, *table.labels))]
    if not any(MEASURE.search(text) or SCORE.search(text) for text in texts) or SOUND.search(" ".join(texts)):
        return
    for cell in table.header:
        if (
            (COLUMN.search(cell.text) or RELATED.search(cell.text))
            and not OTHER.search(cell.text)
            and not INTERVAL.search(cell.text)
        ):
            yield Hit("M401", cell.start, cell.start + len(cell.text), f"a column {cell.text}")
            return
    for row, column, cell in table.body():
        inside = INSIDE.search(cell.text)
        changed = inside is not None or ("%" in cell.text and COMPARED.search((table.above(row, column) or ("",))[-1]) is not None)
        if changed and not OTHER.search(table.rows[row][0].text):
            yield Hit("M401", cell.start, cell.start + len(cell.text), inside[0] if inside is not None else cell.text)
            return
