"""Results of inference as plain data and back."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mensura.stats import (
    METHODS,
    Comparison,
    Comparisons,
    Correlation,
    Effects,
    Family,
    Fit,
    Intervals,
    Outcome,
    Pair,
    Proportion,
    Validation,
    compare,
    correlate,
    cross_validate,
    difference_intervals,
    effects,
    run_test,
    which_mean,
    wilson_interval,
)
from tests.stats.data import random_values
from tests.stats.test_compare import campaign

VALUES = random_values(3, systems=4, topics=12)


def same(result, cls):
    """A saved result, read back, which must have the same content."""
    again = cls.from_dict(json.loads(result.to_json()))
    assert again.to_dict() == result.to_dict()
    return again


@pytest.mark.parametrize("name", METHODS)
def test_outcomes(name):
    outcome = run_test(name, VALUES, baseline=1 if name == "dunnett" else None, samples=200)
    again = same(outcome, Outcome)
    assert again.method is outcome.method
    assert again.p.tolist() == outcome.p.tolist()
    assert again.pairs.first.dtype == np.int64
    assert [row["p"] for row in again.rows()] == outcome.p.tolist()


def test_the_others():
    assert same(effects(VALUES), Effects).d_z.tolist() == effects(VALUES).d_z.tolist()
    assert same(difference_intervals(VALUES), Intervals).low.shape == (6,)
    assert same(correlate(VALUES, VALUES**2), Correlation).by_topic.tolist() == [1.0] * 12
    assert same(cross_validate(VALUES, repeats=2), Validation).optimism >= 0
    assert same(wilson_interval(3, 10), Proportion) == wilson_interval(3, 10)
    assert same(which_mean(VALUES), Fit) == which_mean(VALUES)
    assert same(Family("holm", 3), Family) == Family("holm", 3)


def test_comparisons():
    comparisons = compare(campaign(["P@10", "GM(AP)"]), test="anova-topics")
    again = same(comparisons, Comparisons)
    for one, other in zip(comparisons, again, strict=True):
        assert isinstance(other, Comparison)
        assert other.measure == one.measure
        assert other.ranking == one.ranking
        assert other.pairs() == one.pairs()
        assert str(other.family) == str(one.family)
        assert other.groups == one.groups
    assert Pair.from_json(again[0]["1", "2"].to_json()) == comparisons[0]["1", "2"]


def test_a_sequence_that_knows_its_measures():
    comparisons = compare(campaign(["P@10", "map", "P@5"]), test="t")
    assert len(comparisons) == 3
    assert [str(each.measure) for each in comparisons] == ["P@10", "AP", "P@5"]
    assert comparisons["AP"] is comparisons["map"] is comparisons[1] is comparisons[-2]
    assert comparisons[1:] == (comparisons[1], comparisons[2])
    assert comparisons[0] in comparisons
    with pytest.raises(KeyError, match="there are P@10, AP, P@5"):
        comparisons["RR"]
    with pytest.raises(IndexError):
        comparisons[3]


def test_rows_and_frames():
    comparisons = compare(campaign(["P@10", "AP"]), test="t")
    rows = list(comparisons.rows())
    assert len(rows) == 20
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    pair = comparisons["AP"][rows[10]["first"], rows[10]["second"]]
    assert (rows[10]["difference"], rows[10]["corrected_p"], rows[10]["wins"]) == (pair.estimate, pair.corrected_p, pair.wins)
    assert comparisons.to_polars().shape == (20, len(rows[0]))
    assert comparisons[0].to_pandas().shape == (10, len(rows[0]))
