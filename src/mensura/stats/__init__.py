"""Inference: tests, corrections for many tests, effect sizes, intervals, means, correlation and validation."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "advice": ("Advice", "advise", "in_words", "ratio_of_geometric_means"),
        "blocked": ("anova", "dunnett", "friedman", "kruskal_wallis", "nemenyi"),
        "bootstrap": ("bca_interval", "bootstrap_t", "bootstrap_test"),
        "compared": ("Comparison", "Comparisons"),
        "comparison": ("compare",),
        "confidence": ("Intervals", "Proportion", "difference_intervals", "mean_interval", "wilson_interval"),
        "correlation": ("Correlation", "correlate", "kendall", "pearson", "spearman", "tau_ap"),
        "digits": ("decimals", "decimals_for_change", "decimals_for_interval"),
        "dunnett_distribution": ("dunnett_isf", "dunnett_sf"),
        "effect_sizes": ("Effects", "effects"),
        "families": ("Family", "adjust"),
        "ledger_entries": ("entries_of",),
        "listed": ("Pair", "Pairs", "Standing", "Standings"),
        "methods": ("CORRECTIONS", "METHODS", "CorrectionFacts", "Method"),
        "paired": ("paired_t", "rank_sum", "sign_test", "signed_rank"),
        "permutation": ("max_t", "randomisation_test", "randomised_tukey"),
        "power": ("power_anova", "power_t", "topics_for_anova", "topics_for_interval", "topics_for_t"),
        "results": ("Omnibus", "Outcome"),
        "running": ("run_test",),
        "summed": ("PairSums", "pair_sums"),
        "summed_files": ("compare_streamed",),
        "summed_tests": ("compare_sums",),
        "summary": ("Fit", "mean", "relative_improvement", "which_mean"),
        "tukey": ("studentized_range_isf", "studentized_range_sf"),
        "validation": ("Validation", "Choice", "cross_validate", "validate"),
    },
)
