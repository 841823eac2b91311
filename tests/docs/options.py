"""The options of commands as docs/cli.md lists them: what several commands share is described once.

A ``text options COMMAND`` block of a page contains :func:`listing` of that command, and ``text options shared`` the options that at
least three commands have with the same words.
"""

from __future__ import annotations

import argparse
import textwrap
from collections import Counter
from functools import cache

from mensura.cli import COMMANDS, make_parser

WIDTH, INDENT, SHARED_BY = 100, 24, 3


@cache
def parsers(command):
    """The parser of a command and those of its actions, by the words that call them."""
    top = _subparsers(make_parser(command))[command]
    actions = _subparsers(top)
    return {f"mensura {command}": top} | {f"mensura {command} {name}": parser for name, parser in actions.items()}


def _subparsers(parser):
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action.choices
    return {}


def options(parser):
    """Name, values and help of each argument but ``-h``."""
    formatter = parser._get_formatter()
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction | argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
            continue
        values = "" if action.nargs == 0 else formatter._format_args(action, action.dest.upper())
        names = ", ".join(action.option_strings)
        yield (
            (names, values, formatter._expand_help(action))
            if names
            else (values.strip("[]").split(" ")[0], "", formatter._expand_help(action))
        )


@cache
def shared():
    """Names, values and help of the options that at least three commands have in the same words, by names and help."""
    listed = [
        (name, values, text)
        for command in COMMANDS
        for parser in parsers(command).values()
        for name, values, text in options(parser)
    ]
    count = Counter((name, text) for name, _, text in listed)
    first = {}
    for name, values, text in listed:
        if count[name, text] >= SHARED_BY:
            first.setdefault((name, text), values)
    return first


def row(name, text):
    """An option and its help, wrapped."""
    lines = textwrap.wrap(text, WIDTH - INDENT, break_on_hyphens=False)
    gap = " " * INDENT
    if len(name) + 2 <= INDENT:
        return f"{name:<{INDENT}}" + f"\n{gap}".join(lines) + "\n"
    return f"{name}\n" + "".join(f"{gap}{line}\n" for line in lines)


def paragraph(text):
    """A text of any layout, wrapped."""
    return "".join(f"{line}\n" for line in textwrap.wrap(" ".join(text.split()), WIDTH))


def listing(command):
    """The block of a command, or that of the shared options."""
    if command == "shared":
        return "".join(
            row(name if "{" in values and name == "-f, --format" else f"{name} {values}".strip(), text)
            for (name, text), values in shared().items()
        )
    text = ""
    for words, parser in parsers(command).items():
        own = [
            (f"{name} {values}".strip(), help_text)
            for name, values, help_text in options(parser)
            if (name, help_text) not in shared()
        ]
        also = [
            f"{name.split(', ')[0]} {values if name == '-f, --format' else ''}".strip()
            for name, values, help_text in options(parser)
            if (name, help_text) in shared()
        ]
        text += f"\n{words}\n" if text else ""
        text += paragraph((parser.description or "").split("\n\n")[0])
        text += "".join(row(*option) for option in own)
        text += row("shared options:", " ".join(also)) if also else ""
        text += parser.epilog.rstrip("\n") + "\n" if parser.epilog else ""
    return text
