"""Means and transformations."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import evaluate
from mensura.scales.meaning.transformations import Increasing
from mensura.study.example import example
from mensura.web.jobs.samples import transform

WINE = {"names": ["X", "Y"], "values": [[6, 6, 12, 17, 32], [3, 3, 3, 12, 50]]}


def post(client, path, body):
    answer = client.post(f"/api/meaning{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_wineries(client):
    # P4, Example 6: X has the higher mean (14.6 and 14.2), and an increasing function reverses that
    found = post(client, "", WINE)
    assert (found["better"], found["survives"], found["means"]) == ("X", False, [14.6, 14.2])
    moved = post(client, "/transformed", {"samples": WINE, "knots": found["knots"]})
    assert moved["better"] == "second"
    assert moved["means"] == found["changed_means"]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6), st.booleans())
def test_a_verdict_is_kept(client, pairs, higher):
    """If it says that a transformation changes the statement, that one does; if not, random ones do not."""
    samples = {"names": ["A", "B"], "values": [[a for a, _ in pairs], [b for _, b in pairs]], "higher": higher}
    found = post(client, "", samples)
    better = {"A": "first", "B": "second"}[found["better"]]
    if found["knots"] is not None:
        moved = post(client, "/transformed", {"samples": samples, "knots": found["knots"]})
        assert moved["better"] != ("neither" if found["equal"] else better)
        return
    assert found["survives"] or found["equal"]
    rng = np.random.default_rng(len(pairs))
    for _ in range(3):
        knots = [[x, float(y)] for x, y in enumerate(np.cumsum(rng.exponential(size=10) ** 4 + 1e-6))]
        moved = post(client, "/transformed", {"samples": samples, "knots": knots})
        assert moved["better"] == ("neither" if found["equal"] else better)


FLOATS = st.floats(-1e12, 1e12)


@given(st.lists(FLOATS, min_size=1, max_size=8), st.lists(st.tuples(FLOATS, FLOATS), min_size=1, max_size=5))
def test_transformed_means_are_exact(row, points):
    """Piece by piece it is what the transformation gives value by value."""
    xs, ys = ({*axis} for axis in zip(*points, strict=True))
    knots = [[x, y] for x, y in zip(sorted(xs), sorted(ys), strict=False)]
    function = Increasing(tuple((Fraction(x), Fraction(y)) for x, y in knots))
    exact = [function(Fraction(value)) for value in row]
    moved, means = transform([row, row], knots)
    assert means == [sum(exact) / len(row)] * 2
    assert moved[0] == pytest.approx([float(value) for value in exact], rel=1e-9, abs=1e-3)


def test_knots_may_be_too_near_for_a_slope():
    """A rise of 1e12 over 5e-324, the smallest number: their ratio is not a float."""
    moved, means = transform([[0.0, 5e-324, 1.0]], [[0.0, 0.0], [5e-324, 1e12]])
    assert moved == [[0.0, 1e12, 1e12 + 1]]
    assert means == [(2 * Fraction(10**12) + 1 - Fraction(5e-324)) / 3]


def test_the_demo_campaign(client, tmp_path):
    found = client.get("/api/meaning/demo", params={"first": "sysA", "second": "sysB", "measure": "AP@10"}).json()
    qrels, runs = example(8).write(tmp_path)
    scores = evaluate(qrels, runs, "AP@10").scores[0]
    assert found["values"] == [scores.values[scores.systems.index(name)].tolist() for name in ("sysA", "sysB")]
    assert client.get("/api/meaning/demo", params={"first": "sysX"}).status_code == 422


@pytest.mark.parametrize(
    ("text", "names", "values"),
    [
        ("0.1 0.2\n0.3 0.4\n", ["A", "B"], [[0.1, 0.3], [0.2, 0.4]]),
        ("topic,one,two\n401,1,2\n402,3,4", ["one", "two"], [[1, 3], [2, 4]]),
        ("system,topic,measure,value\na,1,AP,0.5\na,2,AP,1\nb,2,AP,0\nb,1,AP,0.25\n", ["a", "b"], [[0.5, 1], [0.25, 0]]),
    ],
)
def test_text_is_read(client, text, names, values):
    found = post(client, "/read", {"text": text})
    assert (found["names"], found["values"]) == (names, values)


@pytest.mark.parametrize("text", ["", "a b", "1 2 3 4", "1 nan", "x y z\n", "system,topic,value\na,1,2\n", "0.1\n0.2"])
def test_other_text_is_refused(client, text):
    answer = client.post("/api/meaning/read", json={"text": text})
    assert answer.status_code == 422
    assert answer.json()["detail"]


def test_a_function_that_falls_is_refused(client):
    answer = client.post("/api/meaning/transformed", json={"samples": WINE, "knots": [[0, 0], [1, -1]]})
    assert answer.status_code == 422
    assert "does not increase" in answer.json()["detail"]


def test_unpaired_values_are_refused(client):
    assert client.post("/api/meaning", json={"values": [[1, 2], [1]]}).status_code == 422
    assert client.post("/api/meaning", json={"names": ["A", "A"], "values": [[1], [2]]}).status_code == 422
