"""Numbers in sentences: shares, factors, listed means, plain differences, intervals about their estimate; rows in json."""

from __future__ import annotations

import json

import pytest

from mensura.lint.engine import Options, lint_text

NUMBERS = Options(select=("N",))
WRONG = {  # each with the arithmetic that is shown
    "a share that is kept": (
        "N001",
        "With an nDCG@10 of 0.580 against 0.600, the small model retains 92.1 % of the nDCG@10.",
        "0.580 / 0.600 = 96.7 %",
    ),
    "a share of a value": (
        "N001",
        "The student has 0.345 nDCG@10, which is 97.2 % of the 0.365 of its teacher.",
        "0.345 / 0.365 = 94.5 %",
    ),
    "a factor": ("N001", "Latency falls from 120 ms to 40 ms, a 4.0x speed-up.", "120 / 40 = 3.0"),
    "times": ("N001", "Recall@100 grows from 0.20 to 0.50, which is 3.1 times as high.", "0.50 / 0.20 = 2.5"),
    "a mean of a list": (
        "N012",
        "nDCG@10 is 0.412 on Robust, 0.388 on Gov and 0.451 on News, 0.437 on average.",
        "(0.412 + 0.388 + 0.451) / 3 = 0.417",
    ),
    "a negative difference": ("N002", "nDCG@10 changes from 0.512 to 0.498, a difference of −0.024.", "0.498 − 0.512 = −0.014"),
    "points of percentages": ("N002", "nDCG@10 rises by 3.2 points, from 41.2 to 45.4.", "45.4 − 41.2 = 4.2"),
    "an interval that is not about its estimate": (
        "N005",
        "By a paired t-test, the difference is 0.045 (95 % CI: [0.010, 0.060]).",
        "the middle of [0.010, 0.060] is 0.0350",
    ),
    "a negative value": ("N009", "We find an nDCG@10 of −0.12 for the first run.", "which is never negative"),
}
RIGHT = {
    "a share that is kept": "With an nDCG@10 of 0.580 against 0.600, the small model retains 96.7 % of the nDCG@10.",
    "a share of something else": "With an nDCG@10 of 0.580 and an MRR@10 of 0.600, the model keeps 43.0 % of the parameters.",
    "about": "With an nDCG@10 of 0.580 against 0.600, the small model retains about 95 % of the nDCG@10.",
    "a factor, cut off": "Latency falls from 125 ms to 40 ms, a 3.1x speed-up.",
    "a factor less one": "Latency falls from 120 ms to 40 ms, 2.0 times faster.",
    "two units": "Building falls from 2 h to 40 min, a 4.0x speed-up.",
    "a factor of something else": "The index grows from 40 MB to 120 MB, and with it queries become 1.4x slower on 8 cores.",
    "a mean of a list": "nDCG@10 is 0.412 on Robust, 0.388 on Gov and 0.451 on News, 0.417 on average.",
    "a mean of more": "nDCG@10 is 0.412 on Robust, 0.388 on Gov and 0.451 on News, 0.402 on average over all 13.",
    "a negative difference": "nDCG@10 changes from 0.512 to 0.498, a difference of −0.014.",
    "a bootstrap": "By the bootstrap, the difference is 0.045 (95 % CI: [0.010, 0.060]); a t-test agrees.",
    "an interval, rounded": "By a paired t-test, the difference is 0.045 (95 % CI: [0.011, 0.080]).",
    "a negative change": "The change of nDCG@10 is −0.12 for the first run.",
    "columns with arrows": (
        "| edit | ES ↑ | PS ↑ | NS ↑ |\n|---|---|---|---|\n| A | **98.5** | 70.1 | 77.0 |\n| B | 91.2 | **35.2** | 60.0 |\n"
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_contradiction_is_shown_with_its_arithmetic(case):
    code, text, shown = WRONG[case]
    (finding,) = lint_text(text, "markdown", "x.md", NUMBERS)
    assert finding.code == code
    assert shown in finding.message


@pytest.mark.parametrize("case", RIGHT)
def test_what_rounding_or_another_reading_explains_is_left_alone(case):
    assert lint_text(RIGHT[case], "markdown", "x.md", NUMBERS) == []


@pytest.mark.parametrize("named", [False, True])
def test_rows_in_json_are_a_table(named):
    rows = [
        {"system": system, "P@5": five, "P@10": ten, "avg": mean}
        for system, five, ten, mean in (("a", 0.41, 0.35, 0.38), ("b", 0.43, 0.37, 0.4), ("c", 0.45, 0.37, 0.44))
    ]
    document = {row.pop("system"): row for row in rows} if named else rows
    text = json.dumps(document, indent=1)
    (finding,) = lint_text(text, "json", "x.json", NUMBERS)
    assert (finding.code, text.split("\n")[finding.line - 1].strip()) == ("N012", '"avg": 0.44')
    rows[2]["avg"] = 0.41
    assert lint_text(json.dumps(document), "json", "x.json", NUMBERS) == []


def test_columns_of_rows_in_json_are_means():
    text = json.dumps([{"system": "a", "mrr@10": 0.31}, {"system": "b", "mrr@10": 0.33}])
    assert [finding.code for finding in lint_text(text, "json", "x.json", Options(select=("M1",)))] == ["M101"]
    each = json.dumps([{"qid": "1", "mrr@10": 0.5}, {"qid": "2", "mrr@10": 1.0}])
    assert lint_text(each, "json", "x.json", Options(select=("M1",))) == []
