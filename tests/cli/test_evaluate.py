"""``mensura evaluate``, as a user calls it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.cli.running import mensura

QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq2 0 a 1\nq2 0 z 1\n"
RUN = "q1 Q0 a 1 3.0 good\nq1 Q0 b 2 2.0 good\nq1 Q0 c 3 1.0 good\nq2 Q0 a 1 9 good\nq9 Q0 a 1 9 good\n"
TIED = "q1 Q0 a 1 1 tied\nq1 Q0 b 2 1 tied\nq1 Q0 u 3 1 tied\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "good.txt").write_text(RUN)
    (tmp_path / "tied.txt").write_text(TIED)
    return tmp_path


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_of_means(files):
    rows = table(mensura("evaluate", "qrels.txt", "good.txt", "tied.txt", "-m", "AP", "P@2", "-f", "csv", cwd=files).stdout)
    assert list(rows[0]) == ["system", "measure", "mean", "topics", "missing"]
    assert {(row["system"], row["measure"]): float(row["mean"]) for row in rows} == {
        ("good", "AP"): ((1 + 2 / 3) / 2 + 1 / 2) / 2,
        ("good", "P@2"): 0.5,
        ("tied", "AP"): (1 / 3) / 2 / 2,  # documents with equal scores stand in the order u, b, a
        ("tied", "P@2"): 0.0,
    }
    assert [row["missing"] for row in rows if row["measure"] == "AP"] == ["0", "1"]


def test_csv_per_topic(files):
    rows = table(mensura("evaluate", "qrels.txt", "good.txt", "-m", "RR", "--per-topic", "--format", "csv", cwd=files).stdout)
    assert rows == [
        {"system": "good", "topic": "q1", "measure": "RR", "value": "1.0"},
        {"system": "good", "topic": "q2", "measure": "RR", "value": "1.0"},
    ]


def test_wide_csv(files):
    words = ["evaluate", "qrels.txt", "good.txt", "tied.txt", "-m", "RR", "P@2", "--topics", "run"]
    assert table(mensura(*words, "-f", "csv", "--wide", cwd=files).stdout) == [
        {"system": "good", "topic": "q1", "RR": "1.0", "P@2": "0.5"},
        {"system": "good", "topic": "q2", "RR": "1.0", "P@2": "0.5"},
        {"system": "tied", "topic": "q1", "RR": repr(1 / 3), "P@2": "0.0"},
    ]
    assert "--wide is a layout of csv files; got --format table" in mensura(*words, "--wide", cwd=files, status=2).stderr


def test_formats_for_papers_with_the_digits_that_are_asked_for(files):
    words = ["evaluate", "qrels.txt", "good.txt", "tied.txt", "-m", "RR", "--digits", "3"]
    assert "| 1 | good | **1.000** |\n| 2 | tied | 0.167 |" in mensura(*words, "-f", "markdown", cwd=files).stdout
    assert r"1 & good & \textbf{1.000} \\" in mensura(*words, "-f", "latex", cwd=files).stdout
    assert '"good", strong("1.000"),' in mensura(*words, "-f", "typst", cwd=files).stdout
    assert "tied  0.167" in mensura(*words, cwd=files).stdout.replace("    ", "  ")
    assert "expected a whole number of at least 0, got '-1'" in mensura(*words[:-1], "-1", cwd=files, status=2).stderr


def test_csv_with_ranks(files):
    # RR@3 has 4 steps: 1 for no hit, else 5 − rank of the first hit (P4 §VI, Eq. 2). tied has one at rank 3, and none for q2.
    rows = table(
        mensura("evaluate", "qrels.txt", "good.txt", "tied.txt", "-m", "RR@3", "--interval", "-f", "csv", cwd=files).stdout
    )
    assert [(row["system"], float(row["mean"]), float(row["mean_rank"])) for row in rows] == [
        ("good", 1.0, 4.0),
        ("tied", 1 / 6, 1.5),
    ]


def test_a_mean_has_the_decimals_that_its_topics_support(tmp_path):
    # P@10 of 50 topics, 0.5 or 0.3: standard deviation 0.101, half-width 0.0287, which begins with 2: three decimals.
    # 5 topics: half-width 0.136, two decimals.
    for topics, expected in ((50, "0.400"), (5, "0.42")):
        lines = [f"{t} 0 d{d} {int(d < (5 if t % 2 == 0 else 3))}\n" for t in range(topics) for d in range(10)]
        (tmp_path / "qrels.txt").write_text("".join(lines))
        (tmp_path / "run.txt").write_text("".join(f"{t} Q0 d{d} 0 {-d} run\n" for t in range(topics) for d in range(10)))
        assert f" {expected}\n" in mensura("evaluate", "qrels.txt", "run.txt", "-m", "P@10", cwd=tmp_path).stdout


def test_json_holds_everything(files):
    done = mensura("evaluate", "qrels.txt", "good.txt", "tied.txt", "-m", "nDCG@2", "MFR", "-q", "-f", "json", cwd=files)
    document = json.loads(done.stdout)
    assert [fact["measure"] for fact in document["measures"]] == ["nDCG@2", "MFR"]
    assert [fact["higher_is_better"] for fact in document["measures"]] == [True, False]
    assert document["measures"][1]["range"] == [1.0, None]
    assert {remark["kind"] for remark in document["remarks"]} == {
        *("missing topics", "topics without judgments", "documents without judgment", "ties"),
    }
    assert len(document["values"]) == 2 * 2 * 2
    assert document["means"][0]["topics"] == 2


def test_a_dash_is_standard_output(files):
    words = ("evaluate", "qrels.txt", "good.txt", "-m", "AP", "-f", "csv")
    assert mensura(*words, "-o", "-", cwd=files).stdout == mensura(*words, cwd=files).stdout
    assert not (files / "-").exists()


def test_the_table_and_its_remarks(files):
    out = mensura("evaluate", "qrels.txt", "good.txt", "tied.txt", "-m", "AP", "MFR", cwd=files).stdout
    lines = out.splitlines()
    assert lines[0] == "Means over 2 of 2 topics, 2 runs"
    assert lines[2].split() == ["system", "AP", "MFR", "↓"]
    assert lines[4].split()[:2] == ["1", "good"]
    assert lines[5].split()[:2] == ["2", "tied"]
    joined = " ".join(out.split())
    assert "1 run has no documents for some judged topics, which count as empty lists: tied (1 of 2 topics)" in joined
    assert "1 run has topics that have no judgments, which are left out: good (1)" in joined
    assert "equal scores for documents of different grade in the top 3, ordered by document id: tied (1 of 2 topics)" in joined


def test_which_topics_count(files):
    def mean(choice):
        rows = table(
            mensura("evaluate", "qrels.txt", "good.txt", "tied.txt", "-m", "RR", "-f", "csv", "--topics", choice, cwd=files).stdout
        )
        return {row["system"]: (round(float(row["mean"]), 4), int(row["topics"])) for row in rows}

    assert mean("judged") == {"good": (1.0, 2), "tied": (0.1667, 2)}
    assert mean("run") == {"good": (1.0, 2), "tied": (0.3333, 1)}
    assert mean("both") == {"good": (1.0, 1), "tied": (0.3333, 1)}


def test_standard_input_patterns_and_order_of_options(files):
    expected = mensura("evaluate", "qrels.txt", "good.txt", "-m", "AP", "-f", "csv", cwd=files).stdout
    assert mensura("evaluate", "qrels.txt", "-", "-m", "AP", "-f", "csv", cwd=files, stdin=RUN).stdout == expected
    assert mensura("evaluate", "-", "good.txt", "-m", "AP", "-f", "csv", cwd=files, stdin=QRELS).stdout == expected
    assert mensura("evaluate", "-m", "AP", "-f", "csv", "qrels.txt", "g*.txt", cwd=files).stdout == expected
    assert mensura("evaluate", "-m", "AP", "qrels.txt", "good.txt", "-f", "csv", cwd=files).stdout == expected
    assert mensura("evaluate", "qrels.txt", "good.txt", "-f", "csv", "-m", "AP", "--threads", "1", cwd=files).stdout == expected
    both = mensura("evaluate", "-", "-", status=2, cwd=files, stdin=QRELS).stderr
    assert "standard input can be read only once" in both


def test_the_output_file_is_whole_or_not_there(files):
    mensura("evaluate", "qrels.txt", "good.txt", "-f", "csv", "-o", "out.csv", cwd=files)
    assert table((files / "out.csv").read_text())[0]["system"] == "good"
    said = mensura("evaluate", "qrels.txt", "good.txt", "-o", "nowhere/out.csv", status=2, cwd=files).stderr
    assert "cannot write nowhere/out.csv: No such file or directory" in said
    assert sorted(path.name for path in files.iterdir()) == ["good.txt", "out.csv", "out.csv.record.json", "qrels.txt", "tied.txt"]


def test_a_reader_that_has_enough(files):
    """``mensura … | head -1`` ends quietly."""
    import subprocess
    import sys

    command = f"{sys.executable} -m mensura evaluate qrels.txt good.txt -q -f csv | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=files, check=True)  # noqa: S602
    assert done.stdout == "system,topic,measure,value\n"
    assert "Error" not in done.stderr


def test_names_of_systems(files):
    """The tag when it is unique, else the file's name, else its path."""
    (files / "more").mkdir()
    (files / "more" / "good.txt").write_text(RUN)
    (files / "other.txt").write_text(RUN)

    def names(*runs):
        return [row["system"] for row in table(mensura("evaluate", "qrels.txt", *runs, "-m", "AP", "-f", "csv", cwd=files).stdout)]

    assert names("tied.txt", "other.txt") == ["tied", "good"]
    assert names("good.txt", "other.txt") == ["good", "other"]
    assert names("good.txt", "more/good.txt") == ["good.txt", "more/good.txt"]
    assert "two runs would both be called" in mensura("evaluate", "qrels.txt", "good.txt", "good.txt", status=2, cwd=files).stderr


