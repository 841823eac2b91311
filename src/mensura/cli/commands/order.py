"""``mensura order``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_chart, add_output, add_plugin, positive
from mensura.errors import ScaleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from fractions import Fraction

MOST_SHOWN = 64
PAIR = 2
INTERVALS = 4


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "The partial order of judged runs, by the documents at or above every grade in every prefix: all runs of a length, the\n"
        "steps and the difference between two runs, or two intervals and what measures say about them."
    )
    parser.epilog = (
        "examples: mensura order 4 --chart hasse.svg\n"
        "          mensura order 0100 1010\n"
        "          mensura order 0100 1000 0010 0100 -m ERR 'DCG(base=2)'"
    )
    parser.add_argument(
        "what", metavar="LENGTH|RUN", nargs="+", help="length of the runs, or two or four runs as grades: 0100 1010"
    )
    parser.add_argument("--top", type=positive, default=1, metavar="GRADE", help="highest grade (default: %(default)s)")
    parser.add_argument(
        "-m",
        "--measure",
        dest="measures",
        action="append",
        metavar="MEASURE",
        default=[],
        help="measure whose values of the runs are shown, and whether it respects their order (repeat)",
    )
    parser.add_argument(
        "--weights",
        metavar="W,W,…",
        help="lengths of two intervals: weights of the entries of Δ, one per rank, of sum 1 (P0 §3.2), e.g. 1/2,1/4,1/4",
    )
    add_chart(parser, "the order, as a Hasse diagram")
    add_output(parser)
    add_plugin(parser)


def run(arguments: Namespace) -> int:
    """Show an order, or two runs in it, or two intervals."""
    from mensura.cli.shared.output import write
    from mensura.measures.names import parse_measures
    from mensura.render.charts.draw import draw
    from mensura.render.orders import interval_facts, order_facts, pair_facts
    from mensura.scales.order.runs import parse_run

    words = arguments.what
    if len(words) == 1 and words[0].isdecimal():
        if arguments.measures or arguments.weights:
            raise ScaleError("--measure and --weights are about two or four runs; mensura properties is about all runs of a length")
        document = order_facts(int(words[0]), arguments.top)
        layout = {"table": _whole_table, "csv": _whole_csv, "json": _json}[arguments.format]
        runs, length = [], int(words[0])
    elif len(words) in {PAIR, INTERVALS}:
        runs = [parse_run(word) for word in words]
        measures = parse_measures(arguments.measures)
        if len(runs) == PAIR:
            if arguments.weights:
                raise ScaleError("--weights are lengths of intervals; give four runs, the ends of two intervals")
            document = pair_facts(runs[0], runs[1], measures)
            layout = {"table": _two_table, "csv": _two_csv, "json": _json}[arguments.format]
        else:
            document = interval_facts(runs, measures, _weights(arguments.weights))
            layout = {"table": _intervals_table, "csv": _intervals_csv, "json": _json}[arguments.format]
        length = len(runs[0])
    else:
        raise ScaleError(f"{' '.join(words)}: give one length, two runs, or four runs: the ends of two intervals")
    if arguments.chart is not None:
        from mensura.render.charts.hasse import hasse

        draw(hasse(length, max([arguments.top, *map(max, runs)]), runs), arguments.chart)
    write(layout(document), arguments.output)
    return 0


def _weights(text: str | None) -> list[Fraction]:
    from fractions import Fraction

    try:
        return [Fraction(weight) for weight in text.split(",")] if text else []
    except (ValueError, ZeroDivisionError):
        raise ScaleError(f"--weights {text}: write numbers with commas between them, as in 1/2,1/4,1/4") from None


def _whole_table(document: dict[str, Any]) -> str:
    from mensura.render.tables import Table, as_text
    from mensura.stats.results import plural

    pairs = "pairs not counted"
    if document["comparable_pairs"] is not None:
        pairs = f"{document['comparable_pairs']} comparable and {document['incomparable_pairs']} incomparable pairs"
    short, long = document["shortest_chain"], document["longest_chain"]
    text = (
        f"Judged runs of length {document['length']} with grades 0 to {document['top']}: {plural(document['runs'], 'run')}, "
        f"{plural(document['covers'], 'cover')},\n{pairs}, chains of {long if short == long else f'{short} to {long}'} steps\n"
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
        text = f"{first} and {second} are incomparable: measures may order them either way.\n"
        return text + "".join(map(_preference, document["more"])) + _measures_of_two(document)
    low, high = (first, second) if relation != "greater" else (second, first)
    text = f"{low} = {high}\n"
    if relation != "equal":
        text = f"{low} < {high}: every measure that respects swaps and replacements agrees.\n"
    text += _delta_line(document["differences"], document["distance"])
    text += _measures_of_two(document)
    if not document["steps"]:
        return text
    if document["distance"] is None:
        text += _ways(document["chain_lengths"], len(document["steps"]))
    rows = [("", low)]
    for step in document["steps"]:
        where = f"at rank {step['rank']}" if step["lower"] is None else f"of ranks {step['rank']} and {step['lower']}"
        rows.append((f"{step['kind']} {where}", step["run"]))
    return f"{text}\n{as_text(Table(['step', 'run'], rows, 'll'))}"


def _preference(more: dict[str, Any]) -> str:
    """The measure that prefers one of two incomparable runs."""
    rel = f"(rel={more['grade']})" if more["grade"] > 1 else ""
    mine, other = (f"{count}/{more['rank']}" for count in more["counts"])
    return f"P{rel}@{more['rank']} prefers {more['run']}: {mine} > {other}.\n"


def _delta_line(vectors: list[list[int]], distance: int | None) -> str:
    from mensura.scales.order.verdicts import show_differences

    text = f"Δ = {show_differences(vectors)}"
    return f"{text}, natural distance {distance}\n" if distance is not None else f"{text}\n"


def _ways(lengths: list[int] | None, here: int) -> str:
    """Lengths of chains where there is no natural distance."""
    if lengths is None:
        return f"One way up, of {here} steps; with more than two grades other ways may be longer or shorter:\n"
    if lengths[0] == lengths[1]:
        return f"All ways up have {here} steps:\n"
    return f"Ways up have {lengths[0]} to {lengths[1]} steps; this one has {here}:\n"


def _measures_of_two(document: dict[str, Any]) -> str:
    from mensura.render.numbers import general
    from mensura.render.tables import Table, as_text

    if not document["measures"]:
        return ""
    better = {"first": document["first"], "second": document["second"], "neither": "neither"}
    rows = [(each["measure"], *each["values"], better[each["better"]], _yes(each["respects"])) for each in document["measures"]]
    header = ["measure", document["first"], document["second"], "better", "respects the order"]
    table = as_text(Table(header, rows, "lrrll", [None, general, general]))
    return f"\n{table}{_recall_note(document['measures'])}"


def _yes(respects: bool | None) -> str:  # noqa: FBT001 - a value to write
    return {True: "yes", False: "no", None: "–"}[respects]


def _recall_note(measures: list[dict[str, Any]]) -> str:
    names = ", ".join(each["measure"] for each in measures if each["before_recall_base"])
    return f"Values of {names} are before the division by the recall base or the ideal run.\n" if names else ""


def _two_csv(document: dict[str, Any]) -> str:
    from mensura.render.tables import csv_text

    if document["measures"]:
        rows = [(each["measure"], *each["values"], each["better"], each["respects"]) for each in document["measures"]]
        return csv_text(["measure", "first", "second", "better", "respects"], rows)
    return csv_text(
        ["kind", "rank", "run", "lower"],
        [(step["kind"], step["rank"], step["run"], step["lower"]) for step in document["steps"] or []],
    )


def _intervals_table(document: dict[str, Any]) -> str:
    from mensura.render.numbers import general
    from mensura.render.tables import Table, as_text
    from mensura.scales.order.verdicts import show_differences

    relation = {
        "equal": "The intervals are equally large.",
        "larger": "The first interval is larger.",
        "smaller": "The first interval is smaller.",
        "incomparable": "The intervals are incomparable.",
    }[document["relation"]]
    both = document["intervals"]
    columns = 5 if both[0]["length"] is not None else 4
    rows = [
        (each["interval"], each["low"], each["high"], show_differences(each["differences"]), each["length"])[:columns]
        for each in both
    ]
    header = ["interval", "from", "to", "Δ", "length"][:columns]
    text = f"{relation}\n\n{as_text(Table(header, rows, 'llll', [None, None, None, None, general][:columns]))}"
    if not document["measures"]:
        return text
    rises = [(each["measure"], *each["rises"], _yes(each["respects"])) for each in document["measures"]]
    heads = ["measure", "rise in the first", "rise in the second", "respects the order"]
    table = as_text(Table(heads, rises, "lrrl", [None, general, general]))
    return f"{text}\n{table}{_recall_note(document['measures'])}"


def _intervals_csv(document: dict[str, Any]) -> str:
    from mensura.render.tables import csv_text

    if document["measures"]:
        rows = [(each["measure"], *each["values"], *each["rises"], each["respects"]) for each in document["measures"]]
        return csv_text(["measure", "r", "s", "u", "v", "rise_first", "rise_second", "respects"], rows)
    return csv_text(
        ["interval", "low", "high", "grade", "difference"],
        [
            (each["interval"], each["low"], each["high"], grade, ", ".join(map(str, vector)))
            for each in document["intervals"]
            for grade, vector in enumerate(each["differences"], start=1)
        ],
    )


def _json(document: dict[str, Any]) -> str:
    from mensura.render.tables import json_text

    return json_text(document)
