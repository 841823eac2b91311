"""Verdicts of the comparisons on the hypotheses of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from mensura.plans.plan import Hypothesis
from mensura.result import Result
from mensura.stats.listed import Pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.plans.plan import Plan
    from mensura.stats.compared import Comparison


@dataclass(frozen=True, slots=True)
class HypothesisVerdict(Result):
    """The verdict of the data on a hypothesis; ``pair`` is better − worse.

    ``too small to matter``: the interval of the difference lies between minus and plus the smallest effect of interest.
    """

    hypothesis: Hypothesis
    pair: Pair
    says: Literal["supported", "contradicted", "too small to matter", "undecided"]

    readers: ClassVar = {"hypothesis": Hypothesis.from_dict, "pair": Pair.from_dict}


def verdicts(plan: Plan, comparisons: Sequence[Comparison]) -> list[HypothesisVerdict]:
    """Return a verdict for each hypothesis."""
    planned = {str(comparison.measure): comparison for comparison in comparisons if comparison.role in {"primary", "secondary"}}
    return [_verdict(plan, one, planned[one.measure]) for one in plan.hypotheses]


def _verdict(plan: Plan, hypothesis: Hypothesis, comparison: Comparison) -> HypothesisVerdict:
    pair = comparison[hypothesis.better, hypothesis.worse]
    gain = pair.direction if comparison.direction == "higher" else -pair.direction
    low, high = pair.interval
    if plan.smallest_effect is not None and plan.scale == "original" and -plan.smallest_effect < low <= high < plan.smallest_effect:
        return HypothesisVerdict(hypothesis, pair, "too small to matter")
    if pair.corrected_p >= comparison.alpha:
        return HypothesisVerdict(hypothesis, pair, "undecided")
    return HypothesisVerdict(hypothesis, pair, "supported" if gain > 0 else "contradicted")
