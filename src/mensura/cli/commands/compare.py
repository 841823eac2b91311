"""``mensura compare``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mensura.cli.shared.options import (
    add_chart,
    add_digits,
    add_inputs,
    add_measures,
    add_output,
    add_plan_only,
    add_plugin,
    add_ties,
    add_universe,
)
from mensura.cli.shared.runs import begin_reading, command_engine, finish_reading
from mensura.cli.shared.testing import add_testing
from mensura.errors import MensuraError, suggest
from mensura.measures.needs import needs_of_names
from mensura.stats.methods import INTERVAL_METHODS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Sequence

    from mensura.engines.engine import Engine
    from mensura.evaluation.evaluation import Evaluation
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.plans.hypotheses import HypothesisVerdict
    from mensura.stats.compared import Comparisons

DEFAULT_MEASURES = ("nDCG@10",)


class Choices:
    """The charts of a comparison, by name; the module that draws them is imported if somebody asks for them, as it needs NumPy."""

    def __iter__(self) -> Iterator[str]:
        from mensura.render.charts.comparison import CHARTS

        return iter(CHARTS)

    def __contains__(self, name: object) -> bool:
        from mensura.render.charts.chart import ALIASES

        return name in [*self, *ALIASES]


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = "Compare systems: means with intervals, pairs with effect sizes and corrected p-values, groups."
    parser.epilog = "example: mensura compare qrels.txt 'runs/*.gz' -m AP -m P@10 --baseline bm25 --chart means.svg"
    add_inputs(parser, optional=True)
    add_ties(parser)
    parser.add_argument(
        "--scores",
        action="append",
        metavar="FILE",
        help="table of scores instead of judgments and runs: csv with system, topic and value, or with a column for each system or "
        "topic; output of trec_eval -q; a matrix (repeat the option for several files)",
    )
    add_measures(parser, DEFAULT_MEASURES)
    add_output(parser, ("table", "csv", "json", "markdown", "latex", "typst"))
    add_digits(parser)
    add_testing(parser)
    parser.add_argument(
        "--baseline",
        action="append",
        metavar="SYSTEM",
        help="system that all others are compared with, instead of all pairs: its name, the path of its run, or its position among "
        "the runs (repeat the option for several)",
    )
    parser.add_argument(
        "--scale",
        metavar="SCALE,…",
        help="scales of the values: original, interval, both, observed, z-score, linear, uniform, or several with commas "
        "(default: original; interval with --universe)",
    )
    add_universe(parser)
    parser.add_argument(
        "--means-only",
        action="store_true",
        help="sums over topics alone, for any number of topics: tests are t, sign, randomisation, bootstrap and bootstrap-t",
    )
    parser.add_argument(
        "--prior-tests",
        type=number_or_auto,
        default=0,
        metavar="N",
        help="number of earlier tests on this collection, to be corrected for too, or auto for the ledger's count (default: 0)",
    )
    parser.add_argument(
        "--plan",
        type=Path,
        metavar="FILE",
        help="locked plan: the comparisons it names are made as planned, all others are exploratory",
    )
    parser.add_argument(
        "--interval", choices=INTERVAL_METHODS, help="method for intervals of differences (default: the one that fits the test)"
    )
    parser.add_argument("--pairs", type=int, default=15, metavar="N", help="number of pairs in the table (default: %(default)s)")
    parser.add_argument("--rows", choices=("pairs", "systems"), default="pairs", help="rows of the csv file (default: %(default)s)")
    add_chart(parser, "the comparison")
    parser.add_argument(
        "--picture",
        choices=Choices(),
        default="intervals",
        metavar="CHART",
        help="kind of chart: %(choices)s (default: %(default)s)",
    )
    add_plan_only(parser)
    add_plugin(parser)


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
    """Compare systems and write the result."""
    _check_inputs(arguments)
    with command_engine(arguments) as engine:
        return _run(arguments, engine)


def _run(arguments: Namespace, engine: Engine | None) -> int:
    if arguments.means_only:
        return _show(arguments, _compare_sums(arguments, engine), [])
    if arguments.scores is not None:
        return _compare_table(arguments, engine)
    if arguments.plan is not None:
        from mensura.cli.shared.planned import open_plan

        plan, lock = open_plan(arguments)
    judged, measures, paths = _read(arguments, engine, () if arguments.plan is None else (*plan.primary, *plan.secondary))

    from mensura.evaluation.evaluation import score

    if arguments.plan is None:
        arguments.baseline = baselines(arguments.baseline, judged.systems, paths)
        evaluation = score(judged, measures, arguments.topics)
        if arguments.plan_only:
            return _write_plan(arguments, evaluation)
        results = _compare(arguments, evaluation, engine)
        extra: list[HypothesisVerdict] = []
    else:
        from mensura.cli.shared.planned import compare_planned, deviates

        if deviates(plan, lock, judged):
            return 1
        results, extra = compare_planned(plan, judged, tuple(map(str, measures)), arguments, engine)
    return _show(arguments, results, extra)


def _check_inputs(arguments: Namespace) -> None:
    """Refuse judgments beside a table of scores, and neither."""
    files = arguments.qrels is not None
    if arguments.scores is None and not arguments.runs:
        raise MensuraError("a comparison needs QRELS and at least 2 RUNs, or a table of scores with --scores FILE")
    if arguments.plan_only and (arguments.plan is not None or arguments.means_only):
        other = "--plan" if arguments.plan is not None else "--means-only"
        raise MensuraError(f"--plan-only predicts the random draws of a comparison without {other}; leave one of them out")
    if arguments.scores is not None and (files or arguments.plan is not None):
        what = "QRELS and RUNs" if files else "--plan"
        raise MensuraError(f"--scores has no judgments to go with {what}; leave one of them out")


def _write_plan(arguments: Namespace, evaluation: Evaluation) -> int:
    """Say how many random draws a comparison takes, in how many pieces, and how long."""
    from mensura.cli.shared.output import plan_text, write
    from mensura.scales.rescaled import scales_named
    from mensura.stats.comparison import Question
    from mensura.stats.tested import predicted_draws

    scale = arguments.scale or ("original" if arguments.universe is None else "interval")
    names = ("test", "correction", "baseline", "alpha", "interval", "samples", "seed", "threads")
    options = {name: getattr(arguments, name) for name in names}
    question = Question(evaluation, scale=tuple(scales_named(scale, arguments.universe)), **options)
    draws, pieces, seconds = predicted_draws(question, 0 if arguments.prior_tests == "auto" else arguments.prior_tests)
    if draws:
        write(plan_text(pieces, seconds, f"{draws} random draws", "by what such draws took"), None)
    else:
        write(f"the {question.method.title} draws nothing at random: it is computed at once\n", None)
    return 0


def _compare_table(arguments: Namespace, engine: Engine | None) -> int:
    """Compare the systems of a table of scores."""
    from mensura.evaluation.score_tables import read_scores

    table = read_scores(arguments.scores, measures=arguments.measures or ())
    arguments.measures = list(map(str, table.measures))  # for the record
    arguments.baseline = baselines(arguments.baseline, table.judged.systems, ())
    if arguments.plan_only:
        return _write_plan(arguments, table)
    return _show(arguments, _compare(arguments, table, engine), [])


def _compare_sums(arguments: Namespace, engine: Engine | None) -> Comparisons:
    """Compare runs by sums over their topics, part by part."""
    options = ("scores", "plan", "scale", "universe", "width", "interval", "drop_self")
    wrong = next((name for name in options if getattr(arguments, name)), None)
    if wrong is not None:
        raise MensuraError(
            f"--means-only keeps no values of topics, which --{wrong.replace('_', '-')} needs; leave one of them out"
        )
    if arguments.tie_order != "id" or arguments.topics != "judged" or arguments.prior_tests == "auto":
        raise MensuraError("--means-only orders ties by document id, counts all judged topics, and takes a number of --prior-tests")

    from mensura.cli.shared.output import progress
    from mensura.measures.names import parse_measures
    from mensura.stats.summed_files import Streamed

    measures = parse_measures(arguments.measures or DEFAULT_MEASURES, rel=arguments.rel)
    arguments.measures = list(map(str, measures))  # for the record
    names = ("test", "correction", "alpha", "prior_tests", "samples", "seed")
    question = Streamed(**{name: getattr(arguments, name) for name in names})
    with progress("reading runs") as tell:
        return question.compare(
            arguments.qrels,
            arguments.runs,
            measures,
            arguments.baseline,
            compat=arguments.compat,
            threads=arguments.threads,
            engine=engine,
            progress=tell,
            choose=baselines,
        )


def _show(arguments: Namespace, results: Comparisons, extra: list[HypothesisVerdict]) -> int:
    """Write the chart and the result."""
    from mensura.cli.shared.output import write
    from mensura.render import comparison_data, comparisons
    from mensura.render.evaluations import PAPERS

    if arguments.chart is not None:
        from mensura.render.charts.comparison import describe
        from mensura.render.charts.draw import draw

        draw(describe(results, arguments.picture), arguments.chart)
    match arguments.format:
        case "csv":
            text = comparison_data.systems_csv(results) if arguments.rows == "systems" else comparison_data.pairs_csv(results)
        case "json":
            text = comparison_data.as_json(results, extra)
        case "table":
            text = comparisons.as_table(results, arguments.pairs, extra, digits=arguments.digits)
        case paper:
            text = "\n".join(map(PAPERS[paper], results.paper_tables(digits=arguments.digits)))
    write(text, arguments.output)
    if arguments.format != "table":
        sys.stderr.write(comparisons.remark_lines(results))
    return 0


def _compare(arguments: Namespace, evaluation: Evaluation, engine: Engine | None) -> Comparisons:
    from mensura.cli.shared.output import progress
    from mensura.stats.comparison import compare

    arguments.scale = arguments.scale or ("original" if arguments.universe is None else "interval")
    names = (
        "test",
        "correction",
        "baseline",
        "scale",
        "universe",
        "width",
        "alpha",
        "prior_tests",
        "interval",
        "samples",
        "seed",
        "threads",
    )
    with progress("comparing systems") as tell:
        comparisons = compare(evaluation, **{name: getattr(arguments, name) for name in names}, progress=tell, engine=engine)
    arguments.prior_tests = comparisons.comparisons[0].family.prior_tests  # for the record
    return comparisons


def baselines(texts: list[str] | None, systems: Sequence[str], paths: Sequence[str]) -> list[str] | None:
    """Names of the systems that are baselines: given by name, by the path of the run, or by its position, the first being 1."""
    if not texts:
        return None
    names = []
    for text in texts:
        if text in systems:
            names.append(text)
        elif text in paths:
            names.append(systems[paths.index(text)])
        elif text.isdecimal() and 1 <= int(text) <= len(systems):
            names.append(systems[int(text) - 1])
        else:
            raise MensuraError(f"unknown baseline {text!r}; {suggest(text, systems)}")
    return names


def _read(arguments: Namespace, engine: Engine | None, planned: tuple[str, ...]) -> tuple[JudgedRuns, list[Measure], list[str]]:
    needs = needs_of_names([*arguments.measures, *planned], own_measures=bool(arguments.plugin))
    reading = begin_reading(arguments, engine, needs)
    if len(reading.runs) < 2:  # noqa: PLR2004 - a pair of runs
        raise MensuraError("a comparison needs at least 2 runs, got 1; name another one")

    from mensura.measures.names import parse_measures

    measures = parse_measures(arguments.measures or (DEFAULT_MEASURES if arguments.plan is None else ()), rel=arguments.rel)
    arguments.measures = list(map(str, measures))  # for the record
    return finish_reading(reading), measures, [run.name for run in reading.runs]
