"""An evaluation as text: for people, for programs, for users of trec_eval."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura._core.rows import join_rows
from mensura.measures.names import with_rel
from mensura.measures.trec_eval import trec_eval_name
from mensura.render.numbers import fixed, trec_eval_number
from mensura.render.tables import QUOTED, Table, as_text, csv_text, json_text, quote, strong_rows
from mensura.render.text import YELLOW, encoded, paint, wrap
from mensura.result import encode
from mensura.stats.digits import decimals_of_means

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.scores import Scores
    from mensura.measures.base import Measure


def as_csv(evaluation: Evaluation, *, per_topic: bool) -> bytes:
    """Per topic ``system,topic,measure,value``; means ``system,measure,mean,topics,missing``."""
    if per_topic:
        topics = _lines(map(quote, evaluation.judged.topics) if _special(evaluation.judged.topics) else evaluation.judged.topics)
        return b"".join(
            [b"system,topic,measure,value\n", *(part for scores in evaluation.scores for part in _csv_values(scores, topics))]
        )
    return encoded(csv_text(("system", "measure", "mean", "topics", "missing"), _means(evaluation)))


def _means(evaluation: Evaluation) -> Iterator[tuple[str, str, float, int, int]]:
    """System, measure, mean, topics that count, and topics that are missing."""
    missing = evaluation.judged.missing.sum(axis=1).tolist()
    for scores in evaluation.scores:
        name, counted = str(scores.measure), scores.topics_counted.tolist()
        for system, mean, topics, lost in zip(scores.systems, scores.mean().tolist(), counted, missing, strict=True):
            yield system, name, mean, topics, lost


def _special(cells: tuple[str, ...]) -> bool:
    """Return whether any of the cells needs quotation marks."""
    return not QUOTED.isdisjoint("".join(cells))


def _lines(cells: Iterable[str]) -> list[bytes]:
    """Many cells as bytes, encoded at once; a line feed inside a (quoted) cell forbids that."""
    cells = list(cells)
    joined = encoded("\n".join(cells)).split(b"\n")
    return joined if len(joined) == len(cells) else [encoded(cell) for cell in cells]


def _csv_values(scores: Scores, topics: list[bytes]) -> Iterator[bytes]:
    """The lines of each system."""
    between = encoded(f",{quote(str(scores.measure))},")
    for system, values, counted in zip(scores.systems, scores.values, scores.counted, strict=True):
        kept = topics
        if not counted.all():
            kept = [topic for topic, counts in zip(topics, counted.tolist(), strict=True) if counts]
            values = values[counted]
        yield join_rows(encoded(quote(system)) + b",", kept, between, np.ascontiguousarray(values, dtype=np.float64))


def as_json(evaluation: Evaluation, *, per_topic: bool) -> str:
    """Everything, with the remarks."""
    return json_text(document(evaluation, per_topic=per_topic))


def document(evaluation: Evaluation, *, per_topic: bool) -> dict[str, Any]:
    """An evaluation as plain data."""
    judged = evaluation.judged
    plain: dict[str, Any] = {
        "compat": judged.compat,
        "systems": list(judged.systems),
        "topics": len(judged.topics),
        "measures": [facts(measure) for measure in evaluation.measures],
        "means": [dict(zip(("system", "measure", "mean", "topics", "missing"), row, strict=True)) for row in _means(evaluation)],
        "remarks": [
            {"code": remark.code, "kind": remark.kind, "text": remark.text, "systems": dict(remark.systems)}
            for remark in evaluation.remarks
        ],
    }
    if per_topic:
        plain["values"] = [
            {"system": system, "topic": topic, "measure": name, "value": value}
            for scores in evaluation.scores
            for system, topic, name, value in scores.rows()
        ]
    return plain


def facts(measure: Measure) -> dict[str, Any]:
    """A measure's facts about itself, as plain data."""
    return {
        "measure": str(measure),
        "higher_is_better": measure.direction == "higher",
        "range": encode(list(measure.range)),
        "uses_recall_base": measure.uses_recall_base,
        "aggregation": measure.aggregation,
        "reference": measure.reference,
    }


