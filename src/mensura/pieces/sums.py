"""Exact sums of doubles that can be added up in any order: whole multiples of the smallest double, 2⁻¹⁰⁷⁴.

``math.fsum`` rounds once, at the end, but its state cannot be carried from one process to another. A whole number can, and the
sum of several is rounded by :func:`rounded` to the very double that ``math.fsum`` gives for all values together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mensura._core.totals import DIGITS, add_squares, add_values
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALLEST = 1074  # the smallest double is 2 to the power of minus this
DIGIT = 32  # binary digits of a digit of a sum
BLOCK = 1 << 28  # values: their digits are added up without a carry


def exact_total(values: NDArray[np.float64]) -> int:
    """The sum of finite doubles, in units of 2⁻¹⁰⁷⁴.

    Examples
    --------
    >>> rounded(exact_total(np.array([1e100, 1.0, -1e100])))
    1.0
    """
    total = 0
    for some in _blocks(values):
        digits = no_digits()
        add_values(some, digits)
        total += whole(digits)
    return total


def exact_squares(values: NDArray[np.float64]) -> int:
    """The sum of the squares of finite doubles, in units of 2⁻¹⁰⁷⁴; what of a square is smaller than that is left out.

    Examples
    --------
    >>> rounded(exact_squares(np.array([3.0, 4.0])))
    25.0
    """
    total = 0
    for some in _blocks(values):
        digits = no_digits()
        add_squares(some, digits)
        total += whole(digits)
    return total


def _blocks(values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    if not np.isfinite(values).all():
        raise MensuraError("a value is infinite or NaN, which an exact sum cannot contain; keep the values of topics instead")
    return [np.ascontiguousarray(values[start : start + BLOCK]) for start in range(0, len(values), BLOCK)]


def no_digits() -> NDArray[np.int64]:
    """The digits of 0."""
    return np.zeros(DIGITS, dtype=np.int64)


def whole(digits: NDArray[np.int64]) -> int:
    """The whole number that has these digits, which may be negative or too large for one place."""
    return sum(digit << (DIGIT * place) for place, digit in enumerate(digits.tolist()) if digit)


def rounded(total: int) -> float:
    """The double nearest to a sum: what ``math.fsum`` gives for its values."""
    return total / (1 << SMALLEST)
