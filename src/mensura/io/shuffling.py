"""Runs whose topics are not together, in parts: these are divided by topic, and all rows of some topics are judged together."""

from __future__ import annotations

import pickle
import zlib
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, pairwise
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mensura._core.columns import Columns
from mensura._core.names import Names
from mensura._core.parts import divide_lines, freeze, take_texts
from mensura.engines.engine import comes_from_storage
from mensura.errors import DuplicateError, EmptyError, InputError
from mensura.io.checks import twice_sentence
from mensura.io.columns import TopicTable, to_text
from mensura.io.files import PADDING, guarded, open_stored, read_padded
from mensura.io.parts import LEAST, PLAIN, check_version, joined
from mensura.io.read import read_source
from mensura.io.reading import judged_rows
from mensura.io.slices import at_hand
from mensura.io.stored import CHUNK
from mensura.io.trec import Fault, raise_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from mensura._core.judge import Judge
    from mensura.engines.engine import Engine, Running
    from mensura.io.columns import Qrels
    from mensura.io.files import Source
    from mensura.io.parts import RunPart
    from mensura.io.reading import Order
    from mensura.io.slices import QrelsSlice

KEYS = 8  # for each part of the topics, so that parts get about as many although keys are given to them by a hash
MOST = 1 << 12  # parts of the topics
PIECE = 1 << 24  # bytes of a file that are divided at a time, and of a part of the topics


class LinePlace(NamedTuple):
    """A place in a run: the number of a piece, and a byte of its file, or a row of its table."""

    piece: int
    at: int


@dataclass(frozen=True, slots=True)
class Wrong:
    """A fault of a text, or an error of a table; ``begin`` is the place of the first line of a repeated document's topic."""

    place: LinePlace
    fault: int = 0
    error: InputError | None = None
    begin: LinePlace | None = None

    @property
    def order(self) -> tuple[bool, LinePlace]:
        """Lines that cannot be read come first, then documents that are listed twice by the first line of their topics."""
        return self.begin is not None, self.begin or self.place


