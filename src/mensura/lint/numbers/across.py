"""N001 and N002 across tables: changes whose values, or one of them, are in another table with the same labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.lint.numbers.columns import Compared, cell_value, changes_of, contradictions, is_line_of_changes, judge
from mensura.lint.numbers.evidence import told
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.printed import Printed
    from mensura.lint.readers.table import DocumentTable, TableCell

FEWEST = 3  # lines with the same label
MOST_TABLES, MOST_ROWS, MOST_LINES, MOST_WAYS = 40, 60, 16, 400

Values = dict[str, "Printed"]  # of a line, by the labels of its cells


@dataclass(eq=False)
class Labelled:
    """A table by its labels: lines of values and of changes; rows and columns are both lines."""

    values: list[Values]
    changes: list[tuple[Values, dict[str, TableCell]]]


def check(document: Document) -> Iterator[Hit]:
    """Yield changes that do not follow from the values that another table has for the same labels."""
    tables = [table for table in document.tables if table.sure and len(table.rows) <= MOST_ROWS]
    if not 1 < len(tables) <= MOST_TABLES:
        return
    labelled = [_labelled(table) for table in tables]
    for number, one in enumerate(labelled):
        for changes, cells in one.changes:
            others = [values for at, two in enumerate(labelled) if at != number for values in two.values]
            yield from _compared(changes, cells, [values for values in one.values if changes.keys() <= values.keys()], others)


def _compared(changes: Values, cells: dict[str, TableCell], own: list[Values], others: list[Values]) -> Iterator[Hit]:
    """Compare a line of changes with pairs of lines, of which one or both are in another table."""
    others = [values for values in others if changes.keys() <= values.keys()]
    pairs = [
        (one, two) for other in others for two in (*own, *others) for one, two in ((other, two), (two, other)) if other is not two
    ]
    if not pairs or len(pairs) > MOST_WAYS:
        return
    signed = any(change.signed for change in changes.values())
    labels = list(changes)
    ways = []
    for one, two in pairs:
        ways += judge({at: Compared(one[label], two[label], changes[label]) for at, label in enumerate(labels)}, signed=signed)
    within = [(one, two) for one in own for two in own if one is not two]
    rivals = {at: [(one[label], two[label]) for one, two in (*pairs, *within)] for at, label in enumerate(labels)}
    for at, change, way in contradictions(ways, rivals):
        yield Hit(
            "N001" if change.percent else "N002", *cells[labels[at]].span, f"{told(change, way)}, with values of another table"
        )


def _labelled(table: DocumentTable) -> Labelled:
    """Return the lines of a table by the labels of their cells; labels that are there twice belong to nobody."""
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    labelled = Labelled([], [])
    if not body:
        return labelled
    names = {column: table.above(body[0], column) for column in range(table.leads, table.width)}
    labels = {row: table.left(row) for row in body}
    grid = {(row, column): cell for row, column, cell in table.body()}
    _add(labelled, grid, names, labels)
    _add(labelled, {(column, row): cell for (row, column), cell in grid.items()}, labels, names)
    return labelled


def _add(
    labelled: Labelled,
    grid: dict[tuple[int, int], TableCell],
    names: dict[int, tuple[str, ...]],
    labels: dict[int, tuple[str, ...]],
) -> None:
    """Add the lines with some names, and with cells that have labels."""
    titles = {place: " ".join(label).lower() for place, label in labels.items()}
    count = Counter(titles.values())
    for line, name in list(names.items())[:MOST_LINES]:
        cells = {
            title: cell
            for place, title in titles.items()
            if title and count[title] == 1 and (cell := grid.get((place, line))) is not None
        }
        if len(cells) < FEWEST:
            continue
        if is_line_of_changes(name, cells.values()):
            changes = changes_of(dict(enumerate(cells.values())), percent="%" in name[-1])
            own = {title: changes[at] for at, title in enumerate(cells) if at in changes}
            if len(own) >= FEWEST:
                labelled.changes.append((own, cells))
        else:
            values = {title: value for title, cell in cells.items() if (value := cell_value(cell)) is not None}
            if len(values) >= FEWEST:
                labelled.values.append(values)
