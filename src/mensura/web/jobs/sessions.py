"""Sessions: the files of one visitor. They have generated names, in a folder that is deleted with the session."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mensura.errors import InputError
from mensura.io.files import ENDINGS
from mensura.io.writing import lock
from mensura.web.jobs.workers import BusyError

if TYPE_CHECKING:
    from mensura.web.settings import Limits

COOKIE = "mensura_session"
PREFIX = "mensura-serve-"
LOCK = "lock"
NAME = 120  # characters of a file's name that are kept


@dataclass(frozen=True)
class StoredFile:
    """An uploaded file: the name that its owner gave it, and its path."""

    id: str
    kind: Literal["qrels", "run"]
    name: str
    path: Path
    size: int
    inflated: int


@dataclass
class Session:
    """A visitor."""

    id: str
    folder: Path
    files: dict[str, StoredFile] = field(default_factory=dict)
    seen: float = field(default_factory=time.monotonic)
    pending: int = 0
    """Bytes of uploads that have not ended."""

    @property
    def size(self) -> int:
        """Bytes on disk, those to come included."""
        return self.pending + sum(file.size for file in self.files.values())

    @property
    def inflated(self) -> int:
        """Bytes of all files when inflated."""
        return sum(file.inflated for file in self.files.values())


class Sessions:
    """The sessions of all visitors that have uploaded a file or started an evaluation."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        clear_remains()
        self.root = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self._lock = lock_file(self.root / LOCK)
        self.all: dict[str, Session] = {}

    def get(self, key: str | None) -> Session | None:
        """Return the session of a cookie, or ``None`` if it has ended."""
        session = self.all.get(key or "")
        if session is not None:
            session.seen = time.monotonic()
        return session

    def begin(self) -> Session:
        """Start a session."""
        if len(self.all) >= self.limits.sessions:
            raise BusyError
        key = secrets.token_urlsafe(24)
        folder = self.root / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        self.all[key] = Session(key, folder)
        return self.all[key]

    def expired(self) -> list[Session]:
        """Return the sessions without a request for longer than the limit."""
        now = time.monotonic()
        return [session for session in self.all.values() if now - session.seen > self.limits.session_seconds]

    def end(self, key: str) -> None:
        """Delete a session and its files."""
        session = self.all.pop(key, None)
        if session is not None:
            shutil.rmtree(session.folder, ignore_errors=True)

    def close(self) -> None:
        """Delete all sessions."""
        self.all.clear()
        shutil.rmtree(self.root, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def campaign_files(session: Session) -> tuple[tuple[str, str], ...]:
    """Return names and paths of a session's judgments and runs, the judgments first."""
    stored = sorted(session.files.values(), key=lambda file: file.kind)
    if [file.kind for file in stored[:2]] != ["qrels", "run"]:
        raise InputError("this needs one file of judgments and at least one run; upload them on the page Evaluate first")
    return tuple((file.name, str(file.path)) for file in stored)


def clear_remains() -> None:
    """Delete the folders of servers that were killed before they could."""
    for remains in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if remains.is_symlink() or not (remains / LOCK).is_file():
            continue  # somebody else's, or a server that is about to lock its own
        held = lock_file(remains / LOCK)
        if held is not None:  # a server holds the lock as long as it lives, in whatever container
            shutil.rmtree(remains, ignore_errors=True)
            os.close(held)


def lock_file(path: Path) -> int | None:
    """Lock a file, which is made if it is not there, until its descriptor is closed; ``None`` if somebody else has locked it."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError:
        return None
    if lock(descriptor):
        return descriptor
    os.close(descriptor)
    return None


def clean_name(name: str) -> str:
    """Return the name of a file for pages and messages: without folders and unprintable characters, and not too long."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(c for c in last if c.isprintable()).strip()
    return kept[-NAME:] or "file"


def storage_path(folder: Path, name: str) -> Path:
    """Return the path for a new file: a generated name, with the known endings of ``name``, which say its format."""
    endings = [ending for ending in Path(name).suffixes[-2:] if ending.lower() in ENDINGS]
    return folder / (secrets.token_hex(8) + "".join(endings).lower())
