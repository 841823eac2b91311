"""Verdicts about the statements of leaderboards, as text."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.render.numbers import fixed, general, percent, times
from mensura.render.tables import Table, View, as_text, csv_text, json_text, records_csv
from mensura.render.text import wrap
from mensura.scales.meaning.dominance import EQUAL, GROUPS, MEANINGS, ONE_SCALE, PER_BASE, UNDECIDED, VERDICTS
from mensura.scales.meaning.explanation import survives
from mensura.scales.meaning.expressions import show
from mensura.scales.meaning.transformations import Affine
from mensura.stats.correlation import kendall
from mensura.stats.results import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura.scales.meaning.dominance import Leaderboard
    from mensura.scales.meaning.explanation import Explanation

Boards = list[tuple[str, "Leaderboard"]]
MOST_NAMED = 10
BENT = 3
"""Stretch above which statements are counted."""
EACH = {"one scale per topic": "for each topic", "one scale per recall base": "for each recall base", "one scale": "for all topics"}
NAMES = {group: f"one {each}" for group, each in EACH.items()}


def counts_table(boards: Boards) -> str:
    """Number of pairs with each verdict, per measure, and the stretch that reversals take."""
    counted, *stretched = _tables(boards)
    lines = [_title(boards), "", as_text(counted), *(wrap(text, "  ") for text in _sentences(boards))]
    lines += [line for table in stretched for line in ("", table.caption, "", as_text(table).rstrip("\n"))]
    return "\n".join([*lines, "", *(wrap(text, "  ") for text in _legend())]) + "\n"


def meaning_view(boards: Boards) -> View:
    """The same as a view."""
    return View(_title(boards), _tables(boards), sentences=[*_sentences(boards), *_legend()])


def _title(boards: Boards) -> str:
    systems, topics = boards[0][1].values.shape
    pairs = plural(systems * (systems - 1) // 2, "pair")
    return f"Statements “A has a better mean than B” about {pairs} of {plural(systems, 'system')} on {plural(topics, 'topic')}"


def _tables(boards: Boards) -> list[Table]:
    """Verdicts, and the stretch of reversals where there is one."""
    counted = [board.counts() for _, board in boards]
    rows = [(verdict, *(counts[verdict] for counts in counted)) for verdict in VERDICTS]
    names = [name for name, _ in boards]
    tables = [Table(["verdict", *names], rows, rules=(ONE_SCALE,), caption="Statements by verdict", label="verdicts")]
    stretched = [row for name, board in boards for row in stretch_rows(name, board)]
    if stretched:
        table = Table(
            ["measure", "scales", "∞ (dominance)", f"above {BENT}", "median"],
            [(row["measure"], NAMES[row["scales"]], *_shares(row), row["median"]) for row in stretched],
            "ll",
            [None, None, None, None, times],
            caption=f"Least stretch that reverses a statement, of pairs with different means (base scale: {boards[0][1].base})",
            label="stretch",
        )
        tables.append(table)
    return tables


def _sentences(boards: Boards) -> list[str]:
    return [text for name, board in boards for text in _summary(name, board)]


def _legend() -> list[str]:
    stretch = "stretch: no scale reverses a statement unless some part of it is stretched that many times more than another"
    return [*(f"{verdict}: {MEANINGS[verdict]}" for verdict in VERDICTS), stretch]


def _summary(name: str, board: Leaderboard) -> list[str]:
    """Sentences about a leaderboard: what survives, what φ reverses, and why statements stay undecided."""
    survivors, number = board.survivors(), board.unequal
    safe, equal = survivors[GROUPS[ONE_SCALE]], board.counts()[VERDICTS[EQUAL]]
    if number:
        verb = "survives" if safe == 1 else "survive"
        text = f"{safe} of {plural(number, 'statement')} ({percent(safe, number)}) {verb} any one scale for all topics"
        if board.classes is not None:
            text += f", {survivors[GROUPS[PER_BASE]]} any scale per recall base"
        text += f", {survivors[GROUPS[0]]} any scale per topic"
        text += f"; {plural(equal, 'pair')} {'has' if equal == 1 else 'have'} equal means." if equal else "."
    else:
        text = "all means are equal, so there is no statement." if equal else "there is no pair of systems."
    text = f"{name}: {text}"
    free = [board.systems[system] for system in board.undominated()]
    shown = ", ".join(free[:MOST_NAMED]) + (f" and {len(free) - MOST_NAMED} more" if len(free) > MOST_NAMED else "")
    sentences = [f"{text} {len(free)} {'system is' if len(free) == 1 else 'systems are'} dominated by none: {shown}."]
    if board.codes is None:
        sentences.append(f"{name}: no exact values, so the order is that of rounded numbers and verdicts hold to rounding.")
    both = int((board.turned & (board.verdicts == ONE_SCALE)).sum())
    if both:
        sentences.append(
            f"{name}: its interval scale reverses {plural(int(board.turned.sum()), 'statement')}, {both} of which "
            f"{'survives' if both == 1 else 'survive'} any one scale for all "
            "topics: it ranks numerators, so it is another function for each recall base."
        )
    undecided = int((board.verdicts == UNDECIDED).sum())
    if board.bounds is not None and not undecided:
        sentences.append(f"{name}: {board.unknown}, which decides all statements.")
    if undecided:
        sentences.append(f"{name}: {undecided} undecided, because {undecided_reason(board)}.")
    return sentences


def undecided_reason(board: Leaderboard) -> str:
    """The reason why statements about a leaderboard stay undecided."""
    if board.ranks is not None:
        return "the means are equal on the interval scale"
    return f"{board.unknown}, too wide for them" if board.bounds is not None else board.unknown


def stretch_rows(name: str, board: Leaderboard) -> list[dict[str, Any]]:
    """Per group of transformations: how many decided statements nothing reverses, how many need a stretch above 3, the median."""
    decided = (board.verdicts >= 0) & (board.verdicts != EQUAL)
    if not decided.any() or not board.arithmetic:
        return []
    rows = []
    for group in reversed(board.groups):
        index = board.stretches[group][decided]
        counts = {"statements": len(index), "none": int(np.isinf(index).sum()), "above": int((index > BENT).sum())}
        rows.append({"measure": name, "scales": group, **counts, "median": float(np.median(index))})
    return rows


def _shares(row: dict[str, Any]) -> tuple[str, str]:
    return percent(row["none"], row["statements"]), percent(row["above"], row["statements"])


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
                "survive": board.survivors(),
                "reversed_by_interval_scale": int(board.turned.sum()),
                "undecided": undecided_reason(board) if board.counts()["undecided"] else None,
                "base": board.base,
                "stretch": [_finite(row) for row in stretch_rows(name, board)],
                "ranking": [board.systems[system] for system in board.ranking.tolist()],
                "undominated": [board.systems[system] for system in board.undominated()],
                "covers": [[board.systems[better], board.systems[worse]] for better, worse in board.covers()],
            }
            for name, board in boards
        ]
    )


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    """A row without infinite numbers, which JSON does not have: they become "inf"."""
    return {key: "inf" if isinstance(value, float) and np.isinf(value) else value for key, value in row.items()}


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
                    "reversed_by_interval_scale": bool(board.turned[better, worse]),
                    **{key: _stretch(board, group, better, worse) for key, group in STRETCHES.items()},
                }
            )
    return rows


STRETCHES = {
    "stretch_one_scale": "one scale",
    "stretch_per_recall_base": "one scale per recall base",
    "stretch_per_topic": "one scale per topic",
}


def _stretch(board: Leaderboard, group: str, better: int, worse: int) -> float | None:
    """The stretch index of a pair; None for equal samples, means that are not arithmetic, and a group that is another one."""
    if group not in board.groups or not board.arithmetic:
        return None
    index = float(board.stretches[group][better, worse])
    return None if np.isnan(index) else index


def pairs_table(boards: Boards) -> str:
    """One line per pair."""
    header = ["measure", "better", "worse", "verdict", "mean", "mean", "interval", "interval", "stretch", "per base", "per topic"]
    keys = ("measure", "better", "worse", "verdict", "mean_better", "mean_worse", "interval_better", "interval_worse", *STRETCHES)
    rows = [[row[key] for key in keys] for row in pair_rows(boards)]
    formats = [None, None, None, None, fixed, fixed, general, general, *[times] * 3]
    note = "least stretch that reverses the statement: one scale for all topics, one per recall base, one per topic; base scale:"
    return as_text(Table(header, rows, "llll", formats)) + f"\n{wrap(f'{note} {boards[0][1].base}', '  ')}\n"


def pairs_csv(boards: Boards) -> str:
    """One line per pair."""
    rows = pair_rows(boards)
    header = ["measure", "better", "worse", "mean_better", "mean_worse", "interval_better", "interval_worse", "verdict"]
    header += ["reversed_by_interval_scale", *STRETCHES]
    return csv_text(header, [row.values() for row in rows])


def pairs_json(boards: Boards) -> str:
    """One object per pair."""
    return json_text([_finite(row) for row in pair_rows(boards)])


def explained_text(explanations: Sequence[Explanation]) -> str:
    """A paragraph or two per measure."""
    return "\n".join(_explained(each) for each in explanations)


def _explained(explanation: Explanation) -> str:
    verdict = explanation.common
    better, worse, equal = explanation.signs
    means = " and ".join(show(value) for value in verdict.values or ())
    lines = [
        f"{explanation.measure}: {verdict.statement}: {means}",
        f"{explanation.better} is better on {plural(better, 'topic')}, worse on {worse}, equal on {equal}.",
        f"verdict: {explanation.kind} ({MEANINGS[explanation.kind]})",
        "",
        *(_of_group(explanation, group) for group in reversed(explanation.groups)),
    ]
    if explanation.interval is not None:
        phi = " and ".join(map(general, explanation.interval))
        turned = ", the other way round" if explanation.reversed_by_interval else ""
        which = "" if explanation.common_interval else ", which ranks numerators and so is another function for each recall base,"
        lines.append(f"On the interval scale of the measure{which} the means are {phi}{turned}.")
    elif explanation.kind == VERDICTS[UNDECIDED]:
        lines.append(f"The interval scale does not decide: {explanation.unknown}.")
    return "\n".join(wrap(line, "  ") if line else "" for line in lines) + "\n"


def _of_group(explanation: Explanation, group: str) -> str:
    """The fate of the statement under a group of transformations."""
    verdict, index = explanation.groups[group], float(explanation.stretch[group])
    scales = f"One scale {EACH[group]}"
    if survives(explanation, group):
        return f"{scales}: no monotone transformation changes this."
    if verdict.transformation is None:
        return f"{scales}: the values are the same, and no transformation tells the systems apart."
    after = " and ".join(show(value) for value in verdict.transformed or ())
    own = getattr(verdict.transformation, "topics", ())
    changed = [at for at, each in enumerate(own) if each != Affine(1)]
    if not own:
        how = f"{verdict.transformation} changes this"
    elif group == GROUPS[PER_BASE]:
        named = ", ".join(explanation.topics[at] for at in changed[:MOST_NAMED]) + (", …" if len(changed) > MOST_NAMED else "")
        what = "topic" if len(changed) == 1 else "topics"
        how = f"{own[changed[0]]}, for the recall base of {what} {named} alone, changes this"
    else:
        how = f"{own[changed[0]]}, for topic {explanation.topics[changed[0]]} alone, changes this"
    least = f" To reverse it, some part of a scale must be stretched at least {times(index)} times more than another."
    bend = least if np.isfinite(index) and index > 1 else ""
    return f"{scales}: {how}, and gives the means {after}.{bend}"


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
            "reversed_by_interval_scale": each.reversed_by_interval,
            "survives": {group: survives(each, group) for group in each.groups},
            "stretch": {group: _number(index) for group, index in each.stretch.items()},
        }
        for each in explanations
    ]


def _number(index: Any) -> float | str | None:
    return None if np.isnan(float(index)) else "inf" if np.isinf(float(index)) else float(index)


def explained_csv(explanations: Sequence[Explanation]) -> str:
    """One line per measure."""
    return records_csv([{key: _cell(cell) for key, cell in row.items()} for row in explained_rows(explanations)])


def _cell(cell: Any) -> Any:
    if isinstance(cell, dict):
        return "; ".join(f"{key}: {value}" for key, value in cell.items())
    return " ".join(map(str, cell)) if isinstance(cell, list | tuple) else cell


def explained_json(explanations: Sequence[Explanation]) -> str:
    """One object per measure."""
    return json_text(explained_rows(explanations))


def correlation_rows(boards: Boards) -> list[dict[str, Any]]:
    """Kendall's τ_b of every two measures: between the rankings by means, and within topics, from exact orders.

    Topics on which a measure has one value for all systems have no τ_b.
    """
    if len(boards) < 2 or len(boards[0][1].systems) < 2:  # noqa: PLR2004 - a pair of each
        raise ScaleError("a correlation needs at least 2 measures and 2 systems; add -m or a run")
    rows = []
    for (first, one), (second, other) in combinations(boards, 2):
        pairs = zip(one.places.T, other.places.T, strict=True)
        by_topic = np.array([kendall(mine, yours) for mine, yours in pairs if np.ptp(mine) and np.ptp(yours)])
        rows.append(
            {
                "first": first,
                "second": second,
                "overall": kendall(one.order_of_means, other.order_of_means),
                "by_topic": float(by_topic.mean()) if len(by_topic) else None,
                "lowest": float(by_topic.min()) if len(by_topic) else None,
                "highest": float(by_topic.max()) if len(by_topic) else None,
                "topics": len(by_topic),
            }
        )
    return rows


def correlations_table(boards: Boards) -> str:
    """One line per two measures."""
    rows = [tuple(row.values()) for row in correlation_rows(boards)]
    header = ["measure", "and", "τ_b of means", "mean τ_b by topic", "lowest", "highest", "topics"]
    return as_text(Table(header, rows, "ll", [None, None, fixed, fixed, fixed, fixed, None]))


CORRELATED: dict[str, Callable[[Boards], str]] = {
    "table": correlations_table,
    "csv": lambda boards: records_csv(correlation_rows(boards)),
    "json": lambda boards: json_text(correlation_rows(boards)),
}
COUNTS: dict[str, Callable[[Boards], str]] = {"table": counts_table, "csv": counts_csv, "json": counts_json}
PAIRS: dict[str, Callable[[Boards], str]] = {"table": pairs_table, "csv": pairs_csv, "json": pairs_json}
EXPLAINED: dict[str, Callable[[Sequence[Explanation]], str]] = {
    "table": explained_text,
    "csv": explained_csv,
    "json": explained_json,
}
