"""Uploads and evaluations."""

from __future__ import annotations

import json
import time

import pytest

from mensura import compare, evaluate, judge
from mensura.cli import run_command
from mensura.io.digests import content_digest
from mensura.report import InputFile, report
from mensura.study.example import example
from mensura.web.jobs.sessions import LOCK
from tests.web.conftest import wait

MEASURES = ["nDCG@10", "AP", "MFR@20"]


def begin(client, **question):
    answer = client.post("/api/evaluations", json=question)
    assert answer.status_code == 202, answer.text
    return answer.json()["id"]


def upload(client, kind, name, content):
    answer = client.post("/api/files", params={"kind": kind, "name": name}, content=content)
    assert answer.status_code == 201, answer.text
    return answer.json()


def same(result, evaluation):
    """Compare the leaderboard with that of the library."""
    means = evaluation.means()
    for row in result["rows"]:
        assert dict(zip([str(measure) for measure in evaluation.measures], row["means"], strict=True)) == means[row["system"]]
    first = [row["means"][0] for row in result["rows"]]
    assert first == sorted(first, reverse=True)


def test_the_demo_campaign(fresh, tmp_path):
    found = wait(fresh, begin(fresh, demo=8, measures=MEASURES))
    assert found["state"] == "done", found["error"]
    evaluation = evaluate(*example(8).write(tmp_path), MEASURES)
    same(found["result"], evaluation)
    expected = compare(evaluate(*example(8).write(tmp_path), MEASURES[0]))[0]
    comparison = found["result"]["comparison"]
    assert comparison["significant"] == int(expected.significant.sum())
    assert sorted(pair["corrected_p"] for pair in comparison["pairs"]) == sorted(expected.corrected_p.tolist())
    assert set(comparison["charts"]) == {"intervals", "differences", "p-values", "groups"}


def test_a_report(fresh, tmp_path):
    question = {"measures": ["AP@30", "P@10"], "report": True, "compare": {"test": "t", "correction": "holm"}}
    qrels, runs = example(8).write(tmp_path)
    upload(fresh, "qrels", "my-qrels.txt", qrels.read_bytes())
    for run in runs[:3]:
        upload(fresh, "run", run.name, run.read_bytes())
    job = begin(fresh, **question)
    assert fresh.get(f"/api/evaluations/{job}/report").status_code == 404  # not yet
    found = wait(fresh, job)
    assert found["state"] == "done", found["error"]
    assert found["report"]
    answer = fresh.get(f"/api/evaluations/{job}/report")
    assert answer.headers["content-disposition"].startswith("attachment")
    digests = [content_digest(path) for path in (qrels, *runs[:3])]
    made = report(
        judge(qrels, runs[:3]),
        question["measures"],
        test="t",
        correction="holm",
        qrels_file=InputFile("my-qrels.txt", digests[0]),
        run_files=[InputFile(path.name, digest) for path, digest in zip(runs[:3], digests[1:], strict=True)],
    )
    assert answer.text == made.html()


def test_uploads(fresh, tmp_path):
    qrels, runs = example(3).write(tmp_path)
    upload(fresh, "qrels", "qrels.txt", qrels.read_bytes())
    for run in runs:
        upload(fresh, "run", run.name, run.read_bytes())
    assert len(fresh.get("/api/files").json()) == 1 + len(runs)
    found = wait(fresh, begin(fresh, measures=["AP"], compare={"test": "t", "correction": "holm", "baseline": "sysA"}))
    assert found["state"] == "done", found["error"]
    same(found["result"], evaluate(qrels, runs, "AP"))
    assert found["result"]["comparison"]["pair_count"] == len(runs) - 1


def test_names_in_files_are_data(fresh):
    upload(fresh, "qrels", "q", b"1 0 d1 1\n1 0 d2 0\n")
    upload(fresh, "run", "<script>alert(1)</script>", b"1 Q0 d1 1 2.0 <img/src=x/onerror=alert(1)>\n")
    found = wait(fresh, begin(fresh, measures=["AP"]))
    assert [row["system"] for row in found["result"]["rows"]] == ["<img/src=x/onerror=alert(1)>"]
    assert fresh.get("/api/files").json()[1]["name"] == "script>"  # no folders


def test_messages_say_what_the_owner_calls_a_file(fresh, running):
    upload(fresh, "qrels", "judgments.txt", b"1 0 d1 1\n")
    upload(fresh, "run", "mine.run", b"1 Q0 d1 1 nonsense tag\n")
    found = wait(fresh, begin(fresh, measures=["AP"]))
    assert found["state"] == "failed"
    assert found["error"].startswith("mine.run:1: ")
    assert str(running.app.state.server.sessions.root) not in found["error"]


def test_an_evaluation_needs_files(fresh):
    assert fresh.post("/api/evaluations", json={}).status_code == 422
    assert "judgments" in fresh.post("/api/evaluations", json={}).json()["detail"]


def test_a_measure_that_nobody_knows(fresh):
    found = wait(fresh, begin(fresh, demo=1, measures=["XYZ"]))
    assert found["state"] == "failed"
    assert "XYZ" in found["error"]


def slow_campaign(client):
    """Judgments and runs that are compared for a long time."""
    topics = 3000
    upload(client, "qrels", "q", "".join(f"{topic} 0 d{topic % 7} 1\n" for topic in range(topics)).encode())
    for system in range(30):
        lines = (f"{topic} Q0 d{(topic * system + topic // 3) % 9} 1 1 s{system}\n" for topic in range(topics))
        upload(client, "run", f"{system}", "".join(lines).encode())
    return begin(client, measures=["AP"])


