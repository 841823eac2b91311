"""Text for a terminal: emphasis, width and line breaks."""

from __future__ import annotations

import os
import sys

BOLD, DIM, YELLOW, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[0m"


def colours() -> bool:
    """Return whether standard output can be coloured: a terminal can, unless NO_COLOR is set."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str) -> str:
    """Return text in a style, where colours are welcome."""
    return f"{style}{text}{PLAIN}" if style and colours() else text


def width(text: str) -> int:
    """Number of columns on the screen: East Asian characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def wrap(text: str, indent: str) -> str:
    """Return a paragraph that fits the terminal, its later lines indented."""
    import shutil  # with bz2 and lzma, which the first milliseconds of a command can do without
    import textwrap

    columns = shutil.get_terminal_size((100, 24)).columns
    return textwrap.fill(text, max(columns, 40), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def encoded(text: str) -> bytes:
    """Return text as it is written: names of topics and systems may hold any bytes."""
    return text.encode("utf-8", "surrogateescape")
