"""Rankings out of runs and leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.errors import RankingError
from mensura.io.columns import to_text
from mensura.io.read import read_run
from mensura.rankings.positions import Ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.evaluation.scores import Scores
    from mensura.io.columns import Run

RunTies = Literal["kept", "broken"]


def run_rankings(
    run: Any, *, depth: int | None = None, ties: RunTies = "kept", topics: Sequence[str] | None = None
) -> dict[str, Ranking]:
    """The ranking of each topic of a run.

    Parameters
    ----------
    run
        A run, or anything that :func:`mensura.read_run` reads.
    depth
        The number of documents; all by default.
    ties
        ``"kept"``: documents with equal scores are tied. ``"broken"``: they are in trec_eval's order, by document id descending.
    topics
        Only these topics.
    """
    if ties not in {"kept", "broken"}:
        raise RankingError(f"unknown ties={ties!r}; use 'kept' or 'broken'")
    if depth is not None and depth < 1:
        raise RankingError(f"expected a depth of at least 1, got {depth}")
    read: Run = read_run(run)
    chosen = read.topics if topics is None else topics
    missing = [topic for topic in chosen if topic not in read.table.numbers]
    if missing:
        raise RankingError(f"the run {read.name} has no topic {missing[0]!r}; its first topics are {', '.join(read.topics[:5])}")
    return {topic: _ranked(read, topic, depth, ties) for topic in chosen}


def _ranked(run: Run, topic: str, depth: int | None, ties: RunTies) -> Ranking:
    """Documents by score, then by document id, both descending; ties are cut at the depth as that order has them."""
    table = run.table
    order, bounds = table.by_topic
    number = table.numbers[topic]
    rows = order[bounds[number] : bounds[number + 1]]
    scores = table.values[rows]
    if depth is not None and depth < len(rows):
        kept = scores >= np.partition(scores, len(scores) - depth)[len(scores) - depth]
        rows, scores = rows[kept], scores[kept]
    start, length = memoryview(table.start), memoryview(table.length)
    documents = [table.text[start[row] : start[row] + length[row]] for row in rows.tolist()]
    ranked = sorted(zip(scores.tolist(), documents, strict=True), reverse=True)[:depth]
    items = [to_text(document) for _, document in ranked]
    if ties == "broken":
        return Ranking.of(items)
    return Ranking.from_scores(items, np.array([score for score, _ in ranked]))


def leaderboard(scores: Scores) -> Ranking:
    """Systems from best to worst by the means of a measure; equal means are ties."""
    means = scores.mean()
    return Ranking.from_scores(list(scores.systems), means if scores.measure.direction == "higher" else -means)
