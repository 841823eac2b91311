"""N017: calculations that are written out, as ``97 / (97 + 80) = 0.548`` or with a fraction of LaTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.readers.printed import NUMBER, Printed, Span, printed, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document

# Candidates: a sign of equality with a digit, a bracket or a brace before it and a number behind it.
EQUATION = re.compile(
    r"[\d)}\]]\s{0,12}(?:\\[,;:! ]\s?)?(?P<sign>=|≈|≃|\\approx\b|\\simeq\b|\\doteq\b|&=)(?:\\[,;:! ])?\s{0,12}(?P<result>[+−-]?\s?\d*\.?\d)"
)
TOKEN = re.compile(
    r"(?P<space>\s+|\\[,;:! ]|~|\\(?:left|right|big|Big|bigl|bigr|Bigl|Bigr|displaystyle|textstyle)\b|&)"
    r"|(?P<fraction>\\[dt]?frac\b)"
    r"|(?P<times>\*|×|·|⋅|\\times\b|\\cdot\b|\\ast\b)|(?P<over>/|÷|\\div\b)|(?P<plus>\+)|(?P<minus>[-−–])"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<number>(?:\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)|\d+)?\.\d+|\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)|\d+)(?P<percent>\s?\\?%)?"
)
PAIRS = {"(": ")", "[": "]", "{": "}"}
LONGEST, LONGEST_RESULT = 300, 30  # characters of a calculation and of its result
SHORTEST = 3  # tokens
SIGNS = ("+", "/", "*", "×", "·", "÷", "⋅", "frac", "\\times", "\\cdot", "\\div", "-", "−")
FEW_NUMBERS = 2  # of a sum that may be anything
WRITTEN = {"times": " · ", "over": " / ", "plus": " + ", "minus": " − ", "{": "(", "}": ")"}
SINGLE = re.compile(r"\(([\d.,]+)\)")  # brackets around one number
BULLET = re.compile(r"\n[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)])\s|\n\s*\n")
FEW = 20  # whole numbers below are exact, larger ones may be rounded
ROUGH = Fraction(3, 100)  # of the right value: as near as "about" means
NEAR = Fraction(1, 2)  # of the right value: beyond, something else may be meant
BEFORE = re.compile(r"(?:[\w,.]|(?<![A-Za-z])[A-Za-z]\s+|[\\^_%°|!√∑Σ∏+*/×·÷<>≤≥≠~-]\s*)$")
AFTER = re.compile(
    r"\s?(?:[*/×·÷^+|!±…([]|\\(?:times|cdot|div|pm|ldots|dots|frac|left|big)|\.\.\.|[-−–]\s?[\d(\\]|[kKMGTB]\b|million|billion|thousand|e[-+]?\d|,\d|\{,|\d|(?:to|or)\s\d)"
)
ABOUT = {"≈", "≃", "\\approx", "\\simeq", "\\doteq"}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a calculation."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Computed:
    """The result of a calculation: all that its printed numbers allow, and the exact value."""

    span: Span
    value: Fraction


class NotArithmeticError(Exception):
    """A text is not a calculation with numbers."""


def check_sentences(document: Document) -> Iterator[Hit]:
    """Yield the results of written calculations that these do not give."""
    text = document.text
    for match in EQUATION.finditer(text):
        at = match.start("result")
        if document.plain[at : match.end("result")].isspace() or not any(sign in text[max(at - LONGEST, 0) : at] for sign in SIGNS):
            continue
        shown = text[at : at + LONGEST_RESULT]
        number = NUMBER.match(shown.replace("\\%", "%"))
        if number is None:
            continue
        end = at + number.end() + (shown[: number.end() + 1].count("\\%"))
        tokens = _before(text, match.start("sign"))
        if (
            len(tokens) < SHORTEST
            or not _is_sure(tokens)
            or AFTER.match(text, end)
            or BEFORE.search(text[max(tokens[0].start - 12, 0) : tokens[0].start])
        ):
            continue
        try:
            outcome = Reader(tokens).outcome()
        except (NotArithmeticError, ZeroDivisionError):
            continue
        result = printed(number)
        if not _gives(outcome, result, about=match["sign"] in ABOUT) and abs(
            outcome.value * _unit(outcome, result) - result.value
        ) <= abs(outcome.value * _unit(outcome, result) * NEAR):
            exact = show(outcome.value * _unit(outcome, result), max(result.decimals, 1))
            yield Hit(
                "N017", at, end, f"{result.plain} is printed, but {_written(tokens)} = {exact}{' %' if result.percent else ''}"
            )


def _is_sure(tokens: list[Token]) -> bool:
    """Return whether a calculation is one of the text, with a quotient or several decimals: a small sum may be an example of a wrong one."""
    kinds = [token.kind for token in tokens]
    return (
        "over" in kinds
        or "fraction" in kinds
        or (kinds.count("number") > FEW_NUMBERS and any("." in token.text for token in tokens))
    )


def _written(tokens: list[Token]) -> str:
    """Return a calculation as it is told: fractions with a stroke."""
    parts: list[str] = []
    numerators: list[int] = []  # depths of brackets at which a numerator ends
    depth = 0
    for number, token in enumerate(tokens):
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "fraction":
            numerators.append(depth)
            continue
        parts.append(WRITTEN.get(token.text, WRITTEN.get(token.kind, token.text)))
        if token.kind == "close" and numerators and depth == numerators[-1] and number + 1 < len(tokens):
            numerators.pop()
            parts.append(" / ")
    return SINGLE.sub(r"\1", "".join(parts).replace("{,}", ","))


def _unit(outcome: Computed, result: Printed) -> int:
    """Return 100 if a fraction is printed in per cent."""
    return 100 if result.percent and abs(outcome.value) <= 1 else 1


def _gives(outcome: Computed, result: Printed, *, about: bool) -> bool:
    """Return whether a calculation gives a printed number: as it is or in per cent, rounded or cut off, nearly if it is ``about`` that."""
    rough = abs(result.value) * ROUGH if about else Fraction(0)
    near = Span(result.span.low - rough, result.span.high + rough)
    return any(outcome.span.scaled(scale).meets(near) for scale in (1, 100, Fraction(1, 100)))


def _before(text: str, end: int) -> list[Token]:
    """Return the tokens of the calculation that ends at a place: as much as consists of numbers, signs and brackets."""
    at = max(end - LONGEST, 0)
    tokens: list[Token] = []
    while at < end:
        match = TOKEN.match(text, at, end)
        if match is None or BULLET.match(text, at, end):
            tokens = []
            at += 1
            continue
        if match.lastgroup != "space":
            tokens.append(Token("number" if match["number"] else str(match.lastgroup), match[0], match.start(), match.end()))
        at = match.end()
    return tokens


@dataclass(eq=False)
class Reader:
    """Reads a calculation from its tokens, with sums, products, quotients, fractions and brackets."""

    tokens: list[Token]
    at: int = 0

    def outcome(self) -> Computed:
        """Return what all tokens together give; an error if they are not one calculation."""
        outcome = self._sum()
        if self.at < len(self.tokens):
            raise NotArithmeticError
        return outcome

    @property
    def _kind(self) -> str:
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def _take(self, *kinds: str) -> Token:
        if self._kind not in kinds:
            raise NotArithmeticError
        self.at += 1
        return self.tokens[self.at - 1]

    def _sum(self) -> Computed:
        total = self._product()
        while self._kind in {"plus", "minus"}:
            sign = self._take("plus", "minus").kind
            part = self._product()
            total = (
                Computed(total.span + part.span, total.value + part.value)
                if sign == "plus"
                else Computed(total.span - part.span, total.value - part.value)
            )
        return total

    def _product(self) -> Computed:
        total = self._factor()
        while self._kind in {"times", "over", "open", "fraction"}:
            if self._kind in {"open", "fraction"} or self._take("times", "over").kind == "times":  # 2 (3 + 4)
                part = self._factor()
            else:
                part = self._inverse(self._factor())
            total = Computed(total.span * part.span, total.value * part.value)
        return total

    def _factor(self) -> Computed:
        if self._kind == "fraction":
            self._take("fraction")
            above = self._group()
            below = self._inverse(self._group())
            return Computed(above.span * below.span, above.value * below.value)
        if self._kind == "open":
            return self._group()
        if self._kind == "minus" and self.at + 1 < len(self.tokens) and self.tokens[self.at].end == self.tokens[self.at + 1].start:
            self._take("minus")
            part = self._number()
            return Computed(part.span.mirrored(), -part.value)
        return self._number()

    def _group(self) -> Computed:
        opening = self._take("open")
        inside = self._sum()
        if self._take("close").text != PAIRS[opening.text]:
            raise NotArithmeticError
        return inside

    def _number(self) -> Computed:
        token = self._take("number")
        match = NUMBER.match(token.text.replace("{,}", ",").replace("\\%", "%"))
        if match is None:
            raise NotArithmeticError
        number = printed(match)
        exact = not number.decimals and number.value < FEW
        span = Span(number.value, number.value) if exact else number.span
        scale = Fraction(1, 100) if number.percent else Fraction(1)
        return Computed(span.scaled(scale), number.value * scale)

    def _inverse(self, number: Computed) -> Computed:
        if number.span.contains(0):
            raise NotArithmeticError
        one = Span(Fraction(1), Fraction(1))
        return Computed(one / number.span, 1 / number.value)
