"""NIST's own per-topic results (trec_eval 10) for all runs of TREC-8 and of the Deep Learning track 2021."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from mensura import evaluate

CUTOFFS = (5, 10, 20, 30)
TREC8 = {f"{name}_{k}": f"{name}_{k}" for name in ("P", "recall", "map_cut", "ndcg_cut") for k in CUTOFFS} | {
    name: name for name in ("map", "ndcg", "recip_rank", "Rprec", "bpref")
}
TREC8["rbp"] = "RBP(p=0.9)"
HALF_A_DIGIT = 5e-5 + 1e-12  # NIST prints four decimals


@pytest.fixture(scope="module")
def trec8(data):
    return evaluate(data / "trec8" / "qrels.txt", sorted((data / "trec8" / "runs").glob("*.gz")), TREC8.values())


@pytest.mark.parametrize("file", TREC8)
def test_trec8_agrees_with_nist(trec8, data, file):
    scores = trec8[TREC8[file]]
    with (data / "trec8" / "nist" / f"{file}.csv").open() as stream:
        (_, *systems), *rows = csv.reader(stream)
    theirs = np.array([[float(cell) for cell in row[1:]] for row in rows]).T
    ours = scores.values[np.ix_([scores.systems.index(name) for name in systems], [scores.topics.index(row[0]) for row in rows])]
    assert theirs.shape == (129, 50)
    assert (np.abs(ours - theirs) > HALF_A_DIGIT).sum() == 0


def test_dl21_agrees_with_trec_eval(data):
    """These were made by trec_eval 9: with scores as float64, 43 of the 3339 values differ."""
    folder = data / "dl21"
    runs = sorted((folder / "runs").glob("*.gz"))
    scores = evaluate(folder / "qrels.txt", runs, "nDCG@10", compat="trec_eval-9")["nDCG@10"]
    checked = 0
    with (folder / "ndcg_cut_10.txt").open() as stream:
        for row in csv.DictReader(stream):
            if row["topic"] != "average":
                value = scores.values[scores.systems.index(row["runid"]), scores.topics.index(row["topic"])]
                assert abs(value - float(row["ndcg_cut_10"])) <= HALF_A_DIGIT, row
                checked += 1
    assert checked == 3339


def test_float32_order_differs_where_scores_tie_in_float32(data):
    """The run uwmt8a0 has scores that tie in float32 only."""
    folder = data / "trec8"
    paths = [folder / "runs" / "uwmt8a0.gz"]
    new = evaluate(folder / "qrels.txt", paths, "AP")["AP"].values
    old = evaluate(folder / "qrels.txt", paths, "AP", compat="trec_eval-9")["AP"].values
    assert (new != old).any()
