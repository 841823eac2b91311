"""Processes that compute, so that the server's own process is free to answer.

A task is a function of a module and its arguments. It has limits of time and memory, can report its progress, and can be stopped
at any moment: its process is killed and another one takes its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    Tell = Callable[[str, int, int], None]

PRELOADED = ["mensura.web.jobs.tasks"]
TICK = 0.05  # seconds between looks at the clock
NICE = 10  # pages come first


class BusyError(Exception):
    """All processes are busy, and the queue is full."""


class StoppedError(Exception):
    """A task that was asked to stop."""


class TaskError(MensuraError):
    """A task that was refused, took too long or needed too much memory; the message says which."""


class TooLongError(TaskError):
    """A task that exceeded its limit of time."""


class Worker:
    """A process and the pipe to it."""

    def __init__(self, memory: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            context.set_forkserver_preload(PRELOADED)
        self.line, far = context.Pipe()
        self.process = context.Process(target=work, args=(far, memory), daemon=True)
        self.process.start()
        far.close()

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.join()
        self.line.close()

    def converse(self, task: tuple[Any, ...], limit: float, tell: Tell | None, stop: threading.Event) -> Any:
        """Run a task in the process and wait for its result."""
        deadline = time.monotonic() + limit
        self.line.send(task)
        while True:
            if self.line.poll(TICK):
                kind, value = self.line.recv()
                if kind == "told":
                    if tell is not None:
                        tell(*value)
                elif kind == "done":
                    return value
                elif kind == "refused":
                    raise TaskError(value)
                else:
                    raise RuntimeError(value)
            if stop.is_set():
                raise StoppedError
            if time.monotonic() > deadline:
                raise TooLongError(
                    f"this takes longer than the {limit:g} seconds that this server allows; ask for less, or use the command line"
                )


class Workers:
    """A pool of processes. Tasks wait for a free one, in their order."""

    def __init__(self, number: int, memory: int, waiting: int) -> None:
        self.memory = memory
        self.most = waiting
        self.waiting = 0
        self.idle: asyncio.Queue[Worker | None] = asyncio.Queue()
        self.threads = ThreadPoolExecutor(number)
        for _ in range(number):
            self.idle.put_nowait(None)  # started when it is first needed
        self.all: set[Worker] = set()

    async def run(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        limit: float,
        tell: Tell | None = None,
        stop: threading.Event | None = None,
    ) -> Any:
        """Return the result of ``function(tell, *arguments)``, called in another process."""
        stop = stop or threading.Event()
        if self.idle.empty() and self.waiting >= self.most:
            raise BusyError
        self.waiting += 1
        try:
            worker = await self.idle.get()
        finally:
            self.waiting -= 1
        try:
            loop = asyncio.get_running_loop()
            if worker is None:
                worker = await loop.run_in_executor(self.threads, Worker, self.memory)
                self.all.add(worker)
            return await loop.run_in_executor(self.threads, worker.converse, (function, arguments), limit, tell, stop)
        except (EOFError, OSError):
            self._drop(worker)
            worker = None
            raise TaskError("the process that computed this has died; it may have needed too much memory") from None
        except BaseException as error:
            if not isinstance(error, TaskError | RuntimeError) or isinstance(error, TooLongError):
                self._drop(worker)  # it is still at work
                worker = None
            raise
        finally:
            self.idle.put_nowait(worker)

    def _drop(self, worker: Worker | None) -> None:
        if worker is not None:
            self.all.discard(worker)
            worker.end()

    def renew(self) -> None:
        """Kill the idle processes with all that they remember; others take their place when needed."""
        for _ in range(self.idle.qsize()):
            self._drop(self.idle.get_nowait())
            self.idle.put_nowait(None)

    def close(self) -> None:
        """Kill all processes."""
        for worker in self.all:
            worker.process.kill()
        self.threads.shutdown(wait=True, cancel_futures=True)
        for worker in self.all:
            worker.end()


def work(line: Connection, memory: int) -> None:
    """Run tasks until the pipe is closed: the main function of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))  # not the address space: V8 reserves 64 GB of that
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)

    def tell(what: str, done: int, total: int) -> None:
        line.send(("told", (what, done, total)))

    while True:
        try:
            function, arguments = line.recv()
        except (EOFError, OSError):
            return
        line.send(_outcome(function, tell, arguments))


def _outcome(function: Callable[..., Any], tell: Tell, arguments: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "done", function(tell, *arguments)
    except MensuraError as error:
        return "refused", str(error)
    except MemoryError:
        return "refused", "this needs more memory than this server allows; ask for less, or use the command line"
    except Exception:  # noqa: BLE001 - an internal error, which the server logs
        return "broken", traceback.format_exc()
