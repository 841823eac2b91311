"""Random draws of topics, the same for all pairs of systems, and how often they reach the data.

Random numbers come in blocks, each from a stream of its own that the seed and the block's number decide. What a block gives
does not depend on who computes it, so the same seed gives the same bits on any number of threads; and a system more or less does
not change which topics are drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from mensura.engines.engine import Threads
from mensura.engines.threads import thread_count
from mensura.errors import StatisticsError
from mensura.stats.arrays import in_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.engines.engine import Engine
    from mensura.stats.arrays import ScoreTable, SystemPairs

    Progress = Callable[[int, int], None]
    Count = Callable[["Statistics"], "Tally"]

SAMPLES, FEWEST = 10_000, 1000  # draws by default, and where that would take long
PATIENCE = 90.0  # seconds of one core that a default number of draws may take
LONGEST = 86_400.0  # seconds that any number of draws may take
MOST = 10**8  # draws: the largest statistic of each is kept, and their Monte-Carlo error is below 0.0001 by far
PER_SUM, PER_DRAW = 0.3e-9, 6e-9  # seconds: a topic of a pair in a draw, a topic that is drawn
LEAST_PIECES = 32
SHORTEST = 1e-3  # seconds of a piece: handing 32 empty ones to two threads takes 0.9 ms
RESOLUTION = 4  # draws beyond α that the smallest p-values have, if nobody says how many to make
KEPT = 1 << 22  # largest statistics in memory
CLOSE = 1e-10  # statistics that agree to this part are equal


def stream(seed: int, block: int) -> np.random.Generator:
    """The random numbers of a block."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(block,))))


@dataclass(frozen=True, slots=True)
class Draws:
    """Number of random draws (``None``: as many as fit the question), their seed, threads (``None``: all cores), or an engine."""

    samples: int | None = None
    seed: int = 0
    threads: int | None = None
    progress: Progress | None = field(default=None, compare=False)
    engine: Engine | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.samples is not None and self.samples < 1:
            raise StatisticsError(f"expected at least 1 random draw, got samples={self.samples}; 10 000 are usual")
        if self.samples is not None and self.samples > MOST:
            raise StatisticsError(f"expected at most {MOST} random draws, got samples={self.samples}; 10 000 are usual")
        if self.seed < 0:
            raise StatisticsError(f"expected a seed of at least 0, got {self.seed}")

    @property
    def spreading(self) -> Engine:
        """The engine that works on the draws."""
        return self.engine or Threads(self.threads)

    def number(self, pairs: int, topics: int, needed: int = SAMPLES) -> int:
        """Number of draws for so many pairs and topics: those asked for, or ``needed`` and fewer where that takes long.

        A number that would take more than a day is refused.
        """
        each = seconds_of_draw(pairs, topics)
        if self.samples is None:
            return max(min(needed, int(PATIENCE / each)), min(needed, FEWEST))
        seconds = self.samples * each
        if self.engine is None and seconds > LONGEST and (seconds := seconds / thread_count(self.threads)) > LONGEST:
            raise StatisticsError(
                f"samples={self.samples} draws of {topics} topics for {pairs} pairs would take about {seconds / LONGEST:.0f} days; "
                f"use at most {int(LONGEST / each * thread_count(self.threads))}, or the default"
            )
        return self.samples


class PairMoments(NamedTuple):
    """Mean, standard deviation (T − 1) and size (a power of 2) of each pair's differences."""

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    unit: NDArray[np.float64]


def pair_moments(table: ScoreTable, pairs: SystemPairs, threads: int | None = None) -> PairMoments:
    """Moments of the differences of each pair, from exact differences where values are integers."""
    from mensura._core.draws import moments

    mean, deviation, unit = (np.empty(len(pairs)) for _ in range(3))
    limbs, rounded = table.limbs, table.whole is None

    def work(start: int, stop: int) -> None:
        moments(limbs, rounded, pairs.first, pairs.second, start, stop, mean, deviation, unit)

    in_parts(work, len(pairs), threads, least=4096)
    return PairMoments(mean, deviation, unit)


