"""The Hasse diagram of judged runs, coloured by their number of relevant documents (P4, Figure 2)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mensura.errors import ScaleError
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.runs import show_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.render.charts.draw import Description
    from mensura.scales.order.runs import Run

MOST_DRAWN = 256
PALETTE = ("#8a8f98", "#2f6db3", "#2e8b57", "#d97706", "#c0392b", "#7b4fa3", "#17a2b8", "#b8860b", "#444444")


def hasse(length: int, top: int = 1, marked: Sequence[Run] = ()) -> Description:
    """The runs as boxes, covers as lines, larger runs above; marked runs have a thick edge."""
    order = RunOrder(length, top)
    if order.size > MOST_DRAWN:
        raise ScaleError(f"{order.size} runs are too many to draw: at most {MOST_DRAWN}, e.g. binary runs up to length 8")
    places, bends = order.layout()
    lines = [
        {"x": x, "y": y, "x2": x2, "y2": y2}
        for (low, high), between in bends.items()
        for (x, y), (x2, y2) in pairwise([places[low], *between, places[high]])
    ]
    boxes: list[dict[str, Any]] = [
        {"run": show_run(run), "x": x, "y": y, "relevant": str(sum(run)), "marked": run in marked} for run, (x, y) in places.items()
    ]
    most = max(x for points in (places.values(), *bends.values()) for x, _ in points)
    step = 14 + 9 * length * (1 if top <= 9 else 2)  # noqa: PLR2004 - grades of one digit
    axis = {"x": {"field": "x", "type": "quantitative", "axis": None, "scale": {"domain": [-most - 0.6, most + 0.6]}}}
    axis |= {"y": {"field": "y", "type": "quantitative", "axis": None, "scale": {"domain": [-0.5, order.longest_chain + 0.5]}}}
    relevant = sorted({box["relevant"] for box in boxes}, key=int)
    colour = {
        "field": "relevant",
        "type": "nominal",
        "sort": relevant,
        "scale": {"domain": relevant, "range": [PALETTE[int(number) % len(PALETTE)] for number in relevant]},
        "legend": {"title": "relevant documents" if top == 1 else "sum of grades"},
    }
    edge = {"condition": {"test": "datum.marked", "value": 2.5}, "value": 0}
    mark = {"type": "rect", "width": step - 10, "height": 22, "cornerRadius": 4, "stroke": "#111"}
    return {
        "title": {"text": f"Judged runs of length {length}", "subtitle": "a line leads from a run up to one that covers it"},
        "width": int((2 * most + 1.2) * (step + 18)),
        "height": max(34 * (order.longest_chain + 1), 120),
        "layer": [
            {
                "data": {"values": lines},
                "mark": {"type": "rule", "color": "#777", "strokeWidth": 1.2},
                "encoding": axis | {"x2": {"field": "x2"}, "y2": {"field": "y2"}},
            },
            {"data": {"values": boxes}, "mark": mark, "encoding": axis | {"color": colour, "strokeWidth": edge}},
            {
                "data": {"values": boxes},
                "mark": {"type": "text", "color": "white", "font": "monospace", "fontSize": 12, "fontWeight": 600},
                "encoding": axis | {"text": {"field": "run"}},
            },
        ],
    }
