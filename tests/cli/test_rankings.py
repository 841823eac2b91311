"""``mensura rankings``."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re

import pytest

from mensura import InputError
from mensura.rankings import compare
from mensura.rankings.files import read_ranking
from mensura.render.charts.rankings import rankings_chart
from tests.cli.running import mensura


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.txt").write_text("d2\nd1\nd4\nd3\n")
    (tmp_path / "b.txt").write_text("d1\r\nd4\r\n\r\nd2\r\nd3")
    (tmp_path / "c.txt").write_text("d1\td9\nd4\nd7\n")
    (tmp_path / "z.txt.gz").write_bytes(gzip.compress(b"x\ny\n"))
    (tmp_path / "one.run").write_text("q1 Q0 a 1 3 one\nq1 Q0 b 2 2 one\nq1 Q0 c 3 2 one\nq2 Q0 a 1 1 one\nq2 Q0 b 2 0.5 one\n")
    (tmp_path / "two.run").write_text("q1 Q0 b 1 3 two\nq1 Q0 a 2 2 two\nq1 Q0 c 3 1 two\nq2 Q0 a 1 1 two\nq2 Q0 b 2 0.5 two\n")
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq2 0 a 1\nq2 0 b 1\n")
    return tmp_path


def rankings(*arguments, **options):
    return json.loads(mensura("rankings", *arguments, "-f", "json", **options).stdout)


def test_every_number_and_curve(files):
    found = rankings("a.txt", "b.txt", cwd=files)
    assert found["footrule"] == [2, 3, 4, 4]
    assert found["kendall"] == [0, 1, 2, 2]
    assert found["point"] == [2, 1, 0, 0]
    assert found["area"] == [1, 2.5, 3, 3]
    assert found["ranked"] == ["d2", "d1", "d4", "d3"]
    assert found["positions"] == [3, 1, 2, 4]
    expected = compare(["d2", "d1", "d4", "d3"], ["d1", "d4", "d2", "d3"]).numbers()
    for name in ("normalized_area", "a_corr", "spearman", "tau_a", "tau_b", "tau_ap", "tau_ap_b", "weighted_tau"):
        assert found[name] == expected[name]
    for name in ("rbo", "rbo_min", "rbo_max", "rbo_residual", "average_overlap", "top_k_overlap", "symmetric_area", "worst_area"):
        assert found[name] == expected[name]


def test_ties_and_different_items(files):
    found = rankings("a.txt", "c.txt", "--h", "1/i", "--p", "0.5", "-k", "2", "--rbo-ties", "b", cwd=files)
    other = compare(["d2", "d1", "d4", "d3"], [{"d1", "d9"}, "d4", "d7"], h="1/i", p=0.5, k=2, rbo_ties="b")
    assert found["ties"] == [False, True]
    assert found["shared"] == 2
    assert found["a_corr"] == other.a_corr
    assert found["rbo"] == other.rbo.extrapolated
    assert found["top_k_overlap"] == other.top_k_overlap
    shown = mensura("rankings", "a.txt", "c.txt", cwd=files).stdout
    assert "4 and 4 items, 2 in both" in shown
    assert "Ties in c." in shown
    assert "tied after its last item" in shown


def test_csv(files):
    rows = list(csv.DictReader(io.StringIO(mensura("rankings", "a.txt", "b.txt", "-f", "csv", cwd=files).stdout)))
    assert {row["measure"]: float(row["value"]) for row in rows}["a_corr"] == pytest.approx(0.7)
    text = mensura("rankings", "a.txt", "b.txt", "-f", "csv", "--curves", cwd=files).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["rank"], row["item"], row["second"], row["point"]) for row in rows] == [
        ("1", "d2", "3.0", "2.0"),
        ("2", "d1", "1.0", "1.0"),
        ("3", "d4", "2.0", "0.0"),
        ("4", "d3", "4.0", "0.0"),
    ]


def test_runs(files):
    kept = rankings("one.run", "two.run", "--topic", "q1", cwd=files)
    assert kept["ties"] == [True, False]
    assert kept["positions"] == [2, 1, 3]
    broken = rankings("one.run", "two.run", "--topic", "q1", "--ties", "broken", "--depth", "2", cwd=files)
    assert broken["ranked"] == ["a", "c", "b"]  # equal scores by document id, descending
    assert broken["lengths"] == [2, 2]
    everything = rankings("one.run", "two.run", "--topic", "all", cwd=files)
    assert everything["rankings"] == ["one", "two"]
    assert everything["tau_b"][0][1] == pytest.approx((kept["tau_b"] + 1) / 2)


def test_leaderboards(files):
    for measures, name in ((("RR", "MFR"), "both.csv"), (("P@1",), "one.csv")):
        words = ("evaluate", "qrels.txt", "one.run", "two.run", "-f", "csv", "-o", name, "-m", *measures)
        mensura(*words, cwd=files)
    said = mensura("rankings", "both.csv", "one.csv", status=2, cwd=files).stderr
    assert "both.csv: has several measures: choose one with -m, of RR, MFR" in said
    alike = rankings("both.csv", "both.csv", "-m", "MFR", cwd=files)
    assert alike["ranked"] == ["one", "two"]  # lower is better
    assert alike["tau_b"] == 1
    assert (
        "has no measure AP; it has RR, MFR" in mensura("rankings", "both.csv", "both.csv", "-m", "AP", status=2, cwd=files).stderr
    )


def test_several_rankings(files):
    shown = mensura("rankings", "a.txt", "b.txt", "c.txt", "--by", "tau_b", cwd=files).stdout
    assert shown.startswith("tau_b\n")
    rows = list(csv.DictReader(io.StringIO(mensura("rankings", "a.txt", "b.txt", "c.txt", "-f", "csv", cwd=files).stdout)))
    assert len(rows) == 9
    assert float(rows[1]["a_corr"]) == pytest.approx(0.7)
    assert rankings("a.txt", "b.txt", "c.txt", cwd=files)["a_corr"][0][1] == pytest.approx(0.7)


def test_standard_input(files):
    assert rankings("-", "b.txt", stdin="d2\nd1\nd4\nd3\n", cwd=files)["a_corr"] == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("a.txt",), "at least 2 rankings, got 1"),
        (("a.txt", "z.txt.gz"), "share no item ('d2' … and 'x' …); name other files"),
        (("a.txt", "nowhere.txt"), "nowhere.txt: there is no such file"),
        (("-", "-"), "only once"),
        (("a.txt", "b.txt", "--h", "2"), "between 0 and 1"),
        (("a.txt", "b.txt", "--h", "x"), "write 1, 1/i, or a number"),
        (("a.txt", "b.txt", "--p", "1"), "between 0 and 1"),
        (("a.txt", "b.txt", "-m", "AP"), "is not a leaderboard"),
        (("a.txt", "b.txt", "--depth", "3"), "--depth is for runs"),
        (("one.run", "two.run", "--topic", "q9"), "has no topic 'q9'; its first topics are q1, q2"),
        (("a.txt", "b.txt", "--chart", "x.gif"), "must end in"),
        (("a.txt", "b.txt", "c.txt", "--chart", "x.svg"), "--chart draws two rankings"),
        (("a.txt", "b.txt", "c.txt", "--by", "x"), "unknown measure 'x' of a matrix"),
    ],
)
def test_what_cannot_be_is_refused(files, arguments, says):
    assert says in mensura("rankings", *arguments, status=2, cwd=files, stdin="").stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a\nb\na\n", "bad.txt:3: 'a' is ranked twice, first in line 1"),
        ("a\tb\tb\n", "bad.txt:1: 'b' is ranked twice"),
        ("\n \n", "is empty"),
        ("system,measure,mean\nx,AP,high\n", "bad.txt:2: 'high' is not a finite number"),
        ("system,measure,mean\nx,AP,\n", "bad.txt:2: '' is not a finite number"),
        ("system,measure,mean\nx,AP,1\nx,AP,2\n", "bad.txt:3: the system 'x' appears twice"),
        ("system,measure\nx,AP\n", "has no column with values"),
        ("system,topic,measure,value\nx,1,AP,0.5\n", "has values of topics"),
    ],
)
def test_bad_files(write, text, says):
    with pytest.raises(InputError, match=re.escape(says)):
        read_ranking(write("bad.txt", text))


def test_disjoint_if_asked(files):
    assert rankings("a.txt", "z.txt.gz", "--disjoint", cwd=files)["a_corr"] == pytest.approx(0)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_charts(files, ending):
    mensura("rankings", "a.txt", "b.txt", "--chart", f"chart.{ending}", cwd=files)
    start = (files / f"chart.{ending}").read_bytes()[:400]
    assert {"svg": b"<svg", "png": b"\x89PNG"}[ending] in start


def values_of(chart, part, layer):
    return chart["vconcat"][part]["layer"][layer]["data"]["values"]


def test_the_chart_shows_the_numbers():
    """The curve of P, the marks where it is zero, and the misplacements by sign."""
    first, second = list("badce"), list("abcde")
    found = compare(first, second)
    chart = rankings_chart(found, ("x", "y"))
    curve = [row["value"] for row in values_of(chart, 0, 1) if row["curve"] == "point P"]
    assert curve == [0, *found.point.tolist()]
    marked = [row["rank"] for row in values_of(chart, 0, 2)]
    assert marked == [i for i in range(1, 6) if set(first[:i]) == set(second[:i])] == [2, 4, 5]
    bars = chart["vconcat"][1]["data"]["values"]
    assert [(bar["rank"], bar["moved"], bar["item"]) for bar in bars] == [(1, 1, "b"), (2, -1, "a"), (3, 1, "d"), (4, -1, "c")]
    assert len({bar["sign"] for bar in bars if bar["moved"] > 0}) == len({bar["sign"] for bar in bars if bar["moved"] < 0}) == 1
    colours = chart["vconcat"][1]["encoding"]["color"]["scale"]["range"]
    assert len(set(colours)) == 2


def test_a_chart_of_many_ranks_is_thinned():
    chart = rankings_chart(compare(list(range(5000)), list(range(5000))[::-1]), ("x", "y"))
    curve = [row for row in values_of(chart, 0, 1) if row["curve"] == "point P"]
    assert len(curve) <= 402
    assert curve[-1]["rank"] == 5000
    assert curve[-1]["value"] == 0
