"""Pages that describe a measure, a tool or the work of others, beside pages that report results of their own."""

from __future__ import annotations

import pytest

from tests.lint.linting import codes

NOT_REPORTED = [
    "Mean Average Precision (MAP) rewards engines that put relevant pages early.",
    "The average of these values is usually called Mean Reciprocal Rank (MRR).",
    "* Frequently used metrics such as precision and MRR are measured by plug-ins.",
    "Returns the MRR that was computed on the local judgments.",
    "- MRR: reciprocal rank of the first hit, averaged over the queries.",
    "* [Mean Average Precision (MAP)](measures.md)",
    "Lee et al. report that their ranker improves MRR on this benchmark.",
]


@pytest.mark.parametrize("sentence", NOT_REPORTED)
def test_what_a_measure_is_and_what_others_found_is_not_a_result(sentence):
    assert codes(sentence, "markdown") == []


def test_the_same_words_with_a_result_are_one():
    assert codes("MRR rewards our reranker: it is 0.41.", "markdown") == ["M101"]


def test_topics_are_counted_in_a_column_for_them():
    table = "system | nDCG@10 | queries\n---|---|---\nBM25 | 0.4131 | {0}\ndense | 0.4256 | {0}\n"
    text = "The second run gains: nDCG@10 goes from 0.4131 to 0.4256.\n\n"
    assert codes(text + table.format(1298), "markdown") == []
    assert codes(text + table.format(98), "markdown") == ["M301"]


def test_three_backticks_inside_a_line_do_not_open_a_block():
    page = "Results are in\n```results.csv```\n\nsystem | MRR@5\n---|---\nBM25 | 0.71\ndense | 0.82\n"
    assert codes(page, "markdown") == ["M101"]
    assert codes(page.replace("```results.csv```", "```text\n"), "markdown") == []


UNIT_TESTS = {
    "a framework is imported": (
        "import pytest\nfrom ranx import evaluate\ndef test_it():\n    assert evaluate(qrels, run, ['mrr', 'map']) == known\n"
    ),
    "a class of cases": (
        "import beir\nclass Ranks(base.TestCase):\n    def run(self):\n        self.check(np.mean([1 / rank for rank in ranks]))\n"
    ),
    "nothing but tests": (
        "import ranx\ndef test_one():\n    assert close(np.mean(mrr(run)), 0.5)\n"
        "def test_two():\n    assert ranx.evaluate(qrels, run, 'mrr') == 1\n"
    ),
}


@pytest.mark.parametrize("program", UNIT_TESTS.values(), ids=list(UNIT_TESTS))
def test_a_program_that_tests_software_reports_nothing(program):
    assert codes(program, "python") == []


SHOWN_MEANS = {
    "the axis of a chart": ("qrels = load()\nax.set_ylabel('Mean Average Precision')", ["M201"]),
    "the axis of another chart": ("qrels = load()\nax.set_ylabel('MAP of the city')", []),
    "a sentence with the value": ("qrels = load()\nlog = 'setting {}: MRR is {}'.format(name, score)", ["M101"]),
    "a variable that is printed": ("qrels = load()\nmrr = score_file(path)\nprint(f'Score: {mrr}')", ["M101"]),
    "a variable that is printed alone": ("qrels = load()\nprint(mrr)", ["M101"]),
    "another variable": ("qrels = load()\nprint(f'Score: {ndcg}')", []),
    "a key below a group": ("qrels = load()\nbest = results['valid/mrr']", ["M101"]),
    "a column's mean": ("qrels = load()\nmrr = frame.score.mean()", ["M101"]),
    "a row of each topic": ("qrels = load()\nrows.append({'mrr': reciprocal_rank(found, relevant)})", ["M101"]),
    "BEIR's three values": ("import beir\nndcg, _map, recall = retriever.evaluate(qrels, results, ks)\nprint(_map)", ["M201"]),
}


@pytest.mark.parametrize(("program", "expected"), SHOWN_MEANS.values(), ids=list(SHOWN_MEANS))
def test_means_that_a_program_shows(program, expected):
    assert codes(program, "python") == expected


def test_summaries_of_runs_cannot_be_paired():
    program = "from scipy.stats import ttest_ind_from_stats\nndcg = read()\nttest_ind_from_stats(m1, s1, n1, m2, s2, n2)\n"
    assert codes(program, "python") == ["M801"]
