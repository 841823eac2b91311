"""Faults of a cluster: workers that are killed or stopped, a scheduler that restarts. The same bytes, or a clear error.

MENSURA_FAULTS is the number of random rounds, 50 by default.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from mensura.engines.choice import open_engine
from mensura.errors import MensuraError
from tests.engines.clusters import cluster

pytestmark = pytest.mark.slow
ROUNDS = int(os.environ.get("MENSURA_FAULTS", "50"))
CLEAR = ("was lost", "has no workers", "no scheduler of Dask answers", "ended", "do not answer")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    """Runs that take workers about a second, and the output of threads."""
    folder = tmp_path_factory.mktemp("campaign")
    chance = random.Random(1)  # noqa: S311 - a seeded test
    (folder / "qrels.txt").write_text(
        "".join(f"{t} 0 d{d} {chance.randint(0, 2)}\n" for t in range(200) for d in chance.sample(range(900), 50))
    )
    for system in range(8):
        lines = (f"{t} Q0 d{d} 0 {chance.random():.4f} s{system}\n" for t in range(200) for d in chance.sample(range(900), 200))
        (folder / f"s{system}.run").write_text("".join(lines))
    command = [sys.executable, "-m", "mensura", "evaluate", str(folder / "qrels.txt"), str(folder / "*.run"), "-q", "-f", "csv"]
    return command, subprocess.run(command, capture_output=True, check=True).stdout


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_the_same_bytes_or_a_clear_error(campaign, tmp_path, seed):
    command, expected = campaign
    chance = random.Random(seed)  # noqa: S311 - a seeded test
    fault = chance.choice(["kill", "stop", "restart"])
    with cluster(tmp_path) as made:
        words = [*command, "--engine", "dask", "--scheduler", made.address]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(chance.uniform(0, 4))
        worker = chance.choice(made.workers)
        if fault == "kill":
            worker.kill()
        elif fault == "stop":
            worker.send_signal(signal.SIGSTOP)
            time.sleep(chance.uniform(1, 5))
            worker.send_signal(signal.SIGCONT)
        else:
            made.scheduler.kill()
            made.scheduler.wait()
            made.scheduler = made.start_scheduler()
        output, errors = (each.decode() for each in running.communicate(timeout=300))
    assert "Traceback (most recent call last):\n  File" not in errors.partition("mensura: ")[2]
    if running.returncode == 0:
        assert output.encode() == expected
    else:
        assert (running.returncode, output) == (2, "")
        assert any(words in errors for words in CLEAR), errors


def exhaust(shared, piece):
    """Take more memory than a worker has."""
    data = []
    while True:
        data.append(bytearray(os.urandom(1 << 20) * 20))
        time.sleep(0.05)


def test_a_worker_without_memory_is_told(tmp_path):
    with cluster(tmp_path, workers=1, memory="400MB", nanny=True) as made:
        engine = open_engine(made.address)
        with pytest.raises(MensuraError, match="most likely for lack of memory"):
            list(engine.run(exhaust, [1], None))
        engine.close()
