"""Files elsewhere, through fsspec: object stores (s3://, gs://, abfs://), hdfs://, https://, sftp://, memory://.

Only this module imports fsspec, and only when a path begins like that. Credentials come in the ways of the libraries (environment,
configuration files, agents); an address that contains a password is refused, and messages never show what follows a ``?``.
"""

from __future__ import annotations

import errno
import os
import platform
import re
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from mensura.engines.engine import TriedError, may_pass, retried
from mensura.errors import InputError, MensuraError
from mensura.io.stored import CHANGED, Memory, Spool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
COLLAPSED = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/(?!/)(.*)", re.DOTALL)  # what pathlib makes of an address
PASSWORD = re.compile(r"://[^/?#\s]*:[^/?#\s]*@")
QUERY = re.compile(r"\?[^\s'\"<>)]*")
WINDOW = 1 << 22  # bytes of a request: more than what is asked for, because the next bytes are asked for next
WEB = ("http", "https")
STORES = {"abfs", "abfss", "adl", "az", "gcs", "gs", "memory", "oci", "s3", "s3a"}  # where an object appears when it is whole


def is_remote(name: str) -> bool:
    """Return whether this is an address, not a path of this machine."""
    return ADDRESS.match(name) is not None


def address_of(path: str | os.PathLike[str]) -> str | None:
    """Return the address that a path was made from, or ``None`` for a path of this machine."""
    name = os.fspath(path)
    if is_remote(name):
        return name
    collapsed = COLLAPSED.fullmatch(name)
    if collapsed is None or len(collapsed[1]) < 2 or os.path.lexists(f"{collapsed[1]}:"):  # noqa: PLR2004 - a letter is a drive
        return None
    return f"{collapsed[1]}://{'/' if collapsed[1] in {'file', 'memory'} else ''}{collapsed[2]}"


def without_secrets(text: str) -> str:
    """Return a text without what addresses say after a ``?``, and without passwords."""
    return QUERY.sub("?…", PASSWORD.sub("://…@", text))


def shown_address(address: str) -> str:
    """Return the name of an address for messages and records: without what follows a ``?``."""
    return PASSWORD.sub("://…@", address).partition("?")[0] if address.startswith(WEB) else PASSWORD.sub("://…@", address)


