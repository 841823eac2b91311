"""One measure at one length: on its own scale and on its interval scale."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.scales.curves import curves
from mensura.scales.rescaled import TITLES, Rescaled, rescale
from mensura.stats.correlation import kendall
from mensura.stats.running import run_on_both
from mensura.study.names import label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.measures.base import Measure
    from mensura.scales.interval import Ties
    from mensura.scales.ranks import Scales
    from mensura.scales.types import Scale
    from mensura.stats.results import Outcome

DIGITS = 8
"""Means are rounded to so many decimals before they are ranked, so that equal means are ties (P4, footnote 10)."""
CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """Options of a study that hold for every measure."""

    tests: tuple[str, ...]
    ties: tuple[Ties, ...]
    alpha: float
    seed: int
    scale: Scale = "interval"
    width: float | None = None


@dataclass(frozen=True, slots=True)
class Decisions:
    """Pairs of systems that a test calls different: with the measure, and what changes on its interval scale."""

    sig: int
    s2ns: int
    ns2s: int

    @property
    def delta(self) -> float:
        """Changed decisions per significant pair, in per cent (P4: Δ%); NaN if there is none."""
        return 100 * (self.s2ns + self.ns2s) / self.sig if self.sig else math.nan


@dataclass(frozen=True, slots=True)
class Cell:
    """The results of a study for one measure at one length.

    Attributes
    ----------
    label, measure, length
        The measure: its name in the tables, its full name, and its cut-off.
    method, steps, exact, width
        The interval scale: how it was counted, its number of steps, and whether ranks are exact. If they are not, the midpoints of
        certified bounds at most ``width`` of the scale apart stand for them.
    means, ranked
        The mean of each system on the measure's own scale and on its interval scale, rounded to 8 decimals.
    tau
        Per way to rank ties, τ_b between the means on the two scales; ``None`` where ranks cannot be had.
    by_topic
        Per way to rank ties, the least τ_b of a topic: 1, or the transformation has changed an order. ``None`` where ranks are
        bounds, which may tie what the measure tells apart.
    decisions
        Per test.
    how
        ``exact``, ``bounded`` or ``estimated``: what the numbers on the other scale are.
    turned
        Whether higher is better on the other scale, which counts what is beaten, but lower on the measure's own.
    possible, seen
        Pairs (proportion of runs, value): the spacing of the values of all runs of this length (P4, Figures 6 to 8), and of those
        of the collection's runs. Measures that depend on the recall base take it to be the length.
    """

    label: str
    measure: str
    length: int
    method: str
    steps: int | None
    exact: bool
    width: float
    means: tuple[float, ...]
    ranked: tuple[float, ...]
    tau: dict[str, float | None]
    by_topic: dict[str, float | None]
    decisions: dict[str, Decisions]
    possible: tuple[tuple[float, float], ...] = field(repr=False)
    seen: tuple[tuple[float, float], ...] = field(repr=False)
    how: str = "exact"
    turned: bool = False

    @property
    def alike(self) -> tuple[float, ...]:
        """The means :attr:`ranked`, with the sign that makes the better ones higher or lower as on the measure's own scale."""
        return tuple(-mean for mean in self.ranked) if self.turned else self.ranked

    @property
    def changed(self) -> float:
        """Changed decisions over all tests, in per cent of the significant pairs; NaN if there are none."""
        sig, s2ns, ns2s = (sum(getattr(each, part) for each in self.decisions.values()) for part in ("sig", "s2ns", "ns2s"))
        return Decisions(sig, s2ns, ns2s).delta


def make_cell(measure: Measure, scales: Scales, plan: StudyOptions) -> Cell:
    """Compute the results for a measure with a cut-off."""
    name, judged, on_scale = label(measure), scales.judged, scales.of(measure)
    values = measure.score(judged)
    counting = plan.scale == "interval"
    ranks_by: dict[Ties, NDArray[Any] | None] = dict.fromkeys((*plan.ties, "unq"))
    for way in ranks_by if counting else ():
        ranks_by[way] = on_scale.ranks(way)
    unique = ranks_by["unq"]
    possible, seen = curves(measure, on_scale)
    scale, steps = on_scale.scale, on_scale.steps if unique is not None else None
    method = scale.method if unique is not None else "bracket" if counting else TITLES[plan.scale]
    other = Rescaled(unique) if unique is not None else rescale(measure, judged, values, plan.scale, plan.width)
    means, ranked = rounded_means(values), rounded_means(other.values)
    turned = other.beaten and measure.direction == "lower"
    compared = {"unq": -ranked if turned else ranked} | {
        way: rounded_means(ranks) for way, ranks in ranks_by.items() if ranks is not None
    }
    tau: dict[str, float | None] = {way: kendall(means, compared[way]) if way in compared else None for way in plan.ties}
    by_topic: dict[str, float | None] = {
        way: None if (ranks := ranks_by[way]) is None else least_tau(values, ranks) for way in plan.ties
    }
    return Cell(
        label=name,
        measure=str(measure),
        length=scale.length,
        method=method,
        steps=steps,
        exact=unique is not None,
        width=other.width,
        means=tuple(means.tolist()),
        ranked=tuple(ranked.tolist()),
        tau=tau,
        by_topic=by_topic,
        decisions=decide(values, other.values, plan),
        possible=possible,
        seen=seen,
        how=other.how,
        turned=turned,
    )


def rounded_means(values: NDArray[Any]) -> NDArray[np.float64]:
    """Means over topics, exact for whole numbers of any size, rounded to 8 decimals."""
    if values.dtype == object:
        sums = [sum(map(Fraction, row)) / len(row) for row in values]
        return np.array([round(float(mean), DIGITS) for mean in sums])
    return np.round(values.mean(axis=1), DIGITS)


def least_tau(values: NDArray[np.float64], ranks: NDArray[Any]) -> float:
    """The least τ_b within a topic: 1 if every topic orders and ties the systems in the same way on both scales."""
    least = 1.0
    for topic in range(values.shape[1]):
        value, rank = values[:, topic], ranks[:, topic]
        order = np.argsort(rank, kind="stable")
        rises = np.diff(rank[order].astype(object)) > 0
        steps = np.diff(value[order])
        slack = CLOSE * max(float(np.abs(value).max()), 1e-300)
        if not np.array_equal(steps > slack, rises) or (steps < -slack).any():
            tau = kendall(value, np.unique(rank, return_inverse=True)[1])
            least = min(least, 0.0 if math.isnan(tau) else tau)
    return least


def decide(values: NDArray[Any], on_scale: NDArray[Any], plan: StudyOptions) -> dict[str, Decisions]:
    """The pairs that each test calls different on both scales, compared."""
    options: dict[str, Any] = {"samples": 10_000, "seed": plan.seed, "exact": 15}  # as in P4's software
    decisions = {}
    for test, outcomes in run_on_both(plan.tests, values, on_scale, **options).items():
        one, two = (significant(outcome, plan.alpha) for outcome in outcomes)
        decisions[test] = Decisions(int(one.sum()), int((one & ~two).sum()), int((~one & two).sum()))
    return decisions


def significant(outcome: Outcome, alpha: float) -> NDArray[np.bool_]:
    """Pairs of systems that a test calls different: by its own correction for all pairs if it has one."""
    return np.asarray((outcome.p if outcome.family_p is None else outcome.family_p) < alpha)
