"""N001 and N002 in the text about a table: one system against another in per cent, or in points, also several in one sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.changes import NOT_A_CHANGE, POINTS, in_points
from mensura.lint.numbers.evidence import Way, explained, is_slip, readings, told
from mensura.lint.numbers.known import SYSTEM, masked, same
from mensura.lint.numbers.names import measures_in
from mensura.lint.readers.printed import NUMBER, Printed, in_range, printed
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.numbers.known import Known, TableValue
    from mensura.lint.readers.document import Document, Sentence

COMPARED = re.compile(
    r"\bcompared (?:to|with)\b[^.;]{0,60}\b(?:improves?|increases?|raises?|gains?|reduces?)\b|\b(?:outperform\w*|beats?|surpass\w*|exceed\w*|(?:improv\w+|gains?|increase[sd]?|better|higher|lower|worse|drop\w*|decrease[sd]?|loss|advantage|successful|effective)\b[^.;]{0,60}?"
    r"\b(?:over|than|compared (?:to|with)|relative to|against|from|to|vs\.?))\b",
    re.IGNORECASE,
)
GENERAL = re.compile(
    r"\b(?:average|averaged|mean|across|overall|up to|all|both|each|every|only|reported|et al|previous\w*|paper|original\w*|latency|time|faster|slower|speed|memory|size|topics|queries|cost|errors?)\b",
    re.IGNORECASE,
)
ABOUT = re.compile(r"(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|ca\.?)\s?|[~≈]\s?)$", re.IGNORECASE)
ABOVE = re.compile(r"(?:\b(?:over|more than|at least)\s?|[>≥]\s?)$", re.IGNORECASE)
BOUND = re.compile(r"(?:\b(?:up to|at most|less than|under|below|between|another|by a further)\s?|[<≤]\s?)$", re.IGNORECASE)
ROUGH = Fraction(1, 10)  # of a change that is said to be about so much
PERCENT = r"\d+(?:\.\d+)? ?%"
EACH_OTHER = re.compile(rf"{SYSTEM}(?: [a-z]+)? by (?:[a-z]+ )?(?P<change>{PERCENT})")  # B by 4.1 % and C by 6.3 %
OVER_OTHER = re.compile(
    rf"(?P<change>{PERCENT}) (?:[a-z]+ ){{0,3}}(?:over|than|against|compared (?:to|with)|relative to) (?:the )?{SYSTEM}"
)
IN_MEASURE = re.compile(rf"(?P<change>{PERCENT}) (?:[a-z]+ ){{0,2}}?(?:in terms of|in|for|on|by|of) (?:the )?")
MEASURE_BY = re.compile(rf"(?: scores?)? by (?:[a-z]+ )?(?P<change>{PERCENT})")
OBJECT = rf"(?:the |both )*{SYSTEM}(?: [a-z]+)?"
RESPECTIVELY = re.compile(r"\brespectively\b")
PAIR = 2  # systems, one against another
TWO = re.compile(  # A outperforms B and C by 4.1 % and 6.3 %, respectively: also if one of them is in no table
    rf"{SYSTEM} (?:[a-z]+ly )?(?:outperforms?|outperformed|improves? (?:over|on|upon)|improved (?:over|on|upon)|beats?|surpass(?:es|ed)?|exceed(?:s|ed)?) "
    rf"(?P<first>[^,;.()]{{1,40}}?) and (?P<second>[^,;.()]{{1,40}}?) by (?P<one>{PERCENT}) and (?P<two>{PERCENT})[^.;]{{0,40}}? respectively"
)
TAIL = re.compile(r"\b(?:which|suggest\w*|indicat\w*|because|since|showing|confirm\w*|thus|hence|demonstrat\w*|highlight\w*)\b")
OVER = re.compile(r"\d ?%[^.;%]{0,30}\b(?:over|above|than|vs|versus|compared|relative|against)\b")
VALUE_OVER = re.compile(
    rf"(?P<value>(?<![\d.])\d{{0,2}}\.\d+(?: ?%)?)(?: [\w@]+)?,? ?\(?(?:an? )?(?P<change>[+−-]? ?{PERCENT})(?: [a-z]+){{0,2}} (?:over|above|than|vs\.?|versus|compared (?:to|with)|relative to|against) (?:the )?{SYSTEM}"
)
MOST = 4  # changes of a sentence


@dataclass(frozen=True, slots=True)
class ClaimedChange:
    """A change from one system to another, by a measure if the sentence names one for it."""

    systems: tuple[str, str]
    measure: tuple[str, int] | None
    change: Printed


def check(document: Document, known: Known) -> Iterator[Hit]:
    """Yield changes that the only two cells for two systems do not give."""
    if not known.tables:
        return
    for sentence in document.having("%", "percent", " points"):
        text = sentence.normal
        yield from _over(sentence, known)
        if not COMPARED.search(text):
            continue
        changes = [printed(match) for match in NUMBER.finditer(text)]
        if any(number.decimals > 0 and not _is_change(text, number) for number in changes):
            continue
        changes = [number for number in changes if _is_change(text, number)]
        if not 0 < len(changes) <= MOST:
            continue
        words, systems = masked(text, known.systems)
        words = _until_tail(words, len(changes))
        if GENERAL.search(words) or any(_is_unsure(text, change) for change in changes):
            continue
        for claim in _claims(words, text, systems, changes):
            way = _contradiction(known, claim, text)
            if way is not None:
                code = "N002" if way.name != "relative" else "N001"
                yield Hit(code, *sentence.span(claim.change.start, claim.change.end), told(claim.change, way))


def _over(sentence: Sentence, known: Known) -> Iterator[Hit]:
    """Yield changes right behind a value, over a system whose value is beside that one in a table: ``0.311 (+18.4 % over BM25)``."""
    text = sentence.normal
    words, systems = masked(text, known.systems) if OVER.search(text) else (text, [])
    matches = list(VALUE_OVER.finditer(words)) if systems else []
    if len(matches) != 1 or len(re.findall(r"%", words)) > 1:
        return
    (match,) = matches
    value, change = (next(number for number in map(printed, NUMBER.finditer(match[name]))) for name in ("value", "change"))
    measures = {name.key for name in measures_in(text)}
    bases = [
        entry
        for (system, key), entries in known.index.items()
        if system == systems[int(match["number"])][1] and (not measures or key in measures)
        for entry in entries
        if any(same(value, other.value) for other in known.beside(entry))
    ]
    if len(bases) != 1 or explained(bases[0].value, value, change) or known.of_another(bases[0], text):
        return
    way = next((each for each in readings(bases[0].value, value, change) if each.name == "relative"), None)
    at = text.find(match["change"])
    if way is not None and is_slip(change, way.value) and text.count(match["change"]) == 1:
        yield Hit("N001", *sentence.span(at, at + len(match["change"])), told(change, way))


def _until_tail(words: str, changes: int) -> str:
    """Return a sentence without what it concludes from its changes."""
    tail = TAIL.search(words)
    return (
        words[: tail.start()]
        if tail is not None and len(re.findall(r"%|\bpoints?\b|\bpercent\b", words[: tail.start()])) >= changes
        else words
    )


def _is_change(text: str, number: Printed) -> bool:
    return number.percent or POINTS.match(text[number.end : number.end + 60]) is not None


def _is_unsure(text: str, change: Printed) -> bool:
    """Return whether a number is a bound, the end of a range, or a percentage of something else."""
    after = text[change.end : change.end + 60]
    return bool(BOUND.search(text[max(0, change.start - 24) : change.start]) or NOT_A_CHANGE.match(after) or in_range(text, change))


def _claims(words: str, text: str, systems: list[tuple[int, str]], changes: list[Printed]) -> list[ClaimedChange]:
    """Return what a sentence claims: one change of two systems, or several, each beside its system or its measure, or in their order."""
    names = [system for _, system in systems]
    measures = list(dict.fromkeys(name.key for name in measures_in(text)))
    if len(set(names)) < len(names) or len(names) < PAIR:
        return []
    if len(measures) > 1:
        return _by_measure(words, text, (names[0], names[1]), changes) if len(names) == PAIR else []
    own = measures[0] if measures else None
    if len(changes) == 1:
        return [ClaimedChange((names[0], names[1]), own, changes[0])] if len(names) == PAIR else []
    others = _in_order(words, names, changes) or (_beside(words, names, changes) if len(names) == len(changes) + 1 else {})
    return [ClaimedChange((names[0], other), own, changes[at]) for at, other in others.items()]


def _in_order(words: str, names: list[str], changes: list[Printed]) -> dict[int, str]:
    """Return the systems of changes that are listed in their order."""
    two = TWO.search(words)
    if two is not None and len(changes) == PAIR:
        objects = [re.fullmatch(OBJECT, two[group]) for group in ("first", "second")]
        return {at: names[int(match["number"])] for at, match in enumerate(objects) if match is not None}
    return dict(enumerate(names[1:])) if RESPECTIVELY.search(words) and len(names) == len(changes) + 1 else {}


def _beside(words: str, names: list[str], changes: list[Printed]) -> dict[int, str]:
    """Return the systems of changes that are named right before them, or right behind."""
    for form in (EACH_OTHER, OVER_OTHER):
        matches = list(form.finditer(words))
        if len(matches) == len(changes) and all(match["number"] != "0" for match in matches):
            return {at: names[int(match["number"])] for at, match in enumerate(matches)}
    return {}


def _by_measure(words: str, text: str, systems: tuple[str, str], changes: list[Printed]) -> list[ClaimedChange]:
    """Return changes of several measures, which are right behind them, or right before, or listed in their order."""
    names = measures_in(text)
    if RESPECTIVELY.search(words):
        return (
            [ClaimedChange(systems, name.key, change) for name, change in zip(names, changes, strict=True)]
            if len(names) == len(changes)
            else []
        )
    for before in (True, False):
        placed: dict[int, tuple[str, int]] = {}
        for name in names:
            if before:
                match = next((each for each in IN_MEASURE.finditer(text, 0, name.start) if each.end() == name.start), None)
            else:
                match = MEASURE_BY.match(text, name.end)
            if match is not None:
                placed[match.start("change")] = name.key
        if len(placed) == len(changes) == len(names) and all(change.start in placed for change in changes):
            return [ClaimedChange(systems, placed[change.start], change) for change in changes]
    return []


def _contradiction(known: Known, claim: ClaimedChange, text: str) -> Way | None:
    """Return the change that two systems have in the only place for them, if it is not the claimed one nor one by another measure."""
    pairs = [
        (one, two)
        for (system, key), entries in known.index.items()
        if system == claim.systems[0]
        for one in entries
        for two in known.index.get((claim.systems[1], key), [])
        if one.table is two.table and one.context == two.context
    ]
    if any(_explains(one, two, claim.change, text) for one, two in pairs):
        return None
    pairs = [pair for pair in pairs if claim.measure is None or pair[0].measure.key == claim.measure]
    if len(pairs) != 1 or known.of_another(pairs[0][0], text):
        return None
    ((first, second),) = pairs
    change = claim.change
    both = (first.value, second.value), (second.value, first.value)
    ways = [readings(base, other, change) for base, other in both]
    if change.percent:
        possible = [way for each in ways for way in each if way.name == "relative"]
    else:
        possible = [in_points(each, *pair) for each, pair in zip(ways, both, strict=True)]
    way = min(possible, key=lambda each: abs(abs(each.value) - abs(change.value)), default=None)
    return way if way is not None and is_slip(change, way.value) else None


def _explains(one: TableValue, two: TableValue, change: Printed, text: str) -> bool:
    """Return whether two values give a change, or nearly, if it is said to be about so much or more than so much."""
    if explained(one.value, two.value, change):
        return True
    before = text[max(0, change.start - 24) : change.start]
    rough = abs(change.value) * ROUGH if ABOUT.search(before) or ABOVE.search(before) else None
    if rough is None:
        return False
    sizes = [abs(way.value) for pair in ((one, two), (two, one)) for way in readings(pair[0].value, pair[1].value, change)]
    return any(abs(size - abs(change.value)) <= rough or (ABOVE.search(before) and size >= abs(change.value)) for size in sizes)
