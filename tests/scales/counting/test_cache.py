"""Sweeps on disk: found again, never trusted blindly, never needed."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mensura.io.caches import cache_folder, cached_path
from mensura.measures.decomposition import AveragePrecision
from mensura.scales.counting import sweep
from mensura.scales.counting.machines import PrecisionMachine
from mensura.scales.counting.sweep import SweptValues

ROWS = np.arange(20, dtype=np.int64).reshape(10, 2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MENSURA_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def values(length: int) -> SweptValues:
    return SweptValues(PrecisionMachine.of(AveragePrecision(), length, (0, 1), None))


def test_rows_come_back(folder: Path) -> None:
    assert sweep.load("a") is None
    sweep.store("a", ROWS)
    found = sweep.load("a")
    assert found is not None
    assert (found == ROWS).all()
    assert sweep.load("b") is None
    assert [path.name.startswith("sweep-") for path in folder.iterdir()] == [True]


@pytest.mark.parametrize(
    "harm", [lambda b: b[:-1], lambda b: b[:-16], lambda _: b"", lambda b: b[:60] + b"x" + b[61:], lambda b: b + bytes(16)]
)
@pytest.mark.usefixtures("folder")
def test_a_damaged_file_is_no_file(harm: Callable[[bytes], bytes]) -> None:
    sweep.store("a", ROWS)
    path = cached_path("sweep", "a")
    assert path is not None
    path.write_bytes(harm(path.read_bytes()))
    assert sweep.load("a") is None


@pytest.mark.usefixtures("folder")
def test_a_file_under_the_wrong_name_is_no_file() -> None:
    sweep.store("a", ROWS)
    right, wrong = cached_path("sweep", "a"), cached_path("sweep", "b")
    assert right is not None
    assert wrong is not None
    right.rename(wrong)
    assert sweep.load("b") is None


def test_where_it_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for off in ("", "off", "0"):
        monkeypatch.setenv("MENSURA_CACHE", off)
        assert cache_folder() is None
        assert sweep.load("a") is None
        sweep.store("a", ROWS)
    monkeypatch.delenv("MENSURA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "mensura"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() != Path("relative/mensura")


def test_a_disk_that_refuses_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("MENSURA_CACHE", str(tmp_path / "file" / "below"))
    sweep.store("a", ROWS)
    assert sweep.load("a") is None


def test_an_interrupted_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep.store("a", ROWS)
    assert list(folder.iterdir()) == []


def test_two_writers(folder: Path) -> None:
    """Both write the same table many times over while it is read: every reader sees all of it or nothing."""
    rows = np.arange(40_000, dtype=np.int64).reshape(-1, 2)

    def write() -> None:
        for _ in range(30):
            sweep.store("a", rows)

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    seen = []
    while any(writer.is_alive() for writer in writers):
        found = sweep.load("a")
        seen.append(found is None or bool((found == rows).all()))
    for writer in writers:
        writer.join()
    assert all(seen)
    assert len(list(folder.iterdir())) == 1


def test_ranks_are_the_same_with_and_without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "WORTH_KEEPING", 0)
    runs = np.random.default_rng(3).integers(0, 2, (40, 17)).astype(np.uint8)
    fresh = values(17)
    ranks = fresh.rank(runs)
    assert len(list(folder.iterdir())) == 1
    assert fresh.rank(runs[:3]) == ranks[:3]
    kept = values(17)
    assert kept.rank(runs) == ranks
    assert kept.steps == fresh.steps
    assert kept.value(1000) == fresh.value(1000)
    monkeypatch.setenv("MENSURA_CACHE", "off")
    assert values(17).rank(runs) == ranks


def test_an_interrupted_sweep_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "WORTH_KEEPING", 0)

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    counting = SweptValues(PrecisionMachine.of(AveragePrecision(), 18, (0, 1), None), interrupt)
    with pytest.raises(KeyboardInterrupt):
        _ = counting.steps
    assert not folder.exists()
    counting.progress = None
    assert counting.steps == values(18).steps


def test_progress_ends_at_one() -> None:
    told: list[float] = []
    counting = SweptValues(PrecisionMachine.of(AveragePrecision(), 18, (0, 1), None), told.append)
    assert counting.steps > 0
    assert told == sorted(told)
    assert told[-1] == 1