def as_trec_eval(evaluation: Evaluation, *, per_topic: bool) -> str:
    """trec_eval's layout: measure, topic or ``all``, value. A measure that trec_eval does not have appears under its own name."""
    lines: list[str] = []
    labels = [f"{_trec_eval_label(scores.measure):<22}" for scores in evaluation.scores]
    written = [partial(trec_eval_number, count=scores.measure.aggregation == "sum") for scores in evaluation.scores]
    aggregates = [scores.aggregate() for scores in evaluation.scores]
    counted = evaluation.scores[0].topics_counted.tolist()
    by_topic = [
        (label, number, scores)
        for label, number, scores in zip(labels, written, evaluation.scores, strict=True)
        if per_topic and scores.measure.aggregation != "geometric mean"
    ]
    for system, run in enumerate(evaluation.judged.systems):
        if by_topic:
            for topic, name in enumerate(evaluation.judged.topics):
                lines += [
                    f"{label}\t{name}\t{number(scores.values[system, topic])}"
                    for label, number, scores in by_topic
                    if scores.counted[system, topic]
                ]
        lines += [f"{'runid':<22}\tall\t{run}", f"{'num_q':<22}\tall\t{counted[system]}"]
        lines += [
            f"{label}\tall\t{number(values[system])}" for label, number, values in zip(labels, written, aggregates, strict=True)
        ]
    return "\n".join(lines) + "\n"


def _trec_eval_label(measure: Measure) -> str:
    """trec_eval's name, which does not show the relevance level: that is an option there."""
    return trec_eval_name(with_rel(measure, 1)) or str(measure)


def as_table(evaluation: Evaluation, *, per_topic: bool) -> str:
    """A table for people, the best system first."""
    parts = [topic_table(evaluation) if per_topic else leaderboard(evaluation)]
    parts += [paint("! ", YELLOW) + wrap(remark.coded, "  ") + "\n" for remark in evaluation.remarks]
    return "\n".join(parts)


def ranking(scores: Scores) -> NDArray[np.int64]:
    """Systems from best to worst."""
    return _best_first(scores.mean(), higher=scores.measure.direction == "higher")


def _best_first(means: NDArray[np.float64], *, higher: bool) -> NDArray[np.int64]:
    known = np.nan_to_num(means, nan=-np.inf if higher else np.inf)
    return np.argsort(-known if higher else known, kind="stable")


def leaderboard(evaluation: Evaluation) -> str:
    """Means of all systems, sorted by the first measure; the best value of each measure in bold."""
    systems, topics = evaluation.judged.shape
    counted = evaluation.scores[0].topics_counted
    span = f"{counted.min()}" if counted.min() == counted.max() else f"{counted.min()} to {counted.max()}"
    measures = evaluation.measures
    means = [scores.mean() for scores in evaluation.scores]
    orders = [_best_first(mean, higher=measure.direction == "higher") for mean, measure in zip(means, measures, strict=True)]
    leading = means[0] if measures[0].direction == "higher" else -means[0]
    places = [1 + int((leading > leading[system]).sum()) for system in orders[0]]
    digits = len(str(systems))
    row = {int(system): at for at, system in enumerate(orders[0])}
    table = Table(
        ["", "system", *_headings(measures)],
        [
            (f"{place:>{digits}}", evaluation.judged.systems[system], *(mean[system] for mean in means))
            for place, system in zip(places, orders[0].tolist(), strict=True)
        ],
        align="ll",
        formats=[None, None, *_formats(evaluation)],
        strong={(row[int(order[0])], 2 + at) for at, order in enumerate(orders)} if systems > 1 else (),
        dim=1,
    )
    title = f"Means over {span} of {topics} topics, {systems} {'run' if systems == 1 else 'runs'}"
    return f"{title}\n\n{as_text(table)}"


def topic_table(evaluation: Evaluation) -> str:
    """The values of all topics, system by system, and the means."""
    means = [scores.mean() for scores in evaluation.scores]
    decimals = _formats(evaluation)
    rows: list[tuple[Any, ...]] = []
    ends = []
    for system, name in enumerate(evaluation.judged.systems):
        values = [scores.values[system] for scores in evaluation.scores]
        counted = evaluation.scores[0].counted[system]
        rows += [
            (name, label, *(fixed(each[topic]) for each in values))
            for topic, label in enumerate(evaluation.judged.topics)
            if counted[topic]
        ]
        ends.append(len(rows))
        rows.append((name, "mean", *(number(mean[system]) for number, mean in zip(decimals, means, strict=True))))
    header = ["system", "topic", *_headings(evaluation.measures)]
    return as_text(Table(header, rows, align="ll", rules=ends[:-1], strong=strong_rows(ends, len(header))))


def _headings(measures: Iterable[Measure]) -> list[str]:
    return [f"{measure} ↓" if measure.direction == "lower" else str(measure) for measure in measures]


def _formats(evaluation: Evaluation) -> list[Callable[[float], str]]:
    """How the means of each measure are written: with the decimals that the data support."""
    return [partial(fixed, decimals=decimals_of_means(scores)) for scores in evaluation.scores]


def remark_lines(evaluation: Evaluation) -> str:
    """The remarks for standard error."""
    return "".join([f"mensura: note: {remark.coded}\n" for remark in evaluation.remarks])


LAYOUTS: dict[str, Callable[..., str | bytes]] = {
    "table": as_table,
    "csv": as_csv,
    "json": as_json,
    "trec_eval": as_trec_eval,
}
