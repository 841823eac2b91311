"""Meaningful statements: P4 §III-D, Examples 5 to 8; verdicts for data against random transformations."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.errors import ScaleError
from mensura.scales.meaning.meaningfulness import meaningful, transformed
from mensura.scales.meaning.statements import (
    CoefficientOfVariation,
    GeometricMean,
    HarmonicMean,
    Maximum,
    Mean,
    Median,
    Minimum,
    Mode,
    Quantile,
    ScaleValue,
    Significant,
    StandardDeviation,
    Value,
)
from mensura.scales.meaning.transformations import Affine, Increasing, Relabelling, sample
from mensura.scales.types import INTERVAL, NOMINAL, ORDINAL, RATIO, SCALES, TESTS

PEOPLE = {"people": [1, 1, 1, 1, 1, 4, 4, 4, 3, 2]}  # Spain five times, Germany three times, Greece, Italy
WINERIES = {"X": [6, 6, 12, 17, 32], "Y": [3, 3, 3, 12, 50]}
CELSIUS = {"Paris": [2, 2, 4, 8, 36], "Rome": [1, 2, 4, 15, 34]}
FAHRENHEIT = Affine(Fraction(9, 5), 32)
SPAIN = ScaleValue(1)


def test_example_5_nationalities():
    """P4, Example 5: "most people come from Spain" is meaningful, "the lowest quartile consists of Spanish people" is not."""
    most = Mode("people").equals(SPAIN)
    lowest = Quantile("people", Fraction(1, 4)).equals(SPAIN)
    assert meaningful(most, NOMINAL, PEOPLE).meaningful is True
    verdict = meaningful(lowest, NOMINAL, PEOPLE)
    assert (verdict.meaningful, verdict.truth) == (False, True)
    statement, data = transformed(lowest, PEOPLE, verdict.transformation)
    assert not statement.truth(data)
    other = Relabelling.of({5: 41, 4: 13, 3: -10, 2: 23, 1: 17})  # the other scale of Example 1
    statement, data = transformed(lowest, PEOPLE, other)
    assert data["people"] == [17] * 5 + [13] * 3 + [-10, 23]
    assert statement.sides(data) == (13, 17)
    assert transformed(most, PEOPLE, other)[0].truth(data)
    assert meaningful(Median("people") > SPAIN, NOMINAL).why == "names have no order: they are equal or not"


def test_example_6_wineries():
    """P4, Example 6: the medians 12 > 3 are meaningful; the means 14.6 > 14.2 become 305.8 < 534.2 under the square."""
    median, mean = Median("X") > Median("Y"), Mean("X") > Mean("Y")
    assert median.sides(WINERIES) == (12, 3)
    assert meaningful(median, ORDINAL).meaningful
    assert meaningful(median, ORDINAL, WINERIES).meaningful
    assert mean.sides(WINERIES) == (Fraction("14.6"), Fraction("14.2"))
    squared = Increasing.of({sugar: sugar**2 for sugar in (3, 6, 12, 17, 32, 50)})
    assert mean.sides(transformed(mean, WINERIES, squared)[1]) == (Fraction("305.8"), Fraction("534.2"))
    assert median.sides(transformed(median, WINERIES, squared)[1]) == (144, 9)
    assert not meaningful(mean, ORDINAL).meaningful
    verdict = meaningful(mean, ORDINAL, WINERIES)
    assert (verdict.meaningful, verdict.truth) == (False, True)
    assert ORDINAL.permits(verdict.transformation)
    assert verdict.transformed[0] < verdict.transformed[1]
    assert "the two sides are 14.6 and 14.2, and after the transformation through" in str(verdict)


def test_example_7_temperatures():
    """P4, Example 7: twice the difference, medians and means are meaningful; geometric means (5.40 > 5.27, 46.74 < 48.17) not."""
    today = {"Rome": [20], "Oslo": [10], "Rome then": [12], "Oslo then": [7]}
    twice = (Value("Rome") - Value("Oslo")).equals(2 * (Value("Rome then") - Value("Oslo then")))
    assert twice.sides(today) == (10, 10)
    assert twice.sides(transformed(twice, today, FAHRENHEIT)[1]) == (18, 18)
    assert meaningful(twice, INTERVAL).meaningful
    assert meaningful(twice, INTERVAL, today).meaningful
    assert meaningful(twice, ORDINAL, today).meaningful is False
    for statement in (Median("Paris").equals(Median("Rome")), Mean("Paris") < Mean("Rome")):
        assert statement.truth(CELSIUS)
        assert statement.truth(transformed(statement, CELSIUS, FAHRENHEIT)[1])
        assert meaningful(statement, INTERVAL).meaningful
        assert meaningful(statement, INTERVAL, CELSIUS).meaningful
    mean = Mean("Paris") < Mean("Rome")
    assert mean.sides(CELSIUS) == (Fraction("10.4"), Fraction("11.2"))
    assert mean.sides(transformed(mean, CELSIUS, FAHRENHEIT)[1]) == (Fraction("50.72"), Fraction("52.16"))
    geometric = GeometricMean("Paris") > GeometricMean("Rome")
    assert [round(value, 2) for value in geometric.sides(CELSIUS)] == [5.40, 5.27]
    assert [round(value, 2) for value in geometric.sides(transformed(geometric, CELSIUS, FAHRENHEIT)[1])] == [46.74, 48.17]
    assert not meaningful(geometric, INTERVAL).meaningful
    verdict = meaningful(geometric, INTERVAL, CELSIUS)
    assert verdict.meaningful is False
    assert verdict.transformed[0] < verdict.transformed[1]


def test_example_8_distances_and_kelvin():
    """P4, Example 8: five times as distant, half as hot, and geometric means are meaningful on a ratio scale."""
    far = {"Padua": [400], "Oslo": [2000]}
    five = (Value("Oslo") / Value("Padua")).equals(5)
    assert five.truth(far)
    assert meaningful(five, RATIO, far).meaningful
    assert meaningful(five, INTERVAL).meaningful is False
    heat = {"one": [273], "other": [546]}
    half = (Value("one") / Value("other")).equals(Fraction(1, 2))
    assert meaningful(half, RATIO, heat).meaningful
    verdict = meaningful(half, INTERVAL, heat)  # 0/273 in Celsius
    assert verdict.meaningful is False
    statement, data = transformed(half, heat, Affine(1, -273))
    assert statement.sides(data) == (0, Fraction(1, 2))
    assert meaningful(GeometricMean("X") > GeometricMean("Y"), RATIO).meaningful


@pytest.mark.parametrize(
    ("statement", "weakest"),
    [
        (Mode("A").equals(Mode("B")), NOMINAL),
        (Median("A") > Median("B"), ORDINAL),
        (Median("A") - Median("B") > 0, ORDINAL),
        (Minimum("A") <= Maximum("B"), ORDINAL),
        (Mean("A") > Mean("B"), INTERVAL),
        (StandardDeviation("A") < StandardDeviation("B"), INTERVAL),
        (Mean("A") - Mean("B") > Mean("C") - Mean("D"), INTERVAL),
        ((Mean("A") - Mean("B")) / StandardDeviation("A") > Fraction(1, 2), INTERVAL),
        (Median("A") + Mean("B") > 2 * Mean("C"), INTERVAL),
        (Mean("A") / Mean("B") >= 2, RATIO),
        (Mean("A") > 2 * Mean("B"), RATIO),
        (GeometricMean("A") > GeometricMean("B"), RATIO),
        (HarmonicMean("A") > HarmonicMean("B"), RATIO),
        (CoefficientOfVariation("A") > Fraction(1, 3), RATIO),
        (Mean("A") > 0, RATIO),
        (Mean("A") > 1, None),
        (Mean("A") - Mean("B") > Fraction(1, 100), None),
        (Mean("A") + CoefficientOfVariation("A") > Mean("B"), None),
        (Significant("A", "B", "sign"), ORDINAL),
        (Significant("A", "B", "Student's t"), INTERVAL),
    ],
    ids=str,
)
def test_which_statements_are_meaningful_on_which_scales(statement, weakest):
    """P4 §III-C and §III-E, and what follows from the transformations."""
    for scale in SCALES.values():
        expected = weakest is not None and scale >= weakest and (scale > NOMINAL or weakest == NOMINAL)
        assert meaningful(statement, scale).meaningful is expected, scale
        assert str(scale) in str(meaningful(statement, scale))


def test_tests_of_the_papers():
    for test, needs in TESTS.items():
        for scale in SCALES.values():
            assert meaningful(Significant("A", "B", test), scale).meaningful is (scale >= needs)
    assert meaningful(Significant("A", "B", "sign"), ORDINAL, per_topic=True).meaningful  # compares within topics
    assert not meaningful(Significant("A", "B", "Wilcoxon rank sum"), ORDINAL, per_topic=True).meaningful
    assert not meaningful(Mean("A") > Mean("B"), INTERVAL, per_topic=True).meaningful


def sampled(scale, data, statement, number, seed):
    """The truth under many random permissible transformations."""
    rng = np.random.default_rng(seed)
    values = [value for sample in data.values() for value in sample]
    for _ in range(number):
        moved, there = transformed(statement, data, sample(scale, values, rng))
        yield moved.truth(there)


samples = st.lists(st.integers(0, 6), min_size=1, max_size=6)
statements = st.sampled_from(
    [
        Mean("A") > Mean("B"),
        Mean("A") >= Mean("B"),
        Mean("A").equals(Mean("B")),
        Mean("A") <= Median("B"),
        Mean("A") < Maximum("B"),
        Mean("A") - Mean("B") > 1,
        Mean("A") - Mean("B") < Fraction(1, 2),
        2 * Mean("A") > Mean("B") + Minimum("B"),
        Mean("A") > 3,
        Mean("A") + Mean("B") > 2 * Median("A"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(statements, samples, samples, st.sampled_from([ORDINAL, INTERVAL, RATIO]), st.integers(0, 2**32))
def test_verdicts_for_data_are_never_contradicted(statement, a, b, scale, seed):
    data = {"A": a, "B": b}
    verdict = meaningful(statement, scale, data)
    truth = statement.truth(data)
    assert verdict.truth is truth
    assert verdict.meaningful is not None
    if verdict.meaningful:
        assert all(each == truth for each in sampled(scale, data, statement, 50, seed))
        assert verdict.transformation is None
    else:
        assert scale.permits(verdict.transformation)
        moved, there = transformed(statement, data, verdict.transformation)
        assert moved.truth(there) is not truth
        assert moved.sides(there) == verdict.transformed


@settings(max_examples=150, deadline=None)
@given(samples, samples)
def test_stochastic_dominance_decides_the_mean(a, b):
    """FACTS: invariant if and only if the survival functions do not cross (equal sizes: sorted values, place by place)."""
    size = min(len(a), len(b))
    a, b = sorted(a[:size]), sorted(b[:size])
    up, down = (all(x >= y for x, y in zip(one, other, strict=True)) for one, other in ((a, b), (b, a)))
    verdict = meaningful(Mean("A") > Mean("B"), ORDINAL, {"A": a, "B": b})
    assert verdict.meaningful is (up or down)
    assert not verdict.meaningful or verdict.truth is (up and not down)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=6), st.sampled_from([ORDINAL, INTERVAL, RATIO])
)
def test_with_a_scale_for_each_topic_every_topic_decides(pairs, scale):
    data = {"A": [a for a, _ in pairs], "B": [b for _, b in pairs]}
    statement = Mean("A") > Mean("B")
    verdict = meaningful(statement, scale, data, per_topic=True)
    signs = {(a > b) - (a < b) for a, b in pairs}
    assert verdict.meaningful is (not {1, -1} <= signs)
    if verdict.transformation is not None:
        assert verdict.transformation.scale >= scale
        moved, there = transformed(statement, data, verdict.transformation)
        assert moved.truth(there) is not verdict.truth


def test_ratios_of_means_keep_a_positive_denominator():
    statement = Mean("Paris") / Mean("Rome") > Fraction(1, 2)
    verdict = meaningful(statement, INTERVAL, CELSIUS)
    assert verdict.meaningful is False
    moved, there = transformed(statement, CELSIUS, verdict.transformation)
    assert not moved.truth(there)
    assert meaningful(statement, RATIO, CELSIUS).meaningful


def test_geometric_means_of_dominating_samples_are_safe_on_an_ordinal_scale():
    data = {"A": [1, 2, 9], "B": [1, 2, 3]}
    statement = GeometricMean("A") > GeometricMean("B")
    assert meaningful(statement, ORDINAL, data).meaningful
    crossing = {"A": [1, 2, 9], "B": [2, 2, 3]}
    verdict = meaningful(statement, ORDINAL, crossing)
    assert verdict.meaningful is False
    moved, there = transformed(statement, crossing, verdict.transformation)
    assert moved.truth(there) is not statement.truth(crossing)


def test_what_is_not_decided_says_so():
    data = {"A": [1, 5], "B": [1, 2]}
    verdict = meaningful(StandardDeviation("A") > StandardDeviation("B"), ORDINAL, {"A": [0, 5], "B": [3, 3]})
    assert verdict.meaningful is None
    assert "1000 transformations did not change its truth" in str(verdict)
    assert "not known to be meaningful" in str(verdict)
    assert meaningful(StandardDeviation("A") > StandardDeviation("B"), INTERVAL, data).meaningful


def test_significance_under_a_transformation():
    """A t-test on ordinal values: its outcome can change; a sign test's cannot."""
    from scipy import stats

    data = {"A": [10, 11, 12, 13, 14, 30], "B": [1, 2, 3, 4, 5, 29]}
    t = Significant("A", "B", "Student's t", p_value=lambda a, b: float(stats.ttest_rel(a, b).pvalue))
    assert t.truth(data)
    verdict = meaningful(t, ORDINAL, data)
    assert verdict.meaningful is False
    assert verdict.transformed[0] >= 0.05 > verdict.values[0]
    assert meaningful(t, INTERVAL, data).meaningful
    sign = Significant("A", "B", "sign", p_value=lambda a, b: 2 * 0.5 ** len(a))
    assert meaningful(sign, ORDINAL, data).meaningful


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: meaningful(Mean("A") > Mean("B"), "ordinal", {"A": [1]}), "there are no values of 'B'"),
        (lambda: meaningful(Mean("A") > 1, "ordinal", {"A": []}), "'A' has no values"),
        (lambda: (Value("A") > 1).truth({"A": [1, 2]}), "which one is meant"),
        (lambda: (GeometricMean("A") > 1).truth({"A": [0, 2]}), "needs values above 0"),
        (lambda: (HarmonicMean("A") > 1).truth({"A": [0, 2]}), "needs values above 0"),
        (lambda: (Mean("A") / Mean("B") > 1).truth({"A": [1], "B": [0]}), r"mean\(B\) is 0"),
        (lambda: (CoefficientOfVariation("A") > 1).truth({"A": [0]}), "no coefficient of variation"),
        (lambda: Significant("A", "B", "z"), "unknown test 'z'"),
        (lambda: meaningful(Significant("A", "B", "sign"), "ordinal", {"A": [1], "B": [2]}), "needs p_value="),
        (lambda: meaningful(Mean("A") > 1, "cardinal"), "unknown scale type"),
    ],
)
def test_statements_without_a_value_are_refused(make, message):
    with pytest.raises(ScaleError, match=message):
        make()


