"""P4: tests that assume an interval scale, on values that have none. Found where a comparison is made, not in texts."""

from __future__ import annotations

from mensura.lint.rule import FERRANTE, MOFFAT, SAKAI, Rule

PLAN = (
    'goal = "compare"\nsystems = ["a", "b"]\nprimary = "nDCG@10"\nhypotheses = ["a is better than b"]\ntest = "t"\n'
    'correction = "holm"\nalpha = 0.05\nsmallest_effect = 0.02\nfolds = 5\nseed = 1\nscale = "interval"\n'
)

ORDINAL_TEST = Rule(
    code="M103",
    name="interval-test-on-ordinal-scale",
    severity="warning",
    strict="error",
    consequence="the test assumes an interval scale, and the measure has none: on its interval scale other pairs may differ",
    demand="tests of differences need an interval scale: compare on it (--scale interval), or use a test for ordinal values",
    reason=(
        "Student's t, the signed rank test and analyses of variance add and subtract values, which an ordinal scale does not permit. On the "
        "interval scale decisions change: 25 ± 11 % of the significant ones, on average over the 156 cells of P4's tables 5 and 6 that can "
        "change at all; 15 % over all 264 cells (P4 §VIII-C)."
    ),
    references=(FERRANTE, SAKAI, MOFFAT),
    wrong=PLAN.replace("interval", "original"),
    right=PLAN,
    fix="mensura compare --scale interval, or --scale both to see what changes; or --test sign.",
    debate=(
        "Ferrante, Ferro and Fuhr demand it from measurement theory. Sakai and Moffat answer that tests are about numbers, whatever they stand "
        "for, and that t-tests hold up well in practice."
    ),
    ending=".toml",
)
LENGTHS = Rule(
    code="M104",
    name="lists-of-different-length",
    severity="warning",
    strict="error",
    consequence="the measure has another scale for each length of list: values of lists of different length cannot be compared",
    demand="a measure that is divided by the length of the list needs a cut-off",
    reason=(
        "Precision without a cut-off divides by the length of the list: 3 relevant documents of 6 are .5, 3 of 1000 are .003. Values of lists of "
        "different length are k/6 and k/1000, which are not equally spaced together: P is an interval scale for lists of one length, and not "
        "even for lengths up to 3 (P4 §IV-D). A mean over topics, or a test, mixes these scales (P4 §IV-C, §VI-B). F and Success without a "
        "cut-off ask about the whole list too."
    ),
    references=(FERRANTE,),
    wrong=PLAN.replace("nDCG@10", "P"),
    right=PLAN.replace("nDCG@10", "P@10"),
    fix="Name a cut-off that all lists reach: P@10 instead of P. A shorter list is then padded with documents that are not relevant.",
    ending=".toml",
)
RULES = (ORDINAL_TEST, LENGTHS)
