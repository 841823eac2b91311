"""Numbers are written as Python's repr writes them: the shortest text that reads back the same. Python is the oracle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura._core.rows import join_rows


def written(values):
    values = np.array(values, dtype=np.float64)
    return join_rows(b"", [b""] * len(values), b"", values).decode().split("\n")[:-1]


def expected(values):
    return [repr(float(value)) for value in values]


def around(value, steps=20):
    """The doubles beside a value."""
    below, above = [value], [value]
    for _ in range(steps):
        below.append(math.nextafter(below[-1], -math.inf))
        above.append(math.nextafter(above[-1], math.inf))
    return below + above


def test_rows():
    lines = join_rows(b"a,", [b"q1", b"", b"q\n3"], b",P@10,", np.array([0.5, 1 / 3, np.nan]))
    assert lines == b"a,q1,P@10,0.5\na,,P@10,0.3333333333333333\na,q\n3,P@10,\n"


def test_what_does_not_fit_together():
    with pytest.raises(ValueError, match="as many"):
        join_rows(b"", [b"q1"], b"", np.zeros(2))
    with pytest.raises(TypeError):
        join_rows(b"", ["q1"], b"", np.zeros(1))


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=50))
def test_any_number(values):
    assert written(values) == expected(values)


@given(st.lists(st.floats(1e-5, 1e16), min_size=1, max_size=50))
def test_numbers_of_the_usual_size(values):
    assert written(values) == expected(values)


@given(st.lists(st.fractions(0, 1, max_denominator=1000), min_size=1, max_size=50))
def test_fractions(values):
    values = [float(value) for value in values]
    assert written(values) == expected(values)


@pytest.mark.parametrize("exponent", range(-6, 18))
def test_beside_powers_of_ten(exponent):
    # where the number of digits changes
    values = around(10.0**exponent) + around(-(10.0**exponent))
    assert written(values) == expected(values)


@pytest.mark.parametrize("exponent", range(-16, 55))
def test_beside_powers_of_two(exponent):
    # where the distance of doubles changes
    values = around(2.0**exponent)
    assert written(values) == expected(values)


def test_a_million_numbers():
    rng = np.random.default_rng(7)
    for values in (
        rng.random(250_000),
        10 ** rng.uniform(-5, 16, 250_000),
        rng.integers(0, 1 << 20, 250_000) / 2.0 ** rng.integers(0, 40, 250_000),  # dyadic: half-way cases
        np.round(rng.random(250_000), 12),
    ):
        assert written(values) == expected(values)


def test_zero_and_infinity():
    values = [0.0, -0.0, math.inf, -math.inf, 5e-324, 1.7976931348623157e308]
    assert written(values) == expected(values)
