"""A scheduler and four workers on machines of their own, as far as sockets tell, and TREC-8 in an object store: the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.engines.clusters import LOOPBACK, cluster, namespaces

pytestmark = pytest.mark.slow
pytest.importorskip("distributed")
TREC8 = Path(__file__).resolve().parents[3] / "shared" / "data" / "trec8"
WORKERS = 4


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """The address of a scheduler, the environment of commands, and TREC-8 at an address; on loopback without namespaces."""
    server_module = pytest.importorskip("moto.server", reason="moto and flask-cors are not installed")
    s3fs = pytest.importorskip("s3fs")
    if not TREC8.is_dir():
        pytest.skip("TREC-8 is not here")
    with ExitStack() as stack:
        try:
            here, hosts = stack.enter_context(namespaces(WORKERS + 1))
        except (OSError, subprocess.CalledProcessError):
            here, hosts = LOOPBACK[1], [LOOPBACK] * (WORKERS + 1)
        server = server_module.ThreadedMotoServer(here, 0)
        server.start()
        stack.callback(server.stop)
        port = server.get_host_and_port()[1]
        environment = {
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_ENDPOINT_URL": f"http://{here}:{port}",
            "AWS_DEFAULT_REGION": "us-east-1",
            "MENSURA_LEDGER": "off",
        }
        system = s3fs.S3FileSystem(key="testing", secret="testing", endpoint_url=environment["AWS_ENDPOINT_URL"])  # noqa: S106 - moto's
        system.mkdirs("lab")
        for path in [TREC8 / "qrels.txt", *sorted((TREC8 / "runs").glob("*.gz"))]:
            system.pipe_file(f"lab/{path.relative_to(TREC8)}", path.read_bytes())
        workers = stack.enter_context(cluster(tmp_path_factory.mktemp("network"), environment=environment, hosts=hosts, workers=4))
        yield workers.address, {**os.environ, **environment}


COMMANDS = {
    "evaluate": ["-q", "-f", "csv"],
    "compare": ["-m", "AP", "-f", "json"],
    "report": ["-m", "AP", "--date", "today", "-o", "report.html"],
    "study": ["-m", "AP", "-m", "RR", "--lengths", "5,10", "--tests", "t,sign", "-o", "study"],
}


def outcome(folder, words, environment):
    """The output of a command and the files that it writes, without the time it took."""
    folder.mkdir()
    done = subprocess.run([sys.executable, "-m", "mensura", *words], cwd=folder, capture_output=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr.decode()
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "timings.json" and "record" not in path.name
    }
    return done.stdout, files


@pytest.mark.parametrize("command", COMMANDS)
def test_the_same_bytes_as_on_one_machine(network, tmp_path, command):
    address, environment = network
    words = [command, "s3://lab/qrels.txt", "s3://lab/runs/*.gz", *COMMANDS[command]]
    alone = outcome(tmp_path / "alone", words, environment)
    spread = outcome(tmp_path / "spread", [*words, "--engine", "dask", "--scheduler", address], environment)
    assert spread[0] == alone[0]
    assert spread[1].keys() == alone[1].keys()
    different = [name for name in alone[1] if alone[1][name] != spread[1][name]]
    assert different == []
    if command == "evaluate":  # no file names are shown there
        local = [command, str(TREC8 / "qrels.txt"), str(TREC8 / "runs" / "*.gz"), *COMMANDS[command]]
        assert outcome(tmp_path / "local", local, environment)[0] == alone[0]
