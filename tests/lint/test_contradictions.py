"""Numbers of a text against its tables, tables against each other, and calculations: wrong ones are found, right ones are not."""

from __future__ import annotations

import pytest

from mensura.lint.engine import Options, lint_text

NUMBERS = Options(select=("N",))
RUNS = """
| run | MAP | P@10 | nDCG@10 |
|---|---|---|---|
| BM25 | 0.312 | 0.452 | 0.412 |
| QL | 0.309 | 0.463 | 0.409 |
| RM3 | 0.333 | 0.471 | 0.433 |

"""


def codes(text, kind="markdown"):
    return [finding.code for finding in lint_text(text, kind, f"x.{kind}", NUMBERS)]


def table(header, *rows):
    columns = header.count("|") + 1
    return "".join(f"| {line} |\n" for line in [header, " | ".join(["---"] * columns), *rows]) + "\n"


CLAIMS = {  # sentences about the table of runs, and the rule that finds them
    "RM3 outperforms BM25 and QL by 5.1% and 9.9% in nDCG@10, respectively.": "N001",
    "RM3 outperforms BM25 and QL by 5.1% and 5.9% in nDCG@10, respectively.": None,
    "RM3 outperforms BM25 and Indri by 8.1% and 5.9% in nDCG@10, respectively.": "N001",
    "RM3 outperforms BM25 by 5.1% and QL by 9.9% in terms of nDCG@10.": "N001",
    "RM3 outperforms BM25 by 5.1% and QL by 5.9% in terms of nDCG@10.": None,
    "RM3 improves over BM25 by 6.7% in MAP, 8.2% in P@10 and 5.1% in nDCG@10.": "N001",
    "RM3 improves over BM25 by 6.7% in MAP, 4.2% in P@10 and 5.1% in nDCG@10.": None,
    "RM3 improves over BM25 by 6.7% and 8.2% in MAP and P@10, respectively.": "N001",
    "RM3 is approximately 15% more effective than BM25 in terms of nDCG@10.": "N001",
    "RM3 is approximately 5% more effective than BM25 in terms of nDCG@10.": None,
    "RM3 is more than 5% better than BM25 in terms of nDCG@10.": None,
    "RM3 beats BM25 by 3.1 points in nDCG@10.": "N002",
    "RM3 beats BM25 by 2.1 points in nDCG@10.": None,
    "RM3 outperforms BM25 by up to 12.4% in nDCG@10.": None,
    "RM3 outperforms BM25 by 12.4% in nDCG@10 on the training topics, and by 5.1% on average.": None,
    "QL outperforms BM25 on all metrics.": "N019",
    "QL consistently outperforms the BM25 baseline across all three evaluation metrics.": "N019",
    "RM3 outperforms BM25 and QL on all metrics.": None,
    "QL outperforms BM25 on all metrics but MAP.": None,
    "QL outperforms BM25 on almost all metrics.": None,
    "QL outperforms BM25 on all datasets.": None,
    "We expect that QL outperforms BM25 on all metrics.": None,
    "QL with feedback outperforms BM25 on all metrics.": None,
    "The best run on all measures is QL.": "N019",
    "The best run on all measures is RM3.": None,
    "QL achieves the best results on all measures.": "N019",
    "RM3 achieves the best results on all measures.": None,
    "BM25 reaches 0.412, QL 0.409 and RM3 0.443.": "N008",
    "BM25 reaches 0.412, QL 0.409 and RM3 0.433.": None,
    "BM25 reaches 0.41, QL 0.41 and RM3 0.43.": None,
    "BM25 (0.452) is behind QL (0.463), and RM3 (0.417) is ahead.": "N008",
    "The value of BM25 is 0.409, that of QL 0.412.": "N008",
    "The value of BM25 is 0.412, that of QL 0.409.": None,
    "With other topics, BM25 reaches 0.512 and QL 0.524.": None,
    "Compared with 0.433 of RM3, BM25 has 0.412.": None,
}


@pytest.mark.parametrize("sentence", CLAIMS)
@pytest.mark.parametrize("after", [False, True])
def test_claims_about_a_table(sentence, after):
    text = f"{RUNS}{sentence}\n" if after else f"{sentence}\n{RUNS}"
    assert codes(text) == [each for each in (CLAIMS[sentence],) if each]


