"""``mensura compare``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.cli.options import add_inputs, add_measures, add_output, add_plugin, positive
from mensura.cli.output import load_plugins
from mensura.cli.runs import order_for
from mensura.errors import InputError, MensuraError
from mensura.io.read import read_qrels, run_inputs
from mensura.io.reading import Reading

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.evaluation import Evaluation
    from mensura.stats.scale import Scale

DEFAULT_MEASURES = ("nDCG@10",)
TESTS = (
    *("sign", "rank-sum", "signed-rank", "t", "randomisation", "bootstrap", "anova", "anova-topics", "kruskal", "friedman"),
    *("randomised-tukey", "dunnett", "nemenyi"),
)
CORRECTIONS = ("none", "bonferroni", "holm", "hochberg", "bh", "by", "tukey", "dunnett", "maxT")
INTERVALS = ("t", "anova", "bca", "randomised")
PICTURES = ("intervals", "p-values", "critical-difference")


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = "Compare systems: means with intervals, pairs with effect sizes and corrected p-values, groups."
    parser.epilog = "example: mensura compare qrels.txt 'runs/*.gz' -m AP -m P@10 --baseline bm25 --chart means.svg"
    add_inputs(parser)
    add_measures(parser, DEFAULT_MEASURES)
    add_output(parser, ("table", "csv", "json"))
    parser.add_argument(
        "--test", choices=("auto", *TESTS), default="auto", metavar="TEST", help=f"{', '.join(TESTS)} (default: randomised-tukey)"
    )
    parser.add_argument(
        "--correction",
        choices=("auto", *CORRECTIONS),
        default="auto",
        metavar="CORRECTION",
        help=f"{', '.join(CORRECTIONS)} (default: the test's own, else holm)",
    )
    parser.add_argument("--baseline", metavar="SYSTEM", help="compare all systems with this one only, not all pairs")
    parser.add_argument(
        "--scale",
        choices=("original", "interval", "both"),
        default="original",
        help="compare values of the measure itself, their ranks on its interval scale, or both (default: %(default)s)",
    )
    parser.add_argument("--alpha", type=probability, default=0.05, help="the level of significance (default: %(default)s)")
    parser.add_argument(
        "--prior-tests", type=int, default=0, metavar="N", help="tests made earlier on this collection, to be corrected for too"
    )
    parser.add_argument("--interval", choices=INTERVALS, help="how intervals of differences are made (default: as fits the test)")
    parser.add_argument("--samples", type=positive, default=10_000, metavar="N", help="random draws (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the random draws (default: %(default)s)")
    parser.add_argument(
        "--topics",
        choices=("judged", "both"),
        default="judged",
        help="topics that count: all judged ones, or those that every run has",
    )
    parser.add_argument("--pairs", type=int, default=15, metavar="N", help="pairs that a table shows (default: %(default)s)")
    parser.add_argument("--rows", choices=("pairs", "systems"), default="pairs", help="what csv lists (default: %(default)s)")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="draw a picture: .svg, .png, .pdf or .html")
    parser.add_argument("--picture", choices=PICTURES, default=PICTURES[0], help="what to draw (default: %(default)s)")
    add_plugin(parser)


def probability(text: str) -> float:
    """A number between 0 and 1."""
    number = float(text)
    if not 0 < number < 1:
        raise ValueError
    return number


def run(arguments: Namespace) -> int:
    """Compares systems and writes the result."""
    if arguments.chart is not None:
        from mensura.charts.draw import check_format

        check_format(arguments.chart)
    evaluation = _evaluate(arguments)

    from mensura.cli import comparisons
    from mensura.cli.output import write
    from mensura.stats.compare import compare

    options: dict[str, Any] = {
        "test": arguments.test,
        "correction": arguments.correction,
        "baseline": arguments.baseline,
        "alpha": arguments.alpha,
        "prior_tests": arguments.prior_tests,
        "interval": arguments.interval,
        "samples": arguments.samples,
        "seed": arguments.seed,
        "threads": arguments.threads,
    }
    scales: tuple[Scale, ...] = ("original", "interval") if arguments.scale == "both" else (arguments.scale,)
    found = [comparison for scale in scales for comparison in compare(evaluation, scale=scale, **options)]
    if arguments.chart is not None:
        from mensura.charts.comparison import describe
        from mensura.charts.draw import draw

        draw(describe(found, arguments.picture), arguments.chart)
    match arguments.format:
        case "csv":
            text = comparisons.systems_csv(found) if arguments.rows == "systems" else comparisons.pairs_csv(found)
        case "json":
            text = comparisons.as_json(found, evaluation)
        case _:
            text = comparisons.as_table(found, evaluation, arguments.pairs)
    write(text, arguments.output)
    if arguments.format != "table":
        sys.stderr.write(comparisons.remark_lines(found, evaluation))
    return 0


def _evaluate(arguments: Namespace) -> Evaluation:
    if [arguments.qrels, *arguments.runs].count("-") > 1:
        raise InputError("standard input can be read only once: give the other inputs as files", source="-")
    load_plugins(arguments.plugin)
    runs = run_inputs(arguments.runs)
    if len(runs) < 2:  # noqa: PLR2004
        raise MensuraError("a comparison needs at least 2 runs: name another one")
    reading = Reading(read_qrels(arguments.qrels), runs, order_for(arguments), arguments.threads)

    from mensura.cli.output import progress
    from mensura.evaluation import score
    from mensura.judged import collect
    from mensura.measures.names import parse_measures

    measures = parse_measures(arguments.measures or DEFAULT_MEASURES, rel=arguments.rel)
    with progress("reading runs") as tell:
        judged = collect(reading, tell)
    return score(judged, measures, arguments.topics)
