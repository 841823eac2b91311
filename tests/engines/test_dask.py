"""The engine dask gives the same bytes as threads, whatever the inputs, and says clearly why it cannot work."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import mensura
from mensura import pieces
from mensura.engines.choice import open_engine
from mensura.engines.engine import SECONDS, Pace, Threads
from mensura.errors import InputError, MensuraError
from mensura.io import parts, slices
from mensura.io.reading import Order
from mensura.judged.entrance import judge
from tests.cli.running import call
from tests.engines.clusters import cluster
from tests.pieces.campaigns import campaign

pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Judgments, and runs in every format that is read."""
    folder = tmp_path_factory.mktemp("files")
    qrels, runs = campaign(5, systems=("plain", "packed", "table", "lines", "scattered"), topics=60)
    (folder / "qrels.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t, grades in qrels.items() for d, g in grades.items()))
    for system, rows in runs.items():
        lines = "".join(f"{topic} Q0 {document} 0 {score} {system}\n" for topic, document, score in rows)
        if system == "packed":
            (folder / "packed.run.gz").write_bytes(gzip.compress(lines.encode()))
        elif system == "table":
            columns = dict(zip(("qid", "docno", "score"), map(list, zip(*rows, strict=True)), strict=True))
            parquet.write_table(pa.table(columns), folder / "table.parquet")
        elif system == "lines":
            (folder / "lines.csv").write_text("qid,docno,score\n" + "".join(f"{t},{d},{s}\n" for t, d, s in rows))
        elif system == "scattered":
            (folder / "scattered.run").write_text("".join(sorted(lines.splitlines(keepends=True), key=lambda line: line[::-1])))
        else:
            (folder / "plain.run").write_text(lines)
    return folder


def on(address, words):
    """A command on a cluster: what it prints besides the address of the dashboard."""
    done = call([*words, "--engine", "dask", "--scheduler", address])
    return replace(done, stderr="".join(line for line in done.stderr.splitlines(keepends=True) if "are shown at" not in line))


def inputs(folder):
    return [str(folder / name) for name in ("plain.run", "packed.run.gz", "table.parquet", "lines.csv", "scattered.run")]


@pytest.mark.parametrize("form", ["table", "csv", "json", "trec_eval"])
def test_evaluate_writes_the_same_bytes(workers, files, form):
    words = ["evaluate", str(files / "qrels.txt"), *inputs(files), "-q", "-f", form, "-m", "AP", "-m", "RR", "-m", "nDCG@5"]
    assert on(workers.address, words) == call(words)


@pytest.mark.parametrize("command", [["compare", "-f", "json"], ["meaning"], ["describe"], ["adm"]])
def test_other_commands_write_the_same_bytes(workers, files, command, monkeypatch):
    monkeypatch.setenv("MENSURA_LEDGER", "off")
    name, *options = command
    words = [name, str(files / "qrels.txt"), *inputs(files), *options]
    assert on(workers.address, words) == call(words)
    monkeypatch.setenv("MENSURA_SCHEDULER", workers.address)
    assert call([*words, "--engine", "dask"]).stdout == call(words).stdout


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_sums_alone_are_the_same_bytes(workers, files, command, monkeypatch):
    monkeypatch.setattr(parts, "STRETCH", 400)
    words = [command, str(files / "qrels.txt"), *inputs(files)[:4], "--means-only", "-f", "json", "-m", "AP@10"]
    assert on(workers.address, words) == call(words)


def test_runs_that_are_the_same_are_remarked(workers, files, tmp_path, monkeypatch):
    """Fingerprints of runs that several workers have read are those of one process: whole files, stretches, and tables."""
    monkeypatch.setattr(parts, "STRETCH", 400)
    lines = (files / "plain.run").read_text()
    rows = [line.split() for line in lines.splitlines()]
    (tmp_path / "one.run").write_text(lines.replace(" plain", " one"))
    (tmp_path / "two.run.gz").write_bytes(gzip.compress(lines.replace(" plain", " two").encode()))
    (tmp_path / "three.csv").write_text("qid,docno,score\n" + "".join(f"{row[0]},{row[2]},{row[4]}\n" for row in rows))
    words = ["evaluate", str(files / "qrels.txt"), str(tmp_path / "*"), str(files / "packed.run.gz")]
    done = on(workers.address, words)
    assert done == call(words)
    assert "3 runs rank the same documents as another one: one, three, two" in " ".join(done.stdout.split())


def test_stretches_of_files_meet_without_gap(workers, files, monkeypatch):
    """With stretches of a few hundred bytes, every file is cut at many places."""
    monkeypatch.setattr(parts, "STRETCH", 400)
    engine = open_engine(workers.address)
    try:
        for name in ("plain.run", "scattered.run"):
            assert len(parts.parts_of(mensura.io.files.source(files / name))) > 20
            whole = judge(files / "qrels.txt", files / name, scores=True)
            spread = judge(files / "qrels.txt", files / name, scores=True, engine=engine.client)
            for what in ("grades", "retrieved", "ties"):
                assert (getattr(whole, what) == getattr(spread, what)).all()
            assert np.array_equal(whole.scores, spread.scores, equal_nan=True)
            assert whole.extra == spread.extra or sorted(whole.extra[0]) == sorted(spread.extra[0])
            assert whole.documents().number.tolist() == spread.documents().number.tolist()
    finally:
        engine.close()


@pytest.mark.parametrize("order", ["the run's", "another", "none"])
@pytest.mark.parametrize("run", ["plain.run", "table.parquet", "packed.run.gz"])
def test_judgments_in_slices_are_all_judgments(workers, files, tmp_path, monkeypatch, order, run):  # noqa: PLR0917 - fixtures
    """The file of judgments is read by workers: a slice for each stretch where its order allows that, and otherwise all of it."""
    monkeypatch.setattr(parts, "STRETCH", 400)
    monkeypatch.setattr(slices, "SENT", 0)
    lines = (files / "qrels.txt").read_text().splitlines(keepends=True)
    topics = list(dict.fromkeys(line.split()[0] for line in lines))
    mixed = random.Random(3).sample(topics, len(topics))  # noqa: S311 - a seeded test
    keys = {"the run's": lambda line: 0, "another": lambda line: mixed.index(line.split()[0]), "none": lambda line: line[::-1]}
    (tmp_path / "qrels.txt").write_text("".join(sorted(lines, key=keys[order])))
    measures = ["AP", "RR", "nDCG@5", "ERR@10"]
    engine = open_engine(workers.address)
    try:
        whole = mensura.evaluate(tmp_path / "qrels.txt", files / run, measures)
        alone = pieces.means(tmp_path / "qrels.txt", files / run, measures, engine=engine.client)
        assert alone.means() == whole.means()
        assert alone.remarks == whole.remarks
        spread = mensura.evaluate(tmp_path / "qrels.txt", files / run, measures, engine=engine.client)
        assert json.dumps(spread.to_dict()) == json.dumps(whole.to_dict())
    finally:
        engine.close()


def test_a_slice_has_the_judgments_of_a_stretch(files, monkeypatch):
    monkeypatch.setattr(parts, "STRETCH", 400)
    monkeypatch.setattr(slices, "SENT", 0)
    qrels, whole = slices.read_portable(files / "qrels.txt")
    assert slices.at_hand(whole).to_dict() == qrels.to_dict()
    cut = slices.sliced([part for _, part in parts.parts_of(mensura.io.files.source(files / "plain.run"))], qrels, whole)
    assert len(cut) > 20
    judged: list[int] = [len(part.judgments.read()) for part in cut]
    assert sum(judged) < 3 * len(qrels)  # a topic at a cut is in two of them
    for part in cut:
        some = part.judgments.read()
        assert some.topics == qrels.topics[part.judgments.first : part.judgments.first + len(some.topics)]
        assert all(some[topic] == qrels[topic] for topic in some.topics)


def test_judgments_that_change(files, tmp_path, monkeypatch):
    monkeypatch.setattr(slices, "SENT", 0)
    path = tmp_path / "qrels.txt"
    path.write_text((files / "qrels.txt").read_text())
    _, whole = slices.read_portable(path)
    path.write_text((files / "qrels.txt").read_text() + "new 0 d1 1\n")
    with pytest.raises(InputError, match="changed while it was read"):
        whole.read()


def test_objects_and_a_client(workers):
    qrels, runs = campaign(9)
    engine = open_engine(workers.address)
    try:
        spread = mensura.evaluate(qrels, runs, ["AP", "RR"], engine=engine.client)
        assert json.dumps(spread.to_dict()) == json.dumps(mensura.evaluate(qrels, runs, ["AP", "RR"]).to_dict())
        assert engine.client.status == "running"  # a client of the user's is not closed
    finally:
        engine.close()


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda path: path.write_text("q1 Q0 d1 0 x tag\n"), "is not a finite number"),
        (lambda path: path.write_text("q1 Q0 d1 0 1 tag\nq1 Q0 d1 0 1 tag\n"), "twice"),
        (lambda path: path.write_text(""), "is empty"),
        (lambda path: path.write_bytes(gzip.compress(b"q1 Q0 d1 0 1 tag\n" * 99)[:-9]), "damaged"),
    ],
)
def test_errors_are_those_of_threads(workers, files, tmp_path, damage, problem):
    damage(tmp_path / "bad.run")
    words = ["evaluate", str(files / "qrels.txt"), str(files / "plain.run"), str(tmp_path / "bad.run")]
    done = on(workers.address, words)
    assert done == call(words)
    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr


