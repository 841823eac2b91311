"""Lints texts as if they stood in files."""

from __future__ import annotations

from mensura.lint.engine import Options, lint_text


def codes(text, kind="latex", **options):
    """The codes of all findings, sorted, each once."""
    return sorted({finding.code for finding in lint_text(text, kind, f"text.{kind}", Options(**options))})


def all_codes(text):
    """The codes found in an example. One without markup is linted as Markdown and as LaTeX, and must give the same in both."""
    if "\\" in text or text.startswith("%") or "``" in text:
        return codes(text)
    found = codes(text, "markdown")
    assert codes(text.replace("%", "\\%")) == found
    return found
