"""The boundaries: whatever a file, a package or the system raises, a user of Mensura sees a MensuraError with a sentence.

Each case provokes the real exception of another package with a real damaged input.
"""

from __future__ import annotations

import gzip
import inspect
import io
import random
import re
import sys

import pytest

import mensura.errors
from mensura import evaluate, judge, parse_measure, read_qrels, read_run
from mensura.cli import run_command
from mensura.errors import InputError, LedgerError, MeasureError, MensuraError, PlanError
from mensura.io.digests import content_digest
from mensura.io.files import Source
from mensura.io.metadata import read_metadata
from mensura.io.writing import make_folder, user_path, write_whole
from mensura.ledger.store import Ledger
from mensura.lint.engine import lint
from mensura.plans.reading import read_plan
from mensura.rankings.files import read_ranking
from mensura.render.charts.draw import draw
from mensura.web.jobs.workers import TaskError, TooLongError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

QRELS = b"q1 0 a 1\nq1 0 b 0\n"
RUN = b"q1 Q0 a 1 2.0 tag\nq1 Q0 b 2 1.0 tag\n"


def refused(work, error=InputError):
    """The one line that a user sees."""
    with pytest.raises(error) as caught:
        work()
    text = str(caught.value)
    assert len(text) > 10
    assert "Traceback" not in text
    return text


@pytest.fixture(params=["isal", "gzip"])
def inflater(request, monkeypatch):
    """Either of the two packages that inflate gzip."""
    if request.param == "gzip":
        monkeypatch.setitem(sys.modules, "isal", None)
    else:
        pytest.importorskip("isal")


PACKED = gzip.compress(RUN * 1000, mtime=0)
DAMAGED_GZIP = {
    "cut off": PACKED[: len(PACKED) // 2],
    "without its end": PACKED[:-6],
    "wrong checksum": PACKED[:-8] + b"\0" * 8,
    "no stream": PACKED[:10] + b"\xff" * 40,
    "only its magic": b"\x1f\x8b",
    "another method": b"\x1f\x8b\x07" + PACKED[3:],
}
FRAME = zstd.compress(RUN * 1000)
DAMAGED_ZSTD = {"cut off": FRAME[: len(FRAME) // 2], "no frame": FRAME[:4] + b"\xff" * 40, "only its magic": FRAME[:4]}


@pytest.mark.parametrize("data", DAMAGED_GZIP.values(), ids=DAMAGED_GZIP)
def test_gzip(inflater, tmp_path, data):
    path = tmp_path / "run.gz"
    path.write_bytes(data)
    assert refused(lambda: judge({"q1": {"a": 1}}, [path])).startswith(str(path))
    refused(lambda: read_run(path))
    refused(lambda: content_digest(path))
    assert [finding.code for finding in lint([str(path)])] == ["S002"]


@pytest.mark.parametrize("data", DAMAGED_ZSTD.values(), ids=DAMAGED_ZSTD)
def test_zstandard(tmp_path, data):
    path = tmp_path / "run.zst"
    path.write_bytes(data)
    assert refused(lambda: judge({"q1": {"a": 1}}, [path])).startswith(str(path))
    refused(lambda: read_run(path))
    refused(lambda: content_digest(path))


def test_files_that_are_not_there(tmp_path):
    gone = tmp_path / "gone.run"
    refused(lambda: read_run(gone))
    refused(lambda: judge({"q1": {"a": 1}}, [Source("gone", gone)]))
    refused(lambda: read_run(gone / "inside"))
    refused(lambda: read_run(tmp_path))
    refused(lambda: read_run("a\0b"))
    refused(lambda: read_run("x" * 5000))
    refused(lambda: judge({"q1": {"a": 1}}, [str(tmp_path / "*.gz")]))


def test_a_file_that_vanishes_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "run"
    path.write_bytes(RUN)
    monkeypatch.setattr("mensura.io.reading.is_compressed", lambda origin: origin.path.unlink())
    refused(lambda: judge({"q1": {"a": 1}}, [path]))


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "closed" in refused(lambda: read_run("-"))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"q": {"d": ' + b"1" * 6000 + b"}}",
        b'{"q": {"d": 1e999}}',
        b'{"q": {"d": {}}}',
    ],
    ids=["empty", "cut off", "a list", "not UTF-8", "nested", "a long integer", "infinite", "an object"],
)
def test_json(tmp_path, text):
    path = tmp_path / "run.json"
    path.write_bytes(text)
    assert refused(lambda: read_run(path)).startswith(str(path))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b'qid,docno,score\nq,"d"x,1\n',
        b'qid,docno,score\nq,"d',
        b"qid,docno,score\nq," + b"x" * 200_000 + b",1\n",
        b"\x80\x81\n",
    ],
    ids=["empty", "quotes", "cut off", "a long field", "not UTF-8"],
)
def test_csv(tmp_path, text):
    path = tmp_path / "run.csv"
    path.write_bytes(text)
    assert refused(lambda: read_run(path)).startswith(str(path))


