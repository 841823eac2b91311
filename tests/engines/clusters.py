"""Clusters of real processes: a scheduler and workers on this machine, each a process that can be stopped, killed and restarted."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from distributed import Client


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    """A scheduler and workers. ``environment`` is added to that of the workers."""

    def __init__(self, folder, workers=2, memory="auto", environment=None, nanny=False):
        self.folder = folder
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.memory = memory
        self.nanny = nanny
        root = Path(__file__).parents[2]  # pieces of tests are found there
        self.environment = {**os.environ, "PYTHONPATH": str(root), "DASK_LOGGING__DISTRIBUTED": "critical", **(environment or {})}
        self.log = (folder / "cluster.log").open("ab")
        self.scheduler = self.start_scheduler()
        self.workers = [self.start_worker() for _ in range(workers)]
        self.wait(workers)

    def _start(self, *words):
        command = [sys.executable, "-m", "dask", *words]
        return subprocess.Popen(command, stdout=self.log, stderr=self.log, env=self.environment, cwd=self.folder)

    def start_scheduler(self):
        return self._start("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")

    def start_worker(self):
        return self._start(
            "worker",
            self.address,
            "--nthreads",
            "1",
            "--host",
            "127.0.0.1",
            "--no-dashboard",
            "--nanny" if self.nanny else "--no-nanny",
            "--memory-limit",
            self.memory,
            "--local-directory",
            str(self.folder),
        )

    def wait(self, workers):
        """Wait until all workers have come."""
        for _ in range(600):
            try:
                with Client(self.address, timeout="10s", set_as_default=False) as client:
                    if workers:
                        client.wait_for_workers(workers, timeout=120)
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError((self.folder / "cluster.log").read_text()[-2000:])

    def close(self):
        for process in [*self.workers, self.scheduler]:
            if process.poll() is None:
                process.kill()
        for process in [*self.workers, self.scheduler]:
            process.wait()
        self.log.close()


@contextmanager
def cluster(folder, **options):
    made = Cluster(folder, **options)
    try:
        yield made
    finally:
        made.close()
