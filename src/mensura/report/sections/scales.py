"""The measure's own scale against its interval scale."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mensura.render.charts.places import places_chart
from mensura.render.markup import Markup, column, join, subscript, table, tag
from mensura.render.numbers import p_value, shown, whole
from mensura.report.figures import Figure, draw

if TYPE_CHECKING:
    from mensura.report.build import Report
    from mensura.report.scales import ScaleChange

MOST = 12  # decisions that are listed per measure and direction


def scales(report: Report) -> Markup:
    """What changes, per measure: the order of systems, and which decisions."""
    intro = (
        "On the interval scale of a measure, a value is replaced by its rank among all values that the measure can take, so that "
        "equal differences are equally many steps. Whether means of the measure’s own values may be taken is debated; this "
        "section shows what depends on the answer. τ_b is Kendall’s correlation between the means of the systems on both scales."
    )
    parts: list[object] = [tag("p", subscript(intro)), _overview(report)]
    moved = [(at, change) for at, change in enumerate(report.scales) if change.interval is not None]
    if moved:
        parts.append(tag("div", *(_figure(change, at) for at, change in moved), class_="beside"))
    for _, change in moved:
        parts += [_decisions(change, lost=lost) for lost in (True, False) if (change.lost if lost else change.gained)]
    return join(parts)


def _overview(report: Report) -> Markup:
    rows: list[list[object]] = []
    for change in report.scales:
        steps = "–" if change.ranked.steps is None else whole(change.ranked.steps)
        found = str(int(change.own.significant.sum()))
        if not change.known:
            rows.append([str(change.measure), change.facts.type, "–", "–", "–", found, "–", "–"])
            continue
        tau = "–" if math.isnan(change.tau) else f"{change.tau:.4f}"
        moved = [str(change.swapped), found, str(len(change.lost)), str(len(change.gained))]
        rows.append([str(change.measure), change.facts.type, steps, tau, *moved])
    head = [
        column("measure", number=False),
        column("its own scale", number=False),
        *(
            column(text)
            for text in ("steps", subscript("τ_b"), "pairs that change order", "significant pairs", "no longer", "newly")
        ),
    ]
    made = table("The interval scale against the measure’s own", [head], rows, left=2)
    notes = [tag("p", f"{change.measure}: {change.ranked.why}.", class_="note") for change in report.scales if not change.known]
    return join([made, *notes])


def _figure(change: ScaleChange, at: int) -> Markup:
    own, interval = change.own, change.interval
    if interval is None:
        return Markup("")
    before, after = ({system: place for place, system in enumerate(made.ranking, start=1)} for made in (own, interval))
    systems = own.ranking
    chart = places_chart(
        str(change.measure), [own.systems[system] for system in systems], [before[s] for s in systems], [after[s] for s in systems]
    )
    caption = (
        f"{change.measure}: places of the systems on both scales, 1 being the best. On the dashed line nothing changes; "
        "systems that move far are named."
    )
    return draw(Figure(f"scales-{at + 1}", caption, chart))


def _decisions(change: ScaleChange, *, lost: bool) -> Markup:
    """Pairs whose decision changes, the clearest change first."""
    own, interval = change.own, change.interval
    if interval is None:
        return Markup("")
    which = list(change.lost if lost else change.gained)
    which.sort(key=lambda at: own.corrected_p[at] if lost else interval.corrected_p[at])
    better = 1.0 if own.measure.direction == "higher" else -1.0
    rows = []
    for at in which[:MOST]:
        first, second = int(own.outcome.pairs.first[at]), int(own.outcome.pairs.second[at])
        estimate = float(own.outcome.estimate[at])
        if better * estimate < 0:
            first, second, estimate = second, first, -estimate
        reversed_ = own.outcome.estimate[at] * interval.outcome.estimate[at] < 0
        rows.append(
            [
                f"{own.systems[first]} – {own.systems[second]}",
                shown(estimate, own.decimals, sign=True),
                p_value(float(own.corrected_p[at])),
                p_value(float(interval.corrected_p[at])),
                "yes" if reversed_ else "no",
            ]
        )
    what = "no longer significant on the interval scale" if lost else "significant on the interval scale only"
    shown_of = f" (first {MOST} of {len(which)})" if len(which) > MOST else f" ({len(which)})"
    head = [
        column("pair, better mean first", number=False),
        *(column(text) for text in ("difference", "corrected p", "on the interval scale", "order reversed")),
    ]
    return table(f"{change.measure}: {what}{shown_of}", [head], rows)
