"""``mensura measures``."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from mensura.cli.options import add_output, add_plugin

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.measures.base import Measure


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "List the measures: what they are, their parameters, range, direction, and whether they depend on the recall base."
    )
    parser.epilog = "example: mensura measures --format json"
    add_output(parser)
    add_plugin(parser)


def run(arguments: Namespace) -> int:
    """Lists the measures."""
    from mensura.cli.output import load_plugins, write

    load_plugins(arguments.plugin)
    write({"table": _table, "csv": _csv, "json": _json}[arguments.format](_facts()), arguments.output)
    return 0


def _facts() -> list[dict[str, Any]]:
    import dataclasses

    from mensura.measures import REGISTRY, parse_measure, trec_eval_name

    facts = []
    for name, cls in sorted(REGISTRY.items(), key=lambda item: item[0].lower()):
        measure = parse_measure("GM(AP)") if name == "GM" else cls()
        parameters = [
            field.name if field.default is dataclasses.MISSING else f"{field.name}={field.default!r}"
            for field in dataclasses.fields(cls)
            if field.name != "cutoff"
        ]
        low, high = measure.range
        facts.append(
            {
                "measure": name,
                "summary": _summary(measure),
                "parameters": parameters,
                "better": measure.direction,
                "lowest": low if low > float("-inf") else None,
                "highest": high if high < float("inf") else None,
                "recall_base": measure.uses_recall_base,
                "aggregation": measure.aggregation,
                "trec_eval": trec_eval_name(measure),
                "reference": measure.reference,
            }
        )
    return facts


def _summary(measure: Measure) -> str:
    """The first sentence of the docstring."""
    return (inspect.getdoc(type(measure)) or "").split("\n\n", 1)[0].replace("\n", " ")


def _table(facts: list[dict[str, Any]]) -> str:
    from mensura.cli.text import Table

    table = Table(["measure", "parameters", "range", "better", "recall base", "what it is"], left=6)
    for fact in facts:
        low, high = (("∞" if value is None else f"{value:g}") for value in (fact["lowest"], fact["highest"]))
        base = "yes" if fact["recall_base"] else "no"
        table.add([fact["measure"], ", ".join(fact["parameters"]), f"{low}…{high}", fact["better"], base, fact["summary"]])
    return f"{table}\nEvery measure takes a cut-off, as in P@10; IPrec takes a level of recall, as in IPrec@0.1.\n"


def _csv(facts: list[dict[str, Any]]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.DictWriter(text, list(facts[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(fact | {"parameters": ", ".join(fact["parameters"])} for fact in facts)
    return text.getvalue()


def _json(facts: list[dict[str, Any]]) -> str:
    import json

    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
