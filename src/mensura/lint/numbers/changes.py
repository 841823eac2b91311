"""N001 and N002 in sentences: relative changes and differences, against the two values that they compare."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.evidence import explained, explained_by_any, readings, told, typeset
from mensura.lint.numbers.names import measures_in
from mensura.lint.readers.printed import NUMBER, Printed, Span, in_range, printed, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mensura.lint.numbers.evidence import Way
    from mensura.lint.readers.document import Document, Sentence


VALUE = r"(?<![\w.,])[+\-−]?(?:\d+)?\.?\d+\s?%?"
PAIR = re.compile(
    rf"\bfrom (?:\w+ )?(?:an? |about )?(?P<base>{VALUE})(?: \([^()]{{0,40}}\))?,? (?:up |down )?to (?:\w+ )?(?P<other>{VALUE})"
)
VERSUS = re.compile(
    rf"(?P<other>{VALUE}) (?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than) (?:\w+ )?(?P<base>{VALUE})"
)
RANGING = re.compile(r"\b(?:rang|vari|vary|span|spread)\w* $", re.IGNORECASE)
UNIT = r"(?: ?(?P<unit{}>[a-zA-Zµμ]{{1,12}}(?:/[a-z]{{1,6}})?)\b)?"
MOVED = re.compile(
    rf"(?:\bfrom )?(?P<base>{VALUE}){UNIT.format(1)} ?(?:→|⟶|->|–>|=>|⇒|\bto\b) ?(?P<other>{VALUE}){UNIT.format(2)},? ?\( ?"
    r"(?:(?:an?|=) )?(?P<change>[+−–-]? ?\d+(?:\.\d+)?) ?(?P<kind>%|pp\b|p\.p\.|(?:percentage )?points?\b|x\b|×)"
    r"(?: (?:relative|absolute|improvement|increase|decrease|reduction|drop|gain|lift|faster|slower|speed-?up|smaller|larger|lower|higher|better|worse|fewer|more|less)){0,2} ?\)"
)
CHANGED = re.compile(
    r"\b(?:improv\w*|increas\w*|gain\w*|boost\w*|outperform\w*|rais\w*|lift\w*|drop\w*|decreas\w*|degrad\w*|reduc\w*|better|worse|higher|lower|rise\w*|rose"
    r"|fall\w*|fell|grow\w*|grew|jump\w*|relative\w*|differ\w*|change[sd]?|declin\w*|climb\w*|loses?|lost|loss|up|down|more|less|absolute)\b|[+−-]\s?\d",
    re.IGNORECASE,
)
POINTS = re.compile(r"^\s?-?(?:percentage |percent |% )?(?:points?|pp\b|p\.p\.)|^\s?absolute|^\s?abs\b", re.IGNORECASE)
NOT_A_CHANGE = re.compile(
    r"^\s?-?\s?(?:CI\b|CIs\b|confidence|credible|interval|level|significance|quantile|percentile|of (?:the |all |our |its )?(?:\w+ )?(?:\w+ )?(?:topics|queries|documents|users|cases|time|data|pairs|test|train))",
    re.IGNORECASE,
)
BY = re.compile(
    r"\b(?:by|of|a|an|is|was|about|=|:|improvement|gain|increase|drop)\s?(?:about |around |roughly |over |almost |nearly |approximately |up to |more than |at least |~|≈|some )?$|[(,;]\s?$",
    re.IGNORECASE,
)
VAGUE = re.compile(
    r"\b(?:about|around|roughly|over|almost|nearly|approximately|approx\.?|up to|more than|at least|at most|less than|some|between|ca\.?|another)\s?$|[~≈><≥≤]\s?$",
    re.IGNORECASE,
)
DIFFERENCE = re.compile(
    r"\b(?:differences?|gains?|improvements?|increases?|decreases?|drops?|rises?|changes?|loss|losses) of (?:only |just )?[+−-]?\s?$"
    r"|\b(?:falls?|fell|drop\w*|decreas\w*|increas\w*|ris\w+|rose|improv\w*|declin\w*|grow\w*|grew|w[eo]nt (?:up|down)|go(?:es)? (?:up|down)) by (?:only |just )?[+−-]?\s?$",
    re.IGNORECASE,
)
RELATIVE = re.compile(r"\brelative(?:ly)?\b", re.IGNORECASE)
RESPECTIVELY = re.compile(r"[^.;]{0,30}\brespectively\b", re.IGNORECASE)  # the last of several values, not a change
CLAUSE = 80  # characters between two values and their change
MOST = 12  # numbers of a sentence, beyond which it is a list


STATED = re.compile(
    r"\b(?:relative\w*|absolute|improv\w*|increas\w*|gain\w*|boost\w*|drop\w*|decreas\w*|reduc\w*|loss|change[sd]?|differ\w*|better|worse|higher|lower)\b|\bby\s",
    re.IGNORECASE,
)  # a percentage in brackets alone may be a share


def check_pairs(document: Document) -> Iterator[Hit]:
    """Yield changes from one value to another, or of one against another, that do not follow from these."""
    told_already: set[int] = set()
    for sentence in document.having("→", "->", "⇒", "=>", "–>", "⟶", " to ", also=("(",)):
        for code, start, end, detail in moved(sentence.normal):
            told_already.add(sentence.place(start))
            yield Hit(code, *sentence.span(start, end), detail)
    for sentence in document.having("from ", " vs", "versus", "compared", "against", "instead of", "rather than"):
        text = sentence.normal
        moves = [match for match in PAIR.finditer(text) if not RANGING.search(text[: match.start()])]
        pairs = sorted([*moves, *VERSUS.finditer(text)], key=lambda match: match.start())
        if not pairs or not CHANGED.search(text):
            continue
        numbers = [printed(match) for match in NUMBER.finditer(text)]
        if len(numbers) > MOST:
            continue
        if len(pairs) == 1:
            yield from (hit for hit in _claim(sentence, pairs[0], numbers) if hit.start not in told_already)
            continue
        edges = [*(pair.start() for pair in pairs[1:]), len(text)]
        for pair, edge in zip(pairs, edges, strict=True):  # each pair with the change right after it
            near = [number for number in numbers if pair.end() <= number.start < min(edge, pair.end() + 12)]
            if near and not any(NUMBER.search(each[0]) for each in pairs if each.start() < near[0].start < each.end()):
                yield from (hit for hit in _claim(sentence, pair, near) if hit.start not in told_already)


def moved(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield rule, span and arithmetic of the changes in brackets right after two values, ``0.312 → 0.354 (+13.5 %)`` or ``80 ms to 20 ms (4x)``, that do not follow."""
    for match in MOVED.finditer(text):
        base, other, change = (_number(text, match, name) for name in ("base", "other", "change"))
        one, two, kind = match["unit1"], match["unit2"], match["kind"]
        if base is None or other is None or change is None or (one and one != two) or not base.value or not other.value:
            continue
        if (base.percent and not other.percent) or (one and kind[0] == "p"):
            continue
        base = replace(base, percent=other.percent)
        if kind in "x×":
            ratio = base.span / other.span if base.span.low > 0 and other.span.low > 0 else None
            if ratio is None or _is_factor(ratio, other.span / base.span, change.span):
                continue
            large, small = (base, other) if base.value > other.value else (other, base)
            exact = large.value / small.value
            if change.value > 0 and abs(exact - change.value) <= exact / 2:
                detail = (
                    f"{change.plain}× is printed, but {typeset(large)} / {typeset(small)} = {show(exact, max(change.decimals, 1))}"
                )
                yield "N001", match.start("change"), match.end("kind"), detail
            continue
        change = replace(change, percent=kind == "%")
        if base.value != other.value and not explained(base, other, change, either=False):
            ways = readings(base, other, change)
            way = ways[0] if kind == "%" else in_points(ways, base, other)
            if abs(abs(way.value) - abs(change.value)) <= max(abs(way.value) / 2, Fraction(5)):
                yield "N001" if kind == "%" else "N002", match.start("change"), match.end("kind"), told(change, way)


