"""Sweeps kept on disk: where each narrow range of values begins and how many distinct values lie below it.

With such a table (0.4 MB for AP@30) a later query sweeps the one range it falls into. Nothing depends on it: a file
that is missing, cut off, altered or of another version is a file that is not there. MENSURA_CACHE names another folder; empty
or "off", nothing is kept.
"""

import contextlib
import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mensura.errors import MensuraError
from mensura.io.writing import make_folder, user_path, write_whole

VERSION = b"mensura sweep 1\n"


def folder() -> Path | None:
    """The user's cache folder for sweeps, or None when caching is off."""
    return user_path("cache", "MENSURA_CACHE")


def place(key: str) -> Path | None:
    """The file for a key; the key itself is checked against the file's content when it is read."""
    where = folder()
    return where / f"sweep-{hashlib.sha256(VERSION + key.encode()).hexdigest()[:32]}" if where else None


def load(key: str) -> NDArray[np.int64] | None:
    """The rows stored under a key, or None."""
    path = place(key)
    if path is None:
        return None
    try:
        content = path.read_bytes()
    except OSError:
        return None
    seal, body = content[:32], content[32:]
    head = VERSION + key.encode() + b"\n"
    if hashlib.sha256(body).digest() != seal or not body.startswith(head) or (len(body) - len(head)) % 16:
        return None
    return np.frombuffer(body, dtype="<i8", offset=len(head)).reshape(-1, 2).astype(np.int64)


def store(key: str, rows: NDArray[np.int64]) -> None:
    """Keeps rows under a key: a file of its own, renamed when complete, so that others see all of it or nothing."""
    path = place(key)
    if path is None:
        return
    body = VERSION + key.encode() + b"\n" + rows.astype("<i8").tobytes()
    with contextlib.suppress(MensuraError):  # a full or read-only disk: the next sweep counts again
        make_folder(path.parent)
        write_whole(hashlib.sha256(body).digest() + body, path)