def opened_system(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path in it."""
    name = shown_address(address)
    if PASSWORD.search(address) is not None:
        raise InputError(
            "the address contains a password, which others can see; give it in the way of the library instead "
            "(environment, configuration file, key)",
            source=name,
        )
    try:
        import fsspec
    except ImportError:
        raise InputError("addresses like this need fsspec; pip install 'mensura[cloud]'", source=name) from None
    try:
        return retried(lambda: _connected(fsspec.core.url_to_fs, address))
    except ImportError as error:
        raise InputError(f"needs another package: {error}", source=name) from None
    except ValueError as error:
        raise InputError(f"is not an address that fsspec knows: {without_secrets(str(error))}", source=name) from None
    except PermissionError as error:
        raise InputError(f"could not be reached: {error.strerror}", source=name) from None
    except OSError as error:
        problem = f"could not be reached: {error.strerror or error}"
        raise InputError(problem, source=name) from TriedError(error.errno or errno.EIO, problem)


def _asking_once(system: Any, path: str) -> tuple[Any, str]:
    """Let a file system ask once: s3fs and botocore try again five times each, which took 97 s where storage is dead."""
    if isinstance(getattr(system, "config_kwargs", None), dict) and hasattr(system, "retries"):
        system.retries = 1
        system.config_kwargs.setdefault("retries", {"total_max_attempts": 1})
    return system, path


def _connected(connect: Callable[[str], tuple[Any, str]], address: str) -> tuple[Any, str]:
    """Connect to a server; errors are those of the system, and one about keys or passwords will not pass."""
    try:
        return _asking_once(*connect(address))
    except (ImportError, ValueError):
        raise
    except Exception as error:  # noqa: BLE001 - every library has errors of its own
        told = _told(error)
        if "authenticat" in f"{type(error).__name__} {told}".lower():
            raise PermissionError(errno.EACCES, told) from None
        raise OSError(getattr(error, "errno", None) or errno.EIO, told) from None


@contextmanager
def as_system_errors() -> Iterator[None]:
    """Turn errors of the libraries into those of the system, without secrets."""
    try:
        yield
    except (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError) as error:
        raise type(error)(error.errno or errno.ENOENT, error.strerror or without_secrets(str(error))) from None
    except MensuraError:
        raise
    except Exception as error:  # noqa: BLE001 - every library has errors of its own
        raise OSError(getattr(error, "errno", None) or errno.EIO, _told(error)) from None


def asked(request: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Ask a file system for something; an error of the storage that may pass is tried again, and then called a lasting one."""

    def ask() -> Any:
        with as_system_errors():
            return request(*arguments, **options)

    try:
        return retried(ask)
    except OSError as error:
        if may_pass(error):
            raise TriedError(error.errno, error.strerror) from None  # nobody else may begin again
        raise


def _told(error: Exception) -> str:
    text = without_secrets(getattr(error, "strerror", None) or str(error)) or "no reason given"
    return text if isinstance(error, OSError) else f"{type(error).__name__}: {text}"


class Remote(Memory):
    """The bytes of a file elsewhere, read at positions. It is one version of the file, also where it is carried to."""

    def __init__(self, address: str, version: str, size: int, *, carried: bool = False) -> None:
        self.address = address
        self._carried = carried
        self.version = version
        self._size = size
        self._systems: dict[int, tuple[Any, str]] = {}
        self._window = (0, b"")  # where it begins, and its bytes: one object, which threads replace as a whole

    def __reduce__(self) -> tuple[object, ...]:
        return carried_remote, (self.address, self.version, self._size)

    def _opened(self) -> tuple[Any, str]:
        """The file system: one for all threads if it is made for that, else one for each, as paramiko's mixes up the answers."""
        thread = threading.get_ident()
        for system, path in list(self._systems.values())[:1]:
            if getattr(system, "async_impl", False):
                return system, path
        if thread not in self._systems:
            try:
                self._systems[thread] = opened_system(self.address)
            except InputError as error:
                if not self._carried:
                    raise
                problem = (
                    f"{error.problem} (on the worker {platform.node()}: workers read files by themselves, and need the keys and "
                    "packages for that)"
                )
                raise InputError(problem, source=error.source) from error.__cause__
        return self._systems[thread]

    def read_at(self, size: int, offset: int) -> bytes:
        start, window = self._window
        if not start <= offset < start + len(window):
            if offset >= self._size:
                return b""
            system, path = self._opened()
            window = bytes(asked(system.cat_file, path, start=offset, end=min(offset + max(size, WINDOW), self._size)))
            if not window:
                raise InputError(CHANGED, source=shown_address(self.address))
            start = offset
            self._window = start, window
        return window[offset - start : offset - start + size]

    def size(self) -> int:
        return self._size

    def check(self) -> None:
        """Raise an error if there is another version now."""
        system, path = self._opened()
        system.invalidate_cache()
        now = version_of(asked(system.info, path))
        if now != self.version:
            raise InputError(CHANGED, source=shown_address(self.address))


def carried_remote(address: str, version: str, size: int) -> Remote:
    """Return the bytes of a file elsewhere in the process that they were carried to."""
    return Remote(address, version, size, carried=True)


def version_of(info: dict[str, Any]) -> str:
    """Return the version of a file by what its file system says: size, time, and the digest of an object store."""
    import hashlib  # OpenSSL takes milliseconds, and other commands than those that read elsewhere import this module

    known = [str(info.get(key)) for key in ("size", "ETag", "etag", "LastModified", "last_modified", "mtime", "created", "md5Hash")]
    return hashlib.sha256("\0".join(known).encode()).hexdigest()


def remote_bytes(address: str) -> Remote | Spool:
    """Return the bytes of a file elsewhere: read at positions, or from the first to the last where a server gives no others."""
    system, path = opened_system(address)
    name = shown_address(address)
    try:
        info = asked(system.info, path)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("there is no such file", source=name) from None
    except OSError as error:
        raise InputError(f"could not be read: {error.strerror or error}", source=name) from error
    if info.get("type") == "directory":
        raise InputError(f"is a folder; name its files, e.g. {name.rstrip('/')}/*", source=name)
    if info.get("size") is None or (address.startswith(WEB) and not info.get("partial")):
        return Spool(lambda: system.open(path, "rb", block_size=0))
    return Remote(address, version_of(info), int(info["size"]))


def remote_files(pattern: str) -> list[str]:
    """Return the files that a pattern of addresses matches, sorted; the address itself if it is not a pattern."""
    if pattern.startswith(WEB) or not any(c in pattern for c in "*?["):
        return [pattern]
    system, path = opened_system(pattern)
    name = shown_address(pattern)
    try:
        system.invalidate_cache()
        files = _addresses(pattern, system, path, asked(system.glob, path))
    except OSError as error:
        raise InputError(f"could not be read: {error.strerror or error}", source=name) from error
    if not files:
        raise InputError("no file matches this pattern", source=name)
    return files


def folder_matches(folder: str, start: str) -> list[str]:
    """Return the files of a folder elsewhere whose names begin so, sorted; none if it is not a folder."""
    if folder.startswith(WEB):
        return []
    system, path = opened_system(folder)
    try:
        if not asked(system.isdir, path):
            return []
        return _addresses(folder, system, path, asked(system.glob, f"{path.rstrip('/')}/{start}*"))
    except OSError:
        return []


def _addresses(address: str, system: Any, path: str, paths: Iterable[str]) -> list[str]:
    """Addresses of paths, sorted: with the host of the address that they were found by, which some file systems forget."""
    if address.endswith(path):
        return sorted(address.removesuffix(path) + each for each in paths)
    return sorted(str(system.unstrip_protocol(each)) for each in paths)


def write_remote(data: bytes, address: str) -> None:
    """Write a file elsewhere, whole or not at all: an object store shows it when it is complete, other systems rename it."""
    name = shown_address(address)
    try:
        system, path = opened_system(address)
    except InputError as error:
        raise MensuraError(f"cannot write {name}: {error.problem}") from None
    protocol = address.partition("://")[0].lower()
    try:
        if protocol in STORES:
            asked(system.pipe_file, path, data)
            return
        folder, _, _ = path.rpartition("/")
        temporary = f"{folder}/.mensura-{os.urandom(8).hex()}"
        try:
            asked(system.pipe_file, temporary, data)
            asked(system.mv, temporary, path)
        except BaseException:
            with suppress(OSError):
                asked(system.rm_file, temporary)
            raise
    except OSError as error:
        raise MensuraError(f"cannot write {name}: {error.strerror or error}") from None
