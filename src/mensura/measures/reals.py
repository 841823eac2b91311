"""Exact arithmetic with the weights of DCG: sums of rational multiples of 1/log_b(m), and quotients of such sums.

The weights are irrational, but their signs can be decided: m = root^k gives 1/log_b(m) = (1/k) · ln b / ln root, so every sum is a
combination of finitely many ln b / ln root with rational factors. If no factor is left the sum is 0; otherwise it is enclosed ever
more tightly, with logarithms that the decimal module rounds correctly, until the enclosure does not hold 0.

Equality of sums rests on Schanuel's conjecture: that the logarithms of the primes fulfil no equation with rational coefficients
other than those that hold for independent variables. ln root is a linear form of them, different roots give forms that are not
multiples of each other, and the reciprocals of such forms are linearly independent: a sum with a factor left is not 0.

Quotients need more: 1/ln 2, 1/ln 3 and 1/ln 6 = 1/(ln 2 + ln 3) fulfil an equation of degree 2, so that a/b = c/d does not follow
from a comparison of factors. a·d − b·c is a rational function of the logarithms of the primes, and it is 0 (under the conjecture)
if and only if it is 0 as a function. That is tested at one point of the field of 2^521 − 1 elements, where each prime has a value
that looks random: a function that is not 0 has at most as many zeros as its degree, so a false "equal" has a chance below 10^-150.
A false "different" is impossible, and what is different is told apart by enclosures.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, cached_property, total_ordering
from hashlib import sha512
from typing import TYPE_CHECKING

from mensura.errors import ScaleError
from mensura.measures.decomposition import Discount, GeometricDiscount, LogDiscount

if TYPE_CHECKING:
    from collections.abc import Iterable

ONE = 1  # the place of the rational part among the roots
FIRST_DIGITS, MOST_DIGITS = 30, 4000
FIELD = 2**521 - 1  # a prime


@total_ordering
@dataclass(frozen=True, eq=False)
class Real:
    """A rational number plus rational multiples of ln base / ln root for some roots, none of them 0."""

    parts: tuple[tuple[int, Fraction], ...]
    base: Fraction

    @classmethod
    def total(cls, terms: Iterable[tuple[Real, Fraction]]) -> Real:
        """Σ factor · term."""
        pairs = list(terms)
        base = pairs[0][0].base if pairs else Fraction(2)
        return cls.of(((root, each * factor) for term, factor in pairs for root, each in term.parts), base)

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

    @property
    def simplest(self) -> Exact:
        """The number itself, or a Fraction if it is rational."""
        if {root for root, _ in self.parts} <= {ONE}:
            return self.parts[0][1] if self.parts else Fraction(0)
        return self

    @cached_property
    def modular(self) -> int:
        """The value at the point of the finite field."""
        return sum(_modular(factor) * _modular_unit(self.base, root) for root, factor in self.parts) % FIELD

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Real) and (self - other).sign() == 0

    def __lt__(self, other: Real) -> bool:
        return (self - other).sign() < 0

    def __hash__(self) -> int:
        return hash(self.parts)

    def __float__(self) -> float:
        low, high = self.enclosure(FIRST_DIGITS)
        return float((low + high) / 2)


@dataclass(frozen=True)
class Ratio:
    """A quotient of two positive sums; :func:`compare` puts quotients into their order."""

    over: Real
    under: Real

    @property
    def simplest(self) -> Exact:
        """The number itself, or a Fraction if the sums are rational multiples of each other."""
        if not self.over.parts:
            return Fraction(0)
        factor = self.over.parts[0][1] / self.under.parts[0][1]
        return factor if self.over.parts == (self.under * factor).parts else self

    @cached_property
    def modular(self) -> int:
        """The value at the point of the finite field."""
        return self.over.modular * pow(self.under.modular, -1, FIELD) % FIELD

    def enclosure(self, digits: int) -> tuple[Fraction, Fraction]:
        """Bounds, from logarithms of so many digits."""
        (low, high), (least, most) = self.over.enclosure(digits), self.under.enclosure(digits)
        return low / most, high / least

    def __float__(self) -> float:
        low, high = self.enclosure(FIRST_DIGITS)
        return float((low + high) / 2)


@dataclass(frozen=True)
class ExactMean:
    """The mean of some numbers, at least one."""

    numbers: tuple[Fraction | Real | Ratio, ...]

    @cached_property
    def modular(self) -> int:
        """The value at the point of the finite field."""
        return sum(map(modular, self.numbers)) * pow(len(self.numbers), -1, FIELD) % FIELD

    def enclosure(self, digits: int) -> tuple[Fraction, Fraction]:
        """Bounds, from logarithms of so many digits."""
        bounds = [enclosed(number, digits) for number in self.numbers]
        low, high = (sum(ends, Fraction(0)) / len(bounds) for ends in zip(*bounds, strict=True))
        return low, high

    def __float__(self) -> float:
        low, high = self.enclosure(FIRST_DIGITS)
        return float((low + high) / 2)


Exact = Fraction | Real | Ratio | ExactMean
"""A value of a measure, or a mean of such values, as a number."""


def compare(one: Exact, other: Exact) -> int:
    """−1, 0 or 1, as one number is less than another, equal, or greater."""
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return (one > other) - (one < other)
    if modular(one) == modular(other):
        return 0
    digits = FIRST_DIGITS
    while digits <= MOST_DIGITS:
        (low, high), (least, most) = enclosed(one, digits), enclosed(other, digits)
        if high < least or most < low:
            return -1 if high < least else 1
        digits *= 2
    raise ScaleError(f"{MOST_DIGITS} digits do not tell {float(one)!r} and {float(other)!r} apart")


def modular(number: Exact) -> int:
    """The value of a number at the point of the finite field: equal numbers have equal values there."""
    return _modular(number) if isinstance(number, Fraction) else number.modular


def enclosed(number: Exact, digits: int) -> tuple[Fraction, Fraction]:
    """Bounds of a number, from logarithms of so many digits."""
    return (number, number) if isinstance(number, Fraction) else number.enclosure(digits)


def _modular(number: Fraction) -> int:
    return number.numerator * pow(number.denominator, -1, FIELD) % FIELD


@cache
def _modular_unit(base: Fraction, root: int) -> int:
    """Ln base / ln root, where the logarithms of primes are elements of the field."""
    if root == ONE:
        return 1
    above = _modular_ln(base.numerator) - _modular_ln(base.denominator)
    return above * pow(_modular_ln(root), -1, FIELD) % FIELD


@cache
def _modular_ln(number: int) -> int:
    """Σ ln p over the prime factors p, each as often as it divides."""
    total, prime = 0, 2
    while number > 1:
        if prime * prime > number:
            prime = number
        while number % prime == 0:
            number //= prime
            total += int.from_bytes(sha512(str(prime).encode()).digest())
        prime += 1
    return total % FIELD


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
