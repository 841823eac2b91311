"""Numbers that looked like contradictions in sentences and tables by others and are not, each written anew."""

from __future__ import annotations

import pytest

from mensura.lint.engine import Options, lint_text
from tests.lint.test_sentences import table

NUMBERS = Options(select=("N",))

INNOCENT = {
    "degrees of freedom that were rounded": "The runs differ by a Welch test, t = 4.225, df = 16.0, p = 0.0006411.",
    "seconds among measures": table(
        "stage | hit | MRR | first token",
        "plain | **0.8333** | 0.6087 | **0.163s**",
        "rewritten | 0.7381 | 0.5595 | 1.173s",
        "both | 0.8095 | **0.7238** | 3.263s",
    )
    + "\nThe hit rate of no stage is better.\n",
    "two groups with a bracket each": (
        "Experts show larger effects (0.91 points, SE = 0.39, p = 0.02) than novices (0.48 points, SE = 0.33, not significant)."
    ),
    "a change of averages below changes": table(
        "model | baseline | agents | change (%)",
        "a | 0.161 | 0.231 | +43.5",
        "b | 0.170 | 0.228 | +34.1",
        "c | 0.152 | 0.237 | +55.9",
        "d | 0.228 | 0.242 | +6.1",
        "average | 0.178 | 0.235 | +32.0",
    ),
    "means of two columns and of their differences": table(
        "model | quality | with agents | Δ | coverage | with agents | Δ",
        "a | 2.61 | 2.82 | +0.21 | 2.50 | 2.66 | +0.16",
        "b | 2.59 | 3.14 | +0.55 | 2.43 | 3.00 | +0.57",
        "c | 2.76 | 3.10 | +0.34 | 2.62 | 2.98 | +0.36",
        "average | 2.65 | 3.02 | +0.37 | 2.52 | 2.88 | +0.36",
    ),
    "an average of changes below averages": table(
        "model | baseline | agents | change",
        "a | 0.630 | 0.341 | −45.9%",
        "b | 0.544 | 0.306 | −43.8%",
        "c | 0.592 | 0.344 | −41.9%",
        "d | 0.522 | 0.302 | −42.1%",
        "e | 0.499 | 0.412 | −17.4%",
        "average | 0.557 | 0.341 | −38.2%",
    ),
    "a third value in brackets": "While ensembles improve on rankers (91.5% vs 89.2%), fusion gives an additional boost (92.3%).",
    "several intervals of one sentence": (
        "The effect is 4.0 pp, CI [1.0, 10.0], for the large model and 7.0 pp, [2.0, 12.0], for the small one, "
        "with no significant difference."
    ),
    "an interval with a dash of LaTeX": r"The judges agree on 71/72 labels (98.6\%; Wilson 95\% CI 92.5--99.8).",
    "dropout beside rates": table(
        "collection | learning rate | momentum | drop-out",
        "A | 0.09 | 0.0 | 0.1",
        "B | 0.05 | 0.3 | 0.1",
        "C | 0.02 | 0.5 | 0.1",
        "D | 0.05 | 0.1 | 0.2",
    ),
    "a list of changes": "Clicks decline by 6.2% for 3–5 errors, 10.4% for 6–10, and 14.1% for 10 or more.",
    "a change of something else, then two values": (
        "We see a 17% decline in clicks after 2012, with yearly ratios showing a gradual decline "
        "from 1.40 in the first to 1.28 in the last year."
    ),
    "totals of millions that were rounded": table(
        "class | on balance | off balance | total",
        "A | 978 | 120 | 1,098",
        "B | 2,843 | 138 | 2,981",
        "C | 376 | 210 | 586",
        "D | 4,198 | 138 | 4,335",
    ),
    "a factor of what more candidates cost": "Going from 50 to 800 candidates costs 31.5× more in the second stage.",
    "a fraction as a p-value": ("We shuffle 500 times (with a least possible p = 1/501 ≈ 0.002), and the results are significant."),
    "a name with No": "The gap of No-Tool runs (48.0%) to the others (36.0%) is statistically significant (p = 0.0118, d = 0.4).",
    "successes of something else": table(
        "variable | mean(fail) | mean(success)",
        "age | 0.812 | 0.760",
        "arms | 0.031 | 0.070",
        "killed | 0.031 | 0.235",
        "wounded | 0.031 | 1.085",
    ),
    "a list of changes with names in brackets": (
        "Memory rose by 1.19 MB (A), 2.76 MB (B), and 5.19 MB (C); this small change is not enough for a claim."
    ),
    "three values in a cell": table(
        "ranker | AUC",
        "a | .404 / .576 / .002",
        "b | .021 / .949 / .030",
        "c | .886 / .099 / .015",
        "mean place | 2.4",
        "d | .734 / .264 / .002",
    ),
    "a parameter called δ": table(
        "model | δ = 0 acc. | δ > 0 acc. | gap",
        "a | 100.0% (270/270) | 10.4% (28/270) | 89.6 pp",
        "b | 100.0% (150/150) | 0.0% (0/150) | 100.0 pp",
        "c | 100.0% (150/150) | 64.0% (96/150) | 36.0 pp",
        "d | 100.0% (150/150) | 74.0% (111/150) | 26.0 pp",
        "e | 36.0% (54/150) | 2.7% (4/150) | 33.3 pp",
    ),
    "about, in LaTeX": r"The second model is wrong in 29/90 ($\sim$33\% at each length) of the cases.",
    "differences of pairs beside means of all": table(
        "rule | rate | Δ | pairs",
        "none | 1.000 | – | –",
        "more | 1.000 | +0.000 | 18",
        "less | 1.000 | +0.000 | 14",
        "short | 0.898 | −0.095 | 18",
        "long | 1.000 | +0.000 | 15",
    ),
    "a change of one measure while another one improves": (
        "The second error worsened by +0.054 m while its first quantile improved from 0.388 to 0.402, a mixed result."
    ),
    "a range and its mean": (
        "Among the rules whose drop on one half is small, the other drop ranges from 0.10 to 1.33 pp with a 0.59 pp mean."
    ),
    "a value of another measure after although": (
        "Holding has a higher return than ours (32.3% versus 24.2%), although ours has a drawdown of −16.5% there."
    ),
    "a change of another measure after while": (
        "Our agent beats the queue on slowdown (125.8 vs 166.3) while having only 8% worse waiting times."
    ),
    "shares of another whole": table(
        "gene | count | share",
        "a | 724 | 75.8%",
        "b | 133 | 13.9%",
        "c | 61 | 6.4%",
        "d | 23 | 2.4%",
        "e | 18 | 1.9%",
    ),
    "differences of precision and recall": table(
        "arm | Precision | Recall | F1",
        "control | 0.8333 | 0.6667 | 0.7407",
        "treated | 0.7561 | 0.6889 | 0.7209",
        "other | 0.7001 | 0.6801 | 0.6900",
        "delta | -0.0772 | +0.0222 | -0.0198",
    ),
    "a range beside a value": "This explains the gap of one estimate (+0.74) and the others (1.79-2.97): growing effects.",
}


@pytest.mark.parametrize("name", INNOCENT)
def test_what_follows_is_left_alone(name):
    kind, path = ("latex", "a.tex") if "LaTeX" in name else ("markdown", "a.md")
    assert [(each.code, each.detail) for each in lint_text(INNOCENT[name], kind, path, NUMBERS)] == []
