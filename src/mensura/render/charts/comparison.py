"""Charts of a comparison: means with intervals, p-values of pairs, the critical-difference diagram. One function each."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mensura.errors import StatisticsError
from mensura.render.charts.chart import ALIASES
from mensura.render.charts.draw import BLUE, GREY, ORANGE
from mensura.render.numbers import ci, general
from mensura.stats.tukey import studentized_range_isf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mensura.render.charts.draw import Description
    from mensura.stats.compared import Comparison

ROW = 18  # pixels for a system
NARROW = 9
MANY = 60  # systems whose rows are narrow
LETTERS = 30  # groups that can be named
MOST_DIFFERENCES = 120  # pairs in a chart of differences


class ComparisonChart(NamedTuple):
    """A chart of a comparison: the function that describes it, and the subject of the chart."""

    describe: Callable[[Comparison], Description]
    shows: str


CHARTS: dict[str, ComparisonChart] = {}
"""Charts by name: the choices of ``mensura compare --picture``."""


def chart(name: str, shows: str) -> Callable[[Callable[[Comparison], Description]], Callable[[Comparison], Description]]:
    """Register a function as the chart ``name``."""

    def register(function: Callable[[Comparison], Description]) -> Callable[[Comparison], Description]:
        CHARTS[name] = ComparisonChart(function, shows)
        return function

    return register


def describe(comparisons: Sequence[Comparison], name: str) -> Description:
    """Vega-Lite's description of a chart, one below the other for several comparisons."""
    charts = [CHARTS[ALIASES.get(name, name)].describe(comparison) for comparison in comparisons]
    return charts[0] if len(charts) == 1 else {"vconcat": charts, "spacing": 36, "resolve": {"scale": {"color": "independent"}}}


def charts_of(comparisons: Sequence[Comparison]) -> dict[str, Callable[[], Description]]:
    """The charts that there are of comparisons, by name."""
    one = comparisons[0].outcome.pairs.baselines
    names = [name for name in CHARTS if name != ("groups" if one else "")]
    return {name: partial(describe, comparisons, name) for name in names}


def _title(comparison: Comparison, what: str) -> Description:
    method, family, name = comparison.method.title, str(comparison.family), comparison.name
    return {
        "text": f"{name}: {what}",
        "subtitle": [f"{method[0].upper()}{method[1:]}", f"{family}, α = {general(comparison.alpha)}"],
    }


def _row(systems: int) -> int:
    return ROW if systems <= MANY else NARROW


def _small(systems: int) -> Description:
    return {"labelFontSize": 11 if _row(systems) == ROW else 7, "labelOverlap": False}


@chart("intervals", "means with their confidence intervals, and groups")
def interval_plot(comparison: Comparison) -> Description:
    """Means with their intervals, best first; beside them, bars that join systems without a significant difference."""
    ranking = comparison.ranking
    title = _title(comparison, "means and groups" if comparison.groups else "means and their intervals")
    names = [comparison.systems[system] for system in ranking]
    rows = [
        {
            "system": comparison.systems[system],
            "mean": float(comparison.mean[system]),
            "low": float(comparison.low[system]),
            "high": float(comparison.high[system]),
        }
        for system in ranking
    ]
    axis = {"field": "system", "type": "nominal", "sort": names, "title": None, "axis": _small(len(names))}
    height = {"step": _row(len(names))}
    means: Description = {
        "width": 420,
        "height": height,
        "data": {"values": rows},
        "encoding": {"y": axis},
        "layer": [
            {
                "mark": {"type": "rule", "color": GREY, "strokeWidth": 2},
                "encoding": {
                    "x": {
                        "field": "low",
                        "type": "quantitative",
                        "scale": {"zero": False},
                        "title": f"mean with its own {ci(comparison.alpha)}",
                        "axis": {"tickCount": 7},
                    },
                    "x2": {"field": "high"},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 55, "color": BLUE, "opacity": 1},
                "encoding": {
                    "x": {"field": "mean", "type": "quantitative"},
                    "tooltip": [{"field": key} for key in ("system", "mean", "low", "high")],
                },
            },
        ],
    }
    if not comparison.groups:
        means["title"] = title
        return means
    place = {system: at for at, system in enumerate(ranking)}
    order = comparison.group_names
    bars = [
        {"group": order[at], "from": names[first], "to": names[last], "size": last - first + 1}
        for at, group in enumerate(comparison.groups)
        for first, last in _stretches([place[system] for system in group])
    ]
    groups: Description = {
        "width": {"step": 14 if len(order) <= LETTERS else 6},
        "height": height,
        "data": {"values": bars},
        "encoding": {
            "x": {
                "field": "group",
                "type": "nominal",
                "sort": order,
                "title": "no significant difference",
                "axis": {"labelAngle": 0, "orient": "bottom", "labels": len(order) <= LETTERS, "ticks": False},
            },
            "y": {"field": "from", "type": "nominal", "sort": names, "scale": {"domain": names}, "axis": None},
        },
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 4, "color": ORANGE, "strokeCap": "round"},
                "encoding": {"y2": {"field": "to"}},
            },
            {
                "transform": [{"filter": "datum.size == 1"}],
                "mark": {"type": "point", "filled": True, "size": 30, "color": ORANGE, "opacity": 1},
            },
        ],
    }
    return {"title": title, "hconcat": [means, groups], "spacing": 12}


