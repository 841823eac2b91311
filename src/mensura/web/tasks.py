"""What the server's other processes compute. Arguments and results are plain data; ``tell`` says how far the work is."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.cli.commands.properties import facts as property_facts
from mensura.errors import ScaleError
from mensura.io.files import Source, guarded, open_inflated
from mensura.measures.names import parse_measure
from mensura.render.charts.scale import scale_chart
from mensura.scales.interval import interval_scale
from mensura.scales.proofs import QUESTIONS, properties
from mensura.web.campaign import evaluate_campaign
from mensura.web.meanings import demo_samples, judge_means
from mensura.web.planes import draw_plane

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mensura.scales.interval import IntervalScale

    Tell = Callable[[str, int, int], None]

__all__ = [
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
NAMED = 4096  # runs that are looked at to say which stand at a step
CHUNK = 1 << 20


@lru_cache(32)
def _scale(measure: str, length: int, grades: tuple[int, ...]) -> IntervalScale:
    return interval_scale(measure, length, grades)


@lru_cache(8)
def _runs_at(measure: str, length: int, grades: tuple[int, ...]) -> dict[int, list[str]]:
    """The runs that stand at each step."""
    scale = _scale(measure, length, grades)
    if scale.runs > NAMED:
        return {}
    runs = list(itertools.product(scale.grades, repeat=scale.length))
    at: dict[int, list[str]] = {}
    for run, step in zip(runs, scale.rank(np.array(runs)).tolist(), strict=True):
        at.setdefault(step, []).append("".join(map(str, run)))
    return at


def look_at_scale(tell: Tell, measure: str, length: int, grades: tuple[int, ...], run: str | None) -> dict[str, Any]:  # noqa: ARG001
    """The facts about an interval scale, and where a run stands on it. Whole numbers come as text: they may have many digits."""
    scale = _scale(measure, length, grades)
    try:
        steps: int | None = scale.steps
    except ScaleError:
        if scale.exact:
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
        "interval": scale.is_equispaced if scale.exact else None,
        "numerator": parse_measure(measure).uses_recall_base,
        "run": None,
    }
    if run is not None:
        facts["run"] = _place(scale, steps, run, (measure, length, grades))
    return facts


def _place(scale: IntervalScale, steps: int | None, text: str, key: tuple[str, int, tuple[int, ...]]) -> dict[str, Any]:
    """The value and rank of a run and of its neighbours, the highest first; or certified bounds."""
    run = [int(digit) for digit in text]
    if not scale.exact or steps is None:
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


def draw_scale(tell: Tell, measure: str, length: int, grades: tuple[int, ...]) -> dict[str, Any]:  # noqa: ARG001
    """The chart of ``mensura scale``."""
    return scale_chart(_scale(measure, length, grades), measure)


def prove(tell: Tell, measure: str, length: int, grades: tuple[int, ...]) -> dict[str, Any]:  # noqa: ARG001
    """The answers of ``mensura properties``."""
    found = properties(parse_measure(measure), length, grades)
    answers = found.answers()
    return {
        "measure": str(found.measure),
        "length": found.length,
        "scale": found.scale.name,
        "properties": [
            {"key": key, "question": question, "runs": [], **property_facts(answers[key])} for key, question in QUESTIONS.items()
        ],
    }


def inflated_size(tell: Tell, name: str, path: Path, most: int) -> int:  # noqa: ARG001
    """How many bytes a compressed file holds; stops when there are more than may be."""
    size = 0
    origin = Source(name, path)
    with guarded(origin), open_inflated(origin) as stream:
        while size <= most and (chunk := stream.read(CHUNK)):
            size += len(chunk)
    return size
