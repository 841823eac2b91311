"""Tests by randomisation: signs of differences within a pair, or systems within topics for a whole family."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mensura.stats.arrays import make_table
from mensura.stats.draws import Draws, Statistics, monotone, pair_moments, stacked, stream, tally
from mensura.stats.methods import RANDOMISATION, RANDOMISED_TUKEY, implements
from mensura.stats.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from mensura.engines.engine import Engine
    from mensura.stats.arrays import ScoreTable, SystemPairs
    from mensura.stats.draws import Count, PairMoments, Progress

BLOCK = 256  # draws of shuffled topics
PER_SHUFFLE = 8e-9  # seconds: a value that is shuffled
CLOSE = 1e-11  # sums that agree to this part of all that is added up are equal


@implements(RANDOMISATION)
def randomisation_test(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | Sequence[int] | None = None,
    samples: int | None = None,
    exact: int = 20,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    engine: Engine | None = None,
) -> Outcome:
    """Fisher's randomisation test: if systems did not differ, the sign of every topic's difference would be a coin toss.

    The statistic is the mean difference. If at most ``exact`` topics have a difference, all signs are counted: p is exact.
    Otherwise ``samples`` random signs are drawn, the same for all pairs, and p = (1 + as extreme ones) / (1 + samples).

    Examples
    --------
    >>> randomisation_test([[9, 7, 8, 6, 9], [5, 6, 6, 3, 2]]).p  # 2 of 2⁵ signs
    array([0.0625])
    """
    drawing = Draws(samples, seed, threads, progress, engine)
    table = make_table(values)
    pairs = table.pairs(baseline)
    different = np.empty(len(pairs), dtype=np.int64)
    p = np.ones(len(pairs))
    for part, some in pairs.blocks():
        different[part] = np.count_nonzero(table.signs(some), axis=1)
    few = different <= exact
    for pair in np.flatnonzero(few).tolist():
        one = type(pairs)(pairs.first[pair : pair + 1], pairs.second[pair : pair + 1], pairs.systems)
        p[pair] = _all_signs(table.difference(one)[0])
    number = None
    if not few.all():
        rest = pairs.only(~few)
        number = drawing.number(len(rest), table.topics)
        statistics = signed([pair_moments(table, rest, threads)], table.topics)
        reached = np.empty(len(rest))
        reached[statistics.first] = tally(table.limbs, statistics.of(rest.first, rest.second), "signs", number, drawing).plain
        p[~few] = (1 + reached) / (1 + number)
    estimate = pair_moments(table, pairs, threads).mean
    return Outcome(RANDOMISATION, pairs, estimate, estimate, p, table.topics, draws=number)


def signed(parts: Sequence[PairMoments], topics: int) -> Statistics:
    """Statistics |Σd| / √Σd² of all pairs, the least extreme pair first."""
    mean, deviation, unit = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    length = np.sqrt((topics - 1) * (deviation / unit) ** 2 + topics * (mean / unit) ** 2)
    u = np.divide(np.abs(mean / unit) * topics, length, out=np.zeros(len(mean)), where=length > 0)
    order = np.argsort(u, kind="stable")
    divisor = np.where(length > 0, length, 1.0)
    limit = u * (1 - 1e-10) - 1e-12
    nothing = np.zeros(len(mean))
    return Statistics(order, order, nothing, unit[order], divisor[order], limit[order], nothing)


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


def max_t(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | Sequence[int] | None = None,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> NDArray[np.float64]:
    r"""Corrected p-values of paired differences by the step-down max-T method of Westfall and Young.

    A draw gives every topic a random sign, the same for all pairs, so the dependence between pairs is kept. Pairs are compared
    by :math:`|\sum d| / \sqrt{\sum d^2}`, which orders them as t does. A pair's p-value is the proportion of draws in which the
    largest statistic among it and all less extreme pairs is as large as its own, made monotone.
    """
    table = make_table(values)
    pairs = table.pairs(baseline)
    return joint_signs([table], [pairs], [np.zeros(len(pairs))], Draws(samples, seed, threads))[0][0]


def joint_signs(
    tables: Sequence[ScoreTable], pairs: Sequence[SystemPairs], own: Sequence[NDArray[np.float64]], drawing: Draws
) -> tuple[list[NDArray[np.float64]], NDArray[np.float64], int]:
    """:func:`max_t` of several tables over the same topics as one family; the largest t of each draw, sorted; and their number.

    ``own`` are the p-values of the tests that are corrected, of which none is above its corrected one.
    """
    parts = [pair_moments(table, each, drawing.threads) for table, each in zip(tables, pairs, strict=True)]
    topics = tables[0].topics
    samples = drawing.number(sum(map(len, pairs)), topics)
    limbs, first, second = stacked(tables, pairs)
    p, null = signed_family(
        topics, parts, own, samples, lambda some: tally(limbs, some.of(first, second), "signs", samples, drawing)
    )
    return p, null, samples


def signed_family(
    topics: int, parts: Sequence[PairMoments], own: Sequence[NDArray[np.float64]], samples: int, count: Count
) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
    """:func:`joint_signs` from the moments of the differences, and from draws that ``count`` counts."""
    statistics = signed(parts, topics)
    counted = count(statistics)
    # Exact, or by Student's t, and in the order of the statistics but for chance: a correction makes no test more certain.
    p = np.maximum((1 + counted.reached) / (1 + samples), np.concatenate(own)[statistics.first])
    p = monotone(p, statistics.first)
    u = np.minimum(np.sort(counted.largest), math.sqrt(topics))
    with np.errstate(divide="ignore"):
        null = u * np.sqrt((topics - 1) / np.maximum(topics - u**2, 0.0))  # u is |Σd| / √Σd², which orders pairs as t does
    return np.split(p, np.cumsum([len(part.mean) for part in parts])[:-1]), null


@implements(RANDOMISED_TUKEY)
def randomised_tukey(
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | Sequence[int] | None = None,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    engine: Engine | None = None,
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
    drawing = Draws(samples, seed, threads, progress, engine)
    table = make_table(values)
    pairs = table.pairs(baseline)
    number = drawing.number(table.systems, table.topics)
    estimate = pair_moments(table, pairs, threads).mean
    centred = np.ascontiguousarray((table.by_topic - table.by_topic.mean(axis=0)).T)

    sizes = [min(BLOCK, number - start) for start in range(0, number, BLOCK)]
    seconds = [size * centred.size * PER_SHUFFLE for size in sizes]
    running = drawing.spreading.run(largest_ranges, list(enumerate(sizes)), (centred, pairs.baselines, seed), seconds)
    blocks = []
    for maxima in running:
        blocks.append(maxima)
        if progress is not None:
            progress(len(blocks), len(sizes))
    null = np.sort(np.concatenate(blocks)) / table.topics
    slack = CLOSE * float(np.abs(centred).sum(axis=0).max()) / table.topics
    below = np.searchsorted(null, np.abs(estimate) - slack, side="left")
    p = (1 + number - below) / (1 + number)
    return Outcome(RANDOMISED_TUKEY, pairs, estimate, estimate, p, table.topics, p, null=null, draws=number)


def largest_ranges(shared: tuple[NDArray[np.float64], Sequence[int], int], numbered: tuple[int, int]) -> NDArray[np.float64]:
    """The largest difference of two sums, or of one and a baseline's, in each draw of a block: (its number, its draws)."""
    centred, baselines, seed = shared
    block, draws = numbered
    generator = stream(seed, block)
    sums = np.zeros((draws, centred.shape[1]))
    for row in centred:  # topic by topic, so that a block needs little memory
        sums += generator.permuted(np.broadcast_to(row, (draws, len(row))), axis=1)
    if not baselines:
        return np.asarray(np.ptp(sums, axis=1))
    return np.asarray(np.max([np.abs(sums - sums[:, [one]]).max(axis=1) for one in baselines], axis=0))
