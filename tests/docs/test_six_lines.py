"""The first task of a newcomer: four systems by three measures against a baseline, a table for the paper and a plot."""

from __future__ import annotations

import contextlib
import doctest
import io
import warnings
from pathlib import Path

import pytest

from tests.docs.pages import blocks
from tests.latex import CLASSES, NEEDS_LATEX, head_of, too_wide

README = Path(__file__).parents[2] / "README.md"


def lines():
    """The lines of Python that README.md shows."""
    block = next(block for block in blocks(README.read_text(encoding="utf-8")) if block.kind == "python")
    return [example.source for example in doctest.DocTestParser().get_examples(block.body)]


def run(folder):
    """Run them; return what they print, and their names."""
    names, printed = {}, io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in lines():
            exec(line, names)  # noqa: S102 - our own README
    return printed.getvalue(), names


def test_six_lines_from_dicts_to_latex_and_chart(tmp_path):
    assert len(lines()) <= 6
    assert all(line.count("\n") == 1 and ";" not in line for line in lines())
    latex, names = run(tmp_path)
    assert isinstance(names["qrels"], dict)
    assert isinstance(names["runs"], dict)
    comparisons = names["c"]
    assert [str(each.measure) for each in comparisons] == ["RR@10", "nDCG@10", "R@100"]
    assert all(len(each.systems) == 4 and each.family.size == 9 for each in comparisons)
    assert latex == comparisons.to_latex()
    assert {r"\toprule", r"\textbf", r"\dag"} <= {word for word in (r"\toprule", r"\textbf", r"\dag") if word in latex}
    assert (tmp_path / "differences.svg").read_text(encoding="utf-8").startswith("<svg")


@NEEDS_LATEX
@pytest.mark.parametrize("pages", CLASSES)
def test_the_table_compiles(pages, tmp_path):
    latex, _ = run(tmp_path)
    assert too_wide({"six lines": latex}, head_of(pages), tmp_path) == {}
