"""``mensura report``."""

import hashlib

import pytest

from mensura.study.example import example

from .running import mensura


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    return example(4, systems=4, topics=8).write(tmp_path_factory.mktemp("campaign"))


def test_a_report_is_written_whole(campaign, tmp_path):
    qrels, runs = campaign
    file = tmp_path / "report.html"
    words = ("report", qrels, *runs, "-m", "AP@10", "P@5", "--samples", "200", "--title", "A & B", "-o", file)
    done = mensura(*words)
    assert done.stdout == ""
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "<title>A &amp; B</title>" in text
    assert hashlib.sha256(qrels.read_bytes()).hexdigest() in text
    assert all(hashlib.sha256(run.read_bytes()).hexdigest() in text for run in runs)
    assert str(qrels.parent) not in text
    assert [path.name for path in tmp_path.iterdir()] == ["report.html", "report.html.record.json"]


def test_the_same_bytes_whatever_the_threads(campaign):
    qrels, runs = campaign
    words = ("report", qrels, *runs, "-m", "RR@10", "--samples", "200")
    assert mensura(*words, "--threads", "1").stdout == mensura(*words, "--threads", "3").stdout


def test_judgments_from_standard_input(campaign):
    qrels, runs = campaign
    words = ("report", "-", *runs, "-m", "P@5", "--samples", "50", "--date", "a day")
    text = mensura(*words, stdin=qrels.read_text(encoding="utf-8")).stdout
    assert '<p class="date">a day</p>' in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--test", "t", "--correction", "tukey"), "does not fit the paired t-test"),
        (("--alpha", "7"), "argument --alpha"),
        (("-m", "nothing@5"), "nothing"),
        (("-m", "P@5", "-o", "there/is/no/folder.html", "--samples", "10"), "cannot write"),
    ],
)
def test_errors(campaign, tmp_path, words, message):
    qrels, runs = campaign
    assert message in mensura("report", qrels, *runs, *words, status=2, cwd=tmp_path).stderr


def test_one_run_is_no_report(campaign):
    qrels, runs = campaign
    assert "at least 2 runs" in mensura("report", qrels, runs[0], status=2).stderr
