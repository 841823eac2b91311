"""Servers for tests: inside the process for the API, as a command of its own for browsers."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import threading
import time

import httpx
import pytest
import uvicorn

from mensura.cli.commands.serve import listen
from mensura.web.app import create_app
from mensura.web.settings import Limits, Settings

ANSWERS = 60.0  # seconds for an answer, six times the default: however busy the machine is


class Running:
    """A real server, in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        self.listener = listen("127.0.0.1", 0)
        self.app = create_app(settings)
        self.server = uvicorn.Server(uvicorn.Config(self.app, log_level="error", access_log=False))
        self.thread = threading.Thread(target=self.server.run, args=([self.listener],))
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive()
            time.sleep(0.01)
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=300)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(120)
        self.listener.close()


@pytest.fixture(scope="session")
def running():
    """A server of this process; it lives as long as the tests do, as servers do."""
    made = Running(Settings(limits=Limits(seconds=ANSWERS)))
    yield made
    made.stop()


@pytest.fixture(scope="session")
def client(running):
    """A client of it."""
    with running.client() as made:
        yield made


@pytest.fixture
def small():
    """Makes servers with small limits, and clients of them."""
    opened = []

    def make(token=None, names=(), **limits):
        server = Running(Settings(token=token, names=names, limits=Limits(**({"seconds": ANSWERS} | limits))))
        made = server.client()
        vars(made)["running"] = server  # tests look into it
        opened.append((server, made))
        return made

    yield make
    for server, made in opened:
        made.close()
        server.stop()


@pytest.fixture
def fresh(client):
    """The client without a session."""
    client.cookies.clear()
    yield client
    client.delete("/api/session")
    client.cookies.clear()


def wait(client, job, seconds=600):
    """An evaluation when it has ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = client.get(f"/api/evaluations/{job}").json()
        if found["state"] not in {"waiting", "running"}:
            return found
        time.sleep(0.05)
    raise AssertionError(f"still {found['state']} after {seconds} s")


@pytest.fixture(scope="session")
def served():
    """The address of `mensura serve`, started as a user does."""
    command = [sys.executable, "-m", "mensura", "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], 600)
    assert ready, "the server did not start"
    line = process.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+", line)[0]
    yield address
    process.send_signal(signal.SIGINT)
    process.wait(120)
    process.stdout.close()


@pytest.fixture
def visit(browser, served):
    """Opens pages."""
    from tests.web.browser import opened

    return lambda path, **options: opened(browser, served, path, **options)
