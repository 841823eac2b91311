"""Runs in several files: parts of one folder are one run, equal to the run in one file."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import fsspec
import pyarrow as pa
import pytest
from blake3 import blake3
from pyarrow import parquet

import mensura
from mensura._core.blake3 import ALIGNED
from mensura.engines.engine import Threads
from mensura.errors import InputError
from mensura.io import parts
from mensura.io.digests import source_digest
from mensura.io.files import Parts, source
from mensura.io.read import run_inputs
from mensura.io.reading import Order
from mensura.io.spreading import SpreadReading
from mensura.io.stored import taking_digests
from mensura.pieces.files import means
from tests.cli.running import call
from tests.pieces.campaigns import campaign


def write(path, rows, tag="tag"):
    """Rows in the format of a file's ending."""
    if path.suffix == ".parquet":
        columns = dict(zip(("qid", "docno", "score"), map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
        schema = pa.schema({"qid": pa.string(), "docno": pa.string(), "score": pa.float64()})
        parquet.write_table(pa.table(columns, schema=schema) if rows else schema.empty_table(), path)
    elif path.suffix == ".csv":
        path.write_text("qid,docno,score\n" + "".join(f"{t},{d},{s}\n" for t, d, s in rows))
    else:
        lines = "".join(f"{t} Q0 {d} 0 {s} {tag}\n" for t, d, s in rows).encode()
        path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)


@pytest.mark.parametrize("ending", [".parquet", ".csv", ".run", ".gz"])
@pytest.mark.parametrize("sorted_", [True, False], ids=["cut at topics", "scattered"])
def test_parts_are_one_run(tmp_path, ending, sorted_):
    qrels, runs = campaign(2, systems=("bm25",), topics=20)
    rows = runs["bm25"]
    if not sorted_:
        random.Random(1).shuffle(rows)  # noqa: S311 - a seeded test
    folder = tmp_path / "bm25"
    folder.mkdir()
    home = {topic: number % 3 for number, topic in enumerate(dict.fromkeys(row[0] for row in rows))}
    for part in range(3):
        some = [row for at, row in enumerate(rows) if (home[row[0]] if sorted_ else at % 3) == part]
        write(folder / f"part-{part:05}{ending}", some, "bm25")
    (folder / "_SUCCESS").touch()
    whole = mensura.evaluate(qrels, {"bm25": rows}, ["AP", "RR", "nDCG@5"])
    for given in (f"{folder}/part-*{ending}", f"{folder}/", sorted(folder.glob("part-*")), folder):
        spread = mensura.evaluate(qrels, given, ["AP", "RR", "nDCG@5"])
        assert json.dumps(spread.to_dict()) == json.dumps(whole.to_dict())
        assert spread.judged.documents().number.tolist() == whole.judged.documents().number.tolist()


def test_an_empty_part_is_none(tmp_path):
    """Spark writes a part without rows where it has none."""
    folder = tmp_path / "run.parquet"
    folder.mkdir()
    write(folder / "part-0.parquet", [("q", "a", 1.0)])
    write(folder / "part-1.parquet", [])
    assert mensura.evaluate({"q": {"a": 1}}, folder, "AP").means() == {"run": {"AP": 1.0}}
    (folder / "part-0.parquet").unlink()
    with pytest.raises(InputError, match="is empty"):
        mensura.evaluate({"q": {"a": 1}}, folder, "AP")


def test_other_folders_are_refused(tmp_path):
    (tmp_path / "other.run").write_text("q Q0 a 0 1 tag\n")
    with pytest.raises(InputError, match="is a folder; name its files"):
        mensura.evaluate({"q": {"a": 1}}, tmp_path, "AP")


def test_a_broken_part_is_named(tmp_path):
    for part, text in enumerate(("q Q0 a 0 1 tag\n", "r Q0 a 0 1 tag\nr Q0 b 0 none tag\n")):
        (tmp_path / f"part-{part}.run").write_text(text)
    with pytest.raises(InputError, match=r"part-1.run:2: the score 'none'"):
        mensura.evaluate({"q": {"a": 1}}, f"{tmp_path}/part-*", "AP")


def test_duplicates_over_parts(tmp_path):
    for part in range(2):
        (tmp_path / f"part-{part}.run").write_text("q Q0 a 0 1 tag\n")
    with pytest.raises(InputError, match=r"document 'a' is listed twice for topic 'q'"):
        mensura.evaluate({"q": {"a": 1}}, f"{tmp_path}/part-*", "AP")


def test_single_parts_and_parts_of_two_folders(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for part in range(2):
            (tmp_path / folder / f"part-{part}.run").write_text(f"q{part} Q0 d 0 1 {folder}\n")
    inputs = run_inputs([f"{tmp_path}/*/part-*", str(tmp_path / "a")])
    assert [type(each) for each in inputs] == [Parts] * 3
    assert [each.stem for each in inputs] == ["a", "b", "a"]
    assert mensura.evaluate({"q0": {"d": 1}}, [f"{tmp_path}/*/part-*"], "AP").judged.systems == ("a", "b")
    assert not isinstance(run_inputs(str(tmp_path / "a" / "part-0.run"))[0], Parts)
    assert source_digest(inputs[0]) == source_digest(inputs[2]) != source_digest(inputs[1])


def test_records_of_parts(tmp_path):
    (tmp_path / "qrels.txt").write_text("q0 0 d 1\nq1 0 d 1\n")
    for part in range(2):
        (tmp_path / f"part-{part}.csv").write_text(f"qid,docno,score\nq{part},d,1\n")
    words = ["evaluate", str(tmp_path / "qrels.txt"), f"{tmp_path}/part-*", "-f", "csv", "-o", str(tmp_path / "out.csv")]
    assert call(words).returncode == 0
    before = (tmp_path / "out.csv").read_bytes()
    assert call(["reproduce", str(tmp_path / "out.csv")]).returncode == 0
    assert before == (tmp_path / "out.csv").read_bytes()
    assert source(tmp_path / "out.csv").stem == "out"


@pytest.mark.parametrize("work", ["means", "judged runs"])
@pytest.mark.parametrize("place", ["file", "memory", "packed"])
def test_the_digests_of_stretches_that_workers_read(place, work, tmp_path, monkeypatch):
    """They come back with the numbers and are joined: nobody reads the files again."""
    monkeypatch.setattr(parts, "STRETCH", ALIGNED)
    texts = [
        "\n".join(f"q{topic} Q0 d{rank} 0 {-rank} {tag}" for topic in range(60) for rank in range(700)) for tag in ("one", "two")
    ]
    qrels = {f"q{topic}": {"d1": 1} for topic in range(60)}
    paths = [f"memory://digests/{work}-{tag}" if place == "memory" else str(tmp_path / tag) for tag in ("one", "two")]
    for path, text in zip(paths, texts, strict=True):
        if place == "memory":
            fsspec.filesystem("memory").pipe_file(path, text.encode())
        else:
            Path(path).write_bytes(gzip.compress(text.encode(), 1) if place == "packed" else text.encode())
    with taking_digests() as taken:
        if work == "means":
            assert means(qrels, paths, "RR").means() == {"one": {"RR": 0.5}, "two": {"RR": 0.5}}
        else:
            judged = mensura.read_qrels(qrels)
            reading = SpreadReading(judged, run_inputs(paths, lazy=True), Order(), Threads(2), judged)
            assert [len(run.judges) for run in reading.results()] == [1 if place == "packed" else 3] * 2
    assert [digest.value for _, digest in taken.values()] == [f"blake3:{blake3(text.encode()).hexdigest()}" for text in texts]
