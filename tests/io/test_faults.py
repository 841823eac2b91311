"""The fault lane: writers that are killed at random moments lose nothing, touch nothing foreign, and leave nothing behind."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from functools import partial

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="kill -9 and limits of POSIX")]
KILLS = int(os.environ.get("MENSURA_KILLS", "80"))  # for each of five commands and the ledger, and a quarter for the server: 500
COMMANDS = {
    "evaluate": ["evaluate", "c/qrels.txt", "c/runs/*", "-m", "AP", "-f", "csv", "-o", "out.csv"],
    "compare": ["compare", "c/qrels.txt", "c/runs/*", "-m", "AP", "-f", "json", "-o", "out.json"],
    "report": ["report", "c/qrels.txt", "c/runs/*", "-m", "AP", "-o", "out.html"],
    "simulate": ["simulate", "-o", "campaign", "--systems", "4", "--topics", "6"],
    "study": ["study", "c/qrels.txt", "c/runs/*", "-o", "study", "-m", "AP", "RR", "--lengths", "5", "--tests", "t"],
}
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* EIO for reads or writes of files whose path has the text of FAULT_PATH, after FAULT_AFTER calls that work. */
static int faulty(int descriptor)
{
    static int calls;
    char link[64], path[PATH_MAX];
    const char *wanted = getenv("FAULT_PATH");
    ssize_t size;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    size = readlink(link, path, sizeof path - 1);
    if (wanted == NULL || size < 0)
        return 0;
    path[size] = 0;
    return strstr(path, wanted) != NULL && ++calls > atoi(getenv("FAULT_AFTER"));
}
#define FAULT(type, name, parameters, ...)                                                                                        \
    type name parameters                                                                                                          \
    {                                                                                                                             \
        type(*real) parameters = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                                     \
        if (faulty(fd)) {                                                                                                         \
            errno = EIO;                                                                                                          \
            return -1;                                                                                                            \
        }                                                                                                                         \
        return real(__VA_ARGS__);                                                                                                 \
    }
FAULT(ssize_t, read, (int fd, void *to, size_t size), fd, to, size)
FAULT(ssize_t, pread, (int fd, void *to, size_t size, off_t at), fd, to, size, at)
FAULT(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), fd, to, size, at)
FAULT(ssize_t, write, (int fd, const void *from, size_t size), fd, from, size)
FAULT(int, fsync, (int fd), fd)
"""


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "timings.json"}


def killed(words, seconds, folder, environment):
    """Run a command and kill it after so many seconds; False if it was done before."""
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL
    return False


@pytest.mark.parametrize("command", COMMANDS)
def test_kill_nine_at_random_moments(command, tmp_path):
    words = [sys.executable, "-m", "mensura", *COMMANDS[command]]
    environment = {**os.environ, "MENSURA_LEDGER": "off"}
    simulate = [sys.executable, "-m", "mensura", "simulate", "-o", "c", "--systems", "4", "--topics", "8"]
    subprocess.run(simulate, check=True, cwd=tmp_path, capture_output=True)
    (tmp_path / "thesis.tex").write_text("mine")
    (tmp_path / ".mensura-notes").write_text("mine")
    foreign = contents(tmp_path)
    started = time.monotonic()
    subprocess.run(words, check=True, cwd=tmp_path, capture_output=True, env=environment)
    longest = time.monotonic() - started
    whole = contents(tmp_path)
    generator = random.Random(0)  # noqa: S311 - reproducible moments
    kills = 0
    while kills < KILLS:
        kills += killed(words, generator.uniform(0, longest), tmp_path, environment)
        now = contents(tmp_path)
        assert {path: now[path] for path in foreign} == foreign
        assert all(now[path] == content for path, content in whole.items() if path in now and path.suffix != ".json")
        assert whole.keys() <= now.keys()
    subprocess.run(words, check=True, cwd=tmp_path, capture_output=True, env=environment)
    assert contents(tmp_path) == whole


def campaign(folder):
    """A simulated campaign, files that are not ours, and old results; returns what all of them contain."""
    simulate = [sys.executable, "-m", "mensura", "simulate", "-o", "c", "--systems", "4", "--topics", "8"]
    subprocess.run(simulate, check=True, cwd=folder, capture_output=True)
    (folder / "thesis.tex").write_text("mine")
    for name in ("out.csv", "out.json", "out.html"):
        (folder / name).write_text("old")
    return contents(folder)


def refused(words, folder, before, says, **options):
    """One sentence, status 2, everything as it was before, nothing left."""
    environment = {**os.environ, "MENSURA_LEDGER": "off", "MENSURA_CACHE": "off", **options.pop("env", {})}
    done = subprocess.run(
        [sys.executable, "-m", "mensura", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        **options,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert says in done.stderr
    now = contents(folder)
    assert {path: now.get(path) for path in before} == before
    assert not [path.name for path in now if path.name.startswith(".mensura-")]


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("no C compiler for the shim that fails, or no LD_PRELOAD")
    folder = tmp_path_factory.mktemp("shim")
    (folder / "fail.c").write_text(SHIM)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / "fail.so", folder / "fail.c", "-ldl"], check=True)
    return str(folder / "fail.so")


