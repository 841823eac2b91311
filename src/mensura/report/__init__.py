"""A report: one self-contained page with what judged runs and measures say, and text to paste into a paper."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "build": ("InputFile", "Report", "report"),
    },
)
