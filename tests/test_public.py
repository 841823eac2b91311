"""The public names, and what importing them costs."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import mensura

ROOT = Path(__file__).resolve().parents[1]
MODULES = ("errors", "ir_measures", "pytrec_eval")
"""Modules that are attributes of the package, as the subpackages are."""
SUBPACKAGES = (
    "adm",
    "evaluation",
    "io",
    "judged",
    "ledger",
    "lint",
    "measures",
    "pieces",
    "plans",
    "pyterrier",
    "rankings",
    "record",
    "report",
    "scales",
    "stats",
    "study",
)
PUBLIC = json.loads((Path(__file__).parent / "public.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["mensura", *(f"mensura.{each}" for each in SUBPACKAGES)])
def test_the_public_names(name):
    """A name that appears or goes is a decision: write it into ``tests/public.json``."""
    module = importlib.import_module(name)
    assert sorted(module.__all__) == PUBLIC[name]
    assert all(getattr(module, each) is not None for each in module.__all__)


def test_subpackages_are_reachable():
    code = "import mensura\n" + "\n".join(f"mensura.{each}" for each in (*SUBPACKAGES, *MODULES))
    assert {f"mensura.{each}" for each in (*SUBPACKAGES, *MODULES)} <= imported(code)
    assert {*SUBPACKAGES, *MODULES, *mensura.__all__} == set(dir(mensura))


def test_stubs_say_what_lazy_packages_provide():
    done = subprocess.run([sys.executable, ROOT / "tools" / "stubs.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run tools/stubs.py: {done.stdout}"


def imported(code):
    """Modules that are there after running some code in a new interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(' '.join(sys.modules))"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_mensura_imports_nothing_heavy():
    assert not {"numpy", "scipy", "pandas", "polars", "pyarrow", "rich", "isal"} & imported("import mensura")


def test_evaluating_imports_nothing_heavier_than_numpy():
    code = "import mensura\nmensura.evaluate({'q': {'d': 1}}, [mensura.read_run({'q': {'d': 1.0}})], 'AP')"
    modules = imported(code)
    assert "numpy" in modules
    assert not {"scipy", "pandas", "polars", "pyarrow", "rich", "ir_measures"} & modules


def test_comparing_imports_no_more_of_scipy_than_it_needs():
    code = "import mensura.cli.commands.compare, mensura.stats\nmensura.stats.run_test('anova-topics', [[1, 2, 4], [2, 3, 6]])"
    assert not {"scipy.stats", "statsmodels", "pandas"} & imported(code)


def test_reading_starts_without_numpy():
    assert "numpy" not in imported("import mensura.cli, mensura.cli.commands.evaluate, mensura.io.reading, mensura.io.read")