@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("path", ["c/qrels.txt", "c/runs/sys"])
@pytest.mark.parametrize("command", ["evaluate", "compare", "report", "study"])
def test_inputs_that_cannot_be_read(command, path, after, shim, tmp_path):
    """EIO of a failing disk, at once or in the middle of a file."""
    before = campaign(tmp_path)
    env = {"LD_PRELOAD": shim, "FAULT_PATH": path, "FAULT_AFTER": str(after)}
    refused(COMMANDS[command], tmp_path, before, "Input/output error", env=env)


@pytest.mark.parametrize("command", ["evaluate", "compare", "report", "simulate", "study"])
def test_results_that_cannot_be_written(command, shim, tmp_path):
    before = campaign(tmp_path)
    env = {"LD_PRELOAD": shim, "FAULT_PATH": "/.mensura-", "FAULT_AFTER": "0"}
    refused(COMMANDS[command], tmp_path, before, "Input/output error", env=env)


@pytest.mark.parametrize("command", ["evaluate", "compare", "report"])
def test_no_descriptor_left(command, tmp_path):
    """EMFILE, for every number of descriptors that lets the interpreter start: the right result, or one sentence."""
    import resource

    before = campaign(tmp_path)
    environment = {**os.environ, "MENSURA_LEDGER": "off", "MENSURA_CACHE": "off"}
    statuses = set()
    for most in (5, 6, 7, 8, 10, 12, 16, 64):
        done = subprocess.run(
            [sys.executable, "-m", "mensura", *COMMANDS[command]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_NOFILE, (most, most)),
        )
        statuses.add(done.returncode)
        assert done.returncode in {0, 2}, (most, done.stderr)
        if done.returncode == 2:
            assert "Traceback" not in done.stderr
            assert {path: path.read_bytes() for path in before} == before or 0 in statuses
        assert not list(tmp_path.glob(".mensura-*"))
    assert 0 in statuses


@pytest.mark.parametrize("command", ["evaluate", "compare", "report", "simulate", "study"])
def test_a_file_system_that_is_read_only(command, tmp_path):
    """A tmpfs in a mount namespace of its own, made read-only before the command runs."""
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("no unshare")
    spaces = [unshare, "--mount", *(["--map-root-user"] if os.geteuid() else [])]
    before = campaign(tmp_path)
    script = f"mount -t tmpfs none {tmp_path.parent} 2>/dev/null || exit 77; exit 0"
    if subprocess.run([*spaces, "sh", "-c", script], check=False, capture_output=True).returncode:
        pytest.skip("no right to mount")
    mount = f"mount --bind {tmp_path} {tmp_path} && mount -o remount,bind,ro {tmp_path} && cd {tmp_path} && exec"
    words = " ".join(f"'{word}'" for word in [sys.executable, "-m", "mensura", *COMMANDS[command]])
    environment = {**os.environ, "MENSURA_LEDGER": "off", "MENSURA_CACHE": "off"}
    done = subprocess.run([*spaces, "sh", "-c", f"{mount} {words}"], check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 2, done.stderr
    assert "Read-only file system" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(tmp_path) == before


def test_kill_nine_while_the_ledger_is_written(tmp_path):
    """Every comparison that ended is in the ledger, which stays whole."""
    campaign(tmp_path)
    environment = {**os.environ, "MENSURA_LEDGER": str(tmp_path / "ledger.sqlite")}
    generator = random.Random(1)  # noqa: S311 - reproducible moments
    words = [sys.executable, "-m", "mensura", "compare", "c/qrels.txt", "c/runs/*", "-m", "AP", "--prior-tests", "auto", "--seed"]
    started = time.monotonic()
    subprocess.run([*words, "0"], check=True, cwd=tmp_path, capture_output=True, env=environment)
    longest = time.monotonic() - started
    kills = 0
    while kills < KILLS:
        kills += killed([*words, str(kills)], generator.uniform(0, longest), tmp_path, environment)
    subprocess.run([*words, "0"], check=True, cwd=tmp_path, capture_output=True, env=environment)
    shown = subprocess.run(
        [sys.executable, "-m", "mensura", "ledger", "list"], check=True, cwd=tmp_path, capture_output=True, env=environment
    )
    assert shown.stdout
    import sqlite3

    with sqlite3.connect(tmp_path / "ledger.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_kill_nine_while_a_server_runs(tmp_path):
    """Its folder is removed by the next server; a folder of somebody else stays."""
    pytest.importorskip("fastapi")
    (tmp_path / "mensura-serve-notes").mkdir()
    (tmp_path / "mensura-serve-notes" / "mine").write_text("mine")
    environment = {**os.environ, "TMPDIR": str(tmp_path), "MENSURA_LEDGER": "off"}
    words = [sys.executable, "-m", "mensura", "serve", "--port", "0"]
    generator = random.Random(2)  # noqa: S311 - reproducible moments
    for _ in range(max(KILLS // 4, 1)):
        process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        time.sleep(generator.uniform(0.3, 3))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL  # until then it ran
        assert (tmp_path / "mensura-serve-notes" / "mine").read_text() == "mine"
    server = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().rsplit(maxsplit=1)[-1]
    with urllib.request.urlopen(f"{address}api/order") as answer:  # noqa: S310 - our own server
        assert answer.status == 200
    server.send_signal(signal.SIGINT)
    server.communicate()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("mensura-serve-")] == ["mensura-serve-notes"]


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
