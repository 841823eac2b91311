"""Any text gives findings or none: never a crash, never a place outside of the file, and never a wait."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.errors import InputError
from mensura.lint.engine import Options, lint_text

KINDS = ("latex", "markdown", "html", "rst", "typst", "notebook", "python", "plan", "json", "csv", "trec_eval", "run")
WORDS = (
    *(
        "MRR",
        "MAP",
        "ERR@20",
        "nDCG@10",
        "0.4123",
        "12.4%",
        "12.4\\%",
        "p < 0.05",
        "$p<0.05$",
        "†",
        "*",
        "**",
        "significantly",
        "better",
        "than all",
    ),
    *(
        "baselines",
        "our experiments prove",
        "split",
        "train",
        "test topics",
        "hypothesis",
        "after the results",
        "t-test",
        "only",
        "best",
        "default",
    ),
    *(
        "parameters",
        ".",
        ",",
        ";",
        "(",
        ")",
        "\n",
        "\n\n",
        "&",
        "\\\\",
        "{",
        "}",
        "\\textbf{",
        "\\begin{tabular}{l}",
        "\\end{tabular}",
        "\\begin{verbatim}",
    ),
    *(
        "\\end{verbatim}",
        "\\begin{table}",
        "\\end{table}",
        "|",
        "|---|\n",
        "```",
        "`",
        "``",
        "''",
        "“",
        "”",
        "%",
        "% mensura: ignore M101",
        "<!--",
        "-->",
    ),
    *(
        "<!-- mensura: ignore -->",
        "# mensura: ignore-file M001\n",
        "\x1d",
        "\x1e",
        "\x1f",
        "İ",
        "😀",
        "\u2028",
        "\udc80",
        "é",
        "\t",
        "\r",
        "\\",
        "$",
        "~",
    ),
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))


def check(text, kind):
    """The findings, all inside the text."""
    lines = text.split("\n")
    try:
        found = lint_text(text, kind, "x", Options())
    except InputError:  # what is no notebook, no plan, no run says so
        assert kind not in {"latex", "markdown", "html", "rst", "typst", "python"}
        return
    for each in found:
        assert 1 <= each.line <= each.end_line <= len(lines)
        assert 1 <= each.column <= len(lines[each.line - 1]) + 1
        assert 1 <= each.end_column <= len(lines[each.end_line - 1]) + 1
        assert (each.line, each.column) <= (each.end_line, each.end_column)


@settings(deadline=None)
@given(TEXTS, st.sampled_from(KINDS))
def test_any_text(text, kind):
    check(text, kind)


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from(KINDS))
def test_any_bytes(data, kind):
    check(data.decode("utf-8", "surrogateescape"), kind)


PIECES = (
    *(
        "significant improvement of our results ",
        "a",
        "\\textbf{",
        "\\begin{verbatim}\n",
        "\\begin{tabular}{l}\n",
        "``our experiments ",
        "0.1234 & ",
    ),
    *(
        "12.4% better ",
        ".",
        "|*_`[",
        " ",
        "\n",
        "%",
        "\\verb|",
        "$",
        "p < 0.05 ",
        "test train split ",
        "[",
        "](",
        "<!--",
        "| - |",
        "-",
        "> ",
        "\\cite[",
        '"',
    ),
    *(
        "the hypothesis was derived ",
        "only the best ",
        "our experiments on a ",
        "all the other new big ",
        "x, ",
        "1 Q0 d 1 2.0 t\n",
        "'",
        "*a",
        "\\\\[",
        "~~~",
    ),
)


@pytest.mark.parametrize("kind", ["latex", "markdown", "html", "rst", "typst"])
@pytest.mark.parametrize("piece", PIECES)
def test_long_texts_take_time_in_proportion(piece, kind):
    """A pattern that looks back and forth would need hours for these."""
    check(piece * (20_000 // len(piece)), kind)


@pytest.mark.parametrize("kind", ["latex", "markdown", "html", "rst", "typst"])
@pytest.mark.parametrize("piece", [" ", "\t", ", ", "- "])
def test_white_space_takes_time_in_proportion(piece, kind):
    """A pattern that begins with any number of spaces needs minutes for these."""
    check(piece * (200_000 // len(piece)), kind)