def test_a_measure_of_ones_own_by_name(files):
    (files / "mine.py").write_text(
        "from dataclasses import dataclass\n"
        "from mensura import Measure, register\n\n"
        "@register\n"
        "@dataclass(frozen=True, repr=False, kw_only=True)\n"
        "class Last(Measure):\n"
        "    '''Is the last document relevant?'''\n"
        "    name = 'Last'\n"
        "    def score(self, judged):\n"
        "        return (judged.grades[:, :, -1] >= 1).astype(float)\n"
    )
    rows = table(mensura("evaluate", "qrels.txt", "good.txt", "-m", "Last", "-f", "csv", "--plugin", "mine.py", cwd=files).stdout)
    assert rows[0]["mean"] == "0.5"
    assert "Is the last document relevant?" in mensura("measures", "--plugin", "mine.py", cwd=files).stdout
    (files / "broken.py").write_text("1 / 0\n")
    assert (
        "broken.py: could not be loaded: ZeroDivisionError"
        in mensura("measures", "--plugin", "broken.py", status=2, cwd=files).stderr
    )


def test_measures_of_ir_measures(files):
    rows = table(mensura("evaluate", "qrels.txt", "good.txt", "-m", "SetAP", "AP", "-f", "csv", cwd=files).stdout)
    assert [row["measure"] for row in rows] == ["SetAP", "AP"]
    # SetAP is set precision times set recall: q1 2/3 · 2/2, q2 1/1 · 1/2
    assert float(rows[0]["mean"]) == pytest.approx((2 / 3 + 1 / 2) / 2)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing.txt", "good.txt"), "nothing.txt: there is no such file"),
        (("qrels.txt", "x*.txt"), "x*.txt: no file matches this pattern"),
        (("qrels.txt", "."), "is a folder; name its files"),
        (("qrels.txt", "good.txt", "-m", "nDGC"), "unknown measure 'nDGC'; did you mean nDCG"),
        (
            ("qrels.txt", "qrels.txt"),
            "qrels.txt:1: expected 6 columns (topic, Q0, document, rank, score, tag), got 4\n      q1 0 a 1",
        ),
        (
            ("good.txt", "good.txt"),
            "good.txt:1: expected 4 columns (topic, iteration, document, grade), got 6; is this a run?",
        ),
        (("qrels.txt", "good.txt", "--threads", "0"), "expected a whole number of at least 1, got '0'"),
        (("qrels.txt",), "missing: RUN"),
    ],
)
def test_mistakes_get_one_clear_message(files, arguments, says):
    said = mensura("evaluate", *arguments, status=2, cwd=files)
    assert says in said.stderr
    assert said.stdout == ""


