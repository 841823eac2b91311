"""Inference: tests, corrections for many tests, effect sizes, intervals, means, correlation and validation."""

from mensura.stats.blocked import anova, dunnett, friedman, kruskal_wallis, nemenyi
from mensura.stats.bootstrap import bca_interval, bootstrap_test
from mensura.stats.comparison import Comparison, Pair, compare
from mensura.stats.confidence import Intervals, Proportion, difference_intervals, mean_interval, wilson_interval
from mensura.stats.correlation import Correlation, correlate, kendall, pearson, spearman, tau_ap
from mensura.stats.digits import decimals, decimals_for_change, decimals_for_interval
from mensura.stats.dunnett import dunnett_isf, dunnett_sf
from mensura.stats.effect_sizes import Effects, effects
from mensura.stats.families import Family, adjust
from mensura.stats.methods import METHODS
from mensura.stats.paired import paired_t, rank_sum, sign_test, signed_rank
from mensura.stats.permutation import max_t, randomisation_test, randomised_tukey
from mensura.stats.power import power_anova, power_t, topics_for_anova, topics_for_interval, topics_for_t
from mensura.stats.results import Method, Omnibus, Outcome
from mensura.stats.scale import ScaleFacts, scale_of
from mensura.stats.summary import Fit, mean, relative_improvement, which_mean
from mensura.stats.tests import run_test
from mensura.stats.tukey import studentized_range_isf, studentized_range_sf
from mensura.stats.validation import Validation, cross_validate

__all__ = [
    "METHODS",
    "Comparison",
    "Correlation",
    "Effects",
    "Family",
    "Fit",
    "Intervals",
    "Method",
    "Omnibus",
    "Outcome",
    "Pair",
    "Proportion",
    "ScaleFacts",
    "Validation",
    "adjust",
    "anova",
    "bca_interval",
    "bootstrap_test",
    "compare",
    "correlate",
    "cross_validate",
    "decimals",
    "decimals_for_change",
    "decimals_for_interval",
    "difference_intervals",
    "dunnett",
    "dunnett_isf",
    "dunnett_sf",
    "effects",
    "friedman",
    "kendall",
    "kruskal_wallis",
    "max_t",
    "mean",
    "mean_interval",
    "nemenyi",
    "paired_t",
    "pearson",
    "power_anova",
    "power_t",
    "randomisation_test",
    "randomised_tukey",
    "rank_sum",
    "relative_improvement",
    "run_test",
    "scale_of",
    "sign_test",
    "signed_rank",
    "spearman",
    "studentized_range_isf",
    "studentized_range_sf",
    "tau_ap",
    "topics_for_anova",
    "topics_for_interval",
    "topics_for_t",
    "which_mean",
    "wilson_interval",
]
