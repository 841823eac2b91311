"""Values of two systems per topic: read from text or the demo campaign, judged, and transformed."""

from __future__ import annotations

import csv
import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import InputError, ScaleError
from mensura.evaluation.evaluation import score
from mensura.judged.entrance import judge
from mensura.measures.names import parse_measure
from mensura.render.charts.survival import explained
from mensura.scales.meaning.dominance import EQUAL, GROUPS, MEANINGS, ONE_SCALE, PER_TOPIC, VERDICTS, Leaderboard
from mensura.scales.meaning.explanation import explain, survives
from mensura.scales.meaning.transformations import Affine, Increasing
from mensura.web.jobs.campaign import simulated

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura.evaluation.evaluation import Evaluation

    Tell = Callable[[str, int, int], None]

PAIR = 2
TABLE = 3
SEPARATORS = re.compile(r"[,;\t ]+")
Samples = dict[str, Any]
"""names, values [2][topic], topics, higher."""


def judge_means(
    tell: Tell,  # noqa: ARG001 - every task takes it
    names: tuple[str, str],
    values: tuple[tuple[float, ...], tuple[float, ...]],
    topics: tuple[str, ...],
    higher: bool,  # noqa: FBT001 - tasks take positional arguments
) -> dict[str, Any]:
    """Judge whether “A has a better mean than B” survives every increasing transformation; if not, give one that reverses it."""
    board = Leaderboard(names, np.array(values, dtype=np.float64), higher)
    statement = explain("value", board, topics, *names)
    change, per_topic = statement.common.transformation, statement.groups[GROUPS[PER_TOPIC]]
    own = per_topic.transformation
    moved = None
    if own is not None:
        which = next(at for at, each in enumerate(own.topics) if each != Affine(1))  # type: ignore[attr-defined]
        moved = {"topic": topics[which], "transformation": str(own.topics[which]), "means": _floats(per_topic.transformed)}  # type: ignore[attr-defined]
    return {
        "better": statement.better,
        "worse": statement.worse,
        "means": _floats(statement.common.values),
        "equal": statement.kind == VERDICTS[EQUAL],
        "signs": list(statement.signs),
        "survives": survives(statement),
        "verdict": statement.kind if survives(statement) else "not every scale",
        "meaning": MEANINGS[statement.kind]
        if statement.kind in VERDICTS[: ONE_SCALE + 1]
        else "an increasing transformation of the scale changes it",
        "stretch": {group: _index(index) for group, index in statement.stretch.items()},
        "knots": None if change is None else _knots(change, values),
        "changed_means": _floats(statement.common.transformed),
        "one_topic": moved,
        "chart": explained([statement]),
    }


def _index(index: Any) -> float | None:
    """A stretch index as JSON can hold it: −1 stands for ∞, and None for equal samples."""
    number = float(index)
    return None if math.isnan(number) else -1.0 if math.isinf(number) else number


def _floats(sides: tuple[Any, Any] | None) -> list[float] | None:
    return None if sides is None else [float(side) for side in sides]


def _knots(change: Any, values: tuple[tuple[float, ...], ...]) -> list[tuple[float, float]]:
    """Return a transformation as points to draw a line through."""
    if isinstance(change, Increasing):
        return [(float(x), float(y)) for x, y in change.knots]
    ends = min(map(min, values)), max(map(max, values))
    return [(end, float(change(Fraction(end)))) for end in sorted(set(ends))]


def transform(values: list[list[float]], knots: list[list[float]]) -> tuple[list[list[float]], list[Fraction]]:
    """Return values after an increasing function through knots, and their exact means.

    Between two knots the function is linear, so that its sum over values is computed from the sum of the values: a page asks
    for this at every move of a pointer.
    """
    function = Increasing(tuple((Fraction(x), Fraction(y)) for x, y in knots))
    moved, means = [], []
    for row in map(np.array, values):
        part = np.searchsorted([x for x, _ in knots], row, side="right")
        transformed, total = np.empty(len(row)), Fraction(0)
        for at in np.unique(part).tolist():
            x, y, width, rise = _piece(function, at)
            here = part == at
            transformed[here] = float(y) + (row[here] - float(x)) / float(width) * float(rise)  # knots may be too near for a slope
            total += y * int(here.sum()) + (_sum(row[here].tolist()) - x * int(here.sum())) * rise / width
        moved.append(transformed.tolist())
        means.append(total / len(row))
    return moved, means


