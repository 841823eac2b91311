"""Words that a reader of a paper does not see, or that others have said, are not read; signs are read as they are shown."""

from __future__ import annotations

import html
import io
import json
import zipfile

import pytest

from mensura.lint.engine import Options, lint_document, lint_text
from mensura.lint.sources import read_binary, read_document
from tests.lint.formats import WORD
from tests.lint.linting import codes

CLAIM = "Our experiments prove it."
WRONG = "P@10 rises from 0.312 to 0.341 (+12.3%)."


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("latex", rf"\documentclass{{article}}\begin{{document}}We compare.\iffalse {CLAIM} \fi Good.\end{{document}}"),
        ("latex", rf"We compare. \iffalse \ifx a b \iff {CLAIM} \else x \fi {CLAIM} % \fi" + f"\n {CLAIM} \\fi Good."),
        ("latex", rf"\begin{{document}}We compare.\end{{document}} {CLAIM}" + f"\n\n\\section{{Old}} {CLAIM}"),
        ("latex", rf"They say: \begin{{quote}} {CLAIM} \end{{quote}} and \begin{{quotation}}{CLAIM}\end{{quotation}} too."),
        ("latex", rf"They say \enquote{{{CLAIM}}} and \blockquote[p. 3]{{{CLAIM}}} too."),
        ("latex", rf"We compare \sout{{{CLAIM}}} and \st{{{CLAIM}}} and \todo[inline]{{{CLAIM}}} systems."),
        ("latex", rf"\newcommand{{\todo}}[1]{{\textcolor{{red}}{{#1}}}} We compare. \todo{{{CLAIM}}}"),
        ("markdown", f"They say:\n\n> {CLAIM}\n> {CLAIM}\n{CLAIM}\n\nGood."),
        ("markdown", f"> They say {CLAIM}\n\n  > {CLAIM}\n"),
        ("markdown", f"We compare ~~{CLAIM}~~ and <del>{CLAIM}</del> and <s>{CLAIM}</s> systems."),
        ("html", f"<p>We compare <del>{CLAIM}</del> <s>{CLAIM}</s> <strike>{CLAIM}</strike> systems.</p>"),
        ("html", f"<blockquote>One <blockquote>two</blockquote> {CLAIM}</blockquote>"),
        ("rst", f"An example::\n\n   {CLAIM}\n\n   {CLAIM}\n\nGood.\n"),
        ("rst", f"They say:\n\n   {CLAIM}\n\n   {CLAIM}\n\nGood.\n"),
        ("rst", f"- An item\n\n  goes on::\n\n     {CLAIM}\n\n- Good.\n"),
        ("rst", f".. note::\n\n   They say:\n\n      {CLAIM}\n"),
        ("rst", f".. epigraph::\n\n   {CLAIM}\n"),
        ("typst", f"We compare #strike[{CLAIM}] and #hide[{CLAIM}] systems. #quote(block: true)[{CLAIM} #emph[{CLAIM}]]"),
    ],
)
def test_words_that_are_not_read(kind, text):
    assert codes(text, kind) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("latex", rf"We compare \iffalse old \else {CLAIM} \fi systems."),
        ("latex", rf"We compare \iffalse old \fi {CLAIM}"),
        ("latex", rf"\iffalse {CLAIM}"),  # LaTeX has no such document
        ("latex", rf"$a \iff b$ \ifthenelse{{\equal{{a}}{{b}}}}{{{CLAIM}}}{{}}"),
        ("latex", rf"\newcommand{{\st}}{{statistically}} It is \st{{}} clear. {CLAIM}"),
        ("markdown", f"> They say.\n\n{CLAIM}"),
        ("markdown", f"> They say.\n- {CLAIM}"),
        ("markdown", f"> [!NOTE]\n> {CLAIM}"),
        ("markdown", f"> **Note:** {CLAIM}"),
        ("markdown", f"Here 10 > 5 holds. {CLAIM}"),
        ("markdown", f"__{CLAIM}__"),
        ("html", f"<blockquote>One</blockquote> {CLAIM}"),
        ("rst", f"- An item\n\n  {CLAIM}\n"),
        ("rst", f"1. An item\n\n   {CLAIM}\n"),
        ("rst", f"term\n   {CLAIM}\n\n   More.\n"),
        ("rst", f".. note::\n\n   Text.\n\n   {CLAIM}\n"),
        ("rst", f".. note:: Text\n   {CLAIM}\n"),
        ("rst", f":Field: Text\n\n   {CLAIM}\n"),
        ("rst", f".. [1] Text\n\nAn example::\n\n   x = 1\n\n{CLAIM}\n"),
    ],
)
def test_words_that_are_read(kind, text):
    assert codes(text, kind) == ["M001"]


