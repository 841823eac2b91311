"""Scales of measures: interval scales and how to count them, orders on runs, meaningful statements."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "facts": ("ScaleFacts", "scale_facts"),
        "interval": ("IntervalScale", "interval_scale"),
        "meaning.boards": ("Meaning",),
        "meaning.dominance": ("Leaderboard", "leaderboard"),
        "meaning.meaningfulness": ("Verdict", "meaningful"),
        "proofs": ("Properties", "properties"),
        "ranks": ("Ranks",),
        "types": ("ScaleType",),
    },
    ("meaning", "order"),
)
