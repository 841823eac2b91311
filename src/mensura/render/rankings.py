"""Numbers of two compared rankings, with their labels and as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mensura.rankings.comparison import RankingComparison

NAMED = {
    "footrule": "Spearman's footrule S",
    "kendall": "Kendall distance",
    "area": "area A",
    "normalized_area": "normalised area",
    "a_corr": "A-corr",
    "spearman": "Spearman's ρ",
    "tau_a": "Kendall's τ_a",
    "tau_b": "Kendall's τ_b",
    "tau_ap": "AP correlation τ_AP, second is the truth",
    "tau_ap_b": "AP correlation τ_AP,b",
    "weighted_tau": "weighted τ",
    "rbo": "rank-biased overlap, extrapolated",
    "rbo_min": "rank-biased overlap, at least",
    "rbo_max": "rank-biased overlap, at most",
    "top_k_overlap": "overlap of the top {k}",
    "average_overlap": "average overlap",
}
COUNTS = {"footrule", "kendall", "area"}  # not proportions


def number_rows(comparison: RankingComparison, k: int) -> list[dict[str, Any]]:
    """Return every number with its key, its label, its value (``None`` for NaN), its text and, where it has one, its maximum."""
    numbers = comparison.numbers()
    return [
        {
            "key": key,
            "label": label.format(k=k),
            "value": None if math.isnan(value) else value,
            "text": f"{value:.6g}" if key in COUNTS else proportion(value),
            "most": comparison.worst_area if key == "area" and math.isfinite(comparison.worst_area) else None,
        }
        for key, label, value in ((key, label, numbers[key]) for key, label in NAMED.items())
    ]


def proportion(value: float) -> str:
    """Format ``value`` with four decimals, without a minus sign before zero, and an en dash for NaN."""
    return "–" if math.isnan(value) else f"{round(value, 4) + 0.0:.4f}"