CALCULATIONS = {
    "P@5 = 3/5 = 0.65 here.": True,
    "P@5 = 3/5 = 0.6 here.": False,
    "P@5 = 3/5 = 60% here.": False,
    "P@5 is 7/9 ≈ 0.78 here.": False,
    "P@5 is 7/9 ≈ 0.9 here.": True,
    "The mean is (1 + 1/2 + 1/3)/3 = 0.71.": True,
    "The mean is (1 + 1/2 + 1/3)/3 = 0.61.": False,
    "The mean is (0.41 + 0.43 + 0.45) / 3 = 0.45.": True,
    "The mean is (0.41 + 0.43 + 0.45) / 3 = 0.43.": False,
    "Whole numbers are cut off: 7 / 2 = 3.": False,
    "We get x / 3 / 5 = 0.65 for it.": False,
    "The split is 3/5 = 0.65x of it.": True,
    "The size is 3/5 = 0.65k of it.": False,
    "The rest is 3/5 = 0.9 - 0.3 of it.": False,
    "A model may say that 2 + 2 = 5.": False,
    r"We get \(P = \frac{97}{97 + 80} \approx 0.6862\) for it.": True,
    r"We get \(P = \frac{97}{97 + 80} \approx 0.548\) for it.": False,
    r"\begin{equation} F = \frac{2 \cdot 0.40 \cdot 0.60}{0.40 + 0.60} = 0.58 \end{equation}": True,
    r"\begin{equation} F = \frac{2 \cdot 0.40 \cdot 0.60}{0.40 + 0.60} = 0.48 \end{equation}": False,
    r"A share of $\frac{12}{50} = 26\%$ is left.": True,
    r"A share of $\frac{12}{50} = 24\%$ is left.": False,
    r"% We get $\frac{12}{50} = 26\%$ here.": False,
}


@pytest.mark.parametrize("sentence", CALCULATIONS)
def test_calculations(sentence):
    assert codes(sentence, "latex" if "\\" in sentence else "markdown") == ["N017"] * CALCULATIONS[sentence]


CUTS = {  # tables, and what is wrong in them
    "one run": (table("run | R@1 | R@5 | R@10 | R@100", "ours | 0.451 | 0.612 | 0.583 | 0.902"), ["N016"]),
    "one right run": (table("run | R@1 | R@5 | R@10 | R@100", "ours | 0.451 | 0.612 | 0.683 | 0.902"), []),
    "the success above": (
        table("run | MRR@10 | Hit@1", "BM25 | 0.451 | 0.412", "QL | 0.461 | 0.442", "RM3 | 0.441 | 0.402", "DPR | 0.471 | 0.512"),
        ["N016"],
    ),
    "capped recall": (table("run | R@1 | R@5 | R@10", "BM25 | 0.712 | 0.612 | 0.583", "QL | 0.702 | 0.632 | 0.573"), []),
    "precision falls": (table("run | P@5 | P@10 | P@20", "BM25 | 0.62 | 0.48 | 0.33", "QL | 0.60 | 0.47 | 0.31"), []),
    "changes": (table("run | Δ R@1 | Δ R@5 | Δ R@10 | Δ R@100", "ours | 0.451 | 0.612 | 0.583 | 0.902"), []),
    "sizes": (table("run | Hit@256 | Hit@512 | Hit@1000", "BM25 | 0.71 | 0.83 | 0.82", "QL | 0.70 | 0.81 | 0.84"), []),
}


@pytest.mark.parametrize("case", CUTS)
def test_cut_offs(case):
    text, expected = CUTS[case]
    assert codes(text) == expected


