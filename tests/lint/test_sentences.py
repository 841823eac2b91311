"""Numbers in sentences: shares, factors, listed means, plain differences, intervals about their estimate; rows in json."""

from __future__ import annotations

import json

import pytest

from mensura.lint.engine import Options, lint_text

NUMBERS = Options(select=("N",))


def table(head, *rows):
    """A table in Markdown."""
    lines = [head, " | ".join("---" for _ in head.split(" | ")), *rows]
    return "".join(f"| {line} |\n" for line in lines)


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
    "a change that another row would explain": (
        "N002",
        table(
            "system | F1 | improvement over the baseline",
            "baseline | 0.382 | –",
            "pipeline | 0.417 | +0.035",
            "one agent | 0.389 | +0.007",
            "union | 0.375 | −0.007",
            "majority | 0.402 | +0.026",
            "intersection | 0.424 | +0.042",
        ),
        "0.402 − 0.382 = 0.020",
    ),
    "a mean of a measure": (
        "N012",
        table(
            "model | size | Avg. NDCG | NDCG@1 | NDCG@5 | NDCG@10",
            "a | 0.6B | 0.712 | 0.680 | 0.714 | 0.742",
            "b | 0.6B | 0.703 | 0.671 | 0.708 | 0.730",
            "c | 0.3B | 0.698 | 0.661 | 0.702 | 0.731",
            "d | 0.1B | 0.665 | 0.641 | 0.688 | 0.702",
        ),
        "(0.641 + 0.688 + 0.702) / 3 = 0.677",
    ),
    "a bold value in the middle of a column": (
        "N007",
        table(
            "run | P@5 | P@10 | nDCG@10 | Recall@100 | overlap",
            "a | 0.31 | 0.41 | 0.3163 | **0.5638** | 0.8176",
            "b | 0.35 | 0.43 | 0.3953 | 0.4791 | **0.8332**",
            "c | 0.37 | 0.45 | **0.4053** | 0.5240 | 0.8559",
            "d | **0.39** | **0.46** | 0.3253 | 0.5140 | 0.8251",
        ),
        "the values of its column are from 0.8176 to 0.8559",
    ),
    "a mean above its deviation": (
        "N012",
        table(
            "piece | a | b | c",
            "1 | 50.68 | 52.84 | 38.48",
            "2 | 45.98 | 12.67 | 18.75",
            "3 | 25.28 | 27.41 | 9.60",
            "4 | 12.67 | 4.22 | 8.91",
            "5 | 17.31 | 15.71 | 17.87",
            "**average** | 30.38 | 22.57 | 18.27",
            "std. dev. | 17.15 | 18.66 | 12.11",
        ),
        "(38.48 + 18.75 + 9.60 + 8.91 + 17.87) / 5 = 18.72",
    ),
    "a share in a cell that says whose it is": (
        "N013",
        table("group | here", "a | Theirs: 179/332 (53.6%), ours: 171/332 (51.5%)", "b | Theirs: 180/272 (66.2%)"),
        "179 / 332 = 53.9 %",
    ),
    "a total with decimals": (
        "N015",
        table(
            "part | documents | load | run | all",
            "a | 382,544 | 556.5 | 9,781.9 | 10,346.1",
            "b | 500,000 | 8.3 | 11,189.7 | 11,206.8",
            "total | 882,544 | 564.8 | 20,971.6 | 21,553.3",
        ),
        "10346.1 + 11206.8 = 21552.9",
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
    "three values in turn": "The coverage of nDCG@10 drops from a 92.9% to a 51.6% and a 5.8%, respectively.",
    "a count beside scores": table(
        "data | best | mean | target | gap | samples",
        "one | 0.9256 | 0.8993 | 0.94 | -0.014 | 3",
        "two | 0.8282 | 0.7860 | 0.84 | -0.012 | 2",
        "three | 0.8408 | 0.7910 | 0.85 | -0.009 | 1",
    ),
    "two rows in one": table(
        "model | obj | subj | verb | avg",
        "a | 92.90 | 88.16 | 84.02 | 88.36",
        "b | 93.59 | 91.43 | 85.58 | 90.20",
        "c d | 94.14 93.13 | 92.22 92.07 | 84.23 83.75 | 89.65",
    ),
    "means of every other row": table(
        "language | check | F1 | F1 of samples",
        "BG | none | 0.5799 | 0.4104",
        " | some | 0.5721 | 0.4049",
        " | all | 0.5521 | 0.4211",
        "EN | none | 0.5132 | 0.3815",
        " | some | 0.5241 | 0.3675",
        " | all | 0.5319 | 0.4166",
        "HI | none | 0.4715 | 0.2976",
        " | some | 0.4217 | 0.3082",
        " | all | 0.4354 | 0.2687",
        "PT | none | 0.7489 | 0.4737",
        " | some | 0.7335 | 0.4681",
        " | all | 0.6904 | 0.4367",
        "RU | none | 0.6958 | 0.4754",
        " | some | 0.7080 | 0.4786",
        " | all | 0.6693 | 0.5078",
        "average | none | 0.6019 | 0.4077",
    ),
    "a correlation": "The length of a query correlates with nDCG@10 at -0.07, and so does its age.",
    "differences in a list": "- Recall@5: +0.19, MRR: +0.29\n- EM: -0.032, F1: -0.019, a slight regression.\n",
    "a mean of F1 over folds": table(
        "features | Precision | Recall | F1",
        "text | 78.2 ± 7.0 | 78.9 ± 5.2 | 78.4 ± 5.5",
        "links | 61.8 ± 16.5 | 58.2 ± 30.2 | 52.4 ± 13.0",
        "both | 89.4 ± 4.6 | 89.6 ± 2.4 | 89.4 ± 2.3",
        "text, time | 78.9 ± 7.1 | 79.4 ± 4.6 | 79.0 ± 4.5",
        "all | 88.8 ± 4.9 | 90.1 ± 1.9 | 89.3 ± 2.3",
    ),
    "a mean of F1 over files": table(
        "provider | Precision | Recall | F1",
        "a | 0.965 | 0.962 | 0.963",
        "b | 0.964 | 0.960 | 0.962",
        "c | 0.964 | 0.961 | 0.962",
        "d | 0.965 | 0.964 | 0.964",
        "e | 0.846 | 0.855 | 0.847",
    ),
    "the deviation of a mean": table(
        "noise | seed 1 | seed 2 | seed 3 | stdev",
        "none | 32.43 | 32.40 | 32.30 | 0.07",
        "swap | 16.86 | 16.70 | 16.46 | 0.20",
        "delete | 18.16 | 17.90 | 17.62 | 0.27",
        "average | 22.48 | 22.33 | 22.13 | 0.15",
    ),
    "a column with a bold name": "Recall and coherence of the codes.\n\n"
    + table(
        "recall of | metadata | **attributes**",
        "tags | 0.085 | **0.154**",
        "artists | 0.025 | 0.022",
        "decades | 0.435 | **0.517**",
        "sessions | 0.164 | **0.111**",
    ),
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
