"""Plans: what will be tested, written down before it is (P3 §2.6)."""

from mensura.plans.hypotheses import Verdict, verdicts
from mensura.plans.lock import Finding, Lock, check_plan, deviations, lock_path, lock_plan, read_lock
from mensura.plans.plan import Hypothesis, Plan
from mensura.plans.reading import parse_plan, read_plan
from mensura.plans.templates import template

__all__ = [
    "Finding",
    "Hypothesis",
    "Lock",
    "Plan",
    "Verdict",
    "check_plan",
    "deviations",
    "lock_path",
    "lock_plan",
    "parse_plan",
    "read_lock",
    "read_plan",
    "template",
    "verdicts",
]
