"""Statements that survive every transformation, and a transformation that reverses one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.render.charts.draw import BLUE, GREEN, GREY, ORANGE, RED, Description
from mensura.render.numbers import general
from mensura.scales.meaning.dominance import VERDICTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mensura.scales.meaning.explanation import Explanation

COLOURS = [GREEN, "#1f8a8a", BLUE, "#9db8d9", RED, "#c8ccd2", GREY]


def surviving(counted: Sequence[tuple[str, Mapping[str, int]]]) -> Description:
    """A bar per measure, divided by verdict: from the number of pairs with each."""
    rows = [
        {"measure": name, "verdict": verdict, "pairs": pairs, "order": at}
        for name, counts in counted
        for at, (verdict, pairs) in enumerate(counts.items())
    ]
    return {
        "title": {"text": "Which statements of the leaderboard survive", "subtitle": "pairs of systems, by verdict"},
        "data": {"values": rows},
        "width": 560,
        "height": {"step": 34},
        "mark": "bar",
        "encoding": {
            "y": {"field": "measure", "type": "nominal", "title": None, "sort": [name for name, _ in counted]},
            "x": {"field": "pairs", "type": "quantitative", "title": "pairs of systems"},
            "color": {
                "field": "verdict",
                "type": "nominal",
                "sort": list(VERDICTS),
                "scale": {"domain": list(VERDICTS), "range": COLOURS},
                "legend": {"title": "verdict"},
            },
            "order": {"field": "order", "type": "quantitative"},
        },
    }


def explained(explanations: Sequence[Explanation]) -> Description:
    """Per measure: the proportion of topics above each value for both systems, and the transformation that reverses their means."""
    return {
        "title": {"text": f"{explanations[0].better} and {explanations[0].worse}"},
        "vconcat": [{"hconcat": [_shares(each), _transformation(each)]} for each in explanations],
        "resolve": {"scale": {"color": "independent"}},
    }


def _shares(explanation: Explanation) -> Description:
    rows = []
    for name, values in zip((explanation.better, explanation.worse), explanation.values, strict=True):
        points = np.unique(explanation.values)
        shares = (values[None, :] > points[:, None]).mean(axis=1)
        rows += [{"system": name, "value": float(x), "share": float(y)} for x, y in zip(points, shares, strict=True)]
    return {
        "title": {"text": f"{explanation.measure}: topics above a value", "fontSize": 12},
        "data": {"values": rows},
        "width": 330,
        "height": 240,
        "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2},
        "encoding": {
            "x": {"field": "value", "type": "quantitative", "title": explanation.measure},
            "y": {"field": "share", "type": "quantitative", "title": "proportion of topics above", "axis": {"format": "%"}},
            "color": {
                "field": "system",
                "type": "nominal",
                "sort": [explanation.better, explanation.worse],
                "scale": {"domain": [explanation.better, explanation.worse], "range": [BLUE, ORANGE]},
            },
        },
    }


def _transformation(explanation: Explanation) -> Description:
    verdict = explanation.common
    if verdict.transformation is None:
        text, rows = "no transformation reverses the means", _diagonal(explanation)
    else:
        points = sorted({*explanation.values.reshape(-1).tolist(), *_knots(verdict.transformation)})
        rows = [{"from": float(x), "to": float(verdict.transformation(x))} for x in points]
        means = [general(float(value), 4) for value in verdict.transformed or ()]
        text = f"means after this: {means[0]} and {means[1]}"
    return {
        "title": {"text": text, "fontSize": 12},
        "data": {"values": rows},
        "width": 330,
        "height": 240,
        "mark": {"type": "line", "point": {"size": 18, "color": RED}, "color": RED, "strokeWidth": 2},
        "encoding": {
            "x": {"field": "from", "type": "quantitative", "title": explanation.measure},
            "y": {"field": "to", "type": "quantitative", "title": f"transformed {explanation.measure}"},
        },
    }


def _diagonal(explanation: Explanation) -> list[dict[str, Any]]:
    return [{"from": float(x), "to": float(x)} for x in (explanation.values.min(), explanation.values.max())]


def _knots(transformation: Any) -> list[float]:
    return [float(x) for x, _ in getattr(transformation, "knots", ())]
