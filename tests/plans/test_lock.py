"""Locks: whatever is tampered with is named."""

from __future__ import annotations

import gzip
import json
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from mensura import judge
from mensura.errors import InputError, PlanError
from mensura.io.digests import content_digest
from mensura.plans import Lock, check_plan, deviations, lock_path, lock_plan, read_lock, template
from mensura.record.commit import commit_of
from mensura.study.example import example


@pytest.fixture
def plan(tmp_path):
    folder = tmp_path / "Größe [1] 検索"  # a pattern must not be taken from the folder's own name
    example(8, systems=3, topics=5, documents=80, depth=20).write(folder)
    path = folder / "plan.toml"
    path.write_text(template(systems=("sysA", "sysB")), encoding="utf-8")
    return path


def states(plan):
    return {finding.file: finding.state for finding in check_plan(plan)[1]}


def test_a_lock_knows_the_plan_the_judgments_and_the_runs(plan):
    _, lock = lock_plan(plan)
    assert read_lock(plan) == lock
    assert [(run.system, run.path) for run in lock.runs] == [(f"sys{name}", f"runs/sys{name}.txt") for name in "ABC"]
    assert lock.plan == content_digest(plan)
    locked = datetime.fromisoformat(lock.locked)
    assert locked.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - locked) < timedelta(minutes=5)
    assert set(states(plan).values()) == {"unchanged"}


def test_sha256sum_agrees(plan):
    _, lock = lock_plan(plan)
    done = subprocess.run(["sha256sum", plan.parent / lock.runs[0].path], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == lock.runs[0].sha256


@pytest.mark.parametrize("name", ["plan.toml", "qrels.txt", "runs/sysB.txt"])
def test_a_changed_file_is_named(plan, name):
    lock_plan(plan)
    file = plan.parent / name
    old, new = {"plan.toml": ("alpha = 0.05", "alpha = 0.10"), "qrels.txt": (" 0\n", " 1\n")}.get(name, (" 1 ", " 2 "))
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    assert [file for file, state in states(plan).items() if state != "unchanged"] == [str(plan) if name == "plan.toml" else name]
    assert set(states(plan).values()) == {"unchanged", "changed"}


@pytest.mark.parametrize("name", ["qrels.txt", "runs/sysB.txt"])
def test_a_missing_file_is_named(plan, name):
    lock_plan(plan)
    (plan.parent / name).unlink()
    assert states(plan)[name] == "missing"


def test_judgments_may_be_sorted_and_packed_but_not_changed(plan):
    lock_plan(plan)
    file = plan.parent / "qrels.txt"
    lines = sorted(file.read_text(encoding="utf-8").splitlines(), reverse=True)
    file.write_bytes(gzip.compress("".join(line.replace(" ", "\t ") + "\r\n" for line in lines).encode()))
    assert states(plan)["qrels.txt"] == "unchanged"


def test_a_run_may_be_packed(plan):
    plan.write_text(template(systems=("sysA", "sysB"), runs=["runs/*"]), encoding="utf-8")
    lock_plan(plan)
    file = plan.parent / "runs" / "sysB.txt"
    file.with_name("sysB.txt.gz").write_bytes(gzip.compress(file.read_bytes()))
    assert states(plan)["runs/sysB.txt.gz"] == "new"
    file.unlink()
    assert states(plan) == dict.fromkeys(
        [str(plan), "qrels.txt", "runs/sysA.txt", "runs/sysB.txt, now runs/sysB.txt.gz", "runs/sysC.txt"], "unchanged"
    )


def test_a_run_that_is_made_later_is_new(plan):
    late = (plan.parent / "runs" / "sysC.txt").read_text(encoding="utf-8")
    (plan.parent / "runs" / "sysC.txt").unlink()
    _, lock = lock_plan(plan)
    assert len(lock.runs) == 2
    (plan.parent / "runs" / "sysC.txt").write_text(late, encoding="utf-8")
    assert states(plan)["runs/sysC.txt"] == "new"
    assert not any(finding.wrong for finding in check_plan(plan)[1])


def test_a_plan_may_be_locked_before_there_is_any_run(plan):
    plan.write_text(template(systems=("sysA", "sysB"), runs=["new/*.txt"]), encoding="utf-8")
    assert lock_plan(plan)[1].runs == ()


def test_what_is_compared_must_be_what_was_locked(plan):
    _, lock = lock_plan(plan)
    folder = plan.parent
    runs = [folder / "runs" / f"sys{name}.txt" for name in "AB"]
    assert deviations(lock, judge(folder / "qrels.txt", runs)) == []
    other = folder / "other.txt"
    other.write_text(runs[1].read_text(encoding="utf-8").replace(" 1 ", " 2 ", 1), encoding="utf-8")
    (said,) = deviations(lock, judge(folder / "qrels.txt", [runs[0], other]))
    assert said.startswith(f"{other}: this is not the run of sysB")
    qrels = folder / "other.qrels"
    qrels.write_text((folder / "qrels.txt").read_text(encoding="utf-8") + "1 0 doc9999 1\n", encoding="utf-8")
    (said,) = deviations(lock, judge(qrels, runs))
    assert said.startswith(f"{qrels}: these are not the judgments")


def test_a_locked_plan_is_not_locked_again(plan):
    lock_plan(plan)
    before = lock_path(plan).read_bytes()
    with pytest.raises(PlanError, match="is locked since"):
        lock_plan(plan)
    assert lock_path(plan).read_bytes() == before


def test_a_plan_without_a_lock(plan):
    with pytest.raises(PlanError, match="is not locked"):
        check_plan(plan)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda document: document.update(locked="2020-01-01T00:00:00+00:00"), "its seal does not fit"),
        (lambda document: document["runs"].pop(), "its seal does not fit"),
        (lambda document: document["runs"][0].pop("sha256"), "is not a lock of a plan"),
        (lambda document: document.pop("collection"), "keys missing: collection"),
        (lambda document: document.update(more=1), "unknown keys: more"),
        (lambda document: document.update(format="mensura plan lock 2"), "not a lock that this Mensura reads"),
    ],
)
def test_a_lock_that_was_edited(plan, change, message):
    lock_plan(plan)
    document = json.loads(lock_path(plan).read_text(encoding="utf-8"))
    change(document)
    lock_path(plan).write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(PlanError, match=message):
        check_plan(plan)


