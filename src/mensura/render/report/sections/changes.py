"""Changes between the measure's own scale and its interval scale."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mensura.render.charts.places import places_chart
from mensura.render.html import Element, Figure, subscript
from mensura.render.numbers import fixed, p_value, whole
from mensura.render.tables import Table

if TYPE_CHECKING:
    from mensura.render.report.measured import Measured, PageValues
    from mensura.report.scales import ScaleChange
    from mensura.stats.compared import Comparison

MOST = 12  # decisions that are listed per measure and direction


def changes(shown: PageValues) -> list[Any]:
    """Order of systems and decisions that change, per measure."""
    intro = (
        "On the interval scale of a measure, a value is replaced by its rank among all values that the measure can take, so that "
        "equal differences are equally many steps. Whether means of the measure’s own values may be taken is debated; this "
        "section shows what depends on the answer. τ_b is Kendall’s correlation between the means of the systems on both scales."
    )
    every = list(zip(shown.measured, shown.report.scales, strict=True))
    moved = [(each, change, change.interval) for each, change in every if change.interval is not None]
    orders = [interval.ranking for _, _, interval in moved]
    charts = [
        places_chart(
            each.name,
            each.systems,
            list(range(1, len(order) + 1)),
            [place for _, place in sorted((each.place[system], rank) for rank, system in enumerate(order, start=1))],
        )
        for (each, _, _), order in zip(moved, orders, strict=True)
    ]
    figures = [
        Figure(
            f"scales-{1 + shown.report.scales.index(change)}",
            f"{each.name}: ranks of the systems on both scales, 1 being the best. On the dashed line nothing changes; systems that "
            "move far are named.",
            chart,
        )
        for (each, change, _), chart in zip(moved, charts, strict=True)
    ]
    text = subscript(intro)
    parts: list[Any] = [Element("p", [text]), _overview(every)]
    parts += [Element("p", [f"{each.name}: {change.ranked.why}."], {"class": "note"}) for each, change in every if not change.known]
    if figures:
        parts.append(Element("div", figures, {"class": "beside"}))
    for each, change, interval in moved:
        for lost, pairs in ((True, change.lost), (False, change.gained)):
            if pairs:
                parts.append(_decisions(each, change.own, interval, list(pairs), lost=lost))
    return parts


def _overview(every: list[tuple[Measured, ScaleChange]]) -> Table:
    rows = [
        (
            each.name,
            change.facts.type,
            change.ranked.steps if change.known else None,
            change.tau if change.known else None,
            change.swapped if change.known else None,
            each.significant,
            len(change.lost) if change.known else None,
            len(change.gained) if change.known else None,
        )
        for each, change in every
    ]
    header = ["measure", "its own scale", "steps", "τ_b", "pairs that change order", "significant pairs", "no longer", "newly"]
    formats = [None, None, whole, fixed, whole, whole, whole, whole]
    return Table(header, rows, "ll", formats, "The interval scale against the measure’s own")


def _decisions(each: Measured, own: Comparison, interval: Comparison, pairs: list[int], *, lost: bool) -> Table:
    """Pairs whose decision changes, the clearest change first."""
    pairs.sort(key=(own if lost else interval).corrected_p.tolist().__getitem__)
    better = 1.0 if each.higher else -1.0
    rows = []
    for at in pairs[:MOST]:
        first, second = int(own.outcome.pairs.first[at]), int(own.outcome.pairs.second[at])
        estimate = float(own.outcome.estimate[at])
        if better * estimate < 0:
            first, second, estimate = second, first, -estimate
        turned = own.outcome.estimate[at] * interval.outcome.estimate[at] < 0
        p = (float(own.corrected_p[at]), float(interval.corrected_p[at]))
        rows.append((f"{each.names[first]} – {each.names[second]}", estimate, *p, "yes" if turned else "no"))
    what = "no longer significant on the interval scale" if lost else "significant on the interval scale only"
    extent = f"first {MOST} of {len(pairs)}" if len(pairs) > MOST else str(len(pairs))
    difference = "difference" if each.differences_of == "means" else f"difference of {each.differences_of}"
    header = ["pair, better mean first", difference, "corrected p", "on the interval scale", "order reversed"]
    formats = [None, partial(fixed, decimals=each.pair_decimals, sign=True), p_value, p_value]
    return Table(header, rows, formats=formats, caption=f"{each.name}: {what} ({extent})")
