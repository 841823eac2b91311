"""What a rule knows about itself, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
Profile = Literal["neutral", "strict"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One checkable mistake.

    Attributes
    ----------
    code, name
        ``M`` and the last digit of the section of P3, ``D`` for runs and judgments, ``S`` for suppressions; and a name for people.
    severity, strict
        How it counts in the profile ``neutral``, and in ``strict``.
    consequence, demand
        The message in the profile ``neutral``: what follows; and in ``strict``: what must be done.
    reason, debate, references
        Why, who disagrees, and where that is written.
    wrong, right, ending
        Examples, and the ending of the file that they would stand in.
    fix
        What to do.
    """

    code: str
    name: str
    severity: Severity
    strict: Severity
    consequence: str
    demand: str
    reason: str
    references: tuple[str, ...]
    wrong: str
    right: str
    fix: str
    debate: str = ""
    ending: str = ".md"

    def message(self, profile: Profile) -> str:
        """The sentence that a finding shows."""
        return self.demand if profile == "strict" else self.consequence

    def level(self, profile: Profile) -> Severity:
        """How much it counts."""
        return self.strict if profile == "strict" else self.severity


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a rule applies: offsets into the text, and what stands there."""

    code: str
    start: int
    end: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A hit in a file, as it is reported. Lines and columns count from 1, columns in characters."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    name: str
    severity: Severity
    message: str
