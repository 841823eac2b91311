"""P4's tables on TREC-8: what a study gives, against what was published (the folder golden beside the data)."""

from __future__ import annotations

import csv
import hashlib
import json

import numpy as np
import pytest

from mensura import AP, judge
from mensura.stats import kendall
from tests.cli.running import mensura

# P4 ranks AP in doubles. These are the exact values: see docs/study.md.
EXACT = {
    ("table2", "trec8_10"): "0.8240",
    ("table2", "trec8_20"): "0.8195",
    ("table2", "trec8_30"): "0.8364",
    ("table3", "trec8_10"): "0.8214",
}


@pytest.fixture(scope="module")
def golden(data):
    folder = data.parent / "golden"
    if not folder.is_dir():
        pytest.skip(f"the published tables are not there: {folder}")

    def read(name):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return read


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    """The study, made once by the command line."""
    trec8 = data / "trec8"
    out = tmp_path_factory.mktemp("trec8") / "study"
    mensura("study", trec8 / "qrels.txt", trec8 / "runs" / "*", "--compat", "trec_eval-9", "-o", out)
    return out


def read(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(("name", "published"), [("table2", "table2_unq.csv"), ("table3", "table3_midrank.csv")])
def test_correlations_with_the_interval_scale(folder, golden, name, published):
    rows = read(folder, name)
    expected = [row for row in golden(published) if row["track"].startswith("T08")]
    assert [row["track"] for row in rows] == ["trec8_05", "trec8_10", "trec8_20", "trec8_30"]
    for row, other in zip(rows, expected, strict=True):
        assert list(row) == list(other)
        exact = EXACT.get((name, row["track"]), other["AP"])
        assert row == other | {"track": row["track"], "AP": exact}


def test_correlations_among_measures(folder, golden):
    rows = {row["pair"]: row for row in read(folder, "table4")}
    published = golden("table4_pairs.csv")
    assert set(rows) == {row["pair"] for row in published}
    equal = 0
    for other in published:
        row = rows[other["pair"]]
        mine = {part: row[f"trec8_30_{part}"] for part in ("msr", "rnkmsr", "delta")}
        theirs = {part: other[f"T08_30_{part}"] for part in ("msr", "rnkmsr", "delta")}
        equal += mine == theirs
        if "AP" in other["pair"].split(" vs "):
            assert mine["msr"] == theirs["msr"]
            assert abs(float(mine["rnkmsr"]) - float(theirs["rnkmsr"])) < 0.003
        else:
            assert mine == theirs, other["pair"]
    assert equal == 45


def test_significant_differences(folder, golden):
    rows = {(row["measure"], row["test"]): row for row in read(folder, "table5_6") if row["track"] == "trec8_30"}
    published = [row for row in golden("table5_6_significance.csv") if row["track"] == "T08_30"]
    assert len(published) == len(rows) == 88
    equal = 0
    for other in published:
        row = rows[other["measure"], other["test"]]
        assert row["system_pairs"] == other["system_pairs"] == "8256"
        off = [abs(int(row[part]) - int(other[part])) for part in ("sig", "s2ns", "ns2s")]
        assert max(off) <= 8, (other["measure"], other["test"])
        if max(off) == 0:
            equal += 1
            assert float(row["delta_percent"]) == pytest.approx(float(other["delta_percent"]), abs=0.006)
    assert equal >= 65


def test_topic_by_topic_everything_stays(folder):
    found = json.loads((folder / "study.json").read_bytes())
    assert [cell["by_topic"] for cell in found["cells"]] == [{"unq": 1.0, "mid": 1.0}] * 44
    assert all(cell["exact"] for cell in found["cells"])
    # FACTS: steps of AP at 10, 20 and 30
    assert [cell["steps"] for cell in found["cells"] if cell["label"] == "AP"] == [31, 810, 644_203, 426_591_837]


def test_the_record_says_what_was_read(folder, data):
    found = json.loads((folder / "study.json").read_bytes())
    qrels = data / "trec8" / "qrels.txt"
    assert found["inputs"][str(qrels)] == hashlib.sha256(qrels.read_bytes()).hexdigest()
    assert len(found["inputs"]) == 130
    assert found["parameters"]["compat"] == "trec_eval-9"
    assert set(found["versions"]) >= {"mensura", "numpy", "scipy", "python"}
    assert set(json.loads((folder / "timings.json").read_bytes())) == {"read", "study", "write", "steps"}


@pytest.mark.parametrize(("length", "doubles", "published"), [(10, 866, "0.8243"), (20, 736_541, "0.8197")])
def test_doubles_give_the_published_values_of_ap(data, length, doubles, published):
    """Sums that are equal as fractions are different doubles: 866 instead of 810 values at length 10."""

    def added_up(runs):
        seen, total = np.zeros(len(runs)), np.zeros(len(runs))
        for rank in range(1, length + 1):
            seen += runs[:, rank - 1]
            total += runs[:, rank - 1] * (seen / rank)
        return total

    trec8 = data / "trec8"
    judged = judge(trec8 / "qrels.txt", str(trec8 / "runs" / "*"), depth=length, compat="trec_eval-9")
    everything = (np.arange(2**length)[:, None] >> np.arange(length)[::-1]) & 1
    values = np.unique(added_up(everything))
    assert len(values) == doubles
    ranks = np.searchsorted(values, added_up((judged.grades >= 1).reshape(-1, length))).reshape(judged.shape) + 1
    means = (AP() @ length).score(judged).mean(axis=1)
    assert f"{kendall(means.round(8), ranks.mean(axis=1).round(8)):.4f}" == published
