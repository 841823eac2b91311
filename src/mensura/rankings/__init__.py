"""Distances and correlations between rankings: point and area (P1), and everything that they are compared to."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "axioms": ("AXIOMS", "Axioms", "find_counterexamples"),
        "comparison": ("RankingComparison", "compare"),
        "correlation": ("spearman", "tau_a", "tau_ap", "tau_ap_b", "tau_b", "weighted_tau"),
        "curves": ("area", "footrule", "kendall", "misplacements", "point"),
        "ideal": ("IdealCurves", "against_ideal"),
        "matrices": ("Matrix", "matrix", "over_topics"),
        "overlap": ("RBO", "agreement", "average_overlap", "rbo", "top_k_overlap"),
        "positions": ("Ranking", "RankingPair"),
        "runs": ("leaderboard", "run_rankings"),
        "weighting": ("weights",),
        "worst": ("normalized_area", "symmetric_area", "worst_area", "worst_positions"),
    },
)
