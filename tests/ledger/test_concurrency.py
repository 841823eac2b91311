"""Several processes write at once, and some of them die."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mensura.ledger import Ledger

from .writer import COLLECTION, entry

WRITERS = 8
KILLED = 2


@pytest.mark.parametrize("writes", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_nothing_acknowledged_is_lost(tmp_path, writes):
    path = tmp_path / "ledger.sqlite"
    writers = []
    for number in range(WRITERS):
        count = writes if number >= KILLED else 100 * writes  # these shall not be done before they are killed
        command = [sys.executable, str(Path(__file__).parent / "writer.py"), str(path), f"w{number}", str(count)]
        with (tmp_path / f"w{number}").open("wb") as output:
            writers.append(subprocess.Popen(command, stdout=output))

    def said(number):
        return (tmp_path / f"w{number}").read_text(encoding="utf-8").splitlines()

    doomed = {number: writes // (3 + number) for number in range(KILLED)}  # each dies at a point of its own
    while doomed:
        for number in [number for number, enough in doomed.items() if len(said(number)) >= enough]:
            writers[number].send_signal(signal.SIGKILL)
            del doomed[number]
        time.sleep(0.001)
    statuses = [writer.wait() for writer in writers]
    assert statuses == [-signal.SIGKILL] * KILLED + [0] * (WRITERS - KILLED)
    acknowledged = [said(number) for number in range(WRITERS)]
    assert [len(ids) for ids in acknowledged[KILLED:]] == [writes] * (WRITERS - KILLED)
    assert all(len(acknowledged[number]) >= writes // (3 + number) for number in range(KILLED))
    with Ledger(path) as ledger:
        stored = ledger.entries()
    ids = [one.id for one in stored]
    assert len(ids) == len(set(ids))
    assert set().union(*map(set, acknowledged)) <= set(ids)
    # What is there but was not acknowledged: at most the one write that each killed process was at.
    surplus = set(ids) - set().union(*map(set, acknowledged))
    assert surplus <= {entry(f"w{number}", len(acknowledged[number])).id for number in range(KILLED)}
    assert [one.time for one in stored] == sorted({one.time for one in stored})  # one write, one time
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_the_same_tests_from_many_processes_are_counted_once(tmp_path):
    path = tmp_path / "ledger.sqlite"
    command = [sys.executable, str(Path(__file__).parent / "writer.py"), str(path), "same", "20"]
    writers = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    with Ledger(path) as ledger:
        assert ledger.collections()[0][:2] == (COLLECTION, 20)
