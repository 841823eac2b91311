"""Bad input: one error that names the file, the line and the text; in the command line, one message and exit 2."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from mensura import InputError, judge, read_qrels, read_run
from mensura.io import reading
from tests.cli.running import mensura

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = "q Q0 d{row} 1 {score} tag\n"
BAD_RUNS = {
    "missing column": ("q Q0 d 1 2.5", "6 columns (topic, Q0, document, rank, score, tag), got 5"),
    "no number": ("q Q0 d 1 high tag", "'high' is not a finite number"),
    "nan": ("q Q0 d 1 NaN tag", "'NaN' is not a finite number"),
    "infinite": ("q Q0 d 1 -inf tag", "'-inf' is not a finite number"),
    "too large": ("q Q0 d 1 1e309 tag", "'1e309' is too large"),
    "unreadable byte": ("q Q0 d\x00 1 1 tag", "not text"),
    "carriage return": ("q Q0 d 1 1 tag\rq Q0 e 1 1 tag", "not text"),
    "duplicate": ("q Q0 d0 1 77 tag", "document 'd0' is listed twice for topic 'q'"),
}
BAD_QRELS = {
    "missing column": ("q 0 d", "4 columns (topic, iteration, document, grade), got 3"),
    "extra column": ("q 0 d 1 x", "got 5"),
    "a run": ("q Q0 d 1 2.5 tag", "is this a run?"),
    "no grade": ("q 0 d good", "'good' is not a number"),
    "half a number": ("q 0 d 0.5x", "'0.5x' is not a number"),
    "decimal too large": ("q 0 d 127.5", "'127.5' is out of range"),
    "far too large": ("q 0 d 1e999", "'1e999' is out of range"),
    "grade too large": ("q 0 d 128", "'128' is out of range"),
    "unreadable byte": ("q 0 d\x1f 1", "not text"),
    "duplicate": ("q 1 d0 0", "document 'd0' is listed twice for topic 'q'"),
}


def shown(line: str) -> str:
    return line.replace("\x00", "\\x00").replace("\x1f", "\\x1f").replace("\r", "\\r")


def check(caught: pytest.ExceptionInfo[InputError], path: object, line: int, text: str, says: str) -> None:
    error = caught.value
    assert (error.source, error.line, error.text) == (str(path), line, shown(text))
    assert says in error.problem
    assert str(error) == f"{path}:{line}: {error.problem}\n    {error.text}"


@pytest.mark.parametrize(("line", "says"), list(BAD_RUNS.values()), ids=list(BAD_RUNS))
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_bad_lines_of_runs(line, says, pack, write):
    rows = [GOOD.format(row=row, score=-row) for row in range(6)]
    text = "".join(["# head\n", "\n", *rows[:3], line + "\n", *rows[3:]])
    path = write("run", pack(text.encode()))
    readers: list[Callable[[], object]] = [lambda: judge(read_qrels({"q": {"d": 1}}), [path])]
    if "twice" not in says:  # a run that is held in memory may hold duplicates until it is judged
        readers.append(lambda: read_run(path))
    for reader in readers:
        with pytest.raises(InputError) as caught:
            reader()
        check(caught, path, 6, line, says)


@pytest.mark.parametrize(("line", "says"), list(BAD_QRELS.values()), ids=list(BAD_QRELS))
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_bad_lines_of_qrels(line, says, pack, write):
    path = write("qrels", pack(f"# head\r\nq 0 d0 1\r\n{line}\r\nq 0 d1 1\r\n".encode()))
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    check(caught, path, 3, line, says)


@pytest.mark.parametrize("at", [0, 1, 4999, 30_000, 59_998, 59_999])
@pytest.mark.parametrize("name", ["missing column", "nan", "unreadable byte"])
@pytest.mark.parametrize("scattered", [False, True])
def test_the_line_in_a_long_file(at, name, scattered, monkeypatch, write):
    line, says = BAD_RUNS[name]
    rows = [f"t{row % 60 if scattered else row // 1000} Q0 d{row} 1 {-row} tag\n" for row in range(60_000)]
    rows[at] = line + "\n"
    text = "".join(rows).encode()
    qrels = read_qrels({"t1": {"d1": 1}})
    monkeypatch.setattr(reading, "STRETCH", 1 << 16)
    for path in (write("run", text), write("run.gz", gzip.compress(text, 1))):
        with pytest.raises(InputError) as caught:
            judge(qrels, [path], threads=2)
        check(caught, path, at + 1, line, says)


@pytest.mark.parametrize("scattered", [False, True])
def test_the_line_of_a_duplicate_in_a_long_file(scattered, monkeypatch, write):
    rows = [f"t{row % 20 if scattered else row // 1000} Q0 d{row} 1 {-row} tag\n" for row in range(20_000)]
    rows[19_990] = rows[19_970]
    monkeypatch.setattr(reading, "STRETCH", 1 << 14)
    path = write("run", "".join(rows))
    with pytest.raises(InputError, match="twice") as caught:
        judge(read_qrels({"t1": {"d1": 1}}), [path], threads=2)
    assert caught.value.line == 19_991


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment", " \t\r\n", "\ufeff"])
def test_empty_files(text, write):
    path = write("file", text)
    for reader in (read_qrels, read_run, lambda path: judge(read_qrels({"q": {"d": 1}}), [path])):
        with pytest.raises(InputError, match="is empty") as caught:
            reader(path)
        assert (caught.value.source, caught.value.line) == (str(path), None)


def test_the_first_broken_run_in_order_is_named(write):
    good, bad, worse = write("a", "q Q0 d 1 1 t\n"), write("b", "q Q0 d 1 1 t\nq\n"), write("c", "x\n")
    with pytest.raises(InputError) as caught:
        judge(read_qrels({"q": {"d": 1}}), [good, bad, worse])
    assert (caught.value.source, caught.value.line) == (str(bad), 2)


def test_long_lines_and_strange_bytes_are_shown_briefly(write):
    path = write("qrels", b"q 0 \xff\xfe" + b"x" * 500 + b" ?\n")
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert caught.value.text.startswith("q 0 \\xff\\xfexxx")
    assert caught.value.text.endswith("x…")
    assert len(caught.value.text) == 101


@pytest.mark.parametrize(
    ("qrels", "run", "blame"),
    [("q 0 d 1\n", "q Q0 d 1 x t\n", 1), ("q 0 d\n", "q Q0 d 1 1 t\n", 0), ("", "q Q0 d 1 1 t\n", 0), ("q 0 d 1\n", "\x00", 1)],
)
def test_the_command_line_prints_one_message(qrels, run, blame, write):
    arguments = [str(write("qrels", qrels)), str(write("run", run))]
    done = mensura("evaluate", *arguments, status=2)
    assert done.stdout == ""
    assert done.stderr.startswith(f"mensura: {arguments[blame]}:")


def test_of_a_topic_with_very_many_lines_the_first_fault_is_named(tmp_path):
    # Such a topic is checked for duplicates before it ends: nobody waits for the end of a file that repeats one line for ever.
    lines = [f"q Q0 d{row} 1 {-row} tag\n" for row in range(140_000)]
    lines[70] = "q Q0 d9 1 0 tag\n"
    (tmp_path / "run.txt").write_text("".join(lines) + "q Q0 broken\n")
    with pytest.raises(InputError, match="'d9' is listed twice") as caught:
        judge({"q": {"d1": 1}}, tmp_path / "run.txt")
    assert caught.value.line == 71
