"""Axioms of a metric that each measure keeps: by proof, or broken by a counterexample that a search finds."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from mensura.errors import RankingError
from mensura.rankings import correlation, curves, overlap, worst
from mensura.rankings.positions import Ranking, RankingPair
from mensura.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Distance = Callable[[RankingPair], float]

NAMES = ("number", "identity", "symmetry", "triangle")
ROUNDING = 1e-12


def find_counterexamples(distance: Distance, rankings: Sequence[Ranking]) -> dict[str, tuple[Ranking, ...] | None]:
    """Look for rankings that break an axiom; ``None`` where there are none.

    The axioms: the distance is a number of at least 0 (``number``); it is 0 for a ranking and itself, and for no others
    (``identity``); it is the same in both directions (``symmetry``); a detour is never shorter (``triangle``).
    """
    count = range(len(rankings))
    table = [[distance(RankingPair.of(first, second)) for second in rankings] for first in rankings]
    broken: dict[str, tuple[int, ...] | None] = {
        "number": next(((i, j) for i in count for j in count if math.isnan(table[i][j]) or table[i][j] < -ROUNDING), None),
        "identity": next(((i, j) for i in count for j in count if (abs(table[i][j]) <= ROUNDING) != (i == j)), None),
        "symmetry": next(((i, j) for i in count for j in count if abs(table[i][j] - table[j][i]) > ROUNDING), None),
        "triangle": next(
            ((i, j, k) for i in count for j in count for k in count if table[i][k] > table[i][j] + table[j][k] + ROUNDING), None
        ),
    }
    return {name: None if which is None else tuple(rankings[i] for i in which) for name, which in broken.items()}


def strict_rankings(items: Sequence[str]) -> list[Ranking]:
    """All rankings of items without ties."""
    return [Ranking.of(order) for order in itertools.permutations(items)]


@dataclass(frozen=True)
class Axioms(Result):
    """Axioms that a measure keeps and breaks as a distance.

    Attributes
    ----------
    name
        The name of the measure.
    distance
        The distance that the measure gives.
    broken
        The axioms that rankings of the same items without ties break; the others hold.
    broken_by_ties
        Those that rankings of the same items with ties break.
    proof
        The reason why the others hold.
    """

    name: str
    distance: Distance
    broken: frozenset[str]
    broken_by_ties: frozenset[str]
    proof: str

    unsaved: ClassVar[frozenset[str]] = frozenset({"distance"})

    def to_dict(self) -> dict[str, Any]:
        """Return the axioms as plain data; the distance is known by the name of the measure."""
        return {
            "result": "Axioms",
            "version": self.version,
            "name": self.name,
            "broken": sorted(self.broken),
            "broken_by_ties": sorted(self.broken_by_ties),
            "proof": self.proof,
        }

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Return the axioms of the measure of this name."""
        known: Any = next((each for each in AXIOMS if each.name == document.get("name")), None)
        if document.get("result") != "Axioms" or known is None:
            raise RankingError(f"expected saved Axioms of a known measure, got {document.get('name')!r}")
        return cast("Self", known)


def _axioms(name: str, distance: Distance, broken: str, by_ties: str, proof: str) -> Axioms:
    return Axioms(name, distance, frozenset(broken.split()), frozenset(by_ties.split()), proof)


_SPREAD = "at each rank it is the size of a difference of sets, and sums of such distances keep the axioms"
_SQUARE = "a sum of squares is 0 only if each is; it is the same from both sides"
_KENDALL = "4/(n(n−1)) times the Kendall distance"
_EXPECTED = "with ties, it is the mean over all ways to break them, and a mean of distances keeps the triangle"

