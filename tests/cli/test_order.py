"""``mensura order``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from mensura.scales.order.runs import natural_distance, parse_run
from tests.cli.running import mensura


def test_all_runs_of_a_length():
    """P4, Figure 2."""
    found = json.loads(mensura("order", "4", "--format", "json").stdout)
    assert (found["runs"], found["covers"], found["comparable_pairs"], found["incomparable_pairs"]) == (16, 20, 110, 10)
    rows = list(csv.DictReader(io.StringIO(mensura("order", "4", "--format", "csv").stdout)))
    assert [(row["run"], row["height"]) for row in rows] == [(row["run"], str(row["height"])) for row in found["order"]]
    assert sum(len(row["covered_by"].split()) for row in rows) == 20
    shown = mensura("order", "4").stdout
    assert "16 runs, 20 covers" in shown
    assert "1010  1100 1011" in shown


def test_long_runs_are_counted_but_not_listed():
    found = json.loads(mensura("order", "60", "--format", "json").stdout)
    assert found["runs"] == 2**60
    assert found["order"] is None
    assert "1110" not in mensura("order", "7").stdout
    assert "too many to list" in mensura("order", "60", "--format", "csv", status=2).stderr


def test_two_runs():
    found = json.loads(mensura("order", "0100", "1010", "--format", "json").stdout)
    assert (found["relation"], found["differences"], found["distance"]) == ("less", [[1, 1, 2, 3]], 3)
    assert [step["run"] for step in found["steps"]] == ["1000", "1001", "1010"]
    assert natural_distance(parse_run("0100"), parse_run("1010")) == 3
    assert "swap of ranks 1 and 2  1000" in mensura("order", "1010", "0100").stdout
    assert "incomparable" in mensura("order", "1100", "1011").stdout
    assert json.loads(mensura("order", "1100", "1011", "--format", "json").stdout)["steps"] is None
    assert mensura("order", "01", "01").stdout.startswith("01 = 01")
    assert mensura("order", "0100", "1000", "--format", "csv").stdout == "kind,rank,run,lower\nswap,1,1000,2\n"


def test_graded_runs():
    """P@2 gives 11 and 20 the values 1 and 1/2: no order that measures respect has 11 below 20."""
    shown = mensura("order", "11", "20").stdout
    assert "11 and 20 are incomparable" in shown
    assert "P@2 prefers 11: 2/2 > 1/2." in shown
    assert "P(rel=2)@1 prefers 20: 1/1 > 0/1." in shown
    assert "Ways up have 2 to 3 steps; this one has 2" in mensura("order", "10", "21").stdout
    assert "Δ = (1, 2, 2) from grade 1, (1, 2, 2) from grade 2" in mensura("order", "012", "210").stdout
    found = json.loads(mensura("order", "10", "21", "--format", "json").stdout)
    assert (found["distance"], found["chain_lengths"]) == (None, [2, 3])
    whole = json.loads(mensura("order", "4", "--top", "2", "--format", "json").stdout)
    assert (whole["comparable_pairs"], whole["covers"]) == (2226, 175)
    assert (whole["shortest_chain"], whole["longest_chain"]) == (14, 20)
    assert "pairs not counted" in mensura("order", "30", "--top", "4").stdout


def test_measures_of_two_runs():
    """AP before its division: 1/2 for 0100, 1 + 2/3 for 1010. RR and P order incomparable runs each in its way."""
    found = json.loads(mensura("order", "0100", "1010", "-m", "AP", "-m", "MFR", "--format", "json").stdout)
    assert [(row["measure"], row["better"], row["respects"]) for row in found["measures"]] == [
        ("AP", "second", True),
        ("MFR", "second", True),
    ]
    assert found["measures"][0]["values"] == pytest.approx([0.5, 5 / 3])
    rows = list(csv.DictReader(io.StringIO(mensura("order", "11", "20", "-m", "P", "-m", "P(rel=2)", "-f", "csv").stdout)))
    assert [(row["first"], row["second"], row["respects"]) for row in rows] == [("1.0", "0.5", ""), ("0.0", "0.5", "")]


def test_measures_of_two_intervals():
    """P0 §3.3: ERR rises by .011905 in the smaller interval and by .010417 in the larger one; RBP agrees with the order."""
    words = ["0000001110", "0000010110", "1101011011", "1110011011"]
    found = json.loads(mensura("order", *words, "-m", "ERR@10", "-m", "RBP(p=0.8)@10", "--format", "json").stdout)
    assert found["relation"] == "smaller"
    assert [row["respects"] for row in found["measures"]] == [False, True]
    assert found["measures"][0]["rises"] == pytest.approx([0.011905, 0.010417], abs=1e-6)
    shown = mensura("order", *words, "-m", "ERR@10").stdout
    assert "0.0119048           0.0104167  no" in shown
    rows = list(csv.DictReader(io.StringIO(mensura("order", *words, "-m", "ERR@10", "-f", "csv").stdout)))
    assert float(rows[0]["v"]) - float(rows[0]["u"]) == pytest.approx(float(rows[0]["rise_second"]))


def test_lengths_of_two_intervals():
    """P0 §3.2: convex combinations of Δ = (1, 1, 1, 1) and (0, 1, 1, 1)."""
    words = ["0100", "1000", "0010", "0100"]
    found = json.loads(mensura("order", *words, "--weights", "1/4,1/4,1/4,1/4", "--format", "json").stdout)
    assert [each["length"] for each in found["intervals"]] == [1, 0.75]
    assert "0.75" in mensura("order", *words, "--weights", ".25,.25,.25,.25").stdout


def test_two_intervals():
    """P0 §3.2: a swap at the top is larger than one further down."""
    assert "The first interval is larger." in mensura("order", "0100", "1000", "0010", "0100").stdout
    assert "The first interval is smaller." in mensura("order", "0010", "0100", "0100", "1000").stdout
    assert "equally large" in mensura("order", "00", "01", "10", "11").stdout
    assert "The intervals are incomparable." in mensura("order", "000", "011", "010", "100").stdout
    rows = list(csv.reader(io.StringIO(mensura("order", "00", "01", "10", "11", "--format", "csv").stdout)))
    assert rows[1] == ["first", "00", "01", "1", "0, 1"]


@pytest.mark.parametrize("words", [["4"], ["0100", "1010"]])
def test_the_diagram(tmp_path, words):
    chart = tmp_path / "hasse.svg"
    mensura("order", *words, "--chart", chart)
    text = chart.read_text(encoding="utf-8")
    assert all(f">{run}</text>" in text for run in ("0000", "0110", "1111"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["01x", "011"], "is not a judged run"),
        (["01", "011"], "have 2 and 3 ranks"),
        (["01", "10", "11"], "give one length, two runs, or four runs"),
        (["0"], "at least 1"),
        (["9", "--chart", "x.svg"], "too many to draw"),
        (["4", "--chart", "x.bmp"], "cannot draw"),
        (["10", "01", "00", "01"], "is not an interval"),
        (["20", "11", "00", "01"], "documents of grade 2 or higher"),
        (["4", "-m", "AP"], "about two or four runs"),
        (["01", "10", "--weights", "1,0"], "give four runs"),
        (["00", "01", "00", "10", "--weights", "1,1"], "whose sum is 1"),
        (["00", "01", "00", "10", "--weights", "1,x"], "write numbers with commas"),
        (["00", "01", "-m", "P@1"], "needs runs of length 1"),
    ],
)
def test_bad_questions(words, message, tmp_path):
    assert message in mensura("order", *words, status=2, cwd=tmp_path).stderr