def test_statements_read_as_they_are_written():
    shown = [
        str(Mean("A") - Mean("B") > 2 * (Mean("C") - Mean("D"))),
        str((Mean("A") + 1) / Mean("B") >= 2),
        str(Quantile("A", 0.25).equals(ScaleValue(3))),
        str(Significant("A", "B", "sign")),
    ]
    assert shown == [
        "mean(A) − mean(B) > 2·(mean(C) − mean(D))",
        "(mean(A) + 1) / mean(B) >= 2",
        "quantile 0.25 of A = value 3",
        "A and B differ significantly (sign, α = 0.05)",
    ]
    assert (HarmonicMean("A") > 1).sides({"A": [1, 2]})[0] == Fraction(4, 3)


def test_numbers_of_a_statement_are_what_is_written():
    """0.1 is a tenth, not the double nearest to it: the tenth part of ten values is one value, and 0.1 + 0.2 is 0.3."""
    assert (Quantile("A", 0.1) > 0).sides({"A": range(10, 20)}) == (10, 0)
    statement = (0.1 * Mean("A") + 0.2 * Mean("A")).equals(0.3 * Mean("B"))
    assert statement.truth({"A": [7], "B": [7]})
    assert meaningful(statement, INTERVAL).meaningful
    assert meaningful(statement, INTERVAL, {"A": [7], "B": [7]}).meaningful
    assert meaningful(Mean("A") - Mean("B") > 0.5, RATIO, {"A": [Fraction(3, 2)], "B": [1]}).truth is False


def test_ratios_whose_denominator_could_become_zero():
    verdict = meaningful(Mean("A") / Mean("B") > 1, ORDINAL, {"A": [1, 4], "B": [2, 2]})
    assert verdict.meaningful is False
    moved, there = transformed(verdict.statement, {"A": [1, 4], "B": [2, 2]}, verdict.transformation)
    assert moved.truth(there) is not verdict.truth


def test_order_statistics_with_a_scale_for_each_topic():
    """Medians of different topics are on different scales: nothing is known, or a transformation is found."""
    verdict = meaningful(Median("A") > Median("B"), ORDINAL, {"A": [1, 5, 9], "B": [2, 4, 8]}, per_topic=True)
    assert verdict.meaningful is False
    moved, there = transformed(verdict.statement, {"A": [1, 5, 9], "B": [2, 4, 8]}, verdict.transformation)
    assert moved.truth(there) is not verdict.truth
