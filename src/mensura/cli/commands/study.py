"""``mensura study``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_compat, add_plugin, positive, probability
from mensura.errors import InputError, MensuraError
from mensura.stats.methods import names_of_tests

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.judged.runs import JudgedRuns

LENGTHS = (5, 10, 20, 30)
OUTPUT = ("-o", "--output")


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Compare measures with their interval-scaled versions on a collection: leaderboards, correlations,\n"
        "decisions of tests. Writes tables (csv, LaTeX, Markdown), charts and study.json into a folder.\n"
        "Run the same command again to resume an interrupted study."
    )
    parser.epilog = (
        "examples: mensura study qrels.txt 'runs/*.gz' -o study\n"
        "          mensura study qrels.txt 'runs/*.gz' -m AP 'DCG(base=2)' --lengths 10 --tests t,sign --rel 2 -o study\n"
        "          mensura study --truth -o truth\n"
        "          mensura study qrels.txt 'runs/*.gz' --truth -o truth"
    )
    parser.add_argument("qrels", metavar="QRELS", nargs="?", help="judgments, in any format that `mensura evaluate` reads")
    parser.add_argument("runs", metavar="RUN", nargs="*", help="runs, or patterns like 'runs/*.gz'")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", required=True, help="folder to write into")
    parser.add_argument(
        "-m",
        "--measures",
        action="append",
        default=[],
        metavar="MEASURE",
        help="measures without cut-offs, such as AP 'RBP(p=0.8)' (default: the eleven of the paper)",
    )
    parser.add_argument(
        "--lengths", type=numbers, metavar="N,N,…", help="ranks at which runs are cut (default: 5,10,20,30; with --truth: 10)"
    )
    known = ", ".join(names_of_tests(baseline=False))
    parser.add_argument("--tests", type=words, metavar="TEST,…", help=f"tests, of {known} (default: the paper's eight)")
    parser.add_argument(
        "--ties",
        type=words,
        default=("unq", "mid"),
        metavar="WAY,…",
        help="ways to rank ties: unq ranks distinct values, mid all runs (default: unq,mid)",
    )
    add_compat(parser)
    parser.add_argument("-l", "--rel", type=positive, metavar="GRADE", help="lowest grade that is relevant, to make grades binary")
    parser.add_argument("--alpha", type=probability, default=0.05, help="level of significance (default: %(default)s)")
    parser.add_argument("--name", help="name of the collection in the tables (default: from the file or folder of QRELS)")
    parser.add_argument(
        "--truth",
        action="store_true",
        help="errors that tests make on simulated campaigns; with QRELS and RUNs, on campaigns like these",
    )
    parser.add_argument(
        "--campaigns",
        type=positive,
        default=100,
        metavar="N",
        help="number of simulated campaigns, with --truth (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: %(default)s)")
    add_plugin(parser)


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers between commas."""
    return tuple(positive(word) for word in text.split(","))


numbers.__name__ = "list of positive whole numbers"


def words(text: str) -> tuple[str, ...]:
    """Words between commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def run(arguments: Namespace) -> int:
    """Make a study, or count errors on simulated campaigns, and write the results."""
    from mensura.cli.shared.output import load_plugins

    load_plugins(arguments.plugin)
    if arguments.seed < 0:
        raise MensuraError(f"--seed {arguments.seed}: a seed is a whole number of at least 0")
    if arguments.truth:
        return _truth(arguments)
    if arguments.qrels is None:
        raise MensuraError("a study needs QRELS and RUNs; only --truth can do without")
    return _study(arguments)


def _truth(arguments: Namespace) -> int:
    from dataclasses import replace

    from mensura.cli.shared.output import progress, write
    from mensura.io.writing import make_folder
    from mensura.render.truths import as_terminal_text
    from mensura.study.likeness import design_like
    from mensura.study.truth import find_truth

    design = None
    if arguments.qrels is not None:
        judged = _judged(arguments)
        with progress("fitting campaigns") as tell:
            design = design_like(judged, progress=tell)
        design = replace(design, equal=min(4, max(2, design.systems // 2)))
    make_folder(arguments.output / "work")
    with progress("simulating campaigns") as tell:
        truth = find_truth(
            design,
            arguments.measures or None,
            arguments.lengths or (10,),
            arguments.tests,
            campaigns=arguments.campaigns,
            alpha=arguments.alpha,
            seed=arguments.seed,
            work=arguments.output / "work",
            progress=tell,
        )
    truth.write(arguments.output, inputs=_digests(arguments) if arguments.qrels is not None else None)
    write(f"{as_terminal_text(truth)}\nTables, a chart and truth.json are in {arguments.output}.\n", None)
    return 0


def _study(arguments: Namespace) -> int:
    import dataclasses
    import json
    import time

    from mensura.cli.shared.output import progress, write
    from mensura.evaluation.evaluation import score
    from mensura.io.writing import make_folder, write_whole
    from mensura.render.evaluations import remark_lines
    from mensura.render.studies import as_terminal_text
    from mensura.study.experiment import study
    from mensura.study.names import study_measures, study_tests

    started = time.perf_counter()
    folder: Path = arguments.output
    options: dict[str, Any] = {
        "measures": study_measures(arguments.measures or None),
        "lengths": arguments.lengths or LENGTHS,
        "tests": study_tests(arguments.tests),
        "ties": arguments.ties,
        "rel": arguments.rel,
        "alpha": arguments.alpha,
        "seed": arguments.seed,
        "name": arguments.name or collection_name(arguments.qrels),
    }
    judged = _judged(arguments)
    read = time.perf_counter()
    make_folder(folder / "work")
    with progress("measures and lengths") as tell:
        result = study(judged, **options, work=folder / "work", progress=tell)
    studied = time.perf_counter()
    with progress("tables and charts") as tell:
        inputs, parameters = _digests(arguments), {"compat": arguments.compat}
        result.write(folder, inputs=inputs, parameters=parameters, record=_record(inputs), progress=tell)
    done = time.perf_counter()
    timings = {
        "read": round(read - started, 3),
        "study": round(studied - read, 3),
        "write": round(done - studied, 3),
        "steps": result.seconds,
    }
    write_whole((json.dumps(timings, indent=1) + "\n").encode(), folder / "timings.json")
    write(f"{as_terminal_text(result)}\nTables, charts and study.json are in {folder}.\n", None)
    longest = score(judged, [dataclasses.replace(measure, cutoff=max(result.lengths)) for measure in result.measures])
    sys.stderr.write(remark_lines(longest) + "".join(f"mensura: note: {remark}\n" for remark in result.remarks))
    return 1 if result.broken else 0


def _judged(arguments: Namespace) -> JudgedRuns:
    if not arguments.runs:
        raise MensuraError("name at least two runs after QRELS")
    if [arguments.qrels, *arguments.runs].count("-") > 0:
        raise InputError("a study reads its inputs twice, to record their digests: give files", source="-")
    from mensura.cli.shared.runs import judged_runs
    from mensura.judged.entrance import Needs

    return judged_runs(arguments, Needs(ranks=max(arguments.lengths or LENGTHS)))


def _digests(arguments: Namespace) -> dict[str, str]:
    """SHA-256 digest of each input file."""
    from mensura.io.digests import content_digests
    from mensura.io.files import expand

    paths = [arguments.qrels, *map(str, expand(arguments.runs))]
    return dict(zip(paths, content_digests(paths, arguments.threads), strict=True))


def _record(inputs: dict[str, str]) -> dict[str, Any]:
    """The record of the study. It does not name the folder: studies in two folders are the same, byte by byte."""
    from mensura.record.primad import record

    command = sys.argv[1:]
    without = [
        word
        for before, word in zip([None, *command], command, strict=False)
        if before not in OUTPUT and word not in OUTPUT and not word.startswith("--output=")
    ]
    roles = ["judgments", *["run"] * (len(inputs) - 1)]
    return record(without, list(zip(roles, inputs, strict=True)), digests=inputs).to_dict()


def collection_name(qrels: str) -> str:
    """The name of a collection: that of its qrels file, or of the folder if the file is just called qrels."""
    from mensura.io.files import source

    stem = source(qrels).stem
    folder = Path(qrels).absolute().parent.name
    return folder if stem.lower() == "qrels" and folder else stem
