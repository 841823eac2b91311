"""argparse with errors of one sentence: near names instead of lists of all, and no lines of usage."""

from __future__ import annotations

import argparse
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Iterator


class OutputError(MensuraError):
    """Standard output does not take what is written."""


@contextmanager
def printing() -> Iterator[None]:
    """Say that it was standard output that took nothing; a reader that has enough is not an error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write to standard output: {error.strerror or error}") from error


class Parser(argparse.ArgumentParser):
    """The parser of ``mensura`` and of each of its commands."""

    _width: int | None = 100

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Return a formatter; argparse asks for one at every option, to check it, and the width of the terminal takes 2 ms."""
        return self.formatter_class(prog=self.prog, width=self._width)  # type: ignore[call-arg]

    def format_help(self) -> str:
        """Return the help, as wide as the terminal."""
        self._width = None
        return super().format_help()

    def format_usage(self) -> str:
        """Return the line of usage, as wide as the terminal."""
        self._width = None
        return super().format_usage()

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or usage; argparse's own method hides that nobody takes it."""
        stream = file or sys.stderr
        with printing():
            stream.write(message)
            stream.flush()

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = list(map(str, action.choices))
            hint = _nearest(str(value), names) or f"use one of {', '.join(names)}"
            raise argparse.ArgumentError(action, f"unknown value {value!r}; {hint}")

    def parse_known_args(self, words: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Look for unknown options first: the word after one would be taken for a file."""
        for word in words if self._subparsers is None else ():
            option = word.partition("=")[0]
            if word == "--":
                break
            if word.startswith("--") and not self._get_option_tuples(option):
                hint = _nearest(option, list(self._option_string_actions)) or f"{self.prog} --help lists all"
                self.error(f"unknown option {option}; {hint}")
        return super().parse_known_args(words, namespace)

    def error(self, message: str) -> NoReturn:
        """Write one sentence and exit with 2."""
        text = message.replace("argument COMMAND: unknown value", "unknown command")
        text = text.replace("the following arguments are required", "missing")
        hint = "" if "--help" in text else f" ({self.prog} --help describes the command)"
        self.exit(2, f"{self.prog}: {text}{hint}\n")


def _nearest(word: str, names: list[str]) -> str | None:
    """A suggestion for an unknown word, if a name is near."""
    import difflib

    near = difflib.get_close_matches(word, names, n=1) or [name for name in names if word.startswith(name)]
    return f"did you mean {near[0]!r}? (--help lists all)" if near else None
