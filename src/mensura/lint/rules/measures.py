"""P3 §2.1 and §2.2: means of reciprocal ranks, and MAP."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import MEASURE, excused, hit_span
from mensura.lint.rule import FERRANTE, FUHR, MOFFAT, RBP, ROBERTSON, SAKAI, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable

DEBATE = (
    "Fuhr: a mean needs an interval scale, and reciprocal ranks are ordinal. Sakai: means of ordinal values are in common use and RR "
    "answers a practical question, so it may stay. Moffat: what is measured is the user's experience, for which 1/rank is as good "
    "a scale as any. Ferrante, Ferro and Fuhr: map the measure onto its interval scale, and see which conclusions change."
)

MRR = Rule(
    code="M101",
    name="mean-reciprocal-rank",
    severity="warning",
    strict="error",
    consequence="a mean of reciprocal ranks depends on the scale: mean ranks may order the same systems the other way; give MFR too",
    demand="reciprocal ranks are not to be averaged: report the mean rank of the first relevant document (MFR)",
    reason=(
        "Reciprocal ranks are not equally spaced: from rank 1 to rank 2 is as far as from rank 2 to the end of the list. With first "
        "relevant documents at ranks 1, 2, 4 system A has the higher MRR than B with 2, 2, 2, and the worse mean rank (P3 §2.1)."
    ),
    references=(FUHR, FERRANTE, SAKAI, MOFFAT),
    wrong="Our run reaches an MRR@10 of 0.38.",
    right="On average, the first relevant document stands at rank 2.6 (MFR@10).",
    fix="Report MFR@k, or medians, or RR on its interval scale (mensura evaluate --interval); say so if the conclusions agree.",
    debate=DEBATE,
)
ERR = Rule(
    code="M102",
    name="mean-expected-reciprocal-rank",
    severity="warning",
    strict="error",
    consequence="a mean of ERR has the spacing of reciprocal ranks: expected ranks may order systems the other way; give EFR too",
    demand="ERR is not to be averaged: report the expected rank at which the user stops (EFR)",
    reason=(
        "ERR generalises reciprocal rank to grades and keeps its spacing. A partly relevant document at rank 1 and a fully relevant "
        "one at rank 5 beat ranks 2 and 3 by ERR (.6 to .417), and lose by expected effort (3 to 2.5) (P3 §2.1)."
    ),
    references=(FUHR, FERRANTE, SAKAI, MOFFAT),
    wrong="We evaluate with ERR@20 and nDCG@20.",
    right="We evaluate with EFR@20 and nDCG@20.",
    fix="Report EFR@k, or ERR on its interval scale (mensura evaluate --interval).",
    debate=DEBATE,
)
MAP = Rule(
    code="M201",
    name="mean-average-precision",
    severity="note",
    strict="error",
    consequence="MAP assumes users who stop at any relevant document with the same chance; RBP or nDCG state more likely ones",
    demand="MAP rests on an unlikely user: report RBP or nDCG",
    reason=(
        "AP is the expected precision of a user who stops only at relevant documents, at each with the same probability, however deep "
        "it stands. Few users do (P3 §2.2). It is not a computational error, unlike the other mistakes."
    ),
    references=(FUHR, ROBERTSON, RBP, SAKAI),
    wrong="The best run has a MAP of 0.31.",
    right="The best run has an RBP (p = 0.8) of 0.56.",
    fix="Report RBP or nDCG with the parameters that describe your users; keep MAP beside them if others must compare.",
    debate="Fuhr calls the user model superficial; Sakai and many others keep AP for its discriminative power and its long record.",
)
RULES = (MRR, ERR, MAP)

RR = r"RR(?:\([^()]{1,12}\))?"  # RR(rel=2)@10
AP = r"AP(?:\([^()]{1,12}\))?"
NAMES = {
    "M101": re.compile(
        rf"\bM(?:ean )?{RR}(?:\s?@\s?\w+)?(?!\w)|\b{RR}\s?@\s?\d+\b|\b(?:[Mm]ean|[Aa]verage[ds]?) (?:of )?(?:the )?[Rr]eciprocal[- ][Rr]anks?\b(?![- ][Ff]us)(?: \(MRR(?:@\d+)?\))?|\brecip_rank\b|\b[Mm]rr(?:@\w+|_\w+|\d{{1,4}})?\b|\bMRR\d{{1,4}}\b"
    ),
    "M102": re.compile(r"\bERR(?:\s?@\s?\d+|-IA(?:@\d+)?)?\b|\b[Ee]xpected [Rr]eciprocal [Rr]ank\b(?: \(ERR(?:@\d+)?\))?"),
    "M201": re.compile(
        rf"\bM{AP}(?:\s?@\s?\w+)?(?!\w)|\b{AP}\s?@\s?\d+\b|\bmAP(?:@\d+)?\b|(?<![Gg]eometric )\b[Mm]ean [Aa]verage [Pp]recision\b(?: \(MAP(?:@\d+)?\))?|\b{AP} (?:of|is|was|=) 0?\.\d+|\bmap_cut_\d+\b|\b[Mm]ap@\w+\b"
        r"|\b(?:[Mm]ean|[Aa]verage) of (?:the )?(?:[Nn]on-?[Ii]nterpolated )?[Aa]verage [Pp]recision|\b[Nn]on-?[Ii]nterpolated [Aa]verage [Pp]recision\b"
    ),
}
PART = r"(?:(?:train|dev|val|valid|validation|test|eval|mean|avg|average|overall|cosine|dot)(?:all)?(?: set)?[ _-]?)*"
CELLS = {  # in the header or the label of a table a short name is enough
    "M101": re.compile(rf"{PART}m?{RR}(?:\s?@\s?\d+|\d{{1,4}})?|recip_rank|mrr(?:[@_]\w+)?", re.IGNORECASE),
    "M102": re.compile(r"ERR(?:\s?@\s?\d+)?", re.IGNORECASE),
    "M201": re.compile(
        rf"{PART}m?{AP}(?:\s?@\s?\d+)?|map(?:[@_]\w+)?|(?:non-?|un)interpolated av(?:erage|g\.?) ?prec(?:ision|\.)?|AveP(?:rec)?|AvgPr?(?:ec)?",
        re.IGNORECASE,
    ),
}
CUES = {
    "M101": ("mrr", "reciprocal", "recip_rank", " rr "),
    "M102": ("err", "reciprocal"),
    "M201": ("map", "average precision", "ap of", "ap is", "ap was", "ap ="),
}
VALUE = r"(?<![@\d.,])(?:\d{0,2}\.\d+|0,\d{2,4}(?![\d,]))|\d%"  # as in any language
USED = re.compile(
    rf"{VALUE}"
    r"|\b(?:report|us|measur|evaluat|achiev|obtain|improv|outperform|increas|decreas|comput|attain|yield|optimi[sz]|compar|assess|adopt|employ|choos|tun"
    r"|beat|exceed|surpass|ris|fall|gain|boost|scor|benefit|select|perform|degrad|suffer|lift|rais|reach|averag|los|dropp|deliver)(?:e|es|ed|s|ing|en|ning)?\b"
    r"|\b(?:reaches|chose|rose|fell|drops?|beaten|lost|better|worse|higher|lower|best|highest|lowest|in terms of|(?:ordered|sorted|ranked|judged|listed|shown|measured) by|(?:given|expressed|stated|quoted|listed|shown|presented|quantified) (?:as|in|by|with))\b"
    r"|\b(?:Tables?|Tab|Figures?|Fig)\.? ?\d* (?:and \d+ )?(?:lists?|shows?|gives?|presents?|reports?|summari[sz]es?|compares?)\b"
    r"|\b(?:primary|official|main|evaluation|target|effectiveness) (?:metric|measure)s?\b|\bas (?:the |our |an? )?(?:\w+ )?(?:metric|measure)s?\b|^\s*(?:evaluation |retrieval |ranking )?metrics?\b",
    re.IGNORECASE,
)
AVERAGED = re.compile(  # ERR is that of one topic, unless a sentence says otherwise or reports a result
    rf"{VALUE}|\b(?:means?|averag\w+|report\w*|us(?:e|es|ed|ing)|evaluat\w+|achiev\w+|obtain\w*|improv\w+|outperform\w*|in terms of|(?:systems?|runs?|models?|rankers?|methods?|approaches) (?:\w+ )?(?:is|are|was|were) (?:compared|judged|ranked|ordered|given) (?:by|in|as)|optimi[sz]\w+|tun(?:e|ed|ing))\b"
    r"|\b(?:Tables?|Tab|Figures?|Fig)\.? ?\d|\b(?:primary|official|main|evaluation|target|effectiveness) (?:metric|measure)s?\b|\bas (?:the |our |an? )?(?:\w+ )?(?:metric|measure)s?\b",
    re.IGNORECASE,
)
HEAD = re.compile(rf"(?:{MEASURE.pattern}) (?:{MEASURE.pattern})")  # names side by side: the head of a table
BOTH = re.compile(r"\b(?:MFR|EFR|(?:mean|average|expected) rank|median (?:reciprocal )?ranks?)\b", re.IGNORECASE)
DEFINED = re.compile(
    r"\b(?:defined as|is the (?:mean|average)|was (?:proposed|introduced)|were (?:proposed|introduced)|(?:proposed|introduced|presented) (?:by|in)|counter-?intuitive|user models?|realistic|assumptions?|generali[sz]ation|originally|known as|generali[sz]es"
    r"|stands for|short for|equivalent to|is a (?:measure|metric) of|per-topic|interval[- ]scale[ds]?|on its interval scale|rank equivalent|history of|survey|posteriori|MAP (?:estimat|inference|adaptation|decod|objective)\w*"
    r"|road ?map|proof|theorem|properties of|axioms?|harmonic)\b",
    re.IGNORECASE,
)


def check(document: Document) -> Iterator[Hit]:
    """Prose that reports or announces such a mean, and tables with a column or a row of it."""
    for code, names in NAMES.items():
        for sentence in document.having(*CUES[code]):
            text = sentence.normal
            match = names.search(text)
            if match is not None and (text.endswith("?") or not _of_rankings(document, code, match[0])):
                continue
            if match is not None and names.fullmatch(text.strip(" *-•`.,;")) and _is_item(document, sentence):
                yield Hit(code, *hit_span(sentence, match), match[0])
                continue
            if (
                match is None
                or not ((AVERAGED if code == "M102" else USED).search(_without(text, match)) or HEAD.search(text))
                or DEFINED.search(text)
                or (_is_described(text, match) and not DECIMAL.search(text))
                or BOTH.search(text)
                or excused(text, *match.span())
            ):
                continue
            if (
                OTHER_MEANING.search(text)
                or LISTED.search(text[: match.end() + 3])
                or (MANY.search(text) and not DECIMAL.search(text))
            ):
                continue
            yield Hit(code, *hit_span(sentence, match), match[0])
        for table in document.tables:
            yield from (hit for hit in _columns(code, names, table) if _of_rankings(document, code, hit.detail))
    yield from _unnamed(document)


def _unnamed(document: Document) -> Iterator[Hit]:
    """A score that a text explains as the inverse of a rank, without the name of the measure."""
    for sentence in document.having("inverse", "reciprocal", "1/", "1 /"):
        match = INVERSE.search(sentence.normal)
        if match is not None and NAMES["M101"].search(sentence.normal) is None and not excused(sentence.normal, *match.span()):
            if any(table.head < len(table.rows) for table in document.tables) or document.mentions(SCORES, prose=True):
                yield Hit("M101", *hit_span(sentence, match), match[0])
            return


def _of_rankings(document: Document, code: str, name: str) -> bool:
    """Return whether a measure is one of rankings: MRR can be revenue, and mAP that of boxes in images, where a text speaks of retrieval."""
    if code != "M201":
        return not (
            code == "M101"
            and document.having("recurring", "revenue", "churn")
            and not document.having("reciprocal", "retriev", "rank")
        )
    retrieves, detects = document.having("retriev", "recommend"), document.having(*DETECTION)
    bare = re.search(r"mAP(?!@)", name) is not None
    return bool(retrieves) and not (detects and bare) if detects or bare else True


def _without(text: str, match: re.Match[str]) -> str:
    """Return a sentence without the name of the measure, which has words of its own: mean average precision is not averaged."""
    return f"{text[: match.start()]}{'_' * len(match[0])}{text[match.end() :]}"


def _is_described(text: str, match: re.Match[str]) -> bool:
    """Return whether a sentence says what the measure is, or that there is a function for it, and nothing of a result."""
    if ITEM.fullmatch(text, 0, match.start()) and COLON.match(text, match.end()):
        return True
    return DESCRIBES.match(text, match.end()) is not None or INTRODUCES.search(text, 0, match.start()) is not None


def _is_item(document: Document, sentence: Sentence) -> bool:
    """Return whether a measure alone is an item of a list that says what is reported."""
    place = document.number(sentence)
    for other in reversed(document.sentences[max(0, place - ITEMS) : place]):
        text = other.normal.strip()
        if text.endswith(":") or HEADING.fullmatch(text):
            return REPORTED.search(text) is not None
    return False


INVERSE = re.compile(
    r"\b(?:score|metric|measure|effectiveness|performance|quality|evaluat\w+|report\w*)\b[^.;]{0,80}\b(?:inverse|reciprocal)\b[^.;]{0,15}\bof (?:the |its |their )?(?:ranks?|positions?)\b"
    r"|\b(?:score|metric|measure)s?\b[^.;]{0,60}\b1 ?/ ?(?:the )?(?:rank|position)\b",
    re.IGNORECASE,
)
SCORES = re.compile(r"(?<![\d.,])0?\.\d{2,4}\b")
DESCRIBES = re.compile(
    r"(?: \([^()]{1,12}\))? (?:focus|reward|average|measure|consider|look|evaluate|compute|calculate|assess|capture|emphasi[sz]e|penali[sz]e|indicate|tell|quantif|range|weight|give)(?:s|es|ies)\b"
)
ITEM = re.compile(r"\s*(?:[-*•]\s*)?\**")
COLON = re.compile(
    r"(?: \([^()]{1,12}\))?\**(?: [-–—]|:)\** (?:the )?(?:average|mean|reciprocal|inverse|measures?|considers?|position|rank)\b",
    re.IGNORECASE,
)
INTRODUCES = re.compile(
    r"\b(?:usually|often|commonly|also|then|otherwise) (?:called|known as|referred to as|abbreviated) $|\b(?<!our )(?:metrics|measures) (?:like|such as|including|e\.g\.,?) (?:\S+, |\S+ and )*$",
    re.IGNORECASE,
)
DETECTION = ("object detect", "bounding box", "yolo", "r-cnn")
ITEMS = 8  # items of a list before one
HEADING = re.compile(r"(?:[\d.]+ )?(?:evaluation|retrieval|ranking|effectiveness) (?:metric|measure)s?", re.IGNORECASE)
REPORTED = re.compile(r"\b(?:report|track|measur|evaluat|compar|comput|metric|monitor)\w*", re.IGNORECASE)
OTHER_MEANING = re.compile(
    r"\b(?:object detection|bounding box\w*|IoU|segmentation|maximum a posteriori|MAP (?:estimat|inference|decod)\w*|maps? (?:onto|to|of))\b"
)
PRESS = re.compile(
    r"(?:(?:LA(?:T|Times)?|FT|FBIS|FR(?:94)?|WSJ|SJMN?|ZIFF|ZF|DOE|PT|CR|NYT|APW|XIE|WT\d+G|GOV2?|Robust(?: ?0\d)?|Blogs?|Blog0\d|AQUAINT|ClueWeb\w*|Disks? \d)(?:[/&+ -]+|$))+",
)
PER_TOPIC = re.compile(r"(?:RR|AP)\b")  # a mean only if nothing else is in the cell
MANY = re.compile(r"(?:\b[A-Z][\w@]*, ){5}|(?:\bn?[A-Z][\w@]*, ){5}")  # everything that a tool computes
DECIMAL = re.compile(r"\.\d|0,\d\d")
LISTED = re.compile(
    r"^\s*(?:[-*•]\s*)?(?:\w+\s)?(?:implement|support|provid|includ|offer|add)\w*\b|^\s*(?:[-*•]\s*)?(?:returns?|(?:to )?(?:compute|calculate|print|output)s?)\b",
    re.IGNORECASE,
)  # what a tool can do


def _described(code: str, names: re.Pattern[str], table: DocumentTable) -> Iterator[Hit]:
    """A table of words: the metrics that are used, and what they are."""
    if (
        table.rows[1:]
        and table.rows[0]
        and re.fullmatch(r"(?:evaluation |retrieval )?(?:metric|measure)s?", table.rows[0][0].text, re.IGNORECASE)
    ):
        for row in table.rows[1:]:
            if row and (names.fullmatch(row[0].text) or CELLS[code].fullmatch(row[0].text.strip(" *"))):
                yield Hit(code, *row[0].span, f"a table of {row[0].text}", sure=False)
                return


def _columns(code: str, names: re.Pattern[str], table: DocumentTable) -> Iterator[Hit]:
    if re.search(r"\bmedians?\b|\binterval scale", table.caption, re.IGNORECASE):
        return
    if table.head == len(table.rows):
        yield from _described(code, names, table)
        return
    cells = [*table.header, *(cell for row in table.rows[table.head :] for cell in row[: max(table.leads, 1)])]
    if any(BOTH.search(cell.text) for cell in cells):
        return
    for cell in cells:
        match = CELLS[code].fullmatch(cell.text.strip(" *↑↓%()")) or names.search(cell.text)
        if match is not None and PER_TOPIC.match(match[0]) and match.re is names:
            continue
        if match is not None and match[0] == "AP" and any(PRESS.fullmatch(other.text.strip()) for other in cells):
            continue  # Associated Press, among other collections
        if match is not None and not re.search(r"median|optimi[sz]ed|loss|geometric|\bgm|fus", cell.text, re.IGNORECASE):
            yield Hit(code, *cell.span, f"a table of {match[0]}")
            return
    title = names.search(table.caption[:80]) if not any(MEASURE.search(cell.text) for cell in cells) else None
    if title is not None and table.rows[table.head :]:
        cell = table.rows[table.head][0]
        yield Hit(code, *cell.span, f"a table of {title[0]}")
