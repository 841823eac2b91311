"""Exact arithmetic with the weights of DCG: sums of rational multiples of 1/log_b(m).

The weights are irrational, but their signs can be decided: m = root^k gives 1/log_b(m) = (1/k) · ln b / ln root, so every sum is a
combination of finitely many ln b / ln root with rational factors. If no factor is left the sum is 0; otherwise it is enclosed ever
more tightly, with logarithms that the decimal module rounds correctly, until the enclosure does not hold 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, total_ordering
from typing import TYPE_CHECKING

from mensura.errors import ScaleError
from mensura.measures.decomposition import Discount, GeometricDiscount, LogDiscount

if TYPE_CHECKING:
    from collections.abc import Iterable

ONE = 1  # the place of the rational part among the roots
FIRST_DIGITS, MOST_DIGITS = 30, 4000


@total_ordering
@dataclass(frozen=True, eq=False)
class Real:
    """A rational number plus rational multiples of ln base / ln root for some roots, none of them 0."""

    parts: tuple[tuple[int, Fraction], ...]
    base: Fraction

    @classmethod
    def of(cls, parts: Iterable[tuple[int, Fraction]], base: Fraction) -> Real:
        """The sum of some parts."""
        total: dict[int, Fraction] = {}
        for root, factor in parts:
            total[root] = total.get(root, Fraction(0)) + factor
        return cls(tuple(sorted((root, factor) for root, factor in total.items() if factor)), base)

    def __add__(self, other: Real) -> Real:
        return Real.of([*self.parts, *other.parts], self.base)

    def __sub__(self, other: Real) -> Real:
        return self + other * -1

    def __mul__(self, factor: Fraction | int) -> Real:
        return Real.of([(root, each * factor) for root, each in self.parts], self.base)

    def sign(self) -> int:
        """−1, 0 or 1, certainly."""
        if len({factor > 0 for _, factor in self.parts}) < 2:  # noqa: PLR2004 - all units are positive, so equal signs decide
            return (1 if self.parts[0][1] > 0 else -1) if self.parts else 0
        digits = FIRST_DIGITS
        while digits <= MOST_DIGITS:
            low, high = self.enclosure(digits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            digits *= 2
        raise ScaleError(f"{MOST_DIGITS} digits do not decide whether {float(self)!r} is 0")

    def enclosure(self, digits: int) -> tuple[Fraction, Fraction]:
        """Bounds, from logarithms of so many digits."""
        low = high = Fraction(0)
        for root, factor in self.parts:
            ends = [factor * end for end in _unit(self.base, root, digits)]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def over(self, other: Real) -> Fraction | None:
        """The quotient if both are multiples of one unit, and so rational; None if it is irrational or cannot be told."""
        if not self.parts:
            return Fraction(0)
        if len(self.parts) == len(other.parts) == 1 and self.parts[0][0] == other.parts[0][0]:
            return self.parts[0][1] / other.parts[0][1]
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Real) and (self - other).sign() == 0

    def __lt__(self, other: Real) -> bool:
        return (self - other).sign() < 0

    def __hash__(self) -> int:
        return hash(self.parts)

    def __float__(self) -> float:
        low, high = self.enclosure(FIRST_DIGITS)
        return float((low + high) / 2)


@cache
def _unit(base: Fraction, root: int, digits: int) -> tuple[Fraction, Fraction]:
    """Bounds of ln base / ln root."""
    if root == ONE:
        return Fraction(1), Fraction(1)
    top, bottom, under = (_ln(number, digits) for number in (base.numerator, base.denominator, root))
    return (top[0] - bottom[1]) / under[1], (top[1] - bottom[0]) / under[0]


@cache
def _ln(number: int, digits: int) -> tuple[Fraction, Fraction]:
    """Bounds of ln number: the decimal module rounds correctly, so the truth is within one unit of the last place."""
    logarithm = Context(prec=digits).ln(Decimal(number))
    exponent = logarithm.as_tuple().exponent
    if number == 1 or not isinstance(exponent, int):
        return Fraction(0), Fraction(0)
    unit = Fraction(10) ** exponent
    return Fraction(logarithm) - unit, Fraction(logarithm) + unit


def rational(number: Fraction | int) -> Real:
    """A rational number among the others."""
    return Real.of([(ONE, Fraction(number))], Fraction(2))


def exact_weights(discount: Discount, length: int) -> list[Real]:
    """w_1 … w_N."""
    match discount:
        case LogDiscount(base, offset):
            return [_log_weight(rank + offset, base) for rank in range(1, length + 1)]
        case GeometricDiscount(p):
            return [rational((1 - p) * p ** (rank - 1)) for rank in range(1, length + 1)]
    if len(discount.weights) < length:
        raise ScaleError(f"there are {len(discount.weights)} weights for {length} ranks: give one for each")
    return [rational(weight) for weight in discount.weights[:length]]


def _log_weight(number: int, base: Fraction) -> Real:
    """1 / max(1, log_base(number))."""
    if number <= base:
        return Real.of([(ONE, Fraction(1))], base)
    root, power = primitive_root(number)
    if base.denominator == 1:
        base_root, base_power = primitive_root(base.numerator)
        if base_root == root:
            return Real.of([(ONE, Fraction(base_power, power))], base)
    return Real.of([(root, Fraction(1, power))], base)


@cache
def primitive_root(number: int) -> tuple[int, int]:
    """The smallest root with root^power = number.

    Examples
    --------
    >>> primitive_root(64), primitive_root(12)
    ((2, 6), (12, 1))
    """
    for power in range(number.bit_length(), 1, -1):
        root = round(number ** (1 / power))
        if root > 1 and root**power == number:
            return root, power
    return number, 1