@dataclass(frozen=True, slots=True)
class Gathered:
    """All rows of some topics, judged: topics without judgments and tags of lines have the place of the first line."""

    judge: Judge | None = None
    extra: tuple[tuple[LinePlace, str], ...] = ()
    tags: tuple[tuple[LinePlace, bytes], ...] = ()
    wide: bool = False
    wrong: tuple[Wrong, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a piece whose topics have one key: a table and the rows of the piece, lines and their places, or what is wrong."""

    piece: int
    table: TopicTable | None = None
    lines: bytes = b""
    places: bytes = b""
    error: InputError | None = None


Pair = tuple["Source | None", "RunPart"]


class Shuffle:
    """A run whose topics are in several places: its pieces, which may be smaller than its parts."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.pieces: list[Pair] = [piece for pair in pairs for piece in _pieces(*pair)]
        seconds = sum(part.seconds for _, part in self.pieces)
        self.parts = min(max(1, ceil(seconds * PLAIN / PIECE)), MOST)

    def run(self, engine: Engine, work: Callable[[Any, list[bytes]], Any], shared: Any) -> Running[Any]:
        """Begin to shuffle by topic, and to work on the rows of some topics with :func:`gather_blocks`."""
        numbered = list(enumerate(part for _, part in self.pieces))
        return engine.shuffle(partial(split_piece, keys=KEYS * self.parts), numbered, work, shared, self.parts)

    def check(self, gathered: Iterable[Gathered]) -> None:
        """Raise an error for the first thing that is wrong."""
        first = min((wrong for each in gathered for wrong in each.wrong), key=lambda wrong: wrong.order, default=None)
        if first is None:
            return
        if first.error is not None:
            raise first.error
        origin, _ = self.pieces[first.place.piece]
        if origin is not None:
            raise_fault(origin, first.fault, first.place.at, is_run=True)


def _pieces(origin: Source | None, part: RunPart) -> list[Pair]:
    if part.table or part.whole or part.origin is None:
        return [(origin, part)]
    size = int((part.seconds - LEAST) * PLAIN)
    number = max(1, size // PIECE)
    bounds = [part.start + size * piece // number for piece in range(number)] + [part.stop]
    return [(origin, replace(part, start=start, stop=stop, seconds=part.seconds / number)) for start, stop in pairwise(bounds)]


def split_piece(numbered: tuple[int, RunPart], keys: int) -> list[bytes]:
    """Divide the rows of a piece by the keys of their topics."""
    number, part = numbered
    try:
        if part.table or part.origin is None:
            return _split_table(number, part, keys)
        base, text = (0, read_padded(part.origin)) if part.whole else _lines(part)
        check_version(part)
    except InputError as error:
        if comes_from_storage(error):
            raise
        return [pickle.dumps(Rows(number, error=error), protocol=5), *[b""] * (keys - 1)]
    divided = divide_lines(text, keys, base)
    return [pickle.dumps(Rows(number, lines=lines, places=places), protocol=5) if lines else b"" for lines, places in divided]


def _split_table(number: int, part: RunPart, keys: int) -> list[bytes]:
    blocks = [b""] * keys
    try:
        table = part.run.table if part.run is not None else read_source(part.origin).table if part.origin is not None else None
    except EmptyError:
        table = None
    check_version(part)
    if table is None:
        return blocks
    names = table.names.as_list()
    key_of_topic = np.array([zlib.crc32(name) % keys for name in names], dtype=np.int64)
    key_of_row = key_of_topic[table.topic_of_row]
    rows, topics = (np.argsort(each, kind="stable") for each in (key_of_row, key_of_topic))
    row_bounds, topic_bounds = (
        np.searchsorted(each[order], np.arange(keys + 1)) for each, order in ((key_of_row, rows), (key_of_topic, topics))
    )
    start, length = np.asarray(table.start, dtype=np.int64), np.asarray(table.length, dtype=np.int32)
    for key in np.unique(key_of_topic).tolist():
        some = rows[row_bounds[key] : row_bounds[key + 1]]
        ours = topics[topic_bounds[key] : topic_bounds[key + 1]]
        lengths = length[some]
        columns = (
            np.searchsorted(ours, table.topic_of_row[some]).astype(np.int32).data,
            (np.cumsum(lengths, dtype=np.int64) - lengths).data,
            lengths.data,
            table.values[some].data,
        )
        text = take_texts(table.text, start, length, some, PADDING)
        part_of_table = TopicTable(table.source, Names.of([names[topic] for topic in ours.tolist()]), text, *columns)
        blocks[key] = pickle.dumps(Rows(number, part_of_table, places=some.tobytes()), protocol=5)
    return blocks


def _lines(part: RunPart) -> tuple[int, bytes]:
    """The lines that begin in a stretch: the byte of the file where the first one does, and their text."""
    assert part.origin is not None  # noqa: S101 - a stretch is of a file
    with guarded(part.origin), open_stored(part.origin) as stored:
        at = max(part.start - 1, 0)
        stop = part.stop if part.stop >= 0 else 1 << 62
        pieces: list[bytes] = []
        while True:
            piece = stored.read_at(min(stop - at, 1 << 24) if at < stop else CHUNK, at)
            if at + len(piece) >= stop:
                end = piece.find(b"\n", max(stop - 1 - at, 0))
                if end >= 0:
                    pieces.append(piece[: end + 1])
                    break
            if not piece:
                break
            pieces.append(piece)
            at += len(piece)
    text = b"".join(pieces)
    skipped = text.find(b"\n") + 1 if part.start else 0
    if part.start and not skipped:
        skipped = len(text)
    text = text[skipped:]
    return max(part.start - 1, 0) + skipped, text + PADDING if text.endswith(b"\n") else text + b"\n" + PADDING


def gather_blocks(qrels: Qrels, order: Order, blocks: Iterable[bytes]) -> Gathered:
    """Judge all rows of some topics."""
    some: list[Rows] = [pickle.loads(block) for block in blocks if block]  # noqa: S301 - our own bytes
    wrong = [Wrong(LinePlace(rows.piece, 0), error=rows.error) for rows in some if rows.error is not None]
    tables, tags, wide = [], [], False
    for kind, group in groupby((rows for rows in some if rows.error is None), lambda rows: rows.table is None):
        neighbours = list(group)
        if not kind:
            tables += [(rows.table, _places([rows])) for rows in neighbours if rows.table is not None]
            continue
        text = b"".join(rows.lines for rows in neighbours) + PADDING
        places = _places(neighbours)
        columns = Columns(text, True)  # noqa: FBT003 - whether it is a run
        if columns.fault:
            wrong.append(Wrong(LinePlace(*places[text.count(b"\n", 0, columns.fault_at)].tolist()), columns.fault))
            continue
        tags += _tags(columns, text, places)
        wide |= columns.wide
        tables.append((TopicTable("", columns.topics, text, *columns.take()), places))
    if wrong or not tables:
        return Gathered(wrong=tuple(wrong))
    table = tables[0][0] if len(tables) == 1 else joined([each for each, _ in tables], "")
    places = np.concatenate([each for _, each in tables])
    judge = judged_rows(qrels, table, order, slice(0, len(table.names)))
    grouped, starts = table.by_topic
    if judge.fault == Fault.DUPLICATE:
        row = judge.fault_at
        begin = LinePlace(*places[grouped[starts[table.topic_of_row[row]]]].tolist())
        wrong.append(_repeated(some, table, row, LinePlace(*places[row].tolist()), begin))
    extra = []
    if judge.extra:
        for topic, name in enumerate(table.names.as_list()):
            if name in judge.extra:
                extra.append((LinePlace(*places[grouped[starts[topic]]].tolist()), to_text(name)))
    return Gathered(judge, tuple(extra), tuple(tags), wide, tuple(wrong))


def _places(several: Sequence[Rows]) -> NDArray[np.int64]:
    """Places of rows: [row, 2]."""
    at = [np.frombuffer(rows.places, dtype=np.int64) for rows in several]
    pieces = np.repeat([rows.piece for rows in several], [len(each) for each in at])
    return np.stack([pieces, np.concatenate(at)], axis=1)


def _tags(columns: Columns, text: bytes, places: NDArray[np.int64]) -> list[tuple[LinePlace, bytes]]:
    """The first tag of lines, and the first other one, with their places."""
    if columns.tag is None:
        return []
    tags = [(LinePlace(*places[0].tolist()), columns.tag)]
    if columns.other_tag is not None:  # hardly any run has two
        lines = text.removesuffix(PADDING).split(b"\n")
        other = next(row for row, line in enumerate(lines) if line.split()[5] != columns.tag)
        tags.append((LinePlace(*places[other].tolist()), columns.other_tag))
    return tags


def _repeated(several: Sequence[Rows], table: TopicTable, row: int, place: LinePlace, begin: LinePlace) -> Wrong:
    """A document that is listed twice."""
    of_table = next((rows.table for rows in several if rows.piece == place.piece and rows.table is not None), None)
    if of_table is None:
        return Wrong(place, Fault.DUPLICATE, begin=begin)
    topic = to_text(table.names.as_list()[table.topic_of_row[row]])
    error = DuplicateError(twice_sentence(table.document(row), topic, graded=False), source=of_table.source)
    return Wrong(place, error=error, begin=begin)


def judged_blocks(shared: tuple[Qrels | QrelsSlice, Order], blocks: list[bytes]) -> tuple[tuple[Any, ...] | None, Gathered]:
    """Judge all rows of some topics on a worker: plain bytes, and what else is known."""
    qrels, order = shared
    gathered = gather_blocks(at_hand(qrels), order, blocks)
    return None if gathered.judge is None else freeze(gathered.judge), replace(gathered, judge=None)
