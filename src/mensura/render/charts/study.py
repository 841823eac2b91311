"""The charts of a study (P4, Figures 6 to 8, and its tables as charts)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.charts.draw import BLUE, GREY, ORANGE, RED, Description
from mensura.render.numbers import absent

if TYPE_CHECKING:
    from collections.abc import Sequence

    Curve = Sequence[tuple[float, float]]


def spacing_by_length(name: str, collection: str, curves: Sequence[tuple[int, Curve, Curve]]) -> Description:
    """The values of all runs of each length, in order, and those of a collection's runs (P4, Figures 6 to 8)."""
    everything, ours = "all possible runs", f"runs of {collection}"
    rows = [
        {"length": f"N = {length}", "of": of, "share": share, "value": value, "at": at}
        for length, possible, seen in curves
        for of, curve in ((everything, possible), (ours, seen))
        for at, (share, value) in enumerate(curve)
    ]
    panels = [f"N = {length}" for length, _, _ in curves]
    return {
        "title": {"text": f"{name}: how its values are spaced", "subtitle": "runs in increasing order; level stretches are ties"},
        "data": {"values": rows},
        "facet": {"column": {"field": "length", "type": "nominal", "title": None, "sort": panels}},
        "spec": {
            "width": 190,
            "height": 170,
            "mark": {"type": "line", "strokeWidth": 1.6},
            "encoding": {
                "x": {
                    "field": "share",
                    "type": "quantitative",
                    "title": "proportion of runs",
                    "axis": {"format": "%", "tickCount": 5},
                },
                "y": {"field": "value", "type": "quantitative", "title": name},
                "order": {"field": "at", "type": "quantitative"},
                "color": {
                    "field": "of",
                    "type": "nominal",
                    "title": None,
                    "scale": {"domain": [everything, ours], "range": [BLUE, ORANGE]},
                    "legend": {"orient": "bottom"},
                },
            },
        },
    }


def tau_by_length(collection: str, rows: Sequence[tuple[str, int, str, float | None]]) -> Description:
    """τ between measures and their interval-scaled versions: a panel per way to rank ties (P4, Tables 2 and 3)."""
    titles = {"unq": "distinct values ranked", "mid": "ties at the mean of their ranks"}
    labels = list(dict.fromkeys(label for label, _, _, _ in rows))
    lengths = sorted({length for _, length, _, _ in rows})
    points = [{"measure": m, "length": n, "ties": titles.get(way, way), "tau": tau} for m, n, way, tau in rows if not absent(tau)]
    x = {"field": "length", "type": "quantitative", "title": "length of runs", "axis": {"values": lengths, "format": "d"}}
    colours = {"domain": labels, "scheme": "tableau20"}
    return {
        "title": {"text": f"{collection}: τ between a measure and its interval scale", "subtitle": "1: the same leaderboard"},
        "data": {"values": points},
        "facet": {"column": {"field": "ties", "type": "nominal", "title": None, "sort": list(titles.values())}},
        "spec": {
            "width": 300,
            "height": 280,
            "mark": {"type": "line", "point": {"size": 30}, "strokeWidth": 1.6},
            "encoding": {
                "x": x | {"scale": {"zero": False, "padding": 12}},
                "y": {"field": "tau", "type": "quantitative", "title": "Kendall's τ", "scale": {"zero": False}},
                "color": {"field": "measure", "type": "nominal", "title": None, "scale": colours},
                "shape": {"field": "measure", "type": "nominal", "title": None, "scale": {"domain": labels}},
            },
        },
    }


def changed_decisions(title: str, rows: Sequence[tuple[str, str, int, int, int]]) -> Description:
    """Significant pairs of each test and measure, and those that change on the interval scale (P4, Tables 5 and 6)."""
    kinds = ("stays significant", "no longer significant", "newly significant")
    bars: list[dict[str, Any]] = []
    for measure, test, sig, s2ns, ns2s in rows:
        for at, (kind, pairs) in enumerate(zip(kinds, (sig - s2ns, s2ns, ns2s), strict=True)):
            bars.append({"measure": measure, "test": test, "kind": kind, "pairs": pairs, "at": at})
    return {
        "title": {"text": title, "subtitle": "pairs of systems, with the measure and on its interval scale"},
        "data": {"values": bars},
        "facet": {"field": "test", "type": "nominal", "title": None, "sort": list(dict.fromkeys(test for _, test, *_ in rows))},
        "columns": 4,
        "spec": {
            "width": 170,
            "height": {"step": 15},
            "mark": "bar",
            "encoding": {
                "y": {
                    "field": "measure",
                    "type": "nominal",
                    "title": None,
                    "sort": list(dict.fromkeys(measure for measure, *_ in rows)),
                },
                "x": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": {"tickCount": 4}},
                "order": {"field": "at", "type": "quantitative"},
                "color": {
                    "field": "kind",
                    "type": "nominal",
                    "title": None,
                    "scale": {"domain": list(kinds), "range": [BLUE, RED, ORANGE]},
                    "legend": {"orient": "bottom"},
                },
            },
        },
    }


def changed_places(title: str, rows: Sequence[tuple[str, str, float, float]]) -> Description:
    """The rank of each system by the mean of a measure and by its mean on the interval scale: a panel per measure."""
    points = [{"measure": m, "system": s, "by measure": before, "on scale": after} for m, s, before, after in rows]
    last = max(max(before, after) for _, _, before, after in rows)
    axis = {"type": "quantitative", "scale": {"domain": [last + 1, 0], "nice": False}, "axis": {"tickCount": 4}}
    same = {
        "data": {"values": [{"x": 1, "y": 1}, {"x": last, "y": last}]},
        "mark": {"type": "line", "color": GREY, "strokeWidth": 1},
        "encoding": {"x": axis | {"field": "x"}, "y": axis | {"field": "y"}},
    }
    panels = []
    for name in dict.fromkeys(measure for measure, *_ in rows):
        here = [point for point in points if point["measure"] == name]
        dots = {
            "data": {"values": here},
            "mark": {"type": "point", "filled": True, "size": 16, "color": BLUE, "opacity": 0.75},
            "encoding": {
                "x": axis | {"field": "by measure", "title": f"rank by {name}"},
                "y": axis | {"field": "on scale", "title": "rank on its interval scale"},
                "tooltip": [{"field": "system"}],
            },
        }
        panels.append({"width": 170, "height": 170, "layer": [same, dots]})
    return {
        "title": {"text": title, "subtitle": "systems on the line keep their rank"},
        "concat": panels,
        "columns": 4,
    }
