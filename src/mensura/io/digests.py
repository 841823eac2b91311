"""Digests: the same for the same content, whatever file it is packed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.engines.threads import spread
from mensura.io.files import Parts, guarded, open_inflated, source
from mensura.io.stored import Digest, hashing

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from mensura.io.columns import Qrels
    from mensura.io.files import Source

BLOCK = 1 << 18


def netstring(data: bytes) -> bytes:
    """Prefix bytes with their length, so that the borders of concatenated pieces are unambiguous."""
    return b"%d:%s" % (len(data), data)


def digest(parts: Iterable[bytes]) -> str:
    """Return the SHA-256 of several pieces, as 64 hexadecimal digits."""
    import hashlib  # OpenSSL takes milliseconds, which commands that write a record would all wait for

    return hashlib.sha256(b"".join(map(netstring, parts))).hexdigest()


def content_digest(file: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of the inflated content of a file: a file and its .gz or .zst have the same.

    ``sha256sum FILE`` or ``zcat FILE.gz | sha256sum`` print the same.
    """
    return source_digest(source(file))


def labelled_digest(file: str | os.PathLike[str], algorithm: str = Digest.algorithm) -> str:
    """Return the digest of the inflated content of a file with the name of its algorithm, as records have it: ``blake3:…``.

    ``b3sum FILE`` or ``zcat FILE.gz | b3sum`` print the same, and ``sha256sum`` for those of older records.
    """
    return f"{algorithm}:{source_digest(source(file), algorithm)}"


def data_digest(data: bytes, algorithm: str = Digest.algorithm) -> str:
    """Return the digest of bytes in the same way."""
    computed = hashing(algorithm)
    computed.update(data)
    return f"{algorithm}:{computed.hexdigest()}"


def source_digest(origin: Source | Parts, algorithm: str = "sha256") -> str:
    """Return the digest of the inflated content of a source; of parts, one over those of each."""
    if isinstance(origin, Parts):
        return digest(source_digest(part).encode() for part in origin.origins)
    hashed = hashing(algorithm)
    with guarded(origin), open_inflated(origin) as stream:
        while block := stream.read(BLOCK):  # the interpreter's lock is free while a block is hashed
            hashed.update(block)
    return hashed.hexdigest()


def content_digests(files: Sequence[str | os.PathLike[str]], threads: int | None = None) -> list[str]:
    """Return the digests of several files, computed on all cores."""
    return list(spread(content_digest, files, threads))


def collection_digest(qrels: Qrels) -> str:
    """Return the digest of judgments: of the sorted list of (topic, document, grade), so that the file's format does not matter.

    Examples
    --------
    >>> from mensura import read_qrels
    >>> one = collection_digest(read_qrels({"q1": {"d1": 1, "d2": 0}}))
    >>> one == collection_digest(read_qrels({"q1": {"d2": 0, "d1": 1}}))
    True
    """
    table = qrels.table
    names = [netstring(name) for name in table.names.as_list()]
    columns = (memoryview(column).tolist() for column in (table.topic, table.start, table.length, table.value))
    rows = [
        b"%s%s%s" % (names[topic], netstring(table.text[start : start + length]), f"{grade + 0.0:.17g}".encode())
        for topic, start, length, grade in zip(*columns, strict=True)
    ]
    return digest(sorted(rows))
