"""The fault lane: writers that are killed at random moments lose nothing, touch nothing foreign, and leave nothing behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="kill -9 and limits of POSIX")]
KILLS = 60
COMMANDS = {
    "evaluate": ["evaluate", "c/qrels.txt", "c/runs/*", "-m", "AP", "-f", "csv", "-o", "out.csv"],
    "compare": ["compare", "c/qrels.txt", "c/runs/*", "-m", "AP", "-f", "json", "-o", "out.json"],
    "report": ["report", "c/qrels.txt", "c/runs/*", "-m", "AP", "-o", "out.html"],
    "simulate": ["simulate", "-o", "campaign", "--systems", "4", "--topics", "6"],
    "study": ["study", "c/qrels.txt", "c/runs/*", "-o", "study", "-m", "AP", "RR", "--lengths", "5", "--tests", "t"],
}


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "timings.json"}


@pytest.mark.parametrize("command", COMMANDS)
def test_kill_nine_at_random_moments(command, tmp_path):
    words = [sys.executable, "-m", "mensura", *COMMANDS[command]]
    environment = {**os.environ, "MENSURA_LEDGER": "off"}
    simulate = [sys.executable, "-m", "mensura", "simulate", "-o", "c", "--systems", "4", "--topics", "8"]
    subprocess.run(simulate, check=True, cwd=tmp_path, capture_output=True)
    (tmp_path / "thesis.tex").write_text("mine")
    (tmp_path / ".mensura-notes").write_text("mine")
    foreign = contents(tmp_path)
    subprocess.run(words, check=True, cwd=tmp_path, capture_output=True, env=environment)
    whole = contents(tmp_path)
    generator = random.Random(0)  # noqa: S311 - reproducible moments
    for _ in range(KILLS):
        process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        try:
            process.wait(generator.uniform(0.05, 1.5))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        now = contents(tmp_path)
        assert {path: now[path] for path in foreign} == foreign
        assert all(now[path] == content for path, content in whole.items() if path in now and path.suffix != ".json")
        assert whole.keys() <= now.keys()
    subprocess.run(words, check=True, cwd=tmp_path, capture_output=True, env=environment)
    assert contents(tmp_path) == whole


@pytest.mark.parametrize("command", ["evaluate", "compare", "report", "simulate"])
def test_files_that_cannot_grow(command, tmp_path):
    """As on a full disk: one sentence, status 2, and the old file as it was."""
    import resource

    simulate = [sys.executable, "-m", "mensura", "simulate", "-o", "c", "--systems", "4", "--topics", "8"]
    subprocess.run(simulate, check=True, cwd=tmp_path, capture_output=True)
    for name in ("out.csv", "out.json", "out.html"):
        (tmp_path / name).write_text("old")
    before = contents(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "mensura", *COMMANDS[command]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MENSURA_LEDGER": "off", "MENSURA_CACHE": "off"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    now = contents(tmp_path)
    assert {path: now[path] for path in before} == before
    assert not [path.name for path in now if path.name.startswith(".mensura-")]
