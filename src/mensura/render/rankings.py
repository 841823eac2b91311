"""Numbers of two compared rankings, with their labels and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.numbers import fixed, general
from mensura.render.tables import Table, View
from mensura.result import encode

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
            "value": encode(value),
            "text": (general if key in COUNTS else fixed)(value),
            "most": encode(comparison.worst_area) if key == "area" else None,
        }
        for key, label, value in ((key, label, numbers[key]) for key, label in NAMED.items())
    ]


def ranking_view(comparison: RankingComparison) -> View:
    """Every number with its name; the area with the largest one that there could be."""
    rows = [
        (row["label"], f"{row['text']} of {general(row['most'])}" if row["most"] is not None else row["text"])
        for row in number_rows(comparison, comparison.k)
    ]
    title = f"Two rankings: {len(comparison.pair)} items, {comparison.pair.shared} in both"
    return View(title, [Table(["measure", "value"], rows, "lr", caption=title, label="rankings")])
