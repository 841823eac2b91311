"""A rule as a page of text, for ``mensura explain`` and for the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.errors import MensuraError
from mensura.lint.rules import CATALOGUE

if TYPE_CHECKING:
    from mensura.lint.rule import Rule

FENCES = {".md": "text", ".tex": "text", ".run": "text", ".qrels": "text", ".toml": "toml", ".py": "text"}


def find_rule(code: str) -> Rule:
    """Return the rule with a code or a name."""
    name = code.strip()
    for rule in CATALOGUE.values():
        if name.upper() == rule.code or name.lower() == rule.name:
            return rule
    raise MensuraError(f"unknown rule {code!r}; mensura explain lists all")


def explain(rule: Rule) -> str:
    """Return everything about a rule, as Markdown."""
    parts = [
        f"### {rule.code} {rule.name}",
        f"{_capital(rule.consequence)}. Neutral: {rule.severity}; strict: {rule.strict}.",
        rule.reason,
        *([f"The debate: {rule.debate}"] if rule.debate else []),
        "Wrong:",
        _block(rule, rule.wrong),
        "Right:",
        _block(rule, rule.right),
        f"Fix: {rule.fix}",
        *(["\n".join(f"- {reference}" for reference in rule.references)] if rule.references else []),
    ]
    return "\n\n".join(parts) + "\n"


def _block(rule: Rule, example: str) -> str:
    return f"```{FENCES[rule.ending]}\n{example.rstrip()}\n```"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def index() -> str:
    """Return a line for every rule."""
    width = max(len(rule.name) for rule in CATALOGUE.values())
    return "".join(
        f"{rule.code}  {rule.name:<{width}}  {rule.severity:<7}  {rule.strict:<7}\n"
        for rule in sorted(CATALOGUE.values(), key=lambda rule: ("MDNS".index(rule.code[0]), rule.code.replace("M0", "M99")))
    )
