"""Tests by randomisation: signs of differences within a pair, or systems within topics for a whole family.

Random numbers come in blocks, each from a stream of its own that the seed and the block's number decide. What a block gives
does not depend on who computes it, so the same seed gives the same bits on any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mensura.engines.threads import spread
from mensura.errors import StatisticsError
from mensura.stats.arrays import make_pairs, make_table
from mensura.stats.methods import RANDOMISATION, RANDOMISED_TUKEY, implements
from mensura.stats.paired import mean_difference
from mensura.stats.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from mensura.stats.arrays import ScoreTable, SystemPairs

BLOCK = 256  # draws
CLOSE = 1e-11  # sums that agree to this part of all that is added up are equal


def stream(seed: int, block: int) -> np.random.Generator:
    """The random numbers of a block."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(block,))))


@dataclass(frozen=True, slots=True)
class Draws:
    """Number of random draws, their seed, and the number of threads (all cores by default)."""

    samples: int = 10_000
    seed: int = 0
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise StatisticsError(f"expected at least 1 random draw, got samples={self.samples}; 10 000 are usual")
        if self.seed < 0:
            raise StatisticsError(f"expected a seed of at least 0, got {self.seed}")


def over_blocks(work: Callable[[int, int], NDArray[np.float64]], draws: Draws) -> list[NDArray[np.float64]]:
    """``work(number, draws)`` for every block of draws, in their order."""
    sizes = [min(BLOCK, draws.samples - start) for start in range(0, draws.samples, BLOCK)]
    return list(spread(lambda block: work(block, sizes[block]), range(len(sizes)), draws.threads))


def flipped(table: ScoreTable, seed: int, block: int, draws: int) -> NDArray[np.float64]:
    """Sums over topics of each system's values, every topic's with a random sign: [system, draw].

    The sum of a pair's differences under the same signs is the difference of two rows.
    """
    from mensura._core.paired import weighted_sums

    signs = np.ascontiguousarray(2.0 * stream(seed, block).integers(0, 2, (table.topics, draws), dtype=np.int8) - 1.0)
    centred = np.ascontiguousarray(table.shifted - table.shifted.mean(axis=0))
    sums = np.empty((table.systems, draws))
    weighted_sums(centred, signs, 0, table.systems, sums)
    return sums


def slack(table: ScoreTable) -> float:
    """Bound of the difference between sums that are equal but for rounding."""
    return CLOSE * float(np.abs(table.shifted - table.shifted.mean(axis=0)).sum(axis=1).max())


@implements(RANDOMISATION)
def randomisation_test(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | None = None,
    samples: int = 10_000,
    exact: int = 20,
    seed: int = 0,
    threads: int | None = None,
) -> Outcome:
    """Fisher's randomisation test: if systems did not differ, the sign of every topic's difference would be a coin toss.

    The statistic is the mean difference. If at most ``exact`` topics have a difference, all signs are counted: p is exact.
    Otherwise ``samples`` random signs are drawn, the same for all pairs, and p = (1 + as extreme ones) / (1 + samples).

    Examples
    --------
    >>> randomisation_test([[9, 7, 8, 6, 9], [5, 6, 6, 3, 2]]).p  # 2 of 2⁵ signs
    array([0.0625])
    """
    drawing = Draws(samples, seed, threads)
    table = make_table(values)
    pairs = make_pairs(table.systems, baseline)
    estimate = mean_difference(table, pairs)
    different = (table.codes[pairs.first] != table.codes[pairs.second]).sum(axis=1)
    few = different <= exact
    p = np.ones(len(pairs))
    for pair in np.flatnonzero(few).tolist():
        one = type(pairs)(pairs.first[pair : pair + 1], pairs.second[pair : pair + 1], pairs.systems)
        p[pair] = _all_signs(table.difference(one)[0])
    if not few.all():
        many = type(pairs)(pairs.first[~few], pairs.second[~few], pairs.systems)
        p[~few] = _random_signs(table, many, np.abs(estimate[~few]) * table.topics, drawing)
    return Outcome(RANDOMISATION, pairs, estimate, estimate, p, table.topics)


def _all_signs(difference: NDArray[np.float64]) -> float:
    """The proportion of sign vectors whose sum is as far from 0 as the observed one: half of the topics against the other half."""
    difference = difference[difference != 0]
    if len(difference) == 0:
        return 1.0
    observed = abs(float(difference.sum())) - CLOSE * float(np.abs(difference).sum())
    if observed <= 0:
        return 1.0
    halves = []
    for half in (difference[::2], difference[1::2]):
        sums = np.zeros(1)
        for value in half.tolist():
            sums = np.concatenate((sums - value, sums + value))
        halves.append(np.sort(sums))
    above = len(halves[1]) - np.searchsorted(halves[1], observed - halves[0], side="left")
    return float(2 * above.sum() / 2.0 ** len(difference))


