"""Scores of measures, and remarks on the data that they come from."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "evaluation": ("Evaluation", "evaluate", "score"),
        "evaluator": ("Evaluator",),
        "remarks": ("Remark",),
        "score_tables": ("ScoredTable", "read_scores"),
        "scores": ("Scores",),
    },
)
