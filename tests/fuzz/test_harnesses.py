"""The harnesses of ``./dev fuzz``: their seeds, and inputs that were once wrong; and the fuzzer itself."""

from __future__ import annotations

import random

import pytest

from tests.fuzz import fuzz as fuzzer
from tests.fuzz.harnesses import HARNESSES, survives

KNOWN = [b"", b"\0", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000, b"\xef\xbb\xbf", b"q" * 20_000, b"1e999999999", b"\n" * 1000]


@pytest.mark.parametrize("name", HARNESSES)
def test_inputs_that_are_known_to_be_hard(name):
    for data in KNOWN:
        survives(name, data)


@pytest.mark.parametrize("name", HARNESSES)
def test_a_few_mutations(name):
    generator = random.Random(7)  # noqa: S311 - reproducible damage
    for seed in HARNESSES[name][1]:
        data = seed
        for _ in range(40):
            survives(name, data)
            data = fuzzer.mutated(seed, data, generator)


def test_edges_are_counted_and_new_inputs_kept(tmp_path):
    kept = fuzzer.Kept(tmp_path, "measure")
    told = fuzzer.fuzz("measure", 0.3, 0, kept)
    assert told.executions > 0
    assert told.lines > 10
    assert HARNESSES["measure"][1][-1] in kept.corpus()
    assert kept.failures() == 0


def test_failing_inputs_are_kept_and_fuzzing_goes_on(tmp_path, monkeypatch, capsys):
    def raising(data):
        raise KeyError("a fault of ours")

    monkeypatch.setitem(HARNESSES, "measure", (raising, (b"seed",)))
    kept = fuzzer.Kept(tmp_path, "measure")
    told = fuzzer.fuzz("measure", 0.3, 0, kept)
    assert told.executions > 1
    assert kept.failures() > 1
    failed = [path for path in (tmp_path / "measure" / "failures").iterdir() if path.read_bytes() == b"seed"]
    assert "a fault of ours" in failed[0].with_suffix(".txt").read_text()
    assert str(failed[0]) in capsys.readouterr().out


def test_slow_inputs_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzzer, "SLOW", -1.0)
    kept = fuzzer.Kept(tmp_path, "measure")
    fuzzer.fuzz("measure", 0.2, 0, kept)
    assert kept.failures() > 0


def test_a_process_that_dies_leaves_its_input(tmp_path, monkeypatch):
    """A harness that ends its process at every input but the seeds, as a sanitizer does."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, tests.fuzz.harnesses as harnesses\n"
        "seeds = harnesses.HARNESSES['measure'][1]\n"
        "harnesses.HARNESSES['measure'] = (lambda data: data in seeds or os.abort(), seeds)\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:.")
    kept, told = fuzzer.Kept(tmp_path / "kept", "measure"), []
    for _ in range(60):  # a busy machine needs a second for the seeds alone
        told += fuzzer.supervise("measure", 1, 0, tmp_path / "kept")
        if kept.failures():
            break
    assert told[0].executions > 0  # those of a process that died count too
    assert kept.failures() >= 1
