"""The cache folder of this user: files that only save time, each written whole and named by its kind.

MENSURA_CACHE names another folder; empty or "off", nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING

from mensura.errors import MensuraError
from mensura.io.folders import sealed, unsealed
from mensura.io.writing import make_folder, user_path, write_whole

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 1
KINDS = ("sweep", "vega")
"""Kinds of cached files, with which their names begin; others in the folder belong to somebody else."""


def cache_folder() -> Path | None:
    """The folder, or ``None`` if nothing is kept."""
    return user_path("cache", "MENSURA_CACHE")


def cached_path(kind: str, key: str) -> Path | None:
    """Path of the file of a kind under a key; ``None`` if nothing is kept."""
    folder = cache_folder()
    return None if folder is None else folder / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def keep(kind: str, key: str, content: bytes) -> None:
    """Keep content under a key if the folder can be written; the next call does the work again if it cannot."""
    path = cached_path(kind, key)
    if path is not None:
        with contextlib.suppress(MensuraError):  # a full or read-only disk
            make_folder(path.parent)
            write_whole(sealed(_head(kind, key), content), path, durable=False)


def kept(kind: str, key: str) -> bytes | None:
    """Content kept under a key; ``None`` if the file is missing, cut off, altered, or of another key or version."""
    path = cached_path(kind, key)
    try:
        return None if path is None else unsealed(_head(kind, key), path.read_bytes())
    except OSError:
        return None


def forget(kind: str, key: str) -> None:
    """Delete what is kept under a key."""
    path = cached_path(kind, key)
    if path is not None:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _head(kind: str, key: str) -> bytes:
    return f"mensura {kind} {VERSION}\n{key}\n".encode()


def cached_files() -> list[tuple[Path, int]]:
    """The cached files and their sizes in bytes."""
    folder = cache_folder()
    if folder is None or not folder.is_dir():
        return []
    ours = (path for path in sorted(folder.iterdir()) if path.name.partition("-")[0] in KINDS)
    return [(path, path.stat().st_size) for path in ours if path.is_file() and not path.is_symlink()]


def clear_cache() -> None:
    """Delete the cached files, and nothing else."""
    for path, _ in cached_files():
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise MensuraError(f"cannot delete {path}: {error.strerror}") from error
