"""The API about rankings says what the library and the command say."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.rankings import compare
from tests.cli.running import mensura

FIRST, SECOND = ["d2", "d1", "d4", "d3"], ["d1", "d4", "d2", "d3"]


def found(client, **question):
    answer = client.post("/api/rankings", json=question)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_example_of_the_paper(client):
    # P1: F = (3, 1, 2, 4), P = (2, 1, 0, 0), A = 3 of at most 10, A-corr .7
    answer = found(client, first=FIRST, second=SECOND)
    assert answer["point"] == [2, 1, 0, 0]
    assert answer["positions"] == [3, 1, 2, 4]
    numbers = {number["key"]: number for number in answer["numbers"]}
    assert numbers["area"]["value"] == 3
    assert numbers["area"]["most"] == 10
    assert numbers["a_corr"]["text"] == "0.7000"


def test_every_number_is_printed_as_by_the_command(client, write):
    one, other = write("first", "\n".join(FIRST)), write("second", "\n".join(SECOND))
    printed = mensura("rankings", one, other, "-k", "3").stdout
    for number in found(client, first=FIRST, second=SECOND, k=3)["numbers"]:
        assert any(line.startswith(number["label"]) and number["text"] in line.split() for line in printed.splitlines()), number


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(7)), st.sampled_from(["1", "1/i", 0.8]), st.integers(0, 5))
def test_any_rankings(client, order, h, tied):
    first = [str(item) for item in order]
    if tied > 1:
        first = [first[:tied], *first[tied:]]
    second = list("0123456")
    answer = found(client, first=first, second=second, h=h)
    expected = compare([set(group) if isinstance(group, list) else group for group in first], second, h=1 if h == "1" else h)
    assert answer["point"] == expected.point.tolist()
    for number in answer["numbers"]:
        value = expected.numbers()[number["key"]]
        assert number["value"] == (None if math.isnan(value) else value)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"first": ["a", "a"], "second": ["a"]}, "twice"),
        ({"first": [], "second": ["a"]}, "first"),
        ({"first": ["a"] * 2001, "second": ["a"]}, "first"),
        ({"first": ["a"], "second": ["a"], "h": 0}, "h"),
        ({"first": ["a"], "second": ["a"], "more": 1}, "more"),
        ({"first": ["a"], "second": [["a", "b"], "b"]}, "twice"),
    ],
)
def test_what_is_wrong_is_said(client, question, said):
    answer = client.post("/api/rankings", json=question)
    assert answer.status_code == 422
    assert said in answer.json()["detail"]


def test_one_item_has_no_correlation(client):
    numbers = {number["key"]: number for number in found(client, first=["a"], second=["a"])["numbers"]}
    assert numbers["tau_b"]["value"] is None
    assert numbers["tau_b"]["text"] == "–"
