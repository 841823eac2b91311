"""Scores as estimates of relevance: distances document by document, the experiment of P2, and calibration."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "claimed_scores": ("Claims", "claims"),
        "calibration": ("Calibration", "calibrate"),
        "correlation": ("Correlations", "correlations", "variants"),
        "distance": ("Distances", "distances"),
        "fusion": ("Fusion", "fuse", "fused"),
        "reliability_diagram": ("Reliability", "reliability"),
        "stability": ("Stability", "fewer_documents", "fewer_topics"),
        "threshold_table": ("Thresholds", "thresholds"),
    },
)
