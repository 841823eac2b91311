"""What ``mensura adm`` writes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.adm.calibration import INPUTS
from mensura.adm.distance import by_level
from mensura.render.tabular import csv_text, json_text
from mensura.render.text import TextTable, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.adm.calibration import Calibration
    from mensura.adm.correlation import Correlations
    from mensura.adm.distance import Distances
    from mensura.adm.stability import Stability
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM

Rows = list[dict[str, Any]]


def _shown(value: float, digits: int = 4) -> str:
    return "–" if math.isnan(value) else f"{round(value, digits) + 0.0:.{digits}f}"


def _plain(value: Any) -> Any:
    """A number as JSON has it."""
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return None if math.isnan(value) else float(value)
    return value


def _csv(rows: Rows) -> str:
    return csv_text(list(rows[0]), [["" if (cell := _plain(value)) is None else cell for value in row.values()] for row in rows])


def _json(rows: Rows) -> str:
    return json_text([{key: _plain(value) for key, value in row.items()} for row in rows])


# ── systems by grade ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _levels(judged: JudgedRuns, measures: Sequence[ADM], systems: Sequence[str]) -> Rows:
    rows: Rows = []
    for measure in measures:
        mean = measure.score(judged).mean(axis=1)
        distance, number = by_level(judged, measure)
        chosen = [judged.systems.index(name) for name in systems] or np.argsort(-mean, kind="stable").tolist()
        for system in chosen:
            row: dict[str, Any] = {"measure": str(measure), "system": judged.systems[system], "adm": float(mean[system])}
            for grade in range(distance.shape[1]):
                row[f"distance_{grade}"] = float(distance[system, grade])
                row[f"documents_{grade}"] = int(number[system, grade])
            rows.append(row)
    return rows


def _levels_table(judged: JudgedRuns, measures: Sequence[ADM], systems: Sequence[str]) -> str:
    parts = []
    for measure in measures:
        rows = _levels(judged, [measure], systems)
        grades = [int(key.removeprefix("distance_")) for key in rows[0] if key.startswith("distance_")]
        table = TextTable(["system", "ADM", *(f"grade {grade}" for grade in reversed(grades))], left=1)
        for row in rows:
            cells = [f"{_shown(row[f'distance_{g}'], 3)} ({row[f'documents_{g}']})" for g in reversed(grades)]
            table.add([row["system"], _shown(row["adm"]), *cells])
        head = f"{measure}: means over {len(judged.topics)} topics; mean |SRS − URS| by grade, with the number of documents"
        parts.append(f"{wrap(head, '')}\n\n{table}")
    return "\n".join(parts)


LEVELS = {
    "table": _levels_table,
    "csv": lambda *given: _csv(_levels(*given)),
    "json": lambda *given: _json(_levels(*given)),
}


# ── one topic ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _documents(found: Distances) -> Rows:
    columns = zip(found.rank, found.score, found.grade, found.srs, found.urs, found.distance, strict=True)
    return [
        {"rank": rank or None, "score": score, "grade": grade if grade >= 0 else None, "srs": srs, "urs": urs, "distance": distance}
        for rank, score, grade, srs, urs, distance in columns
    ]


def _topic_table(found: Distances) -> str:
    table = TextTable(["rank", "score", "SRS", "grade", "URS", "distance"], left=0)
    for row in _documents(found):
        table.add(
            [
                "–" if row["rank"] is None else str(row["rank"]),
                "–" if math.isnan(row["score"]) else f"{row['score']:.6g}",
                _shown(row["srs"]),
                "–" if row["grade"] is None else str(row["grade"]),
                _shown(row["urs"]),
                _shown(row["distance"]),
            ]
        )
    medians = TextTable(["URS", "documents", "median SRS"], left=0)
    for urs, number, median in found.medians():
        medians.add([_shown(urs), str(number), _shown(median)])
    head = f"{found.system}, topic {found.topic}: {found.measure} = {found.value:.4f}"
    return f"{head}\n\n{table}\n{medians}"


def _topic_json(found: Distances) -> str:
    return json_text(
        {
            "system": found.system,
            "topic": found.topic,
            "measure": str(found.measure),
            "value": found.value,
            "documents": [{key: _plain(value) for key, value in row.items()} for row in _documents(found)],
            "medians": [{"urs": urs, "documents": number, "median_srs": median} for urs, number, median in found.medians()],
        }
    )


TOPIC = {"table": _topic_table, "csv": lambda found: _csv(_documents(found)), "json": _topic_json}


# ── correlations ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _correlation_rows(found: Correlations, judged: JudgedRuns) -> Rows:  # noqa: ARG001
    return [
        {"measure": str(measure), "mean": float(means.mean()), "deviation": float(spread)}
        | {str(reference): float(tau) for reference, tau in zip(found.references, row, strict=True)}
        for measure, means, spread, row in zip(found.measures, found.means, found.spread, found.tau, strict=True)
    ]


def _correlation_table(found: Correlations, judged: JudgedRuns) -> str:
    table = TextTable(["measure", "mean", "deviation", *map(str, found.references)], left=1)
    for row in _correlation_rows(found, judged):
        table.add([row["measure"], *(_shown(value, 3) for key, value in row.items() if key != "measure")])
    head = f"Kendall's τ_b between rankings of {judged.shape[0]} systems by their means over {judged.shape[1]} topics"
    return f"{head}\n\n{table}"


CORRELATIONS = {
    "table": _correlation_table,
    "csv": lambda *given: _csv(_correlation_rows(*given)),
    "json": lambda *given: _json(_correlation_rows(*given)),
}


# ── stability ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _stability_rows(topics: Sequence[Stability], documents: Sequence[Stability], judged: JudgedRuns) -> Rows:  # noqa: ARG001
    return [
        {"measure": str(each.measure), "of": each.of, "size": size, "whole": whole, "low": low, "apart": apart, "ap": ap}
        for each in (*topics, *documents)
        for size, whole, low, apart, ap in zip(each.sizes, each.whole, each.low, each.apart, each.reference, strict=True)
    ]


def _stability_table(topics: Sequence[Stability], documents: Sequence[Stability], judged: JudgedRuns) -> str:
    made = []
    for found, what, head in (
        (topics, "topics", "Mean τ_b of the ranking from random topics with that from all topics"),
        (documents, "documents", "τ_b of the ranking from the first documents with that from all documents"),
    ):
        table = TextTable(["measure", *map(str, found[0].sizes), "stable from"], left=1)
        for each in found:
            table.add(
                [str(each.measure), *(_shown(tau, 2) for tau in each.whole), "–" if each.needed is None else str(each.needed)]
            )
        made.append(f"{head}, {judged.shape[0]} systems, by the number of {what}\n\n{table}")
    apart = TextTable(["measure", *map(str, topics[0].sizes)], left=1)
    for each in topics:
        apart.add([str(each.measure), *(_shown(tau, 2) for tau in each.apart)])
    made.append(f"Mean τ_b between rankings from samples that share no topic\n\n{apart}")
    return "\n".join(made) + "\nStable: the mean τ_b with all is at least 0.9 from here on.\n"


STABILITY = {
    "table": _stability_table,
    "csv": lambda *given: _csv(_stability_rows(*given)),
    "json": lambda *given: _json(_stability_rows(*given)),
}


# ── calibration ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _calibration_rows(found: Calibration, systems: Sequence[str]) -> Rows:
    rows: Rows = []
    for name in systems:
        system = found.systems.index(name)
        row: dict[str, Any] = {"system": name}
        row |= {each: float(value) for each, value in zip(found.names, found.fixed[:, system], strict=True)}
        row |= {_learnt(each): float(value) for each, value in zip(INPUTS, found.fitted[:, system], strict=True)}
        row |= {"at most": float(found.bound[:, system].max()), "advice": found.advice(system)}
        rows.append(row)
    return rows


def _learnt(by: str) -> str:
    return "one SRS for all" if by == "nothing" else f"steps of {by}"


def _calibration_table(found: Calibration, systems: Sequence[str]) -> str:
    rows = _calibration_rows(found, systems)
    head = wrap(f"Mean {found.measure} by normalisation; steps are learnt from the judgments of other topics", "")
    if len(rows) == 1:
        row = rows[0]
        table = TextTable(["normalisation", "ADM", "gain"], left=1)
        for key, value in row.items():
            if isinstance(value, float):
                table.add([key, _shown(value), "–" if math.isnan(value) else f"{value - row['linear']:+.4f}"])
        advice = wrap(f"{row['system']}: {row['advice']}", "  ")
        return f"{head}\n\n{table}\n{advice}\n"
    table = TextTable(["system", "linear", "best fixed", "", "best learnt", "", "at most", "gain"], left=1)
    for row in sorted(rows, key=lambda row: -row["linear"]):
        system = found.systems.index(row["system"])
        fixed, fitted = int(found.best_fixed[system]), int(found.best_fitted[system])
        best = max(found.fixed[fixed, system], found.fitted[fitted, system])
        cells = [_shown(row["linear"]), found.names[fixed], _shown(float(found.fixed[fixed, system]))]
        cells += [
            _learnt(INPUTS[fitted]),
            _shown(float(found.fitted[fitted, system])),
            _shown(row["at most"]),
            f"{best - row['linear']:+.4f}",
        ]
        table.add([row["system"], *cells])
    return f"{head}\n\n{table}"


CALIBRATION = {
    "table": _calibration_table,
    "csv": lambda *given: _csv(_calibration_rows(*given)),
    "json": lambda *given: _json(_calibration_rows(*given)),
}
