"""Checked values by system and topic, and the pairs of systems to compare: the input of every test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from mensura.engines.threads import spread, thread_count
from mensura.errors import StatisticsError
from mensura.result import Result, integers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

EXACT = 2**53  # integers up to here are exact as doubles
LARGEST = 2**1002  # sums of as many values as there are topics are below 2¹⁰²⁴
LIMB = 53  # binary digits of a limb: differences of limbs are exact as doubles
BLOCK = 1 << 14  # pairs whose differences are in memory at once


@dataclass(frozen=True, eq=False)
class SystemPairs(Result):
    """Pairs of systems, by their numbers. A difference is first − second.

    ``baselines`` are the systems that all others are compared with; empty if all pairs are compared.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    systems: int
    baselines: tuple[int, ...] = ()

    version: ClassVar[int] = 2
    readers: ClassVar = {"first": integers, "second": integers}

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Return the pairs that :meth:`to_dict` wrote; the first version had one baseline."""
        one = document.get("baseline")
        return super().from_dict(document if one is None else document | {"baselines": [one]})

    def __len__(self) -> int:
        return len(self.first)

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the numbers of both systems."""
        return [{"first": first, "second": second} for first, second in zip(self.first.tolist(), self.second.tolist(), strict=True)]

    def only(self, kept: NDArray[np.bool_]) -> SystemPairs:
        """The pairs that are marked in ``kept``."""
        return self if kept.all() else SystemPairs(self.first[kept], self.second[kept], self.systems, self.baselines)

    def blocks(self, size: int = BLOCK) -> Iterator[tuple[slice, SystemPairs]]:
        """The pairs in blocks of at most ``size``, each with its stretch of the whole."""
        if len(self) <= size:
            yield slice(0, len(self)), self
            return
        for start in range(0, len(self), size):
            part = slice(start, min(start + size, len(self)))
            yield part, SystemPairs(self.first[part], self.second[part], self.systems)

    def square(self, values: NDArray[np.float64], diagonal: float, sign: float = 1.0) -> NDArray[np.float64]:
        """Values of pairs as a matrix of systems, NaN where there is no pair; ``sign`` −1 for what changes sign with the order."""
        matrix = np.full((self.systems, self.systems), np.nan)
        matrix[self.first, self.second] = values
        matrix[self.second, self.first] = sign * values
        np.fill_diagonal(matrix, diagonal)
        return matrix


