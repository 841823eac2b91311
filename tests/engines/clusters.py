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


LOOPBACK = ((), "127.0.0.1")


class Cluster:
    """A scheduler and workers. ``environment`` is added to that of the workers.

    ``hosts`` are pairs (words before a command, address) of machines: one for the scheduler, and one for each worker.
    """

    def __init__(self, folder, workers=2, memory="auto", environment=None, nanny=False, hosts=()):  # noqa: PLR0917 - all are named
        self.folder = folder
        self.hosts = list(hosts) or [LOOPBACK] * (workers + 1)
        self.port = free_port()
        self.address = f"tcp://{self.hosts[0][1]}:{self.port}"
        self.memory = memory
        self.nanny = nanny
        root = Path(__file__).parents[2]  # pieces of tests are found there
        self.environment = {**os.environ, "PYTHONPATH": str(root), "DASK_LOGGING__DISTRIBUTED": "critical", **(environment or {})}
        self.log = (folder / "cluster.log").open("ab")
        self.scheduler = self.start_scheduler()
        self.workers = [self.start_worker(host) for host in self.hosts[1:]]
        self.wait(workers)

    def _start(self, before, *words):
        command = [*before, sys.executable, "-m", "dask", *words]
        return subprocess.Popen(command, stdout=self.log, stderr=self.log, env=self.environment, cwd=self.folder)

    def start_scheduler(self):
        before, address = self.hosts[0]
        return self._start(before, "scheduler", "--host", address, "--port", str(self.port), "--no-dashboard")

    def start_worker(self, host=LOOPBACK):
        before, address = host
        return self._start(
            before,
            "worker",
            self.address,
            "--nthreads",
            "1",
            "--host",
            address,
            "--no-dashboard",
            "--nanny" if self.nanny else "--no-nanny",
            "--memory-limit",
            self.memory,
            "--local-directory",
            str(self.folder),
        )

    def restart_scheduler(self):
        """Kill the scheduler and start another one at its address."""
        self.scheduler.kill()
        self.scheduler.wait()
        self.scheduler = self.start_scheduler()

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


@contextmanager
def namespaces(number):
    """Machines with addresses of their own on one bridge: namespaces of Linux. Yields this side's address, and the machines.

    Raises ``OSError`` or ``CalledProcessError`` where that is not allowed.
    """
    name = f"ms{os.getpid() % 10**6}"
    net = f"10.{os.getpid() % 200 + 20}.77"

    def ip(*words):
        subprocess.run(["ip", *words], check=True, capture_output=True)

    made = []
    try:
        ip("link", "add", name, "type", "bridge")
        ip("addr", "add", f"{net}.1/24", "dev", name)
        ip("link", "set", name, "up")
        for each in range(number):
            space, here, there = f"{name}n{each}", f"{name}h{each}", f"{name}t{each}"
            ip("netns", "add", space)
            made.append(space)
            ip("link", "add", here, "type", "veth", "peer", "name", there)
            ip("link", "set", here, "master", name, "up")
            ip("link", "set", there, "netns", space)
            ip("-n", space, "addr", "add", f"{net}.{10 + each}/24", "dev", there)
            ip("-n", space, "link", "set", there, "up")
            ip("-n", space, "link", "set", "lo", "up")
        yield f"{net}.1", [(("ip", "netns", "exec", space), f"{net}.{10 + each}") for each, space in enumerate(made)]
    finally:
        for space in made:
            subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", name], check=False, capture_output=True)
