"""Runs against their ideal rankings, and rankings against one reference: tables, csv and json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.numbers import fixed, general
from mensura.render.tables import Table, as_text, json_text, records_csv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.rankings.ideal import IdealCurves
    from mensura.rankings.reference import ReferenceComparison

CURVES = ("positions", "misplacements", "point", "area", "normalized_area", "a_corr", "relative_position")
TITLES = ("F", "F − k", "P", "A", "nA", "A-corr", "CRP")
PROPORTIONS = {"normalized_area", "a_corr", "spearman", "tau_b", "tau_ap", "rbo"}
NUMBERS = ("footrule", "kendall", "area", "worst_area", "normalized_area", "a_corr", "spearman", "tau_b", "tau_ap", "rbo")
HEADER = ("footrule", "Kendall", "area A", "of at most", "nA", "A-corr", "ρ", "τ_b", "τ_AP", "RBO")
ENDS = ("area A", "nA", "A-corr", "CRP", "largest P", "at rank")
EVERY = 20  # ranks, if no more: all of them are shown
SPANS = 8  # stretches of ranks in a line


def size(value: float) -> str:
    """Format a number that may be large, without an exponent."""
    return general(value) if abs(value) < 1e6 else fixed(value, 0)  # noqa: PLR2004 - more than six digits


def spans(ranks: Sequence[int], most: int = SPANS) -> str:
    """Format ranks as stretches, ``1–3, 5``; only the first ``most`` of them, and how many ranks follow."""
    stretches: list[list[int]] = []
    for rank in ranks:
        if stretches and stretches[-1][1] == rank - 1:
            stretches[-1][1] = rank
        else:
            stretches.append([rank, rank])
    shown = ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in stretches[:most])
    left = sum(last - first + 1 for first, last in stretches[most:])
    return f"{shown} and {left} more" if left else shown


def landmarks(ranks: int) -> list[int]:
    """Return ranks at which a long curve is shown: 1 to 10, then 20, 50, 100, 200, …, and the last."""
    if ranks <= EVERY:
        return list(range(1, ranks + 1))
    steps = [first * 10**power for power in range(1, len(str(ranks))) for first in (2, 5, 10)]
    return [*range(1, 11), *(step for step in steps if step < ranks), ranks]


def end_numbers(curves: IdealCurves) -> list[dict[str, Any]]:
    """Return the ends of the curves of each system on the one topic of ``curves``, its furthest point, and its misplacements."""
    topic = curves.topics[0]
    return [
        {
            "system": name,
            "area": float(curves.area[system, 0, -1]),
            "normalized_area": float(curves.normalized_area[system, 0, -1]),
            "a_corr": float(curves.a_corr[system, 0, -1]),
            "relative_position": float(curves.relative_position[system, 0, -1]),
            "furthest": float(curves.point[system, 0].max()),
            "furthest_rank": int(curves.point[system, 0].argmax()) + 1,
            "losses": curves.losses(name, topic),
            "recoveries": curves.recoveries(name, topic),
        }
        for system, name in enumerate(curves.systems)
    ]


def end_cells(row: dict[str, Any]) -> list[str]:
    """Format a row of :func:`end_numbers` as cells under :data:`ENDS`."""
    shares = [fixed(row[key]) for key in ("normalized_area", "a_corr")]
    return [size(row["area"]), *shares, size(row["relative_position"]), size(row["furthest"]), str(row["furthest_rank"])]


def misplaced(row: dict[str, Any]) -> str:
    """Say where a run loses and where it recovers."""
    loses, recovers = (_at(row[key]) for key in ("losses", "recoveries"))
    return f"{row['system']} loses {loses}; it recovers {recovers}."


def _at(ranks: Sequence[int]) -> str:
    return f"at rank{'s' if len(ranks) > 1 else ''} {spans(ranks)}" if ranks else "nowhere"


def ideal_table(curves: IdealCurves, about: str, *, every_rank: bool = False) -> str:
    """Format curves of one topic: their ends, where each run loses and recovers; for one run or on request, the curves."""
    rows = end_numbers(curves)
    table = as_text(Table(["", *ENDS], [(row["system"], *end_cells(row)) for row in rows]))
    words = [f"{misplaced(row)}\n" for row in rows]
    parts = [f"{about}\n\n{table}\n{''.join(words)}"]
    if every_rank or len(curves.systems) == 1:
        parts += [_curve_table(curves, system, every_rank=every_rank) for system in range(len(curves.systems))]
    return "\n".join(parts)


def _curve_table(curves: IdealCurves, system: int, *, every_rank: bool) -> str:
    ranks = curves.point.shape[2]
    rows = [
        (str(rank), *((fixed if key in PROPORTIONS else size)(float(getattr(curves, key)[system, 0, rank - 1])) for key in CURVES))
        for rank in (range(1, ranks + 1) if every_rank else landmarks(ranks))
    ]
    table = as_text(Table(["rank", *TITLES], rows, align="r"))
    return f"{curves.systems[system]}\n\n{table}" if len(curves.systems) > 1 else table


def ideal_csv(curves: IdealCurves, *, every_rank: bool = False) -> str:
    """Format curves of one topic: a line for each number of each system, or for each rank."""
    if every_rank:
        return records_csv(list(curves.rows()))
    topic = curves.topics[0]
    return records_csv(
        [
            {"system": row["system"], "topic": topic, "measure": key, "value": value}
            for row in end_numbers(curves)
            for key, value in row.items()
            if isinstance(value, float | int)
        ]
    )


def ideal_json(curves: IdealCurves, facts: dict[str, Any]) -> str:
    """Format curves of one topic as a JSON document: ``facts``, then every curve and every misplacement of each system."""
    systems = [
        {
            "system": row["system"],
            "losses": row["losses"],
            "recoveries": row["recoveries"],
            **{key: getattr(curves, key)[system, 0] for key in CURVES},
        }
        for system, row in enumerate(end_numbers(curves))
    ]
    return json_text(facts | {"ranks": curves.point.shape[2], "systems": systems})


def reference_rows(comparison: ReferenceComparison) -> list[list[str]]:
    """Return the cells of a table with one row for each ranking: its name, then :data:`NUMBERS`."""
    return [
        [name, *(fixed(numbers[key]) if key in PROPORTIONS else size(numbers[key]) for key in NUMBERS)]
        for name, numbers in comparison.numbers().items()
    ]


def reference_table(comparison: ReferenceComparison) -> str:
    """Format the numbers of rankings against their reference."""
    table = as_text(Table(["", *HEADER], reference_rows(comparison)))
    items = len(next(iter(comparison.comparisons.values())).pair.right)
    return f"against {comparison.reference}: {items} items\n\n{table}"


def reference_csv(comparison: ReferenceComparison, *, every_rank: bool = False) -> str:
    """Format a line for each number of each ranking, or for each rank."""
    if every_rank:
        return records_csv(list(comparison.rows()))
    return records_csv(
        [
            {"first": name, "second": comparison.reference, "measure": key, "value": value}
            for name, numbers in comparison.numbers().items()
            for key, value in numbers.items()
        ]
    )


def reference_json(comparison: ReferenceComparison, facts: dict[str, Any]) -> str:
    """Format a JSON document: ``facts``, then every number and curve of each ranking."""
    rankings = [
        {"ranking": name, **each.to_dict(), "ranked": [str(item) for item in each.pair.items]}
        for name, each in comparison.comparisons.items()
    ]
    return json_text({"reference": comparison.reference, **facts, "rankings": rankings})
