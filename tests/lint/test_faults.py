"""Faults of single files, of the files and of lint itself: the others are checked nevertheless."""

from __future__ import annotations

import json

import pytest

from mensura.errors import InputError
from mensura.lint import committee, engine, rules
from mensura.lint.committee import read_paper
from mensura.lint.engine import Options, lint, lint_text
from mensura.lint.readers.table import DocumentTable, TableCell
from mensura.lint.sources import read_document
from tests.cli.running import mensura

CLAIM = "Our experiments prove it."
DAMAGED = "P@0\n   +---------+--------------+\n   | Robust  | 8.5%         |\n+\n   | GOV2    =| 0.522    +--*--| 10.2%        \n+"


@pytest.fixture
def broken(monkeypatch):
    """Rules that fail at documents with the word ‘unlucky’."""
    whole = rules.check_document

    def check(document):
        if "unlucky" in document.text:
            raise IndexError("list index out of range")
        return whole(document)

    monkeypatch.setattr(engine, "check_document", check)
    monkeypatch.setattr(committee, "check_document", check)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("An unlucky page.\n")
    (tmp_path / "b.md").write_text(CLAIM)
    return tmp_path


def test_a_damaged_grid_has_no_empty_rows():
    document = read_document(DAMAGED, "rst", "x.rst")
    assert document is not None
    assert all(row for table in document.tables for row in table.rows)
    assert lint_text(DAMAGED, "rst", "x.rst", Options()) == []


def test_a_fault_of_ours_is_the_fault_of_one_file(broken, folder):
    first, second = lint(["a.md", "b.md"])
    assert (first.path, first.code, second.path, second.code) == ("a.md", "S002", "b.md", "M001")
    assert "internal error: IndexError: list index out of range" in first.message
    done = mensura("lint", "a.md", "b.md", status=1)
    assert "a.md:1:1: S002" in done.stdout
    assert done.stderr == ""
    assert "Traceback" in mensura("lint", "a.md", "b.md", "--debug", status=1).stderr


def test_a_fault_of_ours_is_a_problem_of_one_paper(broken, folder):
    result = read_paper(Options(), "a.md")
    assert "internal error" in result["problem"]
    assert {point["verdict"] for point in result["points"].values()} == {"cannot be told"}


def test_a_fault_of_ours_is_the_fault_of_one_run(folder, monkeypatch):
    from mensura.lint.readers import runs

    whole = runs.check_runs

    def check(files, texts, judgments):
        if any("unlucky" in text for text in texts):
            raise IndexError("list index out of range")
        return whole(files, texts, judgments)

    monkeypatch.setattr(runs, "check_runs", check)
    (folder / "a.run").write_text("1 Q0 unlucky 1 2.0 t\n")
    (folder / "b.run").write_text("1 Q0 d1 1 2.0 t\n1 Q0 d1 2 1.0 t\n")
    codes = {(finding.path, finding.code) for finding in lint(["a.run", "b.run"])}
    assert ("a.run", "S002") in codes
    assert ("b.run", "D101") in codes
    assert ("b.run", "S002") not in codes


def test_rows_take_time_in_proportion():
    """Work is counted, not timed: the labels of all rows look at each row a fixed number of times."""

    class Counted(list):
        looks = 0

        def __getitem__(self, key):
            Counted.looks += 1
            return super().__getitem__(key)

    def looks(size):
        rows = [[TableCell(0, "run"), TableCell(0, "MAP")], *([TableCell(0, f"s{at}"), TableCell(0, "0.3")] for at in range(size))]
        table = DocumentTable(rows)
        table.kinds = Counted(table.kinds)
        Counted.looks = 0
        for row in range(len(rows)):
            table.left(row)
        return Counted.looks

    assert looks(400) <= 400


def test_sections_name_the_rows_below_them():
    rows = [["run", "MAP"], ["a", "0.1"], ["Sparse", ""], ["b", "0.2"], ["c", "0.3"], ["run", "P@5"], ["d", "0.4"]]
    table = DocumentTable([[TableCell(0, text) for text in row] for row in rows])
    assert table.kinds[2] == "section"
    assert [table.left(row) for row in (1, 3, 4)] == [("a",), ("Sparse", "b"), ("Sparse", "c")]


def test_names_that_do_not_exist_are_told_after_the_others_are_checked(folder):
    done = mensura("lint", "b.md", "nothing.tex", "*.nothing", status=2)
    assert "b.md:1:5: M001" in done.stdout
    assert "nothing.tex: there is no such file" in done.stderr
    assert "*.nothing: no file matches this pattern" in done.stderr
    assert mensura("lint", "nothing.tex", status=2).stdout == ""
    with pytest.raises(InputError, match="there is no such file"):
        lint(["b.md", "nothing.tex"])


def test_statistics_for_programs(folder):
    rows = json.loads(mensura("lint", "b.md", "--statistics", "--format", "json", status=1).stdout)
    assert rows == [{"code": "M001", "name": "proof-by-experiment", "found": 1, "places": 1}]
    assert "not as sarif" in mensura("lint", "b.md", "--statistics", "--format", "sarif", status=2).stderr
