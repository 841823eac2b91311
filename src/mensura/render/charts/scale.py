"""The values of a measure and how they are spaced (P4, figures 3 and 6 to 8)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from mensura.render.charts.draw import BLUE, GREY, ORANGE
from mensura.render.numbers import whole

if TYPE_CHECKING:
    from mensura.render.charts.draw import Description
    from mensura.scales.interval import IntervalScale

LADDER = 40  # more rungs than this cannot be told apart
POINTS = 400  # of a curve
NAMED = 4096  # runs that are looked at to name the rungs
SHOWN = 3  # runs named at a rung


def scale_chart(scale: IntervalScale, name: str) -> Description:
    """A ladder of all values beside the equally spaced steps, or, when there are too many, the curve of values over ranks."""
    grades = ", ".join(map(str, scale.grades))
    verdict = "equally spaced: an interval scale" if scale.is_equispaced else "not equally spaced"
    title = {
        "text": f"{name}: {whole(scale.steps)} values",
        "subtitle": f"runs of length {scale.length}, grades {grades}; {verdict}",
    }
    if scale.steps <= LADDER:
        return {"title": title, "hconcat": [_ladder(scale), _curve(scale) | {"width": 300}], "spacing": 30}
    return {"title": title, **_curve(scale)}


def _ladder(scale: IntervalScale) -> Description:
    values = [float(scale.inverse(step)) for step in range(1, scale.steps + 1)]
    low, high = values[0], values[-1]
    names = _names(scale)
    rungs = []
    for step, value in enumerate(values, start=1):
        even = low + (high - low) * (step - 1) / max(scale.steps - 1, 1)
        rungs.append({"step": step, "value": value, "even": even, "runs": names.get(step, "")})
    y: dict[str, Any] = {"type": "quantitative", "title": "value", "scale": {"domain": [low, high], "nice": False}}
    left, right = {"datum": 0}, {"datum": 1}
    x = {"type": "quantitative", "axis": None, "scale": {"domain": [-0.6, 1.9]}}
    return {
        "data": {"values": rungs},
        "width": 260,
        "height": max(260, 16 * scale.steps),
        "layer": [
            {
                "mark": {"type": "rule", "color": GREY, "opacity": 0.5},
                "encoding": {"x": x | left, "x2": right, "y": y | {"field": "value"}, "y2": {"field": "even"}},
            },
            {
                "mark": {"type": "square", "size": 50, "color": BLUE, "opacity": 1},
                "encoding": {"x": x | left, "y": y | {"field": "value"}},
            },
            {
                "mark": {"type": "square", "size": 50, "color": ORANGE, "opacity": 1},
                "encoding": {"x": x | right, "y": y | {"field": "even"}},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 8, "fontSize": 10, "font": "monospace"},
                "encoding": {"x": x | right, "y": y | {"field": "even"}, "text": {"field": "runs"}},
            },
            {
                "mark": {"type": "text", "align": "right", "dx": -8, "fontSize": 10, "color": "#555"},
                "encoding": {"x": x | left, "y": y | {"field": "value"}, "text": {"field": "step"}},
            },
        ],
    }


def _names(scale: IntervalScale) -> dict[int, str]:
    """The first few runs at each step."""
    if scale.runs > NAMED or scale.recall_base is not None:
        return {}
    runs = [list(run) for run in itertools.product(scale.grades, repeat=scale.length)]
    at: dict[int, list[str]] = {}
    for run, step in zip(runs, scale.rank(runs).tolist(), strict=True):
        at.setdefault(step, []).append("".join(map(str, run)))
    return {step: " ".join(names[:SHOWN]) + (f" +{len(names) - SHOWN}" if len(names) > SHOWN else "") for step, names in at.items()}


def _curve(scale: IntervalScale) -> Description:
    if scale.steps <= POINTS:
        ranks = list(range(1, scale.steps + 1))
    else:
        ranks = sorted({1 + (scale.steps - 1) * point // (POINTS - 1) for point in range(POINTS)})
    points = [{"share": rank / scale.steps, "rank": str(rank), "value": float(scale.inverse(rank))} for rank in ranks]
    low, high = points[0]["value"], points[-1]["value"]
    straight = [{"share": points[0]["share"], "value": low}, {"share": 1, "value": high}]
    x = {"field": "share", "type": "quantitative", "title": "rank / steps", "scale": {"domain": [0, 1]}}
    y = {"field": "value", "type": "quantitative", "title": "value"}
    tooltip = [{"field": "rank", "title": "rank"}, {"field": "value", "type": "quantitative", "format": ".6f"}]
    few = scale.steps <= POINTS
    return {
        "width": 420,
        "height": 320,
        "layer": [
            {
                "data": {"values": straight},
                "mark": {"type": "line", "color": ORANGE, "strokeDash": [5, 4]},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": points},
                "mark": {
                    "type": "line",
                    "color": BLUE,
                    "interpolate": "step-after" if few else "linear",
                    "point": {"size": 14} if few else False,
                },
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
        ],
    }
