"""Output of commands: standard output, files that are there whole or not at all, progress; and plugins."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mensura.cli.shared.parsing import printing
from mensura.errors import InputError, MensuraError
from mensura.io.writing import write_whole
from mensura.render.escapes import for_terminal, without_emphasis
from mensura.render.text import encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

PATIENCE = 1.0  # seconds of silence before a progress bar appears
BETWEEN = 0.1  # seconds between two drawings of it
WIDTH = 40  # characters of it


def write(text: str | bytes, output: Path | None) -> None:
    """Write text to standard output, or to a file by way of a temporary one beside it."""
    if output is None and isinstance(text, str) and sys.stdout.isatty():
        text = for_terminal(text)
    if output is not None and isinstance(text, str):
        text = without_emphasis(text)
    data = encoded(text) if isinstance(text, str) else text
    if output is None:
        with printing():
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        return
    write_whole(data, output)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Give a function that draws a progress bar on standard error, if that is a terminal and the work takes more than a second."""
    if not sys.stderr.isatty():
        yield None
        return
    stream = getattr(sys.stderr, "whole", sys.stderr)  # the bar moves the cursor
    started = last = time.monotonic()
    drawn = False

    def tell(done: int, total: int) -> None:
        nonlocal drawn, last
        now = time.monotonic()
        if now - started > PATIENCE and now - last > BETWEEN:
            full = WIDTH * done // max(total, 1)
            stream.write(f"\r\x1b[K{what} {'━' * full}{'─' * (WIDTH - full)} {pace(done, total, now - started)}")
            sys.stderr.flush()
            drawn, last = True, now

    try:
        yield tell
    finally:
        if drawn:
            stream.write("\r\x1b[K")  # the bar goes, the output stays
            sys.stderr.flush()


def pace(done: int, total: int, seconds: float) -> str:
    """Number of pieces done in some seconds, their rate, and the time that the others take at that rate.

    Examples
    --------
    >>> pace(30, 120, 20.0)
    '30 of 120, 1.5 a second, 1 min 00 s left'
    """
    from mensura.render.numbers import duration, general

    if not done:
        return f"{done} of {total}"
    return f"{done} of {total}, {general(done / seconds, 2)} a second, {duration(seconds * (total - done) / done)} left"


def load_plugins(files: Sequence[Path] | None) -> None:
    """Run Python files that register measures."""
    import importlib.util

    for number, file in enumerate(files or ()):
        if not file.is_file():
            raise InputError("there is no such file", source=str(file))
        spec = importlib.util.spec_from_file_location(f"mensura_plugin_{number}", file)
        if spec is None or spec.loader is None:
            raise InputError("is not a Python file; its name must end in .py", source=str(file))
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except MensuraError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(f"could not be loaded: {type(error).__name__}: {error}", source=str(file)) from error


def plan_text(pieces: int, seconds: float, what: str, source: str = "by a sample on this machine") -> str:
    """The pieces of a work, and the time that they take, as ``source`` says."""
    from mensura.engines.threads import available_cores
    from mensura.render.numbers import duration
    from mensura.stats.results import plural

    cores = available_cores()
    return (
        f"{what}: {plural(pieces, 'piece')}, about {duration(seconds)} of one core {source}, "
        f"{duration(seconds / min(cores, pieces))} on {plural(cores, 'core')}\n"
    )
