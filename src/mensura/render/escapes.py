"""Text for LaTeX."""

from __future__ import annotations

import unicodedata

SPECIAL = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "—": "---",
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "α": r"\ensuremath{\alpha}",
    "τ": r"\ensuremath{\tau}",
    "φ": r"\ensuremath{\varphi}",
    "§": r"\S{}",
    "…": r"\ldots{}",
    "“": "``",
    "”": "''",
    "’": "'",
    "↓": r"\ensuremath{\downarrow}",
    "\u202f": r"\,",
    "\u00a0": "~",
}
ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030c": "v ", "\u0327": "c "}


def latex(text: str) -> str:
    """Text with every character that LaTeX takes for a command escaped, and accents as commands that every BibTeX understands."""
    return "".join(map(_char, unicodedata.normalize("NFC", text)))


def _char(char: str) -> str:
    if char in SPECIAL:
        return SPECIAL[char]
    parts = unicodedata.normalize("NFD", char)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in ACCENTS:  # noqa: PLR2004
        base = {"i": r"\i", "j": r"\j"}.get(parts[0], parts[0])
        return f"{{\\{ACCENTS[parts[1]]}{base}}}" if ACCENTS[parts[1]].endswith(" ") else f"{{\\{ACCENTS[parts[1]]}{{{base}}}}}"
    return char


MARKDOWN = frozenset("\\`*_{}[]<>#|$~^@")


def markdown(text: str) -> str:
    """Text with the characters escaped that Markdown gives a meaning."""
    return "".join(f"\\{char}" if char in MARKDOWN else char for char in text)
