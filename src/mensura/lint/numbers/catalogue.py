"""The rules of the number checker, with an example of each."""

from __future__ import annotations

from mensura.lint.rule import Rule

STATCHECK = "M. Nuijten et al.: The prevalence of statistical reporting errors in psychology (1985-2013). Behavior Research Methods 48, 2016"
GRIM = (
    "N. Brown, J. Heathers: The GRIM test: a simple technique detects numerous anomalies in the reporting of results in psychology. "
    "Social Psychological and Personality Science 8(4), 2017"
)
LAWS = "C. Buckley, E. Voorhees: Retrieval system evaluation. In: TREC: experiment and evaluation in information retrieval. MIT Press, 2005"
FIX = "Compute the numbers again from the data; if a number of the text was meant for another row or another version, correct the text."


def _rule(code: str, name: str, consequence: str, reason: str, *examples: str, reference: str = STATCHECK) -> Rule:
    wrong, right = examples
    return Rule(
        code=code,
        name=name,
        severity="error",
        strict="error",
        consequence=consequence,
        demand=consequence,
        reason=reason,
        references=(reference,),
        wrong=wrong,
        right=right,
        fix=FIX,
    )


def _table(header: str, *rows: str) -> str:
    columns = header.count("|") + 1
    lines = [header, " | ".join(["---"] * columns), *rows]
    return "".join(f"| {line} |\n" for line in lines)


