"""Files that cannot be read."""

from __future__ import annotations

from mensura.lint.rule import Rule

UNREADABLE = Rule(
    code="S002",
    name="unreadable-file",
    severity="error",
    strict="error",
    consequence="this file cannot be read, so nothing in it was checked",
    demand="this file cannot be read, so nothing in it was checked",
    reason="A file that nobody could read must not look like one without mistakes. The other files are checked nevertheless.",
    references=(),
    wrong="1 Q0 d1 1 high run\n",
    right="".join(f"1 Q0 d{rank} {rank} {20 - rank}.0 run\n" for rank in range(1, 13)),
    fix="The finding says what is wrong with the file; save it in another format, or leave it out.",
    ending=".run",
)
RULES = (UNREADABLE,)
