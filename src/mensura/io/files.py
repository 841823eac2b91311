"""Bytes from files: plain, gzip or Zstandard (recognised by their first bytes, not by their name), or standard input."""

from __future__ import annotations

import io
import os
import stat
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from mensura._core.columns import read_text
from mensura.errors import InputError
from mensura.io.stored import CHUNK, Cursor, Memory, Spool, State, Stored, Watched, digest_of, state_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from mensura.io.stored import Digest

PADDING = b"\n" * 16  # the core reads words of eight bytes: there is always something after the last line
INFLATED = 1 << 28  # bytes that a compressed file which is held whole may always have
RATIO = 100  # times its stored size, if that is more: lists of documents take a fifth to a thirtieth of their size
AHEAD = 8  # chunks that may wait to be asked for
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
ZSTD_SKIPPABLE = b"\x2a\x4d\x18"  # after a byte from 0x50 to 0x5f: pzstd's files begin so
PART = "part-"  # the names of parts of one table begin so, as Spark, Dask and Hive write them
ENDINGS = {".gz", ".zst", ".txt", ".run", ".trec", ".res", ".qrels", ".csv", ".tsv", ".json", ".parquet"}


@dataclass(frozen=True, slots=True)
class Source:
    """A source of bytes: one version of a file (``state``), a pipe, or bytes in memory."""

    name: str
    path: Path | None = None
    data: bytes = b""
    state: State | None = None
    pipe: Memory | None = None  # a pipe, or a file elsewhere
    digest: Digest | None = None  # where to leave the digest of the inflated content

    @property
    def untaken(self) -> Digest | None:
        """The digest that is still to be taken: ``None`` if nobody wants it, or if it is known."""
        return None if self.digest is None or self.digest.value is not None else self.digest

    @property
    def stem(self) -> str:
        """The file name without its endings (``runs/bm25.txt.gz`` → ``bm25``)."""
        name = Path(self.name).name
        while (ending := os.path.splitext(name)[1].lower()) in ENDINGS and name != ending:
            name = name[: -len(ending)]
        return name

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of the name, without those of compression."""
        return tuple(ending.lower() for ending in Path(self.name).suffixes if ending.lower() not in {".gz", ".zst"})


@dataclass(frozen=True, slots=True)
class Parts:
    """Files that are parts of one run, cut between topics: ``part-00000.parquet``, ``part-00001.parquet`` …, in one folder."""

    folder: str
    origins: tuple[Source, ...]

    @property
    def name(self) -> str:
        """The folder and a pattern of its parts."""
        return f"{self.folder}/{PART}*"

    @property
    def stem(self) -> str:
        """Name of the run: that of the folder, without endings."""
        return Source(self.folder).stem


def source(path: str | os.PathLike[str]) -> Source:
    """Return the source for a path, or for ``-``: standard input. A pipe is read when it is asked for its bytes, once."""
    name = os.fspath(path)
    if name == "-":
        if sys.stdin is None:  # the command was started with it closed
            raise InputError("standard input is closed; give a file instead", source=name)
        return Source("<stdin>", pipe=Spool(lambda: sys.stdin.buffer))
    if "://" in name:
        from mensura.io.remote import is_remote, remote_bytes, shown_address

        if is_remote(name):
            pipe = remote_bytes(name)
            state = State(0, 0, pipe.size(), int(getattr(pipe, "version", "0"), 16))
            return Source(shown_address(name), pipe=pipe, digest=digest_of(name, state))
    try:
        status = os.stat(name)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise InputError("there is no such file", source=name) from None
    except OSError as error:
        raise InputError(f"could not be read: {error.strerror}", source=name) from error
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"is a folder; name its files, e.g. {name.rstrip('/')}/*", source=name)
    if stat.S_ISREG(status.st_mode):
        state = state_of(status)
        return Source(name, path=Path(name), state=state, digest=digest_of(name, state))
    return Source(name, pipe=Spool(lambda: open(name, "rb", buffering=0)))  # such as <(zcat run.gz)


def expand(patterns: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return paths, with patterns like ``runs/*.gz`` replaced by the files they match, sorted."""
    import glob

    paths: list[str] = []
    for pattern in [os.fspath(pattern) for pattern in patterns]:
        if "://" in pattern:
            from mensura.io.remote import is_remote, remote_files

            if is_remote(pattern):
                paths += remote_files(pattern)
                continue
        if pattern == "-" or os.path.exists(pattern) or not glob.has_magic(pattern):
            paths.append(pattern)
            continue
        matches = sorted(glob.glob(pattern))
        if not matches:
            raise InputError("no file matches this pattern", source=pattern)
        paths += matches
    return paths


def folder_files(path: str, start: str) -> list[str]:
    """Return the files of a folder whose names begin so, sorted; none for a path that is not a folder."""
    if "://" in path:
        from mensura.io.remote import folder_matches, is_remote

        if is_remote(path):
            return folder_matches(path, start)
    try:
        with os.scandir(path) as entries:
            return sorted(entry.path for entry in entries if entry.name.startswith(start) and entry.is_file())
    except (OSError, ValueError):
        return []


@contextmanager
def open_stored(origin: Source) -> Iterator[Stored | Memory]:
    """Open the stored bytes; after they were read, the file must be what it was before."""
    if origin.path is None:
        held = origin.pipe or Memory(origin.data)
        yield held
        held.check()
        return
    stored = Stored(origin.name, os.fspath(origin.path), origin.state)
    try:
        yield stored
        stored.check()
    finally:
        stored.close()


