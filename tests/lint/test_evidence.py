"""Evidence of a contradiction: words or other numbers that show how one number follows from another, and no other reading of it.

All values were computed by hand, or with R's pt and pchisq.
"""

from __future__ import annotations

import pytest

from mensura.lint.engine import Options, lint_text
from mensura.lint.numbers import comparisons

NUMBERS = Options(select=("N",))


def codes(text: str) -> list[str]:
    return [finding.code for finding in lint_text(text, "markdown", "x.md", NUMBERS)]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("DPR has an nDCG@10 of 0.438, an improvement of {}% over BM25 (0.412).", ("6.3", "8.1")),
        ("In terms of MAP, DPR (0.438) is {}% better than BM25 (0.412).", ("6.3", "16.3")),
        ("With MAP of 0.412 for BM25 and 0.438 for DPR, the relative improvement is {}%.", ("6.3", "3.6")),
        ("DPR obtains 0.438 in MAP whereas BM25 obtains 0.412, a relative gain of {} %.", ("6.3", "12.6")),
        ("DPR (43.8) exceeds BM25 (41.2) by {} points of MAP.", ("2.6", "3.6")),
        ("The difference in MAP between DPR (0.438) and BM25 (0.412) is {}.", ("0.026", "0.062")),
        ("Indexing takes 40 s instead of 120 s ({}× faster).", ("3.0", "4.0")),
        ("The result was t = 2.31 (df = 49), p = {}.", ("0.025", "0.005")),
        ("The test gave χ² = 7.81, df = 3, p = {}.", (".050", ".005")),
        ("MAP = {}, 95% CI [0.391, 0.433].", ("0.412", "0.512")),
        ("DPR improves MAP by {} (95% CI [0.010, 0.042]).", ("0.026", "0.062")),
        ("The difference is significant at the 0.05 level (p = {}).", ("0.021", "0.21")),
        ("With 50 topics, the mean P@10 of DPR is {}.", ("0.412", "0.413")),
        ("The MRR of DPR is {}.", ("0.412", "1.412")),
        ("Of 50 queries, 12 ({}%) are ambiguous.", ("24", "29")),
        ("In {}% of the cases (12 of 50), it is relevant.", ("24", "29")),
        ("12 of 50 judged documents were relevant, i.e. {}%.", ("24", "29")),
        ("In total there are {} topics (700 train, 100 dev, 50 test).", ("850", "860")),
        ("The average of 0.250, 0.430 and 0.430 is {}.", ("0.370", "0.390")),
        ("The MRR of the folds is 0.250, 0.430 and 0.430 (mean {}).", ("0.370", "0.390")),
    ],
)
def test_words_that_state_a_relation(right: str, wrong: tuple[str, str]) -> None:
    fits, contradicts = wrong
    assert codes(right.format(fits)) == []
    assert len(codes(right.format(contradicts))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "In 26/53 (49%) the method is before its creator; the mean is 0.704 vs 0.516.",  # a share of counts
        "The score is 0.199 vs 0.362 for real ones (55% of it is an echo).",  # .199/.362
        "The slope drops to 0.115 (a 22% reduction) and R² jumps to 0.236.",  # of two statistics
        "Cost fell from $0.366976 to $0.258237 (0.704x).",  # what is left
        "The effect is equivalent to zero, r(229) = -0.04, p = .015.",  # a test of another hypothesis
        "The test in the direction that we expected gave t(29) = -8.22, p = 1.00.",  # the other tail
        "The slope is 0.30, OR = 1.35, 95% CI [1.10, 1.60].",  # exp(.30)
        "The bias was reduced, t(49) = 2.31, 95% CI [0.01, 0.07].",
        "The run has 1.43% of Recall@100, and the other 2.11%.",
        "The precision of the scale is 1.25 mm.",
        "Of 50 queries, 12 (16%) of 75 terms are rare.",
        "The model estimates a 15% increase in counts (coefficient 0.141, SE = 0.084).",  # exp(.141)
        "With k = 1.20, DPR is 35% better at b = 0.75.",
        "The p-value of 0.92 is far from conventional significance levels.",
        "The 95% CI of the difference, [-0.240, 0.114], includes zero beside the significant effect of the others.",
        "DPR reaches 0.438, BM25 0.412, and indexing is 35% faster.",
    ],
)
def test_other_readings(text: str) -> None:
    assert codes(text) == []