def resampled(topics: int, seed: int, block: int, draws: int) -> NDArray[np.int16]:
    """Number of times that each topic is drawn, with replacement: [draw, topic]."""
    from mensura._core.draws import count_topics

    weights = np.empty((draws, topics), dtype=np.int16)
    count_topics(stream(seed, block).integers(0, topics, (draws, topics), dtype=np.uint32), weights)
    return weights


def signs(topics: int, seed: int, block: int, draws: int) -> NDArray[np.int16]:
    """A random sign for each topic: [draw, topic]."""
    return 2 * stream(seed, block).integers(0, 2, (draws, topics), dtype=np.int16) - 1


class Tally(NamedTuple):
    """Draws that reach a pair's statistic.

    ``reached`` counts draws in which the pair or one before it does, ``plain`` those in which the pair itself does; ``largest`` is
    the largest statistic of each draw.
    """

    reached: NDArray[np.int64]
    plain: NDArray[np.int64]
    largest: NDArray[np.float64]


class Statistics(NamedTuple):
    """Statistics of pairs in the order in which their largest is taken; see ``_core.draws.reach``.

    ``first`` and ``second`` are systems, or before :meth:`of` the places of the pairs.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    mean: NDArray[np.float64]
    unit: NDArray[np.float64]
    divisor: NDArray[np.float64]
    limit: NDArray[np.float64]
    plain_limit: NDArray[np.float64]

    def of(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> Statistics:
        """The same with the systems of the pairs."""
        return self._replace(first=first[self.first], second=second[self.second])


def tally(
    limbs: NDArray[np.float64], statistics: Statistics, kind: Literal["bootstrap", "signs"], samples: int, drawing: Draws
) -> Tally:
    """Count over ``samples`` draws of topics, in pieces of blocks of draws; whole numbers are added up, in any order."""
    pairs = len(statistics.first)
    reached, plain = np.zeros(pairs, dtype=np.int64), np.zeros(pairs, dtype=np.int64)
    largest = np.empty(samples)
    for at, (part, alone, maxima) in _in_pieces(count_draws, limbs, statistics, (kind, samples, drawing.seed), drawing):
        reached += part
        plain += alone
        largest[at : at + len(maxima)] = maxima
    return Tally(reached, plain, largest)


def extremes(limbs: NDArray[np.float64], statistics: Statistics, number: int, samples: int, drawing: Draws) -> NDArray[np.float64]:
    """The plain statistic of each pair that ``number`` of ``samples`` bootstrap draws reach: the draws that :func:`tally` counts.

    Pairs are taken in parts, so that memory is bounded.
    """
    pairs = len(statistics.first)
    root, step = math.sqrt(limbs.shape[2]), max(1, KEPT // number)
    extreme = np.empty(pairs)
    for start in range(0, pairs, step):
        some = Statistics._make(column[start : start + step] for column in statistics)
        largest = np.zeros((len(some.first), number))
        for _, part in _in_pieces(keep_draws, limbs, some, (number, samples, drawing.seed), drawing):
            both = np.concatenate((largest, part), axis=1)
            largest = np.partition(both, both.shape[1] - number, axis=1)[:, -number:]
        extreme[start : start + step] = largest.min(axis=1) / root
    return extreme


def _in_pieces(
    work: Callable[[Any, range], Any],
    limbs: NDArray[np.float64],
    statistics: Statistics,
    options: tuple[Any, int, int],
    drawing: Draws,
) -> Iterator[tuple[int, Any]]:
    """Results of ``work`` for pieces of blocks of draws, each with the number of its first draw, in the order they are ready."""
    from mensura._core.draws import DRAWS

    _, samples, _ = options
    each = seconds_of_draw(len(statistics.first), limbs.shape[2])
    pieces = draw_pieces(-(-samples // DRAWS), samples * each)
    running = drawing.spreading.run(work, pieces, (limbs, statistics, *options), [each * DRAWS * len(piece) for piece in pieces])
    try:
        for done, (number, result) in enumerate(running.finished(), start=1):
            yield pieces[number].start * DRAWS, result
            if drawing.progress is not None:
                drawing.progress(done, len(pieces))
    finally:
        running.join()


def draw_pieces(blocks: int, seconds: float) -> list[range]:
    """Blocks of draws in pieces of about a second, and enough of them for many workers, if there is work for so many."""
    number = min(blocks, max(math.ceil(min(LEAST_PIECES, seconds / SHORTEST)), math.ceil(seconds)))
    bounds = [blocks * piece // number for piece in range(number + 1)]
    return [range(start, stop) for start, stop in pairwise(bounds)]


def seconds_of_draw(pairs: int, topics: int) -> float:
    """Seconds that a draw takes, about."""
    return pairs * topics * PER_SUM + topics * PER_DRAW


def count_draws(
    shared: tuple[NDArray[np.float64], Statistics, str, int, int], blocks: range
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Count over some blocks of draws; the seed and the number of a block decide what is drawn."""
    from mensura._core.draws import reach

    limbs, statistics, kind, samples, seed = shared
    reached, plain = (np.zeros(len(statistics.first), dtype=np.int32) for _ in range(2))
    largest = []
    for weights in _weights(resampled if kind == "bootstrap" else signs, limbs.shape[2], samples, seed, blocks):
        maxima = np.empty(len(weights))
        reach(limbs, *statistics, kind == "signs", weights, reached, plain, maxima)
        largest.append(maxima)
    return reached, plain, np.concatenate(largest)


