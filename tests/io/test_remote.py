"""Files elsewhere: memory://, an object store on this machine (moto's server behind s3fs), a web server, systems that rename."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from backports import zstd
from blake3 import blake3

import mensura
from mensura.errors import InputError, MensuraError
from mensura.io.remote import Remote, address_of, opened_system, shown_address, without_secrets
from tests.cli.running import call

fsspec = pytest.importorskip("fsspec")
QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n"
RUN = "q1 Q0 b 0 2 bm25\nq1 Q0 a 0 1 bm25\nq2 Q0 c 0 1 bm25\n"
MEANS = {"bm25": {"AP": 0.75}}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        """Say nothing."""


@pytest.fixture(scope="module")
def object_store():
    """The address of moto's server."""
    server = pytest.importorskip("moto.server", reason="moto and flask-cors are not installed").ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3(object_store, monkeypatch):
    """Address of a bucket, and the file system; credentials come in the way of the library."""
    s3fs = pytest.importorskip("s3fs")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "topsecretid")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "topsecretkey")
    monkeypatch.setenv("AWS_ENDPOINT_URL", object_store)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    system = s3fs.S3FileSystem()
    system.mkdirs("bucket", exist_ok=True)
    yield "s3://bucket", system
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture(params=["memory", "s3"])
def store(request):
    """An address to write below, with judgments and runs in it."""
    if request.param == "memory":
        system, address = fsspec.filesystem("memory"), "memory://data"
        system.store.clear()
    else:
        address, system = request.getfixturevalue("s3")
    base = f"{address.partition('://')[2]}/runs"
    system.pipe_file(f"{base}/qrels.txt.gz", gzip.compress(QRELS.encode()))
    system.pipe_file(f"{base}/bm25.run", RUN.encode())
    system.pipe_file(f"{base}/packed.run.zst", zstd.compress(RUN.replace("bm25", "packed").encode()))
    system.pipe_file(f"{base}/table/part-0.csv", b"qid,docno,score\nq1,b,2\nq1,a,1\n")
    system.pipe_file(f"{base}/table/part-1.csv", b"qid,docno,score\nq2,c,1\n")
    return f"{address}/runs", system


def test_reading_and_patterns(store):
    address, _ = store
    qrels = f"{address}/qrels.txt.gz"
    assert mensura.evaluate(qrels, f"{address}/bm25.run", "AP").means() == MEANS
    assert mensura.evaluate(qrels, f"{address}/*.run*", "AP").judged.systems == ("bm25", "packed")
    for parts in (f"{address}/table/part-*.csv", f"{address}/table"):
        assert mensura.evaluate(qrels, parts, "AP").means() == {"table": {"AP": 0.75}}


def test_writing(store):
    address, system = store
    words = ["evaluate", f"{address}/qrels.txt.gz", f"{address}/bm25.run", "-f", "csv"]
    done = call([*words, "-o", f"{address}/out/means.csv"])
    assert (done.returncode, done.stdout) == (0, "")
    assert system.cat_file(f"{address.partition('://')[2]}/out/means.csv").decode() == call(words).stdout


def test_records_have_the_digests_of_remote_inputs(store, tmp_path):
    address, _ = store
    words = ["evaluate", f"{address}/qrels.txt.gz", f"{address}/*.run*", "-f", "csv", "-o", str(tmp_path / "out.csv")]
    assert call(words).returncode == 0
    text = (tmp_path / "out.csv.record.json").read_text()
    assert "topsecret" not in text
    assert blake3(RUN.encode()).hexdigest() in text
    if address.startswith("s3"):  # the memory of this process is not that of the command which is run again
        assert call(["reproduce", str(tmp_path / "out.csv")]).returncode == 0


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("none.run", None, "there is no such file"),
        ("bad.run", b"q1 Q0 a 0 x tag\n", ":1: the score 'x' is not a finite number"),
        ("cut.run.gz", gzip.compress(RUN.encode() * 50, mtime=0)[:-20], "is damaged or cut off"),
        ("empty.run", b"", "is empty"),
        ("none*.run", None, "no file matches this pattern"),
        ("table/none", None, "there is no such file"),
        ("", None, "is a folder; name its files"),
    ],
)
def test_errors_are_those_of_local_files(store, tmp_path, name, content, problem):
    address, system = store
    if content is not None:
        system.pipe_file(f"{address.partition('://')[2]}/{name}", content)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "table").mkdir()
    remote, local = (call(["evaluate", f"{address}/qrels.txt.gz", f"{where}/{name}"]) for where in (address, tmp_path))
    assert problem in remote.stderr
    assert remote.stderr.replace(address, str(tmp_path)) == local.stderr
    assert (remote.returncode, remote.stdout) == (local.returncode, local.stdout)


