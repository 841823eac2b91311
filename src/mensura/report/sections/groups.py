"""Groups of systems that do not differ significantly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.markup import Markup, column, join, table, tag
from mensura.render.numbers import share, shown
from mensura.stats.groups import letters
from mensura.stats.results import plural

if TYPE_CHECKING:
    from mensura.report.build import Report
    from mensura.stats.compared import Comparison


def groups(report: Report) -> Markup:
    """A table of groups per measure."""
    first = report.comparisons[0]
    intro = (
        "A group is a stretch of the ranking in which no two systems differ significantly. Groups overlap: that two systems "
        f"are not told apart does not make them equal. Test: {first.method.title}; correction: {first.family}; α = {first.alpha:g}."
    )
    return join([tag("p", intro), *(_table(made) for made in report.comparisons)])


def _table(made: Comparison) -> Markup:
    place = {system: at for at, system in enumerate(made.ranking, start=1)}
    rows = []
    for at, group in enumerate(made.groups):
        ends = [f"{made.systems[system]} ({shown(float(made.mean[system]), made.decimals)})" for system in (group[0], group[-1])]
        places = f"{place[group[0]]}–{place[group[-1]]}" if len(group) > 1 else str(place[group[0]])
        rows.append([letters(at), ends[0], ends[1] if len(group) > 1 else "–", places, str(len(group))])
    head = [
        *(column(text, number=False) for text in ("group", "from", "to")),
        *(column(text) for text in ("places", "systems")),
    ]
    found, pairs = int(made.significant.sum()), len(made.outcome.pairs)
    told = f"{found} of {plural(pairs, 'pair')} ({share(found, pairs)}) {'differs' if found == 1 else 'differ'} significantly"
    caption = f"{made.measure}: {plural(len(made.groups), 'group')}; {told}"
    return table(caption, [head], rows, left=3, class_="groups")
