"""Intervals of the differences of a family: from the statistic that decides, with the share of α that decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError
from mensura.stats.blocked import error_deviation
from mensura.stats.confidence import (
    check_interval,
    common_half_width,
    difference_intervals,
    drawn_half_width,
    resampled_half_width,
    student_half_width,
)
from mensura.stats.draws import draws_beyond, draws_for
from mensura.stats.methods import CORRECTIONS
from mensura.stats.results import plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.stats.arrays import ScoreTable
    from mensura.stats.draws import Draws, PairMoments
    from mensura.stats.families import Family
    from mensura.stats.methods import IntervalMethod
    from mensura.stats.results import Outcome


@dataclass(frozen=True, eq=False)
class PairIntervals:
    """Intervals of differences; ``own`` if they come from the statistic that decides.

    ``draws`` are those that an interval is from, if it is from any, and ``share`` is its part of α.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    method: IntervalMethod
    kind: str
    own: bool
    share: float
    draws: int | None = None

    def remarks(self, significant: NDArray[np.bool_], outcome: Outcome, alpha: float) -> list[str]:
        """Remarks on intervals without ends, and on those by another method than the test's, where the two disagree."""
        remarks = []
        if np.isinf(self.low).all():
            if self.draws is not None and not draws_beyond(self.draws, self.share):
                number, way = plural(self.draws, "draw"), f"--samples {draws_for(self.share)}"
            else:
                number, way = plural(outcome.topics, "topic"), "more topics"
            remarks.append(
                f"{self.kind} {100 * (1 - alpha):g} % intervals are unbounded: {number} cannot tell how far from 0 chance carries "
                f"a difference; use {way}"
            )
        apart = int((((self.low > 0) | (self.high < 0)) != significant).sum())
        if apart and not self.own:
            title, pairs = outcome.method.title, plural(len(significant), "pair")
            remarks.append(
                f"intervals are of the mean difference (method {self.method}), decisions are by the test ({title}): for {apart} of "
                f"{pairs} one excludes 0 and the other does not"
            )
        return remarks


def pair_intervals(
    table: ScoreTable | None,
    outcome: Outcome,
    moments: PairMoments,
    family: Family,
    *,
    alpha: float,
    rejected: int,
    significant: NDArray[np.bool_],
    drawing: Draws,
    asked: IntervalMethod | None,
) -> PairIntervals:
    """Intervals of the pairs of an outcome.

    Those of the test itself, unless another method was asked for: their share of α is that of the decisions, and their draws are
    those of the test, so that one excludes 0 where the test rejects and contains it elsewhere. A step-down correction rejects more
    than simultaneous intervals show, and a corrected p that would be below its own p rejects less; there they end at 0, on the side
    of the decision. ``rejected`` is the number of significant tests of the whole family, for a false discovery rate. Without a
    ``table``, intervals are from the test's draws or by Student's t.
    """
    facts, method = CORRECTIONS[family.correction], outcome.method
    corrects = family.correction != "none"
    falsely = corrects and facts.controls != CORRECTIONS["holm"].controls
    kind = "single" if not corrects else "FCR-adjusted" if falsely else "simultaneous"
    name = asked or method.interval
    share = _share(alpha, family, rejected)
    own = name == method.interval
    draws: int | None = None
    half: NDArray[np.float64] | float | None = None
    if own and corrects and not facts.stepwise and outcome.null is not None:
        half, draws = drawn_half_width(outcome, share), len(outcome.null)
    elif name == "t":
        own = own and facts.stepwise and method.name == "t"
        half = student_half_width(moments, outcome.topics, share if facts.stepwise else share / family.pairs)
    elif table is not None and own and name == "anova":
        compared = 1 if facts.stepwise else len(outcome.pairs) if method.needs_baseline else None
        half = common_half_width(*error_deviation(table, blocked=method.paired), table, share, compared)
    elif table is not None and name == "bootstrap-t" and facts.stepwise:
        half, draws = resampled_half_width(table, outcome.pairs, moments, share, drawing), drawing.samples
    if half is None:
        if table is None:
            raise StatisticsError(f"intervals by the method {name} need the values of topics, which are not kept here; use 't'")
        low, high = _other(table, outcome, name, share, drawing, simultaneous=corrects)
        draws = drawing.samples if name in {"bca", "bootstrap-t", "randomised"} else None
        return PairIntervals(low, high, name, kind, own=False, share=share / 2 if name == "bca" else share, draws=draws)
    low, high = moments.mean - half, moments.mean + half
    if own:
        up, down = significant & (outcome.direction > 0), significant & (outcome.direction < 0)
        low = np.where(up, np.maximum(low, 0.0), np.where(significant, low, np.minimum(low, 0.0)))
        high = np.where(down, np.minimum(high, 0.0), np.where(significant, high, np.maximum(high, 0.0)))
    return PairIntervals(low, high, name, kind, own, share, draws)


def _share(alpha: float, family: Family, rejected: int) -> float:
    """The part of α that one interval has, or all intervals of a correction that takes the pairs together."""
    if family.correction == "none":
        return alpha
    if not CORRECTIONS[family.correction].stepwise:
        return alpha / family.shares
    if CORRECTIONS[family.correction].controls == CORRECTIONS["holm"].controls:
        return alpha / family.size
    harmonic = float((1 / np.arange(1, family.size + 1)).sum()) if family.correction == "by" else 1.0
    return alpha * max(rejected, 1) / family.size / harmonic


def _other(
    table: ScoreTable, outcome: Outcome, name: IntervalMethod, share: float, drawing: Draws, *, simultaneous: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Intervals by a method that is not the test's."""
    check_interval(name, simultaneous=simultaneous)
    pairs = outcome.pairs
    intervals = difference_intervals(
        table,
        baseline=pairs.baselines or None,
        method=name,
        simultaneous=simultaneous,
        level=1 - share,
        samples=drawing.samples,
        seed=drawing.seed,
        threads=drawing.threads,
    )
    if len(intervals.pairs) == len(pairs):
        return intervals.low, intervals.high
    at = {
        pair: number
        for number, pair in enumerate(zip(intervals.pairs.first.tolist(), intervals.pairs.second.tolist(), strict=True))
    }
    kept = [at[pair] for pair in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)]
    return intervals.low[kept], intervals.high[kept]
