"""Text for LaTeX and Markdown: escapes, and paragraphs with citations."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    """Escape every character that LaTeX takes for a command, and write accents as commands that every BibTeX understands."""
    return "".join(map(_char, unicodedata.normalize("NFC", text)))


def _char(char: str) -> str:
    if char in SPECIAL:
        return SPECIAL[char]
    parts = unicodedata.normalize("NFD", char)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in ACCENTS:  # noqa: PLR2004 - letter and accent
        base = {"i": r"\i", "j": r"\j"}.get(parts[0], parts[0])
        return f"{{\\{ACCENTS[parts[1]]}{base}}}" if ACCENTS[parts[1]].endswith(" ") else f"{{\\{ACCENTS[parts[1]]}{{{base}}}}}"
    return char


MARKDOWN = frozenset("\\`*_{}[]<>#|$~^@")


def markdown(text: str) -> str:
    """Escape the characters that Markdown gives a meaning."""
    return "".join(f"\\{char}" if char in MARKDOWN else char for char in text)


def paragraph(sentences: Sequence[Sequence[str | tuple[str, ...]]], markup: str) -> str:
    """Join sentences in ``latex``, or in ``markdown`` with citations as pandoc reads them; a tuple cites the works of its keys."""
    if markup not in {"latex", "markdown"}:
        raise MensuraError(f"unknown markup {markup!r}; use 'markdown' or 'latex'")
    return " ".join("".join(_part(part, markup) for part in sentence) for sentence in sentences)


def _part(part: str | tuple[str, ...], markup: str) -> str:
    if isinstance(part, str):
        return latex(part).replace(r"\ensuremath{\tau}\_b", r"\ensuremath{\tau_b}") if markup == "latex" else markdown(part)
    if not part:
        return ""
    return f"~\\cite{{{','.join(part)}}}" if markup == "latex" else f" [{'; '.join(f'@{key}' for key in part)}]"
