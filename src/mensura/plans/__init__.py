"""Plans: what will be tested, written down before it is (P3 §2.6)."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "hypotheses": ("HypothesisVerdict", "verdicts"),
        "lock": ("FileState", "Lock", "check_plan", "deviations", "lock_path", "lock_plan", "read_lock"),
        "plan": ("Hypothesis", "Plan"),
        "reading": ("parse_plan", "read_plan"),
        "templates": ("template",),
    },
)
