"""``mensura rankings`` against the ideal ranking of judgments, and against one reference."""

from __future__ import annotations

import csv
import io
import json

import pytest

from mensura import judge
from mensura.rankings import against_ideal, against_reference
from mensura.render.against import landmarks, spans
from mensura.render.charts.against import ideal_chart, reference_chart
from mensura.study.example import example
from tests.cli.running import mensura


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels.txt").write_text("# judged\nq 0 a 2\nq 0 b 1\np 0 b 1\n")
    (tmp_path / "qrels.csv").write_text("topic,document,grade\nq,a,2\nq,b,1\np,b,1\n")
    (tmp_path / "qrels.json").write_text('{"q": {"a": 2, "b": 1}, "p": {"b": 1}}')
    (tmp_path / "one.run").write_text("q Q0 c 1 4 r\nq Q0 a 2 3 r\nq Q0 d 3 2 r\nq Q0 b 4 1 r\n")
    (tmp_path / "two.run").write_text("q Q0 a 1 4 s\nq Q0 b 2 3 s\np Q0 b 1 4 s\n")
    (tmp_path / "x.txt").write_text("b\na\nc\nd\n")
    return tmp_path


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    return example(8).write(tmp_path_factory.mktemp("campaign"))


def rankings(*arguments, **options):
    return json.loads(mensura("rankings", *arguments, "-f", "json", **options).stdout)


def rows_of(*arguments, **options):
    return list(csv.DictReader(io.StringIO(mensura("rankings", *arguments, "-f", "csv", **options).stdout)))


def test_a_run_against_its_ideal(files):
    """Judgments a 2, b 1 and the run c a d b, by hand: the ideal that keeps the run's order is a b c d."""
    (system,) = rankings("one.run", "qrels.txt", "--topic", "q", cwd=files)["systems"]
    assert system["system"] == "r"
    assert system["positions"] == [3, 1, 4, 2]
    assert system["misplacements"] == [2, -1, 1, -2]
    assert system["point"] == [2, 1, 2, 0]
    assert system["area"] == [1, 2.5, 4, 5]
    assert system["normalized_area"] == pytest.approx([1, 5 / 8, 4 / 9, 5 / 16])
    assert system["a_corr"][-1] == pytest.approx(0.6875)
    assert system["relative_position"] == [-2, -1, -1, 1]
    assert (system["losses"], system["recoveries"]) == ([1, 3], [2, 4])


@pytest.mark.parametrize(
    "words",
    [("qrels.txt", "one.run"), ("one.run", "qrels.csv"), ("one.run", "--qrels", "qrels.txt"), ("one.run", "--qrels", "qrels.json")],
)
def test_judgments_are_recognised_wherever_they_are(files, words):
    assert rankings(*words, "--topic", "q", cwd=files)["systems"][0]["point"] == [2, 1, 2, 0]


def test_judgments_from_standard_input_are_named(files):
    text = (files / "qrels.txt").read_text()
    assert rankings("one.run", "--qrels", "-", "--topic", "q", cwd=files, stdin=text)["systems"][0]["point"] == [2, 1, 2, 0]


def test_tables_and_csv(files):
    shown = mensura("rankings", "one.run", "qrels.txt", "--topic", "q", cwd=files).stdout
    assert "against the ideal ranking of topic q, 4 ranks" in shown
    assert "r loses at ranks 1, 3; it recovers at ranks 2, 4." in shown
    assert ["4", "2", "−2", "0", "5", "0.3125", "0.6875", "1"] in [line.split() for line in shown.splitlines()]
    both = mensura("rankings", "one.run", "two.run", "qrels.txt", "--topic", "q", cwd=files).stdout
    assert "s loses nowhere; it recovers nowhere." in both
    assert "rank" not in both.splitlines()[-3]  # of several runs, the ends only
    every = mensura("rankings", "one.run", "two.run", "qrels.txt", "--topic", "q", "--curves", cwd=files).stdout
    assert every.count("CRP") == 3
    ends = {row["measure"]: row["value"] for row in rows_of("one.run", "qrels.txt", "--topic", "q", cwd=files)}
    assert ends["a_corr"] == "0.6875"
    assert (ends["furthest"], ends["furthest_rank"]) == ("2.0", "1")
    curve = rows_of("one.run", "qrels.txt", "--topic", "q", "--curves", cwd=files)
    assert [(row["rank"], row["position"], row["misplacement"], row["area"]) for row in curve] == [
        ("1", "3.0", "2.0", "1.0"),
        ("2", "1.0", "-1.0", "2.5"),
        ("3", "4.0", "1.0", "4.0"),
        ("4", "2.0", "-2.0", "5.0"),
    ]


