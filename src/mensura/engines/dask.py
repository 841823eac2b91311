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
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from distributed import Client, KilledWorker, LocalCluster
from distributed.client import FutureCancelledError

from mensura.engines.engine import Pace, may_pass
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
WAITING = 2  # groups for each thread of a worker: one that it does, and one that waits, so that it never does
BETWEEN = 2.0  # seconds between two looks at the workers
SILENCE = 15  # seconds; workers send a sign of life every second or so
LOGGERS = ("distributed", "distributed.client", "tornado.application", "asyncio")
LOST = "the connection to Dask's scheduler at {address} was lost; nothing was written, so run the command again when it is back"
DROPPED = (
    "workers were lost with the {size:.0f} MB that all of them need, most likely for lack of memory; give them more of it "
    "(dask worker --memory-limit), or name the judgments as a file that workers can read"
)


class Dask:
    """A Dask cluster.

    ``scheduler`` is the address of a scheduler, a ``Client``, or ``None`` for workers on this machine, ``workers`` of them.
    """

    name = "dask"

    def __init__(self, scheduler: Client | str | None = None, workers: int | None = None) -> None:
        self.report: Callable[[str], None] = lambda _: None
        self._cluster: LocalCluster | None = None
        self._owned = not isinstance(scheduler, Client)
        self._levels = {name: logging.getLogger(name).level for name in LOGGERS} if self._owned else {}
        for name in self._levels:  # they write tracebacks about what is said here in a sentence
            logging.getLogger(name).setLevel(logging.CRITICAL)
        if isinstance(scheduler, Client):
            self.client = scheduler
        elif scheduler is not None:
            self.client = self._connected(scheduler)
        else:
            self._cluster = LocalCluster(
                n_workers=workers or available_cores(),
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
            self.client = Client(self._cluster)
        self.address = str(self.client.scheduler.address) if self.client.scheduler is not None else "an unknown address"
        self._asked = time.monotonic()
        self._threads: dict[str, int] = {}
        try:
            self._threads = self._checked()
        except BaseException:
            self.close()
            raise

    def _let_speak(self) -> None:
        """Give the loggers their levels back."""
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)

    def _connected(self, address: str) -> Client:
        try:
            return Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            self._let_speak()
            raise MensuraError(
                f"no scheduler of Dask answers at {address}: {error or type(error).__name__}; start one with dask scheduler, "
                "or leave --scheduler out for workers on this machine"
            ) from None

    def _checked(self) -> dict[str, int]:
        """Numbers of threads of the workers, which must have this version of Mensura."""
        threads: dict[str, int] = self.client.nthreads()
        if not sum(threads.values()):
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
        return Tasks(self, Dispatch(work, pieces, shared), [1.0] * len(pieces) if seconds is None else seconds)

    def slots(self) -> int:
        """Number of threads of the workers that are there now; lost ones are reported, and clusters may grow."""
        if time.monotonic() - self._asked > BETWEEN:
            now = self.client.nthreads()
            for lost in sorted(self._threads.keys() - now.keys()):
                self.report(f"the worker {lost} is gone; others do its work")
            self._threads, self._asked = now, time.monotonic()
        return max(1, sum(self._threads.values()))

    def silent(self) -> set[str]:
        """Addresses of workers that have not been heard of for a while: stopped, or cut off."""
        workers: dict[str, Any] = self.client.scheduler_info()["workers"]
        now = max((facts["last_seen"] for facts in workers.values()), default=0)  # by the scheduler's clock
        return {address for address, facts in workers.items() if now - facts["last_seen"] > SILENCE}

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._owned:
            with contextlib.suppress(Exception):
                self.client.close(timeout=2)
            if self._cluster is not None:
                with contextlib.suppress(Exception):
                    self._cluster.close(timeout=5)
            self._let_speak()


class Dispatch(Generic[Shared, Piece, Outcome]):
    """Work on pieces with the data that they share, under names that are digests of all of it."""

    def __init__(self, work: Callable[[Shared, Piece], Outcome], pieces: Sequence[Piece], shared: Shared) -> None:
        self.work = work
        self.pieces = pieces
        self.shared = shared
        self._data = pickle.dumps(shared, protocol=5)
        self._head = hashlib.sha256(self._data)
        self.size = len(self._data)
        self.scattered = self.size > KEPT
        self._name = self._head.hexdigest()[:32]
        self._head.update(repr((version(), work.__module__, work.__qualname__)).encode())

    def common(self, client: Client, attempt: int = 0) -> Future[Any]:
        """The shared data on the cluster. A worker has them once, from the scheduler or another worker."""
        if not self.scattered:
            return client.submit(pickle.loads, self._data, key=f"mensura-shared-{self._name}-{attempt}")
        [future] = client.scatter([self.shared], broadcast=True, hash=False)
        return future

    def submit(self, client: Client, common: Future[Any], group: range, attempt: int = 0, workers: Any = None) -> Future[Any]:
        """Send a group of pieces; ``workers`` are those that may do it."""
        some = [self.pieces[number] for number in group]
        name = self._head.copy()
        name.update(pickle.dumps(some, protocol=5))
        key = f"mensura-{self.work.__name__}-{name.hexdigest()[:32]}-{attempt}"
        return client.submit(do_pieces, version(), self.work, common, some, key=key, retries=2, workers=workers)


