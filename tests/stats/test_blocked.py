"""Analysis of variance and its relatives, against R, SciPy and scikit-posthocs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from mensura.errors import StatisticsError
from mensura.stats import anova, dunnett, friedman, kruskal_wallis, nemenyi

from .data import PRECISION, random_values

# R 4.2.2, on PRECISION as y with factors S and T. summary(aov(y ~ T + S)): F value 40.16515 on 3 and 27 degrees of freedom,
# residual mean square 0.00510185185185. TukeyHSD(aov(y ~ T + S), "S"): diff, p adj for 2-1, 3-1, 4-1, 3-2, 4-2, 4-3.
R_DIFFERENCE = [-0.10, 0.07, -0.26, 0.17, -0.16, -0.33]
R_TWO_WAY = [
    *(2.04106190808269e-02, 1.51246628801192e-01, 5.61848674252019e-08),
    *(7.22887239583692e-05, 1.65962491207039e-04, 4.13367895468753e-10),
]
# summary(aov(y ~ S)): F value 5.21343 on 3 and 36 degrees of freedom. TukeyHSD(aov(y ~ S), "S"): p adj.
R_ONE_WAY = [
    *(0.67499549621886490, 0.85872755767396014, 0.02840588255126730),
    *(0.23890883904840876, 0.28785730294040079, 0.00360004292292437),
]


def test_r_agrees_about_the_two_way_model():
    outcome = anova(PRECISION)
    assert outcome.omnibus.statistic == pytest.approx(40.16515, rel=1e-6)
    assert outcome.omnibus.p == pytest.approx(4.3024e-10, rel=1e-4)
    assert outcome.error == pytest.approx(0.00510185185185, rel=1e-10)
    assert -outcome.estimate == pytest.approx(R_DIFFERENCE)
    assert outcome.family_p == pytest.approx(R_TWO_WAY, rel=1e-8, abs=1e-10)


def test_r_agrees_about_the_one_way_model():
    outcome = anova(PRECISION, topics=False)
    assert outcome.omnibus.statistic == pytest.approx(5.21343, rel=1e-6)
    assert outcome.omnibus.p == pytest.approx(0.0043008, rel=1e-4)
    assert outcome.family_p == pytest.approx(R_ONE_WAY, rel=1e-8)


def test_effect_sizes_of_the_two_way_model():
    # From R's sums of squares: 0.61475 between systems, 0.13775 residual on 27 degrees of freedom, 40 values.
    omnibus = anova(PRECISION).omnibus
    assert omnibus.eta_squared == pytest.approx(0.61475 / (0.61475 + 0.13775))
    mean_square = 0.13775 / 27
    assert omnibus.omega_squared == pytest.approx((0.61475 - 3 * mean_square) / (0.61475 + 37 * mean_square))


def test_r_agrees_about_kruskal_and_friedman():
    # R 4.2.2: kruskal.test(y, S): 11.718259124785, p = 0.00841332127027763
    # friedman.test(t(x)): 27.0315789473684, p = 5.79828863539621e-06
    kruskal, by_topic = kruskal_wallis(PRECISION).omnibus, friedman(PRECISION).omnibus
    assert (kruskal.statistic, kruskal.p) == pytest.approx((11.718259124785, 0.00841332127027763), rel=1e-11)
    assert (by_topic.statistic, by_topic.p) == pytest.approx((27.0315789473684, 5.79828863539621e-06), rel=1e-11)


@pytest.mark.parametrize("steps", [None, 10, 4])
@pytest.mark.parametrize("seed", range(3))
class TestSciPyAgrees:
    def test_one_way(self, seed, steps):
        values = random_values(seed, steps=steps)
        outcome = anova(values, topics=False)
        assert outcome.omnibus.p == pytest.approx(stats.f_oneway(*values).pvalue, rel=1e-9)
        expected = stats.tukey_hsd(*values[:4]).pvalue[np.triu_indices(4, 1)]
        assert anova(values[:4], topics=False).family_p == pytest.approx(expected, abs=1e-9)

    def test_kruskal(self, seed, steps):
        values = random_values(seed, steps=steps)
        expected = stats.kruskal(*values)
        found = kruskal_wallis(values).omnibus
        assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)

    def test_friedman(self, seed, steps):
        values = random_values(seed, steps=steps)
        expected = stats.friedmanchisquare(*values)
        found = friedman(values).omnibus
        assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)

    def test_dunnett_without_topics(self, seed, steps):
        # SciPy integrates at random, to about 1e-3.
        values = random_values(seed, systems=4, steps=steps)
        expected = stats.dunnett(*values[1:], control=values[0], rng=np.random.default_rng(0)).pvalue
        assert dunnett(values, baseline=0, topics=False).family_p == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("steps", [None, 10])
def test_scikit_posthocs_agrees_about_nemenyi(steps):
    posthocs = pytest.importorskip("scikit_posthocs")
    values = random_values(7, systems=5, steps=steps)
    expected = posthocs.posthoc_nemenyi_friedman(values.T).to_numpy()[np.triu_indices(5, 1)]
    assert nemenyi(values).family_p == pytest.approx(expected, abs=1e-8)


def test_statsmodels_agrees_about_the_two_way_model():
    pytest.importorskip("statsmodels")
    import pandas as pd
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    values = random_values(8)
    systems, topics = np.indices(values.shape)
    frame = pd.DataFrame({"y": values.reshape(-1), "system": systems.reshape(-1), "topic": topics.reshape(-1)})
    fitted = anova_lm(ols("y ~ C(topic) + C(system)", data=frame).fit())
    found = anova(values)
    assert found.omnibus.statistic == pytest.approx(fitted.loc["C(system)", "F"], rel=1e-8)
    assert found.omnibus.p == pytest.approx(fitted.loc["C(system)", "PR(>F)"], rel=1e-7)
    assert found.error == pytest.approx(fitted.loc["Residual", "mean_sq"], rel=1e-8)


def test_hsd_on_ranks_by_hand():
    # Mean ranks, variance corrected for ties, infinitely many degrees of freedom.
    values = random_values(9, systems=4, topics=12, steps=5)
    ranks = np.apply_along_axis(stats.rankdata, 0, values)
    ties = sum((count**3 - count) for column in values.T for count in np.unique(column, return_counts=True)[1])
    spread = 4 * 5 / 12 - ties / (12 * 12 * 3)
    means = ranks.mean(axis=1)
    expected = [
        stats.studentized_range.sf(abs(means[i] - means[j]) / np.sqrt(spread / 12), 4, np.inf)
        for i, j in itertools.combinations(range(4), 2)
    ]
    assert friedman(values).family_p == pytest.approx(expected, abs=1e-10)


def test_topics_make_the_difference():
    # Topics differ far more than systems: as independent samples, nothing is seen.
    rng = np.random.default_rng(10)
    topics = rng.uniform(0, 1, 50)
    values = topics + np.array([[0.0], [0.02], [0.04]]) + rng.normal(0, 0.02, (3, 50))
    assert anova(values, topics=False).family_p.min() > 0.5
    assert anova(values).family_p.max() < 0.01


def test_dunnett_with_topics_lies_between_one_test_and_bonferroni():
    values = random_values(11)
    outcome = dunnett(values, baseline=1)
    assert (outcome.p < outcome.family_p).all()
    assert (outcome.family_p <= np.minimum(1, outcome.p * len(outcome.pairs)) + 1e-12).all()
    assert outcome.degrees == 5 * 24


def test_dunnett_needs_a_baseline():
    with pytest.raises(StatisticsError, match="baseline"):
        dunnett(PRECISION, baseline=None)


def test_nemenyi_counts_ties_nowhere():
    # Demšar 2006: χ² = 12T/(S(S+1)) · (Σ R² − S(S+1)²/4), by hand; each topic has a tie of two.
    values = [[1, 1, 1, 1], [1, 1, 1, 2], [2, 2, 2, 1]]
    assert nemenyi(values).mean_ranks.tolist() == [1.5, 1.875, 2.625]
    assert nemenyi(values).omnibus.statistic == pytest.approx(12 * 4 / 12 * (1.5**2 + 1.875**2 + 2.625**2 - 12))
    assert friedman(values).omnibus.statistic == pytest.approx(2.625 / 0.75)  # 1 − Σ(t³ − t) / (T(S³ − S)) = 1 − 24/96
