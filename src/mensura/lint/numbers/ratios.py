"""N001 and N012 in sentences: a share of another value, a factor between two values, and the mean of values that are listed."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.numbers.names import measures_in
from mensura.lint.readers.printed import NUMBER, Printed, Span, in_range, printed, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence

SHARE = re.compile(
    r"(?:\b(?:retain|keep|preserv|maintain|recover|reach|achiev|attain|match)\w*|\b(?:which|this|that) is|\bi\.e\.,?|\bor)"
    r" (?P<share>\d{1,3}(?:\.\d+)?) ?% of (?:the |its |their |that of |\d)"
)
FACTOR = re.compile(
    r"(?<![\w.])(?P<factor>\d{1,4}(?:\.\d+)?)(?:(?: ?(?:x|×)| times|-fold)(?: (?:as|faster|slower|speed-?up|higher|lower|larger|smaller|better|more|less|reduction|improvement|increase)\b|(?=[ ,.;)]|$)))"
)
PAIR = re.compile(
    r"\b(?:from|takes?|took|needs?|in|requires?) (?:about )?(?P<base>\d+(?:\.\d+)?) ?(?P<one>[a-zA-Zµμ%]{0,8})(?: \([^()]{0,40}\))? (?:(?:down |up )?to|instead of|rather than|compared (?:to|with)|versus|vs\.?) (?:only |just )?(?P<other>\d+(?:\.\d+)?) ?(?P<two>[a-zA-Zµμ%]{0,8})\b"
)
ANOTHER = re.compile(r"\b(?:and|while|whereas|but)\b", re.IGNORECASE)  # something else may be so many times as fast
COST = re.compile(r"\b(?:cost|tak|need|requir|giv|yield|mak|run|add|deliver)\w*\b")  # a factor of what more of something costs
WORDS = {"ms", "s", "sec", "min", "MB", "GB", "kB", "us", "µs", "μs", "h", "%", ""}
MEAN = re.compile(
    r"\b(?:average|mean) of (?=[\d.])[\d., and]{8,90} (?:is|was|equals) (?P<last>\d*\.\d+)"
    r"|(?:\bon average|\b(?:mean|average)(?: [A-Za-z]\w*)?(?: is| was|:| =| of)?|\baveraging)\s*:?\s?(?P<mean>(?<!\d)\d*\.\d+)|(?P<before>\d*\.\d+) (?:on|in) average"
)
VAGUE = re.compile(
    r"\b(?:about|around|roughly|over|almost|nearly|approximately|up to|more than|at least|at most|less than|some|ca\.?)\s?$|[~≈><≥≤]\s?$",
    re.IGNORECASE,
)
MORE = re.compile(
    r"\b(?:over|across|of|for|on|in) (?:all|the|every|other|\d+|our|both)\b", re.IGNORECASE
)  # values that are not listed
WEIGHTED = re.compile(r"weighted|micro|median|geometric|harmonic|e\.g\.|such as|including|among", re.IGNORECASE)
LISTED = 3  # values that are averaged, at the least
MOST = 12  # numbers of a sentence
NEAR = Fraction(1, 4)  # of the right value: beyond, something else may be meant


def check_sentences(document: Document) -> Iterator[Hit]:
    """Yield shares, factors and means that do not follow from the values beside them."""
    for sentence in document.having("% of", "%of"):
        yield from _share(sentence)
    for sentence in document.having(
        "from ", "instead of", "rather than", "compared", "versus", "vs", also=("x", "×", "times", "fold")
    ):
        yield from _factor(sentence)
    for sentence in document.having("average", "averaging", "mean"):
        yield from _mean(sentence)


def _numbers(text: str) -> list[Printed]:
    return [printed(match) for match in NUMBER.finditer(text)]


def _share(sentence: Sentence) -> Iterator[Hit]:
    """``0.58 and 0.60; the small model retains 96.7 % of …``: the only two values of one measure, and their ratio."""
    text = sentence.normal
    matches = list(SHARE.finditer(text))
    names = {name.key for name in measures_in(text)}
    if len(matches) != 1 or len(names) != 1:
        return
    (match,) = matches
    values = [number for number in _numbers(text) if not match.start("share") <= number.start < match.end("share")]
    values = [number for number in values if number.decimals > 1 and not number.signed and not number.percent]
    if len(values) != 2 or values[0].decimals != values[1].decimals or VAGUE.search(text[: match.start("share")]):  # noqa: PLR2004 - a pair of values
        return
    small, large = sorted(values, key=lambda number: number.value)
    share = _at(text, match.start("share"))
    if share is None or small.span.low <= 0 or share.value > 100:  # noqa: PLR2004 - a whole in per cent
        return
    ratio, exact = (small.span / large.span).scaled(100), small.value / large.value * 100
    if not ratio.meets(share.span) and abs(exact - share.value) <= exact * NEAR:
        detail = (
            f"{share.plain.rstrip('%')} % is printed, but {small.plain} / {large.plain} = {show(exact, max(share.decimals, 1))} %"
        )
        yield Hit("N001", *sentence.span(share.start, share.end), detail)


def _factor(sentence: Sentence) -> Iterator[Hit]:
    """``from 120 ms to 40 ms, 3.0 times …``: the only two values, in one unit, and the only factor."""
    text = sentence.normal
    pairs, factors = list(PAIR.finditer(text)), list(FACTOR.finditer(text))
    if len(pairs) != 1 or len(factors) != 1 or len(_numbers(text)) > MOST:
        return
    (pair,), (match,) = pairs, factors
    base, other, factor = _at(text, pair.start("base")), _at(text, pair.start("other")), _at(text, match.start("factor"))
    between = text[pair.end() : match.start()] if match.start() > pair.end() else text[match.end() : pair.start()]
    if base is None or other is None or factor is None or len(between) > 40 or NUMBER.search(between) or ANOTHER.search(between):  # noqa: PLR2004 - characters of one clause
        return
    if in_range(text, factor) or (COST.search(between) and pair["two"] in {"", "%"}):
        return
    if (pair["one"] not in WORDS and pair["one"] != pair["two"]) or (pair["one"] in WORDS - {""} and pair["one"] != pair["two"]):
        return
    if base.span.low <= 0 or other.span.low <= 0 or base.value == other.value or VAGUE.search(text[: match.start("factor")]):
        return
    large, small = (base, other) if base.value > other.value else (other, base)
    ratio, exact = large.span / small.span, large.value / small.value
    one = Span(Fraction(1), Fraction(1))
    ways = (ratio, ratio - one, one / ratio)
    if not any(way.meets(factor.span) for way in ways) and abs(exact - factor.value) <= exact:
        detail = f"{factor.plain}× is printed, but {large.plain} / {small.plain} = {show(exact, max(factor.decimals, 1))}"
        yield Hit("N001", *sentence.span(match.start("factor"), match.end("factor")), detail)


def _mean(sentence: Sentence) -> Iterator[Hit]:
    """``0.412, 0.388 and 0.451, on average 0.417``: all other values of the sentence, with as many decimals, and their mean."""
    text = sentence.normal
    matches = list(MEAN.finditer(text))
    if len(matches) != 1 or len({name.key for name in measures_in(text)}) > 1:
        return
    (match,) = matches
    mean = _at(text, match.start(next(name for name in ("mean", "last", "before") if match[name])))
    if mean is None or VAGUE.search(text[: mean.start]) or MORE.search(text, mean.end) or WEIGHTED.search(text):
        return
    others = [number for number in _numbers(text) if number.start != mean.start and number.decimals > 1 and not number.signed]
    values = [number for number in others if number.end <= mean.start]
    if (
        len(values) < LISTED
        or len(values) != len(others)
        or len(values) > MOST
        or {number.decimals for number in values} != {mean.decimals}
    ):
        return
    gaps = [text[one.end : two.start] for one, two in itertools.pairwise(values)]
    if any(len(gap) > 40 or not re.search(r",|\band\b|/|;", gap) for gap in gaps):  # noqa: PLR2004 - characters in a list
        return
    count = len(values)
    span = Span(
        sum((number.span.low for number in values), Fraction(0)) / count,
        sum((number.span.high for number in values), Fraction(0)) / count,
    )
    exact = sum((number.value for number in values), Fraction(0)) / count
    if not span.meets(mean.span) and min(number.value for number in values) <= mean.value <= max(number.value for number in values):
        shown = f"({' + '.join(number.plain for number in values)}) / {count}"
        yield Hit(
            "N012", *sentence.span(mean.start, mean.end), f"{mean.plain} is printed, but {shown} = {show(exact, mean.decimals)}"
        )


def _at(text: str, start: int) -> Printed | None:
    match = NUMBER.match(text, start)
    return None if match is None else printed(match)