class Tasks(Generic[Outcome]):
    """Groups of pieces on a cluster: as many as keep its workers busy, each as large as the last ones have shown to be right."""

    def __init__(self, engine: Dask, job: Dispatch[Any, Any, Outcome], seconds: Sequence[float]) -> None:
        self._engine = engine
        self._job = job
        self._seconds = seconds
        self._next = 0
        self._pace = Pace(sum(seconds))
        self._groups: dict[Any, range] = {}  # by the names of the tasks that are not done
        self._futures: dict[Any, Future[Any]] = {}
        self._attempts: dict[range, int] = {}
        self._arrived: SimpleQueue[Future[Any]] = SimpleQueue()
        try:
            self._common = [job.common(engine.client)]  # they must live as long as the tasks that need them
            self._fill()
        except (OSError, CancelledError, FutureCancelledError) as error:
            raise MensuraError(LOST.format(address=engine.address)) from error

    def __len__(self) -> int:
        return len(self._seconds)

    def _fill(self) -> None:
        """Send groups until every worker has one to do and one to wait."""
        slots = self._engine.slots()
        while self._next < len(self._seconds) and len(self._groups) < WAITING * slots:
            group = self._pace.group(self._seconds, self._next, slots)
            self._next = group.stop
            self._send(group)

    def _send(self, group: range, attempt: int = 0, workers: Any = None) -> None:
        future = self._job.submit(self._engine.client, self._common[-1], group, attempt, workers)
        self._groups[future.key], self._futures[future.key] = group, future
        self._attempts[group] = attempt
        future.add_done_callback(self._arrived.put)

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
            while self._groups:
                try:
                    future = self._arrived.get(timeout=BETWEEN)
                except Empty:
                    self._look_after()
                    continue
                group = self._groups.get(future.key)
                if group is None:
                    continue  # another attempt was first
                took, outcomes = self._result(future)
                self._pace.learn(sum(self._seconds[group.start : group.stop]), took)
                self._forget(group)
                self._fill()
                yield from zip(group, outcomes, strict=True)
        finally:
            self.cancel()

    def _look_after(self) -> None:
        """Give the groups of silent workers to others: pieces are idempotent, and the first outcome counts."""
        try:
            silent = self._engine.silent()
            others = [address for address in self._engine.client.nthreads() if address not in silent]
            held = self._engine.client.processing(list(silent)) if silent else {}
            stuck = {self._groups[key]: at for at, keys in held.items() for key in keys if key in self._groups}
            stuck = {group: at for group, at in stuck.items() if not self._attempts[group]}
            if not stuck or not others:
                return
            for at in sorted(set(stuck.values())):
                self._engine.report(f"the worker {at} has not answered for {SILENCE} s; others do its work")
            self._common.append(self._job.common(self._engine.client, len(self._common)))  # that of the silent one cannot be had
            for group in stuck:
                self._send(group, attempt=1, workers=others)
        except (OSError, CancelledError, FutureCancelledError) as error:
            raise MensuraError(LOST.format(address=self._engine.address)) from error

    def _forget(self, group: range) -> None:
        for key in [key for key, each in self._groups.items() if each == group]:
            del self._groups[key]
            self._futures.pop(key).release()

    def _result(self, future: Future[Any]) -> tuple[float, list[Outcome | MensuraError]]:
        address = self._engine.address
        try:
            outcomes: tuple[float, list[Outcome | MensuraError]] = future.result()
        except KilledWorker as error:
            raise MensuraError(
                f"a piece of the work ended {error.allowed_failures + 1} workers one after the other, most likely for lack of "
                "memory; give the workers more of it (dask worker --memory-limit), or files with fewer topics"
            ) from None
        except (CancelledError, FutureCancelledError):
            lost = DROPPED if self._job.scattered and self._engine.client.status == "running" else LOST
            raise MensuraError(lost.format(address=address, size=self._job.size / 1e6)) from None
        except MensuraError:
            raise
        except OSError as error:
            raise MensuraError(f"{LOST.format(address=address)} ({type(error).__name__}: {error})") from None
        except Exception as error:
            raise MensuraError(f"a worker of {address} failed: {type(error).__name__}: {error}") from error
        return outcomes

    def cancel(self) -> None:
        """Drop the groups that are not done."""
        self._next = len(self._seconds)
        left = list(self._futures.values())
        self._groups.clear()
        self._futures.clear()
        with contextlib.suppress(Exception):
            if left:
                self._engine.client.cancel(left, force=True)

    def join(self) -> None:
        """Nothing of it runs in this process."""


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


def do_pieces(expected: str, work: Callable[[Shared, Piece], Outcome], shared: Shared, pieces: list[Piece]) -> Any:
    """Work on a group of pieces: the seconds that it took, and outcomes.

    An error of Mensura's is an outcome: it would be the same on every other worker.
    """
    started = time.perf_counter()
    if version() != expected:  # a worker that came after the others had been asked
        return 0.0, [MensuraError(wrong_version("that joined", version())), *[None] * (len(pieces) - 1)]
    outcomes: list[Any] = []
    for piece in pieces:
        try:
            outcomes.append(_attempted(work, shared, piece))
        except MensuraError as error:
            error.__cause__ = error.__context__ = None  # causes of other packages may not be picklable
            outcomes += [error, *[None] * (len(pieces) - len(outcomes) - 1)]
            break
    return time.perf_counter() - started, outcomes


def _attempted(work: Callable[[Shared, Piece], Outcome], shared: Shared, piece: Piece) -> Outcome:
    """Work on a piece, and if the storage fails, again after a while."""
    for attempt in range(ATTEMPTS):
        try:
            return work(shared, piece)
        except MensuraError as error:
            if not may_pass(error) or attempt == ATTEMPTS - 1:
                raise
        time.sleep(FIRST_WAIT * 4**attempt)
    raise AssertionError
