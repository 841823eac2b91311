"""The errors that tests make on simulated campaigns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.charts.draw import BLUE, GREY, ORANGE, Description

if TYPE_CHECKING:
    from collections.abc import Sequence

TWICE = 2  # standard errors that a bar reaches to both sides


def error_rates(title: str, rows: Sequence[tuple[str, str, str, str, float, float]], alpha: float) -> Description:
    """Rates by (measure, test, scale, kind of error, rate, standard error): a row of panels per measure, a column per kind."""
    points = [
        {
            "measure": m,
            "test": t,
            "scale": s,
            "kind": k,
            "rate": rate,
            "low": max(rate - TWICE * error, 0.0),
            "high": rate + TWICE * error,
        }
        for m, t, s, k, rate, error in rows
    ]
    tests = list(dict.fromkeys(test for _, test, *_ in rows))
    measures = list(dict.fromkeys(measure for measure, *_ in rows))
    scales = list(dict.fromkeys(scale for _, _, scale, *_ in rows))
    colour = {"field": "scale", "type": "nominal", "title": None, "scale": {"domain": scales, "range": [BLUE, ORANGE]}}
    y = {"field": "test", "type": "nominal", "title": None, "sort": tests}
    shift = {"field": "scale", "type": "nominal", "sort": scales}
    panels = []
    for measure in measures:
        pair = []
        for kind in ("Type I", "Type II"):
            here = [point for point in points if point["measure"] == measure and point["kind"] == kind]
            layers: list[Description] = [
                {
                    "mark": {"type": "rule", "strokeWidth": 1.5},
                    "encoding": {
                        "x": {
                            "field": "low",
                            "type": "quantitative",
                            "title": f"{kind} error of {measure}",
                            "axis": {"format": "%"},
                        },
                        "x2": {"field": "high"},
                        "y": y,
                        "yOffset": shift,
                        "color": colour,
                    },
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 28, "opacity": 1},
                    "encoding": {"x": {"field": "rate", "type": "quantitative"}, "y": y, "yOffset": shift, "color": colour},
                },
            ]
            if kind == "Type I":
                line = {"type": "rule", "strokeDash": [4, 3], "color": GREY}
                layers.insert(0, {"mark": line, "encoding": {"x": {"datum": alpha, "type": "quantitative"}}})
            pair.append({"data": {"values": here}, "width": 260, "height": {"step": 20, "for": "position"}, "layer": layers})
        panels.append({"hconcat": pair})
    subtitle = f"with the measure, and on its interval scale; bars: {TWICE} Monte-Carlo standard errors; dashed: α"
    return {"title": {"text": title, "subtitle": subtitle}, "vconcat": panels}
