"""Files on their way in: streamed to disk under a generated name, counted, and looked into if they are compressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mensura.io.files import Source, is_compressed
from mensura.web.guard import TooLargeError
from mensura.web.sessions import StoredFile, clean_name, place
from mensura.web.tasks import inflated_size
from mensura.web.workers import TaskError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mensura.web.server import Server
    from mensura.web.sessions import Session


async def store(
    server: Server, session: Session, kind: Literal["qrels", "run"], name: str, chunks: AsyncIterator[bytes]
) -> StoredFile:
    """Keeps an upload, or nothing of it."""
    limits = server.settings.limits
    if len(session.files) >= limits.files:
        raise TaskError(f"there are {limits.files} files already, as many as this server keeps: forget some first")
    path = place(session.folder, clean_name(name))
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
