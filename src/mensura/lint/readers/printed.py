"""Numbers as they are printed: an exact value, the decimals that were printed, and all values that a printer may have had in mind.

Nothing here is a float: a printed 0.41 stands for every number from .405 to .415 if it was rounded, and from .41 to .42 if it was cut off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HUNDRED = Fraction(100)
FEW = 12  # characters of a number that is not a float with all its digits
FLOAT = 10**10  # of 15 to 17 digits of a float the first ten survive a difference


@dataclass(frozen=True, slots=True)
class Span:
    """A closed interval of exact numbers."""

    low: Fraction
    high: Fraction

    def __add__(self, other: Span) -> Span:
        return Span(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Span) -> Span:
        return Span(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Span) -> Span:
        products = [one * two for one in (self.low, self.high) for two in (other.low, other.high)]
        return Span(min(products), max(products))

    def __truediv__(self, other: Span) -> Span:
        """Divide by an interval without 0."""
        quotients = [one / two for one in (self.low, self.high) for two in (other.low, other.high)]
        return Span(min(quotients), max(quotients))

    def scaled(self, factor: int | Fraction) -> Span:
        """Return the interval times a number."""
        ends = sorted((self.low * factor, self.high * factor))
        return Span(ends[0], ends[1])

    def meets(self, other: Span) -> bool:
        """Return whether the intervals have a number in common."""
        return self.low <= other.high and other.low <= self.high

    def contains(self, value: Fraction | int) -> bool:
        """Return whether the number is in the interval."""
        return self.low <= value <= self.high

    def mirrored(self) -> Span:
        """Return the interval with the other sign."""
        return Span(-self.high, -self.low)


# A number: sign, digits with separators, decimals, exponent, and a per cent sign.
NUMBER = re.compile(
    r"""
    (?<![\w.,^@]) (?P<sign>[+\-−–]\s?)?
    (?: (?P<whole>\d{1,3}(?:,\d{3})+(?![\d])|\d+)? \.(?P<part>\d+) | (?P<zero>0),(?P<comma>\d{2,}) | (?P<integer>\d{1,3}(?:,\d{3})+(?![\d])|\d+) )
    (?: [eE](?P<exponent>[-−+]?\d{1,3}) | \s?[×x·]\s?10\s?\^?\s?[({]?\s?(?P<power>[-−+]?\d{1,3})[)}]? )?
    (?![\d]|[.,]\d|\w*@) (?P<unit>\s?(?:%|‰|percent\b|per\ cent\b))?
    """,
    re.VERBOSE,
)


@lru_cache(64)
def _unit(decimals: int) -> Fraction:
    """Return one unit in the last of so many decimals."""
    return Fraction(10) ** -decimals


@dataclass(frozen=True)
class Printed:
    """A number in a text: where it is, its value, its decimals, and whether a per cent sign follows it."""

    start: int
    end: int
    text: str
    value: Fraction
    decimals: int
    percent: bool = False
    signed: bool = False
    permille: bool = False

    @cached_property
    def unit(self) -> Fraction:
        """The value of one unit in the last printed decimal; of a float with all its digits, some of the last ones."""
        unit = _unit(self.decimals)
        if len(self.text) <= FEW:
            return unit
        return max(unit, abs(self.value) / FLOAT) if abs(self.value) > unit * FLOAT * 100 else unit

    @cached_property
    def real(self) -> float:
        """The value as a float, for a first look."""
        return float(self.value)

    @cached_property
    def grain(self) -> float:
        """The unit as a float, for a first look."""
        return float(self.unit)

    @cached_property
    def span(self) -> Span:
        """Everything that is printed like this, rounded or cut off."""
        half = self.unit / 2
        if self.value > 0:
            return Span(self.value - half, self.value + self.unit)
        if self.value < 0:
            return Span(self.value - self.unit, self.value + half)
        return Span(-self.unit, self.unit)

    @cached_property
    def rounded(self) -> Span:
        """Everything that is printed like this if it was rounded."""
        return Span(self.value - self.unit / 2, self.value + self.unit / 2)

    @property
    def plain(self) -> str:
        """The number as it was printed, without blanks."""
        return "".join(self.text.split())


def numbers(text: str) -> Iterator[Printed]:
    """Yield the numbers of a text."""
    for match in NUMBER.finditer(text):
        yield printed(match)


def printed(match: re.Match[str]) -> Printed:
    """Return the number that :data:`NUMBER` has matched."""
    part = match["part"] or match["comma"] or ""
    whole = (match["whole"] or match["zero"] or match["integer"] or "0").replace(",", "")
    exponent = int((match["exponent"] or match["power"] or "0").replace("−", "-"))
    value = Fraction(int(whole + part), 10 ** len(part))
    sign = (match["sign"] or "").strip()
    if sign and sign != "+":
        value = -value
    if exponent:
        value = value * Fraction(10) ** exponent if abs(exponent) <= 400 else Fraction(0)  # noqa: PLR2004 - beyond every float
    unit = match["unit"] or ""
    return Printed(
        match.start(),
        match.end(),
        match[0],
        value,
        len(part) - exponent,
        percent=bool(unit) and "‰" not in unit,
        signed=bool(sign),
        permille="‰" in unit,
    )


RANGE = r"[+\-−]?\d*\.?\d+\s?%?"
BEGUN = re.compile(rf"(?:\d\s?%?\s?(?:[–—]|--?)\s?|\b(?:between|ranges? from|ranging from) {RANGE} (?:and|to) )$", re.IGNORECASE)
GOES_ON = re.compile(r"\s?(?:[–—]\s?|--?)[+−]?\.?\d")
BETWEEN = re.compile(r"\b(?:between|ranges? from|ranging from) $", re.IGNORECASE)


def in_range(text: str, number: Printed) -> bool:
    """Return whether a number is an end of a range: ``0.2–0.4``, ``5-12 %``, ``between 5 and 12 %``; from one to another is a change."""
    before = text[max(0, number.start - 40) : number.start]
    return bool(BEGUN.search(before) or BETWEEN.search(before) or GOES_ON.match(text, number.end))


def show(value: Fraction, decimals: int) -> str:
    """Write an exact number with so many decimals, rounded half up, with a true minus sign."""
    decimals = max(decimals, 0)
    scaled = abs(value) * 10**decimals
    whole = (scaled.numerator * 2 + scaled.denominator) // (scaled.denominator * 2)
    digits = str(whole).rjust(decimals + 1, "0")
    text = f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits
    return f"−{text}" if value < 0 and whole else text
