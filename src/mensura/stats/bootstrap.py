"""Resampling of topics: the bootstrap test, and BCa intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError
from mensura.stats.arrays import in_parts, make_pairs, make_table
from mensura.stats.methods import BOOTSTRAP, implements
from mensura.stats.paired import paired_t
from mensura.stats.permutation import BLOCK, Draws, stream
from mensura.stats.results import Outcome

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mensura.stats.arrays import ScoreTable

ROWS = 256


def resampled(topics: int, seed: int, block: int, draws: int) -> NDArray[np.float64]:
    """Number of times that each topic is drawn: [topic, draw]."""
    chosen = stream(seed, block).integers(0, topics, (draws, topics))
    counts = np.zeros((draws, topics))
    np.add.at(counts, (np.arange(draws)[:, None], chosen), 1.0)
    return np.ascontiguousarray(counts.T)


@implements(BOOTSTRAP)
def bootstrap_test(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | None = None,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
) -> Outcome:
    """The bootstrap test of paired differences: Student's t, against its distribution over resampled topics.

    Differences are shifted to mean 0, which makes the null hypothesis true, and topics are drawn with replacement. p is the
    proportion of samples, the data among them, whose t, whatever its sign, reaches the observed one (Sakai 2006). The same topics
    are drawn for all pairs.
    """
    Draws(samples, seed)
    table = make_table(values)
    student = paired_t(table, baseline=baseline)
    pairs = make_pairs(table.systems, baseline)
    shifted = table.difference(pairs)
    shifted -= shifted.mean(axis=1, keepdims=True)
    square = shifted**2
    limit = np.abs(student.statistic) * (1 - 1e-10)
    reached = np.zeros(len(pairs))
    least = 1e-20 * square.sum(axis=1)  # a resample of one topic, over and over, has no variance

    for block, start in enumerate(range(0, samples, BLOCK)):
        weights = resampled(table.topics, seed, block, min(BLOCK, samples - start))

        def work(first: int, last: int, weights: NDArray[np.float64] = weights) -> None:
            from mensura._core.paired import weighted_sums

            for low in range(first, last, ROWS):
                part = slice(low, min(low + ROWS, last))
                size = part.stop - part.start
                total, squares = np.empty((size, weights.shape[1])), np.empty((size, weights.shape[1]))
                weighted_sums(shifted[part], weights, 0, size, total)
                weighted_sums(square[part], weights, 0, size, squares)
                spread = squares - total**2 / table.topics
                flat = spread <= least[part, None]
                spread[flat] = 1.0
                t = np.abs(total) / np.sqrt(spread) * np.sqrt((table.topics - 1) / table.topics)
                t[flat] = np.where(total[flat] == 0, 0.0, np.inf)
                reached[part] += np.count_nonzero(t >= limit[part, None], axis=1)

        in_parts(work, len(pairs), threads)
    p = (1 + reached) / (1 + samples)
    p[student.statistic == 0] = 1.0
    return Outcome(BOOTSTRAP, pairs, student.estimate, student.statistic, p, table.topics, remarks=student.remarks)


def bca_interval(
    rows: ArrayLike, *, level: float = 0.95, samples: int = 10_000, seed: int = 0, threads: int | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bias-corrected and accelerated bootstrap intervals of the mean of each row (Efron 1987).

    Parameters
    ----------
    rows
        Values or differences, [row, topic].
    level
        The confidence level.
    samples, seed, threads
        As for the tests.
    """
    from scipy.special import ndtr, ndtri

    from mensura._core.paired import weighted_sums

    Draws(samples, seed)
    values = np.ascontiguousarray(np.atleast_2d(np.asarray(rows, dtype=np.float64)))
    number, topics = values.shape
    if topics < 2:  # noqa: PLR2004 - to resample from
        raise StatisticsError(f"a bootstrap interval needs at least 2 topics, got {topics}")
    blocks = [resampled(topics, seed, block, min(BLOCK, samples - start)) for block, start in enumerate(range(0, samples, BLOCK))]
    weights = np.ascontiguousarray(np.concatenate(blocks, axis=1)) / topics
    mean = values.mean(axis=1)
    centred = np.ascontiguousarray(values - mean[:, None])
    cubes, squares = (centred**3).sum(axis=1), (centred**2).sum(axis=1)
    acceleration = np.divide(cubes, 6 * squares**1.5, out=np.zeros(number), where=squares > 0)
    low, high = np.empty(number), np.empty(number)

    def work(first: int, last: int) -> None:
        for start in range(first, last, 16):
            part = slice(start, min(start + 16, last))
            means = np.empty((part.stop - part.start, weights.shape[1]))
            weighted_sums(centred[part], weights, 0, len(means), means)
            means.sort(axis=1)
            unit = 1e-12 * np.abs(centred[part]).max(axis=1, keepdims=True)
            below = (np.count_nonzero(means < -unit, axis=1) + np.count_nonzero(means <= unit, axis=1)) / (2 * means.shape[1])
            bias = ndtri(np.clip(below, 1 / (2 * samples), 1 - 1 / (2 * samples)))
            for sign, bound in ((-1, low), (1, high)):
                z = bias + sign * ndtri(0.5 + level / 2)
                share = ndtr(bias + z / (1 - acceleration[part] * z))
                at = np.clip(share * means.shape[1] - 0.5, 0, means.shape[1] - 1)
                floor = np.floor(at).astype(np.int64)
                next_one = np.minimum(floor + 1, means.shape[1] - 1)
                row = np.arange(len(means))
                bound[part] = mean[part] + means[row, floor] * (1 - (at - floor)) + means[row, next_one] * (at - floor)

    in_parts(work, number, threads, least=16)
    return low, high
