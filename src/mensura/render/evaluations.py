"""An evaluation as text: for people, for programs, for users of trec_eval."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura._core.rows import join_rows
from mensura.evaluation.remarks import remark_sentences
from mensura.render.escapes import FORMULA, visible
from mensura.render.latex import as_latex
from mensura.render.numbers import NOTHING, fixed, trec_eval_number
from mensura.render.tables import QUOTED, Table, View, as_markdown, as_typst, csv_text, json_text, quote, strong_rows
from mensura.render.text import encoded
from mensura.render.views import view_text
from mensura.result import encode
from mensura.stats.digits import PLAIN, decimals_of_means
from mensura.stats.results import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.remarks import Remark
    from mensura.evaluation.scores import Scores
    from mensura.measures.base import Measure
    from mensura.measures.trec_eval import OutputLine
    from mensura.pieces.sums_merged import Means


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
        for system, mean, topics, lost in zip(scores.systems, scores.aggregate().tolist(), counted, missing, strict=True):
            yield system, name, mean, topics, lost


def _special(cells: tuple[str, ...]) -> bool:
    """Return whether any of the cells is not written as it is."""
    return not QUOTED.isdisjoint("".join(cells)) or any(cell[:1] in FORMULA for cell in cells)


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
        "remarks": plain_remarks(evaluation.remarks),
    }
    if per_topic:
        plain["values"] = list(evaluation.rows())
    return plain


def plain_remarks(remarks: Iterable[Remark]) -> list[dict[str, Any]]:
    """Remarks as plain data."""
    return [{"code": remark.code, "kind": remark.kind, "text": remark.text, "systems": dict(remark.systems)} for remark in remarks]


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


def as_trec_eval(evaluation: Evaluation, *, per_topic: bool, asked: Sequence[OutputLine] | None = None) -> str:
    """trec_eval's layout: measure, topic or ``all``, value. A measure that trec_eval does not have appears under its own name.

    ``asked`` are the lines that were asked for, with their labels; by default those of all measures. Several runs begin with a line
    ``runid`` each.
    """
    from mensura.measures.trec_eval import OutputLine, label_of  # with nearly all measures

    if asked is None:
        asked = [
            OutputLine("runid"),
            OutputLine("num_q"),
            *(OutputLine(label_of(measure), measure) for measure in evaluation.measures),
        ]
    elif len(evaluation.judged.systems) > 1 and all(line.label != "runid" for line in asked):
        asked = [OutputLine("runid"), *asked]
    values = {scores.measure: (scores, scores.aggregate()) for scores in evaluation.scores}
    lines: list[str] = []
    for system in range(len(evaluation.judged.systems)):
        if per_topic:
            for topic in range(len(evaluation.judged.topics)):
                lines += _topic_lines(evaluation, asked, values, system, topic)
        lines += _all_lines(evaluation, asked, values, system)
    return "\n".join(lines) + "\n"


Aggregates = dict["Measure", tuple["Scores", "NDArray[np.float64]"]]


def _topic_lines(evaluation: Evaluation, asked: Sequence[OutputLine], values: Aggregates, system: int, topic: int) -> Iterator[str]:
    name = visible(evaluation.judged.topics[topic])
    for line in asked:
        if line.measure is None:
            if line.label.startswith("relstring") and evaluation.scores[0].counted[system, topic]:
                yield f"{line.label:<22}\t{name}\t'{_relstring(evaluation, system, topic, line.ranks)}'"
            continue
        scores, _ = values[line.measure]
        if scores.counted[system, topic] and scores.measure.aggregation != "geometric mean":
            number = trec_eval_number(scores.values[system, topic], count=scores.measure.aggregation == "sum")
            yield f"{line.label:<22}\t{name}\t{number}"


def _all_lines(evaluation: Evaluation, asked: Sequence[OutputLine], values: Aggregates, system: int) -> Iterator[str]:
    for line in asked:
        if line.measure is not None:
            scores, aggregates = values[line.measure]
            yield f"{line.label:<22}\tall\t{trec_eval_number(aggregates[system], count=scores.measure.aggregation == 'sum')}"
        elif line.label == "runid":
            yield f"{line.label:<22}\tall\t{visible(evaluation.judged.systems[system])}"
        elif line.label == "num_q":
            yield f"{line.label:<22}\tall\t{evaluation.scores[0].topics_counted[system]}"


def _relstring(evaluation: Evaluation, system: int, topic: int, ranks: int) -> str:
    """The grades of the first ranks, one character each; − for a document without judgment, a dot for one of the pool."""
    judged = evaluation.judged
    judged.need(ranks, "relstring")
    listed = min(ranks, int(judged.retrieved[system, topic]))
    grades = judged.grades[system, topic, :listed].tolist()
    return "".join({-1: "-", -2: "."}.get(grade) or (str(grade) if grade < 10 else ">") for grade in grades)  # noqa: PLR2004 - grades of one digit


def as_table(evaluation: Evaluation, *, per_topic: bool, digits: int | None = None) -> str:
    """A table for people, the best system first."""
    view = evaluation_view(evaluation, digits)
    return view_text(view._replace(title="", tables=[topic_table(evaluation, digits)]) if per_topic else view) + "\n"


def ranking(scores: Scores) -> NDArray[np.int64]:
    """Systems from best to worst."""
    return np.argsort(scores.places(), kind="stable")


def leaderboard_facts(evaluation: Evaluation) -> dict[str, Any]:
    """The means of all systems as plain data: best system first by the first measure, equal means share a place."""
    systems, topics = evaluation.judged.shape
    every = [
        (scores.places().tolist(), scores.topics_counted.tolist(), scores.aggregate().tolist(), decimals_of_means(scores))
        for scores in evaluation.scores
    ]
    places, (counted, *_), means, decimals = (list(column) for column in zip(*every, strict=True))
    return {
        "systems": systems,
        "topics": topics,
        "counted": [min(counted), max(counted)],
        "decimals": decimals,
        "rows": [
            {
                "place": places[0][system],
                "system": evaluation.judged.systems[system],
                "means": [mean[system] for mean in means],
                "best": [place[system] == 1 and systems > 1 for place in places],
            }
            for system in np.argsort(places[0], kind="stable").tolist()
        ],
    }


def leaderboard_table(evaluation: Evaluation, digits: int | None = None) -> Table:
    """Means of all systems, sorted by the first measure; the best value of each measure in bold."""
    board = leaderboard_facts(evaluation)
    systems, (low, high), rows = board["systems"], board["counted"], board["rows"]
    width = len(str(systems))
    decimals = board["decimals"] if digits is None else [digits] * len(evaluation.scores)
    span = f"{low}" if low == high else f"{low} to {high}"
    return Table(
        ["", "system", *headings([scores.measure for scores in evaluation.scores])],
        [(f"{row['place']:>{width}}", row["system"], *row["means"]) for row in rows],
        align="ll",
        formats=[None, None, *(partial(fixed, decimals=number) for number in decimals)],
        strong={(at, 2 + column) for at, row in enumerate(rows) for column, best in enumerate(row["best"]) if best},
        caption=f"Means over {span} of {plural(board['topics'], 'topic')}, {systems} {'run' if systems == 1 else 'runs'}",
        label="leaderboard",
        dim=1,
        names=1,
    )


def evaluation_view(evaluation: Evaluation, digits: int | None = None) -> View:
    """The leaderboard and the remarks."""
    table = leaderboard_table(evaluation, digits)
    return View(table.caption, [table], remark_sentences(evaluation.remarks))


def scores_view(scores: Scores) -> View:
    """Mean, quartiles and extremes over topics of each system, best first."""
    order, means = ranking(scores).tolist(), scores.mean()
    rows = []
    for system in order:
        counted = scores.values[system][scores.counted[system]]
        quartiles = np.quantile(counted, (0, 0.25, 0.5, 0.75, 1)).tolist() if counted.size else [np.nan] * 5
        rows.append((scores.systems[system], means[system], *quartiles))
    header = ["system", "mean", "least", "lower quartile", "median", "upper quartile", "greatest"]
    title = f"{headings([scores.measure])[0]} over {len(scores.topics)} topics"
    number = partial(fixed, decimals=decimals_of_means(scores))
    return View(title, [Table(header, rows, "l", [None, number, *[fixed] * 5], title, "scores")])


def topic_table(evaluation: Evaluation, digits: int | None = None) -> Table:
    """The values of all topics, system by system, and the means; a topic where a measure has no value has an empty cell."""
    means = [scores.aggregate() for scores in evaluation.scores]
    value = partial(fixed, decimals=PLAIN if digits is None else digits)
    decimals = [partial(fixed, decimals=decimals_of_means(scores) if digits is None else digits) for scores in evaluation.scores]
    rows: list[tuple[Any, ...]] = []
    ends = []
    for system, name in enumerate(evaluation.judged.systems):
        counted = np.logical_or.reduce([scores.counted[system] for scores in evaluation.scores])
        rows += [
            (
                name,
                label,
                *(value(each.values[system, topic]) if each.counted[system, topic] else NOTHING for each in evaluation.scores),
            )
            for topic, label in enumerate(evaluation.judged.topics)
            if counted[topic]
        ]
        ends.append(len(rows))
        rows.append((name, "mean", *(number(mean[system]) for number, mean in zip(decimals, means, strict=True))))
    header = ["system", "topic", *headings(evaluation.measures)]
    strong = strong_rows(ends, len(header))
    return Table(header, rows, "ll", caption="Values of topics, and means", label="topics", rules=ends[:-1], strong=strong)


def headings(measures: Iterable[Measure]) -> list[str]:
    """Names of measures at the heads of columns, with a word for sums and an arrow where lower is better."""
    sums = {True: " (sum)", False: ""}
    return [f"{measure}{sums[measure.aggregation == 'sum']}{' ↓' if measure.direction == 'lower' else ''}" for measure in measures]


def remark_lines(evaluation: Evaluation | Means) -> str:
    """The remarks for standard error."""
    return "".join([f"mensura: note: {sentence}\n" for sentence in remark_sentences(evaluation.remarks)])


PAPERS = {"markdown": as_markdown, "latex": as_latex, "typst": as_typst}


def layout(
    evaluation: Evaluation, form: str, *, per_topic: bool, digits: int | None, wide: bool, asked: Sequence[OutputLine] | None = None
) -> str | bytes:
    """The evaluation in a format of ``mensura evaluate``, with the decimals of ``digits``, or as many as the data support."""
    match form:
        case "csv" if wide:
            return wide_csv(evaluation)
        case "csv":
            return as_csv(evaluation, per_topic=per_topic)
        case "json":
            return as_json(evaluation, per_topic=per_topic)
        case "trec_eval":
            return as_trec_eval(evaluation, per_topic=per_topic, asked=asked)
        case "table":
            return as_table(evaluation, per_topic=per_topic, digits=digits)
    table = topic_table(evaluation, digits) if per_topic else leaderboard_table(evaluation, digits)
    return PAPERS[form](table)


def wide_csv(evaluation: Evaluation) -> str:
    """A line for each system and topic, a column for each measure."""
    judged, scores = evaluation.judged, evaluation.scores
    rows = [
        (
            judged.systems[system],
            judged.topics[topic],
            *(float(each.values[system, topic]) if each.counted[system, topic] else None for each in scores),
        )
        for system, topic in np.argwhere(np.logical_or.reduce([each.counted for each in scores])).tolist()
    ]
    return csv_text(("system", "topic", *map(str, evaluation.measures)), rows)