def keep_draws(shared: tuple[NDArray[np.float64], Statistics, int, int, int], blocks: range) -> NDArray[np.float64]:
    """The largest plain statistics of each pair, √T times as large, in some blocks of bootstrap draws: [pair, number]."""
    from mensura._core.draws import DRAWS, reach

    limbs, statistics, number, samples, seed = shared
    pairs = len(statistics.first)
    nothing, none, maxima = np.zeros(pairs, dtype=np.int32), np.zeros(pairs, dtype=np.int32), np.empty(DRAWS)
    heaps = np.zeros((pairs, min(number, len(blocks) * DRAWS)))
    for weights in _weights(resampled, limbs.shape[2], samples, seed, blocks):
        reach(limbs, *statistics, False, weights, nothing, none, maxima, heaps)  # noqa: FBT003 - compiled functions take no names
    return heaps


def _weights(
    weigh: Callable[[int, int, int, int], NDArray[np.int16]], topics: int, samples: int, seed: int, blocks: range
) -> Iterator[NDArray[np.int16]]:
    """Weights of topics in each of the blocks."""
    from mensura._core.draws import DRAWS

    return (weigh(topics, seed, block, min(DRAWS, samples - block * DRAWS)) for block in blocks)


def draws_beyond(samples: int, share: float) -> int:
    """The number of the draw, counted from the largest, at which an interval with this ``share`` of α ends; 0 if they are too few.

    The p-value of a statistic that is larger than this one, from the draws and the data, is below ``share``, and no other's is.
    """
    return max(math.ceil(share * (samples + 1) - 1e-9) - 1, 0)


def draws_for(share: float) -> int:
    """Draws with which a p-value can be well below ``share``, and an interval with this share of α has an end."""
    return math.ceil(RESOLUTION / share)


def stacked(
    tables: Sequence[ScoreTable], pairs: Sequence[SystemPairs]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Limbs of several tables one below the other, and the pairs of all of them: for one family over several measures."""
    if len(tables) == 1:
        return tables[0].limbs, pairs[0].first, pairs[0].second
    most = max(len(table.limbs) for table in tables)
    limbs = [np.pad(table.limbs, ((most - len(table.limbs), 0), (0, 0), (0, 0))) for table in tables]
    below = np.cumsum([0, *(table.systems for table in tables)])
    first = np.concatenate([each.first + at for each, at in zip(pairs, below, strict=False)])
    second = np.concatenate([each.second + at for each, at in zip(pairs, below, strict=False)])
    return np.ascontiguousarray(np.concatenate(limbs, axis=1)), first, second


def median(values: NDArray[np.float64]) -> float:
    """The median; 0 of nothing. NumPy's imports masked arrays, which takes long."""
    if len(values) == 0:
        return 0.0
    half = len(values) // 2
    ordered = np.partition(values, [half, len(values) - 1 - half])
    return float(ordered[half] + ordered[len(values) - 1 - half]) / 2


def monotone(p: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Step-down p-values in their own order, from those along ``order`` (the least extreme pair first), made monotone."""
    corrected = np.empty(len(p))
    corrected[order] = np.maximum.accumulate(p[::-1])[::-1]
    return corrected
