"""Shuffles on a Dask cluster, by Dask's own shuffle of data frames: workers send each other rows, and keep them on disk."""

from __future__ import annotations

import contextlib
import pickle
from concurrent.futures import CancelledError
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from distributed.client import FutureCancelledError

from mensura.engines.dask_tasks import BETWEEN, LOST, do_pieces, explained, version
from mensura.engines.engine import retried
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from distributed import Client, Future

    from mensura.engines.dask_tasks import Dispatch

Outcome = TypeVar("Outcome")
KEY, PIECE, BLOCK = "key", "piece", "block"
ERROR = -1  # the number of a piece that could not be divided
MISSING = (
    "topics of a run are in several of its parts, and Dask shuffles data frames, which need pandas and pyarrow; install them here "
    "and on the workers (pip install 'dask[dataframe]'), or sort the run by topic"
)


class ShuffledTasks(Generic[Outcome]):
    """Work on blocks of bytes by key; see :meth:`mensura.engines.engine.Engine.shuffle`."""

    def __init__(  # noqa: PLR0917 - those of the engine, and what it knows
        self,
        client: Client,
        address: str,
        look_after: Callable[[], object],
        job: Dispatch[Any, Any, Any],
        split: Callable[[Any], Sequence[bytes]],
        pieces: Sequence[Any],
        parts: int,
    ) -> None:
        try:
            import dask.dataframe as frames
            from dask.config import set as configured
            from dask.delayed import delayed
        except ImportError:
            raise MensuraError(MISSING) from None
        self._client, self._address, self._look = client, address, look_after
        self._job = job
        self._parts = parts
        self._arrived: SimpleQueue[Future[Any]] = SimpleQueue()
        self._futures: list[Future[Any]] = []
        try:
            self._common = job.common(client)
            with configured({"dataframe.convert-string": False}):
                whole = frames.from_map(  # type: ignore[no-untyped-call]
                    divide, list(enumerate(pieces)), meta=no_rows(), enforce_metadata=False, split=split
                )
                shuffled = whole.shuffle(on=KEY, npartitions=parts, shuffle_method="p2p").to_delayed()
            tasks = [delayed(do_blocks, pure=False)(version(), job.work, self._common, rows) for rows in shuffled]
            self._futures = client.compute(tasks, retries=2)
        except (OSError, CancelledError, FutureCancelledError) as error:
            raise MensuraError(LOST.format(address=address)) from error
        self._numbers = {future.key: number for number, future in enumerate(self._futures)}
        for future in self._futures:
            future.add_done_callback(self._arrived.put)

    def __len__(self) -> int:
        return self._parts

    def finished(self) -> Iterator[tuple[int, Outcome]]:
        """Numbers of parts and their outcomes, as they finish."""
        left = len(self._futures)
        try:
            while left:
                try:
                    future = self._arrived.get(timeout=BETWEEN)
                except Empty:
                    self._look_after()
                    continue
                with explained(self._client, self._address, self._job):
                    _, [outcome] = future.result()
                number = self._numbers.get(future.key)
                if isinstance(outcome, MensuraError):
                    raise outcome
                left -= 1
                future.release()
                yield number or 0, outcome
        finally:
            self.cancel()

    def _look_after(self) -> None:
        """Report workers that are gone; Dask begins the shuffle again with the others."""
        try:
            self._look()
        except (OSError, CancelledError, FutureCancelledError) as error:
            raise MensuraError(LOST.format(address=self._address)) from error

    def __iter__(self) -> Iterator[Outcome]:
        """Outcomes as they finish: parts have no order."""
        return (outcome for _, outcome in self.finished())

    def cancel(self) -> None:
        """Drop the parts that are not done."""
        left, self._futures = self._futures, []
        with contextlib.suppress(Exception):
            if left:
                self._client.cancel(left, force=True)

    def join(self) -> None:
        """Nothing of it runs in this process."""


def no_rows() -> Any:
    """The frame of no piece."""
    return _frame(0, [])


def divide(numbered: tuple[int, Any], *, split: Callable[[Any], Sequence[bytes]]) -> Any:
    """Divide a piece: a frame of its blocks by key. An error of Mensura's is a block, as Dask's shuffle would hide what it says."""
    number, piece = numbered
    try:
        return _frame(number, retried(partial(split, piece)))
    except MensuraError as error:
        error.__cause__ = error.__context__ = None
        return _frame(ERROR, [pickle.dumps(error)])


def _frame(number: int, blocks: Sequence[bytes]) -> Any:
    import pandas as pd
    import pyarrow as pa

    keys = range(len(blocks))
    data = pd.array(list(blocks), dtype=pd.ArrowDtype(pa.large_binary()))
    return pd.DataFrame(
        {
            KEY: pd.Series(keys, dtype="int64"),
            PIECE: pd.Series([number] * len(blocks), dtype="int64"),
            BLOCK: pd.Series(data, dtype=data.dtype),
        }
    )


def do_blocks(expected: str, work: Callable[[Any, list[bytes]], Outcome], shared: Any, rows: Any) -> Any:
    """Work on the blocks of some keys, in the order of the pieces; the outcome is that of :func:`do_pieces`."""
    rows = rows.sort_values([PIECE, KEY], kind="stable")
    blocks = rows[BLOCK].tolist()
    if ERROR in rows[PIECE].to_numpy():
        return 0.0, [pickle.loads(blocks[0])]  # noqa: S301 - our own bytes
    return do_pieces(expected, work, shared, [blocks])
