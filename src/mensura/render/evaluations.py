"""An evaluation as text: for a person, for a machine, for trec_eval's users."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura._core.rows import join_rows
from mensura.cli.shared.output import encode
from mensura.measures.names import with_rel
from mensura.measures.trec_eval import trec_eval_name
from mensura.render.text import BOLD, DIM, YELLOW, TextTable, paint, wrap
from mensura.stats.digits import PLAIN, decimals_of_means

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.scores import Scores
    from mensura.measures.base import Measure

QUOTED = frozenset(',"\n\r')


def quote(cell: str) -> str:
    """A cell of a csv file."""
    return '"' + cell.replace('"', '""') + '"' if not QUOTED.isdisjoint(cell) else cell


def number(value: float) -> str:
    """The shortest text that reads back as the same number; empty for NaN."""
    return "" if math.isnan(value) else repr(float(value))


def as_csv(evaluation: Evaluation, per_topic: bool) -> bytes:  # noqa: FBT001
    """Per topic ``system,topic,measure,value``; means ``system,measure,mean,topics,missing``."""
    if per_topic:
        topics = _lines(map(quote, evaluation.judged.topics) if _special(evaluation.judged.topics) else evaluation.judged.topics)
        return b"".join(
            [b"system,topic,measure,value\n", *(part for scores in evaluation.scores for part in _csv_values(scores, topics))]
        )
    missing = evaluation.judged.missing.sum(axis=1).tolist()
    lines = ["system,measure,mean,topics,missing"]
    for scores in evaluation.scores:
        name = quote(str(scores.measure))
        cells = zip(scores.systems, scores.mean().tolist(), scores.topics_counted.tolist(), missing, strict=True)
        lines += [f"{quote(system)},{name},{number(mean)},{counted},{lost}" for system, mean, counted, lost in cells]
    return encode("\n".join(lines) + "\n")


def _special(cells: tuple[str, ...]) -> bool:
    """Must any of these be quoted?"""
    return not QUOTED.isdisjoint("".join(cells))


def _lines(cells: Iterable[str]) -> list[bytes]:
    """Many cells as bytes, encoded at once; a line feed inside a (quoted) cell forbids that."""
    cells = list(cells)
    joined = encode("\n".join(cells)).split(b"\n")
    return joined if len(joined) == len(cells) else [encode(cell) for cell in cells]


def _csv_values(scores: Scores, topics: list[bytes]) -> Iterator[bytes]:
    """The lines of each system."""
    between = encode(f",{quote(str(scores.measure))},")
    for system, values, counted in zip(scores.systems, scores.values, scores.counted, strict=True):
        kept = topics
        if not counted.all():
            kept = [topic for topic, counts in zip(topics, counted.tolist(), strict=True) if counts]
            values = values[counted]
        yield join_rows(encode(quote(system)) + b",", kept, between, np.ascontiguousarray(values, dtype=np.float64))


def as_json(evaluation: Evaluation, per_topic: bool) -> str:  # noqa: FBT001
    """Everything, with the remarks."""
    import json

    judged = evaluation.judged
    missing = judged.missing.sum(axis=1).tolist()
    document: dict[str, Any] = {
        "compat": judged.compat,
        "systems": list(judged.systems),
        "topics": len(judged.topics),
        "measures": [facts(measure) for measure in evaluation.measures],
        "means": [
            {"system": system, "measure": str(scores.measure), "mean": none(mean), "topics": counted, "missing": lost}
            for scores in evaluation.scores
            for system, mean, counted, lost in zip(
                scores.systems, scores.mean().tolist(), scores.topics_counted.tolist(), missing, strict=True
            )
        ],
        "remarks": [
            {"code": remark.code, "kind": remark.kind, "text": remark.text, "systems": dict(remark.systems)}
            for remark in evaluation.remarks
        ],
    }
    if per_topic:
        document["values"] = list(evaluation.rows())
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def none(value: float) -> float | None:
    """JSON has no NaN and no infinity."""
    return value if math.isfinite(value) else None


def facts(measure: Measure) -> dict[str, Any]:
    """What a measure knows about itself."""
    low, high = measure.range
    return {
        "measure": str(measure),
        "higher_is_better": measure.direction == "higher",
        "range": [none(low), none(high)],
        "uses_recall_base": measure.uses_recall_base,
        "aggregation": measure.aggregation,
        "reference": measure.reference,
    }


def as_trec_eval(evaluation: Evaluation, per_topic: bool) -> str:  # noqa: FBT001
    """trec_eval's layout: measure, topic or ``all``, value. A measure that trec_eval does not have appears under its own name."""
    lines: list[str] = []
    named = [(_trec_eval_label(scores.measure), scores) for scores in evaluation.scores]
    for system, run in enumerate(evaluation.judged.systems):
        if per_topic:
            for topic, label in enumerate(evaluation.judged.topics):
                lines += [
                    _trec_eval_line(name, label, scores.values[system, topic], scores)
                    for name, scores in named
                    if scores.counted[system, topic] and scores.measure.aggregation != "geometric mean"
                ]
        lines.append(f"{'runid':<22}\tall\t{run}")
        topics = evaluation.scores[0].topics_counted[system]
        lines.append(f"{'num_q':<22}\tall\t{topics}")
        lines += [_trec_eval_line(name, "all", scores.aggregate()[system], scores) for name, scores in named]
    return "\n".join(lines) + "\n"


