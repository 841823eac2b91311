"""``mensura measures``, ``mensura demo``, and ``mensura`` itself."""

from __future__ import annotations

import csv
import io
import json

from mensura import __version__
from mensura.measures import REGISTRY
from tests.cli.running import mensura


def test_help_and_version():
    shown = mensura("--help").stdout
    assert all(command in shown for command in ("evaluate", "measures", "demo"))
    assert mensura("--version").stdout == f"mensura {__version__}\n"
    assert "unknown value 'evalaute'; did you mean 'evaluate'?" in mensura("evalaute", status=2).stderr
    assert "usage: mensura" in mensura(status=2).stdout


def test_measures_are_listed_with_their_facts():
    facts = json.loads(mensura("measures", "--format", "json").stdout)
    assert {fact["measure"] for fact in facts} == set(REGISTRY)
    by_name = {fact["measure"]: fact for fact in facts}
    assert by_name["AP"]["recall_base"] is True
    assert by_name["AP"]["trec_eval"] == "map"
    assert by_name["MFR"]["better"] == "lower"
    assert by_name["DCG"]["highest"] is None
    assert all(fact["summary"].endswith((".", "?")) for fact in facts)
    rows = list(csv.DictReader(io.StringIO(mensura("measures", "--format", "csv").stdout)))
    assert len(rows) == len(facts)
    assert "nDCG" in mensura("measures").stdout
    about = mensura("measures", "RBP(p=0.5)", "AP").stdout
    assert "Moffat and Zobel" in about
    assert "trec_eval    map" in about
    assert "RBP(p=0.5)" in about


def test_the_demo_shows_a_leaderboard_that_can_be_made_by_hand(tmp_path):
    shown = mensura("demo", "--keep", "campaign", cwd=tmp_path).stdout
    assert "8 systems, 30 topics" in shown
    command = shown.splitlines()[-1].split()
    runs = sorted((tmp_path / "campaign" / "runs").glob("*.txt"))
    assert len(runs) == 8
    options = [word.strip("'") for word in command[4:]]
    again = mensura("evaluate", tmp_path / "campaign" / "qrels.txt", *runs, *options).stdout
    assert again in shown
    assert mensura("demo").stdout.replace("campaign", "") == shown.replace("campaign", "")
    assert mensura("demo", "--seed", "9").stdout != shown
    assert "a seed is a whole number" in mensura("demo", "--seed", "-1", status=2).stderr
