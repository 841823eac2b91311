"""TREC's own formats: qrels (topic, iteration, document, grade) and runs (topic, Q0, document, rank, score, tag)."""

from __future__ import annotations

from enum import IntEnum
from typing import NoReturn

from mensura._core.columns import Columns
from mensura.errors import DuplicateError, EmptyError, InputError
from mensura.io.columns import COLLIDE, DuplicateRowError, Qrels, Run, TopicTable, to_text
from mensura.io.files import Source, locate, read_padded, shown

QRELS_COLUMNS = ("topic", "iteration", "document", "grade")
RUN_COLUMNS = ("topic", "Q0", "document", "rank", "score", "tag")


class Fault(IntEnum):
    """Faults that the core finds, numbered as in ``_core/text.pxd``."""

    MISSING_COLUMN = 1
    EXTRA_COLUMN = 2
    UNREADABLE_BYTE = 3
    NOT_A_NUMBER = 4
    NOT_FINITE = 5
    NOT_A_GRADE = 6
    GRADE_TOO_LARGE = 7
    DUPLICATE = 8
    LINE_TOO_LONG = 9
    SCATTERED_TOPIC = 10  # no error: the lines of a topic do not stand together, so the run must be read as a whole
    READ_FAILED = 11
    OUT_OF_MEMORY = 12
    COLLISIONS = 13


def parse_qrels(origin: Source) -> Qrels:
    """Judgments from a file in TREC's format."""
    table, _ = _parse(origin, is_run=False)
    try:
        return Qrels.of(table)
    except DuplicateRowError as duplicate:
        raise_fault(
            origin,
            Fault.COLLISIONS if duplicate.collides else Fault.DUPLICATE,
            memoryview(table.start)[duplicate.row],
            is_run=False,
        )


def parse_run(origin: Source) -> Run:
    """A run from a file in TREC's format, all of it."""
    table, tag = _parse(origin, is_run=True)
    return Run(to_text(tag) if tag else origin.stem, table)


def _parse(origin: Source, *, is_run: bool) -> tuple[TopicTable, bytes | None]:
    text = read_padded(origin)
    columns = Columns(text, is_run)
    if columns.fault == Fault.NOT_A_GRADE:
        columns = Columns(text, is_run, decimal=True)
    if columns.fault:
        raise_fault(origin, columns.fault, columns.fault_at, is_run=is_run)
    if columns.count == 0:
        raise_empty(origin, is_run=is_run)
    tags = tuple(tag for tag in (columns.tag, columns.other_tag) if tag is not None)
    return TopicTable(origin.name, columns.topics, text, *columns.take(), tags, columns.wide), columns.tag


def raise_empty(origin: Source, *, is_run: bool) -> NoReturn:
    """Raise the error for a file without a line of data."""
    what = f"a run has lines of {', '.join(RUN_COLUMNS)}" if is_run else f"judgments have lines of {', '.join(QRELS_COLUMNS)}"
    raise EmptyError(f"is empty; {what}", source=origin.name)


def raise_fault(origin: Source, fault: int, at: int, *, is_run: bool) -> NoReturn:
    """Raise the error for a fault that the core found at an offset."""
    if fault == Fault.OUT_OF_MEMORY:
        raise MemoryError
    if fault == Fault.READ_FAILED:
        raise InputError("could not be read to its end", source=origin.name)
    if fault == Fault.COLLISIONS:
        raise InputError(COLLIDE, source=origin.name)
    line, text = locate(origin, at)
    kind = DuplicateError if fault == Fault.DUPLICATE else InputError
    raise kind(fault_sentence(fault, text, is_run=is_run), source=origin.name, line=line, text=shown(text))


def fault_sentence(fault: int, line: bytes, *, is_run: bool) -> str:
    """Say what is wrong with a line."""
    expected = RUN_COLUMNS if is_run else QRELS_COLUMNS
    columns = [shown(column, 60) for column in line.split()]
    cells = dict(zip(expected, columns, strict=False))
    match Fault(fault):
        case Fault.MISSING_COLUMN:
            return f"expected {len(expected)} columns ({', '.join(expected)}), got {len(columns)}"
        case Fault.EXTRA_COLUMN:
            hint = "; is this a run?" if len(columns) == len(RUN_COLUMNS) else ""
            return f"expected 4 columns ({', '.join(expected)}), got {len(columns)}{hint}"
        case Fault.UNREADABLE_BYTE:
            return "a byte that is not text (a control character); the file is damaged, or in another format"
        case Fault.NOT_A_NUMBER if len(columns) < len(expected):
            return f"expected {len(expected)} columns ({', '.join(expected)}), got {len(columns)}"
        case Fault.NOT_A_NUMBER:
            return f"the score {cells['score']!r} is not a finite number"
        case Fault.NOT_FINITE:
            return f"the score {cells['score']!r} is too large for a float64"
        case Fault.NOT_A_GRADE:
            return f"the grade {cells['grade']!r} is not a number"
        case Fault.GRADE_TOO_LARGE:
            return f"the grade {cells['grade']!r} is out of range; grades go from -127 to 127"
        case Fault.DUPLICATE:
            return f"document {cells['document']!r} is listed twice for topic {cells['topic']!r}; keep one of the two lines"
        case _:
            return f"a line is longer than a mebibyte; expected lines of {', '.join(expected)}"