def _random_signs(table: ScoreTable, pairs: SystemPairs, observed: NDArray[np.float64], drawing: Draws) -> NDArray[np.float64]:
    limit = (observed - slack(table))[:, None]

    def count(block: int, draws: int) -> NDArray[np.float64]:
        sums = flipped(table, drawing.seed, block, draws)
        reached = np.empty(len(pairs))
        for start in range(0, len(pairs), 1024):
            part = slice(start, start + 1024)
            reached[part] = np.count_nonzero(np.abs(sums[pairs.first[part]] - sums[pairs.second[part]]) >= limit[part], axis=1)
        return reached

    return (1 + np.sum(over_blocks(count, drawing), axis=0)) / (1 + drawing.samples)


def max_t(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | None = None,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
) -> NDArray[np.float64]:
    r"""Corrected p-values of paired differences by the step-down max-T method of Westfall and Young.

    A draw gives every topic a random sign, the same for all pairs, so the dependence between pairs is kept. Pairs are compared
    by :math:`|\sum d| / \sqrt{\sum d^2}`, which orders them as t does. A pair's p-value is the proportion of draws in which the
    largest statistic among it and all less extreme pairs is as large as its own, made monotone.
    """
    drawing = Draws(samples, seed, threads)
    table = make_table(values)
    pairs = make_pairs(table.systems, baseline)
    difference = table.difference(pairs)
    length = np.sqrt(np.einsum("ij,ij->i", difference, difference))
    inverse = np.divide(1.0, length, out=np.zeros(len(pairs)), where=length > 0)
    observed = np.abs(mean_difference(table, pairs)) * table.topics * inverse
    order = np.argsort(observed, kind="stable")
    first, second, scale = pairs.first[order], pairs.second[order], inverse[order][:, None]
    limit = observed[order][:, None] - 1e-9

    def count(block: int, draws: int) -> NDArray[np.float64]:
        sums = flipped(table, seed, block, draws)
        reached = np.zeros(len(pairs))
        for start in range(0, draws, 32):
            some = sums[:, start : start + 32]
            largest = np.maximum.accumulate(np.abs(some[first] - some[second]) * scale, axis=0)
            reached += np.count_nonzero(largest >= limit, axis=1)
        return reached

    p = (1 + np.sum(over_blocks(count, drawing), axis=0)) / (1 + samples)
    corrected = np.empty(len(pairs))
    corrected[order] = np.maximum.accumulate(p[::-1])[::-1]
    return corrected


@implements(RANDOMISED_TUKEY)
def randomised_tukey(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | None = None,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
) -> Outcome:
    """The randomised Tukey HSD test: systems change places at random within every topic.

    If no system differed, the values of a topic could be in any order. A draw shuffles every topic and takes the largest
    difference of two means (with a baseline: of a mean and the baseline's). A pair's p-value is the proportion of draws, the data
    among them, that reach its own difference. It holds for the whole family of pairs and assumes no distribution.

    Examples
    --------
    >>> randomised_tukey([[5, 6, 7, 8, 9, 7], [1, 2, 3, 2, 1, 3], [2, 1, 2, 3, 3, 1]], samples=999).family_p.round(2)
    array([0.01, 0.01, 1.  ])
    """
    drawing = Draws(samples, seed, threads)
    table = make_table(values)
    pairs = make_pairs(table.systems, baseline)
    estimate = mean_difference(table, pairs)
    centred = np.ascontiguousarray((table.shifted - table.shifted.mean(axis=0)).T)

    def largest(block: int, draws: int) -> NDArray[np.float64]:
        generator = stream(seed, block)
        means = np.zeros((draws, table.systems))
        for row in centred:  # topic by topic, so that a block needs little memory
            means += generator.permuted(np.broadcast_to(row, (draws, len(row))), axis=1)
        if baseline is None:
            return np.asarray(np.ptp(means, axis=1))
        return np.asarray(np.abs(means - means[:, [baseline]]).max(axis=1))

    null = np.sort(np.concatenate(over_blocks(largest, drawing))) / table.topics
    below = np.searchsorted(null, np.abs(estimate) - slack(table) / table.topics, side="left")
    p = (1 + samples - below) / (1 + samples)
    return Outcome(RANDOMISED_TUKEY, pairs, estimate, estimate, p, table.topics, p, null=null)