def test_a_file_that_workers_do_not_see(workers, files, tmp_path):
    (tmp_path / "gone.run").write_text((files / "plain.run").read_text())
    origin = mensura.io.files.source(tmp_path / "gone.run")
    (_, part), *_ = parts.parts_of(origin)
    (tmp_path / "gone.run").unlink()
    engine = open_engine(workers.address)
    try:
        qrels = mensura.read_qrels(files / "qrels.txt")
        with pytest.raises(InputError, match=r"gone.run: could not be read: No such file"):
            list(engine.run(parts.judge_part, [part], (qrels, Order())))
    finally:
        engine.close()


def test_a_file_that_changes(workers, files, tmp_path):
    path = tmp_path / "changing.run"
    path.write_text((files / "plain.run").read_text())
    (_, part), *_ = parts.parts_of(mensura.io.files.source(path))
    path.write_text((files / "plain.run").read_text() + "t1 Q0 new 0 0 tag\n")
    with pytest.raises(InputError, match="changed while it was read"):
        parts.judge_part((mensura.read_qrels(files / "qrels.txt"), Order()), part)


def test_records_are_the_same(workers, files, tmp_path):
    words = ["evaluate", str(files / "qrels.txt"), *inputs(files), "-f", "csv", "-o"]
    for name, options in (("one", ()), ("two", ("--engine", "dask", "--scheduler", workers.address))):
        (tmp_path / name).mkdir()
        assert call([*words, str(tmp_path / name / "out.csv"), *options]).returncode == 0
    assert (tmp_path / "one/out.csv").read_bytes() == (tmp_path / "two/out.csv").read_bytes()
    one, two = ((tmp_path / name / "out.csv.record.json").read_text().replace(f"/{name}/", "/") for name in ("one", "two"))
    same = ("method", "data")
    assert [json.loads(one)[key] for key in same] == [json.loads(two)[key] for key in same]


