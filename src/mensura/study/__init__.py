"""Whole experiments: the study of P4 on any collection, simulated campaigns, and what tests do where the truth is known."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "campaigns": ("Campaign", "Design", "simulate"),
        "cell": ("Cell", "Decisions"),
        "changes": ("Changes", "MeanChange", "DecisionCell", "summarise_changes", "decision_cells"),
        "example": ("demo",),
        "experiment": ("Move", "Study", "study"),
        "files": ("write_campaign",),
        "likeness": ("design_like",),
        "paper_tables": ("tables",),
        "truth": ("Errors", "Rate", "Truth", "find_truth"),
    },
)
