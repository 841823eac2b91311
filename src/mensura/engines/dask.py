"""Pieces of work on a Dask cluster: this machine's processes, or any number of machines behind a scheduler.

A group of pieces is a task. Its name is a digest of the work, so that the same work twice is done once; a worker that dies is
replaced by another, and an error of the storage is tried again. Only the modules of that name import Dask.
"""

from __future__ import annotations

import contextlib
import logging
import time
from concurrent.futures import CancelledError
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from distributed import Client, LocalCluster
from distributed.client import FutureCancelledError

from mensura.engines.dask_shuffle import ShuffledTasks
from mensura.engines.dask_tasks import BETWEEN, LOST, Dispatch, explained, version, wrong_version
from mensura.engines.engine import Pace
from mensura.engines.threads import available_cores
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from distributed import Future

Piece = TypeVar("Piece")
Shared = TypeVar("Shared")
Outcome = TypeVar("Outcome")

PATIENCE = "10s"  # to reach a scheduler
WAITING = 2  # groups for each thread of a worker: one that it does, and one that waits, so that it never does
SILENCE = 15  # seconds; workers send a sign of life every second or so
LOGGERS = ("distributed", "distributed.client", "tornado.application", "asyncio")


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
        """Address of the dashboard, if there is one: a scheduler without bokeh has the server, and no page of it."""
        if self._cluster is not None:
            return None
        try:  # a nested function goes there as code, because a scheduler may not have Mensura
            served = self.client.run_on_scheduler(lambda dask_scheduler: bool(dask_scheduler.http_application.applications))
        except Exception:  # noqa: BLE001 - a link is not worth an error
            return None
        return self.client.dashboard_link if served else None

    def run(
        self,
        work: Callable[[Shared, Piece], Outcome],
        pieces: Sequence[Piece],
        shared: Shared,
        seconds: Sequence[float] | None = None,
    ) -> Tasks[Outcome]:
        """Begin to work on pieces, in groups that take some seconds each."""
        return Tasks(self, Dispatch(work, pieces, shared), [1.0] * len(pieces) if seconds is None else seconds)

    def shuffle(
        self,
        split: Callable[[Piece], Sequence[bytes]],
        pieces: Sequence[Piece],
        work: Callable[[Shared, list[bytes]], Outcome],
        shared: Shared,
        parts: int,
    ) -> ShuffledTasks[Outcome]:
        """Begin to shuffle blocks of bytes by Dask's own shuffle of data frames, and to work on parts of them."""
        return ShuffledTasks(self.client, self.address, self.slots, Dispatch(work, (), shared), split, pieces, parts)

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
        self._latest: dict[range, tuple[int, Any]] = {}  # number and name of the last attempt
        self._answering: list[str] | None = None  # workers, where others are silent
        self._reported: set[str] = set()
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

    def _send(self, group: range, attempt: int = 0) -> None:
        future = self._job.submit(self._engine.client, self._common[-1], group, attempt, self._answering)
        self._groups[future.key], self._futures[future.key] = group, future
        self._latest[group] = attempt, future.key
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
                with explained(self._engine.client, self._engine.address, self._job):
                    took, outcomes = future.result()
                self._pace.learn(sum(self._seconds[group.start : group.stop]), took)
                self._forget(group)
                self._fill()
                yield from zip(group, outcomes, strict=True)
        finally:
            self.cancel()

    def _look_after(self) -> None:
        """Give the groups of silent workers to others: pieces are idempotent, and the first outcome counts.

        What is shared may be with them too, or be on its way there: no worker can begin then, and all groups are sent again.
        """
        client = self._engine.client
        try:
            silent = self._engine.silent()
            answering = [address for address in client.nthreads() if address not in silent]
            self._answering = answering if silent and answering else None
            if self._answering is None:
                return
            held = {key: at for at, keys in client.processing(list(silent)).items() for key in keys}
            common = self._common[-1]
            holders = client.who_has([common]).get(common.key, ())
            if {*holders} <= silent if holders else common.key in held:
                at = next(iter(holders), held.get(common.key, ""))
                stuck = dict.fromkeys(self._groups.values(), at)
            else:
                stuck = {group: held[key] for group, (_, key) in self._latest.items() if key in held and key in self._groups}
            if not stuck:
                return
            for at in sorted({*stuck.values()} - self._reported):
                self._engine.report(f"the worker {at} has not answered for {SILENCE} s; others do its work")
            self._reported |= {*stuck.values()}
            self._common.append(self._job.common(client, len(self._common), self._answering))  # that of a silent one cannot be had
            for group in stuck:
                self._send(group, self._latest[group][0] + 1)
        except (OSError, CancelledError, FutureCancelledError) as error:
            raise MensuraError(LOST.format(address=self._engine.address)) from error

    def _forget(self, group: range) -> None:
        for key in [key for key, each in self._groups.items() if each == group]:
            del self._groups[key]
            self._futures.pop(key).release()

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
