"""Comparisons for programs: csv and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.tables import csv_text, json_text
from mensura.result import encode
from mensura.stats.compared import EFFECTS
from mensura.stats.effect_sizes import WITH_INTERVALS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.plans.hypotheses import HypothesisVerdict
    from mensura.stats.compared import Comparison, Comparisons


def systems_csv(comparisons: Sequence[Comparison]) -> str:
    """A line for each system: ``measure,scale,system,place,mean,low,high,groups``."""
    header = ("measure", "scale", "system", "place", "mean", "low", "high", "groups")
    rows = [row for comparison in comparisons for row in comparison.leaderboard().rows()]
    return csv_text(header, [[row[key] for key in header] for row in rows])


def pairs_csv(comparisons: Sequence[Comparison]) -> str:
    """A line for each pair."""
    planned = any(comparison.role is not None for comparison in comparisons)
    header: tuple[str, ...] = ("measure", "scale", *PAIR, *(("role",) if planned else ()))
    rows = [
        (
            name,
            comparison.scale,
            *(int(value) if isinstance(value, bool) else value for value in row),
            *((comparison.role,) if planned else ()),
        )
        for name, comparison in ((str(comparison.measure), comparison) for comparison in comparisons)
        for row in _pair_rows(comparison)
    ]
    return csv_text(header, rows)


PAIR = (
    *("first", "second", "difference", "low", "high", "statistic", "p", "corrected_p", "significant", "direction"),
    *(*EFFECTS, "wins", "ties", "losses"),
    *(f"{name}_{end}" for name in WITH_INTERVALS for end in ("low", "high")),
)


def _pair_rows(comparison: Comparison) -> list[tuple[Any, ...]]:
    """A row for each pair, under the header ``PAIR``."""
    outcome, size = comparison.outcome, comparison.effects
    numbers = (
        outcome.estimate,
        comparison.pair_low,
        comparison.pair_high,
        outcome.statistic,
        outcome.p,
        comparison.corrected_p,
        comparison.significant,
        outcome.direction,
        *(getattr(size, name) for name in EFFECTS),
        size.wins,
        size.ties,
        size.losses,
        *(bound for name in WITH_INTERVALS for bound in size.interval(name, level=1 - comparison.alpha)),
    )
    systems = comparison.systems
    first = [systems[system] for system in outcome.pairs.first.tolist()]
    second = [systems[system] for system in outcome.pairs.second.tolist()]
    return list(zip(first, second, *(column.tolist() for column in numbers), strict=True))


def as_json(comparisons: Comparisons, verdicts: Sequence[HypothesisVerdict] = ()) -> str:
    """Everything, with the remarks."""
    plain: dict[str, Any] = {
        "comparisons": [document(comparison) for comparison in comparisons],
        "advice": [each.to_dict() for each in comparisons.advice],
        "remarks": [{"code": remark.code, "kind": remark.kind, "text": remark.text} for remark in comparisons.remarks],
    }
    if verdicts:
        plain["hypotheses"] = [
            {
                "better": verdict.hypothesis.better,
                "worse": verdict.hypothesis.worse,
                "measure": verdict.hypothesis.measure,
                "because": verdict.hypothesis.because,
                "says": verdict.says,
            }
            for verdict in verdicts
        ]
    return json_text(plain)


def document(comparison: Comparison) -> dict[str, Any]:
    """A comparison as plain data, which JSON can hold."""
    method, omnibus, family = comparison.method, comparison.outcome.omnibus, comparison.family
    plain: dict[str, Any] = {
        "measure": str(comparison.measure),
        "scale": comparison.scale,
        "higher_is_better": comparison.direction == "higher",
        "topics": comparison.outcome.topics,
        "test": {
            "name": method.name,
            "title": method.title,
            "assumes": method.scale,
            "paired": method.paired,
            "reference": method.reference,
        },
        "family": {
            "correction": family.correction,
            "sentence": str(family),
            "controls": family.controls,
            "pairs": family.pairs,
            "measures": family.measures,
            "prior_tests": family.prior_tests,
            "size": family.size,
        }
        | ({"left_out": family.left_out} if family.left_out else {}),
        "alpha": comparison.alpha,
        "interval": comparison.interval_method,
        "interval_kind": comparison.interval_kind,
        "draws": comparison.outcome.draws,
        "decimals": comparison.decimals,
        "estimate_of": comparison.estimate_of,
        "systems": [
            {key: getattr(standing, key) for key in ("system", "place", "mean", "low", "high", "groups")}
            for standing in comparison.leaderboard()
        ],
        "pairs": [dict(zip(PAIR, row, strict=True)) for row in _pair_rows(comparison)],
        "remarks": comparison.remarks,
    }
    if comparison.role is not None:
        plain["role"] = comparison.role
    if omnibus is not None:
        plain["omnibus"] = {
            "statistic": omnibus.statistic,
            "degrees": omnibus.degrees,
            "p": omnibus.p,
            "eta_squared": omnibus.eta_squared,
            "omega_squared": omnibus.omega_squared,
        }
    encoded: dict[str, Any] = encode(plain)
    return encoded
