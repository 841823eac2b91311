"""User relevance scores: how relevant a document is, from 0 to 1, by its grade (P2 §3) or as a number (P2 §2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.errors import MeasureError
from mensura.measures.base import exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Strictness = Literal["relaxed", "rigid"]
Spacing = Literal["bins", "ends"]
Mapped = tuple[tuple[int, float], ...]
STRICTNESSES = ("relaxed", "rigid")
SPACINGS = ("bins", "ends")
BINARY = 2
PARTS = 4  # of [0, 1], which continuous URS are counted in


def freeze_urs(urs: Spacing | Mapping[int, float] | Mapped) -> Spacing | Mapped:
    """A spacing by name, or the URS of each grade as a sorted tuple of pairs."""
    if isinstance(urs, str):
        if urs not in SPACINGS:
            raise MeasureError(f"ADM: urs={urs!r} is unknown: 'bins', 'ends', or the URS of each grade, as {{0: 0, 1: 0.5, 2: 1}}")
        return urs
    pairs = dict(urs)
    good = all(
        isinstance(grade, int) and isinstance(score, int | float | Fraction) and 0 <= score <= 1 for grade, score in pairs.items()
    )
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
    known_levels = spaced(urs, number)
    return tuple(known_levels[each] for each in reached)


def spaced(urs: Spacing | Mapped, number: int) -> tuple[Fraction, ...]:
    """So many levels from the lowest to the highest: the middles of equal bins, or with ``'ends'`` from 0 to 1."""
    if urs == "ends":
        return tuple(Fraction(each, number - 1) for each in range(number))
    return tuple(Fraction(2 * each + 1, 2 * number) for each in range(number))


@dataclass(frozen=True)
class UserScores:
    """The URS of judgments up to ``top``: whole grades, or continuous ones.

    Continuous judgments are URS themselves (P2 §2), with ``'ends'`` divided by the next whole number from ``top`` on; a mapping is
    continued linearly between its grades. ``levels`` are equal parts of [0, 1], as those of P2 §3.
    """

    urs: Spacing | Mapped
    levels: int | None
    strict: Strictness
    top: float
    continuous: bool = False

    def __post_init__(self) -> None:
        if not self.continuous:
            return
        if self.strict != "relaxed":
            raise MeasureError("ADM: strict= says how whole grades are merged; these judgments are not whole numbers: leave it out")
        if self.urs == "bins" and self.top > 1:
            raise MeasureError(
                f"ADM: judgments that are not whole numbers are URS, from 0 to 1, but there is {self.top:g}; urs='ends' divides "
                f"them by {math.ceil(self.top)}, and urs={{0: 0, {math.ceil(self.top)}: 0.9}} says what they mean"
            )
        if not isinstance(self.urs, str) and not min(dict(self.urs)) <= 0 <= self.top <= max(dict(self.urs)):
            raise MeasureError(f"ADM: urs={dict(self.urs)} must give the URS from grade 0 to grade {math.ceil(self.top)}")

    @cached_property
    def _of_grades(self) -> Floats:
        return np.array([float(each) for each in user_scores(self.urs, self.levels, self.strict, int(self.top))])

    def of(self, grades: NDArray[Any]) -> Floats:
        """URS of judgments, none of them negative."""
        if not self.continuous:
            return self._of_grades[grades]
        if not isinstance(self.urs, str):
            return np.interp(grades, [grade for grade, _ in self.urs], [score for _, score in self.urs])
        scores = np.asarray(grades / max(math.ceil(self.top), 1) if self.urs == "ends" else grades, dtype=np.float64)
        if self.levels is None:
            return scores
        return np.array([float(each) for each in spaced(self.urs, self.levels)])[_part(scores, self.levels)]

    def level(self, grades: NDArray[Any]) -> NDArray[np.int64]:
        """The level that a judgment is counted in: its grade, or the quarter of [0, 1] that its URS is in."""
        return _part(self.of(grades), PARTS) if self.continuous else np.asarray(grades, dtype=np.int64)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the levels."""
        if self.continuous:
            return tuple(f"URS {part / PARTS:g}–{(part + 1) / PARTS:g}" for part in range(PARTS))
        return tuple(f"grade {grade}" for grade in range(max(int(self.top) + 1, BINARY)))


def _part(scores: Floats, parts: int) -> NDArray[np.int64]:
    return np.minimum(scores * parts, parts - 1).astype(np.int64)
