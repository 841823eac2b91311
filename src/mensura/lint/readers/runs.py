"""Runs and judgments, read as an evaluation reads them: the readers' faults, and the remarks of an evaluation as hits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import DuplicateError, InputError, IntakeError
from mensura.evaluation.evaluation import score
from mensura.evaluation.remarks import intake_remarks
from mensura.io.columns import Run
from mensura.io.intake import Faults
from mensura.io.read import read_qrels, read_source
from mensura.judged.entrance import Needs, begin, collect
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.remarks import Remark
    from mensura.io.columns import Qrels
    from mensura.io.files import Source
    from mensura.judged.runs import JudgedRuns

TOP = 10
UNJUDGED = 10.0  # per cent of the first ten documents
SHORT = 0.1  # of the run's longest list
TWICE = {True: "D101", False: "D109"}  # a document of a run, of judgments
NEEDS = Needs(TOP + 1, scores=True, documents=True, continuous=True)
LINE = re.compile(r"(?m)^(?!#)\S.*")
WIDE = re.compile(r"(?m)^(?!#)[ \t]*(?:\S+[ \t]+){6}\S.*")


@dataclass(eq=False)
class RunFindings:
    """Hits in a file, and its faults, for which it cannot be read."""

    hits: list[Hit] = field(default_factory=list)
    faults: list[InputError] = field(default_factory=list)

    def take(self, faults: Iterable[InputError], text: str, *, is_run: bool) -> None:
        """Take the faults of a file: a document that a topic has twice is a hit of a rule of its own."""
        for fault in faults:
            if isinstance(fault, DuplicateError):
                start = _line_start(text, fault.line or 1)
                end = start + len(text[start:].partition("\n")[0].rstrip())
                self.hits.append(Hit(TWICE[is_run], start, end, fault.problem.partition(";")[0]))
            else:
                self.faults.append(fault)


def read_judgments(file: Source, text: str) -> tuple[Qrels | None, RunFindings]:
    """Read judgments; ``None`` if they have faults."""
    checked = RunFindings()
    try:
        qrels = read_qrels(file)
    except InputError as error:
        checked.take(Faults.of(error).first, text, is_run=False)
        return None, checked
    relevant = {*qrels.table.topic_of_row[qrels.table.values > 0].tolist()}
    barren = [topic for number, topic in enumerate(qrels.topics) if number not in relevant]
    if barren:
        checked.hits.append(Hit("D108", *_place(text, barren[0]), _some(barren)))
    return qrels, checked


def check_runs(files: Sequence[Source], texts: Sequence[str], qrels: Qrels | None) -> list[RunFindings]:
    """Check runs by themselves and beside each other and, with judgments, for the topics and grades that they lack."""
    checked = {file.name: RunFindings() for file in files}
    known = dict(zip(checked, texts, strict=True))
    judged, faults = _judged(files, qrels if qrels is not None else _topics(files))
    for fault in faults:
        if fault.source in checked:
            checked[fault.source].take([fault], known[fault.source], is_run=True)
    if judged is not None and judged.origin is not None:
        names = [run.held.source if isinstance(run, Run) else run.name for run in judged.origin[1]]  # a table is held
        for system, hit in _hits(judged, [known[name] for name in names], has_grades=qrels is not None and not qrels.continuous):
            checked[names[system]].hits.append(hit)
    return [checked[file.name] for file in files]


def _judged(files: Sequence[Source], qrels: Qrels | None) -> tuple[JudgedRuns | None, list[InputError]]:
    """Return the runs that can be read, and the faults of the others."""
    if qrels is None:
        qrels = read_qrels({"-": {"-": 0}})  # no run has a topic: each says why
    reading = begin(qrels, list(files), NEEDS, skip_bad_runs=True)
    try:
        judged = collect(reading)
    except IntakeError as error:
        return None, list(error.faults)
    except InputError as error:
        return None, [error]
    return judged, [fault for faults in reading.faults for fault in faults.first]


def _topics(files: Iterable[Source]) -> Qrels | None:
    """Return judgments without grades for the topics of runs: a reader ranks judged topics only."""
    topics: dict[str, dict[str, int]] = {}
    for file in files:
        try:
            topics |= {topic: {"-": 0} for topic in read_source(file).topics}
        except InputError:
            continue  # which is said when it is judged
    return read_qrels(topics) if topics else None


def _hits(judged: JudgedRuns, texts: Sequence[str], *, has_grades: bool) -> Iterator[tuple[int, Hit]]:
    """Yield the remarks of an evaluation, each for the system that it is about, and what a run by itself shows."""
    numbers = {system: number for number, system in enumerate(judged.systems)}
    said = score(judged, f"P@{TOP}").remarks if has_grades else intake_remarks(judged)
    for remark in said:
        for name, number in remark.systems:
            system = numbers[name]
            hit = _hit(judged, system, remark, number, texts[system])
            if hit is not None:
                yield system, hit
    for system, text in enumerate(texts):
        yield from ((system, hit) for hit in _short(judged, system, text))
        if not has_grades:
            yield from ((system, hit) for hit in _tied(judged, system, text))


def _hit(judged: JudgedRuns, system: int, remark: Remark, number: float, text: str) -> Hit | None:
    topics, code = judged.topics, remark.code
    first = next((match.span() for match in LINE.finditer(text)), (0, 0))
    some = f"{number:g} of {len(topics)} topics"
    match code:
        case "D102":
            tied = np.flatnonzero((judged.ties[system] > 0) & (judged.ties[system] <= TOP))
            rank = int(judged.ties[system, tied[0]])
            return Hit(code, *_place(text, *_named(judged, system, int(tied[0]), rank)), _some([topics[at] for at in tied]))
        case "D103":
            if number <= UNJUDGED:
                return None
            ranks = np.arange(judged.length) < np.minimum(judged.retrieved[system], TOP)[:, None]
            topic, rank = np.argwhere(ranks & (judged.grades[system] < 0))[0].tolist()
            return Hit(code, *_place(text, *_named(judged, system, topic, rank + 1)), f"{number:.0f} % of the first {TOP}")
        case "D104":
            return Hit(code, *first, _some([topics[at] for at in np.flatnonzero(judged.missing[system])]))
        case "D107":
            return Hit(code, *_place(text, judged.extra[system][0]), _some(judged.extra[system]))
        case "D106" | "D112":
            return Hit(code, *first, some)
        case "D110":
            one, other = judged.intake[system].tags[:2]
            last = re.compile(rf"(?m)^.*[ \t]{re.escape(other)}[ \t]*$").search(text)
            return Hit(code, *(first if last is None else last.span()), f"{one} and {other}")
        case "D111":
            wide = WIDE.search(text)
            return Hit(code, *(first if wide is None else wide.span()), f"{len(wide[0].split())} columns" if wide else "")
        case "D113":
            return Hit(code, *first, remark.text.partition(": ")[2])
        case _:
            return None


def _short(judged: JudgedRuns, system: int, text: str) -> Iterator[Hit]:
    lengths: NDArray[np.int32] = judged.retrieved[system]
    longest = int(lengths.max(initial=0))
    short = np.flatnonzero((lengths > 0) & (lengths < max(TOP, SHORT * longest)))
    if len(short):
        names = [judged.topics[at] for at in short]
        yield Hit("D105", *_place(text, names[0]), f"{_some(names)}: {lengths[short[0]]} of {longest}")


def _tied(judged: JudgedRuns, system: int, text: str) -> Iterator[Hit]:
    """Yield ties among the first ten where no grades say which of them matter."""
    scores = np.empty((0, 0)) if judged.scores is None else judged.scores[system, :, : TOP + 1]
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32)
    equal = scores[:, 1:] == scores[:, :-1]
    for code, pairs in (("D102", equal), ("D112", ~equal & (single[:, 1:] == single[:, :-1]))):
        topics = np.flatnonzero(pairs.any(axis=1))
        if len(topics):
            rank = int(np.argmax(pairs[topics[0]])) + 1
            place = _place(text, *_named(judged, system, int(topics[0]), rank))
            yield Hit(code, *place, _some([judged.topics[at] for at in topics]))


def _named(judged: JudgedRuns, system: int, topic: int, rank: int) -> tuple[str, str]:
    """Names of a topic and of the document at a rank."""
    documents = judged.documents()
    return judged.topics[topic], documents.of_topic(topic)[int(documents.number[system, topic, rank - 1])]


def _place(text: str, topic: str, document: str | None = None) -> tuple[int, int]:
    """Return start and end of the first line of a topic, or of one of its documents; those of a table are not looked for."""
    column = "" if document is None else rf"\S+[ \t]+{re.escape(document)}[ \t]"
    line = re.compile(rf"(?m)^[ \t]*{re.escape(topic)}[ \t]+{column}.*").search(text)
    return (0, 0) if line is None else (line.start(), line.start() + len(line[0].rstrip()))


def _line_start(text: str, line: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return start


def _some(topics: Sequence[str]) -> str:
    return f"topic {topics[0]}" + (f" and {len(topics) - 1} more" if len(topics) > 1 else "")
