"""Charts of systems for ADM: reliability diagrams, and the stability of rankings with more topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.adm.reliability_diagram import reliability
from mensura.render.charts.draw import BLUE, GREEN, GREY
from mensura.render.numbers import fixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.adm.calibration import Calibration
    from mensura.adm.stability import Stability
    from mensura.judged.runs import JudgedRuns
    from mensura.render.charts.draw import Description

SIDE = 190
COLUMNS = 4
SERIES = ("as normalised", "learnt from judgments, on other topics")


def reliability_chart(judged: JudgedRuns, calibration: Calibration, systems: Sequence[str]) -> Description:
    """For each system, the mean URS of its documents by SRS, as the measure normalises and as learnt; the diagonal is right."""
    charts = [_one(judged, calibration, system) for system in systems]
    return {
        "title": {
            "text": "Reliability: how relevant are documents that are scored so high?",
            "subtitle": f"{calibration.measure}; a point is a bin of SRS, its size the number of documents; the diagonal is right",
        },
        "columns": COLUMNS,
        "concat": charts,
        "spacing": 24,
    }


def _one(judged: JudgedRuns, calibration: Calibration, system: str) -> Description:
    normal = reliability(judged, system, calibration.measure)
    learnt = reliability(judged, system, calibration.measure, calibration.predicted)
    rows = [
        {"srs": float(srs), "urs": float(urs), "documents": int(number), "series": name}
        for name, each in zip(SERIES, (normal, learnt), strict=True)
        for srs, urs, number in zip(each.srs, each.urs, each.documents, strict=True)
    ]
    scale = {"domain": [0, 1], "nice": False}
    x = {"field": "srs", "type": "quantitative", "title": "mean SRS", "scale": scale, "axis": {"values": [0, 0.5, 1]}}
    y = {"field": "urs", "type": "quantitative", "title": "mean URS", "scale": scale, "axis": {"values": [0, 0.5, 1]}}
    colour = {
        "field": "series",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(SERIES), "range": [BLUE, GREEN]},
        "legend": {"orient": "bottom", "labelLimit": 300, "columns": 2},
    }
    size = {"field": "documents", "type": "quantitative", "scale": {"range": [12, 220]}, "legend": None}
    tooltip = [{"field": key} for key in ("series", "srs", "urs", "documents")]
    return {
        "title": {"text": system, "fontSize": 12, "subtitle": f"error {fixed(normal.error, 3)}, learnt {fixed(learnt.error, 3)}"},
        "width": SIDE,
        "height": SIDE,
        "layer": [
            {
                "data": {"values": [{"srs": 0, "urs": 0}, {"srs": 1, "urs": 1}]},
                "mark": {"type": "line", "color": GREY, "strokeDash": [3, 3]},
                "encoding": {"x": x, "y": y},
            },
            {"data": {"values": rows}, "mark": {"type": "line", "strokeWidth": 1.5}, "encoding": {"x": x, "y": y, "color": colour}},
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": True, "opacity": 0.85},
                "encoding": {"x": x, "y": y, "color": colour, "size": size, "tooltip": tooltip},
            },
        ],
    }


def stability_chart(topics: Sequence[Stability], documents: Sequence[Stability]) -> Description:
    """Mean τ with the ranking from all topics, and from all documents."""
    parts = [_curves(each, what) for each, what in ((topics, "topics"), (documents, "documents")) if each]
    return {
        "title": {"text": "How soon is the ranking of systems stable?", "subtitle": "dashed: τ = 0.9"},
        "hconcat": parts,
        "spacing": 30,
        "resolve": {"scale": {"color": "independent"}},
    }


def _curves(stabilities: Sequence[Stability], what: str) -> Description:
    rows: list[dict[str, Any]] = [
        {"size": size, "tau": float(tau), "measure": str(each.measure)}
        for each in stabilities
        for size, tau in zip(each.sizes, each.whole, strict=True)
    ]
    x = {"field": "size", "type": "quantitative", "title": f"number of {what}", "scale": {"type": "log", "nice": False}}
    y = {"field": "tau", "type": "quantitative", "title": f"τ with all {what}", "scale": {"domain": [0, 1], "clamp": True}}
    return {
        "width": 380,
        "height": 280,
        "layer": [
            {
                "data": {"values": [{"tau": 0.9}]},
                "mark": {"type": "rule", "strokeDash": [4, 3], "color": GREY},
                "encoding": {"y": y},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "line", "point": {"size": 26}},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": {
                        "field": "measure",
                        "type": "nominal",
                        "title": None,
                        "sort": [str(each.measure) for each in stabilities],
                        "legend": {"orient": "bottom", "labelLimit": 400, "columns": 1},
                    },
                    "tooltip": [{"field": key} for key in ("measure", "size", "tau")],
                },
            },
        ],
    }
