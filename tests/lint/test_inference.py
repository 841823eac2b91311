"""Tables of tests, levels that a sentence names, intervals and means against the numbers beside them.

The statistics of the right rows are critical values of printed tables: χ² of 3 degrees of freedom has 7.81 at .05 and 11.34 at .01,
z has 1.96 at .05 and 2.17 at .03; a wrong p-value is another one with a slip.
"""

from __future__ import annotations

import pytest

from tests.lint.linting import codes

PAIRED = "| pair | t | df | p |\n|-|-|-|-|\n| A, B | 2.31 | 49 | .025 |\n| A, C | 1.02 | 49 | .313 |\n| B, C | 0.50 | 49 | {} |\n"
SQUARES = "| run | χ² | df | p-value |\n|---|---|---|---|\n| A | 7.81 | 3 | .05 |\n| B | 3.0 | 3 | .392 |\n| C | 11.34 | 3 | {} |\n"
NORMAL = "| pair | z | p |\n|---|---|---|\n| A | 1.96 | .05 |\n| B | 2.17 | .030 |\n| C | 0.4 | {} |\n"
HEADED = "| pair | t(49) | p |\n|---|---|---|\n| A | 1.96 | .056 |\n| B | 2.17 | .035 |\n| C | 0.4 | {} |\n"
VARIANCES = (
    "| factor | F | df1 | df2 | p |\n|---|---|---|---|---|\n| A | 4.21 | 3 | 147 | .007 |\n| B | 2.0 | 3 | 147 | .116 |\n"
    "| C | 1.0 | 3 | 147 | {} |\n"
)
LIMITS = (
    "| run | change | 95 % CI |\n|---|---|---|\n| A | 0.01 | [-0.03, 0.05] |\n| B | 0.02 | [0.01, 0.03] |\n"
    "| C | 0.054 | [-0.012, 0.040] |\n"
)
PRECISION = "Over 50 topics.\n\n| run | P@10 |\n|---|---|\n" + "".join(f"| r{i} | 0.{400 + 14 * i} |\n" for i in range(12))
TYPED = (
    "Type III sums of squares.\n\n| source | SS | df | MS | F |\n|---|---|---|---|---|\n| a | 0.60 | 3 | 0.20 | 6.67 |\n"
    "| b | 4.41 | 49 | 0.09 | 3.0 |\n| error | 4.41 | 147 | 0.03 | |\n| total | 9.99 | 199 | | |\n"
)


@pytest.mark.parametrize(
    ("table", "wrong", "right"),
    [
        (PAIRED, ".062", ".62"),
        (SQUARES, ".11", "0.010**"),
        (SQUARES, "<.005", "<.05"),
        (NORMAL, ".41", ".69"),
        (HEADED, ".41", ".69"),
        (VARIANCES, ".039", ".395"),
    ],
)
def test_p_values_of_a_table_follow_from_its_statistics(table, wrong, right):
    assert numbers(table.format(wrong)) == ["N003"]
    assert numbers(table.format(right)) == []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("N006", "With α = 0.01, the gain is significant (p = 0.04)."),
        ("N006", "The difference is significant at the 1% level (p = 0.03)."),
        ("N006", "The gain is significant (p > 0.05)."),
        ("N006", "No significant difference was observed (p < 0.001)."),
        ("N006", "The gain is significant (p-value: 0.31)."),
        ("N005", "The mean difference is 0.054 (95% CI from -0.012 to 0.040)."),
        ("N005", "The mean difference is 0.054, 95% bootstrap CI: [-0.012, 0.040]."),
        ("N005", LIMITS),
        ("N009", "The MAP of BM25 is −0.213."),
        ("N009", "P@10 reached 112.4%."),
        ("N009", "The accuracy is 134.2%."),
        ("N011", PRECISION + "| x | 0.437 |\n"),
        ("N002", "nDCG@10 rises from 41.3 to 44.5 (+5.2 points)."),
        ("N002", "nDCG@10: 41.3 → 44.5 (5.2 points)"),
        ("N002", "nDCG@10 falls by 0.052, from 0.445 to 0.413."),
        ("N002", "nDCG@10 went up by 0.052 (from 0.413 to 0.445)."),
    ],
)
def test_a_contradiction_is_found(code, text):
    assert numbers(text) == [code]


@pytest.mark.parametrize(
    "text",
    [
        "With α = 0.01, the gain is not significant (p = 0.04).",
        "The difference is significant at the 1% level (p = 0.003).",
        "The gain is not significant (p > 0.05).",
        "A significant difference was observed (p < 0.001).",
        "No significant difference was found between A and B, and both are better than C (p < 0.001).",
        "There was no significant difference at the 0.001 level (p < 0.01).",
        "The systems are not significantly different (p < 0.1).",
        "None of the estimates are statistically significant at p < 0.05.",
        "Among the 7584 non-significant rules, the coefficient is 0.018 (p < 0.001).",
        "The effects are small and not significant in the first years, then they grow (p < 0.05).",
        "The change is significant for short queries and not for long ones (p > 0.05).",
        "The coefficients are small and not significant, though that of May is larger (p = 0.001).",
        "A significant interaction was absent (p = 0.3).",
        "Evidence of a significant difference is missing (p = 0.3).",
        "The mean difference is 0.031 [0.012, 0.040] (95% CI).",
        "The improvement is 3.1% (95% CI from 0.012 to 0.040).",
        "P@10 is 0.4163 over the 49 of 50 topics with relevant documents.",
        "Of the 50 topics, 49 have relevant documents; P@10 is 0.4163.",
        "We removed one of the 50 topics; P@10 is 0.4163.",
        "It went from 120 ms to 125 ms (+9 points).",
        PRECISION,
        TYPED,
    ],
)
def test_what_agrees_is_left_alone(text):
    assert numbers(text) == []


def test_markup_of_a_symbol_does_not_part_a_word():
    assert codes(r"The bootstrap $p$-value is $0.92$, and the $95\%$ confidence interval is $[-0.28, 0.27]$.", "latex") == []
    assert codes(r"The runs differ significantly; the $p$-value is $0.012$.", "latex") == ["M801"]


def test_a_long_text_about_something_else_is_left_alone():
    mice = "The mice were weighed every day and kept in a dark room. " * 14
    slip = "Their weight rises from 0.312 to 0.341 (+12.3%)."
    assert numbers(slip) == numbers(slip + " The retrieved runs are re-ranked by BM25. " + mice) == ["N001"]
    assert numbers(slip + mice) == []


def numbers(text):
    return [code for code in codes(text, "markdown") if code.startswith("N")]
