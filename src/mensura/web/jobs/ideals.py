"""Runs of the demo campaign or of uploaded files against the ideal rankings of their judgments."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mensura.judged.entrance import begin, collect
from mensura.rankings.ideal import against_ideal
from mensura.render.against import CURVES, ENDS, end_cells, end_numbers, misplaced
from mensura.render.charts.against import READABLE, ideal_chart
from mensura.result import encode
from mensura.web.jobs.campaign import Files, simulated, sources

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura.judged.runs import JudgedRuns
    from mensura.rankings.ideal import IdealCurves

    Tell = Callable[[str, int, int], None]

ALL = "all"


@lru_cache(4)
def _judged(seed: int | None, files: Files) -> JudgedRuns:
    """Return judged runs; the first file contains the judgments."""
    judgments, *origins = sources(files) if seed is None else simulated(seed)
    return collect(begin(judgments, origins))


def compare_with_ideal(  # noqa: PLR0917 - tasks take positional arguments
    tell: Tell,  # noqa: ARG001 - every task takes it
    seed: int | None,
    files: Files,
    topic: str | None,
    systems: tuple[str, ...],
    depth: int,
    h: str | float,
) -> dict[str, Any]:
    """Return the numbers, the curves and the chart of ``mensura rankings RUN QRELS --topic``."""
    judged = _judged(seed, files)
    chosen = judged.only(systems or judged.systems[:READABLE])
    curves = against_ideal(chosen, depth=depth, h=h)
    curves = curves.mean() if topic == ALL else curves.only(topic or judged.topics[0])
    about = (
        f"the ideal ranking, mean over {len(judged.topics)} topics"
        if topic == ALL
        else f"the ideal ranking of topic {curves.topics[0]}"
    )
    return ideal_facts(curves, about) | {"systems": list(judged.systems), "topics": list(judged.topics)}


def ideal_facts(curves: IdealCurves, about: str) -> dict[str, Any]:
    """Return curves of one topic as plain data."""
    return {
        "reference": about,
        "columns": list(ENDS),
        "lines": [
            {
                "name": row["system"],
                "cells": end_cells(row),
                "said": misplaced(row),
                **{key: encode(getattr(curves, key)[system, 0]) for key in CURVES},
            }
            for system, row in enumerate(end_numbers(curves))
        ],
        "chart": ideal_chart(curves, about),
    }
