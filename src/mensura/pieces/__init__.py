"""Pieces of an evaluation: plain functions that any engine can call (Dask, Spark, a loop), and exact sums of their outcomes."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "evaluating": ("evaluate",),
        "files": ("means",),
        "frames": ("partitions",),
        "sums_merged": ("Means", "merge_sums"),
        "merging": ("merge",),
        "partial": ("Partial", "PartialSums"),
    },
)
