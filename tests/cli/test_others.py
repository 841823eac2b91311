"""``mensura measures``, ``mensura demo``, and ``mensura`` itself."""

from __future__ import annotations

import csv
import io
import json
import os

import pytest

from mensura import __version__
from mensura.io.caches import keep
from mensura.measures import REGISTRY
from tests.cli.running import mensura, mensura_process


def test_help_and_version():
    shown = mensura("--help").stdout
    assert all(command in shown for command in ("evaluate", "measures", "demo"))
    assert mensura("--version").stdout == f"mensura {__version__}\n"
    assert (
        mensura("evalaute", status=2).stderr == "mensura: unknown command 'evalaute'; did you mean 'evaluate'? (--help lists all)\n"
    )
    assert mensura("evaluate", "--formt", "csv", "q", "r", status=2).stderr == (
        "mensura evaluate: unknown option --formt; did you mean '--format'? (--help lists all)\n"
    )
    assert (
        mensura("evaluate", status=2).stderr
        == "mensura evaluate: missing: QRELS, RUN (mensura evaluate --help describes the command)\n"
    )
    assert mensura("ledger", "list", "--formt", status=2).stderr.startswith(
        "mensura ledger list: unknown option --formt; did you mean"
    )
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


def test_the_list_of_measures_and_the_help_fit_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for words in (["measures"], ["--help"]):
        assert max(map(len, mensura(*words).stdout.splitlines())) <= 80


def test_the_cache_is_shown_and_emptied_of_our_files_only(tmp_path, monkeypatch):
    monkeypatch.setenv("MENSURA_CACHE", str(tmp_path))
    keep("sweep", "AP@30", b"1234")
    (tmp_path / "thesis.txt").write_text("years of work")
    (tmp_path / "sweep-link").symlink_to(tmp_path / "thesis.txt")
    assert mensura("cache").stdout == f"{tmp_path}\n1 file, 58 bytes\n"
    assert json.loads(mensura("cache", "clear", "-f", "json").stdout) == {
        "version": 1,
        "folder": str(tmp_path),
        "files": 1,
        "bytes": 58,
        "deleted": True,
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sweep-link", "thesis.txt"]
    monkeypatch.setenv("MENSURA_CACHE", "off")
    assert "Nothing is kept" in mensura("cache", "clear").stdout


@pytest.mark.parametrize(
    ("line", "expected"),
    [("mensura eval", {"evaluate"}), ("mensura compare --corr", {"--correction"}), ("mensura rankings --fo", {"--format"})],
)
def test_a_shell_completes_commands_and_options(line, expected, tmp_path):
    pytest.importorskip("argcomplete", reason="needs the extra completion")
    answer = tmp_path / "answer"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_IFS": "\n",
    }
    mensura_process(env=os.environ | asked)
    assert set(answer.read_text().replace(" ", "").split()) == expected


def test_the_demo_writes_no_warnings(tmp_path):
    assert mensura_process("demo", "--keep", tmp_path / "campaign").stderr == ""
