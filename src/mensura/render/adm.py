"""Distances of ADM, correlations, stability and calibration, as text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.adm.calibration import INPUTS
from mensura.adm.distance import by_level
from mensura.render.numbers import NOTHING, fixed, general
from mensura.render.tables import Table, as_text, json_text, records_csv
from mensura.render.text import wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.adm.calibration import Calibration
    from mensura.adm.correlation import Correlations
    from mensura.adm.distance import Distances
    from mensura.adm.stability import Stability
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM

Rows = list[dict[str, Any]]
Layouts = dict[str, Callable[..., str]]


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
        levels = _levels(judged, [measure], systems)
        grades = [int(key.removeprefix("distance_")) for key in levels[0] if key.startswith("distance_")][::-1]
        table = Table(
            ["system", "ADM", *(f"grade {grade}" for grade in grades)],
            [
                (row["system"], row["adm"], *((row[f"distance_{grade}"], row[f"documents_{grade}"]) for grade in grades))
                for row in levels
            ],
            formats=[None, fixed, *[_distance] * len(grades)],
        )
        head = f"{measure}: means over {len(judged.topics)} topics; mean |SRS − URS| by grade, with the number of documents"
        parts.append(f"{wrap(head, '')}\n\n{as_text(table)}")
    return "\n".join(parts)


def _distance(cell: tuple[float, int]) -> str:
    return f"{fixed(cell[0], 3)} ({cell[1]})"


LEVELS: Layouts = {
    "table": _levels_table,
    "csv": lambda *question: records_csv(_levels(*question)),
    "json": lambda *question: json_text(_levels(*question)),
}


# ── one topic ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _documents(distances: Distances) -> Rows:
    columns = (distances.rank, distances.score, distances.grade, distances.srs, distances.urs, distances.distance)
    return [
        {"rank": rank or None, "score": score, "grade": grade if grade >= 0 else None, "srs": srs, "urs": urs, "distance": distance}
        for rank, score, grade, srs, urs, distance in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _topic_table(distances: Distances) -> str:
    keys = ("rank", "score", "srs", "grade", "urs", "distance")
    table = Table(
        ["rank", "score", "SRS", "grade", "URS", "distance"],
        [[row[key] for key in keys] for row in _documents(distances)],
        "",
        [_known, general, fixed, _known, fixed, fixed],
    )
    medians = Table(["URS", "documents", "median SRS"], distances.medians(), "", [fixed, None, fixed])
    head = f"{distances.system}, topic {distances.topic}: {distances.measure} = {fixed(distances.value)}"
    return f"{head}\n\n{as_text(table)}\n{as_text(medians)}"


def _known(number: int | None) -> str:
    return NOTHING if number is None else str(number)


def _topic_json(distances: Distances) -> str:
    return json_text(
        {
            "system": distances.system,
            "topic": distances.topic,
            "measure": str(distances.measure),
            "value": distances.value,
            "documents": _documents(distances),
            "medians": [{"urs": urs, "documents": number, "median_srs": median} for urs, number, median in distances.medians()],
        }
    )


TOPIC: Layouts = {"table": _topic_table, "csv": lambda distances: records_csv(_documents(distances)), "json": _topic_json}


# ── correlations ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _correlation_rows(correlations: Correlations) -> Rows:
    columns = (correlations.measures, correlations.means, correlations.spread, correlations.tau)
    return [
        {"measure": str(measure), "mean": float(means.mean()), "deviation": float(spread)}
        | {str(reference): float(tau) for reference, tau in zip(correlations.references, row, strict=True)}
        for measure, means, spread, row in zip(*columns, strict=True)
    ]


def _correlation_table(correlations: Correlations, judged: JudgedRuns) -> str:
    rows = [list(row.values()) for row in _correlation_rows(correlations)]
    header = ["measure", "mean", "deviation", *map(str, correlations.references)]
    table = Table(header, rows, formats=[None, *[partial(fixed, decimals=3)] * (len(header) - 1)])
    head = f"Kendall's τ_b between rankings of {judged.shape[0]} systems by their means over {judged.shape[1]} topics"
    return f"{head}\n\n{as_text(table)}"


CORRELATIONS: Layouts = {
    "table": _correlation_table,
    "csv": lambda correlations, _: records_csv(_correlation_rows(correlations)),
    "json": lambda correlations, _: json_text(_correlation_rows(correlations)),
}


# ── stability ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _stability_rows(topics: Sequence[Stability], documents: Sequence[Stability]) -> Rows:
    return [
        {"measure": str(each.measure), "of": each.of, "size": size, "whole": whole, "low": low, "apart": apart, "ap": ap}
        for each in (*topics, *documents)
        for size, whole, low, apart, ap in zip(each.sizes, each.whole, each.low, each.apart, each.reference, strict=True)
    ]


def _stability_table(topics: Sequence[Stability], documents: Sequence[Stability], judged: JudgedRuns) -> str:
    tau = partial(fixed, decimals=2)
    parts = []
    for curves, what, head in (
        (topics, "topics", "Mean τ_b of the ranking from random topics with that from all topics"),
        (documents, "documents", "τ_b of the ranking from the first documents with that from all documents"),
    ):
        sizes = curves[0].sizes
        rows = [(str(each.measure), *each.whole, each.needed) for each in curves]
        table = Table(["measure", *map(str, sizes), "stable from"], rows, formats=[None, *[tau] * len(sizes), _known])
        parts.append(f"{head}, {judged.shape[0]} systems, by the number of {what}\n\n{as_text(table)}")
    sizes = topics[0].sizes
    rows = [(str(each.measure), *each.apart) for each in topics]
    apart = Table(["measure", *map(str, sizes)], rows, formats=[None, *[tau] * len(sizes)])
    parts.append(f"Mean τ_b between rankings from samples that share no topic\n\n{as_text(apart)}")
    return "\n".join(parts) + "\nStable: the mean τ_b with all is at least 0.9 from here on.\n"


STABILITY: Layouts = {
    "table": _stability_table,
    "csv": lambda topics, documents, _: records_csv(_stability_rows(topics, documents)),
    "json": lambda topics, documents, _: json_text(_stability_rows(topics, documents)),
}


# ── calibration ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _calibration_rows(calibration: Calibration, systems: Sequence[str]) -> Rows:
    rows: Rows = []
    for name in systems:
        system = calibration.systems.index(name)
        row: dict[str, Any] = {"system": name}
        row |= {each: float(value) for each, value in zip(calibration.names, calibration.fixed[:, system], strict=True)}
        row |= {_learnt(each): float(value) for each, value in zip(INPUTS, calibration.fitted[:, system], strict=True)}
        row |= {"at most": float(calibration.bound[:, system].max()), "advice": calibration.advice(system)}
        rows.append(row)
    return rows


def _learnt(by: str) -> str:
    return "one SRS for all" if by == "nothing" else f"steps of {by}"


def _calibration_table(calibration: Calibration, systems: Sequence[str]) -> str:
    records = _calibration_rows(calibration, systems)
    head = wrap(f"Mean {calibration.measure} by normalisation; steps are learnt from the judgments of other topics", "")
    gain = partial(fixed, sign=True)
    if len(records) == 1:
        (record,) = records
        values = {key: value for key, value in record.items() if isinstance(value, float)}
        rows: list[tuple[Any, ...]] = [(key, value, value - values["linear"]) for key, value in values.items()]
        table = Table(["normalisation", "ADM", "gain"], rows, formats=[None, fixed, gain])
        advice = wrap(f"{record['system']}: {record['advice']}", "  ")
        return f"{head}\n\n{as_text(table)}\n{advice}\n"
    rows = []
    for record in sorted(records, key=lambda record: -record["linear"]):
        system = calibration.systems.index(record["system"])
        best, fitted = int(calibration.best_fixed[system]), int(calibration.best_fitted[system])
        as_normalised, as_learnt = float(calibration.fixed[best, system]), float(calibration.fitted[fitted, system])
        start = (record["system"], record["linear"], calibration.names[best], as_normalised, _learnt(INPUTS[fitted]), as_learnt)
        rows.append((*start, record["at most"], max(as_normalised, as_learnt) - record["linear"]))
    header = ["system", "linear", "best fixed", "", "best learnt", "", "at most", "gain"]
    return f"{head}\n\n{as_text(Table(header, rows, 'l', [None, fixed, None, fixed, None, fixed, fixed, gain]))}"


CALIBRATION: Layouts = {
    "table": _calibration_table,
    "csv": lambda calibration, systems: records_csv(_calibration_rows(calibration, systems)),
    "json": lambda calibration, systems: json_text(_calibration_rows(calibration, systems)),
}
