"""``mensura simulate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import positive
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from mensura.study.campaigns import Design

OPTIONS: dict[str, tuple[Callable[[str], Any], str]] = {
    "systems": (positive, "systems (default: 12)"),
    "topics": (positive, "topics (default: 50)"),
    "documents": (positive, "documents per topic that a system can find (default: 400)"),
    "grades": (positive, "the highest grade (default: 1)"),
    "relevant": (float, "the median number of relevant documents (default: 25)"),
    "relevant-spread": (float, "the standard deviation of its logarithm (default: 0.8)"),
    "quality": (float, "the mean quality of systems (default: 1.6)"),
    "quality-spread": (float, "how much qualities differ (default: 0.25)"),
    "equal": (positive, "systems of each quality (default: 2)"),
    "topic-spread": (float, "how much topics differ in difficulty (default: 0.5)"),
    "interaction": (float, "how much systems differ from topic to topic (default: 0.35)"),
    "agreement": (float, "how far systems see the same in a document, 0 to 1 (default: 0.3)"),
    "tie": (float, "round scores to multiples of this (default: 0.01)"),
    "depth": (positive, "documents that a system returns (default: 100)"),
    "pool": (positive, "of these, documents that are judged (default: 50)"),
    "missing": (float, "the probability that a topic is missing from a run (default: 0.005)"),
}


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Make a campaign with known truth: qrels.txt, runs/*.txt, and truth.json with the true quality of every system.\n"
        "The same options and seed give the same bytes."
    )
    parser.epilog = (
        "examples: mensura simulate -o campaign --systems 20 --grades 3 --seed 7\n"
        "          mensura simulate -o campaign --like qrels.txt 'runs/*.gz' --depth 100"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", required=True, help="the folder to write into")
    parser.add_argument("--seed", type=int, default=0, help="of all that is drawn (default: %(default)s)")
    parser.add_argument(
        "--like",
        nargs="+",
        metavar="FILE",
        help="QRELS RUN…: fit the parameters to this collection; those that are given as options stay as given",
    )
    for name, (kind, what) in OPTIONS.items():
        parser.add_argument(f"--{name}", type=kind, metavar="N" if kind is positive else "X", help=what)


def run(arguments: Namespace) -> int:
    """Simulates a campaign and writes it."""
    from dataclasses import fields

    from mensura.cli.shared.output import progress, write
    from mensura.render.numbers import percent
    from mensura.stats.results import plural
    from mensura.study.campaigns import Design, simulate
    from mensura.study.files import write_campaign

    wanted = {each.name: getattr(arguments, each.name, None) for each in fields(Design)}
    given: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    design = _like(arguments.like, given) if arguments.like else Design(**_fitting(given))
    with progress("simulating"):
        campaign = simulate(design, seed=arguments.seed)
        write_campaign(campaign, arguments.output)
    judged = campaign.judged()
    unjudged = percent(float((judged.grades[campaign.returned] < 0).mean()), decimals=0)
    write(
        f"{design.systems} systems of {len(set(design.qualities.tolist()))} qualities, {design.topics} topics, "
        f"{int(judged.relevant().sum())} relevant documents judged; {unjudged} of the returned documents are not judged,\n"
        f"{plural(int((~campaign.returned).sum()), 'missing topic')}. "
        f"Written to {arguments.output}: qrels.txt, runs/, truth.json\n",
        None,
    )
    return 0


def _fitting(given: dict[str, Any]) -> dict[str, Any]:
    """No more returned than found, unless both were asked for."""
    documents = given.get("documents")
    if documents is not None and "depth" not in given:
        given["depth"] = min(100, documents)
    return given


def _like(files: list[str], given: dict[str, Any]) -> Design:
    from dataclasses import replace

    from mensura.cli.shared.output import progress
    from mensura.judged.entrance import judge
    from mensura.study.likeness import design_like

    qrels, *runs = files
    if not runs:
        raise MensuraError("--like needs judgments and at least two runs: --like qrels.txt 'runs/*.gz'")
    with progress("fitting") as tell:
        design = design_like(judge(qrels, runs), progress=tell)
    if "documents" not in given and given.get("depth", 0) > design.documents:
        given["documents"] = given["depth"]
    return replace(design, **given)
