"""Exact sums of doubles that can be added up in any order: whole multiples of the smallest double, 2⁻¹⁰⁷⁴.

``math.fsum`` rounds once, at the end, but its state cannot be carried from one process to another. A whole number can, and the
sum of several is rounded by :func:`rounded` to the very double that ``math.fsum`` gives for all values together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import MensuraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALLEST = 1074  # the smallest double is 2 to the power of minus this
DIGITS = 53  # binary digits of a double
HALF = 26  # of which the lower part has so many
BLOCK = 1 << 24  # values: sums of as many halves are whole numbers below 2⁵³, which doubles add up exactly


def exact_total(values: NDArray[np.float64]) -> int:
    """The sum of finite doubles, in units of 2⁻¹⁰⁷⁴.

    Examples
    --------
    >>> rounded(exact_total(np.array([1e100, 1.0, -1e100])))
    1.0
    """
    if not np.isfinite(values).all():
        raise MensuraError("a value is infinite or NaN, which an exact sum cannot contain; keep the values of topics instead")
    return sum(_block(values[start : start + BLOCK]) for start in range(0, len(values), BLOCK))


def _block(values: NDArray[np.float64]) -> int:
    fraction, exponent = np.frexp(values)
    whole = np.ldexp(fraction, DIGITS).astype(np.int64)
    shift = exponent.astype(np.int64) + (SMALLEST - DIGITS)
    below = np.minimum(shift, 0)  # of numbers near the smallest one the last digits are zeros
    whole >>= -below
    shift -= below
    high, low = whole >> HALF, whole & ((1 << HALF) - 1)
    total = 0
    for part, extra in ((high, HALF), (low, 0)):
        sums = np.bincount(shift, weights=part)
        for place in np.flatnonzero(sums).tolist():
            total += int(sums[place]) << (place + extra)
    return total


def rounded(total: int) -> float:
    """The double nearest to a sum: what ``math.fsum`` gives for its values."""
    return total / (1 << SMALLEST)
