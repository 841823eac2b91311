"""Runs whose topics are not together: shuffled by topic on both engines, and equal to the run read as a whole."""

from __future__ import annotations

import gzip
import json
import random
import re

import numpy as np
import pytest

import mensura
from mensura.engines.choice import open_engine
from mensura.engines.engine import Threads
from mensura.errors import DuplicateError, InputError, MensuraError
from mensura.io import parts, shuffling
from mensura.io.files import source
from mensura.judged.entrance import judge
from tests.cli.running import call
from tests.io.test_parts import write
from tests.pieces.campaigns import campaign

pytest.importorskip("distributed")
MEASURES = ["AP", "RR", "nDCG@5"]


@pytest.fixture(params=["threads", "dask"])
def engine(request, workers):
    if request.param == "threads":
        yield Threads(2)
        return
    opened = open_engine(workers.address)
    yield opened
    opened.close()


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Judgments, and the lines of a run in no order, in one file and in parts; stretches have 400 bytes."""
    monkeypatch.setattr(parts, "STRETCH", 400)
    qrels, runs = campaign(7, systems=("mixed",), topics=60)
    (tmp_path / "qrels.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t, grades in qrels.items() for d, g in grades.items()))
    rows = runs["mixed"]
    random.Random(3).shuffle(rows)  # noqa: S311 - a seeded test
    write(tmp_path / "mixed.run", rows, "mixed")
    for ending in ("run", "csv", "parquet", "gz"):
        (tmp_path / ending).mkdir()
        for part in range(4):
            write(tmp_path / ending / f"part-{part}.{ending}", rows[part * len(rows) // 4 : (part + 1) * len(rows) // 4], "mixed")
    return tmp_path


def test_lines_of_a_stretch_are_those_that_begin_there(files):
    """Every line is in one stretch, whatever the cuts: an independent count with Python's own lines."""
    text = (files / "mixed.run").read_bytes()
    pieces = [part for _, part in parts.parts_of(source(files / "mixed.run"))]
    assert len(pieces) > 20
    for cuts in (pieces, [parts.RunPart(pieces[0].origin, start=at, stop=at + 1) for at in range(150)]):
        for part in cuts:
            at, lines = shuffling._lines(part)
            starts = [0, *(match.end() for match in re.finditer(b"\n", text))]
            stop = len(text) if part.stop < 0 else part.stop
            ours = [start for start in starts if part.start <= start < stop]
            expected = b"".join(text[start:].split(b"\n")[0] + b"\n" for start in ours)
            assert lines.rstrip(b"\n") == expected.rstrip(b"\n")
            assert not ours or at == ours[0]


def test_a_file_in_no_order(files, engine):
    whole = judge(files / "qrels.txt", files / "mixed.run", scores=True)
    spread = judge(files / "qrels.txt", files / "mixed.run", scores=True, engine=engine)
    for what in ("grades", "retrieved", "ties"):
        assert (getattr(whole, what) == getattr(spread, what)).all()
    assert np.array_equal(whole.scores, spread.scores, equal_nan=True)
    assert whole.extra == spread.extra
    assert whole.systems == spread.systems
    assert whole.documents().number.tolist() == spread.documents().number.tolist()


@pytest.mark.parametrize("ending", ["run", "csv", "parquet", "gz"])
def test_parts_that_share_topics(files, engine, ending):
    name = ending if ending in {"csv", "parquet"} else "mixed"  # that of the folder, or the tag
    whole = mensura.evaluate(files / "qrels.txt", {name: files / "mixed.run"}, MEASURES)
    spread = mensura.evaluate(files / "qrels.txt", files / ending, MEASURES, engine=engine)
    assert json.dumps(spread.to_dict()) == json.dumps(whole.to_dict())
    alone = mensura.pieces.means(files / "qrels.txt", files / ending, MEASURES, engine=engine)
    assert (alone.means(), alone.remarks) == (whole.means(), whole.remarks)