def test_parquet(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "qrels.parquet"
    stored = io.BytesIO()
    parquet.write_table(pa.table({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "c"], "relevance": [1, 0, 2]}), stored)
    generator = random.Random(0)  # noqa: S311 - reproducible damage
    for _ in range(300):  # bytes that change anything: the schema, names, lengths, values
        data = bytearray(stored.getvalue())
        for _ in range(generator.choice((1, 1, 2, 5))):
            data[generator.randrange(len(data))] = generator.randrange(256)
        path.write_bytes(data)
        try:
            read_qrels(path)
        except MensuraError as error:
            assert str(path) in str(error).split(": row ")[0]  # noqa: PT017 - most of the damage goes unseen
    offsets = pa.array([0, 2], pa.int32()).buffers()[1]
    names = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"\xff\xfe")])
    table = pa.table({"query_id": names, "doc_id": ["a"], "relevance": [1]})
    assert "UTF-8" in refused(lambda: read_qrels(table))


def test_polars(tmp_path):
    pl = pytest.importorskip("polars")
    refused(lambda: read_qrels(pl.scan_csv(tmp_path / "nowhere.csv")))
    frame = pl.LazyFrame({"query_id": ["q"], "doc_id": ["d"], "relevance": ["high"]})
    refused(lambda: read_qrels(frame.with_columns(pl.col("relevance").cast(pl.Int64))))
    refused(lambda: read_qrels(pl.DataFrame({"query_id": [["q"]], "doc_id": ["d"], "relevance": [1]})))


def test_pandas():
    pd = pytest.importorskip("pandas")
    refused(lambda: read_qrels(pd.DataFrame({"query_id": ["q", None], "doc_id": ["a", "b"], "relevance": [1, 1]})))
    refused(lambda: read_qrels(pd.DataFrame([["q", "d", 1, 2]], columns=["qid", "docno", "rel", "rel"])))


@pytest.mark.parametrize(
    "yaml", ["tag: [x", "tag: 2001-99-99", "tag: !!timestamp x", "tag: !!int x", "tag: " + "1" * 5000, "data: " + "[" * 3000]
)
def test_yaml(tmp_path, yaml):
    pytest.importorskip("yaml")
    path = tmp_path / "run"
    path.write_text(f"# ir_metadata.start\n# {yaml}\n# ir_metadata.end\n{RUN.decode()}")
    assert refused(lambda: read_metadata(path)).startswith(str(path))


@pytest.mark.parametrize("text", [b"x = ", b"\xff\xfe", b"x = " + b"[" * 5000, b"seed = 2001-99-99"])
def test_toml(tmp_path, text):
    path = tmp_path / "plan.toml"
    path.write_bytes(text)
    refused(lambda: read_plan(path), PlanError)


@pytest.mark.parametrize("text", [b"\x1f\x8bxxx", b""])
def test_rankings(tmp_path, text):
    path = tmp_path / "ranking.txt"
    path.write_bytes(text)
    refused(lambda: read_ranking(path), MensuraError)


@pytest.mark.parametrize("ending", [".toml", ".json", ".ipynb", ".csv", ".run", ".qrels"])
@pytest.mark.parametrize("text", [b"\xff\xfe\n", b"[" * 50_000, b"x = " + b"[" * 5000])
def test_lint(tmp_path, ending, text):
    path = tmp_path / f"paper{ending}"
    path.write_bytes(text)
    assert {finding.code for finding in lint([str(path)])} <= {"S002"}


