"""Sources of bytes: plain files, gzip, Zstandard, standard input, pipes, patterns."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading

import pytest

from mensura import InputError, MensuraError, judge, read_qrels, read_run
from mensura.io import reading
from mensura.io.files import chunks, expand, source

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

QRELS = b"q 0 a 1\nq 0 b 0\np 0 a 2\n"
RUN = b"q Q0 b 1 2 mine\nq Q0 a 2 1 mine\np Q0 x 1 1 mine\n"
GRADES = [[[0, 1], [-1, -1]]]
SKIPPABLE = b"\x50\x2a\x4d\x18\x04\x00\x00\x00\x07\x00\x00\x00"  # RFC 8878, 3.1.2: magic number, size 4, four bytes of anything


def stored(text: bytes) -> dict[str, bytes]:
    half = len(text) // 2
    return {
        "plain": text,
        "plain.txt": text,
        "plain.gz": text,  # the bytes decide, not the name
        "run.gz": gzip.compress(text),
        "members.gz": gzip.compress(text[:half]) + gzip.compress(b"") + gzip.compress(text[half:]),
        "zeros.gz": gzip.compress(text) + b"\0" * 512,
        "gzip-without-ending": gzip.compress(text),
        "run.zst": zstd.compress(text),
        "frames.zst": zstd.compress(text[:half]) + zstd.compress(text[half:]),
        "pzstd.zst": SKIPPABLE + zstd.compress(text),
    }


@pytest.mark.parametrize("name", list(stored(b"")))
@pytest.mark.parametrize("threads", [1, 2])
def test_every_storage(name, threads, write):
    qrels = read_qrels(write("q" + name, stored(QRELS)[name]))
    assert qrels.to_dict() == {"q": {"a": 1, "b": 0}, "p": {"a": 2}}
    path = write(name, stored(RUN)[name])
    judged = judge(qrels, [path], threads=threads)
    assert (judged.grades.tolist(), judged.systems) == (GRADES, ("mine",))
    assert read_run(path).to_dict() == {"q": {"b": 2.0, "a": 1.0}, "p": {"x": 1.0}}


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress], ids=["gz", "zst"])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_cut_off_or_damaged(pack, threads, write):
    whole = pack(b"".join(b"q Q0 %d 1 %d t\n" % (row * 7919 % 10_007, row) for row in range(10_000)))
    qrels = read_qrels({"q": {"1": 1}})
    for broken in (whole[:-1], whole[:-9], whole[: len(whole) // 2], whole[:10], whole[:4], whole + b"garbage", whole[:-2] + b"xy"):
        path = write("run", broken)
        with pytest.raises(InputError, match="damaged") as caught:
            judge(qrels, [path], threads=threads)
        assert caught.value.source == str(path)
        with pytest.raises(InputError, match="damaged"):
            read_run(path)
        with pytest.raises(InputError, match="damaged"):
            read_qrels(path)


def test_a_long_compressed_stream_is_whole(write):
    """More than all buffers between the two threads hold."""
    text = b"".join(b"t%d Q0 d%d 1 %d t\n" % (row // 1000, row % 1000, -row) for row in range(400_000))
    qrels = read_qrels({f"t{topic}": {"d999": 1} for topic in range(400)})
    judged = judge(qrels, [write("run.gz", gzip.compress(text, 1))], threads=2)
    assert judged.retrieved.tolist() == [[1000] * 400]
    assert judged.grades[0, :, 999].tolist() == [1] * 400


def test_a_thread_that_reads_ahead_ends_with_its_reader():
    before = threading.active_count()
    pieces = chunks(io.BytesIO(b"x" * (1 << 24)), background=True)
    assert next(pieces)[:1] == b"x"
    pieces.close()
    assert threading.active_count() == before
    assert b"".join(chunks(io.BytesIO(b"y" * 600_000), background=True)) == b"y" * 600_000


def test_standard_input(monkeypatch, write):
    for text in (RUN, gzip.compress(RUN), zstd.compress(RUN)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        assert judge(read_qrels(write("qrels", QRELS)), ["-"]).grades.tolist() == GRADES
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"q 0 a 1\nbroken\n")))
    with pytest.raises(InputError, match=r"^<stdin>:2: expected 4 columns"):
        read_qrels("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_a_pipe_is_read_once(pack, tmp_path, write):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(pack(RUN),))
    writer.start()
    assert judge(read_qrels(write("qrels", QRELS)), [pipe]).grades.tolist() == GRADES
    writer.join()


NO_FILES = [
    ("nothing", "no such file"),
    ("", "is a folder"),
    ("run/x", "no such file"),
    ("x" * 5000, "could not be read"),
    ("\0", "no such file"),
]


@pytest.mark.parametrize(("name", "says"), NO_FILES, ids=["missing", "folder", "file as folder", "too long", "zero"])
def test_what_is_no_file(name, says, tmp_path, write):
    write("run", RUN)
    path = f"{tmp_path}/{name}"
    for reader in (read_qrels, read_run, source):
        with pytest.raises(InputError, match=says) as caught:
            reader(path)
        assert caught.value.source == path


def test_patterns(tmp_path, write):
    for name in ("b.run", "a.run", "c.txt", "[x].run"):
        write(name, RUN)
    assert expand([f"{tmp_path}/[ab].run", f"{tmp_path}/c.txt", "-"]) == [
        f"{tmp_path}/a.run",
        f"{tmp_path}/b.run",
        f"{tmp_path}/c.txt",
        "-",
    ]
    assert expand([tmp_path / "[x].run"]) == [f"{tmp_path}/[x].run"]
    assert expand(["no-pattern"]) == ["no-pattern"]
    with pytest.raises(InputError, match="no file matches"):
        expand([f"{tmp_path}/*.gz"])


@pytest.mark.parametrize(
    ("name", "stem"),
    [("bm25.txt.gz", "bm25"), ("a.b.run", "a.b"), ("run", "run"), (".gz", ".gz"), ("x.ZST", "x"), ("input.bm25.gz", "input.bm25")],
)
def test_stems(name, stem, write):
    assert source(write(name, RUN)).stem == stem


@pytest.mark.parametrize("option", [{"depth": 0}, {"depth": -1}, {"compat": "trec_eval-8"}, {"threads": 0}, {"threads": -1}])
def test_options_that_make_no_sense(option, write):
    with pytest.raises(MensuraError, match=next(iter(option))):
        judge(read_qrels({"q": {"a": 1}}), [write("run", RUN)], **option)


def test_scattered_topics_over_stretches(monkeypatch, write):
    rows = [(topic, doc) for doc in range(40) for topic in "pqrx"]
    path = write("run", b"".join(b"%b Q0 d%d 1 %d t\n" % (topic.encode(), doc, -doc) for topic, doc in rows))
    qrels = read_qrels({topic: {"d0": 3, "d39": 1} for topic in "pqr"})
    for stretch in (1, 100, 1 << 24):
        monkeypatch.setattr(reading, "STRETCH", stretch)
        judged = judge(qrels, [path], threads=2)
        assert judged.grades.tolist() == [[[3] + [-1] * 38 + [1]] * 3]
        assert judged.extra == (("x",),)


def test_real_runs_read_in_every_way(data, monkeypatch):
    """A run of TREC-8 whose scores tie: judged as a stream, as stretches and as a whole, it is the same."""
    qrels = read_qrels(data / "trec8" / "qrels.txt")
    path = data / "trec8" / "runs" / "uwmt8a0.gz"
    streamed = judge(qrels, [path], scores=True)
    whole = judge(qrels, [read_run(path)], scores=True)
    assert streamed.retrieved.sum() == len(read_run(path))
    assert (streamed.grades == whole.grades).all()
    assert (streamed.ties == whole.ties).all()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.decompress(path.read_bytes()))))
    assert (judge(qrels, ["-"]).grades == whole.grades).all()
