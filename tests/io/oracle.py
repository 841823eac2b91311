"""A slow reader and judge, written from the rules alone: split lines, look up in dicts, sort.

The rules. Lines end in LF or CRLF; the last may have no end. A byte order mark at the start is skipped. Lines that begin with
``#`` and lines of blanks and tabs are skipped. Columns are separated by blanks and tabs; any other byte below 0x20 is an error.
A run has six columns or more, the fifth a finite decimal number; judgments have exactly four, the last a decimal number from -127
to 127. Topics, documents and the first tag have no control character: DEL, or U+0080 to U+009F in UTF-8. A document occurs once
in a topic. There is at least one line of data.
"""

from __future__ import annotations

import ctypes
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura import JudgedRuns

NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f]")
DELETED = re.compile(rb"\x7f|\xc2[\x80-\x9f]")
HIGHEST = 127


class BrokenError(Exception):
    """The file is broken; ``lines`` are those that an error may name, empty if there is nothing in the file at all."""

    def __init__(self, lines: set[int]) -> None:
        self.lines = lines
        super().__init__(lines)


def _lines(text: bytes) -> Iterator[tuple[int, list[bytes]]]:
    for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        line = line.removesuffix(b"\r")
        if line.startswith(b"#") or not line.strip(b" \t"):
            continue
        if CONTROL.search(line):
            raise BrokenError({number})
        yield number, re.split(rb"[ \t]+", line.strip(b" \t"))


def _run_row(columns: list[bytes]) -> tuple[bytes, bytes, float] | None:
    if len(columns) < 6 or not NUMBER.fullmatch(columns[4]) or abs(float(columns[4])) == float("inf"):
        return None
    return columns[0], columns[2], float(columns[4])


def _qrels_row(columns: list[bytes]) -> tuple[bytes, bytes, float] | None:
    if len(columns) != 4 or not NUMBER.fullmatch(columns[3]) or abs(float(columns[3])) > HIGHEST:
        return None
    return columns[0], columns[2], float(columns[3])


def read(text: bytes, *, is_run: bool) -> dict[bytes, dict[bytes, float]]:
    """{topic: {document: value}}, or :class:`BrokenError`."""
    table: dict[bytes, dict[bytes, float]] = {}
    broken: set[int] = set()
    try:
        for number, columns in _lines(text):
            row = _run_row(columns) if is_run else _qrels_row(columns)
            tag = columns[5:6] if is_run and not table else []
            if row is None or any(map(DELETED.search, [*row[:2], *tag])):
                raise BrokenError({number})  # noqa: TRY301
            topic, document, value = row
            if document in table.setdefault(topic, {}):
                broken.add(number)
            table[topic][document] = value
    except BrokenError as error:
        raise BrokenError(broken | error.lines) from None
    if broken or not table:
        raise BrokenError(broken)
    return table


class Judged(NamedTuple):
    """One topic of a judged run."""

    grades: list[int]
    scores: list[float]
    retrieved: int
    tie: int


def judge(
    qrels: dict[bytes, dict[bytes, float]], run: dict[bytes, dict[bytes, float]], *, depth: int | None = None, single: bool = False
) -> dict[bytes, Judged]:
    """Every judged topic of a run: its documents, grades and ties."""
    return {topic: _topic(grades, run.get(topic, {}), depth, single=single) for topic, grades in qrels.items()}


def _topic(grades: dict[bytes, float], scores: dict[bytes, float], depth: int | None, *, single: bool) -> Judged:
    if single:
        scores = {document: ctypes.c_float(score).value for document, score in scores.items()}
    ranked = sorted(((score, document) for document, score in scores.items()), reverse=True)
    levels = [max(int(grades.get(document, 0)), 0) for _, document in ranked]
    tie = 0
    for rank, (score, _) in enumerate(ranked[:depth]):
        group = {level for (other, _), level in zip(ranked, levels, strict=True) if other == score}
        if len(group) > 1:
            tie = rank + 1
            break
    kept = ranked[:depth]
    return Judged(
        [-1 if document not in grades else int(grades[document]) if grades[document] >= 0 else -2 for _, document in kept],
        [score for score, _ in kept],
        len(ranked),
        tie,
    )


def plain(judged: JudgedRuns, system: int = 0) -> dict[bytes, Judged]:
    """Judged runs (with scores) in the same shape."""
    made = {}
    for number, topic in enumerate(judged.topics):
        retrieved = int(judged.retrieved[system, number])
        kept = retrieved if judged.depth is None else min(retrieved, judged.depth)
        assert (judged.grades[system, number, kept:] == -1).all()
        assert judged.scores is not None
        made[topic.encode("utf-8", "surrogateescape")] = Judged(
            judged.grades[system, number, :kept].tolist(),
            judged.scores[system, number, :kept].tolist(),
            retrieved,
            int(judged.ties[system, number]),
        )
    return made
