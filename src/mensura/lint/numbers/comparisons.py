"""N001 and N002 in sentences with two values and one change, in any order: words say that it is a change, and no reading explains it."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.changes import ANOTHER, CONTRAST, FALLS, MOST, NOT_A_CHANGE, POINTS, VAGUE, check_pairs
from mensura.lint.numbers.evidence import explained_by_any, is_slip, readings, told
from mensura.lint.numbers.names import measures_in
from mensura.lint.numbers.probabilities import P
from mensura.lint.readers.printed import NUMBER, Printed, in_range, printed
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence

NOUN = (
    r"(?:improvements?|gains?|increases?|boosts?|lifts?|rises?|uplifts?|reductions?|decreases?|drops?|declines?|loss|degradations?|falls?|changes?"
    r"|differences?|advantages?|margins?)"
)
VERB = r"(?:improv\w+|outperform\w*|increas\w+|rais\w+|lift\w*|boost\w*|exceed\w*|surpass\w*|beat\w*|grow\w*|grew|rose|drop\w*|fell|falls?|decreas\w+|reduc\w+|lower\w*|declin\w+|degrad\w+|gain\w*|mov\w+)"
COMPARATIVE = r"(?:higher|lower|better|worse|more|less|larger|smaller|greater|above|below)"
BEFORE = re.compile(
    rf"(?:\b{NOUN} (?:in [\w@.-]+ |[\w-]+ )?(?:of|by)|\b{VERB}\b.{{0,60}} by|\b{NOUN}\b.{{0,90}}\b(?:is|was|equals|amounts to|corresponds to|comes to)"
    rf"|\b(?:relative|absolute) (?:{NOUN} )?(?:of|by))(?: an?)?(?: only| just)? ?$",
    re.IGNORECASE,
)
AFTER = re.compile(
    rf" ?(?:(?:percentage |per cent |percent )?points? |pp )?(?:\(?(?:relative|absolute|overall)\)? )?(?:{NOUN}|{COMPARATIVE})\b",
    re.IGNORECASE,
)
SIGNED = re.compile(r"(?:[(,=]|\ba|\bor|i\.e\.,?|\bby)\s?$")
SEVERAL = re.compile(
    r"\b(?:respectively|averag\w+|on average|mean of|means?|median|up to|each|every|both|at least|at most|std|deviations?|intervals?|CIs?|ranges?|ranging"
    r"|error bars?|seeds?|folds?|epochs?|learning rates?|dropout|thresholds?|third|cohen\w*|effect sizes?|correlations?|odds|per|coefficients?|estimates?|slopes?|se|sd|regress\w*)\b|±|≥|≤|≈|~",
    re.IGNORECASE,
)
PARAMETER = re.compile(
    r"(?:\b(?:table|tab\.|figure|fig\.|section|sec\.|eq\.|equation|appendix|version|v|alpha|lambda|beta|gamma|tau|size|weight|temperature|level|rate|gpt|python)|[αβλγτμσ])\s?[=:~-]?\s?$"
    r"|\b[a-zA-Z](?:_\w)?\s?=\s?$|[A-Za-z]-$",
    re.IGNORECASE,
)
AGAINST = re.compile(r"\b(?:over|than|compared|versus|vs|against|from|relative to|of|above|below)\b", re.IGNORECASE)
JOINED = re.compile(rf"{AGAINST.pattern}|\([^()]*$|:[^();]*$", re.IGNORECASE)
AGAIN = re.compile(rf"(?:[,;]|\b(?:while|whereas|and|but|though|although)\b).*\b(?:{NOUN}|{VERB})\b", re.IGNORECASE)
NAMED = re.compile(r"([\w@.%\\-]+)\s?=\s?$")
DECIMAL = re.compile(r"\.\d")
PAIRED = Fraction(4)  # times that a value may be the other
BETWEEN = 160  # characters of two values and their change
COUNT = 3  # two values and their change
NEAR = 160  # characters before a number that say what it is


def check_sentences(document: Document) -> Iterator[Hit]:
    """Yield sentences with two values and a change that does not follow from them."""
    seen: set[int] = set()
    for hit in check_pairs(document):
        seen.add(hit.start)
        yield hit
    for sentence in document.having("%", "percent", "per cent", "point", "differ", "gain", "improve", "increas", "(+", "(−", "(-"):
        for hit in _compared(sentence):
            if hit.start not in seen:
                yield hit


def _compared(sentence: Sentence) -> Iterator[Hit]:
    """Find the two values and the change of a sentence with no other number that could be one of them."""
    text = sentence.normal
    if (
        len(DECIMAL.findall(text)) < COUNT - 1
        or SEVERAL.search(text)
        or len({name.key for name in measures_in(text)}) > 1
        or P.search(text)
    ):
        return
    matches = list(NUMBER.finditer(text))
    if len(matches) > MOST:
        return
    numbers = [printed(match) for match in matches]
    numbers = [number for number in numbers if number.decimals > 0 or number.percent or POINTS.match(text[number.end :])]
    numbers = [number for number in numbers if not before(PARAMETER, text, number)]
    numbers = [number for number in numbers if not _is_named(text, number)]
    changes = [number for number in numbers if _is_change(text, number)]
    if len(numbers) != COUNT or len(changes) != 1:
        return
    (change,) = changes
    one, two = (number for number in numbers if number is not change)
    if not _alike(one, two) or numbers[-1].end - numbers[0].start > BETWEEN or any(in_range(text, number) for number in numbers):
        return
    if _is_apart(text, one, two, change):
        return
    points = POINTS.match(text[change.end :]) is not None
    if change.decimals < 1 and not change.percent:
        return
    if explained_by_any((one, two), change):
        return
    low, high = sorted((one, two), key=lambda number: number.value)
    base, other = (high, low) if FALLS.search(text) else (low, high)
    hundreds = one.percent or high.value > 1
    name = "relative" if change.percent and not points else "points" if points and not hundreds else "difference"
    way = next((each for each in readings(base, other, change) if each.name == name), None)
    if way is not None and is_slip(change, way.value):
        yield Hit("N001" if name == "relative" else "N002", *sentence.span(change.start, change.end), told(change, way))


def _is_apart(text: str, one: Printed, two: Printed, change: Printed) -> bool:
    """Return whether a change and two values may be of something else: of a list of changes, or with a verb of their own."""
    if change.start > two.end:
        between = text[two.end : change.start]
        return ANOTHER.search(between) is not None or CONTRAST.search(between) is not None
    if change.start > one.end:
        return AGAINST.search(text[change.end : two.start]) is None
    between = text[change.end : one.start]
    return JOINED.search(between) is None or AGAIN.search(between) is not None


def _is_named(text: str, number: Printed) -> bool:
    """Return whether a number is said to be the value of something else than a measure, as in ``SE = 0.084``."""
    name = before(NAMED, text, number)
    return name is not None and not measures_in(name[1])


def _alike(one: Printed, two: Printed) -> bool:
    """Return whether two numbers may be values of one measure."""
    values = sorted((abs(one.value), abs(two.value)))
    same = one.decimals == two.decimals > 0 and one.percent == two.percent and not one.signed and not two.signed
    return same and values[0] > 0 and values[0] < values[1] <= PAIRED * values[0]


def _is_change(text: str, number: Printed) -> bool:
    """Return whether words or a sign say that a number is a change."""
    after = text[number.end : number.end + 60]
    if VAGUE.search(text[max(number.start - 24, 0) : number.start]) or NOT_A_CHANGE.match(after):
        return False
    if number.signed and before(SIGNED, text, number):
        return True
    unit = number.percent or POINTS.match(after) is not None
    if unit and AFTER.match(after):
        return True
    return before(BEFORE, text, number) is not None


def before(form: re.Pattern[str], text: str, number: Printed) -> re.Match[str] | None:
    """Look for a form that ends where a number begins."""
    return form.search(text, max(number.start - NEAR, 0), number.start)