def _trec_eval_label(measure: Measure) -> str:
    """trec_eval's name, which does not show the relevance level: that is an option there."""
    return trec_eval_name(with_rel(measure, 1)) or str(measure)


def _trec_eval_line(name: str, topic: str, value: float, scores: Scores) -> str:
    text = f"{int(value)}" if scores.measure.aggregation == "sum" else f"{value:6.4f}"
    return f"{name:<22}\t{topic}\t{text}"


def as_table(evaluation: Evaluation, per_topic: bool) -> str:  # noqa: FBT001
    """A table for a person, the best system first."""
    parts = [topic_table(evaluation) if per_topic else leaderboard(evaluation)]
    parts += [paint("! ", YELLOW) + wrap(remark.coded, "  ") + "\n" for remark in evaluation.remarks]
    return "\n".join(parts)


def ranking(scores: Scores) -> np.ndarray:
    """Systems from best to worst."""
    means = np.nan_to_num(scores.mean(), nan=-np.inf if scores.measure.direction == "higher" else np.inf)
    return np.argsort(-means if scores.measure.direction == "higher" else means, kind="stable")


def leaderboard(evaluation: Evaluation) -> str:
    """Means of all systems, sorted by the first measure; the best value of each measure in bold."""
    systems, topics = evaluation.judged.shape
    counted = evaluation.scores[0].topics_counted
    span = f"{counted.min()}" if counted.min() == counted.max() else f"{counted.min()} to {counted.max()}"
    table = TextTable(["", "system", *map(_heading, evaluation.measures)], left=2)
    means = [scores.mean() for scores in evaluation.scores]
    decimals = [decimals_of_means(scores) for scores in evaluation.scores]
    best = [ranking(scores)[0] for scores in evaluation.scores]
    leading = means[0] if evaluation.measures[0].direction == "higher" else -means[0]
    for system in ranking(evaluation.scores[0]).tolist():
        place = 1 + int((leading > leading[system]).sum())
        cells = [_shown(mean[system], shown) for mean, shown in zip(means, decimals, strict=True)]
        styles = [BOLD if first == system and systems > 1 else "" for first in best]
        table.add([f"{place:>{len(str(systems))}}", evaluation.judged.systems[system], *cells], [DIM, "", *styles])
    title = f"Means over {span} of {topics} topics, {systems} {'run' if systems == 1 else 'runs'}"
    return f"{title}\n\n{table}"


def topic_table(evaluation: Evaluation) -> str:
    """The values of all topics, system by system, and the means."""
    table = TextTable(["system", "topic", *map(_heading, evaluation.measures)], left=2)
    means = [(scores.mean(), decimals_of_means(scores)) for scores in evaluation.scores]
    for system, name in enumerate(evaluation.judged.systems):
        for topic, label in enumerate(evaluation.judged.topics):
            if evaluation.scores[0].counted[system, topic]:
                table.add([name, label, *(_shown(scores.values[system, topic]) for scores in evaluation.scores)])
        table.add([name, "mean", *(_shown(mean[system], decimals) for mean, decimals in means)], [BOLD] * (2 + len(means)))
        if system + 1 < len(evaluation.judged.systems):
            table.line()
    return str(table)


def _heading(measure: Measure) -> str:
    return f"{measure} ↓" if measure.direction == "lower" else str(measure)


def _shown(value: float, decimals: int = PLAIN) -> str:
    return "–" if math.isnan(value) else f"{value:.{decimals}f}"


def remark_lines(evaluation: Evaluation) -> str:
    """The remarks for standard error."""
    return "".join(f"mensura: note: {remark.coded}\n" for remark in evaluation.remarks)


LAYOUTS: dict[str, Callable[[Evaluation, bool], str | bytes]] = {
    "table": as_table,
    "csv": as_csv,
    "json": as_json,
    "trec_eval": as_trec_eval,
}
