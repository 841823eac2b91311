"""``mensura order``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_chart, add_output, positive
from mensura.errors import ScaleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

MOST_SHOWN = 64
PAIR = 2


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "The partial order of judged runs by prefix sums: all runs of a length, or the steps and the difference between two runs."
    )
    parser.epilog = "examples: mensura order 4 --chart hasse.svg\n          mensura order 0100 1010"
    parser.add_argument(
        "what", metavar="LENGTH|RUN", nargs="+", help="length of the runs, or two or four runs as grades: 0100 1010"
    )
    parser.add_argument("--top", type=positive, default=1, metavar="GRADE", help="highest grade (default: %(default)s)")
    add_chart(parser, "the order, as a Hasse diagram")
    add_output(parser)


def run(arguments: Namespace) -> int:
    """Show an order, or two runs in it, or two intervals."""
    from mensura.cli.shared.output import write
    from mensura.render.charts.draw import check_format, draw
    from mensura.render.orders import interval_facts, order_facts, pair_facts
    from mensura.scales.order.runs import parse_run

    if arguments.chart is not None:
        check_format(arguments.chart)
    words = arguments.what
    if len(words) == 1 and words[0].isdecimal():
        document = order_facts(int(words[0]), arguments.top)
        layout = {"table": _whole_table, "csv": _whole_csv, "json": _json}[arguments.format]
        length = int(words[0])
    elif len(words) in {2, 4}:
        runs = [parse_run(word) for word in words]
        document = pair_facts(runs[0], runs[1]) if len(runs) == PAIR else interval_facts(runs)
        layout = {"table": _two_table if len(runs) == PAIR else _intervals_table, "csv": _two_csv, "json": _json}[arguments.format]
        length = len(runs[0])
    else:
        raise ScaleError(f"{' '.join(words)}: give one length, two runs, or four runs: the ends of two intervals")
    if arguments.chart is not None:
        from mensura.render.charts.hasse import hasse

        top = max([arguments.top, *(grade for word in words[:4] if len(words) > 1 for grade in parse_run(word))])
        draw(hasse(length, top, [parse_run(word) for word in words] if len(words) > 1 else []), arguments.chart)
    write(layout(document), arguments.output)
    return 0


def _whole_table(document: dict[str, Any]) -> str:
    from mensura.render.tables import Table, as_text

    text = (
        f"Judged runs of length {document['length']} with grades 0 to {document['top']}: {document['runs']} runs, "
        f"{document['covers']} covers,\n{document['comparable_pairs']} comparable and {document['incomparable_pairs']} "
        f"incomparable pairs, longest chains of {document['longest_chain']} steps\n"
    )
    if document["order"] is None or document["runs"] > MOST_SHOWN:
        return text
    rows = [
        (row["run"], " ".join(row["covered_by"]), row["height"], row["relevance"], row["rank_based"])
        for row in reversed(document["order"])
    ]
    return f"{text}\n{as_text(Table(['run', 'covered by', 'height', 'relevance', 'rank-based'], rows, 'll'))}"


def _whole_csv(document: dict[str, Any]) -> str:
    from mensura.render.tables import csv_text

    if document["order"] is None:
        raise ScaleError(f"{document['runs']} runs are too many to list: ask for a table or json, which count them")
    rows = [
        (row["run"], row["height"], row["relevance"], row["rank_based"], " ".join(row["covered_by"])) for row in document["order"]
    ]
    return csv_text(["run", "height", "relevance", "rank_based", "covered_by"], rows)


def _two_table(document: dict[str, Any]) -> str:
    from mensura.render.tables import Table, as_text

    first, second, relation = document["first"], document["second"], document["relation"]
    if relation == "incomparable":
        return f"{first} and {second} are incomparable: measures may order them either way.\n"
    low, high = (first, second) if relation != "greater" else (second, first)
    sign = "=" if relation == "equal" else "<"
    delta = ", ".join(map(str, document["difference"]))
    text = f"{low} {sign} {high}: every measure that respects swaps and replacements agrees.\n" * (relation != "equal")
    text += f"Δ = ({delta}), natural distance {document['distance']}\n"
    if not document["steps"]:
        return f"{low} = {high}\n{text}"
    rows = [("", low)]
    for step in document["steps"]:
        where = f"at rank {step['rank']}" if step["kind"] == "replacement" else f"of ranks {step['rank']} and {step['rank'] + 1}"
        rows.append((f"{step['kind']} {where}", step["run"]))
    return f"{text}\n{as_text(Table(['step', 'run'], rows, 'll'))}"


def _two_csv(document: dict[str, Any]) -> str:
    from mensura.render.tables import csv_text

    if "steps" not in document:
        return csv_text(["interval", "low", "high", "difference"], document["rows"])
    steps = document["steps"] or []
    return csv_text(["kind", "rank", "run"], [(step["kind"], step["rank"], step["run"]) for step in steps])


def _intervals_table(document: dict[str, Any]) -> str:
    from mensura.render.tables import Table, as_text

    rows = [(*row[:3], f"({row[3]})") for row in document["rows"]]
    relation = {
        "equal": "The intervals are equally large.",
        "larger": "The first interval is larger.",
        "smaller": "The first interval is smaller.",
        "incomparable": "The intervals are incomparable.",
    }[document["relation"]]
    return f"{relation}\n\n{as_text(Table(['interval', 'from', 'to', 'Δ'], rows, 'llll'))}"


def _json(document: dict[str, Any]) -> str:
    from mensura.render.tables import json_text

    return json_text(document)
