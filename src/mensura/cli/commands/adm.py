"""``mensura adm``."""

from __future__ import annotations

import dataclasses
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from mensura.cli.shared.options import add_chart, add_inputs, add_output, positive
from mensura.errors import MeasureError, MensuraError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.measures.distance import ADM

MOST_DIAGRAMS = 24


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "The average distance measure: are the scores of a system good estimates of relevance?\n"
        "Without a further option: ADM of each system, and the mean distance of its documents by grade."
    )
    parser.epilog = (
        "examples: mensura adm qrels.txt run.gz --topic 23 --chart plane.svg\n"
        "          mensura adm qrels.txt 'runs/*.gz' --correlations\n"
        "          mensura adm qrels.txt 'runs/*.gz' --calibration --chart reliability.html"
    )
    add_inputs(parser)
    parser.add_argument(
        "-m",
        "--measure",
        dest="measures",
        action="append",
        metavar="ADM",
        default=[],
        help="variant of ADM, such as \"ADM(srs='rank')@20\"; several with --correlations and --stability, and other measures "
        "beside them, such as NumRelRet (repeat; default: ADM, with --calibration ADM(documents='retrieved-assessed'))",
    )
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--topic", metavar="T", help="the documents of one topic, each with SRS, URS and distance")
    ways.add_argument(
        "--correlations", action="store_true", help="Kendall's τ of the variants with AP and R-precision, relaxed and rigid"
    )
    ways.add_argument(
        "--stability", action="store_true", help="numbers of topics and of documents from which on the ranking of systems is stable"
    )
    ways.add_argument("--calibration", action="store_true", help="normalisations of scores, and the gain of the best one")
    ways.add_argument(
        "--thresholds",
        metavar="SRS,URS",
        nargs="?",
        const="0.5",
        help="precision, recall and E at thresholds on SRS and URS, beside ADM (default: 0.5, both)",
    )
    ways.add_argument("--claims", action="store_true", help="check of runs whose scores claim to be SRS, from 0 to 1")
    ways.add_argument("--fuse", action="store_true", help="fusion of all systems by their mean SRS, beside them")
    parser.add_argument("--fused", metavar="FILE", type=Path, help="file for the fused run (with --fuse)")
    parser.add_argument(
        "--system", metavar="SYSTEM", action="append", default=[], help="name of a system to show (repeat; default: all)"
    )
    parser.add_argument(
        "--cutoffs",
        metavar="N,N",
        default="5,10,20,50,100,200",
        help="cut-offs for --correlations and --stability (default: %(default)s)",
    )
    parser.add_argument(
        "--samples",
        type=positive,
        default=200,
        metavar="N",
        help="number of samples of topics for --stability (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: %(default)s)")
    add_chart(parser, "a topic, the stability or the calibration")
    add_output(parser)


def run(arguments: Namespace) -> int:
    """Measure distances and write the result."""
    from mensura.cli.shared.output import write

    if arguments.chart is not None and not (arguments.topic or arguments.stability or arguments.calibration):
        raise MensuraError("--chart draws one topic, the stability or the calibration: add --topic, --stability or --calibration")
    if arguments.fused is not None and not arguments.fuse:
        raise MensuraError("--fused names the file for the fused run: add --fuse")
    measures = _measures(arguments)
    _cutoffs(arguments.cutoffs)
    judged = _judged(arguments, measures)
    option = _option(arguments)
    if option is None:
        from mensura.render.adm import LEVELS

        text = LEVELS[arguments.format](judged, measures, arguments.system)
    elif option in OF_ALL:
        text = OF_ALL[option](judged, measures, arguments)
    else:
        text = OF_ONE[option](judged, _first(measures), arguments)
    write(text, arguments.output)
    return 0


def _option(arguments: Namespace) -> str | None:
    """Name of the option that says what is shown."""
    return next((name for name in (*OF_ONE, *OF_ALL) if getattr(arguments, name) not in {None, False}), None)


def _measures(arguments: Namespace) -> list[Measure]:
    """Variants of ADM, the first of which the options are about, and other measures to be shown beside them."""
    from mensura.measures.distance import ADM
    from mensura.measures.names import parse_measures

    measures = parse_measures(arguments.measures)
    other = next((measure for measure in measures if not isinstance(measure, ADM)), None)
    option = _option(arguments)
    if other is not None and option in OF_ONE:
        raise MeasureError(f"{other} is not a variant of ADM, which --{option} is about; leave it out, or use mensura evaluate")
    if any(isinstance(measure, ADM) for measure in measures):
        return measures
    return [ADM(documents="retrieved-assessed") if arguments.calibration else ADM(), *measures]


def _first(measures: list[Measure]) -> ADM:
    from mensura.measures.distance import ADM

    return next(measure for measure in measures if isinstance(measure, ADM))


def _cutoffs(text: str) -> tuple[int, ...]:
    try:
        cutoffs = tuple(sorted({positive(part) for part in text.split(",")}))
    except ArgumentTypeError:
        raise MensuraError(f"--cutoffs {text}: write whole numbers with commas between them, as in 5,10,20") from None
    return cutoffs


def _judged(arguments: Namespace, measures: list[Measure]) -> JudgedRuns:
    """All runs with their scores, and with their documents where a pool is asked for."""
    from mensura.adm.distance import number_of
    from mensura.cli.shared.runs import judged_runs
    from mensura.judged.entrance import EVERYTHING
    from mensura.measures.needs import needs_of

    pooled = arguments.correlations or arguments.stability or arguments.fuse or needs_of(measures).documents
    judged = judged_runs(arguments, dataclasses.replace(EVERYTHING, documents=pooled))
    for system in arguments.system:
        number_of(judged.systems, system, "system")
    return judged