def is_regular(path: str | os.PathLike[str]) -> bool:
    """Return whether this is a file that can be read more than once."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


@contextmanager
def guarded(origin: Source) -> Iterator[None]:
    """Turn errors of the system and of the inflaters into an :class:`InputError`."""
    try:
        yield
    except OSError as error:
        problem = f"could not be read: {error.strerror or error}" if error.errno is not None else f"is damaged: {error}"
        raise InputError(problem, source=origin.name) from error
    except Exception as error:
        # The inflaters' own exception classes would have to be imported just to be named here.
        if isinstance(error, EOFError) or type(error).__name__ in {"ZstdError", "IsalError", "error", "BadGzipFile"}:
            raise InputError(f"is damaged or cut off: {error}", source=origin.name) from error
        raise


@contextmanager
def open_inflated(origin: Source, *, whole: bool = False) -> Iterator[IO[bytes]]:
    """Open a stream of the inflated bytes. With ``whole``, all of them will be in memory: a small file must not inflate to many."""
    with open_stored(origin) as stored:
        start = stored.read_at(4, 0)
        stream: IO[bytes] = io.BufferedReader(Cursor(stored), CHUNK)
        compressed = start.startswith(GZIP) or _is_zstd(start)
        if compressed:
            stream = _open_gzip(stream) if start.startswith(GZIP) else _open_zstd(stream)
        if origin.digest is not None or (whole and compressed):

            def limit(count: int) -> None:
                if whole and compressed and count > max(INFLATED, RATIO * stored.size()):
                    raise InputError(
                        f"is {stored.size() / 1e6:.1f} MB that inflate to more than {count / 1e6:.0f} MB, which would all be held "
                        "in memory; if that is right, inflate it first, with gzip -d or zstd -d",
                        source=origin.name,
                    )

            with stream, io.BufferedReader(Watched(cast("io.BufferedIOBase", stream), origin.digest, limit), CHUNK) as watched:
                yield watched
        else:
            with stream:
                yield stream


def _open_zstd(raw: IO[bytes]) -> IO[bytes]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return cast("IO[bytes]", zstd.open(raw, "rb"))


def _open_gzip(raw: IO[bytes]) -> IO[bytes]:
    try:
        from isal import igzip
    except ImportError:  # no build of ISA-L for this machine
        import gzip

        return cast("IO[bytes]", gzip.open(raw, "rb"))
    return cast("IO[bytes]", igzip.open(raw, "rb"))


def _is_zstd(start: bytes) -> bool:
    return start == ZSTD or (start[1:] == ZSTD_SKIPPABLE and 0x50 <= start[0] <= 0x5F)  # noqa: PLR2004 - the format's magic numbers


def is_compressed(origin: Source) -> bool:
    """Return whether the source is gzip or Zstandard."""
    with guarded(origin), open_stored(origin) as stored:
        start = stored.read_at(4, 0)
    return start.startswith(GZIP) or _is_zstd(start)


def chunks(stream: IO[bytes], *, background: bool = False) -> Generator[bytes]:
    """Yield the bytes of a stream, piece by piece; with ``background``, a thread of its own reads (and inflates) ahead."""
    if not background:
        while chunk := stream.read(CHUNK):
            yield chunk
        return
    from queue import Empty, Queue

    ready: Queue[bytes | BaseException] = Queue(AHEAD)
    closed = threading.Event()

    def read_ahead() -> None:
        chunk = b" "
        try:
            while chunk and not closed.is_set():
                chunk = stream.read(CHUNK)
                ready.put(chunk)
        except BaseException as error:  # noqa: BLE001 - raised where the bytes are asked for
            ready.put(error)

    reader = threading.Thread(target=read_ahead, daemon=True)
    reader.start()
    try:
        while piece := ready.get():
            if isinstance(piece, BaseException):
                raise piece
            yield piece
    finally:
        closed.set()
        while reader.is_alive():  # it may wait for room
            try:
                ready.get_nowait()
            except Empty:
                reader.join(0.001)


def read_all(origin: Source) -> bytes:
    """Return the inflated content."""
    with guarded(origin), open_inflated(origin, whole=True) as stream:
        return stream.read()


def read_padded(origin: Source) -> bytes:
    """Return the inflated content as the core needs it: whole lines, then padding."""
    if origin.path is not None and not is_compressed(origin):
        with guarded(origin), open_stored(origin) as stored:
            whole = read_text(stored.descriptor, stored.size())
        if whole is not None:
            if origin.untaken is not None:
                origin.untaken.take(memoryview(whole)[: stored.size()])
            return whole
    text = read_all(origin)
    return text + PADDING if text.endswith(b"\n") else text + b"\n" + PADDING


def locate(origin: Source, offset: int) -> tuple[int, bytes]:
    """Return line number and line at an offset of the inflated content."""
    line = 1
    start = b""
    with guarded(origin), open_inflated(origin) as stream:
        at = 0
        while chunk := stream.read(CHUNK):
            if at + len(chunk) > offset:
                line += chunk.count(b"\n", 0, offset - at)
                begin = chunk.rfind(b"\n", 0, offset - at) + 1
                head = chunk[begin:] if begin else start + chunk
                return line, (head + stream.read(CHUNK)).split(b"\n", 1)[0]
            line += chunk.count(b"\n")
            start = chunk[chunk.rfind(b"\n") + 1 :] if b"\n" in chunk else start + chunk
            at += len(chunk)
    return line, start


def shown(line: bytes, most: int = 100) -> str:
    """Return a line for a message: without control characters, and not too long."""
    text = line.removesuffix(b"\r").decode("utf-8", "backslashreplace")
    text = "".join(c if c.isprintable() or c == "\t" else repr(c)[1:-1] for c in text[: most + 1])
    return text if len(text) <= most else text[:most] + "…"
