"""A design whose campaigns are like a given collection.

What can be counted is counted: systems, topics, grades, recall bases, missing topics. The rest is found by the method of
simulated moments: the mean of average precision, how much of its variation is between systems, between topics, and between both,
and how many documents were judged; parameters are moved until simulated campaigns have the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import MensuraError
from mensura.measures.average_precision import AP
from mensura.study.campaigns import Design, simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura.judged.runs import JudgedRuns

LENGTH = 30
ROUNDS = 10
MOST_DRAWS = 10**7  # scores that are drawn in a round, if a single campaign does not need more
COARSE = 0.05


@dataclass(frozen=True, slots=True)
class Moments:
    """Of AP@30: its mean, and standard deviations of systems, topics, and what is left; and judged documents per topic."""

    mean: float
    systems: float
    topics: float
    rest: float
    judged: float


def moments(judged: JudgedRuns) -> Moments:
    """The moments of judged runs."""
    values = (AP() @ LENGTH).score(judged)
    systems, topics = values.shape
    by_system, by_topic = values.mean(axis=1), values.mean(axis=0)
    rest = values - by_system[:, None] - by_topic[None, :] + values.mean()
    error = float((rest**2).sum()) / max((systems - 1) * (topics - 1), 1)
    between = float(by_system.var(ddof=1)) - error / topics
    across = float(by_topic.var(ddof=1)) - error / systems
    size = float(judged.recall_base.sum()) / topics
    return Moments(float(values.mean()), max(between, 0.0) ** 0.5, max(across, 0.0) ** 0.5, error**0.5, size)


def design_like(judged: JudgedRuns, *, progress: Callable[[int, int], None] | None = None) -> Design:
    """A design whose campaigns are like the judged runs."""
    if judged.shape[0] < 2 or judged.shape[1] < 2:  # noqa: PLR2004 - variances need two
        raise MensuraError("a collection to imitate needs at least 2 runs and 2 topics")
    target = moments(judged)
    if target.rest == 0 or target.mean == 0:
        raise MensuraError("there is nothing to be like: all runs have the same AP@30 on each topic")
    design = _counted(judged)
    seeds = range(1, 2 + min(3, MOST_DRAWS // (design.systems * design.topics * design.documents)))
    for turn in range(ROUNDS):
        simulated = [moments(simulate(design, seed=seed, threads=1).judged(LENGTH)) for seed in seeds]
        now = Moments(*(float(np.mean([getattr(each, name) for each in simulated])) for name in Moments.__slots__))
        design = _moved(design, now, target, 1.0 if turn < ROUNDS // 2 else 0.5)
        if progress is not None:
            progress(turn + 1, ROUNDS)
    return design


def _counted(judged: JudgedRuns) -> Design:
    """A design with the parameters that can be counted."""
    relevant = judged.relevant()
    logs = np.log(np.maximum(relevant, 1))
    grades = max(judged.max_grade, 1)
    of_grade = judged.recall_base[:, 1:].sum(axis=0).astype(np.float64)
    ratio = float((of_grade[1:].sum() + 1) / (of_grade[:-1].sum() + 1)) if grades > 1 else 1.0
    depth = int(np.median(judged.retrieved[~judged.missing])) if (~judged.missing).any() else 1
    return Design(
        systems=judged.shape[0],
        topics=judged.shape[1],
        documents=int(max(3 * depth, 4 * relevant.max(initial=1), 200)),
        grades=grades,
        grade_ratio=float(np.clip(ratio, 0.05, 5.0)),
        relevant=float(np.exp(np.median(logs))),
        relevant_spread=float(logs.std(ddof=1)),
        depth=depth,
        pool=_pool(judged, depth),
        tie=COARSE if np.mean(judged.ties > 0) > 0.5 else 0.0,  # noqa: PLR2004 - most rankings have ties that matter
        missing=float(np.mean(judged.missing)),
        equal=min(2, judged.shape[0]),
    )


def _pool(judged: JudgedRuns, depth: int) -> int:
    """The first rank by which more than one document in twenty was not judged."""
    share = (judged.grades < 0).mean(axis=(0, 1))
    unjudged = np.flatnonzero(share > 0.05 + float(np.mean(judged.missing)))
    return int(np.clip(unjudged[0] if len(unjudged) else judged.length, 1, depth))


def _moved(design: Design, now: Moments, target: Moments, pace: float) -> Design:
    """A step towards the target, each parameter by its own moment."""

    def scaled(value: float, is_now: float, aim: float, least: float = 0.01) -> float:
        ratio = np.clip(aim / is_now if is_now > 0 else 2.0, 0.5, 2.0)
        return float(np.clip(value * ratio**pace, least, 5.0))

    crowd = float(np.clip((now.judged / target.judged) if target.judged else 1.0, 0.5, 2.0))
    return replace(
        design,
        quality=float(np.clip(design.quality + pace * 2.0 * (target.mean - now.mean) / max(target.mean, 0.05), 0.05, 6.0)),
        quality_spread=scaled(design.quality_spread, now.systems, target.systems),
        topic_spread=scaled(design.topic_spread, now.topics, target.topics),
        interaction=scaled(design.interaction, now.rest, target.rest),
        agreement=float(np.clip(design.agreement + pace * 0.2 * np.log(crowd), 0.0, 0.9)),
    )