def _topic(judged: JudgedRuns, measure: ADM, arguments: Namespace) -> str:
    from mensura.adm.distance import distances
    from mensura.render.adm import TOPIC

    systems = arguments.system or judged.systems
    if len(systems) > 1:
        raise MensuraError(f"--topic shows one system, and there are {len(systems)}: name one run, or one with --system")
    distances_of_topic = distances(judged, systems[0], arguments.topic, measure)
    if arguments.chart is not None:
        from mensura.render.charts.adm import both
        from mensura.render.charts.draw import draw

        draw(both(judged, systems[0], arguments.topic, measure), arguments.chart)
    return TOPIC[arguments.format](distances_of_topic)


def _thresholds(judged: JudgedRuns, measure: ADM, arguments: Namespace) -> str:
    from mensura.adm.threshold_table import thresholds
    from mensura.render.adm import THRESHOLDS

    try:
        srs, urs = ([float(part) for part in arguments.thresholds.split(",")] * 2)[:2]
    except ValueError:
        raise MensuraError(f"--thresholds {arguments.thresholds}: write one number, or two with a comma, as in 0.5,0.6") from None
    return THRESHOLDS[arguments.format](thresholds(_chosen(judged, arguments), measure, srs, urs))


def _claims(judged: JudgedRuns, measure: ADM, arguments: Namespace) -> str:
    from mensura.adm.claimed_scores import claims
    from mensura.render.adm import CLAIMS

    return CLAIMS[arguments.format](claims(_chosen(judged, arguments), measure))


def _fuse(judged: JudgedRuns, measure: ADM, arguments: Namespace) -> str:
    from mensura.adm.fusion import fused, run_text
    from mensura.io.writing import write_whole
    from mensura.render.adm import FUSION

    fusion, run = fused(_chosen(judged, arguments), measure)
    if arguments.fused is not None:
        write_whole(run_text(run).encode("utf-8", "surrogateescape"), arguments.fused)
    return FUSION[arguments.format](fusion)


def _chosen(judged: JudgedRuns, arguments: Namespace) -> JudgedRuns:
    return judged.only(arguments.system) if arguments.system else judged


def _correlations(judged: JudgedRuns, measures: list[Measure], arguments: Namespace) -> str:
    from mensura.adm.correlation import correlations, variants
    from mensura.cli.shared.output import progress
    from mensura.render.adm import CORRELATIONS

    with progress("computing variants") as tell:
        result = correlations(judged, [*measures, *variants(_cutoffs(arguments.cutoffs))], tell)
    return CORRELATIONS[arguments.format](result, judged)


def _stability(judged: JudgedRuns, measures: list[Measure], arguments: Namespace) -> str:
    from mensura.adm.correlation import references
    from mensura.adm.stability import fewer_documents, fewer_topics
    from mensura.measures.distance import ADM
    from mensura.render.adm import STABILITY

    truth, other = references(judged)[:2]
    rows = list(dict.fromkeys([*measures, ADM(srs="rank"), ADM(srs="rank", documents="pool") @ 20]))
    topics = fewer_topics(judged, [truth, other, *rows], truth, samples=arguments.samples, seed=arguments.seed)
    deep = [ADM(documents="retrieved-assessed"), ADM(srs="rank", documents="retrieved-assessed"), ADM(srs="rank", documents="pool")]
    depths = (*(cutoff for cutoff in _cutoffs(arguments.cutoffs) if cutoff < judged.length), judged.length)
    documents = fewer_documents(judged, deep, truth, depths)
    if arguments.chart is not None:
        from mensura.render.charts.adm_systems import stability_chart
        from mensura.render.charts.draw import draw

        draw(stability_chart(topics, documents), arguments.chart)
    return STABILITY[arguments.format](topics, documents, judged)


def _calibration(judged: JudgedRuns, measure: ADM, arguments: Namespace) -> str:
    from mensura.adm.calibration import calibrate
    from mensura.cli.shared.output import progress
    from mensura.render.adm import CALIBRATION

    if not measure.uses_scores or measure.step is not None:
        raise MeasureError(f"--calibration compares normalisations of scores: name a measure from scores, not {measure}")
    with progress("calibrating") as tell:
        calibration = calibrate(judged, measure, progress=tell)
    systems = tuple(arguments.system) or judged.systems
    if arguments.chart is not None:
        from mensura.render.charts.adm_systems import reliability_chart
        from mensura.render.charts.draw import draw

        if len(systems) > MOST_DIAGRAMS:
            raise MensuraError(f"{len(systems)} diagrams do not fit into one picture: choose up to {MOST_DIAGRAMS} with --system")
        draw(reliability_chart(judged, calibration, systems), arguments.chart)
    return CALIBRATION[arguments.format](calibration, systems)


OF_ONE: dict[str, Callable[[JudgedRuns, ADM, Namespace], str]] = {
    "topic": _topic,
    "calibration": _calibration,
    "thresholds": _thresholds,
    "claims": _claims,
    "fuse": _fuse,
}
"""Options about one variant of ADM."""
OF_ALL: dict[str, Callable[[JudgedRuns, list[Measure], Namespace], str]] = {"correlations": _correlations, "stability": _stability}
"""Options about all measures that are named."""
