"""``mensura evaluate``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mensura.cli.shared.options import (
    add_digits,
    add_inputs,
    add_measures,
    add_output,
    add_plugin,
    add_ties,
    add_universe,
    positive,
)
from mensura.cli.shared.runs import begin_reading, command_engine, finish_reading
from mensura.errors import MensuraError
from mensura.measures.needs import DEFAULT_MEASURES

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

MEANS_FORMATS = ("table", "csv", "json")


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = "Compute measures for runs, per topic and as means."
    parser.epilog = "example: mensura evaluate qrels.txt 'runs/*.gz' -m AP -m nDCG@10"
    add_inputs(parser)
    add_measures(parser, DEFAULT_MEASURES)
    add_ties(parser)
    add_output(parser, ("table", "csv", "json", "trec_eval", "markdown", "latex", "typst"))
    add_digits(parser)
    parser.add_argument("-q", "--per-topic", action="store_true", help="values of every topic, besides the means")
    parser.add_argument("--means-only", action="store_true", help="means alone, for runs of any size: nothing is kept of a topic")
    parser.add_argument("--wide", action="store_true", help="csv file with a line per system and topic, a column per measure")
    parser.add_argument(
        "--topics",
        choices=("judged", "run", "both"),
        default="judged",
        help="topics that count: all judged ones, of these those of each run, or those that every run has (default: %(default)s)",
    )
    parser.add_argument("-M", "--depth", type=positive, metavar="N", help="number of documents that lists are shortened to")
    parser.add_argument("-J", "--judged-only", action="store_true", help="lists without the documents that were not judged")
    parser.add_argument("--interval", action="store_true", help="ranks on interval scales, besides values")
    add_universe(parser)
    add_plugin(parser)


def run(arguments: Namespace) -> int:
    """Evaluate runs and write the result."""
    if arguments.wide and arguments.format != "csv":
        raise MensuraError(f"--wide is a layout of csv files; got --format {arguments.format}")
    if arguments.means_only:
        return _means_only(arguments)
    with command_engine(arguments) as engine:
        reading = begin_reading(arguments, engine)

        # The runs are being read from here on, by other threads; NumPy is imported meanwhile.
        from mensura.cli.shared.output import progress, write
        from mensura.evaluation.evaluation import score
        from mensura.measures.names import measures_of_lines, parse_measures
        from mensura.render import evaluations as layouts

        lines = None
        if arguments.format == "trec_eval":
            lines = measures_of_lines(arguments.measures or ["official"], arguments.rel)
            measures = list(dict.fromkeys(line.measure for line in lines if line.measure is not None)) or parse_measures("NumRet")
        else:
            measures = parse_measures(arguments.measures or DEFAULT_MEASURES, rel=arguments.rel)
        arguments.measures = list(map(str, measures))  # for the record
        judged = finish_reading(reading)
    evaluation = score(judged, measures, arguments.topics, depth=arguments.depth, judged_only=arguments.judged_only)
    if not (arguments.interval or arguments.universe):
        options = {"per_topic": arguments.per_topic, "digits": arguments.digits, "wide": arguments.wide}
        text = layouts.layout(evaluation, arguments.format, **options, asked=lines)
    else:
        from mensura.render.intervals import interval_layout, surrogates

        with progress("counting values") as tell:
            text = interval_layout(evaluation, arguments, tell)
    write(text, arguments.output)
    if arguments.format != "table":
        sys.stderr.write(layouts.remark_lines(evaluation))
        if arguments.interval or arguments.universe:
            sys.stderr.write("".join(f"mensura: note: {remark}\n" for remark in surrogates(evaluation, arguments).values()))
    return 0


def _means_only(arguments: Namespace) -> int:
    """Write means that are computed part by part."""
    options = ("per_topic", "wide", "depth", "judged_only", "interval", "universe")
    wrong = next((name for name in options if getattr(arguments, name)), None)
    if wrong is not None:
        raise MensuraError(
            f"--means-only keeps no values of topics, which --{wrong.replace('_', '-')} needs; leave one of them out"
        )
    if arguments.drop_self or arguments.tie_order != "id":
        raise MensuraError("--means-only orders ties by document id and keeps all documents; leave --ties and --drop-self out")
    if arguments.skip_bad_runs:
        raise MensuraError("--means-only stops at the first run that cannot be read; leave --skip-bad-runs out")
    if arguments.format not in MEANS_FORMATS:
        raise MensuraError(f"--means-only is written as {', '.join(MEANS_FORMATS)}; got --format {arguments.format}")

    from mensura.cli.shared.output import progress, write
    from mensura.measures.names import parse_measures
    from mensura.pieces.files import means
    from mensura.render.evaluations import remark_lines
    from mensura.render.means import means_layout

    measures = parse_measures(arguments.measures or DEFAULT_MEASURES, rel=arguments.rel)
    arguments.measures = list(map(str, measures))  # for the record
    if arguments.scheduler is not None and arguments.engine != "dask":
        raise MensuraError("--scheduler is the address of Dask's scheduler; use it with --engine dask")
    with progress("reading runs") as tell:
        result = means(
            arguments.qrels,
            arguments.runs,
            measures,
            topics=arguments.topics,
            compat=arguments.compat,
            threads=arguments.threads,
            engine=arguments.scheduler or arguments.engine,
            progress=tell,
        )
    write(means_layout(result, arguments.format, digits=arguments.digits), arguments.output)
    if arguments.format != "table":
        sys.stderr.write(remark_lines(result))
    return 0
