"""Everything about two rankings, in one call."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from mensura.errors import RankingError
from mensura.rankings import correlation, curves, overlap, worst
from mensura.rankings.positions import RankingPair
from mensura.rankings.weighting import weights
from mensura.result import Result, same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from mensura.rankings.overlap import RBO, Ties
    from mensura.rankings.weighting import Weights
    from mensura.render.tables import View

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RankingComparison(Result):
    """Two rankings compared. Curves run over the ranks of the first; each is computed when it is first asked for.

    Attributes
    ----------
    pair
        The rankings, side by side.
    h
        The weights of the area.
    p
        The persistence of rank-biased overlap.
    rbo_ties
        Its variant for ties.
    k
        The depth of the top-k overlap.
    penalty
        What a pair counts, in the Kendall distance, that is tied in one ranking only.
    """

    pair: RankingPair
    h: Weights = 1
    p: float = 0.9
    rbo_ties: Ties = "a"
    k: int = 10
    penalty: float = 0.5

    @cached_property
    def misplacements(self) -> Floats:
        """F(k) − k."""
        return curves.misplacements(self.pair)

    @cached_property
    def footrule(self) -> Floats:
        """S(i)."""
        return curves.footrule(self.pair)

    @cached_property
    def kendall(self) -> Floats:
        """Discordant pairs down to rank i."""
        return curves.kendall(self.pair, self.penalty)

    @cached_property
    def point(self) -> Floats:
        """P(i)."""
        return curves.point(self.pair)

    @cached_property
    def area(self) -> Floats:
        """A(i)."""
        return curves.area(self.pair, self.h)

    @cached_property
    def worst_area(self) -> float:
        """The largest area that there could be."""
        return worst.worst_area(self.pair, self.h)

    @cached_property
    def normalized_area(self) -> float:
        """The area as a proportion of the largest: 0 for the same ranking, 1 for the largest distance."""
        return float(self.area[-1]) / self.worst_area if self.worst_area else math.nan

    @property
    def a_corr(self) -> float:
        """1 − normalised area."""
        return 1 - self.normalized_area

    @cached_property
    def normalized_area_curve(self) -> Floats:
        """nA(i): the area down to rank i as a share of the largest one there (P1, Eq. 5 at rank i); NaN where that is 0."""
        return worst.normalized_areas(self.pair, self.h)

    @property
    def a_corr_curve(self) -> Floats:
        """A-corr(i) = 1 − nA(i)."""
        return 1 - self.normalized_area_curve

    @cached_property
    def symmetric_area(self) -> float:
        """The mean of the areas from either ranking to the other; its root is a metric for h = 1."""
        return worst.symmetric_area(self.pair, self.h)

    @cached_property
    def spearman(self) -> float:
        """Spearman's ρ."""
        return correlation.spearman(self.pair)

    @cached_property
    def tau_a(self) -> float:
        """Kendall's τ_a."""
        return correlation.tau_a(self.pair)

    @cached_property
    def tau_b(self) -> float:
        """Kendall's τ_b."""
        return correlation.tau_b(self.pair)

    @cached_property
    def tau_ap(self) -> float:
        """AP correlation, the second ranking being the truth."""
        return correlation.tau_ap(self.pair)

    @cached_property
    def tau_ap_b(self) -> float:
        """AP correlation, symmetric."""
        return correlation.tau_ap_b(self.pair)

    @cached_property
    def weighted_tau(self) -> float:
        """Vigna's weighted τ."""
        return correlation.weighted_tau(self.pair)

    @cached_property
    def rbo(self) -> RBO:
        """Rank-biased overlap."""
        return overlap.rbo(self.pair, self.p, self.rbo_ties)

    @cached_property
    def agreement(self) -> Floats:
        """The proportion of items that both contain down to each depth."""
        return overlap.agreement(self.pair)

    @cached_property
    def top_k_overlap(self) -> float:
        """The proportion of the top k that both contain."""
        return overlap.top_k_overlap(self.pair, self.k)

    @cached_property
    def average_overlap(self) -> float:
        """The mean overlap down to the end of the shorter ranking."""
        return overlap.average_overlap(self.pair)

    @property
    def same_items(self) -> bool:
        """Whether both rankings contain the same items."""
        return self.pair.shared == len(self.pair)

    def numbers(self) -> dict[str, float]:
        """Every single number."""
        return {
            "footrule": float(self.footrule[-1]),
            "kendall": float(self.kendall[-1]),
            "area": float(self.area[-1]),
            "worst_area": self.worst_area,
            "normalized_area": self.normalized_area,
            "a_corr": self.a_corr,
            "symmetric_area": self.symmetric_area,
            "spearman": self.spearman,
            "tau_a": self.tau_a,
            "tau_b": self.tau_b,
            "tau_ap": self.tau_ap,
            "tau_ap_b": self.tau_ap_b,
            "weighted_tau": self.weighted_tau,
            "rbo": self.rbo.extrapolated,
            "rbo_min": self.rbo.minimum,
            "rbo_max": self.rbo.maximum,
            "rbo_residual": self.rbo.residual,
            "top_k_overlap": self.top_k_overlap,
            "average_overlap": self.average_overlap,
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RankingComparison):
            return NotImplemented
        options = ("h", "p", "rbo_ties", "k", "penalty")
        sides = ((self.pair.left, other.pair.left), (self.pair.right, other.pair.right))
        return all(same(getattr(self, name), getattr(other, name)) for name in options) and all(
            one.groups() == two.groups() for one, two in sides
        )

    __hash__ = Result.__hash__

    def view(self) -> View:
        """Every number, with its name."""
        from mensura.render.rankings import ranking_view

        return ranking_view(self)

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """``curves``: footrule and point over ranks, and the misplacements."""
        from mensura.render.charts.rankings import rankings_chart

        return {"curves": lambda: rankings_chart(self, ("first", "second"))}

    def curves(self) -> dict[str, list[float]]:
        """Every curve, over the ranks of the first ranking; ``agreement`` over depths of the longer one."""
        return {
            "misplacements": self.misplacements.tolist(),
            "footrule": self.footrule.tolist(),
            "kendall": self.kendall.tolist(),
            "point": self.point.tolist(),
            "area": self.area.tolist(),
            "normalized_area_curve": self.normalized_area_curve.tolist(),
            "a_corr_curve": self.a_corr_curve.tolist(),
            "agreement": self.agreement.tolist(),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; where a number and a curve share a name, the curve."""
        h = self.h if isinstance(self.h, int | float | str) else weights(self.h, len(self.pair)).tolist()
        return {
            "result": "RankingComparison",
            "version": self.version,
            "first": self.pair.left.groups(),
            "second": self.pair.right.groups(),
            "options": {"h": h, "p": self.p, "rbo_ties": self.rbo_ties, "k": self.k, "penalty": self.penalty},
            "items": len(self.pair),
            "shared": self.pair.shared,
            "lengths": [len(self.pair.left), len(self.pair.right)],
            "ties": [self.pair.left.tied, self.pair.right.tied],
            **self.numbers(),
            "positions": (self.pair.y / 2).tolist(),
            **self.curves(),
        }

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Return the comparison of the rankings that :meth:`to_dict` wrote, whose items are text or numbers."""
        if document.get("result") != "RankingComparison":
            raise RankingError(f"expected a saved RankingComparison, got {document.get('result') or 'a document without a result'}")
        first, second = ([set(group) for group in document[name]] for name in ("first", "second"))
        return cls(RankingPair.of(first, second), **document["options"])

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the single numbers."""
        return [{"measure": name, "value": value} for name, value in self.numbers().items()]

    def __repr__(self) -> str:
        return (
            f"RankingComparison({len(self.pair)} items, {self.pair.shared} shared: A-corr {self.a_corr:.4f}, τ_b {self.tau_b:.4f})"
        )


def compare(
    first: Any, second: Any, *, h: Weights = 1, p: float = 0.9, rbo_ties: Ties = "a", k: int = 10, penalty: float = 0.5
) -> RankingComparison:
    """Compare two rankings.

    Parameters
    ----------
    first, second
        Rankings: lists of items, tied ones in a set; or dicts of scores. They may contain different items.
    h
        The weights of the area: a constant of at least 1, ``"1/i"``, a number between 0 and 1 (geometric), a function of the ranks,
        or an array.
    p, rbo_ties
        The persistence of rank-biased overlap, and its variant for ties.
    k
        The depth of the top-k overlap.
    penalty
        What a pair counts, in the Kendall distance, that is tied in one ranking only: 0 to 1.

    Examples
    --------
    >>> comparison = compare(["d2", "d1", "d4", "d3"], ["d1", "d4", "d2", "d3"])
    >>> comparison.point.tolist(), round(comparison.a_corr, 3)
    ([2.0, 1.0, 0.0, 0.0], 0.7)
    """
    if not 0 <= penalty <= 1:
        raise RankingError(f"expected a penalty between 0 and 1 for a pair tied in one ranking, got {penalty}")
    return RankingComparison(RankingPair.of(first, second), h, p, rbo_ties, k, penalty)