def test_one_evaluation_at_a_time_and_cancel(fresh):
    job = slow_campaign(fresh)
    assert fresh.post("/api/evaluations", json={"demo": 1}).status_code == 409
    while (now := fresh.get(f"/api/evaluations/{job}").json())["stage"] != "comparing systems":
        assert now["state"] in {"waiting", "running"}, now
        time.sleep(0.05)
    assert fresh.get("/api/order").status_code == 200  # others are served meanwhile
    assert fresh.delete(f"/api/evaluations/{job}").json()["state"] == "cancelled"
    assert wait(fresh, begin(fresh, demo=8, measures=["AP"]))["state"] == "done"  # its process is free again


def test_an_evaluation_that_takes_too_long_ends(small):
    server = small(job_seconds=1.0)
    found = wait(server, slow_campaign(server))
    assert found["state"] == "failed"
    assert "longer than the 1 seconds" in found["error"]


def test_sessions_do_not_see_each_other(fresh, running):
    upload(fresh, "run", "mine", b"x")
    job = begin(fresh, demo=8, measures=["AP"])
    with running.client() as other:
        assert other.get("/api/files").json() == []
        assert other.get(f"/api/evaluations/{job}").status_code == 404
        assert other.delete(f"/api/evaluations/{job}").status_code == 404
    wait(fresh, job)


def test_files_go_with_the_session(fresh, running):
    root = running.app.state.server.sessions.root
    before = set(root.rglob("*"))
    file = upload(fresh, "run", "mine", b"x")
    upload(fresh, "run", "other", b"y")
    assert fresh.delete(f"/api/files/{file['id']}").status_code == 204
    assert fresh.delete(f"/api/files/{file['id']}").status_code == 404
    assert len([path for path in set(root.rglob("*")) - before if path.is_file()]) == 1
    assert fresh.delete("/api/session").status_code == 204
    assert set(root.rglob("*")) == before
    assert fresh.get("/api/files").json() == []


def uploaded(folder):
    """Files of sessions; the server's own lock stays as long as it lives."""
    return [path for path in folder.rglob("*") if path.is_file() and path.name != LOCK]


def test_sessions_end_by_themselves(monkeypatch, small, tmp_path):
    monkeypatch.setattr("mensura.web.server.SWEEP", 0.05)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    server = small(session_seconds=3600.0)
    upload(server, "run", "mine", b"x")
    assert uploaded(tmp_path)
    (session,) = server.running.app.state.server.sessions.all.values()
    session.seen -= 3601
    deadline = time.monotonic() + 300
    while uploaded(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert server.get("/api/files").json() == []


def test_a_million_topics(fresh):
    """The leaderboard is made; a comparison of so many is not."""
    topics = 1_000_000
    qrels = "".join(f"{topic} 0 d 1\n" for topic in range(topics)).encode()
    upload(fresh, "qrels", "q", qrels)
    upload(fresh, "run", "half", "".join(f"{topic} Q0 d 1 1 half\n" for topic in range(0, topics, 2)).encode())
    found = wait(fresh, begin(fresh, measures=["P@1"], compare=None))
    assert found["state"] == "done", found["error"]
    assert found["result"]["rows"][0]["means"] == [0.5]
    for system in range(5):
        upload(fresh, "run", f"s{system}", f"1 Q0 d 1 1 s{system}\n".encode())
    found = wait(fresh, begin(fresh, measures=["P@1"]))
    assert found["state"] == "failed"
    assert "too many to compare here" in found["error"]


@pytest.mark.parametrize("content", [b"", b"\x00" * 100, b"PAR1" + b"x" * 50])
@pytest.mark.parametrize("name", ["run.txt", "run.parquet", "run.json", "run.csv", "run.gz"])
def test_files_of_junk_are_refused(fresh, name, content):
    upload(fresh, "qrels", "q", b"1 0 d1 1\n")
    upload(fresh, "run", name, content)
    found = wait(fresh, begin(fresh, measures=["AP"]))
    assert found["state"] == "failed"
    assert "internal error" not in found["error"], found["error"]


@pytest.mark.parametrize("name", ["ADM@20", "SetAP", "GM(AP)", "AP", "Compat"])
def test_a_measure_has_the_numbers_of_the_command_line(fresh, tmp_path, capsys, name):
    """Scores and geometric means included: the page, ``mensura evaluate`` and ``mensura compare`` agree."""
    evaluation = wait(fresh, begin(fresh, demo=8, measures=[name, "P@10"]))
    assert evaluation["state"] == "done", evaluation["error"]
    result = evaluation["result"]
    qrels, runs = example(8).write(tmp_path)
    files = [str(qrels), *map(str, runs)]

    def command(*words):
        assert run_command([words[0], *files, "-m", name, *words[1:], "--format", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    means = {(row["system"], row["measure"]): row["mean"] for row in command("evaluate", "-m", "P@10")["means"]}
    shown = {
        (row["system"], at["measure"]): mean
        for row in result["rows"]
        for at, mean in zip(result["measures"], row["means"], strict=True)
    }
    assert shown == means
    comparison = command("compare")["comparisons"][0]
    compared = {row["system"]: row["mean"] for row in result["comparison"]["systems"]}
    assert compared == {row["system"]: row["mean"] for row in comparison["systems"]}
    assert compared == {row["system"]: row["means"][0] for row in result["rows"]}  # one page, one number
    assert len(result["comparison"]["pairs"]) == len(comparison["pairs"])
    assert {tuple(pair.values()) for pair in result["comparison"]["pairs"]} == {
        tuple(pair.values()) for pair in comparison["pairs"]
    }