def make_pairs(systems: int, baseline: int | Sequence[int] | None = None) -> SystemPairs:
    """All pairs (i, j) with i < j; or every other system with the baseline, or with each of several."""
    if systems < 2:  # noqa: PLR2004 - a pair of systems
        raise StatisticsError(f"a comparison needs at least 2 systems, got {systems}; add a run")
    if baseline is None:
        first, second = np.triu_indices(systems, 1)
        return SystemPairs(first.astype(np.int64), second.astype(np.int64), systems)
    numbers = (baseline,) if isinstance(baseline, int | np.integer) else tuple(baseline)
    for one in numbers:
        if not -systems <= one < systems:
            raise StatisticsError(f"baseline={one} is not a system; there are {systems}, counted from 0")
    baselines = tuple(dict.fromkeys(int(one) % systems for one in numbers))
    others = [np.delete(np.arange(systems, dtype=np.int64), baselines[: at + 1]) for at in range(len(baselines))]
    second = np.repeat(np.array(baselines, dtype=np.int64), [len(each) for each in others])
    return SystemPairs(np.concatenate(others), second, systems, baselines)


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Checked values [system, topic].

    ``values`` are doubles. ``whole`` holds the same as exact integers of any size, if that is what was given (ranks on an interval
    scale); differences are then taken before anything is rounded. ``exact`` are whole numbers in the order of the values as
    numbers, if they are known: doubles may differ in their last bits where fractions do not.
    """

    values: NDArray[np.float64]
    whole: NDArray[Any] | None = None
    exact: NDArray[np.int64] | None = None

    @property
    def systems(self) -> int:
        """Number of rows."""
        return int(self.values.shape[0])

    @property
    def topics(self) -> int:
        """Number of columns."""
        return int(self.values.shape[1])

    def pairs(self, baseline: int | Sequence[int] | None = None) -> SystemPairs:
        """The pairs of systems to compare: see :func:`make_pairs`. All pairs are the same object each time."""
        return self._every_pair if baseline is None else make_pairs(self.systems, baseline)

    @cached_property
    def _every_pair(self) -> SystemPairs:
        return make_pairs(self.systems)

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """Numbers that are ordered as the values are: equal values have equal codes.

        Values without exact codes are joined in chains of neighbours that are equal by the rule of :meth:`signs`.
        """
        if self.exact is not None:
            return self.exact
        source = settle(self.values) if self.whole is None else self.whole
        _, inverse = np.unique(source, return_inverse=True)
        return inverse.reshape(source.shape).astype(np.int64)

    def signs(self, pairs: SystemPairs) -> NDArray[np.int8]:
        """Sign of first − second, [pair, topic]: of exact codes, or of whole numbers.

        Other values are equal if they differ by at most the sum of their units in the last place, whatever other systems there are.
        """
        if self.exact is not None or self.whole is not None:
            a, b = self.codes[pairs.first], self.codes[pairs.second]
            return (a > b).astype(np.int8) - (a < b).astype(np.int8)
        x, y = self.values[pairs.first], self.values[pairs.second]
        unit = np.spacing(np.abs(self.values))
        apart = np.abs(x - y) > unit[pairs.first] + unit[pairs.second]
        return np.where(apart, np.sign(x - y), 0.0).astype(np.int8)

    @cached_property
    def shifted(self) -> NDArray[np.float64]:
        """The values, integers less the first of them: results that do not depend on where 0 is lose no digits to large numbers."""
        return self.values if self.whole is None else (self.whole - self.whole[0, 0]).astype(np.float64)

    @cached_property
    def by_topic(self) -> NDArray[np.float64]:
        """The values, integers less the least of their topic: for results that do not depend on the level of a topic."""
        return self.values if self.whole is None else (self.whole - self.whole.min(axis=0)).astype(np.float64)

    @cached_property
    def limbs(self) -> NDArray[np.float64]:
        """The values as limbs of 53 binary digits, [limb, system, topic], the highest first; within a topic, less the least.

        Differences of limbs are exact, so the difference of two large integers is right to the last bit of a double. Values that
        are not large integers are one limb.
        """
        if self.whole is None:
            return np.ascontiguousarray(self.values[None])
        if self.whole.dtype != object:
            return np.ascontiguousarray(self.by_topic[None])
        rest = self.whole - self.whole.min(axis=0)
        number = max(1, -(-max(int(value).bit_length() for value in rest.reshape(-1)) // LIMB))
        limbs = [(rest >> LIMB * at) & (EXACT - 1) for at in range(number - 1, -1, -1)]
        return np.ascontiguousarray(np.stack(limbs).astype(np.float64))

    def difference(self, pairs: SystemPairs) -> NDArray[np.float64]:
        """First − second, [pair, topic]."""
        limbs = self.limbs
        difference: NDArray[np.float64] = limbs[0][pairs.first] - limbs[0][pairs.second]
        for limb in limbs[1:]:
            difference = difference * EXACT + (limb[pairs.first] - limb[pairs.second])
        return difference

    def sizes(self, pairs: SystemPairs) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Absolute differences [pair, topic], and a bound of the rounding error of each.

        Two differences whose roundings overlap are tied: 7/30 − 4/30 and 5/30 − 2/30 are not the same double. Integers are not
        rounded; if they are too large for doubles, their order stands for them.
        """
        if self.whole is None:
            unit = 2 * np.spacing(np.abs(self.values))
            return np.abs(self.difference(pairs)), unit[pairs.first] + unit[pairs.second]
        if self.whole.dtype == object:
            size = np.abs(self.whole[pairs.first] - self.whole[pairs.second])
            _, inverse = np.unique(size, return_inverse=True)
            exact = inverse.reshape(size.shape).astype(np.float64)
        else:
            exact = np.abs(self.difference(pairs))
        return exact, np.zeros_like(exact)


