"""Mensura: information retrieval evaluation that knows what its numbers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mensura.errors import (
        DepthError,
        InputError,
        LedgerError,
        MeasureError,
        MensuraError,
        PlanError,
        RankingError,
        RecordError,
        ScaleError,
        StatisticsError,
    )
    from mensura.evaluation import Evaluation, evaluate, score
    from mensura.io.columns import Qrels, Run
    from mensura.io.read import read_qrels, read_run
    from mensura.judged import JudgedRuns, judge
    from mensura.measures import (
        ADM,
        AP,
        DCG,
        EFR,
        ERR,
        GM,
        MFR,
        NDCG,
        RBP,
        RR,
        ACorr,
        Bpref,
        F,
        InfAP,
        IPrec,
        IPrec11,
        Judged,
        Measure,
        NumRel,
        NumRelRet,
        NumRet,
        P,
        R,
        RBPResidual,
        Rprec,
        Success,
        parse_measure,
        parse_measures,
        register,
    )
    from mensura.remarks import Remark
    from mensura.scales.interval import IntervalScale, interval_scale
    from mensura.scales.ranks import Ranks
    from mensura.scores import Scores
    from mensura.stats.compare import Comparison, compare

__version__ = "0.2.0"

# Where each public name lives. They are imported when they are first used, so that `import mensura` costs next to nothing.
_HOMES = {
    "mensura.errors": (
        *("DepthError", "InputError", "LedgerError", "MeasureError", "MensuraError"),
        *("PlanError", "RankingError", "RecordError", "ScaleError", "StatisticsError"),
    ),
    "mensura.evaluation": ("Evaluation", "evaluate", "score"),
    "mensura.io.columns": ("Qrels", "Run"),
    "mensura.io.read": ("read_qrels", "read_run"),
    "mensura.judged": ("JudgedRuns", "judge"),
    "mensura.measures": (
        *(
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
            "F",
            "InfAP",
            "IPrec",
            "IPrec11",
            "Judged",
            "Measure",
        ),
        *(
            "NumRel",
            "NumRelRet",
            "NumRet",
            "P",
            "R",
            "RBPResidual",
            "Rprec",
            "Success",
            "parse_measure",
            "parse_measures",
            "register",
        ),
    ),
    "mensura.remarks": ("Remark",),
    "mensura.scales.interval": ("IntervalScale", "interval_scale"),
    "mensura.scales.ranks": ("Ranks",),
    "mensura.scores": ("Scores",),
    "mensura.stats.compare": ("Comparison", "compare"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
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


def __getattr__(name: str) -> Any:
    if name in _HOME:
        import importlib

        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'mensura' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
