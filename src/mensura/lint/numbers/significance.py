"""N005 and N006: intervals against their estimates and against "significant", and p-values against "significant"."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.language import MENTION
from mensura.lint.numbers.probabilities import Claim, P, p_claim
from mensura.lint.readers.printed import NUMBER, Printed, Span, printed, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable

VALUE = r"[+\-−]?\s?\d{0,4}\.\d+"
INTERVAL = re.compile(
    rf"(?:\b(?:CIs?|confidence intervals?|credible intervals?|HDI)\b(?: of the (?:mean )?difference)?(?: is| was| of)?(?: from| between| ranging from)?\s?[:=,]?\s?[\[(]?\s?"
    rf"(?P<low>{VALUE})\s?(?:,|to|;|…|–|--?|and)\s?(?P<high>{VALUE})\s?[\])]?)"
    rf"|(?:[\[(]\s?(?P<low_>{VALUE})\s?(?:,|to|;|…|–)\s?(?P<high_>{VALUE})\s?[\])])(?=[^.]{{0,25}}\b(?:CI|confidence interval)\b)"
)
ESTIMATE = re.compile(
    rf"\b(?:mean |average |estimated )?(?:difference|improvement|gain|effect|increase|change|Δ)(?: in [\w@]+| size)?\s?(?:of|is|was|=|:)\s?(?P<value>{VALUE})\s?(?:\w+ )?[(\[,;]?\s?[^.\d]{{0,12}}(?:9[059]|68)?\s?%?\s?-?[^.\d]{{0,16}}$",
    re.IGNORECASE,
)
SHARES = 50  # per cent, the least level of an interval
LEVEL_BEFORE = re.compile(r"[\s(\[,;]*(?:with |and )?(?:an? |its |the )?(?:\d{2}(?:\.\d+)?\s?%\s?-?\s?)?[\s(\[,;]*$")
BESIDE = re.compile(r"\s?(?:points? |on average )?")
NOT_AN_ESTIMATE = re.compile(
    r"(?:\b(?:t|F|p|P|z|Z|r|d|g|q|H|U|W|df|SE|SD|SEM|BF\w*|N|n|k|MSE|M|I)\s?(?:\([^()]*\)|_\w+)?|χ\W{0,3}2?|²|η\w*|[αβγδλσ]|\b(?:stat\w*|error|deviation|p-value|variance|slope|coefficient))\s?(?:=|:|of|was|is|<|>)\s?$"
)
UNLIKE = re.compile(
    r"\b(?:odds|hazard|risk ratio|ratio|exp|log\w*|bias|median|null|chance|expected|simulat\w*|true|population|prior|predict\w*|credible|baseline|benchmark|threshold|respectively|versus|vs|compared|from)\b",
    re.IGNORECASE,
)
INTERVALS = re.compile(r"\bCIs?\b|confidence interval|\bHDI\b", re.IGNORECASE)
SYMMETRIC = re.compile(r"\bt-tests?\b|\bStudent(?:'s|’s)? t\b|\bnormal approximation\b", re.IGNORECASE)
ASYMMETRIC = re.compile(
    r"bootstrap|resampl|permutation|randomi[sz]ation|percentile|quantile|BCa\b|Wilson|Clopper|Bayes|credible|HDI\b|exact interval|logit|odds|ratio|Tukey|one-sided|Hodges|Fieller|relative",
    re.IGNORECASE,
)
SIGNIFICANT = re.compile(r"\b(?:in)?significan(?:t|tly|ce)\b", re.IGNORECASE)
NOT = re.compile(
    r"\b(?:not|no(?!-)|nor|neither|never|without|non|none|lacks?|fail\w*|insignificant\w*|hardly|cannot|isn't|aren't|wasn't|weren't|doesn't|didn't|n't|lose\w*|absen\w+|missing|far from|null|indistinguishable)\b|n't\b|\binsignifican",
    re.IGNORECASE,
)
REACHED = re.compile(r"\b(?:reach|attain|achiev|show|show?n|lack)\w*\b[^.;,]{0,30}$", re.IGNORECASE)
UNSURE = re.compile(
    r"\b(?:marginal\w*|border\w*|almost|nearly|close to|approach\w*|trend\w*|tend\w*|level|threshold|if|whether|when|where|would|should|could|may|might|bold|dagger|asterisk|mark\w*|denot\w*|indicat\w*|symbol\w*|"
    r"although|though|but|while|whereas|however|except|only|only for|test(?:ed|s|ing)? for|correct\w*|adjust\w*|Bonferroni|Holm|equivalence|non-?inferior\w*|clinical\w*|practical\w*)\b|[†‡*]",
    re.IGNORECASE,
)
DIFFERENCE = re.compile(r"\b(?:difference|improvement|gain|effect|increase|change|Δ)\b", re.IGNORECASE)
LIMITED = re.compile(rf"{VALUE}\s?(?:,|;|…|–|to)\s?{VALUE}")
DIRECT = re.compile(  # a bound of p in brackets right after the claim, in one clause: "no significant difference was observed (p < .001)"
    r"\b(?:no (?:statistically )?significant (?:\w+ )?(?:difference|improvement|gain|effect|change|increase)s?|(?:is|are|was|were) (?:not )?(?:statistically )?significant)"
    r"(?: (?!and\b|but\b|then\b|which\b|who\b|that\b|while\b|when\b)[\w@-]+){0,8} ?\($",
    re.IGNORECASE,
)
ZERO = re.compile(r"\b(?:includ\w+|contain\w*|cross\w*|exclud\w+|overlap\w*|span\w*) (?:zero|0)\b", re.IGNORECASE)
AT_LEVEL = re.compile(
    r"\bat (?:the |a |an )?(?:0?\.\d+|\d{1,2}\s?%)(?:[- ]significance)?[- ]level\b|\bat (?:α|alpha) = 0?\.\d+", re.IGNORECASE
)
LEVEL = re.compile(
    r"(?:α|alpha|significance (?:level|threshold))\s?(?:=|of|is|was|at|:)?\s?(?:set (?:to|at) )?(?P<value>0?\.\d+|\d{1,2}\s?%)|\bat (?:the |a )?(?P<at>0?\.\d+|\d{1,2}\s?%)(?:[- ]significance)?[- ]level|(?P<sure>9\d(?:\.\d+)?)\s?% confidence level",
    re.IGNORECASE,
)


def check_sentences(document: Document) -> Iterator[Hit]:
    """Yield intervals without their estimate, intervals that contradict "significant", and p-values that do."""
    intervals = document.having(" ci", "(ci", "[ci", "interval", "%ci", "hdi")
    symmetric = bool(intervals) and SYMMETRIC.search(document.plain) is not None and ASYMMETRIC.search(document.plain) is None
    for sentence in intervals:
        yield from _interval(sentence, symmetric=symmetric)
    if document.having("significan"):
        levels = _levels(document)
        for sentence in document.having(
            "significan", also=("p =", "p=", "p-value", "p -value", "p value", "p <", "p<", "p >", "p>", "p ≤", "p ≥")
        ):
            yield from _significance(sentence, levels)


def _number(text: str) -> Printed | None:
    match = NUMBER.match(text.strip())
    return None if match is None else printed(match)


def _interval(sentence: Sentence, *, symmetric: bool) -> Iterator[Hit]:
    """An interval against its estimate and against what is said; ``symmetric`` ones have their estimate in the middle."""
    text = sentence.normal
    matches = list(INTERVAL.finditer(text))
    if len(matches) != 1:
        return
    (match,) = matches
    low, high = _number(match["low"] or match["low_"]), _number(match["high"] or match["high_"])
    if low is None or high is None:
        return
    where = sentence.span(*match.span())
    shown = f"[{low.plain}, {high.plain}]".replace("-", "−")
    if low.span.low > high.span.high:
        yield Hit("N005", *where, f"the interval {shown} ends before it begins")
        return
    estimate = _outside(text, match.start(), low, high) or _beside(text, match.start(), low, high)
    if estimate is not None:
        yield Hit("N005", *where, f"the difference {_shown(estimate)} is not in its interval {shown}")
        return
    if len(LIMITED.findall(text)) > 1 or not DIFFERENCE.search(text):
        return
    estimate = _estimate(text, match.start()) if symmetric else None
    if estimate is not None and low.decimals == high.decimals == estimate.decimals and not _is_middle(estimate, low, high):
        middle = show((low.value + high.value) / 2, estimate.decimals + 1)
        yield Hit("N005", *where, f"the middle of {shown} is {middle}, and not the difference {_shown(estimate)}, as of a t-test")
        return
    words = [word for word in SIGNIFICANT.finditer(text) if _is_claim(text, word)]
    if (
        len(words) != 1
        or ZERO.search(text)
        or re.search(r"[.;]\s", text[min(words[0].end(), match.end()) : max(words[0].start(), match.start())])
        or UNSURE.search(text)
        or MENTION.search(text)
        or (re.search(r"9[09]\.?\d*\s?%", text[: match.start()]) and "95" not in text)
    ):
        return
    denied = NOT.search(text[: words[0].end()]) is not None
    if not denied and low.span.high < 0 < high.span.low:
        yield Hit("N005", *where, f"the interval {shown} contains 0, but the difference is called significant")
    elif denied and (low.span.low > 0 or high.span.high < 0):
        yield Hit("N005", *where, f"the interval {shown} does not contain 0, but the difference is called not significant")


def _estimate(text: str, start: int) -> Printed | None:
    """Return the estimate before an interval."""
    before = ESTIMATE.search(text[:start].rstrip(" ([,;:"))
    return _number(before["value"]) if before is not None else None


def _is_middle(estimate: Printed, low: Printed, high: Printed) -> bool:
    """Return whether an estimate may be in the middle of its interval, whatever was rounded or cut off."""
    return (low.span + high.span).scaled(Fraction(1, 2)).meets(estimate.span)


def _outside(text: str, start: int, low: Printed, high: Printed) -> Printed | None:
    """Return the estimate before an interval, if the interval does not contain it."""
    before = ESTIMATE.search(text[:start].rstrip(" ([,;:"))
    estimate = _number(before["value"]) if before is not None else None
    if estimate is None or before is None:
        return None
    inside = Span(low.span.low, high.span.high)
    ways = [inside]
    if abs(estimate.value) >= 1 or text[before.end("value") :].lstrip().startswith(("%", "point", "percent")):
        ways.append(inside.scaled(100))  # the difference is in points, the interval is not
    elif max(abs(low.value), abs(high.value)) >= 1:
        ways.append(inside.scaled(Fraction(1, 100)))
    return None if any(way.meets(estimate.span) for way in ways) else estimate


def _beside(text: str, start: int, low: Printed, high: Printed) -> Printed | None:
    """Return the value right before an interval, if neither it nor any other number before may be its estimate."""
    before = [printed(match) for match in NUMBER.finditer(text[:start])]
    before = [number for number in before if not (number.percent and number.value >= SHARES) and number.decimals]
    level = LEVEL_BEFORE.search(text[:start])
    end = level.start() if level is not None else start
    beside = next((number for number in before if number.end <= end and BESIDE.fullmatch(text[number.end : end])), None)
    if beside is None or NOT_AN_ESTIMATE.search(text[: beside.start]) or beside.decimals != low.decimals or beside.percent:
        return None
    if UNLIKE.search(text) or NUMBER.search(text[start:].split("]", 1)[-1] if "[" in text[start:] else ""):
        return None
    inside = Span(low.span.low, high.span.high)
    spans = [span for number in before for span in (number.span, number.span.mirrored())]
    return None if any(inside.meets(span.scaled(scale)) for scale in _scales(low, high, beside) for span in spans) else beside


def _scales(low: Printed, high: Printed, *values: Printed) -> tuple[Fraction | int, ...]:
    """Return the units in which values may be, beside those of their interval: the other one of fractions and per cent, if sizes allow it."""
    wide = max(abs(low.value), abs(high.value)) >= 1
    return (1,) if not wide and all(abs(value.value) < 1 and not value.percent for value in values) else (1, 100, Fraction(1, 100))


def _shown(number: Printed) -> str:
    return number.plain.replace("-", "−")


def _levels(document: Document) -> set[Fraction]:
    """The levels of significance that a document names; .05 if it names none."""
    levels: set[Fraction] = set()
    for sentence in document.having("α", "alpha", "level", "significance", "p <", "p<", "p ≤"):
        text = sentence.normal
        levels |= _named(text)
        for match in P.finditer(text):
            claim = p_claim(match)
            if claim is not None and claim.relation == "<":
                levels.add(claim.number.value)
    for table in document.tables:
        for match in P.finditer(table.caption):
            claim = p_claim(match)
            if claim is not None:
                levels.add(claim.number.value)
    return {level for level in levels if 0 < level < Fraction(1, 2)} | {Fraction(5, 100)}


def _named(text: str) -> set[Fraction]:
    """The levels of significance that a sentence names, p-values apart."""
    levels = set()
    for match in LEVEL.finditer(text):
        raw = match["value"] or match["at"]
        number = _number(raw) if raw else _number(match["sure"])
        if number is not None:
            levels.add(1 - number.value / 100 if match["sure"] else number.value / 100 if number.percent else number.value)
    return levels


def _is_claim(text: str, word: re.Match[str]) -> bool:
    """Return whether a word says that something is significant: a level of significance does not, reaching significance does."""
    return not word[0].lower().endswith("ce") or REACHED.search(text[: word.start()]) is not None


def _bracket(text: str, place: int) -> int:
    """Return where the bracket around a place opens; 0 if there is none."""
    opening = text.rfind("(", 0, place)
    return opening + 1 if opening >= 0 and text.find(")", opening, place) < 0 else 0


def _significance(sentence: Sentence, levels: set[Fraction]) -> Iterator[Hit]:
    text = AT_LEVEL.sub(lambda match: " " * len(match[0]), sentence.normal)
    words, claims = [word for word in SIGNIFICANT.finditer(text) if _is_claim(text, word)], list(P.finditer(text))
    if len(words) != 1 or len(claims) != 1 or UNSURE.search(text) or MENTION.search(text):
        return
    claim = p_claim(claims[0])
    if claim is None or abs(claims[0].start() - words[0].end()) > 120:  # noqa: PLR2004 - characters of a clause
        return
    if claim.number.value > 1:
        return
    if claim.relation != "=" and not DIRECT.search(text, 0, claims[0].start()):
        return
    if (aside := _bracket(text, words[0].start())) and aside != _bracket(text, claims[0].start()):
        return  # said of another group
    own = _named(sentence.normal)
    if len(own) == 1:
        levels = own
    elif claim.relation == "<":
        levels = (levels - {claim.number.value}) or levels
    denied = NOT.search(text[: max(words[0].end(), claims[0].start())]) is not None
    problem = _not_denied(claim, min(levels)) if denied and (claim.relation == "<" or len(levels) == 1) else ""
    problem = problem if denied else _not_reached(claim, max(levels))
    if problem:
        yield Hit("N006", *sentence.span(*claims[0].span()), problem)


def _not_reached(claim: Claim, level: Fraction) -> str:
    """Return why a difference with this p-value is not significant; nothing if it may be."""
    number, told = claim.number, "but the difference is called significant"
    if claim.relation == "=" and number.span.low > level:
        return f"p = {number.plain} is above {_shown_level(level)}, {told}"
    return (
        f"p > {number.plain} is not below {_shown_level(level)}, {told}" if claim.relation == ">" and number.value >= level else ""
    )


def _not_denied(claim: Claim, level: Fraction) -> str:
    """Return why a difference with this p-value is significant; nothing if it may not be."""
    number = claim.number
    below = number.span.high < level if claim.relation == "=" else claim.relation == "<" and number.value <= level
    told = f"is below {_shown_level(level)}, but the difference is called not significant"
    return f"p {claim.relation} {number.plain} {told}" if below else ""


def _shown_level(level: Fraction) -> str:
    return show(level, 3).rstrip("0")


LIMITS = re.compile(rf"(?:^|[\s(\[])\(?\[?\s?(?P<low>{VALUE})\s?(?:,|;|–|\bto\b)\s?(?P<high>{VALUE})\s?[\])]*$")


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield intervals of a column ``95 % CI`` that do not contain the value beside them, where those of the other rows do."""
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    if not table.sure or not body:
        return
    for column in range(table.leads, table.width):
        if not INTERVALS.search((table.above(body[0], column) or ("",))[-1]):
            continue
        right, wrong = 0, []
        for row in body:
            cell = table.grid[row][column]
            match = None if cell is None else LIMITS.search(cell.text)
            before = [other.value for other in table.grid[row][table.leads : column] if other is not None and other.value]
            value = cell.value if cell is not None and match is not None and match.start() > 0 else before[-1] if before else None
            if cell is None or match is None or value is None or not value.decimals:
                continue
            low, high = _number(match["low"]), _number(match["high"])
            if low is None or high is None or low.value > high.value:
                continue
            inside = Span(low.span.low, high.span.high)
            if any(inside.scaled(scale).meets(other.span) for other in (value, *before) for scale in _scales(low, high, value)):
                right += inside.contains(value.value)
            else:
                wrong.append((cell, value, f"[{low.plain}, {high.plain}]".replace("-", "−")))
        if right >= 2 and len(wrong) == 1:  # noqa: PLR2004 - two intervals show whose they are
            cell, value, shown = wrong[0]
            yield Hit("N005", *cell.span, f"the value {_shown(value)} is not in its interval {shown}")
