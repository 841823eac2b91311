"""``mensura compare --plan``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from mensura.errors import PlanError
from mensura.plans.hypotheses import verdicts
from mensura.plans.lock import deviations, read_lock
from mensura.plans.reading import read_plan

if TYPE_CHECKING:
    from argparse import Namespace

    from mensura.evaluation.evaluation import Evaluation
    from mensura.judged.runs import JudgedRuns
    from mensura.ledger.entries import Collection, Entry
    from mensura.plans.hypotheses import Verdict
    from mensura.plans.lock import Lock
    from mensura.plans.plan import Plan
    from mensura.stats.comparison import Comparison

# What the plan decides, and what these options are when nobody gave them.
DECIDED = {
    "test": "auto",
    "correction": "auto",
    "baseline": None,
    "scale": "original",
    "alpha": 0.05,
    "samples": 10_000,
    "seed": 0,
    "topics": "judged",
    "compat": "trec_eval-10",
    "rel": None,
}


def open_plan(arguments: Namespace) -> tuple[Plan, Lock]:
    """The plan and its lock; the options of the command become those of the plan."""
    lock = read_lock(arguments.plan)
    plan = read_plan(arguments.plan)
    for name, default in DECIDED.items():
        if getattr(arguments, name) != default:
            raise PlanError(f"decides about {name}: leave --{name} out, or compare without --plan", source=str(arguments.plan))
    for name, value in {**plan.options, "topics": plan.topics, "compat": plan.compat}.items():
        setattr(arguments, name, value)
    return plan, lock


def deviates(plan: Plan, lock: Lock, judged: JudgedRuns) -> bool:
    """Is something not as it was locked? Says so on standard error."""
    from mensura.io.digests import content_digest

    found = deviations(lock, judged)
    if content_digest(plan.path) != lock.plan:
        found.insert(0, f"{plan.path}: was changed after it was locked at {lock.locked}")
    for sentence in found:
        sys.stderr.write(f"mensura: {sentence}\n")
    if found:
        sys.stderr.write("mensura: nothing was compared: what is not as it was planned can be compared without --plan\n")
    return bool(found)


def compare_planned(
    plan: Plan, judged: JudgedRuns, measures: tuple[str, ...], arguments: Namespace
) -> tuple[list[Comparison], Evaluation, list[Verdict]]:
    """The comparisons, the evaluation of all systems, and what they say about the hypotheses."""
    from mensura.cli.shared.counting import prior_tests
    from mensura.ledger.entries import entries_of
    from mensura.plans.families import compare_as_planned, families

    parts = families(plan, judged, measures)
    same: dict[str, Any] = {name: plan.options[name] for name in ("test", "scale", "baseline", "samples", "seed")}

    def entries(collection: Collection) -> list[Entry]:
        return [entry for part in parts for entry in entries_of(part.evaluation, collection, left_out=part.left_out, **same)]

    earlier = prior_tests(arguments, judged.origin[0] if judged.origin else None, entries)
    found = compare_as_planned(plan, parts, earlier, {"interval": arguments.interval, "threads": arguments.threads})
    return found, parts[-1].evaluation, verdicts(plan, found)
