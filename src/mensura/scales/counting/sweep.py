"""Distinct values counted by one sweep over their range, heads against tails.

All sums that fall into a narrow range of values are met at once, so each is counted once, however many runs share it; nothing
larger than a narrow range is ever held. The ranks of any number of queries ride along. AP@30 has 696 million sums of 426 591
837 distinct values.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import floor
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura._core.distinct import sweep
from mensura.engines.choice import opened
from mensura.engines.engine import Threads
from mensura.errors import ScaleError
from mensura.io.caches import forget, keep, kept
from mensura.scales.counting.halves import heads, tails
from mensura.scales.counting.machines import LARGEST, Machine
from mensura.scales.counting.pairs import SumPairs
from mensura.scales.counting.protocol import Runs
from mensura.scales.counting.streams import Progress, Streams, Words, streams

TAIL = 64
"""Tails per state: few enough that a stream gives many sums to a range, many enough that the heads stay small."""
MOST_HEADS = 2**24
MOST_COUNTED_HEADS = 2**20
SUMS_PER_JOB, MOST_PER_JOB, MANY = 2**22, 2**29, 256
"""Sums of a piece: at least and at most so many, 20 ms and 3 s, and in between as many as make so many pieces."""
SAMPLE = 2**26
"""Sums of each of three samples, by which a plan predicts."""
SECONDS_PER_SUM = 5e-9
WORTH_RESUMING = 2**33
"""Sums of a sweep that keeps its pieces: 40 s of a core."""
WORTH_KEEPING = 2**24
MOST_LISTED = 2**25


def load(key: str) -> Words | None:
    """Rows (start of a narrow range of values, number of distinct values in it) that an earlier sweep kept, 0.4 MB for AP@30."""
    content = kept("sweep", key)
    return None if content is None else np.frombuffer(content, dtype="<i8").reshape(-1, 2).astype(np.int64)


def store(key: str, rows: Words) -> None:
    """Keep rows, so that a later query sweeps only the range it falls into."""
    keep("sweep", key, rows.astype("<i8").tobytes())


def best_cut(length: int, levels: int) -> int:
    """Return the rank at which to cut runs in two."""
    tail = 0
    while levels ** (tail + 1) <= TAIL or levels ** (length - tail) > MOST_HEADS:
        tail += 1
    return max(1, length - tail)


@dataclass
class SharedStreams:
    """A machine and its streams, made once where they are needed: a worker gets the machine alone."""

    machine: Machine[Any]

    @cached_property
    def streams(self) -> Streams:
        return streams(self.machine, best_cut(self.machine.length, self.machine.levels))

    def __getstate__(self) -> dict[str, Any]:
        return {"machine": self.machine}


def sweep_range(shared: tuple[SharedStreams, Words], bound: tuple[int, int, int]) -> tuple[Words, Words]:
    """Sweep [start, stop), with about so many sums: segments (start, distinct values), and ranks of the queries from its start."""
    start, stop, pairs = bound
    s, queries = shared[0].streams, shared[1]
    here = queries[np.searchsorted(queries, start) : np.searchsorted(queries, stop)]
    ranks = np.zeros(len(here), dtype=np.int64)
    segments, _ = sweep(s.values, s.first, s.last, s.offset, start, stop, here, ranks, pairs)
    return segments, ranks


@dataclass(frozen=True)
class SweepPlan:
    """A sweep before it begins: sums to meet, pieces that they are cut into, and seconds of one core by the rate of a sample."""

    sums: int
    pieces: int
    kept: int
    """Pieces that an interrupted sweep has left."""
    seconds: float


@dataclass
class SweptValues:
    """Values of a machine, counted by a sweep when something is asked for the first time, on an engine."""

    machine: Machine[Any]
    progress: Progress | None = None
    engine: Any = None
    method: str = "sweep"
    exact: bool = True

    @cached_property
    def _streamed(self) -> SharedStreams:
        return SharedStreams(self.machine)

    @property
    def streams(self) -> Streams:
        """The sums of the two halves of runs."""
        return self._streamed.streams

    @cached_property
    def _key(self) -> str:
        return repr(self.machine)

    def _piece_key(self, bound: tuple[int, int, int], queries: Words) -> str:
        return f"{self._key} {bound} {hashlib.sha256(queries.tobytes()).hexdigest()}"

    def _sweep(self, bounds: Sequence[tuple[int, int, int]], queries: Words) -> tuple[list[Words], list[Words]]:
        """For each range its segments (start, distinct values), and the number of distinct values from its start to each query.

        A long sweep keeps every range, so that it can be resumed after it was killed.
        """
        long = sum(pairs for _, _, pairs in bounds) >= WORTH_RESUMING
        outcomes: dict[int, tuple[Words, Words]] = {}
        if long:
            for number, bound in enumerate(bounds):
                content = kept("sweep", self._piece_key(bound, queries))
                if content is not None:
                    outcomes[number] = _unpacked(content)
        left = [number for number in range(len(bounds)) if number not in outcomes]
        with opened(self.engine) as spreading:
            pieces = [bounds[number] for number in left]
            seconds = [SECONDS_PER_SUM * bound[2] for bound in pieces]
            running = (spreading or Threads()).run(sweep_range, pieces, (self._streamed, queries), seconds)
            try:
                for at, outcome in running.finished():
                    outcomes[left[at]] = outcome
                    if long:
                        keep("sweep", self._piece_key(pieces[at], queries), _packed(*outcome))
                    if self.progress is not None:
                        self.progress(len(outcomes) / len(bounds))
            finally:
                running.cancel()
                running.join()
        ordered = [outcomes[number] for number in range(len(bounds))]
        return [segments for segments, _ in ordered], [ranks for _, ranks in ordered]

    def _bounds(self) -> list[tuple[int, int, int]]:
        """The whole range of values in pieces of about as many sums each."""
        pairs = self.streams.pairs
        parts = max(4, pairs // min(max(SUMS_PER_JOB, pairs // MANY), MOST_PER_JOB))
        return [(start, stop, pairs // parts) for start, stop in pairwise(self.streams.quantiles(parts))]

    def plan(self) -> SweepPlan:
        """Predict the whole sweep from a sample of it."""
        bounds = self._bounds()
        nothing = np.empty(0, dtype=np.int64)
        left = [bound for bound in bounds if kept("sweep", self._piece_key(bound, nothing)) is None]
        step = max(1, self.streams.pairs // SAMPLE)
        cuts = self.streams.quantiles(step)
        chosen = sorted({len(cuts) // 6, len(cuts) // 2, 5 * len(cuts) // 6} & set(range(len(cuts) - 1)))
        started = process_time()
        for at in chosen:
            sweep_range((self._streamed, nothing), (cuts[at], cuts[at + 1], self.streams.pairs // step))
        rate = (process_time() - started) / (len(chosen) * self.streams.pairs / step)
        return SweepPlan(self.streams.pairs, len(bounds), len(bounds) - len(left), rate * sum(bound[2] for bound in left))

    def _sweep_all(self, queries: Words) -> Words:
        """Sweeps the whole range, keeps the table, and returns φ of the sorted queries, which must lie in the range."""
        bounds = self._bounds()
        segments, ranks = self._sweep(bounds, queries)
        below = np.cumsum([0, *(int(segment[:, 1].sum()) for segment in segments)])
        if "table" not in self.__dict__:
            self.table = np.concatenate(segments)
            if self.streams.pairs >= WORTH_KEEPING:
                store(self._key, self.table)
                for bound in bounds if self.streams.pairs >= WORTH_RESUMING else ():
                    forget("sweep", self._piece_key(bound, queries))
        return np.concatenate([rank + less for rank, less in zip(ranks, below, strict=False)])

    @cached_property
    def table(self) -> Words:
        """Rows (start of a segment, distinct values in it), from the disk when they are there."""
        table = load(self._key)
        if table is None:
            self._sweep_all(np.empty(0, dtype=np.int64))
            table = self.__dict__["table"]
        return table

    @cached_property
    def _below(self) -> Words:
        """The number of distinct values before each segment, and after the last."""
        return np.concatenate([[0], np.cumsum(self.table[:, 1])])

    @property
    def steps(self) -> int:
        return int(self._below[-1])

    def _segment(self, i: int) -> tuple[int, int]:
        return int(self.table[i, 0]), int(self.table[i + 1, 0]) if i + 1 < len(self.table) else self.streams.greatest + 1

    def _rank_numerators(self, numerators: Words) -> list[int]:
        """φ of numerators within the range, in any order."""
        queries, where = np.unique(numerators, return_inverse=True)
        if "table" not in self.__dict__:
            table = load(self._key)
            if table is not None:
                self.table = table
        if "table" not in self.__dict__:
            ranks = self._sweep_all(queries)
        else:
            touched = np.unique(np.searchsorted(self.table[:, 0], queries, side="right") - 1)
            if 4 * len(touched) > len(self.table):
                ranks = self._sweep_all(queries)
            else:
                _, within = self._sweep([(*self._segment(i), 0) for i in touched.tolist()], queries)
                ranks = np.concatenate([rank + self._below[i] for i, rank in zip(touched, within, strict=True)])
        return [int(rank) for rank in ranks[where]]

    def rank(self, runs: Runs) -> list[int]:
        return self._rank_numerators(np.asarray(self.machine.numerators(runs), dtype=np.int64))

    def runs_up_to(self, runs: Runs) -> list[tuple[int, int]]:
        return runs_up_to(self.machine, np.asarray(self.machine.numerators(runs), dtype=np.int64))

    def count(self, bounds: Sequence[Fraction]) -> list[int]:
        numerators = [floor(bound * self.machine.denominator) for bound in bounds]
        inside = [min(max(n, self.streams.least), self.streams.greatest) for n in numerators]
        ranks = self._rank_numerators(np.array(inside, dtype=np.int64))
        return [rank if n >= self.streams.least else 0 for n, rank in zip(numerators, ranks, strict=True)]

    def value(self, rank: int) -> Fraction:
        i = int(np.searchsorted(self._below, rank)) - 1
        numerators = self.streams.between(*self._segment(i))
        return Fraction(int(numerators[rank - 1 - int(self._below[i])]), self.machine.denominator)

    def values(self) -> NDArray[np.float64]:
        if self.steps > MOST_LISTED:
            msg = f"{self.steps} values are too many to list; .inverse(rank) gives any one of them"
            raise ScaleError(msg)
        numerators = self.streams.between(self.streams.least, self.streams.greatest + 1)
        return numerators / np.float64(self.machine.denominator)

    @property
    def is_equispaced(self) -> bool:
        # Equally spaced: every value is a multiple of the first gap away from the least, and as many as fit are there.
        least, greatest = self.streams.least, self.streams.greatest
        gap = int((self.value(2) - self.value(1)) * self.machine.denominator)
        if greatest - least != gap * (self.steps - 1):
            return False
        starts = self.streams.values[self.streams.first]
        heads_fit = all(
            not ((self.streams.values[first:last] - self.streams.values[first]) % gap).any()
            for first, last in set(zip(self.streams.first.tolist(), self.streams.last.tolist(), strict=True))
        )
        return heads_fit and not ((starts + self.streams.offset - least) % gap).any()


def _packed(segments: Words, ranks: Words) -> bytes:
    return np.concatenate([[len(ranks)], ranks, segments.reshape(-1)]).astype("<i8").tobytes()


def _unpacked(content: bytes) -> tuple[Words, Words]:
    numbers = np.frombuffer(content, dtype="<i8").astype(np.int64)
    asked = int(numbers[0])
    return numbers[1 + asked :].reshape(-1, 2), numbers[1 : 1 + asked]


def runs_up_to(machine: Machine[Any], numerators: Words) -> list[tuple[int, int]]:
    """For each numerator, the number of runs with a smaller one and with one not larger: the tie strategies min, mid and max."""
    if machine.levels**machine.length >= LARGEST:
        msg = "there are too many runs to count ties in 64 bits; use ties='unq'"
        raise ScaleError(msg)
    cut = machine.length
    while machine.levels**cut > MOST_COUNTED_HEADS:
        cut -= 1
    front = heads(machine, cut, ways=True)
    back = tails(machine, cut, front, ways=True)
    queries, where = np.unique(np.concatenate([numerators - 1, numerators]), return_inverse=True)
    counts = np.zeros(len(queries), dtype=np.int64)
    for state, head in front.items():
        tail = back[state]
        assert head.ways is not None
        assert tail.ways is not None
        counts += SumPairs(head.values, head.ways, tail.values, tail.ways).up_to(queries)
    below_then_up_to = counts[where].tolist()
    return list(zip(below_then_up_to[: len(numerators)], below_then_up_to[len(numerators) :], strict=True))