def _stretches(places: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of the places that follow each other without a gap: a group may leave out systems between its members."""
    stretches: list[tuple[int, int]] = []
    for place in sorted(places):
        if stretches and stretches[-1][1] == place - 1:
            stretches[-1] = (stretches[-1][0], place)
        else:
            stretches.append((place, place))
    return stretches


@chart("differences", "differences of pairs with their confidence intervals")
def difference_plot(comparison: Comparison) -> Description:
    """Differences with their intervals, largest first; those of significant pairs in colour, and a line at 0."""
    pairs, names = comparison.outcome.pairs, comparison.systems
    if len(pairs) > MOST_DIFFERENCES:
        raise StatisticsError(
            f"{len(pairs)} differences are too many for a chart, at most {MOST_DIFFERENCES}; name a baseline, or use p-values"
        )
    rows = []
    for at in np.argsort(-comparison.outcome.estimate, kind="stable").tolist():
        pair = comparison.pair_at(at)
        low, high = pair.interval
        verdict = "significant" if pair.significant else "not significant"
        bounds = {name: bound for name, bound in (("low", low), ("high", high)) if math.isfinite(bound)}  # a chart has no ∞
        row = {"pair": f"{pair.first} − {pair.second}", "difference": pair.estimate, **bounds}
        rows.append(row | {"verdict": verdict, "corrected p": pair.corrected_p})
    against = f"differences from {names[pairs.baselines[0]]}" if len(pairs.baselines) == 1 else "differences of pairs"
    of = "" if comparison.estimate_of == "values" else f" of {comparison.estimate_of}"
    colour = {
        "field": "verdict",
        "type": "nominal",
        "title": None,
        "scale": {"domain": ["significant", "not significant"], "range": [ORANGE, GREY]},
        "legend": {"orient": "bottom"},
    }
    y = {
        "field": "pair",
        "type": "nominal",
        "sort": [row["pair"] for row in rows],
        "title": None,
        "axis": {**_small(len(rows)), "labelLimit": 320},
    }
    x = {
        "type": "quantitative",
        "title": f"difference{of} with its {ci(comparison.alpha, comparison.interval_kind)}",
        "axis": {"tickCount": 7},
    }
    return {
        "title": _title(comparison, against),
        "width": 420,
        "height": {"step": _row(len(rows))},
        "data": {"values": rows},
        "layer": [
            {"mark": {"type": "rule", "strokeDash": [3, 3], "color": GREY}, "encoding": {"x": {"datum": 0}}},
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}, "y": y, "color": colour},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
                "encoding": {
                    "x": {"field": "difference", "type": "quantitative"},
                    "y": y,
                    "color": colour,
                    "tooltip": [{"field": key} for key in ("pair", "difference", "low", "high", "corrected p")],
                },
            },
        ],
    }


@chart("p-values", "corrected p-values of all pairs")
def p_value_map(comparison: Comparison) -> Description:
    """Corrected p-values of all pairs, systems in the order of their means; significant ones are coloured."""
    ranking = comparison.ranking
    names = [comparison.systems[system] for system in ranking]
    pairs = comparison.outcome.pairs
    p = pairs.square(comparison.corrected_p, np.nan)
    estimate = pairs.square(comparison.outcome.estimate, 0.0, sign=-1.0)
    cells = [
        {
            "row": comparison.systems[a],
            "column": comparison.systems[b],
            "p": float(p[a, b]),
            "difference": float(estimate[a, b]),
            "band": _band(float(p[a, b]), comparison.alpha),
        }
        for a in ranking
        for b in ranking
        if np.isfinite(p[a, b])
    ]
    bands = [f"p ≥ {general(comparison.alpha)}", *(f"p < {general(comparison.alpha / part)}" for part in (1, 5, 50))]
    step = {"step": _row(len(names))}
    return {
        "title": _title(comparison, "corrected p-values"),
        "width": step,
        "height": step,
        "data": {"values": cells},
        "mark": {"type": "rect", "stroke": "white", "strokeWidth": 0.5},
        "encoding": {
            "y": {"field": "row", "type": "nominal", "sort": names, "title": None, "axis": _small(len(names))},
            "x": {
                "field": "column",
                "type": "nominal",
                "sort": names,
                "title": None,
                "axis": {"labelAngle": -90, "orient": "top", **_small(len(names))},
            },
            "color": {
                "field": "band",
                "type": "nominal",
                "sort": bands,
                "title": "corrected p",
                "scale": {"domain": bands, "range": ["#eceef1", "#a9c7e8", "#5b94cf", "#1f4e86"]},
            },
            "tooltip": [{"field": key} for key in ("row", "column", "difference", "p")],
        },
    }


def _band(p: float, alpha: float) -> str:
    for part in (50, 5, 1):
        if p < alpha / part:
            return f"p < {general(alpha / part)}"
    return f"p ≥ {general(alpha)}"


@chart("groups", "critical-difference diagram: groups without a significant difference, on an axis of means or mean ranks")
def critical_difference(comparison: Comparison) -> Description:
    """Demšar's diagram: systems on an axis, the best to the left; thick bars join those that do not differ significantly.

    A group that leaves out systems between its members is a bar with gaps, on a thin line. Tests on ranks within topics are shown
    on mean ranks, with 1 the best; others on means. Where the test has one critical
    difference for all pairs, its length is drawn too.
    """
    if not comparison.groups:
        raise StatisticsError("a critical-difference diagram shows all pairs: leave the baseline out")
    higher = comparison.direction == "higher"
    ranks = comparison.outcome.mean_ranks
    position = comparison.mean if ranks is None else len(comparison.systems) + 1 - ranks if higher else ranks
    rising = ranks is not None or not higher  # is the best at the low end?
    order = [int(system) for system in np.argsort(position if rising else -position, kind="stable")]
    lowest, highest = float(position.min()), float(position.max())
    margin = (highest - lowest or 1.0) * 0.08
    left, right = (lowest - margin, highest + margin) if rising else (highest + margin, lowest - margin)
    half = (len(order) + 1) // 2
    bars, lanes = _lanes([group for group in comparison.groups if len(group) > 1], order, position, rising=rising)
    top = -0.5 * (lanes + 1.2)
    labels = []
    for at, system in enumerate(order):
        on_left = at < half
        labels.append(
            {
                "system": comparison.systems[system],
                "x": float(position[system]),
                "level": at + 1 if on_left else len(order) - at,
                "top": top,
                "edge": left if on_left else right,
                "side": "left" if on_left else "right",
            }
        )
    name = comparison.name if ranks is None else f"rank by {comparison.name}"
    x_scale = {"domain": sorted((left, right)), "nice": False, "zero": False, "reverse": not rising}
    y_scale = {"domain": [half + 0.6, top], "nice": False, "zero": False}
    x = _axis("x", x_scale, title=f"mean {name}, best to the left", axis={"orient": "top", "grid": False})
    y = _axis("level", y_scale, axis=None)
    at_top = _axis("top", y_scale, axis=None)
    grey: Description = {"type": "rule", "color": GREY}
    layers: list[Description] = [
        {"mark": grey, "encoding": {"x": x, "y": at_top, "y2": {"field": "level"}}},
        {"mark": grey, "encoding": {"x": x, "x2": {"field": "edge"}, "y": y}},
    ]
    layers += [
        {
            "transform": [{"filter": f"datum.side == '{side}'"}],
            "mark": {"type": "text", "align": align, "dx": shift, "fontSize": 11},
            "encoding": {"x": _axis("edge", x_scale), "y": y, "text": {"field": "system"}},
        }
        for side, align, shift in (("left", "right", -6), ("right", "left", 6))
    ]
    thick: Description = {"type": "rule", "strokeWidth": 5, "color": ORANGE, "strokeCap": "round"}
    lane = _axis("lane", y_scale, axis=None)
    thin: Description = {"type": "rule", "strokeWidth": 1, "color": ORANGE}
    layers += [
        {
            "data": {"values": [bar for bar in bars if bar["whole"] == (mark is thin)]},
            "mark": mark,
            "encoding": {"x": _axis("low", x_scale), "x2": {"field": "high"}, "y": lane},
        }
        for mark in (thin, thick)
    ]
    layers.append(
        {"mark": {"type": "point", "filled": True, "size": 45, "color": BLUE, "opacity": 1}, "encoding": {"x": x, "y": at_top}}
    )
    title = _title(comparison, "groups without a significant difference")
    critical = _critical(comparison)
    if critical is not None:
        title["subtitle"].append(f"critical difference {general(critical, 3)}")
    return {
        "title": title,
        "width": 560,
        "height": max(22 * half + 14 * lanes + 30, 90),
        "data": {"values": labels},
        "layer": layers,
    }


def _axis(field: str, scale: Description, **more: Any) -> Description:
    return {"field": field, "type": "quantitative", "scale": scale, **more}


def _lanes(
    groups: list[tuple[int, ...]], order: list[int], position: NDArray[np.float64], *, rising: bool
) -> tuple[list[Description], int]:
    """Bars for groups, those that overlap below each other: a line for the whole group, and a bar for every stretch of members."""
    ends: list[float] = []
    bars: list[Description] = []
    place = {system: at for at, system in enumerate(order)}
    for group in sorted(groups, key=lambda group: sorted(place[system] for system in group)):
        places = sorted(place[system] for system in group)
        start, stop = (float(position[order[at]]) for at in (places[0], places[-1]))
        lane = next((at for at, end in enumerate(ends) if (start > end if rising else start < end)), len(ends))
        ends[lane : lane + 1] = [stop]
        for first, last in [(places[0], places[-1]), *_stretches(places)]:
            ends_of = sorted(float(position[order[at]]) for at in (first, last))
            bars.append({"low": ends_of[0], "high": ends_of[1], "lane": 0.5 * (lane + 0.4), "whole": False})
        bars[-1 - len(_stretches(places))]["whole"] = True
    for bar in bars:  # the first lane is the uppermost
        bar["lane"] -= 0.5 * len(ends)
    return bars, len(ends)


def _critical(comparison: Comparison) -> float | None:
    """The smallest significant difference, for tests with one for all pairs."""
    outcome = comparison.outcome
    if comparison.family.correction != "tukey" or outcome.error is None or outcome.degrees is None:
        return None
    if comparison.method.scale == "ordinal" and outcome.mean_ranks is None:  # it is one of ranks, which are not shown
        return None
    alpha = comparison.alpha / comparison.family.shares
    return studentized_range_isf(alpha, len(comparison.systems), outcome.degrees) * math.sqrt(outcome.error / outcome.topics)
