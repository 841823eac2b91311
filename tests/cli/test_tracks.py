"""``mensura study --collection``: several collections side by side, against the studies of each alone."""

from __future__ import annotations

import csv
import json
import math

import pytest

from mensura import judge
from mensura.errors import MensuraError
from mensura.study import study, tables
from tests.cli.running import mensura

OPTIONS = ("-m", "P", "RR", "AP", "--lengths", "5,8", "--tests", "t,sign")


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaigns")
    for seed, name in ((4, "east"), (5, "west")):
        grades = ("--grades", "2") if name == "west" else ()
        mensura(
            "simulate", "-o", folder / name, "--systems", "6", "--topics", "15", "--documents", "60", "--seed", str(seed), *grades
        )
    return [(folder / name / "qrels.txt", str(folder / name / "runs" / "*.txt")) for name in ("east", "west")]


@pytest.fixture(scope="module")
def together(campaigns, tmp_path_factory):
    out = tmp_path_factory.mktemp("tracks") / "out"
    collections = [word for each in campaigns for word in ("--collection", *each)]
    return out, mensura("study", *collections, *OPTIONS, "-o", out)


@pytest.fixture(scope="module")
def alone(campaigns, tmp_path_factory):
    folders = []
    for number, each in enumerate(campaigns):
        folders.append(tmp_path_factory.mktemp("alone") / str(number))
        mensura("study", *each, *OPTIONS, "-o", folders[-1])
    return folders


def read(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_rows_are_those_of_each_alone(together, alone):
    for name in ("table2", "table3", "table5_6"):
        rows = read(together[0], name)
        expected = [row for folder in alone for row in read(folder, name)]
        assert sorted(map(str, expected)) == sorted(str(row) for row in rows if row["track"] != "mean")


def test_means_are_over_the_tracks(together):
    rows = read(together[0], "table2")
    assert [row["track"] for row in rows] == ["east_05", "east_08", "west_05", "west_08", "mean"]
    for label in ("P", "RR", "AP"):
        *values, mean = (float(row[label]) for row in rows)
        assert mean == pytest.approx(math.fsum(values) / 4, abs=1e-4)
    (mean,) = [
        row
        for row in read(together[0], "table5_6")
        if (row["measure"], row["test"], row["track"]) == ("RR", "Student's t Test", "mean")
    ]
    deltas = [row for row in read(together[0], "table5_6") if (row["measure"], row["test"]) == ("RR", "Student's t Test")][:-1]
    known = [float(row["delta_percent"]) for row in deltas if row["delta_percent"]]
    assert float(mean["delta_percent"]) == pytest.approx(sum(known) / len(known), abs=0.006)
    assert mean["sig"] == ""


def test_pairs_of_measures_have_a_column_per_track(together, alone):
    rows = read(together[0], "table4")
    assert [name for name in rows[0] if name.endswith("_msr")] == [
        "east_05_msr",
        "east_08_msr",
        "west_05_msr",
        "west_08_msr",
        "mean_msr",
    ]
    for row, east, west in zip(rows, read(alone[0], "table4"), read(alone[1], "table4"), strict=True):
        assert {key: value for key, value in row.items() if not key.startswith("mean")} == east | west


def test_changes_of_all_tracks_are_their_cells_together(together, alone):
    rows = {(row["track"], row["average"]): row for row in read(together[0], "changes")}
    name = "mean over all cells"
    parts = [
        next(row for row in read(folder, "changes") if row["average"] == name and row["track"].endswith("_08")) for folder in alone
    ]
    cells = [int(row["cells"]) for row in parts]
    assert int(rows["all_08", name]["cells"]) == sum(cells)
    mean = sum(number * float(row["delta_percent"]) for number, row in zip(cells, parts, strict=True)) / sum(cells)
    assert float(rows["all_08", name]["delta_percent"]) == pytest.approx(mean, abs=0.01)


def test_one_folder_has_all(together):
    out, done = together
    assert "east: 6 systems, 15 topics, binary" in done.stdout
    assert "west: 6 systems, 15 topics, grades 0 to 2" in done.stdout
    assert "τ east_08" in done.stdout
    assert {path.name for path in (out / "figures").iterdir()} == {"east", "west"}
    assert all((out / "figures" / name / "values_AP.svg").is_file() for name in ("east", "west"))
    document = json.loads((out / "study.json").read_bytes())
    assert document["names"] == ["east", "west"]
    assert [each["name"] for each in document["collections"]] == ["east", "west"]
    assert len(document["record"]["data"]["inputs"]) == 14
    assert "all_08" in document["changes"]
    summary = (out / "summary.txt").read_text(encoding="utf-8")
    assert "Farthest from interval, on average over east_08 and west_08" in summary
    assert "\nwest\n" in summary


def test_the_same_command_again_reads_the_steps(together, campaigns, tmp_path):
    out, _ = together
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file() and path.name != "timings.json"}
    mensura("study", *[word for each in campaigns for word in ("--collection", *each)], *OPTIONS, "-o", out)
    assert {path: path.read_bytes() for path in before} == before
    assert set(json.loads((out / "timings.json").read_bytes())["steps"].values()) == {None}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (lambda one, _: ["--collection", *one, "--collection", *one], "2 collections are called east; give each a name"),
        (
            lambda one, two: ["--collection", *one, "--collection", *two, "--name", "x"],
            "expected a --name for each of 2 collections, got 1",
        ),
        (lambda one, two: [*one, "--collection", *two], "by --collection, or one as QRELS"),
        (lambda one, two: ["--collection", one[0], "--collection", *two], "name at least two runs after"),
        (lambda one, _: ["--truth", "--collection", *one], "--truth is about one collection"),
    ],
)
def test_errors(campaigns, tmp_path, words, said):
    done = mensura("study", *words(*campaigns), *OPTIONS, "-o", tmp_path / "out", status=2)
    assert said in done.stderr
    assert not (tmp_path / "out" / "study.json").exists()


def test_names_can_be_given(campaigns, tmp_path):
    east = campaigns[0]
    mensura("study", "--collection", *east, "--collection", *east, "--name", "a", "--name", "b", *OPTIONS, "-o", tmp_path)
    rows = read(tmp_path, "table2")
    assert rows[0] | {"track": ""} == rows[2] | {"track": ""} == rows[0] | {"track": ""}
    assert [row["track"] for row in rows] == ["a_05", "a_08", "b_05", "b_08", "mean"]


def test_studies_that_differ_are_not_put_side_by_side(campaigns):
    judged = judge(campaigns[0][0], campaigns[0][1], depth=8)
    one, other = study(judged, ["P"], [5], ["t"], name="one"), study(judged, ["P"], [8], ["t"], name="other")
    with pytest.raises(MensuraError, match="one and other were studied with different lengths"):
        tables(one, other)