def scaled(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The values over a power of two, so that none is 2 or more, and that power: squares neither overflow nor vanish."""
    exponent = int(np.frexp(np.abs(values).max(initial=0.0))[1]) - 1
    return np.ldexp(values, -exponent), math.ldexp(1.0, exponent)


def make_table(values: ArrayLike | ScoreTable, exact: NDArray[np.int64] | None = None) -> ScoreTable:
    """Check values: [system, topic], finite, at least two systems and one topic; ``exact`` are their codes, if they are known."""
    if isinstance(values, ScoreTable):
        return values
    array = np.asarray(values)
    if array.ndim != 2:  # noqa: PLR2004 - systems and topics
        raise StatisticsError(f"expected an array [system, topic], got one of {array.ndim} dimensions")
    if array.shape[0] < 2:  # noqa: PLR2004 - a pair of systems
        raise StatisticsError(f"a comparison needs at least 2 systems, got {array.shape[0]}; add a run")
    if array.shape[1] < 1:
        raise StatisticsError("a comparison needs at least 1 topic, got 0")
    if array.dtype == object:
        return _whole(array)
    if array.dtype.kind in "iu":
        return (
            _whole(array)
            if np.abs(array.astype(np.float64)).max() >= EXACT
            else ScoreTable(array.astype(np.float64), array.astype(np.int64))
        )
    floats = array.astype(np.float64)
    wrong = np.argwhere(~np.isfinite(floats))
    if len(wrong):
        system, topic = wrong[0].tolist()
        raise StatisticsError(
            f"the value of system {system} for topic {topic} (counted from 0) is {floats[system, topic]}, "
            f"and {len(wrong)} in all are not finite; leave the topic out, or count it as 0"
        )
    _check_size(floats)
    return ScoreTable(floats, exact=None if exact is None else np.ascontiguousarray(exact))


def _whole(array: NDArray[Any]) -> ScoreTable:
    for (system, topic), value in np.ndenumerate(array):
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            raise StatisticsError(
                f"the value of system {system} for topic {topic} (counted from 0) is {value!r}; "
                "an array of objects must contain whole numbers, others are given as float64"
            )
    exact = np.array([int(value) for value in array.reshape(-1)], dtype=object).reshape(array.shape)
    _check_size(exact)
    small = all(-EXACT < value < EXACT for value in exact.reshape(-1))
    return ScoreTable(exact.astype(np.float64), exact.astype(np.int64) if small else exact)


def _check_size(values: NDArray[Any]) -> None:
    """Refuse values whose sums may be beyond the range of doubles."""
    large = np.argwhere((values > LARGEST) | (values < -LARGEST))
    if not len(large):
        return
    system, topic = large[0].tolist()
    value = values[system, topic]
    shown = f"{value:.4g}" if isinstance(value, float) else f"a whole number of {len(str(abs(value)))} digits"
    raise StatisticsError(
        f"the value of system {system} for topic {topic} (counted from 0) is {shown}; expected at most {float(LARGEST):.2g}, so "
        "divide all values by the same number"
    )


def settle(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make ties ties: neighbours that differ by at most the sum of their units in the last place become the same.

    1/2 + 1/3 + 1/6 and 1 are the same number, and a rank test must see them so.
    """
    different, inverse = np.unique(values, return_inverse=True)
    unit = np.spacing(np.abs(different))
    starts = np.concatenate(([True], np.diff(different) > unit[1:] + unit[:-1]))
    leader = np.maximum.accumulate(np.where(starts, np.arange(len(different)), 0))
    return np.asarray(different[leader][inverse.reshape(-1)].reshape(values.shape))


def in_parts(work: Callable[[int, int], None], size: int, threads: int | None, least: int = 256) -> None:
    """Call ``work(start, stop)`` for stretches of 0 … size, which must be independent of each other, on several threads."""
    if size < 2 * least:
        work(0, size)
        return
    number = max(1, min(thread_count(threads), size // least))
    bounds = [size * part // number for part in range(number + 1)]
    for _ in spread(lambda part: work(bounds[part], bounds[part + 1]), range(number), number):
        pass


def tied_ranks(codes: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ranks within each row, from 1; equal values share the mean of their ranks. Also Σ(t³ − t) over the ties of each row."""
    rows, size = codes.shape
    order = np.argsort(codes, axis=1, kind="stable")
    ordered = np.take_along_axis(codes, order, axis=1)
    starts = np.ones((rows, size), dtype=np.bool_)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    group = np.cumsum(starts.reshape(-1)) - 1
    count = np.bincount(group)
    begin = np.flatnonzero(starts.reshape(-1)) % size
    mean = begin + (count + 1) / 2
    ranks = np.empty((rows, size))
    np.put_along_axis(ranks, order, mean[group].reshape(rows, size), axis=1)
    row = np.flatnonzero(starts.reshape(-1)) // size
    ties = np.bincount(row, weights=count * (count.astype(np.float64) ** 2 - 1), minlength=rows)
    return ranks, ties.astype(np.float64)
