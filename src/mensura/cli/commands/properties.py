"""``mensura properties``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_chart, add_output, add_plugin, positive
from mensura.errors import ScaleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.scales.order.verdicts import Answer
    from mensura.scales.proofs import Properties


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = "Proofs about the scale of a measure on judged runs of a length, and counterexamples, as runs."
    parser.epilog = "example: mensura properties 'RBP(p=0.5)@10' --chart values.svg"
    parser.add_argument("measures", metavar="MEASURE", nargs="+", help="measure such as AP@10 or 'RBP(p=0.8)@20'")
    parser.add_argument("--length", type=positive, metavar="N", help="length of the runs (default: the cut-off, or 10)")
    parser.add_argument("--grades", default="0,1", metavar="G,G", help="grades that runs contain (default: %(default)s)")
    parser.add_argument(
        "--lengths",
        metavar="N|M-N",
        help="lengths of lists, with --recall-bases: the values of P, R and F on lists and topics of all these sizes (P4 §IV-D)",
    )
    parser.add_argument("--recall-bases", metavar="K|J-K", help="recall bases of topics, with --lengths")
    add_chart(parser, "all values of the measures")
    add_output(parser)
    add_plugin(parser)


def run(arguments: Namespace) -> int:
    """Prove, refute, and show the answers."""
    from mensura.cli.shared.output import write
    from mensura.measures.names import parse_measures
    from mensura.render.charts.draw import draw
    from mensura.scales.proofs import properties

    if arguments.lengths or arguments.recall_bases:
        write(_set_based(arguments), arguments.output)
        return 0
    grades = _grades(arguments.grades)
    answered = [properties(measure, arguments.length, grades) for measure in parse_measures(arguments.measures)]
    text = {"table": _table, "csv": _csv, "json": _json}[arguments.format](answered)
    if arguments.chart is not None:
        from mensura.render.charts.spacing import spacing

        draw(spacing(answered), arguments.chart)
    write(text, arguments.output)
    return 0


def _set_based(arguments: Namespace) -> str:
    """The values of set-based measures over lengths and recall bases, and whether they are equally spaced."""
    from mensura.measures.names import parse_measures
    from mensura.render.tables import json_text, records_csv
    from mensura.scales.order.set_based import set_scale

    if not (arguments.lengths and arguments.recall_bases):
        raise ScaleError("--lengths and --recall-bases belong together, e.g. --lengths 1-4 --recall-bases 1-3")
    lengths, bases = _sizes("--lengths", arguments.lengths), _sizes("--recall-bases", arguments.recall_bases)
    scales = [set_scale(measure, lengths, bases) for measure in parse_measures(arguments.measures)]
    if arguments.format != "table":
        rows = [
            {
                "measure": str(each.measure),
                "lengths": arguments.lengths,
                "recall_bases": arguments.recall_bases,
                "values": " ".join(map(str, each.values)),
                "equally_spaced": each.uneven is None,
            }
            for each in scales
        ]
        return json_text(rows) if arguments.format == "json" else records_csv(rows)
    lines = []
    for each in scales:
        uneven = each.uneven
        spaced = "equally spaced" if uneven is None else f"not equally spaced: {', '.join(map(str, uneven))} follow one another"
        lines.append(f"{each.measure}: {len(each.values)} values, {spaced}")
    of = f"lists of length {arguments.lengths}, topics with {arguments.recall_bases} relevant documents"
    return f"Set-based measures on {of}\n\n" + "\n".join(lines) + "\n"


def _sizes(option: str, text: str) -> range:
    first, _, last = text.partition("-")
    try:
        return range(int(first), int(last or first) + 1)
    except ValueError:
        raise ScaleError(f"{option} {text}: write a number or a range, as in 3 or 1-4") from None


def _grades(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(grade) for grade in text.split(","))
    except ValueError:
        raise ScaleError(f"--grades {text}: write the grades with commas between them, as in 0,1,2") from None


def _table(answered: list[Properties]) -> str:
    return "\n".join(_one(properties) for properties in answered)


def _one(subject: Properties) -> str:
    from mensura.render.text import BOLD, paint, wrap
    from mensura.scales.order.verdicts import NoCounterexample, reason
    from mensura.scales.proofs import QUESTIONS

    runs = "binary judged runs" if subject.grades == (0, 1) else f"judged runs with grades {', '.join(map(str, subject.grades))}"
    scale = f"{subject.facts.article} {subject.scale} scale"
    lines = [
        paint(str(subject.measure), BOLD)
        + f" on {runs} of length {subject.length}: {scale} on its own order of runs, as far as is proven",
        "",
    ]
    for name, question in QUESTIONS.items():
        answer = subject.answers()[name]
        lines.append(f"{question}? {_word(answer)}")
        text = f"no counterexample among {answer.searched}" if isinstance(answer, NoCounterexample) else reason(answer)
        lines.append(wrap(f"  {text[0].upper()}{text[1:]}.", "  "))
    return "\n".join(lines) + "\n"


def _word(answer: Answer) -> str:
    from mensura.scales.order.verdicts import holds

    return {True: "yes", False: "no", None: "not known"}[holds(answer)]


def _rows(answered: list[Properties]) -> list[dict[str, Any]]:
    from mensura.scales.order.verdicts import reason

    return [
        {
            "measure": str(properties.measure),
            "length": properties.length,
            "property": name,
            "answer": type(answer).__name__,
            "reason": reason(answer),
        }
        for properties in answered
        for name, answer in properties.answers().items()
    ]


def _csv(answered: list[Properties]) -> str:
    from mensura.render.tables import records_csv

    return records_csv(_rows(answered))


def _json(answered: list[Properties]) -> str:
    from mensura.render.properties import answer_facts
    from mensura.render.tables import json_text

    return json_text(
        [
            {
                "measure": str(properties.measure),
                "length": properties.length,
                "grades": list(properties.grades),
                "scale": properties.scale.name,
                "properties": {name: answer_facts(answer) for name, answer in properties.answers().items()},
            }
            for properties in answered
        ]
    )
