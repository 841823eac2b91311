"""Matrices of many rankings, each compared with every other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura._core.rankings import compare_lists
from mensura.engines.threads import spread
from mensura.errors import RankingError
from mensura.rankings.positions import Ranking
from mensura.rankings.weighting import gains, weights
from mensura.result import Result, floats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.rankings.weighting import Weights

    Floats = NDArray[np.float64]

COLUMNS = 15
CHUNK = 512  # pairs that a thread takes at a time


@dataclass(frozen=True, eq=False)
class Matrix(Result):
    """Every number of :func:`compare`'s that is cheap, for all pairs of rankings.

    ``matrix["area"]`` gives the values [first, second]. What is not symmetric (``area``, ``normalized_area``, ``a_corr``,
    ``tau_ap``) goes from the ranking of the row to that of the column.

    Attributes
    ----------
    names
        The names of the rankings.
    values
        By name of the measure: an array [first, second].
    """

    names: tuple[str, ...]
    values: Mapping[str, Floats]

    readers: ClassVar = {"values": lambda values: {name: floats(rows) for name, rows in values.items()}}

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of all pairs of rankings."""
        return [
            {"first": first, "second": second} | {name: float(values[i, j]) for name, values in self.values.items()}
            for i, first in enumerate(self.names)
            for j, second in enumerate(self.names)
        ]

    def __getitem__(self, measure: str) -> Floats:
        if measure not in self.values:
            raise RankingError(f"unknown measure {measure!r} of a matrix; use one of {', '.join(self.values)}")
        return self.values[measure]

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(self.values)

    def __repr__(self) -> str:
        return f"Matrix({len(self.names)} rankings: {', '.join(self.values)})"


def matrix(
    rankings: Mapping[str, Any] | Sequence[Any],
    *,
    h: Weights = 1,
    p: float = 0.9,
    penalty: float = 0.5,
    threads: int | None = None,
) -> Matrix:
    """Compare all rankings with each other.

    Parameters
    ----------
    rankings
        Rankings by name, or a list of them; whatever :meth:`Ranking.of` takes. They may contain different items.
    h, p, penalty
        As for :func:`compare`; h must not be negative.
    threads
        As many as there are cores, by default.
    """
    named = dict(rankings) if isinstance(rankings, dict) else {str(number): each for number, each in enumerate(rankings)}
    lists = Lists.of([Ranking.of(ranking) for ranking in named.values()])
    return Matrix(tuple(map(str, named)), lists.compare(h, p, penalty, threads))


@dataclass(frozen=True, eq=False)
class Lists:
    """Rankings end to end, their items as numbers."""

    items: NDArray[np.int32]
    bounds: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    distinct: int

    @classmethod
    def of(cls, rankings: Sequence[Ranking]) -> Lists:
        """Numbers the items of rankings."""
        if not rankings:
            raise RankingError("expected at least 1 ranking, got 0")
        numbers: dict[Any, int] = {}
        items = [numbers.setdefault(item, len(numbers)) for ranking in rankings for item in ranking.items]
        return cls(
            np.array(items, dtype=np.int32),
            np.concatenate(([0], np.cumsum([len(ranking) for ranking in rankings]))).astype(np.int64),
            np.concatenate([ranking.first for ranking in rankings]),
            np.concatenate([ranking.last for ranking in rankings]),
            len(numbers),
        )

    def compare(self, h: Weights, p: float, penalty: float, threads: int | None) -> dict[str, Floats]:
        """All measures of all pairs: arrays [first, second]."""
        count = len(self.bounds) - 1
        left, right = np.divmod(np.arange(count * count, dtype=np.int64), count)
        longest = 2 * int(np.diff(self.bounds).max())
        weight = weights(h, longest)
        if (weight < 0).any():
            raise RankingError("h is negative at some rank; compare such rankings pair by pair, with compare()")
        if not 0 < p < 1:
            raise RankingError(f"expected a persistence p between 0 and 1, such as 0.9, got {p}")
        out = np.empty((len(left), COLUMNS))
        tables = (
            np.concatenate(([0.0], np.cumsum(gains(weight)))),
            np.concatenate(([0.0], np.cumsum(1 / np.arange(1, longest + 1)))),
            np.concatenate(([0.0], (1 - p) * np.power(p, np.arange(longest)))),
        )

        def work(start: int) -> None:
            part = slice(start, start + CHUNK)
            lists = (self.items, self.bounds, self.first, self.last, self.distinct)
            compare_lists(*lists, left[part], right[part], *tables, out[part])

        for _ in spread(work, range(0, len(left), CHUNK), threads):
            pass
        return {name: values.reshape(count, count) for name, values in _measures(out.T, penalty).items()}


def _measures(sums: Floats, penalty: float) -> dict[str, Floats]:
    """From sums over items and pairs to measures."""
    n, shared, footrule, xy, xx, yy, area, worst, discordant, tied_x, tied_y, tied_both, concordance, rbo, average = sums
    pairs = n * (n - 1) / 2
    balance = pairs - tied_x - tied_y + tied_both - 2 * discordant
    normalized = _divide(area, worst)
    return {
        "shared": shared,
        "footrule": footrule,
        "kendall": discordant + penalty * (tied_x + tied_y - 2 * tied_both),
        "area": area,
        "normalized_area": normalized,
        "a_corr": 1 - normalized,
        "spearman": _divide(xy, np.sqrt(xx) * np.sqrt(yy)),
        "tau_a": _divide(balance, pairs),
        "tau_b": _divide(balance, np.sqrt(pairs - tied_x) * np.sqrt(pairs - tied_y)),
        "tau_ap": _divide(2 * concordance, n - 1) - 1,
        "rbo": rbo,
        "average_overlap": average,
    }


def _divide(values: Floats, by: Floats) -> Floats:
    """Values / by, NaN where that is nothing."""
    quotient = np.full(values.shape, np.nan)
    np.divide(values, by, out=quotient, where=by != 0)
    return quotient


def over_topics(
    runs: Mapping[str, Mapping[str, Any]],
    *,
    h: Weights = 1,
    p: float = 0.9,
    penalty: float = 0.5,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Matrix:
    """Compare the rankings of systems topic by topic, and return the means over the topics that all systems have.

    Parameters
    ----------
    runs
        {system: {topic: ranking}}; :func:`run_rankings` makes the inner dicts from runs.
    h, p, penalty, threads
        As for :func:`matrix`.
    progress
        Is told how many topics of how many are done.
    """
    topics = [topic for topic in next(iter(runs.values()), {}) if all(topic in run for run in runs.values())]
    if not topics:
        raise RankingError("there is no topic that all runs have; compare runs of the same collection")
    totals: dict[str, Floats] = {}
    for number, topic in enumerate(topics, start=1):
        lists = Lists.of([Ranking.of(run[topic]) for run in runs.values()])
        for name, values in lists.compare(h, p, penalty, threads).items():
            totals[name] = totals[name] + values if name in totals else values
        if progress is not None:
            progress(number, len(topics))
    return Matrix(tuple(map(str, runs)), {name: total / len(topics) for name, total in totals.items()})
