"""Topics: their difficulty, and the differences of two systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.render.charts.draw import BLUE, GREY, ORANGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.render.charts.draw import Description

WIDTH = 860
IN_A_CELL = 600  # of a notebook


def topic_spread(
    name: str, topics: Sequence[str], values: NDArray[np.float64], *, hardest_first: Sequence[int], width: int = WIDTH
) -> Description:
    """Per topic, hardest first: the values of all systems from least to greatest, the middle half, and the median."""
    bounds = np.quantile(values, (0, 0.25, 0.5, 0.75, 1), axis=0)
    fields = ("least", "lower", "median", "upper", "greatest")
    rows = [
        {"topic": topics[topic], **{field: float(bounds[at, topic]) for at, field in enumerate(fields)}} for topic in hardest_first
    ]
    x = {
        "field": "topic",
        "type": "nominal",
        "sort": [topics[topic] for topic in hardest_first],
        "title": "topic, hardest first",
        "axis": {"labelAngle": -90, "labelOverlap": True, "labelFontSize": 10, "labelLimit": 90},
    }
    y: dict[str, Any] = {"type": "quantitative", "title": name}
    return {
        "width": width,
        "height": 240,
        "data": {"values": rows},
        "encoding": {"x": x, "tooltip": [{"field": field} for field in ("topic", *fields)]},
        "layer": [
            {
                "mark": {"type": "rule", "color": GREY},
                "encoding": {"y": {**y, "field": "least"}, "y2": {"field": "greatest"}},
            },
            {
                "mark": {"type": "bar", "color": BLUE, "opacity": 0.45, "width": {"band": 0.6}},
                "encoding": {"y": {**y, "field": "lower"}, "y2": {"field": "upper"}},
            },
            {
                "mark": {"type": "point", "filled": True, "color": ORANGE, "opacity": 1, "size": 28},
                "encoding": {"y": {**y, "field": "median"}},
            },
        ],
    }


def topic_differences(rows: Sequence[dict[str, Any]]) -> Description:
    """Differences of two systems, topic by topic: rows of topic, difference, first, second and better, in the order to show.

    The rows are the data set ``differences``, so that a page can show another pair of systems.
    """
    return {
        "width": WIDTH,
        "height": 240,
        "data": {"name": "differences", "values": list(rows)},
        "mark": {"type": "bar"},
        "encoding": {
            "x": {
                "field": "topic",
                "type": "nominal",
                "sort": {"field": "place"},
                "title": "topic, largest difference first",
                "axis": {"labelAngle": -90, "labelOverlap": True, "labelFontSize": 10, "labelLimit": 90},
            },
            "y": {"field": "difference", "type": "quantitative", "title": "first − second"},
            "color": {
                "field": "better",
                "type": "nominal",
                "title": "better",
                "scale": {"domain": ["first", "second", "none"], "range": [BLUE, ORANGE, GREY]},
                "legend": {"orient": "top", "values": ["first", "second"]},
            },
            "tooltip": [{"field": field} for field in ("topic", "first", "second", "difference")],
        },
    }
