"""Scripts, styles and pictures: read once, kept compressed, under an address that changes when they do."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response

from mensura.io.writing import write_whole
from mensura.scales.counting.cache import folder

if TYPE_CHECKING:
    from starlette.requests import Request

STATIC = Path(__file__).parent / "static"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FOREVER = "public, max-age=31536000, immutable"
MAKE = "import sys; from mensura.render.charts.bundle import bundle; sys.stdout.buffer.write(bundle().encode())"


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes

    @classmethod
    def of(cls, kind: str, plain: bytes) -> Asset:
        """With its compressed form, the same at every start."""
        return cls(kind, plain, gzip.compress(plain, 9, mtime=0))

    def response(self, request: Request) -> Response:
        """The answer, compressed for those who take that."""
        headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, media_type=self.kind, headers=headers | {"Content-Encoding": "gzip"})
        return Response(self.plain, media_type=self.kind, headers=headers)


@cache
def assets() -> dict[str, Asset]:
    """The files of the package by name."""
    return {path.name: Asset.of(TYPES[path.suffix], path.read_bytes()) for path in sorted(STATIC.iterdir()) if path.suffix in TYPES}


@cache
def version() -> str:
    """A word that is another one when a file, or the bundle, is."""
    digest = hashlib.sha256(drawn_by().encode())
    for name, asset in assets().items():
        digest.update(name.encode() + asset.plain)
    return digest.hexdigest()[:12]


def drawn_by() -> str:
    """The version of what the bundle comes from."""
    return metadata.version("vl-convert-python")


class Bundle:
    """The JavaScript that draws charts. It takes seconds to make, so a process of its own makes it and it is kept on disk."""

    def __init__(self) -> None:
        self._making: asyncio.Task[Asset] | None = None

    def start(self) -> asyncio.Task[Asset]:
        """Makes it, unless it is being made."""
        if self._making is None or (self._making.done() and self._making.exception() is not None):
            self._making = asyncio.create_task(asyncio.to_thread(load_bundle))
        return self._making

    async def asset(self) -> Asset:
        """The script, when it is there."""
        return await asyncio.shield(self.start())


def load_bundle() -> Asset:
    """The bundle from the user's cache, or made anew and put there."""
    place = folder()
    kept = None if place is None else place / f"vega-{drawn_by()}.js"
    if kept is not None and kept.is_file() and kept.stat().st_size:
        return Asset.of(TYPES[".js"], kept.read_bytes())
    made = subprocess.run([sys.executable, "-c", MAKE], capture_output=True, check=True).stdout  # noqa: S603 - our own program
    if kept is not None:
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_whole(made, kept)
        except Exception:  # noqa: BLE001, S110 - a cache that cannot be written is no cache, and nothing depends on it
            pass
    return Asset.of(TYPES[".js"], made)