def test_the_relevance_level(files):
    """A level in a name wins over the one for all."""

    def values(*options):
        rows = table(mensura("evaluate", "qrels.txt", "good.txt", "-q", "-f", "csv", *options, cwd=files).stdout)
        return {row["measure"]: float(row["value"]) for row in rows if row["topic"] == "q1"}

    assert values("-m", "P(rel=2)@2", "P@2") == {"P(rel=2)@2": 0.0, "P@2": 0.5}
    assert values("-m", "P(rel=1)@2", "P@3", "-l", "2") == {"P@2": 0.5, "P(rel=2)@3": 1 / 3}


def test_the_wrong_judgments_are_noticed(files):
    (files / "other.txt").write_text("x1 0 a 1\n")
    told = mensura("evaluate", "other.txt", "good.txt", status=2, cwd=files).stderr
    assert "good.txt: no topic of this run is judged: it has 'q1', 'q2', 'q9', and the judgments (other.txt) have 'x1';" in told


def test_missing_topics_are_described_as_they_are_treated(files):
    run = ("evaluate", "qrels.txt", "tied.txt", "-m", "AP", "--topics")
    assert "which count as empty lists" in " ".join(mensura(*run, "judged", cwd=files).stdout.split())
    assert "which do not count" in " ".join(mensura(*run, "run", cwd=files).stdout.split())


