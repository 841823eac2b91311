"""The plane of URS and SRS for one list of the demo campaign or of uploaded files."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.adm.distance import distances
from mensura.errors import MeasureError
from mensura.judged.entrance import EVERYTHING, begin, collect
from mensura.measures.distance import ADM
from mensura.measures.names import parse_measure
from mensura.render.charts.adm import both
from mensura.web.jobs.campaign import Files, simulated, sources

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura.judged.runs import JudgedRuns

    Tell = Callable[[str, int, int], None]


@lru_cache(4)
def _judged(seed: int | None, files: Files) -> JudgedRuns:
    """Return judged runs with their scores; the first file contains the judgments."""
    judgments, *origins = sources(files) if seed is None else simulated(seed)
    return collect(begin(judgments, origins, EVERYTHING))


def draw_plane(  # noqa: PLR0917 - tasks take positional arguments
    tell: Tell,  # noqa: ARG001 - every task takes it
    seed: int | None,
    files: Files,
    measure: str,
    system: str | None,
    topic: str | None,
) -> dict[str, Any]:
    """Return the documents of a system on a topic, and the chart of ``mensura adm --topic``."""
    variant = parse_measure(measure)
    if not isinstance(variant, ADM):
        raise MeasureError(f"{variant} is not a variant of ADM; write e.g. ADM, ADM@20 or ADM(srs='rank')")
    judged = _judged(seed, files)
    system, topic = system or judged.systems[0], topic or judged.topics[0]
    plane = distances(judged, system, topic, variant)
    means = variant.mean(variant.score(judged))
    documents = zip(plane.rank, plane.grade, plane.score, plane.srs, plane.urs, plane.distance, strict=True)
    return {
        "measure": str(variant),
        "system": system,
        "topic": topic,
        "value": plane.value,
        "mean": float(means[judged.systems.index(system)]),
        "systems": list(judged.systems),
        "topics": list(judged.topics),
        "documents": [
            {
                "rank": int(rank) or None,
                "grade": int(grade) if grade >= 0 else None,
                "score": None if np.isnan(score) else float(score),
                "srs": float(srs),
                "urs": float(urs),
                "distance": float(distance),
            }
            for rank, grade, score, srs, urs, distance in documents
        ],
        "medians": [{"urs": urs, "documents": number, "srs": median} for urs, number, median in plane.medians()],
        "chart": both(judged, system, topic, variant),
    }
