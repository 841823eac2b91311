"""Comparisons as planned: what the plan names is one family or two, everything else is exploratory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mensura.errors import PlanError
from mensura.evaluation.evaluation import score
from mensura.stats.comparison import compare

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mensura.evaluation.evaluation import Evaluation, Topics
    from mensura.judged.runs import JudgedRuns
    from mensura.plans.plan import Plan
    from mensura.stats.comparison import Comparison, Role


@dataclass(frozen=True, slots=True)
class PlannedFamily:
    """What is compared together and corrected together."""

    role: Role
    evaluation: Evaluation
    left_out: Mapping[str, frozenset[frozenset[str]]]


def families(plan: Plan, judged: JudgedRuns, measures: tuple[str, ...]) -> list[PlannedFamily]:
    """The families of a plan, and one of all that was asked for besides.

    Planned comparisons are made among the planned systems only, so that they do not depend on what else is looked at.
    ``measures`` are those that were asked for; the planned ones are always there.
    """
    missing = [system for system in plan.systems if system not in judged.systems]
    if missing:
        raise PlanError(
            f"the plan compares {', '.join(missing)} too: name the runs of all its systems; there are {', '.join(judged.systems)}",
            source=str(plan.path),
        )
    topics: Topics = "both" if plan.topics == "both" else "judged"
    planned = judged.only(plan.systems)
    made = [PlannedFamily("primary", score(planned, plan.primary, topics), {})]
    if plan.secondary:
        made.append(PlannedFamily("secondary", score(planned, plan.secondary, topics), {}))
    known = plan.primary + plan.secondary
    names = dict.fromkeys((*known, *measures))
    everything = score(judged, list(names), topics)
    rest = PlannedFamily("exploratory", everything, dict.fromkeys(known, plan.pairs()))
    more_measures = len(names) > len(known)
    more_systems = len(judged.systems) > len(plan.systems)
    return [*made, rest] if more_measures or more_systems else made


def compare_as_planned(
    plan: Plan, parts: list[PlannedFamily], prior_tests: int | Callable[[], int], options: dict[str, Any]
) -> list[Comparison]:
    """The comparisons of all families, each marked with its role."""
    return [
        replace(comparison, role=part.role)
        for part in parts
        for comparison in compare(
            part.evaluation,
            **plan.options | options | {"prior_tests": prior_tests, "left_out": part.left_out},
        )
    ]
