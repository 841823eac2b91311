"""Work that is kept step by step, so that it can be resumed after it was killed.

Each step is one sealed file, written whole or not at all, under a name that is a digest of all that the step depends on. A file
that was altered, or cannot be read back, is a file that is not there.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import MensuraError
from mensura.io.folders import Filled, sealed, unsealed
from mensura.io.writing import make_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mensura.judged.runs import JudgedRuns

FORMAT = 2
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
    _files: Filled | None = None

    def step(self, name: str, parameters: Any, make: Callable[[], Any]) -> Any:
        """The result of a step, as JSON gives it back: made now, or kept from an earlier time."""
        from mensura import __version__

        key = json.dumps([FORMAT, __version__, self.on, name, parameters], ensure_ascii=True, sort_keys=True)
        file = f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.step"
        head = f"mensura step {FORMAT}\n{key}\n".encode()
        self._used.add(file)
        kept = self._read(file, head)
        if kept is not None:
            self.seconds[name] = None
            return kept
        started = time.perf_counter()
        text = json.dumps(make(), ensure_ascii=True)
        self.seconds[name] = round(time.perf_counter() - started, 3)
        if self._files is not None:
            self._files.write(file, sealed(head, text.encode()))
        return json.loads(text)

    def _read(self, file: str, head: bytes) -> Any:
        data = None if self._files is None else self._files.read(file)
        content = None if data is None else unsealed(head, data)
        return None if content is None else json.loads(content)

    def open(self) -> None:
        """Make the folder."""
        if self.folder is not None:
            if self.folder.is_symlink():
                raise MensuraError(
                    f"{self.folder} is a link; a study keeps its steps in a folder of its own: remove it, or choose another"
                )
            make_folder(self.folder)
            self._files = Filled(self.folder)

    def tidy(self) -> None:
        """Remove the steps of other studies from the folder."""
        if self._files is not None:
            self._files.remove_others(self._used)
