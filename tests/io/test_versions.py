"""One version of a file: what is judged, what is digested, and what a pipe leaves behind."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading

import pytest
from blake3 import blake3

from mensura import InputError, judge, read_qrels, read_run
from mensura._core.blake3 import ALIGNED
from mensura.io import files, reading, stored
from mensura.io.digests import content_digest
from mensura.io.files import read_all, source
from mensura.io.stored import taking_digests

QRELS = {f"t{topic}": {"d0": 1, "d1": 0} for topic in range(60)}


def run_text(first: str, second: str, tag: str) -> bytes:
    """A run whose topics all begin with the same document: RR is 1 or 1/2 everywhere."""
    lines = [f"t{topic} Q0 {doc} 1 {score} {tag}" for topic in range(60) for doc, score in ((first, 2), (second, 1))]
    return ("\n".join(lines) + "\n").encode()


OLD, NEW = run_text("d0", "d1", "old"), run_text("d1", "d0", "new")
GRADES = {"old": [1, 0], "new": [0, 1]}


def grades(path: os.PathLike[str], threads: int = 4) -> str:
    """The version that was judged, or an error; anything else is a mixture."""
    try:
        judged = judge(read_qrels(QRELS), [path], threads=threads)
    except InputError as error:
        assert error.problem == stored.CHANGED  # noqa: PT017 - the error is one of the allowed outcomes
        return "error"
    name = judged.systems[0]
    assert judged.grades[0].tolist() == [GRADES[name]] * 60
    return name


@pytest.mark.parametrize("way", ["replaced", "overwritten"])
def test_no_mixture_of_two_versions(way, tmp_path, monkeypatch):
    """200 rounds, 4 threads, three stretches, while another thread writes one version after the other."""
    monkeypatch.setattr(reading, "STRETCH", len(OLD) // 3)
    path = tmp_path / "run"
    path.write_bytes(OLD)
    stopped = threading.Event()

    def change() -> None:
        turn = 0
        while not stopped.is_set():
            text = (NEW, OLD)[turn % 2]
            if way == "replaced":
                (tmp_path / "next").write_bytes(text)
                os.replace(tmp_path / "next", path)
            else:
                with path.open("r+b") as file:
                    file.write(text)
            turn += 1
            stopped.wait(0.001)

    writer = threading.Thread(target=change)
    writer.start()
    try:
        outcomes = [grades(path) for _ in range(200)]
    finally:
        stopped.set()
        writer.join()
    assert set(outcomes) <= {"old", "new", "error"}


def test_a_change_between_two_stretches_is_an_error(tmp_path, monkeypatch):
    """Without luck: the second stretch begins after the file has been changed."""
    path = tmp_path / "run"
    path.write_bytes(OLD)
    monkeypatch.setattr(reading, "STRETCH", len(OLD) // 3)
    judge_stretch = reading._judge_stretch

    def change_first(qrels, shared, order, start, stop, **options):
        if start:
            with path.open("r+b") as file:
                file.write(NEW)
        return judge_stretch(qrels, shared, order, start, stop, **options)

    monkeypatch.setattr(reading, "_judge_stretch", change_first)
    assert grades(path, threads=2) == "error"


def test_a_file_that_is_replaced_stays_what_it_was(tmp_path, monkeypatch):
    """All stretches are read from one descriptor."""
    path = tmp_path / "run"
    path.write_bytes(OLD)
    monkeypatch.setattr(reading, "STRETCH", len(OLD) // 3)
    judge_stretch = reading._judge_stretch
    begun = threading.Barrier(2)

    def replace_first(qrels, shared, order, start, stop, **options):
        with shared as _:
            shared._readers += 1
            if begun.wait() == 0:
                (tmp_path / "next").write_bytes(NEW)
                os.replace(tmp_path / "next", path)
            begun.wait()
        return judge_stretch(qrels, shared, order, start, stop, **options)

    monkeypatch.setattr(reading, "STRETCH", len(OLD) // 2)
    monkeypatch.setattr(reading, "_judge_stretch", replace_first)
    assert grades(path, threads=2) == "old"


@pytest.mark.parametrize("reader", [read_run, read_all, content_digest])
def test_an_input_is_the_version_that_was_named(reader, tmp_path):
    path = tmp_path / "run"
    path.write_bytes(OLD)
    named = source(path)
    (tmp_path / "next").write_bytes(NEW + b"t0 Q0 d2 3 0 new\n")
    os.replace(tmp_path / "next", path)
    with pytest.raises(InputError, match="changed while it was read"):
        read_all(named)
    reader(source(path) if reader is read_all else path)


@pytest.mark.parametrize("stretch", [100, 1 << 24])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_the_digest_is_that_of_the_bytes_that_were_judged(pack, stretch, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "STRETCH", stretch)
    path = tmp_path / "run"
    path.write_bytes(pack(OLD))
    with taking_digests() as taken:
        judge(read_qrels(QRELS), [path], threads=3)
        path.write_bytes(pack(NEW))
    assert {name: digest.value for name, (_, digest) in taken.items()} == {str(path): f"blake3:{blake3(OLD).hexdigest()}"}


LINES = [f"t{topic} Q0 d{rank} {rank} {-rank} long" for topic in range(60) for rank in range(700)]
LONG = {
    "no last line feed": "\n".join(LINES),
    "CRLF": "\r\n".join([*LINES, ""]),
    "byte order mark": "\ufeff" + "\n".join(LINES),
    "a topic in two stretches": "\n".join([*LINES, "t0 Q0 last 1 -900 long"]),
    "topics that are not together": "\n".join([*LINES[::2], *LINES[1::2]]),
}


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_stretches_are_hashed_by_their_readers(text, threads, tmp_path, monkeypatch):
    """The digest is known when a file has been judged, which asks for no other bytes than the first four."""
    path = tmp_path / "run"
    path.write_bytes(text.encode())
    monkeypatch.setattr(reading, "STRETCH", ALIGNED)
    monkeypatch.setattr(stored.Stored, "read_at", lambda self, size, offset: os.pread(self.descriptor, min(size, 4), offset))
    judge_stretch = reading._judge_stretch
    starts = []

    def noted(qrels, shared, order, start, stop, **options):
        starts.append(start)
        return judge_stretch(qrels, shared, order, start, stop, **options)

    monkeypatch.setattr(reading, "_judge_stretch", noted)
    with taking_digests() as taken:
        judge(read_qrels(QRELS), [path], threads=threads)
    assert sorted(starts[:4]) == ([] if threads == 1 else [0, ALIGNED, 2 * ALIGNED, 3 * ALIGNED])
    assert [digest.value for _, digest in taken.values()] == [f"blake3:{blake3(text.encode()).hexdigest()}"]


def test_the_digest_of_a_file_that_changes_is_of_the_version_that_was_judged(tmp_path, monkeypatch):
    """100 rounds, 4 threads, three stretches, while another thread replaces the file and overwrites it."""
    monkeypatch.setattr(reading, "STRETCH", ALIGNED)
    padding = "".join(f"t{topic} Q0 d{rank} {rank} {-rank} TAG\n" for topic in range(60) for rank in range(2, 600))
    texts = [(text.decode() + padding.replace("t", "x").replace("TAG", tag)).encode() for text, tag in ((OLD, "old"), (NEW, "new"))]
    known = {f"blake3:{blake3(text).hexdigest()}": name for text, name in zip(texts, GRADES, strict=True)}
    path = tmp_path / "run"
    path.write_bytes(texts[0])
    assert len(texts[0]) == len(texts[1]) > 3 * ALIGNED
    stopped = threading.Event()

    def change() -> None:
        turn = 0
        while not stopped.wait(0.005):
            turn += 1
            if turn % 4 < 2:
                path.with_name("next").write_bytes(texts[turn % 2])
                os.replace(path.with_name("next"), path)
            else:
                with path.open("r+b") as file:
                    file.write(texts[turn % 2])

    writer = threading.Thread(target=change)
    writer.start()
    outcomes = []
    try:
        for _ in range(100):
            with taking_digests() as taken:
                name = grades(path)
                outcomes += [(name, known.get(digest.value)) for _, digest in taken.values() if name != "error"]
    finally:
        stopped.set()
        writer.join()
    assert {*outcomes} <= {("old", "old"), ("new", "new")}


def test_a_file_that_is_named_twice_is_one_version(tmp_path):
    path = tmp_path / "run"
    path.write_bytes(OLD)
    with taking_digests():
        source(path)
        path.write_bytes(OLD + NEW)
        with pytest.raises(InputError, match="changed while it was read"):
            source(path)


def test_a_pipe_is_streamed(tmp_path, monkeypatch):
    """A long pipe is not held in memory, and an error still names its line."""
    monkeypatch.setattr(stored, "KEPT", 1000)
    lines = b"".join(b"t%d Q0 d%d 1 %d tag\n" % (topic, doc, -doc) for topic in range(60) for doc in range(100))
    for text, problem in ((lines, None), (lines + b"t0 Q0 d0 1 0 tag\n", None), (lines + b"broken\n", "expected 6 columns")):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=(text,))
        writer.start()
        if problem is None and text is lines:
            judged = judge(read_qrels(QRELS), [pipe])
            assert judged.retrieved.tolist() == [[100] * 60]
            assert judged.origin is not None
            assert not isinstance(judged.origin[1][0].pipe._kept, io.BytesIO)
        else:
            with pytest.raises(InputError, match=problem or "listed twice") as caught:
                judge(read_qrels(QRELS), [pipe])
            assert caught.value.line == 6001
        writer.join()
        pipe.unlink()


@pytest.mark.parametrize("name", ["qrels.txt", "qrels.csv", "qrels.json"])
def test_a_small_file_that_inflates_to_much_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "INFLATED", 1 << 20)
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(b"topic,document,grade\n" + b"".join(b"%07d,d,1\n" % row for row in range(200_000)), 9))
    monkeypatch.setattr(files, "RATIO", 1)
    with pytest.raises(InputError, match="inflate to more than 1 MB"):
        read_qrels(path)


HASHES = "from mensura._core.names import hash_of; print(hash_of(b'd1'), hash_of(b'FT911-3'))"


def test_the_hash_of_ids_is_keyed_per_process():
    outputs = {subprocess.run([sys.executable, "-c", HASHES], capture_output=True, check=True).stdout for _ in range(3)}
    assert len(outputs) == 3


def collisions(count: int, slots: int, wanted: int) -> list[bytes]:
    """Ids whose places in a table of ``slots`` are all among the first ``wanted``, for the key of this process."""
    from mensura._core.names import hash_of

    chosen: list[bytes] = []
    number = 0
    while len(chosen) < count:
        name = b"%d" % number
        mixed = hash_of(name)
        mixed ^= mixed >> 32
        if (mixed * 0x9E3779B97F4A7C15 >> 32) % slots < wanted:
            chosen.append(name)
        number += 1
    return chosen


def test_ids_that_collide_are_refused(tmp_path):
    """An attacker who knew the key: the work is bounded all the same."""
    names = [name.decode() for name in collisions(5000, 16_384, 16)]
    with pytest.raises(InputError, match="nearly the same hash"):
        read_qrels({"q": dict.fromkeys(names, 1)})
    path = tmp_path / "run"
    path.write_text("".join(f"q Q0 {name} 1 {-rank} tag\n" for rank, name in enumerate(names)))
    for threads in (1, 2):
        with pytest.raises(InputError, match="nearly the same hash"):
            judge(read_qrels({"q": {"a": 1}}), [path], threads=threads)
    path.write_text("".join(f"{name} 0 d 1\n" for name in names))
    with pytest.raises(InputError, match="nearly the same hash"):
        read_qrels(path)
