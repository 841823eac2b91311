"""User relevance scores: how relevant a document is, from 0 to 1, by its grade (P2 §3)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from mensura.errors import MeasureError
from mensura.measures.base import exact

if TYPE_CHECKING:
    from collections.abc import Mapping

Strictness = Literal["relaxed", "rigid"]
Spacing = Literal["bins", "ends"]
Mapped = tuple[tuple[int, float], ...]
STRICTNESSES = ("relaxed", "rigid")
SPACINGS = ("bins", "ends")
BINARY = 2


def freeze_urs(urs: Spacing | Mapping[int, float] | Mapped) -> Spacing | Mapped:
    """A spacing by name, or the URS of each grade as a sorted tuple of pairs."""
    if isinstance(urs, str):
        if urs not in SPACINGS:
            raise MeasureError(f"ADM: urs={urs!r} is unknown: 'bins', 'ends', or the URS of each grade, as {{0: 0, 1: 0.5, 2: 1}}")
        return urs
    pairs = dict(urs)
    good = all(isinstance(grade, int) and isinstance(score, int | float) and 0 <= score <= 1 for grade, score in pairs.items())
    if not pairs or not good or min(pairs) < 0:
        raise MeasureError(f"ADM: urs={pairs} must give a number from 0 to 1 for each grade, as {{0: 0, 1: 0.5, 2: 1}}")
    return tuple(sorted(pairs.items()))


def level(grade: int, grades: int, levels: int, strict: Strictness) -> int:
    """The level of a grade when grades become fewer levels.

    Relaxed merges at the top, ⌈g (L − 1) / (G − 1)⌉; rigid merges at the bottom, ⌊g L / G⌋. Of four grades, two levels are
    {0}, {1, 2, 3} if relaxed and {0, 1}, {2, 3} if rigid: NTCIR's.
    """
    if levels >= grades:
        return grade
    return -(-grade * (levels - 1) // (grades - 1)) if strict == "relaxed" else grade * levels // grades


def user_scores(urs: Spacing | Mapped, levels: int | None, strict: Strictness, top: int) -> tuple[Fraction, ...]:
    """The URS of the grades 0 … top, exactly.

    Equal bins (P2): level l of L gets the middle of its bin, (2l + 1) / 2L. Ends: l / (L − 1), from 0 to 1.
    """
    grades = max(top + 1, BINARY)
    if not isinstance(urs, str):
        known = dict(urs)
        missing = [grade for grade in range(top + 1) if grade not in known]
        if missing:
            raise MeasureError(f"ADM: urs={known} says nothing about grade {missing[0]}, which the judgments may hold")
        return tuple(exact(known[grade]) for grade in range(top + 1))
    number = levels or grades
    reached = [level(grade, grades, number, strict) for grade in range(grades)]
    if urs == "ends":
        return tuple(Fraction(each, number - 1) for each in reached)
    return tuple(Fraction(2 * each + 1, 2 * number) for each in reached)