def test_sqlite(tmp_path):
    path = tmp_path / "ledger.sqlite"
    for data in (b"hello" * 500, b"SQLite format 3\0" + b"x" * 2000):
        path.write_bytes(data)
        assert refused(lambda: Ledger(path), LedgerError).startswith(str(path))
    refused(lambda: Ledger(tmp_path), LedgerError)
    refused(lambda: Ledger(path / "inside"), LedgerError)
    path.unlink()
    with Ledger(path):
        pass
    whole, generator = path.read_bytes(), random.Random(1)  # noqa: S311 - reproducible damage
    refusals = 0
    for number in range(60):
        damage = bytearray(whole)
        for _ in range(20):
            damage[generator.randrange(100, len(damage))] = generator.randrange(256)
        damaged = tmp_path / f"{number}.sqlite"
        damaged.write_bytes(damage)
        try:
            with Ledger(damaged) as ledger:
                ledger.collections()
        except LedgerError:
            refusals += 1
    assert refusals > 10


@pytest.mark.parametrize(
    "description", [{"mark": "nonsense", "data": {"values": []}}, {"mark": {"type": 3}, "encoding": 7}, {"mark": object()}]
)
@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])  # a page is drawn by the browser
def test_charts(tmp_path, description, ending):
    path = tmp_path / f"chart{ending}"
    assert refused(lambda: draw(description, path), MensuraError).startswith("cannot draw ")
    assert not path.exists()


def test_a_chart_that_is_not_json(tmp_path):
    refused(lambda: draw({"mark": object()}, tmp_path / "chart.html"), MensuraError)


def test_writing(tmp_path):
    file = tmp_path / "file"
    write_whole(b"x", file)
    for path in (tmp_path, file / "inside", tmp_path / "no folder" / "file", tmp_path / ("x" * 300)):
        assert "cannot write" in refused(lambda path=path: write_whole(b"y", path), MensuraError)
    assert "cannot make the folder" in refused(lambda: make_folder(file / "inside"), MensuraError)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]  # no temporary file is left


def test_a_user_without_a_home(monkeypatch):
    def homeless(path):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("pathlib.Path.expanduser", homeless)
    for name in ("MENSURA_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert user_path("cache", "MENSURA_CACHE") is None


@pytest.mark.parametrize(
    "name", ["AP(", "AP@x", "SetAP(rel=x)", "SetAP(foo=1)", "NERR9(p=2)", "a.b", "", "(" * 300, "__import__('os')", "x" * 5000]
)
def test_names_that_ir_measures_does_not_parse(name):
    refused(lambda: parse_measure(name), MeasureError)


@pytest.mark.parametrize("name", ["alpha_nDCG@10", "ERR_IA@20", "STREC"])
def test_measures_that_ir_measures_cannot_compute(name):
    pytest.importorskip("ir_measures")
    if "pyndeval" in sys.modules:
        pytest.skip("the provider of these measures is installed")
    refused(lambda: evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, name), MeasureError)


@pytest.mark.parametrize("package", ["fastapi", "uvicorn"])
def test_a_server_without_its_packages(monkeypatch, capsys, package):
    monkeypatch.setitem(sys.modules, package, None)
    assert run_command(["serve", "--port", "0"]) == 2
    assert f"needs {package}" in capsys.readouterr().err


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000])
def test_records_and_exports(tmp_path, capsys, monkeypatch, text):
    path = tmp_path / "x.json"
    path.write_bytes(text)
    monkeypatch.setenv("MENSURA_LEDGER", str(tmp_path / "ledger.sqlite"))
    for words in (["ledger", "import", str(path)], ["record", "show", str(path)], ["reproduce", str(path)]):
        assert run_command(words) == 2
        message = capsys.readouterr().err
        assert message.startswith("mensura: ")
        assert "Traceback" not in message


def test_the_tree_is_drawn():
    """The docstring of errors.py names every exception, below its base."""
    classes = [each for each in vars(mensura.errors).values() if inspect.isclass(each) and issubclass(each, MensuraError)] + [
        TaskError,
        TooLongError,
    ]
    drawn = re.findall(r"^    ((?:[│├└─ ]*))(\w+Error)", mensura.errors.__doc__, re.MULTILINE)
    assert {name for _, name in drawn} == {each.__name__ for each in classes}
    above = []
    bases = {each.__name__: [base.__name__ for base in each.__mro__] for each in classes}
    for indent, name in drawn:
        depth = len(indent) // 4
        above[depth:] = [name]
        assert set(above) <= set(bases[name]), name
