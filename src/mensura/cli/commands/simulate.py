"""``mensura simulate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_engine, add_plan_only, file_name, finite, positive
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from mensura.study.campaigns import Design

OPTIONS: dict[str, tuple[Callable[[str], Any], str]] = {
    "systems": (positive, "number of systems (default: 12)"),
    "topics": (positive, "number of topics (default: 50)"),
    "documents": (positive, "documents per topic that a system can find (default: 400)"),
    "grades": (positive, "highest grade (default: 1)"),
    "relevant": (finite, "median number of relevant documents (default: 25)"),
    "relevant-spread": (finite, "standard deviation of the logarithm of the number of relevant documents (default: 0.8)"),
    "quality": (finite, "mean quality of systems (default: 1.6)"),
    "quality-spread": (finite, "standard deviation of the qualities of systems (default: 0.25)"),
    "equal": (positive, "number of systems of each quality (default: 2)"),
    "topic-spread": (finite, "standard deviation of the difficulty of topics (default: 0.5)"),
    "interaction": (finite, "standard deviation of the interaction of systems and topics (default: 0.35)"),
    "agreement": (finite, "agreement of systems about a document, from 0 to 1 (default: 0.3)"),
    "tie": (finite, "step to which scores are rounded (default: 0.01)"),
    "depth": (positive, "number of documents that a system returns (default: 100)"),
    "pool": (positive, "number of documents per system that are judged (default: 50)"),
    "missing": (finite, "probability that a topic is missing from a run (default: 0.005)"),
}


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Simulate a campaign with known truth: qrels.txt, runs/*.txt, and truth.json with the true quality of every system.\n"
        "The same options and seed give the same bytes."
    )
    parser.epilog = (
        "examples: mensura simulate -o campaign --systems 20 --grades 3 --seed 7\n"
        "          mensura simulate -o campaign --like qrels.txt 'runs/*.gz' --depth 100"
    )
    parser.add_argument("-o", "--output", type=file_name, metavar="DIR", required=True, help="folder to write into")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: %(default)s)")
    parser.add_argument(
        "--like",
        nargs="+",
        metavar="FILE",
        help="QRELS RUN…: collection to fit all parameters to that are not given as options",
    )
    parser.add_argument("--threads", type=positive, metavar="N", help="threads that rank documents (default: all cores)")
    add_engine(parser, "rankers of the documents: this process, or workers of Dask (default: threads)")
    add_plan_only(parser)
    for name, (kind, what) in OPTIONS.items():
        parser.add_argument(f"--{name}", type=kind, metavar="N" if kind is positive else "X", help=what)


def run(arguments: Namespace) -> int:
    """Simulate a campaign and write it."""
    from dataclasses import fields

    from mensura.cli.shared.output import plan_text, progress, write
    from mensura.cli.shared.runs import command_engine
    from mensura.render.numbers import percent
    from mensura.stats.results import plural
    from mensura.study.campaigns import Design, predict_simulation, simulate
    from mensura.study.files import write_campaign

    options = {each.name: getattr(arguments, each.name, None) for each in fields(Design)}
    chosen: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    design = _like(arguments.like, chosen) if arguments.like else Design(**_fitting(chosen))
    if arguments.plan_only:
        write(
            plan_text(*predict_simulation(design), f"{plural(design.topics, 'topic')} of {plural(design.systems, 'system')}"), None
        )
        return 0
    with progress("simulating") as tell, command_engine(arguments) as engine:
        campaign = simulate(design, seed=arguments.seed, threads=arguments.threads, engine=engine, progress=tell)
        write_campaign(campaign, arguments.output)
    judged = campaign.judged()
    relevant = plural(int(judged.relevant().sum()), "relevant document")
    different = len(set(design.qualities.tolist()))
    qualities = "1 quality" if different == 1 else f"{different} qualities"
    unjudged = percent(float((judged.grades[campaign.returned] < 0).mean()), decimals=0)
    write(
        f"{plural(design.systems, 'system')} of {qualities}, {plural(design.topics, 'topic')}, "
        f"{relevant} judged; {unjudged} of the returned documents are not judged,\n"
        f"{plural(int((~campaign.returned).sum()), 'missing topic')}. "
        f"Written to {arguments.output}: qrels.txt, runs/, truth.json\n",
        None,
    )
    return 0


def _fitting(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return no more documents than there are, unless both numbers are options."""
    documents = chosen.get("documents")
    if documents is not None and "depth" not in chosen:
        chosen["depth"] = min(100, documents)
    return chosen


def _like(files: list[str], chosen: dict[str, Any]) -> Design:
    from dataclasses import replace

    from mensura.cli.shared.output import progress
    from mensura.judged.entrance import judge
    from mensura.study.likeness import design_like

    qrels, *runs = files
    if not runs:
        raise MensuraError("--like needs judgments and at least two runs: --like qrels.txt 'runs/*.gz'")
    with progress("fitting") as tell:
        design = design_like(judge(qrels, runs), progress=tell)
    if "documents" not in chosen and chosen.get("depth", 0) > design.documents:
        chosen["documents"] = chosen["depth"]
    return replace(design, **chosen)
