"""Uploads: streamed to disk under a generated name, counted, and inflated to count again if they are compressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mensura.io.files import Source, is_compressed
from mensura.web.guard import TooLargeError
from mensura.web.jobs.sessions import StoredFile, clean_name, storage_path
from mensura.web.jobs.tasks import inflated_size
from mensura.web.jobs.workers import TaskError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mensura.web.jobs.sessions import Session
    from mensura.web.server import Server


async def store(
    server: Server, session: Session, kind: Literal["qrels", "run"], name: str, chunks: AsyncIterator[bytes]
) -> StoredFile:
    """Store an upload whole, or nothing of it."""
    limits = server.settings.limits
    if len(session.files) >= limits.files:
        raise TaskError(f"this session has {limits.files} files already, the most that this server keeps; delete some first")
    path = storage_path(session.folder, clean_name(name))
    size = 0
    kept = False
    try:
        with path.open("xb") as file:
            async for chunk in chunks:
                size += len(chunk)
                session.pending += len(chunk)
                if session.size > limits.upload:
                    raise TooLargeError(limits.upload)
                file.write(chunk)
        inflated = size
        origin = Source(path.name, path)
        if is_compressed(origin):
            room = limits.inflated - session.inflated
            inflated = await server.answering.run(inflated_size, clean_name(name), path, room, limit=limits.job_seconds)
            if inflated > room:
                raise TooLargeError(limits.inflated)
        stored = StoredFile(path.name.split(".", 1)[0], kind, clean_name(name), path, size, inflated)
        session.files[stored.id] = stored
        kept = True
        return stored
    finally:
        session.pending -= size
        if not kept:
            path.unlink(missing_ok=True)
