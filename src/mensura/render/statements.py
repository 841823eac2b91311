"""Statements on every type of scale, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.tables import json_text, records_csv
from mensura.render.text import BOLD, paint, wrap
from mensura.scales.meaning.expressions import show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura.scales.meaning.explanation import StatementVerdict

LONGEST = 160  # characters of a transformation that people read
WORDS = {True: "yes", False: "no", None: "not known"}


def statement_rows(judged: Sequence[StatementVerdict]) -> list[dict[str, Any]]:
    """One row per statement, measure and scale."""
    return [
        {
            "statement": str(each.verdict.statement),
            "measure": each.measure,
            "scale": each.verdict.scale.name,
            "scales": each.group,
            "meaningful": each.verdict.meaningful,
            "why": each.verdict.why,
            "truth": each.verdict.truth,
            "sides": None if each.verdict.values is None else [float(side) for side in each.verdict.values],
            "transformation": None if each.verdict.transformation is None else str(each.verdict.transformation),
            "transformed": None if each.verdict.transformed is None else [float(side) for side in each.verdict.transformed],
        }
        for each in judged
    ]


def statement_text(judged: Sequence[StatementVerdict]) -> str:
    """A paragraph per statement and measure, a line per scale."""
    lines: list[str] = []
    last = None
    for each in judged:
        verdict = each.verdict
        head = (str(verdict.statement), each.measure)
        if head != last:
            lines += [""] * bool(lines) + [wrap(_head(each), "  "), ""]
            last = head
        where = f"{verdict.scale}, {each.group}" if each.group else verdict.scale.name
        text = f"{where}: {WORDS[verdict.meaningful]}, {verdict.why}"
        if verdict.transformed is not None:
            change = str(verdict.transformation)
            what = change if len(change) <= LONGEST else "a transformation (json has it)"
            text += f"; {what} gives {' and '.join(map(show, verdict.transformed))}"
        lines.append(wrap(f"{text}.", "  "))
    return "\n".join(lines) + "\n"


def _head(each: StatementVerdict) -> str:
    statement = paint(str(each.verdict.statement), BOLD)
    if each.verdict.values is None:
        return f"Is “{statement}” meaningful? In general, for any data:"
    sides = " and ".join(map(show, each.verdict.values))
    return (
        f"“{statement}” is {'true' if each.verdict.truth else 'false'} of {each.measure}: {sides}. Is it meaningful for these data?"
    )


def statement_csv(judged: Sequence[StatementVerdict]) -> str:
    """One line per scale."""
    return records_csv([{key: _cell(cell) for key, cell in row.items()} for row in statement_rows(judged)])


def _cell(cell: Any) -> Any:
    return " ".join(map(str, cell)) if isinstance(cell, list) else cell


def statement_json(judged: Sequence[StatementVerdict]) -> str:
    """One object per scale."""
    return json_text(statement_rows(judged))


STATEMENTS: dict[str, Callable[[Sequence[StatementVerdict]], str]] = {
    "table": statement_text,
    "csv": statement_csv,
    "json": statement_json,
}
