"""``mensura describe``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.cli.shared.options import add_compat, add_output, add_skipping

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.judged.runs import JudgedRuns


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "A collection described as a paper should describe it: judged and relevant documents per topic and grade,\n"
        "lengths of lists, ties, documents without judgment, and the overlap of runs. csv lists the topics."
    )
    parser.epilog = "example: mensura describe qrels.txt 'runs/*.gz' --format markdown"
    parser.add_argument("qrels", metavar="QRELS", help="judgments, in any format that `mensura evaluate` reads")
    parser.add_argument("runs", metavar="RUN", nargs="*", help="runs, or patterns like 'runs/*.gz'")
    add_skipping(parser)
    add_compat(parser)
    add_output(parser, ("table", "markdown", "csv", "json"))


def run(arguments: Namespace) -> int:
    """Describe a collection and write the description."""
    from mensura.cli.shared.output import progress, write
    from mensura.evaluation.description import describe
    from mensura.io.read import read_qrels
    from mensura.render.descriptions import LAYOUTS

    judged = _judged(arguments) if arguments.runs else None
    qrels = read_qrels(arguments.qrels) if judged is None or judged.origin is None else judged.origin[0]
    with progress("comparing lists") as tell:
        about = describe(qrels, judged, name=qrels.table.source, progress=tell)
    write(LAYOUTS[arguments.format](about), arguments.output)
    return 0


def _judged(arguments: Namespace) -> JudgedRuns:
    from mensura.cli.shared.runs import judged_runs
    from mensura.judged.entrance import Needs

    return judged_runs(arguments, Needs(documents=True))  # kept, so that the overlap does not read the runs again
