"""State of a running server: its processes, its sessions, and its answers to repeated questions."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from mensura.web.jobs.evaluations import Jobs
from mensura.web.jobs.sessions import Sessions
from mensura.web.jobs.workers import Workers
from mensura.web.pages.assets import Bundle

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura.web.settings import Settings

KEPT = 256  # answers
WAITING = 64  # questions that may wait for a process
SWEEP = 60.0  # seconds between looks for sessions that have ended


class Server:
    """The state of a running server."""

    def __init__(self, settings: Settings) -> None:
        limits = settings.limits
        self.settings = settings
        self.bundle = Bundle()
        self.answering = Workers(settings.answering, limits.memory, WAITING)
        self.evaluating = Workers(settings.evaluating, limits.memory, limits.waiting)
        self.sessions = Sessions(limits)
        self.jobs = Jobs(self.evaluating, limits)
        self._answers: OrderedDict[Any, asyncio.Task[Any]] = OrderedDict()
        self._sweeping: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the work in the background."""
        self.bundle.start()
        self._sweeping = asyncio.create_task(self._sweep())

    async def answer(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function of :mod:`mensura.web.jobs.tasks` in another process; the same question is computed once."""
        key = (function.__name__, arguments)
        task = self._answers.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = asyncio.create_task(self.answering.run(function, *arguments, limit=self.settings.limits.seconds))
            self._answers[key] = task
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        self._answers.move_to_end(key)
        return await asyncio.shield(task)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            for session in self.sessions.expired():
                await self.forget(session.id)

    async def forget(self, session: str) -> None:
        """End a session: stop its evaluations, delete its files, and forget the answers computed from them."""
        self.jobs.forget(session)
        known = self.sessions.all.get(session)
        if known is not None and known.files:
            folder = str(known.folder)
            for key in [key for key in self._answers if folder in repr(key)]:
                del self._answers[key]
            self.answering.renew()
        await asyncio.to_thread(self.sessions.end, session)

    def stop(self) -> None:
        """Stop all processes and delete all sessions."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        self.jobs.stop()
        self.answering.close()
        self.evaluating.close()
        self.sessions.close()
