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
    assert (found["relation"], found["difference"], found["distance"]) == ("less", [1, 1, 2, 3], 3)
    assert [step["run"] for step in found["steps"]] == ["1000", "1001", "1010"]
    assert natural_distance(parse_run("0100"), parse_run("1010")) == 3
    assert "swap of ranks 1 and 2  1000" in mensura("order", "1010", "0100").stdout
    assert "incomparable" in mensura("order", "1100", "1011").stdout
    assert json.loads(mensura("order", "1100", "1011", "--format", "json").stdout)["steps"] is None
    assert mensura("order", "01", "01").stdout.startswith("01 = 01")
    assert mensura("order", "0100", "1000", "--format", "csv").stdout == "kind,rank,run\nswap,1,1000\n"
    assert "swap of ranks 1 and 2  20" in mensura("order", "11", "20").stdout  # one grade moves up


def test_two_intervals():
    """P0 §3.2: a swap at the top is larger than one further down."""
    assert "The first interval is larger." in mensura("order", "0100", "1000", "0010", "0100").stdout
    assert "The first interval is smaller." in mensura("order", "0010", "0100", "0100", "1000").stdout
    assert "equally large" in mensura("order", "00", "01", "10", "11").stdout
    assert "The intervals are incomparable." in mensura("order", "000", "011", "010", "100").stdout
    rows = list(csv.reader(io.StringIO(mensura("order", "00", "01", "10", "11", "--format", "csv").stdout)))
    assert rows[1] == ["first", "00", "01", "0, 1"]


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
    ],
)
def test_bad_questions(words, message, tmp_path):
    assert message in mensura("order", *words, status=2, cwd=tmp_path).stderr
