"""JSON that the command line writes: an object carries the version of its keys, a list has none."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.running import call, mensura

RUNS = ("qrels.txt", "runs/sys1.txt", "runs/sys2.txt", "runs/sys3.txt")
OBJECTS = [
    ("evaluate", *RUNS, "-m", "P@5"),
    ("evaluate", *RUNS, "-m", "P@5", "-q"),
    ("evaluate", *RUNS, "-m", "P@5", "--interval"),
    ("evaluate", *RUNS, "-m", "P@5", "--means-only"),
    ("compare", *RUNS, "-m", "P@5"),
    ("compare", *RUNS, "-m", "P@5", "--baseline", "sys1"),
    ("compare", *RUNS, "-m", "P@5", "--means-only"),
    ("scale", "AP@5"),
    ("order", "0110", "1010"),
    ("order", "3"),
    ("validate", *RUNS, "-m", "P@5"),
    ("describe", *RUNS),
    ("rankings", "a,b,c", "b,a,c"),
    ("rankings", "a,b,c", "b,a,c", "c,b,a"),
    ("rankings", "--reference", "a,b,c", "b,a,c", "c,b,a"),
    ("cache",),
    ("reproduce", "values.csv"),
]
LISTS = [
    ("meaning", *RUNS, "-m", "P@5"),
    ("meaning", *RUNS, "-m", "P@5", "--pairs"),
    ("properties", "AP@5"),
    ("adm", *RUNS, "-m", "ADM"),
    ("measures",),
    ("lint", "qrels.txt"),
    ("ledger", "list"),
]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json") / "campaign"
    mensura("simulate", "-o", folder, "--systems", "3", "--topics", "6", "--documents", "40", "--depth", "10")
    mensura("evaluate", *RUNS, "-m", "P@5", "-f", "csv", "-o", "values.csv", cwd=folder)
    mensura("compare", *RUNS, "-m", "P@5", cwd=folder, env={"MENSURA_LEDGER": str(folder / "ledger.sqlite")})
    return folder


@pytest.mark.parametrize("words", OBJECTS, ids=" ".join)
def test_objects_carry_the_version_of_their_keys(campaign, words):
    document = json.loads(mensura(*words, "-f", "json", cwd=campaign).stdout)
    assert isinstance(document, dict)
    assert document["version"] >= 1
    assert len(document) > 1


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_lists_of_rows_have_none(campaign, words):
    ledger = {"MENSURA_LEDGER": str(campaign / "ledger.sqlite")}
    rows = json.loads(mensura(*words, "-f", "json", cwd=campaign, env=ledger).stdout)
    assert isinstance(rows, list)
    assert all("version" not in row for row in rows)


def test_every_command_with_json_is_tried():
    """A command that begins to write JSON needs a line above."""
    names = re.findall(r"^ {2}([a-z]+) {2,}", call(["--help"]).stdout, re.MULTILINE)
    assert {"evaluate", "cache"} <= set(names)
    tried = {words[0] for words in OBJECTS + LISTS}
    writers = {name for name in names if re.search(r"--format \{[a-z_,]*json", call([name, "--help"]).stdout)}
    assert writers <= tried


def test_files_carry_it_too(campaign):
    assert json.loads((campaign / "truth.json").read_text())["version"] == 1
