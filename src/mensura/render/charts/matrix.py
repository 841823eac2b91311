"""All pairs of a comparison as a matrix: a table for few systems, an SVG file for many."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from markupsafe import Markup, escape

from mensura.render.html import tag
from mensura.render.numbers import fixed, general, p_value
from mensura.render.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW = 10  # systems whose pairs fit into a table
CELL, LETTER = 8, 7  # pixels
WIDE = 640  # pixels that a small matrix is enlarged to
FILLS = ("#e9ebee", "#a9c7e8", "#5b94cf", "#1f4e86")
PARTS = (1, 5, 50)
SPARSE = 30  # systems above which only every tenth column is numbered


class PairMatrix(NamedTuple):
    """Pairs in the order of the ranking: names, and matrices of corrected p-values on both scales and of differences of means."""

    name: str
    systems: list[str]
    p: NDArray[np.float64]
    interval_p: NDArray[np.float64] | None
    differences: NDArray[np.float64]
    alpha: float
    decimals: int
    of: str = "means"


def bands(p: NDArray[np.float64], alpha: float) -> NDArray[np.int64]:
    """0 for pairs that do not differ significantly; 1, 2, 3 for p below α, α / 5, α / 50."""
    return np.sum([p < alpha / part for part in PARTS], axis=0)


def limits(alpha: float) -> str:
    """The limits of the bands, as text."""
    return ", ".join(general(alpha / part) for part in PARTS)


def matrix_table(matrix: PairMatrix) -> Table:
    """The matrix as a table: above the diagonal differences and p-values, below it p-values on the interval scale."""
    rows: list[list[Any]] = []
    for row, name in enumerate(matrix.systems):
        cells: list[Any] = [name]
        for column in range(len(matrix.systems)):
            if column > row:
                cells.append((float(matrix.differences[row, column]), float(matrix.p[row, column])))
            elif column < row and matrix.interval_p is not None:
                cells.append((None, float(matrix.interval_p[row, column])))
            else:
                cells.append(None)
        rows.append(cells)
    caption = f"{matrix.name}: difference of {matrix.of} (row − column) and corrected p"
    caption += "; below the diagonal, corrected p on the interval scale" if matrix.interval_p is not None else ""
    form = partial(_cell, alpha=matrix.alpha, decimals=matrix.decimals)
    formats = [None, *[form] * len(matrix.systems)]
    return Table(["", *matrix.systems], rows, formats=formats, caption=caption, kind="pairs")


def _cell(cell: tuple[float | None, float] | None, *, alpha: float, decimals: int) -> Markup:
    if cell is None:
        return Markup("")
    difference, p = cell
    label = tag("small", f"p {p_value(p)}")
    parts = [] if difference is None else [tag("b" if p < alpha else "span", fixed(difference, decimals, sign=True))]
    return tag("span", *parts, label, class_=f"c b{int(bands(np.array(p), alpha))}")


def matrix_svg(matrix: PairMatrix) -> str:
    """The matrix as SVG. Neighbouring cells of one band are one rectangle: a hundred systems are a few thousand shapes."""
    count = len(matrix.systems)
    left = max(len(name) for name in matrix.systems) * LETTER * 0.62 + 34
    top = 26.0
    shapes = []
    upper = bands(matrix.p, matrix.alpha)
    lower = None if matrix.interval_p is None else bands(matrix.interval_p, matrix.alpha)
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
        for row, name in enumerate(matrix.systems)
    ]
    step = 1 if count <= SPARSE else 10
    ticks = [
        f'<text x="{left + (rank - 0.5) * CELL:g}" y="{top - 6:g}" text-anchor="middle">{rank}</text>'
        for rank in range(step, count + 1, step)
    ]
    width, height = left + count * CELL + 8, top + count * CELL + 8
    larger = min(max(WIDE / width, 1.0), 3.0)  # the matrix of a dozen systems need not be tiny
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="matrix" width="{width * larger:g}" height="{height * larger:g}" '
        f'viewBox="0 0 {width:g} {height:g}" data-cells="{count}" data-left="{left:g}" data-top="{top:g}" data-cell="{CELL}">'
        f'<g shape-rendering="crispEdges">{"".join(shapes)}</g>'
        f'<g font-family="Helvetica, Arial, sans-serif" font-size="{LETTER}" fill="#000">{"".join(labels + ticks)}</g></svg>'
    )
