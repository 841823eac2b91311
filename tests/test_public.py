"""The public names, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys

import mensura

PUBLIC = [
    "ADM",
    "AP",
    "DCG",
    "EFR",
    "ERR",
    "GM",
    "MFR",
    "NDCG",
    "RBP",
    "RR",
    "ACorr",
    "Bpref",
    "Comparison",
    "DepthError",
    "Evaluation",
    "F",
    "IPrec",
    "IPrec11",
    "InfAP",
    "InputError",
    "IntervalScale",
    "Judged",
    "JudgedRuns",
    "LedgerError",
    "Measure",
    "MeasureError",
    "MensuraError",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "PlanError",
    "Qrels",
    "R",
    "RBPResidual",
    "RankingError",
    "Ranks",
    "RecordError",
    "Remark",
    "Rprec",
    "Run",
    "ScaleError",
    "Scores",
    "StatisticsError",
    "Success",
    "__version__",
    "compare",
    "evaluate",
    "interval_scale",
    "judge",
    "parse_measure",
    "parse_measures",
    "read_qrels",
    "read_run",
    "register",
    "score",
]


def test_the_public_names():
    assert mensura.__all__ == PUBLIC
    assert all(getattr(mensura, name) is not None for name in PUBLIC)
    assert set(dir(mensura)) == set(PUBLIC)


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
