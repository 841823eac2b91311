"""``mensura study``."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import (
    add_compat,
    add_plan_only,
    add_plugin,
    add_skipping,
    add_universe,
    file_name,
    positive,
    probability,
)
from mensura.errors import InputError, MensuraError
from mensura.stats.methods import names_of_tests

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from mensura.engines.engine import Engine
    from mensura.judged.runs import JudgedRuns
    from mensura.study.experiment import Study

LENGTHS = (5, 10, 20, 30)
UNRECORDED = ("-o", "--output", "--engine", "--scheduler")


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
        "          mensura study --collection t8.txt 't8/*.gz' --collection dl.txt 'dl/*.gz' --rel 2 -o tracks\n"
        "          mensura study --truth -o truth\n"
        "          mensura study qrels.txt 'runs/*.gz' --truth -o truth\n"
        "          mensura study --truth --campaigns 100000 -o truth --engine dask --plan-only"
    )
    parser.add_argument("qrels", metavar="QRELS", nargs="?", help="judgments, in any format that `mensura evaluate` reads")
    parser.add_argument("runs", metavar="RUN", nargs="*", help="runs, or patterns like 'runs/*.gz'")
    parser.add_argument("-o", "--output", type=file_name, metavar="DIR", required=True, help="folder to write into")
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
    parser.add_argument(
        "--scale",
        choices=("interval", "z-score", "linear", "uniform"),
        default="interval",
        help="scale that values are compared with: the interval scale, or standardised by topic (default: %(default)s)",
    )
    add_universe(parser)
    add_skipping(parser)
    add_compat(parser)
    parser.add_argument("-l", "--rel", type=positive, metavar="GRADE", help="lowest grade that is relevant, to make grades binary")
    parser.add_argument("--alpha", type=probability, default=0.05, help="level of significance (default: %(default)s)")
    parser.add_argument(
        "--collection",
        dest="collections",
        action="append",
        nargs="+",
        default=[],
        metavar=("QRELS", "RUN"),
        help="judgments and runs of one of several collections, which are studied side by side; repeat it for each",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        help="name of the collection in the tables (default: from the file or folder of QRELS); repeat it for each --collection",
    )
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
    add_plan_only(parser)
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
    if arguments.seed < 0:
        raise MensuraError(f"--seed {arguments.seed}: a seed is a whole number of at least 0")
    if arguments.truth:
        if arguments.collections:
            raise MensuraError("--truth is about one collection; name it as QRELS and RUNs")
        return _truth(arguments)
    if arguments.qrels is None and not arguments.collections:
        raise MensuraError("a study needs QRELS and RUNs; only --truth can do without")
    return _study(arguments)


def _truth(arguments: Namespace) -> int:

    from mensura.cli.shared.output import plan_text, progress, write
    from mensura.cli.shared.runs import engine_of
    from mensura.io.folders import Filled
    from mensura.render.truths import as_terminal_text
    from mensura.study.likeness import design_like
    from mensura.study.truth import find_truth, predict_truth

    design = None
    if arguments.qrels is not None:
        with engine_of(arguments) as engine:
            judged = _judged(arguments, engine)
        with progress("fitting campaigns") as tell:
            design = design_like(judged, progress=tell)
        design = replace(design, equal=min(4, max(2, design.systems // 2)))
    if arguments.plan_only:
        asked = (arguments.measures or None, arguments.lengths or (10,), arguments.tests, arguments.campaigns)
        write(plan_text(*predict_truth(design, *asked), f"{arguments.campaigns} simulated campaigns"), None)
        return 0
    Filled(arguments.output, ("truth.json",))  # what is somebody else's is refused before the work, not after
    with progress("simulating campaigns") as tell, engine_of(arguments) as engine:
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
            engine=engine,
        )
    truth.write(arguments.output, inputs=_digests(arguments) if arguments.qrels is not None else None)
    write(f"{as_terminal_text(truth)}\nTables, a chart and truth.json are in {arguments.output}.\n", None)
    return 0


def _study(arguments: Namespace) -> int:
    import json

    from mensura.cli.shared.output import plan_text, progress, write
    from mensura.cli.shared.runs import engine_of
    from mensura.io.folders import Filled
    from mensura.render import studies as alone
    from mensura.render import tracks
    from mensura.study.experiment import predict_study, study
    from mensura.study.names import study_measures, study_tests
    from mensura.study.paper_tables import check_names

    folder: Path = arguments.output
    options: dict[str, Any] = {
        "measures": study_measures(arguments.measures or None),
        "lengths": arguments.lengths or LENGTHS,
        "tests": study_tests(arguments.tests),
        "ties": arguments.ties,
        "rel": arguments.rel,
        "alpha": arguments.alpha,
        "seed": arguments.seed,
        "scale": arguments.scale,
        "universe": arguments.universe,
        "width": arguments.width,
    }
    collections = _collections(arguments)
    check_names([each.name for each in collections])
    several = len(collections) > 1
    if arguments.plan_only:
        with engine_of(arguments) as engine:
            plans = [(predict_study(_judged(collection, engine), **options), collection.name) for collection in collections]
        write("".join(plan_text(*prediction, f"measures and lengths of {name}") for prediction, name in plans), None)
        return 0
    own = Filled(folder, ("study.json", "summary.txt", "timings.json"))  # what is somebody else's is refused before the work
    results, inputs, notes = [], {}, ""
    reading = studying = 0.0
    steps: dict[str, float | None] = {}
    with engine_of(arguments) as engine:
        for number, collection in enumerate(collections, start=1):
            started = time.perf_counter()
            judged = _judged(collection, engine)
            read = time.perf_counter()
            work = folder / (f"work_{number}" if several else "work")
            with progress(f"{collection.name}: measures and lengths" if several else "measures and lengths") as tell:
                result = study(judged, **options, name=collection.name, work=work, progress=tell, engine=engine)
            results.append(result)
            reading, studying = reading + read - started, studying + time.perf_counter() - read
            steps |= {f"{collection.name}/{step}" if several else step: each for step, each in result.seconds.items()}
            inputs[collection.name] = _digests(collection)
            notes += _notes(judged, result, f"{collection.name}: " if several else "")
    started = time.perf_counter()
    asked = {
        "compat": arguments.compat,
        "scale": arguments.scale,
        "universe": arguments.universe or "all",
        "width": arguments.width,
    }
    parameters, record = asked, _record(list(inputs.values()))
    with progress("tables and charts") as tell:
        if several:
            tracks.write_tracks(results, folder, inputs=inputs, parameters=parameters, record=record, progress=tell)
        else:
            digests = inputs[results[0].name]
            results[0].write(folder, inputs=digests, parameters=parameters, record=record, progress=tell)
    took = {"read": reading, "study": studying, "write": time.perf_counter() - started}
    timings = {**{name: round(seconds, 3) for name, seconds in took.items()}, "steps": steps}
    own.write("timings.json", (json.dumps(timings, indent=1) + "\n").encode())
    text = tracks.as_terminal_text(results) if several else alone.as_terminal_text(results[0])
    write(f"{text}\nTables, charts and study.json are in {folder}.\n", None)
    sys.stderr.write(notes)
    return 1 if any(result.broken for result in results) else 0


def _collections(arguments: Namespace) -> list[Namespace]:
    """The options once for each collection, with its judgments, runs and name."""
    named = arguments.collections
    if named and arguments.qrels is not None:
        raise MensuraError("name every collection by --collection, or one as QRELS and RUNs")
    if not named:
        named = [[arguments.qrels, *arguments.runs]]
    names = arguments.name or [collection_name(qrels) for qrels, *_ in named]
    if len(names) != len(named):
        raise MensuraError(f"expected a --name for each of {len(named)} collections, got {len(names)}")
    pairs = zip(named, names, strict=True)
    return [Namespace(**vars(arguments) | {"qrels": qrels, "runs": runs, "name": name}) for (qrels, *runs), name in pairs]


def _notes(judged: JudgedRuns, result: Study, prefix: str) -> str:
    """Remarks about the data at the longest length, and about the study, for standard error."""
    from mensura.evaluation.remarks import remark_sentences, remarks

    longest = max(result.lengths)
    texts = [*remark_sentences(remarks(judged, [measure @ longest for measure in result.measures])), *result.remarks]
    return "".join(f"mensura: note: {prefix}{text}\n" for text in texts)


def _judged(arguments: Namespace, engine: Engine | None) -> JudgedRuns:
    if not arguments.runs:
        raise MensuraError(f"name at least two runs after {arguments.qrels}")
    if [arguments.qrels, *arguments.runs].count("-") > 0:
        raise InputError("a study reads its inputs twice, to record their digests: give files", source="-")
    from mensura.cli.shared.runs import begin_reading, finish_reading
    from mensura.judged.entrance import Needs

    return finish_reading(begin_reading(arguments, engine, Needs(ranks=max(arguments.lengths or LENGTHS))))


def _digests(arguments: Namespace) -> dict[str, str]:
    """SHA-256 digest of each input file."""
    from mensura.io.digests import content_digests
    from mensura.io.files import expand

    paths = [arguments.qrels, *map(str, expand(arguments.runs))]
    return dict(zip(paths, content_digests(paths, arguments.threads), strict=True))


def _record(collections: list[dict[str, str]]) -> dict[str, Any]:
    """The record of the study, without folder and engine: studies in two folders, or on two engines, are the same byte by byte."""
    from mensura.record.primad import record

    command = sys.argv[1:]
    without = [
        word
        for before, word in zip([None, *command], command, strict=False)
        if before not in UNRECORDED and word not in UNRECORDED and not word.startswith(tuple(f"{each}=" for each in UNRECORDED[1:]))
    ]
    files = [("run" if at else "judgments", path) for inputs in collections for at, path in enumerate(inputs)]
    digests = {path: digest for inputs in collections for path, digest in inputs.items()}
    return record(without, files, digests=digests).to_dict()


def collection_name(qrels: str) -> str:
    """The name of a collection: that of its qrels file, or of the folder if the file is just called qrels."""
    from mensura.io.files import source

    stem = source(qrels).stem
    folder = Path(qrels).absolute().parent.name
    return folder if stem.lower() == "qrels" and folder else stem