def test_a_file_that_changes_is_refused(store):
    address, system = store
    path = f"{address.partition('://')[2]}/bm25.run"
    origin = mensura.io.files.source(f"{address}/bm25.run")
    system.pipe_file(path, RUN.replace("b 0 2", "b 0 3").encode() + b"q2 Q0 d 0 0 bm25\n")
    with pytest.raises(InputError, match="changed while it was read"):
        mensura.evaluate({"q1": {"a": 1}}, [origin], "AP")


def test_the_engine_reads_from_the_store(s3, tmp_path):
    """Stretches of an object, judged by workers of their own processes."""
    from mensura.io import parts
    from tests.engines.clusters import cluster

    address, system = s3
    lines = "".join(f"q{topic} Q0 d{rank} 0 {100 - rank} big\n" for topic in range(300) for rank in range(50))
    system.pipe_file("bucket/big.run", lines.encode())
    (tmp_path / "big.run").write_text(lines)
    qrels = {f"q{topic}": {f"d{topic % 60}": 1} for topic in range(300)}
    whole = mensura.evaluate(qrels, tmp_path / "big.run", ["AP", "RR"])
    with cluster(tmp_path) as made, pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "STRETCH", 20_000)
        spread = mensura.evaluate(qrels, f"{address}/big.run", ["AP", "RR"], engine=made.address)
    assert json.dumps(spread.to_dict()) == json.dumps(whole.to_dict())


def test_a_web_server(tmp_path):
    """Python's own gives no ranges, so that a file is read from the first byte to the last."""
    (tmp_path / "bm25.run").write_text(RUN)
    (tmp_path / "qrels.txt").write_text(QRELS)
    pytest.importorskip("aiohttp")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        words = ["evaluate", f"{address}/qrels.txt", f"{address}/bm25.run?token=verysecret", "-m", "AP", "-f", "csv"]
        done = call([*words, "-o", str(tmp_path / "out.csv")])
        assert done.returncode == 0
        assert "bm25,AP,0.75,2,0" in (tmp_path / "out.csv").read_text()
        assert "verysecret" not in (tmp_path / "out.csv.record.json").read_text()
        missing = call(["evaluate", f"{address}/qrels.txt", f"{address}/none.run?token=verysecret"])
        assert (missing.returncode, missing.stdout) == (2, "")
        assert "none.run: there is no such file" in missing.stderr
        assert "verysecret" not in missing.stderr
        server.shutdown()


def test_systems_that_rename(tmp_path):
    """file:// goes the way of sftp:// and hdfs://: a temporary file that is renamed when it is whole."""
    mensura.io.writing.write_whole(b"whole", f"file://{tmp_path}/out.txt")
    assert (tmp_path / "out.txt").read_bytes() == b"whole"
    assert [each.name for each in tmp_path.iterdir()] == ["out.txt"]
    with pytest.raises(MensuraError, match="cannot write"):
        mensura.io.writing.write_whole(b"whole", f"file://{tmp_path}/out.txt/none")


def test_passwords_are_refused_and_not_shown(capsys):
    done = call(["evaluate", "sftp://me:verysecret@host/qrels.txt", "run.txt"])
    assert done.returncode == 2
    assert "contains a password" in done.stderr
    assert "verysecret" not in done.stderr
    assert "verysecret" not in without_secrets("GET https://host/x?sig=verysecret failed; sftp://me:verysecret@host")
    assert shown_address("https://host/run.gz?sig=verysecret") == "https://host/run.gz"


def test_unknown_protocols():
    with pytest.raises(InputError, match="is not an address that fsspec knows"):
        mensura.evaluate({"q": {"a": 1}}, "nothing://host/run", "AP")


def test_addresses_and_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert address_of("s3:/bucket/key") == address_of("s3://bucket/key") == "s3://bucket/key"
    assert address_of("memory:/a/b") == "memory:///a/b"
    for local in ("out.csv", "C:/out.csv", "a:b", "a b:/c"):
        assert address_of(local) is None
    (tmp_path / "s3:").mkdir()
    assert address_of("s3:/bucket/key") is None


def test_windows_of_bytes():
    system = fsspec.filesystem("memory")
    data = bytes(range(256)) * 100
    system.pipe_file("/window", data)
    remote = mensura.io.files.source("memory://window").pipe
    assert isinstance(remote, Remote)
    for size, offset in ((10, 0), (300, 5), (1, len(data) - 1), (10, len(data)), (99999, 0)):
        assert remote.read_at(size, offset) == data[offset : offset + size]


def test_nothing_is_imported_without_an_address(tmp_path):
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "qrels").write_text(QRELS)
    words = ["evaluate", str(tmp_path / "qrels"), str(tmp_path / "run"), "-o", str(tmp_path / "out"), "-f", "csv"]
    code = f"import sys; from mensura.cli import run_command; run_command({words!r}); print('fsspec' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_libraries_ask_once():
    """One place decides about retries: s3fs and botocore would try five times each, for each of our attempts."""
    pytest.importorskip("s3fs")
    system, _ = opened_system("s3://lab/a.run")
    assert (system.retries, system.config_kwargs["retries"]) == (1, {"total_max_attempts": 1})
