from mensura.rankings.axioms import AXIOMS as AXIOMS
from mensura.rankings.axioms import Axioms as Axioms
from mensura.rankings.axioms import find_counterexamples as find_counterexamples
from mensura.rankings.comparison import RankingComparison as RankingComparison
from mensura.rankings.comparison import compare as compare
from mensura.rankings.correlation import spearman as spearman
from mensura.rankings.correlation import tau_a as tau_a
from mensura.rankings.correlation import tau_ap as tau_ap
from mensura.rankings.correlation import tau_ap_b as tau_ap_b
from mensura.rankings.correlation import tau_b as tau_b
from mensura.rankings.correlation import weighted_tau as weighted_tau
from mensura.rankings.curves import area as area
from mensura.rankings.curves import footrule as footrule
from mensura.rankings.curves import kendall as kendall
from mensura.rankings.curves import misplacements as misplacements
from mensura.rankings.curves import point as point
from mensura.rankings.ideal import IdealCurves as IdealCurves
from mensura.rankings.ideal import against_ideal as against_ideal
from mensura.rankings.matrices import Matrix as Matrix
from mensura.rankings.matrices import matrix as matrix
from mensura.rankings.matrices import over_topics as over_topics
from mensura.rankings.overlap import RBO as RBO
from mensura.rankings.overlap import agreement as agreement
from mensura.rankings.overlap import average_overlap as average_overlap
from mensura.rankings.overlap import rbo as rbo
from mensura.rankings.overlap import top_k_overlap as top_k_overlap
from mensura.rankings.positions import Ranking as Ranking
from mensura.rankings.positions import RankingPair as RankingPair
from mensura.rankings.runs import leaderboard as leaderboard
from mensura.rankings.runs import run_rankings as run_rankings
from mensura.rankings.weighting import weights as weights
from mensura.rankings.worst import normalized_area as normalized_area
from mensura.rankings.worst import symmetric_area as symmetric_area
from mensura.rankings.worst import worst_area as worst_area
from mensura.rankings.worst import worst_positions as worst_positions

__all__ = [
    "AXIOMS",
    "Axioms",
    "IdealCurves",
    "Matrix",
    "RBO",
    "Ranking",
    "RankingComparison",
    "RankingPair",
    "against_ideal",
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
