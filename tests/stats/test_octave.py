"""The tests of P4 against GNU Octave 7.3.0 with its statistics package 1.5.3, on the values of ``data.PRECISION``.

Octave follows Matlab, with which P4 was made. x is PRECISION with topics in rows, as Octave wants it; the pairs are 1-2, 1-3, 1-4,
2-3, 2-4, 3-4. For pairs, a and b are columns of x: signtest(a, b), ranksum(a, b, "method", "approximate"), ttest(a, b); Octave has
no signrank. For all systems: anova1(x), anova2(x, 1), kruskalwallis(x), friedman(x, 1) give F or Chi-sq, and p; of
multcompare(stats, "ctype", "hsd"), column 7 is the difference over its standard error, and column 6 the adjusted p, which Octave
computes to about three decimals.
"""

from __future__ import annotations

import numpy as np
import pytest

from mensura.stats import anova, friedman, kruskal_wallis, paired_t, rank_sum, sign_test

from .data import PRECISION


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (sign_test, [0.015625, 0.0390625000000001, 0.001953125, 0.00390625, 0.001953125, 0.001953125]),
        (
            rank_sum,
            [0.320417736302258, 0.466924943809926, 0.0163040929404863, 0.0719263268160195, 0.0929212020286173, 0.00295084568308921],
        ),
        (
            paired_t,
            [
                *(0.00377155755870584, 0.00953461304130099, 6.29266414735596e-05),
                *(0.00066761675320115, 4.88799624278613e-05, 4.28779838190785e-05),
            ],
        ),
    ],
)  # fmt: skip
def test_pairs(test, expected):
    assert test(PRECISION).p == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("outcome", "omnibus", "ratios", "adjusted"),
    [
        (
            anova(PRECISION, topics=False),
            (5.213427561837455, 4.300834692361422e-03),
            [1.127867370595369, -0.7895071594167573, 2.932455163547958, -1.917374530012126, 1.804587792952589, 3.721962322964715],
            [0.675431, 0.859727, 0.028697, 0.239475, 0.288174, 0.003715],
        ),
        (
            anova(PRECISION),
            (40.16515426497235, 4.302391776178638e-10),
            [3.130553142242828, -2.191387199569974, 8.139438169831349, -5.321940341812802, 5.008885027588522, 10.33082536940132],
            [0.020319, 0.151440, 0.000001, 0.000067, 0.000159, 0.000001],
        ),
        (
            kruskal_wallis(PRECISION),
            (11.71825912478502, 8.413321270277607e-03),
            [0.9748399448218442, -0.7335429287768334, 2.499837086226314, -1.708382873598678, 1.524997141404469, 3.233380015003146],
            [0.764641, 0.883991, 0.060056, 0.319111, 0.422438, 0.006803],
        ),
        (
            friedman(PRECISION),
            (27.03157894736842, 5.798288635450177e-06),
            [1.421637306621821, -1.421637306621821, 3.554093266554554, -2.843274613243643, 2.132455959932733, 4.975730573176375],
            [0.485476, 0.485476, 0.002071, 0.023188, 0.142566, 0.000006],
        ),
    ],
    ids=["one-way", "two-way", "Kruskal-Wallis", "Friedman"],
)  # fmt: skip
def test_all_systems_at_once(outcome, omnibus, ratios, adjusted):
    assert (outcome.omnibus.statistic, outcome.omnibus.p) == pytest.approx(omnibus, rel=1e-10)
    # Tukey's statistic is √2 times the difference over its standard error
    assert outcome.statistic == pytest.approx(np.abs(ratios) * np.sqrt(2), rel=1e-10)
    assert outcome.family_p == pytest.approx(adjusted, abs=1.5e-3)
