"""How many decimals a mean deserves."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError

if TYPE_CHECKING:
    from mensura.judged import JudgedRuns
    from mensura.measures.base import Measure

SYSTEMS, RANKS = 8, 10  # enough to find the document that counts most: it stands near the top
TWO_DIGITS = 3.55  # an uncertainty that begins with less than this is given with two digits (Particle Data Group)
MOST = 6


def decimals_for_change(change: float) -> int:
    """The most decimals with which a change of this size touches the last digit only (P3 §2.3).

    Examples
    --------
    >>> decimals_for_change(1 / 500)  # P@10 over 50 topics: one document more or less
    3
    """
    if not change > 0:
        raise StatisticsError(f"a change of {change}: it must be positive")
    return min(max(math.ceil(-math.log10(change) - 1e-12), 0), MOST)


def decimals_for_interval(half_width: float) -> int:
    """The most decimals that an interval of this half-width supports: one digit of the half-width, two if it begins with 1, 2 or 3.

    Examples
    --------
    >>> decimals_for_interval(0.04), decimals_for_interval(0.02)
    (2, 3)
    """
    if not half_width > 0:
        return MOST
    exponent = math.floor(math.log10(half_width))
    leading = half_width / 10.0**exponent
    return min(max(-exponent + (1 if leading < TWO_DIGITS else 0), 0), MOST)


def one_document(measure: Measure, judged: JudgedRuns) -> float:
    """The most that the mean of a measure changes if one document more, or one fewer, is relevant.

    The documents of the first ranks of some systems are tried, one by one; the recall base stays as it is.
    """
    some = dataclasses.replace(
        judged,
        grades=judged.grades[:SYSTEMS],
        retrieved=judged.retrieved[:SYSTEMS],
        ties=judged.ties[:SYSTEMS],
        systems=judged.systems[:SYSTEMS],
        extra=judged.extra[:SYSTEMS],
        scores=None if judged.scores is None else judged.scores[:SYSTEMS],
    )
    values = measure.score(some)
    relevant = max(int(getattr(measure, "rel", 1)), 1)
    largest = 0.0
    for rank in range(min(RANKS, measure.depth or RANKS, some.length)):
        grades = some.grades.copy()
        grades[:, :, rank] = np.where(grades[:, :, rank] >= relevant, 0, relevant)
        changed = measure.score(dataclasses.replace(some, grades=grades))
        largest = max(largest, float(np.nanmax(np.abs(changed - values), initial=0.0)))
    return largest / judged.shape[1]


def decimals(measure: Measure, judged: JudgedRuns, half_width: float = 0.0) -> int:
    """The decimals to show of a mean: as many as one relevant document justifies, and no more than its interval supports."""
    change = one_document(measure, judged)
    supported = decimals_for_interval(half_width)
    return min(decimals_for_change(change), supported) if change > 0 else supported
