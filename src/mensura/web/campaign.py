"""An evaluation of uploaded files, or of the demo campaign: leaderboard, comparison, charts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import MensuraError
from mensura.evaluation.evaluation import score
from mensura.io.digests import source_digest
from mensura.io.files import Source
from mensura.judged.entrance import begin, collect
from mensura.measures.names import parse_measures
from mensura.measures.needs import needs_of
from mensura.render.charts.comparison import describe
from mensura.render.comparisons import document
from mensura.render.evaluations import facts, ranking
from mensura.result import encode
from mensura.stats.comparison import compare
from mensura.stats.digits import decimals_of_means

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura.evaluation.evaluation import Evaluation
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

    Tell = Callable[[str, int, int], None]

Places = tuple[tuple[str, str], ...]
"""Files: what their owner calls them, and where they are."""

PAIRS = 500  # that are sent
MAPPED = 40  # systems in a map of p-values
LARGEST = 4_000_000  # values that tests are made of


def evaluate_campaign(tell: Tell, question: dict[str, Any]) -> dict[str, Any]:
    """Reads, scores, compares.

    ``question`` holds ``files``, the judgments first, or ``seed``; ``measures``; options of the comparison; and where to write a
    report, if one is wanted.
    """
    tell("reading runs", 0, 1)
    measures = parse_measures(question["measures"])
    judgments, *origins = simulated(question["seed"]) if question["seed"] is not None else sources(question["files"])
    reading = begin(judgments, origins, needs_of(measures), compat=question["compat"])
    judged = collect(reading, lambda done, total: tell("reading runs", done, total))
    tell("computing measures", 0, 1)
    evaluation = score(judged, measures, question["topics"])
    result = leaderboard(evaluation)
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
    """The page of ``mensura report``."""
    from mensura.report import Source as Named
    from mensura.report import report

    if len(judged.systems) < 2:  # noqa: PLR2004
        raise MensuraError("a report compares systems: upload at least 2 runs")
    options = question["compare"] or {}
    qrels, *runs = (Named(origin.name, source_digest(origin)) for origin in origins)
    made = report(
        judged,
        measures,
        topics=question["topics"],
        qrels=qrels,
        runs=runs,
        progress=lambda done, total: tell("writing the report", done, total),
        **{key: options[key] for key in ("test", "correction", "alpha") if key in options},
    )
    Path(question["report"]).write_text(made.html(), encoding="utf-8")


def simulated(seed: int) -> list[Source]:
    """The files of a simulated campaign, in memory; the judgments first."""
    from mensura.study.example import example

    made = example(seed)
    runs = [Source(f"{name}.txt", data=run.encode()) for name, run in made.runs.items()]
    return [Source("qrels.txt", data=made.qrels.encode()), *runs]


def sources(files: Sequence[tuple[str, str]]) -> list[Source]:
    """Files that their owner calls by other names than the disk does."""
    return [Source(name, Path(place)) for name, place in files]


def leaderboard(evaluation: Evaluation) -> dict[str, Any]:
    """The table of ``mensura evaluate``, best system first."""
    systems, topics = evaluation.judged.shape
    means = [scores.mean() for scores in evaluation.scores]
    leading = means[0] if evaluation.measures[0].direction == "higher" else -means[0]
    best = [int(ranking(scores)[0]) for scores in evaluation.scores]
    rows = [
        {
            "place": 1 + int((leading > leading[system]).sum()),
            "system": evaluation.judged.systems[system],
            "means": [encode(float(mean[system])) for mean in means],
            "best": [first == system and systems > 1 for first in best],
        }
        for system in ranking(evaluation.scores[0]).tolist()
    ]
    counted = evaluation.scores[0].topics_counted
    return {
        "systems": systems,
        "topics": topics,
        "counted": [int(np.min(counted)), int(np.max(counted))],
        "measures": [facts(measure) for measure in evaluation.measures],
        "decimals": [decimals_of_means(scores) for scores in evaluation.scores],
        "rows": rows,
        "remarks": [remark.text for remark in evaluation.remarks],
        "comparison": None,
    }


def _compared(evaluation: Evaluation, options: dict[str, Any]) -> dict[str, Any]:
    """The comparison by the first measure."""
    systems, topics = evaluation.judged.shape
    if systems * topics > LARGEST:
        raise MensuraError(f"{systems} runs × {topics} topics are too many to compare here: leave the comparison out")
    found = compare(replace(evaluation, scores=evaluation.scores[:1]), **options)
    made = document(found[0])
    made["pair_count"] = len(made["pairs"])
    made["significant"] = int(found[0].significant.sum())
    place = {row["system"]: row["place"] for row in made["systems"]}
    made["pairs"].sort(key=lambda pair: sorted((place[pair["first"]], place[pair["second"]])))
    del made["pairs"][PAIRS:]
    pictures = ["intervals"]
    if systems <= MAPPED:
        pictures.append("p-values")
    if found[0].groups and systems <= MAPPED:
        pictures.append("critical-difference")
    made["charts"] = {picture: describe(found, picture) for picture in pictures}
    return made
