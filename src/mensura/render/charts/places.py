"""Ranks of systems by a measure on its own scale, against those on its interval scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.charts.draw import BLUE, GREY, RED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.render.charts.draw import Description

SIZE = 340
STEPS = ((1, 12), (10, 60))  # between labelled ranks, up to so many systems


def places_chart(name: str, systems: Sequence[str], own: Sequence[int], interval: Sequence[int]) -> Description:
    """A point per system: its ranks, 1 being the best. On the diagonal nothing changes; systems that move far are named."""
    most = len(systems)
    far = sorted((abs(a - b) for a, b in zip(own, interval, strict=True)), reverse=True)
    named = max(far[min(5, most - 1)], 1)  # up to five names, and none where nothing moves
    rows = [
        {"system": system, "own": a, "interval": b, "move": a - b, "label": system if abs(a - b) > named else ""}
        for system, a, b in zip(systems, own, interval, strict=True)
    ]
    scale = {"domain": [0, most + 1], "nice": False}
    step = next((step for step, ceiling in STEPS if most <= ceiling), 20)
    axis = {"format": "d", "values": sorted({1, *range(step, most + 1, step)})}
    x = {"field": "own", "type": "quantitative", "title": f"rank by {name}", "scale": scale, "axis": axis}
    y = {
        "field": "interval",
        "type": "quantitative",
        "title": f"rank by {name} on its interval scale",
        "scale": {**scale, "reverse": True},
        "axis": axis,
    }
    return {
        "width": SIZE,
        "height": SIZE,
        "layer": [
            {
                "data": {"values": [{"at": 0}, {"at": most + 1}]},
                "mark": {"type": "line", "color": GREY, "strokeDash": [4, 4]},
                "encoding": {"x": {**x, "field": "at"}, "y": {**y, "field": "at"}},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": True, "size": 36, "opacity": 0.75},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": {"condition": {"test": "datum.move != 0", "value": RED}, "value": BLUE},
                    "tooltip": [{"field": "system"}, {"field": "own"}, {"field": "interval"}],
                },
            },
            {
                "data": {"values": [row for row in rows if row["label"]]},
                "mark": {"type": "text", "align": "left", "dx": 6, "dy": -6, "fontSize": 10},
                "encoding": {"x": x, "y": y, "text": {"field": "label"}},
            },
        ],
    }
