"""Statements that survive every transformation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.charts.survival import surviving
from mensura.render.html import Element, Figure
from mensura.render.numbers import part_of
from mensura.render.tables import Table
from mensura.scales.meaning.dominance import EVERY_SCALE, MEANINGS, VERDICTS

if TYPE_CHECKING:
    from mensura.report.build import Report

NAMED = 12


def proof(report: Report) -> list[Any]:
    """Verdicts about all pairs per measure, and the systems that none dominates."""
    names, counted = [each.name for each in report.measured], report.verdicts
    intro = (
        "“A has a better mean than B” can be true because of how the measure spaces its values. A statement is "
        "transformation-proof if it holds for every increasing transformation: the sorted values of A are at least as good "
        "as those of B, position by position. This describes these topics; it is not a test of significance."
    )
    pairs = report.measured[0].pairs
    rows: list[tuple[Any, ...]] = [(verdict, MEANINGS[verdict], *(counts[verdict] for counts in counted)) for verdict in VERDICTS]
    proven = [proof_count(counts) for counts in counted]
    undominated = [board.undominated() for board in report.boards]
    totals = [part_of((number, pairs)) for number in proven]
    rows.append(("transformation-proof", "the first two together", *totals))
    caption = f"Statements about {pairs} pairs of systems, by verdict"
    chart = surviving(list(zip(names, report.boards, strict=True)))
    parts: list[Any] = [
        Element("p", [intro]),
        Table(["true on", "meaning", *names], rows, "ll", caption=caption),
        Figure("proof", "Which statements of the leaderboard survive: pairs of systems, by verdict.", chart),
    ]
    for each, systems in zip(report.measured, undominated, strict=True):
        free = [each.names[system] for system in systems]
        more = f" and {len(free) - NAMED} more" if len(free) > NAMED else ""
        number = "1 system is" if len(free) == 1 else f"{len(free)} systems are"
        text = f": {number} dominated by no other: {', '.join(free[:NAMED])}{more}."
        parts.append(Element("p", [Element("b", [each.name]), text]))
    return parts


def proof_count(counts: dict[str, int]) -> int:
    """Number of statements that survive every increasing transformation."""
    return sum(counts[verdict] for verdict in VERDICTS[: EVERY_SCALE + 1])
