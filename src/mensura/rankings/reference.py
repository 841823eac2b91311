"""Several rankings, each compared with one reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.errors import RankingError
from mensura.rankings.comparison import compare
from mensura.rankings.positions import Ranking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mensura.rankings.comparison import RankingComparison


@dataclass(frozen=True, eq=False)
class ReferenceComparison:
    """Rankings by name, each compared with the reference. Curves run over the ranks of each ranking.

    Attributes
    ----------
    reference
        Name of the reference.
    comparisons
        The comparison of each ranking (the first) with the reference (the second), by the name of the ranking.
    """

    reference: str
    comparisons: Mapping[str, RankingComparison]

    def __getitem__(self, name: str) -> RankingComparison:
        if name not in self.comparisons:
            raise RankingError(f"unknown ranking {name!r}; there are {', '.join(self.comparisons)}")
        return self.comparisons[name]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the rankings."""
        return tuple(self.comparisons)

    def numbers(self) -> dict[str, dict[str, float]]:
        """Every single number, by ranking."""
        return {name: comparison.numbers() for name, comparison in self.comparisons.items()}

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each ranking and each of its ranks: the item, its position in the reference, and every curve."""
        for name, comparison in self.comparisons.items():
            curves = comparison.curves()
            del curves["agreement"]  # over depths, not over ranks
            pair = comparison.pair
            for at, item in enumerate(pair.items):
                yield {
                    "ranking": name,
                    "rank": at + 1,
                    "item": item,
                    "position": float(pair.y[at] / 2),
                    **{key.removesuffix("_curve"): curve[at] for key, curve in curves.items()},
                }

    def __repr__(self) -> str:
        return f"ReferenceComparison({len(self.comparisons)} rankings against {self.reference})"


def against_reference(
    rankings: Mapping[str, Any] | Sequence[Any], reference: Any, *, name: str = "reference", **options: Any
) -> ReferenceComparison:
    """Compare each of several rankings with one reference.

    Parameters
    ----------
    rankings
        Rankings by name, or a list of them, which are then called 1, 2, …; whatever :meth:`Ranking.of` takes.
    reference
        The ranking that all are compared with, for example the ideal one.
    name
        Its name.
    **options
        Those of :func:`compare`: ``h``, ``p``, ``rbo_ties``, ``k``, ``penalty``.

    Examples
    --------
    >>> lists = {"x": list("bacd"), "y": list("cabd"), "z": list("dcba")}
    >>> systems = against_reference(lists, list("abcd"))
    >>> {name: (float(numbers["area"]), round(numbers["a_corr"], 4)) for name, numbers in systems.numbers().items()}
    {'x': (1.0, 0.9), 'y': (3.0, 0.7), 'z': (10.0, 0.0)}
    """
    named = rankings if isinstance(rankings, Mapping) else {str(number): each for number, each in enumerate(rankings, start=1)}
    if not named:
        raise RankingError("there are no rankings to compare with the reference; give at least one")
    ideal = Ranking.of(reference)
    return ReferenceComparison(name, {str(key): compare(ranking, ideal, **options) for key, ranking in named.items()})
