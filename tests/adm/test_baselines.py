"""Systems that say nothing: as if runs had been written with SRS 0, or with one SRS for all documents."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mensura import ADM, evaluate, judge
from mensura.adm.baselines import baselines
from mensura.adm.calibration import calibrate
from mensura.adm.correlation import correlations
from mensura.io import reading
from mensura.measures.counts import NumRelRet
from tests.adm.campaign import campaign
from tests.cli.running import mensura

QRELS = {"q": {"a": 1, "b": 0, "c": 0, "d": 1}, "r": {"a": 2}}
RUNS = {"one": {"q": {"a": 0.9, "b": 0.5, "x": 0.2}, "r": {"a": 0.3}}, "two": {"q": {"d": 0.8, "a": 0.4}}}


def said(srs):
    """The same runs with one SRS for all documents."""
    return {name: {t: dict.fromkeys(documents, srs) for t, documents in run.items()} for name, run in RUNS.items()}


@pytest.mark.parametrize("documents", ["retrieved", "retrieved-assessed"])
@pytest.mark.parametrize("urs", ["bins", "ends"])
def test_baselines_are_the_values_of_such_runs(documents, urs):
    """All scores are equal, so that only runs without a cut-off have the same documents."""
    measure = ADM(srs="given", urs=urs, documents=documents)
    found = baselines(judge(QRELS, RUNS, scores=True), measure)
    for srs, means in ((0.0, found.zero), (found.srs, found.constant)):
        (scores,) = evaluate(QRELS, said(srs), [measure])
        assert means == pytest.approx(list(scores.measure.mean(scores.values)), abs=1e-15)


def test_the_best_single_srs_is_a_median():
    """No other SRS of a fine grid has a higher mean over the systems."""
    judged = judge(QRELS, RUNS, scores=True)
    for documents in ("retrieved", "assessed", 9):
        measure = ADM(srs="given", documents=documents)
        best = baselines(judged, measure)
        chosen = measure.counted(judged)
        others = [measure.mean(measure.average(judged, srs / 96, chosen)).mean() for srs in range(97)]
        assert max(others) <= best.constant.mean() + 1e-12


def test_a_pool_is_the_same_for_all_systems():
    """The pool of the first documents: a and d in q, a in r; 1 of them has the highest grade."""
    found = baselines(judge(QRELS, RUNS, scores=True), ADM(documents="pool") @ 1)
    assert found.zero == pytest.approx([1 - ((3 + 3) / 6 / 2 + 5 / 6) / 2] * 2)
    assert found.srs in {3 / 6, 5 / 6}


def test_they_are_lines_of_correlations_and_of_calibration():
    judged = campaign()
    measure = ADM(documents="pool") @ 10
    found = correlations(judged, [measure, NumRelRet()])
    assert NumRelRet() in found.references
    at = found.measures.index(measure)
    silent = baselines(judged, measure)
    assert found.zero[at] == pytest.approx(silent.zero[0])
    assert found.below_zero[at] == int((found.means[at] < silent.zero).sum())
    assert found.below_constant[at] == int((found.means[at] < silent.constant).sum())
    assert math.isnan(found.zero[found.measures.index(NumRelRet())])
    low, high = np.percentile(found.means[at], (25, 75))
    assert found.iqr[at] == pytest.approx(high - low)
    calibrated = calibrate(judged, ADM())
    assert calibrated.zero == pytest.approx(baselines(judged, ADM()).zero)
    assert {"system": "sysA", "kind": "zero", "normalisation": "0 for all", "mean": calibrated.zero[0]} in calibrated.rows()


def test_runs_are_read_once_for_a_pool(tmp_path, monkeypatch):
    """A file that is not cut into stretches is read by one call."""
    qrels, runs = tmp_path / "qrels.txt", [tmp_path / f"{name}.txt" for name in RUNS]
    qrels.write_text("q 0 a 1\nr 0 a 1\n")
    for path, (name, run) in zip(runs, RUNS.items(), strict=True):
        path.write_text("".join(f"{t} Q0 {d} 1 {score} {name}\n" for t, documents in run.items() for d, score in documents.items()))
    read = []
    kept = reading._judge_file

    def counted(*words, **options):
        read.append(words[1])
        return kept(*words, **options)

    monkeypatch.setattr(reading, "_judge_file", counted)
    mensura("adm", qrels, *runs, "--correlations", "--cutoffs", "1")
    mensura("adm", qrels, *runs, "-m", "ADM(documents='pool')@1")
    mensura("evaluate", qrels, *runs, "-m", "ADM(documents='pool')@1")
    assert len(read) == 3 * len(runs)


def test_other_measures_beside_adm(tmp_path):
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("q 0 a 1\n")
    run.write_text("q Q0 a 1 2 mine\nq Q0 b 2 1 mine\n")
    assert "system     ADM  NumRelRet" in mensura("adm", qrels, run, "-m", "NumRelRet").stdout
