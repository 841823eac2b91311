"""The protocol of engines: submit independent pieces, gather outcomes as they finish, cancel. Threads are the engine at hand."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, TypeVar

from mensura.engines.threads import Spread, thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Piece = TypeVar("Piece")
Shared = TypeVar("Shared")
Outcome_co = TypeVar("Outcome_co", covariant=True)
Outcome = TypeVar("Outcome")

SECONDS = 4.0
"""Work of a group of pieces: at 2 ms of a scheduler for each, 100 workers then leave it half idle at least."""
AHEAD = 4
"""Groups for each worker, if there is less work: the last worker to finish then keeps the others waiting for a quarter at most."""


class Running(Protocol[Outcome_co]):
    """Pieces of work that run, and their outcomes."""

    def __iter__(self) -> Iterator[Outcome_co]:
        """Outcomes in the order of the pieces; an error of a piece is raised at its place, and the rest is cancelled."""

    def finished(self) -> Iterator[tuple[int, Outcome_co]]:
        """Numbers of pieces and their outcomes, as they finish; after an error the rest is cancelled."""

    def cancel(self) -> None:
        """Drop the pieces that nobody has begun."""


class Engine(Protocol):
    """A way to spread pieces of work: ``work(shared, piece)`` for each of them.

    Pieces are idempotent: an engine may do one twice, and keeps one outcome. ``seconds`` estimates the work of each piece.
    """

    @property
    def name(self) -> str:
        """Name of the engine."""

    def run(
        self,
        work: Callable[[Shared, Piece], Outcome],
        pieces: Sequence[Piece],
        shared: Shared,
        seconds: Sequence[float] | None = None,
    ) -> Running[Outcome]:
        """Begin to work on pieces."""

    def close(self) -> None:
        """Release what the engine has started."""


class Threads:
    """The threads of this process."""

    name = "threads"

    def __init__(self, threads: int | None = None) -> None:
        self.workers = thread_count(threads)

    def run(
        self,
        work: Callable[[Shared, Piece], Outcome],
        pieces: Sequence[Piece],
        shared: Shared,
        seconds: Sequence[float] | None = None,
    ) -> Spread[Outcome]:
        """Begin to work on pieces; a thread takes the next one when it is free, so that nothing is gained by grouping them."""
        del seconds
        return Spread([partial(work, shared, piece) for piece in pieces], self.workers)

    def close(self) -> None:
        """There is nothing to release."""


def grouped(seconds: Sequence[float], workers: int) -> list[range]:
    """Neighbouring pieces in groups of some seconds of work each, and at least a few groups for every worker."""
    groups = max(1, min(len(seconds), max(AHEAD * workers, int(sum(seconds) / SECONDS))))
    share = sum(seconds) / groups
    bounds, total = [0], 0.0
    for number, each in enumerate(seconds):
        total += each
        if total >= share * len(bounds) and len(bounds) < groups:
            bounds.append(number + 1)
    if bounds[-1] < len(seconds):
        bounds.append(len(seconds))
    return [range(first, last) for first, last in pairwise(bounds) if first < last]
