"""The proportion of drawn runs that a run beats, estimated from a sample.

By the inequality of Dvoretzky, Kiefer and Wolfowitz, with Massart's constant, the proportions of n drawn runs up to a value
differ from the true ones by more than √(ln(2/α)/2n) anywhere with probability α at most. That is an error bar, not a proof.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from math import ceil, comb, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from mensura._core.paths import sample_paths, sample_runs
from mensura.scales.universes.bounds import CERTAIN, CLOSE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from mensura.scales.universes.laws import Law
    from mensura.scales.universes.sums import HitSum

    Floats = NDArray[np.float64]

ALPHA = 1e-9
"""Probability that an error bar does not hold."""
BATCH = 2**22
"""Grades that are held at a time."""


def error_bar(number: int) -> float:
    """Half the width of an estimate from so many runs."""
    return sqrt(log(2 / ALPHA) / (2 * number))


def runs_for(width: float) -> int:
    """Number of runs to draw for estimates of a width."""
    return ceil(log(2 / ALPHA) / (2 * (width / 2) ** 2))


def generator(law: Law, number: int) -> np.random.Generator:
    """Random numbers that depend on what is drawn, and neither on the order of topics and files nor on threads."""
    parts = (law.at_least, np.array(law.factors), np.array(law.weights), np.array([law.lowest, number, *law.most]))
    digest = blake2b(b"".join(part.tobytes() for part in parts), digest_size=32).digest()
    return np.random.default_rng(np.frombuffer(digest, dtype=np.uint64).tolist())


def estimate(law: Law, queries: Floats, number: int, draw: Callable[[Law, int], Iterator[Floats]]) -> tuple[Floats, Floats, Floats]:
    """P(value < query) + ½·P(value = query) among ``number`` runs with the values of ``draw``; minus and plus the error bar."""
    slack = CLOSE * max(1e-300, float(np.abs(queries).max(initial=0.0)))
    counts = np.zeros(len(queries), dtype=np.int64)
    for values in draw(law, number):
        values.sort()
        counts += np.searchsorted(values, queries - slack) + np.searchsorted(values, queries + slack, side="right")
    middle, bar = counts / (2 * number), error_bar(number)
    return middle, middle - bar, middle + bar


def sums_drawn(law: Law, number: int, sums: HitSum) -> Iterator[Floats]:
    """Sums over the relevant documents of drawn binary runs, one kind of systems after the other."""
    random = generator(law, number)
    for factor, many in _kinds(law, number, random):
        hazard = _hazard(law.chances(factor)[:, -1])
        values = np.empty(many)
        sample_paths(hazard, sums.added, sums.ends, _seed(random), values)
        yield -values if sums.falls else values


def values_drawn(law: Law, number: int, values_of: Callable[[NDArray[np.int8]], Floats]) -> Iterator[Floats]:
    """Values of drawn runs, whatever the measure."""
    random = generator(law, number)
    for runs in runs_drawn(law, number, random):
        yield values_of(runs)


def runs_drawn(law: Law, number: int, random: np.random.Generator) -> Iterator[NDArray[np.int8]]:
    """Judged runs [run, rank], some at a time."""
    size = max(1, BATCH // law.length)
    for factor, many in _kinds(law, number, random):
        for start in range(0, many, size):
            here = min(size, many - start)
            yield _equally_likely(law, here, random) if law.uniform else _independent(law, factor, here, random)


def _kinds(law: Law, number: int, random: np.random.Generator) -> Iterator[tuple[float, int]]:
    """Kinds of systems, and how many of the runs are theirs: each run has one by chance."""
    for factor, many in zip(law.factors, random.multinomial(number, law.weights).tolist(), strict=True):
        if many:
            yield factor, many


def _independent(law: Law, factor: float, number: int, random: np.random.Generator) -> NDArray[np.int8]:
    chances = law.chances(factor)
    anything = np.maximum(chances[:, :1], 1e-300)
    above = np.concatenate([chances[:, 1:] / anything, np.zeros((law.length, 1))], axis=1)
    runs = np.full((number, law.length), law.lowest, dtype=np.int8)
    sample_runs(_hazard(chances[:, 0]), above, np.array(law.most, dtype=np.int64), _seed(random), runs)
    return runs


def _equally_likely(law: Law, number: int, random: np.random.Generator) -> NDArray[np.int8]:
    """Runs that are all equally likely: how often each grade occurs, by the number of such runs, and then where."""
    if min(law.most) >= law.length:
        return random.integers(law.lowest, law.lowest + len(law.most) + 1, size=(number, law.length), dtype=np.int8)
    left = np.full(number, law.length)
    runs = np.zeros((number, law.length), dtype=np.int8)
    ways = _ways(law.length, law.most)
    filled = np.zeros(number, dtype=np.int64)
    ranks = np.arange(law.length)
    for grade, most in enumerate(law.most, start=1):
        for free in np.unique(left).tolist():
            here = np.flatnonzero(left == free)
            weights = [comb(free, count) * ways[grade][free - count] for count in range(min(most, free) + 1)]
            total = sum(weights)
            counts = random.choice(len(weights), size=len(here), p=[weight / total for weight in weights])
            left[here] -= counts
            start, stop = filled[here][:, None], (filled[here] + counts)[:, None]
            runs[here] = np.where((ranks >= start) & (ranks < stop), grade, runs[here])
            filled[here] += counts
    return random.permuted(runs + np.int8(law.lowest), axis=1)


@lru_cache(maxsize=256)
def _ways(length: int, most: tuple[int, ...]) -> list[list[int]]:
    """ways[g][n]: the number of ways to fill n ranks with the grades above g, each as often as it may, and 0."""
    ways = [[1] * (length + 1)]
    for limit in reversed(most):
        ways.append([sum(comb(n, count) * ways[-1][n - count] for count in range(min(limit, n) + 1)) for n in range(length + 1)])
    return ways[::-1]


def _hazard(chances: Floats) -> Floats:
    return np.cumsum(-np.log1p(-np.minimum(chances, CERTAIN)))


def _seed(random: np.random.Generator) -> NDArray[np.uint64]:
    return random.integers(1, 2**63, size=4, dtype=np.uint64)
