"""One list in the plane of URS and SRS (P2, Figure 1), and along the documents (P2, Figures 3 and 4)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.adm.distance import distances
from mensura.render.charts.draw import BLUE, GREY, ORANGE, RED
from mensura.render.numbers import fixed

if TYPE_CHECKING:
    from mensura.adm.distance import Distances
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM
    from mensura.render.charts.draw import Description

SIDE = 380
SENSES = ("scored too high", "scored too low")
KINDS = ("URS of the documents", "SRS", "median SRS of a level")
CROSS = "M-1,-1L1,1M-1,1L1,-1"
CLOSE = 1e-9
CROWD = 150  # documents that are drawn small
UNIT: dict[str, Any] = {"domain": [0, 1], "nice": False}


def plane(judged: JudgedRuns, system: str, topic: str, measure: ADM) -> Description:
    """Documents as points in the plane of URS and SRS, with arrows to where SRS equals URS.

    Documents of one level have the same URS; they are drawn side by side, from the first rank to the last.
    """
    documents = distances(judged, system, topic, measure)
    return {"title": _title(documents), **_plane(documents)}


def along(judged: JudgedRuns, system: str, topic: str, measure: ADM) -> Description:
    """Documents by level, and within a level by SRS: their URS as steps, their SRS, and the median SRS of each level."""
    documents = distances(judged, system, topic, measure)
    return {"title": _title(documents), **_along(documents)}


def both(judged: JudgedRuns, system: str, topic: str, measure: ADM) -> Description:
    """The plane, and beside it the documents by level."""
    documents = distances(judged, system, topic, measure)
    return {
        "title": _title(documents),
        "hconcat": [_plane(documents), _along(documents)],
        "spacing": 30,
        "resolve": {"scale": {"color": "independent", "shape": "independent"}},
    }


def _title(documents: Distances) -> Description:
    return {
        "text": f"{documents.system}, topic {documents.topic}: {documents.measure} = {fixed(documents.value)}",
        "subtitle": f"{len(documents.rank)} documents, mean distance {fixed(1 - documents.value)}",
    }


def _plane(documents: Distances) -> Description:
    levels = sorted(set(documents.levels))  # none, if URS is continuous: documents are then drawn where they are
    half = 0.38 * min((high - low for low, high in pairwise(levels)), default=0.25) if levels else 0.0
    x = {
        "field": "x",
        "type": "quantitative",
        "title": "URS, by grade" if levels else "URS",
        "scale": UNIT,
        "axis": {"values": levels, "format": ".3~f"} if levels else {"format": ".3~f"},
    }
    y = {"field": "srs", "type": "quantitative", "title": "SRS", "scale": UNIT}
    rows = _rows(documents, half)
    colour = {
        "field": "sense",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(SENSES), "range": [ORANGE, BLUE]},
        "legend": {"orient": "bottom"},
    }
    tooltip = [{"field": key} for key in ("rank", "grade", "score", "srs", "urs", "distance")]
    ground = {"x": x, "y": y | {"field": "y"}}
    stretches = [{"x": level - half, "x2": level + half, "y": level} for level in levels]
    moved = [row for row in rows if row["distance"] > CLOSE]
    many = len(rows) > CROWD
    return {
        "width": SIDE,
        "height": SIDE,
        "layer": [
            {
                "data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
                "mark": {"type": "line", "color": GREY, "strokeDash": [2, 3]},
                "encoding": ground,
            },
            {
                "data": {"values": stretches},
                "mark": {"type": "rule", "color": "#444", "strokeWidth": 1},
                "encoding": ground | {"x2": {"field": "x2"}},
            },
            {
                "data": {"values": moved},
                "mark": {"type": "rule", "strokeWidth": 1, "opacity": 0.35 if many else 0.8},
                "encoding": {"x": x, "y": y, "y2": {"field": "urs"}, "color": colour},
            },
            {
                "data": {"values": moved},
                "mark": {"type": "point", "filled": True, "size": 12 if many else 26, "opacity": 0.8},
                "encoding": {
                    "x": x,
                    "y": y | {"field": "urs"},
                    "color": colour,
                    "shape": {
                        "field": "sense",
                        "type": "nominal",
                        "title": None,
                        "scale": {"domain": list(SENSES), "range": ["triangle-down", "triangle-up"]},
                        "legend": {"orient": "bottom"},
                    },
                },
            },
            {
                "data": {"values": rows},
                "mark": {
                    "type": "point",
                    "size": 12 if many else 34,
                    "color": "#222",
                    "fill": "white",
                    "opacity": 1,
                    "strokeWidth": 1,
                },
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
            {
                "data": {"values": [row for row in rows if row["distance"] <= CLOSE]},
                "mark": {"type": "point", "filled": True, "size": 34, "color": "#222", "opacity": 1},
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
        ],
    }


def _rows(documents: Distances, half: float) -> list[dict[str, Any]]:
    """The documents; those of one level next to each other."""
    rows = []
    distance = documents.distance
    for level in sorted(set(documents.urs.tolist())):
        members = np.flatnonzero(documents.urs == level)
        offsets = np.linspace(-half, half, len(members)) if len(members) > 1 else np.zeros(1)
        for at, offset in zip(members.tolist(), offsets.tolist(), strict=True):
            score = float(documents.score[at])
            rows.append(
                {
                    "x": min(max(level + offset, 0.0), 1.0),
                    "rank": int(documents.rank[at]) or "not retrieved",
                    "grade": documents.grade[at].item() if documents.grade[at] >= 0 else "not judged",
                    "score": None if np.isnan(score) else score,
                    "srs": float(documents.srs[at]),
                    "urs": level,
                    "distance": float(distance[at]),
                    "sense": SENSES[0] if documents.srs[at] > level else SENSES[1],
                }
            )
    return rows


def _along(documents: Distances) -> Description:
    order = np.lexsort((-documents.srs, -documents.urs))
    urs, srs = documents.urs[order], documents.srs[order]
    points = [{"place": place, "value": float(score), "kind": KINDS[1]} for place, score in enumerate(srs, start=1)]
    steps = [
        {"place": place + side, "value": float(level), "kind": KINDS[0]}
        for place, level in enumerate(urs, start=1)
        for side in (-0.5, 0.5)
        if (place == 1 and side < 0) or (place == len(urs) and side > 0) or urs[place - 2 if side < 0 else place] != level
    ]
    crosses, start = [], 0
    for _, number, median in documents.medians():
        crosses.append({"place": start + (number + 1) / 2, "value": median, "kind": KINDS[2]})
        start += number
    x = {
        "field": "place",
        "type": "quantitative",
        "title": "documents, by level of URS and then by SRS",
        "scale": {"domain": [0.5, len(urs) + 0.5], "nice": False},
        "axis": {"tickMinStep": 1, "format": "d", "grid": False},
    }
    y = {"field": "value", "type": "quantitative", "title": "URS and SRS", "scale": UNIT}
    colour = {
        "field": "kind",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(KINDS), "range": ["#222", BLUE, RED]},
        "legend": {"orient": "bottom", "labelLimit": 260, "columns": 3},
    }
    shape = colour | {"scale": {"domain": list(KINDS), "range": ["stroke", "circle", CROSS]}}
    encoding = {"x": x, "y": y, "color": colour}
    marks = encoding | {"shape": shape}  # one legend for colours and shapes: a line, a circle and a cross
    return {
        "width": SIDE + 60,
        "height": SIDE,
        "layer": [
            {"data": {"values": steps}, "mark": {"type": "line", "strokeWidth": 2}, "encoding": encoding},
            {
                "data": {"values": points},
                "mark": {"type": "point", "filled": False, "size": 24, "opacity": 0.9},
                "encoding": marks,
            },
            {
                "data": {"values": crosses},
                "mark": {"type": "point", "size": 120, "strokeWidth": 2.5, "opacity": 1},
                "encoding": marks,
            },
        ],
    }
