"""Weights in exact form, and the comparisons that doubles cannot make."""

from fractions import Fraction
from math import log

import mpmath
import numpy as np
import pytest

from mensura.measures.decomposition import GeometricDiscount, LogDiscount
from mensura.scales.counting.choose import choose
from mensura.scales.counting.factors import both, sign
from mensura.scales.counting.weights import RATIONAL, Weight, exact_weights, has_no_ties, primitive, unit
from tests.scales.measures import dcg, fractions


@pytest.mark.parametrize(
    ("x", "root", "power"), [("2", "2", 1), ("8", "2", 3), ("36", "6", 2), ("12", "12", 1), ("9/4", "3/2", 2), ("1000", "10", 3)]
)
def test_primitive_roots(x: str, root: str, power: int) -> None:
    assert primitive(Fraction(x)) == (Fraction(root), power)


@pytest.mark.parametrize("base", ["2", "10", "4", "3/2", "2.718281828459045"])
@pytest.mark.parametrize("offset", [0, 1])
def test_exact_weights_are_the_weights(base: str, offset: int) -> None:
    discount = LogDiscount(Fraction(base), 1 if offset else 0)
    for rank, weight in enumerate(exact_weights(discount, 130), start=1):
        value = float(weight.share) * unit(discount.base, weight.root, 100) / 2**100
        assert value == pytest.approx(1 / max(1, log(rank + offset) / log(discount.base)), rel=1e-14)


def test_powers_share_a_root() -> None:
    weights = exact_weights(LogDiscount(Fraction(2)), 27)
    assert weights[0] == weights[1] == Weight(Fraction(1), RATIONAL)
    assert weights[7] == Weight(Fraction(1, 3), RATIONAL)
    assert [weights[i - 1] for i in (3, 9, 27)] == [Weight(Fraction(1, k), 3) for k in (1, 2, 3)]
    assert exact_weights(LogDiscount(Fraction(4)), 16)[7] == Weight(Fraction(2, 3), RATIONAL)


def test_units_to_many_digits() -> None:
    """Ln 2 / ln 3 from mpmath, an implementation of its own."""
    with mpmath.workprec(1100):
        expected = int(mpmath.floor(mpmath.ldexp(mpmath.log(2) / mpmath.log(3), 1000)))
    assert abs(unit(Fraction(2), 3, 1000) - expected) <= 1


def test_ties_of_geometric_weights() -> None:
    assert has_no_ties(GeometricDiscount(Fraction(4, 5)), fractions(0, 1, 2, 3))
    assert has_no_ties(GeometricDiscount(Fraction(1, 2)), fractions(0, 1))
    assert has_no_ties(GeometricDiscount(Fraction(1, 2)), fractions(0, "1/8"))
    assert not has_no_ties(GeometricDiscount(Fraction(1, 2)), fractions(0, 1, 2))
    assert not has_no_ties(GeometricDiscount(Fraction(2, 3)), fractions(0, 2, 3))


def nearly_log2_of_3(terms: int) -> Fraction:
    """A convergent of the continued fraction of log2(3)."""
    with mpmath.workprec(400):
        x, (p0, p1), (q0, q1) = mpmath.log(3) / mpmath.log(2), (0, 1), (1, 0)
        for _ in range(terms):
            a = int(mpmath.floor(x))
            (p0, p1), (q0, q1) = (p1, a * p1 + p0), (q1, a * q1 + q0)
            x = 1 / (x - a)
    return Fraction(p1, q1)


def is_above_log2_of_3(x: Fraction) -> bool:
    with mpmath.workprec(1000):
        return bool(mpmath.mpf(x.numerator) / x.denominator > mpmath.log(3) / mpmath.log(2))


@pytest.mark.parametrize("terms", [5, 6, 30, 31, 59, 60])
def test_sign_needs_as_many_digits_as_it_needs(terms: int) -> None:
    """1/log2(3) minus a fraction that is nearer to it than doubles, or 128 bits, can tell."""
    x = nearly_log2_of_3(terms)
    assert sign({3: Fraction(1), RATIONAL: -1 / x}, Fraction(2)) == (1 if is_above_log2_of_3(x) else -1)


def test_sign_of_rational_numbers() -> None:
    assert sign({3: Fraction(0), 5: Fraction(0)}, Fraction(2)) == 0
    assert sign({RATIONAL: Fraction(-1, 10**50)}, Fraction(2)) == -1


@pytest.mark.parametrize("terms", [40, 41])
def test_runs_that_doubles_cannot_tell_apart_have_different_ranks(terms: int) -> None:
    """DCG of 1000 with gain 1 against 0020 with a gain nearer to log2(3) than any fixed-point number shows."""
    x = nearly_log2_of_3(terms)
    counting = choose(dcg(2, 0, (Fraction(0), Fraction(1), x)), 4, (0, 1, 2), None)
    one, other = np.array([[1, 0, 0, 0]], dtype=np.uint8), np.array([[0, 0, 2, 0]], dtype=np.uint8)
    assert counting.rank(other)[0] - counting.rank(one)[0] == (1 if is_above_log2_of_3(x) else -1)
    assert counting.runs_up_to(other)[0][0] >= counting.rank(other)[0] - 1
    values = [counting.value(rank) for rank in range(1, counting.steps + 1)]
    assert [float(value) for value in values] == sorted(float(value) for value in values)


def test_least_uses() -> None:
    one, other = frozenset({(1, 0), (0, 2)}), frozenset({(1, 1)})
    assert both(one, other, (3, 3)) == {(2, 1), (1, 3)}
    assert both(one, other, (1, 3)) == {(1, 3)}
    assert both(one, other, (1, 2)) == frozenset()
    assert both(frozenset({(0, 0), (1, 0)}), frozenset({(0, 0)}), (5, 5)) == {(0, 0)}
