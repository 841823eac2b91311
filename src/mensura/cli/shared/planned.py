"""``mensura compare --plan``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mensura.errors import PlanError
from mensura.io.digests import content_digest
from mensura.plans.hypotheses import verdicts
from mensura.plans.lock import deviations, read_lock
from mensura.plans.reading import read_plan

if TYPE_CHECKING:
    from argparse import Namespace

    from mensura.engines.engine import Engine
    from mensura.judged.runs import JudgedRuns
    from mensura.plans.hypotheses import HypothesisVerdict
    from mensura.plans.lock import Lock
    from mensura.plans.plan import Plan
    from mensura.stats.compared import Comparisons

# What the plan decides, and what these options are when nobody gave them.
DECIDED = {
    "test": "auto",
    "correction": "auto",
    "baseline": None,
    "scale": None,
    "universe": None,
    "alpha": 0.05,
    "samples": None,
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
    if plan.folds is not None:
        sys.stderr.write(
            f"mensura: note: folds = {plan.folds} of the plan is not used by compare; mensura validate --plan uses it\n"
        )
    for name, value in {**plan.options, "topics": plan.topics, "compat": plan.compat}.items():
        setattr(arguments, name, value)
    return plan, lock


def deviates(plan: Plan, lock: Lock, judged: JudgedRuns) -> bool:
    """Return whether something has changed since the lock, and say so on standard error."""
    changes = deviations(lock, judged)
    if content_digest(plan.path) != lock.plan:
        changes.insert(0, f"{plan.path}: was changed after it was locked at {lock.locked}")
    for sentence in changes:
        sys.stderr.write(f"mensura: {sentence}\n")
    if changes:
        sys.stderr.write("mensura: nothing was compared; changed data can be compared without --plan\n")
    return bool(changes)


def compare_planned(
    plan: Plan, judged: JudgedRuns, measures: tuple[str, ...], arguments: Namespace, engine: Engine | None
) -> tuple[Comparisons, list[HypothesisVerdict]]:
    """The comparisons, and what they say about the hypotheses."""
    from mensura.plans.families import compare_as_planned, families

    parts = families(plan, judged, measures)
    options = {"interval": arguments.interval, "threads": arguments.threads, "engine": engine}
    comparisons = compare_as_planned(plan, parts, arguments.prior_tests, options)
    arguments.prior_tests = comparisons[0].family.prior_tests  # for the record
    return comparisons, verdicts(plan, comparisons)
