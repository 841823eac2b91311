"""Shortcuts into the core: text in, plain Python values out."""

import os
from typing import NamedTuple

import numpy as np

from mensura._core.columns import Columns
from mensura._core.judge import Judge
from mensura._core.judgments import Judgments
from mensura._core.parts import scatter

PADDING = b"\n" * 16


class Judged(NamedTuple):
    """One topic of a judged run."""

    grades: list[int]
    scores: list[float]
    retrieved: int
    tie: int


def index(qrels: bytes) -> Judgments:
    """The judgments of a qrels text."""
    text = qrels + PADDING
    columns = Columns(text, is_run=False)
    assert columns.fault == 0
    return Judgments(columns.topics, text, *columns.take())


def outcome(judge: Judge) -> dict[bytes, Judged]:
    """The rows of a judge with scores, by topic."""
    names = judge.judgments.topics.as_list()
    shape = (len(names), max(judge.width, 1))
    grades, scores = np.full(shape, -9, dtype=np.int8), np.full(shape, np.nan)
    retrieved, ties = np.zeros(shape[0], dtype=np.int32), np.zeros(shape[0], dtype=np.int32)
    scatter(judge, grades, retrieved, ties, scores)
    made = {}
    for topic in judge.topics():
        kept = int((grades[topic] != -9).sum())
        made[names[topic]] = Judged(
            grades[topic, :kept].tolist(), scores[topic, :kept].tolist(), int(retrieved[topic]), int(ties[topic])
        )
    return made


def feed(judgments: Judgments, *chunks: bytes, depth: int = 0, single: bool = False) -> Judge:
    """A judge that has seen a stream."""
    judge = Judge(judgments, depth, single, keep_scores=True)
    for chunk in chunks:
        judge.feed(chunk)
    judge.finish()
    return judge


def stretch(judgments: Judgments, path: os.PathLike[str], start: int = 0, stop: int = -1) -> Judge:
    """A judge that has read a stretch of a file."""
    judge = Judge(judgments, 0, single=False, keep_scores=True)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        judge.read(descriptor, start, stop)
    finally:
        os.close(descriptor)
    return judge


def run(*rows: tuple[object, object, object]) -> bytes:
    """A run file of (topic, document, score)."""
    return b"".join(
        b"%b Q0 %b 1 %b tag\n" % tuple(cell if isinstance(cell, bytes) else str(cell).encode() for cell in row) for row in rows
    )