@pytest.mark.parametrize("means", [[], ["--means-only"]])
def test_commands_write_the_same_bytes(files, workers, means):
    text = (files / "mixed.run").read_text()
    (files / "sorted.run").write_text("".join(sorted(text.replace(" mixed", " other").splitlines(keepends=True))))
    (files / "mixed.run").write_text(text.replace(" mixed\n", " another and more\n", 1))  # remarks on tags and columns
    for command in ("evaluate", "compare"):
        runs = [str(files / name) for name in ("mixed.run", "sorted.run")]
        words = [command, str(files / "qrels.txt"), *runs, "-f", "json", "-m", "AP@10"]
        expected = call([*words, *means])
        done = call([*words, *means, "--engine", "dask", "--scheduler", workers.address])
        assert (expected.returncode, expected.stderr.count("Traceback")) == (0, 0), expected.stderr
        assert (done.returncode, done.stdout) == (0, expected.stdout), done.stderr


@pytest.mark.parametrize("place", [0.1, 0.9])
@pytest.mark.parametrize("fault", ["t1 Q0 d1 0 x mixed\n", "t1 Q0 d1\n", "twice"])
def test_faults_have_file_and_line(files, engine, fault, place):
    lines = (files / "mixed.run").read_text().splitlines(keepends=True)
    line = int(place * len(lines)) + 1
    lines.insert(line - 1, lines[0] if fault == "twice" else fault)
    (files / "mixed.run").write_text("".join(lines))
    messages = []
    for options in ({}, {"engine": engine}):
        with pytest.raises(InputError) as raised:
            mensura.evaluate(files / "qrels.txt", files / "mixed.run", "AP", **options)
        messages.append(str(raised.value))
    assert messages[0] == messages[1]
    assert f"mixed.run:{line}:" in messages[0]
    with pytest.raises(InputError) as raised:
        mensura.pieces.means(files / "qrels.txt", files / "mixed.run", "AP", engine=engine)
    assert str(raised.value) == messages[0]


def test_a_document_in_two_parts(files, engine):
    first = (files / "run" / "part-0.run").read_text().splitlines(keepends=True)[0]
    text = (files / "run" / "part-2.run").read_text()
    (files / "run" / "part-2.run").write_text(text + first)
    line = text.count("\n") + 1
    with pytest.raises(DuplicateError, match=rf"part-2.run:{line}: document '\w+' is listed twice"):
        mensura.evaluate(files / "qrels.txt", files / "run", "AP", engine=engine)
    topic, _, document, *_ = first.split()
    with (files / "csv" / "part-2.csv").open("a") as file:
        file.write(f"{topic},{document},0\n")
    with pytest.raises(DuplicateError, match=f"part-2.csv: document '{document}' is listed twice for topic '{topic}'"):
        mensura.evaluate(files / "qrels.txt", files / "csv", "AP", engine=engine)


def test_a_part_that_is_cut_off(files, engine):
    data = gzip.compress((files / "run" / "part-3.run").read_bytes())
    (files / "gz" / "part-3.gz").write_bytes(data[:-9])
    with pytest.raises(InputError, match=r"part-3.gz: is damaged or cut off"):
        mensura.evaluate(files / "qrels.txt", files / "gz", "AP", engine=engine)


def by_hand(piece):
    """A piece of three blocks, or an error."""
    if piece < 0:
        raise MensuraError("piece is negative")
    return [b"%d,%d;" % (piece, key) for key in range(3)]


def together(shared, blocks):
    return shared + b"".join(blocks)


@pytest.mark.parametrize("number", [1, 2, 7])
def test_blocks_of_a_key_are_together_and_in_order(engine, number):
    outcomes = list(engine.shuffle(by_hand, range(5), together, b"", number))
    assert len(outcomes) == number
    assert sorted(block for each in outcomes for block in _blocks(each)) == [(piece, key) for piece in range(5) for key in range(3)]
    for each in outcomes:
        assert _blocks(each) == sorted(_blocks(each))
        others = {key for other in outcomes if other is not each for _, key in _blocks(other)}
        assert others.isdisjoint(key for _, key in _blocks(each))


def _blocks(outcome):
    return [tuple(map(int, block.split(b","))) for block in outcome.split(b";") if block]


def test_an_error_of_a_piece_is_told(engine):
    with pytest.raises(MensuraError, match="piece is negative"):
        list(engine.shuffle(by_hand, [1, -1, 2], together, b"", 2))
