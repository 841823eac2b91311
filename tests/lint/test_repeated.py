"""Values and ranges in a text against the tables that they repeat: both numbers and the line of the table are shown."""

from __future__ import annotations

import pytest

from mensura.lint.engine import Options, lint, lint_text

NUMBERS = Options(select=("N",))
TABLE = """
| model | Robust04, nDCG@10 | TREC-COVID, nDCG@10 | TREC-COVID, P@10 |
|---|---|---|---|
| BM25 | 0.412 | 0.616 | 0.648 |
| BM25+RM3 | 0.433 | 0.641 | 0.672 |
| ColBERT | 0.471 | 0.677 | 0.712 |
| Mondrian (ours) | 0.498 | 0.721 | 0.736 |
"""
WRONG = {  # sentence, printed, in the table, line of the table
    "an abstract": ("On TREC-COVID, ColBERT has an nDCG@10 of 0.667.", "0.667", "0.677", 7),
    "the value first": ("ColBERT achieves 0.461 nDCG@10 on Robust04.", "0.461", "0.471", 7),
    "in terms of": ("ColBERT reaches 0.461 in terms of nDCG@10 on Robust04, which is 14.3 % above BM25.", "0.461", "0.471", 7),
    "in brackets": ("On Robust04, Mondrian (nDCG@10 of 0.489) beats ColBERT (nDCG@10 of 0.471).", "0.489", "0.498", 8),
    "two collections": ("Mondrian has an nDCG@10 of 0.498 on Robust04 and 0.701 on TREC-COVID.", "0.701", "0.721", 8),
    "our own": ("Our method achieves an nDCG@10 of 0.489 on Robust04, outperforming all others by 5 points.", "0.489", "0.498", 8),
    "a clause about another": ("Mondrian has an nDCG@10 of 0.489 on Robust04, while BM25 has one of 0.412.", "0.489", "0.498", 8),
    "in per cent": ("On Robust04, BM25 has an nDCG@10 of 42.1.", "42.1", "0.412", 5),
    "only one cell": ("Here, BM25+RM3 has a P@10 of 0.627.", "0.627", "0.672", 6),
}
RIGHT = {
    "the same": "On TREC-COVID, ColBERT has an nDCG@10 of 0.677.",
    "rounded": "On TREC-COVID, ColBERT has an nDCG@10 of 0.68.",
    "in per cent": "On TREC-COVID, ColBERT has an nDCG@10 of 67.7.",
    "no collection": "ColBERT has an nDCG@10 of 0.487 in this setting.",
    "another collection": "On NFCorpus, ColBERT has a P@10 of 0.702.",
    "another cut-off": "On Robust04, ColBERT has an nDCG@20 of 0.461.",
    "another system": "On Robust04, ColBERT with RM3 has an nDCG@10 of 0.482.",
    "a tuned one": "On Robust04, tuned BM25 has an nDCG@10 of 0.421.",
    "a variant": "On Robust04, ColBERT-small has an nDCG@10 of 0.461.",
    "reported by others": "On Robust04, BM25 has a reported nDCG@10 of 0.421.",
    "the development set": "On the dev topics of Robust04, BM25 has an nDCG@10 of 0.421.",
    "about": "On Robust04, ColBERT has an nDCG@10 of about 0.46.",
    "a range": "On Robust04, ColBERT has an nDCG@10 of 0.45–0.49.",
    "between": "On Robust04, ColBERT has an nDCG@10 between 0.45 and 0.49.",
    "far away": "On Robust04, BM25 has an nDCG@10 of 0.21.",
    "the value of another cell": "On Robust04, ColBERT has an nDCG@10 of 0.498.",
    "an average": "BM25 has an average nDCG@10 of 0.514 on Robust04 and TREC-COVID.",
    "a gain": "On Robust04, Mondrian has a gain in nDCG@10 of 0.027 over ColBERT.",
    "two systems": "On Robust04, BM25 and ColBERT together have an nDCG@10 of 0.481.",
    "one for each query": "Query 1: ColBERT has a P@10 of 0.700. Query 2: ColBERT has a P@10 of 0.800.",
    "another of ours": "Our index has a recall@100 of 0.81; our analysis took an nDCG@10 of 0.481 as its start.",
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("after", [False, True])
def test_a_value_that_is_not_in_the_table_is_shown_with_the_cell(case, after):
    sentence, printed, cell, line = WRONG[case]
    text = f"{TABLE}\n{sentence}\n" if after else f"{sentence}\n{TABLE}"
    (finding,) = lint_text(text, "markdown", "x.md", NUMBERS)
    assert finding.code == "N008"
    assert f"{printed} is printed here, but {cell} for" in finding.message
    assert f"in the table, line {line - after}" in finding.message


@pytest.mark.parametrize("case", RIGHT)
def test_what_may_be_another_value_is_left_alone(case):
    assert lint_text(f"{RIGHT[case]}\n{TABLE}", "markdown", "x.md", NUMBERS) == []


def test_the_table_may_be_in_another_file(tmp_path):
    (tmp_path / "paper.tex").write_text(
        "\\begin{document}\nOn Robust04, ColBERT has an nDCG@10 of 0.461.\n\\input{results}\n\\end{document}\n", encoding="utf-8"
    )
    (tmp_path / "results.tex").write_text(
        "\\begin{table}\\caption{nDCG@10 on Robust04}\n\\begin{tabular}{lr}\nrun & nDCG@10 \\\\\nBM25 & 0.412 \\\\\n"
        "ColBERT & 0.471 \\\\\n\\end{tabular}\\end{table}\n",
        encoding="utf-8",
    )
    (finding,) = lint([str(tmp_path / "paper.tex")], NUMBERS)
    assert finding.line == 2
    assert "0.471 for ColBERT in the table, " in finding.message
    assert "results.tex, line 5" in finding.message


RUNS = """
| run | P@5 | nDCG@10 |
|---|---|---|
| BM25 | 0.452 | 0.412 |
| QL | 0.463 | 0.439 |
| RM3 | 0.471 | 0.433 |
"""
RANGES = {  # sentences that are right, or say nothing certain
    "right": "Over all runs, nDCG@10 is between 0.412 and 0.439.",
    "rounded": "Over all runs, nDCG@10 is between 0.41 and 0.44.",
    "other runs": "For most runs, nDCG@10 is between 0.412 and 0.449.",
    "other numbers": "Over all runs, nDCG@10 is between 0.212 and 0.549 for single topics.",
    "a change": "RM3 outperforms BM25 by 4-8% in terms of nDCG@10.",
    "changes": "nDCG@10 rises from 0.412 to 0.433, an improvement between 6 % and 9 %.",
    "a factor": "Latency falls from 120 ms to 40 ms, a 2-4x speed-up.",
    "means of few topics": "Over 50 topics, P@10 = 0.411-0.413 for the runs.",
}


@pytest.mark.parametrize("case", RANGES)
def test_a_range_is_not_read_as_something_else(case):
    assert lint_text(f"{RANGES[case]}\n{RUNS}", "markdown", "x.md", NUMBERS) == []


@pytest.mark.parametrize("words", ["is between 0.412 and 0.449", "ranges from 0.412 to 0.449"])
def test_a_range_of_all_systems_has_their_least_and_highest_values(words):
    (finding,) = lint_text(f"{RUNS}\nAcross all runs, nDCG@10 {words}.\n", "markdown", "x.md", NUMBERS)
    assert "0.449 is printed as an end of the range, but 0.439 for QL in the table, line 5" in finding.message
