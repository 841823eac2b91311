"""Records of commands, and ``mensura reproduce``."""

from __future__ import annotations

import gzip
import hashlib
import json
import os

import pytest
from blake3 import blake3

from mensura.study.example import example

from .running import mensura

PLUGIN = """
from dataclasses import dataclass

import numpy as np

from mensura import Measure, register


@register
@dataclass(frozen=True, repr=False)
class Half(Measure):
    name = "Half"

    def score(self, judged):
        return np.full(judged.shape, 0.5)
"""


@pytest.fixture
def campaign(tmp_path):
    folder = tmp_path / "Kampagne 検索"
    example(8, systems=3, topics=8, documents=80, depth=20).write(folder)
    (folder / "out").mkdir()
    return folder


def made(folder, *words, result="out/result.csv", **options):
    mensura(*words, "-o", result, cwd=folder, **options)
    return folder / result


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (("evaluate", "qrels.txt", "runs/*.txt", "-f", "csv", "-q"), "out/result.csv"),
        (("evaluate", "qrels.txt", "runs/*.txt", "-f", "json"), "out/result.json"),
        (("evaluate", "qrels.txt", "runs/sysA.txt"), "out/result.txt"),
        (("compare", "qrels.txt", "runs/*.txt", "-m", "P@10", "AP", "--chart", "out/chart.svg", "-f", "json"), "out/c.json"),
        (("rankings", "runs/sysA.txt", "runs/sysB.txt", "--topic", "1", "-f", "json"), "out/r.json"),
        (("scale", "AP@5", "--run", "01100", "-f", "csv"), "out/scale.csv"),
        (("measures", "-f", "json"), "out/measures.json"),
        (("meaning", "qrels.txt", "runs/*.txt", "-m", "P@5", "-f", "csv"), "out/m.csv"),
    ],
)
def test_a_result_made_here_is_made_again_here(campaign, tmp_path, words, result):
    path = made(campaign, *words, result=result)
    standard = mensura(*(word for word in words if word not in {"--chart", "out/chart.svg"}), cwd=campaign).stdout
    text = mensura("reproduce", path, cwd=tmp_path).stdout
    assert f"{result}: the same to the bit" in text
    assert ("out/chart.svg: the same to the bit" in text) == ("--chart" in words)
    if result in {"out/result.json", "out/c.json", "out/r.json"}:
        document = json.loads(path.read_text(encoding="utf-8"))
        assert document.pop("record")["actor"] is None
        assert document == json.loads(standard)
        assert not (campaign / f"{result}.record.json").exists()
    else:
        assert path.read_text(encoding="utf-8") == standard  # the record is beside it, and changes nothing in it
        assert (campaign / f"{result}.record.json").is_file()


def test_the_same_command_writes_the_same_bytes(campaign):
    words = ("compare", "qrels.txt", "runs/*.txt", "-m", "P@10", "-f", "json")
    first = made(campaign, *words, result="c.json").read_bytes()
    assert made(campaign, *words, "--threads", "1", result="c.json").read_bytes() != first  # other words
    assert made(campaign, *words, result="c.json").read_bytes() == first


def test_a_moved_project_is_found(campaign, tmp_path):
    made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-f", "csv")
    moved = tmp_path / "elsewhere"
    campaign.rename(moved)
    assert "the same to the bit" in mensura("reproduce", moved / "out" / "result.csv.record.json", cwd=tmp_path).stdout


@pytest.mark.parametrize(("name", "role"), [("qrels.txt", "judgments"), ("runs/sysB.txt", "run"), ("out/result.csv", "result")])
def test_a_tampered_file_is_named(campaign, name, role):
    path = made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-f", "csv")
    file = campaign / name
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("1", "2", 1), encoding="utf-8")
    done = mensura("reproduce", path, status=1)
    assert f"{role} {name}: changed" in done.stdout
    assert "not run again" in done.stdout
    document = json.loads(mensura("reproduce", path, "-f", "json", status=1).stdout)
    assert [one for one in document["files"] if one["state"] != "unchanged"] == [{"role": role, "path": name, "state": "changed"}]


def test_a_missing_file_is_named(campaign):
    path = made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-f", "csv")
    (campaign / "runs" / "sysC.txt").unlink()
    assert "run runs/sysC.txt: missing" in mensura("reproduce", path, status=1).stdout


