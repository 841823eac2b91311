"""``mensura plan``, and ``mensura compare --plan``."""

from __future__ import annotations

import csv
import io
import json
import os

import pytest

from mensura.plans import read_plan
from mensura.study.example import example

from .running import mensura

NEW = ("plan", "new", "plan.toml", "--goal", "Ist B besser? 検索", "--system", "sysA", "--system", "sysB", "--secondary", "AP")


@pytest.fixture
def folder(tmp_path):
    example(8, systems=4, topics=12).write(tmp_path)
    return tmp_path


@pytest.fixture
def locked(folder):
    mensura(*NEW, "--test", "t", "--baseline", "sysA", cwd=folder)
    mensura("plan", "lock", "plan.toml", cwd=folder)
    return folder


def test_a_plan_is_not_overwritten(folder):
    mensura(*NEW, cwd=folder)
    before = (folder / "plan.toml").read_bytes()
    assert read_plan(folder / "plan.toml").goal == "Ist B besser? 検索"
    assert "exists already" in mensura(*NEW, cwd=folder, status=2).stderr
    assert (folder / "plan.toml").read_bytes() == before


def test_a_wrong_plan_is_not_written(folder):
    assert "nGCD" in mensura("plan", "new", "plan.toml", "--primary", "nGCD@10", cwd=folder, status=2).stderr
    assert not (folder / "plan.toml").exists()


def test_lock_and_check(locked):
    assert "All that was locked is as it was." in mensura("plan", "check", "plan.toml", cwd=locked).stdout
    run = locked / "runs" / "sysB.txt"
    run.write_text(run.read_text(encoding="utf-8").replace("doc", "d0c", 1), encoding="utf-8")
    done = mensura("plan", "check", "plan.toml", "-f", "json", cwd=locked, status=1)
    document = json.loads(done.stdout)
    assert document["unchanged"] is False
    assert [file for file in document["files"] if file["state"] != "unchanged"] == [
        {"what": "run", "file": "runs/sysB.txt", "state": "changed"}
    ]
    assert "is locked since" in mensura("plan", "lock", "plan.toml", cwd=locked, status=2).stderr


def test_comparisons_are_planned_or_exploratory(locked):
    words = ("compare", "qrels.txt", "runs/*.txt", "-m", "P@10", "--plan", "plan.toml")
    text = mensura(*words, cwd=locked).stdout
    assert "nDCG@10: 2 systems, 12 topics; planned (primary)" in text
    assert "AP: 2 systems, 12 topics; planned (secondary)" in text
    assert "P@10: 4 systems, 12 topics; exploratory" in text
    assert "Holm, 7 tests (3 pairs × 3 measures − 2 planned)" in text
    assert "Hypothesis: sysB is better than sysA by nDCG@10: " in text
    document = json.loads(mensura(*words, "-f", "json", cwd=locked).stdout)
    assert [made["role"] for made in document["comparisons"]] == ["primary", "secondary", *["exploratory"] * 3]
    assert document["comparisons"][-1]["family"]["left_out"] == 2
    assert document["hypotheses"][0]["better"] == "sysB"
    rows = list(csv.DictReader(io.StringIO(mensura(*words, "-f", "csv", cwd=locked).stdout)))
    assert [row["role"] for row in rows] == ["primary", "secondary", *["exploratory"] * 7]


def test_nothing_is_compared_if_something_was_changed(locked):
    words = ("compare", "qrels.txt", "runs/sysA.txt", "runs/sysB.txt", "--plan", "plan.toml")
    plan = locked / "plan.toml"
    text = plan.read_text(encoding="utf-8")
    plan.write_text(text.replace("alpha = 0.05", "alpha = 0.1"), encoding="utf-8")
    done = mensura(*words, cwd=locked, status=1)
    assert "plan.toml: was changed after it was locked" in done.stderr
    assert done.stdout == ""
    plan.write_text(text, encoding="utf-8")
    run = locked / "runs" / "sysB.txt"
    run.write_text(run.read_text(encoding="utf-8").replace("doc", "d0c", 1), encoding="utf-8")
    assert "runs/sysB.txt: this is not the run of sysB" in mensura(*words, cwd=locked, status=1).stderr


@pytest.mark.parametrize("words", [("--test", "sign"), ("--alpha", "0.1"), ("--baseline", "sysB"), ("--seed", "3"), ("-l", "2")])
def test_the_plan_decides(locked, words):
    done = mensura("compare", "qrels.txt", "runs/*.txt", "--plan", "plan.toml", *words, cwd=locked, status=2)
    assert "plan.toml: decides about" in done.stderr


def test_a_plan_must_be_locked(folder):
    mensura(*NEW, cwd=folder)
    assert "is not locked" in mensura("compare", "qrels.txt", "runs/*", "--plan", "plan.toml", cwd=folder, status=2).stderr


def test_planned_tests_are_counted(locked):
    environment = os.environ | {"MENSURA_LEDGER": str(locked / "ledger.sqlite")}
    words = ("compare", "qrels.txt", "runs/*.txt", "--plan", "plan.toml", "--prior-tests", "auto", "-f", "json")
    first = mensura(*words, cwd=locked, env=environment).stdout
    assert {made["family"]["prior_tests"] for made in json.loads(first)["comparisons"]} == {0}
    (row,) = json.loads(mensura("ledger", "list", "-f", "json", cwd=locked, env=environment).stdout)
    assert row["tests"] == 2 + 2 * 2  # two planned, and two more systems by two measures
    assert mensura(*words, cwd=locked, env=environment).stdout == first
