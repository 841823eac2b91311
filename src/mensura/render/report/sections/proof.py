"""Statements that survive every transformation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.charts.survival import surviving
from mensura.render.html import Element, Figure
from mensura.render.meanings import BENT, NAMES, stretch_rows, undecided_reason
from mensura.render.numbers import part_of, times
from mensura.render.tables import Table
from mensura.scales.meaning.dominance import MEANINGS, ONE_SCALE, VERDICTS
from mensura.stats.results import plural

if TYPE_CHECKING:
    from mensura.render.report.measured import PageValues

NAMED = 12
STRETCH = (
    "The stretch index of a statement says how much a scale must be bent to reverse it: no scale does so unless some part of it is "
    "stretched that many times more than another. ∞ is a statement that no scale reverses. Topics may share one scale, or have one "
    "for each recall base or each topic."
)


def proof(shown: PageValues) -> list[Any]:
    """Verdicts about all pairs per measure, and the systems that none dominates."""
    names, counted = [each.name for each in shown.measured], shown.verdicts
    intro = (
        "“A has a better mean than B” can be true because of how the measure spaces its values. A statement is "
        "transformation-proof if it holds for every increasing transformation that is the same for all topics: the sorted values "
        "of A are at least as good as those of B, position by position. This describes these topics; it is not a test of "
        "significance."
    )
    pairs, boards = shown.measured[0].pairs, shown.report.boards
    rows: list[tuple[Any, ...]] = [(verdict, MEANINGS[verdict], *(counts[verdict] for counts in counted)) for verdict in VERDICTS]
    proven = [proof_count(counts) for counts in counted]
    undominated = [board.undominated() for board in shown.report.boards]
    totals = [part_of((number, board.unequal)) for number, board in zip(proven, boards, strict=True)]
    rows.append(("transformation-proof", "the first three together, of pairs with different means", *totals))
    caption = f"Statements about {plural(pairs, 'pair')} of systems, by verdict"
    chart = surviving(list(zip(names, counted, strict=True)))
    parts: list[Any] = [
        Element("p", [intro]),
        Table(["verdict", "meaning", *names], rows, "ll", caption=caption),
        Figure("proof", "Which statements of the leaderboard survive: pairs of systems, by verdict.", chart),
    ]
    stretched = [row for name, board in zip(names, shown.report.boards, strict=True) for row in stretch_rows(name, board)]
    if stretched:
        body = [
            (row["measure"], NAMES[row["scales"]], *((row[key], row["statements"]) for key in ("none", "above")), row["median"])
            for row in stretched
        ]
        header, caption = (
            ["measure", "scales", "∞", f"above {BENT}", "median"],
            f"Stretch index of pairs with different means; base scale: {shown.report.boards[0].base}",
        )
        parts += [Element("p", [STRETCH]), Table(header, body, "ll", [None, None, part_of, part_of, times], caption=caption)]
    for name, board, counts in zip(names, shown.report.boards, counted, strict=True):
        if counts["undecided"]:
            parts.append(Element("p", [Element("b", [name]), f": statements are undecided because {undecided_reason(board)}."]))
    for each, systems in zip(shown.measured, undominated, strict=True):
        free = [each.names[system] for system in systems]
        more = f" and {len(free) - NAMED} more" if len(free) > NAMED else ""
        number = "1 system is" if len(free) == 1 else f"{len(free)} systems are"
        text = f": {number} dominated by no other: {', '.join(free[:NAMED])}{more}."
        parts.append(Element("p", [Element("b", [each.name]), text]))
    return parts


def proof_count(counts: dict[str, int]) -> int:
    """Number of statements that survive every increasing transformation that is the same for all topics."""
    return sum(counts[verdict] for verdict in VERDICTS[: ONE_SCALE + 1])
