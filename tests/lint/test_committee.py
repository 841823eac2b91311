"""A folder for a committee: verdicts on P3's ten points, quotations, the checklist; deterministic, parallel, resumed."""

from __future__ import annotations

import csv
import json
import re
import sys

import pytest

from mensura.engines.processes import spread_processes
from mensura.lint.checklist import CHECKLIST
from mensura.lint.committee import papers, read_paper, slugs
from mensura.lint.engine import Options, lint
from tests.cli.running import mensura

GOOD = r"""\documentclass{article}\title{A \emph{careful} paper}
\begin{document}
We stated the hypothesis before the experiment. On 50 topics nDCG@10 rises from 0.41 to 0.44.
We use five-fold cross-validation over topics. A t-test with Holm's correction gives p = 0.01 (d = 0.4).
The code is at https://github.com/someone/something.
\end{document}
"""
BAD = r"""\documentclass{article}\title{A bold paper}
\begin{document}
Our experiments prove that reranking helps: <b>it</b> improves MRR@10 by 12.4\% ($p < 0.05$).
MRR@10 is 0.41 now.
\end{document}
"""


@pytest.fixture
def submissions(tmp_path, monkeypatch):
    """Five papers, one of which cannot be read, and a part of a paper."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.tex").write_text(GOOD)
    (tmp_path / "in" / "bad.tex").write_text(BAD)
    (tmp_path / "in" / "part.tex").write_text("We report MRR.")
    (tmp_path / "in" / "empty.md").write_text("Nothing here.\n")
    (tmp_path / "in" / "more.md").write_text("# More\n\nOver 50 topics, the best MAP is 0.4213.\n")
    (tmp_path / "in" / "binary.md").write_bytes(b"\0\1\2")
    return tmp_path


def verdicts(folder):
    rows = list(csv.DictReader((folder / "index.csv").read_text(encoding="utf-8").splitlines()))
    return {row["paper"]: [row[f"P3 {point.section}"] for point in CHECKLIST] for row in rows}


def test_comments_of_authors_suppress_nothing(submissions):
    """A paper that says what lint may not look at is read as if it did not: the committee decides."""
    (submissions / "in" / "bad.tex").write_text("% mensura: ignore-file\n" + BAD)
    assert mensura("lint", "in/bad.tex").stdout.startswith("Nothing found.")
    mensura("lint", "in", "--summary", "out")
    assert verdicts(submissions / "out")["bad"][0] == "found"
    assert "S001" not in (submissions / "out" / "papers" / "bad.md").read_text(encoding="utf-8")


def test_verdicts(submissions):
    out = mensura("lint", "in", "--summary", "out").stdout
    table = verdicts(submissions / "out")
    assert set(table) == {"good", "bad", "empty", "more", "binary"}
    assert table["good"] == ["not found"] * 10
    assert [point.section for point, verdict in zip(CHECKLIST, table["bad"], strict=True) if verdict == "found"] == [
        "2.1",
        "2.4",
        "2.8",
        "2.10",
    ]
    assert set(table["binary"]) == set(table["empty"]) == {"cannot be told"}
    assert table["more"][1:3] == ["found", "found"]
    assert re.search(r"^bad +●", out, re.MULTILINE)


def test_pages_quote_their_places_and_nothing_is_markup(submissions):
    mensura("lint", "in", "--summary", "out")
    page = (submissions / "out" / "papers" / "bad.md").read_text()
    assert "- **M001 proof-by-experiment**" in page
    assert "> Our experiments prove that reranking helps: &lt;b&gt;it&lt;/b&gt; improves" in page
    html = (submissions / "out" / "papers" / "bad.html").read_text()
    assert "&lt;b&gt;it&lt;/b&gt;" in html
    assert "<b>" not in html
    assert '<input type="radio" name="q1" value="no" checked> no' in html
    good = (submissions / "out" / "papers" / "good.html").read_text()
    assert '<input type="radio" name="q7" value="yes" checked> yes' in good
    assert "<title>A careful paper</title>" in good
    assert (
        "cannot be read" in (submissions / "out" / "papers" / "binary.md").read_text()
        or "not text" in (submissions / "out" / "papers" / "binary.md").read_text()
    )


def test_the_same_bytes_again_and_only_changed_papers_are_read(submissions, monkeypatch):
    mensura("lint", "in", "--summary", "out")
    before = {path: path.read_bytes() for path in (submissions / "out").rglob("*") if path.is_file()}
    mensura("lint", "in", "--summary", "other")
    for path, data in before.items():
        assert (submissions / "other" / path.relative_to(submissions / "out")).read_bytes() == data
    kept = submissions / "out" / "data" / "good.json"
    result = json.loads(kept.read_text())
    result["title"] = "Kept"
    kept.write_text(json.dumps(result))
    mensura("lint", "in", "--summary", "out")
    assert "[Kept]" in (submissions / "out" / "index.md").read_text()
    (submissions / "in" / "good.tex").write_text(GOOD.replace("careful", "changed"))
    kept_bad = submissions / "out" / "data" / "bad.json"
    kept_bad.write_text("{broken")
    mensura("lint", "in", "--summary", "out")
    assert "[A changed paper]" in (submissions / "out" / "index.md").read_text()
    assert kept_bad.read_bytes() == before[kept_bad]


def test_a_part_that_no_paper_includes_is_named(submissions):
    done = mensura("lint", "in", "--summary", "out")
    note = "part.tex has no \\documentclass, and no paper includes it"
    assert note in done.stdout
    assert note in (submissions / "out" / "index.html").read_text()
    (submissions / "in" / "bad.tex").write_text(BAD.replace("MRR@10 is", r"\input{part} MRR@10 is"))
    assert "part.tex" not in mensura("lint", "in", "--summary", "out").stdout


def test_the_table_for_spreadsheets_and_programs(submissions):
    (submissions / "in" / "bad.tex").write_text(BAD.replace("A bold paper", "=1+A \u202e bold\x1b paper"))
    table = json.loads(mensura("lint", "in", "--summary", "out", "--format", "json").stdout)
    papers_of = {paper["paper"]: paper for paper in table["papers"]}
    assert papers_of["good"]["points"]["2.7"] == "not found"
    assert papers_of["binary"]["problem"].startswith("is not text")
    assert len(table["passed_over"]) == 1
    rows = {row["paper"]: row for row in csv.DictReader((submissions / "out" / "index.csv").read_text().splitlines())}
    assert rows["good"]["problem"] == ""
    assert rows["bad"]["title"] == r"'=1+A \u202e bold\u001b paper"
    for path in (submissions / "out").rglob("*.*"):
        if path.suffix != ".json":
            assert not {"\u202e", "\x1b"} & set(path.read_text())
    assert "not as sarif" in mensura("lint", "in", "--summary", "out", "--format", "sarif", status=2).stderr


def test_points_that_are_not_checked_cannot_be_told(submissions):
    mensura("lint", "in", "--summary", "out", "--select", "M1")
    table = verdicts(submissions / "out")
    assert table["good"] == ["not found"] + ["cannot be told"] * 9
    assert table["bad"] == ["found"] + ["cannot be told"] * 9


def figures(folder):
    """A folder with a paper and its figures: one that it includes, a plot, one without text; and the paper as it is printed."""
    typst = pytest.importorskip("typst")
    (folder / "figs").mkdir(parents=True)
    (folder / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}We compare.\n\\includegraphics[width=1em]{figs/overview}\\end{document}"
    )
    sentence = "Here the mean reciprocal rank of all systems is 0.3, MRR is 0.3."
    plot = "nDCG\\@10 0.2 0.4 0.6 \\ MRR MAP BM25\n"
    for name, text in (("figs/overview", sentence), ("figs/plot", plot), ("figs/empty", "#rect(width: 2cm)"), ("main", sentence)):
        (folder / f"{name}.pdf").write_bytes(typst.compile(text.encode()))
    (folder / "other.pdf").write_bytes(typst.compile(sentence.encode()))


def test_figures_are_not_papers(tmp_path, monkeypatch):
    figures(tmp_path / "proj")
    monkeypatch.chdir(tmp_path)
    assert {(each.path, each.code) for each in lint(["proj"])} == {("proj/other.pdf", "M101")}
    assert [each.code for each in lint(["proj/figs/plot.pdf"])] == ["M101", "M201"]
    assert [each.code for each in lint(["proj/figs/empty.pdf"])] == ["S002"]
    assert [each.code for each in lint(["proj", "proj/figs", "proj/figs/empty.pdf"])] == ["M101", "S002"]
    mensura("lint", "proj", "--summary", "out")
    assert set(verdicts(tmp_path / "out")) == {"main", "other"}


def test_pdfs_in_a_folder_are_passed_over_if_nothing_reads_them(tmp_path, monkeypatch):
    figures(tmp_path / "proj")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    (note,) = lint(["proj"])
    assert (note.code, note.severity) == ("S002", "note")
    assert "this and 2 more PDFs are passed over; reading needs pypdfium2" in note.message
    assert mensura("lint", "proj").returncode == 0
    assert sorted(each.severity for each in lint(["proj", "proj/other.pdf"])) == ["error", "note"]
    assert "other.pdf is a PDF" in mensura("lint", "proj", "--summary", "out").stdout


def test_no_papers_is_an_error(submissions):
    (submissions / "x.csv").write_text("a,b\n")
    assert "no papers" in mensura("lint", "x.csv", "--summary", "out", status=2).stderr


def test_names_of_papers_differ():
    assert len(set(slugs(["a/x.tex", "b/x.tex", "c/X.md", "ä ö.tex", "...tex"]).values())) == 5


def test_parts_alone_are_papers(tmp_path):
    (tmp_path / "part.tex").write_text("We report MRR of 0.3.")
    assert papers([str(tmp_path)]) == ([str(tmp_path / "part.tex")], [])
    assert read_paper(Options(), str(tmp_path / "part.tex"))["points"]["2.1"]["verdict"] == "found"


def test_processes_keep_the_order_of_the_pieces():
    assert list(spread_processes(abs, [-4, 3, -2, 1, 0], 2)) == [4, 3, 2, 1, 0]
    with pytest.raises(TypeError):
        list(spread_processes(abs, [1, 2, 3, "x", 5], 2))
