"""The leaderboard: means with intervals and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.charts.comparison import interval_plot
from mensura.render.markup import Markup, column, join, table, tag
from mensura.render.numbers import group_names, shown
from mensura.report.figures import Figure, draw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.report.build import Report
    from mensura.stats.compared import Comparison

ABREAST = 3  # measures that fit beside each other on paper


def leaderboard(report: Report) -> Markup:
    """Tables of all systems, a few measures each, and a picture per measure."""
    made = report.comparisons
    tables = [_table(report, made[at : at + ABREAST], at) for at in range(0, len(made), ABREAST)]
    figures = [
        draw(
            Figure(
                f"means-{at + 1}",
                f"{each.measure}: means with their own {_level(each)} confidence intervals, and groups of systems (orange bars) "
                "in which no two differ significantly.",
                interval_plot(each),
            )
        )
        for at, each in enumerate(made)
    ]
    intro = (
        f"Ordered by {made[0].measure}. An interval says how well a mean is known by itself, not whether two systems differ; "
        "that is what groups say: systems that share a letter do not differ significantly. Means have no more decimals than one "
        "relevant document, and the interval, support."
    )
    return join([tag("p", intro), *tables, *figures])


def _level(made: Comparison) -> str:
    return f"{100 * (1 - made.alpha):g} %"


def _table(report: Report, made: Sequence[Comparison], first: int) -> Markup:
    leading = report.comparisons[0]
    top, second = [column("", number=False, span=2)], [column("place", sort=True), column("system", number=False, sort=True)]
    places = []
    for at, each in enumerate(made):
        own = first + at > 0
        arrow = " (lower is better)" if each.measure.direction == "lower" else ""
        top.append(column(f"{each.measure}{arrow}", number=False, span=4 if own else 3))
        second += [column("place", sort=True)] if own else []
        second += [column("mean", sort=True), column(f"{_level(each)} interval"), column("group", number=False)]
        places.append({system: place for place, system in enumerate(each.ranking, start=1)})
    groups = [group_names(each.groups) for each in made]
    rows = []
    for place, system in enumerate(leading.ranking, start=1):
        cells: list[object] = [str(place), leading.systems[system]]
        for at, each in enumerate(made):
            if first + at > 0:
                cells.append(str(places[at][system]))
            low, high = (shown(float(bound[system]), each.decimals) for bound in (each.low, each.high))
            cells += [
                shown(float(each.mean[system]), each.decimals),
                f"{low} … {high}",
                tag("span", groups[at][system], class_="g"),
            ]
        rows.append(cells)
    topics = len(leading.topics)
    caption = f"Leaderboard: means over {topics} topics, {len(leading.systems)} systems"
    return table(caption, [top, second], rows, left=2, header=1, class_="leaderboard sortable")
