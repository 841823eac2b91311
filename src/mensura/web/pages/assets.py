"""Scripts, styles and images: read once, kept compressed, under an address that changes when they do."""

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

from mensura.io.caches import keep, kept
from mensura.render import numbers

if TYPE_CHECKING:
    from starlette.requests import Request

STATIC = Path(__file__).parent / "static"
NUMBERS = Path(numbers.__file__).with_name("static") / "numbers.js"  # reports contain the same file
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FOREVER = "public, max-age=31536000, immutable"
BUILD = "import sys; from mensura.render.charts.draw import bundle; sys.stdout.buffer.write(bundle().encode())"


@dataclass(frozen=True)
class Asset:
    """A file as it is sent, plain and compressed."""

    kind: str
    plain: bytes
    packed: bytes

    @classmethod
    def of(cls, kind: str, plain: bytes) -> Asset:
        """Compress a file; the bytes are the same at every start."""
        return cls(kind, plain, gzip.compress(plain, 9, mtime=0))

    def response(self, request: Request) -> Response:
        """Return the response, compressed if the client accepts that."""
        headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, media_type=self.kind, headers=headers | {"Content-Encoding": "gzip"})
        return Response(self.plain, media_type=self.kind, headers=headers)


@cache
def assets() -> dict[str, Asset]:
    """Return the files of the package by name."""
    paths = [*STATIC.iterdir(), NUMBERS]
    return {path.name: Asset.of(TYPES[path.suffix], path.read_bytes()) for path in sorted(paths) if path.suffix in TYPES}


@cache
def version() -> str:
    """Return a word that changes when a file or the bundle does."""
    digest = hashlib.sha256(drawn_by().encode())
    for name, asset in assets().items():
        digest.update(name.encode() + asset.plain)
    return digest.hexdigest()[:12]


def drawn_by() -> str:
    """Return the version of the package that the bundle comes from."""
    return metadata.version("vl-convert-python")


class Bundle:
    """The JavaScript that draws charts. It takes seconds to build, so a process of its own builds it and it is kept on disk."""

    def __init__(self) -> None:
        self._building: asyncio.Task[Asset] | None = None

    def start(self) -> asyncio.Task[Asset]:
        """Start to build it, unless that has begun."""
        if self._building is None or (self._building.done() and self._building.exception() is not None):
            self._building = asyncio.create_task(asyncio.to_thread(load_bundle))
        return self._building

    async def asset(self) -> Asset:
        """Wait for the script."""
        return await asyncio.shield(self.start())


def load_bundle() -> Asset:
    """Return the bundle from the user's cache, or build it and put it there."""
    script = kept("vega", drawn_by())
    if not script:
        script = subprocess.run([sys.executable, "-c", BUILD], capture_output=True, check=True).stdout  # noqa: S603 - our own program
        keep("vega", drawn_by(), script)
    return Asset.of(TYPES[".js"], script)
