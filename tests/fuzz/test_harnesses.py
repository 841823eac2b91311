"""The harnesses of ``./dev fuzz``: their seeds, and inputs that were once wrong."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.fuzz import fuzz, mutated
from tests.fuzz.harnesses import HARNESSES, survives

KNOWN = [b"", b"\0", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000, b"\xef\xbb\xbf", b"q" * 20_000, b"1e999999999", b"\n" * 1000]


@pytest.mark.parametrize("name", HARNESSES)
def test_inputs_that_are_known_to_be_hard(name):
    for data in KNOWN:
        survives(name, data)


@pytest.mark.parametrize("name", HARNESSES)
def test_a_few_mutations(name):
    generator = random.Random(7)  # noqa: S311 - reproducible damage
    data = seed = HARNESSES[name][1]
    for _ in range(60):
        survives(name, data)
        data = mutated(seed, data, generator)


def test_lines_are_counted(tmp_path):
    executions, lines = fuzz("measure", 0.2, 0, tmp_path / "crash")
    assert executions > 0
    assert lines > 10
