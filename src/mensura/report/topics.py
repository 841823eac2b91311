"""Topics: how hard they are, and how far systems differ on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.scores import Scores


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
    relevant = evaluation.judged.relevant(int(getattr(scores.measure, "rel", 1)))
    means = values.mean(axis=0)
    order = np.argsort(means if higher else -means, kind="stable")
    best = values.argmax(axis=0) if higher else values.argmin(axis=0)
    spread = values.std(axis=0, ddof=1)
    return tuple(
        Topic(
            number=int(counted[at]),
            name=scores.topics[counted[at]],
            relevant=int(relevant[counted[at]]),
            mean=float(means[at]),
            deviation=float(spread[at]),
            best=scores.systems[best[at]],
            best_value=float(values[best[at], at]),
        )
        for at in order.tolist()
    )


def differences(scores: Scores, first: int, second: int) -> list[dict[str, float | str | int]]:
    """Two systems, topic by topic, the largest difference in favour of the first system first."""
    better = 1.0 if scores.measure.direction == "higher" else -1.0
    counted = np.flatnonzero(scores.counted[0])
    change = scores.values[first, counted] - scores.values[second, counted]
    rows: list[dict[str, float | str | int]] = []
    for place, at in enumerate(np.argsort(-better * change, kind="stable").tolist()):
        gain = better * change[at]
        rows.append(
            {
                "topic": scores.topics[counted[at]],
                "place": place,
                "first": float(scores.values[first, counted[at]]),
                "second": float(scores.values[second, counted[at]]),
                "difference": float(change[at]),
                "better": "first" if gain > 0 else "second" if gain < 0 else "none",
            }
        )
    return rows