def test_a_measure_of_ones_own_that_fails(files):
    (files / "mine.py").write_text(
        "from mensura import Measure, register\n\n"
        "@register\n"
        "class Broken(Measure):\n"
        "    name = 'Broken'\n"
        "    def score(self, judged):\n"
        "        return 1 / 0\n\n"
        "@register\n"
        "class Flat(Measure):\n"
        "    name = 'Flat'\n"
        "    def score(self, judged):\n"
        "        return [1.0]\n"
    )
    run = ("evaluate", "qrels.txt", "good.txt", "--plugin", "mine.py", "-m")
    assert "Broken could not be computed: ZeroDivisionError" in mensura(*run, "Broken", status=2, cwd=files).stderr
    assert (
        "Flat gave values of shape (1,); expected one for each system and topic, (1, 2)"
        in mensura(*run, "Flat", status=2, cwd=files).stderr
    )


def test_a_file_that_is_not_there_is_not_taken_for_a_measure(files):
    assert (
        "nothing.txt: there is no such file"
        in mensura("evaluate", "-m", "AP", "nothing.txt", "good.txt", status=2, cwd=files).stderr
    )


@pytest.mark.parametrize(("option", "hole"), [(("-M", "2"), 1 / 5), (("-J",), 0.0), ((), 2 / 5)])
def test_documents_of_lists_that_are_shortened(tmp_path, option, hole):
    """By hand: x and y were judged for no topic; -M 2 leaves one of them in the list, -J none."""
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run.txt").write_text("".join(f"1 Q0 {name} {rank} {-rank} r\n" for rank, name in enumerate("axby", start=1)))
    shown = mensura("evaluate", "qrels.txt", "run.txt", "-m", "Hole@5", *option, "-f", "csv", cwd=tmp_path).stdout
    assert float(shown.split()[1].split(",")[2]) == pytest.approx(hole)
