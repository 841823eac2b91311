"""Geometric means in comparisons: inference on logarithms, means and their intervals on the measure's own scale."""

from __future__ import annotations

import dataclasses
from typing import get_args

import numpy as np
import pytest
from scipy.stats import gmean, t

from mensura.errors import ScaleError
from mensura.report import report
from mensura.scales.universes.laws import Universe
from mensura.stats import compare, paired_t
from mensura.stats.digits import decimals_of_means
from mensura.study import study
from tests.stats.test_compare import campaign

FLOOR = 0.00001


@pytest.fixture
def evaluation():
    return campaign(["GM(AP)", "AP"])


def test_a_mean_is_the_geometric_mean(evaluation):
    values = np.maximum(evaluation["AP"].values, FLOOR)
    assert (values == FLOOR).any()  # one topic with 0 rules an arithmetic mean of logarithms, and none of values
    comparison = compare(evaluation, test="t")[0]
    assert comparison.mean == pytest.approx(gmean(values, axis=1), rel=1e-12)
    assert comparison.mean.tolist() == evaluation["GM(AP)"].mean().tolist()


def test_its_interval_is_that_of_the_logarithms_restored(evaluation):
    logs = np.log(np.maximum(evaluation["AP"].values, FLOOR))
    half = t.ppf(0.975, 19) * logs.std(axis=1, ddof=1) / np.sqrt(20)
    comparison = compare(evaluation, test="t")[0]
    assert comparison.low == pytest.approx(np.exp(logs.mean(axis=1) - half))
    assert comparison.high == pytest.approx(np.exp(logs.mean(axis=1) + half))


def test_pairs_are_differences_of_logarithms_and_say_so(evaluation):
    geometric, plain = compare(evaluation, test="t", correction="none")
    outcome = paired_t(np.log(np.maximum(evaluation["AP"].values, FLOOR)))
    assert geometric.outcome.p == pytest.approx(outcome.p)
    pair = geometric["1", "2"]
    assert np.exp(pair.estimate) == pytest.approx(geometric.mean[0] / geometric.mean[1])
    assert (geometric.estimate_of, plain.estimate_of) == ("natural logarithms", "values")
    assert any("exp gives the ratio" in remark for remark in geometric.remarks)
    assert not any("exp gives the ratio" in remark for remark in plain.remarks)


def test_systems_are_ranked_by_it():
    evaluation = campaign(["GM(AP)", "AP"])
    values = evaluation["AP"].values.copy()
    values[:] = 0.3
    values[0, 0], values[0, 1:] = 0.0, 0.35  # better on average, and one topic with nothing
    scores = tuple(dataclasses.replace(each, values=values, judged=None) for each in evaluation.scores)
    geometric, plain = compare(dataclasses.replace(evaluation, scores=scores), test="sign")
    assert (plain.ranking[0], geometric.ranking[-1]) == (0, 0)


def test_the_interval_scale_has_none(evaluation):
    with pytest.raises(ScaleError, match=r"GM\(AP@10\).*geometric mean.*take AP@10"):
        compare(campaign(["GM(AP)@10"]), scale="interval")
    for universe in get_args(Universe):
        with pytest.raises(ScaleError, match=r"GM\(P@10\) is a geometric mean.*take P@10 itself"):
            campaign(["GM(P@10)"]).scores[0].on_interval_scale(universe=universe)
    with pytest.raises(ScaleError, match="geometric mean"):
        study(evaluation.judged, ["GM(AP)"], [5])


@pytest.mark.parametrize(("scale", "values"), [("z-score", "z-scores"), ("uniform", "proportions of systems beaten")])
def test_standardised_values_have_none_either(scale, values):
    with pytest.raises(ScaleError, match=rf"which {values} do not have; take P@10 itself"):
        compare(campaign(["GM(P@10)"]), scale=scale)


def test_advice_about_the_scale_names_the_measure_of_topics(evaluation):
    """Ranks have no geometric mean, so the comparison on the interval scale is one of AP."""
    (remark,) = (each for each in compare(evaluation, test="t")[0].remarks if "interval scale" in each)
    assert "Compare AP with a cut-off on its interval scale" in remark


def test_a_report_has_the_same_mean(evaluation):
    page = report(evaluation.judged, ["GM(AP)@10", "P@10"], test="t")
    assert page.comparisons[0].mean.tolist() == campaign(["GM(AP)@10"]).scores[0].mean().tolist()
    assert page.scales[0].interval is None
    assert "geometric mean" in page.scales[0].ranked.why


def test_decimals_are_those_of_the_restored_interval(evaluation):
    scores = evaluation["GM(AP)"]
    comparison = compare(evaluation, test="t")[0]
    assert decimals_of_means(scores) == comparison.decimals == 3
    assert comparison.pair_decimals == 1  # logarithms of floored values differ by whole units
