"""Work that is kept step by step, so that it can be resumed after it was killed.

Each step is one file, written whole or not at all, under a name that is a digest of all that the step depends on. A file that
cannot be read back is a file that is not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.io.writing import make_folder, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mensura.judged.runs import JudgedRuns

FORMAT = 1
"""Raised when the content of a step changes."""


def digest_of(judged: JudgedRuns) -> str:
    """A digest of judged runs: of all that a measure can see."""
    digest = hashlib.sha256()
    for array in (judged.grades, judged.recall_base, judged.retrieved):
        digest.update(repr((array.dtype.str, array.shape)).encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(json.dumps([judged.systems, judged.topics], ensure_ascii=True).encode())
    return digest.hexdigest()


@dataclass
class Work:
    """Steps in a folder, or in memory only."""

    folder: Path | None
    on: str
    """Digest of the judged runs, on which all steps depend."""
    seconds: dict[str, float | None] = field(default_factory=dict)
    """Seconds that each step took; ``None`` if it was there already."""
    _used: set[str] = field(default_factory=set)

    def step(self, name: str, parameters: Any, make: Callable[[], Any]) -> Any:
        """The result of a step, as JSON gives it back: made now, or kept from an earlier time."""
        from mensura import __version__

        key = json.dumps([FORMAT, __version__, self.on, name, parameters], ensure_ascii=True, sort_keys=True)
        file = f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"
        self._used.add(file)
        kept = self._read(file)
        if kept is not None:
            self.seconds[name] = None
            return kept
        started = time.perf_counter()
        text = json.dumps(make(), ensure_ascii=True)
        self.seconds[name] = round(time.perf_counter() - started, 3)
        if self.folder is not None:
            write_whole(text.encode(), self.folder / file)
        return json.loads(text)

    def _read(self, file: str) -> Any:
        if self.folder is None:
            return None
        with contextlib.suppress(OSError, ValueError):
            return json.loads((self.folder / file).read_bytes())
        return None

    def open(self) -> None:
        """Make the folder."""
        if self.folder is not None:
            make_folder(self.folder)

    def tidy(self) -> None:
        """Remove the steps of other studies from the folder, and remains of a killed one."""
        if self.folder is None:
            return
        for file in self.folder.iterdir():
            if file.name not in self._used:
                file.unlink(missing_ok=True)