def test_no_scheduler():
    with pytest.raises(MensuraError, match=r"no scheduler of Dask answers at tcp://127.0.0.1:9"):
        open_engine("tcp://127.0.0.1:9")
    with pytest.raises(MensuraError, match="use it with --engine dask"):
        open_engine(None, "tcp://127.0.0.1:9")
    with pytest.raises(MensuraError, match="unknown engine 'spark'"):
        open_engine("spark")


def test_no_workers(tmp_path):
    with cluster(tmp_path, workers=0) as made, pytest.raises(MensuraError, match=f"dask worker {made.address}"):
        open_engine("dask", made.address)


def test_a_worker_of_another_version_is_refused(tmp_path):
    package = Path(mensura.__file__).parent
    other = tmp_path / "other"
    other.mkdir()
    shutil.copytree(package, other / "mensura", ignore=shutil.ignore_patterns("__pycache__", "static", "templates"))
    init = other / "mensura" / "__init__.py"
    init.write_text(init.read_text().replace(f'"{mensura.__version__}"', '"0.0.1"'))
    paths = os.pathsep.join([str(other), os.environ.get("PYTHONPATH", "")])
    with (
        cluster(tmp_path, workers=1, environment={"PYTHONPATH": paths}) as made,
        pytest.raises(MensuraError, match=r"has Mensura 0\.0\.1, and this is .*; results of two versions are not mixed"),
    ):
        open_engine("dask", made.address)


