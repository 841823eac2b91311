"""The evidence that a contradiction needs: every reading of a number, agreement beyond chance, and slips.

Two numbers contradict each other only if it is certain how one follows from the other. Either words beside them say so, or the other numbers
of their line follow in the same way so often that this is not chance; and no other reading that authors use explains the number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.readers.printed import Printed, Span, show

if TYPE_CHECKING:
    from collections.abc import Sequence

CHANCE = 0.01  # of agreement by accident, in all ways that were tried
STATED = 0.05  # the same where a header names the relation
TWICE = Fraction(21, 20)  # of the right value: a change that was counted twice is within
POINTS = 5  # in which a lone change may differ from the right one: beyond, something else may be meant


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a change may follow from two values: the interval of what would be printed, the exact value, and the formula."""

    name: str
    span: Span
    value: Fraction
    formula: str


def readings(base: Printed, other: Printed, change: Printed) -> list[Way]:
    """Return the ways in which a change from ``base`` to ``other`` may be written, the most likely first."""
    ways = []
    one, two = base, other
    difference = two.span - one.span
    exact = two.value - one.value
    written = f"{typeset(two)} − {typeset(one)}"
    relative = None
    if not one.span.contains(0) and one.value:
        relative = Way("relative", (difference / one.span).scaled(100), exact / one.value * 100, f"({written}) / {typeset(one)}")
    plain = Way("difference", difference, exact, written)
    points = Way("points", difference.scaled(100), exact * 100, f"100 · ({written})")
    fractions = not one.percent and max(abs(one.value), abs(two.value)) <= 1
    if change.percent:
        ways += [way for way in (relative, points if fractions else None, plain) if way is not None]
    else:
        ways += [way for way in (plain, points if fractions else None, relative) if way is not None]
    return ways


def typeset(number: Printed) -> str:
    """Return a number as it was printed, with a true minus sign."""
    return number.plain.replace("-", "−")


def explained(
    base: Printed, other: Printed, change: Printed, *, either: bool = True, signed: bool = False, relative: bool = False
) -> bool:
    """Return whether rounding, or another way to write a change, explains it.

    ``either`` value may be the base; only the size of the change counts unless it is ``signed``; a ``relative`` one is not in points.
    """
    if not plausible(base, other, change):
        return False
    spans = (change.span,) if signed else (change.span, change.span.mirrored())
    ways = [*readings(base, other, change), *(readings(other, base, change) if either else ())]
    return any(way.span.meets(span) for way in ways if not relative or way.name == "relative" for span in spans)


def plausible(base: Printed, other: Printed, change: Printed) -> bool:
    """Return whether exact arithmetic is worth its time: in floats, and within many times what rounding allows."""
    one, two, size = abs(base.real), abs(other.real), abs(change.real)
    units = base.grain + other.grain
    low = min(one, two)
    if low < 30 * units:
        return True
    gap = abs(other.real - base.real)
    slack = 4 * change.grain
    return any(
        abs(size - way) <= slack + 4 * loss
        for way, loss in (
            (gap, units),
            (100 * gap, 100 * units),
            (100 * gap / one, 100 * units / low * (1 + gap / low)),
            (100 * gap / two, 100 * units / low * (1 + gap / low)),
        )
    )


def told(change: Printed, way: Way) -> str:
    """The two numbers and the arithmetic."""
    unit = " %" if way.name == "relative" else ""
    decimals = max(change.decimals, 1 if way.name == "relative" else change.decimals)
    return f"{typeset(change)} is printed, but {way.formula} = {show(way.value, decimals)}{unit}"


def explained_by_any(values: Sequence[Printed], number: Printed) -> bool:
    """Return whether two of some numbers explain a number: as a change either way, a share, what is left of one, or less error."""
    return any(
        one is not two and (explained(one, two, number) or (number.percent and _is_share(one, two, number)))
        for one in values
        for two in values
    )


def _is_share(part: Printed, whole: Printed, number: Printed) -> bool:
    """Return whether a percentage is one value divided by another, or the part of the error (what is missing to 1 or 100 %) that is gone."""
    if whole.span.contains(0):
        return False
    ratio = part.span / whole.span
    one = Span(Fraction(1), Fraction(1))
    spans = [ratio, ratio - one, one - ratio]
    for full in (1, 100):
        left, rest = (Span(full - each.span.high, full - each.span.low) for each in (whole, part))
        if left.low > 0:
            spans.append(one - rest / left)
    return any(span.scaled(100).meets(number.span) for span in spans)


def is_slip(printed: Printed, exact: Fraction) -> bool:
    """Return whether a number may be meant to be another one: nearly that, or that with a point or some digits at another place."""
    size, value = abs(exact), abs(printed.value)
    if abs(size - value) <= max(Fraction(POINTS) if printed.percent else Fraction(0), size * TWICE):
        return True
    if any(abs(size * scale - value) <= printed.unit * max(scale, 1) for scale in (Fraction(1, 100), Fraction(1, 10), 10, 100)):
        return True
    shown, right = (show(each, printed.decimals).replace(".", "") for each in (value, size))
    length = max(len(shown), len(right))
    pairs = [(one, two) for one, two in zip(shown.zfill(length), right.zfill(length), strict=True) if one != two]
    return len(pairs) == 1 or (len(pairs) == 2 and pairs[0] == pairs[1][::-1])  # noqa: PLR2004 - two digits that changed places


def by_chance(widths: Sequence[Fraction], spread: Fraction) -> float:
    """Return the probability that values which may be anywhere in a ``spread`` are all in intervals of some ``widths``."""
    return math.prod(min(1.0, float(width / spread)) for width in widths) if spread > 0 else 1.0


def is_established(right: int, wrong: int, chance: float, *, stated: bool = False) -> bool:
    """Return whether a relation holds for so many numbers, beyond chance, that those for which it does not hold are wrong."""
    return wrong > 0 and right > 0 and wrong <= max(1, right // 2) and chance <= (STATED if stated else CHANCE)
