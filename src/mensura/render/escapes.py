"""Names in every kind of text: LaTeX, Markdown, csv, JSON in a script, a terminal; and paragraphs with citations.

Systems, topics and files are named by others. A name must not end the element, command, cell or line that it is written into,
nor start another. HTML and SVG are escaped by :mod:`mensura.render.html` and by the drawing library.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

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
    "∞": r"\ensuremath{\infty}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "α": r"\ensuremath{\alpha}",
    "τ": r"\ensuremath{\tau}",
    "φ": r"\ensuremath{\varphi}",
    "§": r"\S{}",
    "†": r"\dag{}",
    "‡": r"\ddag{}",
    "¶": r"\P{}",
    "\u2007": r"\phantom{0}",
    "…": r"\ldots{}",
    "“": "``",
    "”": "''",
    "’": "'",
    "↓": r"\ensuremath{\downarrow}",
    "\u202f": r"\,",
    "\u00a0": "~",
}
ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030c": "v ", "\u0327": "c "}


# Controls, and the characters that end a line or turn its direction.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
EMPHASIS = re.compile("(\x1b\\[(?:0|1|2|33)m)")  # our own, of render/text.py
FORMULA = frozenset("=+-@\t\r")
NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?%?|-inf")


def visible(text: str, kept: str = "") -> str:
    """Write characters that are not seen by their numbers, as JSON does, except those to be kept."""
    return UNSEEN.sub(lambda match: match[0] if match[0] in kept else f"\\u{ord(match[0]):04x}", text)


def for_terminal(text: str) -> str:
    """Text of several lines whose names cannot move the cursor, change the title or hide anything; our own emphasis stays."""
    if UNSEEN.search(text.replace("\n", "")) is None:
        return text
    return "".join(part if at % 2 else visible(part, "\n\t") for at, part in enumerate(EMPHASIS.split(text)))


def without_emphasis(text: str) -> str:
    """Text without our own emphasis, for a file."""
    return EMPHASIS.sub("", text)


def csv_cell(cell: str) -> str:
    """A cell of a csv file that no spreadsheet computes: a text that begins like a formula gets an apostrophe in front."""
    return f"'{cell}" if cell[:1] in FORMULA and cell and NUMBER.fullmatch(cell) is None else cell


def script_json(document: Any) -> str:
    """JSON inside of a script element, which it cannot end."""
    import json

    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate({ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def latex(text: str) -> str:
    """Escape every character that LaTeX takes for a command, and write accents as commands that every BibTeX understands."""
    return "".join(map(_char, unicodedata.normalize("NFC", visible(text))))


def _char(char: str) -> str:
    if char in SPECIAL:
        return SPECIAL[char]
    parts = unicodedata.normalize("NFD", char)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in ACCENTS:  # noqa: PLR2004 - letter and accent
        base = {"i": r"\i", "j": r"\j"}.get(parts[0], parts[0])
        return f"{{\\{ACCENTS[parts[1]]}{base}}}" if ACCENTS[parts[1]].endswith(" ") else f"{{\\{ACCENTS[parts[1]]}{{{base}}}}}"
    return char


ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}  # not every reader of Markdown takes a backslash before these
MARKDOWN = {**{char: f"\\{char}" for char in "\\`*_{}[]#|$~^@"}, **ENTITIES}


def markdown(text: str) -> str:
    """Escape the characters that Markdown gives a meaning."""
    return "".join(MARKDOWN.get(char, char) for char in visible(text))


CELL = {**{char: f"\\{char}" for char in "\\`*[]|$~"}, **ENTITIES}


def markdown_cell(text: str) -> str:
    """Escape the characters that Markdown gives a meaning inside of a cell; names of measures stay as they are."""
    return "".join(CELL.get(char, char) for char in visible(text))


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