def in_points(ways: Sequence[Way], base: Printed, other: Printed) -> Way:
    """Return the way in which a change in points follows from two values: their difference, if they are in per cent or like that."""
    hundreds = base.percent or max(abs(base.value), abs(other.value)) > 1
    return next((way for way in ways if way.name == ("difference" if hundreds else "points")), ways[0])


def _is_factor(down: Span, up: Span, factor: Span) -> bool:
    """Return whether a factor is the ratio of two values, either way, or the ratio less one (``twice as fast`` is ``1x faster``)."""
    one = Span(Fraction(1), Fraction(1))
    return any(ratio.meets(factor) or (ratio - one).meets(factor) for ratio in (down, up))


def _claim(sentence: Sentence, pair: re.Match[str], numbers: list[Printed]) -> Iterator[Hit]:
    """Yield the change that a pair of values does not explain, if there is exactly one change."""
    text = sentence.normal
    base, other = (_number(text, pair, name) for name in ("base", "other"))
    if (
        base is None
        or other is None
        or base.percent > other.percent
        or min(base.decimals, other.decimals) < 1
        or base.value == other.value
    ):
        return
    if other.percent and not base.percent:  # from 31.2 to 34.1 %
        base = Printed(base.start, base.end, base.text, base.value, base.decimals, percent=True)
    change = _change(text, pair, numbers)
    if change is None:
        return
    far = change.start - pair.end() > CLAUSE or pair.start() - change.end > CLAUSE
    if far or not (BY.search(text[: change.start]) or change.signed) or _of_another(text, pair, base, other, change):
        return
    around = text[max(0, change.start - 40) : change.end + 30]
    if explained(base, other, change, either=pair.re is VERSUS, relative=change.percent and RELATIVE.search(around) is not None):
        return
    points = POINTS.match(text[change.end : change.end + 60]) is not None
    if not (change.signed or points or STATED.search(around)) and explained_by_any(numbers, change):
        return
    if not (points or change.percent) and change.decimals < min(base.decimals, other.decimals):
        return
    if not (change.signed or points) and _is_third(text, change, base, other):
        return
    ways = readings(base, other, change)
    way = in_points(ways, base, other) if points else ways[0]
    yield Hit("N002" if points or not change.percent else "N001", *sentence.span(change.start, change.end), told(change, way))


