"""Thresholds, claims of SRS, and fusion: by hand, and against runs that were written so."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import ADM, MensuraError, evaluate, judge, read_run
from mensura.adm import claims, fuse, fused, thresholds
from mensura.adm.fusion import run_text
from tests.cli.running import mensura

QRELS = {"q": {"a": 1, "b": 0, "c": 1}, "r": {"a": 1, "z": 1}}
RUNS = {"one": {"q": {"a": 0.9, "b": 0.5, "x": 0.2}, "r": {"a": 0.3}}, "two": {"q": {"c": 0.8, "a": 0.4}}}
documents = st.sampled_from("abcdef")
numbers = st.integers(0, 8).map(lambda number: number / 8)
lists = st.dictionaries(documents, numbers, min_size=1)


@settings(max_examples=60, deadline=None)
@given(qrels=st.dictionaries(documents, st.integers(0, 1), min_size=1), run=lists, at=numbers)
def test_precision_and_recall_of_the_documents_above_the_threshold(qrels, run, at):
    """The same as P, R and F of a run with these documents only."""
    found = thresholds(judge({"q": qrels}, {"mine": {"q": run}}, scores=True), ADM(srs="given", urs="ends"), at, 0.5)
    above = {document: score for document, score in run.items() if score >= at}
    if not above:
        assert (found.precision[0], found.recall[0], found.e[0]) == (0, 0, 1)
        return
    means = evaluate({"q": qrels}, {"mine": {"q": above}}, ["P", "R", "F"]).means()["mine"]
    assert found.precision[0] == pytest.approx(means["P"])
    assert found.recall[0] == pytest.approx(means["R"])
    assert found.e[0] == pytest.approx(1 - means["F"])
    assert found.middle[0] == pytest.approx((means["P"] + means["R"]) / 2)


def test_thresholds_lie_between_0_and_1():
    with pytest.raises(MensuraError, match=r"between 0 and 1, got 1\.5 and 0\.5"):
        thresholds(judge(QRELS, RUNS, scores=True), ADM(), 1.5)


@settings(max_examples=40, deadline=None)
@given(runs=st.fixed_dictionaries({name: st.fixed_dictionaries({"q": lists, "r": lists}) for name in ("one", "two", "three")}))
def test_fusion_is_the_mean_of_srs(runs):
    run = fuse(judge(QRELS, runs, scores=True), ADM(srs="given")).to_dict()
    for topic in ("q", "r"):
        everything = {document for each in runs.values() for document in each[topic]}
        expected = {document: math.fsum(each[topic].get(document, 0.0) for each in runs.values()) / 3 for document in everything}
        assert run[topic] == pytest.approx(expected)


def test_the_fused_run_is_measured_as_srs(tmp_path):
    judged = judge(QRELS, RUNS, scores=True)
    found, run = fused(judged, ADM(srs="given"))
    assert found.systems == ("one", "two", "fused")
    (adm, ap) = evaluate(QRELS, [*(read_run(each, name=name) for name, each in RUNS.items()), run], ["ADM(srs='given')", "AP"])
    assert found.adm == pytest.approx(list(adm.values.mean(axis=1)))
    assert found.ap == pytest.approx(list(ap.values.mean(axis=1)))
    path = tmp_path / "fused.txt"
    path.write_text(run_text(run))
    again = read_run(path)
    assert (again.name, again.to_dict()) == ("fused", run.to_dict())


def test_claims():
    scores = {
        "srs": {"q": {"a": 0.9, "b": 0.1, "c": 0.8}},
        "logits": {"q": {"a": 3.0, "b": -1.0, "c": 0.5}},
        "flat": {"q": {"a": 0.5, "b": 0.5, "c": 0.5}},
        "wrong": {"q": {"a": 0.1, "b": 0.9, "c": 0.2}},
    }
    found = claims(judge({"q": QRELS["q"]}, scores, scores=True), ADM(urs="ends"))
    assert found.outside == (0, 2, 0, 0)
    assert found.flat == (0, 0, 1, 0)
    assert (found.low.tolist(), found.high.tolist()) == ([0.1, -1.0, 0.5, 0.1], [0.9, 3.0, 0.5, 0.9])
    assert found.as_given.tolist() == [
        pytest.approx(1 - 0.4 / 3),
        pytest.approx(np.nan, nan_ok=True),
        0.5,
        pytest.approx(1 - 2.6 / 3),
    ]
    verdicts = [row["verdict"] for row in found.rows()]
    assert verdicts[0].startswith("SRS; the linear normalisation is better: +0.0")
    assert verdicts[1].startswith("not SRS: 2 scores are outside 0 to 1")
    assert verdicts[2].startswith("SRS, but one SRS for all documents is better: +0.167")
    assert verdicts[3].startswith("SRS, but one SRS for all documents is better: +0.5")


def test_the_command(tmp_path):
    qrels, runs = tmp_path / "qrels.txt", []
    qrels.write_text("q 0 a 1\nq 0 b 0\n")
    for name, (first, second) in {"one": (0.9, 0.2), "two": (0.6, 0.5)}.items():
        runs.append(tmp_path / f"{name}.txt")
        runs[-1].write_text(f"q Q0 a 1 {first} {name}\nq Q0 b 2 {second} {name}\n")
    shown = mensura("adm", qrels, *runs, "-m", "ADM(srs='given', urs='ends')", "--thresholds", "0.5,0.6", "-f", "csv").stdout
    assert shown.splitlines()[1:] == ["one,1.0,1.0,0.0,1.0,0.85", "two,0.5,1.0,0.33333333333333337,0.75,0.55"]
    assert "SRS" in mensura("adm", qrels, *runs, "--claims").stdout
    assert "fused" in mensura("adm", qrels, *runs, "--fuse", "--fused", tmp_path / "fused.txt").stdout
    assert (tmp_path / "fused.txt").read_text().startswith("q Q0 a 1 1.0 fused\n")
    assert "write one number, or two" in mensura("adm", qrels, *runs, "--thresholds", "x", status=2).stderr
    assert "add --fuse" in mensura("adm", qrels, *runs, "--fused", "x", status=2).stderr
    assert "at least 2 systems" in mensura("adm", qrels, runs[0], "--fuse", status=2).stderr
