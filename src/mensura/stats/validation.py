"""Cross-validation over topics: choosing among variants without testing on what chose them (P3 §2.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import StatisticsError
from mensura.result import Result, floats, integers
from mensura.stats.draws import stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import ArrayLike, NDArray

    from mensura.evaluation.scores import Scores

    Train = Callable[[NDArray[np.int64]], ArrayLike]


@dataclass(frozen=True, eq=False)
class Validation(Result):
    """The result of a cross-validation.

    Attributes
    ----------
    score
        The mean over repetitions of the score on topics that did not take part in the choice.
    by_repeat
        The score of each repetition: every topic is tested once in each.
    by_fold
        [repeat, fold]: the score of each test fold.
    chosen
        [repeat, fold]: the variant that was chosen for each test fold.
    apparent
        The best mean on all topics at once, chosen and tested on the same topics.
    holdout
        The smallest and the largest score that a single fold as hold-out would have reported.
    """

    score: float
    by_repeat: NDArray[np.float64]
    by_fold: NDArray[np.float64]
    chosen: NDArray[np.int64]
    apparent: float
    holdout: tuple[float, float]

    readers: ClassVar = {"by_repeat": floats, "by_fold": floats, "chosen": integers}

    @property
    def optimism(self) -> float:
        """Difference between the apparent and the cross-validated score."""
        return abs(self.apparent - self.score)

    @property
    def split_deviation(self) -> float:
        """The standard deviation of the score between repetitions: the effect of the split alone."""
        return float(self.by_repeat.std(ddof=1)) if len(self.by_repeat) > 1 else float("nan")

    def shares(self) -> dict[int, float]:
        """Proportion of the folds for which each variant was chosen."""
        variants, counts = np.unique(self.chosen, return_counts=True)
        return dict(zip(variants.tolist(), (counts / self.chosen.size).tolist(), strict=True))

    def __repr__(self) -> str:
        return (
            f"Validation(score={self.score:.4f}, {len(self.by_repeat)} × {self.by_fold.shape[1]} folds, "
            f"single folds from {self.holdout[0]:.4f} to {self.holdout[1]:.4f}, apparent {self.apparent:.4f})"
        )


@dataclass(frozen=True, eq=False)
class Choice(Result):
    """A cross-validated choice among systems by a measure.

    ``validation`` has the numbers; ``best`` is the system with the best mean on all topics, and ``chosen`` gives the proportion of
    the folds for which each system was chosen, the most frequent first. ``names`` are the systems, by the numbers of
    ``validation.chosen``.
    """

    measure: str
    topics: int
    best: str
    chosen: tuple[tuple[str, float], ...]
    validation: Validation
    names: tuple[str, ...]

    readers: ClassVar = {"validation": Validation.from_dict}

    def rows(self) -> Iterable[dict[str, Any]]:
        """A row for each test fold: repetition, fold, the system that was chosen, and its score there."""
        names = dict(enumerate(self.names))
        validation = self.validation
        for repeat, fold in np.ndindex(validation.by_fold.shape):
            system = names[int(validation.chosen[repeat, fold])]
            score = float(validation.by_fold[repeat, fold])
            yield {"measure": self.measure, "repeat": repeat + 1, "fold": fold + 1, "chosen": system, "score": score}


def validate(scores: Scores, *, folds: int = 5, repeats: int = 10, seed: int = 0) -> Choice:
    """Choose among the systems of ``scores`` by repeated cross-validation over topics; see :func:`cross_validate`.

    The order of topics and systems does not matter: both are sorted by name before topics are split, and of equally good
    systems the first name is chosen.
    """
    measure = scores.measure
    if measure.averages != "values" or measure.aggregation != "mean":
        raise StatisticsError(f"{measure} is a {measure.aggregation}; validate a measure whose values are averaged")
    if not scores.counted.all():
        raise StatisticsError("every topic must count for every system; use the topics that are judged")
    rows, columns = (sorted(range(len(names)), key=names.__getitem__) for names in (scores.systems, scores.topics))
    names = tuple(scores.systems[row] for row in rows)
    higher = measure.direction == "higher"
    validation = cross_validate(
        scores.values[np.ix_(rows, columns)], folds=folds, repeats=repeats, seed=seed, higher_is_better=higher
    )
    shares = sorted(validation.shares().items(), key=lambda pair: (-pair[1], pair[0]))
    means = measure.mean(scores.values[rows])
    best = names[int(np.argmax(means if higher else -means))]
    return Choice(str(measure), len(columns), best, tuple((names[at], share) for at, share in shares), validation, names)


def make_folds(topics: int, folds: int, seed: int, repeat: int = 0) -> list[NDArray[np.int64]]:
    """Random folds of topics whose sizes differ by at most one."""
    if topics < 2:  # noqa: PLR2004 - to choose on and to test on
        raise StatisticsError(f"a cross-validation needs at least 2 topics, got {topics}")
    if not 2 <= folds <= topics:  # noqa: PLR2004 - to train and to test
        raise StatisticsError(f"expected between 2 and {topics} folds for {topics} topics, got {folds}")
    return [np.sort(fold) for fold in np.array_split(stream(seed, repeat).permutation(topics), folds)]


def cross_validate(
    variants: ArrayLike | Train,
    *,
    topics: int | None = None,
    folds: int = 5,
    repeats: int = 10,
    seed: int = 0,
    higher_is_better: bool = True,
) -> Validation:
    """Repeated k-fold cross-validation over topics.

    Parameters
    ----------
    variants
        Values [variant, topic]: the best variant on the other folds is tested on each fold. Or a function that trains: it gets
        the numbers of the training topics and returns values [variant, topic] for all topics. Then every test fold has an
        inner loop: each of the other folds in turn is for tuning, with the variants trained on the rest; the variant that is
        best on average over the tuning folds is trained again on all but the test fold, and tested.
    topics
        The number of topics; needed with a function.
    folds, repeats, seed
        Each repetition splits the topics anew.
    higher_is_better
        Whether higher values are better.

    Examples
    --------
    >>> validation = cross_validate([[0.2, 0.4, 0.3, 0.5, 0.1], [0.3, 0.5, 0.3, 0.6, 0.2]], folds=5, repeats=2)
    >>> validation.shares()
    {1: 1.0}
    """
    if repeats < 1:
        raise StatisticsError(f"expected at least 1 repetition, got repeats={repeats}")
    if callable(variants):
        if topics is None:
            raise StatisticsError("a function needs the number of topics; give topics=")
        train: Train = variants
    else:
        fixed = _checked(variants, None)
        topics = fixed.shape[1]

        def train(_: NDArray[np.int64]) -> NDArray[np.float64]:
            return fixed

    way = 1.0 if higher_is_better else -1.0
    everything = np.arange(topics)
    whole = _checked(train(everything), topics).mean(axis=1)
    by_fold, chosen = np.empty((repeats, folds)), np.empty((repeats, folds), dtype=np.int64)
    by_repeat = np.empty(repeats)
    for repeat in range(repeats):
        parts = make_folds(topics, folds, seed, repeat)
        tested = np.empty(topics)
        for at, test in enumerate(parts):
            others = [part for number, part in enumerate(parts) if number != at]
            chosen[repeat, at] = choice = _choose(train, others, topics, way)
            values = _checked(train(np.sort(np.concatenate(others))), topics)
            tested[test] = values[choice, test]
            by_fold[repeat, at] = tested[test].mean()
        by_repeat[repeat] = tested.mean()
    best = float(whole[np.argmax(way * whole)])
    return Validation(float(by_repeat.mean()), by_repeat, by_fold, chosen, best, (float(by_fold.min()), float(by_fold.max())))


def _choose(train: Train, parts: list[NDArray[np.int64]], topics: int, way: float) -> int:
    """The variant that is best on folds it was not trained on; with two folds in all there is only one to train and tune on."""
    totals: NDArray[np.float64] | float = 0.0
    for at, tuning in enumerate(parts):
        rest = [part for number, part in enumerate(parts) if number != at] or [tuning]
        totals = totals + _checked(train(np.sort(np.concatenate(rest))), topics)[:, tuning].sum(axis=1)
    return int(np.argmax(way * np.asarray(totals)))


def _checked(values: ArrayLike, topics: int | None) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or (topics is not None and array.shape[1] != topics):  # noqa: PLR2004 - variants and topics
        expected = "" if topics is None else f" with {topics} topics"
        raise StatisticsError(f"expected values [variant, topic]{expected}, got an array of shape {array.shape}")
    if not np.isfinite(array).all():
        raise StatisticsError("variants must have a finite value for every topic")
    return array
