"""P4: tests that assume an interval scale, on values that have none. Found where a comparison is made, not in texts."""

from __future__ import annotations

from mensura.lint.rule import FERRANTE, MOFFAT, SAKAI, Rule

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
    wrong='goal = "compare"\nsystems = ["a", "b"]\nprimary = "nDCG@10"\nhypotheses = ["a is better than b"]\ntest = "t"\n'
    'correction = "holm"\nalpha = 0.05\nsmallest_effect = 0.02\nfolds = 5\nseed = 1\nscale = "original"\n',
    right='goal = "compare"\nsystems = ["a", "b"]\nprimary = "nDCG@10"\nhypotheses = ["a is better than b"]\ntest = "t"\n'
    'correction = "holm"\nalpha = 0.05\nsmallest_effect = 0.02\nfolds = 5\nseed = 1\nscale = "interval"\n',
    fix="mensura compare --scale interval, or --scale both to see what changes; or --test sign.",
    debate=(
        "Ferrante, Ferro and Fuhr demand it from measurement theory. Sakai and Moffat answer that tests are about numbers, whatever they stand "
        "for, and that t-tests hold up well in practice."
    ),
    ending=".toml",
)
RULES = (ORDINAL_TEST,)
