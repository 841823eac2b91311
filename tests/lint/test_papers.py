r"""A paper is one document: files that are included, macros, acronyms; and what cannot be read does not end the run."""

from __future__ import annotations

import io
import zipfile

import pytest

from mensura.lint.engine import lint
from mensura.lint.grouping import spot
from mensura.lint.readers.latex import read_latex
from tests.cli.running import mensura

CLAIM = "Our experiments prove it.\n"


def prose(text):
    return " ".join(sentence.normal for sentence in read_latex(text).sentences)


@pytest.fixture
def paper(tmp_path):
    (tmp_path / "sections").mkdir()
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\n\\input{macros}\n\\begin{document}\n\\input{sections/intro}\n% \\input{old}\n"
        "\\include{sections/results}\nThe end: we report \\map.\n\\end{document}\n"
    )
    (tmp_path / "macros.tex").write_text("\\newcommand{\\map}{\\textsc{map}\\xspace}\n\\newcommand{\\best}[1]{\\textbf{#1}}\n")
    (tmp_path / "sections" / "intro.tex").write_text("A first line.\n" + CLAIM)
    (tmp_path / "sections" / "results.tex").write_text("A beats B (p < 0.05), and \\map is 0.3.\n\nCohen's d is 0.4.\n")
    (tmp_path / "old.tex").write_text(CLAIM)
    return tmp_path


def found(*paths):
    return [
        (place.path.rpartition("/")[2], place.line, place.column, finding.code)
        for finding in lint(map(str, paths))
        for place in (spot(finding), *finding.spots)
    ]


def test_included_files_are_parts_of_one_paper(paper):
    """The effect size of one file serves the p-value of another; findings are where the words are, or the macro."""
    expected = [("main.tex", 7, 20, "M201"), ("intro.tex", 2, 5, "M001"), ("results.tex", 1, 27, "M201")]
    assert sorted(found(paper / "main.tex")) == sorted(expected)
    named = found(paper / "sections" / "results.tex", paper / "main.tex", paper / "sections" / "intro.tex")
    assert sorted(named) == sorted(expected)
    assert sorted(found(paper)) == sorted([*expected, ("old.tex", 1, 5, "M001")])


def test_a_part_that_stands_alone_is_checked_alone(paper):
    assert found(paper / "sections" / "intro.tex") == [("intro.tex", 2, 5, "M001")]


def test_only_files_beside_the_paper_are_included(paper, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.tex").write_text(CLAIM)
    (paper / "link.tex").symlink_to(outside / "secret.tex")
    for name in (f"{outside}/secret", f"../{outside.name}/secret", "link", "main"):
        (paper / "main.tex").write_text(f"\\documentclass{{x}} \\input{{{name}}}")
        assert found(paper / "main.tex") == []


def test_suppressions_hold_in_their_own_file(paper):
    intro = paper / "sections" / "intro.tex"
    intro.write_text("% mensura: ignore-file M001\n" + CLAIM)
    assert [code for *_, code in found(paper / "main.tex")] == ["M201", "M201"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\newcommand{\\m}{MAP} We use \\m{} and \\m.", "We use MAP and MAP."),
        ("\\newcommand\\m[2][x]{#1 of #2} \\m{b}; \\m[a]{b}", "x of b; a of b"),
        ("\\def\\m#1#2{#2 #1} \\m{b}{a}", "a b"),
        ("\\newcommand{\\a}{\\b} \\newcommand{\\b}{\\a} \\a", ""),
        ("\\newcommand{\\a}{\\a\\a} x \\a", "x"),
        ("\\renewcommand{\\a}{one} \\a \\renewcommand{\\a}{two} \\a", "one two"),
        ("\\newcommand{\\gone}[1]{} a \\gone{never \\emph{ever}} b", "a b"),
        ("\\acrodef{RR}[RR]{Reciprocal Rank} \\ac{RR}, \\acl{RR}, \\acf{RR}", "RR, Reciprocal Rank, Reciprocal Rank (RR)"),
        ("\\newacronym{map}{MAP}{mean average precision} \\gls{map} \\acrlong{map}", "MAP mean average precision"),
        ("\\DeclareAcronym{hsd}{short = HSD, long = {honest difference}} \\acl{hsd}", "honest difference"),
        ("\\ac{unknown}", "unknown"),
        ("\\textsc{map} \\textsc{Bert}", "MAP Bert"),
        ("recip\\_rank", "recip_rank"),
        ("\\SI{12.3}{\\percent} \\num{0.31}", "12.3% 0.31"),
        ("\\newcommand{\\a}{x", "x"),
        ("\\verb|\\newcommand{\\b}{y}| \\b", ""),
    ],
)  # fmt: skip
def test_macros_and_acronyms(text, expected):
    assert prose(text) == expected


