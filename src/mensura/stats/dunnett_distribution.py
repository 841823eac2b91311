r"""Dunnett's distribution: the largest of m comparisons with one baseline, for equally many values of each system.

Each t_i is a difference of two means over a common standard error, so any two of them have correlation ½:

.. math:: P(\max |t_i| > t) = \int f_\nu(s) \int \varphi(z) \left(1 - [\Phi(z + c) - \Phi(z - c)]^m\right) dz \, ds

with :math:`c = \sqrt 2 \, t s`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mensura.stats.tukey import DROP, FAR, STEP, invert_tail, scale_nodes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def _normal_tail(c: NDArray[np.float64], m: int) -> NDArray[np.float64]:
    from scipy.special import ndtr

    z = np.arange(0.0, c.max() / 2 + math.sqrt(2 * DROP) + STEP, STEP)
    weight = np.exp(-z * z / 2) * (2 * STEP / math.sqrt(2 * math.pi))
    weight[0] /= 2  # the integrand is even: both halves are taken from one
    outside = ndtr(z - c[:, None]) + ndtr(-z - c[:, None])
    with np.errstate(divide="ignore"):
        return np.asarray(np.minimum(-np.expm1(m * np.log1p(-np.minimum(outside, 1.0))) @ weight, 1.0))


def dunnett_sf(t: ArrayLike, m: int, degrees: float = math.inf) -> NDArray[np.float64]:
    """The chance that the largest t of ``m`` systems compared with one baseline, whatever its sign, exceeds ``t``.

    Examples
    --------
    >>> float(dunnett_sf(2.0, 1, 10).round(10))  # one comparison: Student's t
    0.0733880348
    """
    values = np.abs(np.asarray(t, dtype=np.float64))
    out = np.zeros(values.size)
    for at, value in enumerate(values.reshape(-1).tolist()):
        if degrees > FAR:
            out[at] = _normal_tail(np.array([math.sqrt(2) * value]), m)[0] if math.isfinite(value) else 0.0
        elif math.isfinite(value):
            s, weight = scale_nodes(degrees, float(2.0 ** math.ceil(math.log2(2 * value * value))) if value > 0 else 0.0)
            out[at] = min(float((weight * _normal_tail(math.sqrt(2) * value * s, m)).sum()), 1.0)
    return out.reshape(values.shape)


def dunnett_isf(p: float, m: int, degrees: float = math.inf) -> float:
    """The value that the largest of ``m`` comparisons exceeds with probability ``p``."""
    return invert_tail(lambda t: float(dunnett_sf(t, m, degrees)), p)
