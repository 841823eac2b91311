"""Distances and correlations between rankings: point and area (P1), and everything that they are compared to."""

from mensura.rankings.axioms import AXIOMS, Axioms, find_counterexamples
from mensura.rankings.comparison import RankingComparison, compare
from mensura.rankings.correlation import spearman, tau_a, tau_ap, tau_ap_b, tau_b, weighted_tau
from mensura.rankings.curves import area, footrule, kendall, misplacements, point
from mensura.rankings.matrices import Matrix, matrix, over_topics
from mensura.rankings.overlap import RBO, agreement, average_overlap, rbo, top_k_overlap
from mensura.rankings.positions import Pair, Ranking
from mensura.rankings.runs import leaderboard, run_rankings
from mensura.rankings.weighting import weights
from mensura.rankings.worst import normalized_area, symmetric_area, worst_area, worst_positions

__all__ = [
    "AXIOMS",
    "RBO",
    "Axioms",
    "Matrix",
    "Pair",
    "Ranking",
    "RankingComparison",
    "agreement",
    "area",
    "average_overlap",
    "compare",
    "find_counterexamples",
    "footrule",
    "kendall",
    "leaderboard",
    "matrix",
    "misplacements",
    "normalized_area",
    "over_topics",
    "point",
    "rbo",
    "run_rankings",
    "spearman",
    "symmetric_area",
    "tau_a",
    "tau_ap",
    "tau_ap_b",
    "tau_b",
    "top_k_overlap",
    "weighted_tau",
    "weights",
    "worst_area",
    "worst_positions",
]