def test_topics_that_are_missing_count_in_the_mean(files):
    shown = mensura("rankings", "one.run", "two.run", "qrels.txt", "--topic", "all", cwd=files).stdout
    assert "mean over 2 topics" in shown
    assert "count as lists without relevant documents: r (1)." in shown


@pytest.mark.parametrize("h", ["1", "1/i", "0.9"])
def test_the_end_of_the_curve_is_the_measure(campaign, h):
    """`mensura evaluate -m Acorr@k` and the end of the curve of `mensura rankings`, per topic and in the mean."""
    qrels, runs = campaign
    name = {"1": "Acorr@20"}.get(h, f"Acorr(h='{h}')@20" if "/" in h else f"Acorr(h={h})@20")
    words = ("evaluate", qrels, *runs, "-m", name, "-f", "csv")
    means = {row["system"]: float(row["mean"]) for row in csv.DictReader(io.StringIO(mensura(*words).stdout))}
    topics = {
        (row["system"], row["topic"]): float(row["value"])
        for row in csv.DictReader(io.StringIO(mensura(*words, "--per-topic").stdout))
    }
    options = ("--depth", "20", "--h", h)
    curves = rankings(*runs, qrels, "--topic", "all", *options)["systems"]
    assert {curve["system"]: curve["a_corr"][-1] for curve in curves} == pytest.approx(means)
    one = rankings(*runs, qrels, "--topic", "7", *options)["systems"]
    assert {curve["system"]: curve["a_corr"][-1] for curve in one} == pytest.approx(
        {system: value for (system, topic), value in topics.items() if topic == "7"}
    )


def test_several_rankings_against_a_reference(files):
    words = ("x.txt", "c,a,b,d", "d,c,b,a", "--reference", "a,b,c,d")
    document = rankings(*words, cwd=files)
    assert document["reference"] == "a,b,c,d"
    assert [each["ranking"] for each in document["rankings"]] == ["x", "c,a,b,d", "d,c,b,a"]
    assert [each["area"][-1] for each in document["rankings"]] == [1, 3, 10]
    assert [each["a_corr"] for each in document["rankings"]] == pytest.approx([0.9, 0.7, 0])
    assert document["rankings"][1]["normalized_area_curve"] == pytest.approx([1 / 1.5, 0.5, 3 / 8.5, 0.3])
    shown = mensura("rankings", *words, cwd=files).stdout
    assert "against a,b,c,d: 4 items" in shown
    assert ["x", "2", "1", "1", "10", "0.1000", "0.9000"] in [line.split()[:7] for line in shown.splitlines()]
    numbers = {(row["first"], row["measure"]): row["value"] for row in rows_of(*words, cwd=files)}
    assert numbers["c,a,b,d", "tau_ap"] == "0.0"
    assert len([row for row in rows_of(*words, "--curves", cwd=files) if row["ranking"] == "x"]) == 4


def test_runs_against_a_reference_run(files):
    document = rankings("one.run", "--reference", "two.run", "--topic", "q", cwd=files)
    assert document["rankings"][0]["ranked"] == ["c", "a", "d", "b"]
    assert document["rankings"][0]["lengths"] == [4, 2]


def test_ties_in_lists(files):
    assert rankings("b=a,c", "a,b,c", cwd=files)["ties"] == [True, False]


