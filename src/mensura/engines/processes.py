"""Independent pieces of work in other processes: for work that holds the interpreter's lock, as reading texts does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from mensura.engines.threads import thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Piece = TypeVar("Piece")
Outcome = TypeVar("Outcome")
FEW = 4  # pieces that are done sooner here than a process is started


def spread_processes(
    function: Callable[[Piece], Outcome], pieces: Sequence[Piece], processes: int | None = None
) -> Iterator[Outcome]:
    """Yield the outcomes of a function in the order of the pieces, which other processes work on.

    The function must be one of a module, and pieces and outcomes must be picklable. Processes are spawned, so that nothing of this
    one (threads, locks, open files) is copied into them; one per core by default.

    Examples
    --------
    >>> list(spread_processes(abs, [-1, 2, -3, 4], processes=2))
    [1, 2, 3, 4]
    """
    count = min(thread_count(processes), len(pieces))
    if count < 2 or len(pieces) < FEW:  # noqa: PLR2004 - one process is this one
        yield from map(function, pieces)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(function, piece) for piece in pieces]
        try:
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
