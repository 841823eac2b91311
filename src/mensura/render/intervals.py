"""``mensura evaluate --interval``: values beside their ranks on the interval scale."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import MensuraError
from mensura.measures.base import check_cutoff
from mensura.render.evaluations import as_table, document
from mensura.render.numbers import fixed, general, span, whole
from mensura.render.tables import Table, View, as_text, csv_text, json_text
from mensura.render.text import wrap
from mensura.scales.facts import facts_for, surrogate_remark
from mensura.scales.universes.laws import MEANINGS
from mensura.stats.digits import PLAIN, decimals_for_interval, middle_half_width

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from mensura.evaluation.evaluation import Evaluation
    from mensura.scales.interval import IntervalScale
    from mensura.scales.ranks import Ranks

LISTED = 32  # steps that are all shown
HALF = 8  # of more steps, so many from either end


def interval_layout(evaluation: Evaluation, arguments: Namespace, tell: Callable[[int, int], None] | None) -> str:
    """The evaluation with ranks, in the layout that the options name."""
    if arguments.format not in {"table", "csv", "json"}:
        raise MensuraError(f"--format {arguments.format} has no column for ranks; use table, csv or json with --interval")
    ranked = []
    for scores in evaluation.scores:
        check_cutoff(scores.measure)
        ranked.append(scores.on_interval_scale(universe=arguments.universe or "all", width=arguments.width))
        if tell is not None:
            tell(len(ranked), len(evaluation.scores))
    if arguments.format == "csv":
        return _csv_values(ranked) if arguments.per_topic else _csv_means(evaluation, ranked)
    said = surrogates(evaluation, arguments)
    if arguments.format == "json":
        return _json(evaluation, ranked, said, per_topic=arguments.per_topic)
    text = _table(evaluation, ranked, per_topic=arguments.per_topic)
    return text + "".join(f"\n! {wrap(remark, '  ')}\n" for remark in said.values())


def surrogates(evaluation: Evaluation, arguments: Namespace) -> dict[str, str]:
    """Sentences by measure: where one scale for all topics is a surrogate."""
    if arguments.universe not in {None, "all"}:
        return {}
    measures = [scores.measure for scores in evaluation.scores]
    remarks = {str(measure): surrogate_remark(facts_for(measure, evaluation.judged)) for measure in measures}
    return {measure: remark for measure, remark in remarks.items() if remark is not None}


def _csv_means(evaluation: Evaluation, ranked: list[Ranks]) -> str:
    rows = []
    for scores, ranks in zip(evaluation.scores, ranked, strict=True):
        means, counted = scores.aggregate().tolist(), scores.topics_counted.tolist()
        columns = (scores.systems, means, counted, ranks.mean_ranks(), *ranks.mean_shares())
        name, kind = str(ranks.measure), (ranks.how, ranks.of, ranks.universe)
        rows += [
            (system, name, mean, topics, rank, float(middle), float(low), float(high), *kind)
            for system, mean, topics, rank, middle, low, high in zip(*columns, strict=True)
        ]
    columns_of_means = ("mean", "topics", "mean_rank", "mean_middle", "mean_low", "mean_high", "how", "of", "universe")
    return csv_text(("system", "measure", *columns_of_means), rows)


def _csv_values(ranked: list[Ranks]) -> str:
    columns = ("system", "topic", "measure", "value", "rank", "steps", "middle", "low", "high", "how", "of", "universe")
    return csv_text(columns, [tuple(row[key] for key in columns) for ranks in ranked for row in ranks.rows()])


def _json(evaluation: Evaluation, ranked: list[Ranks], said: dict[str, str], *, per_topic: bool) -> str:
    plain = document(evaluation, per_topic=per_topic)
    plain["interval"] = []
    for ranks in ranked:
        entry: dict[str, Any] = {
            "measure": str(ranks.measure),
            "how": ranks.how,
            "of": ranks.of,
            "universe": ranks.universe,
            "higher_is_better": ranks.direction == "higher",
            "width": ranks.width,
            "steps": sorted(set(ranks.steps)),
            "method": ranks.method,
            "surrogate": said.get(str(ranks.measure)),
            "means": [
                {"system": system, "mean_rank": mean, "middle": middle, "low": low, "high": high}
                for system, mean, middle, low, high in zip(ranks.systems, ranks.mean_ranks(), *ranks.mean_shares(), strict=True)
            ],
        }
        if per_topic:
            numbers = ("rank",) if ranks.exact else ("middle", "low", "high")
            entry["ranks"] = [{key: row[key] for key in ("system", "topic", *numbers)} for row in ranks.rows()]
        plain["interval"].append(entry)
    return json_text(plain)


def _decimals(ranks: Ranks) -> int:
    """As many decimals of a mean as its confidence interval supports."""
    half = middle_half_width(ranks.low, ranks.counted)
    return decimals_for_interval(half) if half > 0 else PLAIN


def _table(evaluation: Evaluation, ranked: list[Ranks], *, per_topic: bool) -> str:
    """The usual table, and one of the means on the interval scales: rank / steps, from 0 to 1."""
    columns, formats = [], []
    for ranks in ranked:
        middle, low, high = ranks.mean_shares()
        columns.append(middle if ranks.exact else list(zip(low, high, strict=True)))
        formats.append(partial(fixed, decimals=_decimals(ranks)) if ranks.exact else span)
    table = Table(
        ["system", *(_heading(ranks) for ranks in ranked)],
        list(zip(evaluation.judged.systems, *columns, strict=True)),
        formats=[None, *formats],
    )
    before = as_table(evaluation, per_topic=per_topic)
    title = "Means of rank / steps on the interval scale of each measure"
    if any(ranks.of == "runs" for ranks in ranked):
        title = f"Means of mid-p, the proportion of runs beaten, among {MEANINGS[ranked[0].universe]}"
        if any(ranks.of == "values" for ranks in ranked):
            title = "Means of rank / steps on the interval scale of each measure, or of the proportion of runs beaten (mid-p)"
    remarks = "".join(f"\n! {wrap(ranks.remark, '  ')}\n" for ranks in ranked if ranks.remark is not None)
    return f"{before}\n{title}\n\n{as_text(table)}{remarks}"


def ranks_view(ranks: Ranks) -> View:
    """Mean rank of each system among the steps, best first; bounds where ranks are not exact."""
    middle, low, high = ranks.mean_shares()
    order = np.argsort(middle if ranks.direction == "lower" else -middle, kind="stable").tolist()
    steps = set(ranks.steps)
    means, number = ranks.mean_ranks(), partial(fixed, decimals=_decimals(ranks))
    header, rows = ["system"], [[ranks.systems[system]] for system in order]
    if len(steps) == 1 and means[order[0]] is not None:
        header.append(f"mean rank of {whole(next(iter(steps)))} steps")
        for row, system in zip(rows, order, strict=True):
            row.append(fixed(means[system], 1))
    header.append(("φ / steps" if ranks.of == "values" else "mid-p") + (" ↓" if ranks.direction == "lower" else ""))
    for row, system in zip(rows, order, strict=True):
        row.append(number(middle[system]) if ranks.how == "exact" else span((low[system], high[system])))
    title = f"{ranks.measure} on its interval scale, {len(ranks.topics)} topics"
    remarks = [ranks.remark] if ranks.remark is not None else []
    return View(title, [Table(header, rows, caption=title, label="ranks")], remarks)


def scale_view(scale: IntervalScale) -> View:
    """Steps, runs and spacing of a scale; its values, or the first and last of many."""
    grades = ", ".join("not judged" if grade < 0 else str(grade) for grade in scale.grades)
    title = f"Interval scale, {scale.name}: runs of length {scale.length}, grades {grades}"
    if not scale.counted:
        return View(title, remarks=["too many values to count; bracket() gives certified bounds of φ / steps"])
    ends = [*range(1, HALF + 1), *range(scale.steps - HALF + 1, scale.steps + 1)]
    steps = ends if scale.steps > LISTED else list(range(1, scale.steps + 1))
    rows = [(whole(step), float(scale.inverse(step))) for step in steps]
    gap = (HALF - 1,) if scale.steps > LISTED else ()
    table = Table(["step", "value"], rows, "r", [None, general], f"Steps, {scale.name}", "steps", rules=gap)
    spaced = "equally spaced: an interval scale already" if scale.is_equispaced else "not equally spaced"
    sentences = [f"{whole(scale.steps)} steps for {whole(scale.runs)} runs, counted by: {scale.method}. Its values are {spaced}."]
    return View(title, [table], [] if scale.exact else ["ranks to the rounding of doubles, not exact"], sentences)


def _heading(ranks: Ranks) -> str:
    """Name of a column: φ or mid-p of a measure, and whether it is exact."""
    kind = {"exact": "", "bounded": " (bounds)", "estimated": " (estimated)"}[ranks.how]
    better = " ↓" if ranks.direction == "lower" else ""
    return f"{'φ' if ranks.of == 'values' else 'mid-p'} {ranks.measure}{better}{kind}"
