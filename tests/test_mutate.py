"""The tool that changes modules, on a module whose survivors are known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.mutants import changed, mutants

ROOT = Path(__file__).resolve().parents[1]
MODULE = '''"""Prices."""

LIMIT = 10


def total(prices):
    """All prices."""
    amount = 0
    for price in prices:
        amount += price
    return amount


def steps(left):
    """Counts down; never ends if it counts up."""
    number = 0
    while left > 0:
        left = left - 1
        number += 1
    return number


def unused():
    return (
        3 +
        4
    )


def fits(price):
    return price <= LIMIT
'''
TESTS = """
from shop.prices.sums import LIMIT, fits, steps, total


def test_total():
    assert total([2, 3]) == 5


def test_steps():
    assert steps(2) == 2


def test_limit():
    assert LIMIT == 10
    assert fits(9)
"""


def test_changes_of_a_module():
    listed = mutants("def half(x: int) -> float:\n    return x / 2 if x > 0 else 0.0\n")
    assert [mutant.key for mutant in listed] == [
        "half: return x / 2 if x > 0 else 0.0 → return None",
        "half: x / 2 if x > 0 else 0.0 → (x / 2 if not x > 0 else 0.0)",
        "half: x > 0 → (x >= 0)",
        "half: x > 0 → (x <= 0)",
        "half: 0 → (1)",
        "half: x / 2 → (x * 2)",
        "half: 2 → (3)",
        "half: 0.0 → (1.0)",
    ]


def test_lines_after_a_change_keep_their_numbers():
    for mutant in mutants(MODULE):
        assert changed(MODULE, mutant).count("\n") == MODULE.count("\n")
        compile(changed(MODULE, mutant), "changed", "exec")


@pytest.fixture
def shop(tmp_path):
    """A project of one module, which tests run and which one change has as equivalent."""
    for name, text in {
        "src/shop/prices/sums.py": MODULE,
        "tests/prices/test_sums.py": TESTS,
        "tests/mutants.json": json.dumps({"src/shop/prices/sums.py": {"steps: left > 0 → (left >= 0)": "not so"}}),
        "pytest.ini": "[pytest]\npythonpath = src\nmarkers = slow: long\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(shop):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "tools.mutate", "src/shop/prices/sums.py", "--seconds", "1"]
    return subprocess.run(command, cwd=shop, env=environment, capture_output=True, text=True, check=False)


def test_survivors(shop):
    """Changes of code that no test looks at survive, inside functions and among constants; loops that never end are noticed."""
    done = run(shop)
    survivors = {line.split(": ", 1)[1] for line in done.stdout.splitlines() if line.startswith("survived")}
    assert done.returncode == 1, done.stdout + done.stderr
    assert survivors == {
        "unused: return ( 3 + 4 ) → return None",
        "unused: 3 + 4 → (3 - 4)",
        "unused: 3 → (4)",
        "unused: 4 → (5)",
        "fits: price <= LIMIT → (price < LIMIT)",
    }
    noticed = json.loads((shop / ".mutants" / "shop.prices.sums.json").read_text())["noticed"]
    assert noticed["module: 10 → (11)"] == "tests/prices/test_sums.py::test_limit"
    assert noticed["steps: left - 1 → (left + 1)"] == "the limit of time"
    assert noticed["total: amount += price → pass"] == "tests/prices/test_sums.py::test_total"
    assert "steps: left > 0 → (left >= 0)" not in noticed


def test_tests_must_pass_before_anything_is_changed(shop):
    (shop / "tests" / "prices" / "test_sums.py").write_text("def test_wrong():\n    assert False\n")
    done = run(shop)
    assert done.returncode == 1
    assert "fails with the module as it is: tests/prices/test_sums.py::test_wrong" in done.stderr
