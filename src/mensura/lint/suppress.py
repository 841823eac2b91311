"""Suppressions: ``mensura: ignore M101`` in a comment, for a line, a paragraph or a file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mensura.lint.rule import Hit
from mensura.lint.rules import CATALOGUE

CODES = r"(?P<codes>[A-Z]\d{1,3}(?:[,\s]{1,3}[A-Z]\d{1,3}){0,30})?"
COMMENTS = {
    "latex": re.compile(rf"%[ \t]{{0,9}}mensura:[ \t]{{0,3}}ignore(?P<file>-file)?[ \t]{{0,9}}{CODES}"),
    "markdown": re.compile(rf"<!--\s{{0,9}}mensura:\s{{0,3}}ignore(?P<file>-file)?\s{{0,9}}{CODES}\s{{0,9}}-->"),
    "rst": re.compile(rf"\.\.[ \t]{{1,9}}mensura:[ \t]{{0,3}}ignore(?P<file>-file)?[ \t]{{0,9}}{CODES}"),
    "typst": re.compile(rf"//[ \t]{{0,9}}mensura:[ \t]{{0,3}}ignore(?P<file>-file)?[ \t]{{0,9}}{CODES}"),
    "none": re.compile(r"(?!)(?P<file>)(?P<codes>)"),  # a file without comments
    "other": re.compile(rf"#[ \t]{{0,9}}mensura:[ \t]{{0,3}}ignore(?P<file>-file)?[ \t]{{0,9}}{CODES}"),
}


@dataclass(eq=False)
class Suppression:
    """A comment: the offsets and codes that it covers (all codes if it names none), and the codes that it was used for."""

    start: int
    end: int
    covers: tuple[int, int]
    codes: tuple[str, ...]
    whole_file: bool
    used: set[str] = field(default_factory=set)

    def takes(self, code: str, at: int) -> bool:
        """Return whether it covers a finding, and note that it was used."""
        if not (self.whole_file or self.covers[0] <= at < self.covers[1]):
            return False
        if self.codes and not any(code.startswith(each) for each in self.codes):
            return False
        self.used.add(next((each for each in self.codes if code.startswith(each)), ""))
        return True


def suppressions(text: str, syntax: str, hidden: list[tuple[int, int]] | None = None) -> list[Suppression]:
    """Return all comments of a text. One that is alone on its line covers the next paragraph, any other its line."""
    comments = []
    for match in COMMENTS[syntax].finditer(text):
        if any(begin <= match.start() < stop for begin, stop in hidden or ()):
            continue
        begin = text.rfind("\n", 0, match.start()) + 1
        stop = text.find("\n", match.end())
        stop = len(text) if stop < 0 else stop
        if not text[begin : match.start()].strip() and not text[match.end() : stop].strip():
            while text.startswith("\n\n", stop):  # an HTML comment is often followed by an empty line
                stop += 1
            empty = re.compile(r"\n[ \t]*\n").search(text, stop + 1)
            stop = len(text) if empty is None else empty.start() + 1
        codes = tuple(re.findall(r"[A-Z]\d+", match["codes"] or ""))
        comments.append(Suppression(match.start(), match.end(), (begin, stop + 1), codes, match["file"] is not None))
    return comments


def apply(hits: list[Hit], comments: list[Suppression], active: frozenset[str]) -> list[Hit]:
    """Return the hits that remain, and one for every unused suppression of an active rule."""
    kept = [hit for hit in hits if not [comment for comment in comments if comment.takes(hit.code, hit.start)]]
    for comment in comments:
        if not comment.codes and not comment.used:
            kept.append(Hit("S001", comment.start, comment.end, "all rules"))
        idle = [code for code in comment.codes if code not in comment.used and any(rule.startswith(code) for rule in active)]
        unknown = [code for code in comment.codes if not any(rule.startswith(code) for rule in CATALOGUE)]
        if idle or unknown:
            words = [*(f"{code}: no such rule" for code in unknown), *idle]
            kept.append(Hit("S001", comment.start, comment.end, ", ".join(words)))
    return kept
