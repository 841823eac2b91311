"""Tables of scores without judgments or runs: systems × topics from files, frames, dicts and arrays."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from mensura.errors import InputError, MeasureError
from mensura.evaluation.evaluation import Evaluation
from mensura.evaluation.scores import Scores
from mensura.io.columns import to_bytes
from mensura.io.files import read_all
from mensura.io.files import source as open_source
from mensura.judged.runs import JudgedRuns
from mensura.measures.base import Measure
from mensura.measures.names import parse_measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.remarks import Remark

SYSTEM = ("system", "run", "model", "runid", "run_id", "method")
TOPIC = ("topic", "query", "qid", "query_id", "topic_id", "task", "dataset", "question")
MEASURE = ("measure", "metric")
VALUE = ("value", "score")
REPETITION = ("repetition", "seed", "trial", "repeat", "answer", "sample")
COLUMNS = {"system": SYSTEM, "topic": TOPIC, "measure": MEASURE, "value": VALUE, "repetition": REPETITION}
ALL = "all"  # trec_eval's line of means


class ScoreCell(NamedTuple):
    """One score."""

    system: str
    topic: str
    measure: str
    value: float


@dataclass(frozen=True, repr=False, kw_only=True)
class TableMeasure(Measure):
    """A column of scores, whose runs and judgments are not known."""

    label: str = "score"

    name: ClassVar[str] = "table"
    from_documents: ClassVar[bool] = True
    scale_obstacle: ClassVar[str | None] = "its values come from a table, without the runs"

    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        """Refuse: there is nothing to compute it from."""
        raise MeasureError(f"{self} comes from a table of scores and cannot be computed; {len(judged.systems)} runs have no values")

    def __str__(self) -> str:
        return self.label

    __repr__ = __str__


@dataclass(frozen=True, repr=False, kw_only=True)
class LowerTableMeasure(TableMeasure):
    """A column of scores of which lower ones are better."""

    direction: ClassVar[Any] = "lower"


@dataclass(frozen=True, eq=False)
class ScoredTable(Evaluation):
    """Scores from a table: an evaluation without judged runs. ``notes`` are sentences about the table for readers."""

    notes: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """None: remarks are about runs and judgments, which are not known."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return the scores and notes as plain data."""
        return super().to_dict() | {"notes": list(self.notes)}

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Return the table that :meth:`to_dict` wrote, whose columns need not be known measures."""
        cls.check(document)
        named = [(str(each["measure"]), Scores.from_dict(each | {"measure": "P"})) for each in document["scores"]]
        judged = JudgedRuns.without_ranks(named[0][1].systems, named[0][1].topics)
        scores = tuple(replace(each, measure=_measure(name), judged=None) for name, each in named)
        return cls(judged, scores, tuple(document.get("notes", ())))


def read_scores(source: Any, *, measures: Sequence[str] = ()) -> ScoredTable:
    """Read a table of scores.

    Parameters
    ----------
    source
        A path of a csv, tsv or whitespace file, or several: long (``system,topic,value`` and perhaps ``measure``, as
        ``mensura evaluate -q --format csv`` writes it), wide (a first column ``system`` or ``topic``, and a column of numbers for
        each of the others), the output of ``trec_eval -q``, or a bare matrix with a row for each system; a data frame of the same
        columns; an array [system, topic]; a dict {system: {topic: value}}, {system: {topic: {measure: value}}} as pytrec_eval has
        it, or {system: {measure: {topic: value}}} as ranx has it. A column ``repetition``, ``seed`` or ``trial`` numbers several
        values of a system for a topic, which are averaged.
    measures
        Some of the measures of the table; by default all.

    Examples
    --------
    >>> read_scores({"A": {"1": 0.5, "2": 0.7}, "B": {"1": 0.4, "2": 0.9}}).scores[0].values
    array([[0.5, 0.7],
           [0.4, 0.9]])
    """
    cells, repeated = _cells(source)
    if not cells:
        raise InputError("a table of scores needs at least one value, got none")
    return _evaluation(cells, measures, repeated=repeated)


def _cells(source: Any) -> tuple[list[ScoreCell], bool]:
    if isinstance(source, str | Path):
        return _from_text(read_all(open_source(source)).decode("utf-8", "surrogateescape"), str(source))
    if isinstance(source, Mapping):
        return _from_dict(source), False
    if hasattr(source, "columns") and hasattr(source, "to_dict"):
        columns = [str(name) for name in source.columns]
        rows = list(zip(*(list(source[name]) for name in source.columns), strict=True))
        return _from_rows(columns, rows, "the data frame")
    if isinstance(source, list | tuple) and source and all(isinstance(each, str | Path) for each in source):
        parts = [_cells(each) for each in source]
        return [cell for part, _ in parts for cell in part], any(repeated for _, repeated in parts)
    return _from_array(np.asarray(source, dtype=np.float64)), False


def _from_array(array: NDArray[np.float64]) -> list[ScoreCell]:
    if array.ndim != 2:  # noqa: PLR2004 - systems and topics
        raise InputError(f"expected an array [system, topic], got one of {array.ndim} dimensions")
    return [ScoreCell(f"s{row + 1}", str(column + 1), "score", float(value)) for (row, column), value in np.ndenumerate(array)]


def _from_dict(scores: Mapping[Any, Any]) -> list[ScoreCell]:
    cells = []
    for system, by_topic in scores.items():
        for key, value in by_topic.items():
            if not isinstance(value, Mapping):
                cells.append(ScoreCell(str(system), str(key), "score", float(value)))
                continue
            for inner, number in value.items():
                topic, measure = (inner, key) if _is_measure(str(key)) and not _is_measure(str(inner)) else (key, inner)
                cells.append(ScoreCell(str(system), str(topic), str(measure), float(number)))
    return cells


def _is_measure(name: str) -> bool:
    try:
        parse_measure(name)
    except MeasureError:
        return False
    return True


def _from_text(text: str, name: str) -> tuple[list[ScoreCell], bool]:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError("contains no scores", source=name)
    for mark in (",", "\t", ";"):
        if mark in lines[0] and any(word in _words(lines[0], mark) for word in (*SYSTEM, *TOPIC)):
            rows = list(csv.reader(io.StringIO(text), delimiter=mark))
            return _from_rows(rows[0], [row for row in rows[1:] if row], name)
    fields = [line.replace(",", " ").replace(";", " ").split() for line in lines]
    if all(_is_number(word) for row in fields for word in row):
        if len({len(row) for row in fields}) > 1:
            raise InputError("has rows of different length; a matrix has a row for each system", source=name)
        return _from_array(np.array(fields, dtype=np.float64)), False
    fields = [line.split() for line in lines]
    if fields[0][0].lower() in {*SYSTEM, *TOPIC}:
        return _from_rows(fields[0], fields[1:], name)
    if all(len(row) == 3 for row in fields):  # noqa: PLR2004 - trec_eval writes measure, topic and value
        return _from_trec_eval(fields, name), False
    raise InputError(
        "is not a table of scores; expected a header with system and topic, the output of trec_eval -q, or a matrix", source=name
    )


def _words(line: str, mark: str) -> list[str]:
    return [word.strip().strip('"').lower() for word in line.split(mark)]


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _from_trec_eval(fields: list[list[str]], name: str) -> list[ScoreCell]:
    """Lines of measure, topic and value; the line ``runid`` names the system, else the file does."""
    system = next((row[2] for row in fields if row[0] == "runid"), Path(name).stem)
    return [ScoreCell(system, row[1], row[0], float(row[2])) for row in fields if row[1] != ALL and _is_number(row[2])]


def _from_rows(header: Sequence[str], rows: Sequence[Sequence[Any]], name: str) -> tuple[list[ScoreCell], bool]:
    words = [str(word).strip().lower() for word in header]
    at = {what: next((words.index(word) for word in names if word in words), None) for what, names in COLUMNS.items()}
    system, topic = at["system"], at["topic"]
    uneven = next((row for row in rows if len(row) != len(header)), None)
    if uneven is not None:
        raise InputError(f"has a row of {len(uneven)} fields after a header of {len(header)}", source=name)
    if system is not None and topic is not None:
        taken = {place for place in (system, topic, at["measure"], at["repetition"]) if place is not None}
        values = [at["value"]] if at["value"] is not None else [place for place in range(len(words)) if place not in taken]
        cells = [
            ScoreCell(
                str(row[system]),
                str(row[topic]),
                str(row[at["measure"]]) if at["measure"] is not None else "score" if at["value"] == place else str(header[place]),
                _number(row[place], name, str(row[system]), str(row[topic])),
            )
            for row in rows
            for place in values
            if place is not None and str(row[topic]) != ALL
        ]
        return cells, at["repetition"] is not None
    if (system, topic) == (None, None) or 0 not in {system, topic}:
        raise InputError(
            "does not say what its rows are; name the first column system or topic, or have both columns and a value", source=name
        )
    cells = []
    for row in rows:
        for place in range(1, len(header)):
            names = (str(row[0]), str(header[place])) if system == 0 else (str(header[place]), str(row[0]))
            cells.append(ScoreCell(*names, "score", _number(row[place], name, *names)))
    return cells, False


def _number(word: Any, source: str, system: str, topic: str) -> float:
    try:
        value = float(word)
    except (TypeError, ValueError):
        value = float("nan")
    if not np.isfinite(value):
        raise InputError(
            f"the score of {system} for {topic} is {str(word)!r}; expected a number, so leave the topic out or count it as 0",
            source=source,
        )
    return value


def _evaluation(cells: Iterable[ScoreCell], names_of_measures: Sequence[str], *, repeated: bool) -> ScoredTable:
    by_measure: dict[str, dict[tuple[str, str], list[float]]] = {}
    for cell in cells:
        by_measure.setdefault(cell.measure, {}).setdefault((cell.system, cell.topic), []).append(cell.value)
    unknown = [name for name in names_of_measures if name not in by_measure]
    if unknown:
        raise InputError(f"the table has no scores of {unknown[0]}; it has {', '.join(by_measure)}")
    chosen = list(names_of_measures) or list(by_measure)
    names = {(system, topic) for name in chosen for system, topic in by_measure[name]}
    systems = tuple(sorted({system for system, _ in names}, key=to_bytes))
    topics = tuple(sorted({topic for _, topic in names}, key=to_bytes))
    judged = JudgedRuns.without_ranks(systems, topics)
    counted = np.ones((len(systems), len(topics)), dtype=np.bool_)
    scores, notes = [], []
    for name in chosen:
        values = by_measure[name]
        missing = [(system, topic) for system in systems for topic in topics if (system, topic) not in values]
        if missing:
            raise InputError(
                f"{missing[0][0]} has no {name} for {missing[0][1]}, and {len(missing)} scores are missing in all; leave these "
                "topics out, or count them as 0"
            )
        several = max(len(each) for each in values.values())
        if several > 1 and not repeated:
            system, topic = next(pair for pair, each in values.items() if len(each) > 1)
            raise InputError(f"{system} has {several} scores of {name} for {topic}; number them in a column named repetition")
        table = np.array([[_mean(values[system, topic]) for topic in topics] for system in systems])
        scores.append(Scores(_measure(name), table, systems, topics, counted))
        if several > 1:
            notes.append(_repetitions(name, list(values.values()), table))
    return ScoredTable(judged, tuple(scores), tuple(notes))


def _mean(repetitions: Sequence[float]) -> float:
    """The mean of repetitions. Most tables have one value, of which NumPy takes 8 µs to find the mean."""
    return repetitions[0] if len(repetitions) == 1 else float(np.mean(repetitions))


def _repetitions(name: str, values: list[list[float]], table: NDArray[np.float64]) -> str:
    """Sentence on repetitions: their number, and their variance within topics beside that between topics."""
    degrees = sum(len(each) - 1 for each in values)
    within = sum(float(((np.array(each) - np.mean(each)) ** 2).sum()) for each in values) / degrees
    between = float(table.var(axis=1, ddof=1).mean()) if table.shape[1] > 1 else float("nan")
    fewest, most = min(map(len, values)), max(map(len, values))
    number = f"{most}" if fewest == most else f"{fewest} to {most}"
    return (
        f"{number} repetitions of {name} per system and topic were averaged: topics are the units. The standard deviation is "
        f"{within**0.5:.3g} within topics and {between**0.5:.3g} between them"
    )


def read_measure(name: str) -> Measure:
    """The measure of this name, or a column of scores that is called so."""
    return parse_measure(name) if _is_measure(name) else TableMeasure(label=name)


def _measure(name: str) -> Measure:
    """A measure of this name that knows nothing but the direction, if a known measure has the name."""
    lower = _is_measure(name) and parse_measure(name).direction == "lower"
    return LowerTableMeasure(label=name) if lower else TableMeasure(label=name)
