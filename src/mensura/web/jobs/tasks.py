"""Tasks of the server's other processes. Arguments and results are plain data; ``tell`` reports progress."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.io.files import Source, guarded, open_inflated
from mensura.measures.names import parse_measure
from mensura.render.charts.scale import scale_chart
from mensura.render.properties import answer_facts
from mensura.scales.interval import interval_scale
from mensura.scales.proofs import QUESTIONS, properties
from mensura.web.jobs.campaign import evaluate_campaign
from mensura.web.jobs.ideals import compare_with_ideal
from mensura.web.jobs.planes import draw_plane
from mensura.web.jobs.samples import demo_samples, judge_means

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mensura.scales.interval import IntervalScale

    Tell = Callable[[str, int, int], None]

__all__ = [
    "compare_with_ideal",
    "demo_samples",
    "draw_plane",
    "draw_scale",
    "evaluate_campaign",
    "inflated_size",
    "judge_means",
    "look_at_scale",
    "prove",
]

NEIGHBOURS = 3  # on either side
NAMED = 4096  # runs at most, if those of each step are named
CHUNK = 1 << 20


@lru_cache(32)
def _scale(measure: str, length: int, grades: tuple[int, ...]) -> IntervalScale:
    """The scale over all runs; if topics have their own, that of one with as many judged documents of each grade as ranks."""
    parsed = parse_measure(measure).on_topics
    topic = dict.fromkeys(grades if parsed.graded else (0, 1), length) if parsed.scale_per_topic else None
    return interval_scale(measure, length, grades, recall_base=topic)


@lru_cache(8)
def _runs_at(measure: str, length: int, grades: tuple[int, ...]) -> dict[int, list[str]]:
    """Return the runs at each step."""
    scale = _scale(measure, length, grades)
    if scale.runs > NAMED:
        return {}
    runs = list(itertools.product(scale.grades, repeat=scale.length))
    at: dict[int, list[str]] = {}
    for run, step in zip(runs, scale.rank(np.array(runs)).tolist(), strict=True):
        at.setdefault(step, []).append("".join("-" if grade < 0 else str(grade) for grade in run))
    return at


def look_at_scale(tell: Tell, measure: str, length: int, grades: tuple[int, ...], run: str | None) -> dict[str, Any]:  # noqa: ARG001 - every task takes it
    """Return the facts about an interval scale and the position of a run on it. Whole numbers are text, as they may be long."""
    scale = _scale(measure, length, grades)
    try:
        steps: int | None = scale.steps
    except ScaleError:
        if scale.counted:
            raise
        steps = None
    facts = {
        "measure": measure,
        "length": scale.length,
        "grades": list(scale.grades),
        "steps": None if steps is None else str(steps),
        "runs": str(scale.runs),
        "method": scale.method,
        "exact": scale.exact,
        "assumes": scale.assumes,
        "interval": scale.is_equispaced if scale.counted else None,
        "numerator": parse_measure(measure).uses_recall_base and not parse_measure(measure).on_topics.scale_per_topic,
        "run": None,
    }
    if run is not None:
        facts["run"] = _position(scale, steps, run, (measure, length, grades))
    return facts


def _position(scale: IntervalScale, steps: int | None, text: str, key: tuple[str, int, tuple[int, ...]]) -> dict[str, Any]:
    """Return the value and rank of a run and of its neighbours, the highest first; or certified bounds."""
    run = [int(digit) for digit in text]
    if not scale.counted or steps is None:
        bracket = scale.bracket([run])
        bounds = {"low": float(bracket.low[0]), "high": float(bracket.high[0]), "of": bracket.of}
        return {"run": text, "rank": None, "value": None, "neighbours": [], **bounds}
    rank = int(scale.rank([run])[0])
    named = _runs_at(*key)
    around = [
        {
            "rank": str(step),
            "value": float(scale.inverse(step)),
            "exact": str(scale.inverse(step)),
            "runs": named.get(step, [])[:4],
            "more": max(len(named.get(step, [])) - 4, 0),
        }
        for step in range(min(rank + NEIGHBOURS, steps), max(rank - NEIGHBOURS, 1) - 1, -1)
    ]
    value = float(scale.inverse(rank))
    return {"run": text, "rank": str(rank), "value": value, "neighbours": around, "low": None, "high": None, "of": None}


def draw_scale(tell: Tell, measure: str, length: int, grades: tuple[int, ...]) -> dict[str, Any]:  # noqa: ARG001 - every task takes it
    """Return the chart of ``mensura scale``."""
    return scale_chart(_scale(measure, length, grades), measure)


def prove(tell: Tell, measure: str, length: int, grades: tuple[int, ...]) -> dict[str, Any]:  # noqa: ARG001 - every task takes it
    """Return the answers of ``mensura properties``."""
    proven = properties(parse_measure(measure), length, grades)
    answers = proven.answers()
    return {
        "measure": str(proven.measure),
        "length": proven.length,
        "scale": proven.scale.name,
        "properties": [
            {"key": key, "question": question, "runs": [], **answer_facts(answers[key])} for key, question in QUESTIONS.items()
        ],
    }


def inflated_size(tell: Tell, name: str, path: Path, most: int) -> int:  # noqa: ARG001 - every task takes it
    """Return the inflated size of a compressed file in bytes, or a size above ``most`` as soon as it is exceeded."""
    size = 0
    origin = Source(name, path)
    with guarded(origin), open_inflated(origin) as stream:
        while size <= most and (chunk := stream.read(CHUNK)):
            size += len(chunk)
    return size