def table(header: str, *rows: str) -> str:
    lines = [header, "|".join("---" for _ in header.split("|")), *rows]
    return "Results.\n\n" + "\n".join(f"| {line.replace('|', ' | ')} |" for line in lines) + "\n"


def test_a_row_of_means_is_shown_by_its_other_columns() -> None:
    """(.20 + .40 + .60) / 3 = .40; (.25 + .31 + .52) / 3 = .36."""
    rows = "NQ|0.200|0.250", "FiQA|0.400|0.310", "Quora|0.600|0.520"
    assert codes(table("Dataset|BM25|DPR", *rows, "Average|0.400|0.360")) == []
    assert codes(table("Dataset|BM25|DPR", *rows, "Average|0.400|0.390")) == ["N012"]
    assert codes(table("Dataset|BM25|DPR", *rows, "Average|0.420|0.390")) == []  # of other numbers


def test_a_mean_beside_quantiles_is_of_the_data() -> None:
    rows = "a|61.1|14.1|51.5|70.5", "b|50.3|10.8|42.0|58.2"
    assert codes(table("Variable|Mean|SD|P25|P75", *rows)) == []


def test_an_interval_beside_its_deviation() -> None:
    """The deviations are in all intervals but one, as a value near 0 is."""
    rows = "a|0.075|0.050|[-0.023, 0.173]", "b|0.017|0.034|[-0.050, 0.084]", "c|-0.055|0.022|[-0.099, -0.012]"
    assert codes(table("Quarter|ATT|SE|95% CI", *rows)) == []


def test_a_row_that_is_never_marked_does_not_compete() -> None:
    rows = "a|0.40|0.38|**0.56**", "b|**0.43**|**0.40**|0.55", "large|0.44|0.45|0.54"
    assert codes(table("Run|P@5|P@10|MAP", *rows)) == []
    assert codes(table("Run|P@5|P@10|MAP", *rows[:2], "large|0.42|0.45|0.54")) == ["N007"]


def test_shares_of_counts_in_a_table() -> None:
    """20, 30 and 50 of 100."""
    rows = "long|20|20.0%", "short|30|30.0%"
    assert codes(table("Kind|Count|Share", *rows, "other|50|50.0%", "Total|100|100%")) == []
    assert codes(table("Kind|Count|Share", *rows, "other|50|55.0%", "Total|100|100%")) == ["N013"]


def test_changes_against_a_row_are_not_excused_by_the_wrong_base() -> None:
    """.276 / .218 = 1.266; (.276 − .218) / .276 = .210: what another base would give, with rounding, is not an excuse."""
    rows = "a|0.492|0.540|+9.8%", "b|0.428|0.504|+17.8%", "c|0.263|0.344|+30.8%"
    assert codes(table("Run|before|after|Change", *rows, "d|0.218|0.276|+26.6%")) == []
    assert codes(table("Run|before|after|Change", *rows, "d|0.218|0.276|+21.0%")) == ["N001"]


def test_f1_of_three_rows() -> None:
    """2 · .7 · .5 / 1.2 = .583, 2 · .9 · .3 / 1.2 = .45, 2 · .6 · .4 / 1 = .48."""
    rows = "a|0.700|0.500|0.583", "b|0.900|0.300|0.450"
    assert codes(table("Run|Precision|Recall|F1", *rows, "c|0.600|0.400|0.480")) == []
    assert codes(table("Run|Precision|Recall|F1", *rows, "c|0.600|0.400|0.430")) == ["N014"]


def test_a_list_of_numbers_is_not_read_as_two_values_and_a_change(monkeypatch):
    """A line of a megabyte is left after its numbers were counted: looking before and after each takes a time of its own."""
    monkeypatch.setattr(comparisons, "printed", lambda _: pytest.fail("a number of a list was read"))
    text = "The scores improve: " + ", ".join(f"0.{number}" for number in range(400, 413)) + ", an increase of 3.1%."
    assert codes(text) == []
