"""The base of results: plain data and back, and what damaged data say."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from mensura import parse_measure
from mensura.errors import MensuraError
from mensura.result import Result, bools, encode, floats, integers, optional, tuples


@dataclass(frozen=True, eq=False)
class Point(Result):
    """A small result."""

    name: str
    values: Any
    flags: Any
    steps: tuple[tuple[str, int], ...] = ()
    judged: Any = None
    total: int = field(init=False, default=7)

    version: ClassVar[int] = 3
    unsaved: ClassVar[frozenset[str]] = frozenset({"judged"})
    readers: ClassVar[dict[str, Any]] = {"values": floats, "flags": bools}

    def rows(self):
        return [{"name": self.name, "value": value} for value in self.values.tolist()]


POINT = Point("a", np.array([0.5, math.nan]), np.array([True, False]), (("x", 1), ("y", 2)), judged=object())


def test_to_dict_has_the_class_the_version_and_the_fields():
    assert POINT.to_dict() == {
        "result": "Point",
        "version": 3,
        "name": "a",
        "values": [0.5, None],
        "flags": [True, False],
        "steps": [["x", 1], ["y", 2]],
    }


def test_a_result_is_read_back():
    again = Point.from_json(POINT.to_json())
    assert again.to_dict() == POINT.to_dict()
    assert again.values.dtype == np.float64
    assert math.isnan(again.values[1])
    assert again.flags.dtype == np.bool_
    assert again.steps == (("x", 1), ("y", 2))
    assert again.judged is None


def test_json_is_valid_without_nan():
    def refuse(name):
        raise AssertionError(name)

    assert json.loads(POINT.to_json(), parse_constant=refuse)["values"] == [0.5, None]


def test_an_older_version_is_read_and_unknown_keys_are_left_out():
    assert Point.from_dict(POINT.to_dict() | {"version": 1, "gone": 5}).name == "a"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "expected a saved Point, got a list"),
        ("{}", "got a document without a result"),
        ('{"result": "Line", "version": 1}', "expected a saved Point, got Line"),
        ('{"result": "Point"}', "expected a saved Point"),
        ('{"result": "Point", "version": 4}', "saved by a newer Mensura"),
        ('{"result": "Point", "version": 3, "name": "a"}', "is damaged: .*'values' and 'flags'"),
        ('{"result": "Point", "version": 3, "name": "a", "values": ["x"], "flags": []}', "is damaged"),
        ('{"result": "Point", "version": 3, "name": "a", "values": [[1], [1, 2]], "flags": []}', "is damaged"),
    ],
)
def test_damaged_data_are_refused(text, said):
    with pytest.raises(MensuraError, match=said):
        Point.from_json(text)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (10**30, 10**30),
        ("ä", "ä"),
        (0.25, 0.25),
        (math.inf, None),
        (-math.inf, None),
        (np.float64("nan"), None),
        (np.int8(4), 4),
        (np.bool_(1), True),
        (np.arange(4).reshape(2, 2), [[0, 1], [2, 3]]),
        (Fraction(1, 3), "1/3"),
        (parse_measure("RBP(p=0.5)@3"), "RBP(p=0.5)@3"),
        ({1: (2.0, math.nan)}, {"1": [2.0, None]}),
    ],
)
def test_plain_data(value, plain):
    assert encode(value) == plain
    assert type(encode(value)) is type(plain)


def test_a_result_inside_a_result():
    assert encode([POINT])[0]["result"] == "Point"


def test_what_is_not_plain_is_an_error_of_ours():
    with pytest.raises(TypeError, match="a result cannot hold a object"):
        encode(object())


def test_arrays_and_tuples_come_back():
    assert tuples([1, [2, [3]], "x"]) == (1, (2, (3,)), "x")
    assert integers([[1, 2]]).dtype == np.int64
    assert floats([None, 1]).tolist()[1] == 1.0


def test_frames():
    assert POINT.to_pandas()["value"].tolist()[0] == 0.5
    assert POINT.to_polars()["name"].to_list() == ["a", "a"]


def test_a_package_that_is_not_installed():
    with pytest.raises(MensuraError, match=r"this needs no_such_package: pip install 'mensura\[no_such_package\]'"):
        optional("no_such_package")


@dataclass(frozen=True, slots=True)
class Numbers(Result):
    """A result as most are, with the equality of its base."""

    one: float
    several: tuple[tuple[str, float], ...]
    perhaps: float | None = None


def test_nan_comes_back_and_is_equal_to_itself():
    numbers = Numbers(math.nan, (("a", math.nan), ("b", 1.0)))
    again = Numbers.from_json(numbers.to_json())
    assert again == numbers
    assert hash(again) == hash(numbers)
    assert math.isnan(again.several[0][1])
    assert again.perhaps is None
    assert again != Numbers(0.5, numbers.several)


def test_a_result_without_rows_says_so():
    for frame in (Numbers(1.0, ()).to_pandas, Numbers(1.0, ()).to_polars):
        with pytest.raises(MensuraError, match=r"^a Numbers has no rows for a data frame; use to_dict\(\) or to_json\(\)$"):
            frame()
