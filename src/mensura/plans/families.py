"""Comparisons as planned: one or two families that the plan names; everything else is exploratory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mensura.errors import PlanError
from mensura.evaluation.evaluation import score
from mensura.stats.comparison import Question, compare_families

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mensura.evaluation.evaluation import Evaluation, Topics
    from mensura.judged.runs import JudgedRuns
    from mensura.plans.plan import Plan
    from mensura.stats.compared import Comparisons, Role
    from mensura.stats.comparison import PriorTests


@dataclass(frozen=True, slots=True)
class PlannedFamily:
    """Systems and measures that are compared and corrected together."""

    role: Role
    evaluation: Evaluation
    left_out: Mapping[str, frozenset[frozenset[str]]]


def families(plan: Plan, judged: JudgedRuns, measures: tuple[str, ...]) -> list[PlannedFamily]:
    """Return the families of a plan, and one of all other measures and systems that were asked for.

    Planned comparisons are made among the planned systems only, so that they do not depend on what else is looked at.
    ``measures`` are those that were asked for; the planned ones are always there.
    """
    missing = [system for system in plan.systems if system not in judged.systems]
    if missing:
        raise PlanError(
            f"the plan compares {', '.join(missing)} too; name the runs of all its systems, not only {', '.join(judged.systems)}",
            source=str(plan.path),
        )
    topics: Topics = "both" if plan.topics == "both" else "judged"
    planned = judged.only(plan.systems)
    planned_families = [PlannedFamily("primary", score(planned, plan.primary, topics), {})]
    if plan.secondary:
        planned_families.append(PlannedFamily("secondary", score(planned, plan.secondary, topics), {}))
    known = plan.primary + plan.secondary
    names = dict.fromkeys((*known, *measures))
    everything = score(judged, list(names), topics)
    rest = PlannedFamily("exploratory", everything, dict.fromkeys(known, plan.pairs()))
    more_measures = len(names) > len(known)
    more_systems = len(judged.systems) > len(plan.systems)
    return [*planned_families, rest] if more_measures or more_systems else planned_families


def compare_as_planned(plan: Plan, parts: list[PlannedFamily], prior_tests: PriorTests, options: dict[str, Any]) -> Comparisons:
    """Compare the systems of all families, each marked with its role."""
    questions = [Question(part.evaluation, role=part.role, left_out=part.left_out, **plan.options | options) for part in parts]
    return compare_families(questions, prior_tests, _together([part.evaluation for part in parts]))


def _together(evaluations: list[Evaluation]) -> Evaluation:
    """The scores of all measures, of the most systems: those of the last family."""
    widest = evaluations[-1]
    scores = {str(each.measure): each for evaluation in evaluations for each in evaluation.scores}
    return replace(widest, scores=tuple({**scores, **{str(each.measure): each for each in widest.scores}}.values()))
