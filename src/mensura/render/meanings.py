"""Verdicts about statements as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.tabular import csv_text, json_text
from mensura.render.text import TextTable, wrap
from mensura.scales.meaning.dominance import EVERY_SCALE, MEANINGS, REVERSED, VERDICTS
from mensura.scales.meaning.explanation import survives
from mensura.scales.meaning.expressions import show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura.scales.meaning.dominance import Leaderboard
    from mensura.scales.meaning.explanation import Explanation

Boards = list[tuple[str, "Leaderboard"]]
MOST_NAMED = 10


def counts_table(boards: Boards) -> str:
    """How many pairs have each verdict, per measure."""
    systems, topics = boards[0][1].values.shape
    number = systems * (systems - 1) // 2
    lines = [f"{number} statements “A has a better mean than B” about {systems} systems on {topics} topics", ""]
    table = TextTable(["verdict", *(name for name, _ in boards)])
    counted = [board.counts() for _, board in boards]
    for at, verdict in enumerate(VERDICTS):
        table.add([verdict, *(str(counts[verdict]) for counts in counted)])
        if at == EVERY_SCALE:
            table.line()
    lines += [str(table)]
    for name, board in boards:
        safe = sum(board.counts()[verdict] for verdict in VERDICTS[: EVERY_SCALE + 1])
        free = [board.systems[system] for system in board.undominated()]
        shown = ", ".join(free[:MOST_NAMED]) + (f" and {len(free) - MOST_NAMED} more" if len(free) > MOST_NAMED else "")
        share = f"{safe / number:.1%}" if number else "none"
        dominated = f"{len(free)} {'system is' if len(free) == 1 else 'systems are'} dominated by none: {shown}."
        lines.append(
            wrap(f"{name}: {safe} of {number} statements ({share}) survive every monotone transformation. {dominated}", "  ")
        )
    lines += ["", *(wrap(f"{verdict}: {MEANINGS[verdict]}", "  ") for verdict in VERDICTS)]
    return "\n".join(lines) + "\n"


def counts_csv(boards: Boards) -> str:
    """``measure,verdict,pairs``."""
    return csv_text(
        ["measure", "verdict", "pairs"],
        [(name, verdict, pairs) for name, board in boards for verdict, pairs in board.counts().items()],
    )


def counts_json(boards: Boards) -> str:
    """Numbers per verdict, and the order of systems that survives."""
    return json_text(
        [
            {
                "measure": name,
                "systems": len(board.systems),
                "topics": board.values.shape[1],
                "pairs": board.counts(),
                "ranking": [board.systems[system] for system in board.ranking.tolist()],
                "undominated": [board.systems[system] for system in board.undominated()],
                "covers": [[board.systems[better], board.systems[worse]] for better, worse in board.covers()],
            }
            for name, board in boards
        ]
    )


def pair_rows(boards: Boards) -> list[dict[str, Any]]:
    """One row per pair: means on the measure and on its interval scale."""
    rows = []
    for name, board in boards:
        sums, topics = board.interval_sums, board.values.shape[1]
        phi = [None] * len(board.systems) if sums is None else [float(total) / topics for total in sums]
        for better, worse, verdict in board.pairs():
            rows.append(
                {
                    "measure": name,
                    "better": board.systems[better],
                    "worse": board.systems[worse],
                    "mean_better": float(board.means[better]),
                    "mean_worse": float(board.means[worse]),
                    "interval_better": phi[better],
                    "interval_worse": phi[worse],
                    "verdict": verdict,
                }
            )
    return rows


def pairs_table(boards: Boards) -> str:
    """One line per pair."""
    table = TextTable(["measure", "better", "worse", "verdict", "mean", "mean", "interval", "interval"], left=4)
    for row in pair_rows(boards):
        numbers = [f"{row[key]:.4f}" for key in ("mean_better", "mean_worse")]
        numbers += ["–" if row[key] is None else f"{row[key]:.6g}" for key in ("interval_better", "interval_worse")]
        table.add([row["measure"], row["better"], row["worse"], row["verdict"], *numbers])
    return str(table)


def pairs_csv(boards: Boards) -> str:
    """One line per pair."""
    rows = pair_rows(boards)
    header = ["measure", "better", "worse", "mean_better", "mean_worse", "interval_better", "interval_worse", "verdict"]
    return csv_text(header, [list(row.values()) for row in rows])


def pairs_json(boards: Boards) -> str:
    """One object per pair."""
    return json_text(pair_rows(boards))


def explained_text(found: Sequence[Explanation]) -> str:
    """A paragraph or two per measure."""
    return "\n".join(_explained(each) for each in found)


def _explained(found: Explanation) -> str:
    verdict = found.common
    better, worse, equal = found.signs
    means = " and ".join(show(value) for value in verdict.values or ())
    lines = [
        f"{found.measure}: {verdict.statement}: {means}",
        f"{found.better} is better on {better} topics, worse on {worse}, equal on {equal}.",
        f"verdict: {found.kind} ({MEANINGS[found.kind]})",
        "",
    ]
    if survives(found):
        lines.append("If all topics share one scale, no monotone transformation changes this.")
    elif verdict.transformation is None:
        lines.append("The values are the same: no transformation tells the systems apart.")
    else:
        after = " and ".join(show(value) for value in verdict.transformed or ())
        lines.append(f"A monotone transformation that changes this, {verdict.transformation}, gives the means {after}.")
    if found.own.transformation is not None:
        topics = getattr(found.own.transformation, "topics", ())
        which = next((at for at, each in enumerate(topics) if each != _identity()), 0)
        after = " and ".join(show(value) for value in found.own.transformed or ())
        lines.append(
            f"If each topic has a scale of its own, topic {found.topics[which]} alone changes it: {topics[which]} there gives the "
            f"means {after}."
        )
    elif survives(found):
        lines.append("Nor does a transformation of single topics.")
    if found.interval is not None:
        phi = " and ".join(f"{value:.6g}" for value in found.interval)
        turned = ", the other way round" if found.kind == VERDICTS[REVERSED] else ""
        lines.append(f"On the interval scale of the measure the means are {phi}{turned}.")
    return "\n".join(wrap(line, "  ") if line else "" for line in lines) + "\n"


def _identity() -> Any:
    from mensura.scales.meaning.transformations import Affine

    return Affine(1)


def explained_rows(found: Sequence[Explanation]) -> list[dict[str, Any]]:
    """The facts per measure."""
    return [
        {
            "measure": each.measure,
            "better": each.better,
            "worse": each.worse,
            "verdict": each.kind,
            "topics_better": each.signs[0],
            "topics_worse": each.signs[1],
            "topics_equal": each.signs[2],
            "means": [float(value) for value in each.common.values or ()],
            "transformation": None if each.common.transformation is None else str(each.common.transformation),
            "transformed_means": [float(value) for value in each.common.transformed or ()],
            "interval_means": each.interval,
        }
        for each in found
    ]


def explained_csv(found: Sequence[Explanation]) -> str:
    """One line per measure."""
    rows = explained_rows(found)
    return csv_text(
        list(rows[0]),
        [[" ".join(map(str, cell)) if isinstance(cell, list | tuple) else cell for cell in row.values()] for row in rows],
    )


def explained_json(found: Sequence[Explanation]) -> str:
    """One object per measure."""
    return json_text(explained_rows(found))


COUNTS: dict[str, Callable[[Boards], str]] = {"table": counts_table, "csv": counts_csv, "json": counts_json}
PAIRS: dict[str, Callable[[Boards], str]] = {"table": pairs_table, "csv": pairs_csv, "json": pairs_json}
EXPLAINED: dict[str, Callable[[Sequence[Explanation]], str]] = {
    "table": explained_text,
    "csv": explained_csv,
    "json": explained_json,
}
