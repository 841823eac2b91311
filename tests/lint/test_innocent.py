"""Numbers that looked like contradictions in sentences and tables by others and are not, each written anew."""

from __future__ import annotations

import pytest

from mensura.lint.engine import Options, lint_text
from tests.lint.test_sentences import table

NUMBERS = Options(select=("N",))

INNOCENT = {
    "degrees of freedom that were rounded": "The runs differ by a Welch test, t = 4.225, df = 16.0, p = 0.0006411.",
    "two groups with a bracket each": (
        "Experts show larger effects (0.91 points, SE = 0.39, p = 0.02) than novices (0.48 points, SE = 0.33, not significant)."
    ),
    "several intervals of one sentence": (
        "The effect is 4.0 pp, CI [1.0, 10.0], for the large model and 7.0 pp, [2.0, 12.0], for the small one, "
        "with no significant difference."
    ),
    "an interval with a dash of LaTeX": r"The judges agree on 71/72 labels (98.6\%; Wilson 95\% CI 92.5--99.8).",
}


@pytest.mark.parametrize("name", INNOCENT)
def test_what_follows_is_left_alone(name):
    kind, path = ("latex", "a.tex") if "LaTeX" in name else ("markdown", "a.md")
    assert [(each.code, each.detail) for each in lint_text(INNOCENT[name], kind, path, NUMBERS)] == []
