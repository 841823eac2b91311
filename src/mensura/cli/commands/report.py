"""``mensura report``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mensura.cli.shared.options import add_file, add_inputs, add_measures, add_plugin
from mensura.cli.shared.testing import add_testing
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.judged.runs import JudgedRuns
    from mensura.report.build import InputFile

DEFAULT_MEASURES = ("nDCG@10", "AP@30", "P@10")


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Write a report: one HTML page that needs no network, with leaderboard, intervals, groups, pairs, both scales, topics,\n"
        "warnings, and a methods paragraph, tables and references to paste into a paper."
    )
    parser.epilog = "example: mensura report qrels.txt 'runs/*.gz' -m AP@30 -m P@10 --title 'My experiment' -o report.html"
    add_inputs(parser)
    add_measures(parser, DEFAULT_MEASURES)
    add_file(parser)
    parser.add_argument("--title", default="Retrieval evaluation", help="title of the page (default: %(default)s)")
    parser.add_argument(
        "--date", metavar="TEXT", help="date on the page (default: none, so that the same input gives the same bytes)"
    )
    add_testing(parser, baseline=False)
    parser.add_argument(
        "--prior-tests",
        type=int,
        default=0,
        metavar="N",
        help="number of earlier tests on this collection, to be corrected for too (default: %(default)s)",
    )
    add_plugin(parser)


def run(arguments: Namespace) -> int:
    """Write a report."""
    from mensura.cli.shared.output import progress, write
    from mensura.cli.shared.runs import begin_reading, command_engine, finish_reading
    from mensura.measures.names import parse_measures

    measures = parse_measures(arguments.measures or DEFAULT_MEASURES, rel=arguments.rel)
    with command_engine(arguments) as engine:
        judged = finish_reading(begin_reading(arguments, engine))
        if len(judged.systems) < 2:  # noqa: PLR2004 - a pair of runs
            raise MensuraError("a report needs at least 2 runs, got 1; name another one")

        from mensura.report.build import report

        qrels, runs = sources(arguments.qrels, judged)
        with progress("comparing systems") as tell:
            page = report(
                judged,
                measures,
                title=arguments.title,
                date=arguments.date,
                test=arguments.test,
                correction=arguments.correction,
                alpha=arguments.alpha,
                prior_tests=arguments.prior_tests,
                topics=arguments.topics,
                samples=arguments.samples,
                seed=arguments.seed,
                threads=arguments.threads,
                qrels_file=qrels,
                run_files=runs,
                progress=tell,
                engine=engine,
            )
    write(page.html(), arguments.output)
    sys.stderr.write("".join(f"mensura: note: {text}\n" for text in page.warnings))
    return 0


def sources(qrels: str, judged: JudgedRuns) -> tuple[InputFile, list[InputFile]]:
    """The inputs by name, with the digests of their content; an input that is not a file has none."""
    from mensura.io.columns import Run
    from mensura.io.digests import content_digests, source_digest
    from mensura.report.build import InputFile

    origins = judged.origin[1] if judged.origin else ()
    names = [qrels, *(origin.table.source if isinstance(origin, Run) else origin.name for origin in origins)]
    files = [name for name in names if Path(name).is_file()]
    digests: dict[str, str | None] = dict(zip(files, content_digests(files), strict=True))
    digests |= {
        origin.name: source_digest(origin) for origin in origins if not isinstance(origin, Run) and origin.name not in files
    }
    inputs = [InputFile(Path(name).name if name in files else name, digests.get(name)) for name in names]
    return inputs[0], inputs[1:]
