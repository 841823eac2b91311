"""Means without values of topics, as text: for people and for programs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mensura.evaluation.remarks import remark_sentences
from mensura.evaluation.scores import places_of
from mensura.render.evaluations import facts, headings, plain_remarks
from mensura.render.numbers import fixed
from mensura.render.tables import Table, View, as_text, csv_text, json_text
from mensura.render.text import YELLOW, encoded, paint, wrap
from mensura.stats.digits import PLAIN
from mensura.stats.results import plural

if TYPE_CHECKING:
    from mensura.pieces.sums_merged import Means


def means_table(means: Means, digits: int | None = None) -> Table:
    """Means of all systems, sorted by the first measure; the best value of each measure in bold."""
    places = [places_of(measure, values) for measure, values in zip(means.measures, means.values, strict=True)]
    order = np.argsort(places[0], kind="stable").tolist()
    low, high = min(means.counted), max(means.counted)
    span = f"{low}" if low == high else f"{low} to {high}"
    systems = len(means.systems)
    number = partial(fixed, decimals=PLAIN if digits is None else digits)
    return Table(
        ["", "system", *headings(means.measures)],
        [(f"{places[0][at]:>{len(str(systems))}}", means.systems[at], *means.values[:, at].tolist()) for at in order],
        align="ll",
        formats=[None, None, *[number] * len(means.measures)],
        strong={
            (row, 2 + column)
            for row, at in enumerate(order)
            for column, place in enumerate(places)
            if place[at] == 1 and systems > 1
        },
        caption=f"Means over {span} of {plural(means.topics, 'topic')}, {systems} {'run' if systems == 1 else 'runs'}",
        label="leaderboard",
        dim=1,
        names=1,
    )


def means_view(means: Means) -> View:
    """The table and the remarks."""
    table = means_table(means)
    return View(table.caption, [table], remark_sentences(means.remarks))


def means_layout(means: Means, form: str, *, digits: int | None = None) -> str | bytes:
    """The means in a format of ``mensura evaluate --means-only``; csv and json are those of an evaluation."""
    if form == "csv":
        return encoded(csv_text(("system", "measure", "mean", "topics", "missing"), (tuple(row.values()) for row in means.rows())))
    if form == "json":
        return json_text(
            {
                "compat": means.compat,
                "systems": list(means.systems),
                "topics": means.topics,
                "measures": [facts(measure) for measure in means.measures],
                "means": list(means.rows()),
                "remarks": plain_remarks(means.remarks),
            }
        )
    table = means_table(means, digits)
    remarks = [paint("! ", YELLOW) + wrap(sentence, "  ") + "\n" for sentence in remark_sentences(means.remarks)]
    return "\n".join([f"{table.caption}\n\n{as_text(table)}", *remarks])
