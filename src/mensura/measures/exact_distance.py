"""ADM from ranks in exact numbers: a distance at each rank, which depends on the rank and on the grade there."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.measures.decomposition import ByRank

if TYPE_CHECKING:
    from collections.abc import Sequence


def by_rank(length: int, ranks: int, retrieved: int, urs: Sequence[Fraction], grades: tuple[int, ...], *, nearest: bool) -> ByRank:
    """What each rank adds to 1 − Σ |SRS_i − URS(g_i)| / N, where N = ``ranks`` count and SRS_i = (n − i + 1) / n.

    Ranks behind ``length`` hold documents that are not relevant: what they take away is taken at the first rank.
    """
    srs = [Fraction(retrieved - place, retrieved) for place in range(ranks)]
    if nearest:
        rising = sorted(set(urs))
        srs = [min(rising, key=lambda level: (abs(level - each), -level)) for each in srs]
    terms = [[Fraction(1, ranks) - abs(score - urs[grade]) / ranks for grade in grades] for score in srs[:length]]
    terms += [[Fraction(0)] * len(grades)] * (length - len(terms))
    beyond = sum((Fraction(1, ranks) - abs(score - urs[0]) / ranks for score in srs[length:]), Fraction(0))
    terms[0] = [term + beyond for term in terms[0]]
    return ByRank(tuple(map(tuple, terms)))