COPY = "run | MAP | nDCG | P@10"
ROWS = (
    "first | 0.187 | 0.327 | 0.512",
    "second | 0.183 | 0.325 | 0.507",
    "third | 0.163 | 0.308 | 0.482",
    "last | 0.149 | 0.292 | 0.475",
)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (ROWS, []),
        ((*ROWS[:1], "run-b | 0.183 | 0.352 | 0.507", *ROWS[2:]), ["N018"]),  # the names may be others
        ((*ROWS[:1], "second | 0.183 | 0.325 | 0.517", *ROWS[2:]), ["N018"]),
        ((*ROWS[:1], "second | 0.193 | 0.345 | 0.527", *ROWS[2:]), []),  # another version of a system
        (("first | 0.187 | 0.337 | 0.522", "second | 0.183 | 0.335 | 0.517", *ROWS[2:]), []),
        ((*ROWS[:1], "second | 0.183 | 0.725 | 0.507", *ROWS[2:]), ["N018"]),
    ],
)
def test_tables_with_the_same_runs(other, expected):
    assert codes(f"{table(COPY, *ROWS)}More of them.\n\n{table(COPY, *other)}") == expected


VALUES = table("measure | value", "R@100 | 0.207", "R@200 | 0.307", "MAP | 0.233", "nDCG | 0.416", "P@10 | 0.280")
CHANGED = ("R@100 | 0.193 | -6.8", "R@200 | 0.279 | -9.1", "MAP | 0.241 | +3.4", "nDCG | 0.384 | -7.7", "P@10 | 0.325 | +16.1")


@pytest.mark.parametrize(("row", "expected"), [("nDCG | 0.384 | -7.7", []), ("nDCG | 0.384 | -5.2", ["N001"])])
def test_changes_of_values_in_another_table(row, expected):
    rows = [row if each.startswith("nDCG") else each for each in CHANGED]
    assert codes(f"{VALUES}With weights:\n\n{table('measure | value | increase [%]', *rows)}") == expected


@pytest.mark.parametrize(("change", "expected"), [("-1.2%", []), ("0.0%", ["N001"]), ("-12.5%", ["N001"])])
def test_a_column_without_a_name_for_its_changes(change, expected):
    rows = ("base | 69.8 | 0.0%", "small | 67.2 | -3.7%", f"other | 68.9 | {change}", "large | 71.1 | 1.9%", "last | 66.1 | -5.3%")
    assert codes(table("model | Accuracy@20 | Impact", *rows)) == expected


F1 = ("a | 0.701 | 0.718 | 0.709", "b | 0.431 | 0.308 | 0.359", "c | 0.512 | 0.671 | 0.581", "d | 0.658 | 0.456 | {}")


@pytest.mark.parametrize(("last", "expected"), [("0.539", []), ("0.585", ["N014"])])
def test_f1_in_any_language(last, expected):
    """The harmonic mean of .658 and .456 is .5387."""
    rows = [row.format(last) for row in F1]
    assert codes(table("Modell | Präzision | Ausbeute | F1-Wert", *rows)) == expected
    turned = list(zip(*(row.split(" | ") for row in rows), strict=True))
    names = ("Präzision", "Ausbeute", "F1-Wert")
    lines = [" | ".join((name, *line)) for name, line in zip(names, turned[1:], strict=True)]
    assert codes(table(" | ".join(("Modell", *turned[0])), *lines)) == expected


TESTS = table("Run A | Run B | A-B | p-value", "5 | 3 | 0.0067 | 0.3215", "5 | 2 | 0.0341 | 0.0006", "3 | 2 | 0.0274 | 0.0041")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("As the table shows, runs are compared. Run 5 and run 3 have a p-value of 0.3215.", []),
        ("As Table 1 shows, the comparison of run 5 and run 3 has a p-value of 0.355.", ["N008"]),
        ("In another test, run 5 and run 3 have a p-value of 0.355.", []),
        ("In Table 1, the corrected p-value of run 5 and run 3 is larger: a p-value of 0.355.", []),
        ("As Table 1 shows, run 1 and run 3 have a p-value of 0.355.", []),
    ],
)
def test_p_values_of_two_systems(sentence, expected):
    assert codes(f"{TESTS}{sentence}\n") == expected


@pytest.mark.parametrize(("change", "expected"), [("15.1", ["N001"]), ("5.1", [])])
def test_a_table_of_single_rows_has_no_labels(change, expected):
    rows = r"BM25 & RM3 & QL \\ 0.412 & 0.433 & 0.409 \\"
    text = rf"\begin{{table}}\caption{{nDCG@10}}\begin{{tabular}}{{lll}}{rows}\end{{tabular}}\end{{table}}"
    assert codes(rf"{text} RM3 outperforms BM25 by {change}\%.", "latex") == expected
