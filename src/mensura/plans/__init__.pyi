from mensura.plans.hypotheses import HypothesisVerdict as HypothesisVerdict
from mensura.plans.hypotheses import verdicts as verdicts
from mensura.plans.lock import FileState as FileState
from mensura.plans.lock import Lock as Lock
from mensura.plans.lock import check_plan as check_plan
from mensura.plans.lock import deviations as deviations
from mensura.plans.lock import lock_path as lock_path
from mensura.plans.lock import lock_plan as lock_plan
from mensura.plans.lock import read_lock as read_lock
from mensura.plans.plan import Hypothesis as Hypothesis
from mensura.plans.plan import Plan as Plan
from mensura.plans.reading import parse_plan as parse_plan
from mensura.plans.reading import read_plan as read_plan
from mensura.plans.templates import template as template

__all__ = [
    "FileState",
    "Hypothesis",
    "HypothesisVerdict",
    "Lock",
    "Plan",
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
