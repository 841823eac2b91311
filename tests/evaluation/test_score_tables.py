"""Tables of scores from files, frames, dicts and arrays: the same comparison from each, and what is wrong is named."""

# ruff: noqa: PD011 - scores are not data frames

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mensura import compare, evaluate, read_run
from mensura.errors import InputError, ScaleError, StatisticsError
from mensura.evaluation.score_tables import read_scores
from mensura.stats import Comparisons, paired_t
from tests.cli.running import mensura

VALUES = np.random.default_rng(3).uniform(0, 1, (3, 8)).round(3)
SYSTEMS, TOPICS = ("A", "B", "C"), tuple(map(str, range(1, 9)))
LONG = [(a, t, VALUES[i, j]) for i, a in enumerate(SYSTEMS) for j, t in enumerate(TOPICS)]
DICT = {a: {t: float(VALUES[i, j]) for j, t in enumerate(TOPICS)} for i, a in enumerate(SYSTEMS)}


def csv_lines(header, rows, mark=","):
    return "\n".join(mark.join(map(str, row)) for row in [header, *rows]) + "\n"


FILES = {
    "long.csv": csv_lines(("system", "topic", "value"), LONG),
    "long.tsv": csv_lines(("run", "qid", "score"), LONG, "\t"),
    "measured.csv": csv_lines(("system", "topic", "measure", "value"), [(a, t, "score", v) for a, t, v in LONG]),
    "topics.csv": csv_lines(("topic", *SYSTEMS), [(t, *VALUES[:, j]) for j, t in enumerate(TOPICS)]),
    "systems.csv": csv_lines(("model", *TOPICS), [(a, *VALUES[i]) for i, a in enumerate(SYSTEMS)]),
    "spaces.txt": csv_lines(("topic", *SYSTEMS), [(t, *VALUES[:, j]) for j, t in enumerate(TOPICS)], "  "),
}


@pytest.mark.parametrize("name", FILES)
def test_files(name, tmp_path):
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    table = read_scores(path)
    assert (table.judged.systems, table.judged.topics) == (SYSTEMS, TOPICS)
    assert table.scores[0].values.tolist() == VALUES.tolist()


def test_dicts_frames_and_arrays():
    by_measure = {a: {t: {"map": v} for t, v in scores.items()} for a, scores in DICT.items()}  # pytrec_eval
    ranx = {a: {"map": scores} for a, scores in DICT.items()}
    frame = pd.DataFrame(LONG, columns=["system", "topic", "value"])
    for source in (DICT, by_measure, ranx, frame):
        assert read_scores(source).scores[0].values.tolist() == VALUES.tolist()
    assert str(read_scores(ranx).measures[0]) == "map"
    assert read_scores(VALUES).judged.systems == ("s1", "s2", "s3")
    assert read_scores(VALUES).scores[0].values.tolist() == VALUES.tolist()


def test_a_matrix(tmp_path):
    path = tmp_path / "matrix.txt"
    np.savetxt(path, VALUES)
    assert read_scores(path).scores[0].values.tolist() == VALUES.tolist()


def test_the_output_of_trec_eval(tmp_path):
    for system, scores in DICT.items():
        lines = [f"map                   \t{topic}\t{value:.4f}\n" for topic, value in scores.items()]
        (tmp_path / f"{system}.txt").write_text("".join(lines) + f"runid\tall\t{system}\nmap\tall\t0.5\n", encoding="utf-8")
    table = read_scores(sorted(tmp_path.iterdir()))
    assert table.judged.systems == SYSTEMS
    assert table.scores[0].values.tolist() == VALUES.tolist()


def test_our_own_output_gives_the_same_comparison(tmp_path):
    qrels = {topic: {f"d{at}": at % 2 for at in range(6)} for topic in TOPICS}
    rng = np.random.default_rng(5)
    runs = [
        read_run({topic: {f"d{at}": float(score) for at, score in enumerate(rng.random(6))} for topic in TOPICS}, name=name)
        for name in SYSTEMS
    ]
    evaluation = evaluate(qrels, runs, ["P@3", "RR"])
    path = tmp_path / "scores.csv"
    rows = [row.values() for row in evaluation.rows()]
    path.write_text(csv_lines(("system", "topic", "measure", "value"), rows), encoding="utf-8")
    for ours, theirs in zip(compare(evaluation), compare(path), strict=True):
        assert str(ours.measure) == str(theirs.measure)
        assert ours.corrected_p.tolist() == theirs.corrected_p.tolist()
        assert ours.places.tolist() == theirs.places.tolist()


def test_a_comparison_of_a_table():
    (made,) = compare(VALUES, test="t", correction="none")
    assert made.outcome.p == pytest.approx(paired_t(VALUES).p)
    assert Comparisons.from_json(compare(VALUES, test="t").to_json())[0].outcome.p.tolist() == made.outcome.p.tolist()
    assert any("come from a table" in remark for remark in made.remarks)
    with pytest.raises(ScaleError):
        compare(VALUES, scale="interval")


def test_repetitions_are_averaged_within_topics():
    rows = [(a, t, seed, v + (0.1 if seed else -0.1)) for a, t, v in LONG for seed in (0, 1)]
    frame = pd.DataFrame(rows, columns=["system", "topic", "seed", "value"])
    table = read_scores(frame)
    (scores,) = table.scores
    assert scores.values == pytest.approx(VALUES)
    assert table.notes[0].startswith("2 repetitions of score per system and topic were averaged")
    assert "0.141 within topics" in table.notes[0]  # √(2 · 0.1²)
    assert any("repetitions" in remark for remark in compare(table)[0].remarks)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system,topic,value\nA,1,x\n", "the score of A for 1 is 'x'"),
        ("system,topic,value\nA,1,0.1\nA,2,0.1\nB,1,0.3\n", "B has no score for 2, and 1 scores are missing"),
        ("system,topic,value\nA,1,0.1\nA,1,0.2\nB,1,0.3\n", "A has 2 scores of score for 1; number them"),
        ("name,1,2\nA,0.1,0.2\n", "is not a table of scores"),
        ("", "contains no scores"),
        ("0.1 0.2\n0.3\n", "rows of different length"),
        ("system,topic,value\nA,1\n", "a row of 2 fields after a header of 3"),
    ],
)
def test_what_is_wrong_is_named(text, message, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_scores(path)
    with pytest.raises(InputError, match="no scores of AP; it has score"):
        read_scores(VALUES, measures=["AP"])


def test_at_the_command_line(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(FILES["long.csv"], encoding="utf-8")
    done = mensura("compare", "--scores", path, "--test", "t")
    assert "score: 3 systems, 8 topics" in done.stdout
    assert "baseline" in mensura("compare", "--scores", path, "--baseline", "B", "--baseline", "1").stdout
    assert "or a table of scores" in mensura("compare", status=2).stderr
    assert "leave one of them out" in mensura("compare", path, path, path, "--scores", path, status=2).stderr


def test_one_system_is_too_few():
    with pytest.raises(StatisticsError, match="at least 2 systems"):
        compare({"A": {"1": 0.5, "2": 0.4}})
