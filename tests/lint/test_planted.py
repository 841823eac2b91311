"""300 planted errors and 300 correct texts in every format: at least 95 of 100 errors are found, and nothing in correct texts."""

from __future__ import annotations

import csv
import io

import pytest

from mensura.lint.engine import Options, lint_document, lint_text
from mensura.lint.sources import read_binary
from tests.lint.formats import BINARIES, TEXTS
from tests.lint.planted import cases

COUNT = 300
SEED = 20261118
NUMBERS = Options(select=("N",))


def findings(case, kind):
    if kind in TEXTS:
        return lint_text(TEXTS[kind](case), kind, f"x.{kind}", NUMBERS)
    return lint_document(read_binary(BINARIES[kind](case), kind, f"x.{kind}"), NUMBERS)


@pytest.mark.parametrize("kind", [*TEXTS, *BINARIES])
def test_planted_errors_are_found(kind):
    planted = cases(COUNT, SEED, wrong=True)
    missed = [case for case in planted if not findings(case, kind)]
    assert len(missed) <= 0.05 * COUNT, [(case.code, case.sentence or case.table) for case in missed[:5]]


@pytest.mark.parametrize("kind", [*TEXTS, *BINARIES])
def test_nothing_is_found_in_correct_texts(kind):
    for case in cases(COUNT, SEED, wrong=False):
        assert findings(case, kind) == [], case


def listing(case):
    """The table of a case as a csv file."""
    lines = io.StringIO()
    csv.writer(lines).writerows([case.table.header, *case.table.rows])
    return lines.getvalue()


def test_planted_errors_in_csv_files():
    """The same tables without a caption and without bold cells; brackets and signs are as they are printed."""
    for wrong in (True, False):
        tables = [case for case in cases(2 * COUNT, SEED, wrong=wrong) if case.table is not None and not case.table.bold]
        found = [bool(lint_text(listing(case), "csv", "x.csv", NUMBERS)) for case in tables if not case.sentence]
        assert len(found) > COUNT // 2
        assert sum(found) >= 0.95 * len(found) if wrong else not any(found)


def test_a_row_that_is_bold_as_a_whole_is_not_a_claim():
    row = "| **ours** | **0.41** | **0.38** | **0.52** |"
    text = f"| run | P@5 | P@10 | MAP |\n|---|---|---|---|\n| BM25 | 0.40 | 0.39 | 0.50 |\n{row}\n| QL | 0.39 | 0.37 | 0.49 |\n"
    assert lint_text(text, "markdown", "x.md", NUMBERS) == []


def test_names_of_columns_may_be_numbers():
    """A table of nDCG by two parameters: the first row has the values of one of them."""
    text = "\\begin{table}\\caption{nDCG}\\begin{tabular}{lrrr} & \\multicolumn{3}{c}{ndcg} \\\\ & 0.8 & 1.2 & 1.6 \\\\"
    rows = "".join(f"0.{row} & 0.39{row} & 0.40{row} & 0.41{row} \\\\" for row in range(3, 8))
    assert lint_text(f"{text}{rows}\\end{{tabular}}\\end{{table}}", "latex", "x.tex", NUMBERS) == []


def test_a_column_of_changes_against_a_row():
    """The quotients: .5629/.5511 is 1.0214, .6383/.5511 is 1.1582, .6354/.5511 is 1.1530."""
    rows = "| BM25 | 0.5079 | 0.5511 | - |\n| doc2query | 0.5224 | 0.5629 | +2.14% |\n"
    rows += "| tuned | 0.5878 | 0.6383 | +15.82% |\n| ColBERT | 0.5857 | 0.6354 | +{}% |\n"
    text = "| run | P@1 | P@5 | improvement over BM25 |\n|---|---|---|---|\n" + rows
    assert lint_text(text.format("15.30"), "markdown", "x.md", NUMBERS) == []
    (finding,) = lint_text(text.format("15.10"), "markdown", "x.md", NUMBERS)
    assert (finding.code, finding.line) == ("N001", 6)
    assert "(0.6354 − 0.5511) / 0.5511 = 15.30 %" in finding.message


def test_a_change_of_another_measure_is_not_that_of_the_values():
    for text in (
        "P@10 rises from 0.412 to 0.438, and nDCG@10 improves by 12.4%.",
        "We increase the dropout from 0.1 to 0.3 and observe a drop of 2.1% in nDCG@10.",
        "Throughput goes from 80.5 to 100.6 queries per second, a 20% lower latency.",
    ):
        assert lint_text(text, "markdown", "x.md", NUMBERS) == [], text
    text = "P@10 rises from 0.412 to 0.438, so P@10 improves by 12.4%."
    assert [finding.code for finding in lint_text(text, "markdown", "x.md", NUMBERS)] == ["N001"]
