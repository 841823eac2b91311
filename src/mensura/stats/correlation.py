"""Correlation between two measures, scales or rankings: overall, and topic by topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from mensura.errors import StatisticsError
from mensura.rankings import correlation as rankings
from mensura.rankings.positions import Ranking, RankingPair
from mensura.result import Result, floats
from mensura.stats.arrays import settle

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Coefficient = Literal["kendall_a", "kendall_b", "tau_ap", "tau_ap_b", "spearman", "pearson"]


def _vectors(x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise StatisticsError(f"a correlation needs two vectors of the same length, got shapes {a.shape} and {b.shape}")
    if len(a) < 2:  # noqa: PLR2004 - a pair of systems
        raise StatisticsError(f"a correlation needs at least 2 systems, got {len(a)}; add a run")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise StatisticsError("a correlation needs finite numbers; leave out systems without a value")
    return settle(a), settle(b)


def _pair(first: ArrayLike, second: ArrayLike) -> RankingPair:
    """The rankings that two vectors of values make of the systems; larger is better."""
    a, b = _vectors(first, second)
    systems = list(range(len(a)))
    return RankingPair.of(Ranking.from_scores(systems, a), Ranking.from_scores(systems, b))


def kendall(x: ArrayLike, y: ArrayLike, *, variant: Literal["a", "b"] = "b") -> float:
    r"""Kendall's τ: concordant minus discordant pairs, over all pairs (τ_a) or over the geometric mean of the untied ones (τ_b).

    NaN if all values of one vector are equal and τ_b is asked for.

    Examples
    --------
    >>> kendall([1, 2, 3, 4], [1, 3, 2, 4])
    0.6666666666666666
    """
    return (rankings.tau_a if variant == "a" else rankings.tau_b)(_pair(x, y))


def tau_ap(truth: ArrayLike, estimate: ArrayLike, *, variant: Literal["a", "b"] = "a") -> float:
    r"""AP correlation: a τ in which the top of the ranking weighs more (Yilmaz, Aslam and Robertson 2008). Larger is better.

    .. math:: \tau_{AP} = \frac{2}{n - 1} \sum_{i=2}^n \frac{C_i}{i - 1} - 1

    with C_i the number of items that the estimate ranks above its i-th and the truth does too. With ties: ``a`` is the mean over
    all ways to break them (τ_AP,a of Urbano and Marrero 2017 if only the estimate has ties); ``b`` is their τ_AP,b, for two
    estimates of which none is the truth.

    Examples
    --------
    >>> round(tau_ap([0.9, 0.7, 0.5, 0.3], [0.9, 0.5, 0.7, 0.3]), 4)
    0.6667
    """
    return (rankings.tau_ap if variant == "a" else rankings.tau_ap_b)(_pair(estimate, truth))


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's ρ: Pearson's correlation of the ranks; ties share the mean of their ranks. NaN if one vector is constant."""
    return rankings.spearman(_pair(x, y))


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson's correlation. NaN if one vector is constant."""
    a, b = _vectors(x, y)
    a, b = a - a.mean(), b - b.mean()
    bottom = float(np.sqrt((a**2).sum() * (b**2).sum()))
    return float(np.clip((a * b).sum() / bottom, -1.0, 1.0)) if bottom > 0 else float("nan")


@dataclass(frozen=True, eq=False)
class Correlation(Result):
    """Agreement of two arrays [system, topic]: overall, between the means of systems, and within each topic."""

    coefficient: Coefficient
    overall: float
    by_topic: NDArray[np.float64]

    readers: ClassVar = {"by_topic": floats}

    def __repr__(self) -> str:
        inside = f"{np.nanmean(self.by_topic):.4f}" if np.isfinite(self.by_topic).any() else "nan"
        return f"Correlation({self.coefficient}: overall {self.overall:.4f}, mean of {len(self.by_topic)} topics {inside})"


def correlate(x: ArrayLike, y: ArrayLike, coefficient: Coefficient = "kendall_b", *, digits: int | None = 8) -> Correlation:
    """Correlate two measures, or a measure with its interval scale: [system, topic] with [system, topic].

    Parameters
    ----------
    x, y
        Values of the same systems and topics; for ``tau_ap``, ``x`` is the truth.
    coefficient
        ``kendall_a``, ``kendall_b``, ``tau_ap``, ``tau_ap_b``, ``spearman`` or ``pearson``.
    digits
        Means are rounded to so many decimals first, so that equal means are ties (P4); ``None``: not at all.
    """
    a, b = np.asarray(x), np.asarray(y)
    if a.ndim != 2 or a.shape != b.shape:  # noqa: PLR2004 - systems and topics
        raise StatisticsError(f"expected two arrays [system, topic] of the same shape, got {a.shape} and {b.shape}")
    means = [np.asarray(array.mean(axis=1), dtype=np.float64) for array in (a, b)]
    if digits is not None:
        means = [np.round(values, digits) for values in means]
    by_topic = [
        coefficient_of(a[:, topic].astype(np.float64), b[:, topic].astype(np.float64), coefficient) for topic in range(a.shape[1])
    ]
    return Correlation(coefficient, coefficient_of(means[0], means[1], coefficient), np.array(by_topic))


def coefficient_of(x: ArrayLike, y: ArrayLike, coefficient: Coefficient) -> float:
    """Return the coefficient of a name."""
    match coefficient:
        case "kendall_a":
            return kendall(x, y, variant="a")
        case "kendall_b":
            return kendall(x, y)
        case "tau_ap":
            return tau_ap(x, y)
        case "tau_ap_b":
            return tau_ap(x, y, variant="b")
        case "spearman":
            return spearman(x, y)
        case "pearson":
            return pearson(x, y)
        case _:
            raise StatisticsError(
                f"unknown coefficient {coefficient!r}; use kendall_a, kendall_b, tau_ap, tau_ap_b, spearman or pearson"
            )
