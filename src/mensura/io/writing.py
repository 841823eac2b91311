"""Files that are there whole or not at all, and folders."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mensura.errors import MensuraError

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(data: bytes, path: Path) -> None:
    """Writes a file by way of a temporary one beside it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise MensuraError(f"cannot write {path}: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MensuraError(f"cannot make the folder {folder}: {error.strerror}") from error
