"""Files that are written whole or not at all, and the folders of this user."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Literal

from mensura.errors import MensuraError

OFF = {"", "0", "off", "no", "none"}
FOLDERS = {  # (kind, platform): folder; other platforms follow the XDG Base Directory Specification
    ("cache", "darwin"): "~/Library/Caches/mensura",
    ("data", "darwin"): "~/Library/Application Support/mensura",
    ("cache", "win32"): "~/AppData/Local/mensura/cache",
    ("data", "win32"): "~/AppData/Local/mensura",
    ("cache", ""): "~/.cache/mensura",
    ("data", ""): "~/.local/share/mensura",
}


TEMPORARY = ".mensura-"
"""Beginning of the names of files that are being written."""


def write_whole(data: bytes, path: Path) -> None:
    """Write a file by way of a temporary one beside it, so that others see all of it or nothing."""
    temporary = path.parent / f"{TEMPORARY}{os.getpid()}-{threading.get_ident()}"
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise MensuraError(f"cannot write {path}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def make_folder(folder: Path) -> None:
    """Make a folder and those above it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MensuraError(f"cannot make the folder {folder}: {error.strerror}") from error


def user_path(kind: Literal["cache", "data"], variable: str, name: str = "") -> Path | None:
    """Return the path of this user's own files, e.g. of a cache.

    The environment variable ``variable`` names the path, or says ``off``: then there is none. Otherwise it is ``name`` in the
    platform's folder for ``kind``. There is none without a home folder either.
    """
    chosen = os.environ.get(variable)
    base = os.environ.get(f"XDG_{kind.upper()}_HOME")
    try:
        if chosen is not None:
            return None if chosen.strip().lower() in OFF else Path(chosen).expanduser()
        if base and Path(base).is_absolute():
            return Path(base) / "mensura" / name
        folder = FOLDERS.get((kind, sys.platform), FOLDERS[kind, ""])
        if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
            folder = folder.replace("~/AppData/Local", os.environ["LOCALAPPDATA"])
        return Path(folder).expanduser() / name
    except RuntimeError:  # expanduser knows no home
        return None
