"""The leaderboard: means with intervals, and groups of systems that do not differ significantly."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mensura.render.charts.comparison import interval_plot
from mensura.render.html import Element, Figure
from mensura.render.numbers import fixed, named, span
from mensura.render.tables import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.render.report.measured import Measured, PageValues
    from mensura.render.tables import Format

ABREAST = 3  # measures that fit beside each other on paper


def leaderboard(shown: PageValues) -> list[Any]:
    """Tables of all systems, a few measures each, and a chart per measure."""
    measured = shown.measured
    intro = (
        f"Ordered by {measured[0].name}. An interval says how well a mean is known by itself, not whether two systems differ; "
        "that is what groups say: systems that share a letter do not differ significantly. Means have no more decimals than one "
        "relevant document, and the interval, support."
    )
    charts = [interval_plot(each) for each in shown.each]
    figures = [
        Figure(
            f"means-{at}",
            f"{each.name}: means with their own {each.level} confidence intervals, and groups of systems (orange bars) "
            "in which no two differ significantly.",
            chart,
        )
        for at, (each, chart) in enumerate(zip(measured, charts, strict=True), start=1)
    ]
    tables = [_table(measured, at) for at in range(0, len(measured), ABREAST)]
    return [Element("p", [intro]), *tables, *figures]


def _table(measured: Sequence[Measured], first: int) -> Table:
    """The table of the measures from ``first`` on; all are in the order of the first measure of the report."""
    leading = measured[0]
    above, header, align = [("", 2)], ["rank", "system"], "rl"
    formats: list[Format | None] = [None, None]
    columns: list[Sequence[Any]] = [[leading.place[system] for system in leading.ranking], leading.systems]
    sortable = {0, 1}
    for each in measured[first : first + ABREAST]:
        lower = "" if each.higher else " (lower is better)"
        places = [] if each is leading else ["rank"]
        above.append((f"{each.name}{lower}", 3 + len(places)))
        sortable |= {len(header), len(header) + len(places)}
        header += [*places, "mean", each.interval, "group"]
        align += "r" * len(places) + "rrl"
        decimals = each.decimals
        formats += [*[None] * len(places), partial(fixed, decimals=decimals), partial(span, decimals=decimals), None]
        columns += [[each.place[system] for system in leading.ranking]] if places else []
        columns += [
            [each.mean[system] for system in leading.ranking],
            [(each.low[system], each.high[system]) for system in leading.ranking],
            [Element("span", [each.letters[system]], {"class": "g"}) for system in leading.ranking],
        ]
    return Table(
        header,
        list(zip(*columns, strict=True)),
        align,
        formats,
        f"Leaderboard: means over {leading.topics} topics, {len(leading.ranking)} systems",
        above=above,
        kind="leaderboard sortable",
        names=1,
        sortable=sortable,
    )


def groups(shown: PageValues) -> list[Any]:
    """A table of groups per measure."""
    first = shown.measured[0]
    intro = (
        "No two systems of a group differ significantly, and any two that do not are in a common group. Groups overlap: that two "
        "systems do not differ significantly does not make them equal. "
        f"Test: {first.test}; correction: {first.family}; α = {first.alpha}."
    )
    return [Element("p", [intro]), *map(_groups, shown.measured)]


def _groups(each: Measured) -> Table:
    rows, position = [], {system: at for at, system in enumerate(each.ranking, start=1)}
    for letter, group in zip(each.group_names, each.groups, strict=True):
        ends = [(each.names[system], each.mean[system]) for system in (group[0], group[-1])]
        ranks = _ranks([position[system] for system in group])
        rows.append((letter, ends[0], ends[1] if len(group) > 1 else None, ranks, len(group)))
    form = partial(named, decimals=each.decimals)
    caption = f"{each.name}: {len(rows)} group{'' if len(rows) == 1 else 's'}; {each.differing}"
    return Table(["group", "from", "to", "ranks", "systems"], rows, "lll", [None, form, form], caption, kind="groups")


def _ranks(positions: Sequence[int]) -> str:
    """Positions in the ranking in short: those that follow each other are a range."""
    ranges: list[list[int]] = []
    for position in sorted(positions):
        if ranges and ranges[-1][1] == position - 1:
            ranges[-1][1] = position
        else:
            ranges.append([position, position])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ranges)
