"""``mensura meaning``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_chart, add_inputs, add_measures, add_output, add_plugin, add_universe
from mensura.errors import ScaleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from fractions import Fraction

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.scales.meaning.dominance import Leaderboard

DEFAULT_MEASURES = ("AP@10", "P@10", "RR@10")


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Statements “A has a better mean than B” that survive: any scale per topic, any scale per recall base, any one scale;\n"
        "those that are true of the interval scale of the measure, that it reverses, and that stay undecided. The stretch index\n"
        "says by how much a scale must be bent to reverse a statement."
    )
    parser.epilog = (
        "examples: mensura meaning qrels.txt 'runs/*.gz' -m AP@10 --explain A B --chart why.svg\n"
        "          mensura meaning qrels.txt 'runs/*.gz' -m AP@10 --statement 'median(A) > median(B)'\n"
        "          mensura meaning --statement 'mean(A) / mean(B) > 2'"
    )
    add_inputs(parser, optional=True)
    add_measures(parser, DEFAULT_MEASURES)
    parser.add_argument("--pairs", action="store_true", help="one line per pair of systems, instead of counts")
    parser.add_argument(
        "--explain",
        nargs=2,
        metavar=("A", "B"),
        help="two systems: the statement about them, and a transformation that reverses it",
    )
    parser.add_argument(
        "--statement",
        action="append",
        metavar="TEXT",
        default=[],
        help="statement about systems, such as 'median(A) > median(B)' or 'topics(A > B) > 25': whether it is meaningful on each "
        "type of scale, for the runs or, without them, in general (repeat)",
    )
    parser.add_argument(
        "--correlations",
        action="store_true",
        help="Kendall's τ_b of every two measures: between the rankings by means, and topic by topic, which survives any scale",
    )
    parser.add_argument("--no-interval", action="store_true", help="no interval scales, which can take long to count")
    parser.add_argument(
        "--base",
        choices=("values", "interval"),
        default="values",
        help="scale of the means and of the stretch index: the measure's own values, or ranks on its interval scale "
        "(default: %(default)s)",
    )
    add_universe(parser)
    add_chart(parser, "the result")
    add_output(parser)
    add_plugin(parser)


def run(arguments: Namespace) -> int:
    """Judge the statements of a leaderboard."""
    from mensura.cli.shared.output import write
    from mensura.cli.shared.runs import judged_runs
    from mensura.evaluation.remarks import length_remarks, remark_sentences
    from mensura.measures.names import parse_measures
    from mensura.render import meanings as layouts
    from mensura.render.charts.draw import draw
    from mensura.render.charts.survival import explained, surviving
    from mensura.scales.facts import facts_for, surrogate_remark
    from mensura.scales.meaning.explanation import explain

    if arguments.qrels is None or not arguments.runs:
        if arguments.qrels is not None or not arguments.statement:
            raise ScaleError("mensura meaning needs judgments and runs, or --statement to ask in general")
        write(_statements(arguments.statement, arguments.format), arguments.output)
        return 0
    measures = parse_measures(arguments.measures or DEFAULT_MEASURES, rel=arguments.rel)
    arguments.measures = list(map(str, measures))  # for the record
    judged = judged_runs(arguments)
    if arguments.statement:
        write(_statements(arguments.statement, arguments.format, judged, measures), arguments.output)
        return 0
    if arguments.correlations:
        plain = [(str(measure), board) for measure, board, _ in _boards(judged, measures, interval=False)]
        write(layouts.CORRELATED[arguments.format](plain), arguments.output)
        return 0
    among = {"universe": arguments.universe or "all", "width": arguments.width}
    boards = _boards(judged, measures, interval=not arguments.no_interval, **among)
    ranked = arguments.base == "interval"
    if ranked:
        boards = [(measure, board.on_interval_scale(), topics) for measure, board, topics in boards]
    if arguments.explain:
        explanations = [
            explain(
                str(measure),
                board,
                topics,
                *arguments.explain,
                exact=None if ranked else _exact(measure, judged, arguments.explain),
            )
            for measure, board, topics in boards
        ]
        text = layouts.EXPLAINED[arguments.format](explanations)
        chart = explained(explanations) if arguments.chart is not None else None
    else:
        named = [(str(measure), board) for measure, board, _ in boards]
        text = (layouts.PAIRS if arguments.pairs else layouts.COUNTS)[arguments.format](named)
        chart = surviving([(name, board.counts()) for name, board in named]) if arguments.chart is not None else None
    if chart is not None:
        draw(chart, arguments.chart)
    write(text, arguments.output)
    notes = remark_sentences(length_remarks(judged, measures))
    if not arguments.no_interval and arguments.universe in {None, "all"}:
        notes += [remark for measure in measures if (remark := surrogate_remark(facts_for(measure, judged))) is not None]
    sys.stderr.write("".join(f"mensura: note: {note}\n" for note in notes))
    return 0


def _statements(texts: list[str], form: str, judged: JudgedRuns | None = None, measures: Sequence[Measure] = ()) -> str:
    """Verdicts about statements, in general or for the values of systems."""
    from mensura.render.statements import STATEMENTS
    from mensura.scales.meaning.explanation import on_every_scale
    from mensura.scales.meaning.parsing import parse_statement

    statements = [parse_statement(text) for text in texts]
    if judged is None:
        return STATEMENTS[form]([verdict for statement in statements for verdict in on_every_scale(statement)])
    boards = _boards(judged, list(measures), interval=False)
    verdicts = []
    for statement in statements:
        for measure, board, _ in boards:
            data = _exact(measure, judged, judged.systems) or dict(zip(board.systems, board.values.tolist(), strict=True))
            labels = {group: board.labels[group].tolist() for group in reversed(board.groups)}
            verdicts += on_every_scale(statement, str(measure), data, labels)
    return STATEMENTS[form](verdicts)


def _exact(measure: Measure, judged: JudgedRuns, systems: Sequence[str]) -> dict[str, list[Fraction]] | None:
    """The values of two systems as fractions, if the measure has them and takes their arithmetic mean."""
    from mensura.measures.exact import exact_values

    if measure.on_topics is not measure or not {*systems} <= {*judged.systems} or len({*systems}) < len(systems):
        return None
    values = exact_values(measure, judged.only(systems))
    return None if values is None else dict(zip(systems, values.tolist(), strict=True))


def _boards(
    judged: JudgedRuns, measures: list[Measure], *, interval: bool, **among: Any
) -> list[tuple[Measure, Leaderboard, tuple[str, ...]]]:
    from mensura.scales.meaning.dominance import leaderboard

    return [(measure, leaderboard(measure, judged, interval=interval, **among), judged.topics) for measure in measures]