def test_a_lock_that_is_none(plan):
    lock_path(plan).write_text("locked", encoding="utf-8")
    with pytest.raises(PlanError, match="is not a lock of a plan"):
        check_plan(plan)


def test_damaged_data_are_found_when_the_plan_is_locked(plan):
    (plan.parent / "runs" / "sysA.txt").write_text("1 Q0 doc1 1 high sysA\n", encoding="utf-8")
    with pytest.raises(InputError, match="'high' is not a finite number"):
        lock_plan(plan)
    assert not lock_path(plan).exists()


def test_the_commit_is_what_git_says(tmp_path, plan):
    def git(*words, folder=plan.parent):
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main", *words]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()

    assert commit_of(plan.parent) is None
    git("init", "-q")
    assert commit_of(plan.parent) is None  # nothing was committed
    git("add", ".")
    git("commit", "-qm", "first")
    assert commit_of(plan.parent / "runs") == git("rev-parse", "HEAD")
    git("pack-refs", "--all")
    assert commit_of(plan.parent) == git("rev-parse", "HEAD")
    git("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    git("commit", "-qm", "second", "--allow-empty", folder=tmp_path / "tree")
    assert commit_of(tmp_path / "tree") == git("rev-parse", "HEAD", folder=tmp_path / "tree") != commit_of(plan.parent)
    git("checkout", "-q", "--detach")
    assert commit_of(plan.parent) == git("rev-parse", "HEAD")
    assert lock_plan(plan)[1].commit == git("rev-parse", "HEAD")


def test_a_lock_comes_back_from_plain_data(plan):
    _, lock = lock_plan(plan)
    assert Lock.from_json(lock.to_json()) == lock
    assert Lock.from_json(lock.to_json()).seal == lock.seal
