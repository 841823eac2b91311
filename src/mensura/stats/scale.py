"""On which scale a measure's values are, as far as tests must know; and its values on the original or on the interval scale.

The rule is P4's: an interval scale has equally spaced values. Whether a measure has them follows from how its values are put
together.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from mensura.errors import StatisticsError
from mensura.measures.decomposition import Additive, ByRank, Counted, GeometricDiscount, Weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.stats.results import Method, ScaleType

Scale = Literal["original", "interval"]
LENGTH = 10  # where a measure has no cut-off: spacing that is unequal here is unequal at any length


@dataclass(frozen=True, slots=True)
class ScaleFacts:
    """The scale type of a measure and the reason for it."""

    type: ScaleType
    reason: str


@lru_cache(maxsize=256)
def scale_of(measure: Measure) -> ScaleFacts:
    """The scale of a measure on one topic.

    Examples
    --------
    >>> from mensura import P, RR
    >>> scale_of(P() @ 10).type, scale_of(RR() @ 10).type
    ('ratio', 'ordinal')
    """
    if measure.aggregation == "sum" or measure.name == "MFR":
        return ScaleFacts("ratio", "its values are counts")
    if measure.scale_obstacle is not None:
        return ScaleFacts("ordinal", measure.scale_obstacle)
    made = measure.decompose(measure.cutoff or LENGTH, (0, 1))
    if isinstance(made, Counted):
        steps = {after - before for before, after in zip(made.values, made.values[1:], strict=False)}
        if len(steps) == 1:
            kind: ScaleType = "ratio" if made.statistic != "first" else "interval"
            return ScaleFacts(kind, "its values are equally spaced")
        return ScaleFacts("ordinal", "its values are not equally spaced")
    if isinstance(made, Additive | ByRank) and _gapless(made, measure.cutoff or LENGTH):
        return ScaleFacts("interval", "its values are equally spaced")
    if made is None:
        return ScaleFacts("ordinal", "nothing is known about the spacing of its values")
    return ScaleFacts("ordinal", "its values are not equally spaced")


def _gapless(made: Additive | ByRank, length: int) -> bool:
    """Do the sums of the weights of binary runs take every multiple of the smallest weight up to their total?

    Sorted in units of the smallest, each weight must be whole and at most 1 more than the sum of those before it.
    """
    if isinstance(made, ByRank):
        made = Additive(Weights(tuple(abs(high - low) for low, high in made.terms)), (Fraction(0), Fraction(1)))
    match made.discount:
        case GeometricDiscount(p):
            weights = [p**rank for rank in range(length)]
        case Weights(given):
            weights = list(given)
        case _:
            return False
    ordered = sorted(weight for weight in weights if weight)
    reached = Fraction(0)
    for weight in ordered:
        unit = weight / ordered[0]
        if unit.denominator != 1 or unit > reached + 1:
            return False
        reached += unit
    return True


def scale_remark(method: Method, measure: Measure, scale: Scale) -> str | None:
    """What a test assumes that the measure does not meet, if there is something."""
    if scale == "interval":
        return None
    facts = scale_of(measure)
    if method.scale == "interval" and facts.type == "ordinal":
        if measure.scale_obstacle is not None:
            return (
                f"{_capital(method.title)} assumes an interval scale, but {measure} is not known to be on one, and has none to be "
                f"mapped to: {facts.reason}. Tests on signs or ranks do not assume it"
            )
        return (
            f"{_capital(method.title)} assumes an interval scale, but {measure} is on an ordinal scale: {facts.reason}. "
            'Compare it on its interval scale instead: scale="interval", or --scale interval [M103]'
        )
    if method.across and measure.uses_recall_base:
        return (
            f"{_capital(method.title)} compares topics with each other, but the scale of {measure} changes from topic to topic "
            'with the recall base. Compare it on one common scale instead: scale="interval", or --scale interval [M103]'
        )
    return None


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def values_on(measure: Measure, judged: JudgedRuns, scale: Scale) -> NDArray[Any]:
    """The values [system, topic] of a measure on its own scale, or their ranks on its interval scale as exact integers."""
    if scale == "original":
        return measure.score(judged)
    if scale != "interval":
        raise StatisticsError(f"scale={scale!r} is unknown: 'original' or 'interval'")
    ranks: NDArray[Any] = importlib.import_module("mensura.scales.of_measure").interval_ranks(measure, judged)
    return ranks
