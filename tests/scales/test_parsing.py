"""Statements as text, and what is known of them in general (P4 §III-D, §VIII-B)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

from mensura.errors import ScaleError
from mensura.scales.meaning.explanation import on_every_scale
from mensura.scales.meaning.meaningfulness import meaningful
from mensura.scales.meaning.parsing import parse_statement
from mensura.scales.meaning.statements import Mean, Median, SampleCorrelation, Significant, TopicCount
from mensura.stats import relative_improvement
from mensura.stats.methods import METHODS

DATA = {"A": [3, 1, 4, 1, 5], "B": [2, 7, 1, 8, 2], "C": [1, 2, 3, 4, 4]}


@pytest.mark.parametrize(
    ("text", "shown", "truth"),
    [
        ("mean(A) > mean(B)", "mean(A) > mean(B)", False),
        ("mean(B)-mean(A) >= 1.2", "mean(B) − mean(A) >= 1.2", True),
        ("median(A) = median(B)", "median(A) = median(B)", False),
        ("2 * mean(A) > mean(B)", "2·mean(A) > mean(B)", True),
        ("mean(B) / mean(A) > 1.4", "mean(B) / mean(A) > 1.4", True),
        ("topics(A > B) > topics(B > A)", "topics(A > B) > topics(B > A)", True),
        ("topics(A >= 3) = 3", "topics(A >= 3) = 3", True),
        ("quantile(A, 0.5) < max(B)", "quantile 0.5 of A < maximum(B)", True),
        ('min("A") ≤ -(mean(C) - 2) * 3', "minimum(A) <= 3·-1·(mean(C) − 2)", False),
        ("mean(A) / 2 < 2", "1/2·mean(A) < 2", True),
    ],
)
def test_statements_are_read_and_written(text, shown, truth):
    statement = parse_statement(text)
    assert str(statement) == shown
    assert statement.truth(DATA) is truth


@pytest.mark.parametrize(
    "text", ["", "mean(A)", "mean(A) > ", "mean A > 1", "average(A) > 1", "mean(A) > 1 2", "tau(A) > 0", "mean(A) ! 1"]
)
def test_what_is_not_a_statement_is_refused(text):
    with pytest.raises(ScaleError, match="is not a statement"):
        parse_statement(text)


@pytest.mark.parametrize(
    ("text", "scales"),
    [
        ("mean(A) > mean(B)", ("interval", "ratio")),
        ("mean(A) / mean(B) > 2", ("ratio",)),
        ("median(A) > median(B)", ("ordinal", "interval", "ratio")),
        ("topics(A > B) > 3", ("ordinal", "interval", "ratio")),
        ("topics(A = B) > 3", ("nominal", "ordinal", "interval", "ratio")),
        ("tau(A, B) > tau(C, B)", ("ordinal", "interval", "ratio")),
        ("rho(A, B) - rho(C, B) > 0.1", ("ordinal", "interval", "ratio")),
        ("pearson(A, B) > pearson(C, B)", ("interval", "ratio")),
        ("(mean(A) - mean(B)) / (mean(C) - mean(B)) > 2", ("interval", "ratio")),
    ],
)
def test_meaningful_in_general(text, scales):
    """P4 §III-D and §VIII-B: differences on interval scales, ratios on ratio scales, orders on ordinal ones."""
    found = on_every_scale(parse_statement(text))
    assert tuple(each.verdict.scale.name for each in found if each.verdict.meaningful) == scales


def test_counts_of_topics_survive_a_scale_per_topic():
    statement = parse_statement("topics(A > B) > topics(B > A)")
    assert meaningful(statement, "ordinal", DATA, per_topic=True).meaningful
    assert not meaningful(parse_statement("mean(B) > mean(A)"), "ordinal", DATA, per_topic=True).meaningful
    named = meaningful(parse_statement("topics(A > 3) = 2"), "ordinal", DATA)
    assert (named.meaningful, named.truth) == (True, True)


def test_a_scale_for_some_topics():
    """Topics 1 and 2 share a scale: dominance within them, and on the third topic."""
    data = {"A": [1, 5, 3], "B": [4, 1, 2]}
    statement = Mean("A") > Mean("B")
    assert meaningful(statement, "ordinal", data, per_topic=["x", "x", "y"]).meaningful
    assert not meaningful(statement, "ordinal", data, per_topic=["x", "y", "y"]).meaningful
    verdict = meaningful(statement, "ordinal", data, per_topic=["x", "y", "x"])
    assert verdict.meaningful is False
    first, second, third = verdict.transformation.topics
    assert first == third != second or first == third


def test_correlations_are_scipys():
    rng = np.random.default_rng(3)
    for _ in range(50):
        one, other = rng.integers(0, 6, (2, 8)).tolist()
        if len({*one}) == 1 or len({*other}) == 1:
            continue
        data = {"A": one, "B": other}
        assert SampleCorrelation("A", "B", "tau").value(data) == pytest.approx(scipy.stats.kendalltau(one, other).statistic)
        assert SampleCorrelation("A", "B", "rho").value(data) == pytest.approx(scipy.stats.spearmanr(one, other).statistic)
        assert SampleCorrelation("A", "B", "pearson").value(data) == pytest.approx(np.corrcoef(one, other)[0, 1])
        assert TopicCount("A", ">", "B").value(data) == sum(a > b for a, b in zip(one, other, strict=True))
    with pytest.raises(ScaleError, match="one value only"):
        SampleCorrelation("A", "B").value({"A": [1, 1], "B": [1, 2]})
    with pytest.raises(ScaleError, match="the same topics"):
        TopicCount("A", ">", "B").value({"A": [1, 1], "B": [1]})


def test_equality_of_expressions_says_equals():
    with pytest.raises(ScaleError, match="equals"):
        meaningful(Median("P") == Median("R"), "ordinal")
    assert meaningful(Median("P").equals(Median("R")), "ordinal").meaningful


def test_tests_by_their_names_on_the_command_line():
    assert Significant("A", "B", "t") == Significant("A", "B", "Student's t")
    assert not meaningful(Significant("A", "B", "t"), "ordinal").meaningful
    assert meaningful(Significant("A", "B", "rank-sum"), "ordinal").meaningful
    with pytest.raises(ScaleError, match="unknown test 'ttest'"):
        Significant("A", "B", "ttest")
    for name in ("sign", "rank-sum", "signed-rank", "t", "anova", "anova-topics", "kruskal", "friedman"):
        assert meaningful(Significant("A", "B", name), "ordinal").meaningful is (METHODS[name].scale == "ordinal")


def test_relative_improvements_take_the_name_of_a_measure():
    assert relative_improvement([0.4, 0.4], [0.2, 0.2], measure="P@50") == pytest.approx(1.0)
    assert math.isclose(relative_improvement([Fraction(1, 2), 1], [1, 1], measure="P@50"), math.sqrt(0.5) - 1)
