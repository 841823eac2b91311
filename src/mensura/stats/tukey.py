r"""The studentized range, for many values at once and with full relative accuracy in the upper tail.

For k independent standard normal variables, the probability that their range exceeds w is

.. math:: T_k(w) = k \int \varphi(z) \left[\Phi(z)^{k-1} - (\Phi(z) - \Phi(z - w))^{k-1}\right] dz

and the studentized range with ν degrees of freedom, where s is the root of χ²_ν / ν with density f_ν, has

.. math:: P(Q > q) = \int f_\nu(s) \, T_k(q s) \, ds

Both integrands are analytic and fall off fast on both sides (the second one in y = log s), so the trapezoidal rule converges
exponentially: halving its step squares its error. The difference of powers is computed without cancellation, as
−Φ^(k−1)·expm1((k−1)·log1p(−Φ(z−w)/Φ(z))). Where many values are asked for, log P is interpolated at Chebyshev's points in
panels of q.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

STEP = 0.125  # in z
BELOW, ABOVE = 8.5, 12.5  # how far z goes to both sides of w / 2
DROP = 38.0  # what is e^-38 of the largest term is left out
PANEL = 32  # Chebyshev's points in a panel
EDGES = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 14.0, 16.0, 20.0, 24.0, 28.0, 32.0, 40.0, 48.0, 56.0, 64.0)
MANY = 4 * PANEL
BLOCK = 4096  # values that are interpolated at once
TINY = 1e-100  # stands for 0, where there is no logarithm
FAR = 1e12  # degrees of freedom that are as good as infinitely many


def range_tail(w: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """P(range of k standard normals > w)."""
    from scipy.special import log_ndtr, ndtr

    u = np.arange(-BELOW, ABOVE + STEP / 2, STEP)
    tail = np.empty(w.shape)
    flat, out = w.reshape(-1), tail.reshape(-1)
    for start in range(0, len(flat), 4096):
        part = flat[start : start + 4096, None]
        z = part / 2 + u
        with np.errstate(under="ignore", divide="ignore"):
            inner = np.expm1((k - 1) * np.log1p(-np.minimum(ndtr(z - part) / ndtr(z), 1.0)))
            outer = np.exp((k - 1) * log_ndtr(z) - z * z / 2)
        out[start : start + 4096] = -(inner * outer).sum(axis=1)
    return np.minimum(tail * (k * STEP / math.sqrt(2 * math.pi)), 1.0)


def _reach(degrees: float, *, left: bool) -> float:
    """Distance of log s from the peak of its density until that has dropped by e^-DROP."""
    low, high = 0.0, 1.0

    def drop(y: float) -> float:
        return degrees * (y - (1 - math.exp(-2 * y)) / 2) if left else degrees * ((math.exp(2 * y) - 1) / 2 - y)

    while drop(high) < DROP:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if drop(middle) < DROP else (low, middle)
    return high


@lru_cache(maxsize=64)
def scale_nodes(degrees: float, pull: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values of s and their weights, from where the integrand peaks if T_k falls like exp(−pull·s²/4) to where the density ends."""
    peak = 0.5 * math.log(degrees / (degrees + pull / 2))
    step = min(0.04, 0.55 / math.sqrt(2 * degrees))
    y = np.arange(peak - _reach(degrees, left=True), _reach(degrees, left=False) + step, step)
    density = np.exp(degrees * (y - np.expm1(2 * y) / 2))
    return np.exp(y), density / density.sum()


def _direct(q: NDArray[np.float64], k: int, degrees: float) -> NDArray[np.float64]:
    if degrees > FAR:
        return range_tail(q, k)
    nodes = [scale_nodes(degrees, float(2.0 ** math.ceil(2 * math.log2(value)))) for value in q.tolist()]
    w = np.concatenate([value * s for value, (s, _) in zip(q.tolist(), nodes, strict=True)])
    tail = range_tail(w, k) if len(w) <= MANY else _by_panels(w, k, math.inf)
    starts = np.cumsum([0, *(len(s) for s, _ in nodes[:-1])])
    return np.minimum(np.add.reduceat(tail * np.concatenate([weight for _, weight in nodes]), starts), 1.0)


