"""Runs and judgments, line by line: this reader reports what the readers of an evaluation refuse."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from mensura.errors import InputError
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

TOP = 10
UNJUDGED = 0.1  # of the first ten documents
SHORT = 0.1  # of the run's longest list


@dataclass(eq=False)
class RunLine:
    """A line of a run."""

    document: str
    rank: str
    score: float
    start: int
    end: int


@dataclass(eq=False)
class Judgments:
    """Grades by topic and document."""

    grades: dict[str, dict[str, int]] = field(default_factory=dict)


def lines(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield offset, end and columns of every line that is not a comment."""
    start = 0
    for line in text.split("\n"):
        columns = line.split()
        if columns and not line.startswith("#"):
            yield start, start + len(line.rstrip()), columns
        start += len(line) + 1


def read_judgments(text: str, source: str) -> tuple[Judgments, list[Hit]]:
    """Read judgments, and return the hits in them."""
    judgments, hits = Judgments(), []
    first: dict[str, tuple[int, int]] = {}
    for start, end, columns in lines(text):
        if len(columns) != 4 or not columns[3].lstrip("-+").isdigit():  # noqa: PLR2004 - topic to grade
            raise InputError(
                "is not a line of judgments: topic, iteration, document, grade", source=source, line=text.count("\n", 0, start) + 1
            )
        topic, _, document, grade = columns
        grades = judgments.grades.setdefault(topic, {})
        first.setdefault(topic, (start, end))
        if document in grades:
            hits.append(Hit("D109", start, end, f"{document}, topic {topic}: {grades[document]} and {grade}"))
        else:
            grades[document] = int(grade)
    barren = [topic for topic, grades in judgments.grades.items() if max(grades.values()) <= 0]
    if barren:
        hits.append(Hit("D108", *first[barren[0]], _some(barren)))
    return judgments, hits


def check_run(text: str, source: str, judgments: Judgments | None) -> Iterator[Hit]:
    """Yield the hits in a run by itself and, with judgments, the topics and grades that it lacks."""
    topics: dict[str, list[RunLine]] = {}
    seen: set[tuple[str, str]] = set()
    first_tag = None
    once = {"D110", "D111"}
    for start, end, cells in lines(text):
        columns = cells[:6]  # what follows the tag is not read
        if len(columns) != 6:  # noqa: PLR2004 - topic to tag
            raise InputError(
                "is not a line of a run: topic, Q0, document, rank, score, tag", source=source, line=text.count("\n", 0, start) + 1
            )
        topic, _, document, rank, score, tag = columns
        first_tag = first_tag or tag
        if tag != first_tag and "D110" in once:
            once.remove("D110")
            yield Hit("D110", start, end, f"{first_tag} and {tag}")
        if len(cells) > len(columns) and "D111" in once:
            once.remove("D111")
            yield Hit("D111", start, end, f"{len(cells)} columns")
        try:
            value = float(score)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(f"the score {score!r} is not a finite number", source=source, line=text.count("\n", 0, start) + 1)
        if (topic, document) in seen:
            yield Hit("D101", start, end, f"{document}, topic {topic}")
        else:
            seen.add((topic, document))
            topics.setdefault(topic, []).append(RunLine(document, rank, value, start, end))
    if not topics:
        raise InputError("is empty; a run has lines of topic, Q0, document, rank, score, tag", source=source)
    yield from _ranks(topics)
    yield from _short(topics)
    by_score = {topic: _ordered(entries) for topic, entries in topics.items()}
    yield from _ties(by_score, judgments)
    if judgments is not None:
        yield from _judged(by_score, judgments)


def _ordered(entries: list[RunLine]) -> list[RunLine]:
    """Sort as trec_eval does: by score, then by document id, both descending."""
    return sorted(entries, key=lambda entry: (entry.score, entry.document.encode("utf-8", "surrogateescape")), reverse=True)


def _ranks(topics: dict[str, list[RunLine]]) -> Iterator[Hit]:
    """Yield the first line whose rank rises although its score does too."""
    wrong = []
    for topic, entries in topics.items():
        ranked = [(int(entry.rank), entry) for entry in entries if entry.rank.isdigit()]
        ranked.sort(key=lambda pair: pair[0])
        for (before, one), (after, other) in pairwise(ranked):
            if after > before and other.score > one.score:
                wrong.append((topic, other))
                break
    if wrong:
        yield Hit("D106", wrong[0][1].start, wrong[0][1].end, _some([topic for topic, _ in wrong]))


def _short(topics: dict[str, list[RunLine]]) -> Iterator[Hit]:
    longest = max(map(len, topics.values()))
    short = [topic for topic, entries in topics.items() if len(entries) < max(TOP, SHORT * longest)]
    if short:
        first = topics[short[0]]
        yield Hit("D105", first[0].start, first[0].end, f"{_some(short)}: {len(first)} of {longest}")


def _ties(topics: dict[str, list[RunLine]], judgments: Judgments | None) -> Iterator[Hit]:
    """Yield topics where equal scores decide the first ten or their order; with judgments, only if grades differ."""
    tied: dict[str, list[tuple[str, RunLine]]] = {"D102": [], "D112": []}
    for topic, entries in topics.items():
        grades = None if judgments is None else judgments.grades.get(topic, {})
        pairs = [
            (one, other)
            for one, other in pairwise(entries[: TOP + 1])
            if grades is None or grades.get(one.document, 0) != grades.get(other.document, 0)
        ]
        equal = next((one for one, other in pairs if one.score == other.score), None)
        near = next((one for one, other in pairs if one.score != other.score and _single(one.score) == _single(other.score)), None)
        tied["D102"] += [(topic, equal)] if equal else []
        tied["D112"] += [(topic, near)] if near else []
    for code, hits in tied.items():
        if hits:
            yield Hit(code, hits[0][1].start, hits[0][1].end, _some([topic for topic, _ in hits]))


def _single(score: float) -> float:
    """Return a score as float32."""
    return ctypes.c_float(score).value


def _judged(topics: dict[str, list[RunLine]], judgments: Judgments) -> Iterator[Hit]:
    start, end = next((entries[0].start, entries[0].end) for entries in topics.values())
    missing = [topic for topic in judgments.grades if topic not in topics]
    if missing:
        yield Hit("D104", start, end, _some(missing))
    extra = [topic for topic in topics if topic not in judgments.grades]
    if extra:
        yield Hit("D107", topics[extra[0]][0].start, topics[extra[0]][0].end, _some(extra))
    top = [(topic, entry) for topic, entries in topics.items() if topic in judgments.grades for entry in entries[:TOP]]
    unknown = [(topic, entry) for topic, entry in top if entry.document not in judgments.grades[topic]]
    if top and len(unknown) > UNJUDGED * len(top):
        first = unknown[0][1]
        yield Hit("D103", first.start, first.end, f"{100 * len(unknown) / len(top):.0f} % of the first {TOP}")


def _some(topics: list[str]) -> str:
    return f"topic {topics[0]}" + (f" and {len(topics) - 1} more" if len(topics) > 1 else "")
