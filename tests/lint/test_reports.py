"""One finding for each document and rule; settings of a project, baselines, statistics, annotations."""

from __future__ import annotations

import json
import os

import pytest

from mensura.errors import InputError
from mensura.lint.engine import Options, lint, lint_text
from mensura.lint.outputs import as_github, as_sarif, as_text, statistics
from mensura.lint.settings import find_settings, ignored
from tests.cli.running import mensura

THREE = "We report MRR of 0.31.\n\nMRR rises to 0.35.\n\nOurs reaches an MRR of 0.4.\n"


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page with a mistake three times, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text(THREE)
    return "page.md"


def test_a_repeated_mistake_is_one_finding_with_its_places(page):
    (finding,) = lint([page])
    assert (finding.line, finding.column) == (1, 11)
    assert [(spot.line, spot.column, spot.detail) for spot in finding.spots] == [(3, 1, "MRR"), (5, 17, "MRR")]
    assert as_text([finding]).splitlines()[0].endswith("(MRR); also 3:1, 5:17")


def test_files_are_documents_and_a_folder_of_pages_is_one(page, tmp_path):
    (tmp_path / "other.md").write_text(THREE)
    assert [(finding.path, len(finding.spots)) for finding in lint([page, "other.md"])] == [("page.md", 2), ("other.md", 2)]
    (finding,) = lint([str(tmp_path)])
    assert len(finding.spots) == 5
    assert str(tmp_path / "page.md") in {spot.path for spot in finding.spots}


def test_the_longest_beginning_of_a_code_decides():
    assert "M101" not in Options(select=("M1",), ignore=("M101",)).active()
    assert "M101" in Options(select=("M101",), ignore=("M1",)).active()
    assert "M101" in Options(select=("ALL",), ignore=("M2",)).active()
    assert Options(ignore=("ALL",)).active() == frozenset()


def test_what_is_not_sure_is_a_note():
    (finding,) = lint_text("The nDCG@10 of the run is 0.4213.", "markdown", "page.md", Options())
    assert (finding.code, finding.severity) == ("M301", "note")
    (finding,) = lint_text("Over 50 topics, the nDCG@10 of the run is 0.4213.", "markdown", "page.md", Options())
    assert (finding.code, finding.severity) == ("M301", "warning")


def test_settings_are_found_above_and_options_replace_them(page, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.mensura.lint]\nprofile = "strict"\nignore = ["M101"]\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert find_settings(str(below)).ignore == ("M101",)
    assert mensura("lint", page).stdout == "Nothing found.\n"
    assert "M101" in mensura("lint", page, "--isolated", status=1).stdout
    assert "M101" in mensura("lint", page, "--ignore", "M2", status=1).stdout
    (tmp_path / "mensura.toml").write_text('[lint]\nselect = ["M1"]\n')
    assert find_settings(str(below)).select == ("M1",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[lint]\nselct = ["M1"]', "unknown keys of lint: selct; use profile, select"),
        ('[lint]\nprofile = "loud"', "unknown profile 'loud'"),
        ('[lint]\nselect = "M1"', "select is not a list of codes"),
        ("[lint]\nper-file-ignores = 3", "per-file-ignores is not a table"),
        ("[lint", "cannot be read"),
    ],
)
def test_settings_that_are_wrong_are_told(text, words, tmp_path):
    (tmp_path / "mensura.toml").write_text(text)
    with pytest.raises(InputError, match=words):
        find_settings(str(tmp_path))


def test_rules_are_ignored_in_some_files(page, tmp_path):
    (tmp_path / "mensura.toml").write_text('[lint.per-file-ignores]\n"old/*" = ["M1"]\n"draft.md" = ["ALL"]\n')
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "page.md").write_text(THREE)
    (tmp_path / "draft.md").write_text(THREE)
    out = mensura("lint", page, "old/page.md", "draft.md", status=1).stdout
    assert out.count("M101 a mean") == 1
    assert out.startswith("page.md:1:11")
    assert ignored("old/page.md", {"old/*": ("M1",)}, str(tmp_path)) == ("M1",)


