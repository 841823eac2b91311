"""The stored bytes of an input: a file behind one descriptor, a pipe that is kept as it is read, or bytes in memory.

An input is one version of a file: what :func:`state_of` tells when it is first named must still be so whenever it is opened, and
after it was read. A version that came in between is an error, never a mixture.
"""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol

from mensura._core.blake3 import Blake3
from mensura.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _typeshed import ReadableBuffer, WriteableBuffer

CHUNK = 1 << 18
KEPT = 1 << 24  # bytes of a pipe that are kept in memory; more go into a temporary file
TICK = 20_000_000  # nanoseconds: two changes within one tick of the file system's clock have the same time
CHANGED = "changed while it was read; run the command again when nothing writes to it"
FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)


class State(NamedTuple):
    """The version of a file, as far as the file system tells it."""

    device: int
    inode: int
    size: int
    changed: int


def state_of(status: os.stat_result) -> State:
    """Return the version that a status belongs to."""
    return State(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class Stored:
    """The bytes of a regular file: one descriptor, read at positions by any number of threads."""

    def __init__(self, name: str, path: str, state: State | None) -> None:
        self.name = name
        self.descriptor = -1
        self.descriptor = os.open(path, FLAGS)
        status = os.fstat(self.descriptor)
        if _inputs is not None:
            _inputs.add((status.st_dev, status.st_ino))
        self.state = state if state is not None else state_of(status)
        self.check()

    def read_at(self, size: int, offset: int) -> bytes:
        """Return up to ``size`` bytes from ``offset`` on; none at the end."""
        if hasattr(os, "pread"):
            return os.pread(self.descriptor, size, offset)
        os.lseek(self.descriptor, offset, os.SEEK_SET)  # a stream has a descriptor of its own
        return os.read(self.descriptor, size)

    def check(self) -> None:
        """Raise an error if this is another version than the one that was named."""
        if state_of(os.fstat(self.descriptor)) != self.state:
            raise InputError(CHANGED, source=self.name)

    def size(self) -> int:
        """Number of stored bytes."""
        return self.state.size

    def close(self) -> None:
        """Close the descriptor; the pieces that nobody asked for any more leave it to the garbage collector."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)

    __del__ = close


class Memory:
    """Bytes in memory."""

    descriptor = -1

    def __init__(self, data: bytes) -> None:
        self.data = data

    def read_at(self, size: int, offset: int) -> bytes:
        return self.data[offset : offset + size]

    def size(self) -> int:
        return len(self.data)

    def check(self) -> None:
        """Bytes do not change."""

    def close(self) -> None:
        """There is nothing to close."""


class Spool(Memory):
    """A pipe, which can be read only once: what has been read is kept, in memory if it is short, else in a file without a name.

    ``opened`` returns the pipe when its first bytes are wanted; it is closed after the last, unless it is standard input.
    """

    def __init__(self, opened: Callable[[], IO[bytes]]) -> None:
        self._open = opened
        self._pipe: IO[bytes] | None = None
        self._kept: IO[bytes] = io.BytesIO()
        self._size = 0
        self._ended = False
        self._lock = threading.Lock()

    def read_at(self, size: int, offset: int) -> bytes:
        with self._lock:
            if self._pipe is None:
                self._pipe = self._open()
            while not self._ended and self._size < offset + size:
                self._append(getattr(self._pipe, "read1", self._pipe.read)(CHUNK))
            self._kept.seek(offset)
            return self._kept.read(size)

    def _append(self, chunk: bytes) -> None:
        if not chunk:
            self._ended = True
            self.close()
            return
        if isinstance(self._kept, io.BytesIO) and self._size + len(chunk) > KEPT:
            import tempfile

            file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the input does
            file.write(self._kept.getbuffer())
            self._kept = file
        self._kept.seek(self._size)
        self._kept.write(chunk)
        self._size += len(chunk)

    def size(self) -> int:
        return self._size

    def close(self) -> None:
        """Close the pipe, if it is not standard input."""
        if self._pipe is not None and self._pipe is not getattr(sys.stdin, "buffer", None):
            self._pipe.close()

    def __del__(self) -> None:
        self.close()
        self._kept.close()


class Cursor(io.RawIOBase):
    """A stream over stored bytes, from the first on."""

    def __init__(self, stored: Stored | Memory) -> None:
        self._stored = stored
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_END:
            raise io.UnsupportedOperation("the end of a pipe is not known")
        self._at = offset if whence == os.SEEK_SET else self._at + offset
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        data = self._stored.read_at(len(view), self._at)
        view[: len(data)] = data
        self._at += len(data)
        return len(data)

    def readall(self) -> bytes:
        pieces = []
        while data := self._stored.read_at(max(self._stored.size() - self._at, CHUNK), self._at):
            pieces.append(data)
            self._at += len(data)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class Hash(Protocol):
    """A digest that is being computed."""

    def update(self, data: ReadableBuffer, /) -> object: ...

    def hexdigest(self) -> str: ...


def hashing(algorithm: str) -> Hash:
    """Begin a digest: ``blake3``, which is several times as fast as ``sha256`` and what records have, or the other."""
    if algorithm == "blake3":
        return Blake3()
    import hashlib

    return hashlib.sha256()


class Digest:
    """The digest of an input, taken while it is read; ``value``, as ``blake3:…``, is known when all of it has been."""

    algorithm = "blake3"

    def __init__(self) -> None:
        self.value: str | None = None
        self._stretches: Blake3 | None = None

    def begin(self, start: int = 0) -> Blake3:
        """Begin to compute it, or that of a stretch which begins at byte ``start``."""
        return Blake3(start)

    def finish(self, computed: Blake3) -> None:
        """Note the digest of the whole input."""
        self.value = f"{self.algorithm}:{computed.hexdigest()}"

    def take(self, data: ReadableBuffer) -> None:
        """Take the digest of an input that is in memory."""
        computed = self.begin()
        computed.update(data)
        self.finish(computed)

    def add(self, stretch: Blake3, size: int) -> None:
        """Take the next stretch of an input of ``size`` bytes; one that was not read to its end leaves the digest unknown."""
        if stretch.start == 0:
            self._stretches = stretch
        elif self._stretches is not None and self._stretches.length == stretch.start:
            self._stretches.append(stretch)
        if self._stretches is not None and self._stretches.length == size:
            self.finish(self._stretches)
            self._stretches = None  # its memory is used for the next file


class Watched(io.RawIOBase):
    """A stream whose bytes are counted, up to ``most()`` of them, and digested on their way."""

    def __init__(self, stream: io.RawIOBase | io.BufferedIOBase, digest: Digest | None, most: Callable[[int], None]) -> None:
        self._stream = stream
        self._digest = digest
        self._hash = None if digest is None or digest.value is not None else digest.begin()
        self._check = most
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        size = self._stream.readinto(view) or 0
        self._note(view[:size])
        return size

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            return self.readall()
        data = self._stream.read(size) or b""
        if size:
            self._note(data)
        return data

    def readall(self) -> bytes:
        return b"".join(iter(lambda: self.read(CHUNK), b""))

    def _note(self, data: bytes | memoryview) -> None:
        self._count += len(data)
        self._check(self._count)
        if self._hash is None or self._digest is None:
            return
        if len(data):
            self._hash.update(data)  # the interpreter's lock is free meanwhile
        else:
            self._digest.finish(self._hash)


def settle(state: State) -> None:
    """Wait until a change of this version would have another time than its own."""
    age = time.time_ns() - state.changed
    if 0 <= age < TICK:
        time.sleep((TICK - age) / 1e9)


_inputs: set[tuple[int, int]] | None = None


@contextmanager
def protecting_inputs() -> Iterator[None]:
    """Remember every file that is read from now on, so that it is not written over, until the block ends."""
    global _inputs  # noqa: PLW0603 - files are read and written by many packages, for one command of the process
    before, _inputs = _inputs, set()
    try:
        yield
    finally:
        _inputs = before


def is_input(status: os.stat_result) -> bool:
    """Return whether a file was read as an input of the command that is running."""
    return _inputs is not None and (status.st_dev, status.st_ino) in _inputs


_taking: dict[str, tuple[State, Digest]] | None = None


@contextmanager
def taking_digests() -> Iterator[dict[str, tuple[State, Digest]]]:
    """Take the digest of every file that is read from now on, by its path, until the block ends."""
    global _taking  # noqa: PLW0603 - files are read by many threads and packages, and recorded by one command of the process
    before, _taking = _taking, {}
    try:
        yield _taking
    finally:
        _taking = before


def digest_of(name: str, state: State) -> Digest | None:
    """Return where to leave the digest of a file, if anybody wants it; a file that is named twice must be one version."""
    if _taking is None:
        return None
    known, digest = _taking.setdefault(name, (state, Digest()))
    if known != state:
        raise InputError(CHANGED, source=name)
    return digest
