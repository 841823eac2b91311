"""Independent pieces of work on the threads of this process.

Plain threads, not ``concurrent.futures``: importing that costs 10 ms, and reading runs begins before anything else is imported.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Piece = TypeVar("Piece")
Outcome = TypeVar("Outcome")


def available_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """Number of threads to start: ``threads``, or one per core for ``None``."""
    if threads is not None and threads < 1:
        raise MensuraError(f"threads={threads} is too few; use at least 1, or None for one thread per core")
    return threads or available_cores()


class Spread(Generic[Outcome]):
    """Pieces of work that run from now on, and their outcomes in the order of the pieces.

    An error of a piece is raised where its outcome is asked for. :meth:`cancel` drops the pieces that no thread has begun.
    """

    def __init__(self, pieces: Iterable[Callable[[], Outcome]], threads: int | None = None) -> None:
        self._pieces: list[Callable[[], Outcome] | None] = list(pieces)
        self._outcomes: dict[int, Outcome] = {}
        self._errors: dict[int, BaseException] = {}
        self._waiting = deque(range(len(self._pieces)))
        self._changed = threading.Condition()
        self._threads = [
            threading.Thread(target=self._work, daemon=True) for _ in range(min(thread_count(threads), len(self._pieces)))
        ]
        for thread in self._threads:
            thread.start()

    def __len__(self) -> int:
        return len(self._pieces)

    def _work(self) -> None:
        while True:
            try:
                number = self._waiting.popleft()
            except IndexError:
                return
            piece, self._pieces[number] = self._pieces[number], None  # what a finished piece holds is free again
            assert piece is not None  # noqa: S101 - a number is taken from the deque once
            try:
                outcome = piece()
            except BaseException as error:  # noqa: BLE001 - it is raised where the outcome is asked for
                with self._changed:
                    self._errors[number] = error
                    self._changed.notify_all()
            else:
                with self._changed:
                    self._outcomes[number] = outcome
                    self._changed.notify_all()

    def outcome(self, number: int) -> Outcome:
        """Wait for the outcome of a piece, hand it over once, and forget it."""
        with self._changed:
            self._changed.wait_for(lambda: number in self._outcomes or number in self._errors)
            if number in self._errors:
                raise self._errors[number]
            return self._outcomes.pop(number)

    def __iter__(self) -> Iterator[Outcome]:
        """Outcomes in the order of the pieces; after an error, or when nobody asks for more, the rest is cancelled."""
        try:
            for number in range(len(self)):
                yield self.outcome(number)
        finally:
            self.cancel()

    def finished(self) -> Iterator[tuple[int, Outcome]]:
        """Numbers of pieces and their outcomes, as they finish; after an error the rest is cancelled."""
        left = set(range(len(self)))
        try:
            while left:
                with self._changed:
                    self._changed.wait_for(lambda: not left.isdisjoint(self._outcomes.keys() | self._errors.keys()))
                    ready = sorted(left.intersection(self._outcomes.keys() | self._errors.keys()))
                for number in ready:
                    yield number, self.outcome(number)
                left.difference_update(ready)
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Drop the pieces that no thread has begun."""
        self._waiting.clear()

    def join(self) -> None:
        """Wait until no thread works any more."""
        for thread in self._threads:
            thread.join()


class InTurn(Generic[Outcome]):
    """Pieces of work that are done one after the other by the thread that asks for their outcomes."""

    def __init__(self, pieces: Iterable[Callable[[], Outcome]]) -> None:
        self._waiting = deque(enumerate(pieces))

    def __iter__(self) -> Iterator[Outcome]:
        """Outcomes in the order of the pieces; after an error the rest is cancelled."""
        return (outcome for _, outcome in self.finished())

    def finished(self) -> Iterator[tuple[int, Outcome]]:
        """Numbers of pieces and their outcomes; after an error the rest is cancelled."""
        try:
            while self._waiting:
                number, piece = self._waiting.popleft()
                yield number, piece()
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Drop the pieces that are left."""
        self._waiting.clear()

    def join(self) -> None:
        """There is nothing to wait for."""


def spread(work: Callable[[Piece], Outcome], pieces: Iterable[Piece], threads: int | None = None) -> Iterator[Outcome]:
    """Apply ``work`` to each piece on several threads and give the outcomes in order; an interrupt leaves no thread at work."""
    jobs = [partial(work, piece) for piece in pieces]
    if len(jobs) <= 1 or thread_count(threads) == 1:
        yield from InTurn(jobs)
        return
    running = Spread(jobs, threads)
    try:
        yield from running
    finally:
        running.join()
