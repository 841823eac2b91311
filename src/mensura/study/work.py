"""Work that is kept step by step, so that it can be resumed after it was killed.

Each step is one sealed file, written whole or not at all, under a name that is a digest of all that the step depends on. A file
that was altered, or cannot be read back, is a file that is not there.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from mensura.engines.choice import opened
from mensura.engines.engine import Threads
from mensura.errors import MensuraError
from mensura.io.folders import Filled, sealed, unsealed
from mensura.io.writing import make_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mensura.judged.runs import JudgedRuns

Shared = TypeVar("Shared")

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


@dataclass(frozen=True, eq=False)
class WorkStep:
    """A step of the work: a name, fit for a file name, all parameters that it depends on, and the task that a worker is given."""

    name: str
    parameters: Any
    task: Any


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

    def held(self, step: WorkStep) -> Any:
        """The result of a step from an earlier time, as JSON gives it back, or ``None``."""
        file, head = self._named(step)
        self._used.add(file)
        result = self._read(file, head)
        if result is not None:
            self.seconds[step.name] = None
        return result

    def keep(self, step: WorkStep, result: Any, seconds: float) -> Any:
        """Keep the result of a step that took some seconds; return it as JSON gives it back."""
        file, head = self._named(step)
        text = json.dumps(result, ensure_ascii=True)
        self.seconds[step.name] = round(seconds, 3)
        if self._files is not None:
            self._files.write(file, sealed(head, text.encode()))
        return json.loads(text)

    def _named(self, step: WorkStep) -> tuple[str, bytes]:
        from mensura import __version__

        key = json.dumps([FORMAT, __version__, self.on, step.name, step.parameters], ensure_ascii=True, sort_keys=True)
        file = f"{step.name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.step"
        return file, f"mensura step {FORMAT}\n{key}\n".encode()

    def spread(
        self,
        function: Callable[[Shared, list[Any]], list[tuple[Any, float]]],
        pieces: Sequence[Sequence[WorkStep]],
        shared: Shared,
        *,
        engine: Any = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[WorkStep, Any]:
        """Results of all steps, on the workers of an engine; those of an earlier time are not made again.

        ``function(shared, tasks)`` makes the steps of a piece that are left, given by their tasks: results, and seconds for each.
        """
        steps = [step for piece in pieces for step in piece]
        results = {step: result for step in steps if (result := self.held(step)) is not None}
        left = [some for piece in pieces if (some := [step for step in piece if step not in results])]
        with opened(engine) as spreading:
            running = (spreading or Threads()).run(function, [[step.task for step in piece] for piece in left], shared)
            try:
                for number, outcomes in running.finished():
                    for step, (result, seconds) in zip(left[number], outcomes, strict=True):
                        results[step] = self.keep(step, result, seconds)
                    if progress is not None:
                        progress(len(results), len(steps))
            finally:
                running.cancel()
                running.join()
        return results

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
