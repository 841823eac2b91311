"""Judgments for the workers of an engine: small ones are sent, and a large file is read by the workers, as much as they need of it.

A stretch of a run needs the judgments of its topics only. If run and judgments have their topics in the same order, these are a
stretch of the file of judgments too, and the first lines of every stretch of the run tell which. That is a guess, and checked: a
topic that is not in the slice must not be judged at all. If one is, every worker reads all judgments, once.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError, MensuraError
from mensura.io.columns import Qrels
from mensura.io.files import Source, guarded, is_compressed, open_inflated, open_stored, source
from mensura.io.read import IRDS, is_path, is_table, read_qrels
from mensura.io.stored import CHANGED
from mensura.io.trec import parse_qrels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.io.parts import RunPart

SENT = 1 << 22  # bytes of judgments that are sent
LOOK = 1 << 16  # bytes of a stretch in which its first judged topic must be

_lock = threading.Lock()
_last: dict[QrelsSlice, Qrels] = {}


@dataclass(frozen=True, slots=True)
class QrelsSlice:
    """Bytes [start, stop) of a file of judgments, all of it if ``stop`` is −1.

    ``version`` is the size and the time of the file, which must be the same where it is read. ``first`` is the number of the first
    topic among those of the whole file.
    """

    path: str
    version: tuple[int, int]
    start: int = 0
    stop: int = -1
    first: int = 0

    def read(self) -> Qrels:
        """Return the judgments; a process keeps those that it has read last."""
        with _lock:
            if self not in _last:
                _last.clear()  # first, so that two are never in memory
                _last[self] = self._read()
            return _last[self]

    def _read(self) -> Qrels:
        origin = Source(self.path, path=Path(self.path))
        with guarded(origin):
            status = os.stat(self.path)
        if (status.st_size, status.st_mtime_ns) != self.version:
            raise InputError(CHANGED, source=self.path)
        if self.stop < 0:
            return read_qrels(origin)
        with guarded(origin), open_stored(origin) as stored:
            data = b""
            while len(data) < self.stop - self.start and (more := stored.read_at(self.stop - self.start - len(data), self.start)):
                data += more
        return parse_qrels(Source(self.path, data=data))


def read_portable(qrels: Any) -> tuple[Qrels, Qrels | QrelsSlice]:
    """Read judgments, and say how workers get them: they are sent if they are small or not in a file, else it is named."""
    if not is_path(qrels) or (isinstance(qrels, str) and (qrels == "-" or qrels.startswith(IRDS))):
        judgments = read_qrels(qrels)
        return judgments, judgments
    origin = source(qrels)
    judgments = read_qrels(origin)
    if origin.path is None or origin.state is None or len(judgments.table.text) <= SENT:
        return judgments, judgments
    return judgments, QrelsSlice(os.path.abspath(origin.path), (origin.state.size, origin.state.changed))


def at_hand(qrels: Qrels | QrelsSlice) -> Qrels:
    """Return judgments that were carried."""
    return qrels if isinstance(qrels, Qrels) else qrels.read()


def sliced(parts: Sequence[RunPart], qrels: Qrels, whole: QrelsSlice) -> list[RunPart] | None:
    """Return the parts of one run, each with a slice of the judgments; ``None`` if a slice cannot be guessed."""
    import numpy as np

    origin = Source(whole.path, path=Path(whole.path))
    topic = qrels.table.topic_of_row
    if is_table(origin) or is_compressed(origin) or (np.diff(topic) < 0).any():
        return None
    seen = [_first_judged(part, qrels) for part in parts]
    known = np.unique([number for number in seen if number is not None])
    if not len(known):
        return None
    firsts = list(accumulate(seen, lambda before, number: before if number is None else number, initial=0))[1:]
    rows = np.searchsorted(topic, np.arange(len(qrels.topics)))  # the first of each topic
    several = []
    for part, first in zip(parts, firsts, strict=True):
        after = int(np.searchsorted(known, first, side="right"))
        last = int(known[after]) if after < len(known) else len(qrels.topics) - 1  # a topic can begin before the cut
        stop = _line(qrels, int(rows[last + 1])) if last + 1 < len(rows) else whole.version[0]
        several.append(replace(part, judgments=replace(whole, start=_line(qrels, int(rows[first])), stop=stop, first=first)))
    return several


def _line(qrels: Qrels, row: int) -> int:
    """Position of the first byte of the line of a row."""
    return qrels.table.text.rfind(b"\n", 0, memoryview(qrels.table.start)[row]) + 1


def _first_judged(part: RunPart, qrels: Qrels) -> int | None:
    """Number of the first judged topic of a part, as far as its first lines tell."""
    from mensura.io.tables import first_topics

    origin = part.origin
    if origin is None:
        return None
    try:
        names = first_topics(origin) if part.table else _line_topics(origin, part.start)
    except MensuraError:
        return None  # whoever reads it says what is wrong
    return next((number for number in qrels.table.names.find_all(names) if number >= 0), None)


def _line_topics(origin: Source, start: int) -> list[bytes]:
    with guarded(origin):
        if start:
            with open_stored(origin) as stored:
                lines = stored.read_at(LOOK, start - 1).split(b"\n")[1:-1]
        else:
            with open_inflated(origin) as stream:
                lines = stream.read(LOOK).split(b"\n")
    return [words[0] for line in lines if (words := line.split(None, 1))]