AXIOMS: tuple[Axioms, ...] = (
    _axioms("footrule", lambda pair: float(curves.footrule(pair)[-1]), "", "", "the L1 distance between vectors of positions"),
    _axioms(
        "kendall",
        lambda pair: float(curves.kendall(pair)[-1]),
        "",
        "",
        "half the L1 distance between the vectors of signs (−1, 0, 1) of all pairs: a pair tied in one ranking only counts ½",
    ),
    _axioms(
        "kendall, penalty 0",
        lambda pair: float(curves.kendall(pair, 0)[-1]),
        "",
        "identity triangle",
        "without ties, as with any penalty; it counts pairs, the same ones from both sides",
    ),
    _axioms(
        "area",
        lambda pair: float(curves.area(pair)[-1]),
        "triangle",
        "identity symmetry triangle",
        f"P(i) ≥ 0, so the area is ≥ 0; without ties it is ½Σ(F(k) − k)², and {_SQUARE}",
    ),
    _axioms(
        "√area",
        lambda pair: math.sqrt(curves.area(pair)[-1]),
        "",
        "identity symmetry triangle",
        "without ties, 1/√2 times the Euclidean distance between vectors of positions",
    ),
    _axioms("symmetric area", worst.symmetric_area, "triangle", "triangle", f"it is ½Σ(x − y)², and {_SQUARE}"),
    _axioms(
        "√symmetric area",
        lambda pair: math.sqrt(worst.symmetric_area(pair)),
        "",
        "",
        "1/√2 times the Euclidean distance between vectors of positions",
    ),
    _axioms(
        "area, h = 1/i",
        lambda pair: float(curves.area(pair, "1/i")[-1]),
        "symmetry triangle",
        "identity symmetry triangle",
        "P(i) ≥ 0; without ties P is 0 at every rank only if F(k) = k at every rank",
    ),
    _axioms(
        "1 − A-corr",
        worst.normalized_area,
        "triangle",
        "number identity symmetry triangle",
        "without ties, the area divided by a constant",
    ),
    _axioms(
        "1 − ρ",
        lambda pair: 1 - correlation.spearman(pair),
        "triangle",
        "number identity triangle",
        "without ties, the area times a constant; a correlation is the same from both sides",
    ),
    _axioms("1 − τ_a", lambda pair: 1 - correlation.tau_a(pair), "", "identity", f"without ties, {_KENDALL}; {_EXPECTED}"),
    _axioms(
        "1 − τ_b",
        lambda pair: 1 - correlation.tau_b(pair),
        "",
        "number identity triangle",
        f"without ties, {_KENDALL}; the formula is the same from both sides",
    ),
    _axioms(
        "1 − τ_AP",
        lambda pair: 1 - correlation.tau_ap(pair),
        "symmetry triangle",
        "identity symmetry triangle",
        "C(i) ≤ i − 1, so τ_AP ≤ 1; without ties it is 1 only if no pair is discordant",
    ),
    _axioms(
        "1 − τ_AP,b",
        lambda pair: 1 - correlation.tau_ap_b(pair),
        "triangle",
        "number identity triangle",
        "the mean of both directions; without ties it is 1 only if no pair is discordant",
    ),
    _axioms(
        "1 − weighted τ",
        lambda pair: 1 - correlation.weighted_tau(pair),
        "triangle",
        "number identity triangle",
        "the mean of both directions; all weights are positive, so that without ties it is 1 only if no pair is discordant",
    ),
    _axioms("1 − RBO", lambda pair: 1 - overlap.rbo(pair).extrapolated, "", "identity", f"without ties, {_SPREAD}; {_EXPECTED}"),
    _axioms(
        "1 − RBO, ties b",
        lambda pair: 1 - overlap.rbo(pair, ties="b").extrapolated,
        "",
        "triangle",
        f"without ties, {_SPREAD}; with ties, each agreement is a cosine: 1 only for equal contributions at every depth",
    ),
    _axioms(
        "1 − average overlap",
        lambda pair: 1 - overlap.average_overlap(pair),
        "",
        "identity",
        f"without ties, {_SPREAD}; {_EXPECTED}",
    ),
)
