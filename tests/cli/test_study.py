"""``mensura study``, ``mensura study --truth`` and ``mensura simulate``, as a user runs them."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys

import pytest

from tests.cli.running import mensura

OPTIONS = ("-m", "P", "RR", "AP", "nDCG(base=10)", "--lengths", "5,8,12", "--name", "small")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    mensura("simulate", "-o", folder, "--systems", "8", "--topics", "20", "--documents", "80", "--seed", "4")
    return folder


@pytest.fixture(scope="module")
def whole(campaign, tmp_path_factory):
    """A study that nobody interrupted: its folder, and what was printed."""
    out = tmp_path_factory.mktemp("study") / "out"
    done = mensura("study", campaign / "qrels.txt", campaign / "runs" / "*.txt", *OPTIONS, "-o", out)
    return out, done.stdout


def contents(folder):
    """All files but those that say how long it took."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "timings.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_all_files_are_there(whole):
    out, printed = whole
    tables = {f"{name}.{ending}" for name in ("table2", "table3", "table4", "table5_6") for ending in ("csv", "tex", "md")}
    figures = {f"figures/{name}.svg" for name in ("tau", "decisions", "places", "values_AP", "values_nDCG_b10")}
    assert tables | figures | {"study.json", "summary.txt"} <= set(contents(out))
    assert "small: 8 systems, 20 topics, binary" in printed
    assert "Topic by topic, τ is 1 in all 24 cases" in printed
    with (out / "table5_6.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4 * 8 * 3
    assert rows[0]["track"] == "small_05"
    found = json.loads((out / "study.json").read_bytes())
    assert found["tables"]["table5_6"] == rows
    assert len(found["inputs"]) == 9
    assert [entry["sha256"] for entry in found["record"]["data"]["inputs"]] == list(found["inputs"].values())
    assert all(text.startswith(b"<svg") for name, text in contents(out).items() if name.endswith(".svg"))


# A process that kills itself as soon as a file of a name has been written so many times: at the same moment on any machine.
KILLED_AT = """
import os, signal, sys
from mensura.cli import main

replace, (name, times, *words) = os.replace, sys.argv[1:]
left = [None] * int(times)


def replaced(source, target, **options):
    replace(source, target, **options)
    if os.fspath(target).endswith(name):
        left.pop()
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)


os.replace = replaced
sys.argv[1:] = words
main()
"""


@pytest.mark.parametrize(("name", "times"), [(".step", 7), ("table4.csv", 1)], ids=["between steps", "while tables are written"])
def test_a_killed_study_goes_on_and_ends_the_same(campaign, whole, tmp_path, name, times):
    out = tmp_path / "out"
    words = ["study", campaign / "qrels.txt", campaign / "runs" / "*.txt", *OPTIONS, "-o", out]
    done = subprocess.run([sys.executable, "-c", KILLED_AT, name, str(times), *map(str, words)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not (out / "study.json").exists()
    kept = {path.name: path.read_bytes() for path in (out / "work").glob("*.step")}
    assert len(kept) >= 7
    expected = contents(whole[0])
    half = {
        name
        for name, text in contents(out).items()
        if name in expected and not name.endswith("manifest.json") and text != expected[name]
    }
    assert half == set()  # what is there is whole
    mensura(*words)
    assert contents(out) == expected
    steps = json.loads((out / "timings.json").read_bytes())["steps"]
    assert sum(seconds is None for seconds in steps.values()) >= len(kept)


def test_the_same_command_again_changes_nothing(campaign, whole):
    out, printed = whole
    before = contents(out)
    again = mensura("study", campaign / "qrels.txt", campaign / "runs" / "*.txt", *OPTIONS, "-o", out)
    assert again.stdout == printed
    assert contents(out) == before


@pytest.mark.parametrize("name", ["summary.txt", "table2.csv", "figures/tau.svg", "manifest.json", "figures", "work"])
def test_files_of_others_stay(campaign, tmp_path, name):
    """A folder with files of the same names is refused, and nothing in it is touched."""
    foreign = tmp_path / name
    foreign.parent.mkdir(exist_ok=True)
    foreign.write_text("mine")
    words = ["study", campaign / "qrels.txt", campaign / "runs" / "*.txt", "-o", tmp_path, "--lengths", "5"]
    done = mensura(*words, "--measures", "AP", "RR", "--tests", "t", "--ties", "unq", status=2)
    assert foreign.read_text() == "mine"
    assert str(tmp_path) in done.stderr


def test_measures_and_tests_can_be_chosen(campaign, tmp_path):
    words = ["study", campaign / "qrels.txt", campaign / "runs" / "*.txt", "-o", tmp_path, "--lengths", "5"]
    mensura(*words, "--measures", "AP", "RBP(p=0.95)", "--tests", "t,sign", "--ties", "unq")
    with (tmp_path / "table2.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert list(row) == ["track", "AP", "RBP_p095"]
    assert row["track"].startswith(campaign.name)
    assert not (tmp_path / "table3.csv").exists()
    assert (tmp_path / "table5_6.csv").read_text().count("\n") == 1 + 4


def test_simulated_bytes_depend_on_the_seed_alone(campaign, tmp_path):
    options = ("--systems", "8", "--topics", "20", "--documents", "80")
    mensura("simulate", "-o", tmp_path / "same", *options, "--seed", "4")
    assert contents(tmp_path / "same") == contents(campaign)
    mensura("simulate", "-o", tmp_path / "other", *options, "--seed", "5")
    assert contents(tmp_path / "other") != contents(campaign)


def test_a_campaign_like_another(campaign, tmp_path):
    shown = mensura("simulate", "-o", tmp_path, "--like", campaign / "qrels.txt", campaign / "runs" / "*.txt", "--topics", "15")
    assert "8 systems" in shown.stdout
    design = json.loads((tmp_path / "truth.json").read_bytes())["design"]
    assert (design["systems"], design["topics"], design["depth"], design["grades"]) == (8, 15, 80, 1)


def test_the_truth(tmp_path):
    words = ["study", "--truth", "--campaigns", "4", "-m", "RR", "P", "--tests", "t,friedman", "-o", tmp_path]
    shown = mensura(*words).stdout
    assert "4 campaigns of 40 systems and 50 topics; 60 pairs of equal systems" in shown
    found = json.loads((tmp_path / "truth.json").read_bytes())
    assert {(each["label"], each["test"], each["scale"]) for each in found["errors"]} == {
        (measure, test, scale) for measure in ("RR", "P") for test in ("t", "friedman") for scale in ("original", "interval")
    }
    with (tmp_path / "truth.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert float(rows[0]["type_1"]) == pytest.approx(found["errors"][0]["type_1"]["rate"], abs=1e-5)
    before = contents(tmp_path)
    assert mensura(*words).stdout == shown
    assert contents(tmp_path) == before


def test_the_truth_of_campaigns_like_a_collection(campaign, tmp_path):
    words = ["study", campaign / "qrels.txt", campaign / "runs" / "*.txt", "--truth", "--campaigns", "3", "-m", "P", "--tests", "t"]
    assert "3 campaigns of 8 systems and 20 topics" in mensura(*words, "-o", tmp_path).stdout


def test_errors_say_what_to_do(campaign, tmp_path):
    qrels, runs = campaign / "qrels.txt", campaign / "runs" / "*.txt"
    assert "needs QRELS and RUNs" in mensura("study", "-o", tmp_path, status=2).stderr
    assert "at least two runs" in mensura("study", qrels, "-o", tmp_path, status=2).stderr
    assert "name AP, and 10 as a length" in mensura("study", qrels, runs, "-m", "AP@10", "-o", tmp_path, status=2).stderr
    assert (
        "unknown test 'tee'; did you mean 't'?" in mensura("study", qrels, runs, "--tests", "tee", "-o", tmp_path, status=2).stderr
    )
    assert "give files" in mensura("study", "-", runs, "-o", tmp_path, status=2, stdin="").stderr
    refused = mensura("study", qrels, runs, "--lengths", "5,x", "-o", tmp_path, status=2).stderr
    assert "expected a whole number of at least 1, got 'x'" in refused
    assert "expected 1 to 1" in mensura("study", qrels, runs, "--rel", "2", "-o", tmp_path, status=2).stderr
    (tmp_path / "file").write_text("")
    assert "cannot make the folder" in mensura("study", qrels, runs, "-o", tmp_path / "file" / "x", status=2).stderr
    assert "--seed -1" in mensura("study", "--truth", "--seed", "-1", "-o", tmp_path, status=2).stderr
    assert "cannot make the folder" in mensura("simulate", "-o", tmp_path / "file", status=2).stderr
    assert "seed=-1" in mensura("simulate", "-o", tmp_path / "x", "--seed", "-1", status=2).stderr
    assert "agreement=2.0" in mensura("simulate", "-o", tmp_path / "x", "--agreement", "2", status=2).stderr
    assert "--like needs" in mensura("simulate", "-o", tmp_path / "x", "--like", qrels, status=2).stderr


def test_graded_data(data, tmp_path):
    """TREC Deep Learning 2021 with its four grades; longer lengths are in the slow tests."""
    dl21 = data / "dl21"
    shown = mensura("study", dl21 / "qrels.txt", dl21 / "runs" / "*", "--lengths", "5,10", "-o", tmp_path).stdout
    assert "dl21: 63 systems, 53 topics, grades 0 to 3" in shown
    found = json.loads((tmp_path / "study.json").read_bytes())
    assert all(cell["exact"] for cell in found["cells"])
    steps = {(cell["label"], cell["length"]): cell["steps"] for cell in found["cells"]}
    assert steps["P", 5] == 6
    assert steps["DCG_b10", 10] == 31  # no discount up to rank 10: the sum of ten grades from 0 to 3


@pytest.mark.slow
def test_graded_data_at_all_lengths(data, tmp_path):
    dl21 = data / "dl21"
    mensura("study", dl21 / "qrels.txt", dl21 / "runs" / "*", "-o", tmp_path)
    found = json.loads((tmp_path / "study.json").read_bytes())
    rough = {(cell["label"], cell["length"]) for cell in found["cells"] if not cell["exact"]}
    assert rough == {(label, 30) for label in ("DCG_b02", "DCG_b10", "nDCG_b02", "nDCG_b10")}
