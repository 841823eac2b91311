"""Faults of a cluster: workers that are killed or stopped, a scheduler that restarts. The same bytes, or a clear error.

MENSURA_FAULTS is the number of random rounds, 50 by default.
"""

from __future__ import annotations

import os
import random
import shutil
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
CLEAR = ("was lost", "has no workers", "no scheduler of Dask answers", "ended", "do not answer", "could not be read", "were lost")
FAULTS = ("kill", "stop", "restart", "memory", "storage")
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
static int unlucky(int fd) {
    static unsigned seed;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    if (!strstr(path, ".run")) return 0;
    if (!seed) { struct timespec now; clock_gettime(CLOCK_REALTIME, &now); seed = getpid() ^ now.tv_nsec; }
    return rand_r(&seed) % 100 < 5;
}
ssize_t read(int fd, void *to, size_t n) {
    if (unlucky(fd)) { errno = EIO; return -1; }
    return ((ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read"))(fd, to, n);
}
ssize_t pread64(int fd, void *to, size_t n, off_t at) {
    if (unlucky(fd)) { errno = EIO; return -1; }
    return ((ssize_t (*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread64"))(fd, to, n, at);
}
ssize_t pread(int fd, void *to, size_t n, off_t at) { return pread64(fd, to, n, at); }
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    """A library that fails 5 % of all reads of runs."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("no C compiler for the library that fails, or no LD_PRELOAD")
    folder = tmp_path_factory.mktemp("shim")
    (folder / "fail.c").write_text(SHIM)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / "fail.so", folder / "fail.c", "-ldl"], check=True)
    return str(folder / "fail.so")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    """Runs that take workers about a second, commands, and the output of threads."""
    folder = tmp_path_factory.mktemp("campaign")
    chance = random.Random(1)  # noqa: S311 - a seeded test
    (folder / "qrels.txt").write_text(
        "".join(f"{t} 0 d{d} {chance.randint(0, 2)}\n" for t in range(200) for d in chance.sample(range(900), 50))
    )
    for system in range(8):
        lines = (f"{t} Q0 d{d} 0 {chance.random():.4f} s{system}\n" for t in range(200) for d in chance.sample(range(900), 200))
        (folder / f"s{system}.run").write_text("".join(lines))
    words = [sys.executable, "-m", "mensura"]
    inputs = [str(folder / "qrels.txt"), str(folder / "*.run")]
    commands = [
        [*words, "evaluate", *inputs, "-q", "-f", "csv"],
        [*words, "evaluate", *inputs, "--means-only", "-f", "csv"],
        [*words, "compare", *inputs, "-f", "json", "--test", "t"],
    ]
    return [(command, subprocess.run(command, capture_output=True, check=True, env=QUIET).stdout) for command in commands]


QUIET = {**os.environ, "MENSURA_LEDGER": "off"}


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_the_same_bytes_or_a_clear_error(campaign, shim, tmp_path, seed):
    chance = random.Random(seed)  # noqa: S311 - a seeded test
    command, expected = campaign[chance.randrange(len(campaign))]
    fault = FAULTS[seed % len(FAULTS)]
    options = {"environment": {"LD_PRELOAD": shim}} if fault == "storage" else {}
    with cluster(tmp_path, **options) as made:
        if fault == "memory":
            made.memory, made.nanny = "300MB", True
            made.workers.append(made.start_worker())
            made.wait(3)
        words = [*command, "--engine", "dask", "--scheduler", made.address]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=QUIET)
        time.sleep(chance.uniform(0, 4))
        worker = chance.choice(made.workers)
        if fault == "kill":
            worker.kill()
        elif fault == "stop":
            worker.send_signal(signal.SIGSTOP)
            time.sleep(20)
            worker.send_signal(signal.SIGCONT)
        elif fault == "restart":
            made.restart_scheduler()
        output, errors = running.communicate(timeout=600)
        said = errors.decode()
        assert "Traceback" not in said
        if running.returncode:
            assert (running.returncode, output) == (2, b"")
            assert any(words in said for words in CLEAR), said
        else:
            assert output == expected
        print(  # noqa: T201 - the outcome of each round, with -s
            f"round {seed}: {fault}, {command[3]}, {'an error' if running.returncode else 'the same bytes'}"
        )
        if running.returncode and fault == "restart":  # it is resumable: the same command on the same address
            made.workers += [made.start_worker(), made.start_worker()]
            made.wait(2)
            assert subprocess.run(words, capture_output=True, check=True, env=QUIET, timeout=600).stdout == expected


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


def slow_square(shared, piece):
    time.sleep(shared)
    return piece**2


@pytest.mark.parametrize(("blow", "says"), [(signal.SIGSTOP, "has not answered"), (signal.SIGKILL, "is gone")])
def test_work_of_a_lost_worker_is_done_by_others_and_reported(tmp_path, blow, says):
    """A worker that is stopped for ever, or killed, while it has work."""
    with cluster(tmp_path) as made:
        engine = open_engine(made.address)
        reports: list[str] = []
        engine.report = reports.append
        outcomes = engine.run(slow_square, range(60), 0.2).finished()
        first = next(outcomes)
        made.workers[0].send_signal(blow)
        assert dict([first, *outcomes]) == {number: number**2 for number in range(60)}
        assert [report for report in reports if says in report]
        made.workers[0].kill()
        engine.close()


def test_work_begins_beside_a_worker_that_is_stopped(tmp_path):
    """The data that pieces share may be sent to the stopped worker first, and its groups too, time and again."""
    with cluster(tmp_path) as made:
        engine = open_engine(made.address)
        made.workers[0].send_signal(signal.SIGSTOP)
        for number in range(6):
            assert list(engine.run(slow_square, range(20), 0.01 * number)) == [piece**2 for piece in range(20)]
        made.workers[0].kill()
        engine.close()