def studentized_range_sf(q: ArrayLike, k: int, degrees: float = math.inf) -> NDArray[np.float64]:
    """P(Q > q): the upper tail of the studentized range of ``k`` means with ``degrees`` degrees of freedom (R: ``ptukey``).

    Examples
    --------
    >>> float(studentized_range_sf(3.5, 3, 20).round(10))
    0.0558918491
    """
    if k < 2:  # noqa: PLR2004 - a range needs two
        raise StatisticsError(f"the studentized range of {k} means: at least 2 are needed")
    if not degrees >= 1:
        raise StatisticsError(f"the studentized range with {degrees} degrees of freedom: at least 1 is needed")
    values = np.asarray(q, dtype=np.float64)
    flat = np.maximum(values.reshape(-1), 0.0)
    out = np.ones(len(flat))
    known = np.isfinite(flat) & (flat > 0)
    out[np.isposinf(flat)] = 0.0
    out[np.isnan(values.reshape(-1))] = np.nan
    if not known.any():
        return out.reshape(values.shape)
    if known.sum() <= MANY:
        out[known] = _direct(flat[known], k, degrees)
    else:
        out[known] = _by_panels(flat[known], k, degrees)
    return out.reshape(values.shape)


@lru_cache(maxsize=1024)
def _nodes(panel: int, k: int, degrees: float) -> NDArray[np.float64]:
    """P at Chebyshev's points of a panel; a study asks for the same ones hundreds of times."""
    low, high = EDGES[panel], EDGES[panel + 1]
    return _direct(np.maximum((low + high) / 2 + (high - low) / 2 * _chebyshev(), TINY), k, degrees)


def _chebyshev() -> NDArray[np.float64]:
    return np.cos(np.pi * np.arange(PANEL) / (PANEL - 1))


def _by_panels(q: NDArray[np.float64], k: int, degrees: float) -> NDArray[np.float64]:
    """Interpolates log P inside panels; values beyond the last panel, or where P underflows, are computed one by one."""
    out = np.empty(len(q))
    panel = np.searchsorted(EDGES, q, side="right") - 1
    points = _chebyshev()
    weights = np.where(np.arange(PANEL) % 2 == 0, 1.0, -1.0)
    weights[[0, -1]] /= 2
    for number in np.unique(panel).tolist():
        here = np.flatnonzero(panel == number)
        if number >= len(EDGES) - 1 or len(here) <= PANEL:
            out[here] = _direct(q[here], k, degrees)
            continue
        low, high = EDGES[number], EDGES[number + 1]
        nodes = _nodes(number, k, degrees)
        if nodes.min() < 1e-290:  # noqa: PLR2004 - no logarithm of what underflows
            out[here] = _direct(q[here], k, degrees)
            continue
        for start in range(0, len(here), BLOCK):
            block = here[start : start + BLOCK]
            gap = ((q[block] - (low + high) / 2) / ((high - low) / 2))[:, None] - points
            on = gap == 0
            gap[on] = 1.0
            share = weights / gap
            value = share @ np.log(nodes) / share.sum(axis=1)
            rows, columns = np.nonzero(on)
            value[rows] = np.log(nodes)[columns]
            out[block] = np.exp(value)
    return np.minimum(out, 1.0)


@lru_cache(maxsize=256)
def studentized_range_isf(p: float, k: int, degrees: float = math.inf) -> float:
    """The value that the studentized range exceeds with probability ``p`` (R: ``qtukey(p, k, degrees, lower.tail = FALSE)``).

    Examples
    --------
    >>> round(studentized_range_isf(0.05, 129, 6321), 7)
    6.2425265
    """
    return invert_tail(lambda q: float(studentized_range_sf(q, k, degrees)), p)


def invert_tail(tail: Callable[[float], float], p: float) -> float:
    """Return the argument for which a falling tail function is ``p``: bisection, then the secant rule on its logarithm."""
    if not 0 < p < 1:
        raise StatisticsError(f"expected a probability between 0 and 1, got {p}")
    low, high = 0.0, 1.0
    while tail(high) > p:
        low, high = high, 2 * high
    target = math.log(p)
    f_low, f_high = math.log(tail(low)) - target, math.log(max(tail(high), 1e-320)) - target
    for turn in range(200):
        middle = (low * f_high - high * f_low) / (f_high - f_low) if turn % 3 else (low + high) / 2
        f_middle = math.log(max(tail(middle), 1e-320)) - target
        if f_middle > 0:
            low, f_low = middle, f_middle
        else:
            high, f_high = middle, f_middle
        if high - low <= 4 * math.ulp(high) or f_middle == 0:
            return middle
    return (low + high) / 2
