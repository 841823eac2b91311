"""Topics: where systems differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.charts.topics import topic_differences, topic_spread
from mensura.render.markup import Markup, column, join, table, tag
from mensura.render.numbers import shown
from mensura.report.figures import Figure, draw
from mensura.report.topics import differences, hardest

if TYPE_CHECKING:
    from mensura.report.build import Report

MOST = 200  # topics in a table or picture
DECIMALS = 4  # of a value on one topic


def topics(report: Report) -> Markup:
    """How hard topics are, and two systems topic by topic: the two best by the first measure, or any that a reader chooses."""
    return join([_hardest(report), tag("h3", "Two systems, topic by topic"), _pair(report)])


def _hardest(report: Report) -> Markup:
    evaluation = report.evaluation
    first = evaluation.scores[0]
    order = hardest(evaluation, first)
    others = [{topic.number: topic for topic in hardest(evaluation, scores)} for scores in evaluation.scores]
    rows = []
    for topic in order[:MOST]:
        cells: list[object] = [topic.name, str(topic.relevant)]
        for found in others:
            cells += [shown(found[topic.number].mean, 2), shown(found[topic.number].deviation, 2)]
        rows.append([*cells, f"{topic.best} ({shown(topic.best_value, 2)})"])
    top = [column("", number=False), column("")]
    top += [column(str(measure), span=2, number=False) for measure in evaluation.measures]
    second = [column("topic", number=False, sort=True), column("relevant documents", sort=True)]
    for _ in evaluation.measures:
        second += [column("mean", sort=True), column("s.d.", sort=True)]
    best = column(f"best by {first.measure}")
    cut = f" (the hardest {MOST} of {len(order)})" if len(order) > MOST else ""
    caption = f"Topics, hardest by {first.measure} first{cut}: mean and standard deviation over systems"
    spread = topic_spread(str(first.measure), first.topics, first.values, hardest_first=[topic.number for topic in order[:MOST]])
    text = (
        f"{first.measure} on each topic, hardest first: all systems (line), the middle half of them (bar) and their median (dot)."
    )
    return join(
        [
            draw(Figure("topics", text, spread)),
            table(caption, [[*top, column("")], [*second, best]], rows, class_="sortable"),
        ]
    )


def _pair(report: Report) -> Markup:
    first, second = report.comparisons[0].ranking[:2]
    scores = report.evaluation.scores[0]
    rows = differences(scores, first, second)
    names = scores.systems[first], scores.systems[second]
    chosen = f"{names[0]} − {names[1]} by {scores.measure}, topic by topic."
    cells = [
        [
            str(row["topic"]),
            shown(float(row["first"]), DECIMALS),
            shown(float(row["second"]), DECIMALS),
            shown(float(row["difference"]), DECIMALS, sign=True),
        ]
        for row in rows[:MOST]
    ]
    head = [column("topic", number=False), column("first"), column("second"), column("first − second")]
    choices = tag("form", class_="choices", hidden=True)  # the script fills it
    return join(
        [
            choices,
            tag("p", pair_summary(rows, *names), class_="pair-summary", aria_live="polite"),
            draw(Figure("differences", chosen, topic_differences(rows[:MOST]))),
            table("Values of the two systems on each topic, largest difference first", [head], cells, class_="pair-table"),
        ]
    )


def pair_summary(rows: list[dict[str, float | str | int]], first: str, second: str) -> str:
    """On how many topics each of two systems is better."""
    wins = sum(row["better"] == "first" for row in rows)
    losses = sum(row["better"] == "second" for row in rows)
    return f"Topics on which {first} is better: {wins}; {second}: {losses}; equal: {len(rows) - wins - losses}."
