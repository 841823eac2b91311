"""Findings as text (as ruff prints them), as json, and as SARIF."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mensura.lint.rules import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.lint.rule import Finding, Profile

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(findings: Sequence[Finding]) -> str:
    """Return lines ``path:line:column: CODE message``, and a summary."""
    lines = [f"{each.path}:{each.line}:{each.column}: {each.code} {each.message}" for each in findings]
    return "".join(line + "\n" for line in [*lines, summary(findings)])


def summary(findings: Sequence[Finding]) -> str:
    """Return the number of findings of each severity."""
    if not findings:
        return "Nothing found."
    counts = Counter(each.severity for each in findings)
    parts = [_plural(counts[level], level) for level in ("error", "warning", "note") if counts[level]]
    return f"Found {', '.join(parts)}. Run mensura explain {findings[0].code} for the meaning of a code"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def as_json(findings: Sequence[Finding]) -> str:
    """Return a list of findings, each with all of its fields."""
    return json.dumps([asdict(each) for each in findings], indent=1, ensure_ascii=False) + "\n"


def as_sarif(findings: Sequence[Finding], profile: Profile, version: str) -> str:
    """Return SARIF 2.1.0, for code scanning and for editors."""
    codes = sorted({each.code for each in findings})
    rules = [_rule(code, profile) for code in codes]
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "mensura", "version": version, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, codes.index(each.code)) for each in findings],
            }
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _rule(code: str, profile: Profile) -> dict[str, Any]:
    rule = CATALOGUE[code]
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.message(profile)},
        "fullDescription": {"text": rule.reason},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": rule.level(profile)},
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    place = {
        "artifactLocation": {"uri": quote(finding.path.replace("\\", "/"), safe="/:._-~", errors="surrogateescape")},
        "region": region,
    }
    return {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }
