"""``mensura study``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.cli.commands.compare import probability
from mensura.cli.shared.options import add_plugin, positive
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
        "decisions of tests. Writes tables (csv, LaTeX, Markdown), pictures and study.json into a folder.\n"
        "A study that was interrupted goes on where it was when the same command is given again."
    )
    parser.epilog = (
        "examples: mensura study qrels.txt 'runs/*.gz' -o study\n"
        "          mensura study qrels.txt 'runs/*.gz' -m AP 'DCG(base=2)' --lengths 10 --tests t,sign --rel 2 -o study\n"
        "          mensura study --truth -o truth\n"
        "          mensura study qrels.txt 'runs/*.gz' --truth -o truth"
    )
    parser.add_argument("qrels", metavar="QRELS", nargs="?", help="judgments, in any format that `mensura evaluate` reads")
    parser.add_argument("runs", metavar="RUN", nargs="*", help="runs, or patterns like 'runs/*.gz'")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", required=True, help="the folder to write into")
    parser.add_argument(
        "-m",
        "--measures",
        action="append",
        default=[],
        metavar="MEASURE",
        help="measures without cut-offs, such as AP 'RBP(p=0.8)' (default: the eleven of the paper)",
    )
    parser.add_argument("--lengths", type=numbers, metavar="N,N,…", help="where runs are cut (default: 5,10,20,30; --truth: 10)")
    known = ", ".join(names_of_tests(baseline=False))
    parser.add_argument("--tests", type=words, metavar="TEST,…", help=f"{known} (default: the paper's eight)")
    parser.add_argument(
        "--ties",
        type=words,
        default=("unq", "mid"),
        metavar="WAY,…",
        help="unq: rank distinct values; mid: all runs (default: unq,mid)",
    )
    parser.add_argument(
        "--compat",
        choices=("trec_eval-10", "trec_eval-9"),
        default="trec_eval-10",
        help="compare scores as float64 (trec_eval-10) or as float32 (trec_eval-9) (default: %(default)s)",
    )
    parser.add_argument("-l", "--rel", type=positive, metavar="GRADE", help="make grades binary: from this grade on, relevant")
    parser.add_argument("--alpha", type=probability, default=0.05, help="the level of significance (default: %(default)s)")
    parser.add_argument("--name", help="the collection's name in the tables (default: from the file or folder of QRELS)")
    parser.add_argument(
        "--truth",
        action="store_true",
        help="simulate campaigns and count the errors that tests really make; given QRELS and RUNs, campaigns are like these",
    )
    parser.add_argument("--campaigns", type=positive, default=100, metavar="N", help="of --truth (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn at random (default: %(default)s)")
    parser.add_argument("--threads", type=positive, metavar="N", help="threads to read with (default: all cores)")
    add_plugin(parser)


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers between commas."""
    return tuple(positive(word) for word in text.split(","))


numbers.__name__ = "list of positive whole numbers"


def words(text: str) -> tuple[str, ...]:
    """Words between commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def run(arguments: Namespace) -> int:
    """Makes a study and writes it."""
    from mensura.cli.shared.output import load_plugins

    load_plugins(arguments.plugin)
    if arguments.seed < 0:
        raise MensuraError(f"--seed {arguments.seed}: a seed is a whole number of at least 0")
    if arguments.truth:
        from mensura.cli.shared.truth import run_truth

        return run_truth(arguments, _judged(arguments) if arguments.qrels is not None else None)
    if arguments.qrels is None:
        raise MensuraError("a study needs QRELS and RUNs; only --truth can do without")
    return _study(arguments)


def _study(arguments: Namespace) -> int:
    import dataclasses
    import json
    import time

    from mensura.cli.shared.output import progress, write
    from mensura.evaluation.evaluation import score
    from mensura.io.writing import make_folder, write_whole
    from mensura.render.evaluations import remark_lines
    from mensura.render.studies import as_text
    from mensura.study.experiment import study
    from mensura.study.folder import write_study
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
        found = study(judged, **options, work=folder / "work", progress=tell)
    studied = time.perf_counter()
    with progress("tables and pictures") as tell:
        inputs, parameters = digests(arguments), {"compat": arguments.compat}
        write_study(found, folder, inputs=inputs, parameters=parameters, record=_record(inputs), progress=tell)
    done = time.perf_counter()
    timings = {
        "read": round(read - started, 3),
        "study": round(studied - read, 3),
        "write": round(done - studied, 3),
        "steps": found.seconds,
    }
    write_whole((json.dumps(timings, indent=1) + "\n").encode(), folder / "timings.json")
    write(f"{as_text(found)}\nTables, pictures and study.json are in {folder}.\n", None)
    longest = score(judged, [dataclasses.replace(measure, cutoff=max(found.lengths)) for measure in found.measures])
    sys.stderr.write(remark_lines(longest) + "".join(f"mensura: note: {remark}\n" for remark in found.remarks))
    return 1 if found.broken else 0


def _judged(arguments: Namespace) -> JudgedRuns:
    if not arguments.runs:
        raise MensuraError("name at least two runs after QRELS")
    if [arguments.qrels, *arguments.runs].count("-") > 0:
        raise InputError("a study reads its inputs twice, to record their digests: give files", source="-")
    from mensura.cli.shared.runs import judged_runs
    from mensura.judged.entrance import Needs

    return judged_runs(arguments, Needs(ranks=max(arguments.lengths or LENGTHS)))


def digests(arguments: Namespace) -> dict[str, str]:
    """SHA-256 of what each input file holds."""
    from mensura.io.digests import content_digests
    from mensura.io.files import expand

    paths = [arguments.qrels, *map(str, expand(arguments.runs))]
    return dict(zip(paths, content_digests(paths, arguments.threads), strict=True))


def _record(inputs: dict[str, str]) -> dict[str, Any]:
    """How the study came about. It does not name the folder: studies in two folders are the same, byte by byte."""
    from mensura.record import record

    given = sys.argv[1:]
    without = [
        word
        for before, word in zip([None, *given], given, strict=False)
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
