"""``mensura properties``, and the scale columns of ``mensura measures``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.cli.running import mensura

PLUGIN = '''
from dataclasses import dataclass
from typing import ClassVar
from mensura import Measure, register

@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Last(Measure):
    """The grade at the last rank."""
    name: ClassVar[str] = "Last"

    def score(self, judged):
        return judged.grades[:, :, -1].clip(0).astype(float)
'''


def test_facts_and_counterexamples():
    found = json.loads(mensura("properties", "AP@10", "RBP(p=0.5)@10", "--format", "json").stdout)
    ap, rbp = found
    assert (ap["measure"], ap["length"], ap["scale"], rbp["scale"]) == ("AP@10", 10, "ordinal", "interval")
    assert ap["properties"]["interval_like"]["holds"] is False
    assert ap["properties"]["interval_like"]["runs"] == ["0000000000", "0100000000", "1000000000", "1100000000"]
    assert [name for name, fact in rbp["properties"].items() if not fact["holds"]] == ["weak"]  # P0 §1
    rows = list(csv.DictReader(io.StringIO(mensura("properties", "AP@10", "--format", "csv").stdout)))
    assert [row["answer"] for row in rows] == ["Proven", "Proven", *["Refuted"] * 5]
    shown = mensura("properties", "DCG(base=2)", "--length", "4").stdout
    assert "[0100, 1000] is at least as large as [0010, 0100]" in shown


def test_a_measure_of_ones_own(tmp_path):
    plugin = tmp_path / "last.py"
    plugin.write_text(PLUGIN, encoding="utf-8")
    found = json.loads(mensura("properties", "Last", "--length", "3", "--plugin", plugin, "--format", "json").stdout)
    facts = found[0]["properties"]
    assert facts["swap"] == {"holds": False, "reason": facts["swap"]["reason"], "runs": ["001", "010"]}
    assert facts["equispaced"]["holds"] is None
    assert "floating point" in mensura("properties", "Last", "--length", "3", "--plugin", plugin).stdout


def test_the_chart(tmp_path):
    chart = tmp_path / "values.svg"
    mensura("properties", "AP@4", "RBP(p=0.5)@4", "--chart", chart)
    assert "0110" in chart.read_text(encoding="utf-8")
    mensura("properties", "P@8", "DCG(gains={1: 0})", "--length", "8", "--chart", chart)
    assert "00000000" not in chart.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["P@3", "--length", "5"], "needs runs of length 3 or less, got length 5"),
        (["P", "--grades", "0;1"], "write the grades with commas"),
        (["P", "--grades", "0,3"], "without a gap"),
        (["P@20", "--chart", "x.svg"], "too many to draw"),
        (["Pp"], "Pp"),
    ],
)
def test_bad_questions(words, message):
    assert message in mensura("properties", *words, status=2).stderr


def test_measures_are_listed_with_their_scales():
    """P4 §IV-B: P, R, F are interval scales for one topic (and count), AP and RR are not; P0: RBP on intervals of equal mass."""
    facts = {fact["measure"]: fact for fact in json.loads(mensura("measures", "--format", "json").stdout)}
    assert {name: facts[name]["scale"] for name in ("P", "R", "F", "AP", "RR", "ERR", "DCG", "NumRel")} == {
        "P": "ratio",
        "R": "ratio",
        "F": "ratio",
        "AP": "ordinal",
        "RR": "ordinal",
        "ERR": "ordinal",
        "DCG": "ordinal",
        "NumRel": "ratio",
    }
    assert {name: facts[name]["interval_like"] for name in ("RBP", "DCG", "AP", "ERR")} == {
        "RBP": "equal",
        "DCG": "equal",
        "AP": "none",
        "ERR": "none",
    }


def test_set_based_measures_on_lists_of_different_length():
    """P4 §IV-D: with n and RB fixed equally spaced, on S[4, 3] not."""
    assert mensura("properties", "P", "R", "F", "--lengths", "4", "--recall-bases", "3").stdout.count(", equally spaced") == 3
    shown = mensura("properties", "P", "--lengths", "1-4", "--recall-bases", "1-3").stdout
    assert "not equally spaced: 0, 1/4, 1/3 follow one another" in shown
    rows = json.loads(mensura("properties", "R", "--lengths", "1-4", "--recall-bases", "3", "-f", "json").stdout)
    assert rows[0]["values"] == "0 1/3 2/3 1"
    assert "belong together" in mensura("properties", "P", "--lengths", "4", status=2).stderr
    assert "write a number or a range" in mensura("properties", "P", "--lengths", "x", "--recall-bases", "1", status=2).stderr
    assert "not a set-based measure" in mensura("properties", "P@3", "--lengths", "4", "--recall-bases", "1", status=2).stderr
