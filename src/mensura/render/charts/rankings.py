"""Two rankings as a chart (P1): footrule and point over ranks, and the misplacements that they are computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.charts.draw import BLUE, GREY, ORANGE, RED
from mensura.render.numbers import fixed

if TYPE_CHECKING:
    from mensura.rankings.comparison import RankingComparison
    from mensura.render.charts.draw import Description

BARS = 400  # ranks that can be told apart
CURVES = ("footrule S", "point P")
NOTHING = 1e-9  # a misplacement that is only rounding
SIGNS = ("higher than in the other ranking", "lower")


def rankings_chart(comparison: RankingComparison, names: tuple[str, str]) -> Description:
    """The curves of footrule and point above, the misplacements, coloured by their sign, below, over the same ranks."""
    ranks = len(comparison.pair)
    shown = shown_ranks(ranks)
    correlations = f"A-corr {fixed(comparison.a_corr)}, ρ {fixed(comparison.spearman)}, τ_b {fixed(comparison.tau_b)}"
    title = {
        "text": f"{names[0]} against {names[1]}",
        "subtitle": f"{ranks} items, {comparison.pair.shared} in both; {correlations}",
    }
    axis = {"title": f"rank in {names[0]}", "tickMinStep": 1, "format": "d"}
    x: dict[str, Any] = {
        "field": "rank",
        "type": "quantitative",
        "scale": {"domain": [0, ranks + 0.5], "nice": False, "padding": 0},
        "axis": axis,
    }
    return {
        "title": title,
        "vconcat": [_curves(comparison, shown, x), _bars(comparison, shown, x)],
        "spacing": 18,
        "resolve": {"scale": {"color": "independent"}},
    }


def shown_ranks(ranks: int, most: int = BARS) -> list[int]:
    """Return the ranks that are drawn, from 0: all, or as many as can be told apart."""
    if ranks <= most:
        return list(range(ranks))
    return sorted({(ranks - 1) * at // (most - 1) for at in range(most)})


def _curves(comparison: RankingComparison, shown: list[int], x: dict[str, Any]) -> Description:
    start = [{"rank": 0, "value": 0.0, "curve": name} for name in CURVES]
    points = start + [
        {"rank": at + 1, "value": float(curve[at]), "curve": name}
        for name, curve in zip(CURVES, (comparison.footrule, comparison.point), strict=True)
        for at in shown
    ]
    ends = set(
        (comparison.pair.starts + comparison.pair.sizes - 1).tolist()
    )  # within a tied group, nobody knows which items come first
    zeros = [{"rank": at + 1, "value": 0.0} for at in shown if comparison.point[at] == 0 and at in ends]
    y = {"field": "value", "type": "quantitative", "title": "misplacements up to rank"}
    colour = {
        "field": "curve",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(CURVES), "range": [GREY, BLUE]},
        "legend": {"orient": "top-left"},
    }
    few = len(comparison.pair) <= BARS // 4
    return {
        "width": 560,
        "height": 260,
        "layer": [
            {
                "data": {"values": [row for row in points if row["curve"] == CURVES[1]]},
                "mark": {"type": "area", "color": BLUE, "opacity": 0.15},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": points},
                "mark": {"type": "line", "point": {"size": 22} if few else False},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": colour,
                    "tooltip": [{"field": "rank"}, {"field": "curve"}, {"field": "value"}],
                },
            },
            {
                "data": {"values": zeros},
                "mark": {"type": "point", "shape": "circle", "size": 70, "color": RED, "strokeWidth": 1.5, "filled": False},
                "encoding": {"x": x, "y": y, "tooltip": [{"field": "rank", "title": "the same items down to rank"}]},
            },
        ],
    }


def _bars(comparison: RankingComparison, shown: list[int], x: dict[str, Any]) -> Description:
    items = comparison.pair.items
    moved = comparison.misplacements.tolist()
    rows = [
        {"rank": at + 1, "moved": moved[at], "item": str(items[at]), "sign": SIGNS[0] if moved[at] > 0 else SIGNS[1]}
        for at in shown
        if abs(moved[at]) > NOTHING
    ]
    y = {"field": "moved", "type": "quantitative", "title": "F(k) − k"}
    return {
        "data": {"values": rows},
        "width": 560,
        "height": 140,
        "mark": {"type": "bar", "width": max(1.0, min(18.0, 420 / len(comparison.pair)))},
        "encoding": {
            "x": x,
            "y": y,
            "color": by_sign(SIGNS),
            "tooltip": [{"field": "rank"}, {"field": "item"}, {"field": "moved", "title": "F(k) − k"}],
        },
    }


def by_sign(signs: tuple[str, str]) -> Description:
    """The colours of misplacements by the names of their signs, with a legend."""
    return {
        "field": "sign",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(signs), "range": [ORANGE, BLUE]},
        "legend": {"orient": "bottom", "labelLimit": 300},
    }
