"""The curve of precision over recall, the oldest picture of an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import DepthError
from mensura.measures.interpolated import IPrec
from mensura.render.charts.draw import GREY, THEME

if TYPE_CHECKING:
    from mensura.evaluation.evaluation import Evaluation
    from mensura.render.charts.draw import Description

COLOURS = [colour for colour in THEME["range"]["category"] if colour != GREY]
COLOURED = len(COLOURS)  # systems that can be told apart
LEVELS = 11


def recall_precision(evaluation: Evaluation) -> Description:
    """Mean interpolated precision at recall 0, 0.1, …, 1: the best systems by eleven-point average in colour, the others grey."""
    judged, counted = evaluation.judged, evaluation.scores[0].counted
    if judged.depth is not None:
        raise DepthError(
            f"a recall–precision curve needs all ranks, but the measures asked for {judged.depth}; evaluate one without a cut-off "
            "too, e.g. AP"
        )
    recalls = [level / (LEVELS - 1) for level in range(LEVELS)]
    curves = np.array([measure.mean(measure.score(judged), counted) for measure in (IPrec(recall=recall) for recall in recalls)])
    order = np.argsort(-np.nan_to_num(curves.mean(axis=0)), kind="stable").tolist()
    coloured = [judged.systems[system] for system in order[:COLOURED]]
    rows = [
        {"system": judged.systems[system], "recall": recall, "precision": None if np.isnan(value) else float(value)}
        for system in order
        for recall, value in zip(recalls, curves[:, system].tolist(), strict=True)
    ]
    colour = {
        "condition": {
            "test": {"field": "system", "oneOf": coloured},
            "field": "system",
            "type": "nominal",
            "title": "system" if len(order) <= COLOURED else f"best {COLOURED} of {len(order)}",
            "scale": {"domain": coloured, "range": COLOURS[: len(coloured)]},
            "sort": coloured,
        },
        "value": GREY,
    }
    axis = {"type": "quantitative", "scale": {"domain": [0, 1]}}
    return {
        "title": {"text": "Recall and precision", "subtitle": f"interpolated, means over {int(counted.sum(axis=1).max())} topics"},
        "width": 420,
        "height": 300,
        "data": {"values": rows},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {**axis, "field": "recall"},
            "y": {**axis, "field": "precision"},
            "color": colour,
            "opacity": {"condition": {"test": {"field": "system", "oneOf": coloured}, "value": 1}, "value": 0.35},
            "detail": {"field": "system"},
            "tooltip": [{"field": field} for field in ("system", "recall", "precision")],
        },
    }
