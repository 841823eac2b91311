"""The protocol of engines: submit independent pieces, gather outcomes as they finish, cancel. Threads are the engine at hand."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from mensura.engines.threads import InTurn, Spread, thread_count
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Piece = TypeVar("Piece")
Shared = TypeVar("Shared")
Outcome_co = TypeVar("Outcome_co", covariant=True)
Outcome = TypeVar("Outcome")

SECONDS = 4.0
"""Work of a group of pieces: 2 ms of a scheduler for each, as measured, are 5 % of its time with 100 workers."""
AHEAD = 4
"""Groups for each worker of the work as it was estimated; when some are done, the rest is divided by what they took."""


ATTEMPTS = 5
FIRST_WAIT = 0.05  # seconds, four times as long each time: 4 s in all


class TriedError(OSError):
    """An error of storage that has been asked as often as it is worth."""


LASTING = (FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, NotADirectoryError, TriedError)


def may_pass(error: BaseException) -> bool:
    """Whether an error comes from storage that may answer the next time."""
    cause = error if isinstance(error, OSError) else error.__cause__
    return isinstance(cause, OSError) and not isinstance(cause, LASTING)


def comes_from_storage(error: BaseException) -> bool:
    """Whether an error is of the storage, not of what is stored there: other files of it will not be read either."""
    return may_pass(error) or isinstance(error.__cause__, TriedError)


def retried(request: Callable[[], Outcome]) -> Outcome:
    """Ask storage for something; an error that may pass is tried again, five times in four seconds. Nothing else tries again."""
    wait = FIRST_WAIT
    for _ in range(ATTEMPTS - 1):
        try:
            return request()
        except (OSError, MensuraError) as error:
            if not may_pass(error):
                raise
        time.sleep(wait)
        wait *= 4
    return request()


class Running(Protocol[Outcome_co]):
    """Pieces of work that run, and their outcomes."""

    def __iter__(self) -> Iterator[Outcome_co]:
        """Outcomes in the order of the pieces; an error of a piece is raised at its place, and the rest is cancelled."""

    def finished(self) -> Iterator[tuple[int, Outcome_co]]:
        """Numbers of pieces and their outcomes, as they finish; after an error the rest is cancelled."""

    def cancel(self) -> None:
        """Drop the pieces that nobody has begun."""

    def join(self) -> None:
        """Wait until this process works on none of them any more."""


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

    def shuffle(
        self,
        split: Callable[[Piece], Sequence[bytes]],
        pieces: Sequence[Piece],
        work: Callable[[Shared, list[bytes]], Outcome],
        shared: Shared,
        parts: int,
    ) -> Running[Outcome]:
        """Begin to divide pieces into blocks of bytes by key, as many for each, and to work on all blocks of some keys together.

        There are ``parts`` parts of the keys, each with some of them or none; their outcomes come in any order. The blocks of a
        part are in the order of the pieces. No process holds more than some pieces or parts at a time.
        """

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
    ) -> Running[Outcome]:
        """Begin to work on pieces; a thread takes the next one when it is free, so that nothing is gained by grouping them.

        A single piece waits for the thread that asks for its outcome.
        """
        del seconds
        jobs = [partial(work, shared, piece) for piece in pieces]
        return Spread(jobs, self.workers) if len(jobs) > 1 else InTurn(jobs)

    def shuffle(
        self,
        split: Callable[[Piece], Sequence[bytes]],
        pieces: Sequence[Piece],
        work: Callable[[Shared, list[bytes]], Outcome],
        shared: Shared,
        parts: int,
    ) -> Running[Outcome]:
        """Begin to divide pieces into temporary files, and to work on parts of them."""
        from mensura.engines.shuffles import ShuffledThreads  # few inputs need it

        return ShuffledThreads(split, pieces, partial(work, shared), parts, self.workers)

    def close(self) -> None:
        """There is nothing to release."""


class Pace:
    """Sizes of groups of pieces: estimates at first, and then what finished groups took in proportion to theirs.

    A group takes :data:`SECONDS` if there is so much work for every worker, and otherwise an equal share of what is left, down to
    a quarter of that, or of a worker's share if all work is less.
    """

    def __init__(self, total: float) -> None:
        self._all = self._left = total
        self._estimated = self._took = 0.0

    def learn(self, estimated: float, took: float) -> None:
        """Take notice of a group that took some seconds."""
        self._estimated += estimated
        self._took += took

    def group(self, seconds: Sequence[float], start: int, workers: int) -> range:
        """The next group from a piece on; ``seconds`` are estimates."""
        known = self._took > 0 and self._estimated > 0
        rate = self._took / self._estimated if known else 1.0
        share = self._left * rate / (workers if known else AHEAD * workers)
        least = min(SECONDS, self._all * rate / workers) / AHEAD
        most = min(SECONDS, max(share, least)) / rate * (1 - 1e-9)  # equal pieces make equal groups, in spite of rounding
        total, stop = 0.0, start
        while (stop < len(seconds) and total < most) or stop == start:
            if stop > start and total + seconds[stop] / 2 > most:  # it is nearer without this one
                break
            total += seconds[stop]
            stop += 1
        self._left -= total
        return range(start, stop)
