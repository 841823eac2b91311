"""Comparisons of runs in files without values of topics: those of compare, whatever the parts, their order and the engine."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import mensura
from mensura.errors import StatisticsError
from mensura.io import parts
from mensura.stats import compare_streamed
from tests.cli.running import call
from tests.pieces.campaigns import campaign

MEASURES = ["AP", "nDCG@10", "RR@10", "P@5", "GM(AP)"]


def write(folder, *, shuffled=False, topics=80):
    qrels, runs = campaign(4, systems=("one", "two", "three"), topics=topics)
    (folder / "qrels.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t, grades in qrels.items() for d, g in grades.items()))
    for number, (system, rows) in enumerate(runs.items()):
        order = list(dict.fromkeys(topic for topic, _, _ in rows))
        if shuffled:
            random.Random(number).shuffle(order)  # noqa: S311 - a seeded test
        text = "".join(f"{t} Q0 {d} 0 {s} {system}\n" for topic in order for t, d, s in rows if t == topic)
        (folder / f"{system}.run").write_text(text)
    return folder / "qrels.txt", [folder / f"{system}.run" for system in runs]


@pytest.mark.parametrize("test", ["t", "sign"])
@pytest.mark.parametrize("baseline", [None, "two"])
def test_the_comparison_is_that_of_compare(tmp_path, test, baseline):
    qrels, runs = write(tmp_path)
    whole = mensura.compare(qrels, runs, MEASURES, test=test, baseline=baseline)
    streamed = compare_streamed(qrels, runs, MEASURES, test=test, baseline=baseline)
    assert streamed.remarks == whole.remarks
    for mine, expected in zip(streamed, whole, strict=True):
        assert mine.remarks == expected.remarks
        assert mine.outcome.topics == expected.outcome.topics == 80
        assert (mine.systems, mine.groups, mine.decimals) == (expected.systems, expected.groups, expected.decimals)
        for name in ("mean", "places", "significant"):
            assert np.array_equal(getattr(mine, name), getattr(expected, name)), name
        for name in ("low", "high", "pair_low", "pair_high", "corrected_p"):
            assert np.allclose(getattr(mine, name), getattr(expected, name), rtol=1e-11, atol=1e-14), name
        for name in ("wins", "ties", "losses"):
            assert np.array_equal(getattr(mine.effects, name), getattr(expected.effects, name)), name


@pytest.mark.parametrize("collection", ["trec8", "dl21"])
@pytest.mark.parametrize("test", ["t", "sign"])
def test_a_collection_has_the_same_table(data, collection, test):
    """All but the advice, which needs values of topics; p-values are printed with four decimals."""
    folder = data / collection
    runs = [str(run) for run in sorted((folder / "runs").iterdir())[:12]]
    words = [
        "compare",
        str(folder / "qrels.txt"),
        *runs,
        "-m",
        "AP",
        "-m",
        "P@10",
        "-m",
        "nDCG@10",
        "--test",
        test,
        "--pairs",
        "66",
    ]
    whole, streamed = call(words), call([*words, "--means-only"])
    assert streamed.returncode == 0
    assert streamed.stdout.split("Reading")[0].split("\n! ")[0].strip() == whole.stdout.split("Reading")[0].split("\n! ")[0].strip()
    documents = [json.loads(call([*words, "-f", "json", *more]).stdout) for more in ([], ["--means-only"])]
    for expected, mine in zip(*(document["comparisons"] for document in documents), strict=True):
        for one, other in zip(expected["pairs"], mine["pairs"], strict=True):
            assert other["p"] == (one["p"] if test == "sign" else pytest.approx(one["p"], rel=1e-12))
            assert (one["wins"], one["ties"], one["losses"]) == (other["wins"], other["ties"], other["losses"])


def test_order_of_topics_and_of_files_cuts_and_threads_change_no_bit(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    qrels, runs = write(tmp_path)
    expected = documents(qrels, runs)
    monkeypatch.setattr(parts, "STRETCH", 400)
    other, shuffled = write(tmp_path / "other", shuffled=True)
    for threads in (1, 2):
        assert documents(qrels, runs, threads=threads) == expected
        assert documents(other, shuffled[::-1], threads=threads) == expected


def documents(qrels, runs, **options):
    return [each.to_json() for each in compare_streamed(qrels, runs, MEASURES, samples=200, **options)]


def test_the_baseline_of_the_command_is_a_name_a_path_or_a_number(tmp_path):
    qrels, runs = write(tmp_path)
    words = ["compare", str(qrels), *map(str, runs), "-m", "AP", "--means-only", "-f", "csv", "--samples", "100"]
    outputs = [call([*words, "--baseline", each]) for each in ("two", str(runs[1]), "2")]
    assert outputs[0].returncode == 0
    assert outputs[0] == outputs[1] == outputs[2]
    assert outputs[0].stdout.count(",two,") == 2


@pytest.mark.parametrize(
    "option",
    [
        ["--scale", "interval"],
        ["--topics", "both"],
        ["--prior-tests", "auto"],
        ["--drop-self"],
        ["--ties", "rank"],
        ["--scheduler", "tcp://x"],
        ["--interval", "bca"],
        ["--test", "friedman"],
        ["--correction", "tukey"],
        ["--baseline", "four"],
        ["--samples", "100000000"],
        ["-m", "Median(AP)"],
    ],
)
def test_options_that_need_values_are_refused(tmp_path, option):
    qrels, runs = write(tmp_path)
    done = call(["compare", str(qrels), *map(str, runs), "--means-only", *option])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_topics_that_are_not_together_are_shuffled(tmp_path, monkeypatch):
    qrels, runs = write(tmp_path)
    sorted_by_topic = compare_streamed(qrels, runs, "AP", samples=200).to_dict()
    lines = runs[0].read_text().splitlines(keepends=True)
    runs[0].write_text("".join(lines[::2] + lines[1::2]))
    for stretch in (300, 1 << 26):
        monkeypatch.setattr(parts, "STRETCH", stretch)
        assert compare_streamed(qrels, runs, "AP", samples=200).to_dict() == sorted_by_topic


def test_a_ledger_that_is_kept_is_spoken_of(tmp_path, monkeypatch):
    monkeypatch.setenv("MENSURA_LEDGER", str(tmp_path / "ledger.sqlite"))
    qrels, runs = write(tmp_path)
    assert any("not counted in the ledger" in each for each in compare_streamed(qrels, runs, "AP", test="t")[0].remarks)


def test_one_run_is_not_compared(tmp_path):
    qrels, runs = write(tmp_path)
    with pytest.raises(StatisticsError, match="at least 2 systems"):
        compare_streamed(qrels, runs[:1], "AP", test="t")