def groups(seconds, workers, faster=1.0):
    """All groups, if every one is done before the next is cut and takes ``faster`` of its estimate."""
    pace, at, cuts = Pace(sum(seconds)), 0, []
    while at < len(seconds):
        cuts.append(pace.group(seconds, at, workers))
        at = cuts[-1].stop
        pace.learn(sum(seconds[cuts[-1].start : at]), faster * sum(seconds[cuts[-1].start : at]))
    return cuts


@pytest.mark.parametrize("faster", [0.25, 1.0, 3.0])
def test_groups_take_seconds(faster):
    """Work of 4000 s by the estimate, which is wrong by a factor: all groups but the first and the last take about four seconds."""
    seconds = [0.05] * 80_000
    cuts = groups(seconds, 10, faster)
    took = [faster * sum(seconds[each.start : each.stop]) for each in cuts]
    assert all(SECONDS * 0.9 < each < SECONDS * 1.1 for each in took[1:-30])
    assert len(cuts) < sum(seconds) * faster / SECONDS + 60


@pytest.mark.parametrize("seconds", [[], [5.0], [100.0, 1, 1, 1], [1, 1, 1, 100.0], [0, 0, 0], [0.01] * 129, [0.4] * 4])
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_groups_have_every_piece_once(seconds, workers):
    cuts = groups(seconds, workers)
    assert [number for group in cuts for number in group] == list(range(len(seconds)))
    assert len(cuts) >= min(len(seconds), 1)


def square(shared, piece):
    return shared * piece**2


def test_outcomes_as_they_finish_and_in_order(workers):
    engine = open_engine(workers.address)
    for each in (engine, Threads(2)):
        assert list(each.run(square, range(50), 3)) == [3 * number**2 for number in range(50)]
        assert sorted(each.run(square, range(50), 3).finished()) == [(number, 3 * number**2) for number in range(50)]
    engine.close()


def broken(shared, piece):
    if piece == 3:
        raise MensuraError(f"piece {piece} is broken")
    return piece


def test_an_error_is_raised_at_its_place(workers):
    engine = open_engine(workers.address)
    for each in (engine, Threads(2)):
        outcomes = iter(each.run(broken, range(9), None))
        before = []
        with pytest.raises(MensuraError, match="piece 3 is broken"):
            before.extend(outcomes)
        assert before == [0, 1, 2]
        with pytest.raises(MensuraError, match="piece 3 is broken"):
            list(each.run(broken, range(9), None).finished())
    engine.close()


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_nothing_of_an_engine_is_imported_without_one(files, command):
    words = [command, str(files / "qrels.txt"), str(files / "plain.run"), str(files / "packed.run.gz")]
    code = (
        f"import sys; from mensura.cli import run_command\nrun_command({words!r})\n"
        "print([name for name in ('dask', 'distributed', 'pyspark', 'fsspec', 's3fs', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")
