"""Folders that a command fills: only files that it made itself, listed in a manifest, are ever replaced or removed."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mensura.errors import MensuraError
from mensura.io.writing import make_folder, refuse_input, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable

MANIFEST = "manifest.json"
FORMAT = "mensura folder 1"
SEAL = hashlib.sha256().digest_size


class Filled:
    """A folder with a manifest. A name is in it before its file is there, so that a kill in between leaves nothing foreign.

    Names are relative, with ``/`` between folders; the folders between are never links.
    """

    def __init__(self, folder: Path, names: Iterable[str] = ()) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._names = self._read()
        self.claim(names)

    def _read(self) -> set[str]:
        path = self.folder / MANIFEST
        try:
            document = json.loads(path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return set()
        except OSError as error:
            raise MensuraError(f"cannot read {path}: {error.strerror}") from error
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict) or document.get("format") != FORMAT or not isinstance(document.get("files"), list):
            raise MensuraError(f"{path} is not a list of Mensura's own files; choose another folder")
        return {name for name in document["files"] if isinstance(name, str)}

    def claim(self, names: Iterable[str]) -> None:
        """Enter names in the manifest; a file of such a name that the manifest does not list is somebody else's."""
        new = sorted(set(names) - self._names)
        for name in new:
            if os.path.lexists(self._place(name)):
                raise MensuraError(
                    f"{self.folder / name} was not made by this command, which would replace it; "
                    "choose another folder, or move it away"
                )
        for name in self._names.union(new):
            refuse_input(self.folder / name)
        if new:
            with self._lock:
                self._names |= set(new)
                self._save()

    def _place(self, name: str) -> Path:
        """The path of a name, if the folders between are folders."""
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts:
            raise MensuraError(
                f"{self.folder / MANIFEST} names {name!r}, which is not a file in this folder; choose another folder"
            )
        for depth in range(1, len(parts)):
            between = self.folder.joinpath(*parts[:depth])
            if between.is_symlink() or (between.exists() and not between.is_dir()):
                raise MensuraError(
                    f"{between} is not a folder of its own (a link, or a file); choose another folder, or move it away"
                )
        return self.folder.joinpath(*parts)

    def write(self, name: str, data: bytes) -> Path:
        """Write a file of the folder."""
        if name not in self._names:
            self.claim([name])
        path = self._place(name)
        make_folder(path.parent)
        write_whole(data, path)
        return path

    def read(self, name: str) -> bytes | None:
        """The content of a file that the manifest lists, or ``None``."""
        with suppress(OSError, MensuraError):
            return self._place(name).read_bytes() if name in self._names else None
        return None

    def remove_others(self, names: Iterable[str]) -> None:
        """Remove the files that the manifest lists, and nothing else, except those with the given names."""
        old = self._names - set(names)
        for name in old:
            with suppress(OSError):
                self._place(name).unlink(missing_ok=True)
        if old:
            with self._lock:
                self._names -= old
                self._save()

    def _save(self) -> None:
        make_folder(self.folder)
        document = {"format": FORMAT, "files": sorted(self._names)}
        write_whole((json.dumps(document, indent=1) + "\n").encode(), self.folder / MANIFEST)


def sealed(head: bytes, content: bytes) -> bytes:
    """Content behind a head, which says what it is, and their SHA-256 in front of both."""
    return hashlib.sha256(head + content).digest() + head + content


def unsealed(head: bytes, data: bytes) -> bytes | None:
    """The content that :func:`sealed` got with this head, or ``None`` if it was altered, cut off, or is of another head."""
    body = data[SEAL:]
    return body[len(head) :] if body.startswith(head) and hashlib.sha256(body).digest() == data[:SEAL] else None
