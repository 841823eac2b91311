"""Verdicts about the statements of leaderboards, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.numbers import fixed, general, percent
from mensura.render.tables import Table, as_text, csv_text, json_text, records_csv
from mensura.render.text import wrap
from mensura.scales.meaning.dominance import EVERY_SCALE, MEANINGS, REVERSED, VERDICTS
from mensura.scales.meaning.explanation import survives
from mensura.scales.meaning.expressions import show
from mensura.scales.meaning.transformations import Affine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura.scales.meaning.dominance import Leaderboard
    from mensura.scales.meaning.explanation import Explanation

Boards = list[tuple[str, "Leaderboard"]]
MOST_NAMED = 10


def counts_table(boards: Boards) -> str:
    """Number of pairs with each verdict, per measure."""
    systems, topics = boards[0][1].values.shape
    number = systems * (systems - 1) // 2
    lines = [f"{number} statements “A has a better mean than B” about {systems} systems on {topics} topics", ""]
    counted = [board.counts() for _, board in boards]
    rows = [(verdict, *(counts[verdict] for counts in counted)) for verdict in VERDICTS]
    lines += [as_text(Table(["verdict", *(name for name, _ in boards)], rows, rules=(EVERY_SCALE,)))]
    for (name, board), counts in zip(boards, counted, strict=True):
        safe = sum(counts[verdict] for verdict in VERDICTS[: EVERY_SCALE + 1])
        free = [board.systems[system] for system in board.undominated()]
        shown = ", ".join(free[:MOST_NAMED]) + (f" and {len(free) - MOST_NAMED} more" if len(free) > MOST_NAMED else "")
        proportion = percent(safe, number) if number else "none"
        dominated = f"{len(free)} {'system is' if len(free) == 1 else 'systems are'} dominated by none: {shown}."
        lines.append(
            wrap(f"{name}: {safe} of {number} statements ({proportion}) survive every monotone transformation. {dominated}", "  ")
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
    header = ["measure", "better", "worse", "verdict", "mean", "mean", "interval", "interval"]
    keys = ("measure", "better", "worse", "verdict", "mean_better", "mean_worse", "interval_better", "interval_worse")
    rows = [[row[key] for key in keys] for row in pair_rows(boards)]
    return as_text(Table(header, rows, "llll", [None, None, None, None, fixed, fixed, general, general]))


def pairs_csv(boards: Boards) -> str:
    """One line per pair."""
    header = ["measure", "better", "worse", "mean_better", "mean_worse", "interval_better", "interval_worse", "verdict"]
    return csv_text(header, [row.values() for row in pair_rows(boards)])


def pairs_json(boards: Boards) -> str:
    """One object per pair."""
    return json_text(pair_rows(boards))


def explained_text(explanations: Sequence[Explanation]) -> str:
    """A paragraph or two per measure."""
    return "\n".join(_explained(each) for each in explanations)


def _explained(explanation: Explanation) -> str:
    verdict = explanation.common
    better, worse, equal = explanation.signs
    means = " and ".join(show(value) for value in verdict.values or ())
    lines = [
        f"{explanation.measure}: {verdict.statement}: {means}",
        f"{explanation.better} is better on {better} topics, worse on {worse}, equal on {equal}.",
        f"verdict: {explanation.kind} ({MEANINGS[explanation.kind]})",
        "",
    ]
    if survives(explanation):
        lines.append("If all topics share one scale, no monotone transformation changes this.")
    elif verdict.transformation is None:
        lines.append("The values are the same: no transformation tells the systems apart.")
    else:
        after = " and ".join(show(value) for value in verdict.transformed or ())
        lines.append(f"A monotone transformation that changes this, {verdict.transformation}, gives the means {after}.")
    if explanation.own.transformation is not None:
        topics = getattr(explanation.own.transformation, "topics", ())
        which = next((at for at, each in enumerate(topics) if each != Affine(1)), 0)
        after = " and ".join(show(value) for value in explanation.own.transformed or ())
        lines.append(
            f"If each topic has a scale of its own, topic {explanation.topics[which]} alone changes it: {topics[which]} there "
            f"gives the means {after}."
        )
    elif survives(explanation):
        lines.append("Nor does a transformation of single topics.")
    if explanation.interval is not None:
        phi = " and ".join(map(general, explanation.interval))
        turned = ", the other way round" if explanation.kind == VERDICTS[REVERSED] else ""
        lines.append(f"On the interval scale of the measure the means are {phi}{turned}.")
    return "\n".join(wrap(line, "  ") if line else "" for line in lines) + "\n"


def explained_rows(explanations: Sequence[Explanation]) -> list[dict[str, Any]]:
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
        for each in explanations
    ]


def explained_csv(explanations: Sequence[Explanation]) -> str:
    """One line per measure."""
    return records_csv(
        [
            {key: " ".join(map(str, cell)) if isinstance(cell, list | tuple) else cell for key, cell in row.items()}
            for row in explained_rows(explanations)
        ]
    )


def explained_json(explanations: Sequence[Explanation]) -> str:
    """One object per measure."""
    return json_text(explained_rows(explanations))


COUNTS: dict[str, Callable[[Boards], str]] = {"table": counts_table, "csv": counts_csv, "json": counts_json}
PAIRS: dict[str, Callable[[Boards], str]] = {"table": pairs_table, "csv": pairs_csv, "json": pairs_json}
EXPLAINED: dict[str, Callable[[Sequence[Explanation]], str]] = {
    "table": explained_text,
    "csv": explained_csv,
    "json": explained_json,
}
