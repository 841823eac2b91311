"""The plane of URS and SRS."""

from __future__ import annotations

import pytest

from mensura import evaluate, judge, parse_measure
from mensura.adm.distance import distances
from mensura.render.charts.adm import both
from mensura.study.example import example
from tests.web.test_evaluate import upload


@pytest.mark.parametrize("measure", ["ADM@20", "ADM(srs='rank', documents='pool')@10"])
def test_the_demo_campaign(client, tmp_path, measure):
    answer = client.get("/api/adm", params={"demo": 8, "measure": measure, "system": "sysC", "topic": "7"})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    judged = judge(*example(8).write(tmp_path), scores=True)
    expected = distances(judged, "sysC", "7", parse_measure(measure))
    assert found["value"] == expected.value
    assert [document["distance"] for document in found["documents"]] == expected.distance.tolist()
    assert found["mean"] == evaluate(*example(8).write(tmp_path), measure).means()["sysC"][measure]
    assert found["chart"] == both(judged, "sysC", "7", parse_measure(measure))


def test_uploaded_files(fresh, running):
    assert fresh.get("/api/adm").status_code == 422
    upload(fresh, "run", "a.run", b"1 Q0 d1 1 0.9 mine\n1 Q0 d2 2 0.1 mine\n")
    upload(fresh, "qrels", "q", b"1 0 d1 1\n1 0 d2 0\n")
    found = fresh.get("/api/adm").json()
    # two grades: URS 3/4 and 1/4 (P2); linear SRS: 1 and 0; both distances are 1/4
    assert (found["system"], found["topic"], found["value"]) == ("mine", "1", 0.75)
    answers = running.app.state.server._answers
    kept = len(answers)
    fresh.delete("/api/session")
    assert len(answers) == kept - 1  # nothing that was computed from the files is kept
    assert fresh.get("/api/adm").status_code == 422


@pytest.mark.parametrize("query", [{"measure": "AP"}, {"system": "nobody"}, {"topic": "none"}, {"measure": "ADM(srs='x')"}])
def test_what_is_wrong_is_said(client, query):
    answer = client.get("/api/adm", params={"demo": 8} | query)
    assert answer.status_code == 422
    assert answer.json()["detail"]
