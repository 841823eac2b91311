"""All pairs: a table for few systems, an image with answers for many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.render.charts.matrix import FEW, PairMatrix, limits, matrix_svg, matrix_table
from mensura.render.html import Element, Figure

if TYPE_CHECKING:
    from mensura.render.report.measured import PageValues


def pairs(shown: PageValues) -> list[Any]:
    """The pairs of each measure."""
    few = len(shown.measured[0].names) <= FEW
    intro = (
        "Systems are in the order of their means. The comparison on the measure’s own scale is above the diagonal, the one on its "
        "interval scale, if that is another one, below it: where the two sides differ, the decision depends on the scale."
    )
    if few:
        return [Element("p", [intro]), *map(matrix_table, shown.matrices)]
    intro += " Point at a cell, or step through the cells with the arrow keys, to read it."
    bands = limits(shown.matrices[0].alpha)
    images = [matrix_svg(matrix) for matrix in shown.matrices]
    figures = []
    for number, (matrix, image, each) in enumerate(zip(shown.matrices, images, shown.measured, strict=True)):
        sides = "above the diagonal on its own scale" + (
            ", below it on its interval scale" if matrix.interval_p is not None else ""
        )
        caption = (
            f"{matrix.name}: corrected p-values of all {each.pairs} pairs, {sides}. Grey: no significant "
            f"difference; the stronger the blue, the smaller p (below {bands})."
        )
        answer = Element("output", [""], {"class": "answer", "data-matrix": str(number)})
        figures.append(Figure(f"pairs-{number + 1}", caption, image, answer))
    return [Element("p", [intro]), *figures]


def make_matrices(shown: PageValues) -> tuple[PairMatrix, ...]:
    """Corrected p-values on both scales and differences of means, as matrices in the order of the ranking."""
    matrices = []
    for each, change in zip(shown.measured, shown.report.scales, strict=True):
        own, interval, order = change.own, change.interval, np.ix_(each.ranking, each.ranking)
        square = own.outcome.pairs.square
        p, differences = square(own.corrected_p, np.nan), square(own.outcome.estimate, 0.0, sign=-1.0)
        below = None if interval is None else interval.outcome.pairs.square(interval.corrected_p, np.nan)[order]
        options = (own.alpha, each.pair_decimals, each.differences_of)
        matrices.append(PairMatrix(each.name, each.systems, p[order], below, differences[order], *options))
    return tuple(matrices)
