"""``mensura meaning``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from mensura import evaluate
from mensura.scales.meaning.dominance import VERDICTS
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
    assert "28 statements" in shown
    assert f"{found[0]['pairs']['every topic'] + found[0]['pairs']['every monotone scale']} of 28 statements" in shown


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


def test_the_chart_of_all_pairs(campaign, tmp_path):
    chart = tmp_path / "pairs.svg"
    mensura("meaning", *campaign, "-m", "P@10", "--chart", chart)
    assert "every monotone scale" in chart.read_text(encoding="utf-8")


def test_systems_that_are_equal_on_every_topic(campaign, tmp_path):
    twin = tmp_path / "twin.txt"
    twin.write_text(campaign[1].read_text(encoding="utf-8").replace("sysA", "twin"), encoding="utf-8")
    shown = mensura("meaning", campaign[0], campaign[1], twin, "-m", "P@10", "--explain", "sysA", "twin").stdout
    assert "The values are the same: no transformation tells the systems apart." in shown


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


def test_standard_input_is_read_once():
    assert "only once" in mensura("meaning", "-", "-", status=2).stderr
