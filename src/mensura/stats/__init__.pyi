from mensura.stats.advice import Advice as Advice
from mensura.stats.advice import advise as advise
from mensura.stats.advice import in_words as in_words
from mensura.stats.advice import ratio_of_geometric_means as ratio_of_geometric_means
from mensura.stats.blocked import anova as anova
from mensura.stats.blocked import dunnett as dunnett
from mensura.stats.blocked import friedman as friedman
from mensura.stats.blocked import kruskal_wallis as kruskal_wallis
from mensura.stats.blocked import nemenyi as nemenyi
from mensura.stats.bootstrap import bca_interval as bca_interval
from mensura.stats.bootstrap import bootstrap_t as bootstrap_t
from mensura.stats.bootstrap import bootstrap_test as bootstrap_test
from mensura.stats.compared import Comparison as Comparison
from mensura.stats.compared import Comparisons as Comparisons
from mensura.stats.comparison import compare as compare
from mensura.stats.confidence import Intervals as Intervals
from mensura.stats.confidence import Proportion as Proportion
from mensura.stats.confidence import difference_intervals as difference_intervals
from mensura.stats.confidence import mean_interval as mean_interval
from mensura.stats.confidence import wilson_interval as wilson_interval
from mensura.stats.correlation import Correlation as Correlation
from mensura.stats.correlation import correlate as correlate
from mensura.stats.correlation import kendall as kendall
from mensura.stats.correlation import pearson as pearson
from mensura.stats.correlation import spearman as spearman
from mensura.stats.correlation import tau_ap as tau_ap
from mensura.stats.digits import decimals as decimals
from mensura.stats.digits import decimals_for_change as decimals_for_change
from mensura.stats.digits import decimals_for_interval as decimals_for_interval
from mensura.stats.dunnett_distribution import dunnett_isf as dunnett_isf
from mensura.stats.dunnett_distribution import dunnett_sf as dunnett_sf
from mensura.stats.effect_sizes import Effects as Effects
from mensura.stats.effect_sizes import effects as effects
from mensura.stats.families import Family as Family
from mensura.stats.families import adjust as adjust
from mensura.stats.ledger_entries import entries_of as entries_of
from mensura.stats.listed import Pair as Pair
from mensura.stats.listed import Pairs as Pairs
from mensura.stats.listed import Standing as Standing
from mensura.stats.listed import Standings as Standings
from mensura.stats.methods import CORRECTIONS as CORRECTIONS
from mensura.stats.methods import CorrectionFacts as CorrectionFacts
from mensura.stats.methods import METHODS as METHODS
from mensura.stats.methods import Method as Method
from mensura.stats.paired import paired_t as paired_t
from mensura.stats.paired import rank_sum as rank_sum
from mensura.stats.paired import sign_test as sign_test
from mensura.stats.paired import signed_rank as signed_rank
from mensura.stats.permutation import max_t as max_t
from mensura.stats.permutation import randomisation_test as randomisation_test
from mensura.stats.permutation import randomised_tukey as randomised_tukey
from mensura.stats.power import power_anova as power_anova
from mensura.stats.power import power_t as power_t
from mensura.stats.power import topics_for_anova as topics_for_anova
from mensura.stats.power import topics_for_interval as topics_for_interval
from mensura.stats.power import topics_for_t as topics_for_t
from mensura.stats.results import Omnibus as Omnibus
from mensura.stats.results import Outcome as Outcome
from mensura.stats.running import run_test as run_test
from mensura.stats.summary import Fit as Fit
from mensura.stats.summary import mean as mean
from mensura.stats.summary import relative_improvement as relative_improvement
from mensura.stats.summary import which_mean as which_mean
from mensura.stats.summed import PairSums as PairSums
from mensura.stats.summed import pair_sums as pair_sums
from mensura.stats.summed_files import compare_streamed as compare_streamed
from mensura.stats.summed_tests import compare_sums as compare_sums
from mensura.stats.tukey import studentized_range_isf as studentized_range_isf
from mensura.stats.tukey import studentized_range_sf as studentized_range_sf
from mensura.stats.validation import Choice as Choice
from mensura.stats.validation import Validation as Validation
from mensura.stats.validation import cross_validate as cross_validate
from mensura.stats.validation import validate as validate

__all__ = [
    "Advice",
    "CORRECTIONS",
    "Choice",
    "Comparison",
    "Comparisons",
    "CorrectionFacts",
    "Correlation",
    "Effects",
    "Family",
    "Fit",
    "Intervals",
    "METHODS",
    "Method",
    "Omnibus",
    "Outcome",
    "Pair",
    "PairSums",
    "Pairs",
    "Proportion",
    "Standing",
    "Standings",
    "Validation",
    "adjust",
    "advise",
    "anova",
    "bca_interval",
    "bootstrap_t",
    "bootstrap_test",
    "compare",
    "compare_streamed",
    "compare_sums",
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
    "entries_of",
    "friedman",
    "in_words",
    "kendall",
    "kruskal_wallis",
    "max_t",
    "mean",
    "mean_interval",
    "nemenyi",
    "pair_sums",
    "paired_t",
    "pearson",
    "power_anova",
    "power_t",
    "randomisation_test",
    "randomised_tukey",
    "rank_sum",
    "ratio_of_geometric_means",
    "relative_improvement",
    "run_test",
    "sign_test",
    "signed_rank",
    "spearman",
    "studentized_range_isf",
    "studentized_range_sf",
    "tau_ap",
    "topics_for_anova",
    "topics_for_interval",
    "topics_for_t",
    "validate",
    "which_mean",
    "wilson_interval",
]