def docx(*paragraphs):
    body = "".join(f"<w:p>{paragraph}</w:p>" for paragraph in paragraphs)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>')
    return read_binary(stream.getvalue(), "docx", "x.docx")


def run(words, properties=""):
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{html.escape(words)}</w:t></w:r>"


@pytest.mark.parametrize("properties", ["<w:strike/>", "<w:dstrike/>", "<w:vanish/>", '<w:strike w:val="true"/><w:b/>'])
def test_struck_and_hidden_runs_of_word(properties):
    document = docx(run("We compare. ") + run(CLAIM, properties) + run(" Good."))
    assert document.plain.startswith("We compare.  Good.")
    assert lint_document(document, Options()) == []


def test_runs_of_word_that_are_shown():
    assert CLAIM in docx(run(CLAIM, '<w:strike w:val="0"/>')).plain
    moved = f"<w:moveFrom>{run(CLAIM)}</w:moveFrom>{run('Good.')}"
    assert docx(moved).plain.startswith("Good.")
    lowered = '<w:vertAlign w:val="subscript"/>'
    assert "t_49 = 2.31, H1" in docx(run("t") + run("49", lowered) + run(" = 2.31, H1")).plain
    assert "BM25tuned" in docx(run("BM25") + run("tuned", lowered)).plain


@pytest.mark.parametrize(
    ("kind", "text", "shown"),
    [
        (
            "markdown",
            r"p \< 0.01 with recip\_rank and 95% CI \[0.012, 0.048\].",
            "p < 0.01 with recip_rank and 95% CI [0.012, 0.048].",
        ),
        ("markdown", "p &lt; 0.01, p&nbsp;&#60;&nbsp;0.01, R&amp;D", "p < 0.01, p < 0.01, R&D"),
        ("markdown", "the value __0.40__ of snake_case_names", "the value 0.40 of snake_case_names"),
        ("markdown", "t<sub>49</sub> = 2.31, F<sub>3,147</sub> = 2, BM25<sub>tuned</sub>", "t_49 = 2.31, F_3,147 = 2, BM25 tuned"),
        ("html", "<p>t<sub>49</sub> = 2.31, F<sub>3,147</sub> &lt; 2, R&amp;D</p>", "t_49 = 2.31, F_3,147 < 2, R&D"),
        ("markdown", "t₄₉ = 2.31, F₃,₁₄₇ = 2", "t_49 = 2.31, F_3,147 = 2"),
        ("latex", "t₄₉ = 2.31", "t_49 = 2.31"),
        ("typst", "$t_49 = 2.31$, $F_(3, 147) = 2$ and _this_", "t_49 = 2.31, F_(3, 147) = 2 and this"),
        ("rst", "t\\ :sub:`49` = 2.31, 10\\ :sup:`-3`", "t_49 = 2.31, 10^-3"),
        ("rst", r":math:`t_{49} = 2.31`, :math:`\chi^2 \leq 2`", "t_{49} = 2.31, χ^2 ≤ 2"),
    ],
)
def test_signs_are_read_as_they_are_shown(kind, text, shown):
    document = read_document(text, kind, "x")
    assert document is not None
    assert len(document.text) == len(document.plain)
    assert " ".join(" ".join(sentence.normal for sentence in document.sentences).split()) == shown


@pytest.mark.parametrize("kind", ["markdown", "html"])
def test_places_are_those_of_the_file(kind):
    text = f"A&nbsp;&lt;&nbsp;B. 0.5 t₄₉ &amp;amp;\n{WRONG} {CLAIM}"
    first, second = lint_text(text, kind, "x", Options(select=("M001", "N001")))
    line = text.split("\n")[1]
    assert line[first.column - 1 : first.end_column - 1] == "+12.3%"
    assert (second.line, line[second.column - 1 : second.end_column - 1]) == (2, "experiments prove")
    notebook = json.dumps({"cells": [{"cell_type": "markdown", "source": text.splitlines(keepends=True)}], "nbformat": 4}, indent=1)
    for each in lint_text(notebook, "notebook", "x.ipynb", Options(select=("M001", "N001"))):
        assert notebook.split("\n")[each.line - 1][each.column - 1 : each.end_column - 1] in {"+12.3%", "experiments prove"}


def test_cells_of_tables_are_read_as_they_are_shown():
    text = "| run | P\\@5 | recip\\_rank |\n|---|---|---|\n| R&amp;D | __0.40__ | 0.3&dagger; |\n| b\\|c | 0.41 | 0.2 |\n"
    document = read_document(text, "markdown", "x.md")
    assert document is not None
    (table,) = document.tables
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["run", "P@5", "recip_rank"],
        ["R&D", "0.40", "0.3†"],
        ["b c", "0.41", "0.2"],
    ]
    assert table.rows[1][1].styles == {"bold"}
