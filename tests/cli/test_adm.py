"""``mensura adm``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from mensura.study.example import example
from tests.cli.running import mensura


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    """Judgments, all runs, and the first run."""
    folder = tmp_path_factory.mktemp("campaign")
    qrels, runs = example(3, systems=4, topics=6, documents=120, depth=30).write(folder)
    return qrels, folder / "runs" / "*.txt", runs[0]


def test_systems_by_grade(campaign):
    qrels, runs, _ = campaign
    shown = mensura("adm", qrels, runs).stdout
    assert "grade 3" in shown
    assert all(system in shown for system in ("sysA", "sysB", "sysC", "sysD"))
    rows = list(csv.DictReader(io.StringIO(mensura("adm", qrels, runs, "--format", "csv").stdout)))
    means = csv.DictReader(io.StringIO(mensura("evaluate", qrels, runs, "-m", "ADM", "--format", "csv").stdout))
    assert {row["system"]: float(row["adm"]) for row in rows} == pytest.approx({row["system"]: float(row["mean"]) for row in means})


def test_one_topic(campaign, tmp_path):
    qrels, _, run = campaign
    chart = tmp_path / "plane.svg"
    shown = mensura("adm", qrels, run, "--topic", "2", "-m", "ADM@10", "--chart", chart).stdout
    assert "sysA, topic 2: ADM@10 = " in shown
    assert "median SRS" in shown
    assert "scored too high" in chart.read_text()
    found = json.loads(mensura("adm", qrels, run, "--topic", "2", "-m", "ADM@10", "--format", "json").stdout)
    assert len(found["documents"]) == 10
    assert found["value"] == pytest.approx(1 - sum(row["distance"] for row in found["documents"]) / 10)
    assert found["documents"][0]["rank"] == 1
    rows = mensura("adm", qrels, run, "--topic", "2", "-m", "ADM(documents='assessed')", "--format", "csv").stdout.splitlines()
    assert rows[0] == "rank,score,grade,srs,urs,distance"
    assert rows[-1].startswith(",,0,0.0,")  # not retrieved


def test_correlations(campaign):
    qrels, runs, _ = campaign
    words = ("adm", qrels, runs, "--correlations", "--cutoffs", "5,10", "-m", "ADM(urs='ends')")
    shown = mensura(*words).stdout
    assert "rankings of 4 systems by their means over 6 topics" in shown
    assert "ADM(srs='rank', documents='pool')@10" in shown
    rows = json.loads(mensura(*words, "--format", "json").stdout)
    by_name = {row["measure"]: row for row in rows}
    assert by_name["AP"]["AP"] == 1.0
    assert "ADM(urs='ends')" in by_name
    assert len(mensura(*words, "--format", "csv").stdout.splitlines()) == len(rows) + 1


def test_stability(campaign, tmp_path):
    qrels, runs, _ = campaign
    chart = tmp_path / "stability.svg"
    shown = mensura("adm", qrels, runs, "--stability", "--samples", "20", "--cutoffs", "5,10", "--chart", chart).stdout
    assert "stable from" in shown
    assert "number of topics" in chart.read_text()
    rows = json.loads(mensura("adm", qrels, runs, "--stability", "--samples", "20", "--format", "json").stdout)
    assert {row["of"] for row in rows} == {"topics", "documents"}


def test_calibration(campaign, tmp_path):
    qrels, runs, run = campaign
    chart = tmp_path / "reliability.svg"
    shown = mensura("adm", qrels, runs, "--calibration", "--chart", chart).stdout
    assert "best learnt" in shown
    assert "mean URS" in chart.read_text()
    alone = mensura("adm", qrels, run, "--calibration").stdout
    assert "steps of linear SRS" in alone
    assert "sysA: " in alone
    rows = json.loads(mensura("adm", qrels, runs, "--calibration", "--format", "json", "--system", "sysB").stdout)
    assert [row["system"] for row in rows] == ["sysB"]
    assert rows[0]["as given"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "AP", "--calibration"], "AP is not a variant of ADM, which --calibration is about"),
        (["-m", "AP", "--topic", "1"], "AP is not a variant of ADM, which --topic is about"),
        (["--topic", "99"], "unknown topic '99'; there are 1, 2"),
        (["--system", "x"], "unknown system 'x'"),
        (["--chart", "x.svg"], "add --topic, --stability or --calibration"),
        (["--topic", "1", "--chart", "x.jpg"], "the name must end in"),
        (["--correlations"], "at least 2 systems, got 1"),
        (["--correlations", "--cutoffs", "5,x"], "whole numbers with commas"),
        (["--calibration", "-m", "ADM(srs='rank')"], "name a measure from scores"),
        (["-m", "ADM(documents='pool')"], "say how many"),
        (["-m", "ADM(srs='given')"], "they must lie between 0 and 1"),
        (["-m", "ADM(sorcery=1)"], "it has srs, per, trim"),
        (["--topic", "1", "--calibration"], "not allowed with"),
    ],
)
def test_bad_questions(campaign, words, message):
    qrels, _, run = campaign
    assert message in mensura("adm", qrels, run, *words, status=2).stderr


def test_one_system_must_be_chosen_for_a_topic(campaign):
    qrels, runs, _ = campaign
    assert "there are 4: name one run" in mensura("adm", qrels, runs, "--topic", "1", status=2).stderr
    assert "sysB, topic 1" in mensura("adm", qrels, runs, "--topic", "1", "--system", "sysB").stdout


def test_measures_from_scores_in_other_commands(campaign):
    """Scores are kept when a measure needs them, also inside another one and from a plug-in."""
    qrels, runs, run = campaign
    assert "ADM@10" in mensura("evaluate", qrels, run, "-m", "GM(ADM@10)").stdout
    assert "has none to be mapped to" in " ".join(mensura("compare", qrels, runs, "-m", "ADM@10").stdout.split())
    assert "no scale over judged runs" in mensura("evaluate", qrels, run, "-m", "ADM@5", "--interval", status=2).stderr
    counted = "ADM(srs='rank', retrieved=30)@5"
    assert "φ " + counted in mensura("evaluate", qrels, run, "-m", counted, "--interval").stdout


def test_a_plugin_may_use_scores(campaign, write):
    qrels, _, run = campaign
    plugin = write(
        "top.py",
        """
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from mensura import Measure, register

@register
@dataclass(frozen=True, kw_only=True, repr=False)
class Top(Measure):
    '''The highest score.'''
    name: ClassVar[str] = "Top"
    uses_scores: ClassVar[bool] = True
    def score(self, judged):
        return np.nanmax(judged.scores, axis=2)
""",
    )
    rows = mensura("evaluate", qrels, run, "-m", "Top", "--plugin", plugin, "-q", "--format", "csv").stdout.splitlines()
    first = run.read_text().split()[4]
    assert rows[1] == f"sysA,1,Top,{float(first)!r}"
