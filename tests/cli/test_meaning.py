"""``mensura meaning``."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from scipy.stats import kendalltau

from mensura import evaluate
from mensura.scales.meaning.dominance import GROUPS, VERDICTS
from tests.cli.running import mensura


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    mensura("demo", "--keep", folder)
    return folder / "qrels.txt", *sorted((folder / "runs").glob("*.txt"))


def test_numbers_of_pairs(campaign):
    found = json.loads(mensura("meaning", *campaign, "-m", "P@10", "RR@10", "--format", "json").stdout)
    assert [each["measure"] for each in found] == ["P@10", "RR@10"]
    assert all(sum(each["pairs"].values()) == 28 and list(each["pairs"]) == list(VERDICTS) for each in found)
    scores = evaluate(campaign[0], campaign[1:], "P@10")["P@10"]
    assert found[0]["ranking"] == [scores.systems[at] for at in sorted(range(8), key=lambda at: -scores.mean()[at])]
    rows = list(csv.DictReader(io.StringIO(mensura("meaning", *campaign, "-m", "P@10", "--format", "csv").stdout)))
    assert {row["verdict"]: int(row["pairs"]) for row in rows} == found[0]["pairs"]
    shown = mensura("meaning", *campaign, "-m", "P@10").stdout
    assert "about 28 pairs of 8 systems" in shown
    assert f"{found[0]['survive']['one scale']} of 28 statements" in shown
    assert found[0]["survive"] == {
        "one scale per topic": found[0]["pairs"]["one scale per topic"],
        "one scale": sum(found[0]["pairs"][group] for group in GROUPS),
    }
    ap = json.loads(mensura("meaning", *campaign, "-m", "AP@10", "--format", "json").stdout)[0]
    assert list(ap["survive"]) == list(GROUPS)
    assert [row["scales"] for row in ap["stretch"]] == list(reversed(GROUPS))
    assert [row["none"] for row in ap["stretch"]] == list(reversed(ap["survive"].values()))


def test_shares_are_of_pairs_with_different_means(tmp_path):
    """By hand: a and b tie on both topics, c is worse on both: two of three pairs have a statement, and nothing reverses it."""
    (tmp_path / "qrels.txt").write_text("1 0 x 1\n2 0 x 1\n")
    for run, documents in (("a", "xyz"), ("b", "xzy"), ("c", "yzx")):
        lines = [f"{topic} Q0 {document} {3 - rank} {rank} {run}" for topic in (1, 2) for rank, document in enumerate(documents)]
        (tmp_path / run).write_text("".join(f"{line}\n" for line in lines).replace(" 0 a", " 0.5 a"))
    shown = " ".join(mensura("meaning", "qrels.txt", "a", "b", "c", "-m", "P@1", cwd=tmp_path).stdout.split())
    assert "2 of 2 statements (100.0 %) survive any one scale for all topics" in shown
    assert "1 pair has equal means" in shown
    assert "100.0 %" in shown.partition("Least stretch that reverses a statement, of pairs with different means")[2]
    alone = mensura("meaning", "qrels.txt", "a", "-m", "P@1", cwd=tmp_path).stdout
    assert alone.startswith("Statements “A has a better mean than B” about 0 pairs of 1 system on 2 topics")
    assert "P@1: there is no pair of systems." in alone


def test_one_line_per_pair(campaign):
    rows = list(csv.DictReader(io.StringIO(mensura("meaning", *campaign, "-m", "RR@10", "--pairs", "--format", "csv").stdout)))
    assert len(rows) == 28
    for row in rows:
        assert float(row["mean_better"]) >= float(row["mean_worse"])
        if row["verdict"] == "reversed":
            assert float(row["interval_better"]) < float(row["interval_worse"])
        if row["verdict"] == "interval scale":
            assert float(row["interval_better"]) > float(row["interval_worse"])
    assert "reversed" in {row["verdict"] for row in rows}
    as_json = json.loads(mensura("meaning", *campaign, "-m", "RR@10", "--pairs", "--format", "json").stdout)
    assert [row["verdict"] for row in as_json] == [row["verdict"] for row in rows]
    without = mensura("meaning", *campaign, "-m", "RR@10", "--pairs", "--no-interval").stdout
    assert "reversed" not in without
    assert "–" in without


def test_an_explanation(campaign, tmp_path):
    chart = tmp_path / "why.svg"
    words = ["meaning", *campaign, "-m", "RR@10", "--explain", "sysC", "sysF"]
    shown = mensura(*words, "--chart", chart).stdout
    assert "mean(sysF) > mean(sysC)" in shown
    assert "the other way round" in " ".join(shown.split())
    assert "transformed RR@10" in chart.read_text(encoding="utf-8")
    found = json.loads(mensura(*words, "--format", "json").stdout)[0]
    assert found["verdict"] == "reversed"
    assert found["means"][0] > found["means"][1]
    assert found["transformed_means"][0] < found["transformed_means"][1]
    assert found["topics_better"] + found["topics_worse"] + found["topics_equal"] == 30
    row = next(csv.DictReader(io.StringIO(mensura(*words, "--format", "csv").stdout)))
    assert row["verdict"] == "reversed"
    safe = mensura("meaning", *campaign, "-m", "P@10", "--explain", "sysD", "sysG", "--chart", chart).stdout
    assert "no monotone transformation changes this" in safe
    assert "no transformation reverses the means" in chart.read_text(encoding="utf-8")


def test_stretch_of_pairs(campaign):
    """No finite index for dominance; P and N by hand from the values of mensura evaluate."""
    rows = list(csv.DictReader(io.StringIO(mensura("meaning", *campaign, "-m", "AP@10", "--pairs", "--format", "csv").stdout)))
    scores = evaluate(campaign[0], campaign[1:], "AP@10")["AP@10"]
    values = dict(zip(scores.systems, scores.values, strict=True))
    for row in rows:
        gaps = np.sort(values[row["better"]]) - np.sort(values[row["worse"]])
        below = -gaps[gaps < -1e-15].sum()
        expected = gaps[gaps > 0].sum() / below if below else np.inf
        assert float(row["stretch_one_scale"]) == pytest.approx(expected)
        assert (row["verdict"] in GROUPS) == (below == 0)
        gaps = values[row["better"]] - values[row["worse"]]
        assert float(row["stretch_per_topic"]) == pytest.approx(gaps[gaps > 0].sum() / -gaps[gaps < 0].sum())
    by_phi = json.loads(mensura("meaning", *campaign, "-m", "RR@10", "--base", "interval", "--format", "json").stdout)[0]
    assert by_phi["base"] == "ranks on the interval scale"
    assert by_phi["pairs"]["reversed"] == 0
    table = mensura("meaning", *campaign, "-m", "AP@10", "--pairs").stdout
    assert "∞" in table
    assert "base scale: the values of the measure" in " ".join(table.split())


def test_lines_of_an_explanation_agree(campaign):
    """The groups are nested: what the larger one does not change, the smaller one does not either."""
    for pair in (("sysD", "sysG"), ("sysA", "sysB"), ("sysC", "sysF")):
        found = json.loads(mensura("meaning", *campaign, "-m", "AP@10", "--explain", *pair, "--format", "json").stdout)[0]
        assert list(found["survives"].values()) == sorted(found["survives"].values())
        stretch = [float(found["stretch"][group]) for group in GROUPS]
        assert stretch == sorted(stretch)
        assert [index == float("inf") for index in stretch] == list(found["survives"].values())


def test_undecided_statements_have_a_reason(campaign):
    shown = " ".join(mensura("meaning", *campaign, "-m", "AP@10", "--no-interval").stdout.split())
    assert "undecided, because no interval scale was asked for" in shown
    bounded = " ".join(mensura("meaning", *campaign, "-m", "AP@100", "--universe", "observed", "--width", "0.2").stdout.split())
    assert "undecided, because AP@100: mid-p, the proportion of runs beaten, among runs like those of the collection" in bounded


def test_the_chart_of_all_pairs(campaign, tmp_path):
    chart = tmp_path / "pairs.svg"
    mensura("meaning", *campaign, "-m", "P@10", "--chart", chart)
    assert "one scale per recall base" in chart.read_text(encoding="utf-8")


def test_systems_that_are_equal_on_every_topic(campaign, tmp_path):
    twin = tmp_path / "twin.txt"
    twin.write_text(campaign[1].read_text(encoding="utf-8").replace("sysA", "twin"), encoding="utf-8")
    shown = mensura("meaning", campaign[0], campaign[1], twin, "-m", "P@10", "--explain", "sysA", "twin").stdout
    assert "the values are the same, and no transformation tells the systems apart" in " ".join(shown.split())
    assert "equal means" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--explain", "sysA", "sysX"], "unknown system 'sysX'; there are sysA, sysB"),
        (["--explain", "sysA", "sysA"], "name two"),
        (["--chart", "x.bmp"], "cannot draw"),
        (["-m", "AP@x"], "AP@x"),
    ],
)
def test_bad_questions(campaign, words, message):
    assert message in mensura("meaning", *campaign, *words, status=2).stderr


def test_statements_in_general():
    shown = mensura("meaning", "--statement", "mean(A) / mean(B) > 2").stdout
    assert "ratio: yes" in shown
    assert "interval: no, β changes the ratio" in shown
    found = json.loads(mensura("meaning", "--statement", "topics(A > B) > 25", "-f", "json").stdout)
    assert {row["scale"]: row["meaningful"] for row in found} == {
        "nominal": False,
        "ordinal": True,
        "interval": True,
        "ratio": True,
    }


def test_statements_about_runs(campaign):
    """The same verdict as --explain, and a transformation that does what it says."""
    words = ["meaning", *campaign, "-m", "RR@10", "--format", "json"]
    rows = json.loads(mensura(*words, "--statement", "mean(sysF) > mean(sysC)").stdout)
    explained = json.loads(mensura(*words, "--explain", "sysF", "sysC").stdout)[0]
    by_scale = {(row["scale"], row["scales"]): row for row in rows}
    assert by_scale["ordinal", "one scale"]["meaningful"] is explained["survives"]["one scale"] is False
    assert by_scale["ordinal", "one scale"]["transformed"] == explained["transformed_means"]
    assert by_scale["interval", ""]["meaningful"] is True
    assert "true of RR@10" in mensura("meaning", *campaign, "-m", "RR@10", "--statement", "median(sysF) >= median(sysC)").stdout
    assert "there are no values of 'sysX'" in mensura(*words, "--statement", "mean(sysX) > 0", status=2).stderr
    assert "or --statement" in mensura("meaning", status=2).stderr
    assert "or --statement" in mensura("meaning", campaign[0], status=2).stderr


def test_correlations_of_measures(campaign):
    """SciPy's τ_b of the scores, topic by topic and of their means."""
    rows = json.loads(mensura("meaning", *campaign, "-m", "AP@10", "P@10", "RR@10", "--correlations", "-f", "json").stdout)
    scores = evaluate(campaign[0], campaign[1:], ["AP@10", "P@10", "RR@10"])
    assert [(row["first"], row["second"]) for row in rows] == [("AP@10", "P@10"), ("AP@10", "RR@10"), ("P@10", "RR@10")]
    for row in rows:
        one, other = (np.round(scores[row[side]].values, 12) for side in ("first", "second"))
        taus = [kendalltau(a, b).statistic for a, b in zip(one.T, other.T, strict=True) if np.ptp(a) and np.ptp(b)]
        assert row["topics"] == len(taus)
        assert row["by_topic"] == pytest.approx(np.mean(taus))
        assert (row["lowest"], row["highest"]) == pytest.approx((min(taus), max(taus)))
        means = [np.round(values.mean(axis=1), 12) for values in (one, other)]
        assert row["overall"] == pytest.approx(kendalltau(*means).statistic)
    assert "at least 2 measures" in mensura("meaning", *campaign, "-m", "AP@10", "--correlations", status=2).stderr


def test_standard_input_is_read_once():
    assert "only once" in mensura("meaning", "-", "-", status=2).stderr
