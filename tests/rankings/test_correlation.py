"""Correlation coefficients against SciPy, and against published figures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from mensura.rankings import Ranking, RankingPair, compare, run_rankings, tau_a, tau_ap, tau_ap_b, tau_b
from mensura.rankings.correlation import hyperbolic, weighted_tau

from .ircor import SETS


def by_scores(estimate, truth):
    return RankingPair.of(dict(enumerate(estimate)), dict(enumerate(truth)))


@pytest.mark.parametrize("data", SETS)
def test_the_figures_of_ircor(data):
    plain, one_sided, both_sided = data["tau"]
    assert round(tau_a(by_scores(data["y"], data["x"])), 4) == plain
    assert round(tau_a(by_scores(data["y_ties"], data["x"])), 4) == one_sided
    assert round(tau_b(by_scores(data["y_ties"], data["x_ties"])), 4) == both_sided
    plain, one_sided, symmetric, both_sided = data["tau_ap"]
    assert round(tau_ap(by_scores(data["y"], data["x"])), 4) == plain
    assert round(tau_ap(by_scores(data["y_ties"], data["x"])), 4) == one_sided
    assert round(tau_ap_b(by_scores(data["y"], data["x"])), 4) == symmetric
    assert round(tau_ap_b(by_scores(data["y_ties"], data["x_ties"])), 4) == both_sided


def test_ap_correlation_by_hand():
    """Truth a b c d. Estimate a c b d: C = 1, 1, 3 above ranks 2, 3, 4, so τ_AP = 2/3·(1 + 1/2 + 1) − 1 = 2/3."""
    assert tau_ap(RankingPair.of(["a", "c", "b", "d"], ["a", "b", "c", "d"])) == pytest.approx(2 / 3)
    # An exchange at the top costs more than one at the bottom: 2/3·(0 + 1 + 1) − 1 = 1/3 against 2/3·(1 + 1 + 2/3) − 1 = 7/9.
    assert tau_ap(RankingPair.of(["b", "a", "c", "d"], ["a", "b", "c", "d"])) == pytest.approx(1 / 3)
    assert tau_ap(RankingPair.of(["a", "b", "d", "c"], ["a", "b", "c", "d"])) == pytest.approx(7 / 9)


def test_ap_correlation_with_ties_by_hand():
    """Truth a b c. Estimate {a b} c: a b c gives 1, b a c gives 2/2·(0 + 1) − 1 = 0, so the mean is 1/2."""
    tied, truth = [{"a", "b"}, "c"], ["a", "b", "c"]
    assert tau_ap(RankingPair.of(tied, truth)) == pytest.approx(1 / 2)
    # τ_AP,b: only c has a group above it, and agrees with both of it: 1. The other way, of a above b and a, b above c, the pair
    # (a, b) is tied and does not agree: 2/2·(0 + 2/2) − 1 = 0. The mean is 1/2.
    assert tau_ap_b(RankingPair.of(tied, truth)) == pytest.approx(1 / 2)
    assert tau_ap_b(RankingPair.of(tied, tied)) == 1
    # Truth {a b} c, estimate a b c or c a b: a pair tied in the truth counts ½.
    assert tau_ap(RankingPair.of(truth, tied)) == pytest.approx(2 / 2 * (1 / 2 + 1) - 1)
    assert tau_ap(RankingPair.of(["c", "a", "b"], tied)) == pytest.approx(2 / 2 * (0 + (1 / 2) / 2) - 1)


scores = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=40)


@settings(deadline=None)
@given(scores)
def test_the_figures_of_scipy(pairs):
    """SciPy ranks by descending value, as scores do."""
    x, y = map(list, zip(*pairs, strict=True))
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    found = compare(dict(enumerate(x)), dict(enumerate(y)))
    assert found.spearman == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert found.tau_b == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    assert found.weighted_tau == pytest.approx(stats.weightedtau(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_the_figures_of_scipy_for_long_rankings(ties):
    rng = np.random.default_rng(7)
    x = rng.integers(0, 300, 5000) if ties else rng.permutation(5000)
    y = x + rng.normal(0, 100, 5000).astype(int) if ties else np.argsort(x + rng.normal(0, 800, 5000))
    found = compare(dict(enumerate(x.tolist())), dict(enumerate(y.tolist())))
    assert found.spearman == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert found.tau_b == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    assert found.weighted_tau == pytest.approx(stats.weightedtau(x, y).statistic, abs=1e-11)


def test_other_weights():
    x, y = [5, 4, 3, 2, 1], [4, 5, 3, 1, 2]
    pair = RankingPair.of(dict(enumerate(x)), dict(enumerate(y)))
    expected = stats.weightedtau(x, y, weigher=lambda place: 1 / (place + 1) ** 2).statistic
    assert weighted_tau(pair, lambda place: hyperbolic(place) ** 2) == pytest.approx(expected)


def test_a_ranking_that_orders_nothing_correlates_with_nothing():
    found = compare([{"a", "b", "c"}], ["a", "b", "c"])
    assert all(math.isnan(value) for value in (found.spearman, found.tau_b, found.weighted_tau, found.tau_ap_b, found.a_corr))
    assert found.tau_a == 0
    assert compare(["a", "b", "c"], [{"a", "b", "c"}]).a_corr == 0.5


def test_leaderboards_of_trec_8(data):
    """NIST's own values: how the ranking of 129 systems changes from AP to other measures."""
    from mensura import evaluate

    means = evaluate(data / "trec8" / "qrels.txt", data / "trec8" / "runs" / "*.gz", ["AP", "P@10", "bpref", "nDCG"])
    values = [scores.mean() for scores in means]
    for one in values:
        for other in values:
            found = compare(*(dict(zip(means.judged.systems, each.tolist(), strict=True)) for each in (one, other)))
            assert found.tau_b == pytest.approx(stats.kendalltau(one, other).statistic, abs=1e-12)
            assert found.spearman == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-12)
            assert found.weighted_tau == pytest.approx(stats.weightedtau(one, other).statistic, abs=1e-12)


def test_real_runs_have_ties(data):
    """Equal scores are ties unless told otherwise; the cut at a depth is that of trec_eval's order."""
    path = data / "trec8" / "runs" / "1.gz"
    kept, broken = (run_rankings(path, depth=50, ties=ties, topics=["401"])["401"] for ties in ("kept", "broken"))
    assert kept.tied
    assert not broken.tied
    assert list(kept.items) == list(broken.items)
    assert isinstance(kept, Ranking)