def test_curves_of_two_rankings(files):
    rows = rows_of("d2,d1,d4,d3", "d1,d4,d2,d3", "--curves", cwd=files)
    assert [round(float(row["normalized_area"]), 4) for row in rows] == [0.6667, 0.5, 0.3529, 0.3]
    assert [round(float(row["a_corr"]), 4) for row in rows] == [0.3333, 0.5, 0.6471, 0.7]
    tied = rankings("a=b,", "a,b", cwd=files)
    assert tied["normalized_area_curve"] == [None, None]  # JSON has no NaN


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_charts_are_written(files, ending):
    for words in (("one.run", "qrels.txt", "--topic", "q"), ("c,a,b,d", "d,c,b,a", "--reference", "a,b,c,d")):
        mensura("rankings", *words, "--chart", f"chart.{ending}", cwd=files)
        assert {"svg": b"<svg", "png": b"\x89PNG"}[ending] in (files / f"chart.{ending}").read_bytes()[:400]


def test_charts_show_the_numbers(campaign):
    curves = against_ideal(judge(*campaign), depth=30)
    chart = ideal_chart(curves.mean(), "the ideal ranking")
    assert len(chart["vconcat"]) == 3
    first = [row for row in chart["data"]["values"] if row["system"] == curves.systems[0]]
    assert [row["point"] for row in first] == [0, *curves.mean().point[0, 0].tolist()]
    assert [row["area"] for row in first] == [0, *curves.mean().area[0, 0].tolist()]
    assert [row["a_corr"] for row in first] == [None, *curves.mean().a_corr[0, 0].tolist()]
    channels = chart["vconcat"][0]["layer"][0]["encoding"]
    marks = zip(channels["color"]["scale"]["range"], map(tuple, channels["strokeDash"]["scale"]["range"]), strict=True)
    assert len(set(marks)) == 8  # each of eight systems has a mark of its own
    ends = dict(zip(curves.systems, curves.mean().a_corr[:, 0, -1], strict=True))
    assert channels["color"]["scale"]["domain"] == sorted(ends, key=lambda name: -ends[name])
    alone = ideal_chart(against_ideal(judge(campaign[0], campaign[1][:1]), depth=30).only("7"), "the ideal ranking")
    bars = alone["vconcat"][1]["data"]["values"]
    moved = curves.misplacements[0, curves.topics.index("7")]
    assert [bar["moved"] for bar in bars] == [value for value in moved.tolist() if value]
    lists = reference_chart(against_reference({"x": list("ba"), "tied": [{"a", "b"}]}, list("ab")))
    assert [row["a_corr"] for row in lists["data"]["values"] if row["system"] == "tied"] == [None, None, None]


def test_long_curves_are_shown_at_landmarks():
    assert landmarks(4) == [1, 2, 3, 4]
    assert landmarks(1000) == [*range(1, 11), 20, 50, 100, 200, 500, 1000]
    assert landmarks(137)[-3:] == [50, 100, 137]
    assert spans((1, 2, 3, 5, 7, 8)) == "1–3, 5, 7–8"
    assert spans(tuple(range(1, 40, 2)), 2) == "1, 3 and 18 more"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("one.run", "qrels.txt", "--topic", "z"), "unknown topic 'z'; there are"),
        (("one.run", "qrels.txt", "--topic", "p"), "the run r has no topic 'p'"),
        (("one.run", "qrels.txt", "--topic", "q", "--ties", "kept"), "trec_eval's order"),
        (("one.run", "qrels.txt", "--topic", "q", "--reference", "two.run"), "leave --reference or the judgments out"),
        (("one.run", "qrels.txt", "qrels.csv", "--topic", "q"), "one file of judgments, got 1 and 2"),
        (("qrels.txt", "--topic", "q"), "got 0 and 1"),
        (("one.run", "--qrels", "qrels.txt"), "which topic?"),
        (("one.run", "--reference", "two.run", "--topic", "all"), "rankings of one topic"),
        (("x.txt", "x.txt", "--reference", "a,b,c,d"), "x.txt is named twice"),
        (("x.txt", "--reference", "u,v"), "share no item"),
        (("a,b,a", "--reference", "a,b"), "twice"),
    ],
)
def test_what_cannot_be_is_refused(files, words, says):
    assert says in mensura("rankings", *words, status=2, cwd=files).stderr
