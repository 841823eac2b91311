"""One finding for each document and rule, with all places listed; and baselines, which hide the places that are known.

Numbers that do not fit each other are findings of their own: each has its arithmetic.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from mensura.errors import InputError
from mensura.lint.rule import Finding, Spot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SINGLE = ("N", "S")  # each has something of its own to say: an arithmetic, a comment to remove
PROJECT = {
    ".md",
    ".markdown",
    ".qmd",
    ".rmd",
    ".rst",
    ".py",
    ".ipynb",
    ".html",
    ".txt",
}  # pages and programs, of which a folder is one work
SHOWN = 5  # other places in a line of text
LEVELS = ("note", "warning", "error")


def spot(finding: Finding) -> Spot:
    """Return the first place of a finding."""
    return Spot(
        finding.path, finding.line, finding.column, finding.end_line, finding.end_column, page=finding.page, detail=finding.detail
    )


def grouped(findings: Iterable[Finding], folders: Sequence[str] = ()) -> list[Finding]:
    """Join the findings of a rule in a document, in the order of their first places; pages and programs of a named folder are one document.

    A place is listed once, also if its file is a part of several papers.
    """
    groups: dict[tuple[str, str], Finding] = {}
    for number, finding in enumerate(_once(findings)):
        if finding.code.startswith(SINGLE):
            groups[f"{number}", finding.code] = finding
            continue
        key = (_work(finding, folders), finding.code)
        first = groups.get(key)
        if first is None:
            groups[key] = finding
        else:
            severity = max(first.severity, finding.severity, key=LEVELS.index)
            spots = (*first.spots, spot(finding), *finding.spots)
            groups[key] = replace(first, spots=spots, severity=severity)
    return list(groups.values())


def _once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings without the places that an earlier one has."""
    listed = set()
    for finding in findings:
        fresh = []
        for each in (spot(finding), *finding.spots):
            key = finding.code, os.path.normpath(each.path), each.page, each.line, each.column, each.detail
            if key not in listed:
                listed.add(key)
                fresh.append(each)
        if len(fresh) == 1 + len(finding.spots):
            yield finding
        elif fresh:
            yield moved(finding, fresh)


def _work(finding: Finding, folders: Sequence[str]) -> str:
    """Return the document that a finding belongs to."""
    if os.path.splitext(finding.path)[1].lower() in PROJECT:
        for folder in folders:
            if finding.path.startswith(folder.rstrip("/\\") + os.sep) or folder == ".":
                return folder
    return finding.document or finding.path


def elsewhere(finding: Finding) -> str:
    """Return the other places of a finding in words: ``also 12:3, 40:7 and 5 more``."""
    if not finding.spots:
        return ""
    last = finding.path
    shown = []
    for each in finding.spots[:SHOWN]:
        page = f"page {each.page}, " if each.page else ""
        shown.append(f"{page}{each.line}:{each.column}" if each.path == last else f"{each.path}:{page}{each.line}:{each.column}")
        last = each.path
    rest = len(finding.spots) - len(shown)
    return f"also {', '.join(shown)}" + (f" and {rest} more" if rest else "")


def _known(path: str, code: str, detail: str, folder: str) -> str:
    """Return what identifies a place when lines move: its file as seen from the baseline's folder, its rule and its words."""
    try:
        name = path if "://" in path or path == "<stdin>" else os.path.relpath(path, folder or os.curdir)
    except ValueError:  # on another drive
        name = os.path.abspath(path)
    return f"{name.replace(os.sep, '/')} {code} {detail}"


def write_baseline(findings: Iterable[Finding], folder: str) -> str:
    """Return a baseline with all places of findings, as json for a file of a folder."""
    known = Counter(
        _known(each.path, finding.code, each.detail, folder) for finding in findings for each in (spot(finding), *finding.spots)
    )
    return (
        json.dumps(
            {"format": "mensura-lint-baseline", "version": 1, "known": dict(sorted(known.items()))}, indent=1, ensure_ascii=False
        )
        + "\n"
    )


def read_baseline(text: str, path: str) -> Counter[str]:
    """Return the places that a baseline knows."""
    try:
        document = json.loads(text)
        known = document["known"]
        return Counter({str(name): int(count) for name, count in known.items()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError("is not a baseline of mensura lint; delete it, and it is written anew", source=path) from error


def without_known(findings: Iterable[Finding], baseline: Counter[str], folder: str) -> list[Finding]:
    """Return the findings without the places of a baseline in a folder; each entry hides as many as it counts."""
    left = baseline.copy()
    kept = []
    for finding in findings:
        fresh = []
        for each in (spot(finding), *finding.spots):
            name = _known(each.path, finding.code, each.detail, folder)
            if left[name] > 0:
                left[name] -= 1
            else:
                fresh.append(each)
        if fresh:
            kept.append(moved(finding, fresh))
    return kept


def moved(finding: Finding, spots: Sequence[Spot]) -> Finding:
    """Return a finding with other places."""
    first = spots[0]
    message = finding.message
    if finding.detail and first.detail != finding.detail:
        message = message.replace(f"({finding.detail})", f"({first.detail})")
    return replace(
        finding,
        path=first.path,
        line=first.line,
        column=first.column,
        end_line=first.end_line,
        end_column=first.end_column,
        page=first.page,
        detail=first.detail,
        message=message,
        spots=tuple(spots[1:]),
    )
