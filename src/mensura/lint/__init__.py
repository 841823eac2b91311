"""Checks of papers, notebooks, results, runs and plans for the common mistakes of P3."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "engine": ("Options", "lint"),
        "rule": ("Finding", "Findings"),
    },
)
