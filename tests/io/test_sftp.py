"""Files behind a real OpenSSH server on this machine, through fsspec and paramiko; and storage whose requests fail at random."""

from __future__ import annotations

import getpass
import gzip
import platform
import random
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest
from backports import zstd

from mensura.engines import engine
from mensura.engines.threads import spread
from mensura.errors import MensuraError
from mensura.io import remote
from tests.cli.running import call
from tests.engines.clusters import cluster
from tests.pieces.campaigns import campaign

fsspec = pytest.importorskip("fsspec")
SSHD = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")
KEYGEN = shutil.which("ssh-keygen")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a folder behind sshd, and the folder; the key is where paramiko looks for it, in ~/.ssh."""
    pytest.importorskip("paramiko")
    if SSHD is None or KEYGEN is None:
        pytest.skip("OpenSSH's server is not here: install openssh-server")
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("served")
    (home / ".ssh").mkdir(mode=0o700)
    for name in ("host", ".ssh/id_ed25519"):
        subprocess.run([KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", home / name], check=True)
    shutil.copy(home / ".ssh/id_ed25519.pub", home / "authorized")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "AuthorizedKeysFile": home / "authorized",
        "HostKey": home / "host",
        "ListenAddress": f"127.0.0.1:{port}",
        "PasswordAuthentication": "no",
        "PermitRootLogin": "prohibit-password",
        "PidFile": "none",
        "StrictModes": "no",
        "Subsystem": "sftp internal-sftp",
        "UsePAM": "no",
    }
    (home / "config").write_text("".join(f"{name} {value}\n" for name, value in options.items()))
    process = subprocess.Popen([SSHD, "-D", "-e", "-f", home / "config"], stderr=subprocess.DEVNULL)
    if not _answers(process, port):
        process.kill()
        process.wait()
        pytest.skip("sshd cannot be started here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.delenv("SSH_AUTH_SOCK", raising=False)
        yield f"sftp://{getpass.getuser()}@127.0.0.1:{port}", folder
        fsspec.get_filesystem_class("sftp").clear_instance_cache()
    process.terminate()
    process.wait()


def _answers(process, port):
    for _ in range(1200):  # a minute, on a machine that does other things
        if process.poll() is not None:
            return False
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
                if connection.recv(4) == b"SSH-":
                    return True
        except OSError:
            time.sleep(0.05)
    return False


def fill(folder):
    """Judgments, and runs: plain, .gz and .zst; the arguments of a command for them."""
    qrels, runs = campaign(6, systems=("one", "two", "three"), topics=30)
    (folder / "qrels.txt.gz").write_bytes(
        gzip.compress("".join(f"{t} 0 {d} {g}\n" for t, grades in qrels.items() for d, g in grades.items()).encode())
    )
    for system, rows in runs.items():
        data = "".join(f"{t} Q0 {d} 0 {s} {system}\n" for t, d, s in rows).encode()
        name, content = {
            "one": ("one.run", data),
            "two": ("two.run.gz", gzip.compress(data)),
            "three": ("three.run.zst", zstd.compress(data)),
        }[system]
        (folder / name).write_bytes(content)


def test_reading_globbing_and_writing(server, tmp_path):
    address, folder = server
    fill(folder)
    words = ["-m", "AP", "-m", "nDCG@10", "-f", "csv"]
    local = call(["evaluate", str(folder / "qrels.txt.gz"), str(folder / "*.run*"), *words])
    there = call(["evaluate", f"{address}{folder}/qrels.txt.gz", f"{address}{folder}/*.run*", *words])
    assert local.returncode == there.returncode == 0
    assert local.stdout == there.stdout
    written = call(
        ["evaluate", f"{address}{folder}/qrels.txt.gz", f"{address}{folder}/*.run*", *words, "-o", f"{address}{folder}/m.csv"]
    )
    assert written.returncode == 0, written.stderr
    assert (folder / "m.csv").read_text() == local.stdout
    assert not list(folder.glob(".mensura-*"))
    streamed = ["--means-only", "--test", "t", "-f", "json"]
    runs = [f"{address}{folder}/{name}" for name in ("one.run", "two.run.gz")]
    remote_runs = call(["compare", f"{address}{folder}/qrels.txt.gz", *runs, *streamed])
    local_runs = call(["compare", str(folder / "qrels.txt.gz"), *(run.removeprefix(address) for run in runs), *streamed])
    assert remote_runs.stdout == local_runs.stdout != ""


def test_threads_have_connections_of_their_own(server):
    """Two threads on one connection of paramiko's take each other's answers, and wait for ever."""
    address, folder = server
    stored = remote.remote_bytes(f"{address}{folder}/one.run")
    expected = (folder / "one.run").read_bytes()
    outcomes = spread(lambda at: (stored.check(), stored.read_at(9, at))[1], [at % 50 for at in range(400)], 4)
    assert list(outcomes) == [expected[at % 50 : at % 50 + 9] for at in range(400)]


@pytest.fixture(scope="module")
def with_key(server, tmp_path_factory):
    """Workers that know the key."""
    with cluster(tmp_path_factory.mktemp("cluster")) as workers:
        yield workers.address


@pytest.mark.parametrize("options", [["-q", "-f", "csv"], ["--means-only", "-f", "csv"]])
def test_workers_read_by_themselves(server, with_key, options):
    address, folder = server
    fill(folder)
    words = ["evaluate", f"{address}{folder}/qrels.txt.gz", f"{address}{folder}/*.run*", "-m", "AP", *options]
    assert call([*words, "--engine", "dask", "--scheduler", with_key]) == call(words)


@pytest.mark.parametrize("lack", ["the key", "the package"])
def test_a_worker_without_the_key_or_the_package(server, tmp_path, lack):
    """One sentence that names the worker, at once: nothing of it is tried again."""
    address, folder = server
    fill(folder)
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "paramiko.py").write_text("raise ImportError('there is no paramiko here', name='paramiko')\n")
    without = {"HOME": str(tmp_path)} if lack == "the key" else {"PYTHONPATH": f"{tmp_path}/none:{Path(__file__).parents[2]}"}
    with cluster(tmp_path, environment=without) as workers:
        words = ["evaluate", f"{address}{folder}/qrels.txt.gz", f"{address}{folder}/one.run", "-m", "AP"]
        done = call([*words, "--engine", "dask", "--scheduler", workers.address])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "one.run: " + ("could not be reached: " if lack == "the key" else "needs another package: ") in done.stderr
    assert f"on the worker {platform.node()}: workers read files by themselves, and need the keys" in done.stderr


def test_a_server_that_does_not_answer_is_tried_once_over(monkeypatch, tmp_path):
    """The waits between attempts add up to four seconds, whatever the number of files."""
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"sftp://nobody@127.0.0.1:{free.getsockname()[1]}"
    (tmp_path / "qrels.txt").write_text("q 0 d 1\n")
    done = call(["evaluate", str(tmp_path / "qrels.txt"), f"{address}/one.run", f"{address}/two.run"])
    assert (done.returncode, done.stdout) == (2, "")
    assert "one.run: could not be reached" in done.stderr
    assert sum(wait for wait in waits if wait in {0.05, 0.2, 0.8, 3.2}) == pytest.approx(4.25)


def test_errors_are_sentences(server):
    address, folder = server
    fill(folder)
    for words in (
        ["evaluate", f"{address}{folder}/none.txt", f"{address}{folder}/one.run"],
        ["evaluate", f"{address}{folder}/qrels.txt.gz", f"{address}{folder}/*.none"],
        ["evaluate", f"{address}{folder}/qrels.txt.gz", f"{address}{folder}/one.run", "-o", f"{address}{folder}/no/m.csv"],
        ["evaluate", f"{address.replace('@', 'nobody@')}{folder}/qrels.txt.gz", f"{address}{folder}/one.run"],
    ):
        done = call(words)
        assert (done.returncode, done.stdout) == (2, ""), words
        assert "Traceback" not in done.stderr
        assert "PRIVATE KEY" not in done.stderr


def test_a_write_that_fails_leaves_nothing(server, monkeypatch):
    """The temporary file is removed, and what was there before stays."""
    address, folder = server
    (folder / "kept.csv").write_text("before")
    system = fsspec.get_filesystem_class("sftp")

    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(system, "mv", broken)
    monkeypatch.setattr(engine, "FIRST_WAIT", 0.0)
    with pytest.raises(MensuraError, match="cannot write"):
        remote.write_remote(b"after", f"{address}{folder}/kept.csv")
    assert (folder / "kept.csv").read_text() == "before"
    assert not list(folder.glob(".mensura-*"))


class Flaky:
    """A file system whose requests fail at random, in words that contain a secret."""

    def __init__(self, system, share, seed):
        self._system, self._share, self._random = system, share, random.Random(seed)  # noqa: S311 - a seeded test

    def __getattr__(self, name):
        what = getattr(self._system, name)
        if name not in {"cat_file", "info", "glob", "pipe_file", "mv", "isdir", "exists", "rm_file"}:
            return what

        def asked(*arguments, **options):
            if self._random.random() < self._share:
                raise OSError(5, "GET https://host/x?sig=verysecret failed")
            return what(*arguments, **options)

        return asked


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_storage_that_fails_at_random_is_tried_again_or_named(monkeypatch, share):
    """Never a partial table: the same bytes as from sound storage, or one sentence without the secret."""
    memory = fsspec.filesystem("memory")
    qrels, runs = campaign(7, topics=20)
    memory.pipe("/flaky/qrels.txt", "".join(f"{t} 0 {d} {g}\n" for t, grades in qrels.items() for d, g in grades.items()).encode())
    for system, rows in runs.items():
        memory.pipe(f"/flaky/{system}.run", "".join(f"{t} Q0 {d} 0 {s} {system}\n" for t, d, s in rows).encode())
    words = ["evaluate", "memory://flaky/qrels.txt", "memory://flaky/*.run", "-q", "-f", "csv"]
    expected = call(words).stdout
    sound, monkey = remote.opened_system, []
    monkeypatch.setattr(engine, "FIRST_WAIT", 0.0)

    def opened(address):
        system, path = sound(address)
        monkey.append(None)
        return Flaky(system, share, len(monkey)), path

    monkeypatch.setattr(remote, "opened_system", opened)
    whole = 0
    for number in range(30):
        done = call([*words, "-o", f"memory://flaky/out{number}.csv"])
        if done.returncode == 0:
            whole += 1
            assert memory.cat_file(f"/flaky/out{number}.csv").decode() == expected
        else:
            assert (done.returncode, done.stdout) == (2, "")
            assert not memory.exists(f"/flaky/out{number}.csv") or memory.cat_file(f"/flaky/out{number}.csv").decode() == expected
        assert "verysecret" not in done.stderr
        assert "Traceback" not in done.stderr
    assert whole >= (30 if share < 0.1 else 1)  # five attempts: of 5 %, one in three million fails
