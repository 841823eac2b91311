"""An evaluation of uploaded files, or of the demo campaign: leaderboard, comparison, charts."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import MensuraError, StatisticsError
from mensura.evaluation.evaluation import score
from mensura.io.digests import source_digest
from mensura.io.files import Source
from mensura.io.writing import write_whole
from mensura.judged.entrance import begin, collect
from mensura.measures.names import parse_measures
from mensura.measures.needs import needs_of
from mensura.render.charts.comparison import CHARTS
from mensura.render.comparison_data import document
from mensura.render.evaluations import facts as measure_facts
from mensura.render.evaluations import leaderboard_facts
from mensura.render.numbers import ci, general
from mensura.result import encode
from mensura.stats.comparison import compare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura.evaluation.evaluation import Evaluation
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.render.charts.draw import Description
    from mensura.stats.compared import Comparison

    Tell = Callable[[str, int, int], None]

Files = tuple[tuple[str, str], ...]
"""Names of files, as their owner gave them, and their paths."""

PAIRS = 500  # in an answer
MAPPED = 40  # systems in charts of pairs
LARGEST = 4_000_000  # values in a comparison


def evaluate_campaign(tell: Tell, question: dict[str, Any]) -> dict[str, Any]:
    """Read, score and compare runs.

    ``question`` contains ``files``, the judgments first, or ``seed``; ``measures``; options of the comparison; and the path of a
    report, or ``None``.
    """
    tell("reading runs", 0, 1)
    measures = parse_measures(question["measures"])
    judgments, *origins = simulated(question["seed"]) if question["seed"] is not None else sources(question["files"])
    reading = begin(judgments, origins, needs_of(measures), compat=question["compat"])
    judged = collect(reading, lambda done, total: tell("reading runs", done, total))
    tell("computing measures", 0, 1)
    evaluation = score(judged, measures, question["topics"])
    result = encode(leaderboard_facts(evaluation)) | {
        "measures": [measure_facts(measure) for measure in measures],
        "remarks": [remark.text for remark in evaluation.remarks],
        "comparison": None,
    }
    options = question["compare"]
    if options is not None and len(judged.systems) > 1:
        tell("comparing systems", 0, 1)
        result["comparison"] = _compared(evaluation, options)
    if question["report"] is not None:
        _write_report(tell, judged, measures, question, [judgments, *origins])
    return result


def _write_report(
    tell: Tell, judged: JudgedRuns, measures: list[Measure], question: dict[str, Any], origins: Sequence[Source]
) -> None:
    """Write the page of ``mensura report``."""
    from mensura.report.build import InputFile as Named
    from mensura.report.build import report

    if len(judged.systems) < 2:  # noqa: PLR2004 - a pair of systems
        raise MensuraError(f"a report needs at least 2 runs, got {len(judged.systems)}; upload another one")
    options = question["compare"] or {}
    qrels, *runs = (Named(origin.name, source_digest(origin)) for origin in origins)
    written = report(
        judged,
        measures,
        topics=question["topics"],
        qrels_file=qrels,
        run_files=runs,
        progress=lambda done, total: tell("writing the report", done, total),
        **{key: options[key] for key in ("test", "correction", "alpha") if key in options},
    )
    write_whole(written.html().encode(), Path(question["report"]))


def simulated(seed: int) -> list[Source]:
    """Return the files of a simulated campaign, in memory; the judgments first."""
    from mensura.study.example import example

    campaign = example(seed)
    runs = [Source(f"{name}.txt", data=run.encode()) for name, run in campaign.runs.items()]
    return [Source("qrels.txt", data=campaign.qrels.encode()), *runs]


def sources(files: Sequence[tuple[str, str]]) -> list[Source]:
    """Return files under the names that their owner gave them."""
    return [Source(name, Path(path)) for name, path in files]


def _compared(evaluation: Evaluation, options: dict[str, Any]) -> dict[str, Any]:
    """Return the comparison by the first measure, as ``mensura compare`` writes it, with its charts."""
    systems, topics = evaluation.judged.shape
    if systems * topics > LARGEST:
        raise MensuraError(f"{systems} runs × {topics} topics are too many to compare here; leave the comparison out")
    comparison = compare(replace(evaluation, scores=evaluation.scores[:1]), **options)[0]
    facts = document(comparison)
    place = {row["system"]: at for at, row in enumerate(facts["systems"])}
    facts["pairs"].sort(key=lambda pair: sorted((place[pair["first"]], place[pair["second"]])))
    return facts | {
        "pair_count": len(facts["pairs"]),
        "pair_decimals": comparison.pair_decimals,
        "level": general(comparison.alpha),
        "interval_title": ci(comparison.alpha, comparison.interval_kind),
        "summary": f"{comparison.differing}.",
        "significant": int(comparison.significant.sum()),
        "pairs": facts["pairs"][:PAIRS],
        "charts": _charts(comparison),
    }


def _charts(comparison: Comparison) -> dict[str, Description]:
    """Return the charts of a comparison by name; of many systems, only the first."""
    charts: dict[str, Description] = {}
    for name, chart in CHARTS.items():
        if not charts or len(comparison.systems) <= MAPPED:
            with suppress(StatisticsError):  # a chart of all pairs, and there is a baseline
                charts[name] = chart.describe(comparison)
    return charts
