"""All pairs: a table for few systems, a picture that answers for many."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.render.markup import Markup, column, escape, join, table, tag
from mensura.render.numbers import p_value, shown
from mensura.report.figures import framed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.report.build import Report
    from mensura.report.scales import ScaleChange
    from mensura.stats.compared import Comparison

FEW = 10  # systems whose pairs fit into a table
CELL, LETTER = 8, 7  # pixels
WIDE = 640  # so wide a picture may become
FILLS = ("#e9ebee", "#a9c7e8", "#5b94cf", "#1f4e86")
PARTS = (1, 5, 50)


def matrix(report: Report) -> Markup:
    """The pairs of each measure."""
    few = len(report.evaluation.judged.systems) <= FEW
    intro = (
        "Systems are in the order of their means. Above the diagonal stands the comparison on the measure’s own scale, below "
        "it that on its interval scale, if that is another one: where the two sides differ, the decision depends on the scale."
    )
    if not few:
        intro += " Point at a cell, or step through the cells with the arrow keys, to read it."
    make = _table if few else _picture
    return join([tag("p", intro), *(make(change, at) for at, change in enumerate(report.scales))])


def ordered(change: ScaleChange) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, NDArray[np.float64]]:
    """Corrected p-values on both scales and differences of means, as matrices in the order of the ranking."""
    own = change.own
    at = np.ix_(own.ranking, own.ranking)
    differences = own.outcome.pairs.square(own.outcome.estimate, 0.0, sign=-1.0)[at]
    below = None if change.interval is None else _square(change.interval)[at]
    return _square(own)[at], below, differences


def _square(made: Comparison) -> NDArray[np.float64]:
    return made.outcome.pairs.square(made.corrected_p, np.nan)


def bands(p: NDArray[np.float64], alpha: float) -> NDArray[np.int64]:
    """0: not significant; 1, 2, 3: below α, α / 5, α / 50."""
    return np.sum([p < alpha / part for part in PARTS], axis=0)


def _table(change: ScaleChange, number: int) -> Markup:
    del number
    own, interval, differences = ordered(change)
    names = [change.own.systems[system] for system in change.own.ranking]
    rows: list[list[object]] = []
    for row, name in enumerate(names):
        cells: list[object] = [name]
        for at in range(len(names)):
            if at > row:
                difference = shown(float(differences[row, at]), change.own.decimals, sign=True)
                cells.append(_cell(difference, float(own[row, at]), change.own.alpha))
            elif at < row and interval is not None:
                cells.append(_cell("", float(interval[row, at]), change.own.alpha))
            else:
                cells.append("")
        rows.append(cells)
    caption = f"{change.measure}: difference of means (row − column) and corrected p"
    caption += "; below the diagonal, corrected p on the interval scale" if interval is not None else ""
    head = [[column("", number=False), *(column(name) for name in names)]]
    return table(caption, head, rows, class_="pairs")


def _cell(difference: str, p: float, alpha: float) -> Markup:
    label = f"p {p_value(p)}" if p < 0.0001 else f"p {p:.4f}"  # noqa: PLR2004
    parts = [tag("b" if p < alpha else "span", difference), tag("small", label)] if difference else [tag("small", label)]
    return tag("span", *parts, class_=f"c b{int(bands(np.array(p), alpha))}")


def _picture(change: ScaleChange, number: int) -> Markup:
    own, interval, _ = ordered(change)
    svg = picture(own, interval, [change.own.systems[system] for system in change.own.ranking], change.own.alpha)
    sides = "above the diagonal on its own scale" + (", below it on its interval scale" if interval is not None else "")
    caption = (
        f"{change.measure}: corrected p-values of all {len(change.own.outcome.pairs)} pairs, {sides}. Grey: no significant "
        f"difference; the stronger the blue, the smaller p (below {', '.join(f'{change.own.alpha / part:g}' for part in PARTS)})."
    )
    answer = tag("output", "", class_="answer", data_matrix=str(number))
    return framed(f"pairs-{number + 1}", caption, svg, more=answer)


def picture(own: NDArray[np.float64], interval: NDArray[np.float64] | None, names: list[str], alpha: float) -> str:
    """A matrix as SVG. Neighbouring cells of one band are one rectangle: a hundred systems are a few thousand shapes."""
    count = len(names)
    left = max(len(name) for name in names) * LETTER * 0.62 + 34
    top = 26.0
    shapes = []
    upper, lower = bands(own, alpha), None if interval is None else bands(interval, alpha)
    for row in range(count):
        cells: list[Any] = [None] * count
        cells[row + 1 :] = upper[row, row + 1 :].tolist()
        if lower is not None:
            cells[:row] = lower[row, :row].tolist()
        start = 0
        for band, run in groupby(cells):
            long = len(list(run))
            if band is not None:
                shapes.append(
                    f'<rect class="b{band}" x="{left + start * CELL:g}" y="{top + row * CELL:g}" width="{long * CELL}" '
                    f'height="{CELL}" fill="{FILLS[band]}"/>'
                )
            start += long
    labels = [
        f'<text x="{left - 4:g}" y="{top + (row + 0.8) * CELL:g}" text-anchor="end">{escape(name)} {row + 1}</text>'
        for row, name in enumerate(names)
    ]
    step = 1 if count <= 30 else 10  # noqa: PLR2004
    ticks = [
        f'<text x="{left + (place - 0.5) * CELL:g}" y="{top - 6:g}" text-anchor="middle">{place}</text>'
        for place in range(step, count + 1, step)
    ]
    width, height = left + count * CELL + 8, top + count * CELL + 8
    larger = min(max(WIDE / width, 1.0), 3.0)  # the picture of a dozen systems need not be tiny
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="matrix" width="{width * larger:g}" height="{height * larger:g}" '
        f'viewBox="0 0 {width:g} {height:g}" data-cells="{count}" data-left="{left:g}" data-top="{top:g}" data-cell="{CELL}">'
        f'<g shape-rendering="crispEdges">{"".join(shapes)}</g>'
        f'<g font-family="Helvetica, Arial, sans-serif" font-size="{LETTER}" fill="#000">{"".join(labels + ticks)}</g></svg>'
    )
