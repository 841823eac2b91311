"""Judged runs: grades by system, topic and rank, and the door that leads to them."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "entrance": ("judge",),
        "runs": ("JudgedRuns",),
    },
)
