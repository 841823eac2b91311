"""One way to write: files whole or not at all, streams as they are, nothing that is not ours."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from mensura import MensuraError
from mensura.io import writing
from mensura.io.files import read_all, source
from mensura.io.folders import MANIFEST, Filled, sealed, unsealed
from mensura.io.stored import protecting_inputs
from mensura.io.writing import syncing_meanwhile, write_whole
from tests.cli.running import mensura

if TYPE_CHECKING:
    from pathlib import Path

posix = pytest.mark.skipif(os.name != "posix", reason="modes, links and pipes of POSIX")
QRELS = "q 0 a 1\nq 0 b 0\np 0 a 1\n"
RUN = "q Q0 a 1 2 mine\nq Q0 b 2 1 mine\np Q0 a 1 1 mine\n"


@pytest.fixture(autouse=True)
def _forget_folders():
    writing._clear_remains.cache_clear()


@pytest.fixture
def campaign(tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "run.txt").write_text(RUN)
    return tmp_path


def test_nothing_is_left_beside_a_file(tmp_path):
    write_whole(b"one", tmp_path / "file")
    write_whole(b"two", tmp_path / "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"two"


@posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o755])
def test_the_mode_stays(mode, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"one")
    path.chmod(mode)
    write_whole(b"two", path)
    assert (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) == (mode, b"two")


@posix
def test_a_new_file_has_the_mode_that_the_mask_asks_for(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(b"one", tmp_path / "file")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_stays(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"one")
    os.chown(path, 12345, 23456)
    write_whole(b"two", path)
    assert (path.stat().st_uid, path.stat().st_gid, path.read_bytes()) == (12345, 23456, b"two")


@posix
def test_a_link_is_followed(tmp_path):
    (tmp_path / "there").mkdir()
    target, link, dangling = tmp_path / "there" / "target", tmp_path / "link", tmp_path / "dangling"
    target.write_bytes(b"one")
    link.symlink_to(target)
    dangling.symlink_to("there/new")
    write_whole(b"two", link)
    write_whole(b"three", dangling)
    assert (link.is_symlink(), dangling.is_symlink()) == (True, True)
    assert (target.read_bytes(), (tmp_path / "there" / "new").read_bytes()) == (b"two", b"three")


@posix
def test_a_pipe_is_written_to(campaign):
    pipe = campaign / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    mensura("evaluate", campaign / "qrels.txt", campaign / "run.txt", "-m", "AP", "-f", "csv", "-o", pipe)
    reader.join()
    assert got == [b"system,measure,mean,topics,missing\nmine,AP,1.0,2,0\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert not (campaign / "pipe.record.json").exists()


@posix
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_by_its_other_names(name, campaign):
    """Also where it is a file that somebody else appends to."""
    if not os.path.exists(os.path.dirname(name)):
        pytest.skip(f"there is no {name} here")
    log = campaign / "log"
    log.write_bytes(b"before\n")
    command = [sys.executable, "-m", "mensura", "evaluate", "qrels.txt", "run.txt", "-m", "AP", "-f", "csv", "-o", name]
    with log.open("ab") as file:
        subprocess.run(command, stdout=file, check=True, cwd=campaign)
    assert log.read_bytes() == b"before\nsystem,measure,mean,topics,missing\nmine,AP,1.0,2,0\n"
    assert subprocess.run(command, capture_output=True, check=True, cwd=campaign).stdout.endswith(b"mine,AP,1.0,2,0\n")


@posix
def test_a_device_stays_a_device(campaign):
    null = os.stat(os.devnull)
    mensura("evaluate", campaign / "qrels.txt", campaign / "run.txt", "-m", "AP", "-o", os.devnull)
    assert os.path.samestat(null, os.stat(os.devnull))
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize("name", ["qrels.txt", "run.txt", "hard", "soft", "sub/../run.txt"])
def test_an_input_is_not_written_over(name, campaign):
    (campaign / "sub").mkdir()
    os.link(campaign / "qrels.txt", campaign / "hard")
    (campaign / "soft").symlink_to("run.txt")
    for command in (("evaluate",), ("compare",), ("report",)):
        done = mensura(*command, "qrels.txt", "run.txt", "run2.txt", "-o", name, status=2, cwd=_two(campaign))
        assert "is an input of this command" in done.stderr
    assert ((campaign / "qrels.txt").read_text(), (campaign / "run.txt").read_text()) == (QRELS, RUN)


def _two(folder: Path) -> Path:
    (folder / "run2.txt").write_text(RUN.replace("mine", "other").replace("a 1 2", "a 1 0"))
    return folder


def test_simulate_does_not_overwrite_what_it_reads(tmp_path):
    mensura("simulate", "-o", tmp_path, "--systems", "4", "--topics", "5")
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = mensura("simulate", "--like", "qrels.txt", "runs/*", "-o", ".", status=2, cwd=tmp_path)
    assert "is an input of this command" in done.stderr
    (tmp_path / MANIFEST).unlink()
    done = mensura("simulate", "-o", tmp_path, "--systems", "4", "--topics", "5", status=2)
    assert "was not made by this command" in done.stderr
    del files[tmp_path / MANIFEST]
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files


def test_an_input_is_protected_only_while_its_command_runs(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"one")
    with protecting_inputs():
        read_all(source(path))
        with pytest.raises(MensuraError, match="is an input"):
            write_whole(b"two", path)
    write_whole(b"two", path)
    assert path.read_bytes() == b"two"


@pytest.mark.parametrize(("name", "says"), [("", "invalid file name"), (".", "it is a folder"), ("no/x", "No such file")])
def test_what_cannot_be_written(name, says, campaign):
    assert says in mensura("measures", "-o", name, status=2, cwd=campaign).stderr


@posix
def test_a_planted_name_is_not_followed(tmp_path, monkeypatch):
    """Whoever guesses the name of the temporary file gets nothing: it must be new, and it is not a link."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    numbers = iter([b"\0" * 8, b"\1" * 8])
    monkeypatch.setattr(os, "urandom", lambda size: next(numbers))
    (tmp_path / f".mensura-{'00' * 8}").symlink_to(victim)
    with pytest.raises(MensuraError, match="cannot write"):
        write_whole(b"two", tmp_path / "file")
    assert victim.read_bytes() == b"mine"
    assert not (tmp_path / "file").exists()


