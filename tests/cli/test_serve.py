"""``mensura serve``."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from tests.cli.running import mensura, mensura_process


def test_a_port_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = mensura("serve", "--port", str(taken.getsockname()[1]), status=2)
    assert "choose another with --host and --port" in done.stderr


@pytest.mark.parametrize("words", [("--port", "99999"), ("--host", "nowhere.invalid"), ("--upload", "0")])
def test_bad_usage(words):
    assert mensura("serve", *words, status=2).stderr


@pytest.fixture
def serve():
    """Starts servers, and ends those that a test leaves."""
    started = []

    def start(*words):
        command = [sys.executable, "-m", "mensura", "serve", "--port", "0", *words]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate(timeout=300)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_stopped_and_leaves_nothing(serve, how, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = serve()
    line = process.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+/", line)[0]
    upload = urllib.request.Request(f"{address}api/files?kind=run&name=a", data=b"1 Q0 d 1 1 t\n")  # noqa: S310
    with urllib.request.urlopen(upload) as answer:  # noqa: S310
        assert answer.status == 201
    assert any(path.is_file() for path in tmp_path.rglob("*"))
    process.send_signal(how)
    _, errors = process.communicate(timeout=300)
    assert "Traceback" not in errors
    assert process.returncode in {0, -how, 130}
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.skipif(os.name != "posix", reason="remains are found by the numbers of processes that are gone")
def test_what_a_killed_server_left_goes_with_the_next(serve, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for _ in range(2):
        process = serve()
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())[0]
        with urllib.request.urlopen(f"{address}api/order") as answer:  # noqa: S310
            assert answer.status == 200
        assert len(list(tmp_path.glob("mensura-serve-*"))) == 1
        process.kill()
        process.communicate(timeout=300)


def test_others_need_a_token(serve):
    process = serve("--host", "0.0.0.0")  # noqa: S104
    line = process.stdout.readline()
    port, token = re.search(r":(\d+)/\?token=(\S{20,})", line).groups()
    with pytest.raises(urllib.error.HTTPError, match="401") as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/order")
    refused.value.close()
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/api/order", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(asked) as answer:  # noqa: S310
        assert answer.status == 200


def test_without_the_extra_it_says_what_to_install(tmp_path):
    (tmp_path / "fastapi.py").write_text("raise ImportError('no', name='fastapi')")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = mensura_process("serve", status=2, env=os.environ | {"PYTHONPATH": path})
    assert "pip install 'mensura[web]'" in done.stderr
