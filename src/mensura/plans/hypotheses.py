"""What the comparisons say about the hypotheses of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.plans.plan import Hypothesis, Plan
    from mensura.stats.comparison import Comparison, Pair


@dataclass(frozen=True, slots=True)
class Verdict:
    """A hypothesis and what the data say about it; ``pair`` is better − worse.

    ``too small to matter``: the interval of the difference lies between minus and plus the smallest effect of interest.
    """

    hypothesis: Hypothesis
    pair: Pair
    says: Literal["supported", "contradicted", "too small to matter", "undecided"]


def verdicts(plan: Plan, comparisons: Sequence[Comparison]) -> list[Verdict]:
    """One verdict for each hypothesis."""
    planned = {str(comparison.measure): comparison for comparison in comparisons if comparison.role in {"primary", "secondary"}}
    return [_verdict(plan, one, planned[one.measure]) for one in plan.hypotheses]


def _verdict(plan: Plan, hypothesis: Hypothesis, comparison: Comparison) -> Verdict:
    pair = comparison[hypothesis.better, hypothesis.worse]
    gain = pair.estimate if comparison.measure.direction == "higher" else -pair.estimate
    low, high = pair.interval
    if plan.smallest_effect is not None and plan.scale == "original" and -plan.smallest_effect < low <= high < plan.smallest_effect:
        return Verdict(hypothesis, pair, "too small to matter")
    if pair.corrected_p >= comparison.alpha:
        return Verdict(hypothesis, pair, "undecided")
    return Verdict(hypothesis, pair, "supported" if gain > 0 else "contradicted")
