"""Shuffles on the threads of this process: blocks of bytes by key wait in temporary files, so that memory holds a part of them."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mensura.engines.threads import Spread
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Outcome = TypeVar("Outcome")


class ShuffledThreads(Generic[Outcome]):
    """Work on blocks of bytes by key; see :meth:`mensura.engines.engine.Engine.shuffle`."""

    def __init__(
        self,
        split: Callable[[Any], Sequence[bytes]],
        pieces: Sequence[Any],
        work: Callable[[list[bytes]], Outcome],
        parts: int,
        threads: int,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="mensura-")
        self._threads = threads
        self._split = split
        self._work = work
        self._pieces = pieces
        self._parts = parts
        self._running: Spread[Any] | None = None
        self._ends: list[list[int]] = []

    def __len__(self) -> int:
        return self._parts

    def _path(self, piece: int) -> Path:
        return Path(self._folder.name) / str(piece)

    def _divide(self, piece: int) -> list[int]:
        """Write the blocks of a piece one after the other, and return where they end."""
        ends, at = [], 0
        try:
            with self._path(piece).open("wb") as file:
                for block in self._split(self._pieces[piece]):
                    at += file.write(block)
                    ends.append(at)
        except OSError as error:
            raise MensuraError(
                f"{self._folder.name}: a run that is sorted by topic there could not be written: {error.strerror}; "
                "set TMPDIR to a folder with more room, or sort the run"
            ) from error
        return ends

    def _gather(self, part: int) -> Outcome:
        blocks = []
        for piece, ends in enumerate(self._ends):
            with self._path(piece).open("rb") as file:
                for key in range(part, len(ends), self._parts):
                    start = ends[key - 1] if key else 0
                    file.seek(start)
                    blocks.append(file.read(ends[key] - start))
        return self._work(blocks)

    def finished(self) -> Iterator[tuple[int, Outcome]]:
        """Numbers of parts and their outcomes, as they finish."""
        try:
            self._running = Spread([partial(self._divide, piece) for piece in range(len(self._pieces))], self._threads)
            self._ends = list(self._running)
            self._running.join()
            self._running = Spread([partial(self._gather, part) for part in range(self._parts)], self._threads)
            yield from self._running.finished()
        finally:
            self.cancel()
            self.join()
            self._folder.cleanup()

    def __iter__(self) -> Iterator[Outcome]:
        """Outcomes as they finish: parts have no order."""
        return (outcome for _, outcome in self.finished())

    def cancel(self) -> None:
        """Drop what nobody has begun."""
        if self._running is not None:
            self._running.cancel()

    def join(self) -> None:
        """Wait until no thread works any more."""
        if self._running is not None:
            self._running.join()
