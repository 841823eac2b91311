"""Where results go: standard output, or a file that is there whole or not at all."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mensura.errors import InputError, MensuraError
from mensura.io.writing import write_whole
from mensura.render.text import encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from rich.progress import Progress

PATIENCE = 1.0  # seconds of silence before a progress bar appears


def write(text: str | bytes, output: Path | None) -> None:
    """Writes text to standard output, or to a file by way of a temporary one beside it."""
    data = encoded(text) if isinstance(text, str) else text
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    write_whole(data, output)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on standard error, if that is a terminal and the work takes more than a second."""
    if not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    bar: Progress | None = None

    def tell(done: int, total: int) -> None:
        nonlocal bar
        if bar is None and time.monotonic() - started > PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.add_task(what, total=total)
            bar.start()
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.stop()


def load_plugins(files: Sequence[Path] | None) -> None:
    """Runs Python files that register measures."""
    import importlib.util

    for number, file in enumerate(files or ()):
        if not file.is_file():
            raise InputError("there is no such file", source=str(file))
        spec = importlib.util.spec_from_file_location(f"mensura_plugin_{number}", file)
        if spec is None or spec.loader is None:
            raise InputError("is no Python file: its name must end in .py", source=str(file))
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except MensuraError:
            raise
        except Exception as error:
            raise InputError(f"could not be loaded: {type(error).__name__}: {error}", source=str(file)) from error