@posix
def test_remains_of_a_killed_writer_go_and_nothing_else(tmp_path):
    dead, alive, foreign = tmp_path / f".mensura-{'ab' * 8}", tmp_path / f".mensura-{'cd' * 8}", tmp_path / ".mensura-notes"
    for path in (dead, alive, foreign):
        path.write_bytes(b"x")
    with alive.open("r+b") as file:
        assert writing.lock(file.fileno())
        write_whole(b"one", tmp_path / "file")
        assert (dead.exists(), alive.exists(), foreign.exists()) == (False, True, True)


def test_a_disk_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"one")
    for function in ("fsync", "write", "replace"):
        with monkeypatch.context() as patch:

            def fail(*_):
                raise OSError(28, "No space left on device")

            patch.setattr(os, function, fail)
            with pytest.raises(MensuraError, match="No space left"):
                write_whole(b"two", path)
        assert path.read_bytes() == b"one"
        assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_all_of_it_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    calls = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: calls.append("fsync") or fsync(descriptor))  # type: ignore[func-returns-value]
    monkeypatch.setattr(os, "replace", lambda *paths: calls.append("replace") or replace(*paths))  # type: ignore[func-returns-value]
    write_whole(b"one", tmp_path / "file")
    assert calls == (["fsync", "replace", "fsync"] if os.name == "posix" else ["fsync", "replace"])


def test_a_result_and_its_record_wait_for_their_folder_once(tmp_path, monkeypatch):
    calls = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: calls.append("fsync") or fsync(descriptor))  # type: ignore[func-returns-value]
    monkeypatch.setattr(os, "replace", lambda *paths: calls.append("replace") or replace(*paths))  # type: ignore[func-returns-value]
    assert mensura("scale", "AP@3", "-f", "csv", "-o", tmp_path / "out.csv").returncode == 0
    assert {each.name for each in tmp_path.iterdir()} == {"out.csv", "out.csv.record.json"}
    assert calls == ["fsync", "replace"] * 2 + (["fsync"] if os.name == "posix" else [])


# ── folders ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_goes_on_while_a_thread_waits_for_the_disk(tmp_path, monkeypatch):
    may_end, fsync = threading.Event(), os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: may_end.wait() and fsync(descriptor))
    path, second = tmp_path / "out.csv", tmp_path / "chart.svg"
    path.write_bytes(b"old")
    with syncing_meanwhile():
        write_whole(b"new", path)
        assert path.read_bytes() == b"old"
        may_end.set()
        write_whole(b"chart", second)
        assert path.read_bytes() == b"new"  # in the order in which they are written
    assert second.read_bytes() == b"chart"
    assert {*tmp_path.iterdir()} == {path, second}


def test_a_disk_that_fails_meanwhile_is_said_at_the_end(tmp_path, monkeypatch):
    def fail(_descriptor):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    with pytest.raises(MensuraError, match=r"cannot write .*out\.csv: Input/output error"), syncing_meanwhile():
        write_whole(b"new", path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"old"]


def test_a_folder_with_foreign_files_of_the_same_names_is_refused(tmp_path):
    (tmp_path / "b").write_bytes(b"foreign")
    with pytest.raises(MensuraError, match="was not made by this command"):
        Filled(tmp_path, ["a", "b"])
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
    (tmp_path / MANIFEST).write_bytes(b"{}")
    with pytest.raises(MensuraError, match="not a list of Mensura's own files"):
        Filled(tmp_path, ["a"])


def test_own_files_are_replaced_and_removed(tmp_path):
    (tmp_path / "foreign").write_bytes(b"foreign")
    own = Filled(tmp_path, ["a"])
    own.write("a", b"1")
    own.write("sub/b", b"2")
    again = Filled(tmp_path, ["a", "sub/b"])
    again.write("a", b"3")
    again.remove_others(["a"])
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "foreign", MANIFEST, "sub"]
    assert (tmp_path / "a").read_bytes() == b"3"


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x"])
def test_a_manifest_cannot_name_what_is_elsewhere(name, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "x").write_bytes(b"foreign")
    (folder / MANIFEST).write_text(json.dumps({"format": "mensura folder 1", "files": [name]}))
    own = Filled(folder)
    assert own.read(name) is None
    with pytest.raises(MensuraError, match="not a file in this folder"):
        own.remove_others([])
    assert (tmp_path / "x").read_bytes() == b"foreign"


def test_a_folder_between_is_not_a_link(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "work").symlink_to("../elsewhere")
    with pytest.raises(MensuraError, match="not a folder of its own"):
        Filled(tmp_path / "folder", ["work/a"])


def test_seals():
    assert unsealed(b"head", sealed(b"head", b"content")) == b"content"
    whole = sealed(b"head", b"content")
    for broken in (b"", whole[:-1], whole[:40], whole.replace(b"nt", b"mt"), b"x" + whole[1:], whole + b"x"):
        assert unsealed(b"head", broken) is None
    assert unsealed(b"tail", whole) is None
