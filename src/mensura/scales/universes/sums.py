"""Measures of binary runs as sums over relevant documents: what each adds depends on its rank and on how many came before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mensura.measures.decomposition import Additive, AveragePrecision, ByRank, Cascade, Counted
from mensura.scales.counting.weights import exact_weights, unit

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from mensura.scales.counting.weights import Weight

    Floats = NDArray[np.float64]

BINARY = 2
BITS = 80


@dataclass(frozen=True, eq=False)
class HitSum:
    """A measure as a sum over the relevant documents of a run.

    Attributes
    ----------
    added
        float64 [rank, hits]: what a relevant document adds at a rank, after so many others.
    ends
        float64 [hits]: what a run with so many relevant documents adds at its end.
    whole
        Whether all of these are whole numbers: bins of size 1 then hold every sum exactly.
    falls
        Whether larger sums are smaller values.
    """

    added: Floats
    ends: Floats
    whole: bool = False
    falls: bool = False

    def of(self, runs: NDArray[np.int8]) -> Floats:
        """Return the sums of binary runs [run, rank], added up from the first rank to the last."""
        sums = np.empty(len(runs))
        for row, run in enumerate(runs > 0):
            ranks = np.flatnonzero(run)
            total = 0.0
            for added in self.added[ranks, np.arange(len(ranks))].tolist():
                total += added
            sums[row] = total + self.ends[len(ranks)]
        return sums


def hit_sum(decomposition: object, length: int, most: int) -> HitSum | None:
    """Return a binary measure as a sum over at most ``most`` relevant documents, or ``None`` if it is not one."""
    rank, before = np.arange(1, length + 1, dtype=np.float64)[:, None], np.arange(most, dtype=np.float64)[None, :]
    nothing = np.zeros(most + 1)
    match decomposition:
        case AveragePrecision():
            return HitSum((before + 1) / rank, nothing)
        case Additive(discount, (none, gain)) if gain >= none:
            weights = exact_weights(discount, length)
            base = getattr(discount, "base", None)
            numbers = np.array([_double(weight, base) for weight in weights])
            return _by_rank(numbers * float(none), numbers * float(gain - none), most)
        case ByRank(terms) if len(terms[0]) == BINARY and all(none <= one for none, one in terms):
            return _by_rank(
                np.array([float(none) for none, _ in terms]), np.array([float(one - none) for none, one in terms]), most
            )
        case Counted(statistic, values, depth):
            falls = values[0] > values[-1] if statistic != "first" else values[0] < values[-1]
            inside: Floats = np.broadcast_to(rank <= depth, (length, most)).astype(np.float64)
            if statistic != "relevant":
                inside = inside * (before == 0)
            if statistic == "first":
                inside = inside * (depth + 1 - rank)
            return HitSum(np.ascontiguousarray(inside), nothing, whole=True, falls=falls)
        case Cascade((never_stops, stop), payoff, never) if never_stops == 0:
            there = float(1 - stop) ** np.arange(most + 1, dtype=np.float64)
            pays = 1 / rank if payoff == "1/i" else rank
            return HitSum(np.ascontiguousarray(float(stop) * there[:-1] * pays), float(never) * there)
    return None


def _by_rank(without: Floats, extra: Floats, most: int) -> HitSum:
    return HitSum(np.ascontiguousarray(np.broadcast_to(extra[:, None], (len(extra), most))), np.full(most + 1, without.sum()))


def _double(weight: Weight, base: Fraction | None) -> float:
    """The weight of a rank, correctly rounded but for a unit or two in the last place."""
    return float(weight.share) if base is None else float(weight.share) * (unit(base, weight.root, BITS) / 2**BITS)
