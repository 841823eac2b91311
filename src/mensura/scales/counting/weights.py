"""Weights of ranks in exact form: rational multiples of units that no rational combination makes equal.

1/log_b(x) for x = c^k is (1/k)·(ln b / ln c), so it is a rational multiple of a unit that depends only on the primitive root c
of x: 2, 4, 8, 16 … share one, 3, 9, 27 … another. If b itself is a power of c the unit is rational. The units of different
roots are taken to be linearly independent over the rationals. That the ratio of any two of them is irrational, even
transcendental, is the theorem of Gelfond and Schneider; independence of all together follows from Schanuel's conjecture and is
contradicted by no known relation.
"""

from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from mensura.errors import ScaleError
from mensura.measures.decomposition import Discount, GeometricDiscount, LogDiscount

RATIONAL = 1
"""The primitive root that stands for the unit 1."""


@dataclass(frozen=True)
class Weight:
    """share · unit, where the unit is 1 (root RATIONAL) or ln base / ln root."""

    share: Fraction
    root: int


def whole_root(n: int, k: int) -> int | None:
    """The integer whose k-th power is n, if there is one."""
    low, high = 1, 1 << (n.bit_length() // k + 1)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle**k < n else (low, middle)
    return low if low**k == n else None


@lru_cache(maxsize=4096)
def primitive(x: Fraction) -> tuple[Fraction, int]:
    """(c, k) with x = c^k and k as large as can be, for x > 1."""
    for k in range(x.numerator.bit_length(), 1, -1):
        over, under = whole_root(x.numerator, k), whole_root(x.denominator, k)
        if over is not None and under is not None:
            return Fraction(over, under), k
    return x, 1


def exact_weights(discount: Discount, length: int) -> list[Weight]:
    """w_1 … w_N."""
    if isinstance(discount, LogDiscount):
        if discount.base <= 1:
            msg = f"the base of a logarithmic discount must be larger than 1, not {discount.base}"
            raise ScaleError(msg)
        return [log_weight(discount.base, rank + discount.offset) for rank in range(1, length + 1)]
    if isinstance(discount, GeometricDiscount):
        return [Weight((1 - discount.p) * discount.p ** (rank - 1), RATIONAL) for rank in range(1, length + 1)]
    if len(discount.weights) != length:
        msg = f"there are {len(discount.weights)} weights for runs of length {length}"
        raise ScaleError(msg)
    return [Weight(weight, RATIONAL) for weight in discount.weights]


def log_weight(base: Fraction, x: int) -> Weight:
    """1 / max(1, log_base x)."""
    if x <= base:
        return Weight(Fraction(1), RATIONAL)
    (base_root, base_power), (root, power) = primitive(base), primitive(Fraction(x))
    if root == base_root:
        return Weight(Fraction(base_power, power), RATIONAL)
    return Weight(Fraction(1, power), int(root))


@lru_cache(maxsize=4096)
def unit(base: Fraction, root: int, bits: int) -> int:
    """The unit of a root times 2^bits, off by less than one."""
    if root == RATIONAL:
        return 1 << bits
    context = Context(prec=bits * 302 // 1000 + 20)  # 10^-prec is far below 2^-bits; ln is correctly rounded
    log_base = context.subtract(context.ln(Decimal(base.numerator)), context.ln(Decimal(base.denominator)))
    return int(context.multiply(context.divide(log_base, context.ln(Decimal(root))), Decimal(1 << bits)))


def has_no_ties(discount: Discount, gains: tuple[Fraction, ...]) -> bool:
    """Whether all runs have different values because p is not a root of a polynomial in the differences of gains.

    With p = a/b in lowest terms and integer coefficients, a divides the lowest and b the highest coefficient that is not 0. If
    no difference of two gains, as an integer, is a multiple of b, or none is a multiple of a, there is no such polynomial.
    Binary gains: never.
    """
    if not isinstance(discount, GeometricDiscount) or len(set(gains)) < len(gains):
        return False
    differences = {abs(x - y) for x in gains for y in gains if x != y}
    if not differences:
        return True
    scale = lcm(*(d.denominator for d in differences))
    whole = [int(d * scale) for d in differences]
    multiples = [d // gcd(*whole) for d in whole]
    return all(m % discount.p.denominator for m in multiples) or all(m % discount.p.numerator for m in multiples)