def test_definitions_of_acronyms_are_not_uses():
    assert (
        read_latex(
            "\\acrodef{MRR}{Mean Reciprocal Rank}\n\\begin{acronym}\\acro{MAP}{mean average precision}\\end{acronym}"
        ).sentences
        == []
    )


def test_macros_that_explode_are_left():
    bombs = "".join(f"\\newcommand{{\\x{chr(97 + n)}}}{{\\x{chr(98 + n)}\\x{chr(98 + n)}\\x{chr(98 + n)}}}" for n in range(24))
    assert len(read_latex(bombs + "\\xa").text) < 1_000_000


def table(text):
    (one,) = read_latex(text).tables
    return [[cell.text for cell in row] for row in one.rows]


@pytest.mark.parametrize(
    ("environment", "specification"),
    [
        ("tabular", "{l@{\\hspace{1em}}rr}"),
        ("tabular*", "{\\textwidth}{l@{\\extracolsep{\\fill}}rr}"),
        ("tabularx", "{\\linewidth}{Xrr}"),
        ("longtable", "[c]{p{3cm}rr}"),
        ("tblr", "{colspec={lrr}}"),
    ],
)
@pytest.mark.parametrize("around", ["%s", "\\resizebox{\\textwidth}{!}{%%\n%s}", "\\begin{figure}%s\\end{figure}"])
def test_environments_of_tables(environment, specification, around):
    rows = "Run & \\makecell{MAP\\\\all} & {P@10}\\\\\\midrule\nx & \\begin{tabular}{c}1\\\\2\\end{tabular} & 0.41\\\\"
    text = around % f"\\begin{{{environment}}}{specification}\n{rows}\n\\end{{{environment}}}"
    assert table(text) == [["Run", "MAP all", "P@10"], ["x", "1 2", "0.41"]]


def test_two_tables_of_a_float_share_its_caption():
    one, two = read_latex(
        "\\begin{table}\\caption{Both, on 50 topics.}\\begin{tabular}{l}a\\\\\\end{tabular}\\begin{tabular}{l}b\\\\\\end{tabular}"
        "Notes.\\end{table}"
    ).tables
    assert one.caption == two.caption == "Both, on 50 topics. Notes."


def test_standard_input(tmp_path):
    assert "<stdin>:1:5: M001" in mensura("lint", "-", status=1, stdin=CLAIM).stdout
    assert "<stdin>:1:23: M001" in mensura("lint", "-", status=1, stdin="\\section{A} \\emph{Our experiments} prove it.").stdout


def test_an_empty_folder(tmp_path):
    assert "contains no file that lint reads" in mensura("lint", tmp_path, status=2).stderr


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word(path, body, **parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(
            "word/document.xml", f'<?xml version="1.0"?><w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        )
        for name, text in parts.items():
            archive.writestr(f"word/{name}.xml", text)
    path.write_bytes(stream.getvalue())
    return path


def paragraph(text):
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_word_files(tmp_path):
    path = word(tmp_path / "a.docx", paragraph("A title") + paragraph("Our experiments prove it."))
    assert found(path) == [("a.docx", 2, 5, "M001")]


@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"no zip"])
def test_broken_word_files(data, tmp_path):
    (tmp_path / "a.docx").write_bytes(data)
    assert found(tmp_path / "a.docx") == [("a.docx", 1, 1, "S002")]


def test_bombs_in_word_files(tmp_path):
    """Entities that multiply, elements without end, and zeros that inflate are refused, each with a finding."""
    laughs = "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]>"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", laughs + "<x>&b;</x>")
    (tmp_path / "laughs.docx").write_bytes(stream.getvalue())
    word(tmp_path / "deep.docx", "<w:p>" * 100_000)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"\0" * (1 << 27))
    (tmp_path / "zeros.docx").write_bytes(stream.getvalue())
    for name in ("laughs", "deep", "zeros"):
        assert found(tmp_path / f"{name}.docx") == [(f"{name}.docx", 1, 1, "S002")]


def test_parts_are_looked_for_in_the_folder_of_an_import(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parts" / "inner").mkdir(parents=True)
    texts = {
        "main.tex": r"\documentclass{article}\import{parts/}{one}"
        r"\InputIfFileExists{last}{}{Our tests prove it.}\InputIfFileExists{gone}{}{MRR is 0.1.}",
        "parts/one.tex": "\\input{two}\n\\subimport{inner/}{three}",
        "parts/two.tex": "Our experiments prove it.",
        "parts/inner/three.tex": "\\input{four}",
        "parts/inner/four.tex": "We report an MRR of 0.3.",
        "last.tex": "The results prove that it works.",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    first, second = sorted(lint(["main.tex"]), key=lambda finding: finding.code)
    assert (first.code, first.path, [each.path for each in first.spots]) == ("M001", "parts/two.tex", ["last.tex"])
    assert (second.code, {second.path, *(each.path for each in second.spots)}) == ("M101", {"parts/inner/four.tex", "main.tex"})
