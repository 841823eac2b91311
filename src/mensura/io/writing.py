"""Files that are written whole or not at all, and the folders of this user."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mensura.errors import MensuraError
from mensura.io.stored import is_input

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.engines.threads import Spread

NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
NO_TERMINAL = getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
OFF = {"", "0", "off", "no", "none"}
FOLDERS = {  # (kind, platform): folder; other platforms follow the XDG Base Directory Specification
    ("cache", "darwin"): "~/Library/Caches/mensura",
    ("data", "darwin"): "~/Library/Application Support/mensura",
    ("cache", "win32"): "~/AppData/Local/mensura/cache",
    ("data", "win32"): "~/AppData/Local/mensura",
    ("cache", ""): "~/.cache/mensura",
    ("data", ""): "~/.local/share/mensura",
}


TEMPORARY = re.compile(r"\.mensura-[0-9a-f]{16}")
"""Names of files that are being written, beside the files that they become."""


def write_whole(data: bytes, path: Path, *, durable: bool = True) -> None:
    """Write a file by way of a temporary one beside it, so that others see all of it or nothing.

    A link is followed, mode and owner stay as they are, and an input of the command is refused. A stream (a pipe, a device,
    standard output by any of its names) is written to as it is. ``durable`` waits until the disk has it. An address (``s3://…``)
    is written by :mod:`mensura.io.remote`.
    """
    if ":" in os.fspath(path):
        from mensura.io.remote import address_of, write_remote

        address = address_of(path)
        if address is not None:
            write_remote(data, address)
            return
    try:
        with suppress(FileNotFoundError):
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode):
                raise MensuraError(f"cannot write {path}: it is a folder; name a file in it")
            refuse_input(path, status)
            stream = _stream(path, status)
            if stream is not None:
                _write_all(stream, data, close=stream > 2)  # noqa: PLR2004 - after standard error
                return
            _replace(data, path, status, durable=durable)
            return
        _replace(data, path, None, durable=durable)
    except OSError as error:
        raise MensuraError(f"cannot write {path}: {error.strerror or error}") from error


def refuse_input(path: Path, status: os.stat_result | None = None) -> None:
    """Raise an error if a file is an input of the command that is running, under this or another name."""
    if status is None:
        try:
            status = os.stat(path)
        except OSError:
            return
    if is_input(status):
        raise MensuraError(f"cannot write {path}: it is an input of this command; choose another file or folder")


def _stream(path: Path, status: os.stat_result) -> int | None:
    """The descriptor of a stream, or ``None`` for a file that can be replaced."""
    for standard in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.fstat(standard), status) and (not stat.S_ISREG(status.st_mode) or _is_alias(path)):
                flush = sys.stdout if standard == 1 else sys.stderr
                if flush is not None:
                    flush.flush()
                return standard
    return None if stat.S_ISREG(status.st_mode) else os.open(path, os.O_WRONLY | NO_TERMINAL)


def is_kept(path: Path) -> bool:
    """Return whether a file was written that stays, with a name that others can have beside it."""
    return path.is_file() and not _is_alias(path)


def _is_alias(path: Path) -> bool:
    """Return whether this is /dev/stdout or another name of an open descriptor, whose file somebody else has opened."""
    return os.path.abspath(path).startswith(("/dev/std", "/dev/fd/", "/proc/"))


def _replace(data: bytes, path: Path, before: os.stat_result | None, *, durable: bool) -> None:
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    _clear_remains(folder)
    if before is not None:
        os.close(os.open(target, os.O_WRONLY | NO_LINK))  # replacing a file that may not be written would get around its mode
    temporary, descriptor = _temporary(folder, 0o666 if before is None else 0o600)
    with _removed_on_errors(temporary, descriptor):
        if before is not None and hasattr(os, "fchmod"):
            with suppress(PermissionError):  # only root can give files away
                os.fchown(descriptor, before.st_uid, before.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
        _write_all(descriptor, data, close=False)

    def put_in_place() -> None:
        with _removed_on_errors(temporary, descriptor):
            if durable:
                os.fsync(descriptor)
            if os.name != "posix":  # where an open file cannot be renamed
                os.close(descriptor)
            os.replace(temporary, target)
        if os.name == "posix":
            os.close(descriptor)
        if durable and _folders is not None:
            _folders.add(folder)
        elif durable:
            _sync_folder(folder)

    if _unfinished is None or not durable:
        put_in_place()
        return
    from mensura.engines.threads import Spread

    _settle(_unfinished)  # files come in the order in which they are written
    _unfinished.append((path, Spread([put_in_place], 1)))


@contextmanager
def _removed_on_errors(temporary: str, descriptor: int) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for remove in (partial(os.close, descriptor), partial(os.unlink, temporary)):
            with suppress(OSError):
                remove()
        raise


_unfinished: list[tuple[Path, Spread[None]]] | None = None


@contextmanager
def syncing_meanwhile() -> Iterator[None]:
    """Let a thread wait for the disk while the block continues; at its end all files that it has written are in place."""
    global _unfinished
    before, _unfinished = _unfinished, []
    try:
        yield
    finally:
        written, _unfinished = _unfinished, before
        _settle(written)


def _settle(written: list[tuple[Path, Spread[None]]]) -> None:
    """Wait until the files that a thread puts in place are there."""
    while written:
        path, waiting = written.pop()
        try:
            waiting.outcome(0)
        except OSError as error:
            raise MensuraError(f"cannot write {path}: {error.strerror or error}") from error


def _sync_folder(folder: str) -> None:
    """Wait until the disk has the names of a folder's files."""
    if os.name != "posix":
        return
    entry = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(entry)
    finally:
        os.close(entry)


_folders: set[str] | None = None


@contextmanager
def syncing_folders_once() -> Iterator[None]:
    """Wait at the end of the block until the disk has the names of all files written in it: a result and its record."""
    global _folders
    before, _folders = _folders, set()
    try:
        yield
    finally:
        written, _folders = _folders, before
        for folder in written:
            try:
                _sync_folder(folder)
            except OSError as error:
                raise MensuraError(f"cannot write to {folder}: {error.strerror or error}") from error


def _temporary(folder: str, mode: int) -> tuple[str, int]:
    """A new file beside the target that nobody can have made before, locked as long as it is open: it is not a remain."""
    while True:
        path = os.path.join(folder, f".mensura-{os.urandom(8).hex()}")
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK, mode)
        if lock(descriptor) and (os.name != "posix" or os.fstat(descriptor).st_nlink):
            return path, descriptor
        os.close(descriptor)  # another process took it for a remain before it was locked


def lock(descriptor: int) -> bool:
    """Lock an open file; ``False`` if somebody else has."""
    try:
        import fcntl
    except ImportError:  # Windows, where an open file cannot be deleted
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in {errno.EACCES, errno.EAGAIN}  # a file system without locks has no remains removed either
    return True


@cache
def _clear_remains(folder: str) -> None:
    """Remove temporary files of writers that were killed: ours by name and owner, and locked by nobody."""
    if os.name != "posix":
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if TEMPORARY.fullmatch(entry.name) is None:
                continue
            with suppress(OSError):
                descriptor = os.open(entry.path, os.O_RDONLY | os.O_NONBLOCK | NO_LINK)
                try:
                    status = os.fstat(descriptor)
                    ours = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid() and status.st_nlink == 1
                    if ours and lock(descriptor):
                        os.unlink(entry.path)
                finally:
                    os.close(descriptor)


def _write_all(descriptor: int, data: bytes, *, close: bool) -> None:
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    finally:
        if close:
            os.close(descriptor)


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
