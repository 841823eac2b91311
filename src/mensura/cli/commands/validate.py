"""``mensura validate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mensura.cli.shared.options import add_inputs, add_measures, add_output, add_plugin, natural, positive
from mensura.errors import MensuraError, PlanError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

DEFAULT_MEASURES = ("nDCG@10",)
FOLDS, REPEATS = 5, 10


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Choose among variants of a system by cross-validation over topics: the best variant on the other folds is tested on each\n"
        "fold. Shows the honest value of the choice, the apparent one (chosen and tested on the same topics), and how far both\n"
        "depend on the split."
    )
    parser.epilog = "example: mensura validate qrels.txt 'runs/bm25-*.gz' -m AP --folds 5 --repeats 20"
    add_inputs(parser)
    add_measures(parser, DEFAULT_MEASURES)
    add_output(parser, ("table", "csv", "json"))
    parser.add_argument("--folds", type=positive, metavar="K", help=f"number of folds of topics (default: {FOLDS})")
    parser.add_argument(
        "--repeats",
        type=positive,
        default=REPEATS,
        metavar="N",
        help="number of splits of the topics (default: %(default)s)",
    )
    parser.add_argument("--seed", type=natural, help="random seed of the splits (default: 0)")
    parser.add_argument(
        "--plan", type=Path, metavar="FILE", help="plan whose primary measures, folds and seed are used, among its systems"
    )
    add_plugin(parser)


def run(arguments: Namespace) -> int:
    """Cross-validate the choice among runs and write the result."""
    from mensura.cli.shared.output import write
    from mensura.cli.shared.runs import judged_runs
    from mensura.evaluation.evaluation import score
    from mensura.measures.names import parse_measures
    from mensura.measures.needs import needs_of_names
    from mensura.render.validations import LAYOUTS
    from mensura.stats.validation import validate

    systems = _follow(arguments) if arguments.plan is not None else None
    measures = parse_measures(arguments.measures or DEFAULT_MEASURES, rel=arguments.rel)
    arguments.measures = list(map(str, measures))  # for the record
    needs = needs_of_names(arguments.measures, own_measures=bool(arguments.plugin))
    judged = judged_runs(arguments, needs)
    if systems is not None:
        judged = judged.only(systems)
    if judged.shape[0] < 2:  # noqa: PLR2004 - a choice needs two
        raise MensuraError("a choice needs at least 2 variants, got 1; name another run")
    options = {"folds": arguments.folds or FOLDS, "repeats": arguments.repeats, "seed": arguments.seed or 0}
    results = [validate(scores, **options) for scores in score(judged, measures).scores]
    write(LAYOUTS[arguments.format](results), arguments.output)
    return 0


def _follow(arguments: Namespace) -> tuple[str, ...]:
    """Take measures, folds and seed from the plan, and return its systems."""
    from mensura.plans.reading import read_plan

    plan = read_plan(arguments.plan)
    for name, value in (("measures", arguments.measures), ("folds", arguments.folds), ("seed", arguments.seed)):
        if value:
            raise PlanError(f"decides about {name}; leave --{name} out, or validate without --plan", source=str(arguments.plan))
    if plan.folds is None:
        raise PlanError("names no folds; write folds = 5 into [data]", source=str(arguments.plan))
    arguments.measures, arguments.folds, arguments.seed = list(plan.primary), plan.folds, plan.seed
    return plan.systems
