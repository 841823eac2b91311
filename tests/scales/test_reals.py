"""Exact arithmetic with 1/log: signs that doubles cannot tell."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.errors import ScaleError
from mensura.measures.decomposition import GeometricDiscount, LogDiscount, Weights
from mensura.measures.reals import Real, exact_weights, primitive_root, rational


def test_weights_of_dcg():
    """1, 1, 1/log2(3), 1/2, …: rational where the rank is a power of the base."""
    weights = exact_weights(LogDiscount(Fraction(2)), 9)
    assert [weights[rank - 1].over(rational(1)) for rank in (1, 2, 4, 8)] == [1, 1, Fraction(1, 2), Fraction(1, 3)]
    assert weights[2].over(rational(1)) is None
    assert weights[8].over(weights[2]) == Fraction(1, 2)  # 9 = 3²
    assert float(weights[2]) == pytest.approx(0.6309297535714574, abs=1e-15)
    assert weights[1] == weights[0] > weights[2] > weights[3]
    assert len({weights[0], weights[1]}) == 1


def test_rational_discounts():
    assert [float(weight) for weight in exact_weights(GeometricDiscount(Fraction(4, 5)), 3)] == pytest.approx([0.2, 0.16, 0.128])
    assert exact_weights(Weights((Fraction(1, 3), Fraction(0))), 2)[1].sign() == 0
    with pytest.raises(ScaleError, match="2 weights for 3 ranks"):
        exact_weights(Weights((Fraction(1), Fraction(1))), 3)


@given(
    st.sampled_from([Fraction(2), Fraction(10), Fraction(5, 2), Fraction(8)]),
    st.sampled_from([0, 1]),
    st.lists(st.fractions(-3, 3, max_denominator=7), min_size=1, max_size=9),
)
def test_signs_agree_with_many_digits(base, offset, factors):
    weights = exact_weights(LogDiscount(base, offset), len(factors))
    total = weights[0] * 0
    for weight, factor in zip(weights, factors, strict=True):
        total = total + weight * factor
    with localcontext() as context:
        context.prec = 120
        b = Decimal(base.numerator) / base.denominator
        expected = Decimal(0)
        for rank, factor in enumerate(factors, start=1):
            discount = max(Decimal(1), Decimal(rank + offset).ln() / b.ln())
            expected += Decimal(factor.numerator) / factor.denominator / discount
    sign = 0 if abs(expected) < Decimal("1e-100") else 1 if expected > 0 else -1
    assert total.sign() == sign
    assert float(total) == pytest.approx(float(expected), abs=1e-12)


def test_a_difference_far_below_the_precision_of_doubles():
    """√2-like approximations: p/q from the continued fraction of log2(3), off by 1e-40, still has a certain sign."""
    unit = Real.of([(3, Fraction(1))], Fraction(2))
    low, high = unit.enclosure(40)
    assert (unit - Real.of([(1, low)], Fraction(2))).sign() == 1
    assert (unit - Real.of([(1, high)], Fraction(2))).sign() == -1
    assert float(low) == float(high) == float(unit)


@pytest.mark.parametrize(
    ("number", "expected"), [(2, (2, 1)), (4, (2, 2)), (36, (6, 2)), (3125, (5, 5)), (1000, (10, 3)), (97, (97, 1))]
)
def test_primitive_roots(number, expected):
    assert primitive_root(number) == expected
