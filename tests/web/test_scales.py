"""The API about scales and orders says what the library says."""

from __future__ import annotations

import numpy as np
import pytest

from mensura import interval_scale, parse_measure
from mensura.render.charts.scale import scale_chart
from mensura.scales.order.verdicts import holds
from mensura.scales.proofs import QUESTIONS, properties


def get(client, path, **query):
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_scale_of_the_paper(client):
    # P4 §VI: DCG_2 at N = 4 has 12 steps; φ(1.5) = 6
    found = get(client, "/api/scale", measure="DCG(base=2)@4", run="1001")
    assert (found["steps"], found["runs"], found["exact"], found["interval"]) == ("12", "16", True, False)
    assert (found["run"]["rank"], found["run"]["value"]) == ("6", 1.5)
    assert found["parameters"] == {"base": "2"}
    around = {step["rank"]: step for step in found["run"]["neighbours"]}
    assert sorted(map(int, around)) == [3, 4, 5, 6, 7, 8, 9]
    assert around["9"]["value"] == pytest.approx(2.131, abs=5e-4)
    assert "0001" not in around["6"]["runs"]
    assert "1001" in around["6"]["runs"]


@pytest.mark.parametrize("measure", ["AP@6", "RBP(p=0.8)@6", "ERR@6", "nDCG@6", "RR@6"])
def test_neighbours_hold_the_runs_of_their_rank(client, measure):
    scale = interval_scale(measure)
    rng = np.random.default_rng(5)
    for run in rng.integers(0, 2, (4, 6)).tolist():
        found = get(client, "/api/scale", measure=measure, run="".join(map(str, run)))["run"]
        assert int(found["rank"]) == scale.rank([run])[0]
        for step in found["neighbours"]:
            assert step["value"] == float(scale.inverse(int(step["rank"])))
            assert all(scale.rank([[int(bit) for bit in name]])[0] == int(step["rank"]) for name in step["runs"])


def test_numbers_of_thirty_digits_stay_whole(client):
    # P4, closed forms: steps of DCG_2 at N = 100
    assert get(client, "/api/scale", measure="DCG(base=2)@100")["steps"] == "752667543885511207138667528192"


def test_charts_are_those_of_the_command(client):
    scale = interval_scale("AP@5")
    assert get(client, "/api/scale/chart", measure="AP@5")["chart"] == scale_chart(scale, "AP@5")


@pytest.mark.parametrize("measure", ["RBP(p=0.5)@5", "AP@5", "ERR@4"])
def test_properties(client, measure):
    expected = properties(parse_measure(measure))
    found = get(client, "/api/properties", measure=measure)
    assert found["scale"] == expected.scale.name
    assert {row["key"]: row["holds"] for row in found["properties"]} == {key: holds(expected.answers()[key]) for key in QUESTIONS}


def test_measures_can_be_picked(client):
    names = {family["name"]: family for family in get(client, "/api/measures")}
    assert {"AP", "RBP", "nDCG"} <= set(names)
    assert names["RBP"]["countable"]
    assert not names["bpref"]["countable"]
    assert {parameter["name"] for parameter in names["DCG"]["parameters"]} == {"base", "dcg"}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"measure": "XYZ@5"}, "XYZ"),
        ({"measure": "AP@5", "run": "012345"}, "at most 5 ranks"),
        ({"measure": "AP@5", "run": "01010", "grades": "0,1,"}, "grades"),
        ({"measure": "AP@5", "run": "<script>"}, "run"),
        ({"measure": "AP", "length": 0}, "length"),
        ({"measure": "nDCG(gains={1: 1e308})@1"}, "has a gain above 1e+100"),
    ],
)
def test_what_is_wrong_is_said(client, query, said):
    answer = client.get("/api/scale", params=query)
    assert answer.status_code == 422
    assert said in answer.json()["detail"]


def test_an_answer_that_takes_too_long_is_refused(small):
    server = small(seconds=0.2)
    server.get("/api/scale", params={"measure": "P@3"})  # a process is there now
    answer = server.get("/api/scale/chart", params={"measure": "ERR@24"})
    assert answer.status_code == 422
    assert "command line" in answer.json()["detail"]
    for _ in range(300):  # its process is free again; a busy machine may take longer than the limit for other answers too
        answer = server.get("/api/order", params={"length": 3})
        if answer.status_code == 200:
            break
    assert answer.json()["runs"] == 8


def test_the_order_of_the_paper(client):
    # P4 §IV-B: N = 4, 16 runs, 20 covers, 110 comparable and 10 incomparable pairs
    found = get(client, "/api/order", length=4)
    assert [found[key] for key in ("runs", "covers", "comparable_pairs", "incomparable_pairs")] == [16, 20, 110, 10]
    assert len(found["nodes"]) == 16
    assert len(found["edges"]) == 20


def test_two_runs(client):
    found = get(client, "/api/order/pair", first="0100", second="1010")
    assert found["relation"] == "less"
    assert found["differences"] == [[1, 1, 2, 3]]
    assert [(step["kind"], step["rank"]) for step in found["steps"]] == [("swap", 1), ("replacement", 4), ("swap", 3)]
    better = {row["measure"]: row["better"] for row in found["measures"]}
    assert {name for name, run in better.items() if run == "neither"} == {"Success@4"}
    assert set(better.values()) == {"second", "neither"}


def test_graded_runs(client):
    # 2226 comparable pairs and 175 covers of grades 0 to 2 and N = 4: counted by the closure of swaps and replacements
    found = get(client, "/api/order", length=4, top=2)
    assert [found[key] for key in ("runs", "covers", "comparable_pairs", "shortest_chain", "longest_chain")] == [
        81,
        175,
        2226,
        14,
        20,
    ]
    pair = get(client, "/api/order/pair", first="11", second="20")
    assert pair["relation"] == "incomparable"
    said = {row["measure"]: row["better"] for row in pair["measures"]}
    assert (said["P@2"], said["P(rel=2)@2"]) == ("first", "second")
    assert get(client, "/api/order/pair", first="10", second="21")["chain_lengths"] == [2, 3]
    assert client.get("/api/order", params={"length": 6, "top": 3}).status_code == 422


def test_incomparable_runs_divide_the_measures(client):
    # P4 §IV-B: (1, 1, 0, 0) and (1, 0, 1, 1)
    found = get(client, "/api/order/pair", first="1100", second="1011")
    assert found["relation"] == "incomparable"
    said = {row["measure"]: row["better"] for row in found["measures"]}
    assert (said["P@4"], said["RBP(p=0.5)@4"], said["RR@4"]) == ("second", "first", "neither")


def test_runs_of_different_lengths_are_refused(client):
    assert client.get("/api/order/pair", params={"first": "01", "second": "011"}).status_code == 422
    assert client.get("/api/order/pair", params={"first": "0" * 9, "second": "1" * 9}).status_code == 422
    assert client.get("/api/order", params={"length": 7}).status_code == 422
