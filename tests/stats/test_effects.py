"""Effect sizes, intervals and power, by hand and against SciPy, statsmodels and R."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from mensura.errors import StatisticsError
from mensura.stats import (
    anova,
    bca_interval,
    compare,
    difference_intervals,
    dunnett,
    effects,
    mean_interval,
    paired_t,
    power_anova,
    power_t,
    randomised_tukey,
    topics_for_anova,
    topics_for_interval,
    topics_for_t,
    wilson_interval,
)
from mensura.stats.effect_sizes import bias_correction

from .data import PRECISION, random_values
from .test_compare import campaign


def test_effects_by_hand():
    values = random_values(1, systems=3, topics=15, steps=20)
    made = effects(values)
    for at, (a, b) in enumerate(itertools.combinations(values, 2)):
        difference = a.mean() - b.mean()
        assert made.difference[at] == pytest.approx(difference)
        assert made.d_z[at] == pytest.approx(difference / np.std(a - b, ddof=1))
        assert made.glass[at] == pytest.approx(difference / np.std(b, ddof=1))
        pooled = math.sqrt((np.var(a, ddof=1) + np.var(b, ddof=1)) / 2)
        assert made.hedges[at] == pytest.approx(
            difference / pooled * (1 - 3 / (4 * 28 - 1)), rel=1e-4
        )  # Hedges' approximation of J
        assert made.cliff[at] == pytest.approx(np.mean([[np.sign(x - y) for x in a] for y in b]))
        assert made.residual[at] == pytest.approx(difference / math.sqrt(anova(values).error))
        assert (made.wins[at], made.ties[at], made.losses[at]) == ((a > b).sum(), (a == b).sum(), (a < b).sum())


def test_d_z_is_what_t_sees():
    values = random_values(2)
    assert effects(values).d_z * math.sqrt(25) == pytest.approx(paired_t(values).statistic)


def test_the_bias_correction_is_exact():
    # Γ(1)/Γ(1/2) = 1/√π, and Γ(2)/(√2·Γ(3/2)) = √(2/π)
    assert bias_correction(2) == pytest.approx(1 / math.sqrt(math.pi))
    assert bias_correction(4) == pytest.approx(math.sqrt(2 / math.pi))


# R 4.2.2 on PRECISION: t.test(x[i,], x[j,], paired = TRUE)$conf.int; TukeyHSD(aov(y ~ T + S), "S"): lwr, upr of j - i.
R_T = [(0.0415913532131915, 0.158408646786808), (-0.118282911193318, -0.0217170888066816), (0.176032279772343, 0.343967720227657),
       (-0.245781327071832, -0.0942186729281677), (0.109981823161223, 0.210018176838777), (0.228552626654393,
       0.431447373345607)]  # fmt: skip
R_TUKEY = [(-0.1874147030027758, -0.0125852969972244), (-0.0174147030027757, 0.1574147030027756), (-0.3474147030027758,
-0.1725852969972244),
           (0.0825852969972244, 0.2574147030027757), (-0.2474147030027757, -0.0725852969972243), (-0.4174147030027757,
           -0.2425852969972243)]  # fmt: skip


def test_r_agrees_about_intervals_of_differences():
    single = difference_intervals(PRECISION)
    together = difference_intervals(PRECISION, method="anova", simultaneous=True)
    assert np.stack([single.low, single.high], axis=1) == pytest.approx(np.array(R_T), rel=1e-9)
    assert np.stack([-together.high, -together.low], axis=1) == pytest.approx(np.array(R_TUKEY), rel=1e-6)


def test_intervals_and_tests_say_the_same():
    values = random_values(3, systems=5)
    for made, p in (
        (difference_intervals(values), paired_t(values).p),
        (difference_intervals(values, method="anova", simultaneous=True), anova(values).family_p),
        (difference_intervals(values, method="anova", simultaneous=True, baseline=1), dunnett(values, baseline=1).family_p),
        (difference_intervals(values, method="randomised", simultaneous=True), randomised_tukey(values).family_p),
    ):
        excludes_zero = (made.low > 0) | (made.high < 0)
        sure = np.abs(p - 0.05) > 1e-3
        assert (excludes_zero == (p < 0.05))[sure].all()


def test_wider_when_all_must_hold():
    values = random_values(4, systems=5)
    for method in ("bootstrap-t", "t", "anova"):
        single = difference_intervals(values, method=method, samples=2000)
        together = difference_intervals(values, method=method, simultaneous=True, samples=2000)
        assert ((together.high - together.low) > (single.high - single.low)).all()
        assert ((single.low < single.estimate) & (single.estimate < single.high)).all()


def test_the_interval_of_d_z_inverts_the_noncentral_t():
    sizes = effects(random_values(8, systems=4, topics=20))
    low, high = sizes.interval("d_z", level=0.9)
    t = sizes.d_z * math.sqrt(20)
    assert stats.nct.cdf(t, 19, low * math.sqrt(20)) == pytest.approx(0.95, abs=1e-9)
    assert stats.nct.cdf(t, 19, high * math.sqrt(20)) == pytest.approx(0.05, abs=1e-9)


def test_jackknife_errors_by_leaving_out_each_topic():
    values = random_values(9, systems=3, topics=11, steps=12)
    sizes = effects(values)
    for name in ("cliff", "glass"):
        without = np.array([getattr(effects(np.delete(values, topic, axis=1)), name) for topic in range(11)])
        error = np.sqrt(10 / 11 * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
        assert getattr(sizes, f"{name}_error") == pytest.approx(error, rel=1e-9)
        low, high = sizes.interval(name)
        assert (low <= getattr(sizes, name)).all()
        assert (high >= getattr(sizes, name)).all()
    assert np.abs(sizes.interval("cliff")[1]).max() <= 1
    with pytest.raises(StatisticsError, match="no interval of hedges"):
        sizes.interval("hedges")


def test_intervals_that_do_not_hold_are_refused():
    with pytest.raises(StatisticsError, match="do not hold simultaneously"):
        difference_intervals(random_values(4), method="bca", simultaneous=True)
    with pytest.raises(StatisticsError, match="are simultaneous"):
        difference_intervals(random_values(4), method="randomised")


def test_scipy_agrees_about_bca():
    values = np.random.default_rng(5).exponential(1.0, (3, 40))
    low, high = bca_interval(values, samples=20_000, seed=1)
    for at, row in enumerate(values):
        expected = stats.bootstrap((row,), np.mean, n_resamples=20_000, rng=np.random.default_rng(2)).confidence_interval
        width = expected.high - expected.low
        assert (low[at], high[at]) == pytest.approx((expected.low, expected.high), abs=0.02 * width)


def test_scipy_agrees_about_the_t_interval():
    values = random_values(6, systems=3)
    low, high = mean_interval(values, level=0.9)
    for at, row in enumerate(values):
        expected = stats.ttest_1samp(row, 0).confidence_interval(0.9)
        assert (low[at], high[at]) == pytest.approx((expected.low, expected.high))


def test_bca_of_means_through_mean_interval():
    values = random_values(6, systems=3)
    made, direct = mean_interval(values, method="bca", samples=500), bca_interval(values, samples=500)
    assert made[0].tolist() == direct[0].tolist()
    assert made[1].tolist() == direct[1].tolist()


def test_wilson():
    made = wilson_interval(350, 500)
    assert (round(made.low, 3), round(made.high, 3)) == (0.658, 0.739)  # P3 §2.3
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    for count, number in ((0, 10), (3, 10), (10, 10), (123, 1000)):
        made = wilson_interval(count, number, level=0.9)
        assert (made.low, made.high) == pytest.approx(proportion.proportion_confint(count, number, 0.1, "wilson"), abs=1e-12)
    assert "topics were sampled" in made.remark
    with pytest.raises(StatisticsError, match="expected at most 10 successes"):
        wilson_interval(11, 10)


def test_power():
    # R 4.2.2: power.t.test(n = 34, delta = .5, type = "paired", strict = TRUE): 0.80777750127944;
    # n = 50, delta = .3: 0.547657038970958; power = .8, delta = .5: n = 33.3671; with sig.level = .05/28: n = 67.7757;
    # 1 - pf(qf(.95, 4, 116), 4, 116, ncp = 30*.5^2/2): 0.289605780912938
    assert power_t(0.5, 34) == pytest.approx(0.80777750127944, rel=1e-9)
    assert power_t(-0.3, 50) == pytest.approx(0.547657038970958, rel=1e-9)
    assert (topics_for_t(0.5), topics_for_t(0.5, tests=28)) == (34, 68)
    assert power_anova(0.5, 5, 30) == pytest.approx(0.289605780912938, rel=1e-7)
    needed = topics_for_anova(0.5, 5)
    assert power_anova(0.5, 5, needed) >= 0.8 > power_anova(0.5, 5, needed - 1)


def test_topics_for_an_interval():
    needed = topics_for_interval(0.05, 0.2)
    assert stats.t.ppf(0.975, needed - 1) * 0.2 / math.sqrt(needed) <= 0.05
    assert stats.t.ppf(0.975, needed - 2) * 0.2 / math.sqrt(needed - 1) > 0.05


@pytest.mark.parametrize(
    "call",
    [
        lambda: power_t(0.0, 30),
        lambda: power_t(0.5, 1),
        lambda: power_t(0.5, 30, alpha=2),
        lambda: topics_for_t(1e-6),
        lambda: topics_for_t(0.5, power=1.0),
        lambda: topics_for_interval(0, 1),
        lambda: power_anova(0.5, 1, 30),
    ],
)
def test_power_of_nothing(call):
    with pytest.raises(StatisticsError):
        call()


def test_topics_are_won_by_the_better_value():
    evaluation = campaign(["MFR@20", "P@10"], systems=3)
    lower, higher = compare(evaluation, test="sign")
    for comparison, sign in ((lower, -1), (higher, 1)):
        values = evaluation[comparison.measure_name].values
        for pair in comparison.pairs():
            a, b = (values[evaluation.judged.systems.index(name)] for name in (pair.first, pair.second))
            assert (pair.wins, pair.ties, pair.losses) == ((sign * (a - b) > 0).sum(), (a == b).sum(), (sign * (a - b) < 0).sum())
            assert (pair.wins > pair.losses) == (sign * pair.direction > 0)
        assert [row["wins"] for row in comparison.rows()] == comparison.effects.wins.tolist()
        assert comparison.effects.cliff.tolist() == pytest.approx(effects(values).cliff.tolist())