def _piece(function: Increasing, at: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return a point, the width and the rise of the line after the first ``at`` knots."""
    x, y = function.knots[max(at - 1, 0)]
    if at in {0, len(function.knots)}:
        return x, y, Fraction(1), Fraction(1)
    next_x, next_y = function.knots[at]
    return x, y, next_x - x, next_y - y


def _sum(numbers: list[float]) -> Fraction:
    """Return the exact sum: all are multiples of the smallest of their units, which are powers of two."""
    ratios = [number.as_integer_ratio() for number in numbers]
    unit = max(below for _, below in ratios)
    return Fraction(sum(above * (unit // below) for above, below in ratios), unit)


def read_samples(text: str) -> Samples:
    """Parse two columns of numbers, with or without topics and a header, or the output of ``mensura evaluate -q -f csv``."""
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    if not lines:
        raise InputError("the text is empty; write one line per topic with a value for each of the two systems", source="text")
    header = next(csv.reader(lines[:1]), [])
    if {"system", "topic", "value"} <= set(header):
        return _long(lines)
    rows = [SEPARATORS.split(line) for line in lines]
    names = ["A", "B"]
    if not _is_number(rows[0][-1]):
        names = rows.pop(0)[-PAIR:]
    values: list[list[float]] = [[], []]
    topics = []
    for at, row in enumerate(rows, start=1):
        if len(row) not in {PAIR, TABLE} or not all(map(_is_number, row[-PAIR:])):
            raise InputError("expected two numbers, or a topic and two numbers", source="text", line=at, text=" ".join(row)[:80])
        topics.append(row[0] if len(row) == TABLE else str(at))
        for side, cell in zip(values, row[-PAIR:], strict=True):
            side.append(float(cell))
    if not topics or len(names) < PAIR:
        raise InputError("there are no two columns of numbers; write one line per topic, e.g. 401 0.31 0.25", source="text")
    return {"names": names, "values": values, "topics": topics, "higher": True}


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _long(lines: list[str]) -> Samples:
    table: dict[str, dict[str, float]] = {}
    measures = set()
    for at, row in enumerate(csv.DictReader(lines), start=2):
        if not _is_number(row["value"] or ""):
            raise InputError(f"{row['value']!r} is not a finite number", source="text", line=at)
        table.setdefault(row["system"], {})[row["topic"]] = float(row["value"])
        measures.add(row.get("measure"))
    if len(table) != PAIR or len(measures) != 1:
        raise InputError(f"expected two systems and one measure, got {len(table)} and {len(measures)}", source="text")
    (first, one), (second, other) = table.items()
    if set(one) != set(other):
        raise InputError("the two systems have values for different topics; give the same ones", source="text")
    measure = measures.pop()
    higher = measure is None or parse_measure(measure).direction == "higher"
    return {
        "names": [first, second],
        "values": [[*one.values()], [other[topic] for topic in one]],
        "topics": [*one],
        "higher": higher,
    }


@lru_cache(4)
def _campaign(seed: int, measure: str) -> Evaluation:
    judgments, *runs = simulated(seed)
    return score(judge(judgments, runs), measure)


def demo_samples(tell: Tell, seed: int, measure: str, first: str, second: str) -> Samples:  # noqa: ARG001 - every task takes it
    """Return the values of two systems of the demo campaign."""
    evaluation = _campaign(seed, measure)
    systems = list(evaluation.judged.systems)
    for name in (first, second):
        if name not in systems:
            raise ScaleError(f"the demo campaign has no system {name!r}; its systems are {', '.join(systems)}")
    scores = evaluation.scores[0]
    return {
        "names": [first, second],
        "values": [scores.values[systems.index(name)].tolist() for name in (first, second)],
        "topics": list(scores.topics),
        "higher": scores.measure.direction == "higher",
    }
