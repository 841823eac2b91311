"""Prose of LaTeX and Markdown, places of findings, and their suppression."""

from __future__ import annotations

from pathlib import Path

import pytest

from mensura.lint.engine import Options, lint, lint_text
from mensura.lint.readers.latex import read_latex
from mensura.lint.readers.markdown import read_markdown
from tests.lint.linting import codes

ROOT = Path(__file__).parents[2]
CLAIM = "Our experiments prove it."


def places(text, kind="latex"):
    return [(each.line, each.column, each.end_line, each.end_column, each.code) for each in lint_text(text, kind, "x", Options())]


def test_a_finding_is_where_the_words_are():
    assert places("First line.\nThen \\emph{our\nexperiments} prove it.\n") == [(3, 1, 3, 19, "M001")]
    assert places("Ä😀 wörds. " + CLAIM, "markdown") == [(1, 15, 1, 32, "M001")]


def test_a_sentence_goes_on_over_lines_and_comments():
    assert places("Our experiments % a remark\n  % another\n  prove it.") == [(1, 5, 3, 8, "M001")]


@pytest.mark.parametrize(
    "text",
    [
        f"% {CLAIM}",
        f"\\begin{{verbatim}}\n{CLAIM}\n\\end{{verbatim}}",
        f"\\begin{{lstlisting}}[language=X]\n{CLAIM}\n\\end{{lstlisting}}",
        f"\\begin{{comment}}{CLAIM}\\end{{comment}}",
        f"\\verb|{CLAIM}|",
        "\\cite[our experiments prove it]{x}",
        "They wrote ``our experiments prove it'' in 1999.",
        "They wrote “our experiments prove it” in 1999.",
    ],
)
def test_what_is_no_prose_in_latex(text):
    assert codes(text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"```text\n{CLAIM}\n```",
        f"~~~\n{CLAIM}\n~~~\n",
        f"`{CLAIM}`",
        f"<!-- {CLAIM} -->",
        f"---\ntitle: {CLAIM}\n---\nText.",
        'They wrote "our experiments prove it" in 1999.',
        "[link](https://example.org/our-experiments-prove-it)",
        f"> {CLAIM}",
    ],
)
def test_what_is_no_prose_in_markdown(text):
    assert codes(text, "markdown") == []


@pytest.mark.parametrize(
    "around", ["\\textbf{%s}", "\\footnote{%s}", "\\caption{%s}", "\\item %s", "{\\em %s}", "\\section{%s}", "\\\\%% no\n%s"]
)
def test_what_is_prose_in_latex(around):
    assert codes(around % CLAIM) == ["M001"]


@pytest.mark.parametrize("around", ["**%s**", "- %s", "# %s", "1. %s", "<b>%s</b>", "[%s](x.md)", "```\ncode\n```\n%s"])
def test_what_is_prose_in_markdown(around):
    assert codes(around % CLAIM, "markdown") == ["M001"]


def test_an_escaped_percent_sign_is_no_comment():
    assert codes("nDCG@10 improves by 12\\% here.") == ["M401"]
    assert codes("nDCG@10 improves by 12\\\\% here.") == []


def test_tables_of_latex():
    (table,) = read_latex(
        "\\begin{table}\\caption{On 50 topics.}\\begin{tabular}{lr}\\toprule A \\& B & P@10 \\\\[2pt] \\midrule "
        "x & \\textbf{0.31}$^{\\dagger}$ \\\\ "
        "\\bottomrule\\end{tabular} Notes.\\end{table}"
    ).tables
    assert [[cell.text for cell in row] for row in table.rows] == [["A + B", "P@10"], ["x", "0.31 ^ †"]]
    assert table.caption == "On 50 topics. Notes."


def test_tables_of_markdown():
    text = "Before.\n\n| A | P@10 |\n|:--|--:|\n| x | **0.31**† |\n| y | 0.3 |\n\nAfter."
    (table,) = read_markdown(text).tables
    assert [[cell.text for cell in row] for row in table.rows] == [["A", "P@10"], ["x", "0.31 †"], ["y", "0.3"]]
    assert table.caption == "Before. After."
    assert all(text[cell.start] == cell.text[0] for row in table.rows for cell in row)


def test_a_correction_or_an_effect_size_serves_the_whole_paper():
    assert codes("A beats B (p < 0.05).\n\nWe give Cohen's d in Table 3.") == []
    assert codes("A beats B (p < 0.05).\n\nWe do not give effect sizes.") == ["M801"]
    many = "A beats B (p = 0.01, d = 0.3). A beats C (p = 0.02). A beats D (p = 0.03). "
    assert codes(many) == ["M701"]
    assert codes(many + "All p-values are Holm-corrected.") == []


@pytest.mark.parametrize(
    ("kind", "comment"),
    [("latex", "% mensura: ignore {}"), ("markdown", "<!-- mensura: ignore {} -->"), ("python", "# mensura: ignore {}")],
)
def test_suppression_by_line_and_by_paragraph(kind, comment):
    claim, code = ("np.mean(1 / rank)", "M101") if kind == "python" else (CLAIM, "M001")
    note = comment.format(code)
    assert codes(claim, kind) == [code]
    assert codes(f"{claim} {note}", kind) == []
    assert codes(f"{claim} {comment.format('')}", kind) == []
    assert codes(f"{note}\n{claim}\n", kind) == []
    assert codes(f"{note}\n1\n{claim}\n\n{claim}\n", kind) == [code]
    assert codes(f"1\n\n{note.replace('ignore', 'ignore-file')}\n\n{claim}\n", kind) == []
    assert codes(f"{claim}\n\n{claim} {note}", kind) == [code]


def test_a_suppression_without_use_is_reported():
    found = lint_text(f"Text. % mensura: ignore M101\n\n{CLAIM} % mensura: ignore M001, M101, X999\n", "latex", "x", Options())
    assert [(each.line, each.code, each.message.partition("(")[2]) for each in found] == [
        (1, "S001", "M101)"),
        (3, "S001", "X999: no such rule, M101)"),
    ]
    assert codes("Text. % mensura: ignore M101", ignore=("M1",)) == []
    assert codes("Text. % mensura: ignore M101", ignore=("S",)) == []


def test_a_comment_that_is_shown_as_code_suppresses_nothing():
    assert codes(f"Write `<!-- mensura: ignore M001 -->`. {CLAIM}", "markdown") == ["M001"]


def test_profiles():
    (neutral,) = lint_text(CLAIM, "latex", "x", Options())
    (strict,) = lint_text(CLAIM, "latex", "x", Options(profile="strict"))
    assert (neutral.severity, strict.severity) == ("warning", "error")
    assert neutral.message != strict.message
    (note,) = lint_text("We report MAP.", "latex", "x", Options())
    assert note.severity == "note"


def test_select_and_ignore():
    text = "Our experiments prove that MRR is 0.38."
    assert codes(text) == ["M001", "M101"]
    assert codes(text, select=("M1",)) == ["M101"]
    assert codes(text, ignore=("M101",)) == ["M001"]
    assert codes(text, select=("M",), ignore=("M0", "M1")) == []


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *sorted(f"docs/{page.name}" for page in ROOT.glob("docs/*.md"))]
)
def test_nothing_is_found_in_our_own_pages(page):
    assert [f"{each.line}: {each.code} {each.message}" for each in lint([str(ROOT / page)])] == []
