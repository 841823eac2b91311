"""Pieces of work on a Dask cluster: this machine's processes, or any number of machines behind a scheduler.

A group of pieces is a task. Its name is a digest of the work, so that the same work twice is done once; a worker that dies is
replaced by another, and an error of the storage is tried again. Only this module imports Dask.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import pickle
import time
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from distributed import Client, KilledWorker, LocalCluster, as_completed
from distributed.client import FutureCancelledError

from mensura.engines.engine import grouped
from mensura.engines.threads import available_cores
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from distributed import Future

Piece = TypeVar("Piece")
Shared = TypeVar("Shared")
Outcome = TypeVar("Outcome")

ATTEMPTS = 5
FIRST_WAIT = 0.05  # seconds, four times as long each time: 4 s in all
PATIENCE = "10s"  # to reach a scheduler
KEPT = 1 << 23  # bytes of shared data that the scheduler keeps, so that a worker can have them again
LASTING = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)
LOST = "the connection to Dask's scheduler at {address} was lost; nothing was written, so run the command again when it is back"


class Dask:
    """A Dask cluster.

    ``scheduler`` is the address of a scheduler, a ``Client``, or ``None`` for workers on this machine, ``workers`` of them.
    """

    name = "dask"

    def __init__(self, scheduler: Client | str | None = None, workers: int | None = None) -> None:
        self._cluster: LocalCluster | None = None
        self._owned = not isinstance(scheduler, Client)
        if isinstance(scheduler, Client):
            self.client = scheduler
        elif scheduler is not None:
            self.client = self._connected(scheduler)
        else:
            self._cluster = LocalCluster(
                n_workers=workers or available_cores(), threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            )
            self.client = Client(self._cluster)
        self.address = str(self.client.scheduler.address) if self.client.scheduler is not None else "an unknown address"
        try:
            self.workers = self._checked()
        except BaseException:
            self.close()
            raise

    def _connected(self, address: str) -> Client:
        try:
            return Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise MensuraError(
                f"no scheduler of Dask answers at {address}: {error or type(error).__name__}; start one with dask scheduler, "
                "or leave --scheduler out for workers on this machine"
            ) from None

    def _checked(self) -> int:
        """Number of threads of all workers, which must have this version of Mensura."""
        threads = sum(self.client.nthreads().values())
        if not threads:
            raise MensuraError(
                f"the scheduler at {self.address} has no workers; start some on any machine: dask worker {self.address}"
            )
        try:
            versions: dict[str, Any] = self.client.run(version, on_error="return")
        except Exception as error:
            raise MensuraError(f"the workers of {self.address} do not answer: {type(error).__name__}: {error}") from error
        for worker, installed in versions.items():
            if isinstance(installed, OSError):
                continue  # it has just died; pieces ask for the version again
            if isinstance(installed, BaseException):
                raise MensuraError(
                    f"the worker {worker} cannot run Mensura: {type(installed).__name__}: {installed}; install it there"
                )
            if installed != version():
                raise MensuraError(wrong_version(worker, installed))
        return threads

    @property
    def dashboard(self) -> str | None:
        """Address of the dashboard, if there is one."""
        served = "dashboard" in self.client.scheduler_info().get("services", {})
        return self.client.dashboard_link if served and self._cluster is None else None

    def run(
        self,
        work: Callable[[Shared, Piece], Outcome],
        pieces: Sequence[Piece],
        shared: Shared,
        seconds: Sequence[float] | None = None,
    ) -> Tasks[Outcome]:
        """Begin to work on pieces, in groups that take some seconds each."""
        groups = grouped([1.0] * len(pieces) if seconds is None else seconds, self.workers)
        try:
            data = pickle.dumps(shared, protocol=5)
            head = hashlib.sha256(data)
            if len(data) <= KEPT:
                common = self.client.submit(pickle.loads, data, key=f"mensura-shared-{head.hexdigest()[:32]}")
            else:
                [common] = self.client.scatter([shared], broadcast=True, hash=False)
            head.update(repr((version(), work.__module__, work.__qualname__)).encode())
            futures = []
            for group in groups:
                some = [pieces[number] for number in group]
                name = head.copy()
                name.update(pickle.dumps(some, protocol=5))
                key = f"mensura-{work.__name__}-{name.hexdigest()[:32]}"
                futures.append(self.client.submit(do_pieces, version(), work, common, some, key=key, retries=2))
        except (OSError, CancelledError, FutureCancelledError) as error:
            raise MensuraError(LOST.format(address=self.address)) from error
        return Tasks(self, groups, futures, common)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._owned:
            with contextlib.suppress(Exception):
                self.client.close(timeout=2)
            if self._cluster is not None:
                with contextlib.suppress(Exception):
                    self._cluster.close(timeout=5)


class Tasks(Generic[Outcome]):
    """Groups of pieces on a cluster."""

    def __init__(self, engine: Dask, groups: Sequence[range], futures: Sequence[Future[Any]], common: Future[Any]) -> None:
        self._engine = engine
        self._groups = {future.key: group for future, group in zip(futures, groups, strict=True)}
        self._futures = list(futures)
        self._common = common  # it must live as long as the tasks that need it

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))

    def finished(self) -> Iterator[tuple[int, Outcome]]:
        """Numbers of pieces and their outcomes, as groups finish."""
        for number, outcome in self._arrivals():
            if isinstance(outcome, MensuraError):
                raise outcome
            yield number, outcome

    def __iter__(self) -> Iterator[Outcome]:
        """Outcomes in the order of the pieces, and an error of a piece at its place."""
        waiting: dict[int, Outcome | MensuraError] = {}
        after = 0
        for number, outcome in self._arrivals():
            waiting[number] = outcome
            while after in waiting:
                ready = waiting.pop(after)
                if isinstance(ready, MensuraError):
                    raise ready
                yield ready
                after += 1

    def _arrivals(self) -> Iterator[tuple[int, Outcome | MensuraError]]:
        try:
            for future in as_completed(self._futures, loop=self._engine.client.loop):
                outcomes = self._result(future)
                future.release()
                yield from zip(self._groups[future.key], outcomes, strict=True)
        finally:
            self.cancel()

    def _result(self, future: Future[Any]) -> list[Outcome | MensuraError]:
        address = self._engine.address
        try:
            outcomes: list[Outcome | MensuraError] = future.result()
        except KilledWorker as error:
            raise MensuraError(
                f"a piece of the work ended {error.allowed_failures + 1} workers one after the other, most likely for lack of "
                "memory; give the workers more of it (dask worker --memory-limit), or files with fewer topics"
            ) from None
        except (CancelledError, FutureCancelledError):
            raise MensuraError(LOST.format(address=address)) from None
        except MensuraError:
            raise
        except OSError as error:
            raise MensuraError(f"{LOST.format(address=address)} ({type(error).__name__}: {error})") from None
        except Exception as error:
            raise MensuraError(f"a worker of {address} failed: {type(error).__name__}: {error}") from error
        return outcomes

    def cancel(self) -> None:
        """Drop the groups that are not done."""
        left = [future for future in self._futures if future.status == "pending"]
        with contextlib.suppress(Exception):
            if left:
                self._engine.client.cancel(left, force=True)


def version() -> str:
    """The version of Mensura in this process."""
    import mensura

    return mensura.__version__


def wrong_version(worker: str, installed: object) -> str:
    """The sentence about a worker of another version."""
    return (
        f"the worker {worker} has Mensura {installed}, and this is {version()}; results of two versions are not mixed, "
        f"so install {version()} there"
    )


def do_pieces(expected: str, work: Callable[[Shared, Piece], Outcome], shared: Shared, pieces: list[Piece]) -> list[Any]:
    """Work on a group of pieces. An error of Mensura's is an outcome: it would be the same on every other worker."""
    if version() != expected:  # a worker that came after the others had been asked
        return [MensuraError(wrong_version("that joined", version())), *[None] * (len(pieces) - 1)]
    outcomes: list[Any] = []
    for piece in pieces:
        try:
            outcomes.append(_attempted(work, shared, piece))
        except MensuraError as error:
            error.__cause__ = error.__context__ = None  # causes of other packages may not be picklable
            return [*outcomes, error, *[None] * (len(pieces) - len(outcomes) - 1)]
    return outcomes


def _attempted(work: Callable[[Shared, Piece], Outcome], shared: Shared, piece: Piece) -> Outcome:
    """Work on a piece, and if the storage fails, again after a while."""
    for attempt in range(ATTEMPTS):
        try:
            return work(shared, piece)
        except MensuraError as error:
            passing = isinstance(error.__cause__, OSError) and not isinstance(error.__cause__, LASTING)
            if not passing or attempt == ATTEMPTS - 1:
                raise
        time.sleep(FIRST_WAIT * 4**attempt)
    raise AssertionError