def _is_third(text: str, change: Printed, base: Printed, other: Printed) -> bool:
    """Return whether a percentage in brackets is rather a value beside the two: as large as they are, and in their unit."""
    if text[: change.start].rstrip()[-1:] != "(" or not (base.percent and other.percent):
        return False
    low, high = sorted((base.value, other.value))
    return low / 2 <= change.value <= high * 2


ANOTHER = re.compile(
    r"\b(?:and|while|whereas|but|also|with)\b[^.;]{0,50}\b(?:improv|increas|gain|boost|rais|lift|drop|decreas|degrad|reduc|rise|rose|fall|fell|grow|grew|cut|sav|los)\w*",
    re.IGNORECASE,
)
CONTRAST = re.compile(r"\b(?:although|though|while|whereas|but|however|despite)\b", re.IGNORECASE)
FALLS = re.compile(r"\b(?:drop|decreas|lower|fewer|less|reduc|los[est]|worse|degrad|declin|fall|fell|slow)", re.IGNORECASE)
RISES = re.compile(r"\b(?:gain|improv|increas|higher|better|rise|rose|boost|more|grow|grew|fast)", re.IGNORECASE)


def _of_another(text: str, pair: re.Match[str], base: Printed, other: Printed, change: Printed) -> bool:
    """Return whether a change is one of something else than the values: of another measure, or in another direction."""
    first, second = sorted([pair.span(), (change.start, change.end)])
    between, after = text[first[1] : second[0]], text[change.end : change.end + 40]
    owners = measures_in(text[: first[0]])
    named = [name.key for name in (*measures_in(between), *(measures_in(after)[:1] if change.start > pair.start() else ()))]
    if named and (owners[-1].key not in named if owners else re.search("[a-z]{3}", between) is not None):
        return True
    if change.start < pair.start() and CHANGED.search(between):  # costs fall by 75 % and use improves from .1 to .3
        return True
    if change.start > pair.start() and (ANOTHER.search(between) or CONTRAST.search(between)):
        return True
    words = text[max(0, change.start - 25) : change.start] + after[:25]
    falls, rises = FALLS.search(words) is not None, RISES.search(words) is not None
    return falls is not rises and rises is not (other.value > base.value)


def _change(text: str, pair: re.Match[str], numbers: list[Printed]) -> Printed | None:
    """Return the only change beside a pair of values; nothing if a percentage may be something else."""
    changes = []
    for number in numbers:
        if number.start >= pair.start() and number.end <= pair.end():
            continue
        after = text[number.end : number.end + 60]
        if VAGUE.search(text[max(0, number.start - 24) : number.start]) or NOT_A_CHANGE.match(after) or in_range(text, number):
            if number.percent:
                return None
        elif number.percent and RESPECTIVELY.match(after):
            return None
        elif number.percent or POINTS.match(after) or DIFFERENCE.search(text[max(0, number.start - 30) : number.start]):
            changes.append(number)
    return changes[0] if len(changes) == 1 else None


def _number(text: str, match: re.Match[str], name: str) -> Printed | None:
    number = NUMBER.match(text, match.start(name))
    return None if number is None else printed(number)
