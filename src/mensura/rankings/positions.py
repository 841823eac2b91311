"""Rankings, and pairs of them over the same items.

Positions are kept doubled, as whole numbers: items that share the ranks 2 and 3 have position 2.5 and are kept as 5.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from mensura.errors import RankingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

SETS = (set, frozenset)  # tied items


@dataclass(frozen=True, eq=False)
class Ranking:
    """Items from first to last; some may be tied.

    Make one with :meth:`of`, from a list (tied items in a set) or from a dict of scores.

    Attributes
    ----------
    items
        The items, those of a tied group in any order.
    first, last
        For each item, the places (from 0) where its group of tied items begins and ends.
    """

    items: Sequence[Hashable]
    first: Ints
    last: Ints

    @classmethod
    def of(cls, ranking: Any) -> Ranking:
        """A ranking from a list such as ``["a", {"b", "c"}, "d"]``, or from scores ``{"a": 3.0, "b": 1.5}``, the highest first.

        Examples
        --------
        >>> Ranking.of({"a": 2, "b": 7, "c": 2})
        Ranking('b', {'a', 'c'})
        """
        checked = cls.unchecked(ranking)
        checked.check()
        return checked

    @classmethod
    def unchecked(cls, ranking: Any) -> Ranking:
        """A ranking that may contain an item twice."""
        if isinstance(ranking, Ranking):
            return ranking
        if isinstance(ranking, Mapping):
            return cls.from_scores(list(ranking), np.array([_number(score) for score in ranking.values()], dtype=np.float64))
        if isinstance(ranking, str | bytes) or not isinstance(ranking, Iterable) or isinstance(ranking, SETS):
            raise RankingError(
                f"{ranking!r} is not a ranking; give a list of items, first one first and tied ones in a set, or a dict of scores"
            )
        if isinstance(ranking, np.ndarray):
            if ranking.ndim != 1:
                raise RankingError(f"an array of {ranking.ndim} dimensions is not a ranking; give one row of items")
            return cls(cast("Sequence[Hashable]", ranking), np.arange(len(ranking)), np.arange(len(ranking)))
        groups = list(ranking)
        if set(map(type, groups)).isdisjoint(SETS):
            return cls(tuple(groups), np.arange(len(groups)), np.arange(len(groups)))
        items: list[Hashable] = []
        sizes: list[int] = []
        for group in groups:
            tied = sorted(group, key=str) if isinstance(group, SETS) else [group]
            if not tied:
                raise RankingError(f"the group of tied items after item {len(items)} is empty; leave it out")
            items += tied
            sizes.append(len(tied))
        return cls._grouped(items, np.array(sizes, dtype=np.int64))

    @classmethod
    def from_scores(cls, items: list[Any], scores: Floats) -> Ranking:
        """Items by descending score; equal scores are ties."""
        if not np.isfinite(scores).all():
            wrong = items[int(np.flatnonzero(~np.isfinite(scores))[0])]
            raise RankingError(f"the score of {wrong!r} is not a finite number; leave the item out")
        order = np.argsort(-scores, kind="stable")
        steps = np.flatnonzero(np.diff(scores[order])) + 1
        return cls._grouped([items[at] for at in order.tolist()], np.diff(np.concatenate(([0], steps, [len(items)]))))

    @classmethod
    def _grouped(cls, items: list[Any], sizes: Ints) -> Ranking:
        ends = np.cumsum(sizes, dtype=np.int64)
        return cls(tuple(items), np.repeat(ends - sizes, sizes), np.repeat(ends - 1, sizes))

    def __post_init__(self) -> None:
        if len(self.items) == 0:
            raise RankingError("the ranking is empty; give at least one item")

    def check(self) -> None:
        """Refuse a ranking that contains an item twice."""
        items = self.items
        if isinstance(items, np.ndarray):
            ordered = np.sort(items)
            repeated = ordered[1:][ordered[1:] == ordered[:-1]].tolist()
        elif len(self.index) == len(items):
            return
        else:
            repeated = [item for place, item in enumerate(items) if self.index[item] != place]
        if repeated:
            raise RankingError(f"{repeated[0]!r} is ranked twice; name an item once")

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def index(self) -> dict[Hashable, int]:
        """The place of each item, from 0."""
        items = self.items.tolist() if isinstance(self.items, np.ndarray) else self.items
        return dict(zip(items, range(len(items)), strict=True))

    def places(self, items: Sequence[Hashable]) -> Ints:
        """The places of items, from 0; −1 for those that are not here."""
        if isinstance(self.items, np.ndarray) and isinstance(items, np.ndarray):
            order, asked = np.argsort(self.items), np.argsort(items)
            nearest = order[np.searchsorted(self.items[order], items[asked]).clip(max=len(order) - 1)]
            at = np.empty(len(items), dtype=np.int64)
            at[asked] = nearest
            return np.where(self.items[at] == items, at, -1)
        known = items.tolist() if isinstance(items, np.ndarray) else items
        return np.fromiter(map(self.index.get, known, itertools.repeat(-1)), dtype=np.int64, count=len(known))

    @cached_property
    def tied(self) -> bool:
        """Whether any items are tied."""
        return not np.array_equal(self.first, self.last)

    def groups(self) -> list[list[Any]]:
        """The items, tied ones together."""
        items = self.items.tolist() if isinstance(self.items, np.ndarray) else self.items
        bounds = dict(zip(self.first.tolist(), self.last.tolist(), strict=True))
        return [list(items[start : stop + 1]) for start, stop in bounds.items()]

    def __repr__(self) -> str:
        groups = self.groups()
        shown = [repr(group[0]) if len(group) == 1 else "{" + ", ".join(map(repr, group)) + "}" for group in groups[:8]]
        return f"Ranking({', '.join(shown)}{', …' if len(groups) > len(shown) else ''})"


def _number(score: Any) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float | np.number):
        raise RankingError(f"{score!r} is not a score; in a dict, give a number for each item")
    return float(score)


@dataclass(frozen=True, eq=False)
class RankingPair:
    """Two rankings over the items of both, in the order of the first.

    An item that one ranking does not contain is tied, in that ranking, with all others that it does not contain, after its end
    (Fagin, Kumar and Sivakumar 2003). Items tied in the first ranking are in the order of the second.

    Attributes
    ----------
    x, y
        Twice the positions in the first and in the second ranking, x in order.
    left, right
        The rankings.
    at
        For each item of the left ranking, its place (from 0) in the right one, −1 if it is not there.
    numbers
        The items of x and y by number: the items of ``left``, then those that only ``right`` holds, in their orders.
    """

    left: Ranking
    right: Ranking
    x: Ints
    y: Ints
    at: Ints
    numbers: Ints

    @classmethod
    def of(cls, left: Any, right: Any) -> RankingPair:
        """Lay two rankings side by side."""
        left, right = Ranking.unchecked(left), Ranking.of(right)
        at = right.places(left.items)
        shared = at >= 0
        if not shared.all() or np.bincount(at).max() > 1:  # otherwise each of its items has a place of its own in the other
            left.check()
        alone = np.ones(len(right), dtype=np.bool_)
        alone[at[shared]] = False
        total = len(left) + int(alone.sum())
        positions = right.first + right.last + 2
        y_left = np.full(len(left), len(right) + 1 + total, dtype=np.int64)
        y_left[shared] = positions[at[shared]]
        x = np.concatenate((left.first + left.last + 2, np.full(total - len(left), len(left) + 1 + total, dtype=np.int64)))
        y = np.concatenate((y_left, positions[alone]))
        order = _by_both(x, y) if left.tied else np.arange(total)
        return cls(left, right, x[order], y[order], at, order)

    def __len__(self) -> int:
        return len(self.x)

    @property
    def shared(self) -> int:
        """Number of items that both rankings contain."""
        return len(self.left) + len(self.right) - len(self)

    @cached_property
    def items(self) -> tuple[Hashable, ...]:
        """All items, in the order of the first ranking."""
        every = [*self.left.items, *(item for item in self.right.items if item not in self.left.index)]
        return tuple(every[number] for number in self.numbers.tolist())

    @cached_property
    def swapped(self) -> RankingPair:
        """The same, seen from the second ranking."""
        back = np.full(len(self.right), -1, dtype=np.int64)
        shared = self.at >= 0
        back[self.at[shared]] = np.flatnonzero(shared)
        order = _by_both(self.y, self.x)
        # as right numbers them: its own items by place, then those that only left holds
        of_left = np.where(shared, self.at, len(self.right) + np.cumsum(~shared) - 1)
        renumbered = np.concatenate((of_left, np.flatnonzero(back < 0)))
        return RankingPair(self.right, self.left, self.y[order], self.x[order], back, renumbered[self.numbers[order]])

    @cached_property
    def starts(self) -> Ints:
        """Positions (from 0) where the groups of tied items of the first ranking begin."""
        return np.concatenate(([0], np.flatnonzero(np.diff(self.x)) + 1)).astype(np.int64)

    @cached_property
    def sizes(self) -> Ints:
        """Number of items of each of these groups."""
        return np.diff(np.concatenate((self.starts, [len(self)])))

    @cached_property
    def before(self) -> tuple[Ints, Ints]:
        """For each item, the numbers of items above it in the first ranking that are above it, or tied with it, in the second."""
        from mensura._core.rankings import count_before

        smaller, equal = np.empty_like(self.x), np.empty_like(self.x)
        count_before(self.x, self.y, smaller, equal)
        return smaller, equal

    @cached_property
    def tied_pairs(self) -> tuple[int, int, int]:
        """Numbers of pairs that are tied in the first ranking, in the second, and in both."""
        second = pairs_within(np.bincount((self.y + 1) >> 1))
        return pairs_within(self.sizes), second, second - int(self.before[1].sum())

    @cached_property
    def discordant(self) -> int:
        """Number of pairs that the two rankings order differently."""
        smaller, equal = self.before
        above = np.repeat(self.starts, self.sizes)
        return int((above - smaller - equal).sum())

    def over_groups(self, values: Ints) -> Floats:
        """Running totals of a value of each item, linear within a group of tied items: only its end is known."""
        if len(self.starts) == len(self):
            return np.cumsum(values).astype(np.float64)
        totals = np.add.reduceat(values, self.starts)
        before = np.cumsum(totals) - totals
        inside = np.arange(1, len(self) + 1) - np.repeat(self.starts, self.sizes)
        running: Floats = np.repeat(before, self.sizes) + inside * np.repeat(totals, self.sizes) / np.repeat(self.sizes, self.sizes)
        return running


def _by_both(first: Ints, second: Ints) -> Ints:
    """The order by the first positions, then by the second."""
    return np.argsort(first * (2 * len(first) + 2) + second, kind="stable")


def pairs_within(sizes: Ints) -> int:
    """Number of pairs within groups."""
    return int((sizes.astype(np.int64) * (sizes - 1) // 2).sum())