def test_a_run_that_came_later_changes_nothing(campaign):
    path = made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-f", "csv")
    (campaign / "runs" / "sysD.txt").write_text("1 Q0 doc0001 1 1.0 sysD\n", encoding="utf-8")
    assert "the same to the bit" in mensura("reproduce", path).stdout


def test_a_record_without_its_result(campaign):
    path = made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-f", "csv")
    path.unlink()
    assert "the same to the bit" in mensura("reproduce", campaign / "out" / "result.csv.record.json").stdout


def test_what_differs_is_said(campaign):
    """As if another version had made it: a result and its record that say something else."""
    path = made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-m", "AP", "-f", "csv")
    side = campaign / "out" / "result.csv.record.json"
    document = json.loads(side.read_text(encoding="utf-8"))
    lines = path.read_text(encoding="utf-8").splitlines()
    cells = lines[1].split(",")
    cells[2] = repr(float(cells[2]) + 0.25)
    path.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]) + "\n", encoding="utf-8")
    document["data"]["results"][0]["blake3"] = blake3(path.read_bytes()).hexdigest()
    document["platform"]["libraries"]["numpy"] = "1.0"
    document["data"]["parameters"]["compat"] = "trec_eval-9"
    side.write_text(json.dumps(document), encoding="utf-8")
    text = mensura("reproduce", path, status=1).stdout
    assert "numbers differ, by at most 0.25" in text
    assert "libraries: numpy: 1.0 → " in text
    assert "compat: trec_eval-9 → trec_eval-10" in text


@pytest.mark.parametrize("packed", [False, True])
def test_digests_are_those_that_other_tools_compute(campaign, packed):
    """Of the inflated bytes that were judged: as ``b3sum`` of the file, or ``zcat … | b3sum``."""
    run = campaign / "runs" / "sysA.txt"
    content = run.read_bytes()
    if packed:
        run.unlink()
        run = run.with_suffix(".txt.gz")
        run.write_bytes(gzip.compress(content))
    made(campaign, "evaluate", "qrels.txt", run, "-f", "csv")
    inputs = json.loads((campaign / "out" / "result.csv.record.json").read_text(encoding="utf-8"))["data"]["inputs"]
    expected = [(campaign / "qrels.txt").read_bytes(), content]
    assert [each["blake3"] for each in inputs] == [blake3(data).hexdigest() for data in expected]


def test_older_records_have_sha256(campaign):
    """Records that were written before the digests became those of BLAKE3 are checked as they were."""
    path = made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-f", "csv")
    side = campaign / "out" / "result.csv.record.json"
    document = json.loads(side.read_text(encoding="utf-8"))
    for each in [*document["data"]["inputs"], *document["data"]["results"]]:
        del each["blake3"]
        each["sha256"] = hashlib.sha256((campaign / each["path"]).read_bytes()).hexdigest()
    side.write_text(json.dumps(document), encoding="utf-8")
    assert "the same to the bit" in mensura("reproduce", path).stdout
    run = campaign / "runs" / "sysA.txt"
    run.write_bytes(run.read_bytes() + b"\n")
    assert "runs/sysA.txt: changed" in mensura("reproduce", path, status=1).stdout


def test_earlier_tests_are_those_of_the_record(campaign):
    environment = os.environ | {"MENSURA_LEDGER": str(campaign / "l.sqlite")}
    words = ("compare", "qrels.txt", "runs/*.txt", "--test", "t", "--prior-tests", "auto", "-f", "json")
    mensura(*words, "-m", "P@10", cwd=campaign, env=environment)
    path = made(campaign, *words, "-m", "AP", result="c.json", env=environment)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["record"]["data"]["parameters"]["prior_tests"] == 3
    mensura(*words, "-m", "RR", cwd=campaign, env=environment)
    before = (campaign / "l.sqlite").read_bytes()
    assert "the same to the bit" in mensura("reproduce", path, env=environment).stdout
    assert (campaign / "l.sqlite").read_bytes() == before  # making a result again counts nothing


