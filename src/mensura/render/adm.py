"""Distances of ADM, correlations, stability and calibration, as text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.adm.calibration import INPUTS
from mensura.adm.distance import by_level
from mensura.measures.distance import ADM
from mensura.render.numbers import NOTHING, fixed, general
from mensura.render.tables import Table, as_text, json_text, records_csv
from mensura.render.text import wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.adm.calibration import Calibration
    from mensura.adm.claimed_scores import Claims
    from mensura.adm.correlation import Correlations
    from mensura.adm.distance import Distances
    from mensura.adm.fusion import Fusion
    from mensura.adm.stability import Stability
    from mensura.adm.threshold_table import Thresholds
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

Rows = list[dict[str, Any]]
Layouts = dict[str, Callable[..., str]]


# ── systems by grade ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _levels(judged: JudgedRuns, measures: Sequence[Measure], systems: Sequence[str]) -> Rows:
    rows: Rows = []
    variants, others = split(measures)
    values = {str(other): other.mean(other.score(judged), other.on_topics.defined(judged)) for other in others}
    for measure in variants:
        mean = measure.mean(measure.score(judged))
        _, distance, number = by_level(judged, measure)
        chosen = [judged.systems.index(name) for name in systems] or np.argsort(-mean, kind="stable").tolist()
        for system in chosen:
            row: dict[str, Any] = {"measure": str(measure), "system": judged.systems[system], "adm": float(mean[system])}
            row |= {name: float(value[system]) for name, value in values.items()}
            for grade in range(distance.shape[1]):
                row[f"distance_{grade}"] = float(distance[system, grade])
                row[f"documents_{grade}"] = int(number[system, grade])
            rows.append(row)
    return rows


def split(measures: Sequence[Measure]) -> tuple[list[ADM], list[Measure]]:
    """Variants of ADM, or ADM itself if there is none, and the measures that are shown beside them."""
    variants = [measure for measure in measures if isinstance(measure, ADM)]
    return variants or [ADM()], [measure for measure in measures if not isinstance(measure, ADM)]


def _levels_table(judged: JudgedRuns, measures: Sequence[Measure], systems: Sequence[str]) -> str:
    parts = []
    variants, others = split(measures)
    for measure in variants:
        levels = _levels(judged, [measure, *others], systems)
        names = measure.user_scores(judged).names
        grades = range(len(names))[::-1]
        table = Table(
            ["system", "ADM", *map(str, others), *(names[grade] for grade in grades)],
            [
                (
                    row["system"],
                    row["adm"],
                    *(row[str(other)] for other in others),
                    *((row[f"distance_{grade}"], row[f"documents_{grade}"]) for grade in grades),
                )
                for row in levels
            ],
            formats=[None, fixed, *[general] * len(others), *[_distance] * len(grades)],
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
    rows: Rows = []
    for at, measure in enumerate(correlations.measures):
        spread = {"deviation": float(correlations.spread[at]), "iqr": float(correlations.iqr[at])}
        row: dict[str, Any] = {"measure": str(measure), "mean": float(correlations.means[at].mean()), **spread}
        row |= {str(each): float(tau) for each, tau in zip(correlations.references, correlations.tau[at], strict=True)}
        if isinstance(measure, ADM):
            row |= {"zero": float(correlations.zero[at]), "below_zero": correlations.below_zero[at]}
            row |= {"srs": float(correlations.srs[at]), "constant": float(correlations.constant[at])}
            row |= {"below_constant": correlations.below_constant[at]}
        else:
            row |= dict.fromkeys(("zero", "below_zero", "srs", "constant", "below_constant"))
        rows.append(row)
    return rows


def _correlation_table(correlations: Correlations, judged: JudgedRuns) -> str:
    records = _correlation_rows(correlations)
    number = partial(fixed, decimals=3)
    keys = ["measure", "mean", "deviation", "iqr", *map(str, correlations.references)]
    header = ["measure", "mean", "deviation", "IQR", *map(str, correlations.references)]
    table = Table(header, [[row[key] for key in keys] for row in records], formats=[None, *[number] * (len(keys) - 1)])
    head = f"Kendall's τ_b between rankings of {judged.shape[0]} systems by their means over {judged.shape[1]} topics"
    keys = ["measure", "mean", "zero", "below_zero", "srs", "constant", "below_constant"]
    rows = [[row[key] for key in keys] for row in records if row["zero"] is not None]
    silent = Table(
        ["measure", "mean", "all SRS 0", "systems below", "all SRS", "", "systems below"],
        rows,
        formats=[None, number, number, None, number, number, None],
    )
    below = "Systems that say nothing: mean ADM with SRS 0, and with the best single SRS, for all documents of each system"
    return f"{head}\n\n{as_text(table)}\n{wrap(below, '')}\n\n{as_text(silent)}"


CORRELATIONS: Layouts = {
    "table": _correlation_table,
    "csv": lambda correlations, _: records_csv(_correlation_rows(correlations)),
    "json": lambda correlations, _: json_text(_correlation_rows(correlations)),
}


# ── thresholds, claims, fusion ───────────────────────────────────────────────────────────────────────────────────────────────


def _thresholds_table(result: Thresholds) -> str:
    head = (
        f"P, R and E of documents with an SRS of at least {result.srs:g}, relevant with a URS of at least {result.urs:g}; "
        f"{result.measure} of the same; means over topics"
    )
    header = ["system", "P", "R", "E", "(P+R)/2", "ADM"]
    return f"{wrap(head, '')}\n\n{as_text(Table(header, [list(row.values()) for row in result.rows()], 'l', [None, *[fixed] * 5]))}"


def _claims_table(result: Claims) -> str:
    head = (
        f"Scores as SRS, estimates of relevance from 0 to 1: {result.measure} of the scores as they are, normalised, and of one SRS"
    )
    header = ["system", "lowest", "highest", "outside", "flat lists", "as given", "linear", "one SRS", "verdict"]
    formats = [None, general, general, None, None, fixed, fixed, fixed, None]
    return f"{wrap(head, '')}\n\n{as_text(Table(header, [list(row.values()) for row in result.rows()], 'lrrrrrrrl', formats))}"


def _fusion_table(result: Fusion) -> str:
    head = f"Systems, and the mean of their SRS by {result.measure}"
    rows = sorted((list(row.values()) for row in result.rows()), key=lambda row: -row[1])
    return f"{wrap(head, '')}\n\n{as_text(Table(['system', 'ADM', 'AP'], rows, 'l', [None, fixed, fixed]))}"


def _records(table: Callable[..., str]) -> Layouts:
    return {
        "table": table,
        "csv": lambda result: records_csv(list(result.rows())),
        "json": lambda result: json_text(list(result.rows())),
    }


THRESHOLDS, CLAIMS, FUSION = _records(_thresholds_table), _records(_claims_table), _records(_fusion_table)


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
        row |= {"0 for all": float(calibration.zero[system])}
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
        silent = (record["0 for all"], record["one SRS for all"])
        rows.append((*start, record["at most"], max(as_normalised, as_learnt) - record["linear"], *silent))
    header = ["system", "linear", "best fixed", "", "best learnt", "", "at most", "gain", "0 for all", "one SRS for all"]
    formats = [None, fixed, None, fixed, None, fixed, fixed, gain, fixed, fixed]
    return f"{head}\n\n{as_text(Table(header, rows, 'l', formats))}"


CALIBRATION: Layouts = {
    "table": _calibration_table,
    "csv": lambda calibration, systems: records_csv(_calibration_rows(calibration, systems)),
    "json": lambda calibration, systems: json_text(_calibration_rows(calibration, systems)),
}
