"""Evaluation jobs: each belongs to a session, waits for a process, reports its progress, and can be cancelled."""

from __future__ import annotations

import asyncio
import secrets
import sys
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from mensura.errors import MensuraError
from mensura.web.jobs.tasks import evaluate_campaign
from mensura.web.jobs.workers import BusyError, StoppedError

if TYPE_CHECKING:
    from mensura.web.jobs.workers import Workers
    from mensura.web.settings import Limits

State = Literal["waiting", "running", "done", "failed", "cancelled"]
KEPT = 8  # evaluations of a session that are remembered


@dataclass
class Job:
    """An evaluation."""

    id: str
    session: str
    state: State = "waiting"
    stage: str = ""
    done: int = 0
    total: int = 0
    error: str | None = None
    result: dict[str, Any] | None = None
    report: str | None = None
    """Path of its report, if one was asked for."""
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in {"waiting", "running"}


class Jobs:
    """All evaluations."""

    def __init__(self, workers: Workers, limits: Limits) -> None:
        self.workers = workers
        self.limits = limits
        self.all: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def of(self, session: str) -> list[Job]:
        """Return the evaluations of a session, the oldest first."""
        return [job for job in self.all.values() if job.session == session]

    def start(self, session: str, question: dict[str, Any]) -> Job:
        """Start an evaluation."""
        if self.workers.waiting >= self.limits.waiting:
            raise BusyError
        for old in self.of(session)[: -KEPT + 1]:
            del self.all[old.id]
        job = Job(secrets.token_urlsafe(12), session, report=question["report"])
        self.all[job.id] = job
        task = asyncio.create_task(self._run(job, question))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    async def _run(self, job: Job, question: dict[str, Any]) -> None:
        def tell(stage: str, done: int, total: int) -> None:
            if not job.stop.is_set():
                job.state, job.stage, job.done, job.total = "running", stage, done, total

        try:
            job.result = await self.workers.run(
                evaluate_campaign, question, limit=self.limits.job_seconds, tell=tell, stop=job.stop
            )
            job.state = "done"
        except (StoppedError, asyncio.CancelledError):
            job.state = "cancelled"
        except BusyError:
            job.state, job.error = "failed", "too many evaluations are waiting; try again later"
        except MensuraError as error:
            job.state, job.error = "failed", str(error)
        except RuntimeError as error:
            job.state, job.error = "failed", "internal error; the server log has the details"
            sys.stderr.write(f"{error}\n")

    def cancel(self, job: Job) -> None:
        """Stop an evaluation."""
        if job.active:
            job.stop.set()
            job.state = "cancelled"

    def forget(self, session: str) -> None:
        """Stop and drop the evaluations of a session."""
        for job in self.of(session):
            job.stop.set()
            del self.all[job.id]

    def stop(self) -> None:
        """Stop all evaluations."""
        for job in self.all.values():
            job.stop.set()
