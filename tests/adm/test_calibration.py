"""Calibration and reliability."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mensura import ADM, MensuraError, judge, parse_measure
from mensura.adm import calibrate, reliability
from mensura.adm.calibration import INPUTS, normalisations
from mensura.adm.isotonic import fit
from tests.adm.campaign import campaign

ASSESSED = ADM(documents="retrieved-assessed")


@pytest.fixture(scope="module")
def found():
    return calibrate(campaign(), ASSESSED)


def test_fixed_normalisations_are_those_of_the_measure(found):
    judged = campaign()
    for name, values in zip(found.names, found.fixed, strict=True):
        if name == "as given":
            assert np.isnan(values).all()  # the simulated scores lie outside 0 to 1
        else:
            measure = normalisations(ASSESSED)[name]
            assert values == pytest.approx(measure.score(judged).mean(axis=1), abs=1e-12)


def test_the_bound_is_a_bound(found):
    """No fixed or learnt map of the same numbers is better than the best one for these very topics."""
    by = {name: number for number, name in enumerate(INPUTS)}
    fixed = {name: number for number, name in enumerate(found.names)}
    assert (found.fitted <= found.bound + 1e-12).all()
    assert (found.bound[by["nothing"]] <= found.bound[:3].min(axis=0) + 1e-12).all()
    for name in ("linear", "nearest level"):
        assert (found.fixed[fixed[name]] <= found.bound[by["linear SRS"]] + 1e-12).all()
    for name in ("linear by run", "logistic by run"):
        assert (found.fixed[fixed[name]] <= found.bound[by["score"]] + 1e-12).all()
    assert (found.fixed[fixed["rank"]] <= found.bound[by["rank"]] + 1e-12).all()


def test_what_is_predicted_does_not_know_its_own_topic():
    """Other judgments for topics of fold 0 change nothing in what is learnt for fold 0, but in what is learnt for others."""
    rng = np.random.default_rng(6)
    level = rng.integers(0, 4, (6, 20))
    x, weight, fold = level + rng.normal(size=level.shape), np.full(level.shape, 0.05), np.arange(6) % 3
    changed = np.where(fold[:, None] == 0, 3 - level, level)
    (before, whole), (after, other) = (fit(x, each, weight, fold, 4) for each in (level, changed))
    assert (before[fold == 0] == after[fold == 0]).all()
    assert len(np.unique(before[fold == 0])) == 4
    assert (before[fold == 1] != after[fold == 1]).any()
    assert (whole != other).any()


def test_a_system_that_knows_relevance_keeps_its_scores():
    """Its scores are URS + noise that is smaller than half a bin: steps of the score are right, and so is the nearest level."""
    rng = np.random.default_rng(4)
    qrels = {f"q{t}": {f"d{i}": int(g) for i, g in enumerate(rng.integers(0, 4, 30))} for t in range(12)}
    run = {t: {d: (2 * g + 1) / 8 + rng.uniform(-0.1, 0.1) for d, g in held.items()} for t, held in qrels.items()}
    found = calibrate(judge(qrels, {"wise": run}, scores=True), ADM())
    by_name = dict(zip(found.names, found.fixed[:, 0], strict=True))
    assert by_name["as given"] > 0.94
    assert found.fitted[0, 0] == pytest.approx(1.0)
    assert "steps learnt from judgments" in found.advice(0)


def test_scores_that_say_nothing_are_best_replaced_by_a_constant():
    rng = np.random.default_rng(5)
    qrels = {f"q{t}": {f"d{i}": int(i < 3) for i in range(30)} for t in range(20)}
    run = {t: {d: float(rng.normal()) for d in held} for t, held in qrels.items()}
    found = calibrate(judge(qrels, {"random": run}, scores=True), ADM())
    assert found.fitted[3, 0] == pytest.approx(1 - 0.5 * 0.1)  # ¼ for all: right for nine documents of ten, ½ off for one
    assert "one SRS for all documents" in found.advice(0)


def test_bad_questions():
    judged = campaign()
    with pytest.raises(MensuraError, match="judge the runs with scores=True"):
        calibrate(dataclasses.replace(judged, scores=None), ADM())
    one = judge({"q": {"a": 1}}, {"mine": {"q": {"a": 1.0}}}, scores=True)
    with pytest.raises(MensuraError, match="at least 2 topics"):
        calibrate(one, ADM())


def test_reliability_by_hand():
    """SRS 1, .55, .5, 0 in bins of a tenth: .55 and .5 share one; URS ¾ if relevant, else ¼."""
    judged = judge({"q": {"a": 1, "b": 1, "c": 0}}, {"mine": {"q": {"a": 20.0, "b": 11.0, "c": 10.0, "d": 0.0}}}, scores=True)
    found = reliability(judged, "mine", ADM())
    assert found.srs == pytest.approx([0, 0.525, 1])
    assert found.urs == pytest.approx([0.25, 0.5, 0.75])
    assert found.documents.tolist() == [1, 2, 1]
    assert found.error == pytest.approx((0.25 + 2 * 0.025 + 0.25) / 4)
    with pytest.raises(MensuraError, match="unknown system 'yours'; there are mine"):
        reliability(judged, "yours", ADM())


def test_documents_that_were_not_retrieved_count_in_every_normalisation():
    judged = campaign()
    found = calibrate(judged, parse_measure("ADM(documents='assessed')"))
    assert found.fixed[0] == pytest.approx(ADM(documents="assessed").score(judged).mean(axis=1))
    assert (found.fitted <= found.bound + 1e-12).all()
