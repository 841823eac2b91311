"""``mensura measures``."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_output, add_plugin

SHOWN_LENGTH = 5  # or the cut-off: the search for intervals takes long on longer runs

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.measures.base import Measure


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "List the measures: what they are, their parameters, range, direction, whether they depend on the recall base,\n"
        "and what is proven about their scale."
    )
    parser.epilog = "examples: mensura measures --format json, mensura measures RBP"
    parser.add_argument("names", metavar="MEASURE", nargs="*", help="measures to describe in full (default: a list of all)")
    add_output(parser)
    add_plugin(parser)


def run(arguments: Namespace) -> int:
    """List the measures."""
    from mensura.cli.shared.output import write

    layouts = {"table": _details if arguments.names else _table, "csv": _csv, "json": _json}
    write(layouts[arguments.format](_facts(arguments.names)), arguments.output)
    return 0


def _facts(names: list[str]) -> list[dict[str, Any]]:
    import dataclasses

    from mensura.measures.names import REGISTRY, parse_measures
    from mensura.measures.trec_eval import trec_eval_name

    facts = []
    everything = sorted((getattr(cls, "example", name) for name, cls in REGISTRY.items()), key=str.lower)
    for measure in parse_measures(names or everything):
        cls = type(measure)
        parameters = [
            field.name if field.default is dataclasses.MISSING else f"{field.name}={field.default!r}"
            for field in dataclasses.fields(cls)
            if field.name != "cutoff"
        ]
        low, high = measure.range
        facts.append(
            {
                "measure": str(measure) if names else cls.name,
                "summary": _summary(measure),
                "parameters": parameters,
                "better": measure.direction,
                "lowest": low if low > float("-inf") else None,
                "highest": high if high < float("inf") else None,
                "recall_base": measure.uses_recall_base,
                "aggregation": measure.aggregation,
                **_scale(measure),
                "trec_eval": trec_eval_name(measure),
                "reference": measure.reference,
                "about": inspect.getdoc(cls) or "",
            }
        )
    return facts


def _scale(measure: Measure) -> dict[str, Any]:
    """The scale type on binary runs, and the intervals on which the measure is interval-like."""
    from mensura.scales.facts import scale_facts
    from mensura.scales.order.interval_like import interval_like
    from mensura.scales.order.values import Subject
    from mensura.scales.order.verdicts import holds

    facts: dict[str, Any] = {"scale": scale_facts(measure).type, "interval_like": None}
    if measure.scale_obstacle is None:
        subject = Subject(measure, min(SHOWN_LENGTH, measure.cutoff or SHOWN_LENGTH))
        everywhere, equal = holds(interval_like(subject)), holds(interval_like(subject, equal_mass=True))
        facts["interval_like"] = "all" if everywhere else "equal" if equal else "none" if equal is False else None
    return facts


def _summary(measure: Measure) -> str:
    """The first sentence of the docstring."""
    return (inspect.getdoc(type(measure)) or "").split("\n\n", 1)[0].replace("\n", " ")


def _table(facts: list[dict[str, Any]]) -> str:
    import shutil

    from mensura.render.numbers import NOTHING
    from mensura.render.tables import Table, as_text

    rows = [
        (
            fact["measure"] + (" ↓" if fact["better"] == "lower" else ""),
            "yes" if fact["recall_base"] else "no",
            fact["scale"] or NOTHING,
            fact["interval_like"] or NOTHING,
            _title(fact),
        )
        for fact in facts
    ]
    header = ("measure", "RB", "scale", "interval-like", "title")
    others = list(zip(header, *rows, strict=True))[:-1]
    room = shutil.get_terminal_size().columns - sum(2 + max(map(len, column)) for column in others)
    cut = [(*row, title if len(title) <= room else f"{title[: room - 1]}…") for *row, title in rows]
    known = (
        "↓: lower is better. RB: depends on the recall base.\n"
        "Scale: the strongest type that is proven for one topic and binary runs of the\n"
        f"cut-off, or of length 10. Interval-like, on runs of length {SHOWN_LENGTH} at most: on all\n"
        "intervals, on those whose ends contain equally many relevant documents, or none.\n"
        "mensura properties MEASURE shows proofs and counterexamples, and\n"
        "mensura measures MEASURE definition, parameters, range and reference.\n"
        "Every measure takes a cut-off, as in P@10; IPrec a level of recall: IPrec@0.1.\n"
    )
    return f"{as_text(Table(header, cut, 'l' * len(header)))}\n{known}"


def _title(fact: dict[str, Any]) -> str:
    """The first clause of the summary."""
    return str(re.split(r"[:;,.]( |$)", fact["summary"])[0])


def _range(fact: dict[str, Any]) -> str:
    from mensura.render.numbers import general

    return "…".join("∞" if value is None else general(value) for value in (fact["lowest"], fact["highest"]))


def _details(facts: list[dict[str, Any]]) -> str:
    from mensura.render.text import BOLD, paint

    shown = []
    for fact in facts:
        lines = [
            f"range        {_range(fact)}, {fact['better']} is better",
            f"recall base  {'used' if fact['recall_base'] else 'not used'}",
            f"parameters   {', '.join(fact['parameters']) or 'none'}",
            f"trec_eval    {fact['trec_eval'] or 'does not have it'}",
            f"reference    {fact['reference'] or 'none'}",
        ]
        shown.append(paint(fact["measure"], BOLD) + f"\n\n{fact['about']}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(shown)


def _csv(facts: list[dict[str, Any]]) -> str:
    from mensura.render.tables import csv_text

    columns = [key for key in facts[0] if key != "about"]
    rows = [fact | {"parameters": ", ".join(fact["parameters"])} for fact in facts]
    return csv_text(columns, [[row[column] for column in columns] for row in rows])


def _json(facts: list[dict[str, Any]]) -> str:
    from mensura.render.tables import json_text

    return json_text(facts)
