"""The registry of tests and corrections, and everything that is made from it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from mensura.cli import run_command
from mensura.errors import StatisticsError
from mensura.scales.types import TEST_NAMES, TESTS
from mensura.stats import running
from mensura.stats.methods import (
    CORRECTIONS,
    FUNCTIONS,
    INTERVAL_METHODS,
    METHODS,
    Correction,
    IntervalMethod,
    Method,
    choose_correction,
    find_correction,
    find_method,
    names_of_corrections,
    names_of_tests,
)

ROOT = Path(__file__).resolve().parents[2]


def refuse(command, *words):
    """The command line refuses words before it reads anything."""
    with pytest.raises(SystemExit) as exit_:
        run_command([command, "q", "r", "s", *words])
    assert exit_.value.code == 2


def test_every_test_has_one_function():
    assert running.HOMES
    assert FUNCTIONS.keys() == METHODS.keys()


def test_types_name_what_the_registry_has():
    assert get_args(Correction) == tuple(CORRECTIONS)
    assert get_args(IntervalMethod) == INTERVAL_METHODS


def test_statements_about_tests_assume_the_scale_of_the_registry():
    names = {"sign": "sign", **TEST_NAMES}
    assert set(names.values()) == set(TESTS)
    assert {name: METHODS[name].scale for name in names} == {name: str(TESTS[title]) for name, title in names.items()}


def test_the_docs_list_all_tests():
    rows = [f"| `{each.name}` | {each.statistic} | {each.distribution} | {each.scale} |" for each in METHODS.values()]
    table = (ROOT / "docs" / "tests.md").read_text(encoding="utf-8")
    listed = [line for line in table.splitlines() if line.startswith("| `") and line.endswith(("ordinal |", "interval |"))]
    assert sorted(listed) == sorted(rows)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ttest", "unknown test 'ttest'; did you mean 't'? (mensura compare --help lists all)"),
        ("wilcoxon", "unknown test 'wilcoxon'; did you mean 'signed-rank'? (mensura compare --help lists all)"),
        ("student", "unknown test 'student'; did you mean 't'? (mensura compare --help lists all)"),
        ("quade", "unknown test 'quade' (mensura compare --help lists all)"),
        ("Friedmann", "unknown test 'Friedmann'; did you mean 'friedman'? (mensura compare --help lists all)"),
    ],
)
def test_an_unknown_test(name, message, capsys):
    with pytest.raises(StatisticsError) as error:
        find_method(name)
    assert str(error.value) == message
    refuse("compare", "--test", name)
    assert message in capsys.readouterr().err


def test_an_unknown_correction(capsys):
    message = "unknown correction 'holms'; did you mean 'holm'? (mensura compare --help lists all)"
    with pytest.raises(StatisticsError) as error:
        find_correction("holms")
    assert str(error.value) == message
    refuse("compare", "--correction", "holms")
    assert message in capsys.readouterr().err


def test_a_report_compares_all_pairs(capsys):
    refuse("report", "--test", "dunnett")
    assert "compares with a baseline; use mensura compare with --baseline" in capsys.readouterr().err
    assert set(names_of_tests()) - set(names_of_tests(baseline=False)) == {"dunnett"}
    assert set(names_of_corrections()) - set(names_of_corrections(baseline=False)) == {"dunnett"}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_the_correction_of_a_test(method):
    assert choose_correction(method, "auto") == (method.family or "holm")
    for name, facts in CORRECTIONS.items():
        fits = name in {method.family, *method.other_families} or (facts.stepwise and not method.family_only)
        if fits:
            assert choose_correction(method, name.upper()) == name
        else:
            with pytest.raises(StatisticsError):
                choose_correction(method, name)


def test_a_saved_test_is_the_registered_one():
    for method in METHODS.values():
        assert Method.from_json(method.to_json()) is method


@pytest.mark.parametrize(
    ("words", "status"), [(["report", "--help"], 0), (["study", "--help"], 0), (["compare", "q", "r", "s", "--test", "ttest"], 2)]
)
def test_names_do_not_wait_for_numpy(words, status):
    code = (
        "import sys\nfrom mensura.cli import run_command\n"
        f"try:\n    run_command(sys.argv[1:])\nexcept SystemExit as end:\n    assert end.code == {status}\n"
        "assert not {'numpy', 'scipy'} & sys.modules.keys()"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert status or all(name in "".join(done.stdout.split()) for name in names_of_tests(baseline=False))
