"""Findings as text (as ruff prints them), as json, as SARIF, as annotations of GitHub, and counted."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mensura.lint.grouping import elsewhere
from mensura.lint.rules import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.lint.rule import Finding, Profile, Spot

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(findings: Sequence[Finding]) -> str:
    """Return lines ``path:line:column: CODE message``, and a summary."""
    lines = []
    for each in findings:
        page = f"page {each.page}, " if each.page else ""
        others = elsewhere(each)
        lines.append(f"{each.path}:{page}{each.line}:{each.column}: {each.code} {each.message}{f'; {others}' if others else ''}")
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


def as_github(findings: Sequence[Finding]) -> str:
    """Return workflow commands, which GitHub shows as annotations beside the changed lines."""
    lines = []
    for each in findings:
        others = elsewhere(each)
        where = (
            f"file={_property(each.path)},line={each.line},col={each.column},endLine={each.end_line},endColumn={each.end_column}"
        )
        title = _property(f"{each.code} {each.name}")
        message = each.message + (f"; {others}" if others else "")
        lines.append(f"::{COMMANDS[each.severity]} {where},title={title}::{_escaped(message)}")
    return "".join(line + "\n" for line in [*lines, summary(findings)])


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def statistics(findings: Sequence[Finding]) -> str:
    """Return a line for each rule: the number of its findings and of its places, most first."""
    lines = [f"{count:>5}  {places:>6}  {code}  {CATALOGUE[code].name}" for code, count, places in _counted(findings)]
    return "".join(line + "\n" for line in ["found  places  rule", *lines, summary(findings)])


def _counted(findings: Sequence[Finding]) -> list[tuple[str, int, int]]:
    """Return code, findings and places of each rule, most first."""
    counts = Counter(each.code for each in findings)
    places: Counter[str] = Counter()
    for each in findings:
        places[each.code] += 1 + len(each.spots)
    return [(code, counts[code], places[code]) for code in sorted(counts, key=lambda code: (-counts[code], -places[code], code))]


def statistics_json(findings: Sequence[Finding]) -> str:
    """Return the counts of each rule for programs."""
    rows = [
        {"code": code, "name": CATALOGUE[code].name, "found": count, "places": places} for code, count, places in _counted(findings)
    ]
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


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
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _location(finding)}],
    }
    if finding.spots:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(each), "message": {"text": each.detail}}
            for number, each in enumerate(finding.spots, start=1)
        ]
    return result


def _location(place: Finding | Spot) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": quote(place.path.replace("\\", "/"), safe="/:._-~", errors="surrogateescape")},
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        },
    }
