"""``mensura evaluate --interval``: values beside their ranks on the interval scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.errors import MensuraError, ScaleError
from mensura.render.evaluations import as_json, as_table, number, quote

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from mensura.evaluation.evaluation import Evaluation
    from mensura.scales.ranks import Ranks


def interval_layout(evaluation: Evaluation, arguments: Namespace, tell: Callable[[int, int], None] | None) -> str:
    """The evaluation with ranks, in the layout that was asked for."""
    if arguments.format == "trec_eval":
        raise MensuraError("trec_eval's layout has no place for ranks: use --format csv, json or table with --interval")
    ranked = []
    for scores in evaluation.scores:
        if scores.measure.on_topics.cutoff is None:
            raise ScaleError(f"--interval needs runs of one length: give {scores.measure} a cut-off, as in {scores.measure}@30")
        ranked.append(scores.on_interval_scale(attainable=arguments.interval == "attainable"))
        if tell is not None:
            tell(len(ranked), len(evaluation.scores))
    layout = {"csv": _csv, "json": _json, "table": _table}[arguments.format]
    return layout(evaluation, ranked, per_topic=arguments.per_topic)


def _csv(evaluation: Evaluation, ranked: list[Ranks], *, per_topic: bool) -> str:
    if per_topic:
        return "system,topic,measure,value,rank,steps,low,high\n" + "".join(map(_csv_values, ranked))
    lines = ["system,measure,mean,topics,mean_rank,mean_low,mean_high,exact"]
    for scores, ranks in zip(evaluation.scores, ranked, strict=True):
        name = quote(str(scores.measure))
        means = ranks.mean_ranks()
        low, high = ranks.mean_shares()
        for system, label in enumerate(scores.systems):
            mean = "" if means[system] is None else repr(means[system])
            cells = (quote(label), name, number(scores.mean()[system]), str(scores.topics_counted[system]), mean)
            lines.append(",".join((*cells, repr(float(low[system])), repr(float(high[system])), str(ranks.exact).lower())))
    return "\n".join(lines) + "\n"


def _csv_values(ranks: Ranks) -> str:
    name = quote(str(ranks.measure))
    lines = []
    for row in ranks.rows():
        rank, steps = ("" if row[key] is None else str(row[key]) for key in ("rank", "steps"))
        value, bounds = number(row["value"]), f"{row['low']!r},{row['high']!r}"
        lines.append(f"{quote(row['system'])},{quote(row['topic'])},{name},{value},{rank},{steps},{bounds}\n")
    return "".join(lines)


def _json(evaluation: Evaluation, ranked: list[Ranks], *, per_topic: bool) -> str:
    import json

    document: dict[str, Any] = json.loads(as_json(evaluation, per_topic))
    document["interval"] = []
    for ranks in ranked:
        low, high = ranks.mean_shares()
        entry: dict[str, Any] = {
            "measure": str(ranks.measure),
            "exact": ranks.exact,
            "bounds_of": ranks.of,
            "steps": sorted(set(ranks.steps)),
            "method": ranks.method,
            "means": [
                {"system": system, "mean_rank": mean, "low": float(least), "high": float(most)}
                for system, mean, least, most in zip(ranks.systems, ranks.mean_ranks(), low, high, strict=True)
            ],
        }
        if per_topic and ranks.ranks is not None:
            entry["ranks"] = [
                {"system": system, "topic": topic, "rank": rank}
                for system, row, counted in zip(ranks.systems, ranks.ranks.tolist(), ranks.counted, strict=True)
                for topic, rank, counts in zip(ranks.topics, row, counted, strict=True)
                if counts
            ]
        document["interval"].append(entry)
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _decimals(ranks: Ranks) -> int:
    """As many decimals of a mean as its confidence interval supports."""
    from mensura.stats.digits import PLAIN, decimals_for_interval, middle_half_width

    half = middle_half_width(ranks.low, ranks.counted)
    return decimals_for_interval(half) if half > 0 else PLAIN


def _table(evaluation: Evaluation, ranked: list[Ranks], *, per_topic: bool) -> str:
    """The usual table, and one of the means on the interval scales: rank / steps, from 0 to 1."""
    from mensura.render.text import TextTable

    table = TextTable(["system", *(f"φ {ranks.measure}{'' if ranks.exact else ' (bounds)'}" for ranks in ranked)], left=1)
    bounds = [(*ranks.mean_shares(), _decimals(ranks)) for ranks in ranked]
    for system, label in enumerate(evaluation.judged.systems):
        cells = []
        for ranks, (low, high, decimals) in zip(ranked, bounds, strict=True):
            cells.append(f"{low[system]:.{decimals}f}" if ranks.exact else f"{low[system]:.4f}…{high[system]:.4f}")
        table.add([label, *cells])
    return f"{as_table(evaluation, per_topic)}\nMeans of rank / steps on the interval scale of each measure\n\n{table}"
