"""The table of a comparison for a paper: systems × measures, the best in bold, with marks of significance."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mensura.render.numbers import ci, fixed, general, group_ranges
from mensura.render.tables import Marked, Table
from mensura.stats.results import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mensura.stats.compared import Comparison

DAGGERS = ("†", "‡", "§", "¶", "*")
FEW = 4  # letters that are written out; more are a range
FIGURE_SPACE = "\u2007"  # as wide as a digit


def paper_table(comparisons: Sequence[Comparison], *, digits: int | None = None, intervals: bool = False) -> Table:
    """Means of all systems by each measure, best by the first measure first.

    Marks are daggers for significant differences from baselines, else letters of the groups that do not differ. ``intervals`` adds
    the confidence interval of each mean.
    """
    first = comparisons[0]
    names = list(dict.fromkeys(system for each in comparisons for system in (each.systems[at] for at in each.ranking)))
    daggers = _daggers(comparisons)
    columns: list[list[str]] = [[Marked(name, daggers.get(name, "")) for name in names]]
    header, align, above, strong = ["system"], "l", [("", 1)], set()
    for each in comparisons:
        heading = f"{each.name} ↓" if each.direction == "lower" else each.name
        decimals = each.decimals if digits is None else digits
        at = {system: number for number, system in enumerate(each.systems)}
        marks, places = _marks(each, daggers), each.places.tolist()
        numbers = _padded([fixed(each.mean[at[name]], decimals) if name in at else "–" for name in names])
        strong |= {(row, len(columns)) for row, name in enumerate(names) if name in at and places[at[name]] == 1 and len(at) > 1}
        columns.append([Marked(number, marks.get(name, "")) for number, name in zip(numbers, names, strict=True)])
        header.append("mean" if intervals else heading)
        align += "m"
        above.append((heading, 2))
        if intervals:
            columns.append([_bracket(each, at[name], decimals) if name in at else "–" for name in names])
            header.append(ci(each.alpha))
            align += "c"
    return Table(
        header,
        list(zip(*columns, strict=True)),
        align,
        caption=_caption(comparisons, daggers, first),
        label="comparison",
        above=above if intervals else (),
        strong=strong,
    )


def _bracket(comparison: Comparison, system: int, decimals: int) -> str:
    number = partial(fixed, decimals=decimals)
    return f"[{number(comparison.low[system])}, {number(comparison.high[system])}]"


def _padded(numbers: list[str]) -> list[str]:
    """Numbers as long as the longest, so that their points are below each other where the column is aligned on the left."""
    longest = max(len(number.split(".")[0]) for number in numbers)
    return [FIGURE_SPACE * (longest - len(number.split(".")[0])) + number for number in numbers]


def _daggers(comparisons: Iterable[Comparison]) -> dict[str, str]:
    """The mark of each baseline."""
    baselines = dict.fromkeys(each.systems[system] for each in comparisons for system in each.outcome.pairs.baselines)
    return {name: DAGGERS[at] if at < len(DAGGERS) else f"({at + 1})" for at, name in enumerate(baselines)}


def _marks(comparison: Comparison, daggers: dict[str, str]) -> dict[str, str]:
    """The marks of each system: daggers of the baselines that it differs from, or the letters of its groups."""
    pairs, systems = comparison.outcome.pairs, comparison.systems
    if not pairs.baselines:
        short = group_ranges(comparison.groups, comparison.group_names)
        return {systems[system]: _joined(names) or short[system] for system, names in comparison.group_letters.items()}
    marks: dict[str, str] = {}
    rows = zip(pairs.first.tolist(), pairs.second.tolist(), comparison.significant.tolist(), strict=True)
    for one, other, significant in rows:
        if significant:
            marks[systems[one]] = marks.get(systems[one], "") + daggers[systems[other]]
    return marks


def _joined(names: Sequence[str]) -> str:
    """A few letters without anything between them; empty for many, or if letters have become double."""
    return "".join(names) if len(names) <= FEW and all(len(name) == 1 for name in names) else ""


def _caption(comparisons: Sequence[Comparison], daggers: dict[str, str], first: Comparison) -> str:
    """The reading of the table in two sentences: the means, and the marks with the test behind them."""
    families, topics = {str(each.family) for each in comparisons}, plural(first.outcome.topics, "topic")
    family = families.pop() if len(families) == 1 else "each family of tests corrected by itself"
    how = f"{first.method.title}; {family}; α = {general(first.alpha)}"
    if daggers:
        marked = "; ".join(f"{mark} differs significantly from {name}" for name, mark in daggers.items())
        return f"Means over {topics}, the best in bold. {marked} ({how})."
    if any(each.groups for each in comparisons):
        within = "Within a measure, systems" if len(comparisons) > 1 else "Systems"
        return f"Means over {topics}, the best in bold. {within} that share a letter do not differ significantly ({how})."
    return f"Means over {topics}, the best in bold."
