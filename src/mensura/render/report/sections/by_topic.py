"""Topics: their difficulty, and the differences of systems on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.render.charts.topics import topic_differences, topic_spread
from mensura.render.html import Element, Figure
from mensura.render.numbers import fixed, named
from mensura.render.tables import Table

if TYPE_CHECKING:
    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.scores import Scores
    from mensura.render.report.measured import PageValues

MOST = 200  # topics in a table or chart
TWO = partial(fixed, decimals=2)


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic by one measure: its number, its recall base, and the values of the systems on it."""

    number: int
    name: str
    relevant: int
    mean: float
    deviation: float
    best: str
    best_value: float


def hardest(evaluation: Evaluation, scores: Scores) -> tuple[Topic, ...]:
    """The topics that count, the one with the worst mean over systems first."""
    higher = scores.measure.direction == "higher"
    counted = np.flatnonzero(scores.counted[0])
    values = scores.values[:, counted]
    relevant = evaluation.judged.relevant(int(getattr(scores.measure.on_topics, "rel", 1)))
    means = values.mean(axis=0)
    order = np.argsort(means if higher else -means, kind="stable")
    best = values.argmax(axis=0) if higher else values.argmin(axis=0)
    codes = values if scores.exact is None or scores.exact.codes is None else scores.exact.codes[:, counted]
    first = codes == codes[best, np.arange(len(counted))]
    spread = values.std(axis=0, ddof=1)
    return tuple(
        Topic(
            number=int(counted[at]),
            name=scores.topics[counted[at]],
            relevant=int(relevant[counted[at]]),
            mean=float(means[at]),
            deviation=float(spread[at]),
            best=_leaders([scores.systems[system] for system in np.flatnonzero(first[:, at])], len(scores.systems)),
            best_value=float(values[best[at], at]),
        )
        for at in order.tolist()
    )


def _leaders(systems: list[str], number: int) -> str:
    """The best system of a topic, or that several or all of them tie."""
    if len(systems) == 1:
        return systems[0]
    return "all tie" if len(systems) == number else f"{systems[0]} and {len(systems) - 1} more"


def differences(scores: Scores, first: int, second: int) -> list[dict[str, float | str | int]]:
    """Two systems, topic by topic, the largest difference in favour of the first system first."""
    better = 1.0 if scores.measure.direction == "higher" else -1.0
    counted = np.flatnonzero(scores.counted[0])
    change = scores.values[first, counted] - scores.values[second, counted]
    rows: list[dict[str, float | str | int]] = []
    for at_rank, at in enumerate(np.argsort(-better * change, kind="stable").tolist()):
        gain = better * change[at]
        rows.append(
            {
                "topic": scores.topics[counted[at]],
                "place": at_rank,
                "first": float(scores.values[first, counted[at]]),
                "second": float(scores.values[second, counted[at]]),
                "difference": float(change[at]),
                "better": "first" if gain > 0 else "second" if gain < 0 else "none",
            }
        )
    return rows


def by_topic(shown: PageValues) -> list[Any]:
    """Difficulty of topics, and two systems topic by topic: the two best by the first measure, or any that a reader chooses."""
    return [*_hardest(shown), Element("h3", ["Two systems, topic by topic"]), *_pair(shown)]


def _hardest(shown: PageValues) -> list[Any]:
    evaluation, measured = shown.report.evaluation, shown.measured
    first, name = evaluation.scores[0], measured[0].name
    ordered = [hardest(evaluation, scores) for scores in evaluation.scores]
    order, others = ordered[0][:MOST], [{topic.number: topic for topic in topics} for topics in ordered]
    rows = []
    for topic in order:
        values: list[float] = []
        for each in others:
            values += [each[topic.number].mean, each[topic.number].deviation]
        rows.append((topic.name, topic.relevant, *values, (topic.best, topic.best_value)))
    header = ["topic", "relevant documents", *["mean", "s.d."] * len(measured), f"best by {name}"]
    cut = f" (the hardest {MOST} of {measured[0].topics})" if measured[0].topics > MOST else ""
    table = Table(
        header,
        rows,
        "l",
        [None, None, *[TWO] * (2 * len(measured)), partial(named, decimals=2)],
        f"Topics, hardest by {name} first{cut}: mean and standard deviation over systems",
        above=[("", 1), ("", 1), *((each.name, 2) for each in measured), ("", 1)],
        kind="sortable",
        sortable=range(len(header) - 1),
    )
    caption = f"{name} on each topic, hardest first: all systems (line), the middle half of them (bar) and their median (dot)."
    chart = topic_spread(name, first.topics, first.values, hardest_first=[topic.number for topic in order])
    return [Figure("topics", caption, chart), table]


def _pair(shown: PageValues) -> list[Any]:
    each, scores = shown.measured[0], shown.report.evaluation.scores[0]
    first, second = each.ranking[:2]
    rows = differences(scores, first, second)
    names = each.names[first], each.names[second]
    cells = [(row["topic"], row["first"], row["second"], row["difference"]) for row in rows[:MOST]]
    chart = topic_differences(rows[:MOST])
    return [
        Element("form", (), {"class": "choices", "hidden": True}),  # the script fills it
        Element("p", [pair_summary(rows, *names)], {"class": "pair-summary", "aria-live": "polite"}),
        Figure("differences", f"{names[0]} − {names[1]} by {each.name}, topic by topic.", chart),
        Table(
            ["topic", "first", "second", "first − second"],
            cells,
            "l",
            [None, fixed, fixed, partial(fixed, sign=True)],
            "Values of the two systems on each topic, largest difference first",
            kind="pair-table",
        ),
    ]


def pair_summary(rows: list[dict[str, float | str | int]], first: str, second: str) -> str:
    """Number of topics on which each of two systems is better."""
    better = [row["better"] for row in rows]
    wins, losses = better.count("first"), better.count("second")
    return f"Topics on which {first} is better: {wins}; {second}: {losses}; equal: {len(rows) - wins - losses}."