RULES = (
    _rule(
        "N001",
        "wrong-relative-change",
        "this change in per cent does not follow from the two values",
        "A relative change from a to b is (b − a) / a. It is compared with everything that the printed values may have been before they "
        "were rounded or cut off, as a relative change and as a difference in points; for two values side by side either may be the base.",
        "The mean P@10 rises from 0.312 to 0.341 (+12.3%) with <!-- mensura: ignore M401 --> feedback.",
        "The mean P@10 rises from 0.312 to 0.341 (+9.3%) with <!-- mensura: ignore M401 --> feedback.",
    ),
    _rule(
        "N002",
        "wrong-difference",
        "this difference does not follow from the two values",
        "A difference is one value minus the other, in the unit of the values or in percentage points. Rounding is allowed for exactly.",
        _table("run | P@10 old | P@10 new | Δ", "a | 0.31 | 0.35 | 0.04", "b | 0.28 | 0.33 | 0.05", "c | 0.30 | 0.34 | 0.07"),
        _table("run | P@10 old | P@10 new | Δ", "a | 0.31 | 0.35 | 0.04", "b | 0.28 | 0.33 | 0.05", "c | 0.30 | 0.34 | 0.04"),
    ),
    _rule(
        "N003",
        "wrong-p-value",
        "this p-value does not follow from the statistic and its degrees of freedom",
        "The p-value is computed from t, F, χ², z, r or q as it is printed, with everything that rounding allows, one-sided and two-sided. "
        "Where a correction is mentioned, a larger p-value is accepted. In a table of tests, one a row, p-values are compared where those of "
        "two other rows follow from their statistics.",
        "The runs differ, t(49) = 2.31, p = 0.004, d = 0.33.",
        "The runs differ, t(49) = 2.31, p = 0.025, d = 0.33.",
    ),
    _rule(
        "N004",
        "wrong-anova-table",
        "this cell of the analysis of variance does not follow from the others",
        "A mean square is a sum of squares divided by its degrees of freedom, F is a ratio of mean squares, p follows from F, and sums of "
        "squares and degrees of freedom add up to their totals.",
        _table("source | SS | df | MS | F", "system | 0.60 | 3 | 0.25 | 8.33", "error | 4.41 | 147 | 0.03 | "),
        _table("source | SS | df | MS | F", "system | 0.60 | 3 | 0.20 | 6.67", "error | 4.41 | 147 | 0.03 | "),
    ),
    _rule(
        "N005",
        "interval-contradicts",
        "this interval contradicts the difference, or what is said about it",
        "An interval contains its estimate, which is a value that is right before it or is called its difference, begins before it ends, and "
        "excludes 0 if and only if the difference is significant at its level.",
        "The difference is 0.09 (95 % CI: 0.01 to 0.07).",
        "The difference is 0.04 (95 % CI: 0.01 to 0.07).",
    ),
    _rule(
        "N006",
        "significance-contradicts",
        "this p-value contradicts what is said about significance",
        "A difference is significant if p is below the level. Only sentences with one p-value and one claim are read; the level is that of "
        "the sentence, one that the text names, or .05.",
        "The difference is statistically significant (t-test, p = 0.21, d = 0.1).",
        "The difference is not statistically significant (t-test, p = 0.21, d = 0.1).",
    ),
    _rule(
        "N007",
        "best-is-not-best",
        "this value is marked as the best of its column, and another is better",
        "Bold cells are compared with the other cells of their column and block where the rest of the table, or its caption, shows that "
        "bold means best; underlined cells where the caption says that they are the second best.",
        "The best values are bold.\n\n"
        + _table("run | P@5 | P@10", "a | 0.41 | 0.38", "b | **0.43** | 0.40", "c | 0.42 | **0.39**"),
        "The best values are bold.\n\n"
        + _table("run | P@5 | P@10", "a | 0.41 | 0.38", "b | **0.43** | **0.40**", "c | 0.42 | 0.39"),
    ),
    _rule(
        "N008",
        "text-and-table-differ",
        "this value is not the one in the table",
        "A value in an abstract or a text is compared with the only cell of all tables that has its system, its measure with the same "
        "cut-off, and the collection that the sentence names. It is reported if it is near that value and in no cell at all. A range over all "
        "systems is compared with the least and the highest value of the only column of its measure.",
        "BM25 has a P@10 of 0.421 here.\n\n" + _table("run | P@5 | P@10", "BM25 | 0.452 | 0.412", "QL | 0.463 | 0.409"),
        "BM25 has a P@10 of 0.412 here.\n\n" + _table("run | P@5 | P@10", "BM25 | 0.452 | 0.412", "QL | 0.463 | 0.409"),
    ),
    _rule(
        "N009",
        "value-out-of-range",
        "a value that this measure cannot have",
        "Most measures have values from 0 to 1, which are also printed in per cent. A sentence may have a value up to 2 only where another "
        "number of the document shows that the unit is per cent.",
        _table("run | P@10", "a | 0.412", "b | 1.431", "c | 0.398", "d | 0.402"),
        _table("run | P@10", "a | 0.412", "b | 0.431", "c | 0.398", "d | 0.402"),
    ),
    _rule(
        "N010",
        "percentages-among-fractions",
        "a percentage among fractions, or a fraction among percentages",
        "The values of a column have one unit. One cell with another one is read wrongly, or was not converted.",
        _table("run | P@10", "a | 0.412", "b | 43.1", "c | 0.398", "d | 0.402"),
        _table("run | P@10", "a | 0.412", "b | 0.431", "c | 0.398", "d | 0.402"),
    ),
    _rule(
        "N011",
        "impossible-mean",
        "a mean that this number of topics cannot give",
        "P@10 of a topic is a multiple of 1/10, and a mean over 50 topics is one of 1/500: .4131 is between two of them. The same holds "
        "for success, and for reciprocal ranks down to rank 4.",
        "Over 50 topics, P@10 = 0.413 for the first run.",
        "Over 50 topics, P@10 = 0.412 for the first run.",
        reference=GRIM,
    ),
    _rule(
        "N012",
        "wrong-mean",
        "this mean is not the mean of its cells",
        "A column or a row called average is compared with the cells that the other averages of the table are the means of, or the other "
        "cells of the same average if that one fit is not chance.",
        _table("run | P@5 | P@10 | avg", "a | 0.41 | 0.35 | 0.38", "b | 0.43 | 0.37 | 0.40", "c | 0.45 | 0.37 | 0.44"),
        _table("run | P@5 | P@10 | avg", "a | 0.41 | 0.35 | 0.38", "b | 0.43 | 0.37 | 0.40", "c | 0.45 | 0.37 | 0.41"),
    ),
    _rule(
        "N013",
        "wrong-proportion",
        "this percentage is not the ratio of the two counts beside it",
        "A percentage beside two counts, of which one is a part of the other, is their ratio, and so is a share beside the counts of a table. "
        "Rounding is allowed for exactly.",
        "The query is ambiguous in 12 of 50 topics (26%).",
        "The query is ambiguous in 12 of 50 topics (24%).",
    ),
    _rule(
        "N014",
        "wrong-f-measure",
        "this F1 does not follow from precision and recall",
        "F1 is the harmonic mean of precision and recall. Averaged over topics or classes it is at most the harmonic mean of the two "
        "averages. It is compared where the other rows of a table show that F1 is computed from the precision and recall beside it.",
        _table("run | Precision | Recall | F1", "a | 0.40 | 0.60 | 0.48", "b | 0.50 | 0.30 | 0.38", "c | 0.30 | 0.50 | 0.45"),
        _table("run | Precision | Recall | F1", "a | 0.40 | 0.60 | 0.48", "b | 0.50 | 0.30 | 0.38", "c | 0.30 | 0.50 | 0.38"),
    ),
    _rule(
        "N015",
        "wrong-sum",
        "these parts do not add up to their total",
        "Counts of training, development and test queries add up to the count of all, and shares in per cent to 100; a total in a table is "
        "the sum of its line where the other totals are.",
        "The 1,000 topics are split into 800 for training and 250 for test <!-- mensura: ignore M501 -->.",
        "The 1,000 topics are split into 800 for training and 200 for test <!-- mensura: ignore M501 -->.",
    ),
    _rule(
        "N016",
        "cut-offs-contradict",
        "this value is excluded by another measure of the same run",
        "For every topic recall, success and reciprocal rank cannot fall when the cut-off grows, P@10 is at least half of P@5, and nothing "
        "exceeds the success at its cut-off; so it is with means. It is reported where the table keeps these laws everywhere else.",
        _table("run | P@5 | P@10 | P@100", "a | 0.612 | 0.283 | 0.102", "b | 0.574 | 0.483 | 0.121"),
        _table("run | P@5 | P@10 | P@100", "a | 0.612 | 0.483 | 0.102", "b | 0.574 | 0.483 | 0.121"),
        reference=LAWS,
    ),
    _rule(
        "N017",
        "wrong-calculation",
        "this result does not follow from the calculation before it",
        "A calculation that is written out, also with a fraction of LaTeX, is computed with everything that its printed numbers may be.",
        "The first query has a precision of 3 / 5 = 0.65.",
        "The first query has a precision of 3 / 5 = 0.60.",
    ),
    _rule(
        "N018",
        "tables-differ",
        "this value differs from the one in another table",
        "Two tables have the same runs if their values of other measures are the same, run by run. One value that is not was copied wrongly, or "
        "is left from another version.",
        _table("run | P@5 | P@10", "sa | 0.462 | 0.387", "sb | 0.453 | 0.403", "sc | 0.447 | 0.371", "sd | 0.421 | 0.364")
        + "\n"
        + _table("run | P@5 | P@10", "sa | 0.462 | 0.387", "sb | 0.435 | 0.403", "sc | 0.447 | 0.371", "sd | 0.421 | 0.364"),
        _table("run | P@5 | P@10", "sa | 0.462 | 0.387", "sb | 0.453 | 0.403", "sc | 0.447 | 0.371", "sd | 0.421 | 0.364")
        + "\n"
        + _table("run | P@5 | P@10", "sa | 0.462 | 0.387", "sb | 0.453 | 0.403", "sc | 0.447 | 0.371", "sd | 0.421 | 0.364"),
    ),
    _rule(
        "N019",
        "order-contradicts",
        "the table has a value that contradicts this claim about all of them",
        "A system that is said to outperform another, or to be the best, on all measures or collections has no lower value in the tables next "
        "to the claim.",
        "RM3 outperforms BM25 on all measures.\n\n" + _table("run | P@5 | P@10", "BM25 | 0.41 | 0.40", "RM3 | 0.43 | 0.39"),
        "RM3 outperforms BM25 on all measures.\n\n" + _table("run | P@5 | P@10", "BM25 | 0.41 | 0.38", "RM3 | 0.43 | 0.39"),
    ),
)
