"""Runs the command line: in this process, which takes milliseconds, or in one of its own where that is what is tested."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.cli import run_command
from mensura.measures import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class Done:
    """A finished command."""

    returncode: int
    stdout: str
    stderr: str


def mensura(
    *arguments: str | os.PathLike[str],
    status: int = 0,
    stdin: str | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
) -> Done:
    """Run ``mensura`` in this process; its exit status must be the expected one."""
    done = call([os.fspath(word) for word in arguments], stdin=stdin, cwd=cwd, env=env)
    assert done.returncode == status, done.stderr
    return done


def mensura_process(*arguments: str | os.PathLike[str], status: int = 0, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run ``python -m mensura`` in a process of its own: for tests of start-up, signals and imports."""
    command = [sys.executable, "-m", "mensura", *map(os.fspath, arguments)]
    done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8", errors="surrogateescape", **options)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done


def call(
    words: list[str],
    *,
    stdin: str | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    together: bool = False,
) -> Done:
    """Run ``main()`` with some words; return its status and its output. ``together``: on standard output, errors too."""
    out = _text(b"")
    err = out if together else _text(b"")
    with contextlib.ExitStack() as stack:
        stack.enter_context(_kept())
        stack.enter_context(_streams(_text((stdin or "").encode("utf-8", "surrogateescape")), out, err))
        if env is not None:
            stack.enter_context(_environment(env))
        if cwd is not None:
            stack.enter_context(contextlib.chdir(cwd))
        try:
            status = run_command(words)
        except SystemExit as stop:  # argparse's
            status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    return Done(status, _read(out), "" if together else _read(err))


def _text(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape", newline="", write_through=True)


def _read(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


@contextlib.contextmanager
def _streams(stdin: io.TextIOWrapper, stdout: io.TextIOWrapper, stderr: io.TextIOWrapper) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = stdin, stdout, stderr
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


@contextlib.contextmanager
def _environment(names: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    try:
        os.environ.clear()
        os.environ.update(names)
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _kept() -> Iterator[None]:
    """Measures that a command's plugins register are gone after it, as they are when a process ends."""
    known, modules = dict(REGISTRY), set(sys.modules)
    try:
        yield
    finally:
        REGISTRY.clear()
        REGISTRY.update(known)
        for name in {*sys.modules} - modules:
            if name.startswith("mensura_plugin_"):
                del sys.modules[name]
