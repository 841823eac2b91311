"""Set-based measures on lists of different length and topics with different recall bases: S[N, K] (P4 §IV-D).

An element of S[N, K] is a triple [r, n, RB]: r relevant documents in a list of n, on a topic with RB of them; n ≤ N, RB ≤ K and
r ≤ min(n, RB). With n and RB fixed, P, R and F are interval scales; together, their values are not equally spaced.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import ScaleError
from mensura.judged.runs import JudgedRuns
from mensura.measures.exact import exact_values

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from mensura.measures.base import Measure

MOST_TRIPLES = 100_000


@dataclass(frozen=True)
class SetScale:
    """The values of a measure on lists of some lengths and topics of some recall bases.

    Attributes
    ----------
    measure, lengths, bases
        What was asked about.
    values
        The distinct values, rising.
    """

    measure: Measure
    lengths: tuple[int, ...]
    bases: tuple[int, ...]
    values: tuple[Fraction, ...]

    @property
    def uneven(self) -> tuple[Fraction, Fraction, Fraction] | None:
        """The first three values that follow one another at unequal distances; None if all are equally spaced."""
        for (low, middle), (_, high) in pairwise(pairwise(self.values)):
            if middle - low != high - middle:
                return low, middle, high
        return None


def set_scale(measure: Measure, lengths: Sequence[int], bases: Sequence[int]) -> SetScale:
    """The values of a set-based measure, P, R or F without a cut-off, on S[N, K].

    Examples
    --------
    >>> from mensura import P
    >>> set_scale(P(), [1, 2], [1, 2]).uneven, set_scale(P(), [1, 2, 3], [1, 2]).uneven
    (None, (Fraction(0, 1), Fraction(1, 3), Fraction(1, 2)))
    """
    if measure.cutoff is not None or measure.graded:
        raise ScaleError(f"{measure} is not a set-based measure; ask about P, R or F without a cut-off")
    triples = [(hits, length, base) for length in lengths for base in bases for hits in range(min(length, base) + 1)]
    if not triples or min(*lengths, *bases) < 1 or len(triples) > MOST_TRIPLES:
        raise ScaleError(f"expected 1 to {MOST_TRIPLES} triples of lengths and recall bases from 1, got {len(triples)}")
    grades = np.full((1, len(triples), max(lengths)), -1, dtype=np.int8)
    for at, (hits, length, _) in enumerate(triples):
        grades[0, at, :length] = np.arange(length) < hits
    judged = JudgedRuns.from_grades(grades, [[0, base] for _, _, base in triples])
    judged = dataclasses.replace(judged, retrieved=np.array([[length for _, length, _ in triples]], dtype=np.int32))
    values = exact_values(measure, judged)
    if values is None:
        raise ScaleError(f"{measure} has no exact values; ask about P, R or F")
    return SetScale(measure, tuple(lengths), tuple(bases), tuple(sorted(set(values.ravel().tolist()))))