def test_goal_and_actor_are_those_of_the_plan(campaign):
    mensura("plan", "new", "--goal", "Who wins?", "--system", "sysA", "--system", "sysB", "--test", "t", cwd=campaign)
    plan = campaign / "plan.toml"
    plan.write_text(plan.read_text(encoding="utf-8").replace('# actor = "…"', 'actor = "Team 7"'), encoding="utf-8")
    mensura("plan", "lock", "plan.toml", cwd=campaign)
    path = made(campaign, "compare", "qrels.txt", "runs/*.txt", "--plan", "plan.toml", "-f", "json", result="c.json")
    document = json.loads(path.read_text(encoding="utf-8"))["record"]
    assert (document["research goal"], document["actor"]) == ("Who wins?", "Team 7")
    assert "the same to the bit" in mensura("reproduce", path).stdout
    plan.write_text(plan.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert "plan plan.toml: changed" in mensura("reproduce", path, status=1).stdout


def test_plugins_are_run_only_if_they_are_trusted(campaign):
    (campaign / "half.py").write_text(PLUGIN, encoding="utf-8")
    path = made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "--plugin", "half.py", "-m", "Half", "-f", "csv")
    assert "would run half.py" in mensura("reproduce", path, status=2).stderr
    assert "the same to the bit" in mensura("reproduce", path, "--trust-plugins").stdout


def test_a_foreign_record_does_not_move_the_cursor(campaign):
    path = made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-f", "csv")
    side = campaign / "out" / "result.csv.record.json"
    document = json.loads(side.read_text(encoding="utf-8"))
    document["platform"]["system"] = "\x1b[2J"
    side.write_text(json.dumps(document), encoding="utf-8")
    printed = mensura("reproduce", path).stdout
    assert "\\u001b[2J" in printed
    assert "\x1b" not in printed


def test_nothing_but_mensura_is_run(campaign):
    """A record and its folder may be anybody's."""
    made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-f", "csv")
    for name in ("mensura", "numpy", "argparse"):
        (campaign / f"{name}.py").write_text("import os; os.abort()", encoding="utf-8")
    side = campaign / "out" / "result.csv.record.json"
    assert "the same to the bit" in mensura("reproduce", side).stdout
    document = json.loads(side.read_text(encoding="utf-8"))

    def with_words(*words):
        document["method"] = {"command": words[0], "arguments": list(words)}
        side.write_text(json.dumps(document), encoding="utf-8")
        return mensura("reproduce", side, status=2).stderr

    assert "not a command that can be reproduced" in with_words("demo", "--keep", "here")
    assert "not a command that can be reproduced" in with_words("sh", "-c", "touch here")
    assert "the arguments are not those of this Mensura" in with_words(
        "evaluate", "qrels.txt", "runs/sysA.txt", "--exec", "touch here"
    )
    assert "the arguments are not those of this Mensura" in with_words("evaluate")
    assert "would run evil.py" in with_words("evaluate", "qrels.txt", "runs/sysA.txt", "--plug", "evil.py")
    assert not (campaign / "here").exists()
    # what the words say about where to write is not followed
    document["method"] = {"command": "evaluate", "arguments": ["evaluate", "qrels.txt", "-o", "here", "--", "runs/sysA.txt"]}
    side.write_text(json.dumps(document), encoding="utf-8")
    mensura("reproduce", side, status=1)
    assert not (campaign / "here").exists()


def test_what_came_through_a_pipe_cannot_be_made_again(campaign):
    text = (campaign / "qrels.txt").read_text(encoding="utf-8")
    path = made(campaign, "evaluate", "-", "runs/sysA.txt", "-f", "csv", stdin=text)
    assert "judgments -: came through a pipe" in mensura("reproduce", path, status=1).stdout


def test_records_can_be_turned_off(campaign):
    environment = os.environ | {"MENSURA_RECORD": "off"}
    path = made(campaign, "evaluate", "qrels.txt", "runs/*.txt", "-f", "csv", env=environment)
    assert [file.name for file in path.parent.iterdir()] == ["result.csv"]
    assert "not a record, and there is none beside it" in mensura("reproduce", path, status=2).stderr


def test_a_failed_command_leaves_no_record(campaign):
    mensura("evaluate", "qrels.txt", "runs/*.txt", "-m", "nGCD", "-o", "out/x.csv", cwd=campaign, status=2)
    assert list((campaign / "out").iterdir()) == []
