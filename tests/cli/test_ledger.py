"""``mensura ledger``, and ``mensura compare --prior-tests auto``."""

from __future__ import annotations

import csv
import io
import json
import os

import pytest

from mensura.study.example import example

from .running import mensura


@pytest.fixture
def campaign(tmp_path):
    example(8, systems=3, topics=10).write(tmp_path)
    return tmp_path


def environment(folder, ledger):
    """A user with a home of his own."""
    made = {name: value for name, value in os.environ.items() if name not in {"MENSURA_LEDGER", "XDG_DATA_HOME"}}
    return made | {"HOME": str(folder / "home")} | ({} if ledger is None else {"MENSURA_LEDGER": ledger})


def compare(folder, *words, ledger=None, status=0):
    command = ("compare", "qrels.txt", "runs/sysA.txt", "runs/sysB.txt", "runs/sysC.txt", "--test", "t", "-f", "json", *words)
    return mensura(*command, cwd=folder, env=environment(folder, ledger), status=status)


def prior(done):
    (made,) = {made["family"]["prior_tests"] for made in json.loads(done.stdout)["comparisons"]}
    return made


def listed(folder, *words, ledger=None):
    return json.loads(mensura("ledger", "list", *words, "-f", "json", cwd=folder, env=environment(folder, ledger)).stdout)


def test_nothing_is_written_into_a_home_that_did_not_ask_for_it(campaign):
    (campaign / "home").mkdir()
    compare(campaign)
    compare(campaign, "--prior-tests", "3")
    assert list((campaign / "home").rglob("*")) == []
    done = mensura("ledger", "list", cwd=campaign, env=environment(campaign, None), status=2)
    assert "there is no ledger at" in done.stderr


def test_once_there_is_a_ledger_every_test_is_counted(campaign):
    (campaign / "home").mkdir()
    assert prior(compare(campaign, "--prior-tests", "auto")) == 0
    assert prior(compare(campaign, "-m", "P@10")) == 0  # counted, but not asked to correct
    assert prior(compare(campaign, "-m", "AP", "--prior-tests", "5")) == 5
    assert prior(compare(campaign, "-m", "RR", "P@5", "--prior-tests", "auto")) == 9
    (row,) = listed(campaign)
    assert (row["tests"], row["topics"]) == (15, 10)
    assert row["first"].endswith("+00:00")


def test_made_again_a_comparison_says_the_same(campaign):
    words = ("-m", "AP", "--prior-tests", "auto")
    first = compare(campaign, *words, ledger="l.sqlite").stdout
    compare(campaign, "-m", "P@10", ledger="l.sqlite")
    assert compare(campaign, *words, ledger="l.sqlite").stdout == first
    assert compare(campaign, *words, "--correction", "bonferroni", "--alpha", "0.01", ledger="l.sqlite").stdout != first
    assert listed(campaign, ledger="l.sqlite")[0]["tests"] == 6  # another correction is no other test


def test_both_scales_are_counted_together(campaign):
    done = compare(campaign, "-m", "P@10", "--scale", "both", "--prior-tests", "auto", ledger="l.sqlite")
    assert prior(done) == 0
    assert listed(campaign, ledger="l.sqlite")[0]["tests"] == 6


def test_the_tests_of_a_collection(campaign):
    compare(campaign, "-m", "P@10", ledger="l.sqlite")
    rows = listed(campaign, "qrels.txt", ledger="l.sqlite")
    assert {(row["measure"], row["test"], *sorted((row["first"], row["second"]))) for row in rows} == {
        ("P@10", "t", "sysA", "sysB"),
        ("P@10", "t", "sysA", "sysC"),
        ("P@10", "t", "sysB", "sysC"),
    }
    digest = listed(campaign, ledger="l.sqlite")[0]["digest"]
    assert listed(campaign, digest[:8], ledger="l.sqlite") == rows
    text = mensura("ledger", "list", digest[:8], "-f", "csv", cwd=campaign, env=environment(campaign, "l.sqlite")).stdout
    assert len(list(csv.DictReader(io.StringIO(text)))) == 3
    done = mensura("ledger", "list", "ffff", cwd=campaign, env=environment(campaign, "l.sqlite"), status=2)
    assert "no test was made on this collection" in done.stderr


def test_a_team_shares(campaign):
    compare(campaign, "-m", "P@10", ledger="one.sqlite")
    compare(campaign, "-m", "P@10", "AP", ledger="two.sqlite")
    one = environment(campaign, "one.sqlite")
    mensura("ledger", "export", "-o", "two.json", cwd=campaign, env=environment(campaign, "two.sqlite"))
    assert mensura("ledger", "import", "two.json", cwd=campaign, env=one).stdout == "6 tests read, 3 of them new\n"
    assert mensura("ledger", "import", "two.json", cwd=campaign, env=one).stdout == "6 tests read, 0 of them new\n"
    assert listed(campaign, ledger="one.sqlite")[0]["tests"] == 6
    (campaign / "wrong.json").write_text(
        (campaign / "two.json").read_text(encoding="utf-8").replace("P@10", "P@20"), encoding="utf-8"
    )
    assert "was altered" in mensura("ledger", "import", "two.json", "wrong.json", cwd=campaign, env=one, status=2).stderr
    assert "could not be read" in mensura("ledger", "import", "none.json", cwd=campaign, env=one, status=2).stderr


def test_a_ledger_that_cannot_be_used(campaign):
    (campaign / "broken.sqlite").write_bytes(b"nonsense, and more of it" * 100)
    done = compare(campaign, ledger="broken.sqlite")  # nobody asked for it this time
    assert "note: these tests were not counted in the ledger: broken.sqlite: is not a ledger" in done.stderr
    assert "broken.sqlite: is not a ledger" in compare(campaign, "--prior-tests", "auto", ledger="broken.sqlite", status=2).stderr
    assert "turns it off" in compare(campaign, "--prior-tests", "auto", ledger="off", status=2).stderr
    assert "argument --prior-tests" in compare(campaign, "--prior-tests", "-1", status=2).stderr
    assert "turns the ledger off" in mensura("ledger", "list", env=environment(campaign, "off"), status=2).stderr


def test_a_comparison_that_fails_is_not_counted(campaign):
    compare(campaign, "--correction", "tukey", "--prior-tests", "auto", ledger="l.sqlite", status=2)
    assert not (campaign / "l.sqlite").exists()
