"""Power: the probability to find a difference that exists, and the number of topics that it takes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError
from mensura.stats.tukey import scale_nodes

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 10_000_000


def _check(effect: float, alpha: float) -> None:
    if not math.isfinite(effect) or effect == 0:
        raise StatisticsError(f"expected an effect other than 0, got {effect}; name the smallest one that should be found")
    if not 0 < alpha < 1:
        raise StatisticsError(f"expected alpha between 0 and 1, such as 0.05, got {alpha}")


def power_t(effect: float, topics: int, *, alpha: float = 0.05, tests: int = 1) -> float:
    """The power of a paired t-test for an effect d_z (mean difference / standard deviation of differences).

    ``tests`` shares α among a family of that many tests, as Bonferroni does.

    Examples
    --------
    >>> round(power_t(0.5, 34), 4)
    0.8078
    """
    from scipy.special import ndtr, stdtrit

    _check(effect, alpha)
    if topics < 2:  # noqa: PLR2004 - for a variance
        raise StatisticsError(f"a t-test needs at least 2 topics, got {topics}")
    critical = float(stdtrit(topics - 1, 1 - alpha / tests / 2))
    shift = abs(effect) * math.sqrt(topics)
    s, weight = scale_nodes(float(topics - 1), 0.0)  # noncentral t: P(|Z + shift| > critical·s), over the distribution of s
    return float((weight * (ndtr(shift - critical * s) + ndtr(-shift - critical * s))).sum())


def topics_for_t(effect: float, *, power: float = 0.8, alpha: float = 0.05, tests: int = 1) -> int:
    """The smallest number of topics with which a paired t-test finds an effect d_z with this power.

    Examples
    --------
    >>> topics_for_t(0.5), topics_for_t(0.5, tests=28)
    (34, 68)
    """
    _check(effect, alpha)
    return _smallest(lambda topics: power_t(effect, topics, alpha=alpha, tests=tests) >= power, power)


def power_anova(span: float, systems: int, topics: int, *, alpha: float = 0.05) -> float:
    """The power of a two-way analysis of variance when best and worst system differ by ``span`` residual standard deviations.

    The other systems lie in the middle, which is the hardest case (Sakai's topic set size design): λ = T·span²/2.
    """
    from scipy.special import betainc, fdtri, gammaln

    _check(span, alpha)
    if systems < 2 or topics < 2:  # noqa: PLR2004 - for a variance
        raise StatisticsError(f"expected at least 2 systems and 2 topics, got {systems} and {topics}")
    between, within = systems - 1, (systems - 1) * (topics - 1)
    half = topics * span * span / 4
    critical = float(fdtri(between, within, 1 - alpha))
    share = between * critical / (between * critical + within)
    # Noncentral F is a mixture: its first degrees of freedom grow by twice a Poisson variable with mean λ/2.
    many = np.arange(math.ceil(half + 12 * math.sqrt(half) + 40))
    weight = np.exp(many * math.log(half) - half - gammaln(many + 1.0))
    return float((weight * (1 - betainc(between / 2 + many, within / 2, share))).sum())


def topics_for_anova(span: float, systems: int, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """The smallest number of topics with which the analysis of variance finds ``span`` with this power."""
    _check(span, alpha)
    return _smallest(lambda topics: power_anova(span, systems, topics, alpha=alpha) >= power, power)


def topics_for_interval(half_width: float, deviation: float, *, level: float = 0.95) -> int:
    """The smallest number of topics whose t interval of a mean difference has at most this half-width.

    ``deviation`` is the standard deviation of the differences.
    """
    from scipy.special import stdtrit

    if not half_width > 0 or not deviation > 0:
        raise StatisticsError(f"expected positive numbers, got half_width={half_width} and deviation={deviation}")
    return _smallest(
        lambda topics: float(stdtrit(topics - 1, 0.5 + level / 2)) * deviation / math.sqrt(topics) <= half_width, level
    )


def _smallest(enough: Callable[[int], bool], probability: float) -> int:
    if not 0 < probability < 1:
        raise StatisticsError(f"expected a probability between 0 and 1, got {probability}")
    high = 2
    while not enough(high):
        high *= 2
        if high > MOST:
            raise StatisticsError(f"more than {MOST} topics are needed; the effect is too small to be found by an experiment")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
