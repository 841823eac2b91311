"""Runs against their ideal rankings and rankings against one reference (P1): point, area and A-corr over ranks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mensura.render.charts.draw import THEME
from mensura.render.charts.rankings import NOTHING, by_sign, shown_ranks
from mensura.render.numbers import fixed, general

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.rankings.ideal import IdealCurves
    from mensura.rankings.reference import ReferenceComparison
    from mensura.render.charts.draw import Description

    Series = tuple[str, Sequence[float], Sequence[float], Sequence[float]]

COLOURS: list[str] = THEME["range"]["category"]
DASHES = ([1, 0], [6, 3], [2, 2])  # the second half of eight colours is dashed, so that curves can be told apart without colours
READABLE = 8  # curves
SIGNS = ("loses: belongs further down", "recovers: belongs further up")
WIDTH = 560
PANELS = (("point", "point P(i)", 230), ("area", "area A(i)", 150), ("a_corr", "A-corr(i)", 150))


def ideal_chart(curves: IdealCurves, about: str) -> Description:
    """Curves of one topic: point, area and A-corr of every system; of one system alone, its misplacements and CRP too.

    ``about`` names the ideal ranking for the title.
    """
    series = [
        (name, curves.point[at, 0].tolist(), curves.area[at, 0].tolist(), curves.a_corr[at, 0].tolist())
        for at, name in enumerate(curves.systems)
    ]
    chart = _chart(series, "rank in the run")
    if len(series) == 1:
        ends = f"A-corr {fixed(series[0][3][-1])}, CRP {general(curves.relative_position[0, 0, -1])} at rank {len(series[0][1])}"
        chart["title"] = {"text": f"{series[0][0]} against {about}", "subtitle": ends}
        chart["vconcat"][0]["layer"].append(_relative_position(curves))
        chart["vconcat"].insert(1, _bars(curves, chart["vconcat"][0]["layer"][0]["encoding"]["x"]))
    else:
        chart["title"] = {"text": f"{len(series)} runs against {about}", "subtitle": _order(series)}
    return chart


def reference_chart(comparison: ReferenceComparison) -> Description:
    """Point, area and A-corr of every ranking against the reference."""
    series = [
        (name, each.point.tolist(), each.area.tolist(), each.a_corr_curve.tolist()) for name, each in comparison.comparisons.items()
    ]
    rankings = "1 ranking" if len(series) == 1 else f"{len(series)} rankings"
    title = {"text": f"{rankings} against {comparison.reference}", "subtitle": _order(series)}
    return {"title": title, **_chart(series, "rank in the ranking")}


def _order(series: Sequence[Series]) -> str:
    """Name the best and the worst by A-corr at the end of the curves."""
    ends = sorted(((curves[3][-1], curves[0]) for curves in series if not math.isnan(curves[3][-1])), reverse=True)
    if not ends:
        return "A-corr is not defined: the rankings order nothing"
    if len(ends) == 1:
        return f"A-corr {fixed(ends[0][0])}"
    return f"A-corr at the end from {fixed(ends[0][0])} ({ends[0][1]}) to {fixed(ends[-1][0])} ({ends[-1][1]})"


def _chart(series: Sequence[Series], axis: str) -> Description:
    """Panels over the same ranks, with one legend; the legend has the order of the curves at their ends, the best first."""
    names = [curves[0] for curves in sorted(series, key=lambda curves: -(_defined(curves[3][-1]) or 0.0))]
    longest = max(len(curves[1]) for curves in series)
    rows: list[dict[str, Any]] = []
    for name, point, area, a_corr in series:
        rows.append({"rank": 0, "system": name, "point": 0.0, "area": 0.0, "a_corr": None})
        rows += [
            {"rank": at + 1, "system": name, "point": point[at], "area": area[at], "a_corr": _defined(a_corr[at])}
            for at in shown_ranks(len(point), max(40, 2400 // len(series)))
        ]
    scale = {"domain": [0, longest + 0.5], "nice": False, "padding": 0}
    ticks = {"tickMinStep": 1, "format": "d"}
    untitled = {"field": "rank", "type": "quantitative", "scale": scale, "axis": {"title": None, **ticks}}
    x = untitled | {"axis": {"title": axis, **ticks}}
    identity: dict[str, Any] = {
        "color": {
            "field": "system",
            "type": "nominal",
            "title": None,
            "scale": {"domain": names, "range": [COLOURS[at % len(COLOURS)] for at in range(len(names))]},
        },
        "strokeDash": {
            "field": "system",
            "type": "nominal",
            "title": None,
            "scale": {"domain": names, "range": [DASHES[at * 2 // len(COLOURS) % len(DASHES)] for at in range(len(names))]},
        },
    }
    legend = {
        "orient": "bottom",
        "columns": 4,
        "labelLimit": 125,
        "symbolType": "stroke",
        "symbolSize": 300,
        "symbolStrokeWidth": 2,
    }
    for channel in identity.values():
        channel["legend"] = legend if len(names) > 1 else None
    return {
        "data": {"values": rows},
        "vconcat": [_panel(*panel, x if panel == PANELS[-1] else untitled, identity) for panel in PANELS],
        "spacing": 14,
        "resolve": {"scale": {"color": "independent" if len(series) == 1 else "shared"}},
    }


def _panel(field: str, title: str, height: int, x: dict[str, Any], identity: dict[str, Any]) -> Description:
    y = {"field": field, "type": "quantitative", "title": title, "scale": {"zero": field != "a_corr"}}
    tooltip = [{"field": "system"}, {"field": "rank"}, {"field": field, "title": title}]
    mark = {"type": "line", "strokeWidth": 1.8}
    return {
        "width": WIDTH,
        "height": height,
        "layer": [{"mark": mark, "encoding": {"x": x, "y": y, **identity, "tooltip": tooltip}}],
    }


def _relative_position(curves: IdealCurves) -> Description:
    """Cumulated relative position beside the point curve, dotted and labelled at its end."""
    values = curves.relative_position[0, 0].tolist()
    rows = [{"rank": at + 1, "crp": values[at]} for at in shown_ranks(len(values))]
    x = {"field": "rank", "type": "quantitative"}
    y = {"field": "crp", "type": "quantitative"}
    label = {"type": "text", "align": "right", "dy": -8, "color": "#555"}
    return {
        "data": {"values": rows},
        "layer": [
            {"mark": {"type": "line", "color": "#777", "strokeDash": [2, 2]}, "encoding": {"x": x, "y": y}},
            {"data": {"values": rows[-1:]}, "mark": label, "encoding": {"x": x, "y": y, "text": {"value": "CRP"}}},
        ],
    }


def _bars(curves: IdealCurves, x: dict[str, Any]) -> Description:
    """Misplacements of one run, coloured by their sign."""
    moved = curves.misplacements[0, 0].tolist()
    rows = [
        {"rank": at + 1, "moved": moved[at], "sign": SIGNS[0] if moved[at] > 0 else SIGNS[1]}
        for at in shown_ranks(len(moved))
        if abs(moved[at]) > NOTHING
    ]
    return {
        "data": {"values": rows},
        "width": WIDTH,
        "height": 110,
        "mark": {"type": "bar", "width": max(1.0, min(18.0, 420 / len(moved)))},
        "encoding": {
            "x": x,
            "y": {"field": "moved", "type": "quantitative", "title": "F(k) − k"},
            "color": by_sign(SIGNS),
            "tooltip": [{"field": "rank"}, {"field": "moved", "title": "F(k) − k"}],
        },
    }


def _defined(value: float) -> float | None:
    """JSON has no NaN."""
    return None if math.isnan(value) else value
