"""Which statements survive every transformation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.charts.survival import surviving
from mensura.render.markup import Markup, column, join, table, tag
from mensura.render.numbers import share
from mensura.report.figures import Figure, draw
from mensura.report.findings import proof_count
from mensura.scales.meaning.dominance import MEANINGS, VERDICTS

if TYPE_CHECKING:
    from mensura.report.build import Report

NAMED = 12


def proof(report: Report) -> Markup:
    """Verdicts about all pairs per measure, and the systems that none dominates."""
    boards = [(str(measure), board) for measure, board in zip(report.evaluation.measures, report.boards, strict=True)]
    intro = (
        "“A has a better mean than B” can be true because of how the measure spaces its values. A statement is "
        "transformation-proof if it holds for every increasing transformation: the sorted values of A are at least as good "
        "as those of B, place by place. This describes these topics; it is no test of significance."
    )
    pairs = len(boards[0][1].systems) * (len(boards[0][1].systems) - 1) // 2
    counted = [board.counts() for _, board in boards]
    rows: list[list[object]] = [[verdict, MEANINGS[verdict], *(str(counts[verdict]) for counts in counted)] for verdict in VERDICTS]
    safe = [proof_count(board) for _, board in boards]
    rows.append(["transformation-proof", "the first two together", *(f"{number} ({share(number, pairs)})" for number in safe)])
    head = [column("true on", number=False), column("meaning", number=False), *(column(name) for name, _ in boards)]
    parts: list[object] = [tag("p", intro), table(f"Statements about {pairs} pairs of systems, by verdict", [head], rows, left=2)]
    parts.append(
        draw(Figure("proof", "Which statements of the leaderboard survive: pairs of systems, by verdict.", surviving(boards)))
    )
    for name, board in boards:
        free = [board.systems[system] for system in board.undominated()]
        more = f" and {len(free) - NAMED} more" if len(free) > NAMED else ""
        number = "1 system is" if len(free) == 1 else f"{len(free)} systems are"
        parts.append(tag("p", tag("b", name), f": {number} dominated by no other: {', '.join(free[:NAMED])}{more}."))
    return join(parts)
