"""``mensura compare``."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from mensura.cli.shared.options import add_inputs, add_measures, add_output, add_plugin, positive
from mensura.cli.shared.output import load_plugins
from mensura.cli.shared.runs import begin_reading, finish_reading
from mensura.errors import MensuraError, StatisticsError
from mensura.measures.needs import needs_of_names
from mensura.stats.methods import (
    DEFAULT_TEST,
    INTERVAL_METHODS,
    find_correction,
    find_method,
    names_of_corrections,
    names_of_tests,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from mensura.evaluation.evaluation import Evaluation
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.plans import HypothesisVerdict
    from mensura.stats.compared import Comparisons

DEFAULT_MEASURES = ("nDCG@10",)
PICTURES = ("intervals", "p-values", "critical-difference")


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = "Compare systems: means with intervals, pairs with effect sizes and corrected p-values, groups."
    parser.epilog = "example: mensura compare qrels.txt 'runs/*.gz' -m AP -m P@10 --baseline bm25 --chart means.svg"
    add_inputs(parser)
    add_measures(parser, DEFAULT_MEASURES)
    add_output(parser, ("table", "csv", "json"))
    add_testing(parser)
    parser.add_argument("--baseline", metavar="SYSTEM", help="compare all systems with this one only, not all pairs")
    parser.add_argument(
        "--scale",
        choices=("original", "interval", "both"),
        default="original",
        help="compare values of the measure itself, their ranks on its interval scale, or both (default: %(default)s)",
    )
    parser.add_argument(
        "--prior-tests",
        type=number_or_auto,
        default=0,
        metavar="N",
        help="tests made earlier on this collection, to be corrected for too; auto: as many as the ledger has counted",
    )
    parser.add_argument(
        "--plan",
        type=Path,
        metavar="FILE",
        help="a locked plan: what it names is compared as it says, the rest is exploratory; each family is corrected by itself",
    )
    parser.add_argument(
        "--interval", choices=INTERVAL_METHODS, help="how intervals of differences are made (default: as fits the test)"
    )
    parser.add_argument("--pairs", type=int, default=15, metavar="N", help="pairs that a table shows (default: %(default)s)")
    parser.add_argument("--rows", choices=("pairs", "systems"), default="pairs", help="what csv lists (default: %(default)s)")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="draw a picture: .svg, .png, .pdf or .html")
    parser.add_argument("--picture", choices=PICTURES, default=PICTURES[0], help="what to draw (default: %(default)s)")
    add_plugin(parser)


def known_test(text: str) -> str:
    """A test that there is, or auto."""
    return text if text == "auto" else find_method(text).name


def known_test_of_all_pairs(text: str) -> str:
    """A test that compares all pairs, or auto."""
    if text != "auto" and find_method(text).needs_baseline:
        raise StatisticsError(f"{find_method(text).title} compares with a baseline; use mensura compare with --baseline")
    return known_test(text)


def known_correction(text: str) -> str:
    """A correction that there is, or auto."""
    return text if text == "auto" else find_correction(text)


def explained(check: Callable[[str], str]) -> Callable[[str], str]:
    """Let argparse show what a check of a word says about it."""

    def checked(text: str) -> str:
        try:
            return check(text)
        except StatisticsError as error:
            raise ArgumentTypeError(str(error)) from None

    return checked


def add_testing(parser: ArgumentParser, *, baseline: bool = True) -> None:
    """Add the options of a comparison that a report has too; without ``baseline``, for all pairs only."""
    tests, corrections = names_of_tests(baseline=baseline), names_of_corrections(baseline=baseline)
    parser.add_argument(
        "--test",
        type=explained(known_test if baseline else known_test_of_all_pairs),
        default="auto",
        metavar="TEST",
        help=f"{', '.join(tests)} (default: {DEFAULT_TEST})",
    )
    parser.add_argument(
        "--correction",
        type=explained(known_correction),
        default="auto",
        metavar="CORRECTION",
        help=f"{', '.join(corrections)} (default: the test's own, else holm)",
    )
    parser.add_argument("--alpha", type=probability, default=0.05, help="the level of significance (default: %(default)s)")
    parser.add_argument("--samples", type=positive, default=10_000, metavar="N", help="random draws (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the random draws (default: %(default)s)")
    parser.add_argument(
        "--topics",
        choices=("judged", "both"),
        default="judged",
        help="topics that count: all judged ones, or those that every run has",
    )


def probability(text: str) -> float:
    """A number between 0 and 1."""
    number = float(text)
    if not 0 < number < 1:
        raise ValueError
    return number


def number_or_auto(text: str) -> int | str:
    """A whole number of at least 0, or the word auto."""
    if text == "auto":
        return text
    number = int(text)
    if number < 0:
        raise ValueError
    return number


number_or_auto.__name__ = "number of tests, or auto"  # what argparse says when it is neither


def run(arguments: Namespace) -> int:
    """Compares systems and writes the result."""
    if arguments.chart is not None:
        from mensura.render.charts.draw import check_format

        check_format(arguments.chart)
    if arguments.plan is not None:
        from mensura.cli.shared.planned import open_plan

        plan, lock = open_plan(arguments)
    judged, measures = _read(arguments, () if arguments.plan is None else (*plan.primary, *plan.secondary))

    from mensura.cli.shared.output import write
    from mensura.evaluation.evaluation import score
    from mensura.render import comparisons

    if arguments.plan is None:
        found, evaluation = _compare(arguments, score(judged, measures, arguments.topics))
        extra: list[HypothesisVerdict] = []
    else:
        from mensura.cli.shared.planned import compare_planned, deviates

        if deviates(plan, lock, judged):
            return 1
        found, evaluation, extra = compare_planned(plan, judged, tuple(map(str, measures)), arguments)
    if arguments.chart is not None:
        from mensura.render.charts.comparison import describe
        from mensura.render.charts.draw import draw

        draw(describe(found, arguments.picture), arguments.chart)
    match arguments.format:
        case "csv":
            text = comparisons.systems_csv(found) if arguments.rows == "systems" else comparisons.pairs_csv(found)
        case "json":
            text = comparisons.as_json(found, evaluation, extra)
        case _:
            text = comparisons.as_table(found, evaluation, arguments.pairs, extra)
    write(text, arguments.output)
    if arguments.format != "table":
        sys.stderr.write(comparisons.remark_lines(found, evaluation))
    return 0


def _compare(arguments: Namespace, evaluation: Evaluation) -> tuple[Comparisons, Evaluation]:
    from mensura.stats.comparison import compare

    names = ("test", "correction", "baseline", "scale", "alpha", "prior_tests", "interval", "samples", "seed", "threads")
    comparisons = compare(evaluation, **{name: getattr(arguments, name) for name in names})
    arguments.prior_tests = comparisons[0].family.prior_tests  # for the record
    return comparisons, evaluation


def _read(arguments: Namespace, planned: tuple[str, ...]) -> tuple[JudgedRuns, list[Measure]]:
    load_plugins(arguments.plugin)
    reading = begin_reading(arguments, needs_of_names([*arguments.measures, *planned], own_measures=bool(arguments.plugin)))
    if len(reading.runs) < 2:  # noqa: PLR2004 - a pair of runs
        raise MensuraError("a comparison needs at least 2 runs, got 1; name another one")

    from mensura.measures.names import parse_measures

    measures = parse_measures(arguments.measures or (DEFAULT_MEASURES if arguments.plan is None else ()), rel=arguments.rel)
    arguments.measures = list(map(str, measures))  # for the record
    return finish_reading(reading), measures
