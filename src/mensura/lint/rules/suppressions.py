"""Comments that switch rules off."""

from __future__ import annotations

from mensura.lint.rule import Rule

UNUSED = Rule(
    code="S001",
    name="unused-suppression",
    severity="warning",
    strict="warning",
    consequence="this comment suppresses nothing: remove it",
    demand="this comment suppresses nothing: remove it",
    reason="A suppression that outlives its reason hides the next mistake.",
    references=(),
    wrong="A first sentence. <!-- mensura: ignore M001 -->",
    right="Our experiments prove it. <!-- mensura: ignore M001 -->",
    fix="Remove the comment, or the codes that it does not need.",
)
RULES = (UNUSED,)
