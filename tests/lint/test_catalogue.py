"""Every rule has what a reader needs, and its own examples are found and not found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mensura.lint.engine import lint
from mensura.lint.explanation import find_rule, index
from mensura.lint.rules import CATALOGUE
from tests.lint.page import written

DOCS = Path(__file__).parents[2] / "docs"


def found(rule, example, folder):
    """The codes found in an example; what stands before a line of dashes are judgments, or another run."""
    *others, text = example.split("---\n")
    files = [folder / f"example{rule.ending}", folder / "other"][: 1 + len(others)]
    for file, content in zip(files, [text, *others], strict=True):
        file.write_text(content, encoding="utf-8")
    return {finding.code for finding in lint(map(str, files))}


@pytest.mark.parametrize("code", CATALOGUE)
def test_the_wrong_example_is_found(code, tmp_path):
    assert code in found(CATALOGUE[code], CATALOGUE[code].wrong, tmp_path)


@pytest.mark.parametrize("code", CATALOGUE)
def test_nothing_is_found_in_the_right_example(code, tmp_path):
    assert found(CATALOGUE[code], CATALOGUE[code].right, tmp_path) == set()


@pytest.mark.parametrize("code", CATALOGUE)
def test_a_rule_tells_everything(code):
    rule = CATALOGUE[code]
    assert re.fullmatch(r"[MDNS]\d{3}", code)
    assert re.fullmatch(r"[a-z]+(?:-[a-z]+)*", rule.name)
    assert rule.reason.endswith(".")
    assert rule.fix.endswith(".")
    assert not rule.consequence.endswith(".")
    assert rule.references or code[0] == "S"
    levels = ["note", "warning", "error"]
    assert levels.index(rule.strict) >= levels.index(rule.severity)
    assert find_rule(rule.name) is find_rule(code.lower()) is rule
    assert code in index()


def test_the_commandments_are_errors_in_the_strict_profile():
    assert {rule.strict for rule in CATALOGUE.values() if rule.code[0] == "M"} == {"error"}


@pytest.mark.parametrize("page", ["lint.md", "numbers.md"])
def test_the_documentation_has_the_rules(page):
    assert (DOCS / page).read_text(encoding="utf-8") == written(page), "run python -m tests.lint.page"