def test_a_baseline_hides_what_was_there(page, tmp_path):
    assert mensura("lint", page, "--baseline", "known.json").stdout == "Nothing found.\n"
    (tmp_path / page).write_text("A new first line.\n\n" + THREE + "\nOur experiments prove it. The MRR is 0.5 now.\n")
    out = mensura("lint", page, "--baseline", "known.json", status=1).stdout
    assert "page.md:9:5: M001" in out
    assert "page.md:9:31: M101" in out
    assert "also" not in out
    (tmp_path / "known.json").write_text("[]")
    assert "is not a baseline" in mensura("lint", page, "--baseline", "known.json", status=2).stderr


def test_statistics_count_findings_and_places(page):
    assert mensura("lint", page, "--statistics", status=1).stdout.splitlines()[1] == "    1       3  M101  mean-reciprocal-rank"
    assert statistics([]) == "found  places  rule\nNothing found.\n"


def test_annotations_of_github(page):
    line = as_github(lint([page])).splitlines()[0]
    assert line.startswith("::warning file=page.md,line=1,col=11,endLine=1,endColumn=14,title=M101 mean-reciprocal-rank::a mean of")
    assert as_github(lint_text("Our experiments prove 5 % more.", "markdown", "a,b:c.md", Options())).startswith(
        "::warning file=a%2Cb%3Ac.md,line=1"
    )


def test_sarif_has_the_other_places(page):
    (result,) = json.loads(as_sarif(lint([page]), "neutral", "1"))["runs"][0]["results"]
    assert [each["physicalLocation"]["region"]["startLine"] for each in result["relatedLocations"]] == [3, 5]


@pytest.mark.parametrize("text", ["[tool.ruff]\nline-length = 100\n", 'name = "x"\nversion = "1"\n', "runs = 3\nseed = 1\n"])
def test_settings_of_other_programs_are_not_plans(text):
    assert lint_text(text, "plan", "x.toml", Options()) == []


def test_a_baseline_is_of_files_not_of_words_for_them(page, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "x.md").write_text("Our experiments prove it.", encoding="utf-8")
    done = mensura("lint", "sub/x.md", "--baseline", "known.json", cwd=tmp_path)
    assert "wrote the baseline known.json: 1 place is known" in done.stderr
    for words, folder in ((["./sub/x.md"], "."), (["x.md"], "sub"), ([tmp_path / "sub" / "x.md"], ".")):
        known = os.path.relpath(tmp_path / "known.json", tmp_path / folder)
        assert mensura("lint", *words, "--baseline", known, cwd=tmp_path / folder).stdout == "Nothing found.\n"


def test_a_place_is_listed_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("Our experiments prove it.", encoding="utf-8")
    assert [(each.path, len(each.spots)) for each in lint(["a.md", "./a.md", "a.md"])] == [("a.md", 0)]
    for name, text in (
        ("one", r"\documentclass{article}\input{part}"),
        ("two", r"\documentclass{article}\input{part}"),
        ("part", "Our experiments prove it.\n\\input{one}\n\\input{./part}"),
    ):
        (tmp_path / f"{name}.tex").write_text(text, encoding="utf-8")
    assert [(each.path, len(each.spots)) for each in lint(["one.tex", "two.tex"])] == [("part.tex", 0)]


def test_numbers_are_findings_of_their_own():
    text = "P@10 rises from 0.312 to 0.341 (+12.3%).\n\nP@5 rises from 0.41 to 0.44 (+17.3%). MRR is 0.3. The MRR rises to 0.4."
    found = [(each.code, len(each.spots)) for each in lint_text(text, "markdown", "x.md", Options(select=("N", "M101")))]
    assert sorted(found) == [("M101", 1), ("N001", 0), ("N001", 0)]


def test_an_open_bracket_is_not_part_of_the_words():
    text = "| run | P@5 |\n|---|---|\n| a | 0.312 |\n| b | 0.341 (+12.7%) |\n| c | 0.343 (+9.9%) |\n| d | 0.35 (+12.2%) |\n"
    (finding,) = lint_text(text, "markdown", "x.md", Options(select=("M401",)))
    assert finding.message.endswith("give the difference (+12.7%)")
